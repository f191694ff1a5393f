//! Profiles: named sets of search options.

use super::options::{Algorithm, Ends, Needs, Options, Ordering, Quiescence};

/// A named set of options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// Full-width minimax to a fixed depth.
    Minimax,
    /// Alpha-beta to a fixed depth, without anything that changes the score.
    AlphaBeta,
    /// All techniques that gain strength.
    Strong,
    /// The search of the older chess program in Java.
    Staged,
    /// The search of the older chess program in Python.
    Simplified,
    /// The search of the older checkers program.
    Checkers,
}

impl Profile {
    const ALL: [Profile; 6] = [
        Profile::Minimax,
        Profile::AlphaBeta,
        Profile::Strong,
        Profile::Staged,
        Profile::Simplified,
        Profile::Checkers,
    ];

    pub const NAMES: &'static [&'static str] = &[
        Profile::Minimax.name(),
        Profile::AlphaBeta.name(),
        Profile::Strong.name(),
        Profile::Staged.name(),
        Profile::Simplified.name(),
        Profile::Checkers.name(),
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Profile::Minimax => "minimax",
            Profile::AlphaBeta => "alpha-beta",
            Profile::Strong => "strong",
            Profile::Staged => "staged",
            Profile::Simplified => "simplified",
            Profile::Checkers => "checkers",
        }
    }

    pub const fn help(self) -> &'static str {
        match self {
            Profile::Minimax => "full-width minimax to a fixed depth",
            Profile::AlphaBeta => {
                "alpha-beta to a fixed depth, without anything that changes the score"
            }
            Profile::Strong => "all techniques that gain strength",
            Profile::Staged => {
                "the older chess program in Java: activity extension, legacy move order"
            }
            Profile::Simplified => "the older chess program in Python: early ends weigh more",
            Profile::Checkers => "the older checkers program: alpha-beta with a TT",
        }
    }

    pub fn from_name(name: &str) -> Option<Profile> {
        Profile::ALL
            .into_iter()
            .find(|profile| profile.name() == name)
    }

    /// The default depth of the older program.
    pub const fn usual_depth(self) -> Option<u32> {
        match self {
            Profile::Staged => Some(4),
            Profile::Simplified => Some(3),
            Profile::Checkers => Some(5),
            _ => None,
        }
    }

    pub(super) const fn needs(self) -> Needs {
        match self {
            Profile::Staged => Needs::Chess,
            _ => Needs::Nothing,
        }
    }

    pub fn options(self) -> Options {
        let plain = Options {
            profile: self,
            ..Options::default()
        };
        match self {
            Profile::AlphaBeta => plain,
            Profile::Minimax => Options {
                algorithm: Algorithm::Minimax,
                ordering: Ordering::None,
                ..plain
            },
            Profile::Strong => strong(plain),
            Profile::Staged => Options {
                ordering: Ordering::Legacy,
                quiescence: Quiescence::Activity,
                ends: Ends::Evaluator,
                ..plain
            },
            Profile::Simplified => Options {
                ordering: Ordering::None,
                ends: Ends::EvaluatorEarly,
                repetition: false,
                ..plain
            },
            Profile::Checkers => Options {
                ordering: Ordering::None,
                table: true,
                hash_move: false,
                ends: Ends::Evaluator,
                repetition: false,
                ..plain
            },
        }
    }
}

fn strong(plain: Options) -> Options {
    Options {
        algorithm: Algorithm::Pvs,
        iterative_deepening: true,
        aspiration: true,
        table: true,
        ordering: Ordering::See,
        killers: true,
        countermoves: true,
        history: true,
        continuation: true,
        quiescence: Quiescence::Captures,
        quiescence_see: true,
        delta_pruning: true,
        check_extension: true,
        capture_extension: true,
        null_move: true,
        reverse_futility: true,
        futility: true,
        late_move_pruning: true,
        late_move_reductions: true,
        see_pruning: true,
        internal_iterative_reduction: true,
        singular_extension: true,
        mate_distance_pruning: true,
        ..plain
    }
}
