//! Measures questions about bases of ten million games, the program started anew for each.

use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use scoresheet::chess_core::Game;
use scoresheet::chess_store::Diagnostics;
use scoresheet::pgn::Reader;

use crate::Failure;
use crate::cores::{finish, measured_program, seconds, write_copy};
use crate::machine::{Machine, Watch};
use crate::questions::ask_scid;
use crate::rows::{Rows, file, put_machine};

const USAGE: &str = "large GAMES.pgn [--copies N] [--passes N] [--only FORMAT] [--program PATH]";
/// The name of the data.
const DATA: &str = "ten-million";
const HEAD: &str = "base,task,machine_cores,seconds_1_core,seconds_2_cores,seconds_16_cores,scid_processor_seconds";
/// The copies of the games in the data. With otb-100k they are ten million games.
const COPIES: u32 = 100;
/// Endings of players' names in the copies. More would be more names than any real base of this size has.
const NAMES: u32 = 50;
const POSITIONS: u64 = 50;
/// The task whose time Scid's is compared with.
const SUM: &str = "fifty positions; sum";
/// The latest of the positions, in half-moves.
const DEEPEST: u64 = 100;
const CORES: [usize; 3] = [1, 2, 16];
/// The formats that are measured. The first one is made from PGN, the others from the first.
const FORMATS: [&str; 3] = ["2cbh", "si5", "si4"];
/// A player of over-the-board games.
const PLAYER: &str = "carlsen";

/// Measures, and writes the rows of each format when they are complete. Other numbers of copies are only
/// printed. The files are in the folder for temporary files, about 1.2 kB for each game.
pub(crate) fn run(words: &[&str]) -> Result<(), Failure> {
    let [games, words @ ..] = words else { return Err(USAGE.into()) };
    let (mut program, mut passes, mut copies, mut only) = (None, 3usize, COPIES, "");
    for option in words.chunks(2) {
        match option {
            ["--program", path] => program = Some(PathBuf::from(path)),
            ["--passes", count] => passes = count.parse::<usize>().map_err(|_| USAGE)?.max(1),
            ["--only", format] if FORMATS.contains(format) => only = *format,
            ["--copies", count] => copies = count.parse::<u32>().map_err(|_| USAGE)?.max(1),
            _ => return Err(USAGE.into()),
        }
    }
    let text = std::fs::read(games).map_err(|error| format!("{games}: {error}"))?;
    let positions = positions(&text)?;
    let program = measured_program(program)?;
    let machine = Machine::idle()?;
    println!("{machine}");
    let folder = tempfile::tempdir()?;
    let mut source = None;
    for format in FORMATS.into_iter().filter(|format| format.contains(only)) {
        let watch = Watch::start()?;
        let base = folder.path().join("games").with_extension(format);
        match &source {
            None => make_copies(&program, &text, copies, &base)?,
            Some(source) => {
                finish(Command::new(&program).arg("convert").arg(source).arg(&base))?;
            }
        }
        let bench = Bench { program: &program, base: &base, passes, cores: machine.cores() };
        let mut rows = Vec::new();
        for (task, cells) in bench.measure(&positions)? {
            let scid = match (format, task) {
                ("si4", SUM) => format!("{:.1}", scid_seconds(&base, &positions)?),
                _ => String::new(),
            };
            let mut row = vec![format.to_owned(), task.to_owned(), machine.cores().to_string()];
            row.extend(cells);
            row.push(scid);
            println!("{}", row.join(","));
            rows.push(row);
        }
        watch.end()?;
        if copies == COPIES {
            Rows { head: HEAD, key: 3, rows }.write(&file(DATA))?;
            put_machine(DATA, &machine.to_string())?;
        }
        source.get_or_insert(base);
    }
    Ok(())
}

struct Bench<'a> {
    program: &'a Path,
    base: &'a Path,
    passes: usize,
    /// The cores of the machine.
    cores: usize,
}

impl Bench<'_> {
    /// Returns the tasks, each with its seconds on every number of cores.
    fn measure(&self, positions: &[String]) -> Result<Vec<(&'static str, Vec<String>)>, Failure> {
        let list = ["list", "--count", "--player", PLAYER];
        let tasks: [(&str, &[&str]); 3] = [
            ("tree at the start position", &["tree"]),
            ("player", &["player", PLAYER]),
            ("list --count --player", &list),
        ];
        let mut measured = Vec::new();
        for (task, words) in tasks {
            let cells = CORES.map(|cores| self.cell(cores, &[words]).map(|[sum, _]| sum));
            measured.push((task, cells.into_iter().collect::<Result<_, _>>()?));
        }
        let questions: Vec<[&str; 4]> =
            positions.iter().map(|fen| ["list", "--count", "--position", fen.as_str()]).collect();
        let questions: Vec<&[&str]> = questions.iter().map(<[&str; 4]>::as_slice).collect();
        let (mut sums, mut most) = (Vec::new(), Vec::new());
        for cores in CORES {
            let [sum, slowest] = self.cell(cores, &questions)?;
            sums.push(sum);
            most.push(slowest);
        }
        Ok([measured, vec![(SUM, sums), ("fifty positions; slowest", most)]].concat())
    }

    /// Returns the sum of the seconds of `questions` and the slowest one, each the least of several runs.
    /// The cells are empty if the machine has fewer cores.
    fn cell(&self, cores: usize, questions: &[&[&str]]) -> Result<[String; 2], Failure> {
        if cores > self.cores {
            return Ok(Default::default());
        }
        let (mut sum, mut slowest) = (0.0, 0.0f64);
        for words in questions {
            let mut best = f64::INFINITY;
            for _ in 0..self.passes {
                best = best.min(seconds(self.program, cores, |command| {
                    command.args(*words).arg(self.base)
                })?);
            }
            sum += best;
            slowest = slowest.max(best);
        }
        Ok([sum, slowest].map(|seconds| format!("{seconds:.2}")))
    }
}

/// Writes copies of the games to a base, without a text of them.
fn make_copies(program: &Path, text: &[u8], copies: u32, base: &Path) -> Result<(), Failure> {
    let errors = tempfile::NamedTempFile::new()?;
    let mut convert = Command::new(program);
    convert.args(["convert", "--quiet", "-"]).arg(base);
    let mut convert = convert.stdin(Stdio::piped()).stderr(errors.reopen()?).spawn()?;
    let written = convert.stdin.take().map(|input| {
        let mut input = BufWriter::with_capacity(1 << 20, input);
        (0..copies).try_for_each(|copy| write_copy(text, copy % NAMES, &mut input))?;
        input.flush()
    });
    let status = convert.wait()?;
    // Code 1 tells of losses.
    if !matches!(status.code(), Some(0 | 1)) {
        return Err(
            format!("convert: {status}: {}", std::fs::read_to_string(errors.path())?).into()
        );
    }
    written.transpose()?;
    Ok(())
}

/// Returns the positions of some games, at different depths.
fn positions(text: &[u8]) -> Result<Vec<String>, Failure> {
    let count =
        text.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"[Event ")).count();
    let step = (count as u64 / POSITIONS).max(1);
    let (mut reader, mut game) = (Reader::new(text), Game::new());
    let mut diagnostics = Diagnostics::lenient();
    let mut positions = Vec::new();
    for number in 0u64.. {
        // A damaged game has the moves before the damage.
        if matches!(reader.read_game(&mut game, &mut diagnostics), Ok(false)) {
            break;
        }
        diagnostics.clear();
        let place = number / step;
        if place < POSITIONS && number % step == 0 {
            let plies = place * DEEPEST / POSITIONS;
            let mut position = game.start_position();
            game.main_line().take(usize::try_from(plies)?).for_each(|m| position.apply(m));
            positions.push(position.to_fen());
        }
        if place >= POSITIONS {
            break;
        }
    }
    match positions.is_empty() {
        true => Err("no games".into()),
        false => Ok(positions),
    }
}

/// Returns the processor seconds of Scid's searches for all positions, with the base open.
fn scid_seconds(base: &Path, positions: &[String]) -> Result<f64, Failure> {
    let question =
        |fen: &String| format!("sc_game startBoard {{{fen}}}; sc_search board RESET E 0 0;");
    let script: String = positions.iter().map(question).collect();
    Ok(ask_scid(&script, "", base)?.milliseconds / 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_of_growing_depth() {
        let game = "[Event \"x\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. e4 *\n\n";
        let positions = positions(game.repeat(100).as_bytes()).unwrap();
        assert_eq!(positions.len(), 50);
        assert_eq!(positions[0], Game::new().start_position().to_fen());
        assert!(positions[1].contains("2 2"), "{}", positions[1]);
        assert!(positions[49].contains("/4P3/"), "{}", positions[49]);
    }

    #[test]
    fn positions_without_games_is_error() {
        assert!(positions(b"\n").is_err());
    }
}
