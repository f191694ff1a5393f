//! A chess evaluator of your own against a preset: `cargo run --release --example custom_evaluator`.
//!
//! The terms below are all there is to write. The library searches with them, explains them, and
//! can tune them.

use sparring::eval::TermDefault::{Number, Tapered};
use sparring::eval::{Evaluated, Preset, Sink, Term, Terms, Weights, slot};
use sparring::games::Side::{Black, White};
use sparring::games::chess::{Chess, Color, Piece, squares};
use sparring::games::prelude::*;
use sparring::play::{
    Conduct, Endings, Experiment, Format, Openings, PlayerSpec, Runner, Schedule,
};
use sparring::record::player_result;
use sparring::search::{Limit, Profile};
use sparring::stats::{Model, Sprt, Tally};

/// Piece values, the bishop pair, and pawns that advance.
struct Advance;

/// One row per term: name, group, default, range and help.
const TERMS: &[Term] = &[
    piece("pawn", 100.0, "a pawn"),
    piece("knight", 320.0, "a knight"),
    piece("bishop", 330.0, "a bishop"),
    piece("rook", 500.0, "a rook"),
    piece("queen", 900.0, "a queen"),
    Term::linear(
        "bishop_pair",
        "material",
        Number(40.0),
        (0.0, 200.0),
        "two bishops or more",
    ),
    Term::linear(
        "pawn_step",
        "pawns",
        Tapered(4.0, 12.0), // opening, ending
        (-50.0, 50.0),
        "a step of a pawn from its start square",
    ),
];

const fn piece(name: &'static str, value: f64, help: &'static str) -> Term {
    Term::linear(name, "material", Number(value), (0.0, 4000.0), help)
}

const PIECES: [Piece; 5] = [
    Piece::Pawn,
    Piece::Knight,
    Piece::Bishop,
    Piece::Rook,
    Piece::Queen,
];

impl Terms<Chess> for Advance {
    const TERMS: &'static [Term] = TERMS;

    fn visit(position: &Chess, _weights: &Weights, sink: &mut impl Sink) {
        let board = position.board();
        let count = |colour, piece| board.colored_pieces(colour, piece).len() as i32;
        for (slot, piece) in PIECES.into_iter().enumerate() {
            sink.add(slot, count(Color::White, piece), count(Color::Black, piece));
        }
        let pair = |colour| i32::from(count(colour, Piece::Bishop) >= 2);
        sink.add(
            const { slot(TERMS, "bishop_pair") },
            pair(Color::White),
            pair(Color::Black),
        );
        let steps = |colour| -> i32 {
            squares(board.colored_pieces(colour, Piece::Pawn))
                .map(|square| square.rank().relative_to(colour) as i32 - 1)
                .sum()
        };
        sink.add(
            const { slot(TERMS, "pawn_step") },
            steps(Color::White),
            steps(Color::Black),
        );
    }

    /// Interpolates tapered weights: 24 with all pieces, 0 with kings and pawns.
    fn phase(position: &Chess) -> i32 {
        let count = |piece| position.board().pieces(piece).len() as i32;
        let minor = count(Piece::Knight) + count(Piece::Bishop);
        (minor + 2 * count(Piece::Rook) + 4 * count(Piece::Queen)).min(24)
    }
}

static OWN: [Preset<Chess>; 1] = [Preset::of::<Advance>("advance", "material and pawn steps")];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let weights = Weights::defaults(TERMS);
    let explanation = (OWN[0].explain)(&weights, &Chess::start(Chess::USUAL_START));
    for term in &explanation.terms {
        println!(
            "{:12} white {:3} black {:3}",
            term.name, term.white, term.black
        );
    }

    let options = Profile::Strong.options();
    let rival = Chess::preset("simplified").ok_or("no such preset")?;
    let experiment = Experiment {
        seed: 1,
        players: vec![
            PlayerSpec::of_preset(&OWN[0], Limit::nodes(1000), options.clone()),
            PlayerSpec::of_preset(rival, Limit::nodes(1000), options),
        ],
        schedule: Schedule::new(Format::Pair, 2, 20),
        openings: Openings::Random {
            plies: 8,
            reject: None,
        },
        endings: Endings::default(),
        conduct: Conduct::default(),
    };
    let mut runner = Runner::with_evaluators::<Chess>(2, &OWN)?;
    let mut tally = Tally::default();
    for pair in runner.play(&experiment)? {
        let [first, second] = &pair.games;
        tally.push_pair(
            player_result(first.result, White),
            player_result(second.result, Black),
        );
    }
    let sprt = Sprt::new(Model::Normalized, 0.0, 50.0)?;
    let llr = sprt.llr(&tally.pairs());
    println!(
        "{:?}: LLR {llr:.2}, {}",
        tally.wdl(),
        sprt.verdict(llr).name()
    );
    Ok(())
}
