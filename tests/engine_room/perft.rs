//! Leaf counts of the move tree against published tables, one file per table in `tests/perft/`.
//!
//! A row is `game | moves or routes | position | depth | leaves`; the first line of a file names
//! its source. Small rows always run, the others on request:
//! `cargo test --release --test engine_room perft:: -- --ignored`.

use sparring::eval::Evaluated;
use sparring::eval::catalog::GameId;
use sparring::games::perft;
use std::fs;
use std::path::Path;

/// Rows with more leaves than this are for the long test.
const EVERY_DAY: u64 = 3_100_000;

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

fn leaves<G: Evaluated>(row: &Row) -> u64 {
    let position = match row.position.as_str() {
        "start" => G::start(G::USUAL_START),
        fen => G::from_fen(fen).unwrap_or_else(|error| panic!("{}: {error}", row.place)),
    };
    match row.counting.as_str() {
        "moves" => perft(&position, row.depth),
        "routes" => position.perft_routes(row.depth),
        other => panic!("{}: cannot count `{other}`", row.place),
    }
}

fn count(row: &Row) -> u64 {
    let game = GameId::from_name(&row.game);
    let game = game.unwrap_or_else(|| panic!("{}: no game `{}`", row.place, row.game));
    sparring::with_game!(game, G => leaves::<G>(row))
}

fn check(rows: impl Iterator<Item = Row>) {
    let mut checked = 0;
    for row in rows {
        let leaves = count(&row);
        println!(
            "{} {} {} depth {}: {leaves}",
            row.place, row.game, row.counting, row.depth
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
