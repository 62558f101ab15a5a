//! What is remembered of each game to know it again.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use chess_core::{Date, Game, GameResult, Header, Token};

use crate::filter::sort_key;

/// A game: what its moves are, who played it when, and how much there is of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Card {
    /// Start position and main line.
    pub(super) moves: u64,
    pub(super) plies: u32,
    white: u32,
    black: u32,
    event: u32,
    round: u32,
    date: Date,
    result: GameResult,
    worth: Worth,
}

/// Which of two games is to stay: one that is not marked as deleted, then the longest, then what has
/// more notes, then what says more in its tags.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Worth {
    live: bool,
    notes: u32,
    tags: u32,
}

/// Shorter games are played again and again, by the same players too.
const SHORT: u32 = 24;

impl Card {
    pub(super) fn new(game: &Game, names: &mut Names) -> Card {
        let header = &game.header;
        let mut line = LineHash::start(game);
        game.main_line().for_each(|m| line.play(m.bits()));
        Card {
            moves: line.hash,
            plies: line.plies,
            white: names.id(&header.white),
            black: names.id(&header.black),
            event: names.id(&header.event),
            round: names.id(&header.round),
            date: header.date,
            result: header.result,
            worth: Worth { live: !header.deleted, notes: notes(game), tags: known_tags(header) },
        }
    }

    /// Whether both may be the same game: their headers agree as far as both know them.
    pub(super) fn agrees(&self, other: &Card, names: &Names) -> bool {
        let results = [self.result, other.result];
        let same_result = self.result == other.result || results.contains(&GameResult::Unknown);
        let short = self.plies.min(other.plies) < SHORT;
        let people = if short { people_agree } else { families_agree };
        same_result
            && dates_agree(self.date, other.date)
            && names.agree(self.white, other.white, people)
            && names.agree(self.black, other.black, people)
            && names.agree(self.round, other.round, rounds_agree)
            && (!short
                || self.date == other.date && self.date.day().is_some()
                || names.agree(self.event, other.event, events_agree))
    }

    /// Whether players of both sides are known, so that a short game is not found in any other.
    pub(super) fn has_players(&self) -> bool {
        self.white != UNKNOWN && self.black != UNKNOWN
    }

    /// Whether this one is rather to stay than the other.
    pub(super) fn is_worth_more(&self, other: &Card) -> bool {
        self.worth > other.worth
    }
}

/// The hash of a line, move by move.
#[derive(Clone, Copy)]
pub(super) struct LineHash {
    pub(super) hash: u64,
    pub(super) plies: u32,
}

impl LineHash {
    pub(super) fn start(game: &Game) -> LineHash {
        let hash = match game.setup() {
            None => 0,
            Some(setup) => {
                let mut hasher = DefaultHasher::new();
                setup.position().without_clocks().hash(&mut hasher);
                hasher.finish()
            }
        };
        LineHash { hash, plies: 0 }
    }

    /// SplitMix64's way to mix.
    pub(super) fn play(&mut self, m: u16) {
        let mut x = self.hash.wrapping_add(u64::from(m)).wrapping_add(0x9e37_79b9_7f4a_7c15);
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        self.hash = x ^ x >> 31;
        self.plies = self.plies.saturating_add(1);
    }
}

/// Texts by number, each in plain small letters once.
#[derive(Debug, Default)]
pub(super) struct Names {
    ids: HashMap<String, u32>,
    folded: Vec<String>,
}

/// The number of what is not known.
const UNKNOWN: u32 = u32::MAX;

impl Names {
    fn id(&mut self, text: &str) -> u32 {
        if let Some(id) = self.ids.get(text) {
            return *id;
        }
        let folded = sort_key(text);
        let is_known = folded.bytes().any(|byte| byte.is_ascii_alphanumeric());
        let id = match u32::try_from(self.folded.len()) {
            Ok(id) if is_known => {
                self.folded.push(folded);
                id
            }
            _ => UNKNOWN,
        };
        self.ids.insert(text.to_owned(), id);
        id
    }

    fn agree(&self, one: u32, other: u32, agree: fn(&str, &str) -> bool) -> bool {
        let text = |id: u32| usize::try_from(id).ok().and_then(|id| self.folded.get(id));
        match (text(one), text(other)) {
            (Some(one), Some(other)) => one == other || agree(one, other),
            _ => true,
        }
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty())
}

/// `carlsen, m` and `magnus carlsen`: every word of the shorter name is in the longer, or an initial
/// of one there, and one is there in full.
fn people_agree(one: &str, other: &str) -> bool {
    let (few, many) =
        if words(one).count() <= words(other).count() { (one, other) } else { (other, one) };
    let fits = |a: &str, b: &str| a == b || (a.len().min(b.len()) == 1 && a.get(..1) == b.get(..1));
    words(few).all(|word| words(many).any(|longer| fits(word, longer)))
        && words(few).any(|word| word.len() > 1 && words(many).any(|longer| longer == word))
}

/// `tartakower, saviely` and `savielly tartakower`: a word of the family name is enough where the
/// moves leave no doubt. It stands before the comma, if there is one.
fn families_agree(one: &str, other: &str) -> bool {
    fn family(name: &str) -> impl Iterator<Item = &str> {
        words(name.split(',').next().unwrap_or_default())
    }
    people_agree(one, other)
        || family(one).any(|word| word.len() > 3 && family(other).any(|other| other == word))
}

/// `3` and `3.1`, but not `3.1` and `3.2`.
fn rounds_agree(one: &str, other: &str) -> bool {
    words(one)
        .zip(words(other))
        .all(|(one, other)| one.trim_start_matches('0') == other.trim_start_matches('0'))
}

/// A word of some length in common.
fn events_agree(one: &str, other: &str) -> bool {
    words(one).any(|word| word.len() > 3 && words(other).any(|other| other == word))
}

fn dates_agree(one: Date, other: Date) -> bool {
    let ((year, month, day), (other_year, other_month, other_day)) = (one.parts(), other.parts());
    let agree = |one: u16, other: u16| one == other || one == 0 || other == 0;
    agree(year, other_year)
        && agree(month.into(), other_month.into())
        && agree(day.into(), other_day.into())
}

fn notes(game: &Game) -> u32 {
    let count = |token: Token<'_>| match token {
        Token::Comment(text) => u32::try_from(text.len()).unwrap_or(u32::MAX),
        _ => 1,
    };
    let all = game.tokens().map(count).fold(0u32, u32::saturating_add);
    let moves = u32::try_from(game.ply_count()).unwrap_or(u32::MAX);
    all.saturating_sub(moves)
}

fn known_tags(header: &Header) -> u32 {
    let mut known = 0u32;
    header.for_each_tag(|_, value| {
        let is_known = |text: &str| {
            text.bytes().any(|letter| !matches!(letter, b'?' | b'.' | b'*' | b'-' | b' '))
        };
        let one_more = value.as_str().map_or_else(|| is_known(&value.to_string()), is_known);
        known = known.saturating_add(u32::from(one_more));
    });
    known
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_agree_as_far_as_both_know() {
        let card = |tags: &[(&str, &str)], names: &mut Names| {
            let mut game = Game::new();
            tags.iter().for_each(|(name, value)| game.header.set(name, value));
            ["e2e4", "e7e5"]
                .iter()
                .cycle()
                .take(30)
                .for_each(|m| game.push_move(m.parse().unwrap()));
            Card::new(&game, names)
        };
        let full = [
            ("White", "Carlsen, Magnus"),
            ("Black", "Anand, V"),
            ("Date", "2013.11.09"),
            ("Round", "1"),
            ("Result", "1/2-1/2"),
        ];
        for (tags, agrees) in [
            (&[][..], true),
            (&[("White", "Carlsen,M")], true),
            (&[("White", "Magnus Carlsen")], true),
            (&[("White", "Carlsen, Mangus")], true),
            (&[("White", "Karlsen, Magnus")], false),
            (&[("White", "Magnus T. Carlsen")], true),
            (&[("White", "M")], false),
            (&[("Black", "Anand,Viswanathan")], true),
            (&[("Date", "2013.??.??")], true),
            (&[("Date", "2013.11.10")], false),
            (&[("Round", "1.3")], true),
            (&[("Round", "2")], false),
            (&[("Result", "1-0")], false),
        ] {
            let mut names = Names::default();
            let (one, other) = (card(&full, &mut names), card(tags, &mut names));
            assert_eq!(one.agrees(&other, &names), agrees, "{tags:?}");
            assert_eq!(other.agrees(&one, &names), agrees, "{tags:?}");
        }
    }

    #[test]
    fn the_best_annotated_stays() {
        let mut names = Names::default();
        let mut game = Game::new();
        game.push_move("e2e4".parse().unwrap());
        let plain = Card::new(&game, &mut names);
        game.push_comment("best by test").unwrap();
        let annotated = Card::new(&game, &mut names);
        assert_eq!(plain.moves, annotated.moves);
        assert!(annotated.is_worth_more(&plain));
        game.header.deleted = true;
        assert!(plain.is_worth_more(&Card::new(&game, &mut names)));
    }
}
