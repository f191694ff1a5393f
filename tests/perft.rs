//! Leaf counts of the move tree against published tables, one file per table in `tests/perft/`.
//!
//! A row is `game | moves or routes | position | depth | leaves`; the first line of a file names
//! its source. Rows small enough for every day run always, the others when asked for:
//! `cargo test --release --test perft -- --ignored`.

use sparring::games::chess::{Chess, Chess960};
use sparring::games::draughts::rules::Rules;
use sparring::games::draughts::{self, Draughts, perft_routes};
use sparring::games::{Game, perft};
use std::fs;
use std::path::Path;
use std::time::Instant;

/// Rows with more leaves than this are for the long test.
const EVERY_DAY: u64 = 3_000_000;

struct Row {
    place: String,
    game: String,
    counting: String,
    position: String,
    depth: u32,
    leaves: u64,
}

fn rows() -> Vec<Row> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/perft");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let mut rows = Vec::new();
    for file in files
        .iter()
        .filter(|file| file.extension().is_some_and(|end| end == "txt"))
    {
        let name = file.file_name().unwrap().to_string_lossy();
        let text = fs::read_to_string(file).unwrap();
        assert!(
            text.starts_with("# source: "),
            "{name}: the first line must name the source"
        );
        for (number, line) in text.lines().enumerate() {
            if line.starts_with('#') || line.trim().is_empty() {
                continue;
            }
            let place = format!("{name}:{}", number + 1);
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let [game, counting, position, depth, leaves] = cells[..] else {
                panic!("{place}: expected five cells");
            };
            rows.push(Row {
                game: game.to_string(),
                counting: counting.to_string(),
                position: position.to_string(),
                depth: depth.parse().unwrap(),
                leaves: leaves.parse().unwrap(),
                place,
            });
        }
    }
    rows
}

fn set_up<G: Game>(row: &Row) -> G {
    match row.position.as_str() {
        "start" => G::start(0),
        fen => G::from_fen(fen).unwrap_or_else(|error| panic!("{}: {error}", row.place)),
    }
}

fn count_draughts<R: Rules>(row: &Row) -> u64 {
    let position: Draughts<R> = set_up(row);
    match row.counting.as_str() {
        "moves" => perft(&position, row.depth),
        "routes" => perft_routes(&position, row.depth),
        other => panic!("{}: cannot count `{other}`", row.place),
    }
}

fn count(row: &Row) -> u64 {
    use draughts::rules;
    match row.game.as_str() {
        "chess" => perft(&set_up::<Chess>(row), row.depth),
        "chess960" => perft(&set_up::<Chess960>(row), row.depth),
        "checkers" => count_draughts::<rules::Checkers>(row),
        "english" => count_draughts::<rules::English>(row),
        "russian" => count_draughts::<rules::Russian>(row),
        "brazilian" => count_draughts::<rules::Brazilian>(row),
        "pool" => count_draughts::<rules::Pool>(row),
        "italian" => count_draughts::<rules::Italian>(row),
        "spanish" => count_draughts::<rules::Spanish>(row),
        "czech" => count_draughts::<rules::Czech>(row),
        "international" => count_draughts::<rules::International>(row),
        "frisian" => count_draughts::<rules::Frisian>(row),
        "turkish" => count_draughts::<rules::Turkish>(row),
        other => panic!("{}: no game `{other}`", row.place),
    }
}

fn check(rows: impl Iterator<Item = Row>) {
    let mut checked = 0;
    for row in rows {
        let begin = Instant::now();
        let leaves = count(&row);
        println!(
            "{} {} {} depth {}: {leaves} in {:.2?}",
            row.place,
            row.game,
            row.counting,
            row.depth,
            begin.elapsed()
        );
        assert_eq!(
            leaves, row.leaves,
            "{}: {} depth {}",
            row.place, row.game, row.depth
        );
        checked += 1;
    }
    assert!(checked > 0, "no rows to check");
}

#[test]
fn leaf_counts_agree_with_the_tables() {
    check(rows().into_iter().filter(|row| row.leaves <= EVERY_DAY));
}

#[test]
#[ignore = "minutes: the deep rows"]
fn deep_leaf_counts_agree_with_the_tables() {
    check(rows().into_iter().filter(|row| row.leaves > EVERY_DAY));
}
