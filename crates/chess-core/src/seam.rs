//! The seam: what code sees that treats all formats alike.
//!
//! A format is plain data, a [`Format`]; a base is a [`Database`] (any game, by number, from many
//! threads) or a [`Source`] (one game after the other, as PGN text comes); games go out through a
//! [`Writer`]. A format crate is used through its own types when only that format matters.

use std::fmt;
use std::io;
use std::path::Path;

use crate::error::{AnyError, Diagnostics, Warning};
use crate::game::Game;
use crate::header::Header;
use crate::position::Position;
use crate::text::Encoding;

/// A base of which every game can be had by its number, from several threads at once.
pub trait Database: Send + Sync {
    /// How many games it lists, readable or not.
    fn len(&self) -> u64;

    /// Whether it lists no game.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads the header of a game, numbered from zero, replacing what `header` held. Meant to be
    /// cheap: tags that the format keeps with the moves may be left out.
    ///
    /// # Errors
    /// With [`Scope::Game`](crate::Scope::Game) if only this game is damaged.
    fn header(
        &self,
        game: u64,
        header: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), AnyError>;

    /// Reads a game, numbered from zero, replacing what `into` held. After an error, `into` holds
    /// what could be read before the damage, its variations closed.
    ///
    /// # Errors
    /// With [`Scope::Game`](crate::Scope::Game) if only this game is damaged.
    fn game(
        &self,
        game: u64,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), AnyError>;

    /// Names every byte of a game, in the words of the format's page in docs/formats: its index
    /// entry, its record, and what they point to. After damage, what was named before it stands.
    ///
    /// # Errors
    /// With [`Scope::Game`](crate::Scope::Game) where the bytes stop making sense.
    fn dump(&self, game: u64, each: &mut dyn FnMut(Field)) -> Result<(), AnyError>;

    /// Whether a game could reach a position on its main line, as far as the index tells without
    /// reading the moves. `true` when in doubt.
    fn may_reach(&self, game: u64, position: &Position) -> bool {
        let _ = (game, position);
        true
    }

    /// The fields of a game's index entry that do not agree with its moves and texts, by their
    /// names in docs/formats: such an entry hides the game from searches of the program that
    /// owns the format. Nothing where the format keeps no such fields.
    ///
    /// # Errors
    /// As [`game`](Database::game).
    fn verify(&self, game: u64) -> Result<Vec<&'static str>, AnyError> {
        let _ = game;
        Ok(Vec::new())
    }

    /// What the base says of itself, as names and values for people: version, description, type.
    fn about(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// The deviations met on opening it.
    fn warnings(&self) -> &[Warning] {
        &[]
    }
}

/// A named stretch of a game's bytes; see [`Database::dump`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Which file of the base, by its usual extension.
    pub file: &'static str,
    /// Absolute offset of the first byte.
    pub offset: u64,
    /// The bytes as they stand in the file.
    pub bytes: Vec<u8>,
    /// The field's name in docs/formats.
    pub name: &'static str,
    /// What the bytes mean: `Nf3`, `131 plies`, `"Karpov"`. Empty if they mean just themselves.
    pub value: String,
}

/// Games that can only be had one after the other.
pub trait Source: Send {
    /// Reads the next game, replacing what `into` held; `false` when there is none.
    ///
    /// # Errors
    /// With [`Scope::Game`](crate::Scope::Game) if only this game is damaged: `into` holds what
    /// could be read, and the next call reads the next game.
    fn next(&mut self, into: &mut Game, diagnostics: &mut Diagnostics) -> Result<bool, AnyError>;

    /// How many bytes of the input have been read so far, if it has bytes.
    fn position(&self) -> Option<u64> {
        None
    }
}

/// Takes games into a new base.
pub trait Writer: Send {
    /// Writes a game, and adds to `losses` whatever of it the format cannot hold.
    ///
    /// # Errors
    /// With [`Scope::Game`](crate::Scope::Game) if this game cannot be stored at all: the base
    /// goes on without it. With [`Scope::Base`](crate::Scope::Base) the writer is of no more use.
    fn write(&mut self, game: &Game, losses: &mut Vec<Loss>) -> Result<(), AnyError>;

    /// What the base has become that its own program may not like, though the format allows it:
    /// more games than it opens, for instance. Complete once the last game is written.
    fn warnings(&self) -> &[Warning] {
        &[]
    }

    /// Completes the base. Dropped without it, a writer leaves nothing behind.
    ///
    /// # Errors
    /// Those of the disk.
    fn finish(self: Box<Self>) -> Result<(), AnyError>;
}

/// Changes a base in place. Whatever moment it stops, the base opens with every game it had.
pub trait Editor {
    /// How many games it lists.
    fn len(&self) -> u64;

    /// Whether it lists no game.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Marks a game as deleted, or takes the mark away.
    ///
    /// # Errors
    /// Those of the disk; an unknown game.
    fn set_deleted(&mut self, game: u64, deleted: bool) -> Result<(), AnyError>;

    /// Sets the flags of a game that the format names by letters.
    ///
    /// # Errors
    /// Those of the disk; an unknown game; flags the format does not have.
    fn set_flags(&mut self, game: u64, flags: &str) -> Result<(), AnyError>;

    /// Puts another game in the place of one.
    ///
    /// # Errors
    /// Those of the disk; an unknown game; a game the format cannot hold.
    fn replace(&mut self, game: u64, with: &Game, losses: &mut Vec<Loss>) -> Result<(), AnyError>;

    /// Adds a game at the end.
    ///
    /// # Errors
    /// Those of the disk; a game the format cannot hold.
    fn append(&mut self, game: &Game, losses: &mut Vec<Loss>) -> Result<(), AnyError>;

    /// Adds games at the end, as many as `next` gives before it says `false`: as
    /// [`append`](Editor::append) again and again, but cheaper where a format has something to do
    /// once for all of them. Says how many were added.
    ///
    /// # Errors
    /// Those of `append` and of `next`; the games before the error are in the base.
    fn append_all(
        &mut self,
        next: &mut dyn FnMut(&mut Game) -> Result<bool, AnyError>,
        losses: &mut Vec<Loss>,
    ) -> Result<u64, AnyError> {
        let mut game = Game::new();
        let mut added = 0u64;
        while next(&mut game)? {
            self.append(&game, losses)?;
            added = added.saturating_add(1);
        }
        Ok(added)
    }

    /// Drops deleted games and the space nothing points to. The editor is of no more use.
    ///
    /// # Errors
    /// Those of the disk.
    fn compact(self: Box<Self>) -> Result<(), AnyError>;
}

/// Something of a game that the target format could not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loss {
    /// What kind of thing.
    pub kind: LossKind,
    /// The thing itself, shortened: a tag's name, the cut text, a value.
    pub detail: String,
    /// Half-moves before it on its line, if it stood in the moves.
    pub ply: Option<u32>,
}

impl Loss {
    /// A loss from the header.
    #[must_use]
    pub fn new(kind: LossKind, detail: impl Into<String>) -> Loss {
        Loss { kind, detail: detail.into(), ply: None }
    }

    /// A loss from the moves.
    #[must_use]
    pub fn at_ply(kind: LossKind, detail: impl Into<String>, ply: u32) -> Loss {
        Loss { kind, detail: detail.into(), ply: Some(ply) }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind)?;
        if !self.detail.is_empty() {
            write!(f, ": {}", self.detail)?;
        }
        match self.ply {
            Some(ply) => write!(f, " (ply {})", ply.saturating_add(1)),
            None => Ok(()),
        }
    }
}

/// The kinds of [`Loss`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum LossKind {
    /// A tag the format has no place for was dropped.
    Tag,
    /// A text was shortened.
    TextCut,
    /// Characters the target encoding lacks were replaced.
    Characters,
    /// A date, or part of one, was dropped or moved.
    Date,
    /// A round was dropped or simplified.
    Round,
    /// A rating was dropped or rounded.
    Rating,
    /// An ECO code was dropped or shortened.
    Eco,
    /// A result was dropped.
    Result,
    /// A glyph was dropped or changed.
    Nag,
    /// A comment was dropped.
    Comment,
    /// A comment was joined to another or moved to another place.
    CommentMoved,
    /// A null move, and what followed it on its line, was dropped.
    NullMove,
    /// A move, and what followed it on its line, was dropped.
    Move,
    /// A variation was dropped or moved.
    Variation,
    /// Part of the start position (a clock, a castling right) was dropped.
    Setup,
    /// A flag or mark was dropped.
    Flag,
}

impl LossKind {
    /// A stable name in lower case with hyphens.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            LossKind::Tag => "tag",
            LossKind::TextCut => "text-cut",
            LossKind::Characters => "characters",
            LossKind::Date => "date",
            LossKind::Round => "round",
            LossKind::Rating => "rating",
            LossKind::Eco => "eco",
            LossKind::Result => "result",
            LossKind::Nag => "nag",
            LossKind::Comment => "comment",
            LossKind::CommentMoved => "comment-moved",
            LossKind::NullMove => "null-move",
            LossKind::Move => "move",
            LossKind::Variation => "variation",
            LossKind::Setup => "setup",
            LossKind::Flag => "flag",
        }
    }
}

impl fmt::Display for LossKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How to open a base.
#[derive(Clone, Debug, Default)]
pub struct OpenOptions {
    /// The encoding of its texts, where the user knows better.
    pub encoding: Option<Encoding>,
    /// Options only one format knows, as `name=value`; see its crate.
    pub extra: Vec<(String, String)>,
}

/// How to create a base.
#[derive(Clone, Debug, Default)]
pub struct CreateOptions {
    /// The encoding to write texts in, where the format leaves it open.
    pub encoding: Option<Encoding>,
    /// Options only one format knows, as `name=value`; see its crate.
    pub extra: Vec<(String, String)>,
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

/// Opens a base of files.
pub type OpenDatabase = fn(&Path, &OpenOptions) -> Result<Box<dyn Database>, AnyError>;
/// Opens a stream of games.
pub type OpenSource =
    fn(Box<dyn io::Read + Send>, &OpenOptions) -> Result<Box<dyn Source>, AnyError>;
/// Creates a base of files.
pub type CreateDatabase = fn(&Path, &CreateOptions) -> Result<Box<dyn Writer>, AnyError>;
/// Starts a stream of games.
pub type CreateSink =
    fn(Box<dyn io::Write + Send>, &CreateOptions) -> Result<Box<dyn Writer>, AnyError>;
/// Opens a base for change.
pub type OpenEditor = fn(&Path, &OpenOptions) -> Result<Box<dyn Editor>, AnyError>;

/// How a format is read.
#[derive(Clone, Copy)]
pub enum Opener {
    /// Any of the base's files named; its companions are found beside it.
    Database(OpenDatabase),
    /// A stream of bytes.
    Source(OpenSource),
}

/// How a format is written.
#[derive(Clone, Copy)]
pub enum Creator {
    /// A set of files; the path is that of its first [extension](Format::extensions).
    Database(CreateDatabase),
    /// A stream of bytes.
    Sink(CreateSink),
}

/// A format, as data.
#[derive(Clone, Copy)]
pub struct Format {
    /// Short name in lower case: `si4`.
    pub name: &'static str,
    /// Name for people: `Scid 4`.
    pub title: &'static str,
    /// Extensions of its files in lower case, without dot; the first is the one to name a base by.
    pub extensions: &'static [&'static str],
    /// Given the beginning of a file (up to 4 KiB) and its extension in lower case: is it ours?
    pub probe: fn(start: &[u8], extension: &str) -> Option<Confidence>,
    /// Reading, if there is any.
    pub open: Option<Opener>,
    /// Writing, if there is any.
    pub create: Option<Creator>,
    /// Changing in place, if there is any.
    pub edit: Option<OpenEditor>,
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Format").field(&self.name).finish()
    }
}
