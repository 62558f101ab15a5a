//! Random edits of a base on the disk, compared with a model: a list of games.

use std::path::{Path, PathBuf};

use arbitrary::Unstructured;
use chess_core::Game;
use chess_store::erased::{Creator, Editor, Encoded, Format, Opener};
use chess_store::{CreateOptions, Diagnostics, Losses, OpenOptions, Scope};
use testkit::{Flavour, random_game};

/// The most edits in a run.
const EDITS: usize = 12;

/// Edits of an .si4: one byte for each edit, then its arguments.
pub fn scid_edits(data: &[u8]) {
    run(format_of(scid::FORMATS, "si4"), data);
}

/// Like [`scid_edits`], for an .si5.
pub fn scid5_edits(data: &[u8]) {
    run(format_of(scid::FORMATS, "si5"), data);
}

/// Like [`scid_edits`], for a .dci.
pub fn dcg_edits(data: &[u8]) {
    run(format_of(dcg::FORMATS, "dcg"), data);
}

fn format_of(formats: &'static [Format], name: &str) -> &'static Format {
    formats.iter().find(|format| format.name == name).expect("a format of this name")
}

fn run(format: &'static Format, data: &[u8]) {
    let mut data = Unstructured::new(data);
    let folder = tempfile::tempdir().expect("a folder for the base");
    let path = folder.path().join("base").with_extension(format.extensions[0]);
    let mut edited = Edited::new(format, &path, &mut data);
    for _ in 0..EDITS {
        if data.is_empty() || edited.change(&mut data).is_err() {
            break;
        }
    }
    drop(edited.editor.take());
    edited.compare();
    let left = std::fs::read_dir(folder.path()).expect("the folder").count();
    let files =
        std::fs::read_dir(edited.fresh(&[]).parent().expect("a folder")).expect("it").count();
    assert!(left <= files.saturating_add(1), "{left} files are left of a base of {files}");
}

/// A base, and the games that it should have.
struct Edited {
    format: &'static Format,
    path: PathBuf,
    /// A folder for bases of single games.
    other: tempfile::TempDir,
    editor: Option<Box<dyn Editor>>,
    games: Vec<Game>,
}

impl Edited {
    fn new(format: &'static Format, path: &Path, data: &mut Unstructured<'_>) -> Edited {
        let other = tempfile::tempdir().expect("another folder");
        let mut edited =
            Edited { format, path: path.into(), other, editor: None, games: Vec::new() };
        let count = data.int_in_range(0..=3u8).unwrap_or(0);
        let games: Vec<Game> = (0..count).filter_map(|_| game_of(data).ok()).collect();
        write(format, path, &games);
        edited.games = read(format, path);
        edited
    }

    /// Writes games into a new base.
    fn fresh(&self, games: &[Game]) -> PathBuf {
        let path = self.other.path().join("fresh").with_extension(self.format.extensions[0]);
        write(self.format, &path, games);
        path
    }

    /// Returns a game as this format stores it, or `None` if the format refuses the game.
    fn as_stored(&self, game: &Game) -> Option<Game> {
        read(self.format, &self.fresh(std::slice::from_ref(game))).pop()
    }

    fn editor(&mut self) -> &mut dyn Editor {
        let (format, path) = (self.format, &self.path);
        let open = || format.edit.expect("an editor")(path, &OpenOptions::default());
        &mut **self.editor.get_or_insert_with(|| open().expect("a sound base can be edited"))
    }

    /// Applies one edit to the base and to the list.
    fn change(&mut self, data: &mut Unstructured<'_>) -> arbitrary::Result<()> {
        let kind = data.int_in_range(0..=7u8)?;
        if !self.games.is_empty() && matches!(kind, 0..=2) {
            let game = data.choose_index(self.games.len())?;
            match kind {
                0 | 1 => {
                    self.editor().set_deleted(game as u64, kind == 0).expect("a known game");
                    self.games[game].header.deleted = kind == 0;
                }
                _ => self.replace(game, &game_of(data)?),
            }
            return Ok(());
        }
        match kind {
            3 => {
                self.editor();
                let editor = self.editor.take().expect("it was opened");
                editor.compact().expect("a sound base is compacted");
                self.games.retain(|game| !game.header.deleted);
                self.compare();
            }
            4 => self.editor = None,
            5 => {
                self.editor().sync().expect("nothing fails");
                self.compare();
            }
            _ => self.append(&game_of(data)?),
        }
        Ok(())
    }

    fn append(&mut self, game: &Game) {
        let stored = self.as_stored(game);
        let appended = self.editor().append(game, &mut Losses::new());
        let Some(stored) = stored else {
            assert_eq!(appended.map_err(|error| error.scope()), Err(Scope::Game));
            return;
        };
        assert_eq!(appended.expect("a new base takes it"), self.games.len() as u64);
        self.games.push(stored);
    }

    /// Some formats store the new game in the place of the old one, others at the end.
    fn replace(&mut self, old: usize, game: &Game) {
        let stored = self.as_stored(game);
        let replaced = self.editor().replace(old as u64, game, &mut Losses::new());
        let Some(stored) = stored else {
            assert_eq!(replaced.map_err(|error| error.scope()), Err(Scope::Game));
            return;
        };
        let new = replaced.expect("a new base takes it") as usize;
        if new == old {
            self.games[old] = stored;
        } else {
            assert_eq!(new, self.games.len());
            self.games[old].header.deleted = true;
            self.games.push(stored);
        }
    }

    /// Asserts that the base has exactly the games of the list.
    fn compare(&self) {
        let games = read(self.format, &self.path);
        for (number, (read, expected)) in (1..).zip(games.iter().zip(&self.games)) {
            assert!(read == expected, "game {number}: {read:?} is not {expected:?}");
        }
        assert_eq!(games.len(), self.games.len());
    }
}

fn game_of(data: &mut Unstructured<'_>) -> arbitrary::Result<Game> {
    random_game(data, Flavour { plies: 12, ..Flavour::ALL })
}

/// Writes the games that the format accepts.
fn write(format: &Format, path: &Path, games: &[Game]) {
    let Some(Creator::Database(create)) = format.create else { panic!("files of its own") };
    let mut writer = create(path, &CreateOptions::default()).expect("a new base");
    let (mut encoder, mut encoded) = (writer.encoder(), Encoded::default());
    for game in games {
        if encoder.encode(game, &mut encoded).is_ok() {
            let _ = writer.append(&mut encoded);
        }
    }
    writer.finish().expect("nothing fails");
}

fn read(format: &Format, path: &Path) -> Vec<Game> {
    let Some(Opener::Database(open)) = format.open else { panic!("files of its own") };
    let base = open(path, &OpenOptions::default()).expect("a base that was written");
    let (mut reader, mut diagnostics) = (base.reader(), Diagnostics::lenient());
    let mut game = |number| {
        let mut game = Game::new();
        reader.game(number, &mut game, &mut diagnostics).expect("a game that was written");
        game
    };
    (0..base.len()).map(&mut game).collect()
}
