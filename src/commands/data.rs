//! `sparring data`: turns played games into labelled positions.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use clap::Args;

use super::report::usual_game;
use super::{Done, Failure, complain, find_game, must_exist, print, trimmed};
use crate::config::{self, did_you_mean};
use crate::eval::catalog::GameId;
use crate::games::GameResult;
use crate::record::{Manifest, RecordError, replace_file, verify_run};
use crate::tune::bullet;
use crate::tune::positions::{BULLET, Labelled, Read, Split, read_file};
use crate::tune::quiet::{Judge, Quiet};
use crate::tune::sample::{SampleReport, Sampling, sample};

#[derive(Args)]
pub struct DataArgs {
    /// Run directories, or files of games or labelled positions: .csv .pgn .pdn .epd .txt .bullet
    #[arg(required = true)]
    pub runs: Vec<PathBuf>,
    /// Write here: .csv (with game, split and score), or positions, .epd for chess, .fen for other games,
    /// .txt as `fen | score | result`, .bullet in bulletformat (a second file holds the validation part)
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// The game [default: that of the first run directory; chess for PGN]
    #[arg(long, value_name = "G")]
    pub game: Option<String>,
    /// Keep at most N positions of each game; 0 keeps all
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub per_game: usize,
    /// Skip the first N plies of each game
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub skip: usize,
    /// What to do with positions that are not quiet: filter, resolve or off
    #[arg(long, value_name = "Q", default_value = "filter")]
    pub quiet: String,
    /// The evaluator that decides what is quiet [default: material, or the game's strongest preset]
    #[arg(long, value_name = "E")]
    pub evaluator: Option<String>,
    /// Keep duplicate positions
    #[arg(long)]
    pub duplicates: bool,
    /// Balance the results: as many wins of white as of black, and no more draws than wins
    #[arg(long)]
    pub balanced: bool,
    /// Share of the games to mark for validation
    #[arg(long, value_name = "PART", default_value_t = 0.1)]
    pub validation: f64,
    /// Seed of the random sample
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
}

pub fn run(args: &DataArgs) -> Done {
    let quiet = Quiet::ALL
        .into_iter()
        .find(|quiet| quiet.name() == args.quiet);
    let quiet = quiet.ok_or_else(|| {
        let hint = did_you_mean(&args.quiet, Quiet::ALL.iter().map(|quiet| quiet.name()));
        Failure::bad_input(format!("--quiet {}: {hint}", args.quiet))
    })?;
    if !(0.0..=0.9).contains(&args.validation) {
        return Err(Failure::bad_input(format!(
            "--validation {}: expected 0 to 0.9",
            args.validation
        )));
    }
    must_exist(&args.runs)?;
    let game = match &args.game {
        Some(name) => find_game(name)?,
        None => game_of_run(&args.runs[0])?,
    };
    let extension = args.out.extension().and_then(|it| it.to_str());
    let of_chess = match extension {
        Some("epd") => Some("EPD"),
        Some(BULLET) => Some("bulletformat"),
        _ => None,
    };
    if let Some(format) = of_chess
        && game.facts().collection != "pgn"
    {
        return Err(Failure::bad_input(format!(
            "--out {}: {format} is a format of chess; write positions of {} as .fen or .csv",
            args.out.display(),
            game.name()
        )));
    }
    make(game, args, quiet)
}

/// The game of a run directory, or of the directory that contains a file.
fn game_of_run(path: &Path) -> Result<GameId, Failure> {
    let manifest = if path.is_dir() {
        Some(Manifest::read(path)?)
    } else {
        Manifest::read_if_there(path.parent().unwrap_or(path))?
    };
    let named = manifest
        .map(|manifest| find_game(&manifest.game))
        .transpose()?;
    named.or_else(|| usual_game(path)).ok_or_else(|| {
        Failure::bad_input(format!(
            "{}: the game is unknown; add --game",
            path.display()
        ))
    })
}

/// The games file of a run directory of this game, or the file itself.
fn file_of_run(run: &Path, game: &str) -> Result<PathBuf, Failure> {
    if !run.is_dir() {
        return Ok(run.to_path_buf());
    }
    let manifest = Manifest::read(run)?;
    if manifest.game != game {
        return Err(Failure::bad_input(format!(
            "{}: a run of {}, expected {game}",
            run.display(),
            manifest.game
        )));
    }
    verify_run(run)?.iter().for_each(|note| complain(note));
    Ok(run.join("games.csv"))
}

fn make(game: GameId, args: &DataArgs, quiet: Quiet) -> Done {
    let evaluators = game.evaluators();
    let usual = if evaluators.preset("material").is_some() {
        "material"
    } else {
        evaluators.strongest()
    };
    let name = args.evaluator.as_deref().unwrap_or(usual);
    let (preset, weights) = config::evaluator(game, name, None)?;
    let mut read = Read::default();
    for run in &args.runs {
        let file = file_of_run(run, game.name())?;
        read_file(game, &file, &mut read).map_err(Failure::bad_input)?;
    }
    for bad in read.bad.iter().take(5) {
        complain(&format!("warning: {bad}"));
    }
    let openings = std::mem::take(&mut read.openings);
    let (positions, report) = sample(
        read,
        Judge {
            game,
            preset: preset.name(),
            weights: &weights,
        },
        &Sampling {
            per_game: args.per_game,
            skip: args.skip,
            quiet,
            unique: !args.duplicates,
            balanced: args.balanced,
            validation: args.validation,
            seed: args.seed,
        },
    );
    if positions.is_empty() {
        return Err(Failure::bad_input(
            "no position is left; use more games, a larger --per-game, or --quiet resolve",
        ));
    }
    complain(&report_text(&report));
    let written = write(&args.out, &positions, &openings)?;
    print(&format!("data: {}\n", written.join(" ")));
    Ok(())
}

/// The result closest to white's points.
fn nearest_result(points: f64) -> GameResult {
    match points {
        points if points > 0.5 => GameResult::WhiteWins,
        points if points < 0.5 => GameResult::BlackWins,
        _ => GameResult::Draw,
    }
}

/// Writes the positions in the format given by the file's extension. Returns the files written.
fn write(
    path: &Path,
    positions: &[Labelled],
    openings: &HashMap<u64, String>,
) -> Result<Vec<String>, Failure> {
    let shown = |path: &Path| path.display().to_string();
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("csv") => {
            let mut writer = csv::Writer::from_writer(Vec::new());
            let wrong = |error: csv::Error| Failure::from(RecordError::csv(path, &error));
            writer
                .write_record(["fen", "result", "game", "split", "score", "opening"])
                .map_err(wrong)?;
            for labelled in positions {
                let game = labelled.game.map_or(String::new(), |game| game.to_string());
                let split = labelled.split.map_or("", Split::name);
                let fen = labelled.position.fen();
                let result = nearest_result(labelled.result).text();
                let score = labelled.score.map_or(String::new(), trimmed);
                let opening = labelled.game.and_then(|game| openings.get(&game));
                let opening = opening.map_or("", String::as_str);
                writer
                    .write_record([fen.as_str(), result, &game, split, &score, opening])
                    .map_err(wrong)?;
            }
            replace_file(path, &writer.into_inner().unwrap_or_default())?;
            Ok(vec![shown(path)])
        }
        Some(kind @ ("epd" | "fen" | "txt" | BULLET)) => {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            let beside = path.with_file_name(format!("{stem}-validation.{kind}"));
            let mut written = Vec::new();
            for (path, split) in [(path, Split::Train), (&beside, Split::Validation)] {
                let part = positions.iter().filter(|l| l.split == Some(split));
                let bytes: Vec<u8> = match kind {
                    BULLET => part.flat_map(bullet::record).collect(),
                    "txt" => part.flat_map(|l| scored_line(l).into_bytes()).collect(),
                    _ => part.flat_map(|l| epd_line(l).into_bytes()).collect(),
                };
                if !bytes.is_empty() {
                    replace_file(path, &bytes)?;
                    written.push(shown(path));
                }
            }
            Ok(written)
        }
        _ => Err(Failure::bad_input(format!(
            "--out {}: expected a file that ends in .csv, .epd, .fen, .txt or .bullet",
            path.display()
        ))),
    }
}

fn epd_line(labelled: &Labelled) -> String {
    let fen = labelled.position.fen();
    // EPD omits the clocks of a chess position.
    let fields: Vec<&str> = fen.split(' ').take(4).collect();
    let result = nearest_result(labelled.result);
    format!("{} c9 \"{result}\";\n", fields.join(" "))
}

/// The text that bullet's tools read: score and result from white's side. Without a score, the cell is
/// blank.
fn scored_line(labelled: &Labelled) -> String {
    let score = labelled.score.map_or(String::new(), trimmed);
    let fen = labelled.position.fen();
    format!("{fen} | {score} | {:?}\n", labelled.result)
}

fn report_text(report: &SampleReport) -> String {
    format!(
        "{} positions of {} games: {} skipped at the start, {} not quiet or finished, {} duplicates, {} not sampled, {} dropped for balance; kept {} for training and {} for validation; white won {}, drew {}, lost {}",
        report.positions,
        report.games,
        report.skipped,
        report.not_quiet,
        report.duplicates,
        report.not_drawn,
        report.unbalanced,
        report.train,
        report.validation,
        report.balance.wins,
        report.balance.draws,
        report.balance.losses
    )
}
