//! Sizes, and the tables of codes. books §3 "ChessBase"

use chess_core::Role::{self, Bishop, King, Knight, Pawn, Queen, Rook};

/// The size of a page. Page `n` of data starts at `(n + 1) * PAGE_SIZE`; a header is before page 0.
pub(crate) const PAGE_SIZE: u64 = 4096;
/// The size of the header of the `.cto`.
pub(crate) const INDEX_HEADER: u64 = 16;
/// In the first byte of a position: an en passant file follows the board.
pub(crate) const HAS_EN_PASSANT: u8 = 0x20;
/// In the first byte of a position: castling rights follow.
pub(crate) const HAS_CASTLING: u8 = 0x40;
/// In the first byte of a position: its length.
pub(crate) const LENGTH: u8 = 0x1f;
/// The size of the statistics of a position.
pub(crate) const STATISTICS_SIZE: usize = 33;

/// A code of a move: code, piece, which of the pieces of this kind, steps to the right, steps
/// forward. Two codes are given for the steps 0, 6 of the second queen, see books §3.5.5.
pub(crate) type MoveCode = (u8, Role, u8, i8, i8);

/// The codes of moves, in ascending order.
// books §3.5 "Moves"
#[rustfmt::skip]
pub(crate) const MOVES: [MoveCode; 166] = [
    (0x00, Pawn, 5, 1, 1), (0x01, Knight, 2, -2, -1), (0x03, Queen, 2, 2, 0), (0x04, Pawn, 2, 0, 1),
    (0x05, Queen, 1, 0, 1), (0x06, Pawn, 4, -1, 1), (0x08, Queen, 2, 4, 0), (0x09, Bishop, 2, 6, 6),
    (0x0a, King, 1, 0, -1), (0x0c, Pawn, 1, -1, 1), (0x0d, Bishop, 1, 3, 3), (0x0e, Rook, 2, 3, 0),
    (0x0f, Knight, 1, -2, -1), (0x12, Bishop, 1, 7, 7), (0x13, King, 1, 0, 1), (0x14, Pawn, 8, 1, 1),
    (0x15, Bishop, 1, 5, 5), (0x18, Pawn, 7, 0, 1), (0x1a, Queen, 2, 0, 6), (0x1b, Bishop, 1, -1, 1),
    (0x1d, Bishop, 2, 7, 7), (0x21, Rook, 2, 7, 0), (0x22, Bishop, 2, -2, 2), (0x23, Queen, 2, 6, 6),
    (0x24, Pawn, 8, -1, 1), (0x26, Bishop, 1, -7, 7), (0x27, Pawn, 3, -1, 1), (0x28, Queen, 1, 5, 5),
    (0x29, Queen, 1, 6, 0), (0x2a, Knight, 2, 1, -2), (0x2d, Pawn, 6, 1, 1), (0x2e, Bishop, 1, 1, 1),
    (0x2f, Queen, 1, 1, 0), (0x30, Knight, 2, -1, -2), (0x31, Queen, 1, 3, 0), (0x32, Bishop, 2, 5, 5),
    (0x34, Knight, 1, 1, 2), (0x36, Knight, 1, 2, 1), (0x37, Queen, 1, 0, 4), (0x38, Queen, 2, -4, 4),
    (0x39, Queen, 1, 5, 0), (0x3a, Bishop, 1, 6, 6), (0x3b, Queen, 2, -5, 5), (0x3c, Bishop, 1, -5, 5),
    (0x41, Queen, 2, 5, 5), (0x42, Queen, 1, -7, 7), (0x44, King, 1, 1, -1), (0x45, Queen, 1, 3, 3),
    (0x4a, Pawn, 8, 0, 2), (0x4b, Queen, 1, -5, 5), (0x4c, Knight, 2, 1, 2), (0x4d, Queen, 2, 0, 1),
    (0x50, Rook, 1, 0, 6), (0x52, Rook, 1, 6, 0), (0x54, Bishop, 2, -1, 1), (0x55, Pawn, 3, 0, 1),
    (0x5c, Pawn, 7, 1, 1), (0x5f, Pawn, 5, 0, 2), (0x61, Queen, 1, 6, 6), (0x62, Pawn, 2, 0, 2),
    (0x63, Queen, 2, -7, 7), (0x66, Bishop, 1, -3, 3), (0x67, King, 1, 1, 1), (0x69, Rook, 2, 0, 7),
    (0x6a, Bishop, 1, 4, 4), (0x6b, King, 1, 2, 0), (0x6e, Rook, 1, 5, 0), (0x6f, Queen, 2, 7, 7),
    (0x72, Bishop, 2, -7, 7), (0x74, Queen, 1, 2, 0), (0x79, Bishop, 2, -6, 6), (0x7a, Rook, 1, 0, 3),
    (0x7b, Rook, 2, 0, 6), (0x7c, Pawn, 3, 1, 1), (0x7d, Rook, 2, 0, 1), (0x7e, Queen, 1, -3, 3),
    (0x7f, Rook, 1, 1, 0), (0x80, Queen, 1, -6, 6), (0x81, Rook, 1, 0, 1), (0x82, Pawn, 6, -1, 1),
    (0x85, Knight, 1, -1, 2), (0x86, Rook, 1, 7, 0), (0x87, Rook, 1, 0, 5), (0x8a, Knight, 1, 1, -2),
    (0x8b, Pawn, 1, 1, 1), (0x8c, King, 1, -1, -1), (0x8e, Queen, 2, -2, 2), (0x8f, Queen, 1, 7, 0),
    (0x92, Queen, 2, 1, 1), (0x94, Queen, 1, 0, 3), (0x96, Pawn, 2, 1, 1), (0x97, King, 1, -1, 0),
    (0x98, Rook, 1, 3, 0), (0x99, Rook, 1, 0, 4), (0x9a, Queen, 1, 0, 6), (0x9b, Pawn, 3, 0, 2),
    (0x9d, Queen, 1, 0, 2), (0x9f, Bishop, 2, -4, 4), (0xa0, Queen, 2, 0, 3), (0xa2, Queen, 1, 2, 2),
    (0xa3, Pawn, 8, 0, 1), (0xa5, Rook, 2, 0, 5), (0xa9, Rook, 2, 2, 0), (0xab, Queen, 2, -6, 6),
    (0xad, Rook, 2, 4, 0), (0xae, Queen, 2, 3, 3), (0xb0, Queen, 2, 0, 4), (0xb1, Pawn, 6, 0, 2),
    (0xb2, Bishop, 1, -6, 6), (0xb5, Rook, 2, 5, 0), (0xb7, Queen, 1, 0, 5), (0xb9, Bishop, 2, 3, 3),
    (0xbb, Pawn, 5, 0, 1), (0xbc, Queen, 2, 5, 0), (0xbd, Queen, 2, 0, 2), (0xbe, King, 1, 1, 0),
    (0xc1, Bishop, 1, 2, 2), (0xc2, Bishop, 2, 2, 2), (0xc3, Bishop, 1, -2, 2), (0xc4, Rook, 2, 1, 0),
    (0xc5, Rook, 2, 0, 4), (0xc6, Queen, 2, 0, 5), (0xc7, Pawn, 7, -1, 1), (0xc8, Pawn, 7, 0, 2),
    (0xc9, Queen, 2, 0, 7), (0xca, Bishop, 2, -3, 3), (0xcb, Pawn, 6, 0, 1), (0xcc, Bishop, 2, -5, 5),
    (0xcd, Rook, 1, 2, 0), (0xcf, Pawn, 4, 0, 1), (0xd1, Pawn, 2, -1, 1), (0xd2, Knight, 2, 2, 1),
    (0xd3, Knight, 2, -2, 1), (0xd7, Queen, 1, -1, 1), (0xd8, Rook, 2, 6, 0), (0xd9, Queen, 1, -2, 2),
    (0xda, Knight, 1, -1, -2), (0xdb, Pawn, 1, 0, 2), (0xde, Pawn, 5, -1, 1), (0xdf, King, 1, -1, 1),
    (0xe0, Knight, 2, 2, -1), (0xe1, Rook, 1, 0, 7), (0xe3, Rook, 2, 0, 3), (0xe5, Queen, 1, 4, 0),
    (0xe6, Pawn, 4, 0, 2), (0xe7, Queen, 1, 4, 4), (0xe8, Rook, 1, 0, 2), (0xe9, Knight, 1, 2, -1),
    (0xeb, Pawn, 4, 1, 1), (0xec, Pawn, 1, 0, 1), (0xed, Queen, 1, 7, 7), (0xee, Queen, 2, -1, 1),
    (0xef, Rook, 1, 4, 0), (0xf0, Queen, 2, 7, 0), (0xf1, Queen, 1, 1, 1), (0xf3, Knight, 2, -1, 2),
    (0xf4, Rook, 2, 0, 2), (0xf5, Bishop, 2, 1, 1), (0xf6, King, 1, -2, 0), (0xf7, Knight, 1, -2, 1),
    (0xf8, Queen, 2, 1, 0), (0xf9, Queen, 2, 0, 6), (0xfa, Queen, 2, 3, 0), (0xfb, Queen, 2, 2, 2),
    (0xfd, Queen, 1, 0, 7), (0xfe, Queen, 2, -3, 3),
];

/// The numbers of the hash.
// books §3.4 "Look-up"
#[rustfmt::skip]
pub(crate) const HASH: [u32; 64] = [
    0x3100d2bf, 0x3118e3de, 0x34ab1372, 0x2807a847, 0x1633f566, 0x2143b359, 0x26d56488, 0x3b9e6f59,
    0x37755656, 0x3089ca7b, 0x18e92d85, 0x0cd0e9d8, 0x1a9e3b54, 0x3eaa902f, 0x0d9bfaae, 0x2f32b45b,
    0x31ed6102, 0x3d3c8398, 0x146660e3, 0x0f8d4b76, 0x02c77a5f, 0x146c8799, 0x1c47f51f, 0x249f8f36,
    0x24772043, 0x1fbc1e4d, 0x1e86b3fa, 0x37df36a6, 0x16ed30e4, 0x02c3148e, 0x216e5929, 0x0636b34e,
    0x317f9f56, 0x15f09d70, 0x131026fb, 0x38c784b1, 0x29ac3305, 0x2b485dc5, 0x3c049ddc, 0x35a9fbcd,
    0x31d5373b, 0x2b246799, 0x0a2923d3, 0x08a96e9d, 0x30031a9f, 0x08f525b5, 0x33611c06, 0x2409db98,
    0x0ca4feb2, 0x1000b71e, 0x30566e32, 0x39447d31, 0x194e3752, 0x08233a95, 0x0f38fe36, 0x29c7cd57,
    0x0f7b3a39, 0x328e8a16, 0x1e7d1388, 0x0fba78f5, 0x274c7e7c, 0x1e8be65c, 0x2fa0b0bb, 0x1eb6c371,
];
