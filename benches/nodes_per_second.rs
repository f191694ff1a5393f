//! Nodes per second of `strong` + `classical`, beside another engine in the same run.
//!
//! The two alternate and medians are compared, so that other load on the machine affects both. Nodes per second say more of the machine than of the program: the core's clock is measured
//! too, and the same figures are given in cycles per node, which another machine can be compared by.
//!
//! `cargo bench --bench nodes_per_second` takes `stockfish` from the path; behind `--` may stand
//! another UCI engine's program and the number of rounds. Without an engine ours is measured alone.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sparring::engines::{Asked, Engine, EngineSpec, Protocol, Restart, Transcript};
use sparring::eval::{Evaluated, Evaluator, Weights};
use sparring::games::any::facts;
use sparring::games::chess::Chess;
use sparring::games::prelude::*;
use sparring::search::{Limit, Options, Profile, Searcher};

/// Name, position and the depth to search it to: about a fifth of a second each.
const POSITIONS: [(&str, &str, u32); 2] = [
    (
        "start position",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        17,
    ),
    (
        "Kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        15,
    ),
];

const ROUNDS: usize = 9;

/// What a search took.
struct Took {
    nodes: u64,
    time: Duration,
}

impl Took {
    /// Nodes in a microsecond: millions in a second.
    fn speed(&self) -> f64 {
        self.nodes as f64 / self.time.as_secs_f64() / 1e6
    }
}

struct Ours {
    searcher: Searcher<Chess>,
    evaluator: Box<dyn Evaluator<Chess>>,
}

impl Ours {
    fn new() -> Ours {
        let preset = Chess::preset("classical").expect("a preset of chess");
        let options = [("profile", Profile::Strong.name())];
        let options = Options::for_game(facts::<Chess>(), options).expect("a profile for chess");
        Ours {
            searcher: Searcher::new(options),
            evaluator: (preset.build)(&Weights::defaults(preset.terms), 0),
        }
    }

    fn search(mut self, fen: &str, depth: u32) -> Took {
        let position = Chess::from_fen(fen).expect("a position of ours");
        let mut search = |depth| {
            self.searcher.new_game(0);
            let limit = Limit::depth(depth);
            self.searcher
                .search(&position, &[], self.evaluator.as_mut(), limit)
        };
        // The first search of all asks the system for its memory.
        search(1);
        let began = Instant::now();
        let found = search(depth);
        Took {
            nodes: found.nodes,
            time: began.elapsed(),
        }
    }
}

/// Without its network, if it has one: evaluators made of terms are compared.
fn start_peer(program: &Path) -> Engine {
    let spec = EngineSpec {
        protocol: Protocol::Uci,
        program: program.to_path_buf(),
        args: Vec::new(),
        directory: None,
        options: Vec::new(),
        init: Vec::new(),
        restart: Restart::Never,
        ponder: false,
        start_timeout: Duration::from_secs(10),
        move_timeout: Duration::from_secs(600),
        time_margin: Duration::from_secs(1),
    };
    let start = |extra: &[(&str, &str)]| {
        Engine::start(&spec, extra, None, &Transcript::new(None, 1), &|| false)
            .unwrap_or_else(|error| panic!("{}: {error}", program.display()))
    };
    let offers = start(&[]).offers;
    let wanted = [("Hash", "16"), ("Threads", "1"), ("Use NNUE", "false")];
    let known = |name: &str| offers.iter().any(|offer| offer.name == name);
    let extra: Vec<_> = wanted.into_iter().filter(|(name, _)| known(name)).collect();
    start(&extra)
}

fn search_by_peer(peer: &mut Engine, fen: &str, depth: u32) -> Took {
    let never = || false;
    let asked = Asked {
        lines: &format!("position fen {fen}\ngo depth {depth}\n"),
        time: None,
    };
    let answer = peer
        .new_game(&never)
        .and_then(|()| peer.think(&asked, &never, &never))
        .expect("an answer of the engine");
    Took {
        nodes: answer.info.nodes,
        time: answer.time,
    }
}

/// The program `stockfish`, where Debian puts games too.
fn find_stockfish() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .chain([PathBuf::from("/usr/games")])
        .map(|folder| folder.join("stockfish"))
        .find(|program| program.is_file())
}

/// The core's clock in GHz: steps that wait for each other, of two instructions with one cycle each.
fn clock() -> f64 {
    const STEPS: u64 = 20_000_000;
    let began = Instant::now();
    let mut turned = black_box(1u64);
    for step in 0..STEPS {
        turned = turned.rotate_left(7) ^ step;
    }
    black_box(turned);
    2.0 * STEPS as f64 / began.elapsed().as_nanos() as f64
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let last = values.len() - 1;
    (values[last / 2] + values[last.div_ceil(2)]) / 2.0
}

fn print_row(name: &str, took: &[Took], clocks: &[f64]) {
    let mut speeds: Vec<f64> = took.iter().map(Took::speed).collect();
    let mut cycles: Vec<f64> = speeds
        .iter()
        .zip(clocks)
        .map(|(speed, clock)| 1000.0 * clock / speed)
        .collect();
    let (middle, cycles) = (median(&mut speeds), median(&mut cycles));
    println!(
        "  {name:24} {:>9} nodes {middle:6.2} million/s ({:.2} to {:.2}) {cycles:6.0} cycles per node",
        took[0].nodes,
        speeds[0],
        speeds[speeds.len() - 1],
    );
}

fn main() {
    // Cargo passes `--bench`.
    let args: Vec<String> = std::env::args()
        .skip(1)
        .filter(|arg| !arg.starts_with('-'))
        .collect();
    let rounds = args.iter().find_map(|arg| arg.parse().ok());
    let rounds = rounds.unwrap_or(ROUNDS).max(1);
    let named = args.iter().find(|arg| arg.parse::<usize>().is_err());
    let program = named.map(PathBuf::from).or_else(find_stockfish);
    let mut peer = program.as_deref().map(start_peer);
    let mut all_clocks = Vec::new();
    for (name, fen, depth) in POSITIONS {
        let (mut our_searches, mut their_searches) = (Vec::new(), Vec::new());
        let mut clocks = Vec::new();
        for _ in 0..rounds {
            clocks.push(clock());
            our_searches.push(Ours::new().search(fen, depth));
            their_searches.extend(peer.as_mut().map(|peer| search_by_peer(peer, fen, depth)));
        }
        println!("{name}, depth {depth}, {rounds} rounds");
        print_row("strong + classical", &our_searches, &clocks);
        if let Some(peer) = &peer {
            print_row(&peer.name, &their_searches, &clocks);
            let pairs = our_searches.iter().zip(&their_searches);
            let mut ratios: Vec<f64> = pairs
                .map(|(ours, theirs)| ours.speed() / theirs.speed())
                .collect();
            println!(
                "  ours to theirs, median of the rounds: {:.2}",
                median(&mut ratios)
            );
        }
        all_clocks.extend(clocks);
    }
    println!("clock: {:.2} GHz", median(&mut all_clocks));
    if peer.is_none() {
        println!("no peer: `stockfish` is not on the path, and no program was named");
    }
}
