//! The vectors of docs/formats/chessassistant.md §13, calculated by hand from the tables.

use chess_core::Token;
use chessassistant::{Decoder, Diagnostics, Encoding, Game, Reading};

/// The tokens of a record as one text, read in strict mode.
fn read(codes: &[u8]) -> String {
    let mut game = Game::new();
    let mut decoder = Decoder::new(Encoding::WINDOWS_1252, Reading::Right);
    decoder.decode(codes, &mut game, &mut Diagnostics::strict()).unwrap();
    let token = |token| match token {
        Token::Move(m) => m.to_string(),
        Token::Nag(nag) => nag.to_string(),
        Token::Comment(text) => format!("{{{text}}}"),
        Token::VariationStart => "(".to_owned(),
        Token::VariationEnd => ")".to_owned(),
    };
    let start = game.setup().map(|setup| setup.fen().to_owned());
    start.into_iter().chain(game.tokens().map(token)).collect::<Vec<_>>().join(" ")
}

#[test]
fn decode_spanish_opening_gives_moves() {
    let codes = [
        0x13, // 19: pawn 4, two squares: e2-e4
        0x13, // the same for Black: e7-e5
        0x2b, // 43: knight 9, step 27: g1-f3
        0x27, // 39: knight 8, step 61: b8-c6
        0x40, // 64: bishop 11, step 44: f1-b5
        0x00, // 0: pawn 0 forward: a7-a6
        0xd0, // 208: castling short
    ];
    assert_eq!(read(&codes), "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1h1");
}

#[test]
fn decode_en_passant_gives_capture() {
    let codes = [
        0x13, // pawn 4: e2-e4
        0x00, // pawn 0: a7-a6
        0x10, // 16: pawn 4 forward: e4-e5
        0x0f, // 15: pawn 3, two squares: d7-d5
        0xd2, // 210: the next move is en passant
        0x11, // 17: pawn 4, step 17, one up and one to the left: e5xd6
    ];
    assert_eq!(read(&codes), "e2e4 a7a6 e4e5 d7d5 e5d6");
}

#[test]
fn decode_branch_before_its_move_is_variation() {
    let codes = [
        0xe7, // 231: a branch begins
        0x0f, // 1.d4
        0x0f, // 1...d5
        0xe8, // 232: it ends
        0x13, // 1.e4, which it replaces
        0x13, // 1...e5
        0xea, // 234: a comment of two bytes
        0x02, // symbol after the move
        0x01, // 1
    ];
    assert_eq!(read(&codes), "e2e4 ( d2d4 d7d5 ) e7e5 $1");
}

#[test]
fn decode_text_gives_comment() {
    let codes = [
        0x13, // 1.e4
        0xeb, // 235: a comment
        0x08, // of eight bytes
        0x04, // text after the move
        b'h', b'e', b'l', b'l', b'o', b' ', b'!',
    ];
    assert_eq!(read(&codes), "e2e4 {hello !}");
}

#[test]
fn decode_evaluation_and_null_move_are_read() {
    let codes = [
        0x13, // 1.e4
        0xeb, // 235: a comment
        0x05, // of five bytes
        0x1d, // 29: evaluation of an engine
        0xe2, 0xff, // -30 hundredths
        0xff, 0x00, // the usual tail
        0xd3, // 211: null move
        0x0f, // 2.d4
    ];
    assert_eq!(read(&codes), "e2e4 {[%eval -0.30]} 0000 d2d4");
}

#[test]
fn decode_start_position_is_setup() {
    let mut codes = vec![0xe6]; // 230: a start position
    for number in 0..36 {
        codes.extend_from_slice(match number {
            4 => &[0x44, 1],  // White's pawn 4 on e5
            13 => &[0x07, 4], // White's rook 13 on h1
            15 => &[0x04, 6], // White's king on e1
            21 => &[0x43, 1], // Black's pawn 3 on d5
            33 => &[0x74, 6], // Black's king on e8
            _ => &[0x08, 0],  // not there
        });
    }
    codes.extend_from_slice(&[
        0x14, 0x00, // 20 half-moves before: White's move 11
        0x01, // White may castle short
        0x53, // en passant on d6
        0xd2, 0x11, // exd6 en passant
    ]);
    assert_eq!(read(&codes), "4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 11 e5d6");
}

#[test]
fn decode_promotion_gives_piece() {
    let mut codes = vec![0xe6];
    for number in 0..36 {
        codes.extend_from_slice(match number {
            6 => &[0x66, 1],  // White's pawn 6 on g7
            15 => &[0x04, 6], // White's king on e1
            31 => &[0x77, 4], // Black's rook 13 on h8
            33 => &[0x74, 6], // Black's king on e8
            _ => &[0x08, 0],
        });
    }
    codes.extend_from_slice(&[0, 0, 0, 0]);
    codes.extend_from_slice(&[
        0xd1, // 209: promotion
        0x1a, // pawn 6, its step 2: one up, one to the right: g7xh8
        0xb0, // type 5, a queen; number 16
        0x84, // 132: king 15, step 71: e8-f7
        0x96, // 150: piece 16, step 07: h8-g8
    ]);
    assert_eq!(read(&codes), "4k2r/6P1/8/8/8/8/8/4K3 w - - 0 1 g7h8q e8f7 h8g8");
}
