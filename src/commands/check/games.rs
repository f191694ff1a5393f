//! Replays the games of a run against its schedule, its openings and the rules.

use std::cell::RefCell;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use crate::config::{Loaded, replay};
use crate::eval::{STEPS, Score};
use crate::games::{AnyGame, AnyPosition, Side};
use crate::play::{LoggedGame, RunError, Runner, audit_game};
use crate::record::{
    CollectionKind, CollectionReader, Companion, Damage, GameRow, GoodPair, MoveRow, MoveScore,
};
use crate::search::MATE_BOUND;

/// What the games of a run must be.
pub struct Auditor<'l> {
    loaded: &'l Loaded,
    rules: &'static dyn AnyGame,
    /// Draws the openings as the run did.
    runner: RefCell<Runner>,
    companions: Vec<Companion>,
    directory: PathBuf,
    games: PathBuf,
}

impl<'l> Auditor<'l> {
    pub fn new(loaded: &'l Loaded, directory: &Path) -> Result<Auditor<'l>, RunError> {
        Ok(Auditor {
            loaded,
            runner: RefCell::new(Runner::new(loaded.game, 1)?),
            rules: loaded.game.rules(),
            companions: super::Recorder::new(loaded).companions,
            directory: directory.to_path_buf(),
            games: directory.join("games.csv"),
        })
    }

    /// What is wrong with a pair whose bytes are those that were written.
    pub fn pair(&self, good: &GoodPair) -> Vec<Damage> {
        let mut damage = Vec::new();
        let mut ends = Vec::new();
        for (row, line) in good.rows.iter().zip(good.line..) {
            let (end, wrong) = self.row(row, line);
            ends.extend(end);
            damage.extend(wrong);
        }
        let [one, two] = &ends[..] else {
            return damage;
        };
        let texts = self.companions.iter().zip(&good.entry.companions);
        for (companion, text) in texts {
            let checked = match companion {
                Companion::Collection(extension) => {
                    self.collection(extension, text, &good.rows, [one.as_ref(), two.as_ref()])
                }
                Companion::Moves(..) => moves(text, &good.rows),
                // Last positions for other tools; the checksum covers them.
                Companion::Final(_) => Ok(()),
            };
            if let Err(message) = checked {
                let path = self.directory.join(companion.file_name());
                let message = format!("pair {}: {message}", good.rows[0].pair);
                damage.push(Damage::new(&path, 0, message));
            }
        }
        damage
    }

    /// The last position of a game, or what is wrong with it.
    pub fn row(&self, row: &GameRow, line: u64) -> (Option<Box<dyn AnyPosition>>, Vec<Damage>) {
        match self.replay(row) {
            Ok(end) => (Some(end), Vec::new()),
            Err(message) => {
                let message = format!("game {} of pair {}: {message}", row.game, row.pair);
                (None, vec![Damage::new(&self.games, line, message)])
            }
        }
    }

    fn replay(&self, row: &GameRow) -> Result<Box<dyn AnyPosition>, String> {
        let experiment = &self.loaded.experiment;
        // Later pairings of a Swiss tournament or a knockout follow from results: only names are known.
        let is_fixed = !self.loaded.stages.depend_on_results();
        let seats = if is_fixed {
            self.scheduled(row)?
        } else {
            self.named(row)?
        };
        let players = seats.map(|seat| &experiment.players[seat]);
        let opening = match is_fixed {
            true => self
                .runner
                .borrow_mut()
                .opening(experiment, row.pair)
                .map_err(|error| error.to_string())?,
            false => self
                .rules
                .read_fen(&row.opening)
                .map_err(|error| error.to_string())?,
        };
        if opening.fen() != row.opening {
            return Err(format!(
                "the opening is `{}`, but this pair's is `{}`",
                row.opening,
                opening.fen()
            ));
        }
        if row
            .first_mover
            .is_some_and(|side| side != opening.side_to_move())
        {
            return Err("the wrong first mover".to_string());
        }
        let moves: Vec<&str> = row.moves.split_whitespace().collect();
        let scores: Vec<Option<MoveScore>> = row.move_scores().collect();
        if row.plies != moves.len() as u64 || ![0, moves.len()].contains(&scores.len()) {
            return Err(format!(
                "plies = {}, with {} moves and {} scores",
                row.plies,
                moves.len(),
                scores.len()
            ));
        }
        let unit = self.loaded.game.evaluators().units().units_in_one * f64::from(STEPS);
        let score = |score: Option<MoveScore>| match score? {
            MoveScore::Plain(value) => Some((value * unit).round() as Score),
            MoveScore::Mate(moves) => Some(MATE_BOUND * moves.signum()),
        };
        let can_forfeit = [Side::White, Side::Black].map(|side| {
            let player = players[side as usize];
            player.engine().is_some() || player.limit.clock.is_some()
        });
        let game = LoggedGame {
            moves,
            result: row.result,
            termination: &row.termination,
            scores: scores.into_iter().map(score).collect(),
            rounding: (unit / 200.0).ceil() as Score + 1,
            can_forfeit,
        };
        audit_game(opening.as_ref(), &game, &experiment.endings)
    }

    /// The players of a game by the schedule, white first.
    fn scheduled(&self, row: &GameRow) -> Result<[usize; 2], String> {
        let experiment = &self.loaded.experiment;
        if row.pair == 0 || row.pair > experiment.schedule.pair_count() {
            return Err("not in the schedule".to_string());
        }
        let (_, pairing) = experiment.schedule.pairing_of(row.pair);
        let mut seats = [pairing.first, pairing.second];
        if row.game.is_multiple_of(2) {
            seats.reverse();
        }
        let names = seats.map(|seat| experiment.players[seat].name.as_str());
        if names == [&row.white, &row.black] {
            return Ok(seats);
        }
        Err(format!(
            "`{}` against `{}`, but the schedule pairs `{}` with `{}`",
            row.white, row.black, names[0], names[1]
        ))
    }

    /// The players of a game by their names.
    fn named(&self, row: &GameRow) -> Result<[usize; 2], String> {
        let players = &self.loaded.experiment.players;
        let find = |name: &str| {
            let place = players.iter().position(|player| player.name == name);
            place.ok_or_else(|| format!("no player `{name}`"))
        };
        Ok([find(&row.white)?, find(&row.black)?])
    }

    /// The games as text must be those of the rows.
    fn collection(
        &self,
        extension: &str,
        text: &[u8],
        rows: &[GameRow; 2],
        ends: [&dyn AnyPosition; 2],
    ) -> Result<(), String> {
        let Some(kind) = CollectionKind::from_extension(extension) else {
            return Ok(());
        };
        let games: Result<Vec<_>, _> = CollectionReader::new(BufReader::new(text), kind).collect();
        let games = games.map_err(|error| error.message())?;
        if games.len() != rows.len() {
            return Err(format!("{} games", games.len()));
        }
        for ((game, row), end) in games.iter().zip(rows).zip(ends) {
            // Control characters are written as blanks.
            let shown = |name: &str| name.replace(char::is_control, " ");
            let is_same = game.tag("White") == Some(&shown(&row.white))
                && game.tag("Black") == Some(&shown(&row.black))
                && game.result == Some(row.result);
            let last = replay(self.rules, game, u32::MAX).map_err(|error| error.message)?;
            if !is_same || !last.is_same(end) {
                return Err(format!("game {} differs from games.csv", row.game));
            }
        }
        Ok(())
    }
}

/// The moves one by one must be those of the rows, with their nodes.
fn moves(text: &[u8], rows: &[GameRow; 2]) -> Result<(), String> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(text);
    let all: Result<Vec<MoveRow>, csv::Error> = reader.deserialize().collect();
    let all = all.map_err(|error| error.to_string())?;
    for row in rows {
        let mine = || all.iter().filter(|mv| mv.game == row.game);
        let nodes = |side: Side| {
            let of_side = mine().filter(|mv| mv.side == side.to_string());
            of_side.map(|mv| mv.nodes).sum::<u64>()
        };
        let is_same = mine()
            .map(|mv| mv.text.as_str())
            .eq(row.moves.split_whitespace());
        // A forfeited search is counted in the row only.
        let is_counted =
            nodes(Side::White) <= row.white_nodes && nodes(Side::Black) <= row.black_nodes;
        if !is_same || !is_counted {
            return Err(format!("game {} differs from games.csv", row.game));
        }
    }
    Ok(())
}
