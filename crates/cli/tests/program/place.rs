//! A folder in which tests run the program.

use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// Two games that together contain every feature.
pub(crate) const GAMES: &str = r#"[Event "Club evening"]
[Site "Riverside"]
[Date "2019.03.14"]
[Round "3"]
[White "Alder, Nora"]
[Black "Birch, Tom"]
[Result "1-0"]
[WhiteElo "1873"]
[BlackElo "1920"]
[ECO "C50"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 d6 {solid} (3... Nf6 4. Ng5 (4. d3 {quiet}) 4... d5)
4. Nc3 Bg4 $2 5. Nxe5 $3 5... Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0

[Event "A study"]
[Site "?"]
[Date "1922.??.??"]
[Round "?"]
[White "White to play"]
[Black "and draw"]
[Result "1/2-1/2"]
[FEN "7K/8/k1P5/7p/8/8/8/8 w - - 0 1"]
[SetUp "1"]

1. Kg7 h4 2. Kf6 Kb6 3. Ke5 h3 4. Kd6 h2 5. c7 Kb7 6. Kd7 1/2-1/2

"#;

/// A folder with `games.pgn`, in which the program runs.
pub(crate) struct Place(TempDir);

impl Place {
    pub(crate) fn new() -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        fs::write(place.path("games.pgn"), GAMES).unwrap();
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Returns the names of the files, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Copies the base of a fixture into the folder under its own path.
    pub(crate) fn take_fixture(&self, case: &str) {
        let from = testkit::workspace_root().join("fixtures").join(case);
        let to = self.path("fixtures").join(case);
        fs::create_dir_all(&to).unwrap();
        for entry in fs::read_dir(&from).unwrap_or_else(|e| panic!("{}: {e}", from.display())) {
            let entry = entry.unwrap();
            if entry.file_name().to_string_lossy().to_lowercase().starts_with("base.") {
                fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
            }
        }
    }

    /// Runs a command line, split at spaces.
    pub(crate) fn run(&self, line: &str) -> Ran {
        self.run_words(&line.split(' ').collect::<Vec<_>>(), "")
    }

    pub(crate) fn run_words(&self, words: &[&str], input: &str) -> Ran {
        self.run_command(command(self.0.path()).args(words), words, input)
    }

    /// Runs a command line with these environment variables.
    pub(crate) fn run_with(&self, words: &[&str], variables: &[(&str, &str)]) -> Ran {
        let mut command = command(self.0.path());
        command.envs(variables.iter().copied()).args(words);
        self.run_command(&mut command, words, "")
    }

    fn run_command(&self, command: &mut Command, words: &[&str], input: &str) -> Ran {
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_owned();
        // The program may end before it has read all input.
        let feeder = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
        let output = child.wait_with_output().unwrap();
        feeder.join().unwrap();
        Ran {
            line: words.join(" "),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
            code: output.status.code().unwrap(),
        }
    }
}

/// Returns the path of the program: the one just built, or the one that `SCORESHEET_PROGRAM` names.
pub(crate) fn program() -> OsString {
    std::env::var_os("SCORESHEET_PROGRAM")
        .unwrap_or_else(|| env!("CARGO_BIN_EXE_scoresheet").into())
}

/// Returns a command that runs the program in a folder, with its streams connected to pipes.
pub(crate) fn command(folder: &Path) -> Command {
    with_pipes(folder, Command::new(program()))
}

/// Like [`command`], for a program that a test interrupts.
#[cfg(unix)]
pub(crate) fn interruptible(folder: &Path) -> Command {
    let line = interruptible_line();
    let mut command = Command::new(&line[0]);
    command.args(&line[1..]);
    with_pipes(folder, command)
}

/// Returns the words that run the program so that signals interrupt it. It heeds no signal that its
/// parent ignores, and a shell ignores INT for tests that run in the background.
#[cfg(unix)]
pub(crate) fn interruptible_line() -> Vec<OsString> {
    const DEFAULT: &str = "--default-signal=HUP,INT,TERM";
    let is_gnu = Command::new("env").args([DEFAULT, "true"]).stderr(Stdio::null()).status();
    let mut line = vec![program()];
    if is_gnu.is_ok_and(|status| status.success()) {
        line.splice(0..0, ["env".into(), DEFAULT.into()]);
    }
    line
}

fn with_pipes(folder: &Path, mut command: Command) -> Command {
    command
        .current_dir(folder)
        .env("COLUMNS", "100")
        .env_remove("NO_COLOR")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// The result of a run.
pub(crate) struct Ran {
    line: String,
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) code: i32,
}

impl Ran {
    /// Returns `self` if the run succeeded without messages.
    #[track_caller]
    pub(crate) fn well(self) -> Ran {
        assert_eq!(self.code, 0, "{self}");
        self
    }
}

impl fmt::Display for Ran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ran { line, out, err, code } = self;
        write!(f, "$ scoresheet {line}\n{out}")?;
        if !err.is_empty() {
            write!(f, "--- on standard error\n{err}")?;
        }
        writeln!(f, "--- exit code {code}")
    }
}
