//! How players used their time, from games whose moves were timed.

use super::data::{Mean, ReportData};
use crate::record::GameRow;
use crate::record::Side;

/// The termination of games lost on time.
const LOST_ON_TIME: &str = "forfeit-time";

/// One player's use of time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TimeUse {
    /// Seconds per move, one value per game.
    pub per_move: Mean,
    /// The longest move, in seconds.
    pub longest: f64,
    pub moves: u64,
    /// All of its timed games together.
    pub seconds: f64,
    pub nodes: u64,
    pub lost_on_time: u64,
}

impl TimeUse {
    pub fn nodes_per_second(&self) -> Option<f64> {
        (self.nodes > 0 && self.seconds > 0.0).then(|| self.nodes as f64 / self.seconds)
    }

    fn push(&mut self, times: &[f64], nodes: u64) {
        if times.is_empty() {
            return;
        }
        let seconds: f64 = times.iter().sum();
        self.per_move.push(seconds / times.len() as f64);
        self.longest = times.iter().copied().fold(self.longest, f64::max);
        self.moves += times.len() as u64;
        self.seconds += seconds;
        self.nodes += nodes;
    }
}

impl ReportData {
    /// Counts the times of a game of these players, by index.
    pub(super) fn push_times(&mut self, row: &GameRow, players: [usize; 2]) {
        let count = self.tally.players().len();
        self.times.resize(count, TimeUse::default());
        let [white, black] = players;
        if row.termination == LOST_ON_TIME {
            let loser = match row.result.winner() {
                Some(Side::White) => Some(black),
                Some(Side::Black) => Some(white),
                None => None,
            };
            if let Some(loser) = loser {
                self.times[loser].lost_on_time += 1;
            }
        }
        let Some(first) = row.first_mover else { return };
        let sides = [first, first.other()];
        let mut times = [Vec::new(), Vec::new()];
        for (ply, time) in row.move_times().enumerate() {
            times[sides[ply % 2] as usize].extend(time);
        }
        let nodes = [row.white_nodes, row.black_nodes];
        for ((player, times), nodes) in players.into_iter().zip(&times).zip(nodes) {
            self.times[player].push(times, nodes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_summed_by_player_and_lost_games_are_counted() {
        let mut data = ReportData::default();
        let text = "white,black,result,termination,moves,first_mover,times,white_nodes,black_nodes\n\
            a,b,1-0,forfeit-time,x y z,black,0.5 0.1 1.5,10,400\n\
            b,a,1/2-1/2,checkmate,x y,white,? ?,7,7\n";
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.csv");
        std::fs::write(&path, text).unwrap();
        crate::record::read_games(&path, |row, _| {
            data.tally.push(&row);
            let of = |name: &str| data.tally.find(name).unwrap();
            let players = [of(&row.white), of(&row.black)];
            data.push_times(&row, players);
            Ok(())
        })
        .unwrap();
        let [a, b] = data.times[..] else {
            panic!("two players")
        };
        assert_eq!(
            (a.moves, a.seconds, a.longest, a.lost_on_time),
            (1, 0.1, 0.1, 0)
        );
        assert_eq!(
            (b.moves, b.seconds, b.longest, b.lost_on_time),
            (2, 2.0, 1.5, 1)
        );
        assert_eq!(b.nodes_per_second(), Some(200.0));
        assert_eq!((a.per_move.count, b.per_move.mean), (1, 1.0));
    }
}
