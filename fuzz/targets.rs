//! The bodies of the fuzz targets: each takes any bytes and must not panic. Shared by the programs
//! in `fuzz_targets/` and by `tests/engine_room/fuzz_corpus.rs`, which replays the stored corpus.

use sparring::commands::uci::session;
use sparring::config::{evaluator, load_text, weights_are_proven};
use sparring::engines::{Info, read_line, read_offer};
use sparring::eval::catalog::GameId;
use sparring::games::chess::{Chess, Chess960};
use sparring::games::connect_four::ConnectFour;
use sparring::games::draughts::{Checkers, Frisian, International, Turkish};
use sparring::games::othello::Othello;
use sparring::games::prelude::*;
use sparring::record::{
    CollectionKind, CollectionReader, Identity, Journal, Manifest, RunLock, TimeColumns, read_games,
};

/// Takes any bytes and must not panic.
pub type Target = fn(&[u8]);

/// Every target by the name of its program and of its corpus folder.
#[allow(dead_code)]
pub const TARGETS: [(&str, Target); 12] = [
    ("fen", fen),
    ("moves", moves),
    ("pgn", pgn),
    ("pdn", pdn),
    ("config", config),
    ("games_csv", games_csv),
    ("san", san),
    ("weights", weights),
    ("journal", journal),
    ("manifest", manifest),
    ("engine_lines", engine_lines),
    ("gui_commands", gui_commands),
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
    check_fen::<Othello>(&text);
    check_fen::<ConnectFour>(&text);
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
    check_moves::<Othello>(&text);
    check_moves::<ConnectFour>(&text);
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

/// A folder of this process for targets that read files, empty.
fn scratch(target: &str) -> std::path::PathBuf {
    let folder =
        std::env::temp_dir().join(format!("sparring-fuzz-{target}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for scratch files");
    folder
}

pub fn games_csv(data: &[u8]) {
    let folder = scratch("games");
    let path = folder.join("games.csv");
    if std::fs::write(&path, data).is_ok() {
        let _ = read_games(&path, |_, _| Ok(()));
    }
    let _ = std::fs::remove_dir_all(folder);
}

/// A FEN on the first line, then moves in any notation. A move that is read can be written, and the
/// text means the same move again.
pub fn san(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (fen, moves) = text.split_once('\n').unwrap_or(("", &text));
    let mut position =
        Chess960::from_fen(fen).unwrap_or_else(|_| Chess960::start(Chess960::USUAL_START));
    for word in moves.split_whitespace() {
        let Ok(mv) = position.parse_move(word) else {
            continue;
        };
        for written in [position.record_text(mv), position.move_text(mv)] {
            let again = position
                .parse_move(&written)
                .map(|mv| position.move_text(mv));
            assert_eq!(again, Ok(position.move_text(mv)), "{written} from {word:?}");
        }
        position.play(mv);
    }
}

/// A weights file, as a config names one.
pub fn weights(data: &[u8]) {
    let folder = scratch("weights");
    let path = folder.join("weights.toml");
    if std::fs::write(&path, data).is_ok() {
        let name = path.to_string_lossy();
        let _ = evaluator(GameId::Chess, &name, None);
        let _ = evaluator(GameId::International, "draughts", Some(&path));
        let _ = weights_are_proven(&path);
    }
    let _ = std::fs::remove_dir_all(folder);
}

const CONFIG: &str = "game = \"checkers\"\n[[player]]\nname = \"a\"\nevaluator = \"basic\"\n\
                      [[player]]\nname = \"b\"\nevaluator = \"basic\"\n";

/// A journal left by a killed run: `games.csv`, and behind a zero byte `checksums.csv`. Resuming it once
/// and again keeps the same pairs and bytes.
pub fn journal(data: &[u8]) {
    let folder = scratch("journal");
    let path = folder.join("games.csv");
    let mut parts = data.splitn(2, |byte| *byte == 0);
    let (games, checksums) = (parts.next().unwrap_or(&[]), parts.next());
    let loaded = load_text(CONFIG, "fuzz.toml", &[]).expect("a sound config");
    let identity = Identity::new(&loaded.resolved, &loaded.manifest);
    loaded.manifest.write(&folder).expect("a manifest");
    std::fs::write(folder.join("config.toml"), &loaded.resolved).expect("a config");
    std::fs::write(&path, games).expect("a journal");
    if let Some(checksums) = checksums {
        std::fs::write(folder.join("checksums.csv"), checksums).expect("checksums");
        std::fs::write(folder.join(".lock"), "synced 0.\n").expect("a lock");
    }
    let resume = || {
        let opened = RunLock::take(&folder)
            .and_then(|lock| Journal::open(lock, &identity, &[], TimeColumns::Absent, |_| Ok(())));
        opened.map(|(_, resumed)| resumed.pairs)
    };
    if let Ok(pairs) = resume() {
        let kept = std::fs::read(&path).expect("the journal");
        assert_eq!(resume().ok(), Some(pairs), "resuming twice");
        assert!(
            std::fs::read(&path).expect("the journal") == kept,
            "resuming twice"
        );
    }
    let _ = std::fs::remove_dir_all(folder);
}

/// The manifest of a run. What is read can be written, and is the same when read again.
pub fn manifest(data: &[u8]) {
    let folder = scratch("manifest");
    std::fs::write(folder.join("manifest.json"), data).expect("a manifest");
    if let Ok(read) = Manifest::read(&folder) {
        read.write(&folder).expect("a manifest");
        assert_eq!(Manifest::read(&folder).ok(), Some(read));
    }
    let _ = std::fs::remove_dir_all(folder);
}

/// What an engine prints: options, then what it says of its search.
pub fn engine_lines(data: &[u8]) {
    let mut input = data;
    let mut line = Vec::new();
    let mut info = Info::default();
    while read_line(&mut input, &mut line, 1 << 12).unwrap_or(false) {
        let text = String::from_utf8_lossy(&line);
        info.read(&text);
        if let Some(offer) = read_offer(&text) {
            let _ = offer.objection(&offer.default);
            let _ = offer.objection("1");
        }
    }
}

/// What a GUI sends.
pub fn gui_commands(data: &[u8]) {
    // These ask for work without an end; the input is about words, not about time.
    let slow = |line: &[u8]| {
        let text = String::from_utf8_lossy(line).to_lowercase();
        text.contains("bench") || text.contains("hash") || text.contains("table")
    };
    let lines: Vec<&[u8]> = data
        .split(|byte| *byte == b'\n')
        .filter(|line| !slow(line))
        .collect();
    let _ = session(&mut &lines.join(&b'\n')[..]);
}
