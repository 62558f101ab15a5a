//! Inputs named by the user: files, folders, patterns and standard input.

use std::collections::{HashMap, HashSet};
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use commands::Finding;
use pages::numbers::games;
use scoresheet::chess_store::erased::Opener;
use scoresheet::chess_store::files::companion;
use scoresheet::{
    Base, COMPRESSED_EXTENSIONS, Format, IndexUse, OpenOptions, Progress, Unit, bases_below,
    describe_warning, detect, formats, is_base,
};

use crate::exit::{Failure, Verbosity, say};
use crate::interrupt;
use crate::progress::Bar;

/// Returns whether a path is `-`.
pub(crate) fn is_stdio(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Returns the name of an input for messages.
pub(crate) fn input_name(path: &Path) -> &Path {
    if is_stdio(path) { Path::new(STANDARD_INPUT) } else { path }
}

/// Returns the name of an output for messages.
pub(crate) fn output_name(path: &Path) -> &Path {
    if is_stdio(path) { Path::new("standard output") } else { path }
}

const STANDARD_INPUT: &str = "standard input";

/// Returns whether the extension of a file names a compression format.
pub(crate) fn is_packed(path: &Path) -> bool {
    COMPRESSED_EXTENSIONS.contains(&&*extension(path))
}

/// Returns whether a file of this name can be written compressed.
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
            scoresheet::open_stream(Box::new(io::stdin()), STANDARD_INPUT, format, options)
        }
        Some(format) => scoresheet::open_as(path, format, options),
        None => scoresheet::open_with(path, options),
    }
}

/// Opens a base whose games are searched, by an index beside it if the user asked for one.
pub(crate) fn open_to_search(
    path: &Path,
    options: &OpenOptions,
    finding: &Finding,
    verbosity: Verbosity,
) -> Result<Base, scoresheet::Error> {
    if !finding.index {
        return open(path, None, options);
    }
    let name = input_name(path).display();
    let (base, used) = if is_stdio(path) {
        (open(path, None, options)?, IndexUse::Unsuitable)
    } else {
        // An interrupted program leaves no part of an index.
        interrupt::watch();
        let mut bar = Bar::new(verbosity);
        scoresheet::open_with_index(path, options, &mut |progress| {
            bar.set(progress);
            if interrupt::is_asked() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?
    };
    match used {
        IndexUse::Read => {}
        IndexUse::Written => verbosity.say(format_args!("{name}: indexed in {name}.sidx")),
        IndexUse::NotWritten(reason) => {
            verbosity.say(format_args!("{name}: {name}.sidx was not written: {reason}"));
        }
        _ => verbosity.say(format_args!(
            "{name}: --index changes nothing; only an uncompressed text in a file has an index"
        )),
    }
    Ok(base)
}

/// Returns the message for an input that does not open, for a command with `--from`.
pub(crate) fn with_from(error: &scoresheet::Error) -> String {
    if error.is_unrecognised() {
        format!("{error}; or name its format with --from, as --from pgn")
    } else {
        error.to_string()
    }
}

/// Opens the base of a command that takes one.
pub(crate) fn open_one(path: &Path, options: &OpenOptions) -> Result<Base, Failure> {
    refuse_folder(path, open(path, None, options))
}

/// Returns an opened base. The error for a folder says what to do.
pub(crate) fn refuse_folder(
    path: &Path,
    opened: Result<Base, scoresheet::Error>,
) -> Result<Base, Failure> {
    match opened {
        Err(_) if path.is_dir() => {
            let message = format!("{}: is a folder; name a base in it", path.display());
            Err(Failure::Usage(message))
        }
        opened => Ok(opened?),
    }
}

/// Returns the message for a game number beyond the end of a base.
pub(crate) fn no_game(path: &Path, number: u64, count: u64) -> String {
    format!("{}: no game {number}; the base has {}", path.display(), games(count))
}

/// The most warnings about a base as a whole that are printed without `--verbose`.
const TOLD: usize = 5;

/// Like [`report_odd`], but a warning is an error if `strict` is true.
pub(crate) fn accept(base: &Base, strict: bool, verbosity: Verbosity) -> Result<(), Failure> {
    match base.database().and_then(|database| database.warnings().first()) {
        Some(odd) if strict => Err(Failure::Failed(describe_warning(base.path(), odd).to_string())),
        _ => {
            report_odd(base, verbosity);
            report_unread(base, verbosity);
            Ok(())
        }
    }
}

/// Names the files beside a base whose data is not copied.
fn report_unread(base: &Base, verbosity: Verbosity) {
    let unread = base.format().unread.iter();
    let found = unread.filter_map(|extension| companion(base.path(), extension));
    let name = |path: PathBuf| Some(path.file_name()?.to_string_lossy().into_owned());
    let names: Vec<String> = found.filter_map(name).collect();
    if !names.is_empty() {
        let (path, names) = (base.path().display(), names.join(", "));
        verbosity.say(format_args!("{path}: files beside it are neither read nor copied: {names}"));
    }
}

/// Like [`accept`], for a stream that has been read to its end, when warnings about its compressed
/// bytes are complete. Warnings about a base of files were reported when it was opened.
pub(crate) fn accept_read(base: &Base, strict: bool, verbosity: Verbosity) -> Result<(), Failure> {
    match base.warnings().first() {
        Some(_) if base.database().is_some() => Ok(()),
        Some(odd) if strict => Err(Failure::Failed(describe_warning(base.path(), odd).to_string())),
        Some(odd) => {
            verbosity.say(describe_warning(base.path(), odd));
            Ok(())
        }
        None => Ok(()),
    }
}

/// Prints the warnings about a base as a whole, such as a missing file.
pub(crate) fn report_odd(base: &Base, verbosity: Verbosity) {
    let all = base.database().map(|games| games.warnings()).unwrap_or_default();
    let most = if verbosity == Verbosity::Verbose { all.len() } else { TOLD };
    for warning in all.iter().take(most) {
        verbosity.say(describe_warning(base.path(), warning));
    }
    if let Some(more) = all.len().checked_sub(most).filter(|more| *more > 0) {
        let path = base.path().display();
        verbosity.say(format_args!(
            "{path}: {more} more about the base as a whole; --verbose shows all"
        ));
    }
}

/// Prints an error for a text that was read to its end and held no game although it was not empty:
/// only its name suggests that it holds games. Returns whether it held games.
pub(crate) fn holds_games(base: &mut Base, games: u64) -> bool {
    let progress = base.reader().progress();
    held_games(base.path(), games, progress)
}

/// Returns whether a base holds a game. Prints an error for a text that holds none and is not
/// empty.
pub(crate) fn holds_any_game(base: &mut Base, games: u64) -> bool {
    holds_games(base, games) && games > 0
}

/// Like [`holds_games`], for a base that has been closed.
pub(crate) fn held_games(path: &Path, games: u64, progress: Progress) -> bool {
    let barren = games == 0 && progress.unit == Unit::Bytes && progress.done > 0;
    if barren {
        say(format_args!("{}: contains no games", path.display()));
    }
    !barren
}

/// Returns the bases that the arguments mean. Searches folders and expands patterns; each gives its
/// bases in the order of their names.
pub(crate) fn expand(named: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for path in named {
        if is_stdio(path) || path.is_file() {
            found.push(path.clone());
        } else if path.is_dir() {
            let bases = below(path)?;
            found.extend_from_slice(&bases);
            if bases.is_empty() {
                let message =
                    format!("{}: no base of a known format in this folder", path.display());
                return Err(Failure::Failed(message));
            }
        } else {
            found.extend(pattern(path)?);
        }
    }
    Ok(each_base_once(found))
}

/// Drops files that a shell adds for `*`: companion files of a base that is named too, and files
/// that another program keeps beside it (`.ini`, `.cib`). A file that is named twice stays twice.
fn each_base_once(paths: Vec<PathBuf>) -> Vec<PathBuf> {
    // A folder can be spelt in several ways: `base.si4 ./base.sg4`.
    let mut folders = HashMap::new();
    for folder in paths.iter().filter_map(|path| path.parent()) {
        folders.entry(folder.to_path_buf()).or_insert_with(|| {
            let spelt = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            spelt.canonicalize().unwrap_or_else(|_| folder.to_path_buf())
        });
    }
    let key = |path: &Path| {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
        (path.parent().and_then(|folder| folders.get(folder)).cloned(), stem)
    };
    // Returns the index of an extension in the list of extensions of a base of several files.
    let place = |path: &Path| {
        let extension = extension(path);
        let mut formats = formats().filter(|format| {
            matches!(format.open, Some(Opener::Database(_))) && format.name != "jose"
        });
        formats.find_map(|format| {
            let place = format.extensions.iter().position(|known| *known == extension)?;
            Some((format.name, place))
        })
    };
    let is_known = |path: &Path| {
        let extension = extension(path);
        is_packed(path) || formats().any(|format| format.extensions.contains(&&*extension))
    };
    let (mut first, mut named) = (HashMap::new(), HashSet::new());
    for path in &paths {
        if is_known(path) {
            named.insert(key(path));
        }
        if let Some((format, place)) = place(path) {
            let first = first.entry((key(path), format)).or_insert(place);
            *first = place.min(*first);
        }
    }
    // Returns the folder of a base that is a folder, and whether the path is the file that stands
    // for it.
    let table = |path: &Path| {
        let extension = extension(path);
        let format = formats().find(|format| {
            let tables = format.extensions.get(1..).unwrap_or_default();
            format.folder_file.is_some() && tables.contains(&&*extension)
        })?;
        let is_main = path.file_name()?.eq_ignore_ascii_case(format.folder_file?);
        Some((path.parent().and_then(|folder| folders.get(folder)).cloned(), is_main))
    };
    let main_tables = paths.iter().filter_map(|path| table(path)).filter(|(_, is_main)| *is_main);
    let whole: HashSet<_> = main_tables.map(|(folder, _)| folder).collect();
    let is_table = |path: &Path| {
        table(path).is_some_and(|(folder, is_main)| !is_main && whole.contains(&folder))
    };
    let is_other = |path: &PathBuf| match place(path) {
        Some((format, place)) => {
            first.get(&(key(path), format)).is_some_and(|first| *first < place)
        }
        None if is_table(path) => true,
        None => {
            let is_beside = !is_stdio(path) && !is_known(path) && named.contains(&key(path));
            is_beside && detect(path).is_err()
        }
    };
    paths.into_iter().filter(|path| !is_other(path)).collect()
}

/// The most times that a pattern has `**`.
const MAX_DEPTH: usize = 3;

/// Returns the files that match a pattern. A name without a match stays, so that opening it reports
/// the error.
fn pattern(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let text = path.to_string_lossy();
    if !text.contains(['*', '?', '[']) {
        return Ok(vec![path.to_path_buf()]);
    }
    // Each `**` multiplies the folders that are looked at, and the second of two in a row adds none.
    let mut text = text.into_owned();
    while text.contains("**/**/") {
        text = text.replace("**/**/", "**/");
    }
    if text.split(['/', '\\']).filter(|part| *part == "**").count() > MAX_DEPTH {
        let message = format!("{text}: a pattern has at most {MAX_DEPTH} times **");
        return Err(Failure::Usage(message));
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
        return Err(Failure::Failed(format!("{text}: no base of a known format matches")));
    }
    Ok(bases)
}

fn below(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    bases_below(folder).map_err(|(path, error)| Failure::disk(&path, &error))
}
