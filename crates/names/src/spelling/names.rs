//! The names of one section, sorted by what counts when names are compared.

use std::io::{self, Read, Write};
use std::ops::Range;

use chess_store::files::beside::{Feed, Sink};

use super::NameId;
use crate::sort_key;

/// The names of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Section {
    /// Characters that do not count.
    pub(super) ignored: String,
    /// Parts of names that are replaced, in their order.
    pub(super) rules: Vec<Rule>,
    /// The texts of all names, notes and keys.
    text: String,
    /// The canonical names.
    names: Vec<Entry>,
    /// All spellings, sorted by their keys after [`finish`](Section::finish).
    spellings: Vec<Spelt>,
}

/// A canonical name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    name: Span,
    /// The text of the file about it.
    note: Span,
    /// The FIDE id, or 0.
    fide_id: u32,
}

/// A part of the text. Files are smaller than 4 GiB.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Span {
    start: u32,
    end: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Spelt {
    /// The spelling as the file has it.
    name: Span,
    key: Span,
    /// The length of the key of the surname.
    surname: u32,
    id: NameId,
    /// Whether it is the canonical name.
    is_canonical: bool,
}

/// The meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    One(NameId),
    Several,
}

/// Returns whether the surname of a spelling has this length, if one is asked for.
fn has_surname(spelt: &Spelt, surname: Option<usize>) -> bool {
    surname.is_none_or(|length| spelt.surname as usize == length)
}

/// A replacement of a part of names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rule {
    pub(super) place: RulePlace,
    pub(super) from: String,
    pub(super) to: String,
}

/// Where the part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RulePlace {
    Prefix,
    Infix,
    Suffix,
}

/// The names are too many for one section.
#[derive(Debug)]
pub(super) struct TooMany;
/// The most spellings with the same beginning that are compared. A name with more is ambiguous.
const MAX_COMPARED: usize = 1 << 12;
/// A name that a rule makes longer than this is left as it is.
const LONGEST: usize = 1 << 12;

impl Section {
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    /// Adds a canonical name.
    pub(super) fn push_name(&mut self, name: &str, note: &str) -> Result<(), TooMany> {
        let (span, note) = (self.push_text(name)?, self.push_text(note)?);
        self.names.push(Entry { name: span, note, fide_id: 0 });
        self.push_spelling(span, true)
    }

    /// Returns the last name.
    pub(super) fn last_id(&self) -> Option<NameId> {
        u32::try_from(self.names.len().checked_sub(1)?).ok().map(NameId)
    }

    /// Returns the FIDE ids with their names.
    pub(super) fn fide_ids(&self) -> impl Iterator<Item = (u32, NameId)> {
        let all = (0..).zip(&self.names).map(|(number, entry)| (entry.fide_id, NameId(number)));
        all.filter(|(fide_id, _)| *fide_id != 0)
    }

    /// Returns the name with this spelling; `None` inside if several names have it.
    pub(super) fn exactly(&self, name: &str) -> Option<Option<NameId>> {
        let (key, surname) = self.keys(name);
        self.find_exact(&key, name.contains(',').then_some(surname)).map(|found| match found {
            Found::One(id) => Some(id),
            Found::Several => None,
        })
    }

    /// Sets the FIDE id of the last name.
    pub(super) fn set_fide_id(&mut self, fide_id: u32) {
        if let Some(last) = self.names.last_mut() {
            last.fide_id = fide_id;
        }
    }

    /// Adds another spelling of the last name. Returns whether there is a name.
    pub(super) fn push_alias(&mut self, alias: &str) -> Result<bool, TooMany> {
        if self.names.is_empty() {
            return Ok(false);
        }
        let span = self.push_text(alias)?;
        self.push_spelling(span, false).map(|()| true)
    }

    /// The key follows in the end, because a search needs few keys.
    fn push_spelling(&mut self, name: Span, is_canonical: bool) -> Result<(), TooMany> {
        let id = u32::try_from(self.names.len().saturating_sub(1)).map_err(|_| TooMany)?;
        let (key, surname) = (Span::default(), 0);
        self.spellings.push(Spelt { name, key, surname, id: NameId(id), is_canonical });
        Ok(())
    }

    fn push_text(&mut self, text: &str) -> Result<Span, TooMany> {
        let start = u32::try_from(self.text.len()).map_err(|_| TooMany)?;
        self.text.push_str(text);
        let end = u32::try_from(self.text.len()).map_err(|_| TooMany)?;
        Ok(Span { start, end })
    }

    fn get(&self, span: Span) -> &str {
        let Range { start, end } = span.start as usize..span.end as usize;
        self.text.get(start..end).unwrap_or_default()
    }

    /// Makes the keys, and sorts the spellings by them.
    pub(super) fn finish(&mut self) -> Result<(), TooMany> {
        let mut spellings = std::mem::take(&mut self.spellings);
        let names = self.text.len();
        for spelt in &mut spellings {
            let (key, surname) = self.keys(self.get(spelt.name));
            spelt.surname = u32::try_from(surname).map_err(|_| TooMany)?;
            spelt.key = self.push_text(&key)?;
        }
        // A canonical name comes before another spelling with the same key. Most keys differ in their first
        // bytes, which are compared as a number.
        let first = |spelt: &Spelt| {
            let key = self.get(spelt.key).bytes().chain(std::iter::repeat(0)).take(8);
            key.fold(0_u64, |number, byte| number << 8 | u64::from(byte))
        };
        let mut order: Vec<_> = spellings.into_iter().map(|spelt| (first(&spelt), spelt)).collect();
        order.sort_unstable_by(|(first, one), (second, other)| {
            let keys = || self.get(one.key).cmp(self.get(other.key));
            first
                .cmp(second)
                .then_with(keys)
                .then_with(|| other.is_canonical.cmp(&one.is_canonical).then(one.id.cmp(&other.id)))
        });
        self.spellings = order.into_iter().map(|(_, spelt)| spelt).collect();
        // A search compares keys that are near each other in their order.
        let unsorted = self.text.split_off(names);
        self.text.reserve(unsorted.len());
        for spelt in &mut self.spellings {
            let Range { start, end } = spelt.key.start as usize..spelt.key.end as usize;
            let place = |at: usize| at.checked_sub(names);
            let key =
                place(start).zip(place(end)).and_then(|(start, end)| unsorted.get(start..end));
            spelt.key.start = u32::try_from(self.text.len()).map_err(|_| TooMany)?;
            self.text.push_str(key.unwrap_or_default());
            spelt.key.end = u32::try_from(self.text.len()).map_err(|_| TooMany)?;
        }
        Ok(())
    }

    pub(super) fn save(&self, sink: &mut Sink<impl Write>) -> io::Result<()> {
        sink.sized(self.ignored.as_bytes())?;
        sink.number(self.rules.len() as u64)?;
        for Rule { place, from, to } in &self.rules {
            let place = RulePlace::ALL.iter().position(|other| other == place).unwrap_or_default();
            sink.number(place as u64)?;
            sink.sized(from.as_bytes())?;
            sink.sized(to.as_bytes())?;
        }
        sink.sized(self.text.as_bytes())?;
        let names = self.names.iter().flat_map(|Entry { name, note, fide_id }| {
            [name.start, name.end, note.start, note.end, *fide_id]
        });
        sink.sized(&names.flat_map(u32::to_le_bytes).collect::<Vec<_>>())?;
        let spellings = self.spellings.iter().flat_map(|spelt| {
            let Spelt { name, key, surname, id, is_canonical } = *spelt;
            [name.start, name.end, key.start, key.end, surname, id.0, is_canonical.into()]
        });
        sink.sized(&spellings.flat_map(u32::to_le_bytes).collect::<Vec<_>>())
    }

    /// Reads what [`save`](Section::save) wrote. Spans and ids are checked when they are used.
    pub(super) fn restore(feed: &mut Feed<impl Read>) -> Option<Section> {
        let ignored = text(feed)?;
        let mut rules = Vec::new();
        for _ in 0..feed.number()? {
            let place = *RulePlace::ALL.get(usize::try_from(feed.number()?).ok()?)?;
            rules.push(Rule { place, from: text(feed)?, to: text(feed)? });
        }
        let text = text(feed)?;
        let names = rows(&feed.sized()?, |[name, name_end, note, note_end, fide_id]| Entry {
            name: Span { start: name, end: name_end },
            note: Span { start: note, end: note_end },
            fide_id,
        });
        let spellings =
            rows(&feed.sized()?, |[name, name_end, key, key_end, surname, id, own]| Spelt {
                name: Span { start: name, end: name_end },
                key: Span { start: key, end: key_end },
                surname,
                id: NameId(id),
                is_canonical: own != 0,
            });
        Some(Section { ignored, rules, text, names, spellings })
    }

    pub(super) fn name(&self, id: NameId) -> &str {
        self.names.get(id.0 as usize).map_or("", |entry| self.get(entry.name))
    }

    pub(super) fn note(&self, id: NameId) -> &str {
        self.names.get(id.0 as usize).map_or("", |entry| self.get(entry.note))
    }

    pub(super) fn fide_id(&self, id: NameId) -> Option<u32> {
        self.names.get(id.0 as usize).map(|entry| entry.fide_id).filter(|id| *id != 0)
    }

    /// Returns what counts of a name: without ignored characters, case and accents.
    fn key(&self, name: &str) -> String {
        if !name.is_ascii() {
            let mut key = sort_key(name);
            key.retain(|letter| !self.ignored.contains(letter));
            return key;
        }
        let ignored = self.ignored.bytes().filter(u8::is_ascii);
        let ignored = ignored.fold(0u128, |set, byte| set | 1 << byte);
        let counts = |byte: &u8| ignored >> byte & 1 == 0;
        name.bytes().filter(counts).map(|byte| char::from(byte.to_ascii_lowercase())).collect()
    }

    /// Returns the key of a name, and the length of the key of its surname.
    fn keys(&self, name: &str) -> (String, usize) {
        let (surname, rest) = name.split_at(name.find(',').unwrap_or(name.len()));
        let mut key = self.key(surname);
        let length = key.len();
        key.push_str(&self.key(rest));
        (key, length)
    }

    /// Applies the rules. `None` if they change nothing.
    pub(super) fn correct(&self, name: &str) -> Option<String> {
        if name.len() > LONGEST {
            return None;
        }
        let mut corrected: Option<String> = None;
        for rule in &self.rules {
            let now = corrected.as_deref().unwrap_or(name);
            let places = now.matches(&*rule.from).count();
            let size = now.len().saturating_add(places.saturating_mul(rule.to.len()));
            if places > 0 && size <= LONGEST {
                corrected = rule.apply(now).or(corrected);
            }
        }
        corrected.filter(|corrected| corrected != name)
    }

    /// Finds the name that `name` means. Names of players can be abbreviated, and have the surname at
    /// the end.
    pub(super) fn find(&self, name: &str, is_player: bool) -> Option<NameId> {
        let found = match (is_player, name.split_once(',')) {
            (false, _) => self.find_exact(&self.key(name), None),
            (true, Some((surname, _))) => {
                // `Anand,V` is an Anand, and not the player `Anand V` if there are Anands.
                let (key, surname) = (self.key(name), self.key(surname).len());
                let found = self.find_person(&key, Some(surname));
                found.or_else(|| self.find_exact(&key, None))
            }
            (true, None) => self.find_person(&self.key(name), None).or_else(|| {
                let (given, surname) = name.trim().rsplit_once(' ')?;
                self.find_person(&self.key(&format!("{surname},{given}")), None)
            }),
        };
        match found {
            Some(Found::One(id)) => Some(id),
            Some(Found::Several) | None => None,
        }
    }

    /// Finds a player by the whole name, or else by its beginning with at least an initial.
    fn find_person(&self, key: &str, surname: Option<usize>) -> Option<Found> {
        let exact = self.find_exact(key, surname);
        if exact.is_some() || key.is_empty() {
            return exact;
        }
        let mut found = None;
        let longer = self.at(key).iter().take_while(|spelt| self.get(spelt.key).starts_with(key));
        for (compared, spelt) in longer.enumerate() {
            if compared > MAX_COMPARED {
                return Some(Found::Several);
            }
            if !has_surname(spelt, surname) {
                continue;
            }
            let is_initial = key.len() > spelt.surname as usize;
            if !is_initial || found.is_some_and(|id| id != spelt.id) {
                return Some(Found::Several);
            }
            found = Some(spelt.id);
        }
        found.map(Found::One)
    }

    /// Finds a name by all of its key. A canonical name wins over other spellings.
    fn find_exact(&self, key: &str, surname: Option<usize>) -> Option<Found> {
        let equal = self.at(key).iter().take_while(|spelt| self.get(spelt.key) == key);
        let mut equal = equal.filter(|spelt| !key.is_empty() && has_surname(spelt, surname));
        let found = equal.next()?;
        let is_rival =
            |other: &Spelt| other.id != found.id && other.is_canonical == found.is_canonical;
        Some(if equal.any(is_rival) { Found::Several } else { Found::One(found.id) })
    }

    /// Returns the spellings from `key` on.
    fn at(&self, key: &str) -> &[Spelt] {
        let first = self.spellings.partition_point(|spelt| self.get(spelt.key) < key);
        self.spellings.get(first..).unwrap_or_default()
    }

    /// Returns the names with a spelling that satisfies `test`, or a FIDE id that `has_id` accepts, in rising
    /// order.
    pub(super) fn ids(
        &self,
        test: impl Fn(&str) -> bool,
        has_id: impl Fn(u32) -> bool,
    ) -> Vec<NameId> {
        let satisfying = self.spellings.iter().filter(|spelt| test(self.get(spelt.name)));
        let mut ids: Vec<NameId> = satisfying.map(|spelt| spelt.id).collect();
        ids.extend(self.fide_ids().filter(|(fide_id, _)| has_id(*fide_id)).map(|(_, id)| id));
        ids.sort_unstable();
        ids.dedup();
        ids
    }
}

fn text(feed: &mut Feed<impl Read>) -> Option<String> {
    String::from_utf8(feed.sized()?).ok()
}

/// Makes a row of every `N` numbers.
fn rows<const N: usize, T>(bytes: &[u8], row: impl Fn([u32; N]) -> T) -> Vec<T> {
    let rows = bytes.as_chunks().0.as_chunks().0;
    rows.iter().map(|numbers| row(numbers.map(u32::from_le_bytes))).collect()
}

impl RulePlace {
    const ALL: [RulePlace; 3] = [RulePlace::Prefix, RulePlace::Infix, RulePlace::Suffix];
}

impl Rule {
    fn apply(&self, name: &str) -> Option<String> {
        match self.place {
            RulePlace::Prefix => {
                name.strip_prefix(&*self.from).map(|rest| format!("{}{rest}", self.to))
            }
            RulePlace::Suffix => {
                name.strip_suffix(&*self.from).map(|rest| format!("{rest}{}", self.to))
            }
            RulePlace::Infix => {
                name.contains(&*self.from).then(|| name.replace(&*self.from, &self.to))
            }
        }
    }
}
