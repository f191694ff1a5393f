//! Parses the `info` lines of an engine.

use std::time::Duration;

/// A score from the mover's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineScore {
    Centipawns(i32),
    /// Moves, negative when the mover is mated.
    Mate(i32),
}

/// The last reported figures of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    pub score: Option<EngineScore>,
    pub depth: u32,
    pub nodes: u64,
    pub selective_depth: Option<u32>,
    /// TT use per mille.
    pub table_permille: Option<u32>,
    /// As the engine counts them.
    pub nodes_per_second: Option<u64>,
    /// As the engine measures it.
    pub time: Option<Duration>,
    /// The principal variation as the engine wrote it.
    pub pv: String,
}

/// Longer variations are cut at a move.
const LONGEST_PV: usize = 1024;

impl Info {
    /// Reads an `info` line. Ignores bounds and all but the first MultiPV line.
    pub fn read(&mut self, line: &str) {
        let mut words = line.split_ascii_whitespace().skip(1);
        let mut seen = self.clone();
        while let Some(word) = words.next() {
            match word {
                "string" | "refutation" | "currline" => break,
                "pv" => {
                    seen.set_pv(words);
                    break;
                }
                "seldepth" => seen.selective_depth = number(words.next()),
                "hashfull" => seen.table_permille = number(words.next()),
                "nps" => seen.nodes_per_second = number(words.next()),
                "time" => seen.time = number(words.next()).map(Duration::from_millis),
                "depth" => seen.depth = number(words.next()).unwrap_or(seen.depth),
                "nodes" => seen.nodes = number(words.next()).unwrap_or(seen.nodes),
                "multipv" if words.next() != Some("1") => return,
                "lowerbound" | "upperbound" => {
                    // The node count is valid anyway.
                    self.nodes = seen.nodes;
                    return;
                }
                "score" => {
                    let kind = words.next();
                    let value = number(words.next());
                    seen.score = match (kind, value) {
                        (Some("cp"), Some(value)) => Some(EngineScore::Centipawns(value)),
                        (Some("mate"), Some(value)) => Some(EngineScore::Mate(value)),
                        _ => seen.score,
                    };
                }
                _ => {}
            }
        }
        *self = seen;
    }

    pub(super) fn set_pv<'w>(&mut self, words: impl Iterator<Item = &'w str>) {
        self.pv.clear();
        for word in words {
            if self.pv.len() + word.len() >= LONGEST_PV {
                break;
            }
            if !self.pv.is_empty() {
                self.pv.push(' ');
            }
            self.pv.extend(word.chars().filter(|c| !c.is_control()));
        }
    }
}

pub(super) fn number<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    word?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> Info {
        let mut info = Info::default();
        lines.iter().for_each(|line| info.read(line));
        info
    }

    #[test]
    fn the_last_exact_score_of_the_best_line_counts() {
        let info = read(&[
            "info depth 9 seldepth 12 multipv 1 score cp 31 nodes 4000 nps 1 pv e2e4 e7e5",
            "info depth 10 multipv 2 score cp -99 nodes 4500",
            "info depth 10 score cp 55 lowerbound nodes 5000",
            "info nodes 6000",
            "info string depth 99 score mate 1",
        ]);
        assert_eq!(info.score, Some(EngineScore::Centipawns(31)));
        assert_eq!((info.depth, info.nodes), (9, 6000));
        assert_eq!(
            (info.selective_depth, info.pv.as_str()),
            (Some(12), "e2e4 e7e5")
        );
        assert_eq!(
            read(&["info depth 3 score mate -2"]).score,
            Some(EngineScore::Mate(-2))
        );
    }

    #[test]
    fn garbage_is_passed_over() {
        let info = read(&[
            "info",
            "info depth",
            "info score cp x depth -1 nodes 1e9",
            "",
        ]);
        assert_eq!(info, Info::default());
        let long = format!("info depth 2 pv {}", "e2e4 ".repeat(1000));
        assert!(read(&[&long]).pv.len() <= LONGEST_PV);
    }
}
