//! `sparring stats`: the statistics of any result, also of games played elsewhere.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::output::printable_in_line;
use super::plan::TestArgs;
use super::{Done, Exit, Failure, must_exist, print};
use super::{ratings, results};
use crate::config::did_you_mean;
use crate::record::figures;
use crate::record::{Grouping, PairingTally, RunTally, Standings};
use crate::stats::{Estimate, Pentanomial, Sprt, StoppedEstimate, Summary, Verdict, Wdl};

#[derive(Args)]
pub struct StatsArgs {
    /// Counts of single games: wins, draws, losses
    #[arg(long, value_name = "W,D,L", conflicts_with_all = ["pent", "files"])]
    pub wdl: Option<String>,
    /// Counts of opening pairs by their points: 0, 1/2, 1, 3/2, 2
    #[arg(long, value_name = "LL,LD,DDWL,WD,WW", conflicts_with = "files")]
    pub pent: Option<String>,
    /// Run directories, CSV files with the columns of games.csv, or games played elsewhere: .pgn .pdn
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// SPRT: H0, the player is stronger by at most this much
    #[arg(
        long,
        value_name = "A",
        allow_negative_numbers = true,
        requires = "elo1"
    )]
    pub elo0: Option<f64>,
    /// SPRT: H1, the player is stronger by at least this much
    #[arg(
        long,
        value_name = "B",
        allow_negative_numbers = true,
        requires = "elo0"
    )]
    pub elo1: Option<f64>,
    #[command(flatten)]
    pub test: TestArgs,
    /// Exit with code 1 unless the SPRT ends with this verdict: h0 or h1
    #[arg(long, value_name = "V", requires = "elo0")]
    pub expect: Option<String>,
    /// Show the results of a file by colour, opening or termination, from white's side
    #[arg(long, value_name = "WHAT", conflicts_with_all = ["wdl", "pent"])]
    pub by: Vec<String>,
    /// The player of a file whose rating is 0; among three or more
    #[arg(long, value_name = "PLAYER", conflicts_with_all = ["wdl", "pent"])]
    pub anchor: Option<String>,
    /// Print JSON: one object, or one per line for each pairing of a file, each rating (three players
    /// or more) and each --by group
    #[arg(long)]
    pub json: bool,
}

/// One set of results, from the first player's side.
struct Results {
    names: Option<(String, String)>,
    summary: Summary,
    llr: Option<f64>,
    /// If the results are those of the test at its end; `None` without pairs or without a test.
    stopped: Option<StoppedEstimate>,
}

pub fn run(args: &StatsArgs) -> Done {
    let sprt = read_sprt(args)?;
    let mut further = String::new();
    let asked = read_groupings(&args.by)?;
    let results = match (&args.wdl, &args.pent) {
        (Some(text), _) => {
            let [wins, draws, losses] = read_counts("wdl", text)?;
            let games = Wdl::new(wins, draws, losses);
            let llr = sprt.map(|sprt| sprt.llr_games(&games));
            vec![Results {
                names: None,
                summary: Summary::of_games(&games),
                llr,
                stopped: None,
            }]
        }
        (None, Some(text)) => {
            let pairs = Pentanomial::from_array(read_counts("pent", text)?);
            let llr = sprt.map(|sprt| sprt.llr(&pairs));
            vec![Results {
                names: None,
                summary: Summary::of_pairs(&pairs),
                llr,
                stopped: sprt.map(|sprt| StoppedEstimate::of(&sprt, &pairs)),
            }]
        }
        (None, None) => {
            if args.files.is_empty() {
                return Err(Failure::bad_input(
                    "give --wdl W,D,L, --pent LL,LD,DDWL,WD,WW or a file",
                ));
            }
            must_exist(&args.files)?;
            let read = results::read(&args.files)?;
            let tally = &read.tally;
            check_anchor(args.anchor.as_deref(), tally)?;
            let standings = Standings::of(tally, None, &[], args.anchor.as_deref());
            further = if args.json {
                ratings::json_lines(&standings)? + &results::json_lines(&read.breakdown, &asked)?
            } else {
                ratings::text(&standings)
                    + &read.repeats.text()
                    + &results::tables(&read.breakdown, &asked)
            };
            tally
                .pairings()
                .iter()
                .map(|pairing| of_pairing(tally, pairing, sprt.as_ref()))
                .collect()
        }
    };
    if results.is_empty() {
        return Err(Failure::bad_input(format!(
            "{}: contains no games",
            args.files[0].display()
        )));
    }
    for result in &results {
        if args.json {
            print(&json_line(result, sprt.as_ref())?);
        } else {
            print(&text(result, sprt.as_ref()));
        }
    }
    print(&further);
    check_expectation(args, sprt.as_ref(), &results)
}

fn check_anchor(anchor: Option<&str>, tally: &RunTally) -> Done {
    match anchor {
        Some(name) if tally.find(name).is_none() => {
            let hint = did_you_mean(name, tally.players().iter().map(|it| it.name.as_str()));
            let message = format!("--anchor {name}: no such player; {hint}");
            Err(Failure::bad_input(message))
        }
        _ => Ok(()),
    }
}

fn of_pairing(tally: &RunTally, pairing: &PairingTally, sprt: Option<&Sprt>) -> Results {
    let name = |index: usize| tally.players()[index].name.clone();
    let paired = pairing.pairs.games() == pairing.games.games();
    let llr = |sprt: &Sprt| {
        if paired {
            sprt.llr(&pairing.pairs)
        } else {
            sprt.llr_games(&pairing.games)
        }
    };
    Results {
        names: Some((name(pairing.first), name(pairing.second))),
        summary: pairing.summary(),
        llr: sprt.map(llr),
        stopped: sprt
            .filter(|_| paired)
            .map(|sprt| StoppedEstimate::of(sprt, &pairing.pairs)),
    }
}

fn read_counts<const N: usize>(option: &str, text: &str) -> Result<[u64; N], Failure> {
    let bad = || {
        Failure::bad_input(format!(
            "--{option} {text}: expected {N} counts separated by commas, for example {}",
            ["10"; N].join(",")
        ))
    };
    let counts: Result<Vec<u64>, _> = text
        .split(',')
        .map(|count| count.trim().parse::<u64>())
        .collect();
    let counts: [u64; N] = counts.map_err(|_| bad())?.try_into().map_err(|_| bad())?;
    match counts.iter().sum::<u64>() {
        0 => Err(Failure::bad_input(format!(
            "--{option} {text}: no results; statistics need at least one"
        ))),
        _ => Ok(counts),
    }
}

fn read_groupings(words: &[String]) -> Result<Vec<Grouping>, Failure> {
    let read = |word: &String| {
        let found = Grouping::ALL.into_iter().find(|by| by.name() == word);
        found.ok_or_else(|| {
            let hint = did_you_mean(word, Grouping::ALL.iter().map(|by| by.name()));
            Failure::bad_input(format!("--by {word}: {hint}"))
        })
    };
    words.iter().map(read).collect()
}

fn read_sprt(args: &StatsArgs) -> Result<Option<Sprt>, Failure> {
    let (Some(elo0), Some(elo1)) = (args.elo0, args.elo1) else {
        return Ok(None);
    };
    args.test.sprt(elo0, elo1).map(Some)
}

fn check_expectation(args: &StatsArgs, sprt: Option<&Sprt>, results: &[Results]) -> Done {
    let Some(expected) = &args.expect else {
        return Ok(());
    };
    let wanted = expectation(expected)?;
    let verdicts = results
        .iter()
        .filter_map(|result| Some(sprt?.verdict(result.llr?)));
    match verdicts.into_iter().find(|verdict| *verdict != wanted) {
        None => Ok(()),
        Some(verdict) => Err(Failure {
            exit: Exit::CheckFailed,
            message: format!(
                "expected {}, but the verdict is {}",
                wanted.name(),
                verdict.name()
            ),
        }),
    }
}

/// The verdict given by `--expect`.
pub fn expectation(text: &str) -> Result<Verdict, Failure> {
    match text.to_ascii_lowercase().as_str() {
        "h0" => Ok(Verdict::AcceptH0),
        "h1" => Ok(Verdict::AcceptH1),
        _ => Err(Failure::bad_input(format!(
            "--expect {text}: expected h0 or h1"
        ))),
    }
}

#[derive(Serialize)]
struct StatsJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    player: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opponent: Option<&'a str>,
    games: u64,
    pairs: Option<u64>,
    score: Option<f64>,
    score_low: Option<f64>,
    score_high: Option<f64>,
    /// How the interval was found.
    basis: &'static str,
    elo: Option<f64>,
    elo_error: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    elo_error_normal: Option<f64>,
    nelo: Option<f64>,
    nelo_error: Option<f64>,
    nelo_low: Option<f64>,
    nelo_high: Option<f64>,
    nelo_error_normal: Option<f64>,
    los: Option<f64>,
    los_normal: Option<f64>,
    draw_ratio: Option<f64>,
    pair_ratio: Option<f64>,
    llr: Option<f64>,
    llr_low: Option<f64>,
    llr_high: Option<f64>,
    verdict: Option<&'static str>,
    elo_stopped: Option<f64>,
    elo_stopped_low: Option<f64>,
    elo_stopped_high: Option<f64>,
    confidence: Option<f64>,
}

fn json_line(result: &Results, sprt: Option<&Sprt>) -> Result<String, Failure> {
    let summary = &result.summary;
    let object = StatsJson {
        player: result.names.as_ref().map(|(player, _)| player.as_str()),
        opponent: result.names.as_ref().map(|(_, opponent)| opponent.as_str()),
        games: summary.games,
        pairs: summary.pairs,
        score: summary.score.value,
        score_low: summary.score.low,
        score_high: summary.score.high,
        basis: summary.elo.basis.name(),
        elo: summary.elo.value,
        elo_error: summary.elo.error(),
        elo_low: summary.elo.low,
        elo_high: summary.elo.high,
        elo_error_normal: summary.normal.elo_error,
        nelo: summary.nelo.value,
        nelo_error: summary.nelo.error(),
        nelo_low: summary.nelo.low,
        nelo_high: summary.nelo.high,
        nelo_error_normal: summary.normal.nelo_error,
        los: summary.los,
        los_normal: summary.normal.los,
        draw_ratio: summary.draw_ratio,
        pair_ratio: summary.pair_ratio,
        llr: result.llr,
        llr_low: sprt.map(Sprt::lower_bound),
        llr_high: sprt.map(Sprt::upper_bound),
        verdict: sprt
            .zip(result.llr)
            .map(|(sprt, llr)| sprt.verdict(llr).name()),
        elo_stopped: result.stopped.and_then(|it| it.elo.value),
        elo_stopped_low: result.stopped.and_then(|it| it.elo.low),
        elo_stopped_high: result.stopped.and_then(|it| it.elo.high),
        confidence: result.stopped.and_then(|it| it.confidence),
    };
    let mut line = serde_json::to_string(&object).map_err(Failure::bad_input)?;
    line.push('\n');
    Ok(line)
}

/// A value with its interval, or the one end that is known.
pub fn estimate_text(estimate: &Estimate, scale: f64, unit: &str) -> String {
    let show = |value: f64| format!("{}{unit}", figures::decimal(value * scale, 2));
    match (estimate.value, estimate.low, estimate.high) {
        (Some(value), Some(low), Some(high)) => {
            let error = (high - low) / 2.0;
            format!(
                "{} ± {} (95 %: {} to {})",
                show(value),
                show(error),
                show(low),
                show(high)
            )
        }
        (value, Some(low), None) => format!(
            "{}above {}",
            value.map_or(String::new(), |v| show(v) + ", "),
            show(low)
        ),
        (value, None, Some(high)) => format!(
            "{}below {}",
            value.map_or(String::new(), |v| show(v) + ", "),
            show(high)
        ),
        (None, Some(low), Some(high)) => format!("{} to {} (95 %)", show(low), show(high)),
        (Some(value), None, None) => show(value),
        (None, None, None) => "unknown".to_string(),
    }
}

fn text(result: &Results, sprt: Option<&Sprt>) -> String {
    let summary = &result.summary;
    let mut lines = Vec::new();
    let names = result
        .names
        .as_ref()
        .map(|(player, opponent)| (printable_in_line(player), printable_in_line(opponent)));
    if let Some((player, opponent)) = &names {
        lines.push(format!("{player} against {opponent}"));
    }
    let of_pairs = summary
        .pairs
        .map_or(String::new(), |pairs| format!(" in {pairs} opening pairs"));
    lines.push(format!("games       {}{of_pairs}", summary.games));
    lines.push(format!(
        "score       {}",
        estimate_text(&summary.score, 100.0, " %")
    ));
    lines.push(format!(
        "Elo         {}",
        estimate_text(&summary.elo, 1.0, "")
    ));
    lines.push(format!(
        "nElo        {}",
        estimate_text(&summary.nelo, 1.0, "")
    ));
    let percent = |value: Option<f64>| {
        value.map_or("unknown".to_string(), |share| figures::percent(share, 2))
    };
    let whom = match &names {
        Some((player, opponent)) => format!("that {player} is stronger than {opponent}"),
        None => "that the player is stronger than its opponent".to_string(),
    };
    let los = summary
        .los
        .map_or("unknown".to_string(), |los| figures::likelihood(los, 2));
    lines.push(format!("LOS         {los} ({whom})"));
    lines.push(format!("draw ratio  {}", percent(summary.draw_ratio)));
    if summary.pairs.is_some() {
        let ratio = summary
            .pair_ratio
            .map_or("unknown".to_string(), |ratio| format!("{ratio:.2}"));
        lines.push(format!("pair ratio  {ratio}"));
    }
    if let (Some(sprt), Some(llr)) = (sprt, result.llr) {
        lines.push(format!(
            "LLR         {llr:.2} ({:.2}, {:.2}) [{}, {}] {}: {}",
            sprt.lower_bound(),
            sprt.upper_bound(),
            sprt.elo0(),
            sprt.elo1(),
            sprt.model().name(),
            sprt.verdict(llr).name()
        ));
    }
    if let Some(stopped) = result.stopped.filter(|it| it.elo.value.is_some()) {
        lines.push(format!(
            "if stopped  Elo {}, confidence {}: if this test ended here",
            estimate_text(&stopped.elo, 1.0, ""),
            stopped
                .confidence
                .map_or("unknown".to_string(), |it| figures::likelihood(it, 2))
        ));
    }
    lines.push(String::new());
    lines.join("\n") + "\n"
}
