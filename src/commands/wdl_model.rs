//! `sparring wdl-model`: what a score is worth, from games.

use std::path::PathBuf;

use clap::Args;

use super::table::TextTable;
use super::{Done, Failure, must_exist, print};
use crate::record::{MoveScore, Side, read_played};
use crate::report::{counted, grouped};
use crate::stats::{PlayerResult, ScoredPosition, WdlModel, Z95};

#[derive(Args)]
#[command(after_help = "\
A position counts for the side to move, with the score that its player gave it and the game's result. With
t = moves since the opening / 32 (8 to 96 moves):

  P(win) = 1 / (1 + exp((a - score) / b)), P(loss) the same of -score, a and b straight lines in t

Scores are in pawns or points, as in games.csv. Divided by a at move 32, a score of 1 wins half of the games.")]
pub struct WdlModelArgs {
    /// Run directories, games.csv, or games with scores in their comments: .pgn .pdn
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Only the scores of this player
    #[arg(long, value_name = "PLAYER")]
    pub player: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

pub fn run(args: &WdlModelArgs) -> Done {
    must_exist(&args.files)?;
    let mut positions = Vec::new();
    let mut game = 0;
    for file in &args.files {
        read_played(file, |row| {
            game += 1;
            let Some(first) = row.first_mover else {
                return Ok(());
            };
            let sides = [first, first.other()].into_iter().cycle();
            for ((index, score), side) in row.move_scores().enumerate().zip(sides) {
                let (player, result) = match side {
                    Side::White => (&row.white, row.result_for_white()),
                    Side::Black => (&row.black, row.result_for_white().swapped()),
                };
                let is_wanted = args.player.as_ref().is_none_or(|wanted| wanted == player);
                if let (Some(MoveScore::Plain(score)), true) = (score, is_wanted) {
                    positions.push(ScoredPosition {
                        score,
                        move_number: (index / 2 + 1) as f64,
                        points: match result {
                            PlayerResult::Win => 1.0,
                            PlayerResult::Draw => 0.5,
                            PlayerResult::Loss => 0.0,
                        },
                        game,
                    });
                }
            }
            Ok(())
        })?;
    }
    let model = WdlModel::fit(&positions).ok_or_else(|| {
        Failure::bad_input(format!(
            "{} with a score: too few for a model, or the scores do not tell wins, draws and losses \
             apart; more games, or another --player",
            counted(positions.len() as u64, "position")
        ))
    })?;
    print(&if args.json {
        json(&model)
    } else {
        text(&model)
    });
    Ok(())
}

fn json(model: &WdlModel) -> String {
    let object = serde_json::json!({
        "a": [model.parameters[0], model.parameters[1]],
        "b": [model.parameters[2], model.parameters[3]],
        "a_error": [model.errors[0], model.errors[1]],
        "b_error": [model.errors[2], model.errors[3]],
        "log_likelihood": model.fit,
        "positions": model.positions,
        "games": model.games,
    });
    format!("{object}\n")
}

fn text(model: &WdlModel) -> String {
    let mut text = format!(
        "{} positions of {}, mean log-likelihood {:.4}\n",
        grouped(model.positions),
        counted(model.games, "game"),
        model.fit
    );
    for (index, name) in ["a", "b"].iter().enumerate() {
        let at = |number: usize| {
            let error = Z95 * model.errors[2 * index + number];
            format!("{:.3} ± {error:.3}", model.parameters[2 * index + number])
        };
        text.push_str(&format!(
            "{name} = {} at move 32, {} for each 32 moves more (95 %)\n",
            at(0),
            at(1)
        ));
    }
    for column in [16.0, 32.0, 64.0] {
        let even = model.even_chance(column);
        text.push_str(&format!(
            "a score of {even:.2} at move {column:.0} wins half of the games\n"
        ));
    }
    let mut table = TextTable::new(0, &["score at move 32", "win", "draw", "loss"]);
    for step in 0..=8 {
        let score = f64::from(step) / 2.0;
        let mut cells = vec![format!("{score:.1}")];
        let chances = model.probabilities(score, 32.0);
        cells.extend(chances.iter().map(|p| format!("{:.1} %", 100.0 * p)));
        table.row(cells);
    }
    text + &table.text()
}
