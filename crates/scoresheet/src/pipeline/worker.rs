//! Reads, filters and transforms games on one thread.

use std::sync::Arc;

use chess_core::Game;
use chess_store::erased::{GameReader, Parser};
use chess_store::{AnyError, Diagnostics, InBlock, Location, Scope};
use query::{KnownNames, Prefilter};

use super::source::WorkSource;
use super::{
    BATCH_BYTES, Batch, BatchGame, Chunk, Findings, ReadBy, Scan, Transform, TransformOutput as _,
};
use crate::base::{Kind, Progress};
use crate::raw_games::Cursor;

/// The reader of a database, or the parser of a stream's blocks.
pub(super) type Games<'a> = Kind<Box<dyn GameReader + Send + 'a>, Box<dyn Parser + Send>>;

/// A game, and the error that ended its reading.
type Read<O> = (Box<BatchGame<O>>, Result<(), InBlock<AnyError>>);

/// Holds the state that one thread needs to process chunks.
pub(super) struct Worker<'a, T> {
    games: Games<'a>,
    scan: &'a Scan<'a>,
    /// Whether the filter selects every game.
    selects_all: bool,
    transform: T,
    /// Whether games may wait for their number.
    can_wait: bool,
    game: Game,
    diagnostics: InBlock<Diagnostics>,
    prefilter: Prefilter<'a>,
    /// The end of the chunk that the prefilter has started with.
    filtered_until: Option<u64>,
    /// The chunk's next game that passes the prefilter, or its end. `None` if it is not known yet.
    candidate: Option<u64>,
    raw_games: Option<Cursor<'a>>,
    /// Bytes of the block before the current game.
    before: usize,
}

impl<'a, T: Transform> Worker<'a, T> {
    /// Returns the transform, for games that waited.
    pub(super) fn transform_mut(&mut self) -> &mut T {
        &mut self.transform
    }

    /// Creates a worker. The workers of a run share the results of name comparisons, `known`.
    pub(super) fn new(
        mut games: Games<'a>,
        scan: &'a Scan<'a>,
        known: &Arc<KnownNames>,
        transform: T,
    ) -> Worker<'a, T> {
        if let (true, Kind::Stream(parser)) = (scan.skips_moves, &mut games)
            && let Some(text) = parser.as_text()
        {
            text.skip_moves();
        }
        let diagnostics = if scan.strict { Diagnostics::strict() } else { Diagnostics::lenient() };
        let prefilter = Prefilter::sharing(scan.filter, Arc::clone(known));
        // If the calling thread only delivers, it has no transform.
        let can_wait = transform.can_wait() && !scan.apart && scan.filter.asks_number();
        Worker {
            games,
            scan,
            selects_all: scan.filter.is_open(),
            transform,
            can_wait,
            game: Game::new(),
            diagnostics: InBlock::new(diagnostics),
            prefilter,
            filtered_until: None,
            candidate: None,
            raw_games: scan.raw_games.map(Cursor::new),
            before: 0,
        }
    }

    /// Processes the chunk of `batch` until it is done or the batch is full. Replaces the games that
    /// are still in the batch.
    pub(super) fn fill(&mut self, batch: &mut Batch<T::Output>) {
        batch.clear_games();
        while self.take_raw(batch) || self.take_game(batch) {
            if batch.bytes > BATCH_BYTES {
                batch.more = true;
                return;
            }
        }
    }

    /// Delivers `batch`, then processes and delivers the rest of its chunk.
    pub(super) fn finish<E>(
        &mut self,
        batch: &mut Batch<T::Output>,
        source: &mut WorkSource<'_>,
        each: &mut impl FnMut(&mut Batch<T::Output>, Progress) -> Result<bool, E>,
    ) -> Result<bool, E> {
        loop {
            let more = batch.more;
            if !source.deliver(batch, Some(&mut self.transform), each)? {
                return Ok(false);
            }
            batch.clear();
            if !more {
                return Ok(true);
            }
            self.fill(batch);
        }
    }

    /// Transforms the next game from its source text, if that text can be copied. Returns `false` if
    /// the game has to be parsed.
    fn take_raw(&mut self, batch: &mut Batch<T::Output>) -> bool {
        let (Some(raw_games), Kind::Stream(parser)) = (&mut self.raw_games, &mut self.games) else {
            return false;
        };
        let Some(text) = parser.as_text() else { return false };
        text.load(&mut batch.chunk.block);
        let block = &batch.chunk.block;
        if block.used >= block.end {
            return false;
        }
        let Some(span) = raw_games.at(block.used_place.offset()) else { return false };
        let mut result = batch.new_game(InBlock::new(block.games));
        let block = &mut batch.chunk.block;
        let is_copied = span
            .text(block)
            .is_some_and(|text| self.transform.apply_to_text(text, &mut result.output));
        if !is_copied {
            // The output has another encoding, or the file has changed.
            result.output.clear();
            batch.spare.push(result);
            return false;
        }
        text.pass_game(block, span.length());
        batch.bytes = batch.bytes.saturating_add(span.length());
        (result.read, result.selected) = (true, true);
        batch.games.push(result);
        true
    }

    /// Reads and transforms the next game. Returns `false` at the end of the chunk or on a failure of
    /// the base.
    fn take_game(&mut self, batch: &mut Batch<T::Output>) -> bool {
        let Some((mut result, read)) = self.read_next(batch) else { return false };
        let mut damage = None;
        if let Err(error) = read {
            if error.relative().scope() == Scope::Base {
                batch.failure_in_block = Some(error);
                return false;
            }
            damage = Some(error.into_relative());
        }
        if result.read {
            let is_damaged = damage.is_some();
            let noted = self.diagnostics.relative();
            result.findings_in_block = InBlock::new(Findings::new(noted, damage));
            let size = self.game.size();
            self.transform(&mut result, is_damaged, &batch.chunk);
            if let Err(unanswered) = self.scan.filter.answer() {
                let at = Location::default().in_game(*result.number_in_block.relative());
                let error = chess_store::Error::new(unanswered, at).into();
                batch.failure_in_block = Some(InBlock::new(error));
                return false;
            }
            batch.bytes += size;
            self.game.trim(BATCH_BYTES);
        }
        batch.games.push(result);
        true
    }

    /// Reads the next game of the chunk; `None` at its end.
    fn read_next(&mut self, batch: &mut Batch<T::Output>) -> Option<Read<T::Output>> {
        self.diagnostics.relative_mut().clear();
        match &mut self.games {
            Kind::Database(reader) => {
                let number = batch.chunk.next;
                if number >= batch.chunk.end {
                    return None;
                }
                if self.filtered_until != Some(batch.chunk.end) {
                    // A new chunk.
                    self.filtered_until = Some(batch.chunk.end);
                    self.prefilter.start(&mut **reader, number..batch.chunk.end);
                    self.candidate = None;
                }
                let candidate = *self.candidate.get_or_insert_with(|| {
                    self.prefilter.next_candidate(&mut **reader).unwrap_or(batch.chunk.end)
                });
                let mut number = number;
                if self.scan.skips {
                    batch.skipped += candidate - number;
                    number = candidate;
                    batch.chunk.next = number;
                    if number >= batch.chunk.end {
                        return None;
                    }
                }
                batch.chunk.next = number + 1;
                let mut result = batch.new_game(InBlock::new(number));
                if number != candidate {
                    return Some((result, Ok(())));
                }
                self.candidate = None;
                result.read = true;
                let diagnostics = self.diagnostics.relative_mut();
                if self.scan.skips_moves {
                    self.game.clear();
                    let header = &mut self.game.header;
                    if let Ok(true) = reader.full_header(number, header, diagnostics) {
                        return Some((result, Ok(())));
                    }
                    diagnostics.clear();
                }
                let read = reader.game(number, &mut self.game, diagnostics);
                Some((result, read.map_err(InBlock::new)))
            }
            Kind::Stream(parser) => {
                let block = &mut batch.chunk.block;
                let number = block.games;
                self.before = block.used;
                let place = block.used_place.offset();
                let read = match parser.game(block, &mut self.game, &mut self.diagnostics) {
                    Ok(false) => return None,
                    read => read.map(|_| ()),
                };
                let blanks = blanks_at(&block.bytes, self.before);
                let mut result = batch.new_game(InBlock::new(number));
                result.read = true;
                result.offset = Some(place.saturating_add(blanks));
                Some((result, read))
            }
        }
    }

    /// Transforms the game just read, if the filter selects it.
    fn transform(&mut self, result: &mut BatchGame<T::Output>, is_damaged: bool, chunk: &Chunk) {
        let number = *result.number_in_block.relative();
        let dropped = self.scan.drop_damaged && is_damaged;
        let is_candidate = matches!(self.games, Kind::Database(_)) && !is_damaged;
        let is_sure = self.selects_all || is_candidate && self.prefilter.is_sure(number);
        let is_chosen = is_sure || self.prefilter.selects(&self.game);
        // Findings of other games concern nobody. In strict mode, a deviation may hide what the filter
        // asks for.
        if !is_chosen && !self.scan.strict {
            result.findings_in_block = InBlock::default();
        }
        result.selected = is_chosen && !dropped;
        if !result.selected {
            return;
        }
        let read_by = match &mut self.games {
            Kind::Database(reader) => ReadBy::Database(&mut **reader, number),
            Kind::Stream(_) if self.can_wait && !chunk.is_likely => {
                std::mem::swap(&mut self.game, &mut **result.waiting.get_or_insert_default());
                result.waits = true;
                return;
            }
            Kind::Stream(parser) => ReadBy::Stream(&mut **parser, &chunk.block, self.before),
        };
        let read_by = Some(read_by).filter(|_| !is_damaged);
        self.transform.apply(&mut self.game, read_by, &mut result.output);
    }
}

/// Returns the number of blanks and line breaks at this index of `bytes`.
fn blanks_at(bytes: &[u8], index: usize) -> u64 {
    let rest = bytes.get(index..).unwrap_or_default();
    rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count() as u64
}
