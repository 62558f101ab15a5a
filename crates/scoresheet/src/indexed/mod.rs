//! Random access to the games of a stream, by an index of its blocks.

mod kept;
mod positions;
mod saved;
mod split;

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use chess_core::{Game, Header};
use chess_store::erased::{Format, Opener, Parser, Source};
use chess_store::io::{ReadAt as _, Spool};
use chess_store::{
    About, AnyError, Block, BlockStart, Describe, Diagnostics, Error, Field, InBlock, IndexSummary,
    Input, Location, NameField, OpenOptions, Place, ReadGames, SearchIndex, StreamInput, Walk,
    Warning,
};

use kept::{Kept, Part};
pub(crate) use positions::index_of_base;
pub use positions::open_position_index;
#[cfg(feature = "lines")]
pub use positions::{IndexBefore, build_position_index};
pub use saved::{IndexUse, open_with_index};
pub use split::{FoundSection, SectionFinder, SectionStep, TextSection};

/// Gives random access to the games of an uncompressed stream.
///
/// [`grow`](Indexed::grow) reads the stream once, block by block, and keeps only the positions of
/// the blocks and of a game about every 4 KiB in them. To find a game, the games from the nearest
/// position before it are parsed again. Reading in order costs no more than reading a stream.
/// [`keep`](Indexed::keep) makes searches much faster, and costs memory.
///
/// The blocks of a table are no bytes of its file, so they are copied into a temporary file.
///
/// ```no_run
/// use std::fs::File;
/// use scoresheet::{Database, Indexed, OpenOptions, format_named};
///
/// let file = File::open("twic.pgn")?;
/// let format = format_named("pgn").ok_or("built without pgn")?;
/// let mut games = Indexed::new(file, format, &OpenOptions::default())?;
/// while games.grow()? {}
/// println!("{} games", Database::len(&games));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Indexed {
    file: Input,
    /// The bytes of the blocks, if they do not stand in the file.
    rows: Option<Rows>,
    /// The source of blocks and parsers. Each reader creates one parser.
    source: Mutex<(Box<dyn Source>, Box<dyn Parser + Send>)>,
    spare: (Block, Game, InBlock<Diagnostics>),
    blocks: Vec<BlockEntry>,
    /// In order. A block has one or more entries.
    entries: Vec<Entry>,
    /// The start of the next block.
    next: BlockStart,
    /// Where the next block begins; `None` if only the source knows.
    ahead: Option<InBlock<Place>>,
    /// The sections that were split off and are not in the index yet, in order.
    sections: VecDeque<(TextSection, Option<FoundSection>)>,
    /// The end of the last section, or zero.
    split_to: u64,
    can_split: bool,
    kept: Option<Kept>,
    /// Whether the whole text is indexed.
    is_complete: bool,
}

/// The blocks of a table.
struct Rows {
    blocks: Spool,
    /// The number of bytes of the file that the source has read.
    read: Arc<AtomicU64>,
}

/// Counts the bytes that a source reads.
struct Counted {
    stream: Box<dyn Read + Send>,
    read: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.stream.read(buffer)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// Bytes between two entries of a block.
const STEP: usize = 4 << 10;

/// A block with games.
struct BlockEntry {
    /// The number of games before the block.
    games: u64,
    /// Headers and main lines, if they are kept.
    part: Option<Part>,
}

/// A position in a block from which its games can be parsed.
#[derive(Clone, Copy)]
struct Entry {
    place: InBlock<Place>,
    start: BlockStart,
    /// The offset of the block.
    block: u64,
    /// The bytes up to the end of the block, with the bytes after it that its parser may look at.
    length: usize,
    end: usize,
    cut: bool,
}

/// The games of a block, which do not depend on the blocks before it.
struct FoundBlock {
    /// The start of the block.
    first: Entry,
    /// Further places from which its games can be parsed.
    points: Vec<Point>,
    games: u64,
    used_place: InBlock<Place>,
    part: Option<Part>,
}

/// A place between two games of a block.
#[derive(Clone, Copy)]
struct Point {
    /// The games and bytes of the block before it.
    games: u64,
    used: usize,
    place: InBlock<Place>,
}

/// The reader state of one thread: the current block, parsed up to some game.
#[derive(Default)]
pub struct State {
    parser: Option<Box<dyn Parser + Send>>,
    block: Block,
    /// The start of `block`. It may be any entry in the block at offset `at`.
    start: BlockStart,
    at: u64,
    last: Last,
}

/// The game that was read last.
#[derive(Default)]
struct Last {
    number: Option<u64>,
    game: Game,
    notes: Diagnostics,
}

/// Kinds of errors of an [`Indexed`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexedErrorKind {
    /// The game number does not exist.
    #[error("has {0} games")]
    NoSuchGame(u64),
    /// The file has changed since it was indexed.
    #[error("the file changed since it was opened")]
    Changed,
    /// The format is not a stream format.
    #[error("{0} bases cannot be read as a stream of games")]
    NoStream(&'static str),
    /// Text has no dump of record fields.
    #[error("it is text; see it in an editor")]
    IsText,
    /// A deviation, in strict mode.
    #[error("{}", .0.message)]
    Strict(Warning),
    /// The file cannot be read.
    #[error("{0}")]
    Io(io::Error),
}

chess_store::error_kind! {
    IndexedErrorKind:
    IndexedErrorKind::Changed,
    IndexedErrorKind::NoStream(_),
}

fn error(kind: IndexedErrorKind) -> AnyError {
    Error::new(kind, Location::default()).into()
}

/// Opens the games of a file. Returns the source, and the number of bytes that it has read from its stream.
fn open_source(
    file: Input,
    format: &Format,
    options: &OpenOptions,
) -> Result<(Box<dyn Source>, Arc<AtomicU64>), AnyError> {
    let Some(Opener::Source(open)) = format.open else {
        return Err(error(IndexedErrorKind::NoStream(format.title)));
    };
    let (mut input, read) = (StreamInput::of_file(file), Arc::<AtomicU64>::default());
    input.stream = Box::new(Counted { stream: input.stream, read: Arc::clone(&read) });
    Ok((open(input, options)?, read))
}

impl Indexed {
    /// Creates an index over an uncompressed file whose [format](Format::open) is a stream. It is
    /// empty until [`grow`](Indexed::grow) is called.
    ///
    /// # Errors
    /// Errors of the format, and [`IndexedErrorKind::NoStream`].
    pub fn new(
        file: impl Into<Input>,
        format: &Format,
        options: &OpenOptions,
    ) -> Result<Indexed, AnyError> {
        let file = file.into();
        let (source, read) = open_source(file.clone(), format, options)?;
        let parser = source.parser();
        Ok(Indexed {
            file,
            rows: (!source.is_text()).then(|| Rows { blocks: Spool::default(), read }),
            source: Mutex::new((source, parser)),
            spare: <_>::default(),
            blocks: Vec::new(),
            entries: Vec::new(),
            next: BlockStart::default(),
            ahead: Some(InBlock::at(0)),
            sections: VecDeque::new(),
            split_to: 0,
            can_split: true,
            kept: None,
            is_complete: false,
        })
    }

    /// Keeps headers and main lines in memory, in `limit` bytes or less. Call it before the first
    /// [`grow`](Indexed::grow).
    ///
    /// Searches of headers and of positions then need not read the text. A game takes some 50 bytes
    /// and two for each ply; a name is kept once. If the limit is reached, the games before it are
    /// kept, and the others are read when they are needed.
    #[must_use]
    pub fn keep(self, limit: usize) -> Indexed {
        Indexed { kept: Some(Kept::new(limit)), ..self }
    }

    /// Reads one more block and finds its games. Returns `false` at the end.
    ///
    /// Sections that were [split off](Indexed::split) and not [attached](Indexed::attach) are read
    /// here.
    ///
    /// # Errors
    /// Errors of the stream; the index then ends. Damaged games are not errors.
    pub fn grow(&mut self) -> Result<bool, AnyError> {
        if self.is_complete {
            return Ok(false);
        }
        self.rejoin();
        let (block, game, notes) = &mut self.spare;
        let (source, parser) = self.source.get_mut().unwrap_or_else(PoisonError::into_inner);
        if !source.block(block)? {
            self.is_complete = true;
            return Ok(false);
        }
        if let Some(rows) = &mut self.rows {
            block.place = InBlock::at(rows.blocks.len());
            block.used_place = block.place;
            rows.blocks.push(&block.bytes).map_err(|failure| error(failure.into()))?;
        }
        let found = find_games(&mut **parser, block, game, notes, self.kept.as_mut());
        let found = found.map_err(|failure| failure.in_stream(self.next))?;
        let end = block.place.offset().saturating_add(block.end as u64);
        // After a game that is too long to hold, more than the block is passed.
        self.ahead = (!block.cut).then_some(InBlock::at(end));
        self.push(found);
        Ok(true)
    }

    /// Appends the games of the next block.
    fn push(&mut self, found: FoundBlock) {
        let start = self.next;
        let FoundBlock { first, points, games, used_place, part } = found;
        let in_stream = |place: InBlock<Place>| place.place_in_stream(start);
        self.next =
            BlockStart { games: start.games.saturating_add(games), after: in_stream(used_place) };
        if games == 0 {
            return;
        }
        self.entries.push(Entry { start, ..first });
        self.entries.extend(points.into_iter().map(|point| Entry {
            place: InBlock::at(point.place.offset()),
            start: BlockStart {
                games: start.games.saturating_add(point.games),
                after: in_stream(point.place),
            },
            length: first.length.saturating_sub(point.used),
            end: first.end.saturating_sub(point.used),
            ..first
        }));
        self.blocks.push(BlockEntry { games: start.games, part });
    }

    /// Bytes of the file indexed so far. For a table, bytes of the file read so far.
    #[must_use]
    pub fn position(&self) -> u64 {
        match &self.rows {
            Some(rows) => rows.read.load(Ordering::Relaxed),
            None => self.next.after.offset,
        }
    }

    /// Parses the block of a game up to the game. Returns the game and its error.
    fn read_game<'a>(
        &self,
        state: &'a mut State,
        number: u64,
    ) -> Result<(&'a Last, Option<AnyError>), AnyError> {
        let none = || error(IndexedErrorKind::NoSuchGame(self.next.games));
        let entry = self.entry(number).ok_or_else(none)?;
        let State { parser, block, start, at, last } = state;
        // Callers ask for the header and then the game of one number.
        if last.number == Some(number) {
            return Ok((last, None));
        }
        let parser = parser.get_or_insert_with(|| {
            self.source.lock().unwrap_or_else(PoisonError::into_inner).0.parser()
        });
        let next = start.games.saturating_add(block.games);
        let is_ahead = *at == entry.block && (entry.start.games..=number).contains(&next);
        if block.end == 0 || !is_ahead {
            self.load(entry, block)?;
            (*start, *at) = (entry.start, entry.block);
        }
        loop {
            let this = start.games.saturating_add(block.games);
            last.number = None;
            let mut notes = InBlock::taking(&mut last.notes);
            let read = parser.game(block, &mut last.game, &mut notes);
            last.notes = notes.in_stream(*start);
            let failure = read.err().map(|failure| failure.in_stream(*start));
            if start.games.saturating_add(block.games) == this {
                return Err(failure.unwrap_or_else(|| error(IndexedErrorKind::Changed)));
            }
            if this == number {
                // A damaged game is parsed again to get its error.
                last.number = failure.is_none().then_some(number);
                return Ok((last, failure));
            }
        }
    }

    /// Returns the nearest entry before a game.
    fn entry(&self, number: u64) -> Option<&Entry> {
        let found = self.entries.partition_point(|entry| entry.start.games <= number);
        let entry = found.checked_sub(1).and_then(|place| self.entries.get(place));
        entry.filter(|_| number < self.next.games)
    }

    /// Returns what is kept of the block of a game, and the place of the game in it.
    fn part(&self, number: u64) -> Option<(&Part, usize)> {
        let found = self.blocks.partition_point(|block| block.games <= number);
        let block = found.checked_sub(1).and_then(|place| self.blocks.get(place));
        let block = block.filter(|_| number < self.next.games)?;
        let place = usize::try_from(number.checked_sub(block.games)?).ok()?;
        Some((block.part.as_ref()?, place))
    }

    fn load(&self, entry: &Entry, block: &mut Block) -> Result<(), AnyError> {
        block.clear();
        // The size of the file may be unknown: see `SpooledStream`.
        block.bytes.resize(entry.length, 0);
        let offset = entry.place.offset();
        let read = match &self.rows {
            Some(rows) => rows.blocks.read_full(offset, &mut block.bytes),
            None => self.file.read_full(offset, &mut block.bytes),
        };
        if read.map_err(|failure| error(failure.into()))? != entry.length {
            return Err(error(IndexedErrorKind::Changed));
        }
        block.end = entry.end;
        block.place = entry.place;
        block.used_place = entry.place;
        block.cut = entry.cut;
        Ok(())
    }
}

/// Finds the games of a block. An error concerns bytes that are not a game.
fn find_games(
    parser: &mut dyn Parser,
    block: &mut Block,
    game: &mut Game,
    notes: &mut InBlock<Diagnostics>,
    mut kept: Option<&mut Kept>,
) -> Result<FoundBlock, InBlock<AnyError>> {
    if let Some(text) = parser.as_text() {
        text.load(block);
    }
    kept.iter_mut().for_each(|kept| kept.begin_block());
    let (mut points, mut point_at): (Vec<Point>, usize) = (Vec::new(), 0);
    loop {
        notes.relative_mut().clear();
        let (games, used, place) = (block.games, block.used, block.used_place);
        match parser.game(block, game, notes) {
            Ok(true) => {
                let is_sound = notes.relative().warnings().is_empty();
                kept.iter_mut().for_each(|kept| kept.add(game, false, is_sound));
            }
            Ok(false) => break,
            Err(failure) if block.games == games => return Err(failure),
            Err(_) => kept.iter_mut().for_each(|kept| kept.add(game, true, false)),
        }
        if games > 0 && used >= point_at.saturating_add(STEP) {
            points.push(Point { games, used, place });
            point_at = used;
        }
    }
    let first = Entry {
        place: block.place,
        start: BlockStart::default(),
        block: block.place.offset(),
        length: block.bytes.len(),
        end: block.end,
        cut: block.cut,
    };
    let part = kept.and_then(Kept::end_block);
    let (games, used_place) = (block.games, block.used_place);
    Ok(FoundBlock { first, points, games, used_place, part })
}

/// Forwards warnings and the error.
fn tell(
    last: &Last,
    failure: Option<AnyError>,
    diagnostics: &mut Diagnostics,
) -> Result<(), AnyError> {
    let noted = diagnostics.append(&last.notes);
    noted.map_err(|warning| error(IndexedErrorKind::Strict(warning)))?;
    failure.map_or(Ok(()), Err)
}

chess_store::inherent!(ReadGames<AnyError> for [] Indexed);

impl ReadGames for Indexed {
    type Error = AnyError;

    type State = State;

    fn len(&self) -> u64 {
        self.next.games
    }

    fn header_with(
        &self,
        state: &mut State,
        game: u64,
        header: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), AnyError> {
        if let (Some(kept), Some((part, place))) = (&self.kept, self.part(game))
            && kept.header(part, place, header)
        {
            return Ok(());
        }
        header.clear();
        let (last, failure) = self.read_game(state, game)?;
        header.clone_from(&last.game.header);
        tell(last, failure, diagnostics)
    }

    fn game_with(
        &self,
        state: &mut State,
        game: u64,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), AnyError> {
        into.clear();
        let (last, failure) = self.read_game(state, game)?;
        into.clone_from(&last.game);
        tell(last, failure, diagnostics)
    }

    fn dump_with(&self, _: &mut State, _: u64, _: &mut dyn FnMut(Field)) -> Result<(), AnyError> {
        Err(error(IndexedErrorKind::IsText))
    }
}

impl SearchIndex for Indexed {
    fn summarize(&self, _: &mut State, game: u64) -> Option<IndexSummary> {
        let (part, place) = self.part(game)?;
        part.summary(place)
    }

    fn walk_main_line(&self, _: &mut State, game: u64, each: &mut Walk<'_>) -> bool {
        self.part(game).is_some_and(|(part, place)| part.walk(place, each))
    }

    fn name(&self, _: &mut State, _: NameField, id: u32, name: &mut String) {
        name.clear();
        name.push_str(self.kept.as_ref().map_or("", |kept| kept.name(id)));
    }
}

impl Describe for Indexed {
    fn about(&self) -> About {
        self.source.lock().unwrap_or_else(PoisonError::into_inner).0.about()
    }
}

impl fmt::Debug for Indexed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Indexed").field("games", &self.next.games).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {

    use chess_store::Scope;

    use super::*;
    use crate::format_named;

    fn indexed(text: &str) -> Indexed {
        let format = format_named("pgn").unwrap();
        let file = text.as_bytes().to_vec();
        let mut games = Indexed::new(file, format, &OpenOptions::default()).unwrap();
        while games.grow().unwrap() {}
        games
    }

    #[test]
    fn indexed_games_in_any_order_equal_stream() {
        let text: String = (0..20_000u64)
            .map(|n| format!("[White \"P{n}\"]\n[Black \"B\"]\n\n1. e4 {{{n}}} e5 *\n\n"))
            .collect();
        let games = indexed(&text);
        assert!(games.entries.len() > text.len() / STEP / 2, "{}", games.entries.len());
        assert_eq!((games.len(), games.position()), (20_000, text.len() as u64));
        let mut reader = games.reader();
        let (mut header, mut game, mut notes) =
            (Header::default(), Game::new(), Diagnostics::lenient());
        let mut number = 1u64;
        for _ in 0..300 {
            number = number * 7919 % 20_011 % 20_000;
            reader.header(number, &mut header, &mut notes).unwrap();
            assert_eq!(header.white, format!("P{number}"));
            for asked in [number, number, (number + 1) % 20_000] {
                reader.game(asked, &mut game, &mut notes).unwrap();
                assert_eq!((game.header.white.clone(), game.ply_count()), (format!("P{asked}"), 2));
            }
        }
        let error = reader.game(20_000, &mut game, &mut notes).unwrap_err();
        assert_eq!(error.message().to_string(), "has 20000 games");
    }

    #[test]
    fn grow_once_leaves_the_rest_unread() {
        let text = "[White \"A\"]\n\n1. e4 *\n\n".repeat(20_000);
        let format = format_named("pgn").unwrap();
        let options = OpenOptions::default();
        let mut games = Indexed::new(text.clone().into_bytes(), format, &options).unwrap();
        assert!(games.grow().unwrap() && !games.is_empty());
        assert!(games.position() < text.len() as u64 / 2, "{}", games.position());
    }

    #[cfg(feature = "tables")]
    #[test]
    fn position_in_table_is_at_most_size_of_file() {
        use crate::{Converter, create, open_stream};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.arrow");
        // The rows as text are much longer than the file.
        let text = "[White \"A\"]\n\n1. e4 e5 2. Nf3 *\n\n".repeat(20_000).into_bytes();
        let text = Box::new(std::io::Cursor::new(text));
        let options = OpenOptions::default();
        let mut base = open_stream(text, "x.pgn", format_named("pgn"), &options).unwrap();
        let mut output = create(&path, &chess_store::CreateOptions::default()).unwrap();
        Converter::new().run(&mut base, &mut output, &mut ()).unwrap();
        output.finish().unwrap();
        let file = std::fs::File::open(&path).unwrap();
        let size = file.metadata().unwrap().len();
        let mut games = Indexed::new(file, format_named("arrow").unwrap(), &options).unwrap();
        assert!(games.grow().unwrap() && games.position() < size, "{}", games.position());
        while games.grow().unwrap() {
            assert!(games.position() <= size);
        }
        assert!(games.next.after.offset > 0 && games.position() > size / 2);
        assert_eq!(games.len(), 20_000);
    }

    /// The location of an error does not depend on the entry from which the game is parsed.
    #[test]
    fn indexed_damaged_game_has_place_in_stream() {
        let text = "[White \"A\"]\n\n1. e4 *\n\n".repeat(9_000) + "1. d4 e4 *\n\n1. c4 *\n";
        let games = indexed(&text);
        let mut reader = games.reader();
        let (mut game, mut notes) = (Game::new(), Diagnostics::lenient());
        let mut base = crate::open_stream(
            Box::new(std::io::Cursor::new(text.into_bytes())),
            "x.pgn",
            format_named("pgn"),
            &OpenOptions::default(),
        )
        .unwrap();
        let mut stream = base.reader();
        let mut from_stream = None;
        for _ in 0..9_001 {
            from_stream = stream.read_game(&mut game, &mut Diagnostics::lenient()).err();
        }
        let at = from_stream.unwrap().error().unwrap().location();
        let error = reader.game(9_000, &mut game, &mut notes).unwrap_err();
        assert_eq!(error.location(), at);
        assert_eq!(at.line, Some(36_000));
    }

    #[test]
    fn indexed_damaged_game_fails_each_time_and_next_reads() {
        let games = indexed("[White \"A\"]\n\n1. e4 e5 2. Ke4 *\n\n[White \"B\"]\n\n1. d4 *\n");
        assert_eq!(games.len(), 2);
        let mut reader = games.reader();
        let (mut game, mut notes) = (Game::new(), Diagnostics::lenient());
        for _ in 0..2 {
            let error = reader.game(0, &mut game, &mut notes).unwrap_err();
            assert_eq!((error.scope(), game.ply_count()), (Scope::Game, 2));
            reader.game(1, &mut game, &mut notes).unwrap();
            assert_eq!(game.header.white, "B");
        }
        assert!(
            Indexed::new(Vec::new(), format_named("si4").unwrap(), &OpenOptions::default())
                .is_err()
        );
    }
}
