//! Completes a game by what another copy of it knows.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

use chess_core::{Date, Game, Move, Token};
use names::sort_key;

use crate::fingerprint::{dates_agree, families_agree, hash_whole, people_agree, says_something};

/// A part that a game took from another copy.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Taken {
    /// A tag.
    Tag {
        /// The name of the tag.
        name: String,
        /// The value before, if it was known.
        old: Option<String>,
        /// The value of the other copy.
        new: String,
    },
    /// Half-moves at the end.
    Moves(usize),
    /// The whole line, because some of its moves were wrong.
    Line,
    /// Comments, NAGs and variations.
    Annotations(usize),
}

/// `Result 1-0 → 0-1`, `WhiteElo 2700`, `6 half-moves more`
impl fmt::Display for Taken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Taken::Tag { name, old: Some(old), new } => write!(f, "{name} {old} → {new}"),
            Taken::Tag { name, old: None, new } => write!(f, "{name} {new}"),
            Taken::Moves(1) => f.write_str("1 half-move more"),
            Taken::Moves(count) => write!(f, "{count} half-moves more"),
            Taken::Line => f.write_str("other moves"),
            Taken::Annotations(1) => f.write_str("1 annotation"),
            Taken::Annotations(count) => write!(f, "{count} annotations"),
        }
    }
}

/// Games that took something from their duplicates.
#[derive(Clone, Debug, Default)]
pub struct Merged {
    /// By the hash of the game before.
    games: HashMap<u64, Game>,
}

impl FromIterator<(u64, Game)> for Merged {
    /// Collects games as they become, with their [hashes](hash_whole) before.
    fn from_iter<I: IntoIterator<Item = (u64, Game)>>(games: I) -> Merged {
        Merged { games: games.into_iter().collect() }
    }
}

impl FromIterator<(Game, Game)> for Merged {
    /// Collects games as they are, and as they become.
    fn from_iter<I: IntoIterator<Item = (Game, Game)>>(games: I) -> Merged {
        let games = games.into_iter().map(|(before, after)| (hash_whole(&before), after));
        Merged { games: games.collect() }
    }
}

impl Merged {
    /// Returns whether no game took anything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Replaces a game that took something. Its deletion mark stays.
    pub fn complete(&self, game: &mut Game) {
        if let Some(merged) = self.games.get(&hash_whole(game)) {
            let deleted = game.header.deleted;
            game.clone_from(merged);
            game.header.deleted = deleted;
        }
    }
}

/// Completes `game` by another copy of it, and returns what it took:
///
/// - tags that it does not know, fuller dates, and names whose beginning it has;
/// - moves at the end, if the other game continues its main line;
/// - comments, NAGs and variations that it does not have, as far as the main lines are the same.
///
/// With `corrects`, the other copy is newer, and corrects the result, the date and given names. Its
/// line replaces one that has other moves, no annotations and no more plies. Known values of other
/// tags stay.
pub fn merge(game: &mut Game, other: &Game, corrects: bool) -> Vec<Taken> {
    let mut taken = Vec::new();
    if !game.start_position().same_position(&other.start_position()) {
        return taken;
    }
    merge_tags(game, other, corrects, &mut taken);
    merge_lines(game, other, corrects, &mut taken);
    let plies = game.ply_count();
    if taken.iter().any(|taken| matches!(taken, Taken::Moves(_) | Taken::Line))
        && game.header.get("PlyCount").is_some()
    {
        game.header.put("PlyCount", &plies.to_string());
    }
    taken
}

fn merge_tags(game: &mut Game, other: &Game, corrects: bool, taken: &mut Vec<Taken>) {
    let mut tags = Vec::new();
    other.header.for_each_tag(|name, value| tags.push((name.to_owned(), value.to_string())));
    for (name, new) in tags {
        // Tags that belong to the moves or to the other base.
        let stays = ["Deleted", "FEN", "SetUp", "PlyCount", "ScidFlags"].contains(&&*name);
        if stays || !says_something(&new) {
            continue;
        }
        let old = game.header.get(&name).filter(|old| says_something(old));
        let takes = match &old {
            None => true,
            Some(old) => is_fuller(&name, old, &new) || corrects && is_correction(&name, old, &new),
        };
        if takes {
            game.header.put(&name, &new);
            taken.push(Taken::Tag { name, old, new });
        }
    }
}

fn is_fuller(name: &str, old: &str, new: &str) -> bool {
    match name {
        "Date" | "EventDate" => {
            let known = |date: Date| {
                let (year, month, day) = date.parts();
                u8::from(year != 0) + u8::from(month != 0) + u8::from(day != 0)
            };
            let [old, new] = [old, new].map(Date::parse_lenient);
            dates_agree(old, new) && known(new) > known(old)
        }
        "White" | "Black" => {
            let (old, new) = (sort_key(old), sort_key(new));
            let letters = |name: &str| name.bytes().filter(u8::is_ascii_alphanumeric).count();
            letters(&new) > letters(&old) && begins(&old, &new) && people_agree(&old, &new)
        }
        _ => false,
    }
}

/// Returns whether the letters of `name` begin with the letters of `start`. Spaces and full stops do not
/// count.
fn begins(start: &str, name: &str) -> bool {
    fn letters(name: &str) -> impl Iterator<Item = u8> {
        name.bytes().filter(|letter| letter.is_ascii_alphanumeric() || *letter == b',')
    }
    let mut name = letters(name);
    letters(start).all(|letter| name.next() == Some(letter))
}

fn is_correction(name: &str, old: &str, new: &str) -> bool {
    match name {
        "Result" => old != new,
        "Date" => {
            let [old, new] = [old, new].map(Date::parse_lenient);
            !dates_agree(old, new) && new.day().is_some()
        }
        "White" | "Black" => {
            let (old, new) = (sort_key(old), sort_key(new));
            families_agree(&old, &new) && !people_agree(&old, &new)
        }
        _ => false,
    }
}

fn merge_lines(game: &mut Game, other: &Game, corrects: bool, taken: &mut Vec<Taken>) {
    let (own, theirs): (Vec<Move>, Vec<Move>) =
        (game.main_line().collect(), other.main_line().collect());
    let common = own.iter().zip(&theirs).take_while(|(own, theirs)| own == theirs).count();
    let more = theirs.len() - common;
    if common == own.len() {
        let annotations = merge_annotations(game, other, common);
        if more > 0 {
            let from = segments(other).get(common).map_or(0, |segment| segment.end);
            let rest = (from..).map_while(|place| other.token(place));
            rest.for_each(|token| push(game, token));
            taken.push(Taken::Moves(more));
        }
        taken.extend((annotations > 0).then_some(Taken::Annotations(annotations)));
        return;
    }
    let is_bare = game.tokens().all(|token| matches!(token, Token::Move(_)));
    if common < theirs.len() && corrects && is_bare && own.len() <= theirs.len() {
        let header = std::mem::take(&mut game.header);
        *game = other.clone();
        game.header = header;
        taken.push(Taken::Line);
        return;
    }
    let annotations = merge_annotations(game, other, common);
    taken.extend((annotations > 0).then_some(Taken::Annotations(annotations)));
}

/// Adds the annotations of the first `common` plies of `other` that `game` does not have. Returns
/// their number.
fn merge_annotations(game: &mut Game, other: &Game, common: usize) -> usize {
    let (own, theirs) = (segments(game), segments(other));
    let mut new = vec![Vec::new(); own.len()];
    let mut count = 0usize;
    for ((own, theirs), new) in own.iter().zip(&theirs).zip(&mut new).take(common + 1) {
        let (own, theirs) = (annotations(game, own.clone()), annotations(other, theirs.clone()));
        new.extend(theirs.into_iter().filter(|item| !has(&own, item)));
        count += new.len();
    }
    if count == 0 {
        return 0;
    }
    let old = game.clone();
    game.clear_line();
    if let Some(setup) = old.setup()
        && game.set_start_fen(setup.fen()).is_err()
    {
        game.set_start(*setup.position());
    }
    for (segment, (new, start)) in own.iter().zip(new.iter().zip(starts(&own))) {
        (start..segment.end).filter_map(|place| old.token(place)).for_each(|t| push(game, t));
        new.iter().flatten().for_each(|token| push(game, *token));
    }
    count
}

/// The tokens of other games are balanced, and each variation has a move before it.
fn push(game: &mut Game, token: Token<'_>) {
    let _ = game.push(token);
}

/// Returns where the tokens of each segment begin, with its move.
fn starts(segments: &[Range<usize>]) -> impl Iterator<Item = usize> {
    [0].into_iter().chain(segments.iter().map(|segment| segment.end))
}

/// Returns the tokens before the first move of the main line, and behind each of its moves.
fn segments(game: &Game) -> Vec<Range<usize>> {
    let (mut segments, mut start, mut depth) = (Vec::new(), 0, 0u32);
    let mut end = 0;
    for (place, token) in game.tokens().enumerate() {
        match token {
            Token::Move(_) if depth == 0 => {
                segments.push(start..place);
                start = place + 1;
            }
            Token::VariationStart => depth += 1,
            Token::VariationEnd => depth = depth.saturating_sub(1),
            _ => {}
        }
        end = place + 1;
    }
    segments.push(start..end);
    segments
}

/// Splits the tokens behind a move into NAGs, comments and variations.
fn annotations(game: &Game, segment: Range<usize>) -> Vec<Vec<Token<'_>>> {
    let (mut items, mut depth) = (Vec::<Vec<Token<'_>>>::new(), 0u32);
    for token in segment.filter_map(|place| game.token(place)) {
        match items.last_mut() {
            Some(item) if depth > 0 => item.push(token),
            _ => items.push(vec![token]),
        }
        match token {
            Token::VariationStart => depth += 1,
            Token::VariationEnd => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    items
}

/// Returns whether `items` has an annotation. A comment may be part of another.
fn has(items: &[Vec<Token<'_>>], item: &[Token<'_>]) -> bool {
    match item {
        [Token::Comment(text)] => items.iter().any(|own| match &own[..] {
            [Token::Comment(own)] => own.contains(text.trim()),
            _ => false,
        }),
        item => items.iter().any(|own| own == item),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(tags: &[(&str, &str)], line: &str) -> Game {
        let mut game = Game::new();
        tags.iter().for_each(|(name, value)| game.header.set(name, value));
        for word in line.split(' ').filter(|word| !word.is_empty()) {
            match (word, word.strip_prefix('{')) {
                ("(", _) => game.start_variation().unwrap(),
                (")", _) => game.end_variation().unwrap(),
                (_, Some(text)) => game.push_comment(text).unwrap(),
                (m, None) => game.push_move(m.parse().unwrap()),
            }
        }
        game
    }

    fn taken(game: &mut Game, other: &Game, corrects: bool) -> Vec<String> {
        let taken = merge(game, other, corrects).iter().map(Taken::to_string).collect();
        assert!(merge(game, other, corrects).is_empty(), "nothing is left to take");
        taken
    }

    #[test]
    fn merge_takes_unknown_tags_and_fuller_names() {
        let mut kept = game(
            &[
                ("White", "Adams, M."),
                ("Black", "Tal"),
                ("Date", "1990.??.??"),
                ("WhiteElo", "2600"),
            ],
            "",
        );
        let other = game(
            &[
                ("White", "Adams, Michael"),
                ("Black", "Tal, Mihail"),
                ("Date", "1990.05.01"),
                ("WhiteElo", "2610"),
                ("BlackElo", "2500"),
                ("Result", "1-0"),
                ("ECO", "B90"),
                ("Annotator", "Nunn"),
            ],
            "",
        );
        assert_eq!(
            taken(&mut kept, &other, false),
            [
                "Date 1990.??.?? → 1990.05.01",
                "White Adams, M. → Adams, Michael",
                "Black Tal → Tal, Mihail",
                "Result 1-0",
                "BlackElo 2500",
                "ECO B90",
                "Annotator Nunn",
            ]
        );
        assert_eq!(kept.header.get("WhiteElo").as_deref(), Some("2600"));
    }

    #[test]
    fn merge_takes_corrections_only_from_a_newer_copy() {
        let old = game(&[("White", "Adams, Michael"), ("Result", "1-0"), ("Round", "5")], "e2e4");
        let new = game(&[("White", "Adams, Fred"), ("Result", "0-1"), ("Round", "5.1")], "d2d4");
        assert!(taken(&mut old.clone(), &new, false).is_empty());
        let mut corrected = old;
        let expected = ["White Adams, Michael → Adams, Fred", "Result 1-0 → 0-1", "other moves"];
        assert_eq!(taken(&mut corrected, &new, true), expected);
        assert!(corrected.tokens().eq(new.tokens()));
    }

    #[test]
    fn merge_takes_later_moves_and_annotations() {
        let mut kept = game(&[("PlyCount", "2")], "{a e2e4 {b ( d2d4 ) e7e5");
        let other = game(&[], "{a e2e4 {b ( c2c4 {c ) ( d2d4 ) e7e5 {d g1f3 {e ( f2f4 ) b8c6");
        assert_eq!(taken(&mut kept, &other, false), ["2 half-moves more", "2 annotations"]);
        let all = game(&[], "{a e2e4 {b ( d2d4 ) ( c2c4 {c ) e7e5 {d g1f3 {e ( f2f4 ) b8c6");
        assert!(kept.tokens().eq(all.tokens()), "{:?}", kept.tokens().collect::<Vec<_>>());
        assert_eq!(kept.header.get("PlyCount").as_deref(), Some("4"));
    }

    #[test]
    fn merge_of_other_moves_takes_annotations_before_them() {
        let mut kept = game(&[], "e2e4 e7e5 g1f3 {own");
        let other = game(&[], "e2e4 {good e7e5 f2f4 {bad");
        assert_eq!(taken(&mut kept, &other, true), ["1 annotation"]);
        assert!(kept.tokens().eq(game(&[], "e2e4 {good e7e5 g1f3 {own").tokens()));
    }
}
