//! Bases of which any game can be had by its number.

use std::borrow::Borrow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

use chess_core::{Game, Header, Move};

use crate::about::About;
use crate::diagnostics::{Diagnostics, Warning};
use crate::encoding::Encoding;
use crate::error::AnyError;
use crate::search::{IndexRows, Query, SearchIndex, Visit};
use crate::summary::{IndexSummary, NameField};

/// A base of which every game can be had by its number, by many threads at once.
///
/// The base itself never changes. What a thread needs for itself while it reads (the bytes of a
/// record, pages of files, boards) is a [`State`](ReadGames::State), which a [`Reader`] owns: use
/// [`reader`](ReadGames::reader) or [`into_reader`](ReadGames::into_reader), or iterate over
/// [`games`](ReadGames::games). Formats implement the methods that end in `_with`.
pub trait ReadGames: Send + Sync {
    /// The format's error.
    type Error: Into<AnyError> + From<Warning> + Send;
    /// What a thread that reads owns.
    type State: Default + Send;

    /// How many games it lists, readable or not.
    fn len(&self) -> u64;

    /// Whether it lists no game.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// See [`Reader::header`].
    ///
    /// # Errors
    /// With [`Scope::Game`](crate::Scope::Game) if only this game is damaged.
    fn header_with(
        &self,
        state: &mut Self::State,
        game: u64,
        header: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), Self::Error>;

    /// See [`Reader::game`].
    ///
    /// # Errors
    /// With [`Scope::Game`](crate::Scope::Game) if only this game is damaged.
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
    /// With [`Scope::Game`](crate::Scope::Game) where the bytes stop making sense.
    fn dump_with(
        &self,
        state: &mut Self::State,
        game: u64,
        each: &mut dyn FnMut(Field),
    ) -> Result<(), Self::Error>;

    /// See [`Reader::verify`].
    ///
    /// # Errors
    /// If the fields to compare cannot be read or made.
    fn verify_with(
        &self,
        state: &mut Self::State,
        game: u64,
        decoded: &Game,
    ) -> Result<Vec<&'static str>, Self::Error> {
        let _ = (state, game, decoded);
        Ok(Vec::new())
    }

    /// Checks what the games do not show, such as the order of names and the counts of the header.
    /// Returns one message a problem, without a full stop. May take as long as reading all headers.
    ///
    /// # Errors
    /// I/O errors.
    fn check(&self) -> Result<Vec<String>, Self::Error> {
        Ok(Vec::new())
    }

    /// Reads games for one thread.
    fn reader(&self) -> Reader<Self, &Self>
    where
        Self: Sized,
    {
        Reader::new(self)
    }

    /// As [`reader`](ReadGames::reader), owning the base.
    fn into_reader(self) -> Reader<Self>
    where
        Self: Sized,
    {
        Reader::new(self)
    }

    /// The games in order, each a [`Game`] of its own.
    fn games(&self) -> Games<Self, &Self>
    where
        Self: Sized,
    {
        Games::new(self.reader())
    }

    /// As [`games`](ReadGames::games), owning the base.
    fn into_games(self) -> Games<Self>
    where
        Self: Sized,
    {
        Games::new(self.into_reader())
    }
}

/// What a base says of itself as a whole. Every method has a default for formats without it.
pub trait Describe {
    /// The facts that its owner may set.
    fn about(&self) -> About {
        About::default()
    }

    /// The single-byte encoding used for all text, if there is one. A base of the same format that
    /// is written from this one uses it again.
    fn encoding(&self) -> Option<Encoding> {
        None
    }

    /// More facts for people, as names and values: version, layout, counts.
    fn details(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// The deviations met on opening it.
    fn warnings(&self) -> &[Warning] {
        &[]
    }
}

/// Reads the games of a base for one thread, with the memory it reuses.
///
/// It owns the base or borrows it: `B` is the base, a reference to it, or an
/// [`Arc`](std::sync::Arc) of it.
pub struct Reader<D: ReadGames, B: Borrow<D> = D> {
    base: B,
    state: D::State,
    next: u64,
    of: PhantomData<fn() -> D>,
}

impl<D: ReadGames, B: Borrow<D>> Reader<D, B> {
    /// Over a base; the next game is the first.
    pub fn new(base: B) -> Reader<D, B> {
        Reader { base, state: D::State::default(), next: 0, of: PhantomData }
    }

    /// The base.
    pub fn base(&self) -> &D {
        self.base.borrow()
    }

    /// Reads the header of a game, numbered from zero, replacing what `header` held. Meant to be
    /// cheap: tags that the format keeps with the moves may be left out.
    ///
    /// # Errors
    /// With [`Scope::Game`](crate::Scope::Game) if only this game is damaged.
    pub fn header(
        &mut self,
        game: u64,
        header: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), D::Error> {
        let read = self.base.borrow().header_with(&mut self.state, game, header, diagnostics);
        diagnostics.judge(read)
    }

    /// Reads a game, numbered from zero, replacing what `into` held. After an error, `into` holds
    /// what could be read before the damage, its variations closed.
    ///
    /// # Errors
    /// With [`Scope::Game`](crate::Scope::Game) if only this game is damaged.
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

    /// Makes this game, numbered from zero, the next of [`read_game`](Reader::read_game).
    pub fn seek(&mut self, game: u64) {
        self.next = game;
    }

    /// Names every byte of a game, in the words of the format's page in docs/formats: its index
    /// entry, its record, and what they point to. After damage, what was named before it stands.
    ///
    /// # Errors
    /// With [`Scope::Game`](crate::Scope::Game) where the bytes stop making sense.
    pub fn dump(&mut self, game: u64, each: &mut dyn FnMut(Field)) -> Result<(), D::Error> {
        self.base.borrow().dump_with(&mut self.state, game, each)
    }

    /// The fields of a game's index entry that do not agree with the game as it was read, by
    /// their names in docs/formats: such an entry hides the game from searches of the program
    /// that owns the format. Nothing where the format keeps no such fields.
    ///
    /// # Errors
    /// If the fields to compare cannot be read or made.
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

    /// Whether the index lets a game pass that is searched by `query`. For a range of games
    /// [`prefilter`](Reader::prefilter) is faster.
    pub fn may_reach(&mut self, game: u64, query: &Query) -> bool {
        let mut rows = IndexRows::Numbers(Vec::new());
        self.prefilter(game..game.saturating_add(1), query, &mut rows);
        !rows.is_empty()
    }

    /// What the index says of a game. See [`SearchIndex::summarize`].
    pub fn summarize(&mut self, game: u64) -> Option<IndexSummary> {
        self.base.borrow().summarize(&mut self.state, game)
    }

    /// Shows the positions of the main line, from the first one that has the pieces of a position
    /// of `query`. See [`SearchIndex::visit_main_line`].
    ///
    /// # Errors
    /// With [`Scope::Game`](crate::Scope::Game) if only this game is damaged, after the positions
    /// before the damage.
    pub fn visit_main_line(
        &mut self,
        game: u64,
        query: &Query,
        scratch: &mut Game,
        visit: &mut Visit<'_>,
    ) -> Result<(), D::Error> {
        self.base.borrow().visit_main_line(&mut self.state, game, query, scratch, visit)
    }

    /// Replaces `name` with the name that an [`IndexSummary`] refers to.
    pub fn name(&mut self, field: NameField, id: u32, name: &mut String) {
        self.base.borrow().name(&mut self.state, field, id, name);
    }

    /// The moves that an opening code of the index stands for. See
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

/// The games of a base in order; see [`ReadGames::games`].
///
/// A damaged game is an `Err`, and the next one follows.
pub struct Games<D: ReadGames, B: Borrow<D> = D> {
    reader: Reader<D, B>,
    diagnostics: Diagnostics,
}

impl<D: ReadGames, B: Borrow<D>> Games<D, B> {
    fn new(reader: Reader<D, B>) -> Games<D, B> {
        Games { reader, diagnostics: Diagnostics::lenient() }
    }

    /// What was tolerated in the game that came last.
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

/// A named stretch of a game's bytes; see [`Reader::dump`].
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
