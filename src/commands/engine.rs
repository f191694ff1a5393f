//! `sparring engine check`: whether a program is an engine that can play matches.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use super::{Done, Failure, find_game, print};
use crate::config::{did_you_mean, parse_time, program_in_path};
use crate::engines::{EngineSpec, Offer, Protocol, Restart};
use crate::eval::catalog::GameId;
use crate::games::AnyPosition;
use crate::play::{
    Clocks, Conduct, Endings, Experiment, Format, Openings, PlayerKind, PlayerSpec, Runner,
    Schedule, Team, Termination, Turn, bench_positions, introduce,
};
use crate::search::{Clock, Limit};

#[derive(Args)]
pub struct EngineArgs {
    #[command(subcommand)]
    pub what: EngineCommand,
}

#[derive(Subcommand)]
pub enum EngineCommand {
    /// Check that a program is an engine: it starts, names its options, and makes legal moves in time
    Check(CheckArgs),
}

#[derive(Args)]
pub struct CheckArgs {
    /// The program, and its arguments
    #[arg(value_name = "PROGRAM", required = true, num_args = 1.., trailing_var_arg = true, allow_hyphen_values = true)]
    pub program: Vec<String>,
    /// The game; see `sparring list games`
    #[arg(long, value_name = "G", default_value = "chess")]
    pub game: String,
    /// uci, hub or hub1 [default: uci in chess, hub in draughts]
    #[arg(long, value_name = "P")]
    pub protocol: Option<String>,
    /// How long the engine may take to start, and for a move by depth or nodes
    #[arg(long, value_name = "T", default_value = "10s")]
    pub timeout: String,
}

pub fn run(args: &EngineArgs) -> Done {
    match &args.what {
        EngineCommand::Check(args) => check(args),
    }
}

/// The checks of one engine, and how many failed.
struct Check {
    game: GameId,
    spec: EngineSpec,
    failed: u32,
}

fn check(args: &CheckArgs) -> Done {
    let game = find_game(&args.game)?;
    let mut check = Check {
        game,
        spec: spec_of(game, args)?,
        failed: 0,
    };
    if check.starts() {
        check.moves();
        check.plays();
    }
    match check.failed {
        0 => {
            print("verdict: the engine can play\n");
            Ok(())
        }
        failed => Err(Failure::check_failed(format!(
            "verdict: {failed} of the checks failed"
        ))),
    }
}

fn spec_of(game: GameId, args: &CheckArgs) -> Result<EngineSpec, Failure> {
    let facts = game.facts();
    let protocol = match &args.protocol {
        Some(name) => Protocol::ALL
            .into_iter()
            .find(|protocol| protocol.name() == name.as_str())
            .ok_or_else(|| {
                let hint = did_you_mean(name, Protocol::ALL.iter().map(|it| it.name()));
                Failure::bad_input(format!("--protocol {name}: {hint}"))
            })?,
        None if facts.speaks_hub => Protocol::Hub,
        None => Protocol::Uci,
    };
    let fits = match protocol {
        Protocol::Uci => facts.speaks_uci,
        Protocol::Hub | Protocol::Hub1 => facts.speaks_hub,
    };
    if !fits {
        return Err(Failure::bad_input(format!(
            "--protocol {}: engines of {} do not speak it",
            protocol.name(),
            game.name()
        )));
    }
    let timeout = parse_time(&args.timeout).filter(|time| !time.is_zero());
    let timeout = timeout.ok_or_else(|| {
        Failure::bad_input(format!(
            "--timeout {}: expected a time such as 10s",
            args.timeout
        ))
    })?;
    let (program, rest) = args
        .program
        .split_first()
        .ok_or_else(|| Failure::bad_input("expected a program"))?;
    Ok(EngineSpec {
        protocol,
        program: match program.contains(['/', '\\']) {
            true => PathBuf::from(program),
            false => program_in_path(program).ok_or_else(|| {
                Failure::bad_input(format!(
                    "{program}: program not found in the PATH; install it, or give its path such as \
                     ./{program}"
                ))
            })?,
        },
        args: rest.to_vec(),
        directory: None,
        options: Vec::new(),
        init: Vec::new(),
        restart: Restart::Never,
        ponder: false,
        start_timeout: timeout,
        move_timeout: timeout,
        time_margin: Duration::from_millis(500),
    })
}

const NEVER: fn() -> bool = || false;

impl Check {
    fn say(&mut self, what: &str, found: Result<String, String>) {
        match found {
            Ok(detail) => print(&format!("ok    {what}: {detail}\n")),
            Err(why) => {
                self.failed += 1;
                print(&format!("FAIL  {what}: {why}\n"));
            }
        }
    }

    fn player(&self, name: &str, limit: Limit) -> PlayerSpec {
        PlayerSpec {
            name: name.to_string(),
            limit,
            kind: PlayerKind::Engine(self.spec.clone()),
        }
    }

    /// The handshake, the name and the options.
    fn starts(&mut self) -> bool {
        let player = self.player("engine", Limit::depth(1));
        let Some(met) = introduce(self.game.rules(), &player, &NEVER) else {
            return false;
        };
        let introduction = match met {
            Ok(introduction) => introduction,
            Err(fault) => {
                self.say("starts", Err(fault.to_string()));
                return false;
            }
        };
        self.say(
            "starts",
            Ok(format!("protocol {}", self.spec.protocol.name())),
        );
        let name = match introduction.name.as_str() {
            "" => Err("it gives none".to_string()),
            name => Ok(name.to_string()),
        };
        self.say("names itself", name);
        let wrong: Vec<String> = introduction
            .offers
            .iter()
            .filter_map(wrong_option)
            .collect();
        let options = match wrong.is_empty() {
            true => Ok(format!("{} of them", introduction.offers.len())),
            false => Err(wrong.join("; ")),
        };
        self.say("describes its options", options);
        if self.game.facts().starts > 1 {
            let has = introduction
                .offers
                .iter()
                .any(|offer| offer.name == "UCI_Chess960");
            let found = if has {
                Ok("yes".to_string())
            } else {
                Err("no option UCI_Chess960".to_string())
            };
            self.say("plays chess960", found);
        }
        true
    }

    /// Legal moves under every kind of limit.
    fn moves(&mut self) {
        let ms = Duration::from_millis;
        let clock = Clock {
            time: ms(2000),
            increment: ms(20),
            margin: ms(500),
            moves: None,
        };
        let mut limits = vec![("depth 2", Limit::depth(2))];
        if self.spec.protocol != Protocol::Hub1 {
            limits.push(("1000 nodes", Limit::nodes(1000)));
        }
        {
            limits.push(("100 ms", Limit::movetime(ms(100))));
            limits.push((
                "a clock of 2 s",
                Limit {
                    clock: Some(clock),
                    ..Limit::NONE
                },
            ));
            let periods = Clock {
                moves: Some(5),
                ..clock
            };
            limits.push((
                "2 s for 5 moves",
                Limit {
                    clock: Some(periods),
                    ..Limit::NONE
                },
            ));
        }
        let rules = self.game.rules();
        let positions = bench_positions(rules).unwrap_or_else(|_| vec![rules.usual_start()]);
        let mut team = Team::default();
        for (words, limit) in limits {
            let mut slowest = Duration::ZERO;
            let mut scores = 0;
            let mut fault = None;
            for position in &positions {
                let player = self.player("engine", limit);
                match ask(&mut team, &player, position.as_ref()) {
                    Ok(thought) => {
                        slowest = slowest.max(thought.0);
                        scores += usize::from(thought.1);
                    }
                    // One is enough: an engine that ignores a limit takes the whole timeout for each.
                    Err(why) => {
                        fault = Some(format!("{why} in {}", position.fen()));
                        break;
                    }
                }
            }
            let found = match fault {
                Some(why) => Err(why),
                None => Ok(format!(
                    "{} legal moves, {scores} with a score, slowest {} ms",
                    positions.len(),
                    slowest.as_millis()
                )),
            };
            self.say(&format!("moves within {words}"), found);
        }
    }

    /// A pair of games against itself.
    fn plays(&mut self) {
        let limit = Limit::depth(1);
        let experiment = Experiment {
            seed: 1,
            players: vec![self.player("one", limit), self.player("two", limit)],
            schedule: Schedule::new(Format::Pair, 2, 1),
            openings: Openings::Random {
                plies: 4,
                reject: None,
            },
            endings: Endings {
                max_plies: Some(60),
                ..Endings::default()
            },
            conduct: Conduct::default(),
        };
        let played = Runner::new(self.game, 1).and_then(|mut runner| runner.play(&experiment));
        let found = match played {
            Err(error) => Err(error.to_string()),
            Ok(pairs) => {
                let games = pairs.iter().flat_map(|pair| &pair.games);
                let forfeit = games.clone().find_map(|game| match game.termination {
                    Termination::Forfeit(fault) => {
                        Some(format!("{} after {} moves", fault.name(), game.moves.len()))
                    }
                    _ => None,
                });
                let plies: usize = games.map(|game| game.moves.len()).sum();
                forfeit.map_or_else(|| Ok(format!("{plies} moves in two games")), Err)
            }
        };
        self.say("plays games", found);
    }
}

/// The time of a move, and whether it came with a score; or the fault.
fn ask(
    team: &mut Team,
    player: &PlayerSpec,
    position: &dyn AnyPosition,
) -> Result<(Duration, bool), String> {
    let Some(spec) = player.engine() else {
        return Err("not an engine".to_string());
    };
    let mut seat = team.take(player, spec, None);
    let clocks = Clocks::new(player.limit.clock, player.limit.clock);
    let turn = Turn {
        position,
        history: &[],
        moves: &[],
        clocks: &clocks,
        hurry: &NEVER,
        wants_details: false,
        stop: &NEVER,
    };
    let began = seat.begin(position.rules(), &position.fen(), &NEVER);
    let thought = began.and_then(|()| seat.think(&turn));
    team.give_back(seat);
    match thought {
        Ok(thought) => Ok((thought.time, thought.score.is_some())),
        Err(crate::engines::Trouble::Fault(fault)) => Err(fault.name().to_string()),
        Err(crate::engines::Trouble::Stopped) => Err("stopped".to_string()),
    }
}

/// Why the description of an option is invalid, if it is.
fn wrong_option(offer: &Offer) -> Option<String> {
    let known = ["check", "spin", "combo", "button", "string"];
    if !known.contains(&offer.kind.as_str()) {
        return Some(format!(
            "`{}` has the unknown type `{}`",
            offer.name, offer.kind
        ));
    }
    if matches!(offer.kind.as_str(), "button" | "string") {
        return None;
    }
    let objection = offer.objection(&offer.default)?;
    Some(format!(
        "`{}` has the default `{}`: {objection}",
        offer.name, offer.default
    ))
}
