//! Converts played games to the rows and texts of the journal.

use std::time::Duration;

use super::trimmed;
use crate::config::Loaded;
use crate::engines::Fault;
use crate::eval::{STEPS, Score};
use crate::games::GameFacts;
use crate::play::{MoveNote, PlayedGame, PlayedPair, PlayerSpec, Termination};
use crate::record::{
    CollectionFormat, CommentStyle, Companion, GameRow, GameText, MoveFacts, MoveInfo, MoveRow,
    MoveScore, MoveText, MoveTiming, PairEntry, TimeColumns, csv_rows, seconds_text, times_cell,
    utc_date_and_time,
};
use crate::search::{Limit, mate_distance};

/// The collection format of a game.
pub fn collection_format(game: &GameFacts) -> CollectionFormat {
    let tags = game
        .collection_tags
        .iter()
        .map(|(name, value)| (name.to_string(), value.to_string()));
    CollectionFormat {
        extension: game.collection,
        tags: tags.collect(),
    }
}

/// Records the games of a run.
pub struct Recorder<'r> {
    loaded: &'r Loaded,
    format: CollectionFormat,
    /// The companion files of `games.csv`.
    pub companions: Vec<Companion>,
    pub times: TimeColumns,
}

impl<'r> Recorder<'r> {
    pub fn new(loaded: &'r Loaded) -> Recorder<'r> {
        let format = collection_format(loaded.game.facts());
        let mut companions = vec![Companion::Collection(format.extension)];
        let timed = loaded.experiment.players.iter().any(PlayerSpec::is_timed);
        let times = match timed {
            true => TimeColumns::Present,
            false => TimeColumns::Absent,
        };
        let moves = || Companion::Moves(times, loaded.log.info.clone());
        companions.extend(loaded.log.moves.then(moves));
        let suite = loaded.game.facts().suite;
        companions.extend(loaded.log.last.then_some(Companion::Final(suite)));
        Recorder {
            loaded,
            times,
            format,
            companions,
        }
    }

    /// The two rows of a pair, and its text for the companion files.
    pub fn record(&self, pair: &PlayedPair) -> RecordedPair {
        let players = &self.loaded.experiment.players;
        let (first, second) = (&players[pair.pairing.first], &players[pair.pairing.second]);
        let seats = [(1, first, second), (2, second, first)];
        let units_in_one = self.loaded.game.evaluators().units().units_in_one;
        let rows = seats.map(|(index, white, black)| {
            let number = (pair.pair - 1) * 2 + index;
            let game = &pair.games[index as usize - 1];
            let row = game_row(units_in_one, pair.pair, number, [white, black], game);
            let times = || times_cell(game.moves.iter().map(|mv| mv.time));
            GameRow {
                times: (self.times == TimeColumns::Present).then(times),
                ..row
            }
        });
        let text = |companion: &Companion| match companion {
            Companion::Collection(_) => {
                let games = seats.iter().zip(&pair.games);
                let texts = games.map(|(&(index, white, black), game)| {
                    let round = format!("{}.{index}", pair.pair);
                    let text = game_text(self.loaded, round, [white, black], game);
                    self.format.write(&text)
                });
                texts.collect::<String>().into_bytes()
            }
            Companion::Final(extension) => {
                let lines = pair.games.iter().map(|game| {
                    let fen = last_position(self.loaded, game);
                    match *extension {
                        "epd" => epd_line(&fen, game.result.text()),
                        _ => format!("{fen}\n"),
                    }
                });
                lines.collect::<String>().into_bytes()
            }
            Companion::Moves(times, info) => {
                let games = rows.iter().zip(&pair.games);
                let moves = games.flat_map(|(row, game)| move_rows(row.game, game, *times, info));
                csv_rows(&moves.collect::<Vec<_>>())
            }
        };
        let timings = match self.times {
            TimeColumns::Present => {
                let games = seats.iter().zip(&pair.games);
                games
                    .flat_map(|(&(_, white, black), game)| timings(game, [white, black]))
                    .collect()
            }
            TimeColumns::Absent => Vec::new(),
        };
        let entry = PairEntry {
            rows: csv_rows(&rows),
            companions: self.companions.iter().map(text).collect(),
        };
        RecordedPair {
            rows,
            entry,
            timings,
        }
    }
}

/// A pair ready to be written.
pub struct RecordedPair {
    pub rows: [GameRow; 2],
    pub entry: PairEntry,
    /// The player's name and the timing of each timed move.
    pub timings: Vec<(String, MoveTiming)>,
}

/// How fast the players of a game reacted. In-process searches are only timed against their limit.
fn timings(game: &PlayedGame, players: [&PlayerSpec; 2]) -> Vec<(String, MoveTiming)> {
    let mut side = game.first_mover.other();
    let timing = |mv: &MoveNote| {
        side = side.other();
        let player = players[side as usize];
        let limit = player.limit.time.map(|time| time.hard);
        let beyond = mv.time.zip(limit);
        let latency = mv.details.latency;
        let timing = MoveTiming {
            first: latency.map(|it| it.first),
            overhead: latency.and_then(|it| it.overhead),
            beyond: beyond.map(|(time, limit)| time.saturating_sub(limit)),
        };
        (timing != MoveTiming::default()).then(|| (player.name.clone(), timing))
    };
    game.moves.iter().filter_map(timing).collect()
}

/// A further figure of a move; blank if the player reports none.
fn info_cell(info: MoveInfo, mv: &MoveNote) -> String {
    let details = &mv.details;
    let measured = || {
        let seconds = mv.time?.as_secs_f64();
        (seconds > 0.0).then(|| (mv.nodes as f64 / seconds) as u64)
    };
    let number = match info {
        MoveInfo::Seldepth => details.selective_depth.map(u64::from),
        MoveInfo::Nps => details.nodes_per_second.or_else(measured),
        MoveInfo::Hashfull => details.table_permille.map(u64::from),
        // What ends a comment or a quoted text is left out of a foreign one.
        MoveInfo::Pv => return details.pv.replace(['{', '}', '"'], ""),
    };
    number.map_or_else(String::new, |number| number.to_string())
}

/// Further figures in the comment of a move: `seldepth=12 pv="e2e4 e7e5"`, or as commands.
fn info_text(style: CommentStyle, info: &[MoveInfo], mv: &MoveNote) -> String {
    let known = info.iter().map(|it| (*it, info_cell(*it, mv)));
    let parts = known
        .filter(|(_, cell)| !cell.is_empty())
        .map(|(it, cell)| match (style, it) {
            (CommentStyle::None, _) => String::new(),
            (CommentStyle::Commands, it) => format!(" [%{} {cell}]", it.name()),
            (CommentStyle::Plain, MoveInfo::Pv) => format!(" pv=\"{cell}\""),
            (CommentStyle::Plain, it) => format!(" {}={cell}", it.name()),
        });
    parts.collect()
}

fn move_rows(
    number: u64,
    game: &PlayedGame,
    times: TimeColumns,
    info: &[MoveInfo],
) -> impl Iterator<Item = MoveRow> {
    let mut side = game.first_mover.other();
    let seconds = move |time: Option<Duration>| {
        let text = time.map_or_else(String::new, seconds_text);
        (times == TimeColumns::Present).then_some(text)
    };
    game.moves.iter().enumerate().map(move |(index, mv)| {
        side = side.other();
        let cell = |wanted: MoveInfo| info.contains(&wanted).then(|| info_cell(wanted, mv));
        let mate = mv.score.and_then(mate_distance);
        let plain = mv.score.filter(|_| mate.is_none());
        let units = |score| trimmed(f64::from(score) / f64::from(STEPS));
        MoveRow {
            game: number,
            ply: index as u64 + 1,
            side: side.to_string(),
            text: mv.text.clone(),
            score: plain.map_or_else(String::new, units),
            mate: mate.map_or_else(String::new, |moves| moves.to_string()),
            depth: mv.depth,
            nodes: mv.nodes,
            time: seconds(mv.time),
            clock: seconds(mv.left),
            seldepth: cell(MoveInfo::Seldepth),
            nps: cell(MoveInfo::Nps),
            hashfull: cell(MoveInfo::Hashfull),
            pv: cell(MoveInfo::Pv),
        }
    })
}

/// A score in the format of games.csv and game collections.
fn move_score(score: Score, units_in_one: f64) -> MoveScore {
    match mate_distance(score) {
        Some(moves) => MoveScore::Mate(moves),
        None => MoveScore::Plain(f64::from(score) / f64::from(STEPS) / units_in_one),
    }
}

fn game_row(
    units_in_one: f64,
    pair: u64,
    number: u64,
    [white, black]: [&PlayerSpec; 2],
    game: &PlayedGame,
) -> GameRow {
    let scores = game.moves.iter().map(|mv| mv.score);
    let scores = scores.map(|score| Some(move_score(score?, units_in_one)));
    let moves: Vec<&str> = game.moves.iter().map(|mv| mv.text.as_str()).collect();
    GameRow {
        game: number,
        pair,
        white: white.name.clone(),
        black: black.name.clone(),
        opening: game.opening.clone(),
        result: game.result,
        termination: game.termination.name().to_string(),
        plies: game.moves.len() as u64,
        white_nodes: game.white_nodes,
        black_nodes: game.black_nodes,
        moves: moves.join(" "),
        first_mover: Some(game.first_mover),
        scores: MoveScore::cell(scores),
        times: None,
        origin: None,
    }
}

/// FEN of the position after the last move.
fn last_position(loaded: &Loaded, game: &PlayedGame) -> String {
    let Ok(mut position) = loaded.game.rules().read_fen(&game.opening) else {
        return game.opening.clone();
    };
    for mv in &game.moves {
        // The moves were played, so they are legal.
        let _ = position.play_text(&mv.text);
    }
    position.fen()
}

/// A position as EPD, with the result as other programs write it.
fn epd_line(fen: &str, result: &str) -> String {
    let fields: Vec<&str> = fen.split(' ').take(4).collect();
    format!("{} c9 \"{result}\";\n", fields.join(" "))
}

/// The value of the PGN tag `Termination`.
fn standard_termination(termination: Termination) -> &'static str {
    match termination {
        Termination::Rules(_) => "normal",
        Termination::MaxPlies
        | Termination::NoProgress
        | Termination::AdjudicatedWin
        | Termination::AdjudicatedDraw
        | Termination::TablebaseWin
        | Termination::TablebaseDraw => "adjudication",
        Termination::Forfeit(Fault::IllegalMove) => "rules infraction",
        Termination::Forfeit(Fault::Time | Fault::Stall) => "time forfeit",
        Termination::Forfeit(Fault::Crash) => "abandoned",
    }
}

fn game_text(
    loaded: &Loaded,
    round: String,
    players: [&PlayerSpec; 2],
    game: &PlayedGame,
) -> GameText {
    // Omitted for the usual start position, unless the game has several.
    let rules = loaded.game.rules();
    let usual = rules.usual_start();
    let units_in_one = loaded.game.evaluators().units().units_in_one;
    let is_usual = rules.facts().starts == 1 && game.opening == usual.fen();
    let mut mover = game.first_mover.other();
    let moves = game.moves.iter().map(|mv| {
        mover = mover.other();
        MoveText {
            text: mv.record.clone(),
            comment: loaded.log.comments.comment(&MoveFacts {
                mover,
                score: mv.score.map(|score| move_score(score, units_in_one)),
                depth: mv.depth,
                nodes: mv.nodes,
                time: mv.time,
                left: mv.left,
            }) + &info_text(loaded.log.comments, &loaded.log.info, mv),
        }
    });
    let moves = moves.collect();
    let (date, tags) = match game.began {
        Some(began) => {
            let (date, time) = utc_date_and_time(began);
            (Some(date), timed_tags(players, time))
        }
        None => (None, Vec::new()),
    };
    GameText {
        event: loaded.log.event.clone(),
        site: loaded.log.site.clone(),
        date,
        round,
        white: players[0].name.clone(),
        black: players[1].name.clone(),
        result: game.result,
        termination: standard_termination(game.termination).to_string(),
        ending: game.termination.name().to_string(),
        opening: (!is_usual).then(|| game.opening.clone()),
        second_side_begins: game.first_mover != usual.side_to_move(),
        first_number: game.first_number,
        tags,
        moves,
    }
}

/// Tags of games that depend on time.
fn timed_tags(players: [&PlayerSpec; 2], time: String) -> Vec<(&'static str, String)> {
    let [white, black] = players.map(|player| time_control(&player.limit));
    let mut tags = vec![("UTCTime", time)];
    if white == black {
        tags.push(("TimeControl", white));
    } else {
        tags.push(("WhiteTimeControl", white));
        tags.push(("BlackTimeControl", black));
    }
    tags
}

/// A limit as the tag `TimeControl`, in seconds: `40/60+0.1`; `0.05/move` for a time per move, and `-`
/// without a limit of time.
fn time_control(limit: &Limit) -> String {
    let seconds = |time: Duration| trimmed(time.as_secs_f64());
    match (&limit.clock, &limit.time) {
        (Some(clock), _) => {
            let mut text = clock.moves.map_or_else(String::new, |it| format!("{it}/"));
            text.push_str(&seconds(clock.time));
            if !clock.increment.is_zero() {
                text.push_str(&format!("+{}", seconds(clock.increment)));
            }
            text
        }
        (None, Some(time)) => format!("{}/move", seconds(time.hard)),
        (None, None) => "-".to_string(),
    }
}
