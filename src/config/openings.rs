//! The section `[openings]` of a config, and its files.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::book_files::{self, BookFile};
use super::read::{Reader, beside};
use super::source::{ConfigError, Place};
use crate::eval::catalog::GameId;
use crate::eval::{STEPS, Score};
use crate::games::{AnyGame, AnyPosition, NotationError};
use crate::play::{
    BookChoice, OpeningOrder, Openings, OpeningsError, PolyglotBook, Purpose, Stages, Stream,
};
use crate::record::{CollectionKind, CollectionReader, ReadGame};
use crate::search::MATE_BOUND;

/// The result of reading `[openings]`.
pub(super) struct ReadOpenings {
    pub openings: Openings,
    /// The file they are from.
    pub file: Option<OpeningsFile>,
    pub warnings: Vec<String>,
}

/// A file of openings, and its name in the run directory, which holds a copy: the resolved config
/// names the copy, so that it works there and wherever the directory is moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningsFile {
    pub path: PathBuf,
    pub name: String,
}

impl OpeningsFile {
    fn new(path: &Path) -> OpeningsFile {
        let part = |part: Option<&OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
        let name = part(path.file_name());
        // With that of a compression.
        let (stem, extension) = name.split_once('.').unwrap_or((&name, ""));
        // Names of files that runs write themselves.
        let is_taken = stem == "games" || stem.ends_with("openings");
        OpeningsFile {
            path: path.to_path_buf(),
            name: match is_taken {
                true => format!("openings.{extension}"),
                false => name,
            },
        }
    }
}

/// The context of `[openings]`, and how many are needed.
pub(super) struct OpeningsNeed<'n> {
    pub game: GameId,
    pub seed: u64,
    pub stages: Stages,
    /// The config's directory.
    pub folder: Option<&'n Path>,
    /// Read all openings of a file, not only as many as the schedule needs.
    pub whole_file: bool,
}

pub(super) fn read_openings(
    keys: &Reader<'_>,
    need: &OpeningsNeed<'_>,
) -> Result<ReadOpenings, ConfigError> {
    let plies = keys.whole("plies")? as u32;
    let (skip, count) = (keys.size("skip")?, keys.size("count")?);
    let window = Window {
        order: keys.choice("order", &OpeningOrder::ALL, OpeningOrder::name)?,
        skip,
        count: if count == 0 { usize::MAX } else { count },
        // Several pairings divide all openings between them, however many pairs they play: see
        // `Schedule::opening_of`.
        wanted: match need.stages.pairing_count() {
            0 | 1 if !need.whole_file => {
                usize::try_from(need.stages.pair_count()).unwrap_or(usize::MAX)
            }
            _ => usize::MAX,
        },
        seed: need.seed,
    };
    let openings = match keys.text("source")? {
        "random" => Openings::Random {
            plies,
            reject: rejection(need.game, keys.number("reject")?),
        },
        "start" => Openings::Start,
        file => return read_file(keys, file, need, window, plies),
    };
    let mut warnings = Vec::new();
    if window.order == OpeningOrder::Shuffled || skip > 0 || count > 0 {
        let source = &keys.node("source")?.value;
        warnings.push(format!(
            "order, skip and count choose from a file of openings, but source = {source}"
        ));
    }
    let each = need.stages.pairs_each;
    if let Openings::Random { plies, .. } = openings {
        warnings.extend(warning_of_repeats(need, plies));
    }
    if openings == Openings::Start && each > 1 {
        warnings.push(format!(
            "every game starts alike: {each} pairs per pairing will repeat the same two games; \
             use random openings or a file"
        ));
    }
    Ok(ReadOpenings {
        openings,
        file: None,
        warnings,
    })
}

/// The bound of random openings in score steps; `None` to keep all. Given in pawns or men; where
/// material means little, only decided games are rejected.
fn rejection(game: GameId, bound: f64) -> Option<Score> {
    if bound <= 0.0 {
        return None;
    }
    let evaluators = game.evaluators();
    let steps = bound * evaluators.units().units_in_one * f64::from(STEPS);
    Some(match evaluators.preset("material") {
        Some(_) => (steps.round() as Score).clamp(1, MATE_BOUND),
        None => MATE_BOUND,
    })
}

/// Most random openings drawn to see how many differ.
const MOST_DRAWN: u64 = 400;

/// At least this share of them should differ.
const ENOUGH_DISTINCT: f64 = 0.9;

/// A warning if random openings repeat: so do the games of players that do not play at random.
fn warning_of_repeats(need: &OpeningsNeed<'_>, plies: u32) -> Option<String> {
    let drawn = need.stages.pairs_each.min(MOST_DRAWN);
    let openings = Openings::Random {
        plies,
        reject: None,
    };
    let mut distinct = HashSet::new();
    for pair in 1..=drawn {
        let mut draws = Stream::new(need.seed, pair, Purpose::Opening);
        let rules = need.game.rules();
        let position = openings.draw(rules, 0, &mut draws, &mut |_| None).ok()?;
        distinct.insert(position.hash());
    }
    let have = distinct.len();
    ((have as f64) < ENOUGH_DISTINCT * drawn as f64).then(|| {
        let ply = if plies == 1 { "ply" } else { "plies" };
        format!(
            "{plies} random {ply} give only {have} different openings for {drawn} pairs of two players: \
             their games will repeat; use more plies or a file of openings"
        )
    })
}

fn read_file(
    keys: &Reader<'_>,
    file: &str,
    need: &OpeningsNeed<'_>,
    window: Window,
    plies: u32,
) -> Result<ReadOpenings, ConfigError> {
    let place = &keys.node("source")?.place;
    let path = &beside(need.folder, file);
    let wrong = || {
        let message = format!(
            "source = \"{file}\": expected random, start, or a file .epd .fen .pgn .pdn .bin, also \
             compressed: .gz .zst .zip"
        );
        ConfigError::at(place, message)
    };
    if !book_files::is_known(path) {
        return Err(wrong());
    }
    let book = book_files::open(path).map_err(|error| unread(path, place, &error))?;
    let (fens, double) = match book.format.as_str() {
        "epd" | "fen" => {
            let lines = read_lines(path, place, book.content, &window)?;
            check_positions(need.game.rules(), &lines, path)?
        }
        "pgn" | "pdn" => {
            let fens = read_games(need.game.rules(), path, place, book, plies, &window)?;
            (fens, None)
        }
        "bin" => return read_book(keys, path, need, book.content, plies),
        _ => return Err(wrong()),
    };
    let mut warnings: Vec<String> = double.into_iter().collect();
    let (have, each) = (fens.len(), need.stages.pairs_each);
    if (have as u64) < each {
        warnings.push(format!(
            "{have} openings for {each} pairs of two players: their games will repeat; add \
             openings, play fewer pairs or use random ones"
        ));
    }
    Ok(ReadOpenings {
        openings: Openings::Listed { fens },
        file: Some(OpeningsFile::new(path)),
        warnings,
    })
}

/// The window of a file that is used.
#[derive(Clone, Copy)]
struct Window {
    order: OpeningOrder,
    skip: usize,
    count: usize,
    /// Maximum number that a run needs.
    wanted: usize,
    seed: u64,
}

impl Window {
    /// How many openings to read after the skipped ones.
    fn reach(&self) -> usize {
        match self.order {
            OpeningOrder::Sequential => self.count.min(self.wanted),
            OpeningOrder::Shuffled => self.count,
        }
    }

    /// Reads the window of a list, no further than needed, and puts it in order.
    fn take<T>(
        &self,
        path: &Path,
        list: impl Iterator<Item = Result<T, ConfigError>>,
    ) -> Result<Vec<T>, ConfigError> {
        let mut seen = 0;
        let mut items = Vec::new();
        for item in list.take(self.skip.saturating_add(self.reach())) {
            let item = item?;
            seen += 1;
            if seen > self.skip {
                items.push(item);
            }
        }
        if items.is_empty() {
            let shown = path.display();
            return Err(ConfigError::bare(match seen {
                0 => format!("{shown}: contains no opening"),
                _ => format!(
                    "{shown}: contains {seen} openings, but skip = {}",
                    self.skip
                ),
            }));
        }
        self.order.arrange(&mut items, self.wanted, self.seed);
        Ok(items)
    }
}

/// A line of a file of positions.
struct Line {
    number: usize,
    text: String,
}

/// An error for a file that cannot be read.
fn unread(path: &Path, named_at: &Place, error: &std::io::Error) -> ConfigError {
    ConfigError::at(
        named_at,
        format!("{}: cannot be read: {error}", path.display()),
    )
}

/// Reads a Polyglot book.
fn read_book(
    keys: &Reader<'_>,
    path: &Path,
    need: &OpeningsNeed<'_>,
    mut content: Box<dyn BufRead>,
    plies: u32,
) -> Result<ReadOpenings, ConfigError> {
    let place = &keys.node("source")?.place;
    let wrong = |message: String| ConfigError::at(place, format!("{}: {message}", path.display()));
    if need.game != GameId::Chess {
        return Err(wrong("Polyglot books are for game = \"chess\"".to_string()));
    }
    if plies == 0 {
        return Err(ConfigError::at(
            &keys.node("plies")?.place,
            "plies = 0: with a book, expected the number of moves to take from it",
        ));
    }
    let mut bytes = Vec::new();
    content
        .read_to_end(&mut bytes)
        .map_err(|error| unread(path, place, &error))?;
    let book = PolyglotBook::read(&bytes).map_err(wrong)?;
    let choice = keys.choice("book", &BookChoice::ALL, BookChoice::name)?;
    let mut first = Stream::new(need.seed, 1, Purpose::Opening);
    let rules = need.game.rules();
    if book.walk(rules, 1, choice, &mut first).is_none() {
        return Err(wrong(OpeningsError::NoBookMove.to_string()));
    }
    Ok(ReadOpenings {
        openings: Openings::Book {
            book: Arc::new(book),
            plies,
            choice,
        },
        file: Some(OpeningsFile::new(path)),
        warnings: Vec::new(),
    })
}

/// The lines of the window, without comments and empty lines.
fn read_lines(
    path: &Path,
    named_at: &Place,
    content: Box<dyn BufRead>,
    window: &Window,
) -> Result<Vec<Line>, ConfigError> {
    let unread = |error: std::io::Error| unread(path, named_at, &error);
    let lines = content
        .lines()
        .enumerate()
        .filter_map(|(index, line)| match line {
            Ok(line) if is_position(&line) => Some(Ok(Line {
                number: index + 1,
                text: line.trim().to_string(),
            })),
            Ok(_) => None,
            Err(error) => Some(Err(unread(error))),
        });
    window.take(path, lines)
}

/// Neither empty nor a comment.
fn is_position(line: &str) -> bool {
    let line = line.trim_start();
    !line.is_empty() && !line.starts_with('#')
}

/// Reads positions, one per line, and ignores the rest of each line. Returns the positions as FEN, and
/// a warning about duplicates.
fn check_positions(
    rules: &dyn AnyGame,
    lines: &[Line],
    path: &Path,
) -> Result<(Vec<String>, Option<String>), ConfigError> {
    let path = path.display().to_string();
    let mut fens = Vec::with_capacity(lines.len());
    let mut first_lines = HashMap::with_capacity(lines.len());
    let mut doubles = Vec::new();
    for Line { number, text } in lines {
        let at = |message: String| {
            let (path, line) = (path.clone(), *number);
            ConfigError::at(&Place::File { path, line }, message)
        };
        let position = rules
            .read_epd(text)
            .map_err(|error| at(error.to_string()))?;
        if let Some(outcome) = position.end() {
            let reason = outcome.reason.name();
            let message = format!("`{text}`: the game is over here ({reason}); remove the line");
            return Err(at(message));
        }
        if let Some(first) = first_lines.insert(position.hash(), *number) {
            doubles.push((first.min(*number), first.max(*number)));
        }
        fens.push(position.fen());
    }
    let word = doubles.first().map(|(first, second)| {
        format!(
            "{path}: {} of {} openings are doubles, such as lines {first} and {second}: pairs \
             from the same position repeat each other; remove the doubles",
            doubles.len(),
            fens.len()
        )
    });
    Ok((fens, word))
}

/// Reads a collection of games and takes the position after the first plies of each. Duplicates count
/// once: the same opening would give the same games.
fn read_games(
    rules: &dyn AnyGame,
    path: &Path,
    named_at: &Place,
    book: BookFile,
    plies: u32,
    window: &Window,
) -> Result<Vec<String>, ConfigError> {
    let shown = path.display().to_string();
    let collection = rules.facts().collection;
    let kind = CollectionKind::from_extension(collection);
    let is_of_game = book.format == collection;
    let Some(kind) = kind.filter(|_| is_of_game) else {
        let message = format!("{shown}: games of this kind are read from .{collection}");
        return Err(ConfigError::at(named_at, message));
    };
    let at = |line: usize, message: String| {
        let path = shown.clone();
        ConfigError::at(&Place::File { path, line }, message)
    };
    let mut seen = HashSet::new();
    let games = CollectionReader::new(book.content, kind);
    let openings = games.filter_map(|game| {
        let opening = || {
            let game = game.map_err(|error| at(error.line(), error.message()))?;
            let position =
                replay(rules, &game, plies).map_err(|error| at(error.line, error.message))?;
            match position.end() {
                None => Ok(position),
                Some(outcome) => Err(at(
                    game.line,
                    format!(
                        "the game is over after its first moves ({}); remove it or take \
                         fewer plies",
                        outcome.reason.name()
                    ),
                )),
            }
        };
        match opening() {
            Ok(position) => seen.insert(position.hash()).then(|| Ok(position.fen())),
            Err(error) => Some(Err(error)),
        }
    });
    window.take(path, openings)
}

/// An illegal game, with the line of the illegal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError {
    pub line: usize,
    pub message: String,
}

/// The position after at most `plies` moves of a game, each checked by the rules. Starts from the
/// game's `FEN`, or from the usual start.
pub fn replay(
    rules: &dyn AnyGame,
    game: &ReadGame,
    plies: u32,
) -> Result<Box<dyn AnyPosition>, ReplayError> {
    let wrong = |line: usize, error: NotationError| ReplayError {
        line,
        message: error.to_string(),
    };
    let mut position = match game.tag("FEN") {
        Some(fen) => rules
            .read_fen(fen)
            .map_err(|error| wrong(game.line, error))?,
        None => rules.usual_start(),
    };
    for mv in game.moves.iter().take(plies as usize) {
        let played = position.play_text(&mv.text);
        played.map_err(|error| wrong(mv.line, error))?;
    }
    Ok(position)
}
