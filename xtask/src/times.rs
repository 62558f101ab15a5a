//! Every format converted to every other by the built program: seconds, processor time, how much of
//! it is work that must be done in order, and memory.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use scoresheet::{Format, formats};
use testkit::workspace_root;

use crate::Failure;
use crate::ci::run_command;

/// How often a running program is looked at.
const LOOK: Duration = Duration::from_millis(5);
/// The first thread of the program does what must be done in order, and no more than this part of
/// the whole should be.
const SERIAL: f64 = 0.10;
/// Of the time on one thread, what two should need at most.
const TWO_THREADS: f64 = 0.60;
/// Kilobytes by which a peak may differ without having grown: what is used again fills up slowly.
pub(crate) const NOISE: u64 = 3 << 10;

const USAGE: &str = "times GAMES.pgn [--runs N] [--repeat N]";

/// Measures the conversions of a PGN file, the medians of `--runs N` of them, and with `--repeat N`
/// of N times the same games, which must not take more memory: the names are the same.
///
/// The files lie in the folder for temporary files: where that is on a disk, its syncs are measured, too.
pub(crate) fn run(words: &[&str]) -> Result<(), Failure> {
    let [games, options @ ..] = words else { return Err(USAGE.into()) };
    let (games, mut repeat, mut passes) = (Path::new(games), 1, 1);
    for option in options.chunks(2) {
        match option {
            ["--repeat", count] => repeat = count.parse()?,
            ["--runs", count] => passes = count.parse::<usize>()?.max(1),
            _ => return Err(USAGE.into()),
        }
    }
    let build = ["build", "--profile", "dist", "-p", "scoresheet-cli"];
    run_command(Command::new(env!("CARGO")).args(build))?;
    let once = measure(games, 1, passes)?;
    let parts = "a part above a tenth, and two threads above 0.6 of one, in bold";
    print_table("Seconds on one thread", &once, |run| format!("{:.2}", run.alone));
    print_table("Seconds on two threads", &once, |run| format!("{:.2}", run.seconds));
    print_table(&format!("Of one thread's time, what two need ({parts})"), &once, |run| {
        bold(run.seconds / run.alone, TWO_THREADS)
    });
    print_table("Seconds of processor, two threads", &once, |run| format!("{:.2}", run.processor));
    print_table(&format!("Of that, what is done in order ({parts})"), &once, |run| {
        bold(run.serial / run.processor, SERIAL)
    });
    print_table("Peak memory, MB", &once, |run| megabytes(run.kilobytes));
    if repeat < 2 {
        return Ok(());
    }
    let often = measure(games, repeat, 1)?;
    let title = format!("Peak memory with the games {repeat} times over, MB");
    print_table(&title, &often, |run| megabytes(run.kilobytes));
    let grown: Vec<String> = once
        .iter()
        .zip(&often)
        .filter(|(once, often)| often.kilobytes > once.kilobytes + NOISE)
        .map(|(once, often)| {
            let (less, more) = (megabytes(once.kilobytes), megabytes(often.kilobytes));
            format!("{} to {}: {less} MB became {more}", once.from, once.to)
        })
        .collect();
    if grown.is_empty() {
        return Ok(());
    }
    Err(format!("memory grows with the games:\n{}", grown.join("\n")).into())
}

/// One conversion.
struct Run {
    from: &'static str,
    to: &'static str,
    /// On one thread.
    alone: f64,
    /// On two threads.
    seconds: f64,
    pub(crate) processor: f64,
    /// Seconds of processor of the first thread, which does what must be done in order.
    serial: f64,
    pub(crate) kilobytes: u64,
}

fn bold(value: f64, most: f64) -> String {
    if value > most { format!("**{value:.2}**") } else { format!("{value:.2}") }
}

/// All pairs, in rows of one source each; the row of PGN makes the sources of the others.
fn measure(games: &Path, repeat: u32, passes: usize) -> Result<Vec<Run>, Failure> {
    let folder = tempfile::tempdir()?;
    let path = |format: &Format| folder.path().join("from").with_extension(format.extensions[0]);
    // An opening book holds positions, not games.
    let fits = |f: &&Format| f.open.is_some() && f.create.is_some() && f.name != "fbk";
    let mut all: Vec<&'static Format> = formats().filter(fits).collect();
    all.sort_by_key(|format| format.name != "pgn");
    let pgn = all.first().ok_or("built without formats")?;
    repeat_file(games, &path(pgn), repeat)?;
    let mut runs = Vec::new();
    for from in all.iter().copied() {
        for to in all.iter().copied() {
            let out = folder.path().join("to").with_extension(to.extensions[0]);
            let out = if from.name == "pgn" && to.name != "pgn" { path(to) } else { out };
            eprintln!("{} to {}", from.name, to.name);
            runs.push(convert(from, &path(from), to, &out, passes)?);
        }
    }
    Ok(runs)
}

fn repeat_file(from: &Path, to: &Path, count: u32) -> Result<(), Failure> {
    let mut out = File::create(to)?;
    for _ in 0..count {
        let opened = File::open(from).map_err(|error| format!("{}: {error}", from.display()));
        io::copy(&mut opened?, &mut out)?;
        out.write_all(b"\n\n")?;
    }
    Ok(())
}

/// Alternates one thread and two, and takes the median of each figure.
fn convert(
    from: &'static Format,
    input: &Path,
    to: &'static Format,
    output: &Path,
    passes: usize,
) -> Result<Run, Failure> {
    let (mut alone, mut two) = (Vec::new(), Vec::new());
    for _ in 0..passes {
        alone.push(run_program(from, input, to, output, 1)?);
        two.push(run_program(from, input, to, output, 2)?);
    }
    let run = Run {
        from: from.name,
        to: to.name,
        alone: median(&alone, |run| run.seconds),
        seconds: median(&two, |run| run.seconds),
        processor: median(&two, |run| run.used.processor),
        serial: median(&two, |run| run.used.serial),
        kilobytes: two.iter().map(|run| run.used.kilobytes).max().unwrap_or(0),
    };
    eprintln!(
        "  {:.2} s alone, {:.2} s by two, {:.2} s of processor, {:.2} s in order, {} MB; {}",
        run.alone,
        run.seconds,
        run.processor,
        run.serial,
        megabytes(run.kilobytes),
        two.first().map_or("", |run| &run.summary),
    );
    Ok(run)
}

fn median(runs: &[Finished], figure: impl Fn(&Finished) -> f64) -> f64 {
    let mut figures: Vec<f64> = runs.iter().map(figure).collect();
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}

/// One run of the program.
pub(crate) struct Finished {
    seconds: f64,
    pub(crate) used: Used,
    summary: String,
}

pub(crate) fn run_program(
    from: &'static Format,
    input: &Path,
    to: &'static Format,
    output: &Path,
    threads: u32,
) -> Result<Finished, Failure> {
    let pair = format!("{} to {}", from.name, to.name);
    let start = Instant::now();
    let mut child = Command::new(program())
        .args(["convert", "--force", "--from", from.name, "--to", to.name])
        .args(["--threads", &threads.to_string()])
        .args([input, output])
        .stderr(Stdio::piped())
        .spawn()?;
    let used = follow(&mut child)?;
    let seconds = start.elapsed().as_secs_f64();
    let mut said = String::new();
    child.stderr.take().ok_or("no standard error")?.read_to_string(&mut said)?;
    let code = child.wait()?.code();
    let summary = said.lines().find(|line| line.contains(" read, ")).unwrap_or_default();
    // 1 is for what the target cannot hold, and that is told. The games given may be damaged;
    // what is made of them is not.
    let given = from.name == "pgn";
    let told = |word| summary.contains(word);
    let lost = told("with losses") || told("refused") || given && told("damaged");
    if !(code == Some(0) || code == Some(1) && lost) || !given && told("damaged") {
        return Err(format!("{pair}: {code:?}: {said}").into());
    }
    if summary.starts_with("0 games") || fs::metadata(output)?.len() == 0 {
        return Err(format!("{pair}: nothing was written: {said}").into());
    }
    Ok(Finished { seconds, used, summary: summary.to_owned() })
}

fn program() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or_else(|| workspace_root().join("target"));
    target.join("dist").join(format!("scoresheet{}", std::env::consts::EXE_SUFFIX))
}

/// What a child has used. All only grows, so the last look counts.
#[derive(Clone, Copy, Default)]
pub(crate) struct Used {
    /// Its peak of memory.
    pub(crate) kilobytes: u64,
    /// Seconds of processor of all its threads.
    pub(crate) processor: f64,
    /// Those of its first thread.
    serial: f64,
}

/// Looks at a child until it ends.
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

/// Seconds that a thread has run: the first number of its `schedstat`, in nanoseconds.
fn on_processor(thread: &Path) -> Option<f64> {
    let stat = fs::read_to_string(thread.join("schedstat")).ok()?;
    Some(stat.split_whitespace().next()?.parse::<u64>().ok()? as f64 / 1e9)
}

pub(crate) fn megabytes(kilobytes: u64) -> String {
    format!("{:.1}", kilobytes as f64 / 1024.0)
}

fn print_table(title: &str, runs: &[Run], cell: impl Fn(&Run) -> String) {
    let first = runs.first().map(|run| run.from);
    let columns = || runs.iter().take_while(|run| Some(run.from) == first);
    let mut table = format!("{title}\n\n| from \\ to |");
    for run in columns() {
        let _ = write!(table, " {} |", run.to);
    }
    let _ = write!(table, "\n|---|{}", "---:|".repeat(columns().count()));
    let mut row = "";
    for run in runs {
        if run.from != row {
            row = run.from;
            let _ = write!(table, "\n| {row} |");
        }
        let _ = write!(table, " {} |", cell(run));
    }
    println!("{table}\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn a_child_is_measured() {
        let mut child = Command::new("sleep").arg("0.05").spawn().unwrap();
        let used = follow(&mut child).unwrap();
        assert!(used.kilobytes > 100 && used.serial <= used.processor);
    }

    #[test]
    fn games_are_repeated_apart() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (folder.path().join("one"), folder.path().join("two"));
        fs::write(&one, "1. e4 *").unwrap();
        repeat_file(&one, &two, 2).unwrap();
        assert_eq!(fs::read_to_string(&two).unwrap(), "1. e4 *\n\n1. e4 *\n\n");
    }
}
