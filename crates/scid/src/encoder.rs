//! Encodes a game to what a base stores. Name ids and the record's offset are missing: only the
//! base assigns them.

use std::borrow::Cow;

use chess_core::{Game, Header};
use chess_store::names::NameHasher;
use chess_store::{EncodeGames, Encoding, Location, Loss, LossKind, Losses, Trim};

use crate::encode::{RecordEncoder, cut_text};
use crate::error::{Error, ErrorKind};
use crate::index::IndexEntry;
use crate::layout::{Extensions, Version};
use crate::name_index::{hash_name, hashed_length};
use crate::name_table::{NameLists, list};
use crate::names::NameKind;
use crate::tag_placement::TagPlacement;

/// Encodes games for one thread.
#[derive(Debug)]
pub struct Encoder {
    version: Version,
    pub(crate) encoding: Encoding,
    at: Location,
    records: RecordEncoder,
    pub(crate) hasher: NameHasher,
    /// The names that the base already has.
    names: NameLists,
}

/// An encoded game, for the [`Writer`](crate::Writer) whose [`Encoder`] made it.
///
/// Compact, because it moves between threads.
#[derive(Clone, Debug, Default)]
pub struct Encoded {
    /// The entry without offset and name ids. Its length tells where the record ends in `bytes`.
    pub(crate) entry: IndexEntry,
    hashes: [u32; 5],
    ids: [Option<u32>; 5],
    /// The record, followed by the names.
    bytes: Vec<u8>,
}

impl Encoded {
    /// The record, and the names in the order in which they get ids.
    #[inline]
    pub(crate) fn parts(&self) -> (&[u8], GameNames<'_>) {
        let parts = self.bytes.split_at_checked(self.entry.length as usize);
        let (record, bytes) = parts.unwrap_or_default();
        (record, GameNames { bytes, hashes: self.hashes, ids: self.ids })
    }
}

impl Encoder {
    /// Creates an encoder. `hasher` must be the hasher of the base. `names` are the names with known ids.
    pub(crate) fn new(
        version: Version,
        encoding: Encoding,
        hasher: NameHasher,
        names: NameLists,
    ) -> Encoder {
        let chess960 = version == Version::Si5;
        let files = if chess960 { Extensions::SI5 } else { Extensions::SI4 };
        let records = RecordEncoder::new(encoding, chess960);
        Encoder { version, encoding, at: Location::file(files.games), records, hasher, names }
    }

    /// Encodes a header alone: the entry without the fields of the record, and, in place of the
    /// record, the tags at its beginning.
    pub(crate) fn encode_header(&self, header: &Header, into: &mut Encoded, losses: &mut Losses) {
        let placement = TagPlacement::new(header, self.version, losses);
        self.records.encode_tags(placement.record_tags(header), &mut into.bytes, losses);
        // A header that is too long for any record stays too long with its moves.
        let length = u32::try_from(into.bytes.len()).unwrap_or(u32::MAX);
        into.entry = IndexEntry { length, ..placement.entry };
        self.encode_names(header, into, losses);
    }

    /// Appends the names to the record, and looks up their ids.
    fn encode_names(&self, header: &Header, into: &mut Encoded, losses: &mut Losses) {
        let names = [
            self.name(&header.event, "Event", losses),
            self.name(&header.site, "Site", losses),
            self.name(&header.round, "Round", losses),
            self.name(&header.white, "White", losses),
            self.name(&header.black, "Black", losses),
        ];
        for (hash, name) in into.hashes.iter_mut().zip(names) {
            // Names are already truncated to 255 bytes, so hashing cannot fail.
            *hash = hash_name(&self.hasher, &name).unwrap_or_default();
            into.bytes.extend_from_slice(&name);
        }
        into.ids = [None; 5];
        let (names, mut ids) = (into.parts().1, [None; 5]);
        let lists = self.names.read();
        for (id, name) in ids.iter_mut().zip(names.iter()) {
            *id = list(&lists, name.kind).find(name.hash, name.bytes);
        }
        into.ids = ids;
    }

    /// A name as bytes: at most 255, without zeros.
    fn name<'a>(&self, name: &'a str, label: &str, losses: &mut Losses) -> Cow<'a, [u8]> {
        let (bytes, complete) = self.encoding.encode(name);
        let has_nul = bytes.contains(&0);
        if !complete || has_nul {
            losses.push(Loss::new(LossKind::Characters, label));
        }
        let length = cut_text(&bytes, 255).len();
        if length < bytes.len() {
            losses.push(Loss::new(LossKind::TextCut, label));
        }
        if length == bytes.len() && !has_nul {
            return bytes;
        }
        let short = bytes.iter().take(length);
        short.map(|byte| if *byte == 0 { b' ' } else { *byte }).collect()
    }
}

chess_store::inherent!(EncodeGames<Error, Encoded> for [] Encoder);

impl EncodeGames for Encoder {
    type Error = Error;
    type Encoded = Encoded;

    fn encode(
        &mut self,
        game: &Game,
        into: &mut Encoded,
        losses: &mut Losses,
    ) -> Result<(), Error> {
        let (header, at) = (&game.header, self.at);
        let placement = TagPlacement::new(header, self.version, losses);
        let tags = placement.record_tags(header);
        let statistics = self.records.encode(game, tags, at, &mut into.bytes, losses)?;
        let (length, most) = (into.bytes.len(), self.version.max_record());
        let fitting = u32::try_from(length).ok().filter(|_| length <= most);
        let too_long = || Error::new(ErrorKind::RecordTooLong(length, most), at);
        into.entry = IndexEntry {
            length: fitting.ok_or_else(too_long)?,
            flags: placement.entry.flags | statistics.flags,
            counts: statistics.counts,
            derived: statistics.derived,
            chess960: statistics.chess960,
            ..placement.entry
        };
        self.encode_names(header, into, losses);
        Ok(())
    }
}

impl Trim for Encoded {
    fn trim(&mut self, most: usize) {
        self.bytes.trim(most);
    }
}

/// The five names of a game: event, site, round, White, Black.
#[derive(Clone, Copy)]
pub(crate) struct GameNames<'a> {
    bytes: &'a [u8],
    hashes: [u32; 5],
    ids: [Option<u32>; 5],
}

/// One name, at most 255 bytes.
pub(crate) struct GameName<'a> {
    pub(crate) kind: NameKind,
    pub(crate) hash: u32,
    /// The id, if the base already had the name.
    pub(crate) id: Option<u32>,
    pub(crate) bytes: &'a [u8],
}

impl<'a> GameNames<'a> {
    pub(crate) const KINDS: [NameKind; 5] =
        [NameKind::Event, NameKind::Site, NameKind::Round, NameKind::Player, NameKind::Player];

    /// The ids, if the base already had all five names.
    #[inline]
    pub(crate) fn known(&self) -> Option<[u32; 5]> {
        let [Some(event), Some(site), Some(round), Some(white), Some(black)] = self.ids else {
            return None;
        };
        Some([event, site, round, white, black])
    }

    #[inline]
    pub(crate) fn iter(self) -> impl Iterator<Item = GameName<'a>> {
        let mut rest = self.bytes;
        let keys = self.hashes.into_iter().zip(self.ids);
        GameNames::KINDS.into_iter().zip(keys).map(move |(kind, (hash, id))| {
            let name = rest.split_at_checked(hashed_length(hash));
            let (bytes, next) = name.unwrap_or_default();
            rest = next;
            GameName { kind, hash, id, bytes }
        })
    }
}
