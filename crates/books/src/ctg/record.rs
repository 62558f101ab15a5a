//! The record of a position: its moves and its statistics.

use chess_core::{Color, Nag, Position};
use nom::bytes::complete::take;
use nom::number::complete::{be_u24, be_u32, u8 as byte};
use nom::{IResult, Parser};

use super::layout::{LENGTH, STATISTICS_SIZE};
use super::position;
use crate::book::{Facts, Recommendation, Results};

/// The record of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Record {
    /// The bytes of the position.
    pub position: Vec<u8>,
    /// The moves: a code and an annotation each.
    pub moves: Vec<[u8; 2]>,
    /// The statistics.
    pub statistics: Statistics,
}

/// The statistics of a position, from the view of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Statistics {
    /// Games that reached the position.
    pub games: u32,
    /// Games won by the side to move.
    pub wins: u32,
    /// Games lost by the side to move.
    pub losses: u32,
    /// Drawn games.
    pub draws: u32,
    /// Unknown.
    pub unknown_0c: u32,
    /// Number and sum of the ratings of the players.
    pub rating: (u32, u32),
    /// Number and sum of the ratings of the performances.
    pub performance: (u32, u32),
    /// A colour: see [`Statistics::recommended`].
    pub recommendation: u8,
    /// Unknown.
    pub unknown_1f: u8,
    /// A NAG, or 0.
    pub commentary: u8,
}

impl Record {
    /// Returns the position as stored, with White to move. Returns `None` if the bytes are not a
    /// position.
    #[must_use]
    pub fn decode(&self) -> Option<Position> {
        position::decode(&self.position)
    }
}

impl Statistics {
    /// Returns the recommendation of the move that leads here, if there is one.
    // books §3.6.4
    #[must_use]
    pub const fn recommended(&self) -> Option<Recommendation> {
        match self.recommendation {
            0x80.. => Some(Recommendation::Play),
            0x40.. => Some(Recommendation::Avoid),
            _ => None,
        }
    }

    /// Returns the results if this side is to move.
    #[must_use]
    pub fn results(&self, turn: Color) -> Results {
        let [games, wins, draws, losses] =
            [self.games, self.wins, self.draws, self.losses].map(u64::from);
        Results::of_side(turn, games, wins, draws, losses)
    }

    /// Returns the statistics of a position with this side to move.
    pub(crate) fn facts(&self, turn: Color) -> Facts {
        let average =
            |(count, sum): (u32, u32)| sum.checked_div(count).map(|average| (average, count));
        Facts {
            results: self.results(turn),
            rating: average(self.rating),
            performance: average(self.performance),
            recommendation: self.recommended(),
            commentary: (self.commentary > 0).then_some(Nag(u16::from(self.commentary))),
        }
    }
}

/// Parses the record at the start of `bytes`. Returns its size, too. Returns `None` if the lengths
/// are impossible or the bytes too few.
// books §3.2 "Pages"
pub(crate) fn parse(bytes: &[u8]) -> Option<(Record, usize)> {
    let (rest, record) = record(bytes).ok()?;
    Some((record, bytes.len().saturating_sub(rest.len())))
}

fn record(input: &[u8]) -> IResult<&[u8], Record> {
    let length = input.first().map_or(0, |first| usize::from(first & LENGTH));
    let (input, stored) = take(length)(input)?;
    let (input, size) = byte(input)?;
    // The length takes in its own byte and is odd. A position has three bytes at least.
    if length < 3 || size & 1 == 0 {
        return Err(nom::Err::Error(nom::error::Error::new(input, nom::error::ErrorKind::Verify)));
    }
    let (input, moves) = take(usize::from(size).saturating_sub(1))(input)?;
    let (input, numbers) = take(STATISTICS_SIZE)(input)?;
    let (_, statistics) = statistics(numbers)?;
    let moves = moves.as_chunks().0.to_vec();
    Ok((input, Record { position: stored.to_vec(), moves, statistics }))
}

fn statistics(input: &[u8]) -> IResult<&[u8], Statistics> {
    let (input, (games, wins, losses, draws)) = (be_u24, be_u24, be_u24, be_u24).parse(input)?;
    let (input, unknown_0c) = be_u32(input)?;
    let (input, rating) = (be_u24, be_u32).parse(input)?;
    let (input, performance) = (be_u24, be_u32).parse(input)?;
    let (input, (recommendation, unknown_1f, commentary)) = (byte, byte, byte).parse(input)?;
    let statistics = Statistics {
        games,
        wins,
        losses,
        draws,
        unknown_0c,
        rating,
        performance,
        recommendation,
        unknown_1f,
        commentary,
    };
    Ok((input, statistics))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rustfmt::skip]
    const RECORD: [u8; 41] = [
        0x03, 0x80, 0x00,       // a position of three bytes
        0x05, 0x5f, 0x01,       // two moves: e4!
        0xe6, 0xe0,             // d4, unknown bits in the annotation
        0x00, 0x00, 0x08,       // 8 games
        0x00, 0x00, 0x02,       // 2 won
        0x00, 0x00, 0x03,       // 3 lost
        0x00, 0x01, 0x02,       // 258 drawn
        0x00, 0x00, 0x00, 0x28, // unknown
        0x00, 0x00, 0x03,       // 3 ratings
        0x00, 0x00, 0x1d, 0x4c, // their sum 7500
        0x00, 0x00, 0x00,       // no performance
        0x00, 0x00, 0x00, 0x00,
        0xa4, 0x00, 0x0b,       // play; unknown; equal
    ];

    #[test]
    fn parse_record_reads_each_field() {
        let (record, size) = parse(&RECORD).unwrap();
        assert_eq!(size, RECORD.len());
        assert_eq!(record.moves, [[0x5f, 0x01], [0xe6, 0xe0]]);
        let numbers = record.statistics;
        assert_eq!((numbers.games, numbers.wins, numbers.losses, numbers.draws), (8, 2, 3, 258));
        assert_eq!((numbers.unknown_0c, numbers.rating), (40, (3, 7500)));
        let facts = numbers.facts(Color::Black);
        assert_eq!((facts.results.white, facts.results.black), (3, 2));
        assert_eq!((facts.rating, facts.performance), (Some((2500, 3)), None));
        assert_eq!(facts.recommendation, Some(Recommendation::Play));
        assert_eq!(facts.commentary, Some(Nag(11)));
    }

    #[test]
    fn parse_record_cut_or_with_wrong_length_is_none() {
        for length in 0..RECORD.len() {
            assert_eq!(parse(&RECORD[..length]), None, "{length}");
        }
        let mut even = RECORD;
        even[3] = 4;
        assert_eq!(parse(&even), None);
        let mut empty = RECORD;
        empty[0] = 0;
        assert_eq!(parse(&empty), None);
    }
}
