//! `sparring plan`: the cost and power of a sequential test. Also the line that `run` and `tune` print
//! before they start such a test.

use clap::Args;
use serde::Serialize;

use super::table::TextTable;
use super::{Done, Failure, complain, print};
use crate::config::did_you_mean;
use crate::report::{counted, grouped};
use crate::stats::{Detectable, Model, Outlook, Plan, Sprt};

/// The default share of drawn games.
const USUAL_DRAWS: f64 = 0.5;

/// More undecided tests than this deserve a warning.
const TOO_MANY_UNDECIDED: f64 = 0.1;

/// At most this share of tests is left undecided by the number of pairs that is advised.
const FEW_UNDECIDED: f64 = 0.05;

/// What `plan` and `stats` say of a sequential test besides its hypotheses.
#[derive(Args)]
pub struct TestArgs {
    /// The scale of elo0 and elo1: normalized or logistic
    #[arg(long, value_name = "M", default_value = "normalized")]
    pub model: String,
    /// Accepted risk of a false H1
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub alpha: f64,
    /// Accepted risk of a false H0
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub beta: f64,
}

impl TestArgs {
    pub fn sprt(&self, elo0: f64, elo1: f64) -> Result<Sprt, Failure> {
        Sprt::new(read_model(&self.model)?, elo0, elo1)
            .and_then(|sprt| sprt.with_error_rates(self.alpha, self.beta))
            .map_err(Failure::bad_input)
    }
}

#[derive(Args)]
pub struct PlanArgs {
    /// H0: the player is stronger by at most this much
    #[arg(long, value_name = "A", allow_negative_numbers = true)]
    pub elo0: f64,
    /// H1: the player is stronger by at least this much
    #[arg(long, value_name = "B", allow_negative_numbers = true)]
    pub elo1: f64,
    #[command(flatten)]
    pub test: TestArgs,
    /// Share of drawn games between equal players, 0 to 0.99
    #[arg(long, value_name = "D", default_value_t = USUAL_DRAWS, allow_negative_numbers = true)]
    pub draws: f64,
    /// Maximum number of opening pairs
    #[arg(long, value_name = "N")]
    pub pairs: Option<u64>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

pub fn run(args: &PlanArgs) -> Done {
    let sprt = args.test.sprt(args.elo0, args.elo1)?;
    let plan = Plan::new(sprt, args.draws, args.pairs)
        .map_err(|error| Failure::bad_input(format!("--{error}")))?;
    if args.json {
        print(&json(&plan)?);
    } else {
        print(&text(&plan));
    }
    Ok(())
}

/// The scale that `--model` names.
fn read_model(name: &str) -> Result<Model, Failure> {
    Model::ALL
        .into_iter()
        .find(|model| model.name() == name)
        .ok_or_else(|| {
            let hint = did_you_mean(name, Model::ALL.iter().map(|model| model.name()));
            Failure::bad_input(format!("--model {name}: {hint}"))
        })
}

/// Printed before a test starts.
struct Forecast {
    line: String,
    warning: Option<String>,
}

/// Prints how long a test will take, and a warning where its pairs will not decide it.
pub fn print_forecast(sprt: Option<&Sprt>, pairs: u64) {
    let Some(forecast) = sprt.and_then(|sprt| forecast(sprt, pairs)) else {
        return;
    };
    complain(&forecast.line);
    if let Some(warning) = forecast.warning {
        complain(&format!("warning: {warning}"));
    }
}

/// What to expect of a test of at most `pairs` pairs. The draws are not known yet; they matter for
/// the logistic model only.
fn forecast(sprt: &Sprt, pairs: u64) -> Option<Forecast> {
    let plan = Plan::new(*sprt, USUAL_DRAWS, Some(pairs)).ok()?;
    let [h0, halfway, h1] = plan.outlooks();
    let line = format!(
        "SPRT {} [{}, {}]: pairs to expect: {} at H0, {} halfway, {} at H1, of {} at most",
        sprt.model(),
        sprt.elo0(),
        sprt.elo1(),
        rounded(h0.mean_pairs),
        rounded(halfway.mean_pairs),
        rounded(h1.mean_pairs),
        grouped(pairs),
    );
    Some(Forecast {
        line,
        warning: warning(&plan),
    })
}

/// Said where the pairs allowed leave too many tests undecided.
fn warning(plan: &Plan) -> Option<String> {
    let pairs = plan.pairs()?;
    let [h0, _, h1] = plan.outlooks();
    let undecided = h0.undecided.max(h1.undecided);
    (undecided > TOO_MANY_UNDECIDED).then(|| {
        format!(
            "with at most {}, {} of such tests end undecided even where H0 or H1 is true; {} decide \
             95 %: raise pairs, or widen [{}, {}]",
            counted(pairs, "pair"),
            percent(undecided),
            counted(plan.pairs_to_decide(FEW_UNDECIDED).round() as u64, "pair"),
            plan.sprt().elo0(),
            plan.sprt().elo1()
        )
    })
}

fn rounded(pairs: f64) -> String {
    grouped(pairs.round() as u64)
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn text(plan: &Plan) -> String {
    let sprt = plan.sprt();
    let mut text = format!(
        "SPRT {} [{}, {}], alpha {}, beta {}, {} draws between equals",
        sprt.model(),
        sprt.elo0(),
        sprt.elo1(),
        sprt.alpha(),
        sprt.beta(),
        percent(plan.draws())
    );
    if let Some(pairs) = plan.pairs() {
        text.push_str(&format!(", at most {}", counted(pairs, "pair")));
    }
    text.push('\n');
    let header = [
        "true strength",
        "nElo",
        "Elo",
        "accepts H1",
        "accepts H0",
        "undecided",
        "mean pairs",
        "median",
    ];
    let mut table = TextTable::new(1, &header);
    for (name, outlook) in ["H0", "halfway", "H1"].iter().zip(plan.outlooks()) {
        table.row(vec![
            name.to_string(),
            format!("{:.2}", outlook.nelo),
            format!("{:.2}", outlook.elo),
            percent(outlook.accept_h1),
            percent(outlook.accept_h0),
            percent(outlook.undecided),
            rounded(outlook.mean_pairs),
            outlook
                .median_pairs
                .map_or("over the limit".to_string(), rounded),
        ]);
    }
    text.push_str(&table.text());
    let decide = rounded(plan.pairs_to_decide(FEW_UNDECIDED));
    text.push_str(&format!(
        "95 % of such tests are decided within {decide} pairs, wherever the strength lies between \
         H0 and H1\n"
    ));
    if let Some(detectable) = detectable(plan) {
        text.push_str(&format!(
            "a match of {}, all of them played, shows a difference of {:.1} Elo ({:.1} nElo) \
             in 80 % of cases; smaller ones less often\n",
            counted(plan.pairs().unwrap_or_default(), "pair"),
            detectable.elo,
            detectable.nelo
        ));
    }
    if let Some(warning) = warning(plan) {
        text.push_str(&format!("warning: {warning}\n"));
    }
    text
}

fn detectable(plan: &Plan) -> Option<Detectable> {
    Detectable::with(plan.pairs()?, plan.draws()).ok()
}

#[derive(Serialize)]
struct OutlookJson {
    elo: f64,
    nelo: f64,
    accept_h0: f64,
    accept_h1: f64,
    undecided: f64,
    mean_pairs: f64,
    median_pairs: Option<f64>,
}

impl From<Outlook> for OutlookJson {
    fn from(outlook: Outlook) -> OutlookJson {
        OutlookJson {
            elo: outlook.elo,
            nelo: outlook.nelo,
            accept_h0: outlook.accept_h0,
            accept_h1: outlook.accept_h1,
            undecided: outlook.undecided,
            mean_pairs: outlook.mean_pairs,
            median_pairs: outlook.median_pairs,
        }
    }
}

#[derive(Serialize)]
struct PlanJson {
    model: &'static str,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    llr_low: f64,
    llr_high: f64,
    draws: f64,
    pairs: Option<u64>,
    h0: OutlookJson,
    halfway: OutlookJson,
    h1: OutlookJson,
    /// Pairs within which 95 % of all tests are decided.
    pairs_to_decide: f64,
    /// The probability that the test accepts H1 where H1 is true.
    power: f64,
    detectable_elo: Option<f64>,
    detectable_nelo: Option<f64>,
}

fn json(plan: &Plan) -> Result<String, Failure> {
    let sprt = plan.sprt();
    let [h0, halfway, h1] = plan.outlooks();
    let detectable = detectable(plan);
    let object = PlanJson {
        model: sprt.model().name(),
        elo0: sprt.elo0(),
        elo1: sprt.elo1(),
        alpha: sprt.alpha(),
        beta: sprt.beta(),
        llr_low: sprt.lower_bound(),
        llr_high: sprt.upper_bound(),
        draws: plan.draws(),
        pairs: plan.pairs(),
        h0: h0.into(),
        halfway: halfway.into(),
        h1: h1.into(),
        pairs_to_decide: plan.pairs_to_decide(FEW_UNDECIDED),
        power: h1.accept_h1,
        detectable_elo: detectable.map(|d| d.elo),
        detectable_nelo: detectable.map(|d| d.nelo),
    };
    let mut line = serde_json::to_string(&object).map_err(Failure::bad_input)?;
    line.push('\n');
    Ok(line)
}
