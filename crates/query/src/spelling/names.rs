//! The names of one section, sorted by what counts when names are compared.

use std::ops::Range;

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
    /// The canonical names, and what the file says of each.
    names: Vec<(Span, Span)>,
    /// All spellings, sorted by their keys after [`finish`](Section::finish).
    spellings: Vec<Spelt>,
}

/// A part of the text. Files are smaller than 4 GiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
        self.names.push((span, note));
        self.push_spelling(span, true)
    }

    /// Adds another spelling of the last name. Returns whether there is a name.
    pub(super) fn push_alias(&mut self, alias: &str) -> Result<bool, TooMany> {
        if self.names.is_empty() {
            return Ok(false);
        }
        let span = self.push_text(alias)?;
        self.push_spelling(span, false).map(|()| true)
    }

    fn push_spelling(&mut self, name: Span, is_canonical: bool) -> Result<(), TooMany> {
        let text = self.get(name);
        let key = self.key(text);
        let surname = text.split_once(',').map_or(text, |(surname, _)| surname);
        let surname = u32::try_from(self.key(surname).len()).map_err(|_| TooMany)?;
        let id = u32::try_from(self.names.len().saturating_sub(1)).map_err(|_| TooMany)?;
        let key = self.push_text(&key)?;
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

    /// Sorts the spellings.
    pub(super) fn finish(&mut self) {
        let mut spellings = std::mem::take(&mut self.spellings);
        // A canonical name comes before another spelling with the same key.
        spellings.sort_by(|one, other| {
            let keys = self.get(one.key).cmp(self.get(other.key));
            keys.then_with(|| other.is_canonical.cmp(&one.is_canonical)).then(one.id.cmp(&other.id))
        });
        self.spellings = spellings;
    }

    pub(super) fn name(&self, id: NameId) -> &str {
        self.names.get(id.0 as usize).map_or("", |(name, _)| self.get(*name))
    }

    pub(super) fn note(&self, id: NameId) -> &str {
        self.names.get(id.0 as usize).map_or("", |(_, note)| self.get(*note))
    }

    /// Returns what counts of a name: without ignored characters, case and accents.
    fn key(&self, name: &str) -> String {
        let mut key = sort_key(name);
        key.retain(|letter| !self.ignored.contains(letter));
        key
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

    /// Returns the names with a spelling that satisfies `test`, in rising order.
    pub(super) fn ids(&self, test: impl Fn(&str) -> bool) -> Vec<NameId> {
        let satisfying = self.spellings.iter().filter(|spelt| test(self.get(spelt.name)));
        let mut ids: Vec<NameId> = satisfying.map(|spelt| spelt.id).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }
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
