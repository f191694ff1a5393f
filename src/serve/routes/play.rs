//! Games on the page: begin one, act in it, follow it.

use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;

use super::Route;
use crate::config;
use crate::eval::catalog::GameId;
use crate::games::{AnyPosition, Side};
use crate::play::SearchSpec;
use crate::record::{GameRow, read_games};
use crate::serve::play::{
    self, SeatRequest, Session, Start, State, WhyRequest, confined, player_of, seat_of, side_of,
    strongest,
};
use crate::serve::{App, Refusal, Reply, Request};

pub const ROUTES: &[Route] = &[
    Route::get("/api/games", games),
    Route::get("/api/games/{game}", game),
    Route::post("/api/position", position),
    Route::post("/api/text", text),
    Route::post("/api/player", player),
    Route::post("/api/play", begin),
    Route::get("/api/play/{id}", show),
    Route::get("/api/play/{id}/events", events),
    Route::get("/api/play/{id}/export", export),
    Route::get("/api/play/{id}/position/{ply}", past),
    Route::post("/api/play/{id}/{action}", act),
    Route::get("/api/reported/{run}/{game}", reported),
];

fn game_of(name: &str) -> Result<GameId, Refusal> {
    GameId::from_name(name).ok_or_else(|| {
        let hint = config::did_you_mean(name, GameId::ALL.iter().map(|game| game.name()));
        Refusal::not_found(format!("game `{name}`: unknown; {hint}"))
    })
}

fn games(_: &Request) -> Result<Reply, Refusal> {
    Reply::json(&play::games_json())
}

fn game(request: &Request) -> Result<Reply, Refusal> {
    let game = game_of(request.param("game"))?;
    Reply::json(&play::game_json(&request.app, game))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PositionRequest {
    game: String,
    fen: Option<String>,
    letters: Option<String>,
    side: Option<Side>,
    /// What follows the side to move in the FEN, such as castling rights.
    #[serde(default)]
    rest: String,
}

/// Reads a position as typed or as drawn in the editor.
fn position(request: &Request) -> Result<Reply, Refusal> {
    let asked: PositionRequest = request.json()?;
    let game = game_of(&asked.game)?;
    let fen = match (&asked.fen, &asked.letters) {
        (Some(fen), None) => fen.clone(),
        (None, Some(letters)) => {
            let side = asked.side.unwrap_or(Side::White);
            play::fen_of(game.rules(), letters, side, &asked.rest)
        }
        _ => return Err(Refusal::bad_request("expected either fen or letters")),
    };
    let position = read_fen(game, &fen)?;
    Reply::json(&play::board_json(position.as_ref()))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TextRequest {
    game: String,
    text: String,
}

/// Reads pasted text: a FEN, or the first game of a collection.
fn text(request: &Request) -> Result<Reply, Refusal> {
    let asked: TextRequest = request.json()?;
    let game = game_of(&asked.game)?;
    let read = play::read_text(game, asked.text.trim()).map_err(Refusal::invalid)?;
    Reply::json(&json!({
        "fen": read.fen,
        "moves": read.moves,
        "white": read.white,
        "black": read.black,
    }))
}

fn read_fen(game: GameId, fen: &str) -> Result<Box<dyn AnyPosition>, Refusal> {
    const MOST: usize = 1000;
    if fen.len() > MOST {
        return Err(Refusal::invalid(format!(
            "a FEN of more than {MOST} characters"
        )));
    }
    game.rules().read_fen(fen).map_err(Refusal::invalid)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayerRequest {
    game: String,
    settings: Vec<(String, String)>,
}

/// Checks the settings of a form.
fn player(request: &Request) -> Result<Reply, Refusal> {
    let asked: PlayerRequest = request.json()?;
    let game = game_of(&asked.game)?;
    let player = player_of(&request.app, game, &asked.settings)?;
    Reply::json(&json!({ "settings": play::settings_of(game, &player) }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BeginRequest {
    game: String,
    white: SeatRequest,
    black: SeatRequest,
    fen: Option<String>,
    /// The number of the start position, in games with several.
    start: Option<u32>,
    #[serde(default)]
    moves: Vec<String>,
    /// Time of each side and increment per move, in milliseconds.
    clock: Option<(u64, u64)>,
    #[serde(default)]
    delay: u64,
    #[serde(default)]
    paused: bool,
}

/// A day: no longer clock is shown.
const MOST_TIME: u64 = 24 * 3600 * 1000;
const MOST_DELAY: u64 = 60_000;

fn begin(request: &Request) -> Result<Reply, Refusal> {
    let asked: BeginRequest = request.json()?;
    let game = game_of(&asked.game)?;
    let rules = game.rules();
    let position = match (&asked.fen, asked.start) {
        (Some(fen), _) => read_fen(game, fen)?,
        (None, Some(number)) if number < rules.facts().starts => rules.start(number),
        (None, Some(number)) => {
            let most = rules.facts().starts - 1;
            return Err(Refusal::invalid(format!(
                "start {number}: expected 0 to {most}"
            )));
        }
        (None, None) => rules.usual_start(),
    };
    let clock = match asked.clock {
        Some((time, increment)) if (1000..=MOST_TIME).contains(&time) && increment <= MOST_TIME => {
            Some((
                Duration::from_millis(time),
                Duration::from_millis(increment),
            ))
        }
        Some(_) => return Err(Refusal::invalid("clock: expected 1 second to 24 hours")),
        None => None,
    };
    let start = Start {
        game,
        position,
        moves: asked.moves,
        seats: [
            seat_of(&request.app, game, &asked.white)?,
            seat_of(&request.app, game, &asked.black)?,
        ],
        clock,
        delay: Duration::from_millis(asked.delay.min(MOST_DELAY)),
        paused: asked.paused,
    };
    let session = request.app.games.add(start)?;
    Reply::json(&session.read(|state| play::game_state(&session, state)))
}

fn find(request: &Request) -> Result<Arc<Session>, Refusal> {
    request.app.games.find(request.param("id"))
}

fn show(request: &Request) -> Result<Reply, Refusal> {
    let session = find(request)?;
    Reply::json(&session.read(|state| play::game_state(&session, state)))
}

fn events(request: &Request) -> Result<Reply, Refusal> {
    Ok(play::events(find(request)?))
}

fn export(request: &Request) -> Result<Reply, Refusal> {
    let session = find(request)?;
    let format = request.query("format").unwrap_or("fen");
    let (name, text) = session.read(|state| play::export(state, format))?;
    Ok(Reply::download("text/plain; charset=utf-8", &name, text))
}

/// A position of the game, to look at.
fn past(request: &Request) -> Result<Reply, Refusal> {
    let session = find(request)?;
    let ply: usize = request
        .param("ply")
        .parse()
        .map_err(|_| Refusal::bad_request("ply: expected a whole number"))?;
    session.read(|state| match state.positions.get(ply) {
        Some(position) => Reply::json(&play::board_json(position.as_ref())),
        None => Err(Refusal::not_found(format!(
            "the game has {} moves",
            state.line.len()
        ))),
    })
}

/// The fields of the actions; each action reads its own.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ActRequest {
    #[serde(rename = "move")]
    text: Option<String>,
    /// The ply at which the page made the move: a click on an old board is refused.
    at: Option<usize>,
    ply: Option<usize>,
    side: Option<String>,
    seat: Option<SeatRequest>,
    paused: Option<bool>,
    delay: Option<u64>,
    why: Option<WhyFields>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WhyFields {
    /// The settings of the evaluator and search; the bot's own if there are none.
    settings: Option<Vec<(String, String)>>,
    depth: u32,
    moves_depth: u32,
}

fn act(request: &Request) -> Result<Reply, Refusal> {
    let session = find(request)?;
    let asked: ActRequest = request.json()?;
    let missing = |what: &str| Refusal::bad_request(format!("`{what}` is missing"));
    match request.param("action") {
        "leave" => session.leave(),
        "move" => {
            let text = asked.text.ok_or_else(|| missing("move"))?;
            session.act(|state| match asked.at {
                Some(at) if at != state.at => {
                    Err(Refusal::conflict("the game has gone on meanwhile"))
                }
                _ => state.play(&text),
            })?;
        }
        "goto" => {
            let ply = asked.ply.ok_or_else(|| missing("ply"))?;
            session.act(|state| state.go_to(ply))?;
        }
        "undo" => session.act(|state| step_to(state, state.undo_to(), "take back"))?,
        "redo" => session.act(|state| step_to(state, state.redo_to(), "play again"))?,
        "continue" => session.act(State::continue_here),
        "resign" => session.act(State::resign)?,
        "draw" => session.act(State::offer_draw)?,
        "hint" => session.act(State::want_hint)?,
        "now" => session.act(State::move_now)?,
        "seat" => {
            let side = side_of(&asked.side.ok_or_else(|| missing("side"))?)?;
            let game = session.read(|state| state.game);
            let seat = seat_of(
                &request.app,
                game,
                &asked.seat.ok_or_else(|| missing("seat"))?,
            )?;
            session.act(|state| state.seat(side, seat));
        }
        "pause" => {
            let paused = asked.paused.ok_or_else(|| missing("paused"))?;
            session.act(|state| state.pause(paused));
        }
        "step" => session.act(State::step_once),
        "speed" => {
            let delay = asked.delay.ok_or_else(|| missing("delay"))?.min(MOST_DELAY);
            session.act(|state| state.delay = Duration::from_millis(delay));
        }
        "why" => {
            let why = asked
                .why
                .map(|fields| why_request(&request.app, &session, &fields))
                .transpose()?;
            session.act(|state| state.ask_why(why));
        }
        other => {
            return Err(Refusal::not_found(format!("no such action `{other}`")));
        }
    }
    Reply::json(&session.read(|state| play::game_state(&session, state)))
}

fn step_to(state: &mut State, ply: Option<usize>, what: &str) -> Result<(), Refusal> {
    match ply {
        Some(ply) => state.go_to(ply),
        None => Err(Refusal::conflict(format!("no move to {what}"))),
    }
}

fn why_request(app: &App, session: &Session, fields: &WhyFields) -> Result<WhyRequest, Refusal> {
    for depth in [fields.depth, fields.moves_depth] {
        if !(1..=play::MOST_DEPTH).contains(&depth) {
            return Err(Refusal::invalid(format!(
                "depth = {depth}: expected 1 to {}",
                play::MOST_DEPTH
            )));
        }
    }
    let game = session.read(|state| state.game);
    let player = match &fields.settings {
        Some(settings) => Some(player_of(app, game, settings)?),
        None => session
            .read(|state| state.lens().cloned())
            .or_else(|| strongest(game)),
    };
    let spec: Option<&SearchSpec> = player.as_ref().and_then(|player| player.search());
    let spec = spec.ok_or_else(|| Refusal::conflict("an engine does not explain itself"))?;
    Ok(WhyRequest {
        spec: spec.clone(),
        depth: fields.depth,
        moves_depth: fields.moves_depth,
    })
}

/// A game of a run, to continue: opening and moves.
fn reported(request: &Request) -> Result<Reply, Refusal> {
    let number: u64 = request
        .param("game")
        .parse()
        .map_err(|_| Refusal::bad_request("game: expected a number"))?;
    let row = read_row(&request.app, request.param("run"), number)?;
    let game = game_of_run(&request.app, request.param("run"))?;
    Reply::json(&json!({
        "game": game.name(),
        "white": row.white,
        "black": row.black,
        "result": row.result.text(),
        "termination": row.termination,
        "fen": row.opening,
        "moves": row.moves.split_whitespace().collect::<Vec<_>>(),
    }))
}

fn game_of_run(app: &App, run: &str) -> Result<GameId, Refusal> {
    let folder = confined(&app.reports, run)?;
    let manifest = crate::record::Manifest::read(&folder).map_err(Refusal::not_found)?;
    game_of(&manifest.game)
}

fn read_row(app: &App, run: &str, number: u64) -> Result<GameRow, Refusal> {
    let path = confined(&app.reports, run)?.join("games.csv");
    let mut found = None;
    read_games(&path, |row, _| {
        if row.game == number {
            found = Some(row);
        }
        Ok(())
    })
    .map_err(Refusal::not_found)?;
    found.ok_or_else(|| Refusal::not_found(format!("{run}: no game {number}")))
}
