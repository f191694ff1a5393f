//! Endgame tables: against python-chess's answers, and what happens when files are missing or cut.

use std::fs;
use std::path::Path;

use crate::common::{complaint, stdout, text};
use tempfile::tempdir;

const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");

#[test]
fn tables_of_three_men_answer_as_python_chess_does() {
    let golden = text(&Path::new(TABLES).join("three-men.csv"));
    let rows: Vec<(&str, &str)> = golden
        .lines()
        .skip(2)
        .filter_map(|row| row.rsplit_once(','))
        .collect();
    assert_eq!(rows.len(), 400);
    let mut arguments = vec!["tables", TABLES];
    arguments.extend(rows.iter().map(|(fen, _)| *fen));
    let printed = stdout(&arguments);
    for ((fen, wdl), line) in rows.iter().zip(printed.lines()) {
        assert_eq!(line, format!("{wdl} {fen}"));
    }
    assert_eq!(printed.lines().count(), rows.len());
    let more = "8/8/8/4k3/8/3p4/3PK3/8 w - - 0 1";
    assert_eq!(stdout(&["tables", TABLES, more]), format!("? {more}\n"));
}

fn copied() -> tempfile::TempDir {
    let folder = tempdir().unwrap();
    for name in ["KBvK", "KNvK", "KPvK", "KQvK", "KRvK"] {
        let name = format!("{name}.rtbw");
        fs::copy(Path::new(TABLES).join(&name), folder.path().join(&name)).unwrap();
    }
    folder
}

#[test]
fn missing_cut_and_foreign_tables_are_named() {
    let folder = copied();
    let shown = folder.path().to_str().unwrap();
    let table = folder.path().join("KPvK.rtbw");
    let good = fs::read(&table).unwrap();
    for length in 0..good.len() {
        // Every length near the ends, and some between.
        if length > 300 && length % 97 != 0 && length + 100 < good.len() {
            continue;
        }
        fs::write(&table, &good[..length]).unwrap();
        let opened = sparring::play::Tables::open(folder.path(), None);
        let message = opened
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default();
        assert!(
            message.contains("KPvK.rtbw: damaged table"),
            "{length}: {message}"
        );
    }
    fs::write(&table, &good[..1000]).unwrap();
    let said = complaint(&["tables", shown]);
    assert!(
        said.contains("KPvK.rtbw: damaged table: it is truncated"),
        "{said}"
    );
    fs::copy(folder.path().join("KQvK.rtbw"), &table).unwrap();
    let said = complaint(&["tables", shown]);
    assert!(
        said.contains("KPvK.rtbw: damaged table: it is the table of other men"),
        "{said}"
    );
    fs::remove_file(&table).unwrap();
    let said = complaint(&["tables", shown]);
    assert!(said.contains("no KPvK.rtbw"), "{said}");
    let said = complaint(&["tables", &format!("{shown}/none")]);
    assert!(said.contains("cannot be read"), "{said}");
}

#[test]
fn flipped_bits_of_a_table_never_panic() {
    let folder = copied();
    let table = folder.path().join("KPvK.rtbw");
    let good = fs::read(&table).unwrap();
    let chess = sparring::eval::catalog::GameId::from_name("chess").unwrap();
    let golden = text(&Path::new(TABLES).join("three-men.csv"));
    let positions: Vec<_> = golden
        .lines()
        .skip(2)
        .step_by(20)
        .map(|row| {
            chess
                .rules()
                .read_fen(row.rsplit_once(',').unwrap().0)
                .unwrap()
        })
        .collect();
    let mut answers = 0;
    for bit in (0..good.len() * 8).step_by(61) {
        let mut bad = good.clone();
        bad[bit / 8] ^= 1 << (bit % 8);
        fs::write(&table, bad).unwrap();
        let Ok(tables) = sparring::play::Tables::open(folder.path(), None) else {
            continue;
        };
        for position in &positions {
            answers += usize::from(tables.probe(position.as_ref()).is_ok());
        }
    }
    assert!(answers > 0);
}

fn config(folder: &Path, adjudicate: &str) -> String {
    let path = folder.join("run.toml");
    fs::write(
        folder.join("book.epd"),
        "8/8/8/4k3/8/8/R3K3/8 w - -\n8/8/4k3/8/8/3K4/4P2r/8 w - -\n",
    )
    .unwrap();
    let config = format!(
        "game = \"chess\"\n[match]\npairs = 2\n[openings]\nsource = \"book.epd\"\n[adjudicate]\n{adjudicate}\n\
         [[player]]\nname = \"a\"\nevaluator = \"material\"\ndepth = 2\n\
         [[player]]\nname = \"b\"\nevaluator = \"material\"\ndepth = 1\n"
    );
    fs::write(&path, config).unwrap();
    path.to_str().unwrap().to_string()
}

#[test]
fn games_end_by_tables_and_a_check_of_the_run_confirms_it() {
    let folder = tempdir().unwrap();
    let path = config(folder.path(), &format!("syzygy = \"{TABLES}\""));
    let out = folder.path().join("out");
    let out = out.to_str().unwrap();
    stdout(&["run", &path, "--out", out]);
    let games = text(&folder.path().join("out/games.csv"));
    // The rook's ending is won before the first move; the other one is when its last pawn falls.
    assert_eq!(games.matches(",1-0,tablebase-win,0,").count(), 2, "{games}");
    let pgn = text(&folder.path().join("out/games.pgn"));
    assert!(pgn.contains("[Termination \"adjudication\"]"), "{pgn}");
    let said = stdout(&["check", out]);
    assert!(!said.contains("damage"), "{said}");
    // A claim that the tables do not make.
    let said = complaint(&[
        "run",
        &config(folder.path(), "syzygy = \"nowhere\""),
        "--out",
        out,
    ]);
    assert!(said.contains("run.toml:7: syzygy = \"nowhere\""), "{said}");
    let few = format!("syzygy = \"{TABLES}\"\nsyzygy_pieces = 4");
    let said = complaint(&["run", &config(folder.path(), &few), "--out", out]);
    assert!(
        said.contains("run.toml:7: syzygy = ") && said.contains("and 27 more tables"),
        "{said}"
    );
}
