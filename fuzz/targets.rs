//! The bodies of the fuzz targets: each takes any bytes and must not panic. Shared by the programs
//! in `fuzz_targets/` and by `tests/engine_room/fuzz_corpus.rs`, which replays the stored corpus.

use sparring::config::load_text;
use sparring::games::Game;
use sparring::games::chess::{Chess, Chess960};
use sparring::games::draughts::{Checkers, Frisian, International, Turkish};
use sparring::record::{CollectionKind, CollectionReader, read_games};

/// Takes any bytes and must not panic.
pub type Target = fn(&[u8]);

/// Every target by the name of its program and of its corpus folder.
#[allow(dead_code)]
pub const TARGETS: [(&str, Target); 6] = [
    ("fen", fen),
    ("moves", moves),
    ("pgn", pgn),
    ("pdn", pdn),
    ("config", config),
    ("games_csv", games_csv),
];

/// A position that is read can be written, and is the same when read again.
fn check_fen<G: Game>(text: &str) {
    if let Ok(position) = G::from_fen(text) {
        let written = position.fen();
        let again = G::from_fen(&written).map(|position| position.fen());
        assert_eq!(again.as_deref(), Ok(written.as_str()), "from {text:?}");
    }
}

pub fn fen(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    check_fen::<Chess>(&text);
    check_fen::<Chess960>(&text);
    check_fen::<Checkers>(&text);
    check_fen::<International>(&text);
    check_fen::<Frisian>(&text);
    check_fen::<Turkish>(&text);
}

/// Plays the words that are moves, from the start.
fn check_moves<G: Game>(text: &str) {
    let mut position = G::start(G::USUAL_START);
    for word in text.split_whitespace() {
        if let Ok(mv) = position.parse_move(word) {
            position.move_text(mv);
            position.record_text(mv);
            position.play(mv);
        }
    }
}

pub fn moves(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    check_moves::<Chess>(&text);
    check_moves::<Checkers>(&text);
    check_moves::<International>(&text);
    check_moves::<Turkish>(&text);
}

fn check_collection(data: &[u8], kind: CollectionKind) {
    // A reader may report an error per game, but must come to an end.
    let most = data.len() + 1;
    let seen = CollectionReader::new(data, kind).take(most + 1).count();
    assert!(seen <= most, "more games than bytes");
}

pub fn pgn(data: &[u8]) {
    check_collection(data, CollectionKind::Pgn);
}

pub fn pdn(data: &[u8]) {
    check_collection(data, CollectionKind::Pdn);
}

pub fn config(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    // Files that a config names are not fuzz input.
    if !text.contains("engine") && !text.contains("source") {
        let _ = load_text(&text, "fuzz.toml", &[]);
    }
}

pub fn games_csv(data: &[u8]) {
    let folder = std::env::temp_dir();
    let path = folder.join(format!("sparring-fuzz-{}.csv", std::process::id()));
    if std::fs::write(&path, data).is_ok() {
        let _ = read_games(&path, |_, _| Ok(()));
        let _ = std::fs::remove_file(&path);
    }
}
