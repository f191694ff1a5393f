//! Maximum matchings in general graphs: as many disjoint pairs as possible (Edmonds' blossom algorithm).

use std::collections::VecDeque;

/// A matching between the vertices `0..n` that are still present.
#[derive(Clone, Debug)]
pub struct Matching<'g> {
    /// Whether two vertices may be paired; symmetric.
    edges: &'g [Vec<bool>],
    present: Vec<bool>,
    mates: Vec<Option<usize>>,
}

/// The search tree of one augmentation. Odd cycles are contracted: all their vertices share a base.
struct Search {
    parent: Vec<Option<usize>>,
    base: Vec<usize>,
    reached: Vec<bool>,
    queue: VecDeque<usize>,
}

impl<'g> Matching<'g> {
    /// A maximum matching of the present vertices.
    pub fn maximum(edges: &'g [Vec<bool>], present: Vec<bool>) -> Matching<'g> {
        let mut matching = Matching {
            edges,
            mates: vec![None; present.len()],
            present,
        };
        for vertex in 0..edges.len() {
            matching.augment(vertex);
        }
        matching
    }

    /// The number of pairs.
    pub fn pairs(&self) -> usize {
        self.mates.iter().flatten().count() / 2
    }

    /// A maximum matching of the others, once these two are gone.
    pub fn without(&self, one: usize, other: usize) -> Matching<'g> {
        let mut rest = self.clone();
        // One after the other: when one vertex goes, a maximum matching can only grow again from its mate.
        for gone in [one, other] {
            rest.present[gone] = false;
            if let Some(mate) = rest.mates[gone].take() {
                rest.mates[mate] = None;
                rest.augment(mate);
            }
        }
        rest
    }

    /// Adds a pair to the matching if a free vertex can be matched.
    fn augment(&mut self, root: usize) {
        if !self.present[root] || self.mates[root].is_some() {
            return;
        }
        let count = self.edges.len();
        let mut search = Search {
            parent: vec![None; count],
            base: (0..count).collect(),
            reached: vec![false; count],
            queue: VecDeque::from([root]),
        };
        search.reached[root] = true;
        let Some(mut end) = self.find_free(root, &mut search) else {
            return;
        };
        // Swap matched and unmatched edges along the path.
        while let Some(before) = search.parent[end] {
            let next = self.mates[before];
            self.mates[end] = Some(before);
            self.mates[before] = Some(end);
            match next {
                Some(next) => end = next,
                None => return,
            }
        }
    }

    /// The end of an augmenting path from `root`.
    fn find_free(&self, root: usize, search: &mut Search) -> Option<usize> {
        while let Some(from) = search.queue.pop_front() {
            for to in 0..self.edges.len() {
                if !self.present[to]
                    || !self.edges[from][to]
                    || search.base[from] == search.base[to]
                    || self.mates[from] == Some(to)
                {
                    continue;
                }
                let is_outer =
                    to == root || self.mates[to].is_some_and(|mate| search.parent[mate].is_some());
                if is_outer {
                    self.contract(from, to, search);
                } else if search.parent[to].is_none() {
                    search.parent[to] = Some(from);
                    match self.mates[to] {
                        None => return Some(to),
                        Some(mate) => {
                            search.reached[mate] = true;
                            search.queue.push_back(mate);
                        }
                    }
                }
            }
        }
        None
    }

    /// The outer vertex two steps closer to the root; `None` at the root.
    fn step_up(&self, vertex: usize, search: &Search) -> Option<usize> {
        self.mates[vertex].and_then(|mate| search.parent[mate])
    }

    /// Contracts the odd cycle that the edge closes.
    fn contract(&self, one: usize, other: usize, search: &mut Search) {
        let mut passed = vec![false; self.edges.len()];
        let mut at = Some(one);
        while let Some(vertex) = at {
            passed[search.base[vertex]] = true;
            at = self.step_up(search.base[vertex], search);
        }
        let mut top = search.base[other];
        while !passed[top] {
            match self.step_up(top, search) {
                Some(up) => top = search.base[up],
                None => return,
            }
        }
        let mut inside = vec![false; self.edges.len()];
        for (start, opposite) in [(one, other), (other, one)] {
            let (mut vertex, mut child) = (start, opposite);
            while search.base[vertex] != top {
                let Some(mate) = self.mates[vertex] else {
                    break;
                };
                inside[search.base[vertex]] = true;
                inside[search.base[mate]] = true;
                search.parent[vertex] = Some(child);
                child = mate;
                match search.parent[mate] {
                    Some(up) => vertex = up,
                    None => break,
                }
            }
        }
        for vertex in 0..self.edges.len() {
            if inside[search.base[vertex]] {
                search.base[vertex] = top;
                if !search.reached[vertex] {
                    search.reached[vertex] = true;
                    search.queue.push_back(vertex);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::{Purpose, Stream};

    /// The size of a maximum matching, by trying everything.
    fn most_pairs(edges: &[Vec<bool>], used: &mut Vec<bool>, from: usize) -> usize {
        let Some(first) = (from..edges.len()).find(|vertex| !used[*vertex]) else {
            return 0;
        };
        used[first] = true;
        let mut most = most_pairs(edges, used, first + 1);
        for other in first + 1..edges.len() {
            if edges[first][other] && !used[other] {
                used[other] = true;
                most = most.max(1 + most_pairs(edges, used, first + 1));
                used[other] = false;
            }
        }
        used[first] = false;
        most
    }

    #[test]
    fn no_matching_of_a_random_graph_is_larger() {
        for graph in 0..400 {
            let mut draws = Stream::new(1, graph, Purpose::Players);
            let count = 2 + (draws.draw() % 9) as usize;
            let density = 1 + draws.draw() % 5;
            let mut edges = vec![vec![false; count]; count];
            let pairs = (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other)));
            for (one, other) in pairs {
                let edge = draws.draw() % 6 < density;
                edges[one][other] = edge;
                edges[other][one] = edge;
            }
            let matching = Matching::maximum(&edges, vec![true; count]);
            let expected = most_pairs(&edges, &mut vec![false; count], 0);
            assert_eq!(matching.pairs(), expected, "graph {graph}");
            for (vertex, mate) in matching.mates.iter().enumerate() {
                if let Some(mate) = *mate {
                    assert!(edges[vertex][mate] && matching.mates[mate] == Some(vertex));
                }
            }
            // Removing any two vertices leaves a maximum matching of the rest.
            for other in 1..count {
                let mut used = vec![false; count];
                (used[0], used[other]) = (true, true);
                let expected = most_pairs(&edges, &mut used, 0);
                assert_eq!(
                    matching.without(0, other).pairs(),
                    expected,
                    "graph {graph}"
                );
            }
        }
    }
}
