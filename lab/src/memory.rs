//! Measures the peak memory of the program over the fixtures and the bases of other folders.
//!
//! The library's tests count the memory of one thread. The system counts here for the whole program,
//! so it holds its threads too, and pages that were never returned. The memory of the program without a base
//! is subtracted.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use scoresheet::{Format, families, formats};
use testkit::{cases, workspace_root};
use wait4::Wait4;

use crate::Failure;
use crate::command::run_command;

const USAGE: &str = "memory [--write] [FOLDER...]";

/// The figures of the last run.
const FIGURES: &str = "docs/robustness/peaks.csv";
const HEAD: &str = "inputs,bases,peak_mib,of,command,input_bytes,worst_ratio,of_ratio";

/// The files that name a base for one row of the table.
type Group = (String, Vec<PathBuf>);

/// Memory limit in bytes: a fixed part, and a part per byte of input. docs/robustness.md promises it.
const ALWAYS: u64 = 16 << 20;
const RATIO: u64 = 50;

/// How many parts of the path of a base the table shows.
const NAMED: usize = 2;

/// The commands that read all of a base. `BASE` and `OUT` stand for names of files.
const COMMANDS: [&[&str]; 3] =
    [&["check", "BASE"], &["list", "BASE", "--count"], &["convert", "BASE", "OUT", "--force"]];

/// A measured run of the program.
#[derive(Clone)]
struct Peak {
    name: String,
    command: &'static str,
    /// The bytes of all files of the base.
    input: u64,
    /// The peak of memory beyond the memory of the program without a base.
    bytes: u64,
}

impl Peak {
    /// The bytes beyond the fixed part, for each byte of the input.
    fn ratio(&self) -> u64 {
        self.bytes.saturating_sub(ALWAYS).div_ceil(self.input.max(1))
    }

    fn is_within(&self) -> bool {
        self.bytes <= ALWAYS + RATIO * self.input
    }
}

/// Measures all fixtures, and all bases in `FOLDER`s. With `--write`, puts the table into [`FIGURES`].
pub(crate) fn run(words: &[&str]) -> Result<(), Failure> {
    let (write, folders) = match words {
        ["--write", rest @ ..] => (true, rest),
        _ => (false, words),
    };
    if folders.iter().any(|folder| folder.starts_with('-')) {
        return Err(USAGE.into());
    }
    let mut groups: Vec<Group> = Vec::new();
    for family in families() {
        let bases = cases(family.name).into_iter().flat_map(|case| {
            let of_format = |format: &Format| base_of(&case.dir, format);
            family.formats.iter().filter_map(of_format).collect::<Vec<_>>()
        });
        groups.push((format!("fixtures of {}", family.name), bases.collect::<Vec<_>>()));
    }
    for folder in folders {
        let mut bases = Vec::new();
        find(Path::new(folder), &mut bases)?;
        let name = Path::new(folder).file_name().unwrap_or_default().to_string_lossy();
        groups.push((name.into_owned(), bases));
    }
    run_command(Command::new(env!("CARGO")).args(["build", "--bin", "scoresheet"]))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or("target".into(), PathBuf::from);
    let program = workspace_root().join(target).join("debug").join("scoresheet");
    let (_, idle) = run_measured(Command::new(&program).arg("--version"))?;
    let (mut table, mut beyond) = (vec![HEAD.to_owned()], Vec::new());
    println!("{} MiB without a base, which are subtracted\n{HEAD}", idle >> 20);
    for (name, bases) in groups {
        let mut peaks = Vec::new();
        for base in &bases {
            peaks.extend(measure(&program, base, idle)?);
        }
        let row = row(&name, bases.len(), &peaks).ok_or_else(|| format!("{name}: no bases"))?;
        println!("{row}");
        table.push(row);
        let over = peaks.into_iter().filter(|peak| !peak.is_within());
        beyond.extend(over.map(|peak| format!("{} {}: {}", peak.command, peak.name, peak.bytes)));
    }
    if write {
        fs::write(workspace_root().join(FIGURES), table.join("\n") + "\n")?;
    }
    if beyond.is_empty() {
        return Ok(());
    }
    Err(format!("more memory than in proportion:\n{}", beyond.join("\n")).into())
}

/// Returns the file of a fixture that names its base in a format.
fn base_of(folder: &Path, format: &Format) -> Option<PathBuf> {
    let base = folder.join(format!("base.{}", format.extensions.first()?));
    base.is_file().then_some(base)
}

/// Returns the files below a folder that name a base, and compressed ones.
fn find(folder: &Path, bases: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> =
        entries.map(|it| it.map(|it| it.path())).collect::<Result<_, _>>()?;
    paths.sort();
    for path in paths {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let names_base = |f: &Format| f.extensions.first() == Some(&&*extension);
        if path.is_dir() {
            find(&path, bases)?;
        } else if matches!(&*extension, "gz" | "bz2" | "xz" | "zst" | "zip" | "cbv" | "cbz")
            || formats().any(|format| format.open.is_some() && names_base(format))
        {
            bases.push(path);
        }
    }
    Ok(())
}

/// Runs all commands on a base. Their exit codes do not matter, because many bases are damaged.
fn measure(program: &Path, base: &Path, idle: u64) -> Result<Vec<Peak>, Failure> {
    let folder = tempfile::tempdir()?;
    let out = folder.path().join("out.pgn");
    // Below the folder of the fixtures, or of the bases that were given.
    let name: PathBuf = base.components().rev().take(NAMED).collect();
    let name = name.components().rev().collect::<PathBuf>().display().to_string();
    let mut peaks = Vec::new();
    for words in COMMANDS {
        let mut command = Command::new(program);
        for word in words {
            match *word {
                "BASE" => command.arg(base),
                "OUT" => command.arg(&out),
                word => command.arg(word),
            };
        }
        let (code, bytes) = run_measured(&mut command)?;
        if code.is_none_or(|code| code > 4) {
            return Err(format!("{} {} ended with {code:?}", words[0], base.display()).into());
        }
        let bytes = bytes.saturating_sub(idle);
        let name = name.clone();
        peaks.push(Peak { name, command: words[0], input: size_of_base(base)?, bytes });
    }
    Ok(peaks)
}

/// Runs a command. Returns its exit code and its peak of resident memory in bytes.
fn run_measured(command: &mut Command) -> Result<(Option<i32>, u64), Failure> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let used = command.spawn()?.wait4()?;
    Ok((used.status.code(), used.rusage.maxrss))
}

/// Returns the size of the files with the same stem.
fn size_of_base(base: &Path) -> Result<u64, Failure> {
    let stem = base.file_stem();
    let mut size = 0;
    for entry in fs::read_dir(base.parent().ok_or("no folder")?)? {
        let path = entry?.path();
        if path.file_stem() == stem && path.is_file() {
            size += fs::metadata(&path)?.len();
        }
    }
    Ok(size)
}

/// Returns the row of a group: its largest peak, and its largest ratio.
fn row(name: &str, bases: usize, peaks: &[Peak]) -> Option<String> {
    let most = peaks.iter().max_by_key(|peak| peak.bytes)?;
    let worst = peaks.iter().max_by_key(|peak| (peak.ratio(), peak.bytes))?;
    let of_ratio = if worst.ratio() == 0 { "" } else { &worst.name };
    Some(format!(
        "{name},{bases},{},{},{},{},{},{of_ratio}",
        most.bytes >> 20,
        most.name,
        most.command,
        most.input,
        worst.ratio()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The library that asks the system has changed the unit of this figure before.
    #[test]
    fn run_measured_small_program_takes_few_mebibytes() {
        let (code, bytes) = run_measured(Command::new("sh").args(["-c", "exit 3"])).unwrap();
        assert!(code == Some(3) && (1 << 20..64 << 20).contains(&bytes), "{code:?} {bytes}");
    }

    #[test]
    fn row_of_peaks_names_largest_and_worst() {
        let peak = |name: &str, input, bytes| Peak {
            name: name.to_owned(),
            command: "check",
            input,
            bytes,
        };
        let peaks = [
            peak("large", 1 << 20, ALWAYS + (30 << 20)),
            peak("dense", 1 << 10, ALWAYS + (51 << 10)),
            peak("small", 10, 1 << 20),
        ];
        let row = row("some", 3, &peaks).unwrap();
        assert_eq!(row, "some,3,46,large,check,1048576,51,dense");
        let within: Vec<bool> = peaks.iter().map(Peak::is_within).collect();
        assert_eq!(within, [true, false, true]);
        assert_eq!(super::row("none", 0, &[]), None);
    }
}
