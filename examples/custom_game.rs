//! A game of your own, searched and played by the library: `cargo run --release --example custom_game`.
//!
//! Breakthrough on 5x5 squares: pieces step forward, straight or diagonally, and capture
//! diagonally. The side that reaches the far row, or captures everything, wins.

use sparring::eval::TermDefault::Number;
use sparring::eval::{Evaluated, Preset, Sink, Term, Terms, Weights};
use sparring::games::prelude::*;
use sparring::games::{EndReason, NotationError, Outcome, Side, perft};
use sparring::play::{
    Conduct, Endings, Experiment, Format, Openings, PlayerSpec, Runner, Schedule,
};
use sparring::search::{Limit, Options, Profile, Searcher};

const SIZE: usize = 5;

/// Bit `SIZE * row + column` is a square, counted from the bottom left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Breakthrough {
    pieces: [u32; 2],
    turn: Side,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    from: u8,
    to: u8,
}

const FAR_ROW: EndReason = EndReason::new("far-row");

impl Breakthrough {
    fn side_at(&self, row: usize, column: usize) -> Option<Side> {
        let square = 1 << (SIZE * row + column);
        Side::BOTH
            .into_iter()
            .find(|side| self.pieces[*side as usize] & square != 0)
    }

    fn target_row(side: Side) -> usize {
        if side == Side::White { SIZE - 1 } else { 0 }
    }

    /// Steps that the pieces of a side have made.
    fn steps(&self, side: Side) -> i32 {
        let rows = (0..SIZE).map(|row| {
            let done = if side == Side::White {
                row
            } else {
                SIZE - 1 - row
            };
            let pieces = self.pieces[side as usize] >> (SIZE * row) & 0b11111;
            done as i32 * pieces.count_ones() as i32
        });
        rows.sum()
    }
}

fn square_name(square: u8) -> String {
    let (row, column) = (usize::from(square) / SIZE, usize::from(square) % SIZE);
    format!("{}{}", char::from(b'a' + column as u8), row + 1)
}

impl GameRules for Breakthrough {
    type Move = Step;

    // Pieces only move forward, so no position occurs twice.
    const REPETITIONS: Option<u8> = None;

    fn start(_index: u32) -> Breakthrough {
        Breakthrough {
            pieces: [0b11111_11111, 0b11111_11111 << (3 * SIZE)],
            turn: Side::White,
        }
    }

    fn side_to_move(&self) -> Side {
        self.turn
    }

    fn for_each_move(&self, mut f: impl FnMut(Step)) {
        if self.end_by_position().is_some() {
            return;
        }
        for from in 0..SIZE * SIZE {
            let (row, column) = (from / SIZE, from % SIZE);
            if self.side_at(row, column) != Some(self.turn) {
                continue;
            }
            let next = match self.turn {
                Side::White => row + 1,
                Side::Black => row - 1,
            };
            for target in column.saturating_sub(1)..=(column + 1).min(SIZE - 1) {
                let there = self.side_at(next, target);
                let straight = target == column;
                if there.is_none() || !straight && there == Some(self.turn.other()) {
                    let to = (SIZE * next + target) as u8;
                    f(Step {
                        from: from as u8,
                        to,
                    });
                }
            }
        }
    }

    fn is_capture(&self, mv: Step) -> bool {
        self.pieces[self.turn.other() as usize] & 1 << mv.to != 0
    }

    fn play(&mut self, mv: Step) {
        self.pieces[self.turn as usize] ^= 1 << mv.from | 1 << mv.to;
        self.turn = self.turn.other();
        self.pieces[self.turn as usize] &= !(1 << mv.to);
    }

    /// All of the position fits into 51 bits; the multiplications spread them.
    fn hash(&self) -> u64 {
        let [white, black] = self.pieces.map(u64::from);
        let bits = white | black << 25 | (self.turn as u64) << 50;
        let mixed = (bits + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed ^ mixed >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93)
    }

    fn reversible_plies(&self) -> usize {
        0
    }

    fn end_by_position(&self) -> Option<Outcome> {
        let far = |side| {
            let row = 0b11111 << (SIZE * Breakthrough::target_row(side));
            self.pieces[side as usize] & row != 0 || self.pieces[side.other() as usize] == 0
        };
        let winner = Side::BOTH.into_iter().find(|side| far(*side))?;
        Some(Outcome::win(winner, FAR_ROW))
    }

    fn end_without_moves(&self) -> Outcome {
        let blocked = Outcome::win(self.turn.other(), EndReason::NO_MOVES);
        self.end_by_position().unwrap_or(blocked)
    }

    fn colour_flipped(&self) -> Breakthrough {
        let flip = |set: u32| {
            (0..SIZE).fold(0, |all, row| {
                all | (set >> (SIZE * row) & 0b11111) << (SIZE * (SIZE - 1 - row))
            })
        };
        let [white, black] = self.pieces;
        Breakthrough {
            pieces: [flip(black), flip(white)],
            turn: self.turn.other(),
        }
    }
}

/// Rows from the top, separated by slashes, then the side to move: `bbbbb/bbbbb/...../wwwww/wwwww w`.
impl Notation for Breakthrough {
    fn from_fen(fen: &str) -> Result<Breakthrough, NotationError> {
        let bad = |problem: &str| {
            let start = Breakthrough::start(0).fen();
            NotationError::new(format!(
                "`{fen}`: {problem}; expected a position like `{start}`"
            ))
        };
        let (board, turn) = fen
            .trim()
            .split_once(' ')
            .ok_or_else(|| bad("no side to move"))?;
        let turn = match turn {
            "w" => Side::White,
            "b" => Side::Black,
            _ => return Err(bad("unknown side to move")),
        };
        let rows: Vec<&str> = board.split('/').collect();
        if rows.len() != SIZE || rows.iter().any(|row| row.chars().count() != SIZE) {
            return Err(bad("not 5 rows of 5 squares"));
        }
        let mut pieces = [0; 2];
        for (down, row) in rows.iter().enumerate() {
            for (column, letter) in row.chars().enumerate() {
                let square = 1 << (SIZE * (SIZE - 1 - down) + column);
                match letter {
                    'w' => pieces[0] |= square,
                    'b' => pieces[1] |= square,
                    '.' => {}
                    _ => return Err(bad("unknown piece")),
                }
            }
        }
        Ok(Breakthrough { pieces, turn })
    }

    fn fen(&self) -> String {
        let row = |row: usize| {
            (0..SIZE)
                .map(|column| self.letter_at(row, column))
                .collect()
        };
        let rows: Vec<String> = (0..SIZE).map(row).collect();
        let turn = if self.turn == Side::White { 'w' } else { 'b' };
        format!("{} {turn}", rows.join("/"))
    }

    fn move_text(&self, mv: Step) -> String {
        square_name(mv.from) + &square_name(mv.to)
    }

    fn parse_move(&self, text: &str) -> Result<Step, NotationError> {
        let mut found = None;
        self.for_each_move(|mv| {
            if self.move_text(mv) == text {
                found = Some(mv);
            }
        });
        found.ok_or_else(|| {
            NotationError::new(format!("`{text}`: no legal move; expected e.g. a2b3"))
        })
    }
}

impl BoardView for Breakthrough {
    const ROWS: usize = SIZE;
    const COLUMNS: usize = SIZE;

    fn letter_at(&self, row: usize, column: usize) -> char {
        match self.side_at(SIZE - 1 - row, column) {
            Some(Side::White) => 'w',
            Some(Side::Black) => 'b',
            None => '.',
        }
    }
}

// Every hint for the search has a default. Codes let the TT keep the best move.
impl SearchHints for Breakthrough {
    fn move_code(mv: Step) -> u16 {
        1 + u16::from(mv.from) * 32 + u16::from(mv.to)
    }
}

struct Runners;

impl Terms<Breakthrough> for Runners {
    const TERMS: &'static [Term] = &[
        Term::linear("piece", "material", Number(10.0), (0.0, 100.0), "a piece"),
        Term::linear(
            "step",
            "progress",
            Number(1.0),
            (-10.0, 10.0),
            "a step made by a piece",
        ),
    ];

    fn visit(position: &Breakthrough, _weights: &Weights, sink: &mut impl Sink) {
        let [white, black] = position.pieces.map(|set| set.count_ones() as i32);
        sink.add(0, white, black);
        sink.add(1, position.steps(Side::White), position.steps(Side::Black));
    }
}

static PRESETS: [Preset<Breakthrough>; 2] = [
    Preset::of::<Runners>("runners", "pieces and the steps they have made"),
    Preset::random(),
];

impl Evaluated for Breakthrough {
    const UNIT: &'static str = "points";
    const STRONGEST: &'static str = "runners";

    fn presets() -> &'static [Preset<Breakthrough>] {
        &PRESETS
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let start = Breakthrough::start(0);
    println!("{}perft 4: {}", start.diagram(), perft(&start, 4));

    let mut evaluator = (PRESETS[0].build)(&Weights::defaults(PRESETS[0].terms), 0);
    let mut searcher = Searcher::new(Profile::Strong.options());
    let found = searcher.search(&start, &[], evaluator.as_mut(), Limit::depth(8));
    let best = found.best.ok_or("no move")?;
    println!(
        "best move {}, score {}, {} nodes",
        start.move_text(best),
        found.score,
        found.nodes
    );

    let player = |preset| PlayerSpec::of_preset(preset, Limit::depth(4), Options::default());
    let experiment = Experiment {
        seed: 1,
        players: PRESETS.iter().map(player).collect(),
        schedule: Schedule::new(Format::Pair, 2, 5),
        openings: Openings::Random {
            plies: 2,
            reject: None,
        },
        endings: Endings::default(),
        conduct: Conduct::default(),
    };
    for pair in Runner::of::<Breakthrough>(2)?.play(&experiment)? {
        let results = pair.games.each_ref().map(|game| game.result.to_string());
        println!("pair {}: {} and {}", pair.pair, results[0], results[1]);
    }
    Ok(())
}
