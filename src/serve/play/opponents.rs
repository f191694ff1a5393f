//! Who can play: the levels of the older programs, presets, weights files, players of configs and runs; and the forms in
//! which their settings are shown and changed.

use std::fs;
use std::path::{Component, Path, PathBuf};

use serde::Deserialize;
use serde_json::{Value, json};

use super::levels::{LEVELS, STRENGTHS};
use super::session::Seat;
use crate::config::{self, ConfigError};
use crate::eval::catalog::GameId;
use crate::eval::{Term, TermShape, WeightValue, Weights};
use crate::games::Side;
use crate::play::{PlayerKind, PlayerSpec};
use crate::record::Manifest;
use crate::search::{Limit, OptionRow, Options, Profile};
use crate::serve::runs::found_runs;
use crate::serve::{App, Refusal};

/// Largest transposition table of a bot on a page, in MB: searches of several visitors run at once.
const MOST_TABLE_MB: i32 = 64;
/// Files read for a list.
const MOST_FILES: usize = 200;

/// The games, as far as a board needs them.
pub fn games_json() -> Value {
    let games = GameId::ALL.iter().map(|game| {
        let (rules, facts) = (game.rules(), game.facts());
        let numbers = (0..facts.rows * facts.columns)
            .map(|at| rules.number_at(at / facts.columns, at % facts.columns));
        let pieces: Value = facts
            .pieces
            .iter()
            .map(|look| (look.letter.to_string(), json!([look.symbol, look.side])))
            .collect::<serde_json::Map<String, Value>>()
            .into();
        let start = rules.usual_start();
        json!({
            "name": game.name(),
            "help": game.help(),
            "rows": facts.rows,
            "columns": facts.columns,
            "row1AtTop": facts.row_1_at_top,
            "checkered": facts.checkered,
            "drops": facts.drops,
            "pieces": pieces,
            "numbers": numbers.collect::<Vec<_>>(),
            "starts": facts.starts,
            "usualStart": facts.usual_start,
            "collection": facts.collection,
            "castling": facts.has_check,
            "letters": super::view::letters(start.as_ref()),
            "fen": start.fen(),
            "firstMover": start.side_to_move(),
        })
    });
    games.collect()
}

/// What a form of a bot of this game needs: opponents, evaluators with their weights, search options.
pub fn game_json(app: &App, game: GameId) -> Value {
    let evaluators = game.evaluators();
    let units = evaluators.units();
    let presets = evaluators.presets().into_iter().map(|preset| {
        let defaults = Weights::defaults(preset.terms());
        let terms = defaults.values(preset.terms()).map(|(term, value)| {
            json!({
                "name": term.name,
                "group": term.group,
                "help": term.help,
                "low": term.range.0,
                "high": term.range.1,
                "shape": shape_words(term),
                "default": weight_text(&value),
            })
        });
        json!({ "name": preset.name(), "help": preset.help(), "terms": terms.collect::<Vec<_>>() })
    });
    let profiles = Profile::NAMES
        .iter()
        .filter_map(|name| Profile::from_name(name))
        .filter_map(|profile| {
            let options = Options::for_game(game.facts(), [("profile", profile.name())]).ok()?;
            Some(json!({ "name": profile.name(), "help": profile.help(), "values": values(game, &options) }))
        });
    let options = rows_of(game).map(|row| {
        json!({
            "name": row.name,
            "help": row.help,
            "choices": row.choices,
            "range": row.range,
        })
    });
    json!({
        "unit": units.unit,
        "countedIn": units.counted_in,
        "strongest": evaluators.strongest(),
        "evaluators": presets.collect::<Vec<_>>(),
        "profiles": profiles.collect::<Vec<_>>(),
        "options": options.collect::<Vec<_>>(),
        "plain": values(game, &Options::default()),
        "opponents": opponents(app, game),
        "runs": runs(app, game),
    })
}

/// The search options that a form shows.
fn rows_of(game: GameId) -> impl Iterator<Item = &'static OptionRow> {
    let rows = Options::rows().iter();
    rows.filter(move |row| row.applies_to(game.facts()) && row.name != "profile")
}

/// The value of each option, by name.
fn values(game: GameId, options: &Options) -> Value {
    let values = rows_of(game).map(|row| (row.name.to_string(), json!(row.value(options))));
    values.collect::<serde_json::Map<String, Value>>().into()
}

fn shape_words(term: &Term) -> String {
    let words = match term.shape() {
        TermShape::Number => "number".to_string(),
        TermShape::List(length) => format!("list of {length}"),
        TermShape::Squares => "table of 64".to_string(),
    };
    if term.is_tapered() {
        format!("{words}, opening and ending")
    } else {
        words
    }
}

/// A weight as a config writes it.
fn weight_text(value: &WeightValue) -> String {
    let list = |numbers: &[f64]| match numbers {
        [one] => one.to_string(),
        all => {
            let all: Vec<String> = all.iter().map(f64::to_string).collect();
            format!("[{}]", all.join(", "))
        }
    };
    if value.opening == value.ending {
        list(&value.opening)
    } else {
        format!(
            "{{ opening = {}, ending = {} }}",
            list(&value.opening),
            list(&value.ending)
        )
    }
}

/// The keys of a `[[player]]` that make this player: those that differ from their defaults.
pub fn settings_of(game: GameId, player: &PlayerSpec) -> Vec<(String, String)> {
    let mut settings = vec![("name".to_string(), player.name.clone())];
    let PlayerKind::Search(search) = &player.kind else {
        return settings;
    };
    let mut push = |key: &str, value: String| settings.push((key.to_string(), value));
    // The file of a net or patterns: the evaluator's name alone does not tell its numbers.
    let file = search.weights.learnt().map(|it| it.origin());
    push("evaluator", file.unwrap_or(search.evaluator).to_string());
    let limit = &player.limit;
    if limit.depth < Limit::MAX_DEPTH {
        push("depth", limit.depth.to_string());
    }
    if let Some(nodes) = limit.nodes {
        push("nodes", nodes.to_string());
    }
    if let Some(time) = limit.time {
        push("movetime", format!("{}ms", time.hard.as_millis()));
    }
    let mut base = Options::default();
    if let Some(row) = Options::row("profile") {
        let profile = row.value(&search.options);
        if profile != row.value(&base) && base.set("profile", &profile).is_ok() {
            push("search.profile", profile);
        }
    }
    for row in rows_of(game) {
        let value = row.value(&search.options);
        if value != row.value(&base) {
            push(&format!("search.{}", row.name), value);
        }
    }
    if let Some(preset) = game.evaluators().preset(search.evaluator) {
        let defaults = Weights::defaults(preset.terms());
        let defaults = defaults.values(preset.terms());
        for ((term, value), (_, default)) in search.weights.values(preset.terms()).zip(defaults) {
            if value != default {
                push(&format!("weights.{}", term.name), weight_text(&value));
            }
        }
    }
    settings
}

fn opponent_json(game: GameId, group: &str, help: &str, player: &PlayerSpec) -> Value {
    json!({
        "group": group,
        "name": player.name,
        "help": help,
        "settings": settings_of(game, player),
    })
}

fn opponents(app: &App, game: GameId) -> Vec<Value> {
    let mut list = Vec::new();
    let mut add = |group: &str, help: &str, settings: &[(&str, &str)]| {
        let settings: Vec<(String, String)> = settings
            .iter()
            .map(|(key, value)| (key.to_string(), value.to_string()))
            .collect();
        if let Ok(player) = config::player_of(game, &settings) {
            list.push(opponent_json(game, group, help, &player));
        }
    };
    for level in LEVELS.iter().filter(|level| level.game == game) {
        let depth = level.depth.to_string();
        let mut settings = vec![
            ("name", level.name),
            ("evaluator", level.evaluator),
            ("depth", &depth),
        ];
        settings.extend(level.profile.map(|profile| ("search.profile", profile)));
        add("Levels", level.help, &settings);
    }
    let evaluators = game.evaluators();
    for (name, limit, value, help) in STRENGTHS {
        let settings = [
            ("name", *name),
            ("evaluator", evaluators.strongest()),
            (*limit, *value),
            ("search.profile", "strong"),
        ];
        add("Levels", help, &settings);
    }
    for preset in evaluators.presets() {
        let settings = [
            ("name", preset.name()),
            ("evaluator", preset.name()),
            ("depth", "3"),
        ];
        add("Presets", preset.help(), &settings);
    }
    for path in files(&app.configs) {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        of_file(game, &path, &format!("configs/{name}"), &name, &mut list);
    }
    for path in entries(&app.configs)
        .into_iter()
        .filter(|path| config::is_net_file(&path.to_string_lossy()))
        .take(MOST_FILES)
    {
        list.extend(of_net(game, &path));
    }
    for folder in folders(&app.reports) {
        let name = folder
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let weights = folder.join("weights.toml");
        if weights.is_file() {
            let shown = format!("runs/{name}/weights.toml");
            of_file(game, &weights, &shown, &shown, &mut list);
        }
        let path = folder.join("config.toml");
        if path.is_file() {
            of_file(
                game,
                &path,
                &format!("runs/{name}"),
                &format!("runs/{name}"),
                &mut list,
            );
        }
    }
    list
}

/// The runs whose games can be continued.
fn runs(app: &App, game: GameId) -> Vec<String> {
    let found = found_runs(&app.reports).into_iter();
    let runs = found.filter(|(_, folder)| {
        let manifest = Manifest::read(folder);
        folder.join("games.csv").is_file()
            && manifest.is_ok_and(|manifest| manifest.game == game.name())
    });
    let mut names: Vec<String> = runs.map(|(id, _)| id).collect();
    names.sort();
    names
}

/// Game and players of a config, also of one that tunes.
pub fn players_in(path: &Path) -> Result<(GameId, Vec<PlayerSpec>), ConfigError> {
    let plays = config::load(path, &[]).map(|loaded| (loaded.game, loaded.experiment.players));
    plays.or_else(|fault| {
        let Ok(loaded) = config::load_tune(path, &[]) else {
            return Err(fault);
        };
        let mut players = loaded.experiment.players;
        let tuned = loaded.space.player;
        if players.iter().all(|player| player.name != tuned.name) {
            players.push(tuned);
        }
        Ok((loaded.game, players))
    })
}

/// The players of a config, or the weights of a weights file.
fn of_file(game: GameId, path: &Path, group: &str, id: &str, list: &mut Vec<Value>) {
    // Most files are for another game; what cannot be read is shown where configs are edited, not here.
    if let Ok((of, players)) = players_in(path) {
        if of != game {
            return;
        }
        for player in &players {
            let mut entry = opponent_json(game, group, "", player);
            if player.engine().is_some() {
                entry["engine"] = json!({ "config": id, "player": player.name });
            }
            list.push(entry);
        }
        return;
    }
    let stem = path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let settings = [
        ("name".to_string(), stem),
        ("evaluator".to_string(), path.to_string_lossy().into_owned()),
        ("depth".to_string(), "4".to_string()),
    ];
    if path.to_string_lossy().ends_with(".toml")
        && let Ok(player) = config::player_of(game, &settings)
    {
        list.push(opponent_json(game, "Weights files", group, &player));
    }
}

/// A file of a net or patterns, if it is for this game.
fn of_net(game: GameId, path: &Path) -> Option<Value> {
    let path = path.canonicalize().ok()?;
    let name = path.file_name()?.to_str()?.to_string();
    let settings = [
        ("name".to_string(), name),
        ("evaluator".to_string(), path.to_str()?.to_string()),
        ("depth".to_string(), "4".to_string()),
        ("search.profile".to_string(), "strong".to_string()),
    ];
    let player = config::player_of(game, &settings).ok()?;
    Some(opponent_json(game, "Nets and patterns", "", &player))
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let read = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = read.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn files(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let all = entries(folder).into_iter();
    all.filter(|path| {
        path.extension()
            .is_some_and(|extension| extension == "toml")
    })
    .take(MOST_FILES)
}

fn folders(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let all = entries(folder).into_iter();
    all.filter(|path| path.join("config.toml").is_file())
        .take(MOST_FILES)
}

/// A seat as a page asks for it.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "lowercase", tag = "kind", deny_unknown_fields)]
pub enum SeatRequest {
    Human,
    /// Keys of a `[[player]]`, see [`config::player_of`].
    Bot {
        settings: Vec<(String, String)>,
    },
    /// An engine that a config on disk names.
    Engine {
        config: String,
        player: String,
    },
}

/// The seat that is asked for, or the message that a config would give.
pub fn seat_of(app: &App, game: GameId, request: &SeatRequest) -> Result<Seat, Refusal> {
    match request {
        SeatRequest::Human => Ok(Seat::Human),
        SeatRequest::Bot { settings } => Ok(Seat::Bot {
            player: Box::new(player_of(app, game, settings)?),
            engine: None,
        }),
        SeatRequest::Engine { config, player } => engine_of(app, game, config, player),
    }
}

/// A searching player from the settings of a form.
pub fn player_of(
    app: &App,
    game: GameId,
    settings: &[(String, String)],
) -> Result<PlayerSpec, Refusal> {
    const MOST_SETTINGS: usize = 1000;
    if settings.len() > MOST_SETTINGS {
        return Err(Refusal::invalid(format!(
            "more than {MOST_SETTINGS} settings"
        )));
    }
    let allowed = |key: &str| {
        matches!(key, "name" | "evaluator" | "depth" | "nodes" | "movetime")
            || key.starts_with("weights.")
            || key.starts_with("search.")
    };
    if let Some((key, _)) = settings.iter().find(|(key, _)| !allowed(key)) {
        return Err(Refusal::invalid(format!(
            "`{key}`: not a setting of a bot on this page; expected name, evaluator, depth, nodes, movetime, \
             weights.NAME or search.NAME"
        )));
    }
    for (_, value) in settings.iter().filter(|(key, _)| key == "evaluator") {
        check_evaluator(app, value)?;
    }
    let player = config::player_of(game, settings).map_err(Refusal::invalid)?;
    if let Some(search) = player.search()
        && search.options.table_mb > MOST_TABLE_MB
    {
        return Err(Refusal::invalid(format!(
            "search.table_mb = {}: at most {MOST_TABLE_MB} on this page, because several games search at once",
            search.options.table_mb
        )));
    }
    Ok(player)
}

/// A page names presets, and of files only the nets that the server lists. Weights files are listed with their weights.
fn check_evaluator(app: &App, value: &str) -> Result<(), Refusal> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if value.chars().all(is_name) {
        return Ok(());
    }
    // Quotes and escapes would hide the end of the name.
    let is_net = config::is_net_file(value) && !value.contains(['"', '\'', '\\']);
    if is_net && is_inside(app, Path::new(value)) {
        return Ok(());
    }
    Err(Refusal::invalid(format!(
        "evaluator = {value}: expected a preset, or a net in the folders of configs and runs"
    )))
}

fn is_inside(app: &App, path: &Path) -> bool {
    let path = path.canonicalize();
    let folders = [&app.configs, &app.reports].map(|folder| folder.canonicalize());
    folders.iter().any(|folder| match (&path, folder) {
        (Ok(path), Ok(folder)) => path.starts_with(folder),
        _ => false,
    })
}

/// A path below a folder without a way out of it: plain names only.
pub fn confined(folder: &Path, name: &str) -> Result<PathBuf, Refusal> {
    let path = Path::new(name);
    let plain = path
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    if name.is_empty() || !plain || name.contains(['\\', '\0', ':']) {
        return Err(Refusal::bad_request(format!(
            "`{name}`: expected a plain name"
        )));
    }
    let path = folder.join(path);
    // A link may lead out of the folder.
    let inside = match (path.canonicalize(), folder.canonicalize()) {
        (Ok(path), Ok(folder)) => path.starts_with(folder),
        _ => false,
    };
    match inside {
        true => Ok(path),
        false => Err(Refusal::not_found(format!("`{name}`: not found"))),
    }
}

fn engine_of(app: &App, game: GameId, id: &str, name: &str) -> Result<Seat, Refusal> {
    let path = match id.strip_prefix("runs/") {
        Some(run) => confined(&app.reports, &format!("{run}/config.toml"))?,
        None => confined(&app.configs, id)?,
    };
    let (of, players) = players_in(&path).map_err(Refusal::invalid)?;
    if of != game {
        let message = format!("{id}: its game is {}, not {}", of.name(), game.name());
        return Err(Refusal::invalid(message));
    }
    let player = players
        .into_iter()
        .find(|player| player.name == name && player.engine().is_some());
    let player = player.ok_or_else(|| Refusal::invalid(format!("{id}: no engine `{name}`")))?;
    Ok(Seat::Bot {
        player: Box::new(player),
        engine: Some((id.to_string(), name.to_string())),
    })
}

/// The side of a name in a request.
pub fn side_of(name: &str) -> Result<Side, Refusal> {
    let sides = Side::BOTH.into_iter();
    sides
        .into_iter()
        .find(|side| side.to_string() == name)
        .ok_or_else(|| Refusal::bad_request(format!("side `{name}`: expected white or black")))
}
