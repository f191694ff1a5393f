//! Played pairs as messages, and back.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::{Duration, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::wire::WireError;
use crate::engines::Fault;
use crate::games::{EndReason, GameResult, Side};
use crate::play::{Details, MoveNote, Pairing, PlayedGame, PlayedPair, Termination};

/// A move: its text, that of game collections if it differs, score, depth, nodes, nanoseconds used and left, and
/// what else is known.
type WireMove = (
    String,
    Option<String>,
    Option<i32>,
    u32,
    u64,
    Option<u64>,
    Option<u64>,
    Option<Details>,
);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WireGame {
    /// Nanoseconds since 1970.
    began: Option<u64>,
    opening: String,
    first_mover: Side,
    first_number: u32,
    result: GameResult,
    termination: String,
    nodes: [u64; 2],
    moves: Vec<WireMove>,
}

/// The two games of a pair. Who played follows from its number.
pub type WirePair = [WireGame; 2];

/// How much of a game is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Detail {
    Games,
    /// Results without moves, for tuning.
    Results,
}

pub fn to_wire(pair: &PlayedPair, detail: Detail) -> WirePair {
    pair.games.each_ref().map(|game| {
        let moves = match detail {
            Detail::Games => game.moves.iter().map(move_to_wire).collect(),
            Detail::Results => Vec::new(),
        };
        WireGame {
            began: game.began.map(|began| {
                let since = began.duration_since(UNIX_EPOCH).unwrap_or_default();
                nanoseconds(since)
            }),
            opening: game.opening.clone(),
            first_mover: game.first_mover,
            first_number: game.first_number,
            result: game.result,
            termination: game.termination.name().to_string(),
            nodes: [game.white_nodes, game.black_nodes],
            moves,
        }
    })
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

fn move_to_wire(mv: &MoveNote) -> WireMove {
    let record = (mv.record != mv.text).then(|| mv.record.clone());
    let (time, left) = (mv.time.map(nanoseconds), mv.left.map(nanoseconds));
    (
        mv.text.clone(),
        record,
        mv.score,
        mv.depth,
        mv.nodes,
        time,
        left,
        (mv.details != Details::default()).then(|| mv.details.clone()),
    )
}

/// The pair with this number, of the players that its schedule says.
pub fn from_wire(wire: WirePair, pair: u64, pairing: Pairing) -> Result<PlayedPair, WireError> {
    let [one, two] = wire;
    Ok(PlayedPair {
        pair,
        pairing,
        games: [game_from_wire(one)?, game_from_wire(two)?],
    })
}

fn game_from_wire(wire: WireGame) -> Result<PlayedGame, WireError> {
    check_text(&wire.opening)?;
    let moves = wire.moves.into_iter().map(move_from_wire);
    Ok(PlayedGame {
        began: wire
            .began
            .and_then(|began| UNIX_EPOCH.checked_add(Duration::from_nanos(began))),
        opening: wire.opening,
        first_mover: wire.first_mover,
        first_number: wire.first_number,
        result: wire.result,
        termination: termination(&wire.termination)?,
        moves: moves.collect::<Result<_, _>>()?,
        white_nodes: wire.nodes[0],
        black_nodes: wire.nodes[1],
    })
}

fn move_from_wire(wire: WireMove) -> Result<MoveNote, WireError> {
    let (text, record, score, depth, nodes, time, left, details) = wire;
    let details = details.unwrap_or_default();
    for word in details.pv.split(' ') {
        check_text(word)?;
    }
    let record = record.unwrap_or_else(|| text.clone());
    check_text(&text)?;
    check_text(&record)?;
    Ok(MoveNote {
        text,
        record,
        score,
        depth,
        nodes,
        time: time.map(Duration::from_nanos),
        left: left.map(Duration::from_nanos),
        details,
    })
}

/// Texts go into the files of the run: nothing that could start a line or a tag there.
fn check_text(text: &str) -> Result<(), WireError> {
    let plain = |letter: u8| (b' '..=b'~').contains(&letter) && !b"\"\\{}".contains(&letter);
    match text.len() <= 200 && text.bytes().all(plain) {
        true => Ok(()),
        false => Err(WireError::invalid("a move or position with other letters")),
    }
}

fn termination(name: &str) -> Result<Termination, WireError> {
    let fixed = [
        Termination::MaxPlies,
        Termination::NoProgress,
        Termination::AdjudicatedWin,
        Termination::AdjudicatedDraw,
        Termination::TablebaseWin,
        Termination::TablebaseDraw,
    ];
    let forfeits = Fault::ALL.into_iter().map(Termination::Forfeit);
    let found = fixed
        .into_iter()
        .chain(forfeits)
        .find(|it| it.name() == name);
    match found {
        Some(found) => Ok(found),
        None => end_reason(name).map(Termination::Rules),
    }
}

/// Most reasons for the end of a game that are remembered: more than all games together have.
const MOST_REASONS: usize = 64;

/// Names of reasons are static, and those of games in other crates are not known here.
fn end_reason(name: &str) -> Result<EndReason, WireError> {
    static KNOWN: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let plain = |letter: u8| letter.is_ascii_lowercase() || letter == b'-';
    let wrong = || WireError::invalid("an unknown end of a game");
    if name.is_empty() || name.len() > 40 || !name.bytes().all(plain) {
        return Err(wrong());
    }
    let mut known = KNOWN.lock().map_err(|_| wrong())?;
    if let Some(name) = known.get(name) {
        return Ok(EndReason::new(name));
    }
    if known.len() >= MOST_REASONS {
        return Err(wrong());
    }
    let name: &'static str = Box::leak(name.to_string().into_boxed_str());
    known.insert(name);
    Ok(EndReason::new(name))
}
