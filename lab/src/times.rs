//! Measures the conversion of every format to every other: time, processor time, serial part and
//! memory.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use scoresheet::{Format, formats};
use testkit::workspace_root;

use crate::Failure;
use crate::command::run_command;

/// The interval at which a running program is sampled.
const LOOK: Duration = Duration::from_millis(5);
/// Tolerance for peak memory in kilobytes: reusable buffers grow for a while.
pub(crate) const NOISE: u64 = 3 << 10;

/// Builds what is measured.
pub(crate) fn build() -> Result<(), Failure> {
    let build = ["build", "--profile", "dist", "-p", "scoresheet-cli"];
    run_command(Command::new(env!("CARGO")).args(build))?;
    let build = ["build", "--profile", "dist", "-p", "scoresheet", "--example", "convert_apart"];
    run_command(Command::new(env!("CARGO")).args(build))
}

/// One conversion.
pub(crate) struct Run {
    from: &'static str,
    to: &'static str,
    /// On one thread.
    alone: f64,
    /// On two threads.
    seconds: f64,
    pub(crate) processor: f64,
    /// The part of the processor time that the first thread takes if it does only serial work, and
    /// two other threads do the rest.
    serial: f64,
    pub(crate) kilobytes: u64,
}

impl Run {
    /// Returns the cells of docs/performance/conversions.csv.
    pub(crate) fn cells(&self) -> Vec<String> {
        let seconds = |seconds: f64| format!("{seconds:.2}");
        vec![
            self.from.to_owned(),
            self.to.to_owned(),
            seconds(self.alone),
            seconds(self.seconds),
            seconds(self.processor),
            seconds(self.serial),
            megabytes(self.kilobytes),
        ]
    }
}

/// Measures all pairs, one row for each source format. The row of PGN writes the sources of the
/// other rows.
pub(crate) fn measure(games: &Path, passes: usize) -> Result<Vec<Run>, Failure> {
    let folder = tempfile::tempdir()?;
    // Each base has its own folder, so that all its files can be removed.
    let path = |purpose: &str, format: &Format| {
        folder
            .path()
            .join(purpose)
            .join(format.name)
            .join("games")
            .with_extension(format.extensions[0])
    };
    // An opening book holds positions, not games.
    let fits = |f: &&Format| f.open.is_some() && f.create.is_some() && f.name != "fbk";
    let mut all: Vec<&'static Format> = formats().filter(fits).collect();
    all.sort_by_key(|format| format.name != "pgn");
    let pgn = all.first().ok_or("built without formats")?;
    let text = path("from", pgn);
    make_room(&text)?;
    repeat_file(games, &text, 1)?;
    let mut runs = Vec::new();
    for from in all.iter().copied() {
        for to in all.iter().copied() {
            let is_source = from.name == "pgn" && to.name != "pgn";
            let out = path(if is_source { "from" } else { "to" }, to);
            eprintln!("{} to {}", from.name, to.name);
            runs.push(convert(from, &path("from", from), to, &out, passes)?);
        }
    }
    Ok(runs)
}

/// Creates the folder of a base to be written, and removes old files: replacing a file takes time
/// that is not part of the conversion.
fn make_room(base: &Path) -> Result<(), Failure> {
    let folder = base.parent().ok_or("a base without a folder")?;
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    Ok(fs::create_dir_all(folder)?)
}

/// Writes `count` copies of a PGN file.
pub(crate) fn repeat_file(from: &Path, to: &Path, count: u32) -> Result<(), Failure> {
    let mut out = File::create(to)?;
    for _ in 0..count {
        let opened = File::open(from).map_err(|error| format!("{}: {error}", from.display()));
        io::copy(&mut opened?, &mut out)?;
        out.write_all(b"\n\n")?;
    }
    Ok(())
}

/// Alternates runs on one thread and on two, and returns the median of each figure.
fn convert(
    from: &'static Format,
    input: &Path,
    to: &'static Format,
    output: &Path,
    passes: usize,
) -> Result<Run, Failure> {
    let (mut alone, mut two, mut serial) = (Vec::new(), Vec::new(), Vec::new());
    let mut watched = Vec::new();
    for _ in 0..passes {
        make_room(output)?;
        alone.push(time_program(from, input, to, output, 1)?);
        make_room(output)?;
        two.push(time_program(from, input, to, output, 2)?);
        make_room(output)?;
        watched.push(run_program(from, input, to, output, 2)?);
        make_room(output)?;
        serial.push(part_in_order(from, input, to, output)?);
    }
    let run = Run {
        from: from.name,
        to: to.name,
        alone: median(&alone, |seconds| *seconds),
        seconds: median(&two, |seconds| *seconds),
        processor: median(&watched, |run| run.used.processor),
        serial: median(&serial, |part| *part),
        kilobytes: watched.iter().map(|run| run.used.kilobytes).max().unwrap_or(0),
    };
    eprintln!(
        "  {:.2} s alone, {:.2} s by two, {:.2} s of processor, {:.2} of it in order, {} MB; {}",
        run.alone,
        run.seconds,
        run.processor,
        run.serial,
        megabytes(run.kilobytes),
        watched.first().map_or("", |run| &run.summary),
    );
    Ok(run)
}

/// Returns the part of the work that the first thread of `examples/convert_apart.rs` does.
fn part_in_order(from: &Format, input: &Path, to: &Format, output: &Path) -> Result<f64, Failure> {
    let mut child = Command::new(built("examples/convert_apart"))
        .args([Path::new(from.name), input, Path::new(to.name), output])
        .stdout(std::process::Stdio::null())
        .spawn()?;
    let used = follow(&mut child)?;
    let status = child.wait()?;
    if !status.success() {
        return Err(format!("convert_apart, {} to {}: {status}", from.name, to.name).into());
    }
    Ok(used.serial / used.processor)
}

fn median<T>(runs: &[T], figure: impl Fn(&T) -> f64) -> f64 {
    let mut figures: Vec<f64> = runs.iter().map(figure).collect();
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The result of a sampled run of the program.
pub(crate) struct Finished {
    pub(crate) used: Used,
    summary: String,
}

/// Runs the program and samples it until it ends.
pub(crate) fn run_program(
    from: &'static Format,
    input: &Path,
    to: &'static Format,
    output: &Path,
    threads: u32,
) -> Result<Finished, Failure> {
    let mut child = start_program(from, input, to, output, threads)?;
    let used = follow(&mut child)?;
    let summary = end_program(child, from, to, output)?;
    Ok(Finished { used, summary })
}

/// Returns the time that the program takes without sampling, which would use some of its processor
/// time.
fn time_program(
    from: &'static Format,
    input: &Path,
    to: &'static Format,
    output: &Path,
    threads: u32,
) -> Result<f64, Failure> {
    let start = Instant::now();
    let mut child = start_program(from, input, to, output, threads)?;
    child.wait()?;
    let seconds = start.elapsed().as_secs_f64();
    end_program(child, from, to, output)?;
    Ok(seconds)
}

/// Returns the median time of a conversion on two threads. The extensions tell the formats.
pub(crate) fn on_two_threads(
    input: &Path,
    output: &Path,
    passes: usize,
) -> Result<Duration, Failure> {
    let format = |path: &Path| {
        let extension = path.extension().and_then(|extension| extension.to_str())?;
        formats().find(|format| format.extensions.contains(&extension))
    };
    let (from, to) = format(input).zip(format(output)).ok_or("unknown extensions")?;
    let seconds: Result<Vec<f64>, Failure> =
        (0..passes.max(1)).map(|_| time_program(from, input, to, output, 2)).collect();
    Ok(Duration::from_secs_f64(median(&seconds?, |seconds| *seconds)))
}

fn start_program(
    from: &Format,
    input: &Path,
    to: &Format,
    output: &Path,
    threads: u32,
) -> Result<Child, Failure> {
    let child = Command::new(built("scoresheet"))
        .args(["convert", "--force", "--from", from.name, "--to", to.name])
        .args(["--threads", &threads.to_string()])
        .args([input, output])
        .stderr(Stdio::piped())
        .spawn()?;
    Ok(child)
}

/// Returns the summary that a finished run printed. Fails if the run failed.
fn end_program(
    mut child: Child,
    from: &Format,
    to: &Format,
    output: &Path,
) -> Result<String, Failure> {
    let pair = format!("{} to {}", from.name, to.name);
    let mut said = String::new();
    child.stderr.take().ok_or("no standard error")?.read_to_string(&mut said)?;
    let code = child.wait()?.code();
    let summary = said.lines().find(|line| line.contains(" read, ")).unwrap_or_default();
    // Code 1 means that the target cannot hold everything, which the summary reports. The input
    // games may be damaged; the converted ones must not be.
    let given = from.name == "pgn";
    let told = |word| summary.contains(word);
    let lost = told("with losses") || told("refused") || given && told("damaged");
    if !(code == Some(0) || code == Some(1) && lost) || !given && told("damaged") {
        return Err(format!("{pair}: {code:?}: {said}").into());
    }
    if summary.starts_with("0 games") || fs::metadata(output)?.len() == 0 {
        return Err(format!("{pair}: nothing was written: {said}").into());
    }
    Ok(summary.to_owned())
}

/// Returns the path of a program of the `dist` build.
pub(crate) fn built(name: &str) -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or_else(|| workspace_root().join("target"));
    target.join("dist").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// Resources that a child has used. All values only grow, so the last sample counts.
#[derive(Clone, Copy, Default)]
pub(crate) struct Used {
    /// Peak memory.
    pub(crate) kilobytes: u64,
    /// Processor time of all threads, in seconds.
    pub(crate) processor: f64,
    /// Processor time of the first thread, in seconds.
    serial: f64,
}

/// Samples a child until it ends.
fn follow(child: &mut Child) -> Result<Used, Failure> {
    let folder = PathBuf::from(format!("/proc/{}", child.id()));
    let mut used = Used::default();
    let mut threads: BTreeMap<String, f64> = BTreeMap::new();
    while child.try_wait()?.is_none() {
        used.kilobytes = peak(&folder).unwrap_or(0).max(used.kilobytes);
        for entry in fs::read_dir(folder.join("task")).into_iter().flatten().flatten() {
            if let Some(seconds) = on_processor(&entry.path()) {
                threads.insert(entry.file_name().to_string_lossy().into_owned(), seconds);
            }
        }
        thread::sleep(LOOK);
    }
    if used.kilobytes == 0 {
        return Err("nothing could be measured: this needs Linux's /proc".into());
    }
    used.processor = threads.values().sum();
    used.serial = threads.get(&child.id().to_string()).copied().unwrap_or(0.0);
    Ok(used)
}

fn peak(folder: &Path) -> Option<u64> {
    let status = fs::read_to_string(folder.join("status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Returns the seconds that a thread has run: the first number of its `schedstat`, in nanoseconds.
fn on_processor(thread: &Path) -> Option<f64> {
    let stat = fs::read_to_string(thread.join("schedstat")).ok()?;
    Some(stat.split_whitespace().next()?.parse::<u64>().ok()? as f64 / 1e9)
}

pub(crate) fn megabytes(kilobytes: u64) -> String {
    format!("{:.1}", kilobytes as f64 / 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn follow_child_measures_its_resources() {
        let mut child = Command::new("sleep").arg("0.05").spawn().unwrap();
        let used = follow(&mut child).unwrap();
        assert!(used.kilobytes > 100 && used.serial <= used.processor);
    }

    #[test]
    fn repeat_games_keeps_them_separate() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (folder.path().join("one"), folder.path().join("two"));
        fs::write(&one, "1. e4 *").unwrap();
        repeat_file(&one, &two, 2).unwrap();
        assert_eq!(fs::read_to_string(&two).unwrap(), "1. e4 *\n\n1. e4 *\n\n");
    }
}
