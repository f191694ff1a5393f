//! The words of a game in an engine's protocol: positions, limits, moves and scores.

use std::time::Duration;

use super::clocks::Clocks;
use super::game::MoveNote;
use super::seat::{Details, Latency, Thought};
use crate::engines::{Answer, EngineScore, Protocol};
use crate::eval::{STEPS, Score};
use crate::games::{AnyGame, AnyPosition, Side, hub};
use crate::search::{Limit, MATE, MATE_BOUND};

/// The game as the engine is told it.
#[derive(Default)]
pub struct GameSoFar {
    /// The command that sets the position, without the moves.
    opening: String,
    /// The moves in the engine's notation.
    moves: Vec<String>,
    /// Hub: the position after them.
    position: Option<Box<dyn AnyPosition>>,
}

impl GameSoFar {
    pub fn new(protocol: Protocol, rules: &dyn AnyGame, opening: &str) -> GameSoFar {
        if protocol == Protocol::Uci {
            let usual = rules.facts().starts == 1 && opening == rules.usual_start().fen();
            return GameSoFar {
                opening: match usual {
                    true => "position startpos".to_string(),
                    false => format!("position fen {opening}"),
                },
                ..GameSoFar::default()
            };
        }
        let position = rules.read_fen(opening).ok();
        let text = position
            .as_deref()
            .map_or_else(String::new, hub::position_text);
        GameSoFar {
            opening: match protocol {
                Protocol::Hub1 => {
                    // The side to move is lower case in version 1, the kings are not.
                    let (side, squares) = text.split_at_checked(1).unwrap_or(("", ""));
                    format!("pos {}{squares}", side.to_ascii_lowercase())
                }
                _ => format!("pos pos={text}"),
            },
            moves: Vec::new(),
            position,
        }
    }

    /// Adds the moves that the engine does not know yet.
    pub fn follow(&mut self, moves: &[MoveNote]) {
        for mv in moves.iter().skip(self.moves.len()) {
            let text = self.position.as_mut().and_then(|position| {
                let number = position.find_move(&mv.text).ok()?;
                let text = hub::move_text(position.as_ref(), number);
                let _ = position.play(number);
                text
            });
            self.moves.push(text.unwrap_or_else(|| mv.text.clone()));
        }
    }

    /// The lines that set the position, one move on if `reply` is given.
    pub fn lines(&self, protocol: Protocol, reply: Option<&str>) -> String {
        let opening = &self.opening;
        let moves: Vec<&str> = self.moves.iter().map(String::as_str).chain(reply).collect();
        match (protocol, &moves[..]) {
            (Protocol::Hub1, moves) => {
                let moves: String = moves.iter().map(|text| format!("move {text}\n")).collect();
                format!("{opening}\n{moves}")
            }
            (_, []) => format!("{opening}\n"),
            (Protocol::Uci, moves) => format!("{opening} moves {}\n", moves.join(" ")),
            (Protocol::Hub, moves) => format!("{opening} moves=\"{}\"\n", moves.join(" ")),
        }
    }
}

/// On whose time an engine thinks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Think,
    Ponder,
}

/// The lines that start a search in the position that was set.
pub fn go_lines(
    protocol: Protocol,
    mode: Mode,
    limit: &Limit,
    clocks: &Clocks,
    side: Side,
) -> String {
    match (protocol, mode) {
        (Protocol::Uci, Mode::Think) => format!("go {}\n", go_words(limit, clocks, side)),
        (Protocol::Uci, Mode::Ponder) => format!("go ponder {}\n", go_words(limit, clocks, side)),
        (Protocol::Hub, mode) => format!(
            "level {}\ngo {}\n",
            hub_level(limit, clocks, side),
            match mode {
                Mode::Think => "think",
                Mode::Ponder => "ponder",
            }
        ),
        (Protocol::Hub1, mode) => format!(
            "{}{}\n",
            hub_1_level(limit, clocks, side),
            match mode {
                Mode::Think => "go",
                Mode::Ponder => "ponder",
            }
        ),
    }
}

/// The arguments of `go`. Each player's clock is independent of the opponent's.
fn go_words(limit: &Limit, clocks: &Clocks, side: Side) -> String {
    let mut words = Vec::new();
    if let Some(own) = clocks.left(side) {
        let of = |side: Side| clocks.left(side).unwrap_or(own).time.as_millis();
        let increment = |side: Side| clocks.increment(side).as_millis();
        words.push(format!(
            "wtime {} btime {} winc {} binc {}",
            of(Side::White),
            of(Side::Black),
            increment(Side::White),
            increment(Side::Black)
        ));
        words.extend(own.moves.map(|moves| format!("movestogo {moves}")));
    }
    if let Some(time) = limit.time {
        words.push(format!("movetime {}", time.hard.as_millis().max(1)));
    }
    if limit.depth < Limit::MAX_DEPTH {
        words.push(format!("depth {}", limit.depth));
    }
    if let Some(nodes) = limit.nodes {
        words.push(format!("nodes {nodes}"));
    }
    words.join(" ")
}

/// The limits of a search in Hub: times in seconds. An engine adds the increment before it looks at
/// its clock.
fn hub_level(limit: &Limit, clocks: &Clocks, side: Side) -> String {
    let seconds = |time: Duration| format!("{:.3}", time.as_secs_f64());
    let mut words = Vec::new();
    if let Some(left) = clocks.left(side) {
        let increment = clocks.increment(side);
        words.extend(left.moves.map(|moves| format!("moves={moves}")));
        words.push(format!(
            "time={}",
            seconds(left.time.saturating_sub(increment))
        ));
        if !increment.is_zero() {
            words.push(format!("inc={}", seconds(increment)));
        }
    }
    words.extend(
        limit
            .time
            .map(|time| format!("move-time={}", seconds(time.hard))),
    );
    if limit.depth < Limit::MAX_DEPTH {
        words.push(format!("depth={}", limit.depth));
    }
    words.extend(limit.nodes.map(|nodes| format!("nodes={nodes}")));
    words.join(" ")
}

/// The lines of the limits in version 1 of Hub: milliseconds, and no limit of nodes.
fn hub_1_level(limit: &Limit, clocks: &Clocks, side: Side) -> String {
    let mut lines = String::new();
    if let Some(left) = clocks.left(side) {
        let increment = clocks.increment(side);
        lines.push_str(&format!(
            "level {} {} {}\n",
            left.moves.unwrap_or(0),
            left.time.saturating_sub(increment).as_millis(),
            increment.as_millis()
        ));
    }
    if let Some(time) = limit.time {
        lines.push_str(&format!("time {}\n", time.hard.as_millis().max(1)));
    }
    if limit.depth < Limit::MAX_DEPTH {
        lines.push_str(&format!("depth {}\n", limit.depth));
    }
    lines
}

/// Parses a move of an engine; in UCI with either notation of castling.
pub fn read_move(protocol: Protocol, position: &dyn AnyPosition, text: &str) -> Option<usize> {
    if protocol != Protocol::Uci {
        return hub::find_move(position, text).ok();
    }
    let text = text.to_ascii_lowercase();
    let squares = text.as_bytes().get(..4)?;
    let is_square = |at: &[u8]| at[0].is_ascii_lowercase() && at[1].is_ascii_digit();
    if !is_square(&squares[..2]) || !is_square(&squares[2..]) {
        return None;
    }
    position.find_move(&text).ok()
}

pub fn thought(answer: Answer, best: usize) -> Thought<usize> {
    let mate = |moves: i32| {
        let plies = if moves > 0 {
            2 * i64::from(moves) - 1
        } else {
            -2 * i64::from(moves)
        };
        let score = i64::from(MATE) - plies.min(i64::from(MATE - MATE_BOUND) - 1);
        (if moves > 0 { score } else { -score }) as Score
    };
    let info = answer.info;
    let score = info.score.map(|score| match score {
        EngineScore::Mate(moves) => mate(moves),
        EngineScore::Centipawns(units) => units
            .saturating_mul(STEPS)
            .clamp(1 - MATE_BOUND, MATE_BOUND - 1),
    });
    Thought {
        best: Some(best),
        score,
        depth: info.depth,
        nodes: info.nodes,
        time: answer.time,
        details: Details {
            selective_depth: info.selective_depth,
            table_permille: info.table_permille,
            nodes_per_second: info.nodes_per_second,
            pv: info.pv,
            latency: Some(Latency {
                first: answer.first,
                overhead: info.time.map(|claimed| answer.time.saturating_sub(claimed)),
            }),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::Info;
    use crate::games::chess::{Chess, Chess960};
    use crate::games::draughts::International;
    use crate::games::{GameRules, Notation, any};
    use crate::search::{Clock, mate_distance};

    #[test]
    fn only_coordinates_are_moves_of_an_engine() {
        let start = Chess::start(0);
        assert!(read_move(Protocol::Uci, &start, "e2e4").is_some());
        for text in ["Nf3", "e4", "e2e5", "", "(none)", "0000", "e2", "é2e4"] {
            assert_eq!(read_move(Protocol::Uci, &start, text), None, "{text}");
        }
        let takes = Chess::from_fen("k7/8/8/8/8/2p5/1P6/K7 w - - 0 1").unwrap();
        assert_eq!(read_move(Protocol::Uci, &takes, "bxc3"), None);
        let promotes = Chess::from_fen("8/P7/8/8/8/8/8/k1K5 w - - 0 1").unwrap();
        assert!(read_move(Protocol::Uci, &promotes, "a7a8Q").is_some());
        let castles = Chess::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        assert_eq!(
            read_move(Protocol::Uci, &castles, "e1g1"),
            read_move(Protocol::Uci, &castles, "e1h1")
        );
        let other = Chess960::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        assert!(read_move(Protocol::Uci, &other, "e1h1").is_some());
    }

    #[test]
    fn a_hub_engine_is_told_position_moves_and_times() {
        let rules = any::rules::<International>();
        let start = rules.usual_start();
        let note = |text: &str| MoveNote {
            text: text.to_string(),
            record: text.to_string(),
            score: None,
            depth: 0,
            nodes: 0,
            time: None,
            left: None,
            details: Details::default(),
        };
        let moves = ["32-28", "19-23", "28x19", "14x23"].map(note);
        let squares = format!("{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20));
        let mut game = GameSoFar::new(Protocol::Hub, rules, &start.fen());
        assert_eq!(
            game.lines(Protocol::Hub, None),
            format!("pos pos=W{squares}\n")
        );
        game.follow(&moves[..1]);
        game.follow(&moves);
        assert_eq!(
            game.lines(Protocol::Hub, None),
            format!("pos pos=W{squares} moves=\"32-28 19-23 28x19x23 14x23x19\"\n")
        );
        let mut game = GameSoFar::new(Protocol::Hub1, rules, &start.fen());
        game.follow(&moves[..3]);
        assert_eq!(
            game.lines(Protocol::Hub1, None),
            format!("pos w{squares}\nmove 32-28\nmove 19-23\nmove 28x19x23\n")
        );
        let clock = Clock {
            time: Duration::from_secs(10),
            increment: Duration::from_millis(500),
            margin: Duration::ZERO,
            moves: None,
        };
        let clocks = Clocks::new(Some(clock), None);
        assert_eq!(
            go_lines(
                Protocol::Hub,
                Mode::Think,
                &Limit::depth(4),
                &clocks,
                Side::White
            ),
            "level time=9.500 inc=0.500 depth=4\ngo think\n"
        );
        let time = Limit::movetime(Duration::from_millis(50));
        assert_eq!(
            go_lines(Protocol::Hub, Mode::Ponder, &time, &clocks, Side::Black),
            "level move-time=0.050\ngo ponder\n"
        );
        // Version 1 counts milliseconds.
        assert_eq!(
            go_lines(
                Protocol::Hub1,
                Mode::Think,
                &Limit::depth(4),
                &clocks,
                Side::White
            ),
            "level 0 9500 500\ndepth 4\ngo\n"
        );
        assert_eq!(
            go_lines(Protocol::Hub1, Mode::Ponder, &time, &clocks, Side::Black),
            "time 50\nponder\n"
        );
    }

    #[test]
    fn mates_keep_their_distance() {
        let score_of = |moves| {
            let answer = Answer {
                best: String::new(),
                reply: None,
                info: Info {
                    score: Some(EngineScore::Mate(moves)),
                    ..Info::default()
                },
                time: Duration::ZERO,
                first: Duration::ZERO,
            };
            thought(answer, 0).score.and_then(mate_distance)
        };
        for moves in [1, 7, -1, -7, i32::MAX, i32::MIN] {
            let distance = score_of(moves).unwrap();
            assert_eq!(distance.signum(), moves.signum());
            assert!(moves.unsigned_abs() > 1000 || distance == moves, "{moves}");
        }
    }

    #[test]
    fn an_engine_is_told_its_own_limits() {
        let clocks = Clocks::default();
        assert_eq!(
            go_words(&Limit::nodes(500), &clocks, Side::White),
            "nodes 500"
        );
        let both = Limit {
            nodes: Some(9),
            ..Limit::depth(3)
        };
        assert_eq!(go_words(&both, &clocks, Side::Black), "depth 3 nodes 9");
        let clock = Clock {
            time: Duration::from_secs(60),
            increment: Duration::from_millis(100),
            margin: Duration::ZERO,
            moves: Some(40),
        };
        let mut running = Clocks::new(Some(clock), Some(clock));
        assert!(running.spend(Side::Black, Duration::from_secs(20)));
        let words = go_words(&Limit::NONE, &running, Side::Black);
        assert_eq!(
            words,
            "wtime 60000 btime 40100 winc 100 binc 100 movestogo 39"
        );
        let time = Limit::movetime(Duration::from_millis(50));
        assert_eq!(go_words(&time, &clocks, Side::White), "movetime 50");
    }
}
