//! The bytes of kept headers and main lines in a saved index.

use std::io::{self, Read, Write};

use chess_core::{Date, Eco, EcoSub, Elo, GameResult, Move};
use chess_store::files::beside::{Feed, Sink};

use super::{Kept, Names, Part, Row};

/// The bytes of a row: five name ids, two dates, two ratings, the ECO code, the result, flags, the
/// end of the main line.
const ROW: usize = 44;

const DELETED: u8 = 1;
const IS_WHOLE: u8 = 2;
const HAS_LINE: u8 = 4;

/// A date that the game does not have.
const NO_DATE: u32 = u32::MAX;

impl Kept {
    pub(in crate::indexed) fn save(&self, sink: &mut Sink<impl Write>) -> io::Result<()> {
        sink.sized(self.names.text.as_bytes())?;
        sink.number(self.names.ends.len() as u64)?;
        self.names.ends.iter().try_for_each(|end| sink.number(*end as u64))
    }

    /// Reads what [`save`](Kept::save) wrote. Nothing can be added to the result.
    pub(in crate::indexed) fn restore(feed: &mut Feed<impl Read>) -> Option<Kept> {
        let text = String::from_utf8(feed.sized()?).ok()?;
        let mut ends = Vec::new();
        for _ in 0..feed.number()? {
            let end = usize::try_from(feed.number()?).ok()?;
            let last = ends.last().copied().unwrap_or(0);
            if end < last || !text.is_char_boundary(end) {
                return None;
            }
            ends.push(end);
        }
        let names = Names { text, ends, ..Names::default() };
        Some(Kept { is_full: true, names, ..Kept::new(0) })
    }
}

impl Part {
    /// Returns the number of games.
    pub(in crate::indexed) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(in crate::indexed) fn save(&self, sink: &mut Sink<impl Write>) -> io::Result<()> {
        sink.number(self.rows.len() as u64)?;
        self.rows.iter().try_for_each(|row| sink.put(&row.encode()))?;
        let moves: Vec<u8> = self.moves.iter().flat_map(|m| m.bits().to_le_bytes()).collect();
        sink.sized(&moves)
    }

    /// Reads what [`save`](Part::save) wrote.
    pub(in crate::indexed) fn read(feed: &mut Feed<impl Read>, kept: &Kept) -> Option<Part> {
        let mut rows: Vec<Row> = Vec::new();
        for _ in 0..feed.number()? {
            let row = Row::decode(&feed.array()?)?;
            let start = rows.last().map_or(0, |before| before.end);
            let names = kept.names.ends.len();
            if row.end < start || row.names.iter().any(|id| *id as usize >= names) {
                return None;
            }
            rows.push(row);
        }
        let bytes = feed.sized()?;
        let (pairs, rest) = bytes.as_chunks::<2>();
        let moves: Option<Box<[Move]>> =
            pairs.iter().map(|pair| Move::from_bits(u16::from_le_bytes(*pair))).collect();
        let end = rows.last().map_or(0, |row| row.end as usize);
        let moves = moves.filter(|moves| moves.len() == end && rest.is_empty())?;
        Some(Part { rows: rows.into(), moves })
    }
}

impl Row {
    fn encode(&self) -> [u8; ROW] {
        let date = |date: Date| {
            let (year, month, day) = date.parts();
            u32::from(year) << 16 | u32::from(month) << 8 | u32::from(day)
        };
        let elo = |elo: Option<Elo>| elo.map_or(0, Elo::get).to_le_bytes();
        let [[a, b], [c, d]] = self.elos.map(elo);
        // Zero is no code.
        let [e, f] = self.eco.map_or(0, |eco| eco.code().saturating_add(1)).to_le_bytes();
        let [g, h, i] = match self.eco.map(Eco::sub) {
            None | Some(EcoSub::None) => [0; 3],
            Some(EcoSub::Letter(letter, digit)) => [1, letter, digit],
            Some(EcoSub::Number(number)) => [2, number, 0],
        };
        let result = match self.result {
            GameResult::Unknown => 0,
            GameResult::White => 1,
            GameResult::Black => 2,
            GameResult::Draw => 3,
        };
        let flag = |set: bool, flag: u8| if set { flag } else { 0 };
        let flags = flag(self.deleted, DELETED)
            | flag(self.is_whole, IS_WHOLE)
            | flag(self.has_line, HAS_LINE);
        let dates = [date(self.date), self.event_date.map_or(NO_DATE, date)];
        let mut row = [0; ROW];
        let (words, rest) = row.as_chunks_mut::<4>();
        debug_assert!(rest.is_empty());
        let small = [[a, b, c, d], [e, f, g, h], [i, result, flags, 0]];
        let numbers = self.names.into_iter().chain(dates).map(u32::to_le_bytes);
        let all = numbers.chain(small).chain([self.end.to_le_bytes()]);
        words.iter_mut().zip(all).for_each(|(to, word)| *to = word);
        row
    }

    fn decode(row: &[u8; ROW]) -> Option<Row> {
        let [words @ .., dates_0, dates_1, elos, eco, rest, end] = row.as_chunks::<4>().0 else {
            return None;
        };
        let names: [[u8; 4]; 5] = words.try_into().ok()?;
        let date = |word: &[u8; 4]| {
            let [day, month, low, high] = *word;
            Date::new(u16::from_le_bytes([low, high]), month, day)
        };
        let event_date = match u32::from_le_bytes(*dates_1) {
            NO_DATE => None,
            _ => Some(date(dates_1)?),
        };
        let [a, b, c, d] = *elos;
        let [e, f, g, h] = *eco;
        let [i, result, flags, 0] = *rest else { return None };
        let sub = match (g, h, i) {
            (0, 0, 0) => EcoSub::None,
            (1, letter, digit) => EcoSub::Letter(letter, digit),
            (2, number, 0) => EcoSub::Number(number),
            _ => return None,
        };
        let eco = match u16::from_le_bytes([e, f]).checked_sub(1) {
            Some(code) => Some(Eco::with_sub(code, sub)?),
            None if sub == EcoSub::None => None,
            None => return None,
        };
        let result = match result {
            0 => GameResult::Unknown,
            1 => GameResult::White,
            2 => GameResult::Black,
            3 => GameResult::Draw,
            _ => return None,
        };
        if flags > DELETED | IS_WHOLE | HAS_LINE {
            return None;
        }
        Some(Row {
            names: names.map(u32::from_le_bytes),
            date: date(dates_0)?,
            event_date,
            elos: [[a, b], [c, d]].map(|elo| Elo::new(u16::from_le_bytes(elo))),
            eco,
            result,
            deleted: flags & DELETED != 0,
            is_whole: flags & IS_WHOLE != 0,
            has_line: flags & HAS_LINE != 0,
            end: u32::from_le_bytes(*end),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> Row {
        Row {
            names: [1, 0, 2, u32::MAX, 4],
            date: Date::new(1984, 0, 31).unwrap(),
            event_date: Date::new(9999, 12, 0),
            elos: [Elo::new(2700), None],
            eco: Eco::with_sub(599, EcoSub::Letter(25, 4)),
            result: GameResult::Draw,
            deleted: true,
            is_whole: false,
            has_line: true,
            end: 0x0102_0304,
        }
    }

    #[test]
    fn row_encode_round_trips() {
        let codes = [None, Eco::new(0), Eco::with_sub(265, EcoSub::Number(99)), row().eco];
        let results = [GameResult::Unknown, GameResult::White, GameResult::Black, GameResult::Draw];
        for (eco, result) in codes.into_iter().zip(results) {
            for event_date in [None, Some(Date::UNKNOWN), row().event_date] {
                let bytes = Row { eco, result, event_date, ..row() }.encode();
                let back = Row::decode(&bytes).unwrap();
                assert_eq!((back.eco, back.result, back.event_date), (eco, result, event_date));
                assert_eq!(back.encode(), bytes);
            }
        }
        let back = Row::decode(&row().encode()).unwrap();
        assert_eq!((back.names, back.date, back.elos), (row().names, row().date, row().elos));
        assert_eq!((back.deleted, back.is_whole, back.has_line), (true, false, true));
        assert_eq!(back.end, row().end);
    }

    #[test]
    fn row_decode_impossible_values_are_none() {
        // Day and month of both dates, ECO code and its extension, result, flags, padding.
        for (at, value) in
            [(20, 32), (21, 13), (24, 32), (33, 0xff), (34, 3), (35, 26), (37, 4), (38, 8), (39, 1)]
        {
            let mut bytes = row().encode();
            bytes[at] = value;
            assert!(Row::decode(&bytes).is_none(), "byte {at}");
        }
    }
}
