//! Bases with random access to games.

use std::borrow::Borrow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

use chess_core::{Game, Header, Move};

use crate::about::About;
use crate::diagnostics::{Diagnostics, Warning};
use crate::encoding::Encoding;
use crate::error::AnyError;
use crate::guiding_text::GuidingText;
use crate::search::{IndexRows, Query, SearchIndex, Visit};
use crate::summary::{IndexSummary, NameField};

/// A base with random access to its games, by many threads at once.
///
/// The base itself never changes. The data that one thread needs for reading (record bytes, page
/// caches, boards) is a [`State`](ReadGames::State), owned by a [`Reader`]. Create one with
/// [`reader`](ReadGames::reader) or [`into_reader`](ReadGames::into_reader), or iterate over
/// [`games`](ReadGames::games). Formats implement the methods that end in `_with`.
pub trait ReadGames: Send + Sync {
    /// The format's error.
    type Error: Into<AnyError> + From<Warning> + Send;
    /// The data that one reading thread owns.
    type State: Default + Send;

    /// Returns the number of games, readable or not.
    fn len(&self) -> u64;

    /// Returns whether the base has no games.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// See [`Reader::header`].
    ///
    /// # Errors
    /// [`Scope::Game`](crate::Scope::Game) if only this game is damaged.
    fn header_with(
        &self,
        state: &mut Self::State,
        game: u64,
        header: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Self::Error>;

    /// See [`Reader::full_header`].
    ///
    /// # Errors
    /// [`Scope::Game`](crate::Scope::Game) if only this game is damaged.
    fn full_header_with(
        &self,
        state: &mut Self::State,
        game: u64,
        header: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<bool, Self::Error> {
        let _ = (state, game, header, diagnostics);
        Ok(false)
    }

    /// See [`Reader::game`].
    ///
    /// # Errors
    /// [`Scope::Game`](crate::Scope::Game) if only this game is damaged.
    fn game_with(
        &self,
        state: &mut Self::State,
        game: u64,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Self::Error>;

    /// See [`Reader::dump`].
    ///
    /// # Errors
    /// [`Scope::Game`](crate::Scope::Game) at the first damaged field.
    fn dump_with(
        &self,
        state: &mut Self::State,
        game: u64,
        each: &mut dyn FnMut(Field),
    ) -> Result<(), Self::Error>;

    /// See [`Reader::verify`].
    ///
    /// # Errors
    /// Damage in the fields to compare; a game that the format cannot encode.
    fn verify_with(
        &self,
        state: &mut Self::State,
        game: u64,
        decoded: &Game,
    ) -> Result<Vec<&'static str>, Self::Error> {
        let _ = (state, game, decoded);
        Ok(Vec::new())
    }

    /// Checks the consistency of the base as a whole, such as the order of names and the counts in
    /// the header. Returns one message for each problem, without a full stop. May take as long as
    /// reading all headers.
    ///
    /// # Errors
    /// I/O errors.
    fn check(&self) -> Result<Vec<String>, Self::Error> {
        Ok(Vec::new())
    }

    /// Creates a reader for one thread.
    fn reader(&self) -> Reader<Self, &Self>
    where
        Self: Sized,
    {
        Reader::new(self)
    }

    /// Like [`reader`](ReadGames::reader), but the reader owns the base.
    fn into_reader(self) -> Reader<Self>
    where
        Self: Sized,
    {
        Reader::new(self)
    }

    /// Iterates over the games in order. Each item is a new [`Game`].
    fn games(&self) -> Games<Self, &Self>
    where
        Self: Sized,
    {
        Games::new(self.reader())
    }

    /// Like [`games`](ReadGames::games), but the iterator owns the base.
    fn into_games(self) -> Games<Self>
    where
        Self: Sized,
    {
        Games::new(self.into_reader())
    }
}

/// Facts about a base as a whole. Every method has a default.
pub trait Describe {
    /// Returns the facts that the owner of the base may set.
    fn about(&self) -> About {
        About::default()
    }

    /// Returns the single-byte encoding used for all text, if there is one. A copy of the base in
    /// the same format uses it again.
    fn encoding(&self) -> Option<Encoding> {
        None
    }

    /// Returns more facts for display, as names and values: version, layout, counts.
    fn details(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Returns the deviations found on opening the base.
    fn warnings(&self) -> &[Warning] {
        &[]
    }

    /// Returns the number of [guiding texts](GuidingText) in the base. Texts are not games.
    fn text_count(&self) -> u64 {
        0
    }

    /// Reads a guiding text, numbered from zero. Texts are in the order of their places between the
    /// games. Returns `None` after the last text.
    ///
    /// # Errors
    /// I/O errors; a damaged text. The next text is still readable.
    fn text(&self, number: u64) -> Result<Option<GuidingText>, AnyError> {
        let _ = number;
        Ok(None)
    }
}

/// Reads the games of a base on one thread, and reuses its buffers.
///
/// The reader owns or borrows the base: `B` is the base, a reference to it, or an
/// [`Arc`](std::sync::Arc) of it.
pub struct Reader<D: ReadGames, B: Borrow<D> = D> {
    base: B,
    state: D::State,
    next: u64,
    of: PhantomData<fn() -> D>,
}

impl<D: ReadGames, B: Borrow<D>> Reader<D, B> {
    /// Creates a reader that starts at the first game.
    pub fn new(base: B) -> Reader<D, B> {
        Reader { base, state: D::State::default(), next: 0, of: PhantomData }
    }

    /// Returns the base.
    pub fn base(&self) -> &D {
        self.base.borrow()
    }

    /// Reads the header of `game` into `header`, replacing its contents. Games are numbered from
    /// zero. This is meant to be cheap: tags that the format stores with the moves may be missing.
    ///
    /// # Errors
    /// [`Scope::Game`](crate::Scope::Game) if only this game is damaged.
    pub fn header(
        &mut self,
        game: u64,
        header: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), D::Error> {
        let read = self.base.borrow().header_with(&mut self.state, game, header, diagnostics);
        diagnostics.judge(read)
    }

    /// Reads the header of `game` into `header` with all of its tags, as [`game`](Reader::game)
    /// does, but does not decode the moves. Damage in the moves is not noticed. Returns `false` if
    /// only [`game`](Reader::game) can read all tags; the contents of `header` are then undefined.
    ///
    /// # Errors
    /// [`Scope::Game`](crate::Scope::Game) if only this game is damaged.
    pub fn full_header(
        &mut self,
        game: u64,
        header: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<bool, D::Error> {
        let base = self.base.borrow();
        let read = base.full_header_with(&mut self.state, game, header, diagnostics);
        let is_full = matches!(read, Ok(true));
        diagnostics.judge(read.map(drop)).map(|()| is_full)
    }

    /// Reads `game` into `into`, replacing its contents. Games are numbered from zero. After an
    /// error, `into` holds the part before the damage, with all variations closed.
    ///
    /// # Errors
    /// [`Scope::Game`](crate::Scope::Game) if only this game is damaged.
    pub fn game(
        &mut self,
        game: u64,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), D::Error> {
        let read = self.base.borrow().game_with(&mut self.state, game, into, diagnostics);
        diagnostics.judge(read)
    }

    /// Reads the next game into `into`, replacing its contents. Clears `diagnostics` first, so
    /// that it lists the warnings of this game only. Returns `false` after the last game.
    ///
    /// # Errors
    /// The errors of [`game`](Reader::game). The next call reads the game after the damaged one.
    pub fn read_game(
        &mut self,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<bool, D::Error> {
        diagnostics.clear();
        let number = self.next;
        if number >= self.base().len() {
            return Ok(false);
        }
        self.next = number.saturating_add(1);
        self.game(number, into, diagnostics).map(|()| true)
    }

    /// Sets the game, numbered from zero, that [`read_game`](Reader::read_game) reads next.
    pub fn seek(&mut self, game: u64) {
        self.next = game;
    }

    /// Describes every byte of a game: its index entry, its record, and the data that they refer
    /// to. The format's page in docs/formats defines the field names. `each` also receives the
    /// fields before any damage.
    ///
    /// # Errors
    /// [`Scope::Game`](crate::Scope::Game) at the first damaged field.
    pub fn dump(&mut self, game: u64, each: &mut dyn FnMut(Field)) -> Result<(), D::Error> {
        self.base.borrow().dump_with(&mut self.state, game, each)
    }

    /// Returns the names, as in docs/formats, of the index fields that contradict the game
    /// `decoded`. Such an entry hides the game from searches of the program that owns the format.
    /// Returns an empty list if the format has no such fields.
    ///
    /// # Errors
    /// Damage in the fields to compare; a game that the format cannot encode.
    pub fn verify(&mut self, game: u64, decoded: &Game) -> Result<Vec<&'static str>, D::Error> {
        self.base.borrow().verify_with(&mut self.state, game, decoded)
    }
}

impl<D: SearchIndex, B: Borrow<D>> Reader<D, B> {
    /// Appends to `rows` the games in `range` that could reach a position of `query`, judged by
    /// the index alone. See [`SearchIndex::prefilter`].
    pub fn prefilter(&mut self, range: Range<u64>, query: &Query, rows: &mut IndexRows) {
        self.base.borrow().prefilter(&mut self.state, range, query, rows);
    }

    /// Returns whether `game` passes the prefilter for `query`. Calling
    /// [`prefilter`](Reader::prefilter) for a range of games is faster.
    pub fn may_reach(&mut self, game: u64, query: &Query) -> bool {
        let mut rows = IndexRows::Numbers(Vec::new());
        self.prefilter(game..game.saturating_add(1), query, &mut rows);
        !rows.is_empty()
    }

    /// Returns the index data of a game. See [`SearchIndex::summarize`].
    pub fn summarize(&mut self, game: u64) -> Option<IndexSummary> {
        self.base.borrow().summarize(&mut self.state, game)
    }

    /// Returns whether `game` could have the material and a word of `query`. See
    /// [`SearchIndex::may_match`].
    pub fn may_match(&mut self, game: u64, query: &Query) -> bool {
        self.base.borrow().may_match(&mut self.state, game, query)
    }

    /// Passes the positions of the main line to `visit`, from the first one that has the pieces of
    /// a position of `query`. See [`SearchIndex::visit_main_line`].
    ///
    /// # Errors
    /// [`Scope::Game`](crate::Scope::Game) if only this game is damaged. The positions before the
    /// damage are visited first.
    pub fn visit_main_line(
        &mut self,
        game: u64,
        query: &Query,
        scratch: &mut Game,
        visit: &mut Visit<'_>,
    ) -> Result<(), D::Error> {
        self.base.borrow().visit_main_line(&mut self.state, game, query, scratch, visit)
    }

    /// Replaces `name` with the name that an id of an [`IndexSummary`] refers to.
    pub fn name(&mut self, field: NameField, id: u32, name: &mut String) {
        self.base.borrow().name(&mut self.state, field, id, name);
    }

    /// Returns the moves that an opening code of the index stands for. See
    /// [`SearchIndex::opening_moves`].
    #[must_use]
    pub fn opening_moves(&self, code: u8) -> &'static [Move] {
        D::opening_moves(code)
    }
}

impl<D: ReadGames, B: Borrow<D>> fmt::Debug for Reader<D, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("next", &self.next).finish_non_exhaustive()
    }
}

/// An iterator over the games of a base; see [`ReadGames::games`].
///
/// A damaged game is an `Err`. The next game follows.
pub struct Games<D: ReadGames, B: Borrow<D> = D> {
    reader: Reader<D, B>,
    diagnostics: Diagnostics,
}

impl<D: ReadGames, B: Borrow<D>> Games<D, B> {
    fn new(reader: Reader<D, B>) -> Games<D, B> {
        Games { reader, diagnostics: Diagnostics::lenient() }
    }

    /// Returns the warnings of the last game.
    pub fn warnings(&self) -> &[Warning] {
        self.diagnostics.warnings()
    }
}

impl<D: ReadGames, B: Borrow<D>> Iterator for Games<D, B> {
    type Item = Result<Game, D::Error>;

    fn next(&mut self) -> Option<Result<Game, D::Error>> {
        let mut game = Game::new();
        self.diagnostics.clear();
        match self.reader.read_game(&mut game, &mut self.diagnostics) {
            Ok(true) => Some(Ok(game)),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }
}

impl<D: ReadGames, B: Borrow<D>> fmt::Debug for Games<D, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Games").field(&self.reader).finish()
    }
}

/// A named range of bytes of a game; see [`Reader::dump`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Field {
    /// The file, named by its usual extension.
    pub file: &'static str,
    /// Absolute offset of the first byte.
    pub offset: u64,
    /// The bytes as stored in the file.
    pub bytes: Vec<u8>,
    /// The field's name in docs/formats.
    pub name: &'static str,
    /// The meaning of the bytes: `Nf3`, `131 plies`, `"Karpov"`. Empty if the bytes need no
    /// interpretation.
    pub value: String,
}

impl Field {
    /// Creates a field: `bytes` at `offset` in `file` are called `name` and mean `value`.
    pub fn new(
        file: &'static str,
        offset: u64,
        bytes: impl Into<Vec<u8>>,
        name: &'static str,
        value: impl Into<String>,
    ) -> Field {
        Field { file, offset, bytes: bytes.into(), name, value: value.into() }
    }
}

/// Describes consecutive fields of a file for [`Reader::dump`].
pub struct FieldWriter<'a> {
    file: &'static str,
    offset: u64,
    each: &'a mut dyn FnMut(Field),
}

impl<'a> FieldWriter<'a> {
    /// Passes the fields of `file` from `offset` on to `each`.
    pub fn new(file: &'static str, offset: u64, each: &'a mut dyn FnMut(Field)) -> FieldWriter<'a> {
        FieldWriter { file, offset, each }
    }

    /// Returns the offset of the next field.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Adds the next field.
    pub fn field(&mut self, bytes: &[u8], name: &'static str, value: impl Into<String>) {
        (self.each)(Field::new(self.file, self.offset, bytes, name, value));
        self.offset = self.offset.saturating_add(bytes.len() as u64);
    }

    /// Adds the fields that `bytes` consists of, each with its name, its size and its value.
    pub fn fields(
        &mut self,
        bytes: &[u8],
        fields: impl IntoIterator<Item = (&'static str, usize, String)>,
    ) {
        let mut rest = bytes;
        for (name, size, value) in fields {
            let (field, after) = rest.split_at_checked(size).unwrap_or((rest, &[]));
            self.field(field, name, value);
            rest = after;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::location::Location;

    crate::quirks! {
        /// Quirks of the test base.
        #[allow(unreachable_pub, reason = "a format's own is public")]
        Odd = "x-odd", "something odd";
    }

    /// A base of three games. The first game has a warning.
    struct Three;

    impl ReadGames for Three {
        type Error = AnyError;
        type State = ();

        fn len(&self) -> u64 {
            3
        }

        fn header_with(
            &self,
            (): &mut (),
            _: u64,
            _: &mut Header,
            _: &mut Diagnostics,
        ) -> Result<(), AnyError> {
            Ok(())
        }

        fn game_with(
            &self,
            (): &mut (),
            game: u64,
            _: &mut Game,
            diagnostics: &mut Diagnostics,
        ) -> Result<(), AnyError> {
            if game == 0 {
                diagnostics.note(Quirk::Odd, Location::default().in_game(game))?;
            }
            Ok(())
        }

        fn dump_with(&self, (): &mut (), _: u64, _: &mut dyn FnMut(Field)) -> Result<(), AnyError> {
            Ok(())
        }
    }

    #[test]
    fn read_game_after_game_with_warning_clears_diagnostics() {
        let mut reader = Three.into_reader();
        let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
        let mut counts = Vec::new();
        while reader.read_game(&mut game, &mut diagnostics).unwrap() {
            counts.push(diagnostics.warnings().len());
        }
        assert_eq!(counts, [1, 0, 0]);
    }
}
