//! How to open and create a base.

use chess_core::{Encoding, Location, seam};

use crate::error::{Error, ErrorKind};
use crate::numbering::Rules;

/// How to open a base.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OpenOptions {
    /// The encoding of the texts; CP850 if `None`. One byte a letter.
    pub encoding: Option<Encoding>,
    /// How moves are numbered.
    pub dialect: Dialect,
    /// Where records are found.
    pub records: Records,
}

/// How moves are numbered. cbf §6.3 "Dialects"
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Dialect {
    /// The usual way; a game that it makes illegal, the others in turn.
    #[default]
    Auto,
    /// The usual way only.
    Usual,
    /// Castling ends the en passant numbering.
    NoStaleFile,
    /// Pawns on the a-file take no extra number.
    NoEdgePawn,
    /// Neither quirk.
    Plain,
    /// As usual, but a number without a move stands for the next move.
    NextAfterPhantom,
}

impl Dialect {
    pub(crate) const fn rules(self) -> Rules {
        let usual = Rules::USUAL;
        match self {
            Dialect::Auto | Dialect::Usual => usual,
            Dialect::NoStaleFile => Rules { stale_file: false, ..usual },
            Dialect::NoEdgePawn => Rules { edge_pawn: false, ..usual },
            Dialect::Plain => Rules { edge_pawn: false, stale_file: false, ..usual },
            Dialect::NextAfterPhantom => Rules { next_after_phantom: true, ..usual },
        }
    }
}

/// Where records are found. cbf §1.2 "Without an index"
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Records {
    /// By the .cbi; if it is missing or wrong, one after the other from the start of the .cbf.
    #[default]
    Auto,
    /// One after the other, also those the .cbi does not name.
    Walk,
}

const DIALECTS: [(&str, Dialect); 6] = [
    ("auto", Dialect::Auto),
    ("usual", Dialect::Usual),
    ("no-stale-file", Dialect::NoStaleFile),
    ("no-edge-pawn", Dialect::NoEdgePawn),
    ("plain", Dialect::Plain),
    ("next-after-phantom", Dialect::NextAfterPhantom),
];
const RECORDS: [(&str, Records); 2] = [("auto", Records::Auto), ("walk", Records::Walk)];

impl TryFrom<&seam::OpenOptions> for OpenOptions {
    type Error = Error;

    /// Takes `dialect=auto|usual|no-stale-file|no-edge-pawn|plain|next-after-phantom` and
    /// `records=auto|walk`.
    fn try_from(from: &seam::OpenOptions) -> Result<OpenOptions, Error> {
        let mut options = OpenOptions { encoding: from.encoding, ..OpenOptions::default() };
        for (name, value) in &from.extra {
            match name.as_str() {
                "dialect" => options.dialect = choose(&DIALECTS, name, value, KNOWN_DIALECTS)?,
                "records" => options.records = choose(&RECORDS, name, value, "auto, walk")?,
                _ => return Err(unknown(name, value, "dialect, records")),
            }
        }
        Ok(options)
    }
}

const KNOWN_DIALECTS: &str = "auto, usual, no-stale-file, no-edge-pawn, plain, next-after-phantom";

fn choose<T: Copy>(
    table: &[(&str, T)],
    name: &str,
    value: &str,
    known: &'static str,
) -> Result<T, Error> {
    let found = table.iter().find(|(spelling, _)| *spelling == value);
    found.map(|(_, choice)| *choice).ok_or_else(|| unknown(name, value, known))
}

fn unknown(name: &str, value: &str, known: &'static str) -> Error {
    let kind = ErrorKind::UnknownOption { name: name.into(), value: value.into(), known };
    Error::new(kind, Location::default())
}

/// How to create a base.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CreateOptions {
    /// The encoding to write texts in; CP850 if `None`. One byte a letter.
    pub encoding: Option<Encoding>,
}

impl TryFrom<&seam::CreateOptions> for CreateOptions {
    type Error = Error;

    fn try_from(from: &seam::CreateOptions) -> Result<CreateOptions, Error> {
        if let Some((name, value)) = from.extra.first() {
            return Err(unknown(name, value, "none"));
        }
        Ok(CreateOptions { encoding: from.encoding })
    }
}

/// The encoding asked for, if it has one byte a letter, or CP850. cbf §4.4 "Character sets"
pub(crate) fn page(asked: Option<Encoding>) -> Result<Encoding, Error> {
    let page = asked.unwrap_or(Encoding::CP850);
    // Letters that every multi-byte encoding spells with several bytes, if it has them.
    let single = ["é", "ж", "あ", "中", "한"].iter().all(|letter| {
        let (bytes, had_place) = page.encode(letter);
        !had_place || bytes.len() == 1
    });
    if single {
        Ok(page)
    } else {
        Err(Error::new(ErrorKind::Encoding(page.name()), Location::default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_by_name() {
        let read = |name: &str, value: &str| {
            let extra = vec![(name.to_owned(), value.to_owned())];
            OpenOptions::try_from(&seam::OpenOptions { encoding: None, extra })
        };
        assert_eq!(read("dialect", "plain").unwrap().dialect, Dialect::Plain);
        assert_eq!(read("records", "walk").unwrap().records, Records::Walk);
        for (name, value) in [("dialect", "old"), ("records", ""), ("walk", "yes")] {
            assert!(matches!(
                read(name, value).unwrap_err().kind(),
                ErrorKind::UnknownOption { .. }
            ));
        }
        for (name, _) in DIALECTS {
            assert!(KNOWN_DIALECTS.contains(name));
        }
    }

    #[test]
    fn only_single_byte_pages() {
        assert_eq!(page(None).unwrap(), Encoding::CP850);
        for good in [Encoding::CP437, Encoding::ATARI_ST, Encoding::WINDOWS_1252] {
            assert_eq!(page(Some(good)).unwrap(), good);
        }
        for bad in ["utf-8", "shift_jis", "gbk", "euc-kr"] {
            assert!(page(Encoding::from_label(bad)).is_err(), "{bad}");
        }
    }
}
