//! A game's header in the D00, 38 bytes.

use chess_store::Location;
use nom::IResult;
use nom::Parser as _;
use nom::number::complete::{le_u16, le_u24, le_u32, u8 as byte};

use crate::layout::{NO_ECO, OUTCOME_UNKNOWN, ROW_SIZE};

/// The fields as stored.
// chessassistant §5 "D00"
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    pub(crate) white: u32,
    pub(crate) black: u32,
    pub(crate) white_elo: u16,
    pub(crate) black_elo: u16,
    pub(crate) outcome: u8,
    pub(crate) date: u32,
    pub(crate) event: u32,
    pub(crate) place: u32,
    pub(crate) game_type: u32,
    pub(crate) game_id: u32,
    pub(crate) unknown_1c: u8,
    /// Twice the round.
    pub(crate) round: u8,
    pub(crate) eco: u16,
    pub(crate) annotator: u32,
    pub(crate) source: u32,
}

impl Default for Row {
    fn default() -> Row {
        Row {
            white: 0,
            black: 0,
            white_elo: 0,
            black_elo: 0,
            outcome: OUTCOME_UNKNOWN,
            date: 0,
            event: 0,
            place: 0,
            game_type: 0,
            game_id: 0,
            unknown_1c: 0,
            round: 0,
            eco: NO_ECO,
            annotator: 0,
            source: 0,
        }
    }
}

/// The names and widths of the fields, for a dump.
pub(crate) const FIELDS: [(&str, usize); 15] = [
    ("white", 3),
    ("black", 3),
    ("white elo", 2),
    ("black elo", 2),
    ("outcome", 1),
    ("date", 3),
    ("event", 3),
    ("place", 3),
    ("game type", 4),
    ("game id", 4),
    ("unknown_1c", 1),
    ("round * 2", 1),
    ("eco", 2),
    ("annotator", 3),
    ("source", 3),
];

impl Row {
    pub(crate) fn parse(bytes: &[u8]) -> Option<Row> {
        parse_row(bytes).ok().map(|(_, row)| row)
    }

    #[rustfmt::skip]
    pub(crate) fn encode(&self) -> [u8; ROW_SIZE] {
        let [w0, w1, w2, _] = self.white.to_le_bytes();
        let [b0, b1, b2, _] = self.black.to_le_bytes();
        let [f0, f1] = self.white_elo.to_le_bytes();
        let [g0, g1] = self.black_elo.to_le_bytes();
        let [d0, d1, d2, _] = self.date.to_le_bytes();
        let [e0, e1, e2, _] = self.event.to_le_bytes();
        let [p0, p1, p2, _] = self.place.to_le_bytes();
        let [t0, t1, t2, t3] = self.game_type.to_le_bytes();
        let [i0, i1, i2, i3] = self.game_id.to_le_bytes();
        let [c0, c1] = self.eco.to_le_bytes();
        let [a0, a1, a2, _] = self.annotator.to_le_bytes();
        let [s0, s1, s2, _] = self.source.to_le_bytes();
        [
            w0, w1, w2, b0, b1, b2, f0, f1, g0, g1, self.outcome, d0, d1, d2, e0, e1, e2, p0, p1, p2,
            t0, t1, t2, t3, i0, i1, i2, i3, self.unknown_1c, self.round, c0, c1, a0, a1, a2, s0, s1,
            s2,
        ]
    }
}

/// The offset of a game's row in the D00. A game number too large for any file gives an offset
/// beyond any file.
pub(crate) fn row_offset(game: u64) -> u64 {
    game.saturating_mul(ROW_SIZE as u64)
}

/// The location of a game's row.
pub(crate) fn row_place(game: u64) -> Location {
    Location::file("d00").at(row_offset(game)).in_game(game)
}

fn parse_row(input: &[u8]) -> IResult<&[u8], Row> {
    let (rest, (white, black, white_elo, black_elo, outcome, date, event, place)) =
        (le_u24, le_u24, le_u16, le_u16, byte, le_u24, le_u24, le_u24).parse(input)?;
    let (rest, (game_type, game_id, unknown_1c, round, eco, annotator, source)) =
        (le_u32, le_u32, byte, byte, le_u16, le_u24, le_u24).parse(rest)?;
    let row = Row {
        white,
        black,
        white_elo,
        black_elo,
        outcome,
        date,
        event,
        place,
        game_type,
        game_id,
        unknown_1c,
        round,
        eco,
        annotator,
        source,
    };
    Ok((rest, row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_row_reads_each_field() {
        let bytes = [
            1, 0, 0, // 0 White's id
            2, 0, 1, // 3 Black's id, 65538
            0xc4, 0x09, // 6 White's Elo, 2500
            0, 0, // 8 Black's Elo, none
            2, // 10 outcome: 1-0
            0xa2, 0xcc, 0x0b, // 11 date, 1858.11.02
            3, 0, 0, // 14 event
            4, 0, 0, // 17 place
            11, 0, 0, 0, // 20 game type: test
            5, 0, 0, 0,    // 24 game id
            0x7f, // 28 unknown
            14,   // 29 round 7
            0xf1, 0x00, // 30 ECO: C41
            6, 0, 0, // 32 annotator
            7, 0, 0, // 35 source
        ];
        let row = Row {
            white: 1,
            black: 65538,
            white_elo: 2500,
            black_elo: 0,
            outcome: 2,
            date: 773_282,
            event: 3,
            place: 4,
            game_type: 11,
            game_id: 5,
            unknown_1c: 0x7f,
            round: 14,
            eco: 241,
            annotator: 6,
            source: 7,
        };
        assert_eq!(Row::parse(&bytes), Some(row));
        assert_eq!(row.encode(), bytes);
        assert_eq!(Row::parse(&bytes[..37]), None);
        assert_eq!(FIELDS.iter().map(|(_, width)| width).sum::<usize>(), ROW_SIZE);
    }

    #[test]
    fn parse_rows_of_case_match_snapshot() {
        let cases = testkit::cases("chessassistant");
        let case = cases.iter().find(|case| case.name == "features").unwrap();
        let rows: Vec<_> = case.bytes("base.d00").chunks(ROW_SIZE).map(Row::parse).collect();
        insta::assert_debug_snapshot!(rows);
    }
}
