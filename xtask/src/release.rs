//! Steps of a release besides building: checks of tag, versions and changelog, the notes, the list of
//! components, and the address of the repository.

use std::fs;
use std::path::Path;

use testkit::workspace_root;

use crate::Failure;
use crate::sbom;

const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Workspaces of their own, whose packages have the version of the project.
const OTHER_MANIFESTS: [&str; 3] =
    ["bindings/c/Cargo.toml", "bindings/python/Cargo.toml", "bindings/web/Cargo.toml"];

/// Crates whose names belong to others on the registry: docs/publishing.md.
const TAKEN: [&str; 4] = ["cbf", "pgn", "scid", "tables"];

/// Runs one step of a release.
pub(crate) fn run(arguments: &[&str]) -> Result<(), Failure> {
    match arguments {
        ["--version"] => {
            println!("{VERSION}");
            Ok(())
        }
        ["--check", tag] => check(tag),
        ["--sbom"] => {
            let folder = workspace_root().join("target/release-notes");
            fs::create_dir_all(&folder)?;
            sbom::write(&folder.join("scoresheet.cdx.json"))
        }
        ["--address", address] => set_address(&workspace_root(), address),
        _ => Err("release --version | --check TAG | --sbom | --address URL".into()),
    }
}

/// Checks that a tag can be published, and writes the notes of the release.
fn check(tag: &str) -> Result<(), Failure> {
    let root = workspace_root();
    let mut found = Vec::new();
    if tag.strip_prefix('v') != Some(VERSION) {
        found.push(format!("the tag {tag} does not name the version {VERSION} of Cargo.toml"));
    }
    for file in OTHER_MANIFESTS {
        let text = fs::read_to_string(root.join(file))?;
        if !text.lines().any(|line| line == format!("version = \"{VERSION}\"")) {
            found.push(format!("{file}: the version is not {VERSION}"));
        }
    }
    let manifest = fs::read_to_string(root.join("Cargo.toml"))?;
    if !manifest.lines().any(|line| line.starts_with("repository = ")) {
        found.push("Cargo.toml: no repository; run cargo xtask release --address URL".into());
    }
    for name in TAKEN {
        let file = format!("crates/{name}/Cargo.toml");
        if package_name(&fs::read_to_string(root.join(&file))?) == Some(name) {
            found.push(format!("{file}: the package name {name} is taken; use scoresheet-{name}"));
        }
    }
    let changelog = fs::read_to_string(root.join("CHANGELOG.md"))?;
    let notes = notes(&changelog, VERSION);
    match &notes {
        Ok(notes) => {
            let folder = root.join("target/release-notes");
            fs::create_dir_all(&folder)?;
            fs::write(folder.join("notes.md"), notes)?;
        }
        Err(why) => found.push(format!("CHANGELOG.md: {why}")),
    }
    if found.is_empty() { Ok(()) } else { Err(found.join("\n").into()) }
}

/// Returns the name of the package of a manifest.
fn package_name(manifest: &str) -> Option<&str> {
    let (_, package) = manifest.split_once("[package]\n")?;
    let line = package.lines().find_map(|line| line.strip_prefix("name = \""))?;
    line.strip_suffix('"')
}

/// Returns the section of a version, which has the heading `## 0.1.0 - 2026-11-26`.
fn notes(changelog: &str, version: &str) -> Result<String, String> {
    let mut sections = changelog.split("\n## ").skip(1);
    let section = sections.find(|section| section.split([' ', '\n']).next() == Some(version));
    let section = section.ok_or(format!("no section \"## {version} - DATE\""))?;
    let (heading, text) = section.split_once('\n').unwrap_or((section, ""));
    let date = heading.strip_prefix(version).and_then(|rest| rest.strip_prefix(" - "));
    if !date.is_some_and(is_date) {
        return Err(format!("\"## {heading}\" has no date; write \"## {version} - 2026-01-31\""));
    }
    if text.trim().is_empty() {
        return Err(format!("the section of {version} is empty"));
    }
    Ok(format!("{}\n", text.trim()))
}

/// Returns whether a text is a date in the form `2026-01-31`.
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let is_number = |text: &&str| text.bytes().all(|byte| byte.is_ascii_digit());
    parts.iter().all(is_number) && parts.iter().map(|part| part.len()).eq([4, 2, 2])
}

/// Writes the address of the repository into the workspace table, and lets each published crate inherit it.
fn set_address(root: &Path, address: &str) -> Result<(), Failure> {
    if !address.starts_with("https://") || address.ends_with('/') || address.ends_with(".git") {
        return Err("the address is https://HOST/OWNER/NAME".into());
    }
    let manifest = root.join("Cargo.toml");
    let text = fs::read_to_string(&manifest)?;
    fs::write(&manifest, with_address(&text, address).ok_or("Cargo.toml: no license")?)?;
    let mut crates = vec![root.join("xtask/Cargo.toml")];
    for entry in fs::read_dir(root.join("crates"))? {
        crates.push(entry?.path().join("Cargo.toml"));
    }
    for path in crates {
        let text = fs::read_to_string(&path)?;
        if let Some(changed) = inheriting(&text) {
            fs::write(&path, changed)?;
        }
    }
    Ok(())
}

/// Returns the manifest of the workspace with an address, which replaces an earlier one.
fn with_address(manifest: &str, address: &str) -> Option<String> {
    let lines = manifest.lines().filter(|line| !line.starts_with("repository = "));
    let text = lines.map(|line| format!("{line}\n")).collect::<String>();
    let (before, after) = text.split_once("\nlicense = ")?;
    Some(format!("{before}\nrepository = \"{address}\"\nlicense = {after}"))
}

/// Returns the manifest of a crate with the address of the workspace, if it has none yet.
fn inheriting(manifest: &str) -> Option<String> {
    const LICENSE: &str = "license.workspace = true\n";
    let has = manifest.lines().any(|line| line.starts_with("repository"));
    let lines = format!("{LICENSE}repository.workspace = true\n");
    (!has && manifest.contains(LICENSE)).then(|| manifest.replacen(LICENSE, &lines, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHANGELOG: &str = "# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2027-02-01\n\n### Added\n\n- b\n\n\
                             ## 0.1.0 - soon\n\n- a\n\n## 0.0.9 - 2026-01-01\n";

    #[test]
    fn notes_are_the_section_of_the_version() {
        assert_eq!(notes(CHANGELOG, "0.2.0").unwrap(), "### Added\n\n- b\n");
    }

    #[test]
    fn notes_missing_undated_or_empty_section_is_error() {
        assert!(notes(CHANGELOG, "0.3.0").unwrap_err().contains("no section"));
        assert!(notes(CHANGELOG, "0.1.0").unwrap_err().contains("no date"));
        assert!(notes(CHANGELOG, "0.0.9").unwrap_err().contains("empty"));
        assert!(notes(CHANGELOG, "Unreleased").unwrap_err().contains("no date"));
    }

    #[test]
    fn address_is_set_once_and_replaced() {
        let manifest = "[workspace.package]\nversion = \"0.1.0\"\nlicense = \"MIT\"\n";
        let once = with_address(manifest, "https://a/b").unwrap();
        assert!(once.contains("\nrepository = \"https://a/b\"\nlicense = \"MIT\"\n"), "{once}");
        let twice = with_address(&once, "https://c/d").unwrap();
        assert_eq!(twice.matches("repository = ").count(), 1);
        assert!(twice.contains("https://c/d"));
    }

    #[test]
    fn crate_inherits_the_address_once() {
        let once = inheriting("[package]\nlicense.workspace = true\nauthors = []\n").unwrap();
        assert!(once.contains("license.workspace = true\nrepository.workspace = true\n"), "{once}");
        assert_eq!(inheriting(&once), None);
    }

    #[test]
    fn package_name_is_not_the_name_of_the_library() {
        let manifest = "[package]\nname = \"scoresheet-pgn\"\n\n[lib]\nname = \"pgn\"\n";
        assert_eq!(package_name(manifest), Some("scoresheet-pgn"));
        assert_eq!(package_name("[workspace]\n"), None);
    }

    #[test]
    fn check_wrong_tag_names_both_versions() {
        let failure = check("v99.0.0").unwrap_err().to_string();
        assert!(failure.contains("v99.0.0") && failure.contains(VERSION), "{failure}");
    }
}
