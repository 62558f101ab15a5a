//! Headers and main lines of a stream, kept in memory.
//!
//! Each block of the stream has a [`Part`]: one row for each game, and the moves of all its main
//! lines one after another. Names are stored once, in [`Names`], and rows refer to them by id.
//!
//! ```text
//! names   0 "Tal"  1 "Fischer"  2 "Bled"
//! rows    [0 1 2 ... end 61] [1 0 2 ... end 143]
//! moves   61 moves of the first game, 82 moves of the second
//! ```

mod saved;

use chess_core::{Date, Eco, Elo, Game, GameResult, Header, Move, Position, is_typed};
use chess_store::names::{NameHasher, NameIndex};
use chess_store::{IndexSummary, NameField, Walk};

/// The kept data of all blocks.
pub(super) struct Kept {
    /// The maximum number of bytes.
    limit: usize,
    used: usize,
    /// Whether a block did not fit. No later block is kept, so that the kept games are the first.
    is_full: bool,
    /// Whether a row is whole only if the game has no other tag.
    is_exact: bool,
    names: Names,
    /// The rows and moves of the current block.
    rows: Vec<Row>,
    moves: Vec<Move>,
    /// The name ids of the last game.
    last: [u32; 5],
}

/// The games of one block.
#[derive(Default)]
pub(super) struct Part {
    rows: Box<[Row]>,
    moves: Box<[Move]>,
}

/// The header of a game.
struct Row {
    /// Name ids by [`NameField`].
    names: [u32; 5],
    date: Date,
    event_date: Option<Date>,
    elos: [Option<Elo>; 2],
    eco: Option<Eco>,
    result: GameResult,
    deleted: bool,
    /// Whether the row says all that reading the header says, untyped tags apart, or with them if the
    /// rows are exact.
    is_whole: bool,
    /// Whether the main line is kept.
    has_line: bool,
    /// The end of the main line in [`Part::moves`]. It starts at the end of the row before.
    end: u32,
}

/// Names, each stored once.
#[derive(Default)]
struct Names {
    hasher: NameHasher,
    index: NameIndex,
    text: String,
    /// The end of each name in `text`.
    ends: Vec<usize>,
}

const FIELDS: [NameField; 5] =
    [NameField::White, NameField::Black, NameField::Event, NameField::Site, NameField::Round];

fn name(header: &Header, field: NameField) -> &str {
    match field {
        NameField::White => &header.white,
        NameField::Black => &header.black,
        NameField::Event => &header.event,
        NameField::Site => &header.site,
        NameField::Round => &header.round,
    }
}

fn name_mut(header: &mut Header, field: NameField) -> &mut String {
    match field {
        NameField::White => &mut header.white,
        NameField::Black => &mut header.black,
        NameField::Event => &mut header.event,
        NameField::Site => &mut header.site,
        NameField::Round => &mut header.round,
    }
}

impl Kept {
    pub(super) fn new(limit: usize) -> Kept {
        Kept {
            limit,
            used: 0,
            is_full: false,
            is_exact: false,
            names: Names::default(),
            rows: Vec::new(),
            moves: Vec::new(),
            last: [0; 5],
        }
    }

    /// Leaves the headers of games with untyped tags to the text.
    pub(super) fn exact(self) -> Kept {
        Kept { is_exact: true, ..self }
    }

    pub(super) fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// Takes over the blocks of another one. Their rows get the name ids of this one. Blocks that do
    /// not fit become `None`.
    pub(super) fn adopt<'a>(
        &mut self,
        other: &Kept,
        parts: impl Iterator<Item = &'a mut Option<Part>>,
    ) {
        let mut ids = Vec::new();
        for name in other.names.iter() {
            match self.names.id(name) {
                Some(id) if !self.is_full => ids.push(id),
                _ => {
                    self.fill();
                    break;
                }
            }
        }
        for place in parts {
            let Some(part) = place else { continue };
            self.used = self.used.saturating_add(part.size());
            if self.is_full || self.size() > self.limit {
                self.fill();
                *place = None;
                continue;
            }
            for id in part.rows.iter_mut().flat_map(|row| &mut row.names) {
                *id = ids.get(*id as usize).copied().unwrap_or_default();
            }
        }
    }

    /// Begins a block.
    pub(super) fn begin_block(&mut self) {
        self.rows.clear();
        self.moves.clear();
    }

    /// Adds a game of the current block. `is_sound` says that it was read without error or warning.
    pub(super) fn add(&mut self, game: &Game, is_damaged: bool, is_sound: bool) {
        if self.is_full {
            return;
        }
        let header = &game.header;
        for (field, id) in FIELDS.into_iter().zip(&mut self.last) {
            // Games of one event stand together.
            let name = name(header, field);
            if self.names.has(*id, name) {
                continue;
            }
            let Some(known) = self.names.id(name) else {
                self.fill();
                return;
            };
            *id = known;
        }
        // A game with another start position, or of a variant, is read again when it is searched.
        let has_line = !is_damaged && game.setup().is_none() && game.variant().keeps_boards();
        if has_line {
            self.moves.extend(game.main_line());
        }
        let Ok(end) = u32::try_from(self.moves.len()) else {
            self.fill();
            return;
        };
        self.rows.push(Row {
            names: self.last,
            date: header.date,
            event_date: header.event_date,
            elos: [header.white_elo, header.black_elo],
            eco: header.eco,
            result: header.result,
            deleted: header.deleted,
            is_whole: is_sound
                && !header.tags.iter().any(|(name, _)| self.is_exact || is_typed(name)),
            has_line,
            end,
        });
        if self.size() > self.limit {
            self.fill();
        }
    }

    /// Ends the current block. Returns `None` if it does not fit.
    pub(super) fn end_block(&mut self) -> Option<Part> {
        if self.is_full {
            return None;
        }
        self.used = self.used.saturating_add(self.size_of_block());
        Some(Part { rows: self.rows.drain(..).collect(), moves: self.moves.drain(..).collect() })
    }

    fn size_of_block(&self) -> usize {
        let rows = self.rows.len().saturating_mul(size_of::<Row>());
        rows.saturating_add(self.moves.len().saturating_mul(size_of::<Move>()))
    }

    /// Returns the number of bytes that are kept.
    fn size(&self) -> usize {
        self.used.saturating_add(self.size_of_block()).saturating_add(self.names.size())
    }

    /// Keeps nothing from the current block on.
    fn fill(&mut self) {
        self.is_full = true;
        self.rows = Vec::new();
        self.moves = Vec::new();
    }

    pub(super) fn name(&self, id: u32) -> &str {
        self.names.get(id)
    }

    /// Replaces `header` with the typed fields of a game. Returns `false` if the text of the game
    /// says more about them.
    pub(super) fn header(&self, part: &Part, place: usize, header: &mut Header) -> bool {
        let Some(row) = part.rows.get(place).filter(|row| row.is_whole) else { return false };
        header.clear();
        row.summary().fill(header);
        header.event_date = row.event_date;
        for (field, id) in FIELDS.into_iter().zip(row.names) {
            let own = name_mut(header, field);
            own.clear();
            own.push_str(self.names.get(id));
        }
        true
    }
}

impl Part {
    fn size(&self) -> usize {
        size_of_val::<[Row]>(&self.rows).saturating_add(size_of_val::<[Move]>(&self.moves))
    }

    pub(super) fn summary(&self, place: usize) -> Option<IndexSummary> {
        self.rows.get(place).map(Row::summary)
    }

    /// Walks the main line of a game until `each` returns `false`. Returns `false` if the line is not
    /// kept.
    pub(super) fn walk(&self, place: usize, each: &mut Walk<'_>) -> bool {
        let Some(row) = self.rows.get(place).filter(|row| row.has_line) else { return false };
        let before = place.checked_sub(1).and_then(|before| self.rows.get(before));
        let start = before.map_or(0, |before| before.end);
        let moves = self.moves.get(start as usize..row.end as usize).unwrap_or_default();
        let mut position = Position::start();
        for m in moves {
            if !each(&position, Some(*m)) {
                return true;
            }
            position.apply(*m);
        }
        each(&position, None);
        true
    }
}

impl Row {
    fn summary(&self) -> IndexSummary {
        let mut summary = IndexSummary::default();
        summary.names = self.names;
        summary.result = self.result;
        summary.date = self.date;
        [summary.white_elo, summary.black_elo] = self.elos;
        summary.eco = self.eco;
        summary.deleted = self.deleted;
        summary
    }
}

impl Names {
    /// Returns the id of a name, and adds the name if it is new. `None` if there are too many names.
    fn id(&mut self, name: &str) -> Option<u32> {
        let hash = self.hasher.hash(name.as_bytes());
        if let Some(known) = self.index.find(hash, |id| self.get(id) == name) {
            return Some(known);
        }
        let id = u32::try_from(self.ends.len()).ok().filter(|id| *id <= NameIndex::MAX)?;
        self.text.push_str(name);
        self.ends.push(self.text.len());
        self.index.insert(hash, id);
        Some(id)
    }

    fn iter(&self) -> impl Iterator<Item = &str> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let ranges = starts.zip(&self.ends);
        ranges.map(|(start, end)| self.text.get(start..*end).unwrap_or_default())
    }

    fn has(&self, id: u32, name: &str) -> bool {
        (id as usize) < self.ends.len() && self.get(id) == name
    }

    fn get(&self, id: u32) -> &str {
        let id = id as usize;
        let start = id.checked_sub(1).and_then(|before| self.ends.get(before)).copied();
        let end = self.ends.get(id).copied().unwrap_or_default();
        self.text.get(start.unwrap_or(0)..end).unwrap_or_default()
    }

    /// Returns the number of bytes in use. Buffers and the index of hashes are at most half empty.
    fn size(&self) -> usize {
        let ends = self.ends.len().saturating_mul(size_of::<usize>().saturating_add(INDEX_SIZE));
        self.text.len().saturating_add(ends).saturating_mul(2)
    }
}

/// Bytes of the hash index for each name.
const INDEX_SIZE: usize = 16;
