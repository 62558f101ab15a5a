//! Development tasks of the project: `cargo xtask`.

mod api;
mod bench;
mod book;
mod bundle;
mod c;
mod c_abi;
mod cases;
mod chessbase17;
mod ci;
mod cores;
mod coverage;
mod damaged_streams;
mod descriptions;
mod documents;
mod examples;
mod figures;
mod fixtures;
mod fuzz;
mod genuine;
mod growth;
mod kaitai;
mod language;
mod large;
mod licences;
mod machine;
mod memory;
mod minimal;
mod mutants;
mod npm;
mod numberings;
mod openings;
mod packages;
mod parquet;
mod pgnpeers;
mod ports;
mod python;
mod questions;
mod readback;
mod release;
mod robustness;
mod rows;
mod rules;
mod samples;
mod sbom;
mod static_program;
mod tables;
mod targets;
mod tidy;
mod times;
mod tools;
mod web;
mod workflows;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask ci                            everything a change must pass
cargo xtask fixtures [--check] [FAMILY]   write expected.jsonl and expected.pgn, or compare them
cargo xtask tables [--check]              write the tables of README.md and docs/conversions.md
cargo xtask openings [--check]            write the table of crates/openings, or compare it
cargo xtask tidy                          citations, sizes, folders, links, language
cargo xtask tidy --language [CRATE]       list what breaks the language rules of CONTRIBUTING.md
cargo xtask tidy --lower                  write lower limits of such findings, where there are fewer now
cargo xtask coverage                      rules of the pages that no case shows, or without a letter; descriptions
cargo xtask descriptions                  the statements of docs/descriptions alone, and the bytes that they state
cargo xtask bundle [--check]              make the conformance bundle; run its runners in an empty folder
cargo xtask api [--check]                 write the public API of each crate to docs/api, or compare it
cargo xtask examples [tables]             run the examples of all crates, or those that need this feature
cargo xtask c [--write | --install FOLDER | --fuzz SECONDS]
                                          test the C library; write its header and abi.txt; install it; fuzz it
cargo xtask book                          build the documentation site into target/book, with mdBook
cargo xtask figures [--check]             draw the pictures of the documents, or compare them
cargo xtask ports                         ports/python over the fixtures, and the bases made by hand
cargo xtask ksy                           docs/formats/ksy against the dump of the fixtures
cargo xtask licences                      of every dependency
cargo xtask minimal                       check with the oldest versions of the dependencies that are allowed
cargo xtask mutants [--sample N] [--left] FORMAT...
                                          break one thing of a decoder at a time; does a case notice?
cargo xtask fuzz [--seconds N] [TARGET]   run the fuzz targets, 60 seconds each
cargo xtask memory [--write] [FOLDER...]  peak memory over fixtures, repeated things and the bases of folders
cargo xtask robustness [--write] [--seconds N] [FORMAT]
                                          kill the program at each call, fail each, storm each base
cargo xtask package                       make each package and build it alone
cargo xtask targets                       check the libraries for wasm32, the model without std
cargo xtask samples FOLDER                open every base below a folder and read all of it
cargo xtask cases FOLDER                  run the program over inputs once answered wrongly, and compare
cargo xtask parquet                       test Parquet and Arrow, which no default build has
cargo xtask pgnpeers [--all] FILES...     our PGN reader beside python-chess and pgn-extract: each kind of difference
cargo xtask questions GAMES.pgn ANNOTATED.pgn [--runs N] [--repeat N] [--only TEXT] [--program PATH]
                                          the questions of players beside Scid and pgn-extract: processor time
cargo xtask python                        build the Python package and test it in a new environment
cargo xtask numberings FOLDER             read games that ports/python wrote in each dialect of old ChessBase
cargo xtask readback FOLDER               read games that ports/python wrote in the other formats
cargo xtask static                        build the program as one static binary and test it
cargo xtask web [--test | --check [OPTIONS]]
                                          build the page into bindings/web/dist; drive it in a browser; if it can be done
cargo xtask npm [--test]                  build the npm package into bindings/npm/dist; test it
cargo xtask workflows                     actionlint and shellcheck; try the installer
cargo xtask release --version | --check TAG | --sbom | --address URL
                                          steps of a release: docs/publishing.md
cargo xtask bench GAMES.pgn [--only PART] [--passes N] [--busy]
                                          measure on an idle machine, beside other programs too; write
                                          docs/performance and its pictures
cargo xtask cores GAMES.pgn [--passes N] [--program PATH]
                                          measure on 1 to 16 cores of an idle machine; write
                                          docs/performance/cores.csv
cargo xtask large GAMES.pgn [--copies N] [--passes N] [--only FORMAT] [--program PATH]
                                          questions about ten million games on an idle machine, beside Scid;
                                          write docs/performance/ten-million.csv
cargo xtask times GAMES.pgn [--runs N] [--repeat N]
                                          convert from each format to each: time, and its serial part
cargo xtask damaged-streams [--runs N] [--program PATH]
                                          damaged gzip, bzip2, xz, zstd and zip against their own tools
cargo xtask growth GAMES.pgn [COUNT [FORMAT...]]
                                          each format with 10,000 games, ten times as many, and so on

A check whose tool is missing fails. SCORESHEET_OPTIONAL lists tools that may be missing:
rust-VERSION, rust-api, nightly, wasm32, no_std, node, npm-kaitai, npm-web, chromium, python3, shellcheck, go, cc,
c++, valgrind, maturin, java, and the names of peers and packers. Every command takes --help, which prints its lines
and does nothing else.
";

/// A task's failure, ready to print.
type Failure = Box<dyn std::error::Error>;

/// Returns the help that `words` ask for: with `--help` or `-h` anywhere, the lines of [`USAGE`] for
/// the command, or all of them if the command is unknown or missing.
fn help(words: &[&str]) -> Option<String> {
    let is_help = |word: &&str| matches!(*word, "--help" | "-h");
    if !words.iter().any(is_help) && words != ["help"] {
        return None;
    }
    let command = words.iter().find(|word| !is_help(word)).copied().unwrap_or_default();
    let mut is_wanted = false;
    let mut text = String::new();
    for line in USAGE.lines().take_while(|line| !line.is_empty()) {
        if let Some(rest) = line.strip_prefix("cargo xtask ") {
            is_wanted = rest.split(' ').next() == Some(command);
        }
        if is_wanted {
            text.push_str(line);
            text.push('\n');
        }
    }
    Some(if text.is_empty() { USAGE.to_owned() } else { text })
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let Some(text) = help(&words) {
        print!("{text}");
        return ExitCode::SUCCESS;
    }
    let done = match words.as_slice() {
        ["c", rest @ ..] => c::run(rest),
        ["cases", folder] => cases::run(folder.as_ref()),
        ["api", rest @ ..] => api::run(rest),
        ["book"] => book::run(),
        ["bundle"] => bundle::run(false),
        ["bundle", "--check"] => bundle::run(true),
        ["ci"] => ci::run(),
        ["figures"] => figures::run(false),
        ["figures", "--check"] => figures::run(true),
        ["coverage"] => coverage::run(),
        ["descriptions"] => descriptions::run(),
        ["examples"] => examples::run(None),
        ["examples", "tables"] => parquet::run_examples(),
        ["damaged-streams", rest @ ..] => damaged_streams::run(rest),
        ["fixtures", rest @ ..] => fixtures::run(rest),
        ["ksy"] => kaitai::run(),
        ["licences"] => licences::run(),
        ["minimal"] => minimal::run(),
        ["mutants", rest @ ..] => mutants::run(rest),
        ["tables"] => tables::run(false),
        ["tables", "--check"] => tables::run(true),
        ["openings"] => openings::run(false),
        ["openings", "--check"] => openings::run(true),
        ["tidy"] => tidy::run(),
        ["tidy", "--language"] => language::list(None),
        ["tidy", "--language", name] => language::list(Some(name)),
        ["tidy", "--lower"] => language::lower(),
        ["fuzz", rest @ ..] => fuzz::run(rest),
        ["memory", rest @ ..] => memory::run(rest),
        ["robustness", rest @ ..] => robustness::run(rest),
        ["package"] => packages::run(true),
        ["parquet"] => parquet::run(),
        ["pgnpeers", files @ ..] => pgnpeers::run(files),
        ["ports"] => ports::run(),
        ["numberings", folder] => numberings::run(folder.as_ref()),
        ["questions", rest @ ..] => questions::run(rest),
        ["readback", folder] => readback::run(folder.as_ref()),
        ["python"] => python::run(),
        ["targets"] => targets::run(),
        ["samples", folder] => samples::run(folder.as_ref()),
        ["static"] => static_program::run(),
        ["growth", rest @ ..] => growth::run(rest),
        ["web", rest @ ..] => web::run(rest),
        ["npm", rest @ ..] => npm::run(rest),
        ["release", rest @ ..] => release::run(rest),
        ["workflows"] => workflows::run(),
        ["bench", rest @ ..] => bench::run(rest),
        ["cores", rest @ ..] => cores::run(rest),
        ["large", rest @ ..] => large::run(rest),
        ["times", rest @ ..] => times::run(rest),
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask: {failure}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of all commands, as [`USAGE`] lists them.
    fn commands() -> Vec<&'static str> {
        let lines = USAGE.lines().filter_map(|line| line.strip_prefix("cargo xtask "));
        lines.filter_map(|line| line.split(' ').next()).collect()
    }

    #[test]
    fn help_of_each_command_prints_its_lines_only() {
        for command in commands() {
            let text = help(&[command, "--help"]).unwrap();
            assert!(text.starts_with(&format!("cargo xtask {command} ")), "{command}: {text}");
            let lines = text.lines().filter_map(|line| line.strip_prefix("cargo xtask "));
            assert!(lines.clone().count() > 0);
            assert!(lines.clone().all(|line| line.split(' ').next() == Some(command)));
        }
    }

    #[test]
    fn help_among_other_words_is_found() {
        assert_eq!(help(&["times", "games.pgn", "-h"]), help(&["times", "--help"]));
        assert_eq!(help(&["times", "games.pgn"]), None);
    }

    /// Running a command panics in a test, so these fail before anything is built.
    #[test]
    fn wrong_arguments_fail_before_building() {
        let failures = [
            growth::run(&["/no/games.pgn"]),
            growth::run(&["/no/games.pgn", "many"]),
            growth::run(&[]),
            bench::run(&[]),
            bench::run(&["/no/games.pgn"]),
            bench::run(&["Cargo.toml", "--only", "nothing"]),
            bench::run(&["Cargo.toml", "--passes", "few"]),
            times::run(&["/no/games.pgn"]),
            times::run(&["/no/games.pgn", "--runs"]),
            cases::run("/no/folder".as_ref()),
            memory::run(&["--no-option"]),
            memory::run(&["/no/folder"]),
            robustness::run(&["no-format"]),
            robustness::run(&["--seconds", "few"]),
            mutants::run(&[]),
            mutants::run(&["no-format"]),
            mutants::run(&["--sample", "few", "scid"]),
            fuzz::run(&["no-target"]),
            fuzz::run(&["--seconds", "few"]),
            fixtures::run(&["no-family"]),
            damaged_streams::run(&["--program", "/no/program"]),
            damaged_streams::run(&["--runs"]),
            web::run(&["no-option"]),
            npm::run(&["no-option"]),
            release::run(&["no-option"]),
            release::run(&["--check", "v99.0.0"]),
            release::run(&["--address", "ftp://host"]),
            c::run(&["no-option"]),
            samples::run("/no/folder".as_ref()),
            questions::run(&["/no/games.pgn"]),
            questions::run(&["/no/games.pgn", "/no/games.pgn"]),
            questions::run(&["/no/games.pgn", "/no/games.pgn", "--runs"]),
        ];
        for (number, failure) in failures.into_iter().enumerate() {
            let text = failure.unwrap_err().to_string();
            assert!(!text.is_empty(), "{number}");
        }
    }

    #[test]
    fn help_without_command_prints_all() {
        for words in [["--help"], ["-h"], ["help"]] {
            assert_eq!(help(&words).as_deref(), Some(USAGE));
        }
    }
}
