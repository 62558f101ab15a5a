//! Magic numbers, sizes, offsets and codes for porting.
//!
//! All integers are big-endian. Offsets are absolute byte offsets in a file.

/// First bytes of the index, `.dci`. // dcg §3 "Index header"
pub const INDEX_MAGIC: &[u8; 10] = b"SimpleCDbi";
/// First bytes of the player names, `.dcn`. // dcg §5 "Names"
pub const PLAYERS_MAGIC: &[u8; 10] = b"SimpleCDbn";
/// First bytes of the sites, `.dcs`. // dcg §5 "Names"
pub const SITES_MAGIC: &[u8; 10] = b"SimpleCDbs";
/// First bytes of the events, `.dce`. // dcg §5 "Names"
pub const EVENTS_MAGIC: &[u8; 10] = b"SimpleCDbe";
/// First bytes of the games, `.dcg`. // dcg §6 "Game record"
pub const GAMES_MAGIC: &[u8; 10] = b"SimpleCDbg";
/// The length of every magic.
pub const MAGIC_SIZE: u64 = 10;

/// The version byte after the index magic. // dcg §3 "Index header"
pub const VERSION: u8 = 0;
/// The offset of the default game's eight bytes. // dcg §3 "Index header"
pub const OPEN_DEFAULT_OFFSET: u64 = 11;
/// The first value of the default game that is the complement of a number. // dcg §3.5
pub const OPEN_DEFAULT_COMPLEMENT: u64 = 1 << 63;

/// The two layouts of an index. // dcg §2 "Versions"
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Layout {
    /// Since 17 January 2017: a header of 19 bytes, entries of 39.
    Current,
    /// Builds of the two weeks before: only the magic as header, and entries of 35 bytes without an
    /// event.
    Old,
}

impl Layout {
    /// The size of the index header.
    #[must_use]
    pub const fn header_size(self) -> u64 {
        match self {
            Layout::Current => 19,
            Layout::Old => 10,
        }
    }

    /// The size of an index entry.
    #[must_use]
    pub const fn entry_size(self) -> u64 {
        match self {
            Layout::Current => 39,
            Layout::Old => 35,
        }
    }

    /// How many entries `bytes` bytes hold, and how many bytes remain.
    pub(crate) const fn count_entries(self, bytes: u64) -> (u64, u64) {
        match self {
            Layout::Current => (bytes / 39, bytes % 39),
            Layout::Old => (bytes / 35, bytes % 35),
        }
    }

    /// The offset of the entry of a game, numbered from zero. A number too large for any file gives
    /// an offset beyond any file.
    #[must_use]
    pub const fn entry_offset(self, game: u64) -> u64 {
        game.saturating_mul(self.entry_size()).saturating_add(self.header_size())
    }
}

/// Bytes of the longest entry. // dcg §4 "Index entry"
pub const ENTRY_SIZE: usize = 39;
/// The offset of the reference to White's name in an entry. // dcg §4 "Index entry"
pub const WHITE_REF: usize = 9;
/// The offset of the reference to Black's name. // dcg §4 "Index entry"
pub const BLACK_REF: usize = 13;
/// The offset of the reference to the site. // dcg §4 "Index entry"
pub const SITE_REF: usize = 19;
/// The offset of the reference to the event, in the current layout. // dcg §4 "Index entry"
pub const EVENT_REF: usize = 23;

/// The status of a game that is not deleted. // dcg §4 "Index entry"
pub const STATUS_LIVE: u8 = 0x00;
/// The status of a deleted game. // dcg §4 "Index entry"
pub const STATUS_DELETED: u8 = 0xff;

/// The size of a name, padded with spaces. // dcg §5 "Names"
pub const NAME_SIZE: usize = 36;
/// The distance between the starts of two names.
pub const NAME_STEP: u64 = NAME_SIZE as u64;
/// The reference that points to no name. // dcg §5 "Names"
pub const NO_NAME: u32 = 0;

/// A record that starts from the usual position. // dcg §6.2 "Start position"
pub const FEN_NONE: u8 = 0x00;
/// A record with a FEN. // dcg §6.2 "Start position"
pub const FEN_FOLLOWS: u8 = 0x01;

/// Starts a variation: an alternative to the last move. // dcg §6.4 "Tags"
pub const TAG_VARIATION: u8 = 0x84;
/// Ends a variation. // dcg §6.4 "Tags"
pub const TAG_VARIATION_END: u8 = 0x85;
/// A length and a text follow. // dcg §6.4 "Tags"
pub const TAG_COMMENT: u8 = 0x86;
/// A length and that number of NAGs follow. // dcg §6.4 "Tags"
pub const TAG_NAGS: u8 = 0x87;
/// A null move. // dcg §6.4 "Tags"
pub const TAG_NULL_MOVE: u8 = 0x88;
/// The bit of a first byte that distinguishes tags from moves. // dcg §6.3 "Moves"
pub const TAG_BIT: u8 = 0x80;

/// The shortest length that needs more than one byte. // dcg §6.1 "Lengths"
pub const LONG_LENGTH: u32 = 127;
/// The first byte of a length of one more byte. The first bytes 0x82, 0x83 and 0x84 announce two,
/// three and four.
pub const LENGTH_1: u8 = 0x81;
