//! A match between two built-in chess players: `cargo run --release --example match`.

use sparring::eval::Evaluated;
use sparring::games::Side::{Black, White};
use sparring::games::chess::Chess;
use sparring::play::{
    Conduct, Endings, Experiment, Format, Openings, PlayerSpec, Runner, Schedule,
};
use sparring::record::player_result;
use sparring::search::{Limit, Options};
use sparring::stats::Tally;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let player = |name: &str| {
        let preset = Chess::preset(name).ok_or(format!("no evaluator `{name}`"))?;
        Ok::<_, String>(PlayerSpec::of_preset(
            preset,
            Limit::depth(2),
            Options::default(),
        ))
    };
    let experiment = Experiment {
        seed: 1,
        players: vec![player("simplified")?, player("material")?],
        schedule: Schedule::new(Format::Pair, 2, 20), // 20 opening pairs are 40 games
        openings: Openings::Random {
            plies: 8,
            reject: None,
        },
        endings: Endings::default(),
        conduct: Conduct::default(),
    };
    let mut tally = Tally::default();
    for pair in Runner::of::<Chess>(2)?.play(&experiment)? {
        // The first player has white in the first game of a pair, and black in the second.
        let [first, second] = &pair.games;
        tally.push_pair(
            player_result(first.result, White),
            player_result(second.result, Black),
        );
    }
    let (games, score) = (tally.wdl(), tally.summary().score);
    println!("simplified against material: {games:?}, score {score:.3?}");
    Ok(())
}
