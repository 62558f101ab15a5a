//! A copy of the workspace in which a switch selects one of all mutants of a crate.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::io;
use std::ops::Range;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Failure;
use crate::find::{Shape, Site, find, needed_by_constants};
use crate::formats::Format;

/// A change of one place.
pub(crate) struct Mutant {
    file: String,
    line: usize,
    function: String,
    /// The description of the change, and its line.
    said: String,
    /// Whether the mutant compiles.
    pub(crate) compiles: bool,
}

impl Mutant {
    /// Returns a name that stays the same when other parts of the file change. Identical changes in
    /// identical lines share it.
    pub(crate) fn name(&self) -> String {
        format!("{} {}: {}", self.file, self.function, self.said)
    }
}

impl fmt::Display for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{} {}: {}", self.file, self.line, self.function, self.said)
    }
}

struct Source {
    /// The path in the crate's folder.
    name: String,
    text: String,
    /// The sites, each with the number of its first mutant.
    sites: Vec<(usize, Site)>,
    consts: Vec<Range<usize>>,
}

/// The crate of a format with its mutants.
pub(crate) struct Tree {
    format: &'static Format,
    pub(crate) folder: PathBuf,
    sources: Vec<Source>,
    pub(crate) mutants: Vec<Mutant>,
}

impl Tree {
    /// Finds the mutants of a format's decoder and creates the copy. Everything is a link, except
    /// this crate's sources, tests and fixtures.
    pub(crate) fn new(
        root: &Path,
        folder: &Path,
        format: &'static Format,
    ) -> Result<Tree, Failure> {
        let own = Path::new("crates").join(format.folder());
        let mut names = Vec::new();
        list(&root.join(&own), Path::new("src"), &mut names)?;
        let texts = names
            .iter()
            .map(|name| fs::read_to_string(root.join(&own).join(name)))
            .collect::<Result<Vec<_>, _>>()?;
        let needed = needed_by_constants(&texts);
        let (mut sources, mut mutants) = (Vec::new(), Vec::new());
        for (name, text) in names.into_iter().zip(texts) {
            let mut source = Source { name, text, sites: Vec::new(), consts: Vec::new() };
            if format.has(&source.name) {
                let skipped = |function: &str| format.skips(&source.name, function);
                let found = find(&source.text, &needed, &skipped)
                    .map_err(|error| format!("{}: {error}", source.name))?;
                source.consts = found.consts;
                for site in found.sites {
                    let first = mutants.len() + 1;
                    let line = source.text[..site.place.start].matches('\n').count() + 1;
                    let row = source.text.lines().nth(line - 1).unwrap_or_default().trim();
                    mutants.extend(site.changes.iter().map(|(said, _)| Mutant {
                        file: source.name.trim_start_matches("src/").to_owned(),
                        line,
                        function: site.function.clone(),
                        said: format!(
                            "{} | {row}",
                            said.split_whitespace().collect::<Vec<_>>().join(" ")
                        ),
                        compiles: true,
                    }));
                    source.sites.push((first, site));
                }
            }
            sources.push(source);
        }
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        link_all_but(root, folder, &["crates", "fixtures", "target", ".git", "Cargo.lock"])?;
        fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
        for (parent, own) in [("crates", format.folder()), ("fixtures", format.name)] {
            link_all_but(&root.join(parent), &folder.join(parent), &[own])?;
        }
        link_all_but(&root.join(&own), &folder.join(&own), &["src", "tests"])?;
        // Copies, so that new cases do not disturb a run.
        for copied in [own.join("tests"), Path::new("fixtures").join(format.name)] {
            copy(root, folder, &copied)?;
        }
        Ok(Tree { format, folder: folder.to_owned(), sources, mutants })
    }

    /// Writes the sources with all mutants that are not known to fail to compile.
    fn write(&self) -> io::Result<()> {
        let own = self.folder.join("crates").join(self.format.folder());
        for source in &self.sources {
            let path = own.join(&source.name);
            fs::create_dir_all(path.parent().unwrap_or(&own))?;
            let mut text = self.render(source);
            if source.name == "src/lib.rs" {
                text.push_str(&SWITCH.replace("COUNT", &(self.mutants.len() + 1).to_string()));
            }
            fs::write(path, text)?;
        }
        Ok(())
    }

    fn render(&self, source: &Source) -> String {
        // The text before and after each place. If two places begin together, the outer one was
        // found first and must be closed last.
        let mut opening: Vec<(usize, String)> = Vec::new();
        let mut closing: Vec<(usize, String)> = Vec::new();
        for (first, site) in &source.sites {
            let changes: Vec<(usize, &str)> = (*first..)
                .zip(&site.changes)
                .filter(|(number, _)| self.mutants[number - 1].compiles)
                .map(|(number, (_, text))| (number, text.as_str()))
                .collect();
            if changes.is_empty() {
                continue;
            }
            let all: Vec<String> = changes.iter().map(|(number, _)| number.to_string()).collect();
            let all = all.join(",");
            let on = |number: usize| format!("crate::mutant_switch::on({number})");
            let (mut before, mut behind) = (format!("/*<{all}*/"), String::new());
            match site.shape {
                Shape::Value => {
                    before.push('(');
                    for (number, text) in changes {
                        before.push_str(&format!(
                            "if {} {{/*<{number}*/({text})/*>*/}} else ",
                            on(number)
                        ));
                    }
                    before.push('{');
                    behind.push_str("})");
                }
                Shape::Return => {
                    for (number, text) in changes {
                        before
                            .push_str(&format!("if {} {{/*<{number}*/{text}/*>*/}} ", on(number)));
                    }
                }
                Shape::Statement => {
                    before.push_str(&format!("if !{} {{", on(*first)));
                    behind.push('}');
                }
                Shape::Arm => before.push_str(&format!(" if !{}", on(*first))),
            }
            behind.push_str("/*>*/");
            if site.place.is_empty() {
                opening.push((site.place.start, before + &behind));
            } else {
                opening.push((site.place.start, before));
                closing.push((site.place.end, behind));
            }
        }
        closing.reverse();
        let mut edits: Vec<(usize, u8, String)> =
            closing.into_iter().map(|(at, text)| (at, 0, text)).collect();
        edits.extend(opening.into_iter().map(|(at, text)| (at, 1, text)));
        edits.sort_by_key(|(at, order, _)| (*at, *order));
        let mut text = String::new();
        let mut done = 0;
        let mut consts = source.consts.clone();
        consts.sort_by_key(|place| place.start);
        let mut consts = consts.into_iter().peekable();
        let mut copy = |to: usize, text: &mut String| {
            while let Some(place) = consts.next_if(|place| place.end <= to) {
                text.push_str(&source.text[done..place.start]);
                done = place.end;
            }
            text.push_str(&source.text[done..to]);
            done = to;
        };
        for (at, _, edit) in edits {
            copy(at, &mut text);
            text.push_str(&edit);
        }
        copy(source.text.len(), &mut text);
        text
    }

    /// Builds the tests with all mutants except those that do not compile. Returns the path of the
    /// program.
    pub(crate) fn build(&mut self, target: &Path) -> Result<PathBuf, Failure> {
        loop {
            self.write()?;
            let checked = self.cargo(target, &["check", "--message-format=short"])?;
            let said = String::from_utf8_lossy(&checked.stderr);
            if checked.status.success() {
                break;
            }
            let wrong = self.blame(&said);
            if wrong.is_empty() {
                return Err(format!("what does not compile is no mutant:\n{said}").into());
            }
            for number in &wrong {
                self.mutants[number - 1].compiles = false;
            }
        }
        let built = self.cargo(target, &["test", "--no-run", "--test", "suite"])?;
        let said = String::from_utf8_lossy(&built.stderr);
        let program = said
            .lines()
            .find_map(|line| line.trim().strip_prefix("Executable ")?.split(['(', ')']).nth(1));
        match program {
            Some(program) if built.status.success() => Ok(PathBuf::from(program)),
            _ => Err(said.into()),
        }
    }

    fn cargo(&self, target: &Path, arguments: &[&str]) -> io::Result<std::process::Output> {
        let mut command = Command::new("cargo");
        command
            .arg(arguments[0])
            .args(["--package", self.format.package()])
            .args(&arguments[1..])
            .current_dir(&self.folder);
        // Allow all lints, because many mutants would cause warnings.
        command
            .env("RUSTFLAGS", "--cap-lints=allow")
            .env("CARGO_TARGET_DIR", target)
            .env("CARGO_TERM_COLOR", "never")
            .output()
    }

    /// Returns the mutants in which the compiler's errors are.
    fn blame(&self, said: &str) -> BTreeSet<usize> {
        let mut wrong = BTreeSet::new();
        for line in said.lines().filter(|line| line.contains(": error")) {
            let mut words = line.splitn(4, ':');
            let (Some(path), Some(row), Some(column)) = (words.next(), words.next(), words.next())
            else {
                continue;
            };
            let (Ok(row), Ok(column)) = (row.parse::<usize>(), column.parse::<usize>()) else {
                continue;
            };
            let Ok(text) = fs::read_to_string(self.folder.join(path)) else { continue };
            let Some(found) = text.split_inclusive('\n').nth(row - 1) else { continue };
            let start: usize = text.split_inclusive('\n').take(row - 1).map(str::len).sum();
            let within: usize = found.chars().take(column - 1).map(char::len_utf8).sum();
            wrong.extend(innermost(&text[..start + within]));
        }
        wrong
    }
}

/// Returns the mutants whose text is open at the end of this one, or the previous mutant if there
/// are none: an error about the borrow of an `if` appears later.
fn innermost(text: &str) -> Vec<usize> {
    let mut open: Vec<&str> = Vec::new();
    let mut last = "";
    for (at, _) in text.match_indices("/*") {
        let mark = &text[at + 2..];
        if mark.starts_with(">*/") {
            last = open.pop().unwrap_or_default();
        } else if let Some(numbers) =
            mark.strip_prefix('<').and_then(|rest| rest.split("*/").next())
        {
            open.push(numbers);
        }
    }
    let numbers = open.pop().unwrap_or(last);
    numbers.split(',').filter_map(|number| number.parse().ok()).collect()
}

/// Returns the files in a folder of a crate, sorted.
fn list(root: &Path, below: &Path, into: &mut Vec<String>) -> io::Result<()> {
    let mut entries = fs::read_dir(root.join(below))?.collect::<Result<Vec<_>, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = below.join(entry.file_name());
        if entry.path().is_dir() {
            list(root, &path, into)?;
        } else {
            into.push(path.to_string_lossy().into_owned());
        }
    }
    Ok(())
}

/// Copies the content of a folder from one tree to the same place in the other.
fn copy(from: &Path, to: &Path, below: &Path) -> io::Result<()> {
    let mut names = Vec::new();
    list(from, below, &mut names)?;
    for name in names {
        let path = to.join(&name);
        fs::create_dir_all(path.parent().unwrap_or(to))?;
        fs::copy(from.join(&name), path)?;
    }
    Ok(())
}

fn link_all_but(from: &Path, to: &Path, left_out: &[&str]) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if !left_out.iter().any(|name| entry.file_name() == *name) {
            symlink(entry.path(), to.join(entry.file_name()))?;
        }
    }
    Ok(())
}

/// The code that the mutated crate calls. `MUTANT` is the active mutant, `MUTANT_CALLS` the maximum
/// number of calls, and `MUTANT_SEEN` a file that lists the mutants that a run without a mutant
/// reaches.
const SWITCH: &str = r#"
#[allow(missing_docs)]
pub mod mutant_switch {
    use std::io::Write as _;
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

    fn number(name: &str) -> Option<u64> {
        std::env::var(name).ok()?.parse().ok()
    }

    static ACTIVE: LazyLock<u64> = LazyLock::new(|| {
        if number("MUTANT").is_some() {
            // The first test that fails is enough.
            std::panic::set_hook(Box::new(|_| std::process::exit(101)));
        }
        number("MUTANT").unwrap_or(0)
    });
    static MOST: LazyLock<u64> = LazyLock::new(|| number("MUTANT_CALLS").unwrap_or(u64::MAX));
    static LOG: LazyLock<Option<std::fs::File>> =
        LazyLock::new(|| std::fs::File::create(std::env::var_os("MUTANT_SEEN")?).ok());
    static CALLS: AtomicU64 = AtomicU64::new(0);
    static SEEN: [AtomicBool; COUNT] = [const { AtomicBool::new(false) }; COUNT];

    pub fn on(mutant: u64) -> bool {
        let calls = CALLS.fetch_add(1, Relaxed);
        if calls > *MOST {
            std::process::exit(77);
        }
        if let Some(mut log) = LOG.as_ref() {
            if !SEEN[mutant as usize].swap(true, Relaxed) {
                writeln!(log, "{mutant}").unwrap();
            }
            if calls.is_power_of_two() {
                writeln!(log, "calls {calls}").unwrap();
            }
        }
        mutant == *ACTIVE
    }
}
"#;
