//! Magic numbers, sizes and code tables for porting.
//!
//! Numbers are big-endian in version 3 and 4 files, little-endian in version 5. Squares are
//! numbered a1 = 0, b1 = 1, ... h8 = 63.

use crate::names::NameKind;

/// First bytes of a `.si3` or `.si4` file. (scid §2.1 "Header")
pub const INDEX_MAGIC: [u8; 8] = *b"Scid.si\0";
/// First bytes of a `.sn3` or `.sn4` file. (scid §3.1 "Names of versions 3 and 4")
pub const NAMES_MAGIC: [u8; 8] = *b"Scid.sn\0";

/// The versions of the format. They differ in index and names; the game records are the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Version {
    /// Scid up to 3.7: version 300, read only.
    Si3,
    /// Scid 4.0 and later, Scid vs PC: version 400.
    #[default]
    Si4,
    /// Scid 5.0 and later.
    Si5,
}

impl Version {
    /// The size of the index header.
    #[must_use]
    pub const fn header_size(self) -> u64 {
        match self {
            Version::Si3 => 128,
            Version::Si4 => 182,
            Version::Si5 => 0,
        }
    }

    /// The size of an index entry.
    #[must_use]
    pub const fn entry_size(self) -> usize {
        match self {
            Version::Si3 => 46,
            Version::Si4 => 47,
            Version::Si5 => 56,
        }
    }

    /// The offset of a game's entry in the index.
    #[must_use]
    pub(crate) const fn entry_offset(self, game: u64) -> u64 {
        self.header_size().saturating_add(game.saturating_mul(self.entry_size() as u64))
    }

    /// The block size of the games file. No record crosses a block boundary. (scid §4.1 "Blocks")
    #[must_use]
    pub const fn block_size(self) -> u64 {
        match self {
            Version::Si3 => 32_768,
            Version::Si4 | Version::Si5 => 131_072,
        }
    }

    /// Whether `length` bytes at `offset` cross a block boundary.
    #[must_use]
    pub(crate) const fn crosses_block(self, offset: u64, length: u64) -> bool {
        let within = offset & self.block_size().saturating_sub(1);
        within.saturating_add(length) > self.block_size()
    }

    /// The largest size of a record.
    #[must_use]
    pub const fn max_record(self) -> usize {
        match self {
            Version::Si3 => 32_768,
            Version::Si4 | Version::Si5 => 131_071,
        }
    }

    /// The largest number of games.
    #[must_use]
    pub const fn max_games(self) -> u32 {
        match self {
            Version::Si3 | Version::Si4 => 16_777_214,
            Version::Si5 => u32::MAX - 1,
        }
    }

    /// The largest number of names of one kind.
    #[must_use]
    pub const fn max_names(self, kind: NameKind) -> u32 {
        match (self, kind) {
            (Version::Si3 | Version::Si4, NameKind::Player) => 0xf_ffff,
            (Version::Si3 | Version::Si4, NameKind::Event | NameKind::Site) => 0x7_ffff,
            (Version::Si3 | Version::Si4, NameKind::Round) => 0x3_ffff,
            (Version::Si5, NameKind::Player | NameKind::Event) => 1 << 28,
            (Version::Si5, NameKind::Site) => u32::MAX,
            (Version::Si5, NameKind::Round) => 1 << 31,
        }
    }

    /// The largest size of the games file that offsets can address.
    #[must_use]
    pub const fn max_games_size(self) -> u64 {
        match self {
            Version::Si3 | Version::Si4 => 1 << 32,
            Version::Si5 => 1 << 47,
        }
    }
}

/// The extensions of a base's three files. A version 300 base may also use the extensions of
/// version 400.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Extensions {
    /// The extension of the index.
    pub index: &'static str,
    /// The extension of the games file.
    pub games: &'static str,
    /// The extension of the names file.
    pub names: &'static str,
}

impl Extensions {
    /// `.si3 .sg3 .sn3`
    pub const SI3: Extensions = Extensions { index: "si3", games: "sg3", names: "sn3" };
    /// `.si4 .sg4 .sn4`
    pub const SI4: Extensions = Extensions { index: "si4", games: "sg4", names: "sn4" };
    /// `.si5 .sg5 .sn5`
    pub const SI5: Extensions = Extensions { index: "si5", games: "sg5", names: "sn5" };

    /// Returns the extensions of the files of a version.
    #[must_use]
    pub const fn of_version(version: Version) -> Extensions {
        match version {
            Version::Si3 => Extensions::SI3,
            Version::Si4 => Extensions::SI4,
            Version::Si5 => Extensions::SI5,
        }
    }

    /// Returns the extensions that `extension` belongs to, ignoring case.
    #[must_use]
    pub fn family(extension: &str) -> Option<Extensions> {
        [Extensions::SI3, Extensions::SI4, Extensions::SI5].into_iter().find(|family| {
            [family.index, family.games, family.names]
                .iter()
                .any(|known| known.eq_ignore_ascii_case(extension))
        })
    }
}

/// Length of the description in the header of the index, with its NUL.
pub const DESCRIPTION_SIZE: usize = 108;
/// Length of each label of a custom flag, with its NUL.
pub const FLAG_LABEL_SIZE: usize = 9;
/// The number of custom flags.
pub const CUSTOM_FLAGS: usize = 6;
/// Bytes of the header of a `.sn4` file.
pub const NAMES_HEADER_SIZE: usize = 36;

/// The meanings of the base type in the header, an icon number. (scid §2.1 "Header")
pub const BASE_TYPES: [&str; 20] = [
    "Unknown",
    "Temporary database",
    "Clipbase",
    "PGN games",
    "My games",
    "Large database",
    "Correspondence chess",
    "Computer chess",
    "Sorted index",
    "Player collection",
    "Tournament: all-play-all",
    "Tournament: Swiss",
    "Grandmaster games",
    "International master games",
    "Blitz",
    "Tactics",
    "Endgames",
    "Openings for White",
    "Openings for Black",
    "Openings for either side",
];

/// Tag names stored as one byte, from 241. (scid §4.2 "Tags")
pub const COMMON_TAGS: [&str; 10] = [
    "WhiteCountry",
    "BlackCountry",
    "Annotator",
    "PlyCount",
    "EventDate",
    "Opening",
    "Variation",
    "Setup",
    "Source",
    "SetUp",
];
/// The code of the first of [`COMMON_TAGS`].
pub const COMMON_TAG_BASE: u8 = 241;
/// The longest tag name in bytes.
pub const MAX_TAG_NAME: usize = 240;
/// A tag code followed by a three-byte date instead of a text; written by Scid 2.
pub const BINARY_EVENT_DATE: u8 = 255;

/// The rating types by number. The tag name is the colour followed by the type. (scid §2.4
/// "Ratings")
pub const RATING_TYPES: [&str; 7] = ["Elo", "Rating", "Rapid", "ICCF", "USCF", "DWZ", "ECF"];
/// The highest rating that Scid accepts.
pub const MAX_RATING: u16 = 4000;

/// The bits of a date: day, month and year.
pub const DATE_BITS: u32 = 0xf_ffff;

/// The last year that a date can hold.
pub const MAX_YEAR: u32 = 0x7ff;

/// Bits of a record's flags byte. (scid §4.3 "Flags and start position")
pub mod record_flag {
    /// A FEN follows.
    pub const OWN_START: u8 = 1;
    /// A pawn promotes on the main line.
    pub const PROMOTION: u8 = 2;
    /// A pawn promotes on the main line, not to a queen.
    pub const UNDER_PROMOTION: u8 = 4;
}

/// Stream bytes that are not moves. (scid §4.4 "The stream")
pub mod marker {
    /// The next byte is a NAG.
    pub const NAG: u8 = 11;
    /// A comment belongs here.
    pub const COMMENT: u8 = 12;
    /// A variation starts.
    pub const VARIATION_START: u8 = 13;
    /// A variation ends.
    pub const VARIATION_END: u8 = 14;
    /// The game ends.
    pub const GAME_END: u8 = 15;
}

/// Bits of the index flags of a game. (scid §2.3 "Flags")
pub mod flag {
    /// The game has a custom start position.
    pub const OWN_START: u32 = 1;
    /// A pawn promotes on the main line.
    pub const PROMOTION: u32 = 1 << 1;
    /// A pawn promotes on the main line, not to a queen.
    pub const UNDER_PROMOTION: u32 = 1 << 2;
    /// The game is marked as deleted.
    pub const DELETED: u32 = 1 << 3;
}

/// The bits and letters of the user's flags. The letters form the tag `ScidFlags`. Deleted (`D`) is
/// not among them: see [`Header::deleted`](chess_core::Header::deleted). (scid §2.3 "Flags")
pub const FLAG_LETTERS: [(u8, char); 18] = [
    (4, 'W'),
    (5, 'B'),
    (6, 'M'),
    (7, 'E'),
    (8, 'N'),
    (9, 'P'),
    (10, 'T'),
    (11, 'K'),
    (12, 'Q'),
    (13, '!'),
    (14, '?'),
    (15, 'U'),
    (16, '1'),
    (17, '2'),
    (18, '3'),
    (19, '4'),
    (20, '5'),
    (21, '6'),
];

/// The meanings of the flags, in the order of [`FLAG_LETTERS`].
pub const FLAG_MEANINGS: [(char, &str); 18] = [
    ('W', "opening of White"),
    ('B', "opening of Black"),
    ('M', "middle game"),
    ('E', "endgame"),
    ('N', "novelty"),
    ('P', "pawn structure"),
    ('T', "tactics"),
    ('K', "king side"),
    ('Q', "queen side"),
    ('!', "brilliancy"),
    ('?', "blunder"),
    ('U', "user"),
    ('1', "the user's own, labelled in the base"),
    ('2', "the user's own"),
    ('3', "the user's own"),
    ('4', "the user's own"),
    ('5', "the user's own"),
    ('6', "the user's own"),
];

/// The tag that holds the flags as letters.
pub const FLAGS_TAG: &str = "ScidFlags";

/// The tag of an unknown result code.
pub const RESULT_TAG: &str = "ScidResult";

/// The most NAGs that Scid accepts after one move.
pub const MAX_NAGS: usize = 7;
