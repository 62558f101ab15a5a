//! What the user named: files, folders, patterns, standard input.

use std::io;
use std::path::{Path, PathBuf};

use scoresheet::{
    Base, COMPRESSED_EXTENSIONS, Format, OpenOptions, Progress, Unit, bases_below,
    describe_warning, is_base,
};

use crate::exit::{Failure, Verbosity, say};

/// Whether a path is `-`.
pub(crate) fn is_stdio(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Whether a file is compressed, by its extension.
pub(crate) fn is_packed(path: &Path) -> bool {
    COMPRESSED_EXTENSIONS.contains(&&*extension(path))
}

/// Whether a file of this name can be written compressed.
pub(crate) fn is_packed_output(path: &Path) -> bool {
    scoresheet::PACKED_OUTPUTS.contains(&&*extension(path))
}

fn extension(path: &Path) -> String {
    path.extension().map(|text| text.to_string_lossy().to_lowercase()).unwrap_or_default()
}

/// Opens a base, or standard input.
pub(crate) fn open(
    path: &Path,
    format: Option<&'static Format>,
    options: &OpenOptions,
) -> Result<Base, scoresheet::Error> {
    match format {
        _ if is_stdio(path) => {
            scoresheet::open_stream(Box::new(io::stdin()), "standard input", format, options)
        }
        Some(format) => scoresheet::open_as(path, format, options),
        None => scoresheet::open_with(path, options),
    }
}

/// Opens the one base that a command is about.
pub(crate) fn open_one(path: &Path, options: &OpenOptions) -> Result<Base, Failure> {
    match open(path, None, options) {
        Err(_) if path.is_dir() => {
            let message = format!("{}: is a folder; name a base in it", path.display());
            Err(Failure::Usage(message))
        }
        opened => Ok(opened?),
    }
}

/// What is odd about a base is told so often, unless more is asked for.
const TOLD: usize = 5;

/// [`tell_odd`], or an error of it, when strict.
pub(crate) fn accept(base: &Base, strict: bool, verbosity: Verbosity) -> Result<(), Failure> {
    match base.warnings().first() {
        Some(odd) if strict => Err(Failure::Failed(describe_warning(base.path(), odd).to_string())),
        _ => {
            tell_odd(base, verbosity);
            Ok(())
        }
    }
}

/// Says what is odd about a base as a whole: a file of it that is missing, for one.
pub(crate) fn tell_odd(base: &Base, verbosity: Verbosity) {
    let all = base.warnings();
    let most = if verbosity == Verbosity::Verbose { all.len() } else { TOLD };
    for warning in all.iter().take(most) {
        verbosity.say(describe_warning(base.path(), warning));
    }
    if let Some(more) = all.len().checked_sub(most).filter(|more| *more > 0) {
        let path = base.path().display();
        verbosity
            .say(format_args!("{path}: and {more} more of the base as a whole; --verbose has all"));
    }
}

/// Complains of a text that has been read to its end and had no game, though it was not empty:
/// only its name says that it holds any. Whether all is well.
pub(crate) fn holds_games(base: &mut Base, games: u64) -> bool {
    let progress = base.reader().progress();
    held_games(base.path(), games, progress)
}

/// Whether a base holds a game. Complains of a text that has none and is not empty.
pub(crate) fn holds_any_game(base: &mut Base, games: u64) -> bool {
    holds_games(base, games) && games > 0
}

/// As [`holds_games`], of a base that is gone.
pub(crate) fn held_games(path: &Path, games: u64, progress: Progress) -> bool {
    let barren = games == 0 && progress.unit == Unit::Bytes && progress.done > 0;
    if barren {
        say(format_args!("{}: no game in it", path.display()));
    }
    !barren
}

/// The bases meant: folders searched, patterns expanded, in the order of their names.
pub(crate) fn expand(named: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for path in named {
        if is_stdio(path) || path.is_file() {
            found.push(path.clone());
        } else if path.is_dir() {
            let bases = below(path)?;
            found.extend_from_slice(&bases);
            if bases.is_empty() {
                let message = format!("{}: no base of any format in it", path.display());
                return Err(Failure::Failed(message));
            }
        } else {
            found.extend(pattern(path)?);
        }
    }
    Ok(found)
}

/// Files a pattern stands for; a name without one stays, for the error its opening gives.
fn pattern(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let text = path.to_string_lossy();
    if !text.contains(['*', '?', '[']) {
        return Ok(vec![path.to_path_buf()]);
    }
    let matches = glob::glob_with(
        &text,
        glob::MatchOptions { case_sensitive: false, ..glob::MatchOptions::new() },
    );
    let matches = matches.map_err(|error| Failure::Usage(format!("{text}: {error}")))?;
    let mut files = Vec::new();
    for entry in matches {
        let path = entry.map_err(|error| Failure::Failed(error.to_string()))?;
        if path.is_dir() {
            files.append(&mut below(&path)?);
        } else {
            files.push(path);
        }
    }
    let bases: Vec<PathBuf> = files.into_iter().filter(|path| is_base(path)).collect();
    if bases.is_empty() {
        return Err(Failure::Failed(format!("{text}: no base of any format matches")));
    }
    Ok(bases)
}

fn below(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    bases_below(folder)
        .map_err(|(path, error)| Failure::Failed(format!("{}: {error}", path.display())))
}
