//! Distributes the tags of a game between index entry and record. The inverse of
//! [`roster`](crate::roster). (scid §6 "Tags")

use chess_core::{Date, Eco, EcoSub, Elo, GameResult, Header, is_typed};
use chess_store::{Loss, LossKind, Losses};

use crate::index::{IndexEntry, Rating};
use crate::layout::{FLAG_LETTERS, FLAGS_TAG, MAX_RATING, RESULT_TAG, Version, flag};
use crate::roster::RATING_TAGS;

/// The result of the distribution.
pub(crate) struct TagPlacement {
    /// The entry without names and without the fields derived from the record.
    pub(crate) entry: IndexEntry,
    /// The tags that became the index's ratings.
    ratings: [Option<usize>; 2],
    /// The tag that became the index's result.
    result: Option<usize>,
}

impl TagPlacement {
    /// Distributes the tags of a game and reports what the index cannot hold.
    pub(crate) fn new(header: &Header, version: Version, losses: &mut Losses) -> TagPlacement {
        let mut entry = IndexEntry {
            result: match header.result {
                GameResult::Unknown => 0,
                GameResult::White => 1,
                GameResult::Black => 2,
                GameResult::Draw => 3,
            },
            eco: header.eco.map_or(0, |eco| encode_eco(eco, losses)),
            date: encode_date(header.date, losses),
            ..IndexEntry::default()
        };
        entry.event_date = event_date(header, &entry, version, losses);
        if header.deleted {
            entry.flags |= flag::DELETED;
        }
        let mut ratings = [None; 2];
        let elos = [header.white_elo, header.black_elo];
        let fields = [&mut entry.white_rating, &mut entry.black_rating];
        for (side, ((field, slot), elo)) in
            fields.into_iter().zip(&mut ratings).zip(elos).enumerate()
        {
            (*field, *slot) = choose_rating(header, side, elo);
            let name = if side == 0 { "WhiteElo" } else { "BlackElo" };
            let elo = elo.map(Elo::get).filter(|value| *value > MAX_RATING);
            if let Some(elo) = elo.filter(|_| header.tags.get(name).is_none()) {
                losses.push(Loss::new(LossKind::Rating, format!("{name} {elo}")));
            }
        }
        for (name, value) in header.tags.iter() {
            if name == FLAGS_TAG {
                entry.flags |= encode_flags(value, |letter| {
                    losses.push(Loss::new(LossKind::Flag, letter.to_string()));
                });
            }
        }
        let result = odd_result(header, version);
        let (result, code) = result.unzip();
        entry.result = code.unwrap_or(entry.result);
        for number in ratings.into_iter().flatten() {
            let name = header.tags.iter().nth(number).map_or("", |(name, _)| name);
            if ecf_of(name).is_some() {
                losses.push(Loss::new(LossKind::TagMoved, format!("{name}: read as ECF")));
            }
        }
        let placement = TagPlacement { entry, ratings, result };
        for (name, value) in
            header.tags.iter().filter(|tag| is_typed(tag.0) && !says_nothing(header, tag))
        {
            if let Some(kind) = placement.spelling_lost(header, name, value) {
                losses.push(Loss::new(kind, format!("{name} {value:?}")));
            }
        }
        // An invalid FEN. A reader would take it for the start position.
        for (_, value) in header.tags.iter().filter(|(name, _)| *name == "FEN") {
            if !value.is_empty() {
                losses.push(Loss::new(LossKind::Tag, format!("FEN {value:?}")));
            }
        }
        placement
    }

    /// The tags to store in the record, in order.
    pub(crate) fn record_tags<'a>(
        &'a self,
        header: &'a Header,
    ) -> impl Iterator<Item = (&'a str, &'a str)> {
        let tags = header.tags.iter().enumerate();
        tags.filter(|(number, tag)| {
            let (name, value) = *tag;
            let typed =
                || !says_nothing(header, tag) && self.spelling_lost(header, name, value).is_none();
            name != FLAGS_TAG
                && name != "FEN"
                && !self.ratings.contains(&Some(*number))
                && self.result != Some(*number)
                && (!is_typed(name) || typed())
        })
        .map(|(_, tag)| tag)
    }

    /// A tag spelt differently from its typed field is lost, unless the index field is empty. A tag
    /// spelt like its field came from the record.
    fn spelling_lost(&self, header: &Header, name: &str, value: &str) -> Option<LossKind> {
        let entry = &self.entry;
        let (in_index, typed, kind) = match name {
            "WhiteElo" => {
                let elo = entry.white_rating;
                (elo.kind == 0 && elo.value > 0, header.white_elo.map(text), LossKind::Rating)
            }
            "BlackElo" => {
                let elo = entry.black_rating;
                (elo.kind == 0 && elo.value > 0, header.black_elo.map(text), LossKind::Rating)
            }
            "ECO" => (entry.eco != 0, header.eco.map(text), LossKind::Eco),
            "EventDate" => (entry.event_date != 0, header.event_date.map(text), LossKind::Date),
            "Date" => return Some(LossKind::Date),
            "Result" => return Some(LossKind::Result),
            _ => return Some(LossKind::Tag),
        };
        (in_index && typed.as_deref() != Some(value)).then_some(kind)
    }
}

/// `[WhiteElo ""]` and `[Date "?.??.??"]` equal a missing tag, and Scid drops them. Another
/// spelling of a date adds nothing to the index.
fn says_nothing(header: &Header, tag: &(&str, &str)) -> bool {
    let (name, value) = *tag;
    if name == "Date" && header.date.is_all_of(value) {
        return true;
    }
    value.chars().all(|letter| matches!(letter, '?' | '.' | ' '))
}

fn text(value: impl std::fmt::Display) -> String {
    value.to_string()
}

/// Returns the rating for the index and the tag that it comes from, if any. Elo has priority,
/// unless the tags show that the record had it after another rating.
fn choose_rating(header: &Header, side: usize, elo: Option<Elo>) -> (Rating, Option<usize>) {
    let elo = elo.map(Elo::get).filter(|value| *value <= MAX_RATING);
    let tag_of = |names: &[&'static str; 2]| names.get(side).copied().unwrap_or_default();
    let elo_tag = RATING_TAGS.first().map(tag_of).unwrap_or_default();
    let other = header.tags.iter().enumerate().find_map(|(number, (name, value))| {
        let name = ecf_of(name).unwrap_or(name);
        let kind = RATING_TAGS.iter().skip(1).position(|names| tag_of(names) == name)?;
        let value = value.parse().ok().filter(|rating| (1..=MAX_RATING).contains(rating))?;
        Some((Rating { value, kind: u8::try_from(kind.saturating_add(1)).ok()? }, Some(number)))
    });
    match (elo, other) {
        (Some(value), None) => (Rating { value, kind: 0 }, None),
        (Some(value), Some(_)) if header.tags.get(elo_tag).is_none() => {
            (Rating { value, kind: 0 }, None)
        }
        (_, Some(other)) => other,
        (None, None) => (Rating::default(), None),
    }
}

/// The tag of the rating that the description of 2013 calls BCF, after the federation's name at
/// that time.
fn ecf_of(bcf: &str) -> Option<&'static str> {
    match bcf {
        "WhiteBCF" => Some("WhiteECF"),
        "BlackBCF" => Some("BlackECF"),
        _ => None,
    }
}

/// Returns an unknown result code that a reader kept as a tag, and that tag. Version 5 has no room
/// for one.
fn odd_result(header: &Header, version: Version) -> Option<(usize, u8)> {
    if version == Version::Si5 || header.result != GameResult::Unknown {
        return None;
    }
    let (number, (_, value)) =
        header.tags.iter().enumerate().find(|(_, (name, _))| *name == RESULT_TAG)?;
    let code = value.parse::<u8>().ok().filter(|code| (4..16).contains(code))?;
    (value == code.to_string()).then_some((number, code))
}

/// Returns the bits of flag letters; unknown letters are passed on. `D` is accepted too, because
/// Scid writes it among them.
pub(crate) fn encode_flags(letters: &str, mut unknown: impl FnMut(char)) -> u32 {
    letters.chars().fold(0, |flags, letter| {
        if letter == 'D' {
            return flags | flag::DELETED;
        }
        match FLAG_LETTERS.iter().find(|(_, known)| *known == letter) {
            Some((bit, _)) => flags | 1 << bit,
            None => {
                unknown(letter);
                flags
            }
        }
    })
}

fn encode_eco(eco: Eco, losses: &mut Losses) -> u16 {
    let code = eco.code();
    if code > 499 {
        losses.push(Loss::new(LossKind::Eco, eco.to_string()));
        return 0;
    }
    let refinement = match eco.sub() {
        EcoSub::None => 0,
        EcoSub::Letter(letter, digit) => {
            u16::from(letter).saturating_mul(5).saturating_add(u16::from(digit)).saturating_add(1)
        }
        EcoSub::Number(_) => {
            losses.push(Loss::new(LossKind::Eco, eco.to_string()));
            0
        }
    };
    code.saturating_mul(131).saturating_add(refinement).saturating_add(1)
}

fn encode_date(date: Date, losses: &mut Losses) -> u32 {
    let (year, month, day) = date.parts();
    if year > 2047 {
        losses.push(Loss::new(LossKind::Date, date.to_string()));
        return 0;
    }
    u32::from(year) << 9 | u32::from(month) << 5 | u32::from(day)
}

/// Versions 3 and 4 hold only event dates close to the game's date. An unknown event date is not a
/// loss.
fn event_date(header: &Header, entry: &IndexEntry, version: Version, losses: &mut Losses) -> u32 {
    let Some(date) = header.event_date.filter(|date| !date.is_unknown()) else { return 0 };
    let stored = encode_date(date, losses);
    let near = (stored >> 9).abs_diff(entry.date >> 9) <= 3;
    if stored == 0 || near || version == Version::Si5 {
        return stored;
    }
    losses.push(Loss::new(LossKind::Date, format!("EventDate {date}")));
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tag_placement_elo_above_limit_is_loss() {
        let mut header = Header::default();
        header.set("WhiteElo", "65535");
        header.set("BlackElo", "4000");
        let mut losses = Losses::new();
        let entry = TagPlacement::new(&header, Version::Si5, &mut losses).entry;
        assert_eq!((entry.white_rating.value, entry.black_rating.value), (0, 4000));
        let losses: Vec<String> = losses.iter().map(ToString::to_string).collect();
        assert_eq!(losses.len(), 1, "{losses:?}");
    }
}
