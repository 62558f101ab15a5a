//! Encodes a game to its stored form: record, row, and names that still need ids.

use std::borrow::Cow;

use chess_core::Game;
use chess_store::names::{NameHasher, SharedNames};
use chess_store::{EncodeGames, Encoding, Location, Loss, LossKind, Losses, Trim, field_size};

use crate::encode::{RecordEncoder, Style, shortened};
use crate::error::Error;
use crate::header::{PlayerTags, store};
use crate::names::{NameKind, encode_name, encode_player_info};
use crate::row::Row;
use crate::tables::{Name, Tables};

/// Encodes games for one thread. Created by a [`Writer`](crate::Writer).
#[derive(Debug)]
pub struct Encoder {
    records: RecordEncoder,
    encoding: Encoding,
    hasher: NameHasher,
    /// The names that the base has already.
    tables: SharedNames<Tables>,
}

/// An encoded game without its own id and the ids of its names.
///
/// Small, because it moves between threads.
#[derive(Debug, Default)]
pub struct Encoded {
    /// The record, followed by the names.
    bytes: Vec<u8>,
    record_size: usize,
    pub(crate) row: Row,
    /// The name hashes of White, Black, event, place, annotator, source.
    hashes: [u32; 6],
    /// Their ids, where the base already had the name.
    ids: [Option<u32>; 6],
    /// The size of each name. The unknown name, whose id is 0, has none.
    sizes: [u16; 6],
    /// Whether the annotator's full name is stored, so that any player of that name will do.
    pub(crate) annotator_in_full: bool,
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
        let encoded = self.records.encode(game, &mut into.bytes, losses);
        encoded.map_err(|kind| Error::new(kind, Location::file("d02")))?;
        into.record_size = into.bytes.len();
        let header = &game.header;
        let stored = store(header, game.setup().is_some(), losses);
        into.row = stored.row;
        into.annotator_in_full = self.encoding.encode(stored.annotator).1;
        let plain = PlayerTags::default();
        let names = [
            (NameKind::Players, header.white.as_str(), &stored.white),
            (NameKind::Players, &header.black, &stored.black),
            (NameKind::Events, &header.event, &plain),
            (NameKind::Places, &header.site, &plain),
            (NameKind::Players, stored.annotator, &plain),
            (NameKind::Sources, stored.source, &plain),
        ];
        let keys = into.hashes.iter_mut().zip(&mut into.sizes);
        for ((kind, name, player), (hash, size)) in names.into_iter().zip(keys) {
            let start = into.bytes.len();
            self.put_name(kind, name, player, &mut into.bytes, losses);
            let bytes = into.bytes.get(start..).unwrap_or_default();
            *hash = if bytes.is_empty() { 0 } else { self.hasher.hash(bytes) };
            *size = field_size(bytes.len(), "a name has two texts of at most 255 bytes");
        }
        into.find_in(&self.tables.read());
        Ok(())
    }
}

impl Encoder {
    pub(crate) fn new(style: Style, hasher: NameHasher, tables: SharedNames<Tables>) -> Encoder {
        Encoder { records: RecordEncoder::new(style), encoding: style.encoding, hasher, tables }
    }

    /// Appends a name as its table stores it; nothing for the unknown name.
    fn put_name(
        &self,
        kind: NameKind,
        name: &str,
        player: &PlayerTags<'_>,
        out: &mut Vec<u8>,
        losses: &mut Losses,
    ) {
        let name = if name == "?" { "" } else { name };
        if name.is_empty() && player.is_plain() {
            return;
        }
        let name = self.text(name, losses);
        let title = self.text(player.title, losses);
        encode_name(kind, &name, &title, out);
        if kind == NameKind::Players {
            encode_player_info(&player.info, out);
        }
    }

    /// A text as bytes, truncated to 255.
    fn text<'t>(&self, text: &'t str, losses: &mut Losses) -> Cow<'t, [u8]> {
        let (bytes, complete) = self.encoding.encode(text);
        if !complete {
            losses.push(Loss::new(LossKind::Characters, shortened(text)));
        }
        if bytes.len() <= 255 {
            return bytes;
        }
        losses.push(Loss::new(LossKind::TextCut, shortened(text)));
        let mut bytes = bytes.into_owned();
        bytes.truncate(255);
        Cow::Owned(bytes)
    }
}

impl Encoded {
    pub(crate) fn record(&self) -> &[u8] {
        self.bytes.get(..self.record_size).unwrap_or_default()
    }

    /// White, Black, event, place, annotator, source.
    pub(crate) fn names(&self) -> [Option<Name<'_>>; 6] {
        let mut rest = self.bytes.get(self.record_size..).unwrap_or_default();
        let mut keys = self.hashes.into_iter().zip(self.sizes).zip(self.ids);
        [(); 6].map(|()| {
            let ((hash, size), id) = keys.next()?;
            let (bytes, after) = rest.split_at_checked(size.into())?;
            rest = after;
            (size > 0).then_some(Name { bytes, hash, id })
        })
    }

    /// Looks up the ids of names that the base already has.
    fn find_in(&mut self, [players, events, places, sources]: &Tables) {
        self.ids = [None; 6];
        let mut ids = self.ids;
        let tables = [players, players, events, places, players, sources];
        for ((id, table), name) in ids.iter_mut().zip(tables).zip(self.names()) {
            *id = name.and_then(|name| table.find(name.bytes, name.hash));
        }
        self.ids = ids;
    }

    /// The ids of the names, if the base already had all of them.
    pub(crate) fn ids(&self) -> Option<[u32; 6]> {
        let [white, black, event, place, annotator, source] = self.names().map(|name| match name {
            Some(name) => name.id,
            None => Some(0),
        });
        // A fully named annotator may be another player of that name.
        let annotator = annotator.filter(|id| *id == 0 || !self.annotator_in_full);
        Some([white?, black?, event?, place?, annotator?, source?])
    }
}

impl Trim for Encoded {
    fn trim(&mut self, most: usize) {
        if self.bytes.capacity() > most {
            *self = Encoded::default();
        }
    }
}
