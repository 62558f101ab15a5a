//! Asks our program, Scid and pgn-extract the same questions, and writes their processor times to
//! docs/performance/questions.csv.
//!
//! Processor time of a whole process, the least of several runs, depends little on other work of the
//! machine. For Scid, the script `lab/peers/scid/ask.tcl` measures opening the base and the question,
//! so that the start of its Tcl interpreter does not count. pgn-extract takes half a minute for a question
//! and is asked once.

mod boards;
mod list;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use testkit::workspace_root;
use wait4::Wait4;

use crate::Failure;
use crate::command::run_command;
use crate::machine::Machine;
use crate::rows::put_machine;
use crate::times::{built, repeat_file};
use list::{Peer, QUESTIONS, Question};

const USAGE: &str =
    "questions GAMES.pgn ANNOTATED.pgn [--runs N] [--repeat N] [--only TEXT] [--program PATH] [--resume]
       questions boards GAMES.pgn [--program PATH]";
const DATA: &str = "docs/performance/questions.csv";
/// Rows of a run that is not complete. `--resume` keeps them.
const PARTIAL: &str = "target/questions.csv";
const HEAD: &str = "question,games,ms,peer,peer_games,peer_ms,peer_open_ms,remark";

/// Words of questions that stand for files: see [`list`].
const PLACEHOLDERS: [&str; 8] =
    ["BASE", "TEXT", "NOTED", "NOTES", "OUT", "CRITERIA", "COPY", "MARKED"];

/// One row of the table.
struct Row {
    question: String,
    games: String,
    milliseconds: f64,
    peer: &'static str,
    peer_games: String,
    peer_milliseconds: f64,
    /// Opening the base. Zero for pgn-extract, which reads its input while it answers.
    peer_open_milliseconds: f64,
    remark: &'static str,
}

/// The number of games that a program found, and its times in milliseconds.
pub(crate) struct Answer {
    games: String,
    pub(crate) milliseconds: f64,
    open_milliseconds: f64,
}

/// The files of one set of games, `--repeat` times over.
struct Files {
    folder: PathBuf,
    /// Our program.
    program: PathBuf,
}

/// The options of the command.
struct Options<'a> {
    runs: u32,
    repeat: u32,
    only: &'a str,
    program: Option<PathBuf>,
    resumes: bool,
}

impl<'a> Options<'a> {
    fn parse(words: &[&'a str]) -> Result<Options<'a>, Failure> {
        let mut all = Options { runs: 3, repeat: 4, only: "", program: None, resumes: false };
        let mut words = words.iter().copied();
        while let Some(word) = words.next() {
            if word == "--resume" {
                all.resumes = true;
                continue;
            }
            let value = words.next().ok_or(USAGE)?;
            match word {
                "--runs" => all.runs = value.parse::<u32>().map_err(|_| USAGE)?.max(1),
                "--repeat" => all.repeat = value.parse::<u32>().map_err(|_| USAGE)?.max(1),
                "--only" => all.only = value,
                "--program" => all.program = Some(PathBuf::from(value)),
                _ => return Err(USAGE.into()),
            }
        }
        Ok(all)
    }

    /// Returns our program, which is built if no other is named.
    fn program(&self) -> Result<PathBuf, Failure> {
        match &self.program {
            Some(path) => Ok(path.clone()),
            None => {
                let build = ["build", "--profile", "dist", "-p", "scoresheet-cli"];
                run_command(Command::new(env!("CARGO")).args(build))?;
                Ok(built("scoresheet"))
            }
        }
    }
}

/// Measures all questions and writes the data. Fails if two programs find different numbers
/// of games and the question does not say why.
pub(crate) fn run(words: &[&str]) -> Result<(), Failure> {
    let (first, second, options) = match words {
        ["boards", games, options @ ..] => ("boards", *games, options),
        [games, annotated, options @ ..] => (*games, *annotated, options),
        _ => return Err(USAGE.into()),
    };
    let options = Options::parse(options)?;
    for path in [first, second].into_iter().filter(|path| *path != "boards") {
        fs::File::open(path).map_err(|error| format!("{path}: {error}"))?;
    }
    let folder = tempfile::tempdir()?;
    let files = Files { folder: folder.path().to_owned(), program: options.program()? };
    if first == "boards" {
        files.make(second.as_ref(), "TEXT", "BASE", 1)?;
        return boards::run(&files);
    }
    files.make(first.as_ref(), "TEXT", "BASE", options.repeat)?;
    files.make(second.as_ref(), "NOTES", "NOTED", options.repeat)?;
    ask_all(&files, &options)
}

/// Asks all questions. Each row is kept in [`PARTIAL`] as soon as it is measured.
fn ask_all(files: &Files, options: &Options<'_>) -> Result<(), Failure> {
    let partial = workspace_root().join(PARTIAL);
    let mut lines: Vec<String> = Vec::new();
    if let (true, Ok(text)) = (options.resumes, fs::read_to_string(&partial)) {
        lines.extend(text.lines().map(str::to_owned));
    }
    let known = lines.len();
    let mut rows = Vec::new();
    let asked: Vec<_> =
        QUESTIONS.iter().filter(|question| shown(question).contains(options.only)).collect();
    for (number, question) in (1..).zip(&asked) {
        let start = format!("{},", Row::cell(&shown(question)));
        let done = lines.iter().take(known).find(|line| line.starts_with(&start)).cloned();
        let row = match done {
            Some(line) => line,
            None => {
                let line = measure(question, files, options.runs)?.cells();
                eprintln!("{number}/{}: {line}", asked.len());
                lines.push(line.clone());
                fs::write(&partial, lines.join("\n"))?;
                line
            }
        };
        rows.push(row);
    }
    let differing: Vec<&str> = rows.iter().map(|row| &**row).filter(|row| differs(row)).collect();
    if !differing.is_empty() {
        let message = "different numbers of games, and no reason in questions/list.rs";
        return Err(format!("{message}:\n{}", differing.join("\n")).into());
    }
    if options.only.is_empty() {
        let data = format!("{HEAD}\n{}\n", rows.join("\n"));
        fs::write(workspace_root().join(DATA), data)?;
        put_machine("questions", &Machine::this()?.to_string())?;
    }
    Ok(())
}

/// Returns whether the programs found different numbers of games and no remark says why.
fn differs(row: &str) -> bool {
    let cells: Vec<&str> = row.split(',').collect();
    matches!(&*cells, [_, ours, _, _, theirs, .., remark] if ours != theirs && remark.is_empty())
}

impl Files {
    /// Writes the games of `from` `repeat` times to the PGN file of that name, and to a Scid base.
    fn make(&self, from: &Path, text: &str, base: &str, repeat: u32) -> Result<(), Failure> {
        let (text, base) = (self.path(text), self.path(base));
        repeat_file(from, &text, repeat)?;
        let mut convert = Command::new(&self.program);
        let output = convert.arg("convert").args([&text, &base]).output()?;
        // Code 1 tells of losses.
        if !matches!(output.status.code(), Some(0 | 1)) || !base.exists() {
            return Err(failed("convert", &output));
        }
        Ok(())
    }

    /// Returns the file that a placeholder of [`QUESTIONS`] stands for.
    fn path(&self, placeholder: &str) -> PathBuf {
        let extension = match placeholder {
            "BASE" | "NOTED" | "COPY" | "MARKED" => "si4",
            _ => "pgn",
        };
        self.folder.join(placeholder.to_lowercase()).with_extension(extension)
    }

    /// Returns the words with the placeholders replaced.
    fn words(&self, words: &[&str]) -> Vec<String> {
        let replaced = |word: &&str| {
            let mut word = (*word).to_owned();
            for placeholder in PLACEHOLDERS {
                if word.ends_with(placeholder) {
                    word = word.replace(placeholder, &self.path(placeholder).to_string_lossy());
                    break;
                }
            }
            word
        };
        words.iter().map(replaced).collect()
    }

    /// Makes the base that a question changes, if it changes one: a copy of `BASE`, for `MARKED` with
    /// repeated games marked as deleted.
    fn renew(&self, question: &Question) -> Result<(), Failure> {
        let changed = |name: &&&str| matches!(**name, "COPY" | "MARKED");
        let Some(name) = question.ours.iter().find(changed) else { return Ok(()) };
        for extension in ["si4", "sg4", "sn4"] {
            let file = |name| self.path(name).with_extension(extension);
            fs::copy(file("BASE"), file(name))?;
        }
        if *name == "MARKED" {
            let mut edit = Command::new(&self.program);
            let output = edit.arg("edit").arg(self.path(name)).arg("dedupe").output()?;
            if !output.status.success() {
                return Err(failed("edit dedupe", &output));
            }
        }
        Ok(())
    }

    /// Removes the files that a question wrote.
    fn clear(&self) -> Result<(), Failure> {
        let kept = ["BASE", "TEXT", "NOTED", "NOTES"].map(|name| self.path(name));
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            if !kept.iter().any(|one| one.file_stem() == path.file_stem()) {
                fs::remove_file(path)?;
            }
        }
        Ok(())
    }
}

/// Returns the question as a person writes it.
fn shown(question: &Question) -> String {
    let mut text = String::new();
    for word in question.ours.iter().filter(|word| !matches!(**word, "--count" | "OUT")) {
        let word = match *word {
            "BASE" | "COPY" => "games.si4",
            "MARKED" => "marked.si4",
            "TEXT" => "games.pgn",
            "NOTED" => "annotated.si4",
            "NOTES" => "annotated.pgn",
            word => word,
        };
        let quotes = if word.contains([' ', '>', '*', '?', '!']) { "'" } else { "" };
        let _ = write!(text, "{}{quotes}{word}{quotes}", if text.is_empty() { "" } else { " " });
    }
    text
}

/// Asks both programs in turns, and keeps the least time of each.
fn measure(question: &Question, files: &Files, runs: u32) -> Result<Row, Failure> {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for run in 0..runs {
        files.renew(question)?;
        ours.push(ask_ours(question, files)?);
        files.clear()?;
        if run > 0 && matches!(question.peer, Peer::Extract { .. }) {
            continue;
        }
        theirs.push(match &question.peer {
            Peer::Scid { question: script, count } => {
                let asked = |name: &&&str| question.ours.contains(*name);
                let base = *["NOTED", "COPY", "MARKED"].iter().find(asked).unwrap_or(&"BASE");
                files.renew(question)?;
                ask_scid(script, count, &files.path(base))?
            }
            Peer::Extract { words, criteria } => ask_extract(words, criteria, files)?,
        });
        files.clear()?;
    }
    let least = |answers: &[Answer], time: fn(&Answer) -> f64| {
        answers.iter().map(time).fold(f64::INFINITY, f64::min)
    };
    let games = |answers: &[Answer]| answers.first().map(|one| one.games.clone());
    Ok(Row {
        question: shown(question),
        games: games(&ours).unwrap_or_default(),
        milliseconds: least(&ours, |answer| answer.milliseconds),
        peer: match question.peer {
            Peer::Scid { .. } => "Scid 4.7.4",
            Peer::Extract { .. } => "pgn-extract 19-04",
        },
        peer_games: games(&theirs).unwrap_or_default(),
        peer_milliseconds: least(&theirs, |answer| answer.milliseconds),
        peer_open_milliseconds: least(&theirs, |answer| answer.open_milliseconds),
        remark: question.differs,
    })
}

fn ask_ours(question: &Question, files: &Files) -> Result<Answer, Failure> {
    let mut command = Command::new(&files.program);
    command.args(files.words(question.ours));
    let (output, milliseconds) = timed(&mut command)?;
    // Codes 1 and 3 tell of losses, and of damage in the input.
    if !matches!(output.status.code(), Some(0 | 1 | 3)) {
        return Err(failed(&shown(question), &output));
    }
    let games = games_told(&String::from_utf8_lossy(&output.stderr));
    Ok(Answer { games, milliseconds, open_milliseconds: 0.0 })
}

/// Returns the number of games that our program prints.
fn counted(files: &Files, words: &[&str]) -> Result<String, Failure> {
    let output = Command::new(&files.program).args(files.words(words)).output()?;
    let count = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    // Code 3 tells of damage in the input.
    match output.status.code() {
        Some(0 | 1 | 3) if !count.is_empty() => Ok(count),
        _ => Err(failed(&words.join(" "), &output)),
    }
}

/// Returns the number of games that the summary of our program tells: `12 of 30 games`, `30 games read,
/// 12 written`, `30 games, 2 damaged`, `changed 12 games`, `dropped 18 deleted games of 30, 12 are left`.
fn games_told(said: &str) -> String {
    let number = |line: &str, word: &str| {
        let before = line.split(word).next()?.rsplit([' ', '\n']).next()?.replace(',', "");
        before.parse::<u64>().ok().map(|number| number.to_string())
    };
    let words = [" written", " are left", " of ", " games, ", " games"];
    let told = |line: &str| {
        words.iter().find_map(|word| line.contains(word).then(|| number(line, word)).flatten())
    };
    // A comparison of games says first how many it compared.
    said.lines().filter(|line| !line.ends_with(" compared")).find_map(told).unwrap_or_default()
}

/// Evaluates a script of Scid over a base, and one that counts: see `lab/peers/scid/ask.tcl`.
pub(crate) fn ask_scid(question: &str, count: &str, base: &Path) -> Result<Answer, Failure> {
    let script = workspace_root().join("lab/peers/scid/ask.tcl");
    let base = base.with_extension("");
    let mut command = Command::new(peer("tkscid"));
    command.arg(script).args(["SCID4".as_ref(), base.as_os_str()]).args([question, count]);
    let output = command.output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let value = |name: &str| {
        text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ').map(str::to_owned))
    };
    match (value("games"), value("question_ms"), value("open_ms")) {
        (Some(games), Some(asked), Some(opened)) => {
            Ok(Answer { games, milliseconds: asked.parse()?, open_milliseconds: opened.parse()? })
        }
        _ => Err(failed(question, &output)),
    }
}

fn ask_extract(words: &[&str], criteria: &str, files: &Files) -> Result<Answer, Failure> {
    fs::write(files.path("CRITERIA"), criteria)?;
    let mut command = Command::new(peer("pgn-extract"));
    command.args(files.words(words)).current_dir(&files.folder);
    let (output, milliseconds) = timed(&mut command)?;
    let said = String::from_utf8_lossy(&output.stderr);
    let matched = said.split(['\n', '\r']).find_map(|line| {
        line.split(" games matched")
            .next()
            .filter(|_| line.contains(" games matched"))?
            .rsplit(' ')
            .next()
            .map(str::to_owned)
    });
    match matched {
        Some(games) => Ok(Answer { games, milliseconds, open_milliseconds: 0.0 }),
        None => Err(failed(&words.join(" "), &output)),
    }
}

/// Returns the path of another program. Debian installs both below `/usr/games`, which may not be in `PATH`.
fn peer(name: &str) -> PathBuf {
    let installed = Path::new("/usr/games").join(name);
    if installed.exists() { installed } else { PathBuf::from(name) }
}

/// Runs a program and returns its output with its processor time in milliseconds.
fn timed(command: &mut Command) -> Result<(Output, f64), Failure> {
    let output = tempfile::NamedTempFile::new()?;
    let errors = tempfile::NamedTempFile::new()?;
    let started =
        command.stdin(Stdio::null()).stdout(output.reopen()?).stderr(errors.reopen()?).spawn();
    let mut child =
        started.map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    let used = child.wait4()?;
    let (stdout, stderr) = (fs::read(output.path())?, fs::read(errors.path())?);
    let time = used.rusage.utime + used.rusage.stime;
    Ok((Output { status: used.status, stdout, stderr }, time.as_secs_f64() * 1e3))
}

fn failed(what: &str, output: &Output) -> Failure {
    let said = String::from_utf8_lossy(&output.stderr);
    format!("{what}: {}: {}", output.status, said.trim()).into()
}

impl Row {
    fn cell(text: &str) -> String {
        text.replace(',', ";")
    }

    /// Returns the row of the data file. Cells hold no commas, as `cargo lab figures` reads them.
    fn cells(&self) -> String {
        let text = Row::cell;
        format!(
            "{},{},{:.1},{},{},{:.1},{:.1},{}",
            text(&self.question),
            self.games,
            self.milliseconds,
            self.peer,
            self.peer_games,
            self.peer_milliseconds,
            self.peer_open_milliseconds,
            text(self.remark)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differs_needs_other_counts_without_remark() {
        assert!(differs("a,1,2.0,Scid,3,4.0,5.0,"));
        assert!(!differs("a,1,2.0,Scid,3,4.0,5.0,why"));
        assert!(!differs("a,1,2.0,Scid,1,4.0,5.0,"));
    }

    #[test]
    fn games_told_of_each_summary_are_found() {
        assert_eq!(games_told("note: x\n1,306 of 29,623 games\n"), "1306");
        assert_eq!(games_told("29623 games read, 29620 written, 3 refused\n"), "29620");
        assert_eq!(games_told("9 games compared\ndeleted 4 games\n"), "4");
        assert_eq!(games_told("dropped 3 deleted games of 8, 5 are left; 9 bytes become 7\n"), "5");
        assert_eq!(games_told("x.pgn: damaged; 412348 games, 4 damaged\n"), "412348");
        assert_eq!(games_told("nothing"), "");
    }
}
