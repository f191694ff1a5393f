//! Evaluates positions with a net, by the difference to the last position seen.

use std::sync::Arc;

use super::kernel::{Kernel, Lane};
use super::{Net, NetShape};
use crate::eval::{Evaluator, Score};
use crate::games::sets::{MOST_KINDS, MOST_SQUARES, PieceLayout, PieceSets};
use crate::games::{Game, Side};

/// The hidden sums of one side's view, and the pieces they are of.
struct View {
    sets: PieceSets,
    sums: Box<[Lane]>,
}

/// Where a view's features are: its squares in the board's numbering, turned and mirrored.
#[derive(Clone, Copy)]
struct Features {
    first: [[u16; MOST_KINDS]; 2],
    square: [u8; MOST_SQUARES],
}

impl Features {
    fn new(shape: &NetShape, layout: &PieceLayout, viewer: Side, mirrored: bool) -> Features {
        let mut features = Features {
            first: [[0; MOST_KINDS]; 2],
            square: [0; MOST_SQUARES],
        };
        for side in Side::BOTH {
            for kind in 0..shape.kinds {
                let block = usize::from(side != viewer) * shape.kinds + kind;
                features.first[side as usize][kind] = (block * shape.squares) as u16;
            }
        }
        for (square, seen) in features.square[..shape.squares].iter_mut().enumerate() {
            *seen = seen_square(layout, viewer, mirrored, square) as u8;
        }
        features
    }
}

/// The square as a viewer sees it.
fn seen_square(layout: &PieceLayout, viewer: Side, mirrored: bool, square: usize) -> usize {
    let turned = match viewer {
        Side::White => square,
        Side::Black => (layout.flip)(square),
    };
    match layout.mirror.filter(|_| mirrored) {
        Some(mirror) => (mirror.of)(turned),
        None => turned,
    }
}

/// Whether this side looks at the position in the mirror.
#[inline]
pub(super) fn is_mirrored(
    shape: &NetShape,
    layout: &PieceLayout,
    sets: &PieceSets,
    viewer: Side,
) -> bool {
    match layout.mirror {
        Some(mirror) if shape.mirrored => sets[viewer as usize][mirror.anchor] & mirror.right != 0,
        _ => false,
    }
}

/// A net with the sums of the positions it saw last. Never allocates after its making.
pub struct NetEvaluator {
    net: Arc<Net>,
    layout: PieceLayout,
    kernel: Kernel,
    /// By viewer, plain and mirrored: each has its own last position, so that a king crossing the
    /// middle costs no more than another move.
    views: [[View; 2]; 2],
    features: [[Features; 2]; 2],
    added: [u16; MOST_SQUARES],
    removed: [u16; MOST_SQUARES],
}

impl NetEvaluator {
    /// `None` if the net is for another board.
    pub fn new(net: Arc<Net>, layout: PieceLayout, kernel: Kernel) -> Option<NetEvaluator> {
        if !net.shape().fits(&layout) {
            return None;
        }
        let view = || View {
            sets: PieceSets::default(),
            sums: net.feature_biases.clone(),
        };
        let features = |viewer, mirrored| Features::new(net.shape(), &layout, viewer, mirrored);
        Some(NetEvaluator {
            views: [[view(), view()], [view(), view()]],
            features: Side::BOTH.map(|side| [features(side, false), features(side, true)]),
            added: [0; MOST_SQUARES],
            removed: [0; MOST_SQUARES],
            net,
            layout,
            kernel,
        })
    }

    /// The score of these pieces, from the mover's side.
    pub fn score(&mut self, sets: &PieceSets, mover: Side) -> Score {
        let shape = *self.net.shape();
        let mirrored =
            Side::BOTH.map(|side| usize::from(is_mirrored(&shape, &self.layout, sets, side)));
        for side in Side::BOTH {
            self.update(side, mirrored[side as usize], sets);
        }
        let sums = |side: Side| &self.views[side as usize][mirrored[side as usize]].sums;
        let pieces: u32 = sets.iter().flatten().map(|set| set.count_ones()).sum();
        self.net.output(
            self.kernel,
            sums(mover),
            sums(mover.other()),
            pieces as usize,
        )
    }

    /// Brings the sums of one view up to these pieces.
    #[inline]
    fn update(&mut self, viewer: Side, mirrored: usize, sets: &PieceSets) {
        let kinds = self.net.shape().kinds;
        let view = &mut self.views[viewer as usize][mirrored];
        let features = &self.features[viewer as usize][mirrored];
        let (mut added, mut removed) = (0, 0);
        for (side, sets) in sets.iter().enumerate() {
            for (kind, new) in sets[..kinds].iter().copied().enumerate() {
                let old = view.sets[side][kind];
                let first = features.first[side][kind];
                for square in squares(new & !old) {
                    self.added[added % MOST_SQUARES] = first + u16::from(features.square[square]);
                    added += 1;
                }
                for square in squares(old & !new) {
                    self.removed[removed % MOST_SQUARES] =
                        first + u16::from(features.square[square]);
                    removed += 1;
                }
            }
        }
        view.sets = *sets;
        let (added, removed) = (&self.added[..added], &self.removed[..removed]);
        self.kernel
            .change(&mut view.sums, &self.net.feature_weights, added, removed);
    }
}

/// The bits of a set below [`MOST_SQUARES`], lowest first.
#[inline(always)]
fn squares(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let square = set.trailing_zeros() as usize & (MOST_SQUARES - 1);
            set &= set.wrapping_sub(1);
            square
        })
    })
}

impl<G: Game> Evaluator<G> for NetEvaluator {
    fn evaluate(&mut self, position: &G) -> Score {
        self.score(&position.piece_sets(), position.side_to_move())
    }
}

/// The features of a position as one side sees it, for training.
pub fn features_of(
    shape: &NetShape,
    layout: &PieceLayout,
    sets: &PieceSets,
    viewer: Side,
    mut f: impl FnMut(u16),
) {
    let mirrored = is_mirrored(shape, layout, sets, viewer);
    for side in Side::BOTH {
        for (kind, set) in sets[side as usize][..shape.kinds].iter().enumerate() {
            let block = usize::from(side != viewer) * shape.kinds + kind;
            for square in squares(*set) {
                let seen = seen_square(layout, viewer, mirrored, square);
                f((block * shape.squares + seen) as u16);
            }
        }
    }
}
