//! Measures tasks on 1, 2, 4, 8 and 16 cores.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::Failure;
use crate::command::run_command;
use crate::machine::{Machine, Watch};
use crate::rows::{Rows, file, put_machine};
use crate::times::built;

const USAGE: &str = "cores GAMES.pgn [--passes N] [--program PATH]";
/// The name of the data.
const DATA: &str = "cores";
/// The copies of the games that are measured. Their names differ from copy to copy.
const COPIES: u32 = 10;
const CORES: [usize; 5] = [1, 2, 4, 8, 16];
/// A position that some games of most bases have.
const POSITION: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";

/// A task: its name and the words of its command. `IN` stands for the folder of the inputs, and `OUT`
/// for the folder of the outputs. If the last field is set, the command takes `--threads`; all others run
/// on some of the cores.
const TASKS: [(&str, &[&str], bool); 10] = [
    ("PGN to si4", &["convert", "IN/games.pgn", "OUT/games.si4"], true),
    ("PGN to si5", &["convert", "IN/games.pgn", "OUT/games.si5"], true),
    ("PGN to 2cbh", &["convert", "IN/games.pgn", "OUT/games.2cbh"], true),
    ("PGN to Parquet", &["convert", "IN/games.pgn", "OUT/games.parquet"], true),
    ("si4 to PGN", &["convert", "IN/games.si4", "OUT/games.pgn"], true),
    ("dedupe PGN", &["dedupe", "IN/games.pgn", "OUT/games.pgn"], true),
    ("dedupe si4", &["dedupe", "IN/games.si4", "OUT/games.si4"], true),
    ("check si4", &["check", "IN/games.si4"], false),
    ("position search in PGN", &["list", "IN/games.pgn", "--count", "--position", POSITION], false),
    (
        "position search in 2cbh",
        &["list", "IN/games.2cbh", "--count", "--position", POSITION],
        false,
    ),
];

/// Measures, and writes the data. The files are in the folder for temporary files.
pub(crate) fn run(words: &[&str]) -> Result<(), Failure> {
    let [games, words @ ..] = words else { return Err(USAGE.into()) };
    let (mut program, mut passes) = (None, 2usize);
    for option in words.chunks(2) {
        match option {
            ["--program", path] => program = Some(PathBuf::from(path)),
            ["--passes", count] => passes = count.parse::<usize>().map_err(|_| USAGE)?.max(1),
            _ => return Err(USAGE.into()),
        }
    }
    let program = measured_program(program)?;
    let machine = Machine::idle()?;
    println!("{machine}");
    let folder = tempfile::tempdir()?;
    let bench =
        Bench { program, input: folder.path().join("in"), output: folder.path().join("out") };
    bench.make_inputs(Path::new(games))?;
    let watch = Watch::start()?;
    let counts = || CORES.into_iter().filter(|cores| *cores <= machine.cores());
    let mut rows = Vec::new();
    for (name, words, has_threads) in TASKS {
        let mut best = vec![f64::INFINITY; counts().count()];
        for _ in 0..passes {
            for (best, cores) in best.iter_mut().zip(counts()) {
                *best = best.min(bench.time(words, has_threads, cores)?);
            }
        }
        let mut row = vec![name.to_owned()];
        row.extend(best.iter().map(|seconds| format!("{seconds:.2}")));
        row.resize(CORES.len() + 1, String::new());
        let times = best.first().zip(best.last()).map_or(1.0, |(one, most)| one / most);
        row.push(format!("{times:.1}"));
        println!("{}", row.join(","));
        rows.push(row);
    }
    watch.end()?;
    let head = "task,seconds_1,seconds_2,seconds_4,seconds_8,seconds_16,times";
    Rows { head, key: 1, rows }.write(&file(DATA))?;
    put_machine(DATA, &machine.to_string())
}

/// Returns the program that is measured: the one named, or the distributed build with tables.
pub(crate) fn measured_program(named: Option<PathBuf>) -> Result<PathBuf, Failure> {
    if let Some(path) = named {
        return Ok(fs::canonicalize(path)?);
    }
    let build = ["build", "--profile", "dist", "-p", "scoresheet-cli"];
    run_command(Command::new(env!("CARGO")).args(build).args(["--features", "tables"]))?;
    Ok(built("scoresheet"))
}

/// Returns the seconds of a run of `program` on some of the cores. `add` adds its arguments.
pub(crate) fn seconds(
    program: &Path,
    cores: usize,
    add: impl FnOnce(&mut Command) -> &mut Command,
) -> Result<f64, Failure> {
    let mut command = Command::new("taskset");
    command.args(["--cpu-list", &format!("0-{}", cores - 1)]).arg(program);
    add(&mut command);
    let start = Instant::now();
    finish(&mut command)?;
    Ok(start.elapsed().as_secs_f64())
}

struct Bench {
    program: PathBuf,
    input: PathBuf,
    output: PathBuf,
}

impl Bench {
    fn make_inputs(&self, games: &Path) -> Result<(), Failure> {
        fs::create_dir_all(&self.input)?;
        let pgn = self.input.join("games.pgn");
        let text = fs::read(games).map_err(|error| format!("{}: {error}", games.display()))?;
        let mut file = BufWriter::new(File::create(&pgn)?);
        for copy in 0..COPIES {
            write_copy(&text, copy, &mut file)?;
        }
        file.flush()?;
        for base in ["games.si4", "games.2cbh"] {
            let mut convert = Command::new(&self.program);
            convert.arg("convert").arg(&pgn).arg(self.input.join(base));
            finish(&mut convert)?;
        }
        Ok(())
    }

    /// Returns the seconds of a task.
    fn time(&self, words: &[&str], has_threads: bool, cores: usize) -> Result<f64, Failure> {
        if self.output.exists() {
            fs::remove_dir_all(&self.output)?;
        }
        fs::create_dir_all(&self.output)?;
        let words: Vec<OsString> = words
            .iter()
            .map(|word| match word.split_once('/') {
                Some(("IN", name)) => self.input.join(name).into(),
                Some(("OUT", name)) => self.output.join(name).into(),
                _ => word.into(),
            })
            .collect();
        if !has_threads {
            return seconds(&self.program, cores, |command| command.args(words));
        }
        let mut command = Command::new(&self.program);
        command.args(words).args(["--threads", &cores.to_string()]);
        let start = Instant::now();
        finish(&mut command)?;
        Ok(start.elapsed().as_secs_f64())
    }
}

/// Runs a command to its end. Code 1 tells of losses or findings.
pub(crate) fn finish(command: &mut Command) -> Result<(), Failure> {
    let output = command.stdout(Stdio::null()).output()?;
    match output.status.code() {
        Some(0 | 1) => Ok(()),
        _ => {
            let message = String::from_utf8_lossy(&output.stderr);
            Err(format!("{command:?}: {}: {message}", output.status).into())
        }
    }
}

/// Writes a copy of PGN whose players have its number after their names.
pub(crate) fn write_copy(text: &[u8], copy: u32, to: &mut impl Write) -> std::io::Result<()> {
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let end = line.trim_ascii_end();
        let is_player = line.starts_with(b"[White \"") || line.starts_with(b"[Black \"");
        match end.strip_suffix(b"\"]").filter(|_| is_player && copy > 0) {
            Some(tag) => {
                to.write_all(tag)?;
                writeln!(to, " {copy}\"]")?;
            }
            None => to.write_all(line)?,
        }
    }
    to.write_all(b"\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn write_copy_players_have_its_number() {
        let copy = |number| {
            let mut text = Vec::new();
            write_copy(b"[Event \"x\"]\r\n[White \"A\"]\r\n1. e4 *", number, &mut text).unwrap();
            String::from_utf8(text).unwrap()
        };
        assert_eq!(copy(0), "[Event \"x\"]\r\n[White \"A\"]\r\n1. e4 *\n\n");
        assert_eq!(copy(3), "[Event \"x\"]\r\n[White \"A 3\"]\n1. e4 *\n\n");
    }
}
