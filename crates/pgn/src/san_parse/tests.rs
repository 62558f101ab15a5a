use super::*;

fn read(fen: &str, text: &str) -> Result<(String, usize, Vec<Quirk>), SanError> {
    let position = Position::from_fen(fen).unwrap();
    let read = read_move(text.as_bytes(), &position)?;
    assert!(read.m.is_null() || position.is_legal(read.m), "{text}");
    Ok((read.m.to_string(), read.len, read.marks.iter().collect()))
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[track_caller]
fn check(fen: &str, text: &str, uci: &str, quirks: &[Quirk]) {
    let len = text.find(' ').unwrap_or(text.len());
    assert_eq!(read(fen, text), Ok((uci.into(), len, quirks.to_vec())), "{text}");
}

#[test]
fn read_move_plain_moves_are_read() {
    check(START, "e4", "e2e4", &[]);
    check(START, "e3 e5", "e2e3", &[]);
    check(START, "Nf3", "g1f3", &[]);
    check(START, "--", "0000", &[]);
    for text in ["e5", "Nd2", "Ke2", "O-O", "O-O-O", "exd3", "Bb5"] {
        assert_eq!(read(START, text), Err(SanError::Illegal), "{text}");
    }
    for text in ["", "e9", "e", "N", "Nf", "xyz", "Q", "i4", "Sf3", "ed", "O", "-", "x", "Nx"] {
        assert_eq!(read(START, text), Err(SanError::Unreadable), "{text}");
    }
}

#[test]
fn read_move_long_notation_is_read() {
    check(START, "e2e4", "e2e4", &[Quirk::LongMove]);
    check(START, "e2-e4", "e2e4", &[Quirk::LongMove]);
    check(START, "g1-f3", "g1f3", &[Quirk::LongMove]);
    check(START, "Ng1f3", "g1f3", &[Quirk::LongMove]);
    check(START, "Ng1-f3+", "g1f3", &[Quirk::LongMove]);
    check("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4xd5", "e4d5", &[Quirk::LongMove]);
    // Both squares are needed here.
    check("8/8/8/k7/4Q2Q/8/8/K6Q w - - 0 1", "Qh4e1+", "h4e1", &[]);
    assert_eq!(read("8/8/8/k7/4Q2Q/8/8/K6Q w - - 0 1", "Qhe1"), Err(SanError::Ambiguous));
}

#[test]
fn read_move_captures_are_read() {
    let fen = "4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1";
    check(fen, "exd5", "e4d5", &[]);
    check(fen, "cd5", "c4d5", &[Quirk::CaptureSign]);
    check(fen, "c:d5", "c4d5", &[Quirk::CaptureSign]);
    check("4k3/8/8/3p4/8/4N3/8/4K3 w - - 0 1", "Nd5", "e3d5", &[Quirk::CaptureSign]);
    check(START, "Nxf3", "g1f3", &[Quirk::CaptureSign]);
    let passing = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    check(passing, "exd6", "e5d6", &[]);
    check("8/8/8/3pP3/8/8/8/4K2k w - - 0 1", "e6", "e5e6", &[]);
    assert_eq!(read("8/8/8/3pP3/8/8/8/4K2k w - - 0 1", "exd6"), Err(SanError::Illegal));
    // The en passant capture would uncover the king on the rank.
    assert_eq!(read("8/8/8/K2pP2r/8/8/8/7k w - d6 0 1", "exd6"), Err(SanError::Illegal));
}

#[test]
fn read_move_promotions_are_read() {
    let fen = "1n5k/P7/8/8/8/8/8/K7 w - - 0 1";
    check(fen, "a8=Q", "a7a8q", &[]);
    check(fen, "axb8=N+", "a7b8n", &[]);
    for text in ["a8Q", "a8/Q", "a8(Q)", "a8q", "a8=q", "a8=D", "a8D", "a8=♕", "a8♛", "a8(D)"] {
        check(fen, text, "a7a8q", &[Quirk::PromotionSign]);
    }
    check(fen, "a7a8r", "a7a8r", &[Quirk::LongMove, Quirk::PromotionSign]);
    check(fen, "a8", "a7a8q", &[Quirk::MissingPromotion]);
    check(fen, "ab8B", "a7b8b", &[Quirk::CaptureSign, Quirk::PromotionSign]);
    check(fen, "a8=♖", "a7a8r", &[Quirk::PromotionSign]);
    check(fen, "axb8♘+", "a7b8n", &[Quirk::PromotionSign]);
    let position = Position::from_fen(fen).unwrap();
    for text in ["a8=", "a8=/∞", "a8(Kh7)", "a8Kg7", "a8O-O"] {
        let read = read_move(text.as_bytes(), &position).unwrap();
        assert_eq!((read.m.to_string().as_str(), read.len), ("a7a8q", 2), "{text}");
    }
}

#[test]
fn read_move_promotion_to_unknown_piece_is_error() {
    let position = Position::from_fen("1n5k/P7/8/8/8/8/8/K7 w - - 0 1").unwrap();
    for text in [
        "a8=T", "a8=S", "a8=Л", "a8=K", "a8=k", "a8=X", "a8T", "a8S+", "a8/L", "a8(T)", "a8=(C)",
        "a8=♔", "axb8=T", "a7a8=S", "a7-a8=H",
    ] {
        let read = read_move(text.as_bytes(), &position);
        assert_eq!(read.unwrap_err(), SanError::Unreadable, "{text}");
    }
}

#[test]
fn read_move_castling_is_read() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    check(fen, "O-O", "e1h1", &[]);
    check(fen, "O-O-O+", "e1a1", &[]);
    for text in ["0-0", "o-o", "OO", "00"] {
        check(fen, text, "e1h1", &[Quirk::ZeroCastling]);
    }
    check(fen, "0-0-0", "e1a1", &[Quirk::ZeroCastling]);
    for text in ["Kg1", "e1g1", "Ke1-g1", "e1h1"] {
        let (m, ..) = read(fen, text).unwrap();
        assert_eq!(m, "e1h1");
    }
    check("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "O-O", "f1g1", &[]);
    // The king would pass through check.
    assert_eq!(read("4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "O-O"), Err(SanError::Illegal));
    // Ba4xd1 removes the rook needed for castling.
    assert_eq!(read("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "O-O"), Err(SanError::Illegal));
}

#[test]
fn read_move_pins_and_checks_are_respected() {
    let pinned = "4r1k1/8/8/8/4N3/8/8/4KN2 w - - 0 1";
    check(pinned, "Ng3", "f1g3", &[]);
    assert_eq!(read(pinned, "Neg3"), Err(SanError::Illegal));
    let checked = "4r1k1/8/8/8/8/8/3N4/4K3 w - - 0 1";
    check(checked, "Ne4", "d2e4", &[]);
    assert_eq!(read(checked, "Nf3"), Err(SanError::Illegal));
}

#[test]
fn read_move_missing_spaces_end_the_move() {
    let black = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert_eq!(read(START, "e4e5").map(|read| (read.0, read.1)), Ok(("e2e4".into(), 2)));
    assert_eq!(read(START, "Nf3Nc6").map(|read| (read.0, read.1)), Ok(("g1f3".into(), 3)));
    assert_eq!(read(START, "Nf3d5").map(|read| (read.0, read.1)), Ok(("g1f3".into(), 3)));
    assert_eq!(read(black, "e5Nf3").map(|read| (read.0, read.1)), Ok(("e7e5".into(), 2)));
}

#[test]
fn read_move_other_letters_are_quirks() {
    check(START, "Pe4", "e2e4", &[Quirk::PieceLetter]);
    check(START, "nf3", "g1f3", &[Quirk::PieceLetter]);
    check(START, "♘f3", "g1f3", &[Quirk::PieceLetter]);
    check(START, "♞f3", "g1f3", &[Quirk::PieceLetter]);
    for text in ["Z0", "@@@@", "0000", "null", "pass"] {
        check(START, text, "0000", &[Quirk::NullMoveSpelling]);
    }
}

#[test]
fn read_move_evaluation_is_not_check() {
    for (text, len) in [("Nf3+-", 3), ("Nf3+/-", 3), ("Nf3+=", 3), ("Nf3++", 5), ("Nf3#", 4)] {
        assert_eq!(read(START, text).unwrap().1, len, "{text}");
    }
}

#[test]
fn parse_san_suffixes_are_accepted() {
    let start = Position::start();
    assert_eq!(parse_san(&start, "e4!?").map(|m| m.to_string()), Ok("e2e4".into()));
    assert_eq!(parse_san(&start, "e4 e5"), Err(SanError::Unreadable));
}
