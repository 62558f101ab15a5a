//! The documentation site: the pages that docs/SUMMARY.md names, built by mdBook into target/book.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use testkit::workspace_root;

use crate::Failure;
use crate::ci::run_command;
use crate::documents::{is_page, links, resolve};

/// The table of contents. Its links are relative to docs/.
const SUMMARY: &str = "docs/SUMMARY.md";
const SETTINGS: &str = "\
[book]
title = \"Scoresheet\"
language = \"en\"
src = \"src\"

[output.html]
smart-punctuation = false
default-theme = \"light\"
";
/// The command that installs mdBook. The omitted features serve and watch pages.
const INSTALL: &str = "cargo install mdbook --locked --no-default-features --features search";

/// Copies the pages with their pictures, removes links to files that are not in the book, and runs
/// mdBook.
pub(crate) fn run() -> Result<(), Failure> {
    let root = workspace_root();
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    let (folder, site) = (target.join("book-source"), target.join("book"));
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let source = folder.join("src");
    fs::create_dir_all(&source)?;
    fs::write(folder.join("book.toml"), SETTINGS)?;
    let summary = fs::read_to_string(root.join(SUMMARY))?;
    let pages = pages(&summary);
    for page in &pages {
        let text = fs::read_to_string(root.join(page))
            .map_err(|error| format!("{SUMMARY}: {}: {error}", page.display()))?;
        write(&source.join(page), &rewritten(&text, page, &pages))?;
        for (_, link) in links(&text) {
            let picture = resolve(page, link);
            if is_picture(&picture) && root.join(&picture).is_file() {
                let to = source.join(&picture);
                fs::create_dir_all(to.parent().unwrap_or(&source))?;
                fs::copy(root.join(&picture), to)?;
            }
        }
    }
    // In the book, the table of contents is beside README.md.
    fs::write(source.join("SUMMARY.md"), summary.replace("](", "](docs/").replace("docs/../", ""))?;
    let mut build = Command::new(program().ok_or_else(|| format!("no mdbook here: {INSTALL}"))?);
    run_command(build.arg("build").arg(&folder).arg("--dest-dir").arg(&site))?;
    println!("{}", site.join("index.html").display());
    Ok(())
}

/// Adds a problem to `found` for each page under docs/ that the table of contents does not name.
pub(crate) fn check(
    root: &Path,
    files: &[PathBuf],
    found: &mut Vec<String>,
) -> Result<(), Failure> {
    let named = pages(&fs::read_to_string(root.join(SUMMARY))?);
    for path in files.iter().filter(|path| is_page(path) && path.starts_with("docs")) {
        if path != Path::new(SUMMARY) && !named.contains(path) {
            found.push(format!("{SUMMARY}: does not name {}", path.display()));
        }
    }
    Ok(())
}

/// Returns the pages that a table of contents names, in its order, by their paths in the
/// repository.
fn pages(summary: &str) -> Vec<PathBuf> {
    links(summary).into_iter().map(|(_, link)| resolve(Path::new(SUMMARY), link)).collect()
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    Ok(fs::write(path, text)?)
}

fn is_picture(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "svg" || extension == "png")
}

/// Returns a page in which links to sources, folders and other files outside of the book are plain
/// text.
fn rewritten(text: &str, page: &Path, pages: &[PathBuf]) -> String {
    let mut written = String::new();
    let mut in_example = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_example = !in_example;
        }
        let mut rest = line;
        while let Some((before, after)) = rest.split_once("](").filter(|_| !in_example) {
            let (link, after) = after.split_once(')').unwrap_or((after, ""));
            let target = resolve(page, link.split('#').next().unwrap_or_default());
            let stays = link.contains("://")
                || link.starts_with('#')
                || pages.contains(&target)
                || is_picture(&target);
            match before.rsplit_once('[').filter(|_| !stays) {
                Some((before, words)) => written.extend([before, words]),
                None => written.extend([before, "](", link, ")"]),
            }
            rest = after;
        }
        written.push_str(rest);
        written.push('\n');
    }
    written
}

/// Returns mdBook from the path, or from the folder of `cargo install`.
fn program() -> Option<PathBuf> {
    let name = PathBuf::from("mdbook");
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    let installed = home.map(|home| home.join("bin/mdbook"));
    let works = |program: &PathBuf| Command::new(program).arg("--version").output().is_ok();
    std::iter::once(name).chain(installed).find(works)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rewritten_link_to_a_source_becomes_text() {
        let pages = [PathBuf::from("docs/model.md"), PathBuf::from("README.md")];
        let text = "See [a](model.md#x), [b](../README.md), [`c`](../crates/scid) and ![d](images/d.svg).\n\
                    ```\n[e](../x)\n```\n";
        let wanted = "See [a](model.md#x), [b](../README.md), `c` and ![d](images/d.svg).\n\
                      ```\n[e](../x)\n```\n";
        assert_eq!(rewritten(text, Path::new("docs/json.md"), &pages), wanted);
    }

    #[test]
    fn pages_links_of_the_summary_are_paths_in_the_repository() {
        let pages = pages("# Summary\n- [A](../README.md)\n  - [B](formats/scid.md)\n");
        assert_eq!(pages, ["README.md", "docs/formats/scid.md"].map(PathBuf::from));
    }
}
