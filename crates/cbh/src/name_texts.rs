//! The texts of names as games show them, made once for all games of a base.

use chess_store::TextDecoder;

use crate::entities::fields::{
    Source, Tournament, parse_source, parse_tournament, player, until_zero,
};
use crate::entities::file::EntityFile;
use crate::names::Names;

/// The names that every game has.
#[derive(Clone, Debug)]
pub(crate) struct NameTexts {
    pub(crate) players: Texts,
    pub(crate) annotators: Texts,
    pub(crate) events: Texts,
    pub(crate) sites: Texts,
    /// By the numbers of the tournaments.
    days: Vec<Day>,
    /// Whether a source says nothing, by their numbers.
    silent: Vec<bool>,
}

/// What a game always asks of its tournament, beside the texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Day {
    /// The date as bits.
    pub(crate) date: u32,
    /// Whether there is more than texts and date.
    pub(crate) more: bool,
}

impl NameTexts {
    pub(crate) fn new(names: &Names, text: TextDecoder) -> NameTexts {
        fn tournament(data: &[u8]) -> Tournament<'_> {
            parse_tournament(data).unwrap_or_default()
        }
        let append = |bytes: &[u8], out: &mut String| out.push_str(&text.decode(bytes));
        NameTexts {
            players: Texts::of(&names.players, |data, out| {
                let (last, first) = player(data);
                append(last, out);
                if !first.is_empty() {
                    out.push_str(", ");
                    append(first, out);
                }
            }),
            annotators: Texts::of(&names.annotators, |data, out| {
                append(until_zero(data.get(..45).unwrap_or_default()), out);
            }),
            events: Texts::of(&names.tournaments, |data, out| append(tournament(data).title, out)),
            sites: Texts::of(&names.tournaments, |data, out| append(tournament(data).place, out)),
            days: all(&names.tournaments).map(|(data, _)| Day::of(&tournament(data))).collect(),
            silent: all(&names.sources)
                .map(|(data, deleted)| !deleted && parse_source(data) == Some(Source::default()))
                .collect(),
        }
    }

    /// What a tournament says beside its texts.
    pub(crate) fn day(&self, id: u32) -> Option<Day> {
        self.days.get(id as usize).copied()
    }

    /// Whether a source is there and says nothing.
    pub(crate) fn is_silent(&self, source: u32) -> bool {
        self.silent.get(source as usize).copied().unwrap_or(false)
    }
}

impl Day {
    fn of(tournament: &Tournament<'_>) -> Day {
        let date = tournament.date;
        let texts = Tournament {
            title: tournament.title,
            place: tournament.place,
            date,
            ..Tournament::default()
        };
        Day { date, more: *tournament != texts }
    }
}

/// More names than a header can number have no text.
const MOST_NAMES: u32 = 1 << 24;

/// The data of all names, and whether they were deleted.
fn all(file: &EntityFile) -> impl Iterator<Item = (&[u8], bool)> {
    (0..MOST_NAMES).map_while(|id| file.data(id))
}

/// Texts by the numbers of their names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Texts {
    text: String,
    places: Vec<Place>,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    start: u32,
    length: u16,
    deleted: bool,
}

impl Texts {
    fn of(file: &EntityFile, append: impl Fn(&[u8], &mut String)) -> Texts {
        let mut texts = Texts::default();
        for (data, deleted) in all(file) {
            let start = texts.text.len();
            append(data, &mut texts.text);
            let length = texts.text.len().saturating_sub(start);
            // So many names of so few bytes stay below 4 GiB.
            let (Ok(start), Ok(length)) = (u32::try_from(start), u16::try_from(length)) else {
                break;
            };
            texts.places.push(Place { start, length, deleted });
        }
        texts
    }

    /// The text of a name, and whether it was deleted.
    #[inline]
    pub(crate) fn get(&self, id: u32) -> Option<(&str, bool)> {
        let place = self.places.get(id as usize)?;
        let start = place.start as usize;
        let end = start.saturating_add(usize::from(place.length));
        Some((self.text.get(start..end).unwrap_or_default(), place.deleted))
    }
}
