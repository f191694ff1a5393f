//! Elo of every player with its 95 % interval.

use super::{colour, sample};
use crate::report::canvas::ChartPlan;
use crate::report::data::ReportData;
use crate::report::frame::{Row, Rows, heading, whiskers};
use crate::report::share::elo_axis;
use crate::report::theme::Colour;
use crate::report::verdict::level_names;
use crate::report::wording::{counted, elo_text, short};
use crate::stats::Estimate;

struct Rung {
    name: String,
    colour: Colour,
    elo: Estimate,
}

struct Ladder {
    rungs: Vec<Rung>,
    title: String,
    subtitle: String,
    axis: String,
}

impl Ladder {
    fn of(data: &ReportData) -> Option<Ladder> {
        let lead = data.lead()?;
        let rungs: Vec<Rung> = data
            .ladder()
            .iter()
            .map(|standing| Rung {
                name: standing.name.clone(),
                colour: colour(data, standing.player),
                elo: standing.elo,
            })
            .collect();
        let two = rungs.len() == 2;
        let title = title(data, &rungs, &lead);
        let groups = data.group_count();
        let apart = if groups > 1 {
            format!(
                "; {} without common games, each with a separate zero",
                counted(groups as u64, "group")
            )
        } else {
            String::new()
        };
        let method = match (two, &data.standings.anchor) {
            (true, _) => "difference from the score".to_string(),
            (false, Some(anchor)) => format!("ratings from all games, {anchor} = 0"),
            (false, None) => "ratings from all games, 0 = weighted mean of the field".to_string(),
        };
        Some(Ladder {
            rungs,
            title,
            subtitle: format!("{}; {method}{apart}; whiskers: 95 % interval", sample(data)),
            axis: match (two, &data.standings.anchor) {
                (true, _) => "Elo against the other player".to_string(),
                (false, Some(anchor)) => format!("Elo above {anchor}"),
                (false, None) => "Elo above the weighted mean of the field".to_string(),
            },
        })
    }
}

fn title(data: &ReportData, rungs: &[Rung], lead: &Estimate) -> String {
    let (first, second) = (short(&rungs[0].name), short(&rungs[1].name));
    let level = data.standings.leaders();
    match (&level[..], lead.value, lead.low, lead.error()) {
        ([_], Some(value), _, Some(error)) => {
            format!("{first} leads {second} by {value:.0} Elo ± {error:.0}")
        }
        ([_], _, Some(low), _) => format!("{first} leads {second} by at least {low:.0} Elo"),
        ([_, _], Some(_), ..) => format!(
            "{first} and {second} are too close to call: {} Elo",
            elo_text(lead)
        ),
        (level, ..) => format!("{} are too close to call", level_names(level)),
    }
}

pub fn plan(data: &ReportData, width: f64) -> Option<ChartPlan> {
    let ladder = Ladder::of(data)?;
    let rows: Vec<Row> = ladder
        .rungs
        .iter()
        .map(|rung| Row {
            name: rung.name.clone(),
            colour: Some(rung.colour),
            figure: elo_text(&rung.elo),
        })
        .collect();
    let mut plan = ChartPlan::new(width, 0.0);
    let top = heading(&mut plan, &ladder.title, &ladder.subtitle);
    let layout = Rows::begin(&mut plan, top, &rows);
    let figures = ladder.rungs.iter().map(|rung| &rung.elo);
    let scale = elo_axis(&mut plan, &layout, &ladder.axis, figures);
    for (index, rung) in ladder.rungs.iter().enumerate() {
        let y = layout.middle(index);
        whiskers(&mut plan, &scale, y, &rung.elo, rung.colour, rung.colour);
        plan.hint(format!("{}: {}", rung.name, elo_text(&rung.elo)));
    }
    Some(plan)
}
