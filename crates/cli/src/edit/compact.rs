//! Compaction, and the space that it saves.

use std::fs;
use std::path::{Path, PathBuf};

use pages::numbers::counted;
use scoresheet::chess_core::Header;
use scoresheet::chess_store::Diagnostics;
use scoresheet::chess_store::files::companion;
use scoresheet::formats;

use super::{Session, failed};
use crate::exit::{Failure, listed};
use crate::inputs;
use crate::interrupt;

impl Session<'_> {
    /// Compacts the base. A dry run compacts a copy, so that it reports the same numbers.
    pub(super) fn compact(&mut self) -> Result<(), Failure> {
        let path = self.arguments.file.clone();
        let extensions = self.format()?.extensions;
        let files: Vec<PathBuf> =
            extensions.iter().filter_map(|extension| companion(&path, extension)).collect();
        let before = bytes(&files);
        let deleted = self.deleted()?;
        let io = |path: &Path| {
            let path = path.to_path_buf();
            move |error: std::io::Error| Failure::disk(&path, &error)
        };
        let (after, left) = if self.arguments.dry_run {
            self.editor = None;
            let folder = tempfile::tempdir().map_err(io(&std::env::temp_dir()))?;
            let mut copies = Vec::new();
            for file in &files {
                let copy = folder.path().join(file.file_name().unwrap_or_default());
                // The system does not tell which of the two files the error is about.
                let names = format!("{}, copied to {}", file.display(), copy.display());
                #[expect(clippy::disallowed_methods, reason = "a copy in a temporary folder")]
                fs::copy(file, &copy).map_err(io(Path::new(&names)))?;
                copies.push(copy);
            }
            let named = folder.path().join(path.file_name().unwrap_or_default());
            let editor = scoresheet::edit(&named, &self.arguments.reading.options())?;
            editor.compact().map_err(|error| failed(&named, &error))?;
            (bytes(&copies), self.games_of(&named)?)
        } else {
            if let Some(editor) = self.editor.take() {
                editor.compact().map_err(|error| failed(&path, &error))?;
            }
            (bytes(&files), self.games_of(&path)?)
        };
        let only = self.dry_run_words();
        let dropped = counted(deleted, "deleted game", "deleted games");
        self.verbosity.say(format_args!(
            "{only}dropped {dropped} of {}, {left} {} left; {before} bytes become {after}",
            self.count,
            if left == 1 { "is" } else { "are" },
        ));
        let others = others_beside(&path);
        if !others.is_empty() {
            let names = listed(&others, ", ");
            self.verbosity.say(format_args!(
                "another program's files about this base may be out of date now: {names}"
            ));
        }
        Ok(())
    }

    fn deleted(&self) -> Result<u64, Failure> {
        let base = self.base()?;
        let Some(database) = base.database() else { return Ok(0) };
        let (mut reader, mut header) = (database.reader(), Header::default());
        let mut deleted = 0u64;
        for number in 0..database.len() {
            interrupt::check_edit()?;
            let read = reader.header(number, &mut header, &mut Diagnostics::lenient());
            let damage = Failure::or_damage(&self.arguments.file, read)?;
            deleted += u64::from(damage.is_none() && header.deleted);
        }
        Ok(deleted)
    }

    fn games_of(&self, path: &Path) -> Result<u64, Failure> {
        let base = inputs::open(path, None, &self.arguments.reading.options())?;
        Ok(base.len().unwrap_or(0))
    }
}

/// Returns files with the name of the base whose format is not known: other programs keep data of
/// the base in them. (dcg §1 "Files")
fn others_beside(base: &Path) -> Vec<String> {
    let folder = base.parent().filter(|folder| !folder.as_os_str().is_empty());
    let Ok(entries) = fs::read_dir(folder.unwrap_or(Path::new("."))) else { return Vec::new() };
    let is_other = |path: &PathBuf| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        let known = |extension: &str| {
            let mut all = formats().flat_map(|format| format.extensions);
            // `scoresheet update` keeps these two.
            ["updates", "undo"].contains(&extension)
                || all.any(|known| known.eq_ignore_ascii_case(extension))
        };
        path.file_stem() == base.file_stem() && extension.is_some_and(|ext| !known(ext))
    };
    let paths = entries.flatten().map(|entry| entry.path()).filter(is_other);
    let names = paths.filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

fn bytes(files: &[PathBuf]) -> u64 {
    let sizes = files.iter().filter_map(|file| fs::metadata(file).ok());
    sizes.map(|data| data.len()).fold(0, u64::saturating_add)
}
