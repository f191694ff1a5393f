//! Many comparisons at once: p-values that allow for how many there are.

use super::normal::cdf;

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
    fn p_values_are_two_sided() {
        assert!((two_sided(0.975) - 0.05).abs() < 1e-12);
        assert!((two_sided(0.025) - 0.05).abs() < 1e-12);
        assert!((two_sided_z(-1.959_963_984_540_054) - 0.05).abs() < 1e-12);
    }
}
