//! A history of bounded size over any number of steps.

/// Maximum number of points: charts are not wide enough for more.
const MOST: usize = 400;

/// Evenly spaced states. If there are too many, every second one is dropped and the spacing doubles;
/// the last state is always kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampled<T> {
    spacing: u64,
    points: Vec<(u64, T)>,
    last: Option<(u64, T)>,
}

impl<T> Default for Sampled<T> {
    fn default() -> Sampled<T> {
        Sampled {
            spacing: 1,
            points: Vec::new(),
            last: None,
        }
    }
}

impl<T: Clone> Sampled<T> {
    /// The state after `step` steps, which are counted from 1 and grow.
    pub fn push(&mut self, step: u64, state: T) {
        if step.is_multiple_of(self.spacing) {
            self.points.push((step, state.clone()));
        }
        self.last = Some((step, state));
        if self.points.len() > MOST {
            self.spacing *= 2;
            let spacing = self.spacing;
            self.points.retain(|(step, _)| step.is_multiple_of(spacing));
        }
    }

    /// All kept states, including the last.
    pub fn points(&self) -> Vec<(u64, T)> {
        let mut points = self.points.clone();
        if let Some(last) = &self.last
            && points.last().is_none_or(|(step, _)| *step < last.0)
        {
            points.push(last.clone());
        }
        points
    }

    pub fn last(&self) -> Option<&(u64, T)> {
        self.last.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_history_stays_short_and_keeps_its_end() {
        let mut trace = Sampled::default();
        for step in 1..=100_003 {
            trace.push(step, step * 2);
        }
        let points = trace.points();
        assert!(points.len() <= MOST + 1 && points.len() > MOST / 3);
        assert_eq!(points.last(), Some(&(100_003, 200_006)));
        assert!(points.iter().all(|(step, state)| *state == step * 2));
    }

    #[test]
    fn a_short_history_is_kept_whole() {
        let mut trace = Sampled::default();
        (1..=10).for_each(|step| trace.push(step, ()));
        assert_eq!(trace.points().len(), 10);
    }
}
