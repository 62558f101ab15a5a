//! Measurements and comparisons, run by hand: `cargo lab COMMAND` in the root of the project. README.md says what
//! each command showed, and when it is worth a run.

mod bench;
mod cases;
mod chessbase17;
mod command;
mod cores;
mod figures;
mod genuine;
mod growth;
mod large;
mod machine;
mod memory;
mod numberings;
mod pgnpeers;
mod questions;
mod readback;
mod robustness;
mod rows;
mod samples;
mod times;
mod walks;

use std::process::ExitCode;

const USAGE: &str = "\
bench GAMES.pgn [--only PART] [--passes N] [--busy]
                                measure conversions beside other programs; write docs/performance
cases FOLDER                    run the program over inputs once answered wrongly, and compare (cases/*.toml)
cores GAMES.pgn [--passes N] [--program PATH]
                                measure on 1 to 16 cores; write docs/performance/cores.csv
figures [--check]               draw the pictures of docs/performance.md, or compare them
growth GAMES.pgn [COUNT [FORMAT...]]
                                each format with 10,000 games, ten times as many, and so on
large GAMES.pgn [--copies N] [--passes N] [--only FORMAT] [--program PATH]
                                questions about ten million games, beside Scid; write docs/performance/ten-million.csv
memory [--write] [FOLDER...]    peak memory over fixtures, repeated things and the bases of folders
pgnpeers [--all] FILES...       our PGN reader beside python-chess and pgn-extract: each kind of difference
questions GAMES.pgn ANNOTATED.pgn [--runs N] [--repeat N] [--only TEXT] [--program PATH]
                                the questions of players beside Scid and pgn-extract: processor time
readback                        read random games that ports/python writes in each format
robustness [--write] [--seconds N] [FORMAT]
                                kill the program at each call, fail each, storm each base
samples FOLDER                  open every base below a folder and read all of it
walks GAMES.pgn OUT [--games N] [--seed N]
                                write ten million games whose positions are shared as in a real base
";

/// A task's failure, ready to print.
type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["bench", rest @ ..] => bench::run(rest),
        ["cases", folder] => cases::run(folder.as_ref()),
        ["cores", rest @ ..] => cores::run(rest),
        ["figures"] => figures::run(false),
        ["figures", "--check"] => figures::run(true),
        ["growth", rest @ ..] => growth::run(rest),
        ["large", rest @ ..] => large::run(rest),
        ["memory", rest @ ..] => memory::run(rest),
        ["pgnpeers", files @ ..] => pgnpeers::run(files),
        ["questions", rest @ ..] => questions::run(rest),
        ["readback"] => readback::run(),
        ["robustness", rest @ ..] => robustness::run(rest),
        ["samples", folder] => samples::run(folder.as_ref()),
        ["walks", rest @ ..] => walks::run(rest),
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("lab: {failure}");
            ExitCode::FAILURE
        }
    }
}
