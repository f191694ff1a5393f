//! Openings: windows and order of a file, warnings with advice, and generated suites.

use std::collections::HashSet;
use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;

use crate::common::{complaint, output, stdout};
use sparring::config::load_text;
use sparring::play::Openings;
use tempfile::tempdir;

const PLAYERS: &str = "[[player]]\nname = \"a\"\nevaluator = \"random\"\n\
                       [[player]]\nname = \"b\"\nevaluator = \"random\"\n";

/// Any number of positions: kings, and a pawn on one of many squares.
fn book(lines: usize) -> String {
    let position = |index: usize| {
        let (file, rank) = (index % 8, index / 8 % 5);
        let row = |pawn: Option<usize>| match pawn {
            None => "8".to_string(),
            Some(file) => format!("{file}P{}", 7 - file).replace('0', ""),
        };
        let rows: Vec<String> = (0..5).map(|at| row((at == rank).then_some(file))).collect();
        format!("k7/8/{}/7K w - -", rows.join("/"))
    };
    let lines: Vec<String> = (0..lines).map(position).collect();
    lines.join("\n") + "\n"
}

struct Read {
    fens: Vec<String>,
    warnings: Vec<String>,
}

fn read(text: &str, keys: &str, pairs: u64) -> Result<Read, String> {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("book.epd"), text).unwrap();
    let config = format!(
        "game = \"chess\"\nseed = 4\n[match]\npairs = {pairs}\n[openings]\nsource = \"book.epd\"\n{keys}\n{PLAYERS}"
    );
    let path = folder.path().join("experiment.toml");
    let cleaned = |text: String| text.replace(&format!("{}/", folder.path().display()), "");
    match load_text(&config, &path.to_string_lossy(), &[]) {
        Err(error) => Err(cleaned(error.to_string())),
        Ok(loaded) => match loaded.experiment.openings {
            Openings::Listed { fens } => Ok(Read {
                fens,
                warnings: loaded.warnings.into_iter().map(cleaned).collect(),
            }),
            other => panic!("{other:?}"),
        },
    }
}

fn fens(text: &str, keys: &str, pairs: u64) -> Vec<String> {
    read(text, keys, pairs).unwrap().fens
}

#[test]
fn a_window_of_a_file_is_read_in_order_or_shuffled() {
    let text = book(30);
    let all = fens(&text, "", 30);
    assert_eq!(all.len(), 30);
    assert_eq!(fens(&text, "skip = 4\ncount = 5", 30), all[4..9]);
    assert_eq!(fens(&text, "skip = 4", 5), all[4..9]);
    let shuffled = fens(&text, "order = \"shuffled\"", 30);
    assert_ne!(shuffled, all);
    let sorted = |list: &[String]| {
        let mut list = list.to_vec();
        list.sort();
        list
    };
    assert_eq!(sorted(&shuffled), sorted(&all));
    // Fewer pairs use the first openings of the same order.
    assert_eq!(fens(&text, "order = \"shuffled\"", 6), shuffled[..6]);
    let window = fens(&text, "order = \"shuffled\"\nskip = 4\ncount = 5", 30);
    assert_eq!(sorted(&window), sorted(&all[4..9]));
}

#[test]
fn what_lies_behind_the_window_is_not_read() {
    let text = book(5) + "this is no position\n";
    assert_eq!(fens(&text, "", 5).len(), 5);
    assert_eq!(fens(&text, "count = 5", 50).len(), 5);
    let message = read(&text, "", 6).err().unwrap();
    assert!(message.starts_with("book.epd:6: "), "{message}");
    let message = read(&text, "skip = 70", 6).err().unwrap();
    assert_eq!(message, "book.epd: contains 6 openings, but skip = 70");
}

#[test]
fn doubles_and_too_few_openings_are_warned_of_with_advice() {
    let text = format!("# two doubles\n{}{}", book(6), book(2));
    let found = read(&text, "", 8).unwrap();
    assert_eq!(
        found.warnings,
        [
            "book.epd: 2 of 8 openings are doubles, such as lines 2 and 8: pairs from the same \
             position repeat each other; remove the doubles"
        ]
    );
    let found = read(&book(6), "", 9).unwrap();
    assert_eq!(
        found.warnings,
        [
            "6 openings for 9 pairs of two players: their games will repeat; add openings, play \
             fewer pairs or use random ones"
        ]
    );
    assert!(read(&book(6), "", 6).unwrap().warnings.is_empty());
}

#[test]
fn keys_that_choose_from_a_file_are_noticed_without_one() {
    let config = format!("game = \"chess\"\n[openings]\nskip = 3\n{PLAYERS}");
    let loaded = load_text(&config, "x.toml", &[]).unwrap();
    assert_eq!(
        loaded.warnings,
        ["order, skip and count choose from a file of openings, but source = \"random\""]
    );
    let config = format!("game = \"chess\"\n[openings]\norder = \"suffled\"\n{PLAYERS}");
    let error = load_text(&config, "x.toml", &[]).unwrap_err().to_string();
    assert_eq!(
        error,
        "x.toml:3: unknown order `suffled`; did you mean `shuffled`?"
    );
}

/// The command that made a suite, as arguments.
fn command_of(suite: &str) -> Vec<String> {
    let first = suite.lines().next().unwrap();
    let at = first
        .find("sparring openings")
        .expect("the command stands in the first line");
    let command = first[at..].trim_end_matches("\";");
    command.split(' ').skip(1).map(str::to_string).collect()
}

fn made(args: &[&str]) -> String {
    let mut all = vec!["openings", "--quiet"];
    all.extend(args);
    stdout(&all)
}

#[test]
fn a_suite_is_the_same_on_any_number_of_threads_and_by_its_own_command() {
    for game in ["chess", "russian"] {
        let ask = [
            "--game", game, "--count", "12", "--depth", "3", "--seed", "5",
        ];
        let one = made(&[&ask[..], &["--threads", "1"]].concat());
        assert_eq!(one, made(&[&ask[..], &["--threads", "3"]].concat()));
        let mut again = command_of(&one);
        again.push("--quiet".to_string());
        let again: Vec<&str> = again.iter().map(String::as_str).collect();
        assert_eq!(one, stdout(&again));
        assert_ne!(
            one,
            made(&[
                "--game", game, "--count", "12", "--depth", "3", "--seed", "6"
            ])
        );
        let positions: HashSet<&str> = one.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(positions.len(), 12);
    }
}

#[test]
fn a_kept_opening_is_within_the_bound() {
    let suite = made(&[
        "--game", "english", "--plies", "3", "--all", "--depth", "5", "--bound", "20",
    ]);
    let fens: Vec<&str> = suite.lines().skip(1).collect();
    let all = made(&[
        "--game", "english", "--plies", "3", "--all", "--depth", "1", "--bound", "100000",
    ]);
    let all: HashSet<&str> = all.lines().skip(1).collect();
    assert!(fens.iter().all(|fen| all.contains(fen)));
    assert!(
        (20..all.len()).contains(&fens.len()),
        "{} of {} openings",
        fens.len(),
        all.len()
    );
    for fen in fens.iter().take(5) {
        let text = stdout(&[
            "search",
            "--game",
            "english",
            "--evaluator",
            "draughts",
            "--depth",
            "5",
            "--set",
            "search.profile=strong",
            fen,
        ]);
        let score: f64 = text
            .split("bestmove")
            .nth(1)
            .unwrap()
            .split(' ')
            .nth(3)
            .unwrap()
            .parse()
            .unwrap();
        assert!(score.abs() < 20.0, "{fen}: {score}");
    }
}

#[test]
fn an_impossible_suite_is_an_error() {
    let message = complaint(&["openings", "--bound", "0"]);
    assert!(
        message.contains("--bound 0: expected more than 0"),
        "{message}"
    );
    let message = complaint(&["openings", "--out", "suite.pgn"]);
    assert!(message.contains("are read from .epd"), "{message}");
    let message = complaint(&[
        "openings",
        "--plies",
        "1",
        "--all",
        "--depth",
        "1",
        "--bound",
        "0.01",
        "--evaluator",
        "random",
    ]);
    assert!(
        message.contains("raise --bound or change --plies"),
        "{message}"
    );
    // One move: there are only twenty.
    let few = output(&[
        "openings", "--plies", "1", "--count", "50", "--depth", "1", "--bound", "500",
    ]);
    assert!(few.status.success());
    let message = String::from_utf8_lossy(&few.stderr).into_owned();
    assert!(
        message.contains("warning: 20 openings instead of 50"),
        "{message}"
    );
}

#[test]
fn the_shipped_suites_are_read_without_a_warning() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/openings");
    let mut seen = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let extension = path.extension().and_then(|extension| extension.to_str());
        if !matches!(extension, Some("epd" | "fen")) {
            continue;
        }
        let suite = crate::common::text(&path);
        let command = command_of(&suite);
        let game = command.iter().position(|word| word == "--game").unwrap();
        let count = suite.lines().filter(|line| !line.starts_with('#')).count();
        assert!(count >= 50, "{}: {count} openings", path.display());
        let config = format!(
            "game = \"{}\"\n[match]\npairs = {count}\n[openings]\nsource = \"{}\"\n{PLAYERS}",
            command[game + 1],
            path.display()
        );
        let loaded = load_text(&config, "x.toml", &[]).unwrap();
        assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
        seen += 1;
    }
    assert!(seen >= 6, "only {seen} suites");
}

#[test]
fn a_shipped_suite_is_made_again_by_the_command_in_its_first_line() {
    // Judged by an evaluator and a search that are kept as they are.
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/openings/checkers.fen");
    let suite = crate::common::text(&suite);
    let mut command = command_of(&suite);
    command.push("--quiet".to_string());
    let command: Vec<&str> = command.iter().map(String::as_str).collect();
    assert!(suite == stdout(&command), "{command:?} makes another suite");
}

/// The FENs of a file of openings with this name and these bytes.
fn fens_of(name: &str, bytes: &[u8]) -> Result<Vec<String>, String> {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join(name), bytes).unwrap();
    let config = format!(
        "game = \"chess\"\n[match]\npairs = 30\n[openings]\nsource = \"{name}\"\n{PLAYERS}"
    );
    let path = folder.path().join("experiment.toml");
    let loaded = load_text(&config, &path.to_string_lossy(), &[]);
    let loaded = loaded.map_err(|error| error.to_string())?;
    match loaded.experiment.openings {
        Openings::Listed { fens } => Ok(fens),
        other => panic!("{other:?}"),
    }
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    writer.write_all(bytes).unwrap();
    writer.finish().unwrap()
}

fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        let options = zip::write::SimpleFileOptions::default();
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn compressed_openings_are_those_of_the_plain_file() {
    let text = book(30);
    let plain = fens_of("book.epd", text.as_bytes()).unwrap();
    assert_eq!(plain.len(), 30);
    let zst = |bytes: &[u8]| {
        ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
    };
    // Two members or frames, as parallel compressors write them.
    let (one, two) = text.as_bytes().split_at(text.len() / 2);
    let readme: (&str, &[u8]) = ("README.txt", b"about this book");
    for (name, bytes) in [
        ("book.epd.gz", gzipped(text.as_bytes())),
        ("book.epd.gz", [gzipped(one), gzipped(two)].concat()),
        ("book.epd.zst", zst(text.as_bytes())),
        ("book.epd.zst", [zst(one), zst(two)].concat()),
        (
            "book.zip",
            zipped(&[readme, ("folder/book.epd", text.as_bytes())]),
        ),
        ("BOOK.EPD.ZIP", zipped(&[("BOOK.EPD", text.as_bytes())])),
    ] {
        assert_eq!(fens_of(name, &bytes).as_ref(), Ok(&plain), "{name}");
    }
}

#[test]
fn damaged_and_ambiguous_archives_are_refused_by_name() {
    let text = book(30);
    let refused = |name: &str, bytes: &[u8]| {
        let said = fens_of(name, bytes).unwrap_err();
        assert!(said.contains(name), "{said}");
        said
    };
    let whole = gzipped(text.as_bytes());
    refused("book.epd.gz", &whole[..whole.len() / 2]);
    refused("book.epd.gz", text.as_bytes());
    refused("book.epd.zst", text.as_bytes());
    refused("book.epd.zst", b"");
    refused("book.zip", &[7; 100]);
    let two = zipped(&[("a.epd", text.as_bytes()), ("b.pgn", b"*")]);
    assert!(refused("book.zip", &two).contains("found 2"));
    assert!(refused("book.zip", &zipped(&[("a.txt", b"x")])).contains("found 0"));
    let said = fens_of("book.txt.gz", &gzipped(b"x")).unwrap_err();
    assert!(said.contains("expected random, start, or a file"), "{said}");
}

#[test]
fn a_run_from_a_polyglot_book_is_the_same_on_any_number_of_threads_and_from_its_copy() {
    let folder = tempdir().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/books/polyglot.bin");
    let config = |book: &str| {
        format!(
            "game = \"chess\"\n[match]\npairs = 12\nmax_plies = 4\n[openings]\nsource = \"{}\"\nplies = 6\nbook = \"{book}\"\n{PLAYERS}",
            source.display()
        )
    };
    let play = |config: &Path, out: &str, threads: &str| {
        let out = folder.path().join(out);
        let out_text = out.display().to_string();
        let config = config.display().to_string();
        stdout(&[
            "run",
            &config,
            "--out",
            &out_text,
            "--threads",
            threads,
            "--quiet",
        ]);
        fs::read_to_string(out.join("games.csv")).unwrap()
    };
    let path = folder.path().join("book.toml");
    fs::write(&path, config("weighted")).unwrap();
    let one = play(&path, "one", "1");
    assert_eq!(play(&path, "two", "2"), one);
    assert_eq!(
        play(&folder.path().join("one/config.toml"), "again", "1"),
        one
    );
    // Two moves by hand and different ones by chance: the openings are not all alike.
    let openings: HashSet<&str> = one
        .lines()
        .skip(1)
        .map(|row| row.split(',').nth(4).unwrap())
        .collect();
    assert!(openings.len() > 4, "{openings:?}");
    fs::write(&path, config("uniform")).unwrap();
    assert_ne!(play(&path, "uniform", "1"), one);
    fs::write(&path, config("uniform").replace("\"chess\"", "\"othello\"")).unwrap();
    let refused = complaint(&["run", &path.display().to_string()]);
    assert!(refused.contains("Polyglot books are for"), "{refused}");
    fs::write(&path, config("uniform").replace("plies = 6", "plies = 0")).unwrap();
    let refused = complaint(&["run", &path.display().to_string()]);
    assert!(refused.contains("the number of moves to take"), "{refused}");
}

#[test]
fn an_unbalanced_suite_has_scores_within_the_window_alone() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("book.epd");
    let out = path.display().to_string();
    let window = ["--at-least", "60", "--bound", "200"];
    let args = [
        "openings",
        "--plies",
        "6",
        "--count",
        "20",
        "--depth",
        "2",
        "--evaluator",
        "material",
    ];
    let search = [
        "--set",
        "search.profile=alpha-beta",
        "--quiet",
        "--out",
        &out,
    ];
    stdout(&[&args[..], &window, &search].concat());
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("--at-least 60"), "{text}");
    let mut seen = 0;
    for line in text.lines() {
        let fen: Vec<&str> = line.split_whitespace().take(4).collect();
        let fen = format!("{} 0 1", fen.join(" "));
        let plain = "search.profile=alpha-beta";
        let said = stdout(&[
            "search",
            "--game",
            "chess",
            "--evaluator",
            "material",
            "--depth",
            "2",
            "--set",
            plain,
            &fen,
        ]);
        let words: Vec<&str> = said.split_whitespace().collect();
        let at = words.iter().rposition(|word| *word == "score").unwrap();
        let score: f64 = words[at + 1].parse().unwrap();
        assert!((60.0..200.0).contains(&score.abs()), "{line}: {score}");
        seen += 1;
    }
    assert_eq!(seen, 20);
    let refused = complaint(&["openings", "--at-least", "60"]);
    assert!(refused.contains("less than --bound 50"), "{refused}");
}

/// The openings of each pairing, in order, as `games.csv` has them.
fn openings_by_pairing(folder: &Path) -> Vec<Vec<String>> {
    let mut pairings: Vec<(String, Vec<String>)> = Vec::new();
    let mut table = csv::Reader::from_path(folder.join("games.csv")).unwrap();
    for row in table.records().map(Result::unwrap) {
        // The first game of a pair: its first player has white.
        if row[0].parse::<u64>().unwrap() % 2 == 0 {
            continue;
        }
        let name = format!("{} {}", &row[2], &row[3]);
        let place = pairings.iter().position(|(known, _)| *known == name);
        let place = place.unwrap_or_else(|| {
            pairings.push((name, Vec::new()));
            pairings.len() - 1
        });
        pairings[place].1.push(row[4].to_string());
    }
    pairings.into_iter().map(|(_, openings)| openings).collect()
}

#[test]
fn shared_openings_are_played_by_every_pairing_whether_extended_merged_or_checked() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let third = "[[player]]\nname = \"c\"\nevaluator = \"basic\"\ndepth = 1\n";
    let config = format!(
        "game = \"checkers\"\nseed = 6\n[match]\nformat = \"gauntlet\"\npairs = 6\n[openings]\nshared = true\n\
         {PLAYERS}{third}"
    );
    fs::write(path("c.toml"), config).unwrap();
    let run = |out: &str, more: &[&str]| {
        let (config, out) = (path("c.toml"), path(out));
        stdout(&[&["run", &config, "--out", &out, "--quiet"], more].concat());
    };
    run("whole", &[]);
    let openings = openings_by_pairing(Path::new(&path("whole")));
    assert_eq!(openings.len(), 2);
    assert_eq!(openings[0], openings[1]);
    let distinct: HashSet<&String> = openings[0].iter().collect();
    assert_eq!(distinct.len(), 6);

    run("longer", &["--pairs", "4", "--threads", "1"]);
    run("longer", &[]);
    for part in ["1/3", "2/3", "3/3"] {
        run(&format!("part-{}", &part[..1]), &["--shard", part]);
    }
    let parts = ["1", "2", "3"].map(|part| path(&format!("part-{part}")));
    let out = path("merged");
    stdout(&["merge", "--out", &out, &parts[0], &parts[1], &parts[2]]);
    let games = |name: &str| fs::read(folder.path().join(name).join("games.csv")).unwrap();
    assert!(games("longer") == games("whole") && games("merged") == games("whole"));
    stdout(&["check", &path("whole")]);

    // Without the key every pair has its own.
    run("own", &["--set", "openings.shared=false"]);
    let own = openings_by_pairing(Path::new(&path("own"))).concat();
    assert_eq!(own.iter().collect::<HashSet<_>>().len(), 12);
}

#[test]
fn shared_openings_of_a_file_and_of_rounds_are_checked_like_others() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("book.epd"), book(9)).unwrap();
    let third = "[[player]]\nname = \"c\"\nevaluator = \"material\"\ndepth = 1\n";
    let config = format!(
        "game = \"chess\"\n[match]\npairs = 3\nrounds = 3\nformat = \"swiss\"\nmax_plies = 30\n[openings]\n\
         source = \"book.epd\"\nshared = true\n{PLAYERS}{third}{}",
        third.replace("\"c\"", "\"d\"")
    );
    fs::write(path("c.toml"), config).unwrap();
    let (config, out) = (path("c.toml"), path("rounds"));
    stdout(&["run", &config, "--out", &out, "--quiet"]);
    // Each round of two meetings has its own three openings.
    let mut rounds: Vec<Vec<String>> = openings_by_pairing(Path::new(&out));
    assert_eq!(rounds.len(), 6);
    rounds.sort();
    rounds.dedup();
    assert_eq!(rounds.len(), 3, "{rounds:?}");
    assert_eq!(rounds.concat().into_iter().collect::<HashSet<_>>().len(), 9);
    stdout(&["check", &out]);
}
