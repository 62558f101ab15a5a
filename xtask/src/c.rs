//! Builds the C library, and tests it as C and C++ programs use it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use testkit::workspace_root;

use crate::ci::{RELAXED, run_command};
use crate::tools::missing;
use crate::{Failure, c_abi};

/// Warnings that fail a compilation.
const STRICT: [&str; 4] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];
/// The system libraries that the static library needs.
const STATIC_LIBRARIES: &str = "-lgcc_s -lutil -lrt -lpthread -lm -ldl";
const USAGE: &str = "c [--arrow | --write | --install FOLDER | --fuzz SECONDS]";

/// Runs all checks. The feature `arrow` is tested by `--arrow` alone. With `--write`, writes the header and the
/// list of the binary interface instead.
pub(crate) fn run(words: &[&str]) -> Result<(), Failure> {
    match words {
        [] => {
            check_header(false)?;
            test()
        }
        ["--arrow"] => test_arrow(),
        ["--write"] => {
            check_header(true)?;
            let installed = Installed::build("dev", &[], target().join("c/dev"))?;
            c_abi::check(&installed.folder, &folder().join("abi.txt"), true)
        }
        ["--install", folder] => install(folder.as_ref()),
        ["--fuzz", seconds] => fuzz(seconds.parse().map_err(|_| USAGE)?),
        _ => Err(USAGE.into()),
    }
}

fn folder() -> PathBuf {
    workspace_root().join("bindings/c")
}

fn target() -> PathBuf {
    let folder = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    folder.unwrap_or_else(|| workspace_root().join("target"))
}

/// Returns a Cargo command in the workspace of the library. It shares the target folder with the main
/// workspace, because most dependencies are the same.
fn cargo(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO"));
    let (command_name, rest) = words.split_first().unwrap_or((&"help", &[]));
    command.arg(command_name).arg("--manifest-path").arg(folder().join("Cargo.toml")).args(rest);
    command.env("CARGO_TARGET_DIR", target());
    command
}

/// Compares the header with the sources, or writes it.
fn check_header(write: bool) -> Result<(), Failure> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["run", "--quiet", "--manifest-path"]).arg(folder().join("header/Cargo.toml"));
    let output = command.env("CARGO_TARGET_DIR", target().join("c/header")).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let path = folder().join("include/scoresheet/scoresheet.h");
    if write {
        return Ok(fs::write(path, output.stdout)?);
    }
    if fs::read(&path)? != output.stdout {
        return Err("bindings/c/include/scoresheet/scoresheet.h differs from the sources; \
                    run cargo xtask c --write"
            .into());
    }
    Ok(())
}

/// The library as it is installed: headers, library and a file for pkg-config.
struct Installed {
    folder: PathBuf,
}

impl Installed {
    /// Builds the library, and lays it out in a new folder.
    fn build(profile: &str, features: &[&str], folder: PathBuf) -> Result<Installed, Failure> {
        let mut build = cargo(&["build", "--lib", "--package", "scoresheet-c"]);
        run_command(build.args(["--profile", profile]).args(features))?;
        let built = target().join(if profile == "dev" { "debug" } else { profile });
        let ours = target().join("c");
        if folder.starts_with(&ours) && folder.is_dir() {
            fs::remove_dir_all(&folder)?;
        }
        let (include, lib) = (folder.join("include/scoresheet"), folder.join("lib"));
        fs::create_dir_all(&include)?;
        fs::create_dir_all(lib.join("pkgconfig"))?;
        for name in ["scoresheet.h", "scoresheet.hpp"] {
            let header = self::folder().join("include/scoresheet").join(name);
            fs::copy(header, include.join(name))?;
        }
        fs::copy(built.join("libscoresheet.a"), lib.join("libscoresheet.a"))?;
        fs::copy(built.join("libscoresheet.so"), lib.join("libscoresheet.so.0"))?;
        let link = lib.join("libscoresheet.so");
        if !link.exists() {
            #[cfg(unix)]
            std::os::unix::fs::symlink("libscoresheet.so.0", link)?;
        }
        fs::write(lib.join("pkgconfig/scoresheet.pc"), pkg_config(&folder))?;
        Ok(Installed { folder })
    }

    /// Compiles a program with nothing but what is installed. Returns the program.
    fn compile(&self, source: &Path, link: Link) -> Result<PathBuf, Failure> {
        let is_cpp = source.extension().is_some_and(|extension| extension == "cpp");
        let name = source.file_stem().unwrap_or_default();
        let program = self.folder.join(match link {
            Link::Shared => name.to_owned(),
            Link::Static => format!("{}-static", name.to_string_lossy()).into(),
        });
        let lib = self.folder.join("lib");
        let mut compile = Command::new(if is_cpp { "c++" } else { "cc" });
        compile.arg(if is_cpp { "-std=c++17" } else { "-std=c99" }).args(STRICT).arg("-g");
        compile.arg("-I").arg(self.folder.join("include")).arg(source).arg("-o").arg(&program);
        match link {
            Link::Shared => {
                compile.arg("-L").arg(&lib).args(["-lscoresheet", "-lpthread"]);
                compile.arg(format!("-Wl,-rpath,{}", lib.display()));
            }
            Link::Static => {
                compile.arg(lib.join("libscoresheet.a")).args(STATIC_LIBRARIES.split(' '));
            }
        }
        run_command(&mut compile)?;
        Ok(program)
    }
}

#[derive(Clone, Copy)]
enum Link {
    Shared,
    Static,
}

fn pkg_config(prefix: &Path) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "prefix={}\nlibdir=${{prefix}}/lib\nincludedir=${{prefix}}/include\n\n\
         Name: scoresheet\nDescription: Chess databases of many formats for C and C++\n\
         Version: {version}\nLibs: -L${{libdir}} -lscoresheet\nLibs.private: {STATIC_LIBRARIES}\n\
         Cflags: -I${{includedir}}\n",
        prefix.display()
    )
}

fn test() -> Result<(), Failure> {
    run_command(&mut cargo(&["fmt", "--all", "--check"]))?;
    let library = ["clippy", "--package", "scoresheet-c", "--lib", "--", "-D", "warnings"];
    run_command(&mut cargo(&library))?;
    let mut rest = vec!["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
    rest.extend(RELAXED.iter().flat_map(|lint| ["-A", lint]));
    run_command(&mut cargo(&rest))?;
    run_command(&mut cargo(&["test", "--workspace"]))?;
    for compiler in ["cc", "c++"] {
        if !answers(compiler) {
            return missing(compiler, "bindings/c", &format!("{compiler} is not installed"));
        }
    }
    let installed = Installed::build("dev", &[], target().join("c/dev"))?;
    c_abi::check(&installed.folder, &folder().join("abi.txt"), false)?;
    examples(&installed)?;
    readme(&installed)?;
    let fresh = installed.folder.join("written");
    let fixtures = workspace_root().join("fixtures");
    let list = installed.folder.join("fixtures.txt");
    fs::write(&list, fixture_list()?)?;
    let has_valgrind = answers("valgrind");
    if !has_valgrind {
        missing("valgrind", "leaks of bindings/c", "valgrind is not installed")?;
    }
    for (name, link) in [
        ("interface.c", Link::Shared),
        ("interface.c", Link::Static),
        ("wrapper.cpp", Link::Shared),
        ("fixtures.c", Link::Shared),
    ] {
        let program = installed.compile(&folder().join("tests").join(name), link)?;
        let run = |watched: bool| -> Result<(), Failure> {
            let mut command =
                if watched { under_valgrind(&program) } else { Command::new(&program) };
            if name == "fixtures.c" {
                return run_command(command.arg(&list));
            }
            if fresh.is_dir() {
                fs::remove_dir_all(&fresh)?;
            }
            fs::create_dir_all(&fresh)?;
            run_command(command.arg(&fixtures).arg(&fresh))
        };
        run(false)?;
        if has_valgrind && matches!(link, Link::Shared) {
            run(true)?;
        }
    }
    Ok(())
}

/// Tests the feature `arrow`. It is apart because it needs Arrow, and shares what `cargo xtask python` has built.
fn test_arrow() -> Result<(), Failure> {
    let features = ["--features", "arrow"];
    let mut tests = cargo(&["test", "--package", "scoresheet-c", "--lib"]);
    run_command(tests.args(features))?;
    if !answers("cc") {
        return missing("cc", "bindings/c", "cc is not installed");
    }
    let installed = Installed::build("dev", &features, target().join("c/arrow"))?;
    c_abi::check(&installed.folder, &folder().join("abi.txt"), false)?;
    let program = installed.compile(&folder().join("tests/arrow.c"), Link::Shared)?;
    let fixtures = workspace_root().join("fixtures");
    run_command(Command::new(&program).arg(&fixtures))?;
    if !answers("valgrind") {
        return missing("valgrind", "leaks of bindings/c", "valgrind is not installed");
    }
    run_command(under_valgrind(&program).arg(&fixtures))
}

/// Returns a command that runs a program under valgrind, where a leak or a wrong access is a failure.
fn under_valgrind(program: &Path) -> Command {
    let mut command = Command::new("valgrind");
    command.args(["--quiet", "--leak-check=full", "--show-leak-kinds=definite"]);
    command.args(["--errors-for-leak-kinds=definite", "--error-exitcode=9"]);
    let suppressions = folder().join("tests/valgrind.supp");
    command.arg(format!("--suppressions={}", suppressions.display()));
    // Inlined functions would hide the name that a suppression has.
    command.args(["--read-inline-info=no", "--fair-sched=yes"]).arg(program);
    command
}

fn answers(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Lists every base of the fixtures: the base, its encoding, and its canonical lines.
fn fixture_list() -> Result<String, Failure> {
    let mut list = String::new();
    for family in scoresheet::families() {
        for case in testkit::cases(family.name) {
            let expected = case.file("expected.jsonl");
            let format = case.format_in(family.formats, family.name);
            let first = format.extensions.first().ok_or("a format without an extension")?;
            let path = case.path(first);
            let encoding = case.meta.encoding.as_deref().unwrap_or("-");
            let (path, expected) = (path.display(), expected.display());
            list.push_str(&format!("{path}\t{encoding}\t{expected}\n"));
        }
    }
    Ok(list)
}

/// Compiles the examples in a folder that holds nothing else but the installed library, and compares
/// what they print with their head comments.
fn examples(installed: &Installed) -> Result<(), Failure> {
    let mut wrong = Vec::new();
    let mut count = 0u32;
    for entry in fs::read_dir(folder().join("examples"))? {
        let path = entry?.path();
        let program = installed.compile(&path, Link::Shared)?;
        let text = fs::read_to_string(&path)?;
        for (words, expected) in shown_runs(&text) {
            count += 1;
            let output_path = installed.folder.join("example");
            let output_path = output_path.to_string_lossy();
            let words = words.iter().map(|word| word.replace("OUT", &output_path));
            let output =
                Command::new(&program).args(words).current_dir(workspace_root()).output()?;
            let printed = String::from_utf8(output.stdout)?;
            let told = String::from_utf8_lossy(&output.stderr).into_owned();
            if printed.trim_end() != expected.trim_end() || !told.is_empty() {
                wrong.push(format!("{}:\n{printed}{told}", path.display()));
            }
            for extension in ["cbf", "cbi"] {
                // Only one example writes.
                let _ = fs::remove_file(installed.folder.join("example").with_extension(extension));
            }
        }
    }
    if count == 0 {
        return Err("bindings/c/examples: no example shows a run".into());
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// Compiles the programs of the README, and compares what they print: the first game as PGN.
fn readme(installed: &Installed) -> Result<(), Failure> {
    let text = fs::read_to_string(folder().join("README.md"))?;
    let case = workspace_root().join("fixtures/scid/plain");
    let pgn = fs::read_to_string(case.join("expected.pgn"))?;
    for (language, extension) in [("```c\n", "c"), ("```cpp\n", "cpp")] {
        let block = text.split(language).nth(1).and_then(|rest| rest.split("```").next());
        let source = installed.folder.join("readme").with_extension(extension);
        fs::write(&source, block.ok_or("bindings/c/README.md has no program")?)?;
        for link in [Link::Shared, Link::Static] {
            let program = installed.compile(&source, link)?;
            let output = Command::new(&program).arg(case.join("base.si4")).output()?;
            let printed = String::from_utf8(output.stdout)?;
            let is_first = printed.starts_with("[Event ") && pgn.starts_with(printed.trim_end());
            if !is_first {
                return Err(format!("{}: printed {printed:?}", source.display()).into());
            }
            // A static program has all of the library.
            fs::remove_file(program)?;
        }
    }
    Ok(())
}

/// Returns the runs that a head comment shows: the arguments and the output of each.
fn shown_runs(text: &str) -> Vec<(Vec<String>, String)> {
    const INDENT: &str = " *     ";
    let mut runs: Vec<(Vec<String>, String)> = Vec::new();
    for line in text.lines().take_while(|line| !line.starts_with(" */")) {
        if let Some(command) = line.strip_prefix(INDENT).and_then(|rest| rest.strip_prefix("$ ")) {
            runs.push((split(command).into_iter().skip(1).collect(), String::new()));
        } else if let Some((_, output)) = runs.last_mut() {
            if let Some(rest) = line.strip_prefix(INDENT) {
                output.push_str(rest);
                output.push('\n');
            } else if line == " *" {
                output.push('\n');
            }
        }
    }
    runs
}

/// Splits a command at blanks outside of double quotes.
fn split(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for letter in command.chars() {
        match letter {
            '"' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            letter => words.last_mut().into_iter().for_each(|word| word.push(letter)),
        }
    }
    words
}

/// Builds the library as it is handed out, and puts headers and libraries into a folder.
fn install(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder)?;
    let installed = Installed::build("release", &[], folder.canonicalize()?)?;
    for (name, strip) in
        [("libscoresheet.so.0", "--strip-unneeded"), ("libscoresheet.a", "--strip-debug")]
    {
        let path = installed.folder.join("lib").join(name);
        let before = size(&path)?;
        run_command(Command::new("strip").arg(strip).arg(&path))?;
        eprintln!("{name}: {} bytes, {before} before it was stripped", size(&path)?);
    }
    Ok(())
}

fn size(path: &Path) -> Result<u64, Failure> {
    Ok(fs::metadata(path)?.len())
}

/// Runs the fuzz target under libFuzzer.
fn fuzz(seconds: u32) -> Result<(), Failure> {
    let (root, host) = (folder().join("fuzz"), crate::fuzz::host()?);
    let (corpus, artifacts) = (root.join("corpus"), root.join("artifacts"));
    fs::create_dir_all(&corpus)?;
    fs::create_dir_all(&artifacts)?;
    let mut command = cargo(&["run", "--release", "--package", "scoresheet-c-fuzz"]);
    command.args(["--target", &host, "--bin", "c_calls", "--"]).arg(&corpus);
    command.arg(root.join("seeds")).arg(format!("-artifact_prefix={}/", artifacts.display()));
    command.arg(format!("-max_total_time={seconds}"));
    command.args(["-timeout=10", "-rss_limit_mb=1024", "-print_final_stats=1"]);
    command.env("CARGO_TARGET_DIR", target().join("c/fuzz"));
    run_command(command.env("RUSTFLAGS", crate::fuzz::HOOKS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shown_runs_have_arguments_and_output() {
        let text =
            "/* Counts.\n *\n *     $ count a \"b c\"\n *     1\n *\n *     2\n */\n *     $ x\n";
        let expected = (vec!["a".to_owned(), "b c".to_owned()], "1\n\n2\n".to_owned());
        assert_eq!(shown_runs(text), [expected]);
    }

    /// Without the feature cargo-c builds nothing; without a header it installs none, and no `-I` either.
    #[test]
    fn manifest_has_what_cargo_c_reads() {
        let text = fs::read_to_string(folder().join("Cargo.toml")).unwrap();
        let manifest: toml::Table = text.parse().unwrap();
        assert!(manifest["features"].as_table().unwrap().contains_key("capi"));
        let capi = &manifest["package"]["metadata"]["capi"];
        assert_eq!(capi["header"].get("enabled"), None);
        assert_eq!(capi["header"]["subdirectory"].as_str(), Some("scoresheet"));
        assert_eq!(capi["pkg_config"]["strip_include_path_components"].as_integer(), Some(1));
        let soname = fs::read_to_string(folder().join("build.rs")).unwrap();
        assert_eq!(capi["library"]["version_suffix_components"].as_integer(), Some(1));
        assert!(soname.contains("-soname,libscoresheet.so.0\""));
    }

    #[test]
    fn run_unknown_words_is_error() {
        assert!(run(&["--no-such"]).is_err());
        assert!(run(&["--fuzz", "few"]).is_err());
    }
}
