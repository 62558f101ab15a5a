//! Attacks on the built program: killing it or failing a system call at each call, and running many
//! processes on one base.

mod kills;
mod storm;

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub use kills::{Fault, Outputs, Tally, attack_calls, attack_outputs, has_strace};
pub use storm::{Storm, storm};

/// A format that the program writes.
#[derive(Clone, Debug)]
pub struct Target {
    /// The extension that names a base.
    pub extension: String,
    /// Whether a base can be edited in place.
    pub is_editable: bool,
    /// Whether replacing a game adds the new one before it marks the old one as deleted.
    pub replaces_by_adding: bool,
}

impl Target {
    fn base(&self, folder: &Path) -> PathBuf {
        folder.join("base").with_extension(&self.extension)
    }
}

/// The program, run in a folder.
fn command(program: &Path, folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(program);
    in_folder(&mut command, folder, words);
    command
}

fn in_folder(command: &mut Command, folder: &Path, words: &[impl AsRef<OsStr>]) {
    command.args(words).current_dir(folder).env("RUST_BACKTRACE", "0").stdin(Stdio::null());
}

fn run(program: &Path, folder: &Path, words: &[&str]) -> Output {
    command(program, folder, words).output().unwrap()
}

/// Returns the games of a base as text, and whether the program had no message except losses.
/// Returns `None` if there is no base.
fn read(program: &Path, base: &Path) -> Option<(String, bool)> {
    let folder = base.parent().unwrap();
    let name = base.file_name().unwrap().to_str().unwrap();
    let output = run(program, folder, &["convert", "-q", name, "-"]);
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.code() == Some(3) && said.contains("No such file") {
        return None;
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Some((text, output.status.success() && said.is_empty()))
}

/// Returns games that identify themselves in every place where a base keeps data.
fn games(numbers: impl IntoIterator<Item = u64>) -> String {
    let mut text = String::new();
    for number in numbers {
        let result = ["1-0", "0-1", "1/2-1/2"][(number % 3) as usize];
        write!(
            text,
            "[Event \"E{number}\"]\n[Site \"S{number}\"]\n[Round \"{}\"]\n[White \"W{number}\"]\n\
             [Black \"B{number}\"]\n[Result \"{result}\"]\n\n1. e4 {{{number}}} {result}\n\n",
            number % 60_000
        )
        .unwrap();
    }
    text
}

/// Returns the numbers of the games in a text. All parts of each game must belong to the same game.
fn numbers(text: &str) -> Result<Vec<u64>, String> {
    let mut numbers = Vec::new();
    for game in text.split("[Event \"").skip(1) {
        let number: String = game.chars().skip(1).take_while(char::is_ascii_digit).collect();
        // Some formats keep the site with the event.
        for before in ["S", "[White \"W", "[Black \"B"] {
            if !game.contains(&format!("{before}{number}\"")) {
                return Err(format!("a game of other parts: {game}"));
            }
        }
        if !game.contains(&format!("{{{number}}}")) {
            return Err(format!("other moves: {game}"));
        }
        numbers.push(number.parse().map_err(|_| format!("no number: {game}"))?);
    }
    Ok(numbers)
}

/// Returns the names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn copy_folder(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    fs::create_dir_all(to).unwrap();
    for name in names(from) {
        fs::copy(from.join(&name), to.join(&name)).unwrap();
    }
}
