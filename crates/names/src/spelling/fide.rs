//! Reads the rating lists of FIDE: text in columns (`players_list_foa.txt`, `standard_rating_list.txt`), and
//! XML (`players_list_xml_foa.xml`).

use std::io::{BufRead, Read as _};

use chess_core::{Date, Elo};

use super::parse::{LONGEST_LINE, SpellingErrorKind, decoded};

/// A player of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Player {
    pub(super) name: String,
    pub(super) fide_id: u32,
    pub(super) title: String,
    pub(super) federation: String,
    pub(super) rating: Option<Elo>,
}

impl Player {
    /// Returns the note of a spelling file: `GM NOR [2847]`.
    pub(super) fn note(&self) -> String {
        let title = if self.title.is_empty() { "-" } else { &self.title };
        let rating = self.rating.map(|elo| format!(" [{elo}]")).unwrap_or_default();
        format!("{title} {}{rating}", self.federation)
    }
}

/// Returns whether a file that begins like this is a list of FIDE.
pub(super) fn is_list(start: &[u8]) -> bool {
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
    let word = start.get(..2).unwrap_or_default();
    start.starts_with(b"<") || word.eq_ignore_ascii_case(b"id")
}

/// Passes the players of a list to `each`. Returns the month of the list, if its header tells it.
///
/// # Errors
/// The line, and what is wrong with it.
pub(super) fn read(
    text: &mut impl BufRead,
    each: &mut dyn FnMut(Player) -> Result<(), SpellingErrorKind>,
) -> Result<Option<Date>, (u64, SpellingErrorKind)> {
    let mut bytes = Vec::new();
    let start = text.fill_buf().map_err(|error| (1, error.into()))?;
    if start.trim_ascii_start().starts_with(b"<") || start.starts_with(b"\xef\xbb\xbf<") {
        return read_xml(text, each).map(|()| None).map_err(|kind| (0, kind));
    }
    take_until(text, b'\n', &mut bytes).map_err(|kind| (1, kind))?;
    let columns = Columns::of(&decoded(&bytes));
    for number in 2.. {
        if !take_until(text, b'\n', &mut bytes).map_err(|kind| (number, kind))? {
            break;
        }
        let line = decoded(&bytes);
        let id = columns.id.of(&line).parse().ok().filter(|id| *id != 0);
        let (Some(fide_id), name) = (id, columns.name.of(&line)) else { continue };
        if name.is_empty() {
            continue;
        }
        each(Player {
            name: name.to_owned(),
            fide_id,
            title: columns.title.of(&line).to_uppercase(),
            federation: columns.federation.of(&line).to_owned(),
            rating: columns.rating.of(&line).parse().ok().and_then(Elo::new),
        })
        .map_err(|kind| (number, kind))?;
    }
    Ok(columns.month)
}

/// Reads to `end`, which it leaves out. Returns whether there was anything.
fn take_until(
    text: &mut impl BufRead,
    end: u8,
    bytes: &mut Vec<u8>,
) -> Result<bool, SpellingErrorKind> {
    bytes.clear();
    let read = text.by_ref().take(LONGEST_LINE).read_until(end, bytes)?;
    if read as u64 >= LONGEST_LINE {
        return Err(SpellingErrorKind::LongLine);
    }
    if bytes.last() == Some(&end) {
        bytes.pop();
    }
    Ok(read > 0)
}

/// The characters of a column.
#[derive(Clone, Copy, Default)]
struct Column {
    start: usize,
    end: usize,
}

impl Column {
    fn of(self, line: &str) -> &str {
        let place = |column: usize| match line.is_ascii() {
            true => column.min(line.len()),
            false => line.char_indices().nth(column).map_or(line.len(), |(at, _)| at),
        };
        line.get(place(self.start)..place(self.end)).unwrap_or_default().trim()
    }
}

/// The columns of a list, by its header: `ID Number  Name  Fed Sex Tit  WTit OTit  FOA NOV22 Gms K`.
#[derive(Default)]
struct Columns {
    id: Column,
    name: Column,
    federation: Column,
    title: Column,
    rating: Column,
    month: Option<Date>,
}

impl Columns {
    fn of(header: &str) -> Columns {
        let mut columns = Columns::default();
        let starts: Vec<usize> = header
            .char_indices()
            .filter(|(at, letter)| {
                let before = header.get(..*at).and_then(|text| text.chars().next_back());
                !letter.is_whitespace() && before.is_none_or(char::is_whitespace)
            })
            .map(|(at, _)| at)
            .collect();
        let ends = starts.iter().skip(1).copied().chain([usize::MAX]);
        for (start, end) in starts.iter().copied().zip(ends) {
            let column = Column { start, end };
            let word = column.of(header).to_ascii_lowercase();
            match &*word {
                "id" | "id_number" => columns.id = column,
                // `ID Number` is one column.
                "number" => columns.id.end = end,
                "name" => columns.name = column,
                "fed" => columns.federation = column,
                "tit" | "title" | "titl" => columns.title = column,
                "srtng" => columns.rating = column,
                word => {
                    if let Some(month) = month(word) {
                        (columns.rating, columns.month) = (column, Some(month));
                    }
                }
            }
        }
        columns
    }
}

/// Parses `nov22`. Lists with such a header begin in 2000.
fn month(word: &str) -> Option<Date> {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let (name, year) = word.split_at_checked(3)?;
    let month = (1..).zip(MONTHS).find(|(_, known)| *known == name)?.0;
    let year: u16 = year.parse().ok().filter(|year| *year < 100 && word.len() == 5)?;
    Date::new(2000 + year, month, 0)
}

fn read_xml(
    text: &mut impl BufRead,
    each: &mut dyn FnMut(Player) -> Result<(), SpellingErrorKind>,
) -> Result<(), SpellingErrorKind> {
    let (mut content, mut tag, mut player) = (Vec::new(), Vec::new(), Player::default());
    while take_until(text, b'<', &mut content)? {
        take_until(text, b'>', &mut tag)?;
        let value = || decoded(&content).trim().to_owned();
        match &*tag {
            b"/fideid" => player.fide_id = value().parse().unwrap_or(0),
            b"/name" => player.name = without_entities(&value()),
            b"/country" => player.federation = value(),
            b"/title" => player.title = value().to_uppercase(),
            b"/rating" => player.rating = value().parse().ok().and_then(Elo::new),
            b"/player" => {
                let player = std::mem::take(&mut player);
                if player.fide_id != 0 && !player.name.is_empty() {
                    each(player)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn without_entities(text: &str) -> String {
    let mut plain = text.to_owned();
    for (entity, letter) in
        [("&apos;", "'"), ("&quot;", "\""), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")]
    {
        if plain.contains('&') {
            plain = plain.replace(entity, letter);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) const TEXT: &str = "\
ID Number      Name                                                         Fed Sex Tit  WTit OTit           FOA NOV22 Gms K  B-day Flag
1503014        Carlsen, Magnus                                              NOR M   GM                           2859  5   10 1990
700070         Polgar, Judit                                                HUN F   GM   WGM                     2675  0   10 1976  wi
x              No, Id                                                       HUN F                                2675  0   10 1976
14100000       O'Neil, Jo\u{e3}o                                                 IRL M                                0     0   40
";
    const XML: &str = "<?xml version=\"1.0\"?>\n<playerslist>\n<player>\n<fideid>14100000</fideid>\n\
        <name>O&apos;Neil, Jo\u{e3}o</name>\n<country>IRL</country>\n<title></title>\n<rating>0</rating>\n\
        </player><player><name>No, Id</name></player>\n<player><fideid>700070</fideid><name>Polgar, Judit\
        </name><country>HUN</country><title>GM</title><w_title>WGM</w_title><rating>2675</rating></player>\n\
        </playerslist>";

    fn players(text: &str) -> (Option<Date>, Vec<Player>) {
        let mut all = Vec::new();
        let month = read(&mut text.as_bytes(), &mut |player| {
            all.push(player);
            Ok(())
        });
        (month.map_err(|(_, kind)| kind.to_string()).unwrap(), all)
    }

    #[test]
    fn read_text_and_xml_have_the_same_players() {
        let (month, text) = players(TEXT);
        assert_eq!(month, Date::new(2022, 11, 0));
        let names: Vec<(&str, u32)> =
            text.iter().map(|player| (&*player.name, player.fide_id)).collect();
        let expected = [
            ("Carlsen, Magnus", 1503014),
            ("Polgar, Judit", 700070),
            ("O'Neil, Jo\u{e3}o", 14100000),
        ];
        assert_eq!(names, expected);
        assert_eq!(text[1].note(), "GM HUN [2675]");
        let (month, xml) = players(XML);
        assert_eq!(month, None);
        assert_eq!(xml, [text[2].clone(), text[1].clone()]);
    }

    #[test]
    fn read_cut_or_broken_list_does_not_fail() {
        for text in [TEXT, XML] {
            for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
                let _ = read(&mut &text.as_bytes()[..end], &mut |_| Ok(()));
            }
        }
        let long = format!("<a>{}", "x".repeat(70_000));
        assert!(read(&mut long.as_bytes(), &mut |_| Ok(())).is_err());
    }

    #[test]
    fn is_list_tells_forms_apart() {
        assert!(is_list(TEXT.as_bytes()) && is_list(XML.as_bytes()) && is_list(b"\xef\xbb\xbfID "));
        assert!(!is_list(b"# comment") && !is_list(b"@PLAYER") && !is_list(b""));
    }
}
