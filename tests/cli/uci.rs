//! `sparring uci` as a GUI sees it. Every answer is waited for by its words, never by time.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::common::{complaint, stdout};
use sparring::games::chess::Chess;
use sparring::games::prelude::*;

/// Mate in one by the rook; the search is over at once.
const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";

struct Gui {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Gui {
    fn start(args: &[&str]) -> Gui {
        let mut child = Command::new(env!("CARGO_BIN_EXE_sparring"))
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .arg("uci")
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        Gui {
            child,
            input,
            output,
        }
    }

    fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).expect("the engine listens");
    }

    /// All lines up to the first that starts with `start`, that one included.
    fn until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            let read = self.output.read_line(&mut line).expect("lines of text");
            assert!(read > 0, "the engine ended before `{start}`: {lines:?}");
            lines.push(line.trim_end().to_string());
            if line.starts_with(start) {
                return lines;
            }
        }
    }

    /// The move of the next answer.
    fn best(&mut self) -> String {
        let lines = self.until("bestmove");
        let mut words = lines.last().unwrap().split_whitespace();
        let best = words.nth(1).unwrap().to_string();
        // What was message last must be about the move that is played.
        let message = lines.iter().rev().find_map(|line| line.split_once(" pv "));
        if let Some((_, line)) = message {
            assert_eq!(line.split(' ').next(), Some(best.as_str()), "{lines:?}");
        }
        best
    }

    /// What is left in the pipe after the input is closed and the program has ended well.
    fn end(mut self) -> String {
        self.input = None;
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).unwrap();
        assert!(self.child.wait().unwrap().success());
        rest
    }
}

#[test]
fn the_handshake_lists_options_and_the_engine_quits() {
    let mut gui = Gui::start(&[]);
    gui.send("uci");
    let lines = gui.until("uciok");
    assert!(lines[0].starts_with("id name Sparring"), "{lines:?}");
    for option in ["Evaluator", "Profile", "Hash", "UCI_Chess960", "Ponder"] {
        let start = format!("option name {option} type ");
        assert!(
            lines.iter().any(|line| line.starts_with(&start)),
            "{option}"
        );
    }
    assert!(!lines.iter().any(|line| line.contains("weights.")));
    gui.send("isready");
    gui.until("readyok");
    gui.send("quit");
    assert_eq!(gui.end(), "");
}

#[test]
fn every_limit_ends_with_a_legal_move() {
    let mut gui = Gui::start(&[]);
    let mut position = Chess::start(0);
    let mut moves = String::new();
    for go in [
        "depth 3",
        "nodes 500",
        "movetime 5",
        "wtime 100 btime 100 winc 1 binc 1",
        "wtime 0 btime 0",
        "wtime 1000 btime 1000 movestogo 1",
        "depth 2 nodes 100 movetime 1000",
    ] {
        gui.send(&format!("position startpos moves{moves}"));
        gui.send(&format!("go {go}"));
        let best = gui.best();
        let mv = position.parse_move(&best).expect("a legal move");
        position.play(mv);
        moves.push_str(&format!(" {best}"));
    }
    gui.end();
}

#[test]
fn the_engine_plays_what_the_same_player_plays_in_process() {
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    let found = stdout(&[
        "search",
        "--evaluator",
        "classical",
        "--depth",
        "127",
        "--nodes",
        "5000",
        "--set",
        "search.profile=strong",
        fen,
    ]);
    let expected = found.lines().last().unwrap().split(' ').nth(1).unwrap();
    let mut gui = Gui::start(&[]);
    gui.send(&format!("position fen {fen}"));
    gui.send("go nodes 5000");
    assert_eq!(gui.best(), expected);
    gui.end();
}

#[test]
fn an_infinite_search_answers_isready_and_waits_for_stop() {
    let mut gui = Gui::start(&[]);
    // One search without an end, one that has already found everything.
    for fen in [MATE_IN_ONE, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"] {
        gui.send(&format!("position fen {fen}"));
        gui.send("go infinite");
        gui.until("info depth 1 ");
        gui.send("isready");
        let before = gui.until("readyok");
        assert!(!before.iter().any(|line| line.starts_with("bestmove")));
        gui.send("stop");
        gui.until("bestmove");
    }
    gui.end();
}

#[test]
fn pondering_ends_by_its_clock_only_after_ponderhit() {
    let mut gui = Gui::start(&[]);
    gui.send("position startpos");
    gui.send("go ponder wtime 50 btime 50");
    gui.until("info depth 6 ");
    gui.send("isready");
    let before = gui.until("readyok");
    assert!(!before.iter().any(|line| line.starts_with("bestmove")));
    gui.send("ponderhit");
    gui.until("bestmove");
    gui.send("go ponder wtime 50 btime 50");
    gui.until("info depth 1 ");
    gui.send("stop");
    gui.until("bestmove");
    gui.end();
}

#[test]
fn mates_and_chosen_root_moves_are_searched_as_asked() {
    let mut gui = Gui::start(&[]);
    gui.send(&format!("position fen {MATE_IN_ONE}"));
    gui.send("go mate 1");
    let lines = gui.until("bestmove");
    assert!(
        lines.iter().any(|line| line.contains("score mate 1 ")),
        "{lines:?}"
    );
    assert!(lines.last().unwrap().starts_with("bestmove a1a8"));
    gui.send("go depth 4 searchmoves g1f1 h9h9");
    assert_eq!(gui.best(), "g1f1");
    // All moves again afterwards.
    gui.send("go depth 4");
    assert_eq!(gui.best(), "a1a8");
    gui.send("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    gui.send("go depth 3");
    assert_eq!(gui.best(), "(none)");
    gui.end();
}

#[test]
fn castling_is_written_as_the_gui_asks() {
    let fen = "4k3/8/8/8/8/8/5PPP/4K2R w K - 0 1";
    let mut gui = Gui::start(&[]);
    for (frc, castling) in [(false, "e1g1"), (true, "e1h1"), (false, "e1g1")] {
        gui.send(&format!("setoption name UCI_Chess960 value {frc}"));
        gui.send(&format!("position fen {fen}"));
        gui.send(&format!("go depth 1 searchmoves {castling}"));
        assert_eq!(gui.best(), castling);
    }
    gui.end();
}

#[test]
fn no_line_harms_the_engine() {
    let mut gui = Gui::start(&[]);
    let long = "position startpos moves ".to_string() + &"e2e4 ".repeat(500_000);
    for line in [
        "",
        "   ",
        "xyzzy",
        "position",
        "position fen",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq",
        "position startpos moves e2e5 e7e5",
        "position startpos moves",
        "go depth",
        "stop",
        "stop",
        "ponderhit",
        "setoption",
        "setoption name",
        "setoption name Hash value minus",
        "setoption name Hash value 99999999999999999999",
        "setoption name No Such Thing value 1",
        "setoption name Evaluator value missing",
        "setoption name Profile value missing",
        "setoption name UCI_Chess960 value maybe",
        "bench 0",
        "bench many",
        "go depth 999999999999 nodes -3 movetime 1 searchmoves zzzz",
        "debug on",
        "register later",
        "d",
        "eval",
        &long,
    ] {
        gui.send(line);
    }
    gui.send_bytes(b"\xff\xfe\x00\x01go\n\n\r\n");
    gui.send_bytes("position startpos moves \u{1F600}\n".as_bytes());
    gui.send("stop");
    gui.send("ucinewgame");
    gui.send("position startpos");
    gui.send("isready");
    let lines = gui.until("readyok");
    assert!(
        lines
            .iter()
            .any(|line| line.contains("unknown command `xyzzy`"))
    );
    assert!(
        lines
            .iter()
            .any(|line| line.contains("unknown evaluator `missing`"))
    );
    gui.send("go depth 2");
    let best = gui.best();
    assert!(Chess::start(0).parse_move(&best).is_ok());
    gui.end();
}

#[test]
fn a_new_search_ends_the_one_before_and_both_are_answered() {
    let mut gui = Gui::start(&[]);
    gui.send("go infinite");
    gui.send("go infinite");
    gui.send("go depth 1");
    for _ in 0..3 {
        gui.until("bestmove");
    }
    gui.end();
}

#[test]
fn the_end_of_the_input_ends_a_search_without_end() {
    let mut gui = Gui::start(&[]);
    gui.send("go infinite");
    gui.until("info depth 1 ");
    gui.end();
}

#[test]
fn weights_and_search_options_can_be_set_by_others() {
    let mut gui = Gui::start(&["--tunable", "--evaluator", "material"]);
    gui.send("uci");
    let lines = gui.until("uciok");
    let has = |start: &str| lines.iter().any(|line| line.starts_with(start));
    assert!(
        has("option name weights.pawn type spin default 100 "),
        "{lines:?}"
    );
    assert!(has("option name search.contempt type spin default 0 "));
    assert!(has("option name search.quiescence type combo "));
    gui.send("position fen 4k3/8/8/8/8/8/P7/4K3 w - - 0 1");
    gui.send("eval");
    assert_eq!(gui.until("score").last().unwrap(), "score 100");
    gui.send("setoption name weights.pawn value 250");
    gui.send("eval");
    assert_eq!(gui.until("score").last().unwrap(), "score 250");
    gui.end();
    // Lists and two-phase weights come as text in the words of a config, and go back the same.
    let mut gui = Gui::start(&["--tunable"]);
    gui.send("uci");
    let lines = gui.until("uciok");
    let text = lines
        .iter()
        .find_map(|line| {
            line.strip_prefix("option name weights.")?
                .split_once(" type string default ")
        })
        .map(|(name, value)| (name.to_string(), value.to_string()))
        .expect("a weight with several numbers");
    gui.send(&format!(
        "setoption name weights.{} value {}",
        text.0, text.1
    ));
    gui.send("isready");
    let message = gui.until("readyok");
    assert_eq!(message, ["readyok"]);
    gui.end();
}

#[test]
fn bench_counts_the_same_nodes_every_time() {
    let count = || {
        let mut gui = Gui::start(&[]);
        gui.send("bench 3");
        let mut line = String::new();
        gui.output.read_line(&mut line).unwrap();
        gui.end();
        line.split(' ').next().unwrap().parse::<u64>().unwrap()
    };
    let first = count();
    assert!(first > 100);
    assert_eq!(first, count());
}

#[test]
fn a_player_of_a_config_brings_its_own_limit() {
    let mut gui = Gui::start(&["--config", "configs/quickstart.toml", "--player", "random"]);
    gui.send("uci");
    assert!(gui.until("uciok")[0].ends_with(" random"));
    // Without its own limit this would never end.
    gui.send("go");
    gui.until("bestmove");
    gui.end();
    let config = ["uci", "--config", "configs/quickstart.toml"];
    assert!(complaint(&config).contains("--player"));
    let misspelt = [&config[..], &["--player", "randon"]].concat();
    assert!(complaint(&misspelt).contains("did you mean `random`?"));
    assert!(
        complaint(&["uci", "--game", "international", "--evaluator", "material"]).contains("UCI")
    );
}
