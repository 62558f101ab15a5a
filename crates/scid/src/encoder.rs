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
use crate::name_table::{NameLists, NameNumbers};
use crate::tag_placement::TagPlacement;

/// Encodes games for one thread.
#[derive(Debug)]
pub struct Encoder {
    version: Version,
    pub(crate) encoding: Encoding,
    at: Location,
    records: RecordEncoder,
    pub(crate) hasher: NameHasher,
    /// The names of all games that were encoded.
    pub(crate) names: NameLists,
}

/// An encoded game, for the [`Writer`](crate::Writer) whose [`Encoder`] made it.
///
/// Compact, because it moves between threads.
#[derive(Clone, Debug, Default)]
pub struct Encoded {
    /// The entry without offset and name ids.
    pub(crate) entry: IndexEntry,
    pub(crate) names: NameNumbers,
    pub(crate) record: Vec<u8>,
}

impl Encoder {
    /// Creates an encoder. `hasher` must be the hasher of the base. `names` are its names.
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
    pub(crate) fn encode_header(
        &self,
        header: &Header,
        into: &mut Encoded,
        losses: &mut Losses,
    ) -> Result<(), Error> {
        let placement = TagPlacement::new(header, self.version, losses);
        self.records.encode_tags(placement.record_tags(header), &mut into.record, losses);
        // A header that is too long for any record stays too long with its moves.
        let length = u32::try_from(into.record.len()).unwrap_or(u32::MAX);
        into.entry = IndexEntry { length, ..placement.entry };
        self.encode_names(header, into, losses)
    }

    fn encode_names(
        &self,
        header: &Header,
        into: &mut Encoded,
        losses: &mut Losses,
    ) -> Result<(), Error> {
        let names = [
            self.name(&header.event, "Event", losses),
            self.name(&header.site, "Site", losses),
            self.name(&header.round, "Round", losses),
            self.name(&header.white, "White", losses),
            self.name(&header.black, "Black", losses),
        ];
        let numbers = self.names.number(&self.hasher, &names);
        into.names = numbers.map_err(|kind| Error::new(kind, self.at))?;
        Ok(())
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
        let statistics = self.records.encode(game, tags, at, &mut into.record, losses)?;
        let (length, most) = (into.record.len(), self.version.max_record());
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
        self.encode_names(header, into, losses)
    }
}

impl Trim for Encoded {
    fn trim(&mut self, most: usize) {
        self.record.trim(most);
    }
}
