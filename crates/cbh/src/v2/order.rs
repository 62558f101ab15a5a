//! The sort orders of entities.
//!
//! ChessBase compares texts as Windows does: case and accents count only where all else is equal,
//! and symbols come before digits and digits before letters. The rules are not known to the last
//! pair, so a check of a base does not compare its order with this one.

use super::entities::{EntityType, FieldReader, Player, Source, Team, Tournament, parse_titles};

/// An order of the `.2lcd`.
// cbh2 §8 "Sort orders"
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Order {
    pub(crate) name: &'static str,
    pub(crate) kind: EntityType,
    /// The number of the order within its type.
    pub(crate) number: u8,
    /// The role whose entities the order has.
    pub(crate) role: Role,
}

/// The role of an entity in a game, by the place of its list in the `.2lgd`.
// cbh2 §7 "Games of each entity"
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Role {
    Player = 1,
    Tournament = 2,
    Source = 3,
    Annotator = 4,
    Team = 5,
    GameTitle = 6,
    TextTitle = 7,
    AnalysisTitle = 8,
}

/// The orders of a base.
pub(crate) const ORDERS: [Order; 8] = {
    const fn order(name: &'static str, kind: EntityType, number: u8, role: Role) -> Order {
        Order { name, kind, number, role }
    }
    [
        order("Default Spieler", EntityType::Player, 0, Role::Player),
        order("Default Turnier", EntityType::Tournament, 0, Role::Tournament),
        order("Default Quelle", EntityType::Source, 0, Role::Source),
        order("Default Kommentator", EntityType::Player, 1, Role::Annotator),
        order("Default Mannschaften", EntityType::Team, 0, Role::Team),
        order("Default Partietitle", EntityType::Title, 0, Role::GameTitle),
        order("Texttitel", EntityType::Title, 1, Role::TextTitle),
        order("Analysen", EntityType::Title, 2, Role::AnalysisTitle),
    ]
};

/// A text as it is compared: letters without case and accents first, accents last. The second list
/// ends with the last accent, so that most texts have none.
type Compared = (Vec<u32>, Vec<bool>);

/// The sort fields of an entity.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct SortKey {
    first: i64,
    texts: [Compared; 2],
    rest: [i64; 4],
}

/// Returns the sort key of an entity from its fields.
// cbh2 §8.3 "Order"
pub(crate) fn sort_key(kind: EntityType, fields: &[u8]) -> SortKey {
    let mut reader = FieldReader::new(fields);
    let name = |bytes: &[u8]| compared(bytes, &['\'', '\u{2019}']);
    let empty = Compared::default();
    match kind {
        EntityType::Player | EntityType::Unused => {
            let player = Player::parse(&mut reader);
            let texts = [name(player.last), name(player.first)];
            SortKey { texts, ..SortKey::default() }
        }
        EntityType::Tournament => {
            let event = Tournament::parse(&mut reader);
            let text = |bytes: &[u8]| compared(bytes, &['\'', '\u{2019}', '-']);
            let (year, month) = (event.date >> 9 & 0xfff, event.date >> 5 & 15);
            SortKey {
                first: year.into(),
                texts: [text(event.title), text(event.place)],
                rest: [month.into(), (event.date & 31).into(), 0, 0],
            }
        }
        EntityType::Source => {
            let source = Source::parse(&mut reader);
            SortKey { texts: [name(source.title), empty], ..SortKey::default() }
        }
        EntityType::Team => {
            let team = Team::parse(&mut reader);
            let rest =
                [team.number.into(), team.nation.into(), team.year.into(), team.season.into()];
            SortKey { texts: [name(team.title), empty], rest, ..SortKey::default() }
        }
        EntityType::Title => {
            let (language, title) = first_title(&mut reader);
            SortKey { first: language.into(), texts: [name(title), empty], rest: [0; 4] }
        }
    }
}

fn first_title<'a>(reader: &mut FieldReader<'a>) -> (i32, &'a [u8]) {
    let titles = parse_titles(reader);
    let named = titles.iter().find(|(_, title)| !title.is_empty());
    named.or(titles.first()).copied().unwrap_or((0, &[]))
}

fn compared(bytes: &[u8], ignored: &[char]) -> Compared {
    let mut letters = Vec::with_capacity(bytes.len());
    if bytes.is_ascii() {
        // Nearly all names. A table is five times as fast as `weight`.
        let weight = |byte: &u8| ASCII_WEIGHTS.get(usize::from(*byte)).copied().unwrap_or(0);
        letters.extend(bytes.iter().map(weight));
        if ignored.iter().any(|letter| bytes.iter().any(|byte| char::from(*byte) == *letter)) {
            letters.retain(|weight| !ignored.iter().any(|letter| *weight == u32::from(*letter)));
        }
        return (letters, Vec::new());
    }
    let mut accents = Vec::new();
    let text = String::from_utf8_lossy(bytes);
    for letter in text.chars().filter(|letter| !ignored.contains(letter)) {
        for (letter, accent) in letter.to_lowercase().map(base_letter) {
            if accent {
                accents.resize(letters.len(), false);
                accents.push(true);
            }
            letters.push(weight(letter));
        }
    }
    (letters, accents)
}

/// The weights of the ASCII characters, in lower case.
#[allow(clippy::indexing_slicing, reason = "the index is below 128")]
const ASCII_WEIGHTS: [u32; 128] = {
    let (mut weights, mut byte) = ([0; 128], 0u8);
    while byte < 128 {
        let letter = byte.to_ascii_lowercase();
        let class = if letter.is_ascii_digit() {
            1
        } else if letter.is_ascii_alphabetic() {
            2
        } else {
            0
        };
        weights[byte as usize] = class << 24 | letter as u32;
        byte += 1;
    }
    weights
};

/// Symbols come before digits, digits before letters.
fn weight(letter: char) -> u32 {
    let class = match letter {
        _ if letter.is_numeric() => 1,
        _ if letter.is_alphabetic() => 2,
        _ => 0,
    };
    class << 24 | u32::from(letter)
}

/// Returns a lower-case letter without its accent, and whether it had one.
fn base_letter(letter: char) -> (char, bool) {
    let base = match letter {
        'à'..='å' | 'ā' | 'ă' | 'ą' => 'a',
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => 'c',
        'ď' | 'đ' => 'd',
        'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => 'e',
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => 'g',
        'ĥ' | 'ħ' => 'h',
        'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' => 'i',
        'ĵ' => 'j',
        'ķ' => 'k',
        'ĺ' | 'ļ' | 'ľ' | 'ŀ' | 'ł' => 'l',
        'ñ' | 'ń' | 'ņ' | 'ň' => 'n',
        'ò'..='ö' | 'ø' | 'ō' | 'ŏ' | 'ő' => 'o',
        'ŕ' | 'ŗ' | 'ř' => 'r',
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' => 's',
        'ţ' | 'ť' | 'ŧ' | 'ț' => 't',
        'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' => 'u',
        'ŵ' => 'w',
        'ý' | 'ÿ' | 'ŷ' => 'y',
        'ź' | 'ż' | 'ž' => 'z',
        'ё' => 'е',
        other => return (other, false),
    };
    (base, true)
}

/// The key of an entity whose sort fields are all empty.
const EMPTY_KEY: u64 = 1;

/// Returns the key that a node of an order holds: the first eight bytes of the sort fields, or 0 if
/// they have a character that keys do not permit.
// cbh2 §8.4 "Keys"
pub(crate) fn node_key(kind: EntityType, fields: &[u8]) -> u64 {
    let mut reader = FieldReader::new(fields);
    let ascii = |byte: u8| byte.is_ascii();
    match kind {
        EntityType::Player | EntityType::Unused => {
            let player = Player::parse(&mut reader);
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b' ';
            let empty = player.last.is_empty() && player.first.is_empty();
            key(empty, &[], player.last, plain)
        }
        EntityType::Tournament => {
            let event = Tournament::parse(&mut reader);
            let year = u16::try_from(event.date >> 9 & 0xfff).unwrap_or(0);
            let empty = event.date == 0 && event.title.is_empty() && event.place.is_empty();
            key(empty, &year.to_be_bytes(), event.title, |byte| byte.is_ascii_alphanumeric())
        }
        EntityType::Source => {
            let title = Source::parse(&mut reader).title;
            key(title.is_empty(), &[], title, ascii)
        }
        EntityType::Team => {
            let team = Team::parse(&mut reader);
            let empty = team == Team { title: &[], ..Team::default() };
            key(empty, &[], team.title, ascii)
        }
        EntityType::Title => {
            let (language, title) = first_title(&mut reader);
            let language = u8::try_from(language).unwrap_or(0);
            let plain = |byte: u8| byte.is_ascii() && byte > 8;
            key((language, title) == (0, &[]), &[language], title, plain)
        }
    }
}

fn key(empty: bool, start: &[u8], text: &[u8], permitted: impl Fn(u8) -> bool) -> u64 {
    if empty {
        return EMPTY_KEY;
    }
    let mut bytes = [0; 8];
    let text = text.get(..8usize.saturating_sub(start.len())).unwrap_or(text);
    if !text.iter().all(|byte| permitted(*byte)) {
        return 0;
    }
    let letters = start.iter().copied().chain(text.iter().map(u8::to_ascii_lowercase));
    bytes.iter_mut().zip(letters).for_each(|(place, byte)| *place = byte);
    u64::from_be_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::v2::entities::encode_titles;

    #[test]
    fn ascii_weights_equal_weights_of_letters() {
        for (byte, found) in (0..128u8).zip(ASCII_WEIGHTS) {
            assert_eq!(found, weight(char::from(byte.to_ascii_lowercase())), "{byte}");
        }
        let (letters, _) = compared(b"O'Brien-\xc3\xa9", &['\'', '-']);
        let (plain, _) = compared(b"OBrie", &[]);
        assert_eq!((letters.len(), letters.get(..5)), (7, Some(&*plain)));
        assert_eq!(compared(b"O'Brie-", &['\'', '-']).0, plain);
    }

    fn player(last: &str, first: &str) -> Vec<u8> {
        let mut fields = Vec::new();
        Player { last: last.as_bytes(), first: first.as_bytes(), ..Player::EMPTY }
            .encode(&mut fields);
        fields
    }

    #[test]
    fn sort_key_players_ignore_case_and_accents() {
        let names = [
            ("", ""),
            ("(Zed)", ""),
            ("1st", ""),
            ("ab", "x"),
            ("Äb", "a"),
            ("ac", ""),
            ("O'Neil", "A"),
            ("oneil", "B"),
            ("Жук", ""),
        ];
        let keys = names.map(|(last, first)| sort_key(EntityType::Player, &player(last, first)));
        assert!(keys.is_sorted(), "{keys:?}");
    }

    /// Compares with a mark for each letter, whether it has an accent.
    #[test]
    fn compared_texts_have_the_order_of_all_marks() {
        let marked = |text: &str| -> (Vec<u32>, Vec<bool>) {
            let letters = text.chars().filter(|letter| *letter != '-');
            let folded = letters.flat_map(char::to_lowercase).map(base_letter);
            folded.map(|(letter, accent)| (weight(letter), accent)).unzip()
        };
        let texts = [
            "",
            "a",
            "A",
            "á",
            "ab",
            "áb",
            "aB\u{301}",
            "aç",
            "ac",
            "áç",
            "ác",
            "a-c",
            "İz",
            "iz",
            "1a",
            "a1",
            "(a",
            "Straße",
            "strasse",
            "Жёлтый",
            "Желтый",
            "é\u{fffd}",
        ];
        for one in texts {
            for other in texts {
                let of = |text: &str| compared(text.as_bytes(), &['-']);
                let expected = marked(one).cmp(&marked(other));
                assert_eq!(of(one).cmp(&of(other)), expected, "{one} {other}");
            }
        }
    }

    #[test]
    fn node_key_examples_match_description() {
        let of = |last: &str| node_key(EntityType::Player, &player(last, "Ann"));
        assert_eq!(of("Alder"), u64::from_be_bytes(*b"alder\0\0\0"));
        assert_eq!(of("Nimzowitsch"), u64::from_be_bytes(*b"nimzowit"));
        assert_eq!((of("O'Neil"), of("Müller"), of("")), (0, 0, 0));
        assert_eq!(node_key(EntityType::Player, &player("", "")), 1);
        let mut fields = Vec::new();
        encode_titles(&[(42, b"A sad story")], &mut fields);
        assert_eq!(node_key(EntityType::Title, &fields), u64::from_be_bytes(*b"*a sad s"));
        fields.clear();
        encode_titles(&[], &mut fields);
        assert_eq!(node_key(EntityType::Title, &fields), 1);
        fields.clear();
        let event = Tournament { title: b"Forfeits", date: 2024 << 9, ..Tournament::default() };
        event.encode(&mut fields);
        let expected = [0x07, 0xe8, b'f', b'o', b'r', b'f', b'e', b'i'];
        assert_eq!(node_key(EntityType::Tournament, &fields), u64::from_be_bytes(expected));
    }
}
