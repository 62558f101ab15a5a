//! Encodes games to rows, except for the numbers that the archive assigns.

use std::sync::Arc;

use chess_core::Game;
use chess_store::names::{NameHasher, SharedNames};
use chess_store::{EncodeGames, Location, Loss, LossKind, Losses, Trim};

use crate::encode::{EncodedGame, encode_with};
use crate::error::{Error, ErrorKind};
use crate::ids::{Collected, NameIds, NameTable};
use crate::myisam::{Definition, MAX_ROW, Value, encode_row, encode_row_block};
use crate::row_writer::{LATER, RowFields};
use crate::schema::{GAME_COLUMNS, GameColumn, NAME, Table};
use crate::text::cut;

/// Size of a column that holds the number of a name or a game.
const NUMBER: usize = 4;
/// Maximum size of the columns other than codes and texts.
const OTHER_COLUMNS: usize = 20_000;

/// Encodes games to rows of an archive.
#[derive(Debug)]
pub struct Encoder {
    definition: Definition,
    evals: bool,
    hasher: NameHasher,
    /// The names that the archive has already.
    ids: SharedNames<NameIds>,
    /// For games without a collection tag.
    collection: Arc<str>,
    codes: EncodedGame,
    row: Vec<u8>,
    info: String,
}

impl Encoder {
    pub(crate) fn new(
        collection: Arc<str>,
        evals: bool,
        hasher: NameHasher,
        ids: SharedNames<NameIds>,
    ) -> Encoder {
        Encoder {
            definition: Table::Game.definition_with(evals),
            evals,
            hasher,
            ids,
            collection,
            codes: EncodedGame::default(),
            row: Vec::new(),
            info: String::new(),
        }
    }
}

chess_store::inherent!(EncodeGames<Error, Encoded> for [] Encoder);

impl EncodeGames for Encoder {
    type Error = Error;
    type Encoded = Encoded;

    /// Refuses start positions without codes, and games of more than 16 MB.
    fn encode(
        &mut self,
        game: &Game,
        into: &mut Encoded,
        losses: &mut Losses,
    ) -> Result<(), Error> {
        let Encoder { definition, evals, hasher, ids, collection, codes, row, info } = self;
        into.clear();
        encode_with(game, *evals, codes, losses)?;
        let fields = RowFields::of(game, codes.attributes, info, losses);
        let sizes = [codes.code.len(), codes.comments.len(), codes.evals.len()];
        if sizes.into_iter().fold(0, usize::saturating_add) > MAX_ROW.saturating_sub(OTHER_COLUMNS)
        {
            return Err(Error::new(ErrorKind::TooLong("16 MB are the most"), Location::default()));
        }
        let collection = match fields.collection.unwrap_or(collection) {
            // That would be number 0, which means none.
            "-" => "?",
            name => name,
        };
        let header = &game.header;
        // In the order in which new names are numbered.
        let names = [
            (GameColumn::CId, NameTable::Collections, collection),
            (GameColumn::WhiteId, NameTable::Players, &header.white),
            (GameColumn::BlackId, NameTable::Players, &header.black),
            (GameColumn::EventId, NameTable::Events, &header.event),
            (GameColumn::SiteId, NameTable::Sites, &header.site),
            (GameColumn::OpeningId, NameTable::Openings, fields.opening.unwrap_or("-")),
            (GameColumn::AnnotatorId, NameTable::Players, fields.annotator.unwrap_or("-")),
        ];
        let known = ids.read();
        let mut values = fields.values(codes);
        for (column, table, name) in names.into_iter().filter(|(_, _, name)| *name != "-") {
            if let Some(value) = values.get_mut(column as usize) {
                *value = LATER;
            }
            let fitting = cut(name, NAME);
            if fitting.len() < name.len() {
                losses.push(Loss::new(LossKind::TextCut, fitting));
            }
            into.names.push_str(fitting);
            let (hash, end) = (hasher.hash(fitting.as_bytes()), into.names.len());
            let id = known.table(table).find(hash, fitting);
            into.references.push(Reference { table, hash, id, end, at: column as usize });
        }
        drop(known);
        into.encode_row(definition, &values, row);
        Ok(())
    }
}

/// An encoded row, in which the numbers of the game and its names are still missing.
#[derive(Debug, Default)]
pub struct Encoded {
    /// The row in its block.
    block: Vec<u8>,
    /// The names that the row refers to, concatenated.
    names: String,
    references: Vec<Reference>,
    /// Offset in the block of the game's own number.
    number_at: usize,
}

/// A name that a row refers to by number.
#[derive(Debug)]
struct Reference {
    table: NameTable,
    hash: u32,
    /// The number, if the archive had the name already.
    id: Option<u32>,
    /// End offset of the name.
    end: usize,
    /// Offset in the block of the number. Before the block exists, the index of its column.
    at: usize,
}

impl Encoded {
    fn clear(&mut self) {
        self.block.clear();
        self.names.clear();
        self.references.clear();
    }

    fn encode_row(&mut self, definition: &Definition, values: &[Value<'_>], row: &mut Vec<u8>) {
        row.clear();
        let mut ends = [0usize; GAME_COLUMNS.len()];
        encode_row(definition, values, row, |column, end| {
            if let Some(place) = ends.get_mut(column) {
                *place = end;
            }
        });
        let header = encode_row_block(row, &mut self.block);
        let place = |column: usize| {
            let end = ends.get(column).copied().unwrap_or_default();
            header.saturating_add(end).saturating_sub(NUMBER)
        };
        self.number_at = place(GameColumn::Idx as usize);
        for reference in &mut self.references {
            reference.at = place(reference.at);
        }
    }

    /// Numbers the game and its names, and stores the numbers in the row, which is then complete.
    pub(crate) fn number(
        &mut self,
        ids: &SharedNames<NameIds>,
        games: &mut Collected,
    ) -> Result<&[u8], Error> {
        let mut start = 0;
        for Reference { table, hash, id, end, at } in &self.references {
            let name = self.names.get(start..*end).unwrap_or_default();
            start = *end;
            let id = match id {
                Some(id) => *id,
                None => ids.write().table_mut(*table).id(*hash, name)?,
            };
            put(&mut self.block, *at, id);
            if *table == NameTable::Collections {
                put(&mut self.block, self.number_at, games.next_game(id)?);
            }
        }
        Ok(&self.block)
    }
}

fn put(block: &mut [u8], at: usize, number: u32) {
    if let Some(place) = block.get_mut(at..).and_then(|rest| rest.first_chunk_mut()) {
        *place = number.to_le_bytes();
    }
}

impl Trim for Encoded {
    fn trim(&mut self, most: usize) {
        self.block.trim(most);
        self.names.trim(most);
    }
}
