//! Files of figures. A run replaces its own rows.

use std::fs;
use std::process::Command;

use testkit::workspace_root;

use crate::Failure;

/// The machine and the day of each file of measurements.
const MACHINES: &str = "machines";

/// Rows of a CSV file. Cells hold no commas, as `cargo lab figures` reads them.
pub(crate) struct Rows {
    pub(crate) head: &'static str,
    /// The number of first cells that identify a row.
    pub(crate) key: usize,
    pub(crate) rows: Vec<Vec<String>>,
}

impl Rows {
    /// Replaces the rows with the same keys in a file of the repository, and keeps all others.
    pub(crate) fn write(&self, path: &str) -> Result<(), Failure> {
        let path = workspace_root().join(path);
        let old = fs::read_to_string(&path).unwrap_or_default();
        fs::write(path, self.merged(&old))?;
        Ok(())
    }

    fn merged(&self, old: &str) -> String {
        let mut lines: Vec<String> = old.lines().skip(1).map(str::to_owned).collect();
        for row in &self.rows {
            let key = row.get(..self.key).unwrap_or_default().join(",") + ",";
            let line = row.join(",");
            match lines.iter_mut().find(|line| line.starts_with(&key)) {
                Some(old) => *old = line,
                None => lines.push(line),
            }
        }
        format!("{}\n{}\n", self.head, lines.join("\n"))
    }
}

/// Returns the path of a file of measurements.
pub(crate) fn file(name: &str) -> String {
    format!("docs/performance/{name}.csv")
}

/// Writes that a file of measurements was measured on this machine today.
pub(crate) fn put_machine(name: &str, machine: &str) -> Result<(), Failure> {
    let row = vec![format!("{name}.csv"), machine.to_owned(), today()?];
    Rows { head: "file,machine,day", key: 1, rows: vec![row] }.write(&file(MACHINES))
}

fn today() -> Result<String, Failure> {
    let output = Command::new("date").arg("+%F").output()?;
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_replace_those_with_their_key() {
        let rows = vec![vec!["a".into(), "2".into()], vec!["c".into(), "3".into()]];
        let rows = Rows { head: "name,value", key: 1, rows };
        assert_eq!(rows.merged("name,value\na,1\nab,9\n"), "name,value\na,2\nab,9\nc,3\n");
        assert_eq!(rows.merged(""), "name,value\na,2\nc,3\n");
    }
}
