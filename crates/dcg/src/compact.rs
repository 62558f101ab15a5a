//! Putting a compacted base in the place of the old one.
//!
//! Five files cannot be renamed at once. The new base is first made whole under a name of its
//! own, `base~compact.dci` and so on; its index appears last. From that moment the base is, file
//! by file, the compacted one where there still is one, else the one in place; the index moves
//! last and takes the mark away with it. So every moment shows a whole base.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use chess_core::files::companion;

/// In the order they move: the index last.
const EXTENSIONS: [&str; 5] = ["dcn", "dcs", "dce", "dcg", "dci"];

/// The path of the index of a compacted base before it is in place.
pub(crate) fn staged_path(path: &Path) -> PathBuf {
    let mut name = path.file_stem().map(OsString::from).unwrap_or_default();
    name.push("~compact.dci");
    path.with_file_name(name)
}

/// That path, if a whole compacted base waits there.
pub(crate) fn unfinished_compaction(path: &Path) -> Option<PathBuf> {
    let staged = staged_path(path);
    staged.is_file().then_some(staged)
}

/// Moves a compacted base into place; at most `steps` files, for tests.
pub(crate) fn move_into_place(staged: &Path, path: &Path, steps: usize) -> io::Result<()> {
    let waiting = EXTENSIONS.into_iter().filter_map(|extension| {
        let from = staged.with_extension(extension);
        from.is_file().then_some((extension, from))
    });
    for (extension, from) in waiting.take(steps) {
        let to = companion(path, extension).unwrap_or_else(|| path.with_extension(extension));
        fs::rename(from, to)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    use chess_core::seam::{CreateOptions, OpenOptions};
    use chess_core::{Diagnostics, Game};

    use crate::{Database, Editor, Writer};

    fn game(white: &str, m: &str) -> Game {
        let mut game = Game::new();
        game.header.set("White", white);
        game.push_move(m.parse().unwrap());
        game
    }

    fn games(path: &Path) -> Vec<Game> {
        let base = Database::open(path, &OpenOptions::default()).unwrap();
        let mut game = Game::new();
        let mut diagnostics = Diagnostics::strict();
        let mut all = Vec::new();
        for number in 0..base.len() {
            base.game(number, &mut game, &mut diagnostics).unwrap();
            if !game.header.deleted {
                all.push(game.clone());
            }
        }
        all
    }

    #[test]
    fn a_compaction_stopped_anywhere_loses_nothing() {
        for steps in 0..=EXTENSIONS.len() {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("base.dci");
            let mut writer = Writer::create(&path, &CreateOptions::default()).unwrap();
            for (name, m) in [("Zukertort", "g1f3"), ("Bird", "f2f4"), ("Réti", "g2g3")] {
                writer.write(&game(name, m), &mut Vec::new()).unwrap();
            }
            writer.finish().unwrap();
            let mut editor = Editor::open(&path, &OpenOptions::default()).unwrap();
            editor.set_deleted(1, true).unwrap();
            let before = games(&path);
            assert_eq!(before.len(), 2);

            // As `Editor::compact` does it, stopped after some files.
            let staged = staged_path(&path);
            let mut writer = Writer::create(&staged, &CreateOptions::default()).unwrap();
            editor.copy_live(&mut writer).unwrap();
            writer.finish().unwrap();
            move_into_place(&staged, &path, steps).unwrap();
            assert_eq!(games(&path), before, "after {steps} files");
            let base = Database::open(&path, &OpenOptions::default()).unwrap();
            let warnings: Vec<_> = base.warnings().iter().map(|warning| warning.name).collect();
            match steps {
                5 => assert!(warnings.is_empty()),
                _ => assert_eq!(warnings, ["dcg-unfinished-compaction"]),
            }

            // Whoever opens it for change next puts the rest in place.
            let editor = Editor::open(&path, &OpenOptions::default()).unwrap();
            assert_eq!((editor.len(), games(&path)), (2, before));
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 5, "nothing is left over");
        }
    }
}
