//! Compares two bases.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::ops::ControlFlow;

use chess_core::{Game, Token};
use dedupe::Place;

use crate::base::{Base, Progress};
use crate::dedupe::Deduper;
use crate::error::Error;
use crate::scan::Scanner;

/// Which games two bases have in common. Numbers are zero-based.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Comparison {
    /// Games of each base.
    pub games: [u64; 2],
    /// Games that only one of the bases has, for each base.
    pub only: [Vec<u64>; 2],
    /// Games that both have, by their numbers in both. Where a base has a game several times, this is
    /// its first.
    pub both: Vec<[u64; 2]>,
    /// The games of `both` in which a tag, a move or an annotation differs, and which of these.
    pub differing: Vec<([u64; 2], Vec<&'static str>)>,
}

/// Hashes of a game: tags, moves, annotations.
type Parts = [u64; 3];
const PARTS: [&str; 3] = ["tags", "moves", "annotations"];

/// Compares the bases that `open` opens: 0 and 1. Each is read twice. Games are the same by the rules
/// of [`Deduper`].
///
/// # Errors
/// Errors that concern a base as a whole.
pub fn compare(
    mut open: impl FnMut(usize) -> Result<Base, Error>,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Comparison, Error> {
    let mut deduper = Deduper::new();
    for number in 0..2 {
        deduper.add(&mut open(number)?, progress)?;
    }
    let found = deduper.finish();
    // The first copy in each base, by the copy that is kept.
    let mut copies: BTreeMap<Place, [Option<u64>; 2]> = BTreeMap::new();
    let mut kept: HashMap<Place, Place> = HashMap::new();
    for pair in &found.pairs {
        kept.insert(pair.game, pair.stays);
        for copy in [pair.game, pair.stays] {
            let first = copies.entry(pair.stays).or_default().get_mut(copy.base);
            first.into_iter().for_each(|first| {
                *first = Some(first.map_or(copy.number, |first| first.min(copy.number)));
            });
        }
    }
    let both = |place: Place| match copies.get(kept.get(&place).unwrap_or(&place)) {
        Some([Some(one), Some(other)]) => Some([*one, *other]),
        _ => None,
    };
    let mut comparison = Comparison::default();
    let mut shared = HashSet::new();
    let mut parts: HashMap<(usize, u64), Parts> = HashMap::new();
    for base in 0..2 {
        Scanner::new().run(&mut open(base)?, |scanned| {
            let place = Place { base, number: scanned.number };
            if let Some(games) = comparison.games.get_mut(base) {
                *games = scanned.number + 1;
            }
            match both(place) {
                None => {
                    let only = comparison.only.get_mut(base);
                    only.into_iter().for_each(|only| only.push(scanned.number));
                }
                Some(pair) => {
                    if shared.insert(pair) {
                        comparison.both.push(pair);
                    }
                    if pair.get(base) == Some(&scanned.number) {
                        parts.insert((base, scanned.number), parts_of(scanned.game));
                    }
                }
            }
            Ok::<_, Error>(progress(scanned.progress))
        })?;
    }
    for pair @ [one, other] in &comparison.both {
        let (Some(one), Some(other)) = (parts.get(&(0, *one)), parts.get(&(1, *other))) else {
            continue;
        };
        let hashes = PARTS.into_iter().zip(one.iter().zip(other));
        let differing = hashes.filter(|(_, (one, other))| one != other);
        let differing: Vec<&str> = differing.map(|(part, _)| part).collect();
        if !differing.is_empty() {
            comparison.differing.push((*pair, differing));
        }
    }
    Ok(comparison)
}

/// Returns hashes of the parts of a game. The order of tags and unknown tags do not count.
fn parts_of(game: &Game) -> Parts {
    let mut tags = Vec::new();
    game.header.for_each_tag(|name, value| {
        let value = value.to_string();
        if name != "Deleted" && dedupe::says_something(&value) {
            tags.push((name.to_owned(), value));
        }
    });
    tags.sort_unstable();
    let hash = |hash: &dyn Fn(&mut DefaultHasher)| {
        let mut hasher = DefaultHasher::new();
        hash(&mut hasher);
        hasher.finish()
    };
    let moves = hash(&|hasher| {
        game.start_position().without_clocks().hash(hasher);
        game.main_line().for_each(|m| m.bits().hash(hasher));
    });
    let annotations = hash(&|hasher| {
        let (mut depth, mut ply) = (0u32, 0u32);
        for token in game.tokens() {
            match token {
                Token::Move(_) if depth == 0 => {
                    ply += 1;
                    continue;
                }
                Token::VariationStart => depth += 1,
                Token::VariationEnd => depth = depth.saturating_sub(1),
                _ => {}
            }
            (ply, token).hash(hasher);
        }
    });
    [hash(&|hasher| tags.hash(hasher)), moves, annotations]
}
