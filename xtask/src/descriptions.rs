//! Checks the tables of docs/descriptions/: everything that a row names must exist, and the bytes that
//! a row states must be in its case.
//!
//! The last column of a row has names between back quotes. A condition may follow a name:
//!
//! - `` `tags si4@188: 3f` ``: at offset 188 of base.si4 stands this byte. `..` stands for any byte.
//! - `` `lengths #3 game length: 300` ``: the dump of game 3 has a field of this name, and its value
//!   contains this text. Files with a mask need this form.
//! - `` `basic #1 castling=98: e1h1` ``: the same, of a field whose bytes are these. Without a value,
//!   `` `basic #1 end=ff` ``, the bytes are enough.
//! - `` `moves #1-8 move=01-08: c3 d3 e3 c4 e4 c5 d5 e5` ``: the games are a range (`#*`: all games),
//!   and so are the bytes. Each number of the range has an expected value; see [`Codes`].
//! - `` `moves #112 error: no move` ``: the dump of game 112 ends with an error that has this text.
//! - `` `players read@2: "WhiteElo","2735"` ``: line 2 of expected.jsonl, which is game 2, has this text.
//! - `` `header.rs read_header_short_is_error` ``: a test of this name is in this file of the crate.
//!
//! A row without a condition states no bytes, and says so after the names: `prose: REASON`, or
//! `no rule: REASON` where nothing is done about it.

use std::fs;
use std::path::Path;

use scoresheet::{OpenOptions, families, open_as};
use testkit::{Case, cases, workspace_root};

use crate::Failure;
use crate::fixtures::file_of;
use crate::rules::{Page, pages};

/// The families that have a description.
const DESCRIBED: [&str; 5] = ["cbf", "dcg", "movecode", "scid", "chessassistant"];

/// Checks the tables alone.
pub(crate) fn run() -> Result<(), Failure> {
    let pages = pages(&workspace_root())?;
    let found = check(|name| pages.get(name).cloned())?;
    if found.is_empty() { Ok(()) } else { Err(found.join("\n").into()) }
}

/// The page that counts the conditions of each table.
const OVERVIEW: &str = "docs/descriptions.md";

/// Returns the faults of the tables.
pub(crate) fn check(page_of: impl Fn(&str) -> Option<Page>) -> Result<Vec<String>, Failure> {
    let root = workspace_root();
    let overview = fs::read_to_string(root.join(OVERVIEW))?;
    let mut found = Vec::new();
    for family in DESCRIBED {
        let file = format!("docs/descriptions/{family}.md");
        let page = page_of(family).ok_or_else(|| format!("no page of {family}"))?;
        let text = fs::read_to_string(root.join(&file))?;
        let (mut rows, mut conditions, mut prose) = (0, 0, 0);
        for (number, line) in (1..).zip(text.lines()) {
            let Some(row) = Row::parse(line) else { continue };
            rows += 1;
            let mut faults = row.faults(&root, family, &page);
            let mut here = 0;
            for shown in quoted(row.shown) {
                let Some((name, condition)) = shown.split_once(' ') else { continue };
                here += 1;
                faults.extend(
                    fault_of(&root, family, name, condition).map(|why| format!("{shown}: {why}")),
                );
            }
            if here == 0 && !row.states_no_bytes() {
                faults.push(
                    "no condition shows it; where it states no bytes, add `prose: REASON`".into(),
                );
            }
            prose += usize::from(here == 0);
            conditions += here;
            found.extend(faults.into_iter().map(|fault| format!("{file}:{number}: {fault}")));
        }
        let counted =
            format!("| [{family}](descriptions/{family}.md) | {rows} | {conditions} | {prose} |");
        println!("{family}: {rows} rows, {conditions} conditions, {prose} rows without bytes");
        if !overview.contains(&counted) {
            found.push(format!("{OVERVIEW}: there should be this row: {counted}"));
        }
    }
    Ok(found)
}

/// Returns what is wrong with a condition on the case or file `name`.
fn fault_of(root: &Path, family: &str, name: &str, condition: &str) -> Option<String> {
    if name.ends_with(".rs") {
        return (!has_test(root, family, name, condition))
            .then(|| "the file has no such test".to_owned());
    }
    let cases = cases(family);
    let Some(case) = cases.iter().find(|case| case.name == name) else {
        return Some("only a case or a file of Rust can have a condition".to_owned());
    };
    let bytes_alone = || Some((condition, "")).filter(|_| condition.contains('='));
    let Some((place, expected)) = condition.split_once(": ").or_else(bytes_alone) else {
        return Some("a condition is PLACE: EXPECTED".to_owned());
    };
    let found = match place.strip_prefix('#') {
        Some(field) => match Codes::parse(field, expected) {
            Some(codes) => {
                return codes.fault(family, case).unwrap_or_else(|e| Some(e.to_string()));
            }
            None => values_of(family, case, field),
        },
        None if place.starts_with(READ) => line_of(case, place),
        None => bytes_at(case, place, expected.split(' ').count()),
    };
    match found {
        Ok(found) if found.iter().any(|value| fits(place, value, expected)) => None,
        Ok(found) => Some(format!("there is {}", found.join(", "))),
        Err(failure) => Some(failure.to_string()),
    }
}

/// Returns whether a file of the crate has a test of this name.
fn has_test(root: &Path, family: &str, file: &str, test: &str) -> bool {
    let source = root.join("crates").join(family);
    let texts = ["src", "tests/suite"].map(|dir| fs::read_to_string(source.join(dir).join(file)));
    let named = format!("fn {test}()");
    texts.iter().flatten().any(|text| {
        let mut before = "";
        text.lines().map(str::trim).any(|line| {
            let found = line.starts_with(&named) && before == "#[test]";
            before = line;
            found
        })
    })
}

/// Returns whether a value is what a condition expects: the same bytes, or a text within the value.
fn fits(place: &str, value: &str, expected: &str) -> bool {
    if place.starts_with('#') || place.starts_with(READ) {
        return value.contains(expected);
    }
    let [found, wanted] = [value, expected].map(|text| text.split(' ').collect::<Vec<_>>());
    let is_same = |(found, wanted): (&&str, &&str)| *wanted == ".." || wanted == found;
    found.len() == wanted.len() && found.iter().zip(&wanted).all(is_same)
}

/// The beginning of a place in what is read.
const READ: &str = "read@";

/// Returns the line of a game in expected.jsonl. Games count from 1.
fn line_of(case: &Case, place: &str) -> Result<Vec<String>, Failure> {
    let game: usize = place.trim_start_matches(READ).parse()?;
    let text = fs::read_to_string(case.file("expected.jsonl"))?;
    let line = text.lines().nth(game.checked_sub(1).ok_or("games count from 1")?);
    Ok(vec![line.ok_or("there is no such game")?.to_owned()])
}

/// Returns the bytes at `EXTENSION@OFFSET` in hexadecimal.
fn bytes_at(case: &Case, place: &str, count: usize) -> Result<Vec<String>, Failure> {
    let (extension, offset) = place.split_once('@').ok_or("a place is EXTENSION@OFFSET")?;
    let offset: usize = offset.parse()?;
    let bytes = fs::read(case.file(&format!("base.{extension}")))?;
    let found = bytes.get(offset..).unwrap_or_default().iter().take(count);
    Ok(vec![found.map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")])
}

/// Returns the values of the fields `GAMES NAME` or `GAMES NAME=BYTES` in the dump of a case. Games
/// count from 1.
fn values_of(family: &str, case: &Case, place: &str) -> Result<Vec<String>, Failure> {
    let (games, field) = place.split_once(' ').ok_or("a field is #GAME NAME")?;
    let (name, wanted) = match field.split_once('=') {
        Some((name, bytes)) => (name, Some(bytes)),
        None => (field, None),
    };
    let (mut values, mut names) = (Vec::new(), Vec::new());
    for_each_field(family, case, games, &mut |known, bytes, value| {
        if known == name && wanted.is_none_or(|wanted| wanted == bytes) {
            values.push(value);
        } else if !names.contains(&known) {
            names.push(known);
        }
    })?;
    if values.is_empty() {
        return Err(format!("its dump has no such field: {}", names.join(", ")).into());
    }
    Ok(values)
}

/// Passes each field in the dump of some games: its name, its bytes in hexadecimal, its value.
/// `games` is a number, a range such as `3-7`, or `*`. A damaged game has a last field `error`: what
/// ends its dump.
fn for_each_field(
    family: &str,
    case: &Case,
    games: &str,
    pass: &mut dyn FnMut(String, String, String),
) -> Result<(), Failure> {
    let family = families().iter().find(|known| known.name == family).ok_or("no such family")?;
    let (path, format) = file_of(family, case)?;
    let base = open_as(&path, format, &OpenOptions::default())?;
    let database = base.database().ok_or("a stream has no dump")?;
    let (first, last) = match games.split_once('-') {
        Some((first, last)) => (first.parse()?, last.parse()?),
        None if games == "*" => (1, database.len()),
        None => (games.parse()?, games.parse()?),
    };
    if first < 1_u64 || last < first || last > database.len() {
        return Err(format!("there are the games 1 to {}", database.len()).into());
    }
    let mut reader = database.reader();
    for game in first..=last {
        let dumped = reader.dump(game.saturating_sub(1), &mut |field| {
            let bytes = field.bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            pass(field.name.to_owned(), bytes, field.value);
        });
        if let Err(error) = dumped {
            pass("error".to_owned(), String::new(), error.to_string());
        }
    }
    Ok(())
}

/// A condition on a range of codes: `GAMES NAME=FIRST-LAST: VALUES`.
///
/// Each code from `FIRST` to `LAST` must be the bytes of a field, or the bytes after those that
/// stand as `..` in `FIRST`. The values belong to the codes in turn; a shorter list begins again. A value is a text within the value of the field, or
/// alternatives with `;` between. All alternatives must occur, and nothing else may.
///
/// After `xy` or `yx`, values are steps of a move: `xy` is files and ranks, such as `-1,2`; `yx` is
/// one digit of ranks and one of files, both modulo 8.
struct Codes<'a> {
    games: &'a str,
    name: &'a str,
    codes: (u64, u64),
    /// The hexadecimal digits of a field: those that may be any, and all.
    any: usize,
    digits: usize,
    steps: Option<Step>,
    values: Vec<Vec<&'a str>>,
}

/// How a step is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    FilesRanks,
    RanksFiles,
}

impl<'a> Codes<'a> {
    /// Returns `None` if the bytes are no range.
    fn parse(field: &'a str, expected: &'a str) -> Option<Codes<'a>> {
        let (games, field) = field.split_once(' ')?;
        let (name, bytes) = field.split_once('=')?;
        let (first, last) = bytes.split_once('-')?;
        let digits = first.len();
        let first = first.trim_start_matches('.');
        let any = digits.saturating_sub(first.len());
        let last = last.trim_start_matches('.');
        let codes = (u64::from_str_radix(first, 16).ok()?, u64::from_str_radix(last, 16).ok()?);
        let (steps, values) = match expected.split_once(' ') {
            Some(("xy", values)) => (Some(Step::FilesRanks), values),
            Some(("yx", values)) => (Some(Step::RanksFiles), values),
            _ => (None, expected),
        };
        let values = values.split(' ').map(|value| value.split(';').collect()).collect();
        Some(Codes { games, name, codes, any, digits, steps, values })
    }

    fn fault(&self, family: &str, case: &Case) -> Result<Option<String>, Failure> {
        let mut found = Vec::new();
        for_each_field(family, case, self.games, &mut |name, bytes, value| {
            if name == self.name && bytes.len() == self.digits {
                let code =
                    bytes.get(self.any..).and_then(|code| u64::from_str_radix(code, 16).ok());
                found.extend(code.map(|code| (code, value)));
            }
        })?;
        let expected = (self.codes.0..=self.codes.1).zip(self.values.iter().cycle());
        for (code, alternatives) in expected {
            let here: Vec<String> = found
                .iter()
                .filter(|(known, _)| *known == code)
                .map(|(_, value)| self.written(value))
                .collect();
            let fits = |value: &str, wanted: &str| match self.steps {
                Some(_) => value == wanted,
                None => value.contains(wanted),
            };
            let width = self.digits.saturating_sub(self.any);
            if let Some(missing) =
                alternatives.iter().find(|wanted| !here.iter().any(|value| fits(value, wanted)))
            {
                return Ok(Some(format!("code {code:0width$x} is nowhere {missing}")));
            }
            if let Some(other) =
                here.iter().find(|value| !alternatives.iter().any(|wanted| fits(value, wanted)))
            {
                return Ok(Some(format!("code {code:0width$x} is {other} as well")));
            }
        }
        Ok(None)
    }

    /// Returns the value of a field as the condition writes it.
    fn written(&self, value: &str) -> String {
        let squares = value.as_bytes().first_chunk::<4>().filter(|_| self.steps.is_some());
        let Some([from_file, from_rank, to_file, to_rank]) = squares.map(|s| s.map(i16::from))
        else {
            return value.to_owned();
        };
        let (files, ranks) = (to_file - from_file, to_rank - from_rank);
        match self.steps {
            Some(Step::RanksFiles) => format!("{}{}", ranks.rem_euclid(8), files.rem_euclid(8)),
            _ => format!("{files},{ranks}"),
        }
    }
}

/// A row that is not a heading.
struct Row<'a> {
    rules: &'a str,
    code: &'a str,
    shown: &'a str,
}

impl<'a> Row<'a> {
    fn parse(line: &'a str) -> Option<Row<'a>> {
        let cells = line.strip_prefix('|')?.strip_suffix('|')?;
        let cells: Vec<&str> = cells.split('|').map(str::trim).collect();
        let [says, rules, code, shown] = *cells.as_slice() else { return None };
        let heading = says.starts_with("**") || says == "it says" || says.starts_with("---");
        (!heading).then_some(Row { rules, code, shown })
    }

    /// Returns whether the row says that it states no bytes, and why.
    fn states_no_bytes(&self) -> bool {
        let reasons = ["prose: ", "no rule: "].iter().map(|mark| self.shown.split_once(mark));
        reasons.flatten().any(|(_, reason)| !reason.trim().is_empty())
    }

    fn faults(&self, root: &Path, family: &str, page: &Page) -> Vec<String> {
        let mut faults = Vec::new();
        for rule in self.rules.split(", ").filter(|rule| !rule.is_empty()) {
            let numbers = rule.trim_start_matches('§');
            if !range(numbers).iter().all(|number| page.has(number)) {
                faults.push(format!("the page has no {rule}"));
            }
        }
        let source = root.join("crates").join(family);
        for file in quoted(self.code) {
            if !source.join("src").join(file).is_file() {
                faults.push(format!("crates/{family}/src has no {file}"));
            }
        }
        for shown in quoted(self.shown) {
            let name = shown.split(' ').next().unwrap_or_default();
            let places = [
                root.join("fixtures").join(family).join(name),
                source.join("src").join(name),
                source.join("tests/suite").join(name),
            ];
            if !places.iter().any(|path| path.exists()) {
                faults.push(format!("neither a case nor a file is called {name}"));
            }
        }
        let unknown = errata(self.shown).filter(|number| !page.errata.contains(*number));
        faults.extend(unknown.map(|number| format!("the page has no erratum {number}")));
        let told = ["erratum", "errata", "no rule", "prose: "]
            .iter()
            .any(|word| self.shown.contains(word));
        if !told && quoted(self.shown).next().is_none() {
            faults.push("nothing shows it".to_owned());
        }
        faults
    }
}

/// Returns the texts between back quotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// `basic`; errata 2, 13 names 2 and 13; what names none, an empty number.
fn errata(text: &str) -> impl Iterator<Item = &str> {
    let numbers = ["erratum", "errata"].iter().find_map(|word| Some(text.split_once(word)?.1));
    numbers.into_iter().flat_map(|numbers| numbers.split(',').map(str::trim))
}

/// Expands a range: `3.1.8-9` is rules 8 and 9 of section 3.1.
fn range(numbers: &str) -> Vec<String> {
    let ends = numbers.rsplit_once('-').and_then(|(first, last)| {
        let (section, first) = first.rsplit_once('.')?;
        Some((section, first.parse::<u32>().ok()?, last.parse::<u32>().ok()?))
    });
    match ends {
        Some((section, first, last)) => {
            (first..=last).map(|rule| format!("{section}.{rule}")).collect()
        }
        None => vec![numbers.to_owned()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_headings_are_no_rows() {
        assert!(Row::parse("| **1. CBI** | | | |").is_none());
        assert!(Row::parse("| it says | rule | code | shown by |").is_none());
        let row = Row::parse("| a | §1.1, §2.3-4 | `a.rs` `b.rs` | `case`; erratum 2 |").unwrap();
        assert_eq!(row.rules, "§1.1, §2.3-4");
        assert_eq!(quoted(row.code).collect::<Vec<_>>(), ["a.rs", "b.rs"]);
        assert_eq!(range("2.3.9-11"), ["2.3.9", "2.3.10", "2.3.11"]);
        assert_eq!(range("2"), ["2"]);
    }

    #[test]
    fn fits_bytes_compares_all_of_them() {
        assert!(fits("si4@1", "3f 00", "3f 00"));
        assert!(fits("si4@1", "3f 00", ".. 00"));
        for (found, wanted) in [("3f 00", "3f"), ("3f", "3f 00"), ("3f 00", "3f 01"), ("", "00")] {
            assert!(!fits("si4@1", found, wanted), "{found} {wanted}");
        }
        assert!(fits("#1 year", "1871 (-29)", "1871"));
        assert!(!fits("#1 year", "1870", "1871"));
    }

    #[test]
    fn fault_of_wrong_condition_says_what_is_there() {
        let fault = |name, condition| fault_of(&workspace_root(), "scid", name, condition);
        assert_eq!(fault("plain", "si4@0: 53 63 69 64"), None);
        assert_eq!(fault("plain", "si4@0: 53 63 00"), Some("there is 53 63 69".to_owned()));
        assert_eq!(fault("plain", "si4@999999: 00"), Some("there is ".to_owned()));
        for (name, condition) in [
            ("none", "si4@0: 00"),
            ("plain", "si4@0"),
            ("plain", "si4: 00"),
            ("plain", "#0 x: y"),
            ("plain", "#7 move: e2e4"),
            ("plain", "#1-7 move: e2e4"),
            ("plain", "#1 x: y"),
            ("plain", "read@1: d2d4"),
            ("plain", "read@7: e2e4"),
            ("header.rs", "no_such_test"),
            ("wide_ids.rs", "ids_above_65535_are_read"),
        ] {
            assert!(fault(name, condition).is_some(), "{name} {condition}");
        }
        assert_eq!(fault("plain", "read@1: \"White\",\"Alder, Nora\""), None);
        assert_eq!(fault("wide_ids.rs", "ids_above_65535_are_read_in_each_list"), None);
    }

    #[test]
    fn fault_of_codes_asks_for_each_code_and_each_alternative() {
        let fault = |condition| fault_of(&workspace_root(), "scid", "bad_moves", condition);
        // A king on d4 and its codes 1 to 8, one a game.
        assert_eq!(fault("#1-8 move=01-08: d4c3 d4d3 d4e3 d4c4 d4e4 d4c5 d4d5 d4e5"), None);
        assert_eq!(fault("#1-8 move=01-02: xy -1,-1 0,-1"), None);
        assert_eq!(fault("#1-8 move=01-02: yx 77 70"), None);
        for (condition, says) in [
            ("#1-8 move=01-02: c3 d4d2", "code 02 is nowhere d4d2"),
            ("#1-8 move=01-01: c3;c4", "code 01 is nowhere c4"),
            ("#1-9 move=0e-0e: c3", "code 0e is nowhere c3"),
            ("#9-10 move=10-10: xy -3,1", "code 10 is nowhere -3,1"),
            ("#1-25 move=10-10: xy -3,0", "code 10 is -3,-3 as well"),
        ] {
            let said = fault(condition).unwrap_or_default();
            assert!(said.starts_with(says), "{condition}: {said}");
        }
    }

    #[test]
    fn states_no_bytes_needs_a_reason() {
        let row = |shown| Row { rules: "", code: "", shown };
        assert!(row("prose: a name of the format").states_no_bytes());
        assert!(row("`basic`; no rule: not read").states_no_bytes());
        for shown in ["`basic`", "prose: ", "erratum 1", "no rule"] {
            assert!(!row(shown).states_no_bytes(), "{shown}");
        }
    }

    #[test]
    fn faults_missing_items_are_reported() {
        let page = Page::parse("## 1 Files\n**Reader**\n1. One (D).\n## 2 Errata\n2. Two.\n");
        let faults = |line| Row::parse(line).unwrap().faults(&workspace_root(), "cbf", &page);
        assert!(faults("| a | §1, §1.1 | `index.rs` | `tiny` |").is_empty());
        assert!(faults("| a | | | erratum 2 |").is_empty());
        assert_eq!(faults("| a | | | errata 2, 3 |"), ["the page has no erratum 3"]);
        assert_eq!(faults("| a | | | erratum |").len(), 1);
        assert_eq!(faults("| a | §9 | `no.rs` | `none` |").len(), 3);
        assert_eq!(faults("| a | §1 | | |").len(), 1);
    }
}
