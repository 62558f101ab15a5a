//! The texts of names as games show them, decoded once for all games of a base.

use chess_store::TextDecoder;

use crate::entities::fields::{
    Tournament, field_text, parse_source, parse_tournament, player, until_zero,
};
use crate::entities::file::EntityFile;
use crate::entity_tags::{EntityTags, SourceProblems, push_source, push_tournament};
use crate::names::Names;

/// The texts and tags of the names that every game has.
#[derive(Clone, Debug)]
pub(crate) struct NameTexts {
    pub(crate) players: Texts,
    pub(crate) annotators: Texts,
    pub(crate) events: Texts,
    pub(crate) sites: Texts,
    /// The dates of the tournaments as stored.
    days: Vec<u32>,
    pub(crate) event_tags: EntityTags,
    pub(crate) source_tags: EntityTags,
    /// The states of the sources by id.
    sources: Vec<SourceState>,
}

/// The problems to report when a game names a source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SourceState {
    pub(crate) deleted: bool,
    pub(crate) odd: SourceProblems,
}

impl NameTexts {
    pub(crate) fn new(names: &Names, text: TextDecoder) -> NameTexts {
        fn tournament(data: &[u8]) -> Tournament<'_> {
            parse_tournament(data).unwrap_or_default()
        }
        let append = |bytes: &[u8], size: usize, out: &mut String| {
            let (text, cut) = field_text(bytes, size, &text);
            out.push_str(&text);
            cut
        };
        let (mut days, mut event_tags) = (Vec::new(), EntityTags::default());
        for (data, _) in all(&names.tournaments) {
            let fields = tournament(data);
            days.push(fields.date);
            event_tags.add(|tags| push_tournament(&fields, tags));
        }
        let (mut sources, mut source_tags) = (Vec::new(), EntityTags::default());
        for (data, deleted) in all(&names.sources) {
            let fields = parse_source(data).unwrap_or_default();
            let mut odd = SourceProblems::default();
            source_tags.add(|tags| odd = push_source(&fields, &text, tags));
            sources.push(SourceState { deleted, odd });
        }
        NameTexts {
            players: Texts::of(&names.players, |data, out| {
                let (last, first) = player(data);
                let mut cut = append(last, 30, out);
                if !first.is_empty() {
                    out.push_str(", ");
                    cut |= append(first, 20, out);
                }
                cut
            }),
            annotators: Texts::of(&names.annotators, |data, out| {
                append(until_zero(data.get(..45).unwrap_or_default()), 45, out)
            }),
            events: Texts::of(&names.tournaments, |data, out| {
                append(tournament(data).title, 40, out)
            }),
            sites: Texts::of(&names.tournaments, |data, out| {
                append(tournament(data).place, 30, out)
            }),
            days,
            event_tags,
            source_tags,
            sources,
        }
    }

    /// Returns the stored date of a tournament; 0 if it has none.
    #[inline]
    pub(crate) fn day(&self, id: u32) -> u32 {
        self.days.get(id as usize).copied().unwrap_or(0)
    }

    /// Returns the state of a source, if it exists.
    #[inline]
    pub(crate) fn source(&self, id: u32) -> Option<SourceState> {
        self.sources.get(id as usize).copied()
    }
}

/// The maximum number of decoded names: a header cannot hold higher ids.
const MAX_NAMES: u32 = 1 << 24;

/// Iterates over the data of all names, and whether they were deleted.
fn all(file: &EntityFile) -> impl Iterator<Item = (&[u8], bool)> {
    (0..MAX_NAMES).map_while(|id| file.data(id))
}

/// Texts by name id.
#[derive(Clone, Debug, Default)]
pub(crate) struct Texts {
    text: String,
    spans: Vec<TextSpan>,
}

#[derive(Clone, Copy, Debug)]
struct TextSpan {
    start: u32,
    length: u16,
    state: NameState,
}

/// The problem to report when a game uses a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum NameState {
    #[default]
    Sound,
    Deleted,
    /// The last character is cut off.
    Cut,
    DeletedAndCut,
}

impl Texts {
    fn of(file: &EntityFile, append: impl Fn(&[u8], &mut String) -> bool) -> Texts {
        let mut texts = Texts::default();
        for (data, deleted) in all(file) {
            let start = texts.text.len();
            let state = match (deleted, append(data, &mut texts.text)) {
                (false, false) => NameState::Sound,
                (true, false) => NameState::Deleted,
                (false, true) => NameState::Cut,
                (true, true) => NameState::DeletedAndCut,
            };
            let length = texts.text.len().saturating_sub(start);
            // 2^24 names of at most 50 bytes stay below 4 GiB.
            let (Ok(start), Ok(length)) = (u32::try_from(start), u16::try_from(length)) else {
                break;
            };
            texts.spans.push(TextSpan { start, length, state });
        }
        texts
    }

    /// Returns the text of a name and its state.
    #[inline]
    pub(crate) fn get(&self, id: u32) -> Option<(&str, NameState)> {
        let place = self.spans.get(id as usize)?;
        let start = place.start as usize;
        let end = start.saturating_add(usize::from(place.length));
        Some((self.text.get(start..end).unwrap_or_default(), place.state))
    }
}
