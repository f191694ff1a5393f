//! Runs on the page: the list, one run, several compared, and starting and stopping them.

use serde::Deserialize;
use serde_json::json;

use super::Route;
use crate::serve::runs::{self, Draft, StartRequest};
use crate::serve::{Refusal, Reply, Request};

pub const ROUTES: &[Route] = &[
    Route::get("/api/runs/events", list),
    Route::get("/api/runs/compare", compare),
    Route::get("/api/run/{run}/events", events),
    Route::get("/api/run/{run}/game/{game}", game),
    Route::get("/api/run/{run}/file/{name}", file),
    Route::post("/api/run/{run}/stop", stop),
    Route::post("/api/run/{run}/resume", resume),
    Route::get("/api/configs", configs),
    Route::get("/api/configs/{kind}/{name}", template),
    Route::post("/api/draft", check),
    Route::post("/api/start", start),
];

fn list(request: &Request) -> Result<Reply, Refusal> {
    Ok(runs::list_events(&request.app))
}

fn events(request: &Request) -> Result<Reply, Refusal> {
    runs::events(&request.app, request.param("run"))
}

fn compare(request: &Request) -> Result<Reply, Refusal> {
    Reply::json(&runs::compare(&request.app, &request.queries("run"))?)
}

fn game(request: &Request) -> Result<Reply, Refusal> {
    let number: u64 = request
        .param("game")
        .parse()
        .map_err(|_| Refusal::bad_request("game: expected a number"))?;
    Reply::json(&runs::game(&request.app, request.param("run"), number)?)
}

fn file(request: &Request) -> Result<Reply, Refusal> {
    runs::file(&request.app, request.param("run"), request.param("name"))
}

fn stop(request: &Request) -> Result<Reply, Refusal> {
    runs::stop(&request.app, request.param("run"))?;
    Ok(Reply::done())
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ResumeRequest {
    threads: Option<usize>,
    /// Opening pairs of each pairing, or games of a tuning run: more than before.
    more: Option<u64>,
}

fn resume(request: &Request) -> Result<Reply, Refusal> {
    let asked: ResumeRequest = request.json()?;
    let threads = runs::checked_threads(asked.threads)?;
    runs::resume(&request.app, request.param("run"), threads, asked.more)?;
    Ok(Reply::done())
}

fn configs(request: &Request) -> Result<Reply, Refusal> {
    Reply::json(&runs::configs(&request.app))
}

fn template(request: &Request) -> Result<Reply, Refusal> {
    let (kind, name) = (request.param("kind"), request.param("name"));
    Reply::json(&json!({ "text": runs::template(&request.app, kind, name)? }))
}

fn check(request: &Request) -> Result<Reply, Refusal> {
    let draft: Draft = request.json()?;
    Reply::json(&runs::check(&request.app, &draft)?)
}

fn start(request: &Request) -> Result<Reply, Refusal> {
    let asked: StartRequest = request.json()?;
    Reply::json(&json!({ "run": runs::start(&request.app, &asked)? }))
}
