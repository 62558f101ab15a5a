//! Decoding of moves: one-byte codes and two-byte words.
//!
//! A one-byte code names a numbered piece and a displacement, so the decoder has to know where each
//! piece stands. Precomputed tables make that a chain of lookups with few branches:
//!
//! ```text
//!  byte ─ count ──> MODE_0_STEPS[colour][byte]       the modes obfuscate the codes (mode)
//!                          │
//!                          v
//!              PlainStep { row, piece, role }        what the code means (steps)
//!                           │     │
//!                           │     v
//!                           │   squares[piece]       where the piece stands (Board)
//!                           │     │
//!                           v     v from
//!                   TARGETS[row + from]              where the step leads (steps)
//!                             │
//!                             v
//!              Target { from, to, accepts }
//!                             │
//!                             v
//!       accepts ∩ cells[to].occupant_for(colour)     empty: the step is not plain
//! ```
//! Modes 4 and 10 subtract the count after their own table lookup, and then use `STEPS`.
//!
//! - A *slot* ([`numbers::Slot`]) is the number of a piece within its side, from 0 (king) to 20
//!   (the last pawn). After a capture, higher numbers of that kind decrease by one. Pawns keep
//!   theirs.
//! - A *cell* ([`cell::Cell`]) is the content of a square: slot, colour, and whether the piece has
//!   moved, in one byte. The board maps squares to cells and cells to squares.
//! - A *step* ([`codes::Step`], [`steps::PlainStep`]) is the meaning of a code: a slot, and the
//!   files and ranks to add modulo eight. Other codes mean castling, a pass, the start of a
//!   two-byte word (used for promotions, among others) or the structure of variations. These are
//!   not plain steps and take a slower path.
//! - A *row* belongs to one direction and distance, such as "queen, rook or bishop, three squares
//!   along the file". It has a target for each origin square and one for a piece that is not on the
//!   board. Steps of equal geometry share a row, so all targets fit in 16 KiB.
//! - A *target* ([`steps::Target`]) is the resulting move and the occupants of the destination that
//!   the step accepts. Pawns advance to empty squares and capture enemies; pieces do both. A target
//!   off the board accepts nothing, so it needs no bounds check.
//!
//! # Example
//! A game in mode 0 begins with the byte 0xff. No move came before, so the count is 0.
//!
//! 1. The table of mode 0 maps 0xff to code 128.
//! 2. Code 128 is slot 17, the e-pawn, and two ranks forward.
//! 3. `squares` has this pawn on e2.
//! 4. The row of a double pawn step has for e2 the target e2-e4, which accepts an empty square.
//! 5. e4 is empty, so the move is e2e4.
//!
//! # Where the time goes
//! A half-move takes 154 instructions including the legality check, 88 of them for the move itself.
//!
//! - [`threats`] keeps the enemy pieces that would attack each king on an empty board. An update
//!   takes one table row and one operation. In six positions of seven the set is empty, and the
//!   king is safe without further tests.
//! - A bit of each cell records whether its piece has moved, which castling needs.
//! - A capture renumbers up to two pieces with unconditional writes.
//! - White and Black have separate copies of the loop, in which the colour is a constant.

pub(crate) mod cell;
pub(crate) mod codes;
pub(crate) mod mode;
pub(crate) mod numbers;
pub(crate) mod steps;
mod tables;
pub(crate) mod threats;
pub(crate) mod word;
