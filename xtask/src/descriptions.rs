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
        let (mut rows, mut conditions) = (0, 0);
        for (number, line) in (1..).zip(text.lines()) {
            let Some(row) = Row::parse(line) else { continue };
            rows += 1;
            let mut faults = row.faults(&root, family, &page);
            for shown in quoted(row.shown) {
                let Some((name, condition)) = shown.split_once(' ') else { continue };
                conditions += 1;
                faults
                    .extend(fault_of(family, name, condition).map(|why| format!("{shown}: {why}")));
            }
            found.extend(faults.into_iter().map(|fault| format!("{file}:{number}: {fault}")));
        }
        println!("{family}: {rows} rows of statements, {conditions} conditions");
        let counted = format!("| [{family}](descriptions/{family}.md) | {conditions} |");
        if !overview.contains(&counted) {
            found.push(format!(
                "{OVERVIEW}: there should be a cell with {conditions} for {family}: {counted}"
            ));
        }
    }
    Ok(found)
}

/// Returns what is wrong with a condition on the case `name`.
fn fault_of(family: &str, name: &str, condition: &str) -> Option<String> {
    let cases = cases(family);
    let Some(case) = cases.iter().find(|case| case.name == name) else {
        return Some("only a case can have a condition".to_owned());
    };
    let bytes_alone = || Some((condition, "")).filter(|_| condition.contains('='));
    let Some((place, expected)) = condition.split_once(": ").or_else(bytes_alone) else {
        return Some("a condition is PLACE: EXPECTED".to_owned());
    };
    let found = match place.strip_prefix('#') {
        Some(field) => values_of(family, case, field),
        None => bytes_at(case, place, expected.split(' ').count()),
    };
    match found {
        Ok(found) if found.iter().any(|value| fits(place, value, expected)) => None,
        Ok(found) => Some(format!("there is {}", found.join(", "))),
        Err(failure) => Some(failure.to_string()),
    }
}

/// Returns whether a value is what a condition expects: the same bytes, or a text within the value.
fn fits(place: &str, value: &str, expected: &str) -> bool {
    if place.starts_with('#') {
        return value.contains(expected);
    }
    let [found, wanted] = [value, expected].map(|text| text.split(' ').collect::<Vec<_>>());
    let is_same = |(found, wanted): (&&str, &&str)| *wanted == ".." || wanted == found;
    found.len() == wanted.len() && found.iter().zip(&wanted).all(is_same)
}

/// Returns the bytes at `EXTENSION@OFFSET` in hexadecimal.
fn bytes_at(case: &Case, place: &str, count: usize) -> Result<Vec<String>, Failure> {
    let (extension, offset) = place.split_once('@').ok_or("a place is EXTENSION@OFFSET")?;
    let offset: usize = offset.parse()?;
    let bytes = fs::read(case.file(&format!("base.{extension}")))?;
    let found = bytes.get(offset..).unwrap_or_default().iter().take(count);
    Ok(vec![found.map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")])
}

/// Returns the values of the fields `GAME NAME` or `GAME NAME=BYTES` in the dump of a case. Games
/// count from 1.
fn values_of(family: &str, case: &Case, field: &str) -> Result<Vec<String>, Failure> {
    let (game, name) = field.split_once(' ').ok_or("a field is #GAME NAME")?;
    let game: u64 = game.parse()?;
    let (name, wanted) = match name.split_once('=') {
        Some((name, bytes)) => (name, Some(bytes)),
        None => (name, None),
    };
    let family = families().iter().find(|known| known.name == family).ok_or("no such family")?;
    let (path, format) = file_of(family, case)?;
    let base = open_as(&path, format, &OpenOptions::default())?;
    let database = base.database().ok_or("a stream has no dump")?;
    let (mut values, mut names) = (Vec::new(), Vec::new());
    let dumped =
        database.reader().dump(game.checked_sub(1).ok_or("games count from 1")?, &mut |field| {
            let bytes: String = field.bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            if field.name == name && wanted.is_none_or(|wanted| wanted == bytes) {
                values.push(field.value);
            } else if !names.contains(&field.name) {
                names.push(field.name);
            }
        });
    if values.is_empty() {
        dumped?;
        return Err(format!("its dump has no such field: {}", names.join(", ")).into());
    }
    Ok(values)
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
        let told = ["erratum", "errata", "no rule"].iter().any(|word| self.shown.contains(word));
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
        let fault = |name, condition| fault_of("scid", name, condition);
        assert_eq!(fault("plain", "si4@0: 53 63 69 64"), None);
        assert_eq!(fault("plain", "si4@0: 53 63 00"), Some("there is 53 63 69".to_owned()));
        assert_eq!(fault("plain", "si4@999999: 00"), Some("there is ".to_owned()));
        for (name, condition) in [
            ("none", "si4@0: 00"),
            ("plain", "si4@0"),
            ("plain", "si4: 00"),
            ("plain", "#0 x: y"),
            ("plain", "#1 x: y"),
        ] {
            assert!(fault(name, condition).is_some(), "{name} {condition}");
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
