//! Checks that a case covers each rule of the pages.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use testkit::{cases, workspace_root};

use crate::Failure;
use crate::rules::{Kind, Page, pages};

/// The page that explains why a rule has no case.
const EXPLAINED: &str = "docs/coverage.md";

/// Prints the rules for readers that no case covers.
///
/// Fails for any of these reasons:
///
/// - [`EXPLAINED`] does not name a rule without a case, or names a rule with one.
/// - A case names a rule that does not exist.
/// - A rule has no letter for its evidence.
/// - A page lacks the name of a warning.
/// - The table of [`EXPLAINED`] has wrong counts.
pub(crate) fn run() -> Result<(), Failure> {
    let root = workspace_root();
    let pages = pages(&root)?;
    let text = fs::read_to_string(root.join(EXPLAINED))?;
    let explained = explained(&text);
    let mut found = Vec::new();
    for family in scoresheet::families() {
        let name = family.name;
        found.extend(unnamed(&root, name, family.package)?);
        let Some(page) = pages.get(name).filter(|page| !page.rules.is_empty()) else {
            println!("{name}: its page has no numbered rules");
            continue;
        };
        let covered = covered(name, page, &mut found);
        let explained = explained.get(name).cloned().unwrap_or_default();
        for rule in explained.iter().filter(|rule| !page.rules.contains_key(*rule)) {
            found.push(format!("{EXPLAINED}: {name} has no rule {rule}"));
        }
        for rule in explained.intersection(&covered) {
            found.push(format!("{EXPLAINED}: {name} §{rule} has a case"));
        }
        let of_readers = || page.rules.iter().filter(|(_, kind)| **kind != Kind::Writer);
        let missing = of_readers().filter(|(rule, _)| !covered.contains(*rule));
        for (rule, _) in missing.filter(|(rule, _)| !explained.contains(*rule)) {
            found.push(format!("{name} §{rule}: no case covers it"));
        }
        for rule in &page.unlettered {
            found.push(format!("{name} §{rule}: no letter says how well it is known"));
        }
        let readers = of_readers().count();
        let shown = of_readers().filter(|(rule, _)| covered.contains(*rule)).count();
        let (explained, writers) = (explained.len(), page.rules.len() - readers);
        println!(
            "{name}: {readers} rules for readers, {shown} of them with a case, {explained} explained; {writers} for writers; {} without a letter",
            page.unlettered.len(),
        );
        let row = format!("| {name} | {readers} | {shown} | {explained} | {writers} |");
        if !text.lines().any(|line| line == row) {
            found.push(format!("{EXPLAINED}: its table should have the row {row}"));
        }
    }
    if found.is_empty() { Ok(()) } else { Err(found.join("\n").into()) }
}

/// Returns the rules that the cases of a family name.
fn covered(family: &str, page: &Page, found: &mut Vec<String>) -> BTreeSet<String> {
    let mut covered = BTreeSet::new();
    for case in cases(family) {
        for cover in &case.meta.covers {
            // The words behind a rule name a clause of it.
            let number = cover.split(' ').next().unwrap_or_default();
            if page.rules.contains_key(number) {
                covered.insert(number.to_owned());
            } else if !page.sections.contains_key(number) {
                found.push(format!(
                    "fixtures/{family}/{}: the page has neither section nor rule {number}",
                    case.name
                ));
            }
        }
    }
    covered
}

/// Returns the warnings of a format's crate that its page does not name. docs/model.md §6
fn unnamed(root: &Path, name: &str, package: &str) -> Result<Vec<String>, Failure> {
    let page = fs::read_to_string(root.join(format!("docs/formats/{name}.md")))?;
    // A second generation of a format has a folder in the crate of the first.
    let folder = if name == package { "" } else { "v2/" };
    let source = format!("crates/{package}/src/{folder}quirk.rs");
    let source = fs::read_to_string(root.join(source))?;
    let lacking = quirks(&source).into_iter().filter(|quirk| !page.contains(&format!("`{quirk}`")));
    Ok(lacking.map(|quirk| format!("docs/formats/{name}.md does not name {quirk}")).collect())
}

/// Returns the names in `quirks! { Name = "name", "words"; ... }`.
fn quirks(source: &str) -> Vec<&str> {
    let assigned = source.lines().filter_map(|line| line.split_once(" = \"")?.1.split_once('"'));
    assigned.map(|(name, _)| name).collect()
}

/// Returns the rules in the first column of a table: `| scid §4.5.3 | why |`.
fn explained(text: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut explained = BTreeMap::<String, BTreeSet<String>>::new();
    for cell in text.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" |")) {
        let Some((page, numbers)) = cell.0.split_once(" §") else { continue };
        let rules = explained.entry(page.to_owned()).or_default();
        rules.extend(numbers.split(", ").map(|number| number.trim_start_matches('§').to_owned()));
    }
    explained
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quirk_names_of_macro_are_found() {
        let source = "    A = \"x-a\", \"words\";\n    B = \"x-b\",\n        \"words = more\";\n";
        assert_eq!(quirks(source), ["x-a", "x-b"]);
    }

    #[test]
    fn explained_row_names_its_rules() {
        let rows = explained("# x\n| rule | why |\n|---|---|\n| scid §4.5.3, 4.5.4 | because |\n");
        assert_eq!(rows.len(), 1);
        let rules: Vec<_> = rows["scid"].iter().map(String::as_str).collect();
        assert_eq!(rules, ["4.5.3", "4.5.4"]);
    }
}
