//! The sections and rules of the pages under docs/.
//!
//! A rule is a numbered statement, or a row of a table whose first column is `#`; docs/porting.md
//! §2 "Rules" says what the words above it mean. Rule 3 of section 4.5 is `4.5.3`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::Failure;

/// The parties that a rule binds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Reader,
    Writer,
    Here,
}

/// The parts of a page that can be cited.
#[derive(Clone, Debug, Default)]
pub(crate) struct Page {
    /// Titles of the sections by their numbers.
    pub(crate) sections: BTreeMap<String, String>,
    /// Rules by their numbers.
    pub(crate) rules: BTreeMap<String, Kind>,
    /// Rules without a letter for their evidence.
    pub(crate) unlettered: Vec<String>,
    /// Numbers that two statements share.
    pub(crate) twice: Vec<String>,
}

/// The letters of the pages' legends. docs/porting.md §2 "Rules"
const LETTERS: &str = "DOSCINPMH?";

/// Prefixes of the titles of lists of errata.
const ERRATA: [&str; 2] = ["Errata", "The published description"];

/// Returns all pages by name: `docs/formats/scid.md` is `scid`.
pub(crate) fn pages(root: &Path) -> Result<BTreeMap<String, Page>, Failure> {
    let mut pages = BTreeMap::new();
    for folder in ["docs", "docs/formats"] {
        for entry in fs::read_dir(root.join(folder))? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "md") {
                let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                pages.insert(name, Page::parse(&fs::read_to_string(&path)?));
            }
        }
    }
    Ok(pages)
}

impl Page {
    pub(crate) fn parse(text: &str) -> Page {
        let mut page = Page::default();
        let (mut section, mut kind, mut in_table) = (String::new(), None, false);
        let mut in_errata = false;
        // The rule that the lines belong to, until its letter is found.
        let mut open: Option<String> = None;
        for line in text.lines() {
            if open.is_some() && !line.starts_with("   ") {
                page.unlettered.extend(open.take());
            }
            if has_letter(line) {
                open = None;
            }
            if line.starts_with('#') {
                section.clear();
                kind = None;
                in_errata = false;
                if let Some((number, title)) = heading(line) {
                    in_errata = ERRATA.iter().any(|word| title.starts_with(word));
                    section.push_str(number);
                    if page.sections.insert(section.clone(), title.to_owned()).is_some() {
                        page.twice.push(section.clone());
                    }
                }
                continue;
            }
            if in_errata {
                continue;
            }
            kind = marker(line).or(kind);
            in_table = line.starts_with('|') && (in_table || line.starts_with("| # |"));
            let number = match kind {
                _ if in_table => cell_number(line),
                Some(_) => list_number(line),
                None => None,
            };
            if let Some(number) = number {
                let rule = format!("{section}.{number}");
                if !has_letter(line) {
                    open = Some(rule.clone());
                }
                if page.rules.insert(rule.clone(), kind.unwrap_or(Kind::Reader)).is_some() {
                    page.twice.push(rule);
                }
            }
        }
        page.unlettered.extend(open);
        page.twice
            .extend(page.rules.keys().filter(|rule| page.sections.contains_key(*rule)).cloned());
        page
    }

    /// Returns whether a section or rule exists.
    pub(crate) fn has(&self, number: &str) -> bool {
        self.sections.contains_key(number) || self.rules.contains_key(number)
    }
}

/// Parses `## 4.2 Move numbering` to `4.2` and `Move numbering`.
fn heading(line: &str) -> Option<(&str, &str)> {
    let heading = line.trim_start_matches('#').trim().trim_start_matches('§');
    let (number, title) = heading.split_once(' ')?;
    let number = number.trim_end_matches('.');
    number.starts_with(|c: char| c.is_ascii_digit()).then(|| (number, title.trim()))
}

/// Returns the party that a line like `**Reader**, in this order:` names.
fn marker(line: &str) -> Option<Kind> {
    [("**Reader**", Kind::Reader), ("**Writer**", Kind::Writer), ("**Here**", Kind::Here)]
        .into_iter()
        .find_map(|(word, kind)| line.starts_with(word).then_some(kind))
}

/// Returns whether a bracket holds evidence letters: `(D)`, `(O S)`, `[I: why]`, `(D?)`.
fn has_letter(text: &str) -> bool {
    text.split(['(', '[']).skip(1).any(|rest| {
        let Some((word, _)) = rest.split_once([' ', ',', ';', ':', ')', ']']) else { return false };
        let letter = if word.len() > 1 { word.trim_end_matches('?') } else { word };
        letter.len() == 1 && LETTERS.contains(letter)
    })
}

fn list_number(line: &str) -> Option<&str> {
    line.split_once(". ").map(|(number, _)| number).filter(|number| is_number(number))
}

fn cell_number(line: &str) -> Option<&str> {
    line.strip_prefix("| ")?.split_once(" |").map(|(cell, _)| cell).filter(|cell| is_number(cell))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_statements_and_rows_are_rules_where_declared() {
        let page = Page::parse(
            "# Page\n## 4 Moves\n1. no rule\n### 4.2 Codes\n| # | byte |\n|---|---|\n| 1 | 11 |\n\n\
             **Reader**, in order:\n\n2. One.\n   1. no rule\n\n**Here**\n\n3. Two.\n| 9 | x |\n\n## 5 Errata\n1. None.\n",
        );
        let rules: Vec<_> = page.rules.iter().map(|(rule, kind)| (rule.as_str(), *kind)).collect();
        let expected = [("4.2.1", Kind::Reader), ("4.2.2", Kind::Reader), ("4.2.3", Kind::Here)];
        assert_eq!(rules, expected);
        assert!(page.has("4.2") && page.has("4.2.3") && !page.has("4.3"));
        assert!(page.twice.is_empty());
    }

    #[test]
    fn parse_rules_without_letters_are_found() {
        let page = Page::parse(
            "## 4 Moves\n**Reader**\n1. One (D O).\n2. Two,\n   in two lines (I: why).\n3. None (so far).\n4. [O] Four.\n\n\
             | # | byte |\n|---|---|\n| 5 | 11 (D?) |\n| 6 | 12 |\n\n7. (H\n",
        );
        assert_eq!(page.unlettered, ["4.3", "4.6", "4.7"]);
    }

    #[test]
    fn parse_errata_are_no_rules() {
        let page = Page::parse(
            "## 9 Errata\n1. One.\n2. Two.\n## 10 Rest\n3. No.\n## 14 Errata\n| no | says |\n|--:|---|\n| 7 | x |\n",
        );
        assert!(page.rules.is_empty());
    }

    #[test]
    fn has_rule_is_not_a_section() {
        let page = Page::parse("## 4 Moves\n**Reader**\n1. One.\n1. Again.\n### 4.1 Codes\n");
        assert_eq!(page.twice, ["4.1", "4.1"]);
    }
}
