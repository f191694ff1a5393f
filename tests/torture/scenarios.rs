//! What is hurt: small runs of every kind that end in a fraction of a second.

/// A config and the command that plays it.
pub struct Scenario {
    pub name: &'static str,
    /// `run` or `tune`.
    pub command: &'static str,
    pub config: String,
    pub sameness: Sameness,
}

/// What must come out the same after any disturbance.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Sameness {
    /// Every byte.
    Bytes,
    /// The games, without their times: engines of ours.
    Games,
    /// Nothing, but all games follow the rules: other engines.
    Rules,
}

const TWO: &str = r#"
[[player]]
name = "plain"
evaluator = "basic"
depth = 1
[[player]]
name = "tuned, by hand"
evaluator = "basic"
depth = 1
weights = { king = 5.5 }
"#;

fn run(name: &'static str, config: String) -> Scenario {
    Scenario {
        name,
        command: "run",
        config,
        sameness: Sameness::Bytes,
    }
}

fn tune(name: &'static str, method: &str) -> Scenario {
    Scenario {
        name,
        command: "tune",
        config: format!(
            r#"game = "checkers"
seed = 3
[openings]
plies = 4
[tune]
{method}
parameters = ["man", {{ name = "king", range = [1, 9] }}]
[[player]]
name = "basic"
evaluator = "basic"
depth = 1
"#
        ),
        sameness: Sameness::Bytes,
    }
}

/// Runs without engines.
pub fn exact() -> Vec<Scenario> {
    vec![
        run(
            "match",
            format!(
                "game = \"checkers\"\nseed = 6\n[match]\npairs = 40\n[openings]\nplies = 6\n[log]\nmoves = true\n{TWO}"
            ),
        ),
        run(
            "sprt",
            "game = \"connect-four\"\nseed = 7\n[match]\nformat = \"pair\"\npairs = 400\n[openings]\nplies = 4\n\
                 [sprt]\nelo0 = 0.0\nelo1 = 60.0\n[[player]]\nname = \"a\"\nevaluator = \"random\"\ndepth = 1\n\
                 [[player]]\nname = \"b\"\nevaluator = \"random\"\ndepth = 2\n"
                .to_string(),
        ),
        run(
            "sweep-player",
            "game = \"checkers\"\nseed = 8\n[match]\npairs = 6\n[openings]\nplies = 6\nshared = true\n[[player]]\nname = \"s\"\n\
             evaluator = \"basic\"\ndepth = 1\nsweep = { \"weights.king\" = [3, 4, 5] }\n"
                .to_string(),
        ),
        stages("swiss", "rounds = 3"),
        stages("knockout", "tiebreaks = 2"),
        stages("race", "budget = 60"),
        tune("spsa", "method = \"spsa\"\nbudget = 160\nbatch = 4\nvalidate_pairs = 4"),
        tune("cma", "method = \"cma-es\"\nbudget = 120\nbatch = 4\nvalidate = false"),
        tune("climb", "method = \"hill-climb\"\nbudget = 120\nvalidate_pairs = 4"),
        tune("tune-race", "method = \"race\"\nbudget = 160\npoints = 3\nvalidate_pairs = 4"),
        tune("bayes", "method = \"bayes\"\nbudget = 80\nbatch = 4\nvalidate = false"),
        tune("sweep", "method = \"sweep\"\nbudget = 160\npoints = 3\nvalidate_pairs = 4"),
        Scenario {
            name: "train",
            command: "tune",
            config: "game = \"connect-four\"\n[match]\npairs = 10\n[openings]\nplies = 4\n[tune]\nmethod = \"train\"\n\
                     teacher = \"lines\"\nvariations = 2\nhidden = 16\nbuckets = 2\nepochs = 12\nbatch_size = 64\n\
                     validate_pairs = 2\n[[player]]\nname = \"lines\"\nevaluator = \"lines\"\ndepth = 1\n"
                .to_string(),
            sameness: Sameness::Bytes,
        },
        Scenario {
            name: "fit",
            command: "tune",
            config: r#"game = "checkers"
seed = 5
[match]
pairs = 12
[openings]
plies = 6
[tune]
method = "fit"
parameters = ["man", "king"]
validate_pairs = 4
[[player]]
name = "one"
evaluator = "basic"
depth = 1
[[player]]
name = "two"
evaluator = "basic"
depth = 1
search = { blunder_rate = 20 }
"#
            .to_string(),
            sameness: Sameness::Bytes,
        },
    ]
}

fn list_of(players: u64) -> String {
    (1..=players)
        .map(|number| {
            format!(
                "[[player]]\nname = \"p{number}\"\nevaluator = \"basic\"\ndepth = 1\n\
                 weights = {{ king = {number}.5 }}\n"
            )
        })
        .collect()
}

/// A tournament whose pairings depend on results.
fn stages(format: &'static str, rules: &str) -> Scenario {
    let players = list_of(5);
    run(
        format,
        format!(
            "game = \"checkers\"\nseed = 10\n[match]\nformat = \"{format}\"\n{rules}\npairs = 3\n\
             [openings]\nplies = 6\n{players}"
        ),
    )
}

/// A field of players of which all pairs meet once.
pub fn field(players: u64) -> Scenario {
    let list = list_of(players);
    run(
        "field",
        format!("game = \"checkers\"\nseed = 9\n[match]\npairs = 1\n[openings]\nplies = 6\n{list}"),
    )
}

/// Two engines below a limit of nodes or depth. `first` and `second` are programs with their arguments.
pub fn engines(first: &[&str], second: &[&str], sameness: Sameness) -> Scenario {
    let player = |name: &str, engine: &[&str]| {
        let (program, arguments) = engine.split_first().unwrap_or((&"", &[]));
        format!(
            "[[player]]\nname = \"{name}\"\nengine = \"{program}\"\nargs = {arguments:?}\ndepth = 1\n\
             start_timeout = \"100s\"\nmove_timeout = \"100s\"\n"
        )
    };
    Scenario {
        sameness,
        ..run(
            "engines",
            format!(
                "game = \"chess\"\nseed = 4\n[match]\npairs = 5\nmax_plies = 30\n[openings]\nplies = 4\n{}{}",
                player("one", first),
                player("two", second)
            ),
        )
    }
}
