//! Reads the text of a spelling file, line by line, or a list of FIDE.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::io::{self, BufRead, Read as _};

use chess_store::Encoding;

use super::names::{Rule, RulePlace, TooMany};
use super::{NameId, NameKind, Spelling, fide};

/// The longest line, in bytes.
pub(super) const LONGEST_LINE: u64 = 1 << 16;
/// The most rules of a file. Every name is compared with all rules of its section.
const MAX_RULES: usize = 10_000;

/// An error in a spelling file.
#[derive(Debug)]
pub struct SpellingError {
    line: u64,
    kind: SpellingErrorKind,
}

/// Kinds of errors in a spelling file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpellingErrorKind {
    /// The file could not be read.
    #[error("{}", chess_store::system_message(.0))]
    Io(#[from] io::Error),
    /// A line exceeds the size limit.
    #[error("the line is longer than {LONGEST_LINE} bytes; this is not a spelling file")]
    LongLine,
    /// Text before the first section.
    #[error(
        "a spelling file begins with a section: @PLAYER, @SITE, @EVENT or @ROUND; this is not one"
    )]
    NoSection,
    /// A section that is not known.
    #[error("{0:?} is not a section; write @PLAYER, @SITE, @EVENT or @ROUND")]
    UnknownSection(String),
    /// Another spelling without a name.
    #[error("`=` gives another spelling of the name above, and there is no name above")]
    NoName,
    /// A line with an empty name.
    #[error("there is no name on this line")]
    EmptyName,
    /// A rule without two texts in quotes.
    #[error("{0} needs two texts in quotes: {0} \"Intl\" \"International\"")]
    Rule(&'static str),
    /// A list of FIDE without any player.
    #[error(
        "there is no player; a list of FIDE has columns under \"ID Number\" and \"Name\", or is XML"
    )]
    NoPlayers,
    /// A file with too many rules.
    #[error("more than {MAX_RULES} rules; this is not a spelling file")]
    TooManyRules,
    /// A file with too many names.
    #[error("the names of one section exceed 4 GiB")]
    TooManyNames,
    /// A file without any section.
    #[error("there is no section; a spelling file has @PLAYER, @SITE, @EVENT or @ROUND")]
    Empty,
}

impl SpellingError {
    pub(super) fn new(line: u64, kind: SpellingErrorKind) -> SpellingError {
        SpellingError { line, kind }
    }

    /// Returns the line, from 1; 0 if the error is not about a line.
    #[must_use]
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Returns what is wrong.
    #[must_use]
    pub fn kind(&self) -> &SpellingErrorKind {
        &self.kind
    }
}

impl fmt::Display for SpellingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}", self.kind),
            line => write!(f, "line {line}: {}", self.kind),
        }
    }
}

impl std::error::Error for SpellingError {}

impl From<TooMany> for SpellingErrorKind {
    fn from(_: TooMany) -> SpellingErrorKind {
        SpellingErrorKind::TooManyNames
    }
}

/// Some players of a file, with their years of life.
#[derive(Debug, Default)]
pub(super) struct Careers {
    pub(super) of: HashMap<NameId, Career>,
}

#[derive(Debug, Default)]
pub(super) struct Career {
    /// The years of titles.
    pub(super) titles: Vec<(u16, String)>,
    /// The ratings of each year, 0 if one is unknown.
    pub(super) ratings: BTreeMap<u16, Vec<u16>>,
}

impl Career {
    /// `Title GM:2007 IM:1997` of `%Bio`, and `1990:2550,2540 1991:?,2550` of `%Elo`.
    fn add(&mut self, command: &str, rest: &str) {
        let rest = match command {
            "elo" => rest,
            _ => rest.trim().strip_prefix("Title").unwrap_or_default(),
        };
        for (one, other) in rest.split_whitespace().filter_map(|part| part.split_once(':')) {
            if let (true, Ok(year)) = (command == "elo", one.parse()) {
                let all = other.split(',').map(|elo| elo.parse().unwrap_or(0)).collect();
                self.ratings.insert(year, all);
            } else if let Ok(year) = other.parse() {
                self.titles.push((year, one.to_uppercase()));
            }
        }
    }
}

pub(super) fn parse(text: impl BufRead, into: &mut Spelling) -> Result<(), SpellingError> {
    parse_with(text, into, None)
}

/// Like [`parse`]. Also collects the careers of the players who have an entry.
pub(super) fn parse_with(
    mut text: impl BufRead,
    into: &mut Spelling,
    careers: Option<&mut Careers>,
) -> Result<(), SpellingError> {
    let start = text.fill_buf().map_err(|error| SpellingError::new(0, error.into()))?;
    if fide::is_list(start) {
        return parse_list(&mut text, into);
    }
    let mut parser = Parser { into, careers, kind: None, rules: 0 };
    let (mut bytes, mut number) = (Vec::new(), 0u64);
    loop {
        bytes.clear();
        number += 1;
        let wrong = |kind| SpellingError::new(number, kind);
        let read = text.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes);
        let read = read.map_err(|error| wrong(error.into()))?;
        if read == 0 {
            break;
        }
        if read as u64 >= LONGEST_LINE {
            return Err(wrong(SpellingErrorKind::LongLine));
        }
        let line = decoded(&bytes);
        let line = line.trim_start_matches('\u{feff}').trim();
        parser.line(line).map_err(wrong)?;
    }
    match parser.kind {
        Some(_) => Ok(()),
        None => Err(SpellingError::new(0, SpellingErrorKind::Empty)),
    }
}

/// Decodes UTF-8 or Windows-1252.
pub(super) fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(line) => line.into(),
        Err(_) => Encoding::WINDOWS_1252.decode(bytes),
    }
}

fn parse_list(text: &mut impl BufRead, into: &mut Spelling) -> Result<(), SpellingError> {
    let section = into.section_mut(NameKind::Player);
    if section.len() == 0 {
        "., -_*".clone_into(&mut section.ignored);
    }
    let mut players = 0u64;
    let read = fide::read(text, &mut |player| {
        players += 1;
        section.push_name(&player.name, &player.note())?;
        section.set_fide_id(player.fide_id);
        Ok(())
    });
    match read {
        Ok(month) if players > 0 => {
            into.month = month.or(into.month);
            Ok(())
        }
        Ok(_) => Err(SpellingError::new(0, SpellingErrorKind::NoPlayers)),
        Err((line, kind)) => Err(SpellingError::new(line, kind)),
    }
}

struct Parser<'a> {
    into: &'a mut Spelling,
    careers: Option<&'a mut Careers>,
    /// The section.
    kind: Option<NameKind>,
    rules: usize,
}

impl Parser<'_> {
    fn line(&mut self, line: &str) -> Result<(), SpellingErrorKind> {
        if line.is_empty() || line.starts_with('#') {
            return Ok(());
        }
        if line.starts_with('@') {
            return self.section(line);
        }
        let kind = self.kind.ok_or(SpellingErrorKind::NoSection)?;
        let section = self.into.section_mut(kind);
        if let Some(command) = line.strip_prefix('%') {
            return self.command(kind, command);
        }
        let (name, note) = line.split_once('#').unwrap_or((line, ""));
        let (name, note) = (name.trim(), note.trim());
        if let Some(alias) = name.strip_prefix('=') {
            let alias = alias.trim();
            if alias.is_empty() {
                return Err(SpellingErrorKind::EmptyName);
            }
            return match section.push_alias(alias)? {
                true => Ok(()),
                false => Err(SpellingErrorKind::NoName),
            };
        }
        if name.is_empty() {
            return Err(SpellingErrorKind::EmptyName);
        }
        Ok(section.push_name(name, note)?)
    }

    /// `@PLAYER "., -_*"`
    fn section(&mut self, line: &str) -> Result<(), SpellingErrorKind> {
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let kind = match &*name.to_ascii_uppercase() {
            "@PLAYER" => NameKind::Player,
            "@SITE" => NameKind::Site,
            "@EVENT" => NameKind::Event,
            "@ROUND" => NameKind::Round,
            _ => return Err(SpellingErrorKind::UnknownSection(name.to_owned())),
        };
        self.kind = Some(kind);
        let section = self.into.section_mut(kind);
        // The keys of names are made with the first list.
        if let (0, Some((ignored, _))) = (section.len(), quoted(rest)) {
            ignored.clone_into(&mut section.ignored);
        }
        Ok(())
    }

    /// `%Bio FIDEID 1503014`, or a part of a career.
    fn note(&mut self, kind: NameKind, note: &str, rest: &str) {
        let section = self.into.section_mut(kind);
        if let ("bio", Some(id)) = (note, rest.trim().strip_prefix("FIDEID")) {
            section.set_fide_id(id.trim().parse().unwrap_or(0));
        } else if let (NameKind::Player, "bio" | "elo", Some(all)) = (kind, note, &mut self.careers)
            && let Some(career) = section.last_id().and_then(|id| all.of.get_mut(&id))
        {
            career.add(note, rest);
        }
    }

    /// `%Suffix "(Austria)" "AUT"`. Other commands are notes.
    fn command(&mut self, kind: NameKind, command: &str) -> Result<(), SpellingErrorKind> {
        let (name, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
        let (place, name) = match &*name.to_ascii_lowercase() {
            "prefix" => (RulePlace::Prefix, "%Prefix"),
            "infix" => (RulePlace::Infix, "%Infix"),
            "suffix" => (RulePlace::Suffix, "%Suffix"),
            note => {
                self.note(kind, note, rest);
                return Ok(());
            }
        };
        let texts = quoted(rest).and_then(|(from, rest)| Some((from, quoted(rest)?.0)));
        let Some((from, to)) = texts.filter(|(from, _)| !from.is_empty()) else {
            return Err(SpellingErrorKind::Rule(name));
        };
        self.rules += 1;
        if self.rules > MAX_RULES {
            return Err(SpellingErrorKind::TooManyRules);
        }
        let rule = Rule { place, from: from.to_owned(), to: to.to_owned() };
        self.into.section_mut(kind).rules.push(rule);
        Ok(())
    }
}

/// Returns the text in quotes at the start of `text`, and what follows.
fn quoted(text: &str) -> Option<(&str, &str)> {
    text.trim_start().strip_prefix('"')?.split_once('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\u{feff}# comment\r\n@PLAYER \"., -_*\"\r\n\
        Korchnoi, Viktor #gm  URS/XXX/SUI [2695] 1931.03.23\r\n  %Bio BornCity: Leningrad, URS\r\n\
        \x20  = Kortchnoi, V L\r\nPetrosian, Arshak B #gm\nPetrosian, Tigran V\n  = Petrosian, T V\n\
        Sohita, A\nA, Sohita\n  = Sohita, A\nLi, Chao b\nAnand V\nAnand, Viswanathan\nAnand, R\n\
        @SITE \"., -_()\"\n%Suffix \"(Argentina)\" \"ARG\"\nBuenos Aires ARG\n  = Buenos-Ayres\n\
        @EVENT \",. -_\"\n%Prefix \"II \" \"2. \"\n%Infix \"-ch \" \" Ch \"\n%Suffix \" mem\" \" Memorial\"\n\
        @ROUND \"\"\n1\n  = 01\n  = (1)\n";

    fn canonical(kind: NameKind, name: &str) -> Option<String> {
        let spelling = Spelling::read(FILE.as_bytes()).unwrap();
        spelling.canonical(kind, name).map(std::borrow::Cow::into_owned)
    }

    #[test]
    fn canonical_player_matches_spellings_and_initials() {
        for (name, found) in [
            ("Korchnoi, Viktor", Some("Korchnoi, Viktor")),
            ("KORCHNOI,VIKTOR", Some("Korchnoi, Viktor")),
            ("Korchnoi, V.", Some("Korchnoi, Viktor")),
            ("Kortchnoi,V", Some("Korchnoi, Viktor")),
            ("V. L. Kortchnoi", Some("Korchnoi, Viktor")),
            ("K\u{f3}rchnoi V", Some("Korchnoi, Viktor")),
            ("Korchnoi", None),
            ("Korchnoi, I", None),
            ("Korchnoi, Viktor X", None),
            ("Petrosian", None),
            ("Petrosian, T", Some("Petrosian, Tigran V")),
            ("Petrosian, A", Some("Petrosian, Arshak B")),
            ("Sohita, A", Some("Sohita, A")),
            ("A, Sohita", Some("A, Sohita")),
            ("Li, C", Some("Li, Chao b")),
            ("Anand,V", Some("Anand, Viswanathan")),
            ("Anand V", Some("Anand V")),
            ("Anand V,", Some("Anand V")),
            ("?", None),
            ("", None),
        ] {
            assert_eq!(canonical(NameKind::Player, name).as_deref(), found, "{name}");
        }
    }

    #[test]
    fn read_list_of_fide_has_names_and_ids() {
        let list =
            "ID Number  Name            Fed Sex Tit WTit\n700070     Polgar, Judit   HUN F   GM\n";
        let spelling = Spelling::read(list.as_bytes()).unwrap();
        assert_eq!(
            spelling.canonical(NameKind::Player, "polgar j").as_deref(),
            Some("Polgar, Judit")
        );
        assert_eq!(spelling.fide_id("Polgar,Ju"), Some(700070));
        let error = Spelling::read(&b"<html>"[..]).unwrap_err().to_string();
        assert!(error.starts_with("there is no player"), "{error}");
    }

    #[test]
    fn canonical_site_event_and_round_follow_rules() {
        for (kind, name, found) in [
            (NameKind::Site, "Buenos Aires (Argentina)", Some("Buenos Aires ARG")),
            (NameKind::Site, "buenos ayres", Some("Buenos Aires ARG")),
            (NameKind::Site, "Rosario (Argentina)", Some("Rosario ARG")),
            (NameKind::Site, "Buenos", None),
            (NameKind::Event, "II Tal mem", Some("2. Tal Memorial")),
            (NameKind::Event, "URS-ch 1950", Some("URS Ch 1950")),
            (NameKind::Event, "Linares", None),
            (NameKind::Round, "(1)", Some("1")),
            (NameKind::Round, "2", None),
        ] {
            assert_eq!(canonical(kind, name).as_deref(), found, "{name}");
        }
    }

    #[test]
    fn about_player_is_comment_of_name() {
        let spelling = Spelling::read(FILE.as_bytes()).unwrap();
        let about = spelling.about_player("Kortchnoi, V L");
        assert_eq!(about, Some("gm  URS/XXX/SUI [2695] 1931.03.23"));
        assert_eq!(spelling.about_player("Petrosian, T V"), None);
        assert_eq!(spelling.count(NameKind::Player), 9);
    }

    #[test]
    fn read_broken_file_names_line() {
        for (file, message) in [
            ("", "there is no section"),
            ("# only\n", "there is no section"),
            ("Tal\n", "line 1: a spelling file begins with a section"),
            ("@PLAYER\n= Tal\n", "line 2: `=` gives another spelling"),
            ("@PLAYER\n@CITY\n", "line 2: \"@CITY\" is not a section"),
            ("@PLAYER\nTal\n=  # x\n", "line 3: there is no name"),
            ("@SITE\n%Suffix \"a\n", "line 2: %Suffix needs two texts in quotes"),
            ("@SITE\n%Prefix \"\" \"x\"\n", "line 2: %Prefix needs two texts"),
            (&format!("@SITE\n{}", "x".repeat(70_000)), "line 2: the line is longer than"),
        ] {
            let error = Spelling::read(file.as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with(message), "{file:.20}: {error}");
        }
    }

    #[test]
    fn read_other_encodings_and_unknown_commands() {
        let file = b"@PLAYER \" ,\"\r\nM\xfcller, K\n%Elo 1990:2500\n";
        let spelling = Spelling::read(&file[..]).unwrap();
        let found = spelling.canonical(NameKind::Player, "Muller,K");
        assert_eq!(found.as_deref(), Some("M\u{fc}ller, K"));
    }

    #[test]
    fn read_rules_that_grow_names_are_bounded() {
        let mut file = String::from("@EVENT \"\"\n");
        for _ in 0..100 {
            file.push_str("%Infix \"a\" \"aa\"\n");
        }
        let spelling = Spelling::read(file.as_bytes()).unwrap();
        let name = spelling.canonical(NameKind::Event, "a").unwrap();
        assert!(name.len() <= 1 << 12, "{}", name.len());
    }
}
