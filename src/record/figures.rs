//! Formats figures, the same for the terminal, CSV, Markdown, pages and charts.

use crate::stats::Estimate;

/// A number with this many decimals; zero has no sign.
pub fn decimal(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    if text.trim_start_matches(['-', '0', '.']).is_empty() {
        text.trim_start_matches('-').to_string()
    } else {
        text
    }
}

/// A share from 0 to 1 in percent: `53.2 %`.
pub fn percent(share: f64, decimals: usize) -> String {
    format!("{} %", decimal(100.0 * share, decimals))
}

/// A likelihood from 0 to 1 in percent, never rounded to certainty: `97.5 %`, `> 99.9 %`.
pub fn likelihood(share: f64, decimals: usize) -> String {
    let least = 0.1f64.powi(decimals as i32);
    if 100.0 * share > 100.0 - least {
        format!("> {}", percent(1.0 - least / 100.0, decimals))
    } else if 100.0 * share < least {
        format!("< {}", percent(least / 100.0, decimals))
    } else {
        percent(share, decimals)
    }
}

/// The same; blank if unknown.
pub fn percent_or_blank(share: Option<f64>, decimals: usize) -> String {
    share.map_or_else(String::new, |share| percent(share, decimals))
}

/// A p-value with four decimals, never 0; blank if unknown.
pub fn p_value(p: Option<f64>) -> String {
    match p {
        Some(p) if p < 0.0001 => "< 0.0001".to_string(),
        p => decimal_or_blank(p, 4),
    }
}

/// A number; blank if unknown.
pub fn decimal_or_blank(value: Option<f64>, decimals: usize) -> String {
    value.map_or_else(String::new, |value| decimal(value, decimals))
}

/// The ends of an interval with one decimal: `-10.0 to 20.0`, `above 5.0`, `below 5.0`; blank if
/// neither is known.
pub fn interval(estimate: &Estimate) -> String {
    let one = |value: f64| decimal(value, 1);
    match (estimate.low, estimate.high) {
        (None, None) => String::new(),
        (Some(low), None) => format!("above {}", one(low)),
        (None, Some(high)) => format!("below {}", one(high)),
        (Some(low), Some(high)) => format!("{} to {}", one(low), one(high)),
    }
}

/// A difference with its error: `-12.3 ± 4.5`; `below -100.0`; blank if unknown.
pub fn difference(elo: &Estimate) -> String {
    match (elo.value, elo.error()) {
        (Some(value), Some(error)) => format!("{value:+.1} ± {}", decimal(error, 1)),
        _ => interval(elo),
    }
}

/// A difference of scores with its error: `+1.20 ± 0.80 %`; blank if unknown.
pub fn percent_difference(score: &Estimate) -> String {
    match (score.value, score.error()) {
        (Some(value), Some(error)) => {
            format!("{:+.2} ± {} %", 100.0 * value, decimal(100.0 * error, 2))
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_has_no_sign_and_the_unknown_is_blank() {
        assert_eq!(decimal(-0.04, 1), "0.0");
        assert_eq!(decimal(-0.06, 1), "-0.1");
        assert_eq!(percent(0.5321, 1), "53.2 %");
        assert_eq!(decimal_or_blank(None, 2), "");
        assert_eq!(likelihood(1.0, 2), "> 99.99 %");
        assert_eq!(likelihood(0.00001, 1), "< 0.1 %");
        assert_eq!(likelihood(0.97512, 2), "97.51 %");
        assert_eq!(interval(&Estimate::UNKNOWN), "");
        let low = Estimate {
            low: Some(5.0),
            ..Estimate::UNKNOWN
        };
        assert_eq!(interval(&low), "above 5.0");
        assert_eq!(p_value(Some(0.00001)), "< 0.0001");
        assert_eq!(p_value(Some(0.04)), "0.0400");
    }
}
