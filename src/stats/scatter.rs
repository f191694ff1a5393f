//! The covariance of fitted strengths, from how the results scatter around the fit.
//!
//! A sandwich: the information outside, and inside the scatter of the gradient with whole pairs as
//! observations (P. Huber, "The behavior of maximum likelihood estimates under nonstandard
//! conditions"). It needs no claim that both games of a pair are independent.

use super::davidson::{Chances, Layout, Record, add_information};
use super::linear::Matrix;
use super::tournament::{Meeting, Tournament, membership};

/// A pairing's scatter is estimated from its pairs once both players have this many pairs; below
/// that the model's variance is more stable.
const ENOUGH_PAIRS: u64 = 30;

/// How much the gradient of the likelihood scatters: the middle of the sandwich.
pub(super) struct Scatter {
    matrix: Matrix,
    pub pairs_used: bool,
}

impl Scatter {
    pub fn of(
        tournament: &Tournament,
        strong: &[Vec<usize>],
        virtual_records: &[Record],
        layout: &Layout,
        parameters: &[f64],
    ) -> Scatter {
        let component = membership(strong, tournament.players());
        let mut pairs = vec![0u64; tournament.players()];
        for (a, b, meeting) in tournament.meetings() {
            for player in [a, b] {
                pairs[player] = pairs[player].saturating_add(meeting.pair_count());
            }
        }
        // Pairs scatter a little less around a fit than around the truth.
        let total = pairs.iter().map(|&count| count as f64).sum::<f64>() / 2.0;
        let correction = total / (total - layout.size() as f64).max(total / 2.0).max(1.0);
        let mut matrix = Matrix::zero(layout.size());
        let mut pairs_used = false;
        for (a, b, meeting) in tournament.meetings() {
            let chances = [
                layout.chances(parameters, a, b),
                layout.chances(parameters, b, a),
            ];
            let (white, black) = meeting.by_colour();
            let mut games = [white.games() as f64, black.games() as f64];
            // Between components all pairs are identical, so their scatter is meaningless.
            if component[a] == component[b] && pairs[a].min(pairs[b]) >= ENOUGH_PAIRS {
                add_pair_scatter(&mut matrix, layout, (a, b), meeting, &chances, correction);
                let paired = meeting.pair_count() as f64;
                games = games.map(|games| games - paired);
                pairs_used = true;
            }
            add_information(&mut matrix, layout, (a, b), &chances[0], games[0]);
            add_information(&mut matrix, layout, (b, a), &chances[1], games[1]);
        }
        for record in virtual_records {
            let players = (record.white, record.black);
            let chances = layout.chances(parameters, players.0, players.1);
            add_information(&mut matrix, layout, players, &chances, record.games());
        }
        Scatter { matrix, pairs_used }
    }

    /// Information^-1 scatter information^-1, with `pinned` players certain to be at 0. With the
    /// model's own scatter throughout, this is the inverse information.
    pub fn covariance(
        &self,
        records: &[Record],
        layout: &Layout,
        parameters: &[f64],
        pinned: &[usize],
    ) -> Option<Matrix> {
        let mut information = Matrix::zero(layout.size());
        for record in records {
            let players = (record.white, record.black);
            let chances = layout.chances(parameters, players.0, players.1);
            add_information(&mut information, layout, players, &chances, record.games());
        }
        pinned.iter().for_each(|&player| information.pin(player));
        let mut inverse = information.cholesky()?.inverse();
        pinned.iter().for_each(|&player| inverse.clear(player));
        Some(inverse.times(&self.matrix).times(&inverse))
    }
}

/// Adds the outer products of each pair's gradient: both games of a pair as one observation.
fn add_pair_scatter(
    matrix: &mut Matrix,
    layout: &Layout,
    (a, b): (usize, usize),
    meeting: &Meeting,
    chances: &[Chances; 2],
    weight: f64,
) {
    // Gradient of one game: half the margin and "is a draw", less what the chances expect.
    let pull = |margin: f64, chances: &Chances| {
        let draw = f64::from(u8::from(margin == 0.0));
        (
            (margin - chances.win + chances.loss) / 2.0,
            draw - chances.draw,
        )
    };
    for (as_white, row) in meeting.pairs.iter().enumerate() {
        for (as_black, &count) in row.iter().enumerate() {
            if count == 0 {
                continue;
            }
            let (first, first_draw) = pull(as_white as f64 - 1.0, &chances[0]);
            // In the second game b has white: its margin is the negative of a's.
            let (second, second_draw) = pull(1.0 - as_black as f64, &chances[1]);
            let mut gradient = vec![(a, first - second), (b, second - first)];
            gradient.extend(layout.first_move.map(|index| (index, first + second)));
            gradient.extend(layout.draw.map(|index| (index, first_draw + second_draw)));
            matrix.add_outer(&gradient, weight * count as f64);
        }
    }
}
