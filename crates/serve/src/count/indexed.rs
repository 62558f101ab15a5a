//! Counts by the position index of a base.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use scoresheet::GameReader;
use scoresheet::chess_core::{Color, Move};
use scoresheet::chess_store::{Diagnostics, IndexRows, NameField, Query};
use scoresheet::filter::SUMMARY_CHUNK;
use scoresheet::par_chunks;
use scoresheet::position_index::{Found, PositionIndex};

use super::{Counts, Facts, Ranges, Search};
use crate::question::{Kind, Question};
use crate::{Cancel, Source};

/// The games that a thread takes at a time.
const PIECE: usize = 1 << 14;

/// A position of more games is counted once.
const HEAVY: usize = if cfg!(test) { 2 } else { 1 << 15 };

/// Counts the games of a base. `None` if it has no index, or if its own index decides sooner.
pub(super) fn count(
    source: &Source,
    number: usize,
    question: &Question,
    threads: usize,
    cancel: &Cancel,
) -> Option<Counts> {
    let index = source.index()?;
    let asks_all = question.asks_all() && !question.has_history;
    if asks_all && let Some(known) = source.counted(&question.position) {
        return Some(known.of_source(number));
    }
    // A damaged index is as none.
    let found = index.find(&mut *source.database().reader(), &question.position).ok()?;
    let games: usize = found.moves.iter().map(|(_, games)| games.len()).sum();
    if !question.filter.is_open() && games as u64 > source.games() / 4 {
        return None;
    }
    let work = Work { threads, cancel, after: None };
    let counts = count_found(source, number, question, &work, (index, &found));
    // A part of the counts is none.
    if games >= HEAVY && asks_all && !cancel.is_set() {
        source.keep_counted(&question.position, &counts);
    }
    Some(counts)
}

/// Counts the positions that many games have and keeps the counts, so that the first question finds them. It
/// takes some seconds for millions of games, and waits while requests are `running`.
pub(crate) fn count_heavy(source: &Source, cancel: &Cancel, running: &AtomicUsize) {
    let Some(index) = source.index() else { return };
    let Ok(mut question) = Question::parse(Kind::Lichess, "") else { return };
    let (mut seen, mut waiting) = (HashSet::new(), VecDeque::from([question.position]));
    while let Some(position) = waiting.pop_front() {
        let Ok(found) = index.find(&mut *source.database().reader(), &position) else { return };
        question.position = position;
        let work = Work { threads: 1, cancel, after: Some(running) };
        let counts = count_found(source, 0, &question, &work, (index, &found));
        if cancel.is_set() || !source.keep_counted(&position, &counts) {
            return;
        }
        for (m, _) in counts.moves.iter().filter(|(_, tally)| tally.games() >= HEAVY as u64) {
            let mut next = position;
            next.apply(*m);
            let next = next.without_clocks();
            if seen.insert(next) {
                waiting.push_back(next);
            }
        }
    }
}

/// How a position is counted.
struct Work<'w> {
    threads: usize,
    cancel: &'w Cancel,
    /// The number of requests that come first.
    after: Option<&'w AtomicUsize>,
}

impl Work<'_> {
    /// Waits while others come first. Returns whether to go on.
    fn goes_on(&self) -> bool {
        let waits = |running: &AtomicUsize| running.load(Ordering::Relaxed) > 0;
        while self.after.is_some_and(waits) && !self.cancel.is_set() {
            thread::sleep(Duration::from_millis(2));
        }
        !self.cancel.is_set()
    }
}

fn count_found(
    source: &Source,
    number: usize,
    question: &Question,
    how: &Work<'_>,
    (index, found): (&PositionIndex, &Found),
) -> Counts {
    let Work { threads, cancel, .. } = *how;
    let mut counts = Counts::default();
    let known = Arc::default();
    let mut open = found.open.clone();
    if !open.is_empty() {
        // The moves of `play` mostly follow a game.
        let mut reader = source.database().reader();
        let followed = index.follow(&mut *reader, &question.line, &question.position);
        let mut search = Search::new(question, number, &question.filter, &known);
        for game in followed.unwrap_or_default() {
            if let Some(place) = open.iter().position(|range| range.contains(&game)) {
                open.swap_remove(place);
                search.add_reached(&mut *reader, game);
            }
        }
        counts.merge(search.counts);
    }
    if !open.is_empty() {
        let ranges = Ranges::OfOne(&open);
        counts.merge(super::count(source, number, question, threads, cancel, ranges));
    }
    let of_player = games_of_player(source, question, threads, cancel, found);
    let of_player = of_player.map(|own| {
        let played = found.moves.iter();
        let by_move = played.map(|(m, games)| {
            let has = |game: &&u32| games.binary_search(game).is_ok();
            (*m, own.iter().filter(has).copied().collect::<Vec<_>>())
        });
        by_move.collect::<Vec<_>>()
    });
    let moves = of_player.as_ref().unwrap_or(&found.moves);
    let played = moves.iter().filter_map(|(m, games)| Some((*m.as_ref()?, games)));
    let pieces: Vec<(Move, &[u32])> =
        played.flat_map(|(m, games)| games.chunks(PIECE).map(move |piece| (m, piece))).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut search = Search::new(question, number, &question.filter, &known);
        let mut reader = source.database().reader();
        while let Some((m, games)) = pieces.get(next.fetch_add(1, Ordering::Relaxed)) {
            if !how.goes_on() {
                break;
            }
            games.iter().for_each(|game| search.add(&mut *reader, index, u64::from(*game), *m));
        }
        search.counts
    };
    thread::scope(|scope| {
        let others = threads.min(pieces.len()).saturating_sub(1);
        let running: Vec<_> = (0..others).map(|_| scope.spawn(work)).collect();
        counts.merge(work());
        for thread in running {
            let joined = thread.join();
            counts.merge(joined.unwrap_or_else(|why| std::panic::resume_unwind(why)));
        }
    });
    counts
}

/// Returns the games of the player who is asked for. `None` if the position has so few games that each is
/// looked at.
fn games_of_player(
    source: &Source,
    question: &Question,
    threads: usize,
    cancel: &Cancel,
    found: &Found,
) -> Option<Vec<u32>> {
    let (_, color) = question.player.as_ref()?;
    if found.moves.iter().map(|(_, games)| games.len()).sum::<usize>() < HEAVY {
        return None;
    }
    let (all, known) = (Query::new(&[]), Arc::default());
    let new = || (Search::new(question, 0, &question.filter, &known), Vec::new());
    let searched = par_chunks(source.database(), threads, new, |(search, own), reader, games| {
        let mut rows = IndexRows::Names(Vec::new());
        for start in games.clone().step_by(usize::try_from(SUMMARY_CHUNK).unwrap_or(usize::MAX)) {
            if cancel.is_set() {
                return;
            }
            rows.clear();
            let end = games.end.min(start.saturating_add(SUMMARY_CHUNK));
            reader.prefilter(start..end, &all, &mut rows);
            for (game, ids) in rows.names() {
                let is_own = match (ids, color) {
                    (Some([id, ..]), Color::White) => {
                        search.is_player(reader, NameField::White, *id)
                    }
                    (Some([_, id, ..]), Color::Black) => {
                        search.is_player(reader, NameField::Black, *id)
                    }
                    (None, _) => search.is_of_player(reader, *game),
                };
                own.extend(u32::try_from(*game).ok().filter(|_| is_own));
            }
        }
    });
    Some(searched.into_iter().flat_map(|(_, own)| own).collect())
}

impl Search<'_> {
    /// Counts a game that reaches the position, if it is asked for.
    fn add_reached(&mut self, reader: &mut dyn GameReader, number: u64) {
        let games = number..number.saturating_add(1);
        if !self.prefilter.candidate_stats(reader, games).is_empty() {
            self.visit(reader, number);
        }
    }

    /// Counts a game that has played `m` in the position.
    fn add(&mut self, reader: &mut dyn GameReader, index: &PositionIndex, number: u64, m: Move) {
        let question = self.question;
        let Some(facts) = index.facts(number).filter(|facts| facts.is_usual) else { return };
        if !question.has_tags(facts.speed, facts.mode) {
            return;
        }
        if !self.is_open
            && self.prefilter.candidate_stats(reader, number..number.saturating_add(1)).is_empty()
        {
            return;
        }
        if !self.is_of_player(reader, number) {
            return;
        }
        if self.asks_moves {
            self.game.clear();
            // A damaged game counts up to the damage.
            let _ = reader.game(number, &mut self.game, &mut Diagnostics::lenient());
            if !question.filter.selects(&self.game) {
                return;
            }
        }
        let facts = Facts { result: facts.result, date: facts.date, elo: facts.elo };
        self.count(&facts, number, m);
    }
}

#[cfg(test)]
mod tests {
    use scoresheet::chess_core::Position;

    use crate::{Cancel, Explorer, Source};

    /// Positions of two games are heavy here, so that all answers come from kept counts.
    #[test]
    fn kept_counts_of_several_bases_equal_searches() {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["a", "b"].map(|name| {
            let game = |white, elo, moves| {
                format!(
                    "[White \"{white} {name}\"]\n[Black \"X\"]\n[WhiteElo \"{elo}\"]\n\
                     [BlackElo \"2300\"]\n[Date \"2001.02.03\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n\n"
                )
            };
            let games = [
                game("A", 2500, "1. e4 e5 2. Nf3"),
                game("B", 2400, "1. e4 e5 2. Nc3"),
                game("a", 2100, "1. e4 c5 2. Nf3 d6"),
                game("C", 2200, "1. d4"),
            ];
            let path = folder.path().join(format!("{name}.pgn"));
            std::fs::write(&path, games.concat()).unwrap();
            path
        });
        let open = || {
            let source = |path| Source::open(path, &Default::default(), &mut |_| ()).unwrap();
            Explorer::new(paths.iter().map(source).collect())
        };
        let plain = open();
        for path in &paths {
            scoresheet::build_position_index(path, &Default::default(), &|_| true).unwrap();
        }
        let indexed = open();
        indexed.prepare(&Cancel::default());
        let kept = |source: &Source| source.counted(&Position::start()).is_some();
        assert!(indexed.sources().iter().all(kept));
        for base in ["", "/a", "/b"] {
            for play in ["", "e2e4", "e2e4,e7e5", "e2e4,e7e5,g1f3", "e2e4,c7c5,g1f3", "d2d4"] {
                for question in [
                    "masters?",
                    "lichess?",
                    "lichess?ratings=2200&",
                    "lichess?history=true&",
                    "player?player=a%20b&color=white&",
                    "player?player=x&color=black&",
                ] {
                    let target = format!("{base}/{question}play={play}");
                    let answer = plain.answer(&target, &Cancel::default());
                    assert_eq!(answer.status, 200, "{target}");
                    assert_eq!(indexed.answer(&target, &Cancel::default()), answer, "{target}");
                }
            }
        }
    }
}
