//! Walking `fixtures/<format>/<case>/`.

use std::fs;
use std::path::{Path, PathBuf};

use chess_core::Game;
use chess_store::erased::{Database, Source};
use chess_store::{AnyError, Diagnostics, Scope, StreamReader};
use serde::Deserialize;

/// A folder of fixtures: a base, what it is, and what reading it must give.
#[derive(Debug)]
pub struct Case {
    /// Name of the folder.
    pub name: String,
    /// The folder.
    pub dir: PathBuf,
    /// Its `case.toml`.
    pub meta: Meta,
}

/// What `case.toml` says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Meta {
    /// The format it is a base of.
    pub format: String,
    /// Which program wrote it, from what.
    pub origin: String,
    /// Under which licence it is here.
    pub licence: String,
    /// Sections of docs/formats it exercises.
    pub covers: Vec<String>,
    /// How many games the base lists.
    pub games: u64,
    /// How many games its header claims, where that is another number.
    #[serde(default)]
    pub declared: Option<u64>,
    /// Anything else worth knowing.
    #[serde(default)]
    pub notes: Option<String>,
    /// For a damaged base: what must be said and which games survive, in a sentence.
    #[serde(default)]
    pub expect: Option<String>,
    /// The file to open, if it is not the one called `base.*` with the format's first extension.
    #[serde(default)]
    pub open: Option<String>,
    /// The encoding to read it in, if not the usual.
    #[serde(default)]
    pub encoding: Option<String>,
    /// Options, each `name=value`, with which it is read as well, once for each.
    #[serde(default)]
    pub options: Vec<String>,
}

impl Case {
    /// The file that says what reading it with one of its options must give.
    #[must_use]
    pub fn expected_with(&self, option: &str) -> String {
        format!("expected.{}.jsonl", option.replace('=', "."))
    }

    /// Whether it is a damaged base.
    #[must_use]
    pub fn is_bad(&self) -> bool {
        self.name.starts_with("bad_")
    }

    /// A file of the folder.
    #[must_use]
    pub fn file(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// The bytes of a file of the folder.
    #[must_use]
    pub fn bytes(&self, name: &str) -> Vec<u8> {
        let path = self.file(name);
        fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// The file to open, given the first extension of the format: `base.EXTENSION` in either
    /// case, unless the case names one.
    #[must_use]
    pub fn path(&self, extension: &str) -> PathBuf {
        match &self.meta.open {
            Some(name) => self.file(name),
            None => chess_store::files::companion(&self.file("base"), extension)
                .unwrap_or_else(|| self.file("base").with_extension(extension)),
        }
    }

    /// Fails unless the games are those of `expected.jsonl`, naming the first that differs.
    pub fn assert_games<'a>(&self, games: impl IntoIterator<Item = &'a Game>) {
        self.assert_lines("expected.jsonl", &game_lines(games));
    }

    /// Fails unless reading the base gives `expected.jsonl`, damaged games included.
    pub fn assert_database(&self, database: &dyn Database) {
        self.assert_lines("expected.jsonl", &database_lines(database));
    }

    /// As [`assert_database`](Case::assert_database), of a base opened with one of the case's options.
    pub fn assert_database_with(&self, option: &str, database: &dyn Database) {
        self.assert_lines(&self.expected_with(option), &database_lines(database));
    }

    /// Fails unless reading the rest of a stream gives `expected.jsonl`, damaged games included.
    pub fn assert_source(&self, source: &mut dyn Source) {
        self.assert_lines("expected.jsonl", &source_lines(source));
    }

    /// Fails unless `expected.jsonl` is the one line of a base that does not open.
    pub fn assert_closed(&self, error: &AnyError) {
        self.assert_lines("expected.jsonl", &closed_line(error));
    }

    /// Fails unless opening the base and reading it gives what the case says: as many games as it
    /// lists, and `expected.jsonl`. Only a damaged base may fail to open.
    pub fn assert_opened(&self, base: &Result<impl Database, AnyError>) {
        match base {
            Ok(base) => {
                assert_eq!(base.len(), self.meta.games, "{}", self.name);
                self.assert_database(base);
            }
            Err(error) => {
                assert!(self.is_bad(), "{}: {error}", self.name);
                self.assert_closed(error);
            }
        }
    }

    fn assert_lines(&self, file: &str, actual: &str) {
        let expected = String::from_utf8(self.bytes(file)).unwrap();
        for (number, (actual, expected)) in (1..).zip(actual.lines().zip(expected.lines())) {
            assert_eq!(actual, expected, "{}, {file}: game {number}", self.name);
        }
        let (actual, expected) = (actual.lines().count(), expected.lines().count());
        assert_eq!(actual, expected, "{}, {file}: games", self.name);
    }
}

/// The canonical JSON of games, a line each.
#[must_use]
pub fn game_lines<'a>(games: impl IntoIterator<Item = &'a Game>) -> String {
    let mut lines = String::new();
    for game in games {
        push_line(game, None, &mut lines);
    }
    lines
}

/// The line of each game of a base: its canonical JSON, or for a damaged one what is wrong and the
/// JSON of what could be read (docs/model.md §5 "Canonical lines").
#[must_use]
pub fn database_lines(database: &dyn Database) -> String {
    let (mut lines, mut game) = (String::new(), Game::new());
    let mut reader = database.reader();
    for number in 0..database.len() {
        let read = reader.game(number, &mut game, &mut Diagnostics::lenient());
        push_line(&game, read.err().as_ref(), &mut lines);
    }
    lines
}

/// As [`database_lines`], for what a stream still has. An error of the
/// stream as a whole is the last line.
#[must_use]
pub fn source_lines(source: &mut dyn Source) -> String {
    let mut reader = StreamReader::new(source);
    lines_of(|game| reader.read_game(game, &mut Diagnostics::lenient()))
}

/// As [`database_lines`], of whatever reads one game after the other.
pub fn lines_of(mut read: impl FnMut(&mut Game) -> Result<bool, AnyError>) -> String {
    let (mut lines, mut game) = (String::new(), Game::new());
    loop {
        match read(&mut game) {
            Ok(false) => return lines,
            Ok(true) => push_line(&game, None, &mut lines),
            Err(error) => {
                push_line(&game, Some(&error), &mut lines);
                if error.scope() == Scope::Base {
                    return lines;
                }
            }
        }
    }
}

/// The only line of a base that does not open.
#[must_use]
pub fn closed_line(error: &AnyError) -> String {
    let mut line = String::new();
    push_line(&Game::new(), Some(error), &mut line);
    line
}

fn push_line(game: &Game, error: Option<&AnyError>, lines: &mut String) {
    #[derive(serde::Serialize)]
    struct Damaged<'a> {
        error: String,
        game: &'a Game,
    }
    let line = match error {
        None => serde_json::to_string(game),
        Some(error) => serde_json::to_string(&Damaged { error: error.to_string(), game }),
    };
    lines.push_str(&line.unwrap());
    lines.push('\n');
}

/// The folder that holds `fixtures/`.
#[must_use]
pub fn workspace_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_path_buf()
}

/// All cases of a format in the order of their names. Fails if there are none.
#[must_use]
pub fn cases(format: &str) -> Vec<Case> {
    let folder = workspace_root().join("fixtures").join(format);
    let entries =
        fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut cases: Vec<Case> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .map(|dir| {
            let path = dir.join("case.toml");
            let text =
                fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let meta = toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            let name = dir.file_name().unwrap().to_string_lossy().into_owned();
            Case { name, dir, meta }
        })
        .collect();
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(!cases.is_empty(), "no fixtures in {}", folder.display());
    cases
}
