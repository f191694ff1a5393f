//! The kind of a key's value, with its range or choices. Readers, error messages, `sparring new` and
//! `sparring list keys` are derived from it.

use std::time::Duration;

/// Longer lists of choices are not shown; the help of their keys says where to find them.
const MOST_WORDS: usize = 4;

/// The kind of a key's value, with the values that are allowed.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    Text,
    /// One of a few words.
    Choice(fn() -> Vec<&'static str>),
    Whole {
        least: i64,
        most: i64,
    },
    Number {
        least: f64,
        most: f64,
    },
    Truth,
    /// A text such as `50ms`, above zero.
    Time {
        most: Duration,
    },
    /// A time per game or number of moves, and one per move, such as `10s+100ms` or `40/60s`.
    Clock {
        most: Duration,
    },
    /// A text, or a list of texts.
    Texts,
    /// A list; the text says of what.
    List(&'static str),
    Table,
}

impl Kind {
    /// A whole number without an upper bound.
    pub const fn at_least(least: i64) -> Kind {
        Kind::Whole {
            least,
            most: i64::MAX,
        }
    }

    pub const fn whole(least: i64, most: i64) -> Kind {
        Kind::Whole { least, most }
    }

    pub const fn number(least: f64, most: f64) -> Kind {
        Kind::Number { least, most }
    }

    /// Any number; the reader checks it.
    pub const ANY_NUMBER: Kind = Kind::number(f64::NEG_INFINITY, f64::INFINITY);

    /// The range, or the words if they are few.
    pub fn range(&self) -> Option<String> {
        match self {
            Kind::Choice(words) => {
                let words = words();
                (words.len() <= MOST_WORDS).then(|| words.join(" | "))
            }
            Kind::Whole { least, most } if *most == i64::MAX => Some(format!("{least} or more")),
            Kind::Whole { least, most } => Some(format!("{least} to {most}")),
            Kind::Number { least, most } if least.is_finite() && most.is_finite() => {
                Some(format!("{least} to {most}"))
            }
            Kind::Time { most } | Kind::Clock { most } => {
                Some(format!("above 0, at most {}", duration_text(*most)))
            }
            _ => None,
        }
    }

    /// The allowed values, for lists.
    pub fn values(&self) -> String {
        match (self.range(), self) {
            (Some(range), Kind::Time { .. }) => format!("time, {range}"),
            (Some(range), Kind::Clock { .. }) => {
                format!("[moves/]time[+increment], each time {range}")
            }
            (Some(range), _) => range,
            (None, Kind::Choice(words)) => format!("one of {} names", words().len()),
            (None, Kind::Text) => "text".to_string(),
            (None, Kind::Truth) => "true | false".to_string(),
            (None, Kind::Texts) => "text or list of texts".to_string(),
            (None, Kind::List(of)) => format!("list of {of}"),
            (None, Kind::Table) => "{ name = value }".to_string(),
            (None, _) => "number".to_string(),
        }
    }
}

/// Reads `50ms` or `1.5s`; `None` for negative or infinite times.
pub fn parse_time(text: &str) -> Option<Duration> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 1e-3),
        None => (text.strip_suffix('s')?, 1.0),
    };
    let seconds = number.trim().parse::<f64>().ok()? * unit;
    Duration::try_from_secs_f64(seconds).ok()
}

/// A clock as typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockTimes {
    /// The moves that `time` is for; `None`: the whole game.
    pub moves: Option<u32>,
    pub time: Duration,
    pub increment: Option<Duration>,
}

/// Reads `60s`, with an increment `10s+100ms`, or for a number of moves `40/60s`.
pub(super) fn parse_clock(text: &str) -> Option<ClockTimes> {
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => (Some(moves.trim().parse().ok()?), rest.trim()),
        None => (None, text),
    };
    let (time, increment) = match rest.split_once('+') {
        Some((time, increment)) => (time.trim(), Some(parse_time(increment.trim())?)),
        None => (rest, None),
    };
    Some(ClockTimes {
        moves,
        time: parse_time(time)?,
        increment,
    })
}

/// As [`parse_time`] reads it.
pub(super) fn duration_text(time: Duration) -> String {
    match time.subsec_nanos() {
        0 => format!("{}s", time.as_secs()),
        _ => format!("{}ms", time.as_secs_f64() * 1e3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_a_unit_and_is_not_negative() {
        assert_eq!(parse_time("50ms"), Some(Duration::from_millis(50)));
        assert_eq!(parse_time("1.5s"), Some(Duration::from_millis(1500)));
        for text in ["50", "-1s", "infs", "NaNms", "1e300s", "ms", ""] {
            assert_eq!(parse_time(text), None, "{text}");
        }
    }

    #[test]
    fn a_clock_has_at_most_one_period_and_one_increment() {
        let second = Duration::from_secs(1);
        let clock = |moves, increment| {
            Some(ClockTimes {
                moves,
                time: second,
                increment,
            })
        };
        assert_eq!(parse_clock("1s"), clock(None, None));
        assert_eq!(parse_clock("1s + 1s"), clock(None, Some(second)));
        assert_eq!(parse_clock("40/1s"), clock(Some(40), None));
        assert_eq!(parse_clock("9 / 1s+1000ms"), clock(Some(9), Some(second)));
        for wrong in ["1s+1s+1s", "40/", "/1s", "-1/1s", "1.5/1s", "40/20/1s"] {
            assert_eq!(parse_clock(wrong), None, "{wrong}");
        }
    }
}
