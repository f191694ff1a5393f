//! The standing torture test: hurts runs in every way we know, at random, and compares what they end with
//! byte by byte.
//!
//! ```sh
//! cargo test --test torture                                  # a trial of each kind
//! cargo test --test torture -- --seconds 3600                # an hour
//! cargo test --test torture -- --seed 7 --only 1234          # one trial again
//! cargo test --test torture -- --kind flip --trials 1000
//! ```
//!
//! The seed is printed; without arguments it is always the same. With a seed, each trial makes the same choices again; when a kill arrives depends
//! on the machine as well.

#[cfg(unix)]
mod disk;
#[cfg(unix)]
mod lab;
#[cfg(unix)]
mod random;
#[cfg(unix)]
mod scenarios;
#[cfg(unix)]
mod trace;
#[cfg(unix)]
mod trials;

#[cfg(not(unix))]
fn main() {
    println!("the torture test needs signals and runs on unix only: 0 trials");
}

#[cfg(unix)]
fn main() -> std::process::ExitCode {
    run::main()
}

#[cfg(unix)]
mod run {
    use std::collections::BTreeMap;
    use std::path::PathBuf;
    use std::process::ExitCode;
    use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

    use crate::lab::Lab;
    use crate::random::Random;
    use crate::trials::{KINDS, Kind};

    struct Wish {
        seed: u64,
        /// The trial numbers to run.
        from: u64,
        trials: Option<u64>,
        seconds: Option<u64>,
        kinds: Vec<&'static Kind>,
        program: PathBuf,
        keep_going: bool,
    }

    /// Trials of each kind without arguments, as part of `cargo test`.
    const FEW: u64 = 1;

    pub fn main() -> ExitCode {
        let wish = match parse(std::env::args().skip(1).collect()) {
            Ok(wish) => wish,
            Err(message) => {
                eprintln!("torture: {message}");
                return ExitCode::from(2);
            }
        };
        let mut kinds: Vec<&Kind> = Vec::new();
        for kind in &wish.kinds {
            match (kind.missing)() {
                None => kinds.push(kind),
                Some(why) => println!("*** NOT TESTED: {}: {why} ***", kind.name),
            }
        }
        if kinds.is_empty() {
            println!("0 trials");
            return ExitCode::SUCCESS;
        }
        println!("seed {}, program {}", wish.seed, wish.program.display());
        let mut lab = match Lab::new(&wish.program) {
            Ok(lab) => lab,
            Err(error) => {
                eprintln!("torture: no scratch folder: {error}");
                return ExitCode::from(2);
            }
        };
        let began = Instant::now();
        let trials = match (wish.trials, wish.seconds) {
            (Some(trials), _) => trials,
            (None, Some(_)) => u64::MAX,
            (None, None) => FEW * kinds.len() as u64,
        };
        let mut counts: BTreeMap<&str, Counts> = BTreeMap::new();
        for trial in (wish.from..u64::MAX).take(usize::try_from(trials).unwrap_or(usize::MAX)) {
            let is_late = |seconds| began.elapsed() >= Duration::from_secs(seconds);
            if wish.seconds.is_some_and(is_late) {
                break;
            }
            // In turn, so that every kind gets its share however long the test runs.
            let kind = kinds[(trial % kinds.len() as u64) as usize];
            let mut random = Random::new(wish.seed, trial);
            let done = trial - wish.from;
            if done > 0 && done.is_multiple_of(100) {
                let failures: u64 = counts.values().map(|count| count.failures).sum();
                let minutes = began.elapsed().as_secs() / 60;
                println!("{done} trials, {failures} failures in {minutes} min");
            }
            let count = counts.entry(kind.name).or_default();
            count.trials += 1;
            lab.begin(trial);
            match (kind.run)(&mut lab, &mut random) {
                Ok(blows) => count.blows += blows,
                Err(message) => {
                    count.failures += 1;
                    println!("FAILED: trial {trial}, {}: {message}", kind.name);
                    println!(
                        "  again: --seed {} --only {trial} --kind {}; kept: {}",
                        wish.seed,
                        kind.name,
                        lab.keep().display()
                    );
                    if !wish.keep_going {
                        break;
                    }
                }
            }
        }
        for (what, count) in lab.counts() {
            println!("{count:>7} {what}");
        }
        report(&counts, began.elapsed(), wish.seed)
    }

    #[derive(Default)]
    struct Counts {
        trials: u64,
        /// Kills, flips, cuts and so on.
        blows: u64,
        failures: u64,
    }

    fn report(counts: &BTreeMap<&str, Counts>, took: Duration, seed: u64) -> ExitCode {
        println!(
            "{:<12} {:>7} {:>7} {:>8}",
            "kind", "trials", "blows", "failures"
        );
        for (name, count) in counts {
            println!(
                "{name:<12} {:>7} {:>7} {:>8}",
                count.trials, count.blows, count.failures
            );
        }
        let total = |of: fn(&Counts) -> u64| counts.values().map(of).sum::<u64>();
        let failures = total(|count| count.failures);
        println!(
            "seed {seed}: {} trials, {} blows, {failures} failures in {:.0} s",
            total(|count| count.trials),
            total(|count| count.blows),
            took.as_secs_f64()
        );
        ExitCode::from(u8::from(failures > 0))
    }

    fn parse(arguments: Vec<String>) -> Result<Wish, String> {
        let mut seed = None;
        let mut wish = Wish {
            seed: 1,
            from: 0,
            trials: None,
            seconds: None,
            kinds: Vec::new(),
            program: PathBuf::from(env!("CARGO_BIN_EXE_sparring")),
            keep_going: false,
        };
        let mut filters = Vec::new();
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
            let number = |text: String| {
                text.parse::<u64>()
                    .map_err(|_| format!("`{text}` is not a whole number"))
            };
            match argument.as_str() {
                "--seed" => seed = Some(number(value()?)?),
                "--seconds" => wish.seconds = Some(number(value()?)?),
                "--trials" => wish.trials = Some(number(value()?)?),
                "--only" => (wish.from, wish.trials) = (number(value()?)?, Some(1)),
                "--kind" => filters.push(value()?),
                "--program" => wish.program = PathBuf::from(value()?),
                "--keep-going" => wish.keep_going = true,
                // There are no single tests to list.
                "--list" => wish.trials = Some(0),
                // Options and filters of `cargo test` for all test programs.
                other if other.starts_with('-') => {}
                other => filters.push(other.to_string()),
            }
        }
        let is_standard = wish.trials.is_none() && wish.seconds.is_none();
        wish.seed = seed.unwrap_or_else(|| match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(time) if !is_standard => time.as_secs(),
            _ => 1,
        });
        let is_wanted =
            |kind: &&Kind| filters.is_empty() || filters.iter().any(|filter| kind.name == filter);
        wish.kinds = KINDS.iter().filter(is_wanted).collect();
        Ok(wish)
    }
}
