//! Chess by example: ends of the game, the forms of FEN, notation both ways.

use sparring::games::chess::{Chess, Chess960};
use sparring::games::prelude::*;
use sparring::games::{EndReason, Outcome, Side};

fn chess(fen: &str) -> Chess {
    Chess::from_fen(fen).unwrap_or_else(|error| panic!("{error}"))
}

fn chess960(fen: &str) -> Chess960 {
    Chess960::from_fen(fen).unwrap_or_else(|error| panic!("{error}"))
}

fn complaint(fen: &str) -> String {
    match Chess::from_fen(fen) {
        Ok(position) => panic!("`{fen}` was read as `{}`", position.fen()),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_mated_king_loses_and_a_stalemated_one_draws() {
    let mate = chess("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
    assert_eq!(
        mate.end(),
        Some(Outcome::win(Side::Black, EndReason::CHECKMATE))
    );
    let stalemate = chess("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!(stalemate.end(), Some(Outcome::draw(EndReason::STALEMATE)));
}

#[test]
fn material_that_cannot_mate_draws() {
    let draws = |fen: &str| chess(fen).end() == Some(Outcome::draw(EndReason::MATERIAL));
    assert!(draws("8/8/4k3/8/8/4K3/8/8 w - - 0 1"));
    assert!(draws("8/8/4k3/8/8/4K3/8/6N1 w - - 0 1"));
    assert!(draws("8/8/4k3/8/8/4K3/8/6b1 w - - 0 1"));
    // c1, e1 and f8 are dark.
    assert!(draws("5b2/8/4k3/8/8/4K3/8/2B1B3 w - - 0 1"));
    for alive in [
        // f1 is light.
        "5b2/8/4k3/8/8/4K3/8/2B2B2 w - - 0 1",
        "5b2/8/4k3/8/8/4K3/8/5B2 w - - 0 1",
        "8/8/4k3/8/8/4K3/8/5NN1 w - - 0 1",
        "6n1/8/4k3/8/8/4K3/8/6N1 w - - 0 1",
        "6n1/8/4k3/8/8/4K3/8/5B2 w - - 0 1",
        "8/8/4k3/8/8/4K3/P7/8 w - - 0 1",
        "8/8/4k3/8/8/4K3/8/R7 w - - 0 1",
        "8/8/4k3/8/8/4K3/8/Q7 w - - 0 1",
    ] {
        assert!(chess(alive).end().is_none(), "{alive}");
    }
}

#[test]
fn the_clock_counts_beyond_a_hundred_and_starts_again_with_a_pawn() {
    let mut position = chess("4k3/8/8/8/8/8/4P3/R3K3 w Q - 120 90");
    position.play(position.parse_move("Ra5").unwrap());
    assert_eq!(position.fen(), "4k3/8/8/R7/8/8/4P3/4K3 b - - 121 90");
    position.play(position.parse_move("Kd8").unwrap());
    position.play(position.parse_move("e4").unwrap());
    assert_eq!(position.fen(), "3k4/8/8/R7/4P3/8/8/4K3 b - - 0 91");
    assert_eq!(position.reversible_plies(), 0);
}

#[test]
fn every_form_of_fen_is_read() {
    let start = Chess::start(0);
    for same in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w qkQK - 0 0",
        "  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR   w KQkq -  ",
        "rnbqkbnr/pppppppp/44/8/11111111/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ] {
        assert_eq!(chess(same), start, "{same}");
    }
    let epd = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; id \"one\";";
    assert_eq!(Chess::from_epd(epd), Ok(start));
}

#[test]
fn x_fen_means_the_outermost_rook_and_shredder_fen_names_its_file() {
    let outer = chess960("4k3/8/8/8/8/8/8/R2K1R1R w KQ - 0 1");
    assert_eq!(outer.fen(), "4k3/8/8/8/8/8/8/R2K1R1R w HA - 0 1");
    let inner = chess960("4k3/8/8/8/8/8/8/R2K1R1R w FQ - 0 1");
    assert_eq!(inner.fen(), "4k3/8/8/8/8/8/8/R2K1R1R w FA - 0 1");
    assert_ne!(outer, inner);
    assert_ne!(outer.hash(), inner.hash());
}

#[test]
fn an_en_passant_square_is_written_only_if_the_capture_is_legal() {
    let idle = chess("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    let without = chess("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    assert_eq!(idle.fen(), without.fen());
    assert_eq!(idle.hash(), without.hash());
    assert_eq!(idle, without);
    let real = chess("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    let declined = chess("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    assert!(real.fen().contains(" e3 "));
    assert_ne!(real.hash(), declined.hash());
    // A bishop can go to b3, but only a pawn could take there.
    let bishop = chess("4k3/8/8/8/bP6/8/8/4K3 b - b3 0 1");
    assert_eq!(bishop, chess("4k3/8/8/8/bP6/8/8/4K3 b - - 0 1"));
    // Taking would open the rank between queen and king.
    let pinned = chess("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1");
    assert!(pinned.fen().contains(" - - "));
}

#[test]
fn a_bad_fen_is_refused_with_the_reason() {
    for (fen, reason) in [
        ("", "has 0 fields, expected 6 (or the 4 of an EPD)"),
        ("8/8/8/8/8/8/8 w - - 0 1", "the board has 7 ranks"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "white has 0 kings"),
        ("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "white has 2 kings"),
        ("4k3/9/8/8/8/8/8/4K3 w - - 0 1", "`9` is not a piece"),
        ("4k3/80/8/8/8/8/8/4K3 w - - 0 1", "`0` is not a piece"),
        ("4k3/7/8/8/8/8/8/4K3 w - - 0 1", "covers 7 squares"),
        ("4k3/8p/8/8/8/8/8/4K3 w - - 0 1", "longer than 8 squares"),
        ("4k3/x7/8/8/8/8/8/4K3 w - - 0 1", "`x` is not a piece"),
        ("4k2p/8/8/8/8/8/8/4K3 w - - 0 1", "black has a pawn on h8"),
        (
            "4k3/8/8/8/P7/PPPP4/PPPP4/4K3 w - - 0 1",
            "white has 9 pawns",
        ),
        (
            "4k3/8/8/8/QQQQQQQQ/QQQQQQQQ/8/4K3 w - - 0 1",
            "white has 17 pieces",
        ),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "side to move is `x`"),
        (
            "4k3/8/8/8/8/8/8/4K3 w K - 0 1",
            "castling right `K` has no rook",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w KK - 0 1",
            "castling rights do not fit",
        ),
        ("4k3/8/8/8/8/8/8/3K3R w K - 0 1", "belongs to Chess960"),
        ("4k3/8/8/8/8/8/8/4K3 w - e9 0 1", "en-passant square"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "en-passant square"),
        ("4k3/8/8/8/8/8/8/4K3 w - - x 1", "halfmove clock is `x`"),
        ("4k3/8/8/8/8/8/8/4K3 w - - +1 1", "halfmove clock is `+1`"),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 99999",
            "move number is `99999`",
        ),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 2", "has 7 fields"),
        (
            "4k3/8/8/8/8/8/8/4RK2 w - - 0 1",
            "the side that just moved is in check",
        ),
    ] {
        let message = complaint(fen);
        assert!(message.contains(reason), "`{fen}`: {message}");
    }
}

#[test]
fn moves_are_read_in_uci_and_san_only() {
    let position = chess("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    let move_of = |text: &str| {
        let parsed = position.parse_move(text);
        parsed.map(|mv| position.move_text(mv)).ok()
    };
    for castling in ["e1g1", "e1h1", "O-O", "0-0", "O-O+!"] {
        assert_eq!(move_of(castling).as_deref(), Some("e1g1"), "{castling}");
    }
    for rook in ["a1a8", "Rxa8", "Rxa8+", "Ra1xa8+", "Raa8", "R1a8", "Ra8"] {
        assert_eq!(move_of(rook).as_deref(), Some("a1a8"), "{rook}");
    }
    for bad in [
        "", "e", "Q", "=", "--", "e1e1", "e1e9", "a1a8x", "a1a8q", "a1a8k", "a1a8é", "é1a8",
        "Kxx2", "O-O-O-O", "Rxxa8",
    ] {
        assert_eq!(move_of(bad), None, "{bad}");
    }
    let error = position.parse_move("Rd1d1d1").unwrap_err().to_string();
    assert!(
        error.contains("`Rd1d1d1` is not a legal move in"),
        "{error}"
    );
}

#[test]
fn san_is_as_short_as_possible() {
    let position = chess("1k6/8/8/8/4Q2Q/K7/8/7Q w - - 0 1");
    let texts = ["e4e1", "h4e1", "h1e1"].map(|uci| position.san(position.parse_move(uci).unwrap()));
    assert_eq!(texts, ["Qee1", "Qh4e1", "Q1e1"]);
    let error = position.parse_move("Qe1").unwrap_err().to_string();
    assert!(
        error.contains("`Qe1` can mean") && error.contains("Qee1"),
        "{error}"
    );
    let promotion = chess("3r3k/4P3/8/8/8/8/8/K7 w - - 0 1");
    let texts = ["e7e8q", "e7d8n"].map(|uci| promotion.san(promotion.parse_move(uci).unwrap()));
    assert_eq!(texts, ["e8=Q+", "exd8=N"]);
}

#[test]
fn chess960_castles_wherever_king_and_rook_stand() {
    let mut position = chess960("4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1");
    let short = position.parse_move("O-O").unwrap();
    assert_eq!(position.move_text(short), "f1g1");
    assert_eq!(position.record_text(short), "O-O");
    let long = position.parse_move("f1b1").unwrap();
    assert_eq!(position.record_text(long), "O-O-O");
    position.play(short);
    assert_eq!(position.fen(), "4k3/8/8/8/8/8/8/1R3RK1 b - - 1 1");
    // The rook would leave the king to the queen on a1.
    let shielded = chess960("4k3/8/8/8/8/8/8/qRK5 w B - 0 1");
    assert!(shielded.parse_move("O-O-O").is_err());
}
