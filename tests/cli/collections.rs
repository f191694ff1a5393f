//! Game collections both ways: what a run writes we read again, and openings come from games.

use std::fs;
use std::io::BufReader;
use std::path::Path;

use crate::common::stdout;
use sparring::config::{load_text, replay};
use sparring::eval::Evaluated;
use sparring::eval::catalog::GameId;
use sparring::games::any;
use sparring::play::Openings;
use sparring::record::{CollectionKind, CollectionReader, GameRow, ReadGame, read_games};
use tempfile::tempdir;

/// Whether a game of a collection is the game of a row.
fn same_game<G: Evaluated>(row: &GameRow, game: &ReadGame) -> Result<(), String> {
    let opening = G::from_fen(&row.opening).map_err(|error| error.to_string())?;
    let first = replay(any::rules::<G>(), game, 0).map_err(|error| error.message)?;
    if *first.of::<G>() != opening {
        return Err(format!("begins at {}", first.fen()));
    }
    let is_usual = G::STARTS == 1 && opening == G::start(G::USUAL_START);
    if game.tag("FEN").is_some() == is_usual || game.tag("SetUp").is_some() == is_usual {
        return Err("FEN and SetUp stand for other openings than the usual".to_string());
    }
    let mut position = opening;
    for text in row.moves.split_whitespace() {
        let mv = position
            .parse_move(text)
            .map_err(|error| error.to_string())?;
        position.play(mv);
    }
    let last = replay(any::rules::<G>(), game, u32::MAX).map_err(|error| error.message)?;
    if *last.of::<G>() != position {
        return Err(format!("ends at {}", last.fen()));
    }
    let tags = ["White", "Black", "TerminationDetails", "PlyCount"].map(|tag| game.tag(tag));
    let plies = row.plies.to_string();
    let expected = [&row.white, &row.black, &row.termination, &plies];
    if tags != expected.map(|text| Some(text.as_str())) || game.result != Some(row.result) {
        return Err(format!("tags {tags:?}, result {:?}", game.result));
    }
    for &(tag, value) in G::COLLECTION_TAGS {
        if game.tag(tag) != Some(value) {
            return Err(format!("{tag} is {:?}, not {value}", game.tag(tag)));
        }
    }
    let all_commented = game.moves.iter().all(|mv| !mv.comment.is_empty());
    all_commented
        .then_some(())
        .ok_or("a comment is missing".to_string())
}

fn check_run(game: &str, source: &str, evaluator: &str) {
    let folder = tempdir().unwrap();
    let config = folder.path().join("experiment.toml");
    let text = format!(
        "game = \"{game}\"\n[match]\npairs = 3\nmax_plies = 120\n[openings]\nsource = \"{source}\"\n\
         [[player]]\nname = \"a \\\"quoted\\\" name\"\nevaluator = \"{evaluator}\"\ndepth = 1\n\
         [[player]]\nname = \"b\"\nevaluator = \"random\"\ndepth = 1\n"
    );
    fs::write(&config, text).unwrap();
    let out = folder.path().join("out");
    let path = |path: &Path| path.to_string_lossy().into_owned();
    stdout(&["run", &path(&config), "--out", &path(&out), "--quiet"]);
    let id = GameId::from_name(game).unwrap();
    let extension = if game.starts_with("chess") {
        "pgn"
    } else {
        "pdn"
    };
    let file = fs::File::open(out.join(format!("games.{extension}"))).unwrap();
    let kind = CollectionKind::from_extension(extension).unwrap();
    let games: Vec<ReadGame> = CollectionReader::new(BufReader::new(file), kind)
        .collect::<Result<_, _>>()
        .unwrap_or_else(|error| panic!("{game}: {error}"));
    let mut rows: Vec<GameRow> = Vec::new();
    read_games(&out.join("games.csv"), |row, _| {
        rows.push(row);
        Ok(())
    })
    .unwrap();
    assert_eq!(games.len(), rows.len());
    for (row, read) in rows.iter().zip(&games) {
        let same = sparring::with_game!(id, G => same_game::<G>(row, read));
        assert_eq!(same, Ok(()), "{game}, game {}", row.game);
    }
}

#[test]
fn the_collection_of_a_run_holds_the_games_of_its_table() {
    check_run("chess", "random", "simplified");
    check_run("chess", "start", "random");
    check_run("chess960", "random", "material");
    check_run("english", "start", "material");
    check_run("international", "random", "material");
}

/// The openings of a config that names a file with this text.
fn openings(file: &str, text: &str, game: &str, plies: u32) -> Result<Vec<String>, String> {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join(file), text).unwrap();
    let config = format!(
        "game = \"{game}\"\n[openings]\nsource = \"{file}\"\nplies = {plies}\n\
         [[player]]\nname = \"a\"\nevaluator = \"random\"\n[[player]]\nname = \"b\"\nevaluator = \"random\"\n"
    );
    let path = folder.path().join("experiment.toml");
    match load_text(&config, &path.to_string_lossy(), &[]) {
        Ok(loaded) => match loaded.experiment.openings {
            Openings::Listed { fens } => Ok(fens),
            other => panic!("{other:?}"),
        },
        Err(error) => {
            let text = error.to_string();
            let folder = format!("{}/", folder.path().display());
            Err(text.replace(&folder, ""))
        }
    }
}

const BOOK: &str = "[Event \"one\"]\n\n1. e4 e5 2. Nf3 *\n\n[Event \"two\"]\n\n1. e4 e5 2. Bc4 *\n\n\
                    [Event \"three\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *\n";

#[test]
fn openings_come_from_the_first_plies_of_games() {
    let after = |plies| openings("book.pgn", BOOK, "chess", plies).unwrap();
    let short = "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1";
    assert_eq!(
        after(3),
        [
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
            "rnbqkbnr/pppp1ppp/8/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR b KQkq - 1 2",
            short,
        ]
    );
    // Two games share their first two plies.
    assert_eq!(after(2).len(), 2);
    assert_eq!(after(2)[1], short);
    let english = openings("book.pdn", "1. 11-15 23-19 2. 8-11 *", "english", 2).unwrap();
    assert_eq!(english.len(), 1);
    // Orthodox games are games of Chess960, too.
    assert_eq!(openings("book.pgn", BOOK, "chess960", 3).unwrap().len(), 3);
}

#[test]
fn a_bad_collection_of_openings_is_refused_with_its_line() {
    let complaint =
        |file: &str, text: &str| openings(file, text, "chess", 8).expect_err("must be refused");
    assert_eq!(
        complaint("book.pgn", "1. e4 e5\n2. Ke3 *"),
        "book.pgn:2: `Ke3` is not a legal move in \
         `rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2`; \
         expected UCI (e2e4) or SAN (Nf3)"
    );
    assert_eq!(
        complaint("book.pgn", "1. e4 *\n\n1. d4 {"),
        "book.pgn:3: the comment is not closed; expected `}`"
    );
    assert!(complaint("book.pgn", "\n[FEN \"nonsense\"] *").starts_with("book.pgn:2: bad FEN"));
    assert_eq!(
        complaint("book.pgn", "1. f3 e5 2. g4 Qh4# 0-1"),
        "book.pgn:1: the game is over after its first moves (checkmate); \
         remove it or take fewer plies"
    );
    assert_eq!(complaint("book.pgn", "\n"), "book.pgn: contains no opening");
    assert_eq!(
        complaint("book.pdn", "1. 11-15 *"),
        "experiment.toml:3: book.pdn: games of this kind are read from .pgn"
    );
    assert_eq!(
        complaint("book.txt", ""),
        "experiment.toml:3: source = \"book.txt\": expected random, start, or a file \
         .epd .fen .pgn .pdn .bin, also compressed: .gz .zst .zip"
    );
}

#[test]
fn the_draw_rules_of_a_match_are_checked() {
    let config = "game = \"chess\"\n[match]\ndraws = \"automatik\"\n\
                  [[player]]\nname = \"a\"\nevaluator = \"random\"\n[[player]]\nname = \"b\"\nevaluator = \"random\"\n";
    let error = load_text(config, "x.toml", &[]).unwrap_err().to_string();
    assert_eq!(
        error,
        "x.toml:3: unknown draws `automatik`; did you mean `automatic`?"
    );
}
