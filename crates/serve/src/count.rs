//! Counts the moves that were played in a position.

mod indexed;

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use scoresheet::chess_core::{Color, Date, Elo, Game, GameResult, Header, Move, Position, Variant};
use scoresheet::chess_store::{Diagnostics, NameField, Query, visit_game};
use scoresheet::filter::{KnownNames, Prefilter, SUMMARY_CHUNK};
use scoresheet::position_index::{mode_of, speed_of};
use scoresheet::{Filter, GameReader, par_chunks};

pub(crate) use indexed::count_heavy;

use crate::question::{Question, Refusal};
use crate::{Cancel, Source};

/// The most games of a list that an answer can have, and the games that are left out of the other list.
const TOP: usize = 15;
const RECENT: usize = 12;

/// The games of a position.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) moves: Vec<(Move, Tally)>,
    /// The games with the highest ratings, the highest first.
    pub(crate) top: Vec<Found>,
    /// The newest games, the newest first.
    pub(crate) recent: Vec<Found>,
    /// White's wins, draws and Black's wins by year and month.
    pub(crate) months: BTreeMap<(u16, u8), [u64; 3]>,
}

/// The games with one move.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    /// White's wins, draws, Black's wins.
    pub(crate) results: [u64; 3],
    /// Sum and number of the known ratings of the player who moves.
    pub(crate) own: (u64, u64),
    /// Sum and number of the known ratings of the opponents of the player who is asked for, and the half
    /// points against them.
    pub(crate) met: (u64, u64, u64),
    /// A game with the move.
    pub(crate) game: Option<Found>,
}

impl Tally {
    pub(crate) fn games(&self) -> u64 {
        self.results.iter().fold(0, |sum, count| sum.saturating_add(*count))
    }

    fn merge(&mut self, other: &Tally) {
        let add = |to: &mut u64, more: u64| *to = to.saturating_add(more);
        for (to, more) in self.results.iter_mut().zip(other.results) {
            add(to, more);
        }
        add(&mut self.own.0, other.own.0);
        add(&mut self.own.1, other.own.1);
        add(&mut self.met.0, other.met.0);
        add(&mut self.met.1, other.met.1);
        add(&mut self.met.2, other.met.2);
        self.game = self.game.or(other.game);
    }
}

/// A game, and the move that it played in the position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    /// The index of the base.
    pub(crate) source: usize,
    /// The number in the base.
    pub(crate) number: u64,
    pub(crate) m: Move,
    ratings: u32,
    date: (u16, u8, u8),
}

impl Found {
    fn top_key(&self) -> (u32, (u16, u8, u8), usize, u64) {
        (self.ratings, self.date, self.source, self.number)
    }

    fn recent_key(&self) -> ((u16, u8, u8), usize, u64) {
        (self.date, self.source, self.number)
    }
}

/// Adds a game to a list of the `most` games with the greatest keys.
fn insert<K: Ord>(list: &mut Vec<Found>, found: Found, most: usize, key: impl Fn(&Found) -> K) {
    if list.len() >= most && list.last().is_some_and(|last| key(last) >= key(&found)) {
        return;
    }
    let place = list.partition_point(|other| key(other) > key(&found));
    if place < most {
        list.truncate(most.saturating_sub(1));
        list.insert(place, found);
    }
}

/// The facts of a game that an index has.
#[derive(Clone, Copy, Debug, Default)]
struct Facts {
    result: GameResult,
    date: Date,
    elo: [Option<Elo>; 2],
}

impl Counts {
    /// Counts the games of all bases that a question asks for.
    pub(crate) fn of(
        sources: &[Source],
        question: &Question,
        threads: usize,
        cancel: &Cancel,
    ) -> Result<Counts, Refusal> {
        let mut counts = Counts::default();
        for (number, source) in sources.iter().enumerate().filter(|_| question.is_standard) {
            let all = 0..source.games();
            let counted = indexed::count(source, number, question, threads, cancel);
            counts.merge(counted.unwrap_or_else(|| {
                count(source, number, question, threads, cancel, Ranges::All(all))
            }));
            question.filter.answer().map_err(|error| Refusal(error.to_string()))?;
        }
        // The order of equal moves does not depend on the threads.
        counts.moves.sort_by_key(|(m, tally)| (std::cmp::Reverse(tally.games()), m.bits()));
        Ok(counts)
    }

    /// Returns the counts with another index of the base.
    fn of_source(mut self, source: usize) -> Counts {
        let games = self.moves.iter_mut().filter_map(|(_, tally)| tally.game.as_mut());
        let games = games.chain(&mut self.top).chain(&mut self.recent);
        games.for_each(|found| found.source = source);
        self
    }

    /// Returns White's wins, draws and Black's wins.
    pub(crate) fn results(&self) -> [u64; 3] {
        let mut all = Tally::default();
        self.moves.iter().for_each(|(_, tally)| all.merge(tally));
        all.results
    }

    fn add(&mut self, question: &Question, facts: &Facts, found: Found) {
        let Facts { result, date, elo } = *facts;
        let [white, black] = elo;
        let rating = |elo: Option<Elo>| elo.map_or(0, |elo| u64::from(elo.get()));
        let (white, black) = (rating(white), rating(black));
        let (place, white_half_points, black_half_points) = match result {
            GameResult::White => (0, 2, 0),
            GameResult::Draw => (1, 1, 1),
            _ => (2, 0, 2),
        };
        self.bring_last(found.m);
        if let Some((_, tally)) = self.moves.last_mut() {
            let add = |to: &mut u64, more: u64| *to = to.saturating_add(more);
            tally.results.get_mut(place).into_iter().for_each(|count| add(count, 1));
            let own = if question.position.turn() == Color::White { white } else { black };
            add(&mut tally.own.0, own);
            add(&mut tally.own.1, u64::from(own > 0));
            if let Some((_, color)) = &question.player {
                let is_white = *color == Color::White;
                let met = if is_white { black } else { white };
                let points = if is_white { white_half_points } else { black_half_points };
                add(&mut tally.met.0, met);
                add(&mut tally.met.1, u64::from(met > 0));
                add(&mut tally.met.2, if met > 0 { points } else { 0 });
            }
            tally.game.get_or_insert(found);
        }
        insert(&mut self.top, found, TOP, Found::top_key);
        insert(&mut self.recent, found, RECENT, Found::recent_key);
        if let (true, (year @ 1.., month @ 1.., _)) = (question.has_history, date.parts())
            && let Some(count) = self.months.entry((year, month)).or_default().get_mut(place)
        {
            *count = count.saturating_add(1);
        }
    }

    /// Makes the last of the moves this one. A position index passes all games with a move one after the other.
    fn bring_last(&mut self, m: Move) {
        if self.moves.last().is_none_or(|(last, _)| *last != m) {
            let place = self.moves.iter().position(|(known, _)| *known == m);
            let known = place.map(|place| self.moves.remove(place));
            self.moves.push(known.unwrap_or((m, Tally::default())));
        }
    }

    fn merge(&mut self, other: Counts) {
        for (m, tally) in other.moves {
            match self.moves.iter_mut().find(|(own, _)| *own == m) {
                Some((_, own)) => own.merge(&tally),
                None => self.moves.push((m, tally)),
            }
        }
        other.top.into_iter().for_each(|it| insert(&mut self.top, it, TOP, Found::top_key));
        for found in other.recent {
            insert(&mut self.recent, found, RECENT, Found::recent_key);
        }
        for (month, results) in other.months {
            let own = self.months.entry(month).or_default();
            for (to, more) in own.iter_mut().zip(results) {
                *to = to.saturating_add(more);
            }
        }
    }
}

/// The games that are searched.
enum Ranges<'r> {
    All(Range<u64>),
    /// At most one game of each range has the position.
    OfOne(&'r [Range<u64>]),
}

/// Counts the games of some ranges.
fn count(
    source: &Source,
    source_number: usize,
    question: &Question,
    threads: usize,
    cancel: &Cancel,
    ranges: Ranges<'_>,
) -> Counts {
    let (ranges, is_of_one) = match &ranges {
        Ranges::All(all) => (std::slice::from_ref(all), false),
        Ranges::OfOne(ranges) => (*ranges, true),
    };
    let ended: Vec<AtomicBool> = ranges.iter().map(|_| AtomicBool::new(false)).collect();
    let of_index = question.of_index();
    let known = Arc::default();
    let new = || Search::new(question, source_number, &of_index, &known);
    let found = par_chunks(source.database(), threads, new, |search, reader, games| {
        for (range, ended) in ranges.iter().zip(&ended) {
            let end = games.end.min(range.end);
            let mut start = games.start.max(range.start);
            while start < end && !cancel.is_set() && !ended.load(Ordering::Relaxed) {
                let next = end.min(start.saturating_add(SUMMARY_CHUNK));
                let rows = search.prefilter.candidate_stats(reader, start..next);
                let numbers: Vec<u64> = rows.iter().map(|row| row.game).collect();
                for number in numbers {
                    if search.visit(reader, number) && is_of_one {
                        ended.store(true, Ordering::Relaxed);
                        break;
                    }
                }
                start = next;
            }
        }
    });
    let mut all = Counts::default();
    found.into_iter().for_each(|search| all.merge(search.counts));
    all
}

/// The search of one thread.
struct Search<'q> {
    question: &'q Question,
    source: usize,
    prefilter: Prefilter<'q>,
    query: Query,
    /// The number of pieces in the position.
    pieces: u32,
    reads_games: bool,
    /// Whether the filter selects all games, and whether it asks for their moves.
    is_open: bool,
    asks_moves: bool,
    /// Whether a name of the index means the player.
    names: HashMap<u32, bool>,
    name: String,
    game: Game,
    counts: Counts,
}

/// Buffer size of a game that is kept for reuse.
const USUAL: usize = 8 << 10;

impl<'q> Search<'q> {
    fn new(
        question: &'q Question,
        source: usize,
        of_index: &'q Filter,
        known: &Arc<KnownNames>,
    ) -> Search<'q> {
        Search {
            question,
            source,
            prefilter: Prefilter::sharing(of_index, Arc::clone(known)),
            query: Query::new(&[question.position]),
            pieces: question.position.occupied().count(),
            is_open: question.filter.is_open(),
            asks_moves: question.filter.asks_moves(),
            reads_games: question.filter.asks_moves() || question.asks_tags(),
            names: HashMap::new(),
            name: String::new(),
            game: Game::new(),
            counts: Counts::default(),
        }
    }

    /// Counts a game if it is asked for. Returns whether it has played a move in the position.
    fn visit(&mut self, reader: &mut dyn GameReader, number: u64) -> bool {
        let question = self.question;
        if !self.is_of_player(reader, number) {
            return false;
        }
        let (position, pieces) = (&question.position, self.pieces);
        let (mut facts, mut last) = (None, None);
        let mut visit = |header: &Header, at: &Position, m: Option<Move>| {
            facts.get_or_insert(Facts {
                result: header.result,
                date: header.date,
                elo: [header.white_elo, header.black_elo],
            });
            if at.same_position(position) {
                // A position that is repeated counts with the last move.
                last = m.or(last);
            }
            at.occupied().count() >= pieces
        };
        self.game.clear();
        let mut notes = Diagnostics::lenient();
        if self.reads_games {
            // A damaged game counts up to the damage.
            let _ = reader.game(number, &mut self.game, &mut notes);
            let game = &self.game;
            if !question.filter.selects(game) || !question.has_tags(speed_of(game), mode_of(game)) {
                return false;
            }
            visit_game(&self.game, &self.query, &mut visit);
        } else {
            let _ = reader.visit_main_line(number, &self.query, &mut self.game, &mut visit);
        }
        let is_chess = !matches!(self.game.variant(), Variant::Unsupported(_));
        let is_usual = is_chess && self.game.setup().is_none();
        self.game.trim(USUAL);
        let Some((facts, m)) = facts.zip(last) else { return false };
        if is_usual {
            self.count(&facts, number, m);
        }
        true
    }

    /// Counts a game if its facts are asked for.
    fn count(&mut self, facts: &Facts, number: u64, m: Move) {
        let question = self.question;
        let [white, black] = facts.elo;
        let elo = [white.map(Elo::get), black.map(Elo::get)];
        if facts.result == GameResult::Unknown
            || !question.has_date(facts.date)
            || !question.has_ratings(elo)
        {
            return;
        }
        let ratings = elo.iter().flatten().fold(0, |sum, elo| u32::from(*elo).saturating_add(sum));
        let (source, date) = (self.source, facts.date.parts());
        self.counts.add(question, facts, Found { source, number, m, ratings, date });
    }

    /// Returns whether the player who is asked for, if any, has the colour that is asked for.
    fn is_of_player(&mut self, reader: &mut dyn GameReader, number: u64) -> bool {
        let Some((player, color)) = &self.question.player else { return true };
        let is_white = *color == Color::White;
        let Some(summary) = reader.summarize(number) else {
            let header = &mut self.game.header;
            let read = reader.header(number, header, &mut Diagnostics::lenient());
            let name = if is_white { &header.white } else { &header.black };
            return read.is_ok() && name.to_lowercase() == *player;
        };
        let field = if is_white { NameField::White } else { NameField::Black };
        self.is_player(reader, field, summary.name(field))
    }

    /// Returns whether a name of the index is the player's.
    fn is_player(&mut self, reader: &mut dyn GameReader, field: NameField, id: u32) -> bool {
        let Some((player, _)) = &self.question.player else { return true };
        *self.names.entry(id).or_insert_with(|| {
            reader.name(field, id, &mut self.name);
            self.name.to_lowercase() == *player
        })
    }
}
