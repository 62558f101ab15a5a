//! Checks the documents: links lead to existing files and headings, and the example of README.md is
//! the compiled one.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::Failure;

/// The example that README.md shows. `cargo test` compiles it.
const EXAMPLE: &str = "crates/scoresheet/examples/readme.rs";

/// Adds a problem to `found` for each link to a file or heading that is not there.
pub(crate) fn check(
    root: &Path,
    files: &[PathBuf],
    found: &mut Vec<String>,
) -> Result<(), Failure> {
    for path in files.iter().filter(|path| is_page(path)) {
        let Ok(text) = fs::read_to_string(root.join(path)) else { continue };
        let name = path.to_string_lossy();
        for (line, link) in links(&text) {
            if let Some(problem) = problem(root, path, &text, link) {
                found.push(format!("{name}:{line}: {problem}"));
            }
        }
    }
    let example = fs::read_to_string(root.join(EXAMPLE))?;
    // The head comment is not shown.
    let lines: Vec<&str> = example.lines().skip_while(|line| line.starts_with("//!")).collect();
    let example = lines.join("\n");
    let example = example.trim();
    let readme = fs::read_to_string(root.join("README.md"))?;
    if !readme.contains(&format!("```rust\n{example}\n```")) {
        found.push(format!("README.md: its Rust example is not that of {EXAMPLE}"));
    }
    Ok(())
}

pub(crate) fn is_page(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "md")
}

/// Returns the link targets of a page with their line numbers. Examples have no links.
pub(crate) fn links(text: &str) -> Vec<(usize, &str)> {
    let mut links = Vec::new();
    let mut in_example = false;
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim_start().starts_with("```") {
            in_example = !in_example;
        }
        if in_example {
            continue;
        }
        for part in line.split("](").skip(1) {
            if let Some((target, _)) = part.split_once(')') {
                links.push((number, target));
            }
        }
    }
    links
}

/// Describes the fault of `link` on the page at `path`. Returns `None` if the link is good.
fn problem(root: &Path, path: &Path, text: &str, link: &str) -> Option<String> {
    if link.contains("://") || link.starts_with("mailto:") || link.contains(' ') {
        return None;
    }
    let (file, anchor) = link.split_once('#').map_or((link, None), |(file, at)| (file, Some(at)));
    let target = resolve(path, file);
    if !file.is_empty() && !root.join(&target).exists() {
        return Some(format!("the link {link} leads nowhere"));
    }
    let anchor = anchor?;
    let other;
    let headings = if file.is_empty() {
        anchors(text)
    } else if is_page(&target) {
        other = fs::read_to_string(root.join(&target)).ok()?;
        anchors(&other)
    } else {
        return None;
    };
    (!headings.contains(anchor)).then(|| format!("the link {link} names no heading"))
}

/// Returns the path in the repository that a link `file` on the page `path` leads to.
pub(crate) fn resolve(path: &Path, file: &str) -> PathBuf {
    let mut resolved = PathBuf::new();
    for part in path.parent().unwrap_or(Path::new("")).join(file).components() {
        match part {
            Component::ParentDir => {
                resolved.pop();
            }
            Component::CurDir => {}
            part => resolved.push(part),
        }
    }
    resolved
}

/// Returns the anchors of the headings of a page, as GitHub and mdBook make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    let mut in_example = false;
    for line in text.lines() {
        if line.starts_with("```") {
            in_example = !in_example;
        }
        let title = line.trim_start_matches('#');
        if in_example || title.len() == line.len() || !title.starts_with(' ') {
            continue;
        }
        let kept = title.trim().to_lowercase();
        let kept = kept.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        let anchor: String = kept.map(|c| if c == ' ' { '-' } else { c }).collect();
        // A second heading of the same name gets a number.
        let mut unique = anchor.clone();
        for number in 1.. {
            if anchors.insert(unique) {
                break;
            }
            unique = format!("{anchor}-{number}");
        }
    }
    anchors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_in_examples_are_skipped() {
        let text = "See [a](x.md) and [`b`](y.md#z).\n```\n[c](no.md)\n```\n";
        assert_eq!(links(text), [(1, "x.md"), (1, "y.md#z")]);
    }

    #[test]
    fn resolve_parent_folders_are_followed() {
        let resolved = resolve(Path::new("docs/formats/scid.md"), "../../README.md");
        assert_eq!(resolved, Path::new("README.md"));
    }

    #[test]
    fn anchors_of_repeated_headings_are_numbered() {
        let anchors = anchors("# A session\n## Moves, and `x`\n## Same\n## Same\n");
        let wanted = ["a-session", "moves-and-x", "same", "same-1"];
        assert_eq!(anchors, wanted.map(str::to_owned).into());
    }
}
