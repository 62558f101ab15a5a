//! Fingerprints: the data that is kept of each game for comparison.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use chess_core::{Color, Date, Elo, Game, GameResult, Header, Token, is_typed};
use chess_store::Trim as _;
use names::Person;

use crate::names::{Id, Interner, Names, words};
use crate::proof::Proof;

/// The fingerprint of a game: hash of the moves, ids of names, date, result, and quality.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fingerprint {
    /// Hash of the start position and the main line.
    pub(crate) moves: u64,
    pub(crate) plies: u32,
    /// Hash of the start position and the first [`OPENING`] plies; zero for shorter games.
    pub(crate) opening: u64,
    /// The offset of the main line among the bytes of all games.
    pub(crate) line: usize,
    pub(crate) white: Id,
    pub(crate) black: Id,
    /// The ratings of White and Black.
    pub(crate) elos: [Option<Elo>; 2],
    pub(crate) event: Id,
    pub(crate) round: Id,
    pub(crate) date: Date,
    pub(crate) result: GameResult,
    pub(crate) quality: Quality,
    pub(crate) proof: Proof,
    /// Hash of all tokens and tags if a player is unknown; else zero.
    pub(crate) whole: u64,
}

/// Which of two duplicates to keep. Games not marked as deleted come first, then more annotations,
/// then more known tags.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(crate) struct Quality {
    live: bool,
    notes: u32,
    tags: u32,
}

/// A field of [`Fingerprint::values`].
pub(crate) type Field = u8;

const PLAYERS: Field = 1;
const ROUND: Field = 2;
const DATE: Field = 3;
/// The first of the identifiers.
const PROOF: Field = 4;
/// The number of fields.
pub(crate) const FIELDS: usize = PROOF as usize + crate::proof::KINDS;

/// Names with more words are not looked up by their words.
const MAX_WORDS: usize = 8;

/// Games with fewer plies are often repeated, even by the same players.
pub(crate) const SHORT: u32 = 24;

/// Games with more plies are hardly repeated: moves tell more than a date.
pub(crate) const LONG: u32 = 40;

/// Games with other moves are compared if their first plies are the same.
pub(crate) const OPENING: u32 = 16;

/// The capacity of a name's buffer that is kept.
const USUAL_NAME: usize = 1 << 10;

/// A game, reduced to the facts that are compared. The memory is reused from game to game.
#[derive(Clone, Debug, Default)]
pub struct Reduced {
    pub(crate) fingerprint: Option<Fingerprint>,
    /// A byte for each ply.
    pub(crate) line: Vec<u8>,
}

impl Reduced {
    /// Empties it, and frees the memory of an unusually long game.
    pub fn clear(&mut self) {
        self.fingerprint = None;
        self.line.clear();
        self.line.trim(USUAL_LINE);
    }
}

/// The capacity of the bytes of a game that is kept.
const USUAL_LINE: usize = 1 << 10;

/// Reduces games on one of several threads.
#[derive(Debug)]
pub struct Fingerprinter<'a> {
    interner: &'a Interner<'a>,
    event: LastName,
    round: LastName,
}

/// The last name and its id. Consecutive games often share event and round.
#[derive(Debug, Default)]
struct LastName(Option<(String, Id)>);

impl LastName {
    fn id(&mut self, name: &str, interner: &Interner<'_>) -> Id {
        if let Some((_, id)) = self.0.as_ref().filter(|(last, _)| last == name) {
            return *id;
        }
        let id = interner.id(name);
        let (last, last_id) = self.0.get_or_insert_with(|| (String::new(), id));
        last.clear();
        last.trim(USUAL_NAME);
        last.push_str(name);
        *last_id = id;
        id
    }
}

impl<'a> Fingerprinter<'a> {
    /// Shares the names of [`Games::adding`](crate::Games::adding) with other threads.
    #[must_use]
    pub fn new(interner: &'a Interner<'a>) -> Fingerprinter<'a> {
        Fingerprinter { interner, event: LastName::default(), round: LastName::default() }
    }

    /// Reduces a game.
    pub fn reduce(&mut self, game: &Game, into: &mut Reduced) {
        into.fingerprint = Some(self.fingerprint(game, &mut into.line));
    }

    /// Returns the fingerprint, and replaces `bytes` by a byte for each ply of the main line.
    pub(crate) fn fingerprint(&mut self, game: &Game, bytes: &mut Vec<u8>) -> Fingerprint {
        let header = &game.header;
        bytes.clear();
        let (line, opening, notes) = read(game, bytes);
        let [white, black] = [&header.white, &header.black].map(|name| self.interner.id(name));
        let event = self.event.id(&header.event, self.interner);
        let round = self.round.id(&header.round, self.interner);
        let is_named = is_player(&header.white) && is_player(&header.black);
        Fingerprint {
            moves: line.hash,
            plies: line.plies,
            opening,
            line: 0,
            white,
            black,
            elos: [header.white_elo, header.black_elo],
            event,
            round,
            date: header.date,
            result: header.result,
            quality: Quality { live: !header.deleted, notes, tags: known_tags(header) },
            proof: Proof::of(game),
            whole: if is_named { 0 } else { hash_whole(game) },
        }
    }
}

impl Fingerprint {
    /// The field of the hash of everything, which is zero if both players are known.
    pub(crate) const WHOLE: Field = 0;

    /// Returns whether both can be the same game: the headers agree where both are known, and no
    /// identifier differs. If a player is unknown, the games must be equal, because the lines of a
    /// repertoire have no players.
    pub(crate) fn agrees(&self, other: &Fingerprint, names: &Names) -> bool {
        if self.whole != 0 || other.whole != 0 {
            return self.whole == other.whole;
        }
        let results = [self.result, other.result];
        let same_result = self.result == other.result || results.contains(&GameResult::Unknown);
        let short = self.plies.min(other.plies) < SHORT;
        let people = if short { people_agree } else { families_agree };
        same_result
            && !self.proof.differs(&other.proof)
            && dates_agree(self.date, other.date)
            && names.agree(self.white, other.white, people)
            && names.agree(self.black, other.black, people)
            && names.agree(self.round, other.round, rounds_agree)
            && (!short || self.is_same_occasion(other, names))
    }

    /// Returns whether two short games have the same full date, or events with a word in common.
    fn is_same_occasion(&self, other: &Fingerprint, names: &Names) -> bool {
        let same_day = self.date == other.date && self.date.day().is_some();
        names.agree(self.event, other.event, numbers_agree)
            && (same_day || names.agree(self.event, other.event, events_agree))
    }

    /// Returns the known values of the fields on which games must agree, one field after the other.
    ///
    /// If two games [agree](Fingerprint::agrees), each field has a value in common, or none in one
    /// of the games. Names that agree share a word, and rounds their first word. A game that must
    /// agree in everything has no other field.
    pub(crate) fn values(&self, names: &Names) -> Vec<(Field, u64)> {
        let mut values = vec![(Fingerprint::WHOLE, self.whole)];
        if self.whole != 0 {
            return values;
        }
        values.extend(self.players(names));
        let round = names.words(self.round).and_then(|mut words| words.find(|w| is_number(w)));
        values.extend(round.map(|word| (ROUND, names.hash(word.trim_start_matches('0')))));
        // Days and years that are neighbours have a value in common, and so have dates with day and
        // month in the other order.
        if let Some(next) = next_day(self.date) {
            let (year, month, day) = self.date.parts();
            let swapped = (2, (year, month.min(day), month.max(day)));
            let dates = [(0, self.date.parts()), (0, next.parts()), swapped];
            values.extend(dates.map(|date| (DATE, names.hash(date))));
            if self.plies >= LONG {
                let years = [(year, month, day), (year + 1, month, day)];
                values.extend(years.map(|date| (DATE, names.hash((1, date)))));
            }
        }
        values.extend((PROOF..).zip(self.proof.values()).filter(|(_, value)| *value != 0));
        values
    }

    /// Returns each word of White's name with each of Black's. If a name has many words, it agrees
    /// with any.
    fn players(&self, names: &Names) -> Vec<(Field, u64)> {
        let mut values = Vec::new();
        let [Some(white), Some(black)] = [self.white, self.black].map(|id| names.words(id)) else {
            return values;
        };
        if [&white, &black].into_iter().all(|words| words.clone().nth(MAX_WORDS).is_none()) {
            for white in white {
                values.extend(black.clone().map(|black| (PLAYERS, names.hash((white, black)))));
            }
            // A game is once in the list of a value.
            values.sort_unstable();
            values.dedup();
        }
        values
    }

    /// Returns the name and the rating of a player.
    pub(crate) fn player(&self, color: Color) -> (Id, Option<Elo>) {
        let [white, black] = self.elos;
        match color {
            Color::White => (self.white, white),
            Color::Black => (self.black, black),
        }
    }

    /// Returns whether both players are known. Without players a short game would match any longer
    /// game.
    pub(crate) fn has_players(&self, names: &Names) -> bool {
        names.is_known(self.white) && names.is_known(self.black)
    }

    /// Returns whether this game is the better copy to keep.
    pub(crate) fn is_better_than(&self, other: &Fingerprint) -> bool {
        self.quality > other.quality
    }
}

/// An incremental hash of a line.
#[derive(Clone, Copy)]
pub(crate) struct LineHash {
    pub(crate) hash: u64,
    pub(crate) plies: u32,
}

impl LineHash {
    pub(crate) fn start(game: &Game) -> LineHash {
        let hash = match game.setup() {
            // A FEN of the usual start is no FEN.
            Some(setup) if !setup.is_usual() => {
                let mut hasher = DefaultHasher::new();
                setup.position().without_clocks().hash(&mut hasher);
                hasher.finish()
            }
            _ => 0,
        };
        LineHash { hash, plies: 0 }
    }

    /// Folds both halves of a 128-bit product: one multiplication per move.
    #[allow(clippy::cast_possible_truncation, reason = "the halves")]
    pub(crate) fn play(&mut self, m: u16) {
        let x = self.hash ^ (u64::from(m) << 32 | 0x9e37_79b9);
        let product = u128::from(x).wrapping_mul(0x94d0_49bb_1331_11eb_bf58_476d_1ce4_e5b9);
        self.hash = (product >> 64) as u64 ^ product as u64;
        self.plies += 1;
    }
}

/// Returns the next day of a date whose parts are all known.
pub(crate) fn next_day(date: Date) -> Option<Date> {
    let (year, month, day) = date.parts();
    let (_, last) = Date::new(year, month, 0)?.days()?;
    match (day, month) {
        (0, _) | (_, 0) => None,
        _ if Some(day) < last.day() => Date::new(year, month, day + 1),
        (_, 12) => Date::new(year + 1, 1, 1),
        _ => Date::new(year, month + 1, 1),
    }
}

/// Compares `carlsen, m` with `magnus carlsen`: both have the full surname, and an initial matches
/// only a given name.
pub(crate) fn people_agree(one: &str, other: &str) -> bool {
    // The candidates are games whose names share a word.
    let shares_word = words(one).any(|word| words(other).any(|other| other == word));
    shares_word
        && match (Person::parse(one), Person::parse(other)) {
            (Some(one), Some(other)) => one.could_be(&other),
            _ => false,
        }
}

/// Compares `tartakower, saviely` with `savielly tartakower`. For long games one word of the
/// surname is enough. The surname is the part before a comma, if there is one.
pub(crate) fn families_agree(one: &str, other: &str) -> bool {
    fn family(name: &str) -> impl Iterator<Item = &str> {
        words(name.split(',').next().unwrap_or_default())
    }
    people_agree(one, other)
        || family(one).any(|word| word.len() > 3 && family(other).any(|other| other == word))
}

/// Returns whether two names have a surname in common, and given names that exclude each other.
pub(crate) fn are_namesakes(one: &str, other: &str) -> bool {
    !people_agree(one, other) && families_agree(one, other)
}

/// Compares rounds: `3` agrees with `3.1` and `Round 3`, but `3.1` does not agree with `3.2`.
pub(crate) fn rounds_agree(one: &str, other: &str) -> bool {
    let agree = |one: &mut dyn Iterator<Item = &str>, other: &mut dyn Iterator<Item = &str>| {
        one.zip(other)
            .all(|(one, other)| one.trim_start_matches('0') == other.trim_start_matches('0'))
    };
    agree(&mut words(one), &mut words(other)) || {
        let has_words = |round| words(round).any(|word| !is_number(word));
        has_words(one) != has_words(other)
            && agree(&mut numbers(one), &mut numbers(other))
            && [one, other].iter().all(|round| numbers(round).next().is_some())
    }
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

fn numbers(text: &str) -> impl Iterator<Item = &str> {
    words(text).filter(|word| is_number(word))
}

/// Returns `false` for events with the same words and different numbers: `game 1` and `game 2`.
pub(crate) fn numbers_agree(one: &str, other: &str) -> bool {
    let (mut same_words, mut same_numbers) = (true, true);
    let mut others = words(other);
    for word in words(one) {
        let other = others.next();
        match (is_number(word), other.is_some_and(is_number)) {
            (true, true) => same_numbers &= other == Some(word),
            _ => same_words &= other == Some(word),
        }
    }
    same_numbers || !same_words || others.next().is_some()
}

/// Returns whether two events share a word of four or more letters.
pub(crate) fn events_agree(one: &str, other: &str) -> bool {
    words(one).any(|word| word.len() > 3 && words(other).any(|other| other == word))
}

pub(crate) fn dates_agree(one: Date, other: Date) -> bool {
    let ((year, month, day), (other_year, other_month, other_day)) = (one.parts(), other.parts());
    let agree = |one: u16, other: u16| one == other || one == 0 || other == 0;
    agree(year, other_year)
        && agree(month.into(), other_month.into())
        && agree(day.into(), other_day.into())
}

/// Returns the hashes of the main line and of its opening, and the amount of annotation: bytes of
/// comments plus the number of other tokens. Appends a byte for each ply to `bytes`.
fn read(game: &Game, bytes: &mut Vec<u8>) -> (LineHash, u64, u32) {
    let (mut line, mut notes, mut depth) = (LineHash::start(game), 0u32, 0u32);
    let mut opening = 0;
    for token in game.tokens() {
        match token {
            Token::Move(m) if depth == 0 => {
                line.play(m.bits());
                let [high, low] = m.bits().wrapping_mul(0x9e37).to_be_bytes();
                bytes.push(high ^ low);
                if line.plies == OPENING {
                    opening = line.hash;
                }
                continue;
            }
            Token::VariationStart => depth += 1,
            Token::VariationEnd => depth = depth.saturating_sub(1),
            Token::Move(_) | Token::Nag(_) | Token::Comment(_) => {}
        }
        notes = notes.saturating_add(match token {
            Token::Comment(text) => u32::try_from(text.len()).unwrap_or(u32::MAX),
            _ => 1,
        });
    }
    (line, opening, notes)
}

/// Returns whether a name is a known player: not `?`, `NN` or `N.N.`
fn is_player(name: &str) -> bool {
    let mut letters = name.chars().filter(|letter| letter.is_alphanumeric());
    let start = [letters.next(), letters.next(), letters.next()];
    match start {
        [None, ..] => false,
        [Some(one), Some(other), None] => {
            !(one.eq_ignore_ascii_case(&'n') && other.eq_ignore_ascii_case(&'n'))
        }
        _ => true,
    }
}

/// Hashes all tags and tokens of a game, except the deletion mark.
#[cold]
#[must_use]
pub fn hash_whole(game: &Game) -> u64 {
    let mut hasher = DefaultHasher::new();
    game.header.for_each_tag(|name, value| {
        if name != "Deleted" {
            let value = value.to_string();
            (name, says_something(&value).then_some(value)).hash(&mut hasher);
        }
    });
    for token in game.tokens() {
        match token {
            Token::Move(m) => (0, m.bits()).hash(&mut hasher),
            Token::Nag(nag) => (1, nag.0).hash(&mut hasher),
            Token::Comment(text) => (2, text).hash(&mut hasher),
            Token::VariationStart => 3.hash(&mut hasher),
            Token::VariationEnd => 4.hash(&mut hasher),
        }
    }
    hasher.finish().max(1)
}

/// Counts the tags with a known value.
fn known_tags(header: &Header) -> u32 {
    if header.tags.iter().any(|(name, _)| is_typed(name)) {
        return known_tags_as_spelt(header);
    }
    let Header { event, site, round, white, black, .. } = header;
    let texts = [event, site, round, white, black].into_iter().map(String::as_str);
    let texts = texts.chain(header.tags.iter().map(|(_, value)| value));
    let fields = [
        !header.date.is_unknown(),
        header.result != GameResult::Unknown,
        header.white_elo.is_some(),
        header.black_elo.is_some(),
        header.eco.is_some(),
        header.event_date.is_some_and(|date| !date.is_unknown()),
        header.deleted,
    ];
    let texts = texts.filter(|text| says_something(text)).count();
    let fields = fields.into_iter().filter(|known| *known).count();
    u32::try_from(texts.saturating_add(fields)).unwrap_or(u32::MAX)
}

/// Like [`known_tags`], for a header with original spellings of typed tags.
#[cold]
fn known_tags_as_spelt(header: &Header) -> u32 {
    let mut known = 0u32;
    header.for_each_tag(|_, value| {
        known = known.saturating_add(u32::from(says_something(&value.to_string())));
    });
    known
}

/// Returns whether the value of a tag is known: it has more than question marks, stars, dots, dashes and spaces.
#[must_use]
pub fn says_something(text: &str) -> bool {
    text.bytes().any(|letter| !matches!(letter, b'?' | b'.' | b'*' | b'-' | b' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fingerprint_of(game: &Game, names: &mut Names) -> Fingerprint {
        Fingerprinter::new(&names.interner()).fingerprint(game, &mut Vec::new())
    }

    #[test]
    fn agrees_headers_compares_only_known_values() {
        let fingerprint = |tags: &[(&str, &str)], names: &mut Names| {
            let mut game = Game::new();
            game.header.set("White", "Carlsen");
            game.header.set("Black", "Anand");
            tags.iter().for_each(|(name, value)| game.header.set(name, value));
            ["e2e4", "e7e5"]
                .iter()
                .cycle()
                .take(30)
                .for_each(|m| game.push_move(m.parse().unwrap()));
            fingerprint_of(&game, names)
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
            (&[("White", "Carlsen,Ma")], true),
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
            let (one, other) = (fingerprint(&full, &mut names), fingerprint(tags, &mut names));
            assert_eq!(one.agrees(&other, &names), agrees, "{tags:?}");
            assert_eq!(other.agrees(&one, &names), agrees, "{tags:?}");
        }
    }

    #[test]
    fn fingerprint_of_usual_fen_is_that_without_fen() {
        let fingerprint = |fen: &str| {
            let mut game = Game::new();
            if !fen.is_empty() {
                game.set_start_fen(fen).unwrap();
            }
            game.push_move("e2e4".parse().unwrap());
            fingerprint_of(&game, &mut Names::default()).moves
        };
        let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w";
        for (rest, is_usual) in [("KQkq - 0 1", true), ("KQkq -", true), ("KQ - 0 1", false)] {
            let same = fingerprint(&format!("{board} {rest}")) == fingerprint("");
            assert_eq!(same, is_usual, "{rest}");
        }
    }

    #[test]
    fn agrees_unknown_player_only_with_equal_game() {
        let fingerprint = |white: &str, black: &str, comment: &str, names: &mut Names| {
            let mut game = Game::new();
            game.header.set("White", white);
            game.header.set("Black", black);
            game.push_move("e2e4".parse().unwrap());
            if !comment.is_empty() {
                game.push_comment(comment).unwrap();
            }
            fingerprint_of(&game, names)
        };
        for (white, black, comment, agrees) in [
            ("Italian", "?", "", true),
            ("Italian", "", "", true),
            ("Italian", "?", "main line", false),
            ("?", "Two knights", "", false),
            ("Italian", "NN", "", false),
            ("Italian", "Giuoco", "", false),
        ] {
            let mut names = Names::default();
            let one = fingerprint("Italian", "?", "", &mut names);
            let other = fingerprint(white, black, comment, &mut names);
            assert_eq!(one.agrees(&other, &names), agrees, "{white} - {black} {comment}");
            assert_eq!(other.agrees(&one, &names), agrees, "{white} - {black} {comment}");
        }
    }

    #[test]
    fn people_agree_only_with_full_surname_in_both() {
        for (one, other, agree) in [
            ("carlsen, m", "magnus carlsen", true),
            ("adams, m", "michel, a", false),
            ("anna, k", "kasparov, anna", false),
            ("muller, k.", "muller, karl", true),
            ("anand, v", "viswanathan anand", true),
            ("botvinnik, mm", "botvinnik, mikhail m", true),
            ("ding liren", "liren ding", true),
            ("wei, y", "wei yi", true),
            ("li, chao b", "li, chao a", false),
            ("engine 1.0", "engine 1.0 dev", true),
            ("engine 1.0", "engine 2.0", false),
        ] {
            assert_eq!(people_agree(one, other), agree, "{one} / {other}");
            assert_eq!(people_agree(other, one), agree, "{other} / {one}");
        }
    }

    #[test]
    fn agrees_short_games_with_other_event_number_is_false() {
        for (one, other, agree) in [
            ("rapid game 1", "rapid game 2", false),
            ("linares 1992", "linares", true),
            ("bundesliga 1990-91", "bundesliga 1990", true),
            ("open", "open 2020", true),
            ("open 2020", "oslo 2021", true),
        ] {
            assert_eq!(numbers_agree(one, other), agree, "{one} / {other}");
        }
    }

    #[test]
    fn quality_more_annotations_is_better() {
        let mut names = Names::default();
        let mut game = Game::new();
        game.header.set("White", "A");
        game.header.set("Black", "B");
        game.push_move("e2e4".parse().unwrap());
        let plain = fingerprint_of(&game, &mut names);
        game.push_comment("best by test").unwrap();
        let annotated = fingerprint_of(&game, &mut names);
        assert_eq!(plain.moves, annotated.moves);
        assert!(annotated.is_better_than(&plain));
        game.header.deleted = true;
        assert!(plain.is_better_than(&fingerprint_of(&game, &mut names)));
    }

    #[test]
    fn known_tags_typed_or_spelt_counts_the_same() {
        let mut known = Vec::new();
        for tags in [
            &[][..],
            &[("Event", "?"), ("Site", "-"), ("White", "A"), ("Opening", "??"), ("Annotator", "B")],
            &[("Date", "????.05.??"), ("Result", "1/2-1/2"), ("WhiteElo", "2700"), ("ECO", "B90")],
            &[("Date", "????.??.??"), ("EventDate", "????.??.??"), ("BlackElo", "0")],
            &[("EventDate", "2001.??.??"), ("Deleted", "1"), ("Round", "*")],
        ] {
            let mut header = Header::default();
            tags.iter().for_each(|(name, value)| header.set(name, value));
            assert_eq!(known_tags(&header), known_tags_as_spelt(&header), "{tags:?}");
            known.push(known_tags(&header));
        }
        assert_eq!(known, [0, 2, 4, 1, 2]);
        let mut spelt = Header::default();
        spelt.set("Date", "May 2001");
        assert_eq!(known_tags(&spelt), 1);
    }

    #[test]
    fn line_hash_changed_or_swapped_moves_differs() {
        let hash = |moves: &[u16]| {
            let mut line = LineHash::start(&Game::new());
            moves.iter().for_each(|m| line.play(*m));
            (line.hash, line.plies)
        };
        let mut seen = std::collections::HashSet::new();
        for first in 0..300 {
            for second in 0..300 {
                assert!(seen.insert(hash(&[first, second])), "{first} {second}");
            }
            assert!(seen.insert(hash(&[first])) && hash(&[first, 7]).1 == 2);
        }
    }
}
