//! Mutants for which a reason is recorded why no small file can detect them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::Failure;

/// The list of a format, `explained/FORMAT.txt`. A reason is a line that begins with `# `. Below it
/// are the names of mutants as they are printed, without the line number.
#[derive(Default)]
pub(crate) struct Explained {
    names: BTreeSet<String>,
}

impl Explained {
    /// Reads the list of a format. A format without a list has no explained mutants.
    pub(crate) fn read(format: &str) -> Result<Explained, Failure> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("explained/{format}.txt"));
        if !path.exists() {
            return Ok(Explained::default());
        }
        Explained::parse(&fs::read_to_string(path)?)
    }

    fn parse(text: &str) -> Result<Explained, Failure> {
        let (mut names, mut has_reason) = (BTreeSet::new(), false);
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if let Some(reason) = line.strip_prefix("# ") {
                has_reason = !reason.trim().is_empty();
            } else if !has_reason {
                return Err(format!("explained without a reason: {line}").into());
            } else if !names.insert(line.to_owned()) {
                return Err(format!("explained twice: {line}").into());
            }
        }
        Ok(Explained { names })
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Returns the names to remove from the list: names that no mutant has, and names whose tried
    /// mutants were all detected. `known` holds the existing names.
    pub(crate) fn stale(
        &self,
        known: &BTreeSet<&str>,
        noticed: &BTreeMap<&str, bool>,
    ) -> Vec<&str> {
        let names = self.names.iter().map(String::as_str);
        names.filter(|name| !known.contains(name) || noticed.get(name) == Some(&true)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn explained_list_needs_reasons_and_reports_stale_names() {
        let list = Explained::parse("# Speed.\n\na.rs f: left out | g();\na.rs f: 1 for 0 | 0\n");
        let list = list.unwrap();
        assert!(list.has("a.rs f: left out | g();") && !list.has("a.rs g: left out | g();"));
        let (gone, there) = ("a.rs f: 1 for 0 | 0", "a.rs f: left out | g();");
        let known = BTreeSet::from([there]);
        let of = |noticed| BTreeMap::from([(there, noticed)]);
        assert_eq!(list.stale(&known, &of(false)), [gone]);
        assert_eq!(list.stale(&known, &BTreeMap::new()), [gone], "not tried");
        assert_eq!(list.stale(&known, &of(true)), [gone, there]);
        assert!(Explained::parse("a.rs f: left out | g();").is_err());
        assert!(Explained::parse("# Speed.\na\na").is_err());
    }
}
