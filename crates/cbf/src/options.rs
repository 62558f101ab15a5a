//! How to open and create a base.

use chess_store::{Encoding, Location, OptionInfo, TypedOptions};

use crate::error::{Error, ErrorKind};
use crate::numbering::Rules;

/// How to open a base.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct OpenOptions {
    /// The encoding of the texts; CP850 if `None`. One byte a letter.
    pub encoding: Option<Encoding>,
    /// Makes an error of the first deviation met on opening.
    pub strict: bool,
    /// How moves are numbered.
    pub dialect: Dialect,
    /// Where records are found.
    pub records: Records,
}

/// How moves are numbered. cbf §6.3 "Dialects"
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Dialect {
    /// The usual way; for a game that it makes illegal, the others in turn, then those moves too
    /// that the rules forbid.
    #[default]
    Auto,
    /// The usual way only.
    Usual,
    /// As usual, but en passant that castling has delayed is a move, as ChessBase allowed it.
    LateEnPassant,
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
            Dialect::LateEnPassant => Rules { late_capture: true, ..usual },
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

impl TypedOptions for OpenOptions {
    const LIST: &'static [OptionInfo] = &[
        OptionInfo {
            name: "dialect",
            values: &[
                "auto",
                "usual",
                "late-en-passant",
                "no-stale-file",
                "no-edge-pawn",
                "plain",
                "next-after-phantom",
            ],
            help: "how moves are numbered; auto tries what makes the moves of a game legal",
        },
        OptionInfo {
            name: "records",
            values: &["auto", "walk"],
            help: "where records are found; walk passes over the .cbi",
        },
    ];

    fn set(&mut self, name: &str, value: &str) -> bool {
        match (name, value) {
            ("dialect", "auto") => self.dialect = Dialect::Auto,
            ("dialect", "usual") => self.dialect = Dialect::Usual,
            ("dialect", "late-en-passant") => self.dialect = Dialect::LateEnPassant,
            ("dialect", "no-stale-file") => self.dialect = Dialect::NoStaleFile,
            ("dialect", "no-edge-pawn") => self.dialect = Dialect::NoEdgePawn,
            ("dialect", "plain") => self.dialect = Dialect::Plain,
            ("dialect", "next-after-phantom") => self.dialect = Dialect::NextAfterPhantom,
            ("records", "auto") => self.records = Records::Auto,
            ("records", "walk") => self.records = Records::Walk,
            _ => return false,
        }
        true
    }
}

/// How to create a base.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct CreateOptions {
    /// The encoding to write texts in; CP850 if `None`. One byte a letter.
    pub encoding: Option<Encoding>,
}

impl TypedOptions for CreateOptions {
    const LIST: &'static [OptionInfo] = &[];

    fn set(&mut self, _: &str, _: &str) -> bool {
        false
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
    use chess_store::Settings;

    #[test]
    fn options_by_name() {
        let read = |name: &str, value: &str| {
            let mut settings = Settings::default();
            settings.set(name, value);
            settings.read::<OpenOptions>()
        };
        assert_eq!(read("dialect", "plain").unwrap().dialect, Dialect::Plain);
        assert_eq!(read("records", "walk").unwrap().records, Records::Walk);
        for (name, value) in [("dialect", "old"), ("records", ""), ("walk", "yes")] {
            let error = read(name, value).unwrap_err();
            assert!(error.kind::<chess_store::OptionError>().is_some(), "{error}");
        }
        for option in OpenOptions::LIST {
            for value in option.values {
                assert!(read(option.name, value).is_ok(), "{}={value}", option.name);
            }
        }
    }

    #[test]
    fn only_single_byte_pages() {
        assert_eq!(page(None).unwrap(), Encoding::CP850);
        for good in [Encoding::CP437, Encoding::ATARI_ST, Encoding::WINDOWS_1252] {
            assert_eq!(page(Some(good)).unwrap(), good);
        }
        for bad in ["utf-8", "shift_jis", "gbk", "euc-kr"] {
            let bad = Encoding::from_label(bad).unwrap();
            assert!(page(Some(bad)).is_err(), "{bad:?}");
        }
    }
}
