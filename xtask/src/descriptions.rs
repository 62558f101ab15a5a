//! Checks the tables of docs/descriptions/: everything that a row names must exist.

use std::fs;
use std::path::Path;

use testkit::workspace_root;

use crate::Failure;
use crate::rules::Page;

/// The families that have a description.
const DESCRIBED: [&str; 5] = ["cbf", "dcg", "movecode", "scid", "chessassistant"];

/// Returns the faults of the tables.
pub(crate) fn check(page_of: impl Fn(&str) -> Option<Page>) -> Result<Vec<String>, Failure> {
    let root = workspace_root();
    let mut found = Vec::new();
    for family in DESCRIBED {
        let file = format!("docs/descriptions/{family}.md");
        let page = page_of(family).ok_or_else(|| format!("no page of {family}"))?;
        let text = fs::read_to_string(root.join(&file))?;
        let mut rows = 0;
        for (number, line) in (1..).zip(text.lines()) {
            let Some(row) = Row::parse(line) else { continue };
            rows += 1;
            let faults = row.faults(&root, family, &page);
            found.extend(faults.into_iter().map(|fault| format!("{file}:{number}: {fault}")));
        }
        println!("{family}: {rows} rows of statements");
    }
    Ok(found)
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
        for name in quoted(self.shown) {
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
