//! A range of sorted games, as a base.

use std::ops::Range;
use std::sync::Arc;

use chess_core::{Game, Header, Move};
use chess_store::erased::{Database, GameReader};
use chess_store::{
    About, AnyError, Describe, Diagnostics, Encoding, Fact, Field, GuidingText, IndexRows,
    IndexSummary, NameField, Query, Visit,
};

use super::Inner;

/// A database over a range of sorted games.
#[derive(Clone)]
pub(super) struct Part {
    all: Arc<Inner>,
    games: Range<u64>,
}

impl Part {
    pub(super) fn new(all: Arc<Inner>, games: Range<u64>) -> Part {
        Part { all, games }
    }

    /// Returns the bases whose guiding texts belong to this part. Sorting leaves texts without a
    /// place, so they come before the first game of all.
    fn texts(&self) -> impl Iterator<Item = &dyn Database> {
        let bases = self.all.bases.iter().filter(|base| self.games.start == 0 && base.with_texts);
        bases.map(|base| &*base.games)
    }

    /// Maps a game number of the base to a number in this part.
    fn number_of(&self, own: u64) -> Option<u64> {
        let mut numbers = self.games.clone();
        numbers
            .position(|game| self.all.place(game).is_some_and(|place| place.number == own))
            .map(|place| place as u64)
    }
}

impl Database for Part {
    fn len(&self) -> u64 {
        self.games.end.saturating_sub(self.games.start)
    }

    fn reader(&self) -> Box<dyn GameReader + Send + '_> {
        Box::new(PartReader::new(self.clone()))
    }

    fn into_reader<'a>(self: Arc<Self>) -> Box<dyn GameReader + Send + 'a>
    where
        Self: 'a,
    {
        Box::new(PartReader::new(Part::clone(&self)))
    }

    fn check(&self) -> Result<Vec<String>, AnyError> {
        Ok(Vec::new())
    }
}

impl Describe for Part {
    fn about(&self) -> About {
        let mut about = self.all.about.clone();
        let own = about.get(Fact::DefaultGame).and_then(|value| value.parse::<u64>().ok());
        if let Some(own) = own.and_then(|number| number.checked_sub(1)) {
            let number = self.number_of(own).and_then(|number| number.checked_add(1));
            let value = number.map(|number| number.to_string()).unwrap_or_default();
            about.set(Fact::DefaultGame, value);
        }
        about
    }

    fn encoding(&self) -> Option<Encoding> {
        let mut encodings = self.all.bases.iter().map(|source| source.games.encoding());
        let first = encodings.next().flatten();
        first.filter(|_| encodings.all(|other| other == first))
    }

    fn text_count(&self) -> u64 {
        self.texts().map(Describe::text_count).fold(0, u64::saturating_add)
    }

    fn text(&self, mut number: u64) -> Result<Option<GuidingText>, AnyError> {
        for base in self.texts() {
            let count = base.text_count();
            if number < count {
                let text = base.text(number)?;
                return Ok(text.map(|mut text| {
                    text.games_before = 0;
                    text
                }));
            }
            number = number.saturating_sub(count);
        }
        Ok(None)
    }
}

/// Reads games with one reader per base.
struct PartReader {
    part: Part,
    readers: Vec<Box<dyn GameReader + Send>>,
}

impl PartReader {
    fn new(part: Part) -> PartReader {
        let bases = part.all.bases.iter();
        let readers = bases.map(|source| Arc::clone(&source.games).into_reader()).collect();
        PartReader { part, readers }
    }

    /// Returns the reader of a game, and the number of the game in that reader.
    fn find(
        &mut self,
        game: u64,
    ) -> Result<(&mut (dyn GameReader + Send + 'static), u64), AnyError> {
        let number = self.part.games.start.checked_add(game);
        let number = number.filter(|number| *number < self.part.games.end);
        let place = number.and_then(|number| self.part.all.place(number));
        place
            .and_then(|place| {
                let reader = self.readers.get_mut(place.base as usize)?;
                Some((&mut **reader, place.read_as))
            })
            .ok_or_else(|| no_such_game(game))
    }
}

fn no_such_game(game: u64) -> AnyError {
    let at = chess_store::Location::default().in_game(game);
    crate::lines::Error::new(crate::lines::ErrorKind::NoSuchGame, at).into()
}

impl GameReader for PartReader {
    fn header(
        &mut self,
        game: u64,
        header: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), AnyError> {
        let (reader, number) = self.find(game)?;
        reader.header(number, header, diagnostics)
    }

    fn full_header(
        &mut self,
        game: u64,
        header: &mut Header,
        diagnostics: &mut Diagnostics,
    ) -> Result<bool, AnyError> {
        let (reader, number) = self.find(game)?;
        reader.full_header(number, header, diagnostics)
    }

    fn game(
        &mut self,
        game: u64,
        into: &mut Game,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), AnyError> {
        let (reader, number) = self.find(game)?;
        reader.game(number, into, diagnostics)
    }

    fn dump(&mut self, game: u64, each: &mut dyn FnMut(Field)) -> Result<(), AnyError> {
        let (reader, number) = self.find(game)?;
        reader.dump(number, each)
    }

    fn verify(&mut self, game: u64, decoded: &Game) -> Result<Vec<&'static str>, AnyError> {
        let (reader, number) = self.find(game)?;
        reader.verify(number, decoded)
    }

    // Summaries are not forwarded, because each base has its own ids for names and openings.

    fn prefilter(&mut self, range: Range<u64>, query: &Query, rows: &mut IndexRows) {
        let mut one = IndexRows::Numbers(Vec::new());
        for game in range {
            let Ok((reader, number)) = self.find(game) else { continue };
            reader.prefilter(number..number.saturating_add(1), query, &mut one);
            if !one.is_empty() {
                rows.push_with(game, || None);
                one.clear();
            }
        }
    }

    fn summarize(&mut self, _: u64) -> Option<IndexSummary> {
        None
    }

    fn may_match(&mut self, game: u64, query: &Query) -> bool {
        let Ok((reader, number)) = self.find(game) else { return true };
        reader.may_match(number, query)
    }

    fn visit_main_line(
        &mut self,
        game: u64,
        query: &Query,
        scratch: &mut Game,
        visit: &mut Visit<'_>,
    ) -> Result<(), AnyError> {
        let (reader, number) = self.find(game)?;
        reader.visit_main_line(number, query, scratch, visit)
    }

    fn name(&mut self, _: NameField, _: u32, name: &mut String) {
        name.clear();
    }

    fn opening_moves(&self, _: u8) -> &'static [Move] {
        &[]
    }
}
