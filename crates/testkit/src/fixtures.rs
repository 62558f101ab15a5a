//! Access to the cases in `fixtures/<format>/<case>/`.

use std::fs;
use std::path::{Path, PathBuf};

use chess_core::{CanonicalLine, Game};
use chess_store::erased::{Database, Format, Source};
use chess_store::{AnyError, Diagnostics, Scope, StreamReader};
use serde::Deserialize;

/// A folder of fixtures: a base, its description, and the expected result of reading it.
#[derive(Debug)]
pub struct Case {
    /// The name of the folder.
    pub name: String,
    /// The path of the folder.
    pub dir: PathBuf,
    /// The content of `case.toml`.
    pub meta: Meta,
}

/// The fields of `case.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Meta {
    /// The format of the base.
    pub format: String,
    /// The program that wrote the base, and its source.
    pub origin: String,
    /// The licence of the base.
    pub licence: String,
    /// The sections of docs/formats that the case exercises.
    pub covers: Vec<String>,
    /// The number of games in the base.
    pub games: u64,
    /// The number of games that the header claims, if it differs.
    #[serde(default)]
    pub declared: Option<u64>,
    /// Further notes.
    #[serde(default)]
    pub notes: Option<String>,
    /// For a damaged base: a sentence with the expected message and the games that survive.
    #[serde(default)]
    pub expect: Option<String>,
    /// The file to open, if it is not `base.*` with the first extension of the format.
    #[serde(default)]
    pub open: Option<String>,
    /// The encoding to read the base in, if not the default.
    #[serde(default)]
    pub encoding: Option<String>,
    /// Options, each `name=value`. The base is also read with each of them alone.
    #[serde(default)]
    pub options: Vec<String>,
}

impl Case {
    /// Returns the file with the expected result of reading the base with an option.
    #[must_use]
    pub fn expected_with(&self, option: &str) -> String {
        format!("expected.{}.jsonl", option.replace('=', "."))
    }

    /// Returns whether the base is damaged.
    #[must_use]
    pub fn is_bad(&self) -> bool {
        self.name.starts_with("bad_")
    }

    /// Returns the path of a file in the folder.
    #[must_use]
    pub fn file(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// Returns the bytes of a file in the folder.
    #[must_use]
    pub fn bytes(&self, name: &str) -> Vec<u8> {
        let path = self.file(name);
        fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Returns the file to open, given the first extension of the format: `base.EXTENSION` in
    /// either case, unless the case names a file.
    #[must_use]
    pub fn path(&self, extension: &str) -> PathBuf {
        match &self.meta.open {
            Some(name) => self.file(name),
            None => chess_store::files::companion(&self.file("base"), extension)
                .unwrap_or_else(|| self.file("base").with_extension(extension)),
        }
    }

    /// Returns the format of the base, out of the formats of a `family`. Panics if there is none.
    #[must_use]
    pub fn format_in<'a>(&self, formats: &'a [Format], family: &str) -> &'a Format {
        let format = formats.iter().find(|format| {
            let has_file = |extension: &&str| self.path(extension).is_file();
            self.meta.format == format.name
                || self.meta.format == family && format.extensions.iter().any(has_file)
        });
        format.unwrap_or_else(|| panic!("{}: no such format", self.name))
    }

    /// Asserts that the games equal `expected.jsonl`. The message names the first that differs.
    pub fn assert_games<'a>(&self, games: impl IntoIterator<Item = &'a Game>) {
        self.assert_lines("expected.jsonl", &game_lines(games));
    }

    /// Asserts that reading the base gives `expected.jsonl`, damaged games included.
    pub fn assert_database(&self, database: &dyn Database) {
        self.assert_lines("expected.jsonl", &database_lines(database));
    }

    /// Like [`assert_database`](Case::assert_database), for a base opened with an option of the
    /// case.
    pub fn assert_database_with(&self, option: &str, database: &dyn Database) {
        self.assert_lines(&self.expected_with(option), &database_lines(database));
    }

    /// Asserts that reading the rest of a stream gives `expected.jsonl`, damaged games included.
    pub fn assert_source(&self, source: Box<dyn Source>) {
        self.assert_lines("expected.jsonl", &source_lines(source));
    }

    /// Asserts that `expected.jsonl` is the single line of a base that does not open.
    pub fn assert_closed(&self, error: &AnyError) {
        self.assert_lines("expected.jsonl", &closed_line(error));
    }

    /// Asserts that opening and reading the base gives `expected.jsonl` and the number of games
    /// that the case states. Only a damaged base may fail to open.
    pub fn assert_opened(&self, base: Result<&dyn Database, &AnyError>) {
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

/// Returns the canonical JSON of games, one line for each.
#[must_use]
pub fn game_lines<'a>(games: impl IntoIterator<Item = &'a Game>) -> String {
    let mut lines = String::new();
    for game in games {
        push_line(game, None, &mut lines);
    }
    lines
}

/// Returns the line of each game of a base. The line is its canonical JSON, or for a damaged game
/// the error and the JSON of the part that could be read (docs/model.md §5 "Canonical lines").
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

/// Like [`database_lines`], for the rest of a stream. An error of the whole stream is the last
/// line.
#[must_use]
pub fn source_lines(source: Box<dyn Source>) -> String {
    let mut reader = StreamReader::new(source);
    lines_of(|game| reader.read_game(game, &mut Diagnostics::lenient()))
}

/// Like [`database_lines`], for any reader of consecutive games.
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

/// Returns the single line of a base that does not open.
#[must_use]
pub fn closed_line(error: &AnyError) -> String {
    let mut line = String::new();
    push_line(&Game::new(), Some(error), &mut line);
    line
}

fn push_line(game: &Game, error: Option<&AnyError>, lines: &mut String) {
    let error = error.map(ToString::to_string);
    let line = CanonicalLine { game, error: error.as_deref() };
    lines.push_str(&serde_json::to_string(&line).unwrap());
    lines.push('\n');
}

/// Returns the folder that holds `fixtures/`.
#[must_use]
pub fn workspace_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_path_buf()
}

/// Returns the rows of `docs/formats/tables/results.tsv` for a field of a format: the code, the result
/// and the tag that goes with it. Panics if there are none.
#[must_use]
pub fn result_rows(format: &str, field: &str) -> Vec<[String; 3]> {
    let path = workspace_root().join("docs/formats/tables/results.tsv");
    let table = fs::read_to_string(path).unwrap();
    let start = format!("{format}\t{field}\t");
    let rows = table.lines().filter_map(|line| line.strip_prefix(&start));
    let cells = |row: &str| row.split('\t').map(str::to_owned).collect::<Vec<_>>();
    let rows: Vec<_> = rows.map(|row| cells(row).try_into().unwrap()).collect();
    assert!(!rows.is_empty(), "{format} {field}");
    rows
}

/// Returns all cases of a format, sorted by name. Panics if there are none.
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
