//! Magics, sizes, code tables: what a porter copies first.
//!
//! Numbers are big-endian in version 3 and 4 files, little-endian in version 5. Squares are
//! numbered a1 = 0, b1 = 1, ... h8 = 63.

use crate::names::NameKind;

/// First bytes of a `.si3` or `.si4` file. (scid §2.1 "Header")
pub const INDEX_MAGIC: [u8; 8] = *b"Scid.si\0";
/// First bytes of a `.sn3` or `.sn4` file. (scid §3.1 "Names of versions 3 and 4")
pub const NAMES_MAGIC: [u8; 8] = *b"Scid.sn\0";

/// The generations of the format, which differ in index and names. A game's record is the same
/// in all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Version {
    /// Scid up to 3.7: version 300, read only.
    Si3,
    /// Scid 4.0 and later, Scid vs PC: version 400.
    Si4,
    /// Scid 5.0 and later.
    Si5,
}

impl Version {
    /// Bytes before the first entry of the index.
    #[must_use]
    pub const fn header_size(self) -> u64 {
        match self {
            Version::Si3 => 128,
            Version::Si4 => 182,
            Version::Si5 => 0,
        }
    }

    /// Bytes of an index entry.
    #[must_use]
    pub const fn entry_size(self) -> usize {
        match self {
            Version::Si3 => 46,
            Version::Si4 => 47,
            Version::Si5 => 56,
        }
    }

    /// Where a game's entry begins in the index.
    #[must_use]
    pub(crate) const fn entry_offset(self, game: u64) -> u64 {
        self.header_size().saturating_add(game.saturating_mul(self.entry_size() as u64))
    }

    /// The games file is divided in blocks of this size, which no record crosses.
    /// (scid §4.1 "Blocks")
    #[must_use]
    pub const fn block_size(self) -> u64 {
        match self {
            Version::Si3 => 32_768,
            Version::Si4 | Version::Si5 => 131_072,
        }
    }

    /// Whether bytes from `offset` on reach into another block.
    #[must_use]
    pub(crate) const fn crosses_block(self, offset: u64, length: u64) -> bool {
        let within = offset & self.block_size().saturating_sub(1);
        within.saturating_add(length) > self.block_size()
    }

    /// The most bytes a record can have.
    #[must_use]
    pub const fn max_record(self) -> usize {
        match self {
            Version::Si3 => 32_768,
            Version::Si4 | Version::Si5 => 131_071,
        }
    }

    /// The most games.
    #[must_use]
    pub const fn max_games(self) -> u32 {
        match self {
            Version::Si3 | Version::Si4 => 16_777_214,
            Version::Si5 => u32::MAX - 1,
        }
    }

    /// How many names of a kind ids have room for.
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

    /// The bytes that offsets of the games file can tell.
    #[must_use]
    pub const fn max_games_size(self) -> u64 {
        match self {
            Version::Si3 | Version::Si4 => 1 << 32,
            Version::Si5 => 1 << 47,
        }
    }
}

/// The extensions of a base's three files. A base of version 300 also occurs under the names of
/// version 400.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extensions {
    /// The index.
    pub index: &'static str,
    /// The records.
    pub games: &'static str,
    /// The names.
    pub names: &'static str,
}

impl Extensions {
    /// `.si3 .sg3 .sn3`
    pub const SI3: Extensions = Extensions { index: "si3", games: "sg3", names: "sn3" };
    /// `.si4 .sg4 .sn4`
    pub const SI4: Extensions = Extensions { index: "si4", games: "sg4", names: "sn4" };
    /// `.si5 .sg5 .sn5`
    pub const SI5: Extensions = Extensions { index: "si5", games: "sg5", names: "sn5" };

    /// The family an extension belongs to, in either case.
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
/// How many custom flags there are.
pub const CUSTOM_FLAGS: usize = 6;
/// Bytes of the header of a `.sn4` file.
pub const NAMES_HEADER_SIZE: usize = 36;

/// What the base type of the header means: the number of an icon. (scid §2.1 "Header")
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
/// The longest tag name.
pub const MAX_TAG_NAME: usize = 240;
/// A tag code followed by three bytes of date instead of a text; Scid 2 wrote it.
pub const BINARY_EVENT_DATE: u8 = 255;

/// The kinds of rating, by number; the tag is the colour and this. (scid §2.4 "Ratings")
pub const RATING_TYPES: [&str; 7] = ["Elo", "Rating", "Rapid", "ICCF", "USCF", "DWZ", "ECF"];
/// The highest rating Scid takes.
pub const MAX_RATING: u16 = 4000;

/// Bits of a record's flags byte. (scid §4.3 "Flags and start position")
pub mod record_flag {
    /// A FEN follows.
    pub const OWN_START: u8 = 1;
    /// A pawn promotes on the main line.
    pub const PROMOTION: u8 = 2;
    /// A pawn promotes on the main line, not to a queen.
    pub const UNDER_PROMOTION: u8 = 4;
}

/// Stream bytes that are no moves. (scid §4.4 "The stream")
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
    /// The game has a start position of its own.
    pub const OWN_START: u32 = 1;
    /// A pawn promotes on the main line.
    pub const PROMOTION: u32 = 1 << 1;
    /// A pawn promotes on the main line, not to a queen.
    pub const UNDER_PROMOTION: u32 = 1 << 2;
    /// Marked as deleted.
    pub const DELETED: u32 = 1 << 3;
}

/// The flags a user sets, bit and letter; the letters make the tag `ScidFlags`. Deleted (`D`) is
/// not among them: it is [`Header::deleted`](chess_core::Header::deleted). (scid §2.3 "Flags")
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

/// What the flags are for, in the order of [`FLAG_LETTERS`].
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

/// The tag of a result code that has no meaning.
pub const RESULT_TAG: &str = "ScidResult";

/// The most NAGs Scid takes after one move.
pub const MAX_NAGS: usize = 7;
