//! `sparring search`: best move, score, line and nodes of a position.

use clap::Args;

use super::{Done, Failure, find_game, print, score_text};
use crate::config;
use crate::eval::Evaluated;
use crate::eval::catalog::GameTask;
use crate::search::{Limit, Searcher};

#[derive(Args)]
pub struct SearchArgs {
    /// The game, see `sparring list games`
    #[arg(long, value_name = "G", default_value = "chess")]
    pub game: String,
    /// A preset, see `sparring list evaluators`, or a weights file
    #[arg(long, value_name = "E")]
    pub evaluator: String,
    /// Plies to look ahead
    #[arg(long, value_name = "D", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=127))]
    pub depth: u32,
    /// Set a search option, for example search.quiescence=captures
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// The position [default: the start position]
    #[arg(value_name = "FEN")]
    pub fen: Option<String>,
}

pub fn run(args: &SearchArgs) -> Done {
    find_game(&args.game)?.dispatch(Search(args))
}

struct Search<'a>(&'a SearchArgs);

impl GameTask for Search<'_> {
    type Output = Done;

    fn run<G: Evaluated>(self) -> Done {
        let args = self.0;
        let (preset, weights) = config::evaluator::<G>(&args.evaluator, None)?;
        let options = config::search_options(&args.set)?;
        let position = match &args.fen {
            Some(fen) => G::from_fen(fen)?,
            None => G::start(G::USUAL_START),
        };
        if let Some(outcome) = position.end() {
            let message = format!(
                "`{}`: the game is over ({}); nothing to search",
                position.fen(),
                outcome.reason.name()
            );
            return Err(Failure::bad_input(message));
        }
        let mut evaluator = (preset.build)(&weights, 0);
        let mut searcher = Searcher::<G>::new(options);
        let found = searcher.search(&position, &[], evaluator.as_mut(), Limit::depth(args.depth));
        let Some(best) = found.best else {
            return Err(Failure::bad_input(format!(
                "`{}`: no legal move",
                position.fen()
            )));
        };
        let mut line = Vec::new();
        let mut at = position.clone();
        for mv in &found.line {
            line.push(at.move_text(*mv));
            at.play(*mv);
        }
        let score = score_text(found.score);
        print(&format!(
            "depth {} score {score} {} nodes {} line {}\nbestmove {} score {score} nodes {}\n",
            args.depth,
            G::UNIT,
            found.nodes,
            line.join(" "),
            position.move_text(best),
            found.nodes
        ));
        Ok(())
    }
}
