//! What no compiler checks: citations, sizes, folders, words.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use testkit::workspace_root;

use crate::Failure;

/// Lines a source file may have.
const MOST_LINES: usize = 700;
/// Paths outside of the repository: nothing here may depend on them. In pieces, or this file would.
const OUTSIDE: [&str; 2] = [concat!("../", "shared"), concat!("/work", "/")];
/// The one file that may read what happens to lie beside the repository.
const MAY_LOOK_OUTSIDE: &str = ".ci/run";

/// Runs all checks and reports everything found.
pub(crate) fn run() -> Result<(), Failure> {
    let root = workspace_root();
    let files = files(&root)?;
    let sections = sections(&root)?;
    let mut found = Vec::new();
    for path in &files {
        let Ok(text) = fs::read_to_string(root.join(path)) else { continue };
        let name = path.to_string_lossy();
        if name != MAY_LOOK_OUTSIDE && OUTSIDE.iter().any(|word| text.contains(word)) {
            found.push(format!("{name}: names a path outside of the repository"));
        }
        if name.ends_with(".rs") {
            source(&name, &text, &sections, &mut found);
        }
    }
    crates(&root, &mut found)?;
    families(&root, &mut found);
    if found.is_empty() { Ok(()) } else { Err(found.join("\n").into()) }
}

/// The files git knows, or would.
fn files(root: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut command = Command::new("git");
    command.args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"]);
    let output = command.current_dir(root).output()?;
    if !output.status.success() {
        return Err("git ls-files failed".into());
    }
    let names = String::from_utf8(output.stdout)?;
    Ok(names.split('\0').filter(|name| !name.is_empty()).map(PathBuf::from).collect())
}

/// Number and title of every section of each page: `docs/formats/scid.md` under `scid`.
type Sections = BTreeMap<String, BTreeMap<String, String>>;

fn sections(root: &Path) -> Result<Sections, Failure> {
    let mut pages = Sections::new();
    for folder in ["docs", "docs/formats"] {
        for entry in fs::read_dir(root.join(folder))? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "md") {
                let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                pages.insert(name, headings(&fs::read_to_string(&path)?));
            }
        }
    }
    Ok(pages)
}

/// `## 4.2 Move numbering` gives `4.2` and `Move numbering`.
fn headings(page: &str) -> BTreeMap<String, String> {
    let numbered = |line: &str| {
        let heading = line.trim_start_matches('#').trim().trim_start_matches('§');
        let (number, title) = heading.split_once(' ')?;
        let number = number.trim_end_matches('.');
        let is_number = number.starts_with(|c: char| c.is_ascii_digit());
        is_number.then(|| (number.to_owned(), title.trim().to_owned()))
    };
    page.lines().filter(|line| line.starts_with('#')).filter_map(numbered).collect()
}

fn source(name: &str, text: &str, sections: &Sections, found: &mut Vec<String>) {
    let lines = text.lines().count();
    if lines > MOST_LINES {
        found.push(format!("{name}: {lines} lines, more than {MOST_LINES}"));
    }
    for (number, line) in (1..).zip(text.lines()) {
        for problem in citations(line, sections) {
            found.push(format!("{name}:{number}: {problem}"));
        }
    }
}

/// What is wrong with the `page §N "Title"` of a line; the title may be left out.
fn citations(line: &str, sections: &Sections) -> Vec<String> {
    let mut problems = Vec::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('§') {
        rest = after;
        let page = before.trim_end().rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
        let Some(known) = sections.get(page) else { continue };
        let digits = |c: char| c.is_ascii_digit() || c == '.';
        let number: String = after.chars().take_while(|c| digits(*c)).collect();
        let number = number.trim_end_matches('.');
        if number.is_empty() {
            // Talk of citations, not one.
            continue;
        }
        let Some(title) = known.get(number) else {
            problems.push(format!("{page} has no section {number}"));
            continue;
        };
        let quoted = after.get(number.len()..).unwrap_or_default().trim_start();
        let quoted = quoted.strip_prefix('"').and_then(|text| text.split('"').next());
        if quoted.is_some_and(|quoted| quoted != title) {
            problems.push(format!("{page} §{number} is called \"{title}\""));
        }
    }
    problems
}

/// Every crate says what it is.
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
        // A package can only hold what is in its folder.
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            if fs::read(folder.join(licence)).ok() != fs::read(root.join(licence)).ok() {
                found.push(format!("crates/{name}/{licence}: not that of the project"));
            }
        }
    }
    Ok(())
}

/// Every family has its page and its fixtures, and every folder of fixtures its family.
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

    fn page() -> Sections {
        let headings = headings("# Page\n## 4. Moves\n### 4.2 Move numbering\ntext\n");
        Sections::from([("page".to_owned(), headings)])
    }

    #[test]
    fn a_citation_of_a_section_passes() {
        assert!(citations("// page §4.2 \"Move numbering\"", &page()).is_empty());
        assert!(citations("/// page §4.", &page()).is_empty());
        assert!(citations("// PGN standard §9.4.1", &page()).is_empty());
    }

    #[test]
    fn a_citation_of_nothing_is_found() {
        assert_eq!(citations("// page §4.3 \"X\"", &page()), ["page has no section 4.3"]);
        let wrong = citations("// page §4.2 \"Numbers\" and page §9", &page());
        assert_eq!(wrong, ["page §4.2 is called \"Move numbering\"", "page has no section 9"]);
    }
}
