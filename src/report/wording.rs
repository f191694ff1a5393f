//! Text of figures and names, the same in charts, on the page and in Markdown.

use crate::record::figures;
pub use crate::record::figures::decimal;
use crate::stats::Estimate;

use super::font::fit_name;

/// `1 game`, `2 games`, `12,000 games`.
pub fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(count))
}

/// With commas between thousands.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share from 0 to 1 as `53.2 %`.
pub fn percent(share: f64) -> String {
    figures::percent(share, 1)
}

/// A share with its interval: `53.2 % ± 1.4`, or both ends if asymmetric.
pub fn score_text(score: &Estimate) -> String {
    match (score.value, score.low, score.high) {
        (Some(value), Some(low), Some(high)) => {
            let (below, above) = (100.0 * (value - low), 100.0 * (high - value));
            if (below - above).abs() < 0.05 {
                format!("{} ± {above:.1}", percent(value))
            } else {
                format!(
                    "{} ({} to {})",
                    percent(value),
                    decimal(100.0 * low, 1),
                    decimal(100.0 * high, 1)
                )
            }
        }
        (Some(value), ..) => percent(value),
        (None, ..) => String::new(),
    }
}

/// Elo with its interval: `+12 ± 6`; if one end is unknown, only the other.
pub fn elo_text(elo: &Estimate) -> String {
    let whole = |value: f64| {
        let text = decimal(value, 0);
        match text.as_str() {
            "0" => text,
            _ if value > 0.0 => format!("+{text}"),
            _ => text,
        }
    };
    match (elo.value, elo.low, elo.high) {
        (Some(value), Some(low), Some(high)) => {
            format!("{} ± {:.0}", whole(value), (high - low) / 2.0)
        }
        (_, Some(low), None) => format!("above {}", whole(low)),
        (_, None, Some(high)) => format!("below {}", whole(high)),
        (None, Some(low), Some(high)) => format!("{} to {}", whole(low), whole(high)),
        (Some(value), None, None) => whole(value),
        (None, None, None) => "unknown".to_string(),
    }
}

/// A likelihood in percent, never rounded to 0 or 100.
pub fn likelihood(share: f64) -> String {
    figures::likelihood(share, 1)
}

/// A name for a headline, shortened.
pub fn short(name: &str) -> String {
    fit_name(name, super::theme::TITLE_SIZE, true, 330.0)
}

/// A parameter's name for charts, without the prefix `weights.`.
pub fn parameter(name: &str) -> &str {
    name.strip_prefix("weights.").unwrap_or(name)
}

/// Names in a sentence: `a`, `a and b`, `a, b and c`.
pub fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Basis;

    fn estimate(value: Option<f64>, low: Option<f64>, high: Option<f64>) -> Estimate {
        Estimate {
            value,
            low,
            high,
            basis: Basis::Normal,
        }
    }

    #[test]
    fn figures_carry_their_uncertainty() {
        let even = estimate(Some(0.5), Some(0.4), Some(0.6));
        assert_eq!(score_text(&even), "50.0 % ± 10.0");
        let lopsided = estimate(Some(1.0), Some(0.7), Some(1.0));
        assert_eq!(score_text(&lopsided), "100.0 % (70.0 to 100.0)");
        assert_eq!(
            elo_text(&estimate(Some(12.4), Some(6.4), Some(18.4))),
            "+12 ± 6"
        );
        assert_eq!(elo_text(&estimate(None, Some(100.0), None)), "above +100");
        assert_eq!(elo_text(&estimate(Some(-0.2), None, None)), "0");
    }

    #[test]
    fn counts_are_words_and_thousands_are_set_apart() {
        assert_eq!(counted(1, "game"), "1 game");
        assert_eq!(counted(1_234_567, "pair"), "1,234,567 pairs");
        assert_eq!(likelihood(1.0), "> 99.9 %");
        assert_eq!(likelihood(0.97), "97.0 %");
    }
}
