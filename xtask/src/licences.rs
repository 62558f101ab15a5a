//! Checks that everything shipped depends only on permissive licences, which deny.toml lists.

use std::collections::BTreeSet;
use std::process::Command;

use serde::Deserialize;
use testkit::workspace_root;

use crate::Failure;

#[derive(Deserialize)]
struct Deny {
    licenses: Licenses,
}

#[derive(Deserialize)]
struct Licenses {
    allow: BTreeSet<String>,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    license: Option<String>,
}

/// The workspaces of the project, each with its own lock file.
const WORKSPACES: [&str; 4] = [
    "Cargo.toml",
    "bindings/c/Cargo.toml",
    "bindings/python/Cargo.toml",
    "bindings/web/Cargo.toml",
];

/// Checks every package of the lock files.
pub(crate) fn run() -> Result<(), Failure> {
    let deny = std::fs::read_to_string(workspace_root().join("deny.toml"))?;
    let deny: Deny = toml::from_str(&deny)?;
    let mut found = BTreeSet::new();
    for manifest in WORKSPACES {
        for package in packages(manifest)? {
            let licence = package.license.as_deref();
            if !licence.is_some_and(|text| is_allowed(text, &deny.licenses.allow)) {
                let licence = licence.unwrap_or("no licence named");
                found.insert(format!("{} {}: {licence}", package.name, package.version));
            }
        }
    }
    if found.is_empty() {
        return Ok(());
    }
    Err(found.into_iter().collect::<Vec<_>>().join("\n").into())
}

fn packages(manifest: &str) -> Result<Vec<Package>, Failure> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["metadata", "--format-version", "1", "--locked", "--all-features"]);
    let output =
        command.args(["--manifest-path", manifest]).current_dir(workspace_root()).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    let metadata: Metadata = serde_json::from_slice(&output.stdout)?;
    Ok(metadata.packages)
}

/// Returns whether the terms of an expression are allowed: of each part joined by AND, one
/// alternative must be. Old manifests write `/` for OR. No expression in use nests an AND in an OR.
fn is_allowed(expression: &str, allow: &BTreeSet<String>) -> bool {
    let plain = expression.replace(['(', ')'], "").replace('/', " OR ");
    plain.split(" AND ").all(|part| {
        part.split(" OR ").any(|licence| {
            // An exception only adds a permission.
            let licence = licence.split(" WITH ").next().unwrap_or_default();
            allow.contains(licence.trim())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_allowed_needs_one_alternative_of_each_part() {
        let allow = ["MIT".to_owned(), "Unicode-3.0".to_owned()].into();
        assert!(is_allowed("MIT/Apache-2.0", &allow));
        assert!(is_allowed("(MIT OR Apache-2.0) AND Unicode-3.0", &allow));
        assert!(is_allowed("MIT WITH LLVM-exception", &allow));
        assert!(!is_allowed("GPL-3.0-or-later", &allow));
        assert!(!is_allowed("MIT AND GPL-2.0", &allow));
    }
}
