//! Progress output of a run: a status line, a table, a JSON object per pair.

use serde::Serialize;

use super::table::TextTable;
use crate::record::figures::percent;
use crate::record::{GameResult, GameRow, PairingTally, PlayerTally, RunTally};
use crate::stats::{Estimate, Sample, Sprt, Summary, Wdl};

/// The status line: the match score of two players, otherwise the leader against the field. Called
/// often, so it computes no ratings.
pub fn words(tally: &RunTally, sprt: Option<&Sprt>) -> String {
    let players = tally.players();
    if let ([first, second], [pairing]) = (players, tally.pairings()) {
        let mut text = format!(
            "{} v {}: {}",
            first.name,
            second.name,
            figures(&pairing.games, &pairing.summary())
        );
        if let Some(sprt) = sprt {
            text.push_str("  ");
            text.push_str(&ratio_words(sprt, sprt.llr(&pairing.pairs)));
        }
        return text;
    }
    // The first by score; the ratings at the end say more.
    let mut played: Vec<&PlayerTally> = players.iter().filter(|it| it.games.games() > 0).collect();
    let score = |player: &PlayerTally| player.games.score().unwrap_or(0.0);
    played.sort_by(|a, b| score(b).total_cmp(&score(a)));
    let [first, rest @ ..] = &played[..] else {
        return String::new();
    };
    let summary = first.summary();
    let is_ahead = |next: &&PlayerTally| summary.score.low > next.summary().score.high;
    let word = match rest.first().is_some_and(is_ahead) {
        true => "leads",
        false => "first so far, not clearly",
    };
    format!("{} {word}: {}", first.name, figures(&first.games, &summary))
}

fn figures(games: &Wdl, summary: &Summary) -> String {
    let Wdl {
        wins,
        draws,
        losses,
    } = games;
    let score = percent(games.score().unwrap_or(0.0), 1);
    let elo = elo_words(&summary.elo);
    format!("+{wins} ={draws} -{losses}  {score}  Elo {elo}")
}

fn elo_words(elo: &Estimate) -> String {
    match (elo.value, elo.error(), elo.low, elo.high) {
        (Some(value), Some(error), _, _) => format!("{value:+.1} ± {error:.1}"),
        (_, _, Some(low), None) => format!("above {low:+.1}"),
        (_, _, None, Some(high)) => format!("below {high:+.1}"),
        (Some(value), ..) => format!("{value:+.1}"),
        _ => "unknown".to_string(),
    }
}

/// The log-likelihood ratio, and its progress towards the bound on its side.
fn ratio_words(sprt: &Sprt, llr: f64) -> String {
    let (low, high) = (sprt.lower_bound(), sprt.upper_bound());
    let (share, bound) = if llr < 0.0 {
        (llr / low, "H0")
    } else {
        (llr / high, "H1")
    };
    let way = percent(share.min(1.0), 0);
    format!("LLR {llr:+.2}, {way} to {bound} ({low:.2}, {high:.2})")
}

/// The standings so far, without slow figures.
pub fn table(tally: &RunTally) -> String {
    let mut players: Vec<&PlayerTally> = tally.players().iter().collect();
    let score = |player: &PlayerTally| player.games.score().unwrap_or(0.0);
    players.sort_by(|a, b| score(b).total_cmp(&score(a)));
    let header = [
        "player",
        "games",
        "wins",
        "draws",
        "losses",
        "score",
        "Elo v field",
    ];
    let mut table = TextTable::new(1, &header);
    for player in players {
        let games = &player.games;
        table.row(vec![
            player.name.clone(),
            games.games().to_string(),
            games.wins.to_string(),
            games.draws.to_string(),
            games.losses.to_string(),
            percent(score(player), 1),
            elo_words(&player.summary().elo),
        ]);
    }
    table.text()
}

/// One opening pair as JSON, with the figures of its two players so far.
#[derive(Serialize)]
struct PairJson<'a> {
    pair: u64,
    player: &'a str,
    opponent: &'a str,
    opening: &'a str,
    /// The game with white first.
    results: [GameResult; 2],
    terminations: [&'a str; 2],
    plies: [u64; 2],
    /// Figures of all their games so far, from the player's side.
    wins: u64,
    draws: u64,
    losses: u64,
    score: Option<f64>,
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    llr: Option<f64>,
}

/// The line of `--json` for a pair that the tally has counted. In the first game of a pair the
/// pairing's first player has white.
pub fn json(rows: [&GameRow; 2], tally: &RunTally, sprt: Option<&Sprt>) -> String {
    let [one, two] = rows;
    let pairing = tally.pairing_of(&one.white, &one.black);
    let games = pairing.map_or_else(Wdl::default, |pairing| pairing.games);
    let summary = pairing.map(PairingTally::summary);
    let elo = summary.map(|summary| summary.elo);
    let object = PairJson {
        pair: one.pair,
        player: &one.white,
        opponent: &one.black,
        opening: &one.opening,
        results: [one.result, two.result],
        terminations: [&one.termination, &two.termination],
        plies: [one.plies, two.plies],
        wins: games.wins,
        draws: games.draws,
        losses: games.losses,
        score: games.score(),
        elo: elo.and_then(|elo| elo.value),
        elo_low: elo.and_then(|elo| elo.low),
        elo_high: elo.and_then(|elo| elo.high),
        llr: sprt
            .zip(pairing)
            .map(|(sprt, pairing)| sprt.llr(&pairing.pairs)),
    };
    // Only texts and numbers, so this cannot fail.
    let mut line = serde_json::to_string(&object).unwrap_or_default();
    line.push('\n');
    line
}
