//! Validates tuned numbers: a sequential test against each opponent at the tuning limit and at a
//! deeper one, and after acceptance a match of fixed length. All on openings that neither tuning nor
//! its data have used.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::{Failure, complain};
use crate::config::{DataSource, LoadedTune, Proof, ValidationMatch};
use crate::eval::Term;
use crate::play::{PlayerSpec, Runner};
use crate::record::figures::difference;
use crate::record::{Manifest, RecordError, RunFiles, RunTally, read_run_games};
use crate::report::counted;
use crate::stats::{Pentanomial, Sample, Verdict};
use crate::tune::{Feed, FreshOpenings, draw_fresh_openings};

/// Plays or resumes the match of a config under a name. Returns its run directory.
type Play<'a> = dyn Fn(&mut RunFiles, &str, &str) -> Result<PathBuf, Failure> + 'a;

pub struct Validation<'a> {
    pub loaded: &'a LoadedTune,
    /// Of the tuning run.
    pub directory: &'a Path,
    pub terms: &'a [Term],
    pub tuned: &'a PlayerSpec,
    /// Opening pairs that tuning has played.
    pub used: u64,
    /// Hashes of the positions of the data.
    pub taken: HashSet<u64>,
    pub quiet: bool,
    pub play: &'a Play<'a>,
}

impl Validation<'_> {
    /// Plays all matches that apply. No proof if there is nothing to validate.
    pub fn play(&self, files: &mut RunFiles, runner: &mut Runner) -> Result<Vec<Proof>, Failure> {
        let loaded = self.loaded;
        if !loaded.validate {
            return Ok(Vec::new());
        }
        if loaded.opponents == ["start"] && *self.tuned == loaded.space.player {
            complain("the tuned numbers equal the start: nothing to validate");
            return Ok(Vec::new());
        }
        let mut fens = self.fresh_openings(runner)?;
        if fens.is_empty() {
            complain("no unused openings are left: the weights cannot be validated");
            return Ok(Vec::new());
        }
        let confirmation = fens.split_off(fens.len().min(loaded.validate_pairs as usize));
        let pairs = fens.len() as u64;
        let openings = self.write_openings(files, "validation", &fens)?;
        let mut proofs = Vec::new();
        for opponent in &loaded.opponents {
            for deeper in [false, true] {
                let of_match = ValidationMatch {
                    opponent,
                    deeper,
                    openings: &openings,
                    pairs,
                    is_test: true,
                };
                proofs.push(self.proof(files, &of_match)?);
            }
        }
        self.confirm(files, &confirmation, &mut proofs)?;
        Ok(proofs)
    }

    /// Openings for all matches; says how many were excluded, and if there are too few.
    fn fresh_openings(&self, runner: &mut Runner) -> Result<Vec<String>, Failure> {
        let loaded = self.loaded;
        // A fit has already used the openings of its games.
        let used = match (&loaded.data, loaded.row.feed) {
            (DataSource::SelfPlay(_), Feed::Positions | Feed::Net) => {
                loaded.experiment.schedule.pair_count()
            }
            _ => self.used,
        };
        let wanted = loaded.validate_pairs + loaded.confirm_pairs;
        let taken = self.taken.clone();
        let FreshOpenings { fens, excluded } =
            draw_fresh_openings(runner, &loaded.experiment, used, taken, wanted)?;
        let found = fens.len() as u64;
        if excluded > 0 && !self.quiet {
            complain(&format!(
                "validation: {} unused; {} excluded because tuning or its data used the position",
                counted(found, "opening"),
                counted(excluded, "opening")
            ));
        }
        if 0 < found && found < wanted {
            complain(&format!(
                "warning: only {} unused for {wanted} pairs of validation: matches are limited to as \
                 many pairs; add openings",
                counted(found, "opening")
            ));
        }
        Ok(fens)
    }

    fn write_openings(
        &self,
        files: &mut RunFiles,
        purpose: &str,
        fens: &[String],
    ) -> Result<PathBuf, Failure> {
        // EPD is a format of chess.
        let extension = match self.loaded.game.facts().collection {
            "pgn" => "epd",
            _ => "fen",
        };
        let name = format!("{purpose}-openings.{extension}");
        files.replace(&name, (fens.join("\n") + "\n").as_bytes())?;
        Ok(self.directory.join(name))
    }

    /// After an acceptance at the tuning limit: a match of fixed length.
    fn confirm(
        &self,
        files: &mut RunFiles,
        fens: &[String],
        proofs: &mut Vec<Proof>,
    ) -> Result<(), Failure> {
        let loaded = self.loaded;
        let at_tuning_limit = proofs.iter().zip(proofs_of(&loaded.opponents));
        let accepted: Vec<String> = at_tuning_limit
            .filter(|(proof, (_, deeper))| !deeper && proof.verdict() == Some(Verdict::AcceptH1))
            .map(|(proof, _)| proof.opponent.clone())
            .collect();
        if loaded.confirm_pairs == 0 || accepted.is_empty() {
            return Ok(());
        }
        if fens.is_empty() {
            complain("no unused openings are left to confirm the result");
            return Ok(());
        }
        let openings = self.write_openings(files, "confirmation", fens)?;
        for opponent in &accepted {
            let of_match = ValidationMatch {
                opponent,
                deeper: false,
                openings: &openings,
                pairs: fens.len() as u64,
                is_test: false,
            };
            proofs.push(self.proof(files, &of_match)?);
        }
        Ok(())
    }

    /// Plays a match.
    fn proof(
        &self,
        files: &mut RunFiles,
        of_match: &ValidationMatch<'_>,
    ) -> Result<Proof, Failure> {
        let loaded = self.loaded;
        let config = loaded.validation_config(self.terms, self.tuned, *of_match)?;
        let directory = (self.play)(files, &directory_of(of_match), &config)?;
        let limit = loaded.space.player.limit;
        let limit = match (limit.nodes, of_match.deeper) {
            (Some(nodes), false) => format!("{nodes} nodes"),
            (Some(nodes), true) => format!("{} nodes", nodes.saturating_mul(4)),
            (None, _) if limit.time.is_some() => "the tuning time".to_string(),
            (None, _) => format!("depth {}", limit.depth + u32::from(of_match.deeper)),
        };
        Ok(Proof {
            opponent: of_match.opponent.to_string(),
            limit,
            directory: directory
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            pairs: pairs_of(&directory, TUNED)?,
            test: of_match.is_test.then_some(loaded.sprt),
        })
    }

    /// What earlier matches with other settings or weights showed, one line each: repeating tests until
    /// one accepts has a larger risk of a false H1 than the test says.
    pub fn earlier(&self) -> Result<Vec<String>, Failure> {
        let opponents = &self.loaded.opponents;
        let tests = proofs_of(opponents).map(|(opponent, deeper)| {
            format!("validation-{}{}", file_name(opponent), suffix(deeper))
        });
        let fixed = opponents.iter();
        let fixed = fixed.map(|opponent| format!("confirmation-{}", file_name(opponent)));
        let mut lines = Vec::new();
        for name in tests.chain(fixed) {
            for number in 1.. {
                let name = format!("{name}.{number}");
                let directory = self.directory.join(&name);
                if !directory.is_dir() {
                    break;
                }
                let test = Manifest::read(&directory)?.sprt();
                let pairs = pairs_of(&directory, TUNED)?;
                let result = match test {
                    Some(test) => test.verdict(test.llr(&pairs)).name().to_string(),
                    None => format!("Elo {}", difference(&pairs.elo())),
                };
                lines.push(format!(
                    "earlier try, {name}: {result} after {}",
                    counted(pairs.pairs(), "pair")
                ));
            }
        }
        Ok(lines)
    }
}

/// The tests in the order they are played: opponent, and whether deeper than the tuning limit.
fn proofs_of(opponents: &[String]) -> impl Iterator<Item = (&str, bool)> {
    opponents
        .iter()
        .flat_map(|opponent| [false, true].map(|deeper| (opponent.as_str(), deeper)))
}

const fn suffix(deeper: bool) -> &'static str {
    if deeper { "-deeper" } else { "" }
}

/// The name of a match's run directory.
fn directory_of(of_match: &ValidationMatch<'_>) -> String {
    let kind = if of_match.is_test {
        "validation"
    } else {
        "confirmation"
    };
    let opponent = file_name(of_match.opponent);
    format!("{kind}-{opponent}{}", suffix(of_match.deeper))
}

/// The tuned player in its matches.
const TUNED: &str = "tuned";

/// The pairs of a match, from the side of this player.
pub fn pairs_of(directory: &Path, player: &str) -> Result<Pentanomial, RecordError> {
    let mut tally = RunTally::with_players([player]);
    read_run_games(directory, |row, _| {
        tally.push(&row);
        Ok(())
    })?;
    let first = tally.pairings().first();
    Ok(first.map_or_else(Pentanomial::default, |pairing| pairing.pairs))
}

/// A valid folder name.
fn file_name(text: &str) -> String {
    let plain = |letter: char| {
        if letter.is_alphanumeric() {
            letter
        } else {
            '-'
        }
    };
    text.chars().map(plain).collect()
}
