//! Converts the base's own data to and from facts, which are common to all formats. (scid §2.1
//! "Header")

use std::str::FromStr as _;

use chess_store::{About, Encoding, Fact, TextDecoder};

use crate::header::Info;
use crate::layout::{BASE_TYPES, DESCRIPTION_SIZE, FLAG_LABEL_SIZE, Version};
use crate::names_5::encode_info_5;

/// The largest game to load: it has three bytes.
const MAX_AUTOLOAD: u32 = 0xff_ffff;

/// Returns the facts that are set.
pub(crate) fn about(info: &Info, version: Version, text: &TextDecoder) -> About {
    let mut about = About::default();
    about.set(Fact::Description, text.decode(&info.description));
    if info.base_type != 0 {
        about.set(Fact::Type, type_name(info.base_type));
    }
    // New bases store 1. Version 5 stores nothing unless the game is set.
    let usual = if version == Version::Si5 { 0..=1 } else { 1..=1 };
    if !usual.contains(&info.autoload) {
        about.set(Fact::DefaultGame, info.autoload.to_string());
    }
    for (number, label) in (1..).zip(&info.flag_labels) {
        about.set(Fact::FlagLabel(number), text.decode(label));
    }
    about
}

/// The name of a type, or its number if it has none.
pub(crate) fn type_name(number: u32) -> String {
    let name = usize::try_from(number).ok().and_then(|place| BASE_TYPES.get(place));
    name.map_or_else(|| number.to_string(), |name| (*name).to_owned())
}

fn type_number(name: &str) -> Option<u32> {
    let named = (0..).zip(BASE_TYPES).find(|(_, known)| known.eq_ignore_ascii_case(name));
    named.map(|(number, _)| number).or_else(|| u32::from_str(name).ok())
}

/// Sets a fact as completely as the version allows. Returns whether it is stored completely. An
/// empty value removes it.
pub(crate) fn set_fact(
    info: &mut Info,
    version: Version,
    encoding: Encoding,
    fact: Fact,
    value: &str,
) -> bool {
    match fact {
        Fact::Description => {
            set_text(&mut info.description, version, encoding, value, DESCRIPTION_SIZE)
        }
        Fact::FlagLabel(number) => {
            let place = usize::from(number).checked_sub(1);
            match place.and_then(|place| info.flag_labels.get_mut(place)) {
                Some(label) => set_text(label, version, encoding, value, FLAG_LABEL_SIZE),
                None => false,
            }
        }
        Fact::Type => {
            let number = if value.is_empty() { Some(0) } else { type_number(value) };
            info.base_type = number.unwrap_or(info.base_type);
            number.is_some()
        }
        Fact::DefaultGame => {
            let number = if value.is_empty() { Some(1) } else { value.parse().ok() };
            let number = number.filter(|number| *number <= MAX_AUTOLOAD);
            info.autoload = number.unwrap_or(info.autoload);
            number.is_some()
        }
        _ => false,
    }
}

/// The text fields of version 4 have this size, including the NUL.
fn set_text(
    text: &mut Vec<u8>,
    version: Version,
    encoding: Encoding,
    value: &str,
    size: usize,
) -> bool {
    let (bytes, complete) = encoding.encode(value);
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    let most = if version == Version::Si5 { usize::MAX } else { size.saturating_sub(1) };
    let held = crate::encode::cut_text(bytes.get(..end).unwrap_or_default(), most);
    held.clone_into(text);
    complete && held.len() == bytes.len()
}

/// Encodes a fact as a record of a version 5 names file.
pub(crate) fn encode_fact_5(info: &Info, fact: Fact, bytes: &mut Vec<u8>) {
    let number;
    let (key, value) = match fact {
        Fact::Description => ("description".to_owned(), &info.description),
        Fact::Type => {
            number = info.base_type.to_string().into_bytes();
            ("type".to_owned(), &number)
        }
        Fact::DefaultGame => {
            number = info.autoload.to_string().into_bytes();
            ("autoload".to_owned(), &number)
        }
        Fact::FlagLabel(flag) => {
            let place = usize::from(flag).checked_sub(1);
            let Some(label) = place.and_then(|place| info.flag_labels.get(place)) else { return };
            (format!("flag{flag}"), label)
        }
        _ => return,
    };
    encode_info_5(&key, value, bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set_all(version: Version) -> (Info, Vec<bool>) {
        let mut info = Info { autoload: 1, ..Info::default() };
        let long = "ü".repeat(60);
        let facts = [
            (Fact::Description, &*long),
            (Fact::Type, "tactics"),
            (Fact::DefaultGame, "7"),
            (Fact::FlagLabel(6), "To study!"),
            (Fact::FlagLabel(1), "Checked"),
        ];
        let set = |(fact, value)| set_fact(&mut info, version, Encoding::UTF_8, fact, value);
        let whole = facts.into_iter().map(set).collect();
        (info, whole)
    }

    #[test]
    fn facts_version_4_fill_header_fields() {
        let (info, whole) = set_all(Version::Si4);
        assert_eq!(whole, [false, true, true, false, true]);
        assert_eq!(info.description.len(), 106, "no half of a letter");
        assert_eq!((info.base_type, info.autoload), (15, 7));
        assert_eq!(info.flag_labels[5], b"To study");
        let about = about(&info, Version::Si4, &TextDecoder::utf8_or(Encoding::WINDOWS_1252));
        assert_eq!(about.get(Fact::Type), Some("Tactics"));
        assert_eq!(about.iter().count(), 5);
    }

    #[test]
    fn facts_version_5_fill_name_records() {
        let (info, whole) = set_all(Version::Si5);
        assert_eq!(whole, [true; 5]);
        let mut bytes = Vec::new();
        for fact in Fact::ALL {
            encode_fact_5(&info, fact, &mut bytes);
        }
        let mut back = Info::default();
        let mut diagnostics = Default::default();
        crate::names_5::parse_names_5(&bytes, "sn5", &mut back, &mut diagnostics).unwrap();
        assert_eq!(back, Info { version: 0, ..info });
    }

    #[test]
    fn set_fact_invalid_value_is_refused() {
        let mut info = Info::default();
        for (fact, value) in [
            (Fact::Type, "Sudoku"),
            (Fact::DefaultGame, "-1"),
            (Fact::DefaultGame, "16777216"),
            (Fact::FlagLabel(7), "x"),
        ] {
            assert!(!set_fact(&mut info, Version::Si4, Encoding::UTF_8, fact, value), "{value}");
        }
        assert_eq!(info, Info::default());
    }
}
