//! `scoresheet book`

mod check;
mod convert;
mod make;
mod merge;
mod show;

use std::fs::File;
use std::path::Path;

use commands::{Book, BookCommand};
use scoresheet::books::{self, AnyBook, Summary};
use scoresheet::chess_store::files::{Staged, is_taken};
use scoresheet::open_book;

use crate::exit::{Done, Failure, Verbosity};

use check::Checked;

pub(crate) fn run(arguments: &Book, verbosity: Verbosity) -> Result<Done, Failure> {
    match &arguments.command {
        BookCommand::Show(arguments) => show::run(arguments, verbosity),
        BookCommand::Convert(arguments) => convert::run(arguments, verbosity),
        BookCommand::Merge(arguments) => merge::run(arguments, verbosity),
        BookCommand::Make(arguments) => make::run(arguments, verbosity),
        BookCommand::Check(arguments) => check::run(arguments, verbosity),
    }
}

/// Opens a book. A file of another kind is an error.
fn open(path: &Path) -> Result<AnyBook, Failure> {
    open_book(path)?.ok_or_else(|| {
        let path = path.display();
        let message =
            format!("{path}: no opening book of a known format; a Polyglot book ends in .bin");
        Failure::Failed(message)
    })
}

/// Returns whether a file is an opening book that no format of bases reads.
pub(crate) fn is_book(path: &Path) -> bool {
    path.is_file() && matches!(books::open(path), Ok(Some(_)) | Err(_))
}

/// Reads a whole book.
pub(crate) fn check(path: &Path) -> Result<Checked, Failure> {
    check::read(&open(path)?, path)
}

/// Opens a book of Polyglot.
fn open_polyglot(path: &Path) -> Result<books::polyglot::Book<File>, Failure> {
    let kind = open(path)?.kind();
    if kind != books::Kind::Polyglot {
        let path = path.display();
        let message =
            format!("{path}: {}; `scoresheet book convert` makes a .bin of it", kind.title());
        return Err(Failure::Failed(message));
    }
    books::polyglot::Book::open(path).map_err(|error| failure(path, error))
}

/// Returns the failure for an error of a book.
fn failure(path: &Path, error: books::Error) -> Failure {
    Failure::Failed(scoresheet::describe(path, &error.into()).to_string())
}

/// A file that appears when it is complete.
struct Output<'a> {
    path: &'a Path,
    staged: Staged,
}

impl<'a> Output<'a> {
    fn create(path: &'a Path) -> Result<(Output<'a>, File), Failure> {
        let mut staged = Staged::new();
        let file = staged.create(path).map_err(|error| Failure::disk(path, &error))?;
        Ok((Output { path, staged }, file))
    }

    fn commit(self) -> Result<(), Failure> {
        self.staged.commit().map_err(|error| Failure::disk(self.path, &error))
    }
}

/// Checks that an output has one of these extensions, is no input, and replaces no file unless
/// `force` says so.
fn may_write(
    path: &Path,
    extensions: &[&str],
    force: bool,
    inputs: &[&Path],
) -> Result<(), Failure> {
    if !extensions.contains(&&*extension(path)) {
        let names: Vec<String> = extensions.iter().map(|name| format!(".{name}")).collect();
        let message = format!("{}: the output ends in {}", path.display(), names.join(", "));
        return Err(Failure::Usage(message));
    }
    if inputs.iter().any(|input| is_same_file(input, path)) {
        return Err(Failure::Usage(format!("{}: is an input too", path.display())));
    }
    if is_taken(path) && !force {
        let message = format!("{}: exists; --force replaces it", path.display());
        return Err(Failure::Failed(message));
    }
    Ok(())
}

fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// The counts of a book and their names, for people and for JSON.
pub(crate) fn facts(summary: &Summary) -> [(&'static str, u64); 6] {
    [
        ("moves", summary.entries),
        ("positions", summary.positions),
        ("reached", summary.reached),
        ("illegal", summary.illegal),
        ("duplicates", summary.duplicates),
        ("unplayed", summary.unplayed),
    ]
}
