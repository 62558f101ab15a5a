//! Checks that no compiler makes: citations, sizes, folders, words.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use testkit::workspace_root;

use crate::rules::{Page, pages};
use crate::{Failure, book, documents, language};

/// The maximum number of lines in a source file.
const MAX_LINES: usize = 700;
/// Paths outside of the repository, on which nothing may depend. They are written in pieces so that
/// this file does not contain them.
const OUTSIDE: [&str; 2] = [concat!("../", "shared"), concat!("/work", "/")];
/// The only file that may read folders beside the repository.
const MAY_LOOK_OUTSIDE: &str = ".ci/run";

/// Runs all checks and reports all problems.
pub(crate) fn run() -> Result<(), Failure> {
    let root = workspace_root();
    let files = files(&root)?;
    let pages = pages(&root)?;
    let mut found = Vec::new();
    for (name, page) in &pages {
        let twice = page.twice.iter().map(|number| format!("docs: {name} has §{number} twice"));
        found.extend(twice);
    }
    for path in &files {
        let Ok(text) = fs::read_to_string(root.join(path)) else { continue };
        let name = path.to_string_lossy();
        if name != MAY_LOOK_OUTSIDE && OUTSIDE.iter().any(|word| text.contains(word)) {
            found.push(format!("{name}: names a path outside of the repository"));
        }
        if name.ends_with(".rs") {
            source(&name, &text, &mut found);
        }
        if let Some(own) = cites(path, &name, &pages) {
            for (number, line) in (1..).zip(text.lines()) {
                let problems = citations(line, own, &pages);
                found.extend(problems.iter().map(|problem| format!("{name}:{number}: {problem}")));
            }
        }
    }
    crates(&root, &mut found)?;
    families(&root, &mut found);
    criteria(&root, &mut found)?;
    documents::check(&root, &files, &mut found)?;
    book::check(&root, &files, &mut found)?;
    language::check(&mut found)?;
    if found.is_empty() { Ok(()) } else { Err(found.join("\n").into()) }
}

/// Returns the files that git tracks or would track.
pub(crate) fn files(root: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut command = Command::new("git");
    command.args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"]);
    let output = command.current_dir(root).output()?;
    if !output.status.success() {
        return Err("git ls-files failed".into());
    }
    let names = String::from_utf8(output.stdout)?;
    Ok(names.split('\0').filter(|name| !name.is_empty()).map(PathBuf::from).collect())
}

/// How a place writes the name of a criterion such as `tag-missing`.
type Written = fn(&str) -> String;

/// Places that list the criteria of filters.
const LISTS_OF_CRITERIA: [(&str, Written); 2] = [
    ("bindings/python/python/scoresheet/_scoresheet.pyi", |name| {
        format!("    {}: ", name.replace('-', "_"))
    }),
    ("bindings/npm/lib/types.d.ts", |name| {
        let (first, rest) = name.split_once('-').unwrap_or((name, ""));
        let (letter, rest) = rest.split_at(rest.len().min(1));
        format!("  {first}{}{rest}?: ", letter.to_uppercase())
    }),
];

/// Each criterion is listed by the bindings.
fn criteria(root: &Path, found: &mut Vec<String>) -> Result<(), Failure> {
    for (file, written) in LISTS_OF_CRITERIA {
        let text = fs::read_to_string(root.join(file))?;
        let missing =
            scoresheet::Filter::names().map(written).filter(|name| !text.contains(&**name));
        found.extend(missing.map(|name| format!("{file}: has no {}", name.trim())));
    }
    Ok(())
}

type PageCache = BTreeMap<String, Page>;

/// Returns whether the citations of a file are checked, and the page that a citation without a name
/// refers to. That is the page itself, or for a port or description the page of the same name.
fn cites<'p>(path: &Path, name: &str, pages: &'p PageCache) -> Option<Option<&'p Page>> {
    let own = path.file_stem().and_then(|stem| pages.get(&*stem.to_string_lossy()));
    // A page without rules cites the standard that it describes.
    let own = own.filter(|page| !page.rules.is_empty());
    let of_a_page = ["docs/formats/", "ports/"].iter().any(|folder| name.starts_with(folder));
    match path.extension()?.to_str()? {
        "rs" => Some(None),
        "md" | "py" | "ksy" if of_a_page => Some(own),
        _ => None,
    }
}

fn source(name: &str, text: &str, found: &mut Vec<String>) {
    let lines = text.lines().count();
    if lines > MAX_LINES {
        found.push(format!("{name}: {lines} lines, more than {MAX_LINES}"));
    }
}

/// Returns the faults of the citations `page §N "Title"` in a line. The title is optional; in a
/// page, so is its own name.
fn citations(line: &str, own: Option<&Page>, pages: &PageCache) -> Vec<String> {
    let mut problems = Vec::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('§') {
        rest = after;
        let word = before.trim_end().rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
        let elsewhere = matches!(word, "PGN" | "standard");
        let page = pages.get(word).or(own.filter(|_| !elsewhere));
        let Some(page) = page else { continue };
        let name = if pages.contains_key(word) { word } else { "the page" };
        let digits = |c: char| c.is_ascii_digit() || c == '.';
        let number: String = after.chars().take_while(|c| digits(*c)).collect();
        let number = number.trim_end_matches('.');
        if number.is_empty() {
            // The text is about citations and is not one.
            continue;
        }
        if !page.has(number) {
            problems.push(format!("{name} has neither section nor rule {number}"));
            continue;
        }
        let quoted = after.get(number.len()..).unwrap_or_default();
        let quoted = quoted.strip_prefix(" \"").and_then(|text| text.split('"').next());
        let title = page.sections.get(number).map(String::as_str).unwrap_or_default();
        if quoted.is_some_and(|quoted| quoted != title) {
            problems.push(format!("{name} §{number} is called \"{title}\""));
        }
    }
    problems
}

/// Checks that every crate describes itself.
fn crates(root: &Path, found: &mut Vec<String>) -> Result<(), Failure> {
    for entry in fs::read_dir(root.join("crates"))? {
        let folder = entry?.path();
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let main = ["src/lib.rs", "src/main.rs"].map(|file| folder.join(file));
        let text = main.iter().find_map(|path| fs::read_to_string(path).ok()).unwrap_or_default();
        if !text.starts_with("//!") {
            found.push(format!("crates/{name}: does not begin with its documentation"));
        }
        if name == "testkit" {
            continue;
        }
        if !folder.join("README.md").is_file() {
            found.push(format!("crates/{name}: no README.md"));
        }
        // A package can only contain files in its folder.
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            if fs::read(folder.join(licence)).ok() != fs::read(root.join(licence)).ok() {
                found.push(format!("crates/{name}/{licence}: not that of the project"));
            }
        }
    }
    Ok(())
}

/// Checks that every family has its page and its fixtures, and every folder of fixtures a family.
fn families(root: &Path, found: &mut Vec<String>) {
    for family in scoresheet::families() {
        let page = format!("docs/formats/{}.md", family.name);
        let fixtures = format!("fixtures/{}", family.name);
        for path in [page, fixtures] {
            if !root.join(&path).exists() {
                found.push(format!("{path}: missing"));
            }
        }
    }
    for entry in fs::read_dir(root.join("fixtures")).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if !scoresheet::families().iter().any(|family| family.name == name) {
            found.push(format!("fixtures/{name}: of no format in crates/scoresheet"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages() -> PageCache {
        let page =
            Page::parse("# Page\n## 4. Moves\n### 4.2 Move numbering\n**Reader**\n1. One.\n");
        PageCache::from([("page".to_owned(), page)])
    }

    #[test]
    fn citation_of_existing_section_or_rule_passes() {
        let pages = pages();
        let problems = |line| citations(line, None, &pages);
        assert!(problems("// page §4.2 \"Move numbering\"").is_empty());
        assert!(problems("/// page §4, and page §4.2.1.").is_empty());
        assert!(problems("// PGN standard §9.4.1").is_empty());
        assert!(problems("// §9").is_empty());
    }

    #[test]
    fn citation_of_missing_section_is_reported() {
        let pages = pages();
        let problems = |line, own| citations(line, own, &pages);
        let found = problems("// page §4.2.2 \"X\"", None);
        assert_eq!(found, ["page has neither section nor rule 4.2.2"]);
        let found = problems("// page §4.2 \"Numbers\" and page §9", None);
        assert_eq!(
            found,
            ["page §4.2 is called \"Move numbering\"", "page has neither section nor rule 9"]
        );
        let found = problems("as in §4.2, but for §5; PGN §10", pages.get("page"));
        assert_eq!(found, ["the page has neither section nor rule 5"]);
    }
}
