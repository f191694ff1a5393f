//! Compares the board with the rules crate, move by move.

use cozy_chess::{FenParseError, PieceMoves};

use super::*;
use crate::games::chess::moves::{each_piece, is_legal};

/// A position played on both boards: ours and the independent rules crate's.
struct Both {
    ours: Board,
    theirs: cozy_chess::Board,
}

impl Both {
    fn new(fen: &str) -> Result<Both, FenParseError> {
        let theirs = cozy_chess::Board::from_fen(fen, false)?;
        let clock = u16::from(theirs.halfmove_clock());
        let ours = Board::of_rules(&theirs, clock);
        Ok(Both { ours, theirs })
    }

    fn play(&self, mv: Move) -> Both {
        let (mut ours, mut theirs) = (self.ours.clone(), self.theirs.clone());
        ours.play(mv);
        theirs.play_unchecked(mv);
        Both { ours, theirs }
    }

    fn moves(&self) -> Vec<Move> {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        let collect = |moves: PieceMoves, list: &mut Vec<Move>| {
            list.extend(moves);
            false
        };
        each_piece(&self.ours, &mut |moves| collect(moves, &mut ours));
        self.theirs
            .generate_moves(|moves| collect(moves, &mut theirs));
        assert_eq!(ours, theirs, "{}", self.theirs);
        ours
    }

    /// The en-passant square, if a capture there is legal.
    fn their_en_passant(&self) -> BitBoard {
        let side = self.theirs.side_to_move();
        let target = self.theirs.en_passant().map_or(BitBoard::EMPTY, |file| {
            Square::new(file, Rank::Sixth.relative_to(side)).bitboard()
        });
        let mut used = BitBoard::EMPTY;
        self.theirs.generate_moves(|moves| {
            if moves.piece == Piece::Pawn {
                used |= moves.to & target;
            }
            false
        });
        used
    }

    fn check(&self) {
        let Both { ours, theirs } = self;
        for &piece in &Piece::ALL {
            assert_eq!(ours.pieces(piece), theirs.pieces(piece), "{theirs}");
        }
        for &colour in &Color::ALL {
            assert_eq!(ours.colors(colour), theirs.colors(colour), "{theirs}");
            let (ours, theirs) = (ours.castle_rights(colour), *theirs.castle_rights(colour));
            assert_eq!(ours, theirs, "{}", self.theirs);
        }
        assert_eq!(ours.side_to_move(), theirs.side_to_move());
        assert_eq!(ours.checkers(), theirs.checkers(), "{theirs}");
        assert_eq!(ours.pinned(), theirs.pinned(), "{theirs}");
        assert_eq!(ours.fullmove_number(), theirs.fullmove_number());
        let clock = ours.clock().min(100);
        assert_eq!(clock, u16::from(theirs.halfmove_clock()), "{theirs}");
        let en_passant = self.their_en_passant();
        assert_eq!(ours.en_passant(), en_passant, "{theirs}");
        let hash = match en_passant.is_empty() {
            true => theirs.hash_without_ep(),
            false => theirs.hash(),
        };
        assert_eq!(ours.hash(), hash, "{theirs}");
        assert_eq!(ours.hash_without_en_passant(), theirs.hash_without_ep());
        for &square in &Square::ALL {
            assert_eq!(ours.piece_on(square), theirs.piece_on(square), "{theirs}");
            assert_eq!(ours.color_on(square), theirs.color_on(square), "{theirs}");
        }
    }

    /// Tests every move that can be encoded, nearly all of them illegal.
    fn check_legality(&self, moves: &[Move]) {
        const PROMOTIONS: [Option<Piece>; 5] = [
            None,
            Some(Piece::Queen),
            Some(Piece::Knight),
            Some(Piece::King),
            Some(Piece::Pawn),
        ];
        for &from in &Square::ALL {
            for &to in &Square::ALL {
                for promotion in PROMOTIONS {
                    let mv = Move {
                        from,
                        to,
                        promotion,
                    };
                    let legal = moves.contains(&mv);
                    assert_eq!(is_legal(&self.ours, mv), legal, "{} {mv}", self.theirs);
                }
            }
        }
    }

    fn check_pass(&self) {
        if let Some(theirs) = self.theirs.null_move() {
            let mut ours = self.ours.clone();
            ours.pass();
            assert_eq!(ours.hash(), theirs.hash(), "{theirs}");
            assert_eq!(ours.pinned(), theirs.pinned(), "{theirs}");
            assert_eq!(ours.checkers(), theirs.checkers(), "{theirs}");
        }
    }

    /// A position built from scratch equals the one reached by moves.
    fn check_setup(&self) {
        let again = Board::of_rules(&self.theirs, self.ours.clock());
        assert_eq!(again.hash(), self.ours.hash(), "{}", self.theirs);
        assert!(again.is_same_position(&self.ours), "{}", self.theirs);
        let twice = self.ours.flipped().flipped();
        assert_eq!(twice.hash(), self.ours.hash(), "{}", self.theirs);
        assert!(twice.is_same_position(&self.ours), "{}", self.theirs);
    }
}

fn walk(both: &Both, depth: u32) {
    both.check();
    let moves = both.moves();
    if depth > 0 {
        for mv in moves {
            walk(&both.play(mv), depth - 1);
        }
    }
}

#[test]
fn every_position_of_small_trees_is_that_of_the_rules_crate() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        // Two pawns that can capture en passant, one of them pinned; then one whose capture would
        // expose its king on the rank, and one pinned along its path.
        "3k4/8/8/8/1pPp4/8/8/3RK3 b - c3 0 1",
        "4k3/8/8/r2pPK2/8/8/8/8 w - d6 0 1",
        "1b5k/8/8/3pP3/8/6K1/8/8 w - d6 0 1",
    ] {
        walk(&Both::new(fen).unwrap(), 2);
    }
}

#[test]
fn games_from_all_starts_go_as_by_the_rules_crate() {
    let mut seed = 7u64;
    let mut draw = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize % below
    };
    let (mut castled, mut taken_in_passing, mut promoted) = (0, 0, 0);
    for start in 0..960 {
        let board = cozy_chess::Board::double_chess960_startpos(start, (start * 7 + 1) % 960);
        let mut both = Both {
            ours: Board::of_rules(&board, 0),
            theirs: board,
        };
        for ply in 0..120 {
            both.check();
            both.check_pass();
            both.check_setup();
            let moves = both.moves();
            if (start + ply) % 97 == 0 {
                both.check_legality(&moves);
            }
            if moves.is_empty() {
                break;
            }
            // Prefer rare moves.
            let rare = |mv: &Move| {
                mv.promotion.is_some()
                    || both.ours.colors(both.ours.side_to_move()).has(mv.to)
                    || (both.ours.en_passant().has(mv.to)
                        && both.ours.pieces(Piece::Pawn).has(mv.from))
            };
            let mv = match moves.iter().find(|mv| rare(mv)) {
                Some(&mv) if draw(2) == 0 => mv,
                _ => moves[draw(moves.len())],
            };
            promoted += u32::from(mv.promotion.is_some());
            castled += u32::from(both.ours.colors(both.ours.side_to_move()).has(mv.to));
            taken_in_passing += u32::from(
                both.ours.en_passant().has(mv.to) && both.ours.pieces(Piece::Pawn).has(mv.from),
            );
            both = both.play(mv);
        }
    }
    assert!(castled > 300, "{castled}");
    assert!(taken_in_passing > 200, "{taken_in_passing}");
    assert!(promoted > 200, "{promoted}");
}
