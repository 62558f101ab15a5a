//! The seam: what code sees that treats all formats alike.
//!
//! A format is plain data, a [`Format`]; a base is a [`Database`] (any game, by number, from many
//! threads) or a [`Source`] (one block of games after the other, as PGN text comes); games go out
//! through a [`Writer`]. Each of these traits is implemented once, here, for all types of the
//! typed trait behind it: [`ReadGames`], [`StreamGames`], [`WriteGames`], [`EditGames`].
//!
//! What is shared between threads is immutable; what a thread needs for itself it owns, in a
//! [`GameReader`], a [`Parser`] or an [`Encoder`]; what must happen in order,
//! [`Source::block`] and [`Writer::append`], is small.

use std::any::Any;
use std::borrow::Borrow;
use std::fmt;
use std::io;
use std::ops::Range;
use std::path::Path;

use chess_core::{Game, Header, Position};

use crate::about::{About, Fact};
use crate::diagnostics::{Diagnostics, Warning};
use crate::edit::EditGames;
use crate::encoding::Encoding;
use crate::error::AnyError;
use crate::inputs::Inputs;
use crate::loss::Loss;
use crate::options::{CreateOptions, OpenOptions, OptionInfo};
use crate::read::{Field, ReadGames, Reader, Visit};
use crate::stream::{Block, ParseGames, StreamGames};
use crate::summary::{NameField, Summaries, Summary};
use crate::write::{EncodeGames, Trim, WriteGames};

pub use crate::write::Origin;

/// [`ReadGames`] of any format.
pub trait Database: Send + Sync {
    /// How many games it lists, readable or not.
    fn len(&self) -> u64;
    /// Whether it lists no game.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Reads games for one thread.
    fn reader(&self) -> Box<dyn GameReader + Send + '_>;
    /// As [`reader`](Database::reader), owning the base.
    fn into_reader<'a>(self: Box<Self>) -> Box<dyn GameReader + Send + 'a>
    where
        Self: 'a;
    /// [`ReadGames::check`]
    ///
    /// # Errors
    /// Those of the disk.
    fn check(&self) -> Result<Vec<String>, AnyError>;
    /// [`ReadGames::about`]
    fn about(&self) -> About;
    /// [`ReadGames::encoding`]
    fn encoding(&self) -> Option<Encoding>;
    /// [`ReadGames::details`]
    fn details(&self) -> Vec<(&'static str, String)>;
    /// [`ReadGames::warnings`]
    fn warnings(&self) -> &[Warning];
}

impl<D: ReadGames> Database for D {
    fn len(&self) -> u64 {
        ReadGames::len(self)
    }

    fn reader(&self) -> Box<dyn GameReader + Send + '_> {
        Box::new(ReadGames::reader(self))
    }

    fn into_reader<'a>(self: Box<Self>) -> Box<dyn GameReader + Send + 'a>
    where
        Self: 'a,
    {
        Box::new(Reader::<D, Box<D>>::new(self))
    }

    fn check(&self) -> Result<Vec<String>, AnyError> {
        ReadGames::check(self).map_err(Into::into)
    }

    fn about(&self) -> About {
        ReadGames::about(self)
    }

    fn encoding(&self) -> Option<Encoding> {
        ReadGames::encoding(self)
    }

    fn details(&self) -> Vec<(&'static str, String)> {
        ReadGames::details(self)
    }

    fn warnings(&self) -> &[Warning] {
        ReadGames::warnings(self)
    }
}

/// A [`Reader`] of any format.
pub trait GameReader {
    /// [`Reader::header`]
    ///
    /// # Errors
    /// With [`Scope::Game`](crate::Scope::Game) if only this game is damaged.
    fn header(
        &mut self,
        game: u64,
        header: &mut Header,
        d: &mut Diagnostics,
    ) -> Result<(), AnyError>;
    /// [`Reader::game`]
    ///
    /// # Errors
    /// With [`Scope::Game`](crate::Scope::Game) if only this game is damaged.
    fn game(&mut self, game: u64, into: &mut Game, d: &mut Diagnostics) -> Result<(), AnyError>;
    /// [`Reader::dump`]
    ///
    /// # Errors
    /// With [`Scope::Game`](crate::Scope::Game) where the bytes stop making sense.
    fn dump(&mut self, game: u64, each: &mut dyn FnMut(Field)) -> Result<(), AnyError>;
    /// [`Reader::verify`]
    ///
    /// # Errors
    /// If the fields to compare cannot be read or made.
    fn verify(&mut self, game: u64, decoded: &Game) -> Result<Vec<&'static str>, AnyError>;
    /// [`ReadGames::FOLLOWS`]
    fn follows(&self) -> bool;
    /// [`Reader::follow`]
    ///
    /// # Errors
    /// With [`Scope::Game`](crate::Scope::Game) if only this game is damaged.
    fn follow(
        &mut self,
        game: u64,
        scratch: &mut Game,
        visit: &mut Visit<'_>,
    ) -> Result<(), AnyError>;
    /// [`Reader::candidates`]
    fn candidates(&mut self, games: Range<u64>, positions: &[Position], found: &mut Vec<u64>);
    /// [`Reader::glance`]
    fn glance(&mut self, game: u64, positions: &[Position]) -> bool;
    /// [`Reader::summary`]
    fn summary(&mut self, game: u64, summary: &mut Summary) -> bool;
    /// [`Reader::summaries`]
    fn summaries(&mut self, games: Range<u64>, positions: &[Position], found: &mut Summaries);
    /// [`Reader::name`]
    fn name(&mut self, field: NameField, id: u32, name: &mut String);
}

impl<D: ReadGames, B: Borrow<D>> GameReader for Reader<D, B> {
    fn header(
        &mut self,
        game: u64,
        header: &mut Header,
        d: &mut Diagnostics,
    ) -> Result<(), AnyError> {
        Reader::header(self, game, header, d).map_err(Into::into)
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

    fn follows(&self) -> bool {
        D::FOLLOWS
    }

    fn follow(
        &mut self,
        game: u64,
        scratch: &mut Game,
        visit: &mut Visit<'_>,
    ) -> Result<(), AnyError> {
        Reader::follow(self, game, scratch, visit).map_err(Into::into)
    }

    fn candidates(&mut self, games: Range<u64>, positions: &[Position], found: &mut Vec<u64>) {
        Reader::candidates(self, games, positions, found);
    }

    fn glance(&mut self, game: u64, positions: &[Position]) -> bool {
        Reader::glance(self, game, positions)
    }

    fn summary(&mut self, game: u64, summary: &mut Summary) -> bool {
        Reader::summary(self, game, summary)
    }

    fn summaries(&mut self, games: Range<u64>, positions: &[Position], found: &mut Summaries) {
        Reader::summaries(self, games, positions, found);
    }

    fn name(&mut self, field: NameField, id: u32, name: &mut String) {
        Reader::name(self, field, id, name);
    }
}

/// [`StreamGames`] of any format.
pub trait Source: Send {
    /// [`StreamGames::block`]
    ///
    /// # Errors
    /// Those of the stream; there is nothing more then.
    fn block(&mut self, block: &mut Block) -> Result<bool, AnyError>;
    /// A parser for one thread.
    fn parser(&self) -> Box<dyn Parser + Send>;
    /// [`StreamGames::about`]
    fn about(&self) -> About;
}

impl<S: StreamGames> Source for S {
    fn block(&mut self, block: &mut Block) -> Result<bool, AnyError> {
        StreamGames::block(self, block).map_err(Into::into)
    }

    fn parser(&self) -> Box<dyn Parser + Send> {
        Box::new(StreamGames::parser(self))
    }

    fn about(&self) -> About {
        StreamGames::about(self)
    }
}

/// [`ParseGames`] of any format.
pub trait Parser {
    /// [`ParseGames::parse_game`]
    ///
    /// # Errors
    /// With [`Scope::Game`](crate::Scope::Game) if only this game is damaged.
    fn game(
        &mut self,
        block: &mut Block,
        into: &mut Game,
        d: &mut Diagnostics,
    ) -> Result<bool, AnyError>;
    /// [`ParseGames::text`]
    fn text(&self, block: &Block) -> Option<Range<usize>>;
    /// [`ParseGames::pass_game`]
    fn pass_game(&mut self, block: &mut Block, bytes: usize) -> bool;
}

impl<P: ParseGames<Error: Into<AnyError>>> Parser for P {
    fn game(
        &mut self,
        block: &mut Block,
        into: &mut Game,
        d: &mut Diagnostics,
    ) -> Result<bool, AnyError> {
        self.parse_game(block, into, d).map_err(Into::into)
    }

    fn text(&self, block: &Block) -> Option<Range<usize>> {
        ParseGames::text(self, block)
    }

    fn pass_game(&mut self, block: &mut Block, bytes: usize) -> bool {
        ParseGames::pass_game(self, block, bytes)
    }
}

impl ParseGames for Box<dyn Parser + Send> {
    type Error = AnyError;

    fn parse_game(
        &mut self,
        block: &mut Block,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<bool, AnyError> {
        (**self).game(block, into, diagnostics)
    }

    fn text(&self, block: &Block) -> Option<Range<usize>> {
        (**self).text(block)
    }

    fn pass_game(&mut self, block: &mut Block, bytes: usize) -> bool {
        (**self).pass_game(block, bytes)
    }
}

/// So that a [`StreamReader`](crate::StreamReader) reads any format.
macro_rules! streams {
    ($source:ty) => {
        impl StreamGames for $source {
            type Error = AnyError;
            type Parser = Box<dyn Parser + Send>;

            fn block(&mut self, block: &mut Block) -> Result<bool, AnyError> {
                (**self).block(block)
            }

            fn parser(&self) -> Box<dyn Parser + Send> {
                (**self).parser()
            }

            fn about(&self) -> About {
                (**self).about()
            }
        }
    };
}

streams!(&mut (dyn Source + '_));
streams!(Box<dyn Source>);

/// [`WriteGames`] of any format.
pub trait Writer: Send {
    /// An encoder for one thread.
    fn encoder(&self) -> Box<dyn Encoder + Send>;
    /// [`WriteGames::set_origin`]
    fn set_origin(&mut self, origin: &Origin<'_>);
    /// Puts a game in the base that one of its own encoders made; see [`WriteGames::append`].
    ///
    /// # Errors
    /// With [`Scope::Game`](crate::Scope::Game) if this game cannot be stored at all: the base
    /// goes on without it. Else the writer is of no more use.
    fn append(&mut self, encoded: &mut Encoded) -> Result<(), AnyError>;
    /// [`WriteGames::set_about`]
    fn set_about(&mut self, about: &About, losses: &mut Vec<Loss>);
    /// [`WriteGames::warnings`]
    fn warnings(&self) -> &[Warning];
    /// [`WriteGames::finish`]
    ///
    /// # Errors
    /// Those of the disk.
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

    fn set_about(&mut self, about: &About, losses: &mut Vec<Loss>) {
        WriteGames::set_about(self, about, losses);
    }

    fn warnings(&self) -> &[Warning] {
        WriteGames::warnings(self)
    }

    fn finish(self: Box<Self>) -> Result<(), AnyError> {
        WriteGames::finish(*self).map_err(Into::into)
    }
}

/// [`EncodeGames`] of any format.
pub trait Encoder {
    /// Encodes a game, replacing what `into` held; see [`EncodeGames::encode`].
    ///
    /// # Errors
    /// With [`Scope::Game`](crate::Scope::Game) if this game cannot be stored at all.
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
            // What is refused as a whole has no losses.
            losses.clear();
            error.into()
        })
    }

    fn encode_text(&mut self, text: &[u8], into: &mut Encoded) -> bool {
        into.losses.clear();
        EncodeGames::encode_text(self, text, slot_of::<E::Encoded>(&mut into.slot))
    }
}

/// A game as some format stores it, and what that format cannot hold of it. Meant to be reused.
#[derive(Default)]
pub struct Encoded {
    slot: Option<Box<dyn Slot>>,
    /// What the format cannot hold of the game.
    pub losses: Vec<Loss>,
}

impl Encoded {
    /// Lets go of buffers of more than `most` bytes.
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

/// The slot as this format's own type; a new one if it held another format's.
fn slot_of<T: Trim + Default + Send + 'static>(slot: &mut Option<Box<dyn Slot>>) -> &mut T {
    let held = slot.as_deref().is_some_and(|slot| (slot as &dyn Any).is::<T>());
    let kept = if held { slot.take() } else { None };
    let kept: Box<dyn Slot> = kept.unwrap_or_else(|| Box::new(T::default()));
    let any: &mut dyn Any = &mut **slot.insert(kept);
    #[expect(clippy::unwrap_used, reason = "the type was looked at, or is new")]
    any.downcast_mut().unwrap()
}

/// [`EditGames`] of any format.
pub trait Editor {
    /// How many games it lists.
    fn len(&self) -> u64;
    /// Whether it lists no game.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// [`EditGames::set_deleted`]
    ///
    /// # Errors
    /// Those of the disk; an unknown game.
    fn set_deleted(&mut self, game: u64, deleted: bool) -> Result<(), AnyError>;
    /// [`EditGames::set_flags`]
    ///
    /// # Errors
    /// Those of the disk; an unknown game; flags the format does not have.
    fn set_flags(&mut self, game: u64, flags: &str) -> Result<(), AnyError>;
    /// [`EditGames::set_fact`]
    ///
    /// # Errors
    /// Those of the disk; a fact or a value that the format does not keep whole.
    fn set_fact(&mut self, fact: Fact, value: &str) -> Result<(), AnyError>;
    /// [`EditGames::replace`]
    ///
    /// # Errors
    /// Those of the disk; an unknown game; a game the format cannot hold.
    fn replace(&mut self, game: u64, with: &Game, losses: &mut Vec<Loss>) -> Result<u64, AnyError>;
    /// [`EditGames::replace_all`]
    ///
    /// # Errors
    /// Those of `replace`.
    fn replace_all(
        &mut self,
        games: &[(u64, Game)],
        losses: &mut Vec<Loss>,
    ) -> Result<(), AnyError>;
    /// [`EditGames::append`]
    ///
    /// # Errors
    /// Those of the disk; a game the format cannot hold.
    fn append(&mut self, game: &Game, losses: &mut Vec<Loss>) -> Result<u64, AnyError>;
    /// [`EditGames::append_all`]
    ///
    /// # Errors
    /// Those of `append` and of `next`; the games before the error are in the base.
    fn append_all(
        &mut self,
        next: &mut dyn FnMut(&mut Game) -> Result<bool, AnyError>,
        losses: &mut Vec<Loss>,
    ) -> Result<u64, AnyError>;
    /// [`EditGames::sync`]
    ///
    /// # Errors
    /// Those of the disk.
    fn sync(&mut self) -> Result<(), AnyError>;
    /// [`EditGames::compact`]
    ///
    /// # Errors
    /// Those of the disk.
    fn compact(self: Box<Self>) -> Result<(), AnyError>;
}

impl<E: EditGames> Editor for E {
    fn len(&self) -> u64 {
        EditGames::len(self)
    }

    fn set_deleted(&mut self, game: u64, deleted: bool) -> Result<(), AnyError> {
        EditGames::set_deleted(self, game, deleted).map_err(Into::into)
    }

    fn set_flags(&mut self, game: u64, flags: &str) -> Result<(), AnyError> {
        EditGames::set_flags(self, game, flags).map_err(Into::into)
    }

    fn set_fact(&mut self, fact: Fact, value: &str) -> Result<(), AnyError> {
        EditGames::set_fact(self, fact, value).map_err(Into::into)
    }

    fn replace(&mut self, game: u64, with: &Game, losses: &mut Vec<Loss>) -> Result<u64, AnyError> {
        EditGames::replace(self, game, with, losses).map_err(Into::into)
    }

    fn replace_all(
        &mut self,
        games: &[(u64, Game)],
        losses: &mut Vec<Loss>,
    ) -> Result<(), AnyError> {
        EditGames::replace_all(self, games, losses).map_err(Into::into)
    }

    fn append(&mut self, game: &Game, losses: &mut Vec<Loss>) -> Result<u64, AnyError> {
        EditGames::append(self, game, losses).map_err(Into::into)
    }

    fn append_all(
        &mut self,
        next: &mut dyn FnMut(&mut Game) -> Result<bool, AnyError>,
        losses: &mut Vec<Loss>,
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

/// How sure a [`Format::probe`] is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Confidence {
    /// The name fits and nothing in the bytes speaks against it.
    Name,
    /// The bytes look like it.
    Likely,
    /// The bytes carry its mark.
    Certain,
}

/// Given the beginning of a file (up to 4 KiB) and its extension in lower case: is it ours?
pub type Probe = fn(start: &[u8], extension: &str) -> Option<Confidence>;
/// Opens a base of files, of which any may be named.
pub type OpenDatabase = fn(&Path, &OpenOptions) -> Result<Box<dyn Database>, AnyError>;
/// Opens a base whose files are open already; any of them may have been named.
pub type OpenInputs = fn(&Inputs, &OpenOptions) -> Result<Box<dyn Database>, AnyError>;
/// Opens a stream of games.
pub type OpenSource =
    fn(Box<dyn io::Read + Send>, &OpenOptions) -> Result<Box<dyn Source>, AnyError>;
/// Creates a base of files; the path is that of its first [extension](Format::extensions).
pub type CreateDatabase = fn(&Path, &CreateOptions) -> Result<Box<dyn Writer>, AnyError>;
/// Starts a stream of games.
pub type CreateSink =
    fn(Box<dyn io::Write + Send>, &CreateOptions) -> Result<Box<dyn Writer>, AnyError>;
/// Opens a base for change.
pub type OpenEditor = fn(&Path, &OpenOptions) -> Result<Box<dyn Editor>, AnyError>;

/// How a format is read.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Opener {
    /// Any of the base's files named; its companions are found beside it.
    Database(OpenDatabase),
    /// A stream of bytes.
    Source(OpenSource),
}

/// How a format is written.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Creator {
    /// A set of files.
    Database(CreateDatabase),
    /// A stream of bytes.
    Sink(CreateSink),
}

/// A format, as data.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Format {
    /// Short name in lower case: `si4`.
    pub name: &'static str,
    /// Name for people: `Scid 4`.
    pub title: &'static str,
    /// Extensions of its files in lower case, without dot; the first is the one to name a base by.
    pub extensions: &'static [&'static str],
    /// Whether a file is one of its.
    pub probe: Probe,
    /// Reading, if there is any.
    pub open: Option<Opener>,
    /// Reading from files that are open already, if it is no stream.
    pub open_inputs: Option<OpenInputs>,
    /// Its own options for opening.
    pub open_options: &'static [OptionInfo],
    /// Writing, if there is any.
    pub create: Option<Creator>,
    /// Its own options for creating.
    pub create_options: &'static [OptionInfo],
    /// Changing in place, if there is any.
    pub edit: Option<OpenEditor>,
    /// The flags that its games may carry, if there are any.
    pub flags: Option<Flags>,
}

/// The flags of a format's games, each a letter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flags {
    /// The tag whose value is the letters of those that are set.
    pub tag: &'static str,
    /// Letters and what they mean, in the order in which they are written.
    pub letters: &'static [(char, &'static str)],
}

impl Format {
    /// A format that can be recognised, and nothing else yet.
    #[must_use]
    pub const fn new(
        name: &'static str,
        title: &'static str,
        extensions: &'static [&'static str],
        probe: Probe,
    ) -> Format {
        Format {
            name,
            title,
            extensions,
            probe,
            open: None,
            open_inputs: None,
            open_options: &[],
            create: None,
            create_options: &[],
            edit: None,
            flags: None,
        }
    }

    /// It can be read so.
    #[must_use]
    pub const fn opened_by(self, open: Opener, options: &'static [OptionInfo]) -> Format {
        Format { open: Some(open), open_options: options, ..self }
    }

    /// And so from files that are open already.
    #[must_use]
    pub const fn opened_from(self, open: OpenInputs) -> Format {
        Format { open_inputs: Some(open), ..self }
    }

    /// It can be written so.
    #[must_use]
    pub const fn created_by(self, create: Creator, options: &'static [OptionInfo]) -> Format {
        Format { create: Some(create), create_options: options, ..self }
    }

    /// Its games carry flags.
    #[must_use]
    pub const fn flagged_by(self, flags: Flags) -> Format {
        Format { flags: Some(flags), ..self }
    }

    /// It can be changed in place.
    #[must_use]
    pub const fn edited_by(self, edit: OpenEditor) -> Format {
        Format { edit: Some(edit), ..self }
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Format").field(&self.name).finish()
    }
}
