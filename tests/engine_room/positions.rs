//! Positions shared by several tests.

use sparring::games::Game;

/// The moves of a position, in the generator's order.
pub fn moves_of<G: Game>(position: &G) -> Vec<G::Move> {
    let mut moves = Vec::new();
    position.for_each_move(|mv| moves.push(mv));
    moves
}

/// A small random generator, so that the positions are the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }
}

/// Calls `f` with `count` positions of unfinished random games.
pub fn random_walk<G: Game>(count: usize, mut f: impl FnMut(&G)) {
    let mut random = Random(0x5EED_0001);
    let mut seen = 0;
    while seen < count {
        let mut position = G::start(random.below(u64::from(G::STARTS)) as u32);
        for _ in 0..200 {
            let moves = moves_of(&position);
            if moves.is_empty() || position.end_by_position().is_some() || seen == count {
                break;
            }
            f(&position);
            seen += 1;
            position.play(moves[random.below(moves.len() as u64) as usize]);
        }
    }
}
