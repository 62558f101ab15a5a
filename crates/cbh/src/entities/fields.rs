//! The data of entities as fields.

use nom::bytes::complete::take;
use nom::number::complete::{le_i32, u8 as byte};
use nom::{IResult, Parser};

/// Bytes of the two counts at the end of all data: references, first game.
pub(crate) const COUNTS: usize = 8;

/// The bytes of a field before its first zero.
pub(crate) fn until_zero(field: &[u8]) -> &[u8] {
    field.split(|byte| *byte == 0).next().unwrap_or_default()
}

/// Appends a text to a field of so many bytes, filled up with zeros; what is too long is cut.
pub(crate) fn push_field(text: &[u8], size: usize, out: &mut Vec<u8>) {
    let end = out.len().saturating_add(size);
    out.extend_from_slice(text.get(..size).unwrap_or(text));
    out.resize(end, 0);
}

/// A tournament, its texts as they are stored.
// cbh §6.2 "Fields"
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Tournament<'a> {
    pub(crate) title: &'a [u8],
    pub(crate) place: &'a [u8],
    pub(crate) date: u32,
    pub(crate) kind: u8,
    pub(crate) team: u8,
    pub(crate) nation: u8,
    pub(crate) unknown_4d: u8,
    pub(crate) category: u8,
    pub(crate) flags: u8,
    pub(crate) rounds: u8,
    pub(crate) unknown_51: u8,
}

pub(crate) fn parse_tournament(data: &[u8]) -> Option<Tournament<'_>> {
    fn fields(input: &[u8]) -> IResult<&[u8], Tournament<'_>> {
        let (rest, (title, place, date)) = (take(40usize), take(30usize), le_i32).parse(input)?;
        let (rest, (kind, team, nation, unknown_4d)) = (byte, byte, byte, byte).parse(rest)?;
        let (rest, (category, flags, rounds, unknown_51)) = (byte, byte, byte, byte).parse(rest)?;
        let (title, place, date) = (until_zero(title), until_zero(place), date.cast_unsigned());
        let fields = Tournament {
            title,
            place,
            date,
            kind,
            team,
            nation,
            unknown_4d,
            category,
            flags,
            rounds,
            unknown_51,
        };
        Ok((rest, fields))
    }
    fields(data).ok().map(|(_, fields)| fields)
}

impl Tournament<'_> {
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        push_field(self.title, 40, out);
        push_field(self.place, 30, out);
        out.extend_from_slice(&self.date.to_le_bytes());
        out.extend_from_slice(&[self.kind, self.team, self.nation, self.unknown_4d]);
        out.extend_from_slice(&[self.category, self.flags, self.rounds, self.unknown_51]);
    }
}

/// A source, its texts as they are stored.
// cbh §6.2 "Fields"
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Source<'a> {
    pub(crate) title: &'a [u8],
    pub(crate) publisher: &'a [u8],
    pub(crate) publication: u32,
    pub(crate) date: u32,
    pub(crate) version: u8,
    pub(crate) quality: u8,
}

pub(crate) fn parse_source(data: &[u8]) -> Option<Source<'_>> {
    fn fields(input: &[u8]) -> IResult<&[u8], Source<'_>> {
        let (rest, (title, publisher)) = (take(25usize), take(16usize)).parse(input)?;
        let (rest, (publication, date, version, quality)) =
            (le_i32, le_i32, byte, byte).parse(rest)?;
        let (publication, date) = (publication.cast_unsigned(), date.cast_unsigned());
        let (title, publisher) = (until_zero(title), until_zero(publisher));
        Ok((rest, Source { title, publisher, publication, date, version, quality }))
    }
    fields(data).ok().map(|(_, fields)| fields)
}

impl Source<'_> {
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        push_field(self.title, 25, out);
        push_field(self.publisher, 16, out);
        out.extend_from_slice(&self.publication.to_le_bytes());
        out.extend_from_slice(&self.date.to_le_bytes());
        out.extend_from_slice(&[self.version, self.quality]);
    }
}

/// A team, its name as it is stored.
// cbh §6.2 "Fields"
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Team<'a> {
    pub(crate) title: &'a [u8],
    pub(crate) number: u32,
    pub(crate) season: u8,
    pub(crate) year: u32,
    pub(crate) nation: u8,
}

pub(crate) fn parse_team(data: &[u8]) -> Option<Team<'_>> {
    fn fields(input: &[u8]) -> IResult<&[u8], Team<'_>> {
        let (rest, (title, number, season, year, nation)) =
            (take(45usize), le_i32, byte, le_i32, byte).parse(input)?;
        let (number, year) = (number.cast_unsigned(), year.cast_unsigned());
        Ok((rest, Team { title: until_zero(title), number, season, year, nation }))
    }
    fields(data).ok().map(|(_, fields)| fields)
}

impl Team<'_> {
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        push_field(self.title, 45, out);
        out.extend_from_slice(&self.number.to_le_bytes());
        out.push(self.season);
        out.extend_from_slice(&self.year.to_le_bytes());
        out.push(self.nation);
    }
}

/// Last and first name of a player.
pub(crate) fn player(data: &[u8]) -> (&[u8], &[u8]) {
    let (last, rest) = data.split_at_checked(30).unwrap_or_default();
    (until_zero(last), until_zero(rest.get(..20).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_and_bytes() {
        let tournament = Tournament {
            title: b"Biel",
            place: b"Biel",
            date: 0x0fd2ee,
            kind: 0x24,
            team: 0,
            nation: 135,
            category: 12,
            flags: 2,
            rounds: 11,
            ..Tournament::default()
        };
        let mut bytes = Vec::new();
        tournament.encode(&mut bytes);
        assert_eq!(bytes.len() + COUNTS, 90);
        assert_eq!(bytes[70..], [0xee, 0xd2, 0x0f, 0, 0x24, 0, 135, 0, 12, 2, 11, 0]);
        assert_eq!(parse_tournament(&bytes), Some(tournament));
        let source = Source {
            title: b"TWIC",
            publisher: b"M. C.",
            publication: 1,
            date: 2,
            version: 3,
            quality: 1,
        };
        bytes.clear();
        source.encode(&mut bytes);
        assert_eq!((bytes.len() + COUNTS, parse_source(&bytes)), (59, Some(source)));
        let team = Team { title: b"Biel", number: 2, season: 1, year: 1988, nation: 135 };
        bytes.clear();
        team.encode(&mut bytes);
        assert_eq!((bytes.len() + COUNTS, parse_team(&bytes)), (63, Some(team)));
        bytes.clear();
        push_field(b"Tal", 30, &mut bytes);
        push_field(b"Mikhail", 20, &mut bytes);
        assert_eq!(player(&bytes), (&b"Tal"[..], &b"Mikhail"[..]));
    }
}
