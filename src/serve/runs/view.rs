//! What the pages of runs show: the list and single runs as events, and files of a run.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::{Value, json};

use super::games::thumbnail;
use super::state::{self, LIST_EVERY, RunEntry};
use super::watched::Watched;
use super::{READ_TIME, games, prepared};
use crate::eval::catalog::GameId;
use crate::record::figures;
use crate::report::{self, PageTable, ReportData, elo_text, likelihood, score_text};
use crate::serve::play::{confined, lock};
use crate::serve::{App, Event, OpenFile, Policy, Refusal, Reply, Source};
use crate::stats::Estimate;

/// Charts are drawn again after this time, or ten times the time that it took.
const DRAW_EVERY: Duration = Duration::from_millis(1500);

/// The list: all entries first, then those that changed.
struct ListStream {
    app: Arc<App>,
    sent: HashMap<String, RunEntry>,
    begun: bool,
}

pub fn list_events(app: &Arc<App>) -> Reply {
    Reply::events(ListStream {
        app: Arc::clone(app),
        sent: HashMap::new(),
        begun: false,
    })
}

impl Source for ListStream {
    fn poll(&mut self) -> Option<Vec<Event>> {
        let entries = self.app.runs.all();
        let gone: Vec<String> = self
            .sent
            .keys()
            .filter(|id| entries.iter().all(|entry| entry.id != **id))
            .cloned()
            .collect();
        self.sent.retain(|id, _| !gone.contains(id));
        let mut news = Vec::new();
        for entry in entries {
            let known = self.sent.get(&entry.id);
            if known.is_none_or(|old| state::is_news(old, &entry)) {
                self.sent.insert(entry.id.clone(), entry.clone());
                news.push(entry);
            }
        }
        if self.begun && news.is_empty() && gone.is_empty() {
            return Some(Vec::new());
        }
        // A browser that connects again begins with all of them.
        let all = !self.begun;
        self.begun = true;
        let value = json!({ "all": all, "runs": news, "gone": gone });
        Event::json("runs", &value).map(|event| vec![event])
    }

    fn every(&self) -> Duration {
        LIST_EVERY
    }
}

/// What a page shows of a run, drawn once for all pages.
pub struct PageParts {
    version: u64,
    drawn: Instant,
    took: Duration,
    /// Name, hash and text.
    events: Vec<(String, &'static str, u64, Arc<str>)>,
}

impl PageParts {
    fn of(run: &mut Watched) -> Option<PageParts> {
        let begun = Instant::now();
        let version = run.version();
        let game = run.manifest().and_then(|it| GameId::from_name(&it.game));
        let latest: Vec<Value> = run
            .latest()
            .iter()
            .rev()
            .filter_map(|row| Some(thumbnail(game?, row)))
            .collect();
        let game = game.map(GameId::name);
        let data = run.data()?;
        let mut events = Vec::new();
        let mut add = |key: String, name: &'static str, value: &Value| {
            let text: Arc<str> = value.to_string().into();
            events.push((key, name, hash(&text), text));
        };
        add("summary".to_string(), "summary", &summary(data));
        add("tables".to_string(), "tables", &tables(data));
        add(
            "latest".to_string(),
            "latest",
            &json!({ "game": game, "games": latest }),
        );
        for (name, chart) in charts(data) {
            add(format!("chart {name}"), "chart", &chart);
        }
        Some(PageParts {
            version,
            drawn: Instant::now(),
            took: begun.elapsed(),
            events,
        })
    }

    fn is_due(&self) -> bool {
        self.drawn.elapsed() >= DRAW_EVERY.max(10 * self.took)
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// The charts with their names; those that cannot be drawn are left out, as in a report.
pub fn charts(data: &ReportData) -> Vec<(&'static str, Value)> {
    let drawn = report::drawings(data).into_iter().filter_map(|drawing| {
        let [svg, narrow] = drawing.embedded().ok()?;
        let chart = drawing.chart;
        let value = json!({ "name": chart.name, "help": chart.help, "svg": svg, "narrow": narrow });
        Some((chart.name, value))
    });
    drawn.collect()
}

#[derive(Serialize)]
struct Figure {
    text: String,
    value: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
}

fn figure(estimate: &Estimate, text: String) -> Figure {
    Figure {
        text,
        value: estimate.value,
        low: estimate.low,
        high: estimate.high,
    }
}

/// A player's row: rank, name, wins, draws and losses, score, Elo and LOS.
pub fn player(
    rank: usize,
    name: &str,
    games: [u64; 3],
    score: &Estimate,
    elo: &Estimate,
    los: String,
) -> Value {
    let [wins, draws, losses] = games;
    json!({
        "rank": rank,
        "name": name,
        "games": wins + draws + losses,
        "wins": wins,
        "draws": draws,
        "losses": losses,
        "score": figure(score, score_text(score)),
        "elo": figure(elo, elo_text(elo)),
        "eloFigure": figures::decimal_or_blank(elo.value, 1),
        "interval": figures::interval(elo),
        "los": los,
    })
}

/// Sentences and standings.
pub fn summary(data: &ReportData) -> Value {
    let standings: Vec<Value> = data
        .standings
        .players
        .iter()
        .map(|row| {
            let games = [row.games.wins, row.games.draws, row.games.losses];
            let los = row.los.map_or_else(String::new, likelihood);
            player(row.rank, &row.name, games, &row.score, &row.elo, los)
        })
        .collect();
    let headline = report::headline(data).map(|headline| headline.text);
    let sentences: Vec<String> = headline
        .into_iter()
        .chain(report::sentences(data))
        .collect();
    json!({ "sentences": sentences, "standings": standings })
}

/// Pairings and parameters.
fn tables(data: &ReportData) -> Value {
    let mut tables = Vec::new();
    tables.extend(report::race_words(data).map(|race| table_json("Race", &race.table())));
    if data.tally.game_count() > 0 && data.standings.players.len() > 2 {
        tables.push(table_json("Pairings", &report::pairings(data)));
    }
    if let Some(tuning) = &data.tuning
        && !tuning.parameters.is_empty()
    {
        tables.push(table_json("Parameters", &report::parameters(tuning)));
    }
    json!(tables)
}

fn table_json(title: &str, table: &PageTable) -> Value {
    let rows: Vec<Vec<Value>> = table
        .rows
        .iter()
        .map(|row| {
            let cells = row.iter();
            cells.map(|cell| json!([cell.text, cell.sort])).collect()
        })
        .collect();
    json!({ "title": title, "columns": table.columns, "rows": rows })
}

/// One run while its page is open.
struct RunStream {
    app: Arc<App>,
    id: String,
    head: Option<RunEntry>,
    sent: HashMap<String, u64>,
    log: u64,
}

pub fn events(app: &Arc<App>, id: &str) -> Result<Reply, Refusal> {
    app.runs.find(id)?;
    Ok(Reply::events(RunStream {
        app: Arc::clone(app),
        id: id.to_string(),
        head: None,
        sent: HashMap::new(),
        log: 0,
    }))
}

impl Source for RunStream {
    fn poll(&mut self) -> Option<Vec<Event>> {
        let Ok(run) = self.app.runs.find(&self.id) else {
            let gone = Event::json("gone", &json!({}));
            return self.head.take().map(|_| gone.into_iter().collect());
        };
        let mut events = Vec::new();
        // Another page may be reading the same run: its next poll has the news.
        let Ok(mut run) = run.try_lock() else {
            return Some(events);
        };
        // The first answer says what it is before the games are read.
        run.refresh(if self.head.is_none() {
            Duration::ZERO
        } else {
            READ_TIME
        });
        let entry = state::entry(&mut run, &self.app.runs.jobs);
        if self
            .head
            .as_ref()
            .is_none_or(|old| state::is_news(old, &entry))
        {
            events.extend(Event::json("head", &entry));
            self.head = Some(entry);
        }
        self.push_parts(&mut run, &mut events);
        drop(run);
        let log = self.app.runs.jobs.log(&self.id);
        if let Some(log) = log
            && hash(&log) != self.log
        {
            self.log = hash(&log);
            events.extend(Event::json("log", &json!({ "text": log })));
        }
        Some(events)
    }

    fn every(&self) -> Duration {
        match &self.head {
            // Games are still read, or it has just begun.
            Some(head) if head.read < 1.0 => Duration::from_millis(10),
            _ => LIST_EVERY,
        }
    }
}

impl RunStream {
    fn push_parts(&mut self, run: &mut Watched, events: &mut Vec<Event>) {
        if !run.all_read() {
            self.push_prepared(run, events);
            return;
        }
        let parts = match &run.parts {
            Some(parts) if parts.version == run.version() || !parts.is_due() => Arc::clone(parts),
            _ => match PageParts::of(run) {
                Some(parts) => Arc::clone(run.parts.insert(Arc::new(parts))),
                None => return,
            },
        };
        for (key, name, hash, text) in &parts.events {
            if self.sent.insert(key.clone(), *hash) != Some(*hash) {
                events.push(Event {
                    name,
                    data: text.to_string(),
                });
            }
        }
    }
}

impl RunStream {
    /// Once, if it takes time to read the games of a run that was ended in order.
    fn push_prepared(&mut self, run: &Watched, events: &mut Vec<Event>) {
        let is_ended = self
            .head
            .as_ref()
            .is_some_and(|head| head.has_page && head.holder.is_none());
        if !is_ended || !self.sent.is_empty() {
            return;
        }
        for (key, name, value) in prepared::events(run.path()) {
            let data = value.to_string();
            self.sent.insert(key, hash(&data));
            events.push(Event { name, data });
        }
    }
}

/// One game with all its positions.
pub fn game(app: &App, id: &str, number: u64) -> Result<Value, Refusal> {
    let run = app.runs.find(id)?;
    let run: &Mutex<Watched> = &run;
    let mut run = lock(run);
    run.refresh(READ_TIME);
    let absent = || Refusal::not_found(format!("{id}: no game {number}"));
    let game = run.manifest().and_then(|it| GameId::from_name(&it.game));
    let game = game.ok_or_else(|| Refusal::not_found(format!("{id}: its game is unknown")))?;
    let rows = run.follower().pair(number.div_ceil(2));
    let rows = rows.map_err(Refusal::conflict)?;
    let row = rows.into_iter().find(|row| row.game == number);
    Ok(games::game_json(game, &row.ok_or_else(absent)?))
}

/// Files of a run that a page may ask for, with their kinds.
const FILES: &[(&str, &str)] = &[
    ("config.toml", "text/plain; charset=utf-8"),
    ("weights.toml", "text/plain; charset=utf-8"),
    ("manifest.json", "application/json"),
    ("standings.csv", "text/csv; charset=utf-8"),
    ("pairings.csv", "text/csv; charset=utf-8"),
    ("trajectory.csv", "text/csv; charset=utf-8"),
    ("parameters.csv", "text/csv; charset=utf-8"),
    ("games.csv", "text/csv; charset=utf-8"),
    ("games.pgn", "text/plain; charset=utf-8"),
    ("games.pdn", "text/plain; charset=utf-8"),
    ("report.md", "text/plain; charset=utf-8"),
    ("report.html", "text/html; charset=utf-8"),
];

pub fn file(app: &App, id: &str, name: &str) -> Result<Reply, Refusal> {
    let known = FILES.iter().find(|(known, _)| *known == name);
    let chart = || {
        let (_, extension) = name.rsplit_once('.').filter(|_| report::is_written(name))?;
        match extension {
            "svg" => Some("image/svg+xml"),
            "png" => Some("image/png"),
            _ => None,
        }
    };
    let Some(kind) = known.map(|(_, kind)| *kind).or_else(chart) else {
        return Err(Refusal::not_found(format!("`{name}`: not a file of a run")));
    };
    let path = confined(&app.reports, &format!("{id}/{name}"))?;
    let failed = |error: std::io::Error| Refusal::not_found(format!("{id}/{name}: {error}"));
    let file = OpenFile::open(&path).map_err(failed)?;
    let saved = format!("{}-{name}", id.replace('/', "-"));
    Ok(match name {
        "report.html" => Reply::file(kind, file, Policy::Report, None),
        "config.toml" => Reply::file(kind, file, Policy::Page, None),
        _ => Reply::file(kind, file, Policy::Page, Some(&saved)),
    })
}
