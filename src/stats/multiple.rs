//! Many comparisons at once: p-values that allow for how many there are.

use super::normal::cdf;
use super::sprt::{Sprt, Verdict};

/// Holm's adjusted p-values (S. Holm, "A Simple Sequentially Rejective Multiple Test Procedure",
/// 1979): below 5 % means significant with a risk of 5 % for all comparisons together, however they
/// depend on each other. Unknown ones stay unknown and do not count.
pub fn holm(p_values: &[Option<f64>]) -> Vec<Option<f64>> {
    let mut order: Vec<(usize, f64)> = p_values
        .iter()
        .enumerate()
        .filter_map(|(index, p)| Some((index, (*p)?)))
        .collect();
    order.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut adjusted = vec![None; p_values.len()];
    let mut largest = 0.0_f64;
    for (place, (index, p)) in order.iter().enumerate() {
        largest = largest.max(p * (order.len() - place) as f64).min(1.0);
        adjusted[*index] = Some(largest);
    }
    adjusted
}

/// Verdicts of sequential tests of the same hypotheses that together keep the error rates of one: the risk
/// of any false H1 is alpha at most, and that of any false H0 beta, however the tests depend on each other.
/// `tests` counts all of them, also those without results yet.
///
/// J. Bartroff and J. Song, "Sequential tests of multiple hypotheses controlling type I and II familywise
/// error rates" (2014): Holm's steps at every look. A test that has stopped keeps its ratio, so that the
/// verdicts follow from the ratios alone.
pub fn family_verdicts(sprt: &Sprt, llrs: &[f64], tests: usize) -> Vec<Verdict> {
    let mut order: Vec<usize> = (0..llrs.len()).collect();
    order.sort_by(|a, b| llrs[*b].total_cmp(&llrs[*a]));
    let tests = tests.max(llrs.len()).max(1);
    let rate = |rate: f64, place: usize| rate / (tests - place) as f64;
    let mut verdicts = vec![Verdict::Continue; llrs.len()];
    for (place, index) in order.iter().enumerate() {
        let bound = ((1.0 - sprt.beta()) / rate(sprt.alpha(), place)).ln();
        if llrs[*index] < bound {
            break;
        }
        verdicts[*index] = Verdict::AcceptH1;
    }
    for (place, index) in order.iter().rev().enumerate() {
        let bound = (rate(sprt.beta(), place) / (1.0 - sprt.alpha())).ln();
        if llrs[*index] > bound {
            break;
        }
        verdicts[*index] = Verdict::AcceptH0;
    }
    verdicts
}

/// The p-value of a difference in either direction, from the likelihood of superiority.
pub fn two_sided(los: f64) -> f64 {
    (2.0 * los.min(1.0 - los)).clamp(0.0, 1.0)
}

/// The p-value of a z-score in either direction.
pub fn two_sided_z(z: f64) -> f64 {
    (2.0 * cdf(-z.abs())).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holm_agrees_with_statsmodels() {
        // statsmodels.stats.multitest.multipletests([0.01, 0.04, 0.03, 0.005, 0.5], method="holm").
        let given = [0.01, 0.04, 0.03, 0.005, 0.5].map(Some);
        let expected = [0.04, 0.09, 0.09, 0.025, 0.5];
        for (found, expected) in holm(&given).into_iter().zip(expected) {
            assert!(
                (found.unwrap() - expected).abs() < 1e-12,
                "{found:?} {expected}"
            );
        }
        assert_eq!(holm(&[None, Some(0.04), None]), [None, Some(0.04), None]);
        assert_eq!(holm(&[Some(0.9), Some(0.8)]), [Some(1.0), Some(1.0)]);
    }

    #[test]
    fn a_family_of_tests_needs_more_for_its_first_verdict_than_for_its_last() {
        let sprt = Sprt::new(crate::stats::Model::Normalized, 0.0, 10.0).unwrap();
        // ln(0.95 / (0.05 / k)) = 2.944 + ln k: 4.043, 3.637, 2.944.
        let names = |llrs: [f64; 3]| family_verdicts(&sprt, &llrs, 3).map_names();
        assert_eq!(names([4.1, 3.7, 3.0]), ["H1", "H1", "H1"]);
        assert_eq!(names([4.0, 3.9, 3.9]), ["continue"; 3]);
        assert_eq!(names([3.0, -4.1, 4.1]), ["continue", "H0", "H1"]);
        assert_eq!(family_verdicts(&sprt, &[3.0], 1).map_names(), ["H1"]);
        assert_eq!(family_verdicts(&sprt, &[3.0], 2).map_names(), ["continue"]);
    }

    trait Names {
        fn map_names(self) -> Vec<&'static str>;
    }

    impl Names for Vec<Verdict> {
        fn map_names(self) -> Vec<&'static str> {
            self.into_iter().map(Verdict::name).collect()
        }
    }

    #[test]
    fn p_values_are_two_sided() {
        assert!((two_sided(0.975) - 0.05).abs() < 1e-12);
        assert!((two_sided(0.025) - 0.05).abs() < 1e-12);
        assert!((two_sided_z(-1.959_963_984_540_054) - 0.05).abs() < 1e-12);
    }
}
