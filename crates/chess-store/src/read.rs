//! Bases of which any game can be had by its number.

use std::borrow::Borrow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

use chess_core::{Game, Header, Move, Position};

use crate::about::About;
use crate::diagnostics::{Diagnostics, Warning};
use crate::encoding::Encoding;
use crate::error::AnyError;
use crate::summary::{NameField, Outcome, Summaries, Summary};
use crate::targets::{Prospect, Targets};

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

    /// Whether [`follow_with`](ReadGames::follow_with) is cheaper than to read the game.
    const FOLLOWS: bool = false;

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

    /// See [`Reader::may_reach`].
    fn may_reach_with(&self, state: &mut Self::State, game: u64, position: &Position) -> bool {
        let _ = (state, game, position);
        true
    }

    /// See [`Reader::candidates`].
    fn candidates_with(
        &self,
        state: &mut Self::State,
        games: Range<u64>,
        positions: &[Position],
        found: &mut Vec<u64>,
    ) {
        for game in games {
            if positions.iter().any(|position| self.may_reach_with(state, game, position)) {
                found.push(game);
            }
        }
    }

    /// Walks along the main line of a game from the usual start position, without reading the game,
    /// for as long as `each` wants. `false` where only reading it tells how it goes on, or begins:
    /// it may be damaged.
    fn walk_with(&self, state: &mut Self::State, game: u64, each: &mut Walk<'_>) -> bool {
        let _ = (state, game, each);
        false
    }

    /// See [`Reader::glance`].
    fn glance_with(&self, state: &mut Self::State, game: u64, targets: &Targets) -> bool {
        let mut comes = false;
        let each = &mut |position: &Position, _| {
            let prospect = targets.prospect(position);
            comes |= prospect == Prospect::There;
            prospect == Prospect::Later
        };
        let is_sure = self.walk_with(state, game, each);
        comes || !is_sure
    }

    /// See [`Reader::summary`].
    fn summary_with(&self, state: &mut Self::State, game: u64, summary: &mut Summary) -> bool {
        let _ = (state, game, summary);
        false
    }

    /// See [`Reader::summaries`].
    fn summaries_with(
        &self,
        state: &mut Self::State,
        games: Range<u64>,
        positions: &[Position],
        found: &mut Summaries,
    ) {
        for game in possible(self, state, games, positions) {
            let mut summary = Summary::default();
            let known = self.summary_with(state, game, &mut summary);
            found.push((game, known.then_some(summary)));
        }
    }

    /// See [`Reader::outcomes`].
    fn outcomes_with(
        &self,
        state: &mut Self::State,
        games: Range<u64>,
        positions: &[Position],
        found: &mut Vec<Outcome>,
    ) {
        found.extend(possible(self, state, games, positions).into_iter().map(Outcome::new));
    }

    /// See [`Reader::opening`].
    fn opening(code: u8) -> &'static [Move] {
        let _ = code;
        &[]
    }

    /// See [`Reader::name`].
    fn name_with(&self, state: &mut Self::State, field: NameField, id: u32, name: &mut String) {
        let _ = (state, field, id);
        name.clear();
    }

    /// What is odd about the base as a whole, in sentences without a full stop: names that are not
    /// in order, counts that are wrong. Nothing where there is nothing to check beyond the games;
    /// it may take as long as reading all headers.
    ///
    /// # Errors
    /// Those of the disk.
    fn check(&self) -> Result<Vec<String>, Self::Error> {
        Ok(Vec::new())
    }

    /// See [`Reader::follow`].
    ///
    /// # Errors
    /// With [`Scope::Game`](crate::Scope::Game) if only this game is damaged.
    fn follow_with(
        &self,
        state: &mut Self::State,
        game: u64,
        scratch: &mut Game,
        visit: &mut Visit<'_>,
    ) -> Result<(), Self::Error> {
        let (mut summary, mut shown) = (Summary::default(), 0usize);
        if Self::FOLLOWS && self.summary_with(state, game, &mut summary) {
            scratch.clear();
            summary.fill(&mut scratch.header);
            let walked = self.walk_with(state, game, &mut |position, m| {
                shown = shown.saturating_add(1);
                visit(&scratch.header, position, m)
            });
            if walked {
                return Ok(());
            }
        }
        let read = self.game_with(state, game, scratch, &mut Diagnostics::lenient());
        follow(scratch, &mut |header, position, m| {
            let is_new = shown == 0;
            shown = shown.saturating_sub(1);
            !is_new || visit(header, position, m)
        });
        read
    }

    /// The facts that its owner may set.
    fn about(&self) -> About {
        About::default()
    }

    /// The encoding its texts are read in, if it is one of one byte a letter for all of them: to be
    /// used where its games are written in the same format again.
    fn encoding(&self) -> Option<Encoding> {
        None
    }

    /// What else is known of it, as names and values for people: version, layout, counts.
    fn details(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// The deviations met on opening it.
    fn warnings(&self) -> &[Warning] {
        &[]
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

/// The candidates, or all games if there are no positions.
fn possible<D: ReadGames + ?Sized>(
    base: &D,
    state: &mut D::State,
    games: Range<u64>,
    positions: &[Position],
) -> Vec<u64> {
    let mut numbers = Vec::new();
    match positions {
        [] => numbers.extend(games),
        _ => base.candidates_with(state, games, positions, &mut numbers),
    }
    numbers
}

/// Is given positions of a main line one after the other, each with the game's header and the
/// move played there, `None` at the end. Says whether it wants more.
pub type Visit<'a> = dyn FnMut(&Header, &Position, Option<Move>) -> bool + 'a;

/// Is given positions of a main line as a [`Visit`] is, without a header.
pub type Walk<'a> = dyn FnMut(&Position, Option<Move>) -> bool + 'a;

/// Walks from the usual start position for as long as `each` wants. `next` gives the move played in a
/// position, or `None` at the end; where it fails the walk ends with `false`.
pub fn walk_along<E>(
    mut next: impl FnMut(&Position) -> Result<Option<Move>, E>,
    each: &mut Walk<'_>,
) -> bool {
    let mut position = Position::start();
    loop {
        match next(&position) {
            Ok(Some(m)) if each(&position, Some(m)) => position.apply(m),
            Ok(Some(_)) => return true,
            Ok(None) => {
                each(&position, None);
                return true;
            }
            Err(_) => return false,
        }
    }
}

/// Shows the positions of a game's main line; see [`Reader::follow`].
pub fn follow(game: &Game, visit: &mut Visit<'_>) {
    let mut position = game.start_position();
    for m in game.main_line() {
        if !visit(&game.header, &position, Some(m)) {
            return;
        }
        position.apply(m);
    }
    visit(&game.header, &position, None);
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

    /// Reads the next game, replacing what `into` held; `false` when there is none.
    ///
    /// # Errors
    /// As [`game`](Reader::game); the next call reads the game after it.
    pub fn read_game(
        &mut self,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<bool, D::Error> {
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

    /// Follows the main line of a game for as long as `visit` wants, which is cheaper than to read
    /// the game where a format can leave off. The header that is shown has result, date and
    /// ratings; whatever else `scratch` holds has no meaning.
    ///
    /// # Errors
    /// With [`Scope::Game`](crate::Scope::Game) if only this game is damaged, after the positions
    /// before the damage have been shown.
    pub fn follow(
        &mut self,
        game: u64,
        scratch: &mut Game,
        visit: &mut Visit<'_>,
    ) -> Result<(), D::Error> {
        self.base.borrow().follow_with(&mut self.state, game, scratch, visit)
    }

    /// Whether a game could reach a position on its main line, as far as the index tells without
    /// reading the moves. `true` when in doubt.
    pub fn may_reach(&mut self, game: u64, position: &Position) -> bool {
        self.base.borrow().may_reach_with(&mut self.state, game, position)
    }

    /// Appends the numbers of those of a stretch of games that [may reach](Reader::may_reach) one
    /// of some positions. Meant for stretches of thousands of games.
    pub fn candidates(&mut self, games: Range<u64>, positions: &[Position], found: &mut Vec<u64>) {
        self.base.borrow().candidates_with(&mut self.state, games, positions, found);
    }

    /// Whether the main line of a game may come to the pieces and side to move of one of some
    /// positions, as a glance at its moves tells: cheaper than to [follow](Reader::follow) it.
    /// `true` when in doubt.
    pub fn glance(&mut self, game: u64, targets: &Targets) -> bool {
        self.base.borrow().glance_with(&mut self.state, game, targets)
    }

    /// What the index tells of a game, if the names and values of the [header](Reader::header) stand
    /// there as a [`Summary`] has them; else `false`: the header must be asked.
    pub fn summary(&mut self, game: u64, summary: &mut Summary) -> bool {
        self.base.borrow().summary_with(&mut self.state, game, summary)
    }

    /// Appends the [candidates](Reader::candidates) of a stretch, each with its
    /// [summary](Reader::summary); all of its games, if there are no positions. Quicker than one
    /// after the other. Meant for stretches of hundreds of games.
    pub fn summaries(&mut self, games: Range<u64>, positions: &[Position], found: &mut Summaries) {
        self.base.borrow().summaries_with(&mut self.state, games, positions, found);
    }

    /// As [`summaries`](Reader::summaries), only what statistics count.
    pub fn outcomes(
        &mut self,
        games: Range<u64>,
        positions: &[Position],
        found: &mut Vec<Outcome>,
    ) {
        self.base.borrow().outcomes_with(&mut self.state, games, positions, found);
    }

    /// The first moves, from the usual start position, of every game with an
    /// [opening](Summary::opening) of this number.
    #[must_use]
    pub fn opening(&self, code: u8) -> &'static [Move] {
        D::opening(code)
    }

    /// The name of a number in a [`Summary`], as the header has it; replaces what `name` held.
    pub fn name(&mut self, field: NameField, id: u32, name: &mut String) {
        self.base.borrow().name_with(&mut self.state, field, id, name);
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
