//! Protects files from being overwritten: inputs always, other files unless `--force` is given.

use std::fs;
use std::path::{Path, PathBuf};

use scoresheet::Format;
use scoresheet::chess_store::files::is_taken;

use crate::exit::Failure;
use crate::inputs::is_stdio;

/// The files that a conversion reads and writes.
pub(crate) struct Plan<'a> {
    pub(crate) inputs: &'a [PathBuf],
    pub(crate) output: &'a Path,
    pub(crate) format: &'static Format,
    pub(crate) report: Option<&'a Path>,
    pub(crate) force: bool,
    /// Whether the output is a folder.
    pub(crate) is_folder: bool,
    /// Whether a folder that is there gets more files.
    pub(crate) adds: bool,
}

/// The names that Unix has for standard output.
const STANDARD_OUTPUT: [&str; 3] = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// Returns the path to write an output to. A symbolic link whose name tells no format is replaced by
/// its target, which may tell one.
pub(crate) fn resolve(output: &Path) -> PathBuf {
    if cfg!(unix) && STANDARD_OUTPUT.iter().any(|name| output == Path::new(name)) {
        return PathBuf::from("-");
    }
    // The library resolves links by itself, and looks at the links of a base's other files.
    if scoresheet::is_stream(output) || scoresheet::format_for_output(output).is_ok() {
        return output.to_path_buf();
    }
    match fs::canonicalize(output) {
        Ok(path) if output.is_symlink() => path,
        _ => output.to_path_buf(),
    }
}

impl Plan<'_> {
    /// Returns an error if the conversion would overwrite a file that it must not.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if !is_stdio(self.output) {
            if !self.is_folder || !self.output.is_dir() {
                writable(self.output)?;
            }
            for input in self.inputs {
                if self.is_same_base(input, self.output) {
                    return Err(usage(self.output, "is an input too"));
                }
            }
            if !self.adds || !self.output.is_dir() {
                self.may_replace(scoresheet::existing_output(self.format, self.output))?;
            }
        }
        let Some(report) = self.report else { return Ok(()) };
        writable(report)?;
        if self.inputs.iter().any(|input| self.is_same_base(input, report)) {
            return Err(usage(report, "is an input too"));
        }
        if self.is_same_base(report, self.output) && !scoresheet::is_stream(report) {
            return Err(usage(report, "is the output too"));
        }
        let replaced = is_taken(report) && !scoresheet::is_stream(report);
        self.may_replace(replaced.then(|| report.to_path_buf()))
    }

    fn may_replace(&self, there: Option<PathBuf>) -> Result<(), Failure> {
        match there {
            Some(path) if !self.force => {
                let message = format!("{}: exists; --force replaces it", path.display());
                Err(Failure::Failed(message))
            }
            _ => Ok(()),
        }
    }

    fn is_same_base(&self, one: &Path, other: &Path) -> bool {
        scoresheet::is_same_base(self.format, one, other)
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn writable(path: &Path) -> Result<(), Failure> {
    if path.is_dir() {
        return Err(usage(path, "is a folder"));
    }
    let folder = folder_of(path);
    if !folder.is_dir() {
        let message = format!("{}: there is no folder {}", path.display(), folder.display());
        return Err(Failure::Failed(message));
    }
    Ok(())
}

fn usage(path: &Path, what: &str) -> Failure {
    Failure::Usage(format!("{}: {what}", path.display()))
}
