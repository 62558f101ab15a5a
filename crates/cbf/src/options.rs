//! Options for opening and creating a database.

use chess_store::{Encoding, Location, OptionInfo, TypedOptions};

use crate::error::{Error, ErrorKind};
use crate::numbering::Rules;

/// Options for opening a database.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct OpenOptions {
    /// The single-byte encoding of the texts; CP850 if `None`.
    pub encoding: Option<Encoding>,
    /// Turns the first deviation found on opening into an error.
    pub strict: bool,
    /// How moves are numbered.
    pub dialect: Dialect,
    /// How records are located.
    pub records: Records,
}

/// The dialect of move numbering. cbf §6.3 "Dialects"
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Dialect {
    /// The numbering that the first games of the database are evidence for. If it makes a game
    /// illegal, the other numberings in turn, and finally the numbering with the fewest illegal moves.
    #[default]
    Auto,
    /// The usual numbering only.
    Usual,
    /// As usual, but en passant delayed by castling is a move, as ChessBase allowed it.
    LateEnPassant,
    /// Castling ends the en passant numbering.
    NoStaleFile,
    /// Pawns on the a-file take no extra number.
    NoEdgePawn,
    /// Neither the stale file nor the edge pawn quirk.
    Plain,
    /// As usual, but a number without a move stands for the next move.
    NextAfterPhantom,
}

impl Dialect {
    /// All dialects with their names as values of the option `dialect`.
    const NAMED: [(Dialect, &'static str); 7] = [
        (Dialect::Auto, "auto"),
        (Dialect::Usual, "usual"),
        (Dialect::LateEnPassant, "late-en-passant"),
        (Dialect::NoStaleFile, "no-stale-file"),
        (Dialect::NoEdgePawn, "no-edge-pawn"),
        (Dialect::Plain, "plain"),
        (Dialect::NextAfterPhantom, "next-after-phantom"),
    ];

    /// Returns the name as a value of the option `dialect`.
    #[must_use]
    pub fn name(self) -> &'static str {
        Dialect::NAMED.iter().find(|named| named.0 == self).map_or("auto", |named| named.1)
    }

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

/// How records are located. cbf §1.2 "Without an index"
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Records {
    /// By the .cbi. If it is missing or wrong, by scanning the .cbf from its start.
    #[default]
    Auto,
    /// By scanning the .cbf, which also finds records that the .cbi does not list.
    Walk,
}

impl TypedOptions for OpenOptions {
    const LIST: &'static [OptionInfo] = &[
        OptionInfo::new(
            "dialect",
            &[
                "auto",
                "usual",
                "late-en-passant",
                "no-stale-file",
                "no-edge-pawn",
                "plain",
                "next-after-phantom",
            ],
            "how moves are numbered; auto decides by the games of the base",
        ),
        OptionInfo::new(
            "records",
            &["auto", "walk"],
            "how records are located; walk ignores the .cbi",
        ),
    ];

    fn set(&mut self, name: &str, value: &str) -> bool {
        match (name, value) {
            ("dialect", name) => {
                let named = Dialect::NAMED.iter().find(|named| named.1 == name);
                let Some((dialect, _)) = named else { return false };
                self.dialect = *dialect;
            }
            ("records", "auto") => self.records = Records::Auto,
            ("records", "walk") => self.records = Records::Walk,
            _ => return false,
        }
        true
    }

    fn take_open(&mut self, options: &chess_store::OpenOptions) {
        (self.encoding, self.strict) = (options.encoding, options.strict);
    }
}

/// Options for creating a database.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct CreateOptions {
    /// The single-byte encoding of written texts; CP850 if `None`.
    pub encoding: Option<Encoding>,
}

impl TypedOptions for CreateOptions {
    fn take_create(&mut self, options: &chess_store::CreateOptions) {
        self.encoding = options.encoding;
    }
}

/// Returns the requested encoding, which must be single-byte, or CP850. cbf §4.4 "Character sets"
pub(crate) fn page(asked: Option<Encoding>) -> Result<Encoding, Error> {
    let page = asked.unwrap_or(Encoding::CP850);
    // Every multi-byte encoding that has these letters encodes them with several bytes.
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
    fn settings_by_name_set_options() {
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
    fn page_multi_byte_encoding_is_error() {
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
