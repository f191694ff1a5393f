//! Explanations beside the board: the terms of the score, the best line, the score of every move at a shallow depth, and
//! how the score went through the game.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::session::{Session, State};
use super::view::{score_json, static_json};
use super::worker::new_bot;
use crate::eval::catalog::GameId;
use crate::games::AnyPosition;
use crate::play::{Ask, SearchSpec};
use crate::search::{Limit, Signal};

/// What is asked: by whose evaluator and search, and how deep.
#[derive(Clone, Debug, PartialEq)]
pub struct WhyRequest {
    pub spec: SearchSpec,
    /// Depth of the best line.
    pub depth: u32,
    /// Depth at which each move is scored.
    pub moves_depth: u32,
}

/// The depths that a page may ask for.
pub const MOST_DEPTH: u32 = 12;
/// The scores of moves are sent this often while they are searched.
const PIECE: Duration = Duration::from_millis(150);

/// What is known so far.
pub struct Why {
    pub request: WhyRequest,
    /// Tells it from an earlier one with the same request.
    asked: Instant,
    /// The position's ticket and ply when the answer began.
    answered: Option<(u64, usize)>,
    pub answer: Answer,
    /// The last complete answer: a change of a player begins the present one again.
    complete: Option<Answer>,
    /// The answer to the previous request about the same position: what a changed weight changes.
    pub before: Option<Answer>,
}

#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The position it is about.
    pub fen: String,
    pub at: usize,
    pub terms: Value,
    pub score: Value,
    /// Best move, score and line.
    pub best: Value,
    /// Each legal move with its score, best first.
    pub moves: Vec<(String, String, i32)>,
    pub of: usize,
    /// The static score after each move of the game.
    pub graph: Vec<Value>,
    pub done: bool,
    /// Whether it ended before everything was searched: the depth takes too long.
    pub cut: bool,
}

impl Why {
    pub fn new(request: WhyRequest, earlier: Option<Why>) -> Why {
        let before = earlier.and_then(|earlier| match earlier.request == request {
            true => earlier.before,
            false => earlier.complete.or(earlier.before),
        });
        Why {
            request,
            asked: Instant::now(),
            answered: None,
            answer: Answer::default(),
            complete: None,
            before,
        }
    }

    /// `cut`: the search took too long.
    fn finish(&mut self, cut: bool) {
        self.answer.done = true;
        self.answer.cut = cut;
        self.complete = Some(self.answer.clone());
    }

    pub fn is_answered(&self, state: &State) -> bool {
        self.answered == Some((state.ticket, state.at))
    }
}

/// The terms of a position.
pub fn terms_json(game: GameId, spec: &SearchSpec, position: &dyn AnyPosition) -> (Value, Value) {
    let evaluators = game.evaluators();
    let Some(preset) = evaluators.preset(spec.evaluator) else {
        return (Value::Null, Value::Null);
    };
    let units = evaluators.units();
    let explained = preset.explain(&spec.weights, position);
    let shown = |units_of: f64| (units_of / units.units_in_one * 1e4).round() / 1e4;
    let terms = explained.terms.iter().map(|term| {
        json!({
            "name": term.name,
            "group": term.group,
            "white": shown(term.white),
            "black": shown(term.black),
            "whiteCount": term.white_count,
            "blackCount": term.black_count,
            "weight": term.weight.map(|(opening, ending)| [opening, ending]),
        })
    });
    (
        terms.collect(),
        static_json(explained.score, units.units_in_one),
    )
}

/// Answers the question of the state step by step.
pub fn answer(session: &Session, ticket: u64, signal: &Arc<Signal>) {
    let asked = session.read(|state| {
        let why = state.why.as_ref()?;
        let positions: Vec<Box<dyn AnyPosition>> = state.positions.clone();
        Some((
            (why.request.clone(), why.asked),
            state.game,
            state.at,
            positions,
            state.history(),
            state.end().is_some(),
        ))
    });
    let Some(((request, asked), game, at, positions, history, over)) = asked else {
        return;
    };
    let position = positions[at].as_ref();
    let side = position.side_to_move();
    // The answer is dropped when it is not wanted any more.
    let put = |put: &mut dyn FnMut(&mut Why)| {
        session.change(|state| {
            let wanted = state.ticket == ticket;
            if let Some(why) = state
                .why
                .as_mut()
                .filter(|why| wanted && why.asked == asked)
            {
                put(why);
            }
        });
    };
    let (terms, score) = terms_json(game, &request.spec, position);
    let graph: Vec<Value> = positions
        .iter()
        .map(|position| terms_json(game, &request.spec, position.as_ref()).1)
        .collect();
    put(&mut |why| {
        why.answered = Some((ticket, at));
        // A comparison is about one position.
        if why
            .before
            .as_ref()
            .is_some_and(|before| before.fen != position.fen())
        {
            why.before = None;
        }
        why.answer = Answer {
            fen: position.fen(),
            at,
            terms: terms.clone(),
            score: score.clone(),
            graph: graph.clone(),
            ..Answer::default()
        };
    });
    if over {
        put(&mut |why| why.finish(false));
        return;
    }
    let Some(mut bot) = new_bot(game, &request.spec) else {
        return;
    };
    let mut think = |depth: u32, only: &[usize]| {
        bot.clear();
        let ask = Ask {
            position,
            history: &history,
            limit: Limit::depth(depth),
            only,
            signal: Some(Arc::clone(signal)),
        };
        bot.think(&ask, &mut |_| {})
    };
    let found = think(request.depth, &[]);
    // A search that was stopped before its first depth has no score.
    if found.depth > 0 {
        let units = game.evaluators().units().units_in_one;
        let best = json!({
            "move": found.best,
            "score": score_json(found.score, side, units),
            "line": records(position, &found.pv),
            "nodes": found.nodes,
            "depth": found.depth,
        });
        put(&mut |why| why.answer.best = best.clone());
    }
    // Every move by a separate search.
    let legal = position.legal_moves();
    let mut scored = Vec::new();
    let mut told = Instant::now();
    for (number, mv) in legal.iter().enumerate() {
        let found = think(request.moves_depth, &[number]);
        if signal.stop_requested() {
            put(&mut |why| why.finish(true));
            return;
        }
        scored.push((mv.text.clone(), mv.record.clone(), found.score));
        let done = scored.len() == legal.len();
        if done || told.elapsed() >= PIECE {
            told = Instant::now();
            // Stable: equal moves stay in the order of the generator.
            scored.sort_by_key(|(_, _, score)| -score);
            put(&mut |why| {
                why.answer.moves = scored.clone();
                why.answer.of = legal.len();
                if done {
                    why.finish(false);
                }
            });
        }
    }
}

/// A line in the notation of game collections.
pub fn records(position: &dyn AnyPosition, texts: &[String]) -> Vec<String> {
    let mut position = position.clone_box();
    let mut records = Vec::new();
    for text in texts {
        let Ok(number) = position.find_move(text) else {
            break;
        };
        let Some(mv) = position.legal_move(number) else {
            break;
        };
        records.push(mv.record);
        if !position.play(number) {
            break;
        }
    }
    records
}
