//! Type-erased traits, for code that treats all formats alike.
//!
//! A [`Format`] describes a format as plain data. A [`Database`] gives access to any game by
//! number, from many threads. A [`Source`] provides one block of games after another, such as PGN
//! text. A [`Writer`] takes games. Each is implemented for all types with the typed trait:
//! [`ReadGames`] with [`SearchIndex`] and [`Describe`], [`StreamGames`], [`WriteGames`], [`EditGames`].
//!
//! Threads share immutable data. A [`GameReader`], a [`Parser`] or an [`Encoder`] belongs to one.
//! The work that must happen in order, [`Source::block`] and [`Writer::append`], is small.

use std::any::Any;
use std::borrow::Borrow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use chess_core::{Game, Header, Move};

use crate::about::{About, Fact};
use crate::diagnostics::{Diagnostics, Warning};
use crate::edit::{EditGames, NextReplacement};
use crate::error::AnyError;
use crate::guiding_text::GuidingText;
use crate::location::InBlock;
use crate::loss::Losses;
use crate::read::{Describe, Field, ReadGames, Reader};
use crate::search::{IndexRows, Query, SearchIndex, Visit};
use crate::stream::{Block, ParseGames, ParseText, SplitText, StreamGames};
use crate::summary::{IndexSummary, NameField};
use crate::write::{EncodeGames, Trim, WriteGames};

mod format;

pub use self::format::{
    Confidence, CreateDatabase, CreateFiles, CreateIn, CreateSink, Creator, Flags, Format,
    OpenDatabase, OpenEditor, OpenInputs, OpenSource, Opener, Probe,
};
pub use crate::write::Origin;

/// Erases the type of a database that was opened, for an opener of a [`Format`].
///
/// # Errors
/// The error of `opened`.
pub fn database<D, E>(opened: Result<D, E>) -> Result<Box<dyn Database>, AnyError>
where
    D: Database + 'static,
    E: Into<AnyError>,
{
    opened.map(|opened| Box::new(opened) as Box<dyn Database>).map_err(Into::into)
}

/// Erases the type of a writer that was created, for a creator of a [`Format`].
///
/// # Errors
/// The error of `created`.
pub fn writer<W, E>(created: Result<W, E>) -> Result<Box<dyn Writer>, AnyError>
where
    W: Writer + 'static,
    E: Into<AnyError>,
{
    created.map(|created| Box::new(created) as Box<dyn Writer>).map_err(Into::into)
}

/// Erases the type of an editor that was opened, for a [`Format`].
///
/// # Errors
/// The error of `opened`.
pub fn editor<W, E>(opened: Result<W, E>) -> Result<Box<dyn Editor>, AnyError>
where
    W: Editor + 'static,
    E: Into<AnyError>,
{
    opened.map(|opened| Box::new(opened) as Box<dyn Editor>).map_err(Into::into)
}

/// [`ReadGames`] for any format.
pub trait Database: Describe + Send + Sync {
    /// Returns the number of games, readable or not.
    fn len(&self) -> u64;
    /// Returns whether the base has no games.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Creates a reader for one thread.
    fn reader(&self) -> Box<dyn GameReader + Send + '_>;
    /// Like [`reader`](Database::reader), but the reader shares the ownership of the base.
    fn into_reader<'a>(self: Arc<Self>) -> Box<dyn GameReader + Send + 'a>
    where
        Self: 'a;
    /// [`ReadGames::check`]
    ///
    /// # Errors
    /// I/O errors.
    fn check(&self) -> Result<Vec<String>, AnyError>;
}

impl<D: SearchIndex + Describe> Database for D {
    fn len(&self) -> u64 {
        ReadGames::len(self)
    }

    fn reader(&self) -> Box<dyn GameReader + Send + '_> {
        Box::new(ReadGames::reader(self))
    }

    fn into_reader<'a>(self: Arc<Self>) -> Box<dyn GameReader + Send + 'a>
    where
        Self: 'a,
    {
        Box::new(Reader::<D, Arc<D>>::new(self))
    }

    fn check(&self) -> Result<Vec<String>, AnyError> {
        ReadGames::check(self).map_err(Into::into)
    }
}

/// A [`Reader`] for any format.
pub trait GameReader {
    /// [`Reader::header`]
    ///
    /// # Errors
    /// [`Scope::Game`](crate::Scope::Game) if only this game is damaged.
    fn header(
        &mut self,
        game: u64,
        header: &mut Header,
        d: &mut Diagnostics,
    ) -> Result<(), AnyError>;
    /// [`Reader::full_header`]
    ///
    /// # Errors
    /// [`Scope::Game`](crate::Scope::Game) if only this game is damaged.
    fn full_header(
        &mut self,
        game: u64,
        header: &mut Header,
        d: &mut Diagnostics,
    ) -> Result<bool, AnyError>;
    /// [`Reader::game`]
    ///
    /// # Errors
    /// [`Scope::Game`](crate::Scope::Game) if only this game is damaged.
    fn game(&mut self, game: u64, into: &mut Game, d: &mut Diagnostics) -> Result<(), AnyError>;
    /// [`Reader::dump`]
    ///
    /// # Errors
    /// [`Scope::Game`](crate::Scope::Game) at the first damaged field.
    fn dump(&mut self, game: u64, each: &mut dyn FnMut(Field)) -> Result<(), AnyError>;
    /// [`Reader::verify`]
    ///
    /// # Errors
    /// Damage in the fields to compare; a game that the format cannot encode.
    fn verify(&mut self, game: u64, decoded: &Game) -> Result<Vec<&'static str>, AnyError>;
    /// [`Reader::prefilter`]
    fn prefilter(&mut self, range: Range<u64>, query: &Query, rows: &mut IndexRows);
    /// [`Reader::summarize`]
    fn summarize(&mut self, game: u64) -> Option<IndexSummary>;
    /// [`Reader::may_match`]
    fn may_match(&mut self, game: u64, query: &Query) -> bool;
    /// [`Reader::visit_main_line`]
    ///
    /// # Errors
    /// [`Scope::Game`](crate::Scope::Game) if only this game is damaged.
    fn visit_main_line(
        &mut self,
        game: u64,
        query: &Query,
        scratch: &mut Game,
        visit: &mut Visit<'_>,
    ) -> Result<(), AnyError>;
    /// [`Reader::name`]
    fn name(&mut self, field: NameField, id: u32, name: &mut String);
    /// [`Reader::opening_moves`]
    fn opening_moves(&self, code: u8) -> &'static [Move];
}

impl<D: SearchIndex, B: Borrow<D>> GameReader for Reader<D, B> {
    fn header(
        &mut self,
        game: u64,
        header: &mut Header,
        d: &mut Diagnostics,
    ) -> Result<(), AnyError> {
        Reader::header(self, game, header, d).map_err(Into::into)
    }

    fn full_header(
        &mut self,
        game: u64,
        header: &mut Header,
        d: &mut Diagnostics,
    ) -> Result<bool, AnyError> {
        Reader::full_header(self, game, header, d).map_err(Into::into)
    }

    fn game(&mut self, game: u64, into: &mut Game, d: &mut Diagnostics) -> Result<(), AnyError> {
        Reader::game(self, game, into, d).map_err(Into::into)
    }

    fn dump(&mut self, game: u64, each: &mut dyn FnMut(Field)) -> Result<(), AnyError> {
        Reader::dump(self, game, each).map_err(Into::into)
    }

    fn verify(&mut self, game: u64, decoded: &Game) -> Result<Vec<&'static str>, AnyError> {
        Reader::verify(self, game, decoded).map_err(Into::into)
    }

    fn prefilter(&mut self, range: Range<u64>, query: &Query, rows: &mut IndexRows) {
        Reader::prefilter(self, range, query, rows);
    }

    fn summarize(&mut self, game: u64) -> Option<IndexSummary> {
        Reader::summarize(self, game)
    }

    fn may_match(&mut self, game: u64, query: &Query) -> bool {
        Reader::may_match(self, game, query)
    }

    fn visit_main_line(
        &mut self,
        game: u64,
        query: &Query,
        scratch: &mut Game,
        visit: &mut Visit<'_>,
    ) -> Result<(), AnyError> {
        Reader::visit_main_line(self, game, query, scratch, visit).map_err(Into::into)
    }

    fn name(&mut self, field: NameField, id: u32, name: &mut String) {
        Reader::name(self, field, id, name);
    }

    fn opening_moves(&self, code: u8) -> &'static [Move] {
        Reader::opening_moves(self, code)
    }
}

/// [`StreamGames`] for any format.
pub trait Source: Send {
    /// [`StreamGames::block`]
    ///
    /// # Errors
    /// I/O errors. After an error the stream is exhausted.
    fn block(&mut self, block: &mut Block) -> Result<bool, AnyError>;
    /// [`StreamGames::as_split_text`]
    fn as_split_text(&mut self) -> Option<&mut dyn SplitText>;
    /// [`StreamGames::is_text`]
    fn is_text(&self) -> bool;
    /// Creates a parser for one thread.
    fn parser(&self) -> Box<dyn Parser + Send>;
    /// [`StreamGames::about`]
    fn about(&self) -> About;
}

impl<S: StreamGames> Source for S {
    fn block(&mut self, block: &mut Block) -> Result<bool, AnyError> {
        StreamGames::block(self, block).map_err(Into::into)
    }

    fn as_split_text(&mut self) -> Option<&mut dyn SplitText> {
        StreamGames::as_split_text(self)
    }

    fn is_text(&self) -> bool {
        StreamGames::is_text(self)
    }

    fn parser(&self) -> Box<dyn Parser + Send> {
        Box::new(StreamGames::parser(self))
    }

    fn about(&self) -> About {
        StreamGames::about(self)
    }
}

/// [`ParseGames`] for any format.
pub trait Parser {
    /// [`ParseGames::parse_game`]
    ///
    /// # Errors
    /// [`Scope::Game`](crate::Scope::Game) if only this game is damaged.
    fn game(
        &mut self,
        block: &mut Block,
        into: &mut Game,
        d: &mut InBlock<Diagnostics>,
    ) -> Result<bool, InBlock<AnyError>>;
    /// [`ParseGames::as_text`]
    fn as_text(&mut self) -> Option<&mut dyn ParseText>;
}

impl<P: ParseGames<Error: Into<AnyError>>> Parser for P {
    fn game(
        &mut self,
        block: &mut Block,
        into: &mut Game,
        d: &mut InBlock<Diagnostics>,
    ) -> Result<bool, InBlock<AnyError>> {
        self.parse_game(block, into, d).map_err(|error| error.map(Into::into))
    }

    fn as_text(&mut self) -> Option<&mut dyn ParseText> {
        ParseGames::as_text(self)
    }
}

impl ParseGames for Box<dyn Parser + Send> {
    type Error = AnyError;

    fn parse_game(
        &mut self,
        block: &mut Block,
        into: &mut Game,
        diagnostics: &mut InBlock<Diagnostics>,
    ) -> Result<bool, InBlock<AnyError>> {
        (**self).game(block, into, diagnostics)
    }

    fn as_text(&mut self) -> Option<&mut dyn ParseText> {
        (**self).as_text()
    }
}

/// Lets [`StreamReader`](crate::StreamReader) work with boxed sources.
impl StreamGames for Box<dyn Source> {
    type Error = AnyError;
    type Parser = Box<dyn Parser + Send>;

    fn block(&mut self, block: &mut Block) -> Result<bool, AnyError> {
        (**self).block(block)
    }

    fn as_split_text(&mut self) -> Option<&mut dyn SplitText> {
        (**self).as_split_text()
    }

    fn is_text(&self) -> bool {
        (**self).is_text()
    }

    fn parser(&self) -> Box<dyn Parser + Send> {
        (**self).parser()
    }

    fn about(&self) -> About {
        (**self).about()
    }
}

/// [`WriteGames`] for any format.
pub trait Writer: Send {
    /// Creates an encoder for one thread.
    fn encoder(&self) -> Box<dyn Encoder + Send>;
    /// [`WriteGames::set_origin`]
    fn set_origin(&mut self, origin: &Origin<'_>);
    /// Appends a game that was encoded by an encoder of this writer; see [`WriteGames::append`].
    ///
    /// # Errors
    /// [`Scope::Game`](crate::Scope::Game) if this game cannot be stored. The writer stays usable.
    /// After any other error, the writer is unusable.
    fn append(&mut self, encoded: &mut Encoded) -> Result<(), AnyError>;
    /// [`WriteGames::has_texts`]
    fn has_texts(&self) -> bool;
    /// [`WriteGames::append_text`]
    ///
    /// # Errors
    /// [`Scope::Game`](crate::Scope::Game) if this text cannot be stored. The writer stays usable.
    fn append_text(&mut self, text: &GuidingText, losses: &mut Losses) -> Result<(), AnyError>;
    /// [`WriteGames::set_about`]
    fn set_about(&mut self, about: &About, losses: &mut Losses);
    /// [`WriteGames::warnings`]
    fn warnings(&self) -> &[Warning];
    /// [`WriteGames::finish`]
    ///
    /// # Errors
    /// I/O errors.
    fn finish(self: Box<Self>) -> Result<(), AnyError>;
}

impl<W: WriteGames> Writer for W {
    fn encoder(&self) -> Box<dyn Encoder + Send> {
        Box::new(WriteGames::encoder(self))
    }

    fn set_origin(&mut self, origin: &Origin<'_>) {
        WriteGames::set_origin(self, origin);
    }

    fn append(&mut self, encoded: &mut Encoded) -> Result<(), AnyError> {
        let Encoded { slot, losses } = encoded;
        let result = WriteGames::append(self, slot_of::<W::Encoded>(slot), losses);
        result.map_err(|error| {
            losses.clear();
            error.into()
        })
    }

    fn has_texts(&self) -> bool {
        WriteGames::has_texts(self)
    }

    fn append_text(&mut self, text: &GuidingText, losses: &mut Losses) -> Result<(), AnyError> {
        WriteGames::append_text(self, text, losses).map_err(Into::into)
    }

    fn set_about(&mut self, about: &About, losses: &mut Losses) {
        WriteGames::set_about(self, about, losses);
    }

    fn warnings(&self) -> &[Warning] {
        WriteGames::warnings(self)
    }

    fn finish(self: Box<Self>) -> Result<(), AnyError> {
        WriteGames::finish(*self).map_err(Into::into)
    }
}

/// [`EncodeGames`] for any format.
pub trait Encoder {
    /// Encodes a game into `into`, replacing its contents; see [`EncodeGames::encode`].
    ///
    /// # Errors
    /// [`Scope::Game`](crate::Scope::Game) if this game cannot be stored.
    fn encode(&mut self, game: &Game, into: &mut Encoded) -> Result<(), AnyError>;
    /// [`EncodeGames::encode_text`]
    fn encode_text(&mut self, text: &[u8], into: &mut Encoded) -> bool;
}

impl<E> Encoder for E
where
    E: EncodeGames<Error: Into<AnyError>, Encoded: Trim + Default + Send + 'static>,
{
    fn encode(&mut self, game: &Game, into: &mut Encoded) -> Result<(), AnyError> {
        let Encoded { slot, losses } = into;
        losses.clear();
        let result = EncodeGames::encode(self, game, slot_of::<E::Encoded>(slot), losses);
        result.map_err(|error| {
            // A game that is refused has no losses.
            losses.clear();
            error.into()
        })
    }

    fn encode_text(&mut self, text: &[u8], into: &mut Encoded) -> bool {
        into.losses.clear();
        EncodeGames::encode_text(self, text, slot_of::<E::Encoded>(&mut into.slot))
    }
}

/// A game in the encoding of some format, and its losses. Meant to be reused.
#[derive(Default)]
pub struct Encoded {
    slot: Option<Box<dyn Slot>>,
    /// The parts of the game that the format cannot store.
    pub losses: Losses,
}

impl Encoded {
    /// Frees buffers larger than `most` bytes.
    pub fn trim(&mut self, most: usize) {
        self.losses.clear();
        if let Some(slot) = &mut self.slot {
            slot.trim(most);
        }
    }
}

impl fmt::Debug for Encoded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoded").field("losses", &self.losses).finish_non_exhaustive()
    }
}

trait Slot: Any + Send + Trim {}

impl<T: Any + Send + Trim> Slot for T {}

/// Returns the slot as the type of this format. Creates a new value if it held the type of another
/// format.
fn slot_of<T: Trim + Default + Send + 'static>(slot: &mut Option<Box<dyn Slot>>) -> &mut T {
    let held = slot.as_deref().is_some_and(|slot| (slot as &dyn Any).is::<T>());
    let kept = if held { slot.take() } else { None };
    let kept: Box<dyn Slot> = kept.unwrap_or_else(|| Box::new(T::default()));
    let any: &mut dyn Any = &mut **slot.insert(kept);
    #[expect(clippy::unwrap_used, reason = "the type was looked at, or is new")]
    any.downcast_mut().unwrap()
}

/// [`EditGames`] for any format.
pub trait Editor {
    /// Returns the number of games.
    fn len(&self) -> u64;
    /// Returns whether the base has no games.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// [`EditGames::set_deleted`]
    ///
    /// # Errors
    /// I/O errors; an unknown game.
    fn set_deleted(&mut self, game: u64, deleted: bool) -> Result<(), AnyError>;
    /// [`EditGames::set_deleted_all`]
    ///
    /// # Errors
    /// The errors of `set_deleted`.
    fn set_deleted_all(&mut self, games: &[u64], deleted: bool) -> Result<(), AnyError>;
    /// [`EditGames::set_flags`]
    ///
    /// # Errors
    /// I/O errors; an unknown game; flags that the format does not have.
    fn set_flags(&mut self, game: u64, flags: &str) -> Result<(), AnyError>;
    /// [`EditGames::set_fact`]
    ///
    /// # Errors
    /// I/O errors; a fact or a value that the format cannot store completely.
    fn set_fact(&mut self, fact: Fact, value: &str) -> Result<(), AnyError>;
    /// [`EditGames::replace`]
    ///
    /// # Errors
    /// I/O errors; an unknown game; a game that the format cannot store.
    fn replace(&mut self, game: u64, with: &Game, losses: &mut Losses) -> Result<u64, AnyError>;
    /// [`EditGames::replace_all`]
    ///
    /// # Errors
    /// The errors of `replace` and of `next`. The games before the error are replaced.
    fn replace_all(
        &mut self,
        next: &mut NextReplacement<'_>,
        losses: &mut Losses,
    ) -> Result<u64, AnyError>;
    /// [`EditGames::append`]
    ///
    /// # Errors
    /// I/O errors; a game that the format cannot store.
    fn append(&mut self, game: &Game, losses: &mut Losses) -> Result<u64, AnyError>;
    /// [`EditGames::append_all`]
    ///
    /// # Errors
    /// The errors of `append` and of `next`. The games before the error are in the base.
    fn append_all(
        &mut self,
        next: &mut dyn FnMut(&mut Game) -> Result<bool, AnyError>,
        losses: &mut Losses,
    ) -> Result<u64, AnyError>;
    /// [`EditGames::sync`]
    ///
    /// # Errors
    /// I/O errors.
    fn sync(&mut self) -> Result<(), AnyError>;
    /// [`EditGames::compact`]
    ///
    /// # Errors
    /// I/O errors.
    fn compact(self: Box<Self>) -> Result<(), AnyError>;
}

impl<E: EditGames> Editor for E {
    fn len(&self) -> u64 {
        EditGames::len(self)
    }

    fn set_deleted(&mut self, game: u64, deleted: bool) -> Result<(), AnyError> {
        EditGames::set_deleted(self, game, deleted).map_err(Into::into)
    }

    fn set_deleted_all(&mut self, games: &[u64], deleted: bool) -> Result<(), AnyError> {
        EditGames::set_deleted_all(self, games, deleted).map_err(Into::into)
    }

    fn set_flags(&mut self, game: u64, flags: &str) -> Result<(), AnyError> {
        EditGames::set_flags(self, game, flags).map_err(Into::into)
    }

    fn set_fact(&mut self, fact: Fact, value: &str) -> Result<(), AnyError> {
        EditGames::set_fact(self, fact, value).map_err(Into::into)
    }

    fn replace(&mut self, game: u64, with: &Game, losses: &mut Losses) -> Result<u64, AnyError> {
        EditGames::replace(self, game, with, losses).map_err(Into::into)
    }

    fn replace_all(
        &mut self,
        next: &mut NextReplacement<'_>,
        losses: &mut Losses,
    ) -> Result<u64, AnyError> {
        EditGames::replace_all(self, next, losses)
    }

    fn append(&mut self, game: &Game, losses: &mut Losses) -> Result<u64, AnyError> {
        EditGames::append(self, game, losses).map_err(Into::into)
    }

    fn append_all(
        &mut self,
        next: &mut dyn FnMut(&mut Game) -> Result<bool, AnyError>,
        losses: &mut Losses,
    ) -> Result<u64, AnyError> {
        EditGames::append_all(self, next, losses)
    }

    fn sync(&mut self) -> Result<(), AnyError> {
        EditGames::sync(self).map_err(Into::into)
    }

    fn compact(self: Box<Self>) -> Result<(), AnyError> {
        EditGames::compact(*self).map_err(Into::into)
    }
}
