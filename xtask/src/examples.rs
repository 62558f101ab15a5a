//! Runs the examples of all crates and compares their output with their head comments.
//!
//! The head comment of an example has a block for each run, as a reader would type it:
//!
//! ```text
//! //! ```console
//! //! $ cargo run --example pgn_count fixtures/pgn/basic/base.pgn
//! //! 3 games
//! //! ```
//! ```
//!
//! A line `...` stands for any number of lines. An example without such a block fails, and so does a
//! published library without examples. Nothing is listed by hand: the files and packages come from
//! `cargo metadata`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;
use testkit::workspace_root;

use crate::Failure;

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    publish: Option<Vec<String>>,
    targets: Vec<Target>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
    src_path: PathBuf,
    #[serde(default, rename = "required-features")]
    required_features: Vec<String>,
}

impl Target {
    fn is(&self, kind: &str) -> bool {
        self.kind.iter().any(|own| own == kind)
    }
}

/// A line of `cargo build --message-format=json` about a built target.
#[derive(Deserialize)]
struct Artifact {
    target: Option<Target>,
    executable: Option<PathBuf>,
}

/// A command in a head comment, and the output that follows it.
#[derive(PartialEq, Eq, Debug)]
struct Run {
    features: Option<String>,
    name: String,
    arguments: Vec<String>,
    output: Vec<String>,
}

/// Examples that need a feature which no default build has.
pub(crate) struct Special<'a> {
    pub(crate) feature: &'a str,
    /// The packages and features of other commands, so that Cargo builds nothing twice.
    pub(crate) selected: &'a [&'a str],
}

/// Builds and runs the examples: those that need a feature, or all others.
pub(crate) fn run(special: Option<&Special>) -> Result<(), Failure> {
    let packages = packages()?;
    let feature = special.map(|special| special.feature);
    let mut wrong = Vec::new();
    let mut sources = BTreeMap::new();
    for package in &packages {
        let examples: Vec<_> =
            package.targets.iter().filter(|target| target.is("example")).collect();
        let is_published = package.publish.as_ref().is_none_or(|to| !to.is_empty());
        let has = |kind| package.targets.iter().any(|target| target.is(kind));
        // The library of a program has no users.
        let is_library = has("lib") && !has("bin");
        if is_published && is_library && examples.is_empty() {
            wrong.push(format!("{}: the package has no example", package.name));
        }
        for example in examples {
            if sources.insert(example.name.clone(), example).is_some() {
                wrong.push(format!("{}: another example has the same name", example.name));
            }
        }
    }
    let programs = build(&packages, special)?;
    let mut count = 0usize;
    for (name, example) in sources {
        let source = std::fs::read_to_string(&example.src_path)?;
        let checked = runs(&source).and_then(|runs| match (programs.get(&name), feature) {
            (Some(program), _) => check_all(&name, feature, program, &runs).map(|()| true),
            (None, None) if example.required_features.is_empty() => {
                Err("the example was not built".into())
            }
            // It runs with its feature.
            (None, None) if runs.iter().any(|run| run.features.is_none()) => {
                Err("the command must name a feature".into())
            }
            (None, _) => Ok(false),
        });
        match checked {
            Ok(has_run) => count += usize::from(has_run),
            Err(why) => wrong.push(format!("{}: {why}", example.src_path.display())),
        }
    }
    if !wrong.is_empty() {
        return Err(wrong.join("\n").into());
    }
    if count == 0 {
        return Err("no example was run".into());
    }
    println!("{count} examples print what their head comments say");
    Ok(())
}

fn packages() -> Result<Vec<Package>, Failure> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps"])
        .current_dir(workspace_root())
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    let metadata: Metadata = serde_json::from_slice(&output.stdout)?;
    Ok(metadata.packages)
}

/// Builds the examples. Returns the programs by the names of the examples.
fn build(
    packages: &[Package],
    special: Option<&Special>,
) -> Result<BTreeMap<String, PathBuf>, Failure> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["build", "--quiet", "--message-format=json-render-diagnostics"]);
    let Some(Special { feature, selected }) = special else {
        return build_with(command.args(["--workspace", "--examples"]));
    };
    let examples = packages.iter().flat_map(|package| &package.targets).filter(|target| {
        target.is("example") && target.required_features.iter().any(|needed| needed == feature)
    });
    let names: Vec<&str> = examples.flat_map(|example| ["--example", &*example.name]).collect();
    if names.is_empty() {
        return Err(format!("no example needs {feature}").into());
    }
    build_with(command.args(*selected).args(names))
}

fn build_with(command: &mut Command) -> Result<BTreeMap<String, PathBuf>, Failure> {
    let output = command.current_dir(workspace_root()).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err("the examples do not build".into());
    }
    let mut programs = BTreeMap::new();
    for line in output.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let artifact: Artifact = serde_json::from_slice(line)?;
        if let (Some(target), Some(program)) = (artifact.target, artifact.executable)
            && target.is("example")
        {
            programs.insert(target.name, program);
        }
    }
    Ok(programs)
}

/// Returns the runs that the head comment of an example shows.
fn runs(source: &str) -> Result<Vec<Run>, Failure> {
    let mut runs: Vec<Run> = Vec::new();
    let mut is_inside = false;
    for line in source.lines().map_while(|line| line.strip_prefix("//!")) {
        let line = line.strip_prefix(' ').unwrap_or(line);
        if line.starts_with("```") {
            is_inside = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| is_inside) {
            runs.push(parse_run(command)?);
        } else if is_inside {
            let run =
                runs.last_mut().ok_or("the head comment has output before the first command")?;
            run.output.push(line.to_owned());
        }
    }
    if runs.is_empty() {
        return Err("the head comment has no ```console block with `$ cargo run --example`".into());
    }
    Ok(runs)
}

fn parse_run(command: &str) -> Result<Run, Failure> {
    let wrong =
        || format!("`{command}` is not `cargo run [--features F] --example NAME [ARGUMENTS]`");
    let mut words =
        command.strip_prefix("cargo run ").ok_or_else(wrong)?.split(' ').map(String::from);
    let mut features = None;
    let name = loop {
        let word = words.next().ok_or_else(wrong)?;
        let value = words.next().ok_or_else(wrong)?;
        match word.as_str() {
            "--features" => features = value.rsplit('/').next().map(String::from),
            "--example" => break value,
            _ => return Err(wrong().into()),
        }
    };
    Ok(Run { features, name, arguments: words.collect(), output: Vec::new() })
}

fn check_all(
    name: &str,
    feature: Option<&str>,
    program: &Path,
    runs: &[Run],
) -> Result<(), Failure> {
    runs.iter().try_for_each(|run| check(name, feature, program, run))
}

/// Runs the program, and compares what it prints with what the head comment says.
fn check(name: &str, feature: Option<&str>, program: &Path, run: &Run) -> Result<(), Failure> {
    if run.name != name {
        return Err(format!("the head comment runs `{}`", run.name).into());
    }
    if run.features.as_deref() != feature {
        let feature = feature.unwrap_or("no feature");
        return Err(format!("the command must name `{feature}`, as it was built").into());
    }
    if run.output.is_empty() {
        return Err("the head comment shows no output".into());
    }
    let ran = Command::new(program).args(&run.arguments).current_dir(workspace_root()).output()?;
    if !ran.status.success() {
        let why = String::from_utf8_lossy(&ran.stderr);
        return Err(format!("{}: {}\n{why}", run.arguments.join(" "), ran.status).into());
    }
    let printed = String::from_utf8(ran.stdout)?;
    let printed: Vec<&str> = printed.trim_end().lines().map(str::trim_end).collect();
    if matches(&run.output, &printed) {
        return Ok(());
    }
    Err(format!("the head comment shows something else than\n{}", printed.join("\n")).into())
}

/// Returns `true` if `printed` is what `shown` says. A line `...` stands for any number of lines.
fn matches(shown: &[String], printed: &[&str]) -> bool {
    let Some((first, rest)) = shown.split_first() else { return printed.is_empty() };
    if first == "..." {
        return (0..=printed.len()).any(|skipped| matches(rest, &printed[skipped..]));
    }
    printed.split_first().is_some_and(|(line, more)| line == first && matches(rest, more))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_head_comment_have_commands_and_output() {
        let source = "//! Prints.\n//!\n//! ```console\n//! $ cargo run --example a b c\n//! one\n//!\n//! two\n\
                      //! $ cargo run --features scoresheet/tables --example a\n//! three\n//! ```\nfn main() {}\n\
                      //! $ cargo run --example not_here\n";
        let run = |features: Option<&str>, arguments: &[&str], output: &[&str]| Run {
            features: features.map(String::from),
            name: "a".into(),
            arguments: arguments.iter().map(|word| (*word).into()).collect(),
            output: output.iter().map(|line| (*line).into()).collect(),
        };
        let expected =
            [run(None, &["b", "c"], &["one", "", "two"]), run(Some("tables"), &[], &["three"])];
        assert_eq!(runs(source).unwrap(), expected);
    }

    #[test]
    fn runs_without_command_is_error() {
        for source in [
            "fn main() {}",
            "//! Prints.\nfn main() {}",
            "//! ```console\n//! $ cargo test\n//! ```",
            "//! ```console\n//! output\n//! ```",
            "//! ```text\n//! $ cargo run --example a\n//! ```",
            "//! ```console\n//! $ cargo run --example\n//! ```",
        ] {
            assert!(runs(source).is_err(), "{source}");
        }
    }

    #[test]
    fn matches_dots_stand_for_any_lines() {
        let shown =
            |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
        assert!(matches(&shown(&["a", "...", "d"]), &["a", "b", "c", "d"]));
        assert!(matches(&shown(&["a", "..."]), &["a"]));
        assert!(!matches(&shown(&["a"]), &["a", "b"]));
        assert!(!matches(&shown(&["a", "b"]), &["a"]));
        assert!(!matches(&shown(&["...", "d"]), &["a"]));
    }
}
