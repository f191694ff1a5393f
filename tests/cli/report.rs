//! Charts and pages from files: golden pictures, figures that equal those computed here from the
//! rows, texts that never overlap, and pages that show names literally.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{complaint, stdout, text};
use sparring::record::{GameResult, GameRow, read_games};
use sparring::report::{CHARTS, Drawing, Layout, ReportData, drawings, read};
use sparring::stats::{PairResult, Pentanomial, PlayerResult, Sample, Sprt, Wdl};
use tempfile::tempdir;

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden/report")
        .join(name)
}

fn data(name: &str) -> ReportData {
    read(&[golden(name)]).expect("the golden run is read")
}

fn drawn<'d>(drawings: &'d [Drawing], chart: &str) -> &'d Drawing {
    let found = drawings.iter().find(|drawing| drawing.chart.name == chart);
    found.unwrap_or_else(|| panic!("no chart `{chart}`"))
}

fn rows(path: &Path) -> Vec<GameRow> {
    let mut rows = Vec::new();
    read_games(&path.join("games.csv"), |row, _| {
        rows.push(row);
        Ok(())
    })
    .expect("the rows are read");
    rows
}

/// Which golden run shows which chart.
fn stage(chart: &str) -> &'static str {
    match chart {
        "llr" => "match",
        "sweep" | "ladder" => "sweep",
        "sweep-map" => "map",
        "trajectory" | "before-after" | "correlations" | "validation" => "tuning",
        "losses" => "fit",
        "generations" => "learn",
        "tune-curve" => "curve",
        "race" | "survivors" | "regret" => "race",
        "slices" | "importance" => "model",
        _ => "tournament",
    }
}

/// `SPARRING_BLESS=1 cargo test --test cli report::` rewrites the pictures; look at them before you
/// commit.
#[test]
fn every_chart_is_drawn_as_its_golden_picture() {
    let bless = std::env::var("SPARRING_BLESS").is_ok();
    for chart in CHARTS {
        let drawings = drawings(&data(stage(chart.name)));
        let svg = drawn(&drawings, chart.name).svg().expect("a drawing");
        let path = golden(&format!("{}.svg", chart.name));
        if bless {
            fs::write(&path, &svg).expect("the picture is written");
        }
        assert!(
            text(&path) == svg,
            "{} differs from its golden picture; if that is meant, see the comment here",
            chart.name
        );
    }
}

/// The tooltips of a chart, without XML escapes.
fn hints(drawing: &Drawing) -> Vec<String> {
    let svg = drawing.svg().expect("a drawing");
    let parts = svg.split("<title>").skip(1);
    parts
        .filter_map(|part| part.split("</title>").next())
        .map(|hint| {
            hint.replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replace("&#39;", "'")
                .replace("&amp;", "&")
        })
        .collect()
}

fn has_hint(drawing: &Drawing, expected: &str) {
    let hints = hints(drawing);
    assert!(
        hints.iter().any(|hint| hint == expected),
        "`{}` has no hint `{expected}`, only: {hints:#?}",
        drawing.chart.name
    );
}

fn for_white(row: &GameRow) -> PlayerResult {
    match row.result {
        GameResult::WhiteWins => PlayerResult::Win,
        GameResult::BlackWins => PlayerResult::Loss,
        GameResult::Draw => PlayerResult::Draw,
    }
}

/// A player's pairs, counted from the rows; against one opponent or all.
fn pairs_of(rows: &[GameRow], player: &str, opponent: Option<&str>) -> (Wdl, Pentanomial) {
    let (mut games, mut pairs) = (Wdl::default(), Pentanomial::default());
    for pair in rows.chunks(2) {
        let own = |row: &GameRow| {
            let other = if row.white == player {
                &row.black
            } else {
                &row.white
            };
            let met = opponent.is_none_or(|opponent| opponent == other);
            let result = for_white(row);
            if row.white == player && met {
                Some(result)
            } else if row.black == player && met {
                Some(result.swapped())
            } else {
                None
            }
        };
        if let (Some(one), Some(two)) = (own(&pair[0]), own(&pair[1])) {
            games.push(one);
            games.push(two);
            pairs.push(PairResult::of(one, two));
        }
    }
    (games, pairs)
}

fn shown(score: &sparring::stats::Estimate) -> String {
    let (value, low, high) = (
        100.0 * score.value.expect("a score"),
        100.0 * score.low.expect("a low end"),
        100.0 * score.high.expect("a high end"),
    );
    if ((value - low) - (high - value)).abs() < 0.05 {
        format!("{value:.1} % ± {:.1}", high - value)
    } else {
        format!("{value:.1} % ({low:.1} to {high:.1})")
    }
}

#[test]
fn the_figures_drawn_are_the_figures_computed() {
    let rows = rows(&golden("tournament"));
    let data = data("tournament");
    let drawings = drawings(&data);
    let players = ["classical", "simplified", "a | \"quoted\" <name>", "random"];
    for player in players {
        let (games, pairs) = pairs_of(&rows, player, None);
        let total = games.games() as f64;
        for (count, word) in [
            (games.wins, "won"),
            (games.draws, "drawn"),
            (games.losses, "lost"),
        ] {
            if count > 0 {
                let noun = if count == 1 { "game" } else { "games" };
                let share = 100.0 * count as f64 / total;
                let expected = format!("{player}: {count} {noun} {word}, {share:.1} %");
                has_hint(drawn(&drawings, "results"), &expected);
            }
        }
        let score = shown(&pairs.score_estimate());
        has_hint(drawn(&drawings, "scores"), &format!("{player}: {score}"));
        for opponent in players.iter().filter(|opponent| **opponent != player) {
            let (games, pairs) = pairs_of(&rows, player, Some(opponent));
            let score = shown(&pairs.score_estimate());
            let count = games.games();
            let expected = format!("{player} against {opponent}: {score} in {count} games");
            has_hint(drawn(&drawings, "head-to-head"), &expected);
        }
        let white: Wdl = rows
            .iter()
            .filter(|row| row.white == player)
            .map(for_white)
            .collect();
        let expected = format!("{player} with white: {}", shown(&white.score_estimate()));
        has_hint(drawn(&drawings, "colours"), &expected);
    }
    // Ratings are those of the standings file.
    let ratings = data.tally.ratings().expect("there are games");
    for (index, player) in data.tally.players().iter().enumerate() {
        let elo = ratings.players()[index].elo;
        let (value, error) = (elo.value.expect("a rating"), elo.error().expect("an error"));
        let sign = if value >= 0.5 { "+" } else { "" };
        let expected = format!("{}: {sign}{value:.0} ± {error:.0}", player.name);
        has_hint(drawn(&drawings, "elo"), &expected);
    }
    let mates = rows.iter().filter(|row| row.termination == "checkmate");
    let white_mates = mates
        .filter(|row| row.result == GameResult::WhiteWins)
        .count();
    let expected = format!("checkmate, white won: {white_mates} games");
    has_hint(drawn(&drawings, "endings"), &expected);
    let leader = data.name(data.ladder()[0].player);
    openings_agree(&rows, leader, drawn(&drawings, "openings"));
    lengths_agree(&rows, drawn(&drawings, "lengths"));
    nodes_agree(&rows, drawn(&drawings, "nodes"));
}

/// Openings in which the leader won with both colours.
fn openings_agree(rows: &[GameRow], leader: &str, chart: &Drawing) {
    let mut both = 0;
    for pair in rows.chunks(2) {
        let won = |row: &GameRow| {
            (row.white == leader && row.result == GameResult::WhiteWins)
                || (row.black == leader && row.result == GameResult::BlackWins)
        };
        both += u32::from(won(&pair[0]) && won(&pair[1]));
    }
    has_hint(
        chart,
        &format!("{both} openings: 100 % with white, 100 % with black"),
    );
}

fn lengths_agree(rows: &[GameRow], chart: &Drawing) {
    let sum: u64 = hints(chart)
        .iter()
        .filter_map(|hint| {
            let count = hint.rsplit(": ").next()?.split(' ').next()?;
            count.parse::<u64>().ok()
        })
        .sum();
    assert_eq!(sum, rows.len() as u64, "every game is in a bar");
}

fn nodes_agree(rows: &[GameRow], chart: &Drawing) {
    let mut values: HashMap<&str, Vec<f64>> = HashMap::new();
    for row in rows {
        let white = values.entry(&row.white).or_default();
        white.push(row.white_nodes as f64 / row.plies.div_ceil(2) as f64);
        let black = values.entry(&row.black).or_default();
        black.push(row.black_nodes as f64 / (row.plies / 2) as f64);
    }
    for (player, values) in values {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let rounded = mean.round() as u64;
        let start = format!("{player}: {},{:03} ±", rounded / 1000, rounded % 1000);
        let plain = format!("{player}: {rounded} ±");
        let found = hints(chart)
            .iter()
            .any(|hint| hint.starts_with(&start) || hint.starts_with(&plain));
        assert!(found, "`{start}` is not among {:#?}", hints(chart));
    }
}

#[test]
fn sweeps_and_the_sequential_test_show_what_the_statistics_say() {
    let rows = |name: &str| rows(&golden(name));
    let sweep = drawings(&data("sweep"));
    let (games, pairs) = pairs_of(&rows("sweep"), "wide depth=3", None);
    let score = shown(&pairs.score_estimate());
    let expected = format!("wide depth=3: {score} in {} games", games.games());
    has_hint(drawn(&sweep, "sweep"), &expected);
    let data_of_sweep = data("sweep");
    let player = |name: &str| data_of_sweep.tally.find(name).expect("a player");
    let ratings = data_of_sweep.tally.ratings().expect("there are games");
    let gain = ratings.difference(player("deep depth=2"), player("deep depth=1"));
    let expected = format!(
        "deep, depth 1 to 2: {:+.0} ± {:.0} Elo",
        gain.value.expect("a difference"),
        gain.error().expect("an error")
    );
    has_hint(drawn(&sweep, "ladder"), &expected);
    let map = drawings(&data("map"));
    let name = "tuned weights.mobility=5 weights.king=0.5";
    let (games, pairs) = pairs_of(&rows("map"), name, None);
    let score = shown(&pairs.score_estimate());
    let expected = format!(
        "tuned, weights.mobility = 5, weights.king = 0.5: {score} in {} games",
        games.games()
    );
    has_hint(drawn(&map, "sweep-map"), &expected);
    let test = drawings(&data("match"));
    let (_, pairs) = pairs_of(&rows("match"), "candidate", None);
    let sprt = Sprt::new(sparring::stats::Model::Normalized, 0.0, 50.0).expect("a test");
    has_hint(drawn(&test, "llr"), &format!("LLR {:.2}", sprt.llr(&pairs)));
}

#[test]
fn tuning_runs_show_what_their_files_say() {
    let tuning = drawings(&data("tuning"));
    let found = text(&golden("tuning/parameters.csv"));
    for line in found.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |at: usize| cells[at].parse::<f64>().expect("a number");
        let expected = format!(
            "{}: {:.2} → {:.2} ± {:.2}",
            cells[0],
            number(1),
            number(2),
            1.959_964 * number(5)
        );
        has_hint(drawn(&tuning, "before-after"), &expected);
    }
    let paths = drawn(&tuning, "trajectory").svg().expect("a drawing");
    assert!(paths.contains("percent of the parameter"), "{paths}");
    // 28.8 % of its range, more than the 6.53 units of 60 that bishop_pair went.
    assert!(paths.contains("mobility moves furthest"), "{paths}");
    has_hint(
        drawn(&tuning, "correlations"),
        "bishop_pair and king_safety: -0.710",
    );
    has_hint(
        drawn(&drawings(&data("fit")), "losses"),
        "training, iteration 1: 0.658000",
    );
    let names: Vec<&str> = tuning.iter().map(|drawing| drawing.chart.name).collect();
    assert_eq!(
        names,
        ["validation", "trajectory", "before-after", "correlations"]
    );
    has_hint(
        drawn(&tuning, "validation"),
        "against start at depth 6: +11 ± 20 Elo, 400 pairs, LOS 86.8 %, LLR 0.71: undecided",
    );
    // The optimum of the table, not the best point of the grid.
    let curve = drawings(&data("curve"));
    let curve = drawn(&curve, "tune-curve").svg().expect("a drawing");
    assert!(
        curve.contains("mobility = 5.80 (95 %: 4.10 to 7.70)"),
        "{curve}"
    );
    let folder = tempdir().expect("a folder");
    let out = folder.path().to_string_lossy().into_owned();
    stdout(&["report", &golden("tuning").to_string_lossy(), "--out", &out]);
    let page = text(&folder.path().join("report.html"));
    assert!(page.contains("3 parameters tuned in 60 iterations with 960 games."));
    assert!(!page.contains("standings-table"), "no game was played");
    let proven = "<p id=\"verdict\" class=\"good\">Proven: the tuned numbers beat the start, \
                  +42 ± 22 Elo (95 % interval) at depth 5 after 240 pairs.</p>";
    assert!(page.contains(proven), "{page}");
    for name in ["start", "start-deeper", "other-player"] {
        let link = format!("<a href=\"validation-{name}/report.html\">against ");
        assert!(page.contains(&link), "{name}");
    }
}

#[test]
fn charts_that_make_no_sense_are_left_out() {
    let names = |run: &str| -> Vec<&str> {
        drawings(&data(run))
            .iter()
            .map(|drawing| drawing.chart.name)
            .collect()
    };
    let tournament = names("tournament");
    for absent in ["llr", "sweep", "sweep-map"] {
        assert!(!tournament.contains(&absent), "{tournament:?}");
    }
    let two = names("match");
    assert!(
        !two.contains(&"head-to-head") && two.contains(&"llr"),
        "{two:?}"
    );
}

/// A tournament of made-up results, in a folder.
fn made_up(folder: &Path, players: &[String], pairs: u64, results: &[&str]) -> PathBuf {
    let mut text =
        "game,pair,white,black,opening,result,termination,plies,white_nodes,black_nodes,moves\n"
            .to_string();
    let (mut game, mut pair) = (0, 0);
    for round in 0..pairs {
        for (first, one) in players.iter().enumerate() {
            for (second, two) in players.iter().enumerate().skip(first + 1) {
                pair += 1;
                for (white, black) in [(one, two), (two, one)] {
                    game += 1;
                    let luck =
                        (first * 7 + second * 3 + round as usize + game as usize) % results.len();
                    let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
                    text.push_str(&format!(
                        "{game},{pair},{},{},start {pair},{},an ending with a rather long name number {luck},{},{},{},\n",
                        quoted(white),
                        quoted(black),
                        results[luck],
                        20 + game * 7 % 113,
                        1000 + first * 991,
                        1000 + second * 991
                    ));
                }
            }
        }
    }
    let path = folder.join("games.csv");
    fs::write(&path, text).expect("the games are written");
    path
}

/// Texts that meet, and texts outside the picture.
fn quarrels(drawing: &Drawing) -> Vec<String> {
    drawing.layouts().iter().flat_map(quarrels_at).collect()
}

/// The same at one width of the chart.
fn quarrels_at(layout: &Layout) -> Vec<String> {
    let boxes = &layout.texts;
    let (width, height) = layout.size;
    let mut found = Vec::new();
    for (index, one) in boxes.iter().enumerate() {
        let [left, top, right, bottom] = one.edges;
        if left < 0.0 || top < 0.0 || right > width || bottom > height {
            found.push(format!("`{}` leaves the picture, {width} wide", one.text));
        }
        for other in &boxes[index + 1..] {
            let meets = left < other.edges[2]
                && other.edges[0] < right
                && top < other.edges[3]
                && other.edges[1] < bottom;
            if meets {
                found.push(format!(
                    "`{}` meets `{}`, {width} wide",
                    one.text, other.text
                ));
            }
        }
    }
    found
}

#[test]
fn no_text_meets_another_whatever_the_data() {
    let folder = tempdir().expect("a folder");
    let named = |count: usize, name: &str| -> Vec<String> {
        (0..count)
            .map(|index| name.replace('#', &index.to_string()))
            .collect()
    };
    let long = "a name that is longer than any chart has room for, with W and M, number #";
    let usual = ["1-0", "0-1", "1/2-1/2", "1-0", "1-0"];
    let cases: Vec<(Vec<String>, u64, &[&str])> = vec![
        (named(2, "player #"), 20, &usual),
        (named(2, long), 1, &["1-0"]),
        (named(6, "p#"), 5, &usual),
        (named(40, "player #"), 1, &usual),
        (named(40, long), 1, &usual),
        (named(3, "drawish #"), 4, &["1/2-1/2"]),
        (named(3, "white wins #"), 4, &["1-0"]),
        (named(12, "swept depth=#"), 2, &usual),
        (named(5, "swept weights.some_long_name=#00000"), 2, &usual),
        (named(16, "# weights.a=1 weights.b=2"), 1, &usual),
        (
            (0..20)
                .map(|i| format!("map weights.first={} weights.second={}", i % 5, i / 5))
                .collect(),
            1,
            &usual,
        ),
    ];
    for (players, pairs, results) in cases {
        let path = made_up(folder.path(), &players, pairs, results);
        let data = read(&[path]).expect("the games are read");
        for drawing in drawings(&data) {
            let found = quarrels(&drawing);
            assert!(
                found.is_empty(),
                "{} of {} players like `{}`: {found:#?}",
                drawing.chart.name,
                players.len(),
                players[0]
            );
        }
    }
    for run in [
        "match",
        "tournament",
        "sweep",
        "map",
        "tuning",
        "fit",
        "curve",
    ] {
        for drawing in drawings(&data(run)) {
            let found = quarrels(&drawing);
            assert!(
                found.is_empty(),
                "{} of {run}: {found:#?}",
                drawing.chart.name
            );
        }
    }
    // One game alone.
    let path = folder.path().join("one.csv");
    fs::write(&path, "white,black,result\na,b,0-1\n").expect("the game is written");
    let one = drawings(&read(&[path]).expect("the game is read"));
    assert!(one.iter().all(|drawing| quarrels(drawing).is_empty()));
    assert!(one.iter().any(|drawing| drawing.chart.name == "results"));
}

#[test]
fn runs_are_joined_if_they_belong_together() {
    let folder = tempdir().expect("a folder");
    let path = |name: &str| golden(name).to_string_lossy().into_owned();
    let out = folder.path().join("joined").to_string_lossy().into_owned();
    let message = stdout(&["report", &path("tournament"), &path("sweep"), "--out", &out]);
    assert!(message.starts_with("report: "), "{message}");
    let both = rows(&golden("tournament")).len() + rows(&golden("sweep")).len();
    let page = text(&folder.path().join("joined/report.md"));
    assert!(
        page.contains(&format!("12 players played {both} games")),
        "{page}"
    );
    assert!(page.contains("2 groups that never met"), "{page}");

    let message = complaint(&["report", &path("match"), &path("match"), "--out", &out]);
    assert!(message.contains("contains the same games"), "{message}");
    let other = folder.path().join("other");
    fs::create_dir(&other).expect("a folder");
    fs::copy(golden("match/games.csv"), other.join("games.csv")).expect("a copy");
    let manifest = text(&golden("match/manifest.json")).replace("\"chess\"", "\"english\"");
    fs::write(other.join("manifest.json"), manifest).expect("a manifest");
    let message = complaint(&[
        "report",
        &path("match"),
        &other.to_string_lossy(),
        "--out",
        &out,
    ]);
    assert!(message.contains("a run of english, but"), "{message}");
}

#[test]
fn pages_show_names_as_they_are_and_ask_for_nothing() {
    let folder = tempdir().expect("a folder");
    let out = folder.path().to_string_lossy().into_owned();
    let run = golden("tournament").to_string_lossy().into_owned();
    stdout(&["report", &run, "--out", &out]);
    let page = text(&folder.path().join("report.html"));
    assert!(page.contains("a | &quot;quoted&quot; &lt;name&gt;"));
    assert!(!page.contains("<name>"));
    for outside in ["https://", "src=", "@import", "url("] {
        assert!(!page.contains(outside), "the page contains {outside}");
    }
    // Only names of formats look like addresses.
    let addresses = page.matches("http://").count();
    assert_eq!(addresses, page.matches("http://www.w3.org/").count());
    let table = text(&folder.path().join("report.md"));
    assert!(table.contains("a \\| \"quoted\" &lt;name&gt;"), "{table}");
    let columns = |line: &str| line.replace("\\|", "").matches('|').count();
    let widths: Vec<usize> = table
        .lines()
        .filter(|line| line.starts_with('|'))
        .map(columns)
        .collect();
    assert!(
        widths.iter().all(|width| [14, 15].contains(width)),
        "{widths:?}"
    );
}
