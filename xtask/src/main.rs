//! Development tasks of the project: `cargo xtask`.

mod api;
mod book;
mod bundle;
mod c;
mod c_abi;
mod ci;
mod coverage;
mod documents;
mod examples;
mod fixtures;
mod fuzz;
mod kaitai;
mod language;
mod licences;
mod minimal;
mod npm;
mod openings;
mod packages;
mod parquet;
mod ports;
mod python;
mod release;
mod rules;
mod sbom;
mod static_program;
mod tables;
mod targets;
mod tidy;
mod tools;
mod web;
mod workflows;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask ci [--only CHECK]             everything a change must pass, or one of its checks
cargo xtask fixtures [--check] [FAMILY]   write expected.jsonl and expected.pgn, or compare them
cargo xtask generate [--check]            write tables of the documents and the names of openings, or compare them
cargo xtask tidy [--language [CRATE] | --lower]
                                          citations, sizes, folders, links, language; list what breaks the rules of
                                          CONTRIBUTING.md; lower the limits of xtask/language.toml
cargo xtask coverage                      rules of the pages that no case shows, or without a letter
cargo xtask api [--check]                 write the public API of each crate to docs/api, or compare it
cargo xtask examples [tables]             run the examples of all crates, or those that need this feature
cargo xtask ports [--bundle]              test the ports, Kaitai descriptions and conformance bundle; make the bundle
cargo xtask fuzz [--seconds N] [TARGET]   run the fuzz targets, 60 seconds each
cargo xtask package                       make each package and build it alone
cargo xtask parquet                       test Parquet and Arrow, which no default build has
cargo xtask python                        build the Python package and test it in a new environment
cargo xtask c [--arrow | --write | --install FOLDER | --fuzz SECONDS]
                                          test the C library, or its feature arrow; write its header and abi.txt;
                                          install it; fuzz it
cargo xtask web [--test | --check [OPTIONS]]
                                          build the page into bindings/web/dist; drive it in a browser; if it can be done
cargo xtask npm [--test]                  build the npm package into bindings/npm/dist; test it
cargo xtask release --version | --check TAG | --sbom | --address URL | --static | --site
                                          steps of a release: docs/publishing.md; one static binary; the site of documents

A check whose tool is missing fails. SCORESHEET_OPTIONAL lists tools that may be missing:
rust-VERSION, rust-api, nightly, wasm32, no_std, node, npm-kaitai, npm-web, chromium, python3, shellcheck, go, cc,
c++, valgrind, maturin, java. Every command takes --help, which prints its lines and does nothing else. What measures
and compares once in a while is in lab/.
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
        ["api", rest @ ..] => api::run(rest),
        ["c", rest @ ..] => c::run(rest),
        ["ci"] => ci::run(None),
        ["ci", "--only", check] => ci::run(Some(check)),
        ["coverage"] => coverage::run(),
        ["examples"] => examples::run(None),
        ["examples", "tables"] => parquet::run_examples(),
        ["fixtures", rest @ ..] => fixtures::run(rest),
        ["fuzz", rest @ ..] => fuzz::run(rest),
        ["generate"] => ci::generate(false),
        ["generate", "--check"] => ci::generate(true),
        ["npm", rest @ ..] => npm::run(rest),
        ["package"] => packages::run(true),
        ["parquet"] => parquet::run(),
        ["ports"] => ports::run(),
        ["ports", "--bundle"] => bundle::run(false),
        ["python"] => python::run(),
        ["release", "--site"] => book::run(),
        ["release", "--static"] => static_program::run(),
        ["release", rest @ ..] => release::run(rest),
        ["tidy"] => tidy::run(),
        ["tidy", "--language"] => language::list(None),
        ["tidy", "--language", name] => language::list(Some(name)),
        ["tidy", "--lower"] => language::lower(),
        ["web", rest @ ..] => web::run(rest),
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
        assert_eq!(help(&["fuzz", "scid_record", "-h"]), help(&["fuzz", "--help"]));
        assert_eq!(help(&["fuzz", "scid_record"]), None);
    }

    /// Running a command panics in a test, so these fail before anything is built.
    #[test]
    fn wrong_arguments_fail_before_building() {
        let failures = [
            ci::run(Some("no-check")),
            fuzz::run(&["no-target"]),
            fuzz::run(&["--seconds", "few"]),
            fixtures::run(&["no-family"]),
            web::run(&["no-option"]),
            npm::run(&["no-option"]),
            release::run(&["no-option"]),
            release::run(&["--check", "v99.0.0"]),
            release::run(&["--address", "ftp://host"]),
            c::run(&["no-option"]),
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
