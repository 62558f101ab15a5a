//! Measures speed on an idle machine, and writes the data of docs/performance and its pictures.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use testkit::workspace_root;

use crate::Failure;
use crate::figures;
use crate::machine::{Machine, Watch};
use crate::rows::{Rows, file, put_machine};
use crate::times::{self, built};

const USAGE: &str = "bench GAMES.pgn [--only conversions|formats|peers] [--passes N] [--busy]";
/// Files of data, and what measures them.
const PARTS: [(&str, Measure); 3] =
    [("conversions", conversions), ("formats", formats), ("peers", peers)];

/// Measures with the games of a file, in a number of passes.
type Measure = fn(&Path, usize) -> Result<Rows, Failure>;

/// Measures, writes the data, and draws the pictures.
pub(crate) fn run(words: &[&str]) -> Result<(), Failure> {
    let [games, words @ ..] = words else { return Err(USAGE.into()) };
    let (mut only, mut passes, mut is_busy) = (None, 3, false);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match (*word, *word != "--busy") {
            ("--busy", _) => is_busy = true,
            ("--only", _) => only = Some(*words.next().ok_or(USAGE)?),
            ("--passes", _) => passes = words.next().and_then(|n| n.parse().ok()).ok_or(USAGE)?,
            _ => return Err(USAGE.into()),
        }
    }
    let parts: Vec<_> =
        PARTS.iter().filter(|(name, _)| only.is_none_or(|only| only == *name)).collect();
    if parts.is_empty() {
        return Err(USAGE.into());
    }
    let games = Path::new(games);
    fs::File::open(games).map_err(|error| format!("{}: {error}", games.display()))?;
    times::build()?;
    let machine = if is_busy { Machine::this()? } else { Machine::idle()? };
    println!("{machine}");
    for (name, measure) in parts {
        let watch = Watch::start()?;
        let rows = measure(games, passes)?;
        if !is_busy {
            watch.end()?;
        }
        rows.write(&file(name))?;
        let busy = if is_busy { "; beside other work" } else { "" };
        put_machine(name, &format!("{machine}{busy}"))?;
    }
    figures::run(false)
}

/// Every format to every other.
fn conversions(games: &Path, passes: usize) -> Result<Rows, Failure> {
    Ok(Rows {
        head: "from,to,seconds_1_thread,seconds_2_threads,processor_seconds_2_threads,serial_share,\
               peak_mb",
        key: 2,
        rows: times::measure(games, passes)?.iter().map(times::Run::cells).collect(),
    })
}

/// Every format on one thread, by a bench that measures them beside si4.
fn formats(games: &Path, passes: usize) -> Result<Rows, Failure> {
    let mut bench = Command::new(env!("CARGO"));
    bench.args(["bench", "--package", "scoresheet", "--bench", "formats", "--"]);
    let printed = printed(bench.arg(fs::canonicalize(games)?).arg(passes.to_string()))?;
    let rows: Vec<Vec<String>> = printed.lines().filter_map(format_row).collect();
    if rows.is_empty() {
        return Err(format!("the bench printed no table:\n{printed}").into());
    }
    Ok(Rows { head: "format,read_ns_a_ply,write_ns_a_ply", key: 1, rows })
}

/// Parses a line of the table: the name, and for reading and writing the nanoseconds and how many times
/// as long as si4 it takes.
fn format_row(line: &str) -> Option<Vec<String>> {
    let cells: Vec<&str> = line.split_whitespace().collect();
    let [name, read, _, write, _] = *cells else { return None };
    let nanoseconds = |cell: &str| cell.parse::<f64>().ok().map(|number| format!("{number:.0}"));
    Some(vec![name.to_owned(), nanoseconds(read)?, nanoseconds(write)?])
}

/// Libraries beside libraries, and Scid by its own timer.
fn peers(games: &Path, passes: usize) -> Result<Rows, Failure> {
    let folder = tempfile::tempdir()?;
    let text = fs::canonicalize(games)?;
    let file = |name: &str| folder.path().join(name);
    let (base, cbh, commented) = (file("games.si4"), file("games.cbh"), file("commented.pgn"));
    // The program names a base without extension.
    let cbh_stem = cbh.with_extension("");
    for base in [&base, &cbh] {
        let mut convert = Command::new(built("scoresheet"));
        // Code 1 tells of losses.
        let status = convert.arg("convert").arg("--quiet").args([&text, base]).status()?;
        if !matches!(status.code(), Some(0 | 1)) || !base.exists() {
            return Err(format!("{}: {status}", base.display()).into());
        }
    }
    let run = |words: &[&str], paths: &[&PathBuf]| -> Result<String, Failure> {
        let mut peers = Command::new(env!("CARGO"));
        peers.current_dir(workspace_root().join("lab/peers")).args(["run", "--quiet", "--release"]);
        printed(peers.args(words).args(paths))
    };
    run(&["--bin", "peers", "--", "commented"], &[&text, &commented])?;
    const PGN: &str = "pgn-reader 0.29 + shakmaty 0.30";
    const SCID: &str = "Scid 4.7.4";
    // Medians of time and of processor time.
    let both = |words: &[&str], path: &PathBuf| -> Result<[[Duration; 2]; 2], Failure> {
        let words = [&["--bin"], words].concat();
        let printed = run(&words, &[path, &PathBuf::from(passes.to_string())])?;
        medians(&printed, "median")
            .zip(medians(&printed, "processor"))
            .map(<[_; 2]>::from)
            .ok_or_else(|| format!("{words:?} printed no medians:\n{printed}").into())
    };
    let main = |command| ["peers", "--", command];
    let tasks: [(&str, &[&str], &PathBuf, &str); 7] = [
        ("si4 decoded; no text", &main("decode"), &base, "scid_parse 0.1"),
        ("si4 to PGN", &main("export"), &base, SCID),
        ("PGN read; every move legal", &main("pgn"), &text, PGN),
        ("PGN with comments read", &main("pgn"), &commented, PGN),
        ("PGN to si4", &main("import"), &text, SCID),
        ("PGN with comments to si4", &main("import"), &commented, SCID),
        ("cbh decoded; no text", &["chessbase", "--"], &cbh_stem, "cbvault 0.1.6"),
    ];
    let mut rows = Vec::new();
    for (task, words, path, peer) in tasks {
        let [[ours, theirs], processor] = both(words, path)?;
        let seconds = |time: Duration| format!("{:.3}", time.as_secs_f64());
        let [our_processor, their_processor] = processor.map(seconds);
        let row = |threads: &str, ours: Duration, processor: &str| {
            let (ours, theirs) = (seconds(ours), seconds(theirs));
            [task, threads, &ours, processor, peer, &theirs, &their_processor]
                .map(str::to_owned)
                .to_vec()
        };
        rows.push(row("1", ours, &our_processor));
        let out = match task {
            "si4 to PGN" => file("out.pgn"),
            "PGN to si4" => file("out.si4"),
            _ => continue,
        };
        rows.push(row("2", times::on_two_threads(path, &out, passes)?, ""));
    }
    let head = "task,threads,seconds,processor_seconds,peer,peer_seconds,peer_processor_seconds";
    Ok(Rows { head, key: 2, rows })
}

/// Runs a command and returns what it prints.
fn printed(command: &mut Command) -> Result<String, Failure> {
    let output = command.stderr(Stdio::inherit()).output()?;
    match output.status.success() {
        true => Ok(String::from_utf8(output.stdout)?),
        false => Err(format!("{command:?}: {}", output.status).into()),
    }
}

/// Parses a line at the end of what a comparison prints: `median: ours 1.2s, peer 3.4ms, ratio 0.00`.
fn medians(printed: &str, name: &str) -> Option<[Duration; 2]> {
    let line = |line| str::strip_prefix(line, name)?.strip_prefix(": ");
    let line = printed.lines().rev().find_map(line)?;
    let value = |name: &str| {
        let text = line.split(", ").find_map(|part| part.strip_prefix(name))?.trim();
        let units = [("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9), ("s", 1.0)];
        units.iter().find_map(|(unit, seconds)| {
            let number: f64 = text.strip_suffix(unit)?.parse().ok()?;
            Duration::try_from_secs_f64(number * seconds).ok()
        })
    };
    Some([value("ours")?, value("peer")?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_of_a_comparison_are_found() {
        let printed = "ours: x\npass: ours 1ms, peer 2ms, ratio 2\nmedian: ours 412.500ms, peer 1.5s, \
                       ratio 3.6\nprocessor: ours 1s, peer 2s, ratio 2\n";
        let expected = [Duration::from_micros(412_500), Duration::from_millis(1500)];
        assert_eq!(medians(printed, "median"), Some(expected));
        assert_eq!(medians(printed, "processor"), Some([1, 2].map(Duration::from_secs)));
        assert_eq!(medians("median: ours 3, peer 1s", "median"), None);
    }

    #[test]
    fn format_row_is_name_and_nanoseconds() {
        let row = format_row("si4                   20.4    1.00      28.6    1.00");
        assert_eq!(row, Some(vec!["si4".into(), "20".into(), "29".into()]));
        assert_eq!(format_row("       read ns   x si4  write ns   x si4"), None);
        assert_eq!(format_row("si4 a b c d"), None);
    }
}
