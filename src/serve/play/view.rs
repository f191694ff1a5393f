//! A game as JSON: what a page draws.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::watch;

use super::opponents::settings_of;
use super::session::{Ended, Hint, Job, Ply, Seat, Session, State};
use super::why::records;
use crate::eval::{STEPS, Score};
use crate::games::{AnyPosition, GameResult, LegalMove, Side};
use crate::record::{CollectionFormat, GameText, MoveText};
use crate::search::mate_distance;
use crate::serve::{Event, Refusal, Reply, Source};

/// A score in the unit shown to users, from white's side: `{"value": 0.35}` or `{"mate": -3}`.
pub fn score_json(score: Score, mover: Side, units_in_one: f64) -> Value {
    let sign = mover.sign();
    match mate_distance(score) {
        Some(moves) => json!({ "mate": moves * sign }),
        None => static_json(f64::from(score * sign) / f64::from(STEPS), units_in_one),
    }
}

/// A score in units from white's side.
pub fn static_json(units: f64, units_in_one: f64) -> Value {
    // Negative zero reads as an advantage of nothing.
    let value = (units / units_in_one * 1e4).round() / 1e4 + 0.0;
    json!({ "value": value })
}

/// A score for a sentence, from its own side.
pub fn score_words(score: Score, units_in_one: f64) -> String {
    match mate_distance(score) {
        Some(moves) => format!("mate in {}", moves.abs()),
        None => format!("{:+.2}", f64::from(score) / f64::from(STEPS) / units_in_one),
    }
}

/// The letters of all squares, row by row from the top left; a blank is not played on.
pub fn letters(position: &dyn AnyPosition) -> String {
    let facts = position.rules().facts();
    (0..facts.rows * facts.columns)
        .map(|at| position.letter_at(at / facts.columns, at % facts.columns))
        .collect()
}

pub fn move_json(mv: &LegalMove) -> Value {
    json!({
        "text": mv.text,
        "record": mv.record,
        "capture": mv.is_capture,
        "routes": mv.routes,
    })
}

/// A position without a game.
pub fn board_json(position: &dyn AnyPosition) -> Value {
    let legal: Vec<Value> = position.legal_moves().iter().map(move_json).collect();
    json!({
        "fen": position.fen(),
        "letters": letters(position),
        "turn": position.side_to_move(),
        "end": position.end().map(|outcome| outcome.reason.name()),
        "legal": legal,
    })
}

/// The king in check: the mover's piece with the letter of a king.
fn checked(position: &dyn AnyPosition) -> Option<usize> {
    let king = match position.side_to_move() {
        Side::White => 'K',
        Side::Black => 'k',
    };
    position
        .in_check()
        .then(|| letters(position).chars().position(|letter| letter == king))?
}

fn seat_json(state: &State, side: Side) -> Value {
    match &state.seats[side as usize] {
        Seat::Human => json!({ "kind": "human", "name": "Player" }),
        Seat::Bot { player, engine } => json!({
            "kind": "bot",
            "name": player.name,
            "engine": engine.as_ref().map(|(config, player)| json!({ "config": config, "player": player })),
            "settings": settings_of(state.game, player),
        }),
    }
}

fn ply_json(ply: &Ply, units_in_one: f64) -> Value {
    let found = ply.found.as_ref().map(|found| {
        json!({
            "score": found.score.map(|score| score_json(score, ply.side, units_in_one)),
            "depth": found.depth,
            "nodes": found.nodes,
            "ms": found.time.as_millis() as u64,
        })
    });
    json!({ "text": ply.mv.text, "record": ply.mv.record, "side": ply.side, "found": found })
}

fn end_json(end: &Ended) -> Value {
    json!({
        "result": end.result.text(),
        "winner": end.result.winner(),
        "reason": end.reason,
    })
}

/// Everything but the reports of a search and the explanation.
pub fn game_state(session: &Session, state: &State) -> Value {
    let position = state.position();
    let units = state.game.evaluators().units();
    let turn = state.turn();
    let end = state.end();
    let legal: Vec<Value> = match end {
        Some(_) => Vec::new(),
        None => position.legal_moves().iter().map(move_json).collect(),
    };
    let last = state.at.checked_sub(1).map(|at| &state.line[at]);
    let moves: Vec<Value> = state
        .line
        .iter()
        .map(|ply| ply_json(ply, units.units_in_one))
        .collect();
    let clock = state.clock.as_ref().map(|clock| {
        json!({
            "white": clock.left(Side::White, turn).as_millis() as u64,
            "black": clock.left(Side::Black, turn).as_millis() as u64,
            "running": clock.is_running(),
        })
    });
    let hint = match &state.hint {
        Some(Hint::Found(mv)) => move_json(mv),
        Some(Hint::Wanted) => json!("wanted"),
        None => Value::Null,
    };
    json!({
        "id": session.id,
        "version": state.version,
        "game": state.game.name(),
        "fen": position.fen(),
        "opening": state.positions[0].fen(),
        "firstMover": state.positions[0].side_to_move(),
        "firstNumber": state.positions[0].move_number(),
        "letters": letters(position),
        "turn": turn,
        "seats": { "white": seat_json(state, Side::White), "black": seat_json(state, Side::Black) },
        "moves": moves,
        "at": state.at,
        "last": last.map(|ply| json!({ "text": ply.mv.record, "route": ply.mv.routes.first() })),
        "check": checked(position),
        "legal": legal,
        "end": end.as_ref().map(end_json),
        "thinking": state.running.as_ref().is_some_and(|running| running.job == Job::Think),
        "bot": state.bot_to_move().is_some(),
        "paused": state.paused,
        "delay": state.delay.as_millis() as u64,
        "clock": clock,
        "offer": state.offer,
        "says": state.says,
        "hint": hint,
        "undo": state.undo_to(),
        "redo": state.redo_to(),
        "unit": units.counted_in,
    })
}

fn progress_state(state: &State) -> Value {
    let units = state.game.evaluators().units().units_in_one;
    state.progress.as_ref().map_or(Value::Null, |progress| {
        json!({
            "side": progress.side,
            "depth": progress.depth,
            "selectiveDepth": progress.selective_depth,
            "score": score_json(progress.score, progress.side, units),
            "nodes": progress.nodes,
            "ms": progress.elapsed.as_millis() as u64,
            "line": records(state.position(), &progress.pv),
        })
    })
}

fn why_state(state: &State) -> Value {
    let Some(why) = &state.why else {
        return Value::Null;
    };
    let units = state.game.evaluators().units().units_in_one;
    let turn = state.turn();
    let answer = |answer: &super::why::Answer| {
        let moves = answer.moves.iter().map(|(text, record, score)| {
            json!({ "text": text, "record": record, "score": score_json(*score, turn, units) })
        });
        json!({
            "at": answer.at,
            "fen": answer.fen,
            "terms": answer.terms,
            "score": answer.score,
            "best": answer.best,
            "moves": moves.collect::<Vec<_>>(),
            "of": answer.of,
            "graph": answer.graph,
            "done": answer.done,
            "cut": answer.cut,
        })
    };
    let mut value = answer(&why.answer);
    value["evaluator"] = json!(why.request.spec.evaluator);
    value["depth"] = json!(why.request.depth);
    value["movesDepth"] = json!(why.request.moves_depth);
    value["before"] = why.before.as_ref().map_or(Value::Null, answer);
    value
}

/// The events of a game: `game`, `thought` and `why`, each when it has changed.
pub fn events(session: Arc<Session>) -> Reply {
    session.arrive();
    Reply::events(Stream {
        session,
        sent: [const { String::new() }; 3],
    })
}

struct Stream {
    session: Arc<Session>,
    sent: [String; 3],
}

impl Source for Stream {
    fn poll(&mut self) -> Option<Vec<Event>> {
        let (values, closed) = self.session.read(|state| {
            let values = [
                ("game", game_state(&self.session, state)),
                ("thought", progress_state(state)),
                ("why", why_state(state)),
            ];
            (values, state.closed)
        });
        if closed {
            return None;
        }
        let mut events = Vec::new();
        for ((name, mut value), sent) in values.into_iter().zip(&mut self.sent) {
            // The version changes with every report of a search; alone it is no news.
            let version = value.get_mut("version").map(Value::take);
            let data = value.to_string();
            if data != *sent {
                sent.clone_from(&data);
                if let Some(version) = version {
                    value["version"] = version;
                }
                events.push(Event {
                    name,
                    data: value.to_string(),
                });
            }
        }
        Some(events)
    }

    fn wake(&self) -> Option<watch::Receiver<u64>> {
        Some(self.session.versions())
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.session.depart();
    }
}

/// The game as a file: `fen`, or the collection format of the game.
pub fn export(state: &State, format: &str) -> Result<(String, String), Refusal> {
    let facts = state.game.facts();
    let name = format!(
        "{}-{}-{}",
        state.game.name(),
        state.seats[0].name(),
        state.seats[1].name()
    );
    if format == "fen" {
        return Ok((
            format!("{name}.fen"),
            format!("{}\n", state.position().fen()),
        ));
    }
    if format != facts.collection {
        let message = format!("format `{format}`: expected fen or {}", facts.collection);
        return Err(Refusal::bad_request(message));
    }
    let usual = state.game.rules().usual_start();
    let opening = state.positions[0].fen();
    let is_usual = facts.starts == 1 && opening == usual.fen();
    let units = state.game.evaluators().units().units_in_one;
    let moves = state.line.iter().map(|ply| MoveText {
        text: ply.mv.record.clone(),
        comment: ply.found.as_ref().map_or_else(String::new, |found| {
            let score = found
                .score
                .map_or_else(String::new, |score| match mate_distance(score) {
                    Some(moves) => format!("M{moves}/"),
                    None => format!("{:.2}/", f64::from(score) / f64::from(STEPS) / units),
                });
            format!("{score}{} {}n", found.depth, found.nodes)
        }),
    });
    let end = state.end().filter(|_| state.is_at_tip());
    let text = GameText {
        event: "sparring serve".to_string(),
        site: "sparring".to_string(),
        date: None,
        tags: Vec::new(),
        round: "-".to_string(),
        white: state.seats[0].name().to_string(),
        black: state.seats[1].name().to_string(),
        result: end.as_ref().map_or(GameResult::Draw, |end| end.result),
        termination: if end.is_some() {
            "normal"
        } else {
            "unterminated"
        }
        .to_string(),
        ending: end
            .as_ref()
            .map_or("unterminated", |end| end.reason)
            .to_string(),
        opening: (!is_usual).then_some(opening),
        second_side_begins: state.positions[0].side_to_move() != usual.side_to_move(),
        first_number: state.positions[0].move_number(),
        moves: moves.collect(),
    };
    let tags = facts.collection_tags.iter();
    let format = CollectionFormat {
        extension: facts.collection,
        tags: tags
            .map(|(name, value)| (name.to_string(), value.to_string()))
            .collect(),
    };
    let mut written = format.write(&text);
    if end.is_none() {
        // A result that is not known yet is an asterisk.
        written = written.replace("[Result \"1/2-1/2\"]", "[Result \"*\"]");
        let trimmed = written
            .trim_end()
            .strip_suffix("1/2-1/2")
            .map(str::to_string);
        written = trimmed.map_or(written, |start| format!("{start}*\n\n"));
    }
    Ok((format!("{name}.{}", facts.collection), written))
}
