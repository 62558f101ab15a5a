//! The conformance bundle: everything that a port needs, in one archive.
//!
//! The pages, tables, Kaitai files and cases are copied as they are. `manifest.json` describes the
//! cases, and `manifest.tsv` repeats what a runner needs for languages without a JSON library.
//! ports/conformance/README.md has the fields.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use scoresheet::Family;
use serde::Serialize;
use testkit::{Case, cases, workspace_root};

use crate::Failure;
use crate::fixtures::file_of;
use crate::rules::{Kind, Page, pages};
use crate::tools::missing;

/// The folder of the bundle's own files.
const OWN: &str = "ports/conformance";

/// Folders that are copied whole.
const FOLDERS: [&str; 4] = ["docs/formats", "fixtures", "ports/python", "ports/javascript"];

/// Single files that are copied.
const FILES: [&str; 5] =
    ["LICENSE-APACHE", "LICENSE-MIT", "docs/model.md", "docs/porting.md", "docs/coverage.md"];

/// The folder of the pictures.
const IMAGES: &str = "docs/images";
/// The pages of the formats show the pictures whose names begin so.
const PICTURES: [&str; 4] = ["ruler-", "bits-", "bytes-", "pieces-"];

#[derive(Serialize)]
struct Manifest {
    /// The version that a port names: "conforms to 0.1 of the Scoresheet vectors".
    version: String,
    formats: BTreeMap<String, Format>,
    cases: Vec<Entry>,
}

#[derive(Serialize)]
struct Format {
    page: String,
    /// Bytes of the page, lines of the cases: how much work the format is.
    page_bytes: u64,
    cases: usize,
    games: usize,
    /// The cases that show each rule for readers.
    rules: BTreeMap<String, Vec<String>>,
}

#[derive(Serialize)]
struct Entry {
    name: String,
    format: String,
    /// The file to open.
    open: String,
    files: Vec<File>,
    encoding: Option<String>,
    /// The expected lines, without and with each option.
    expected: Vec<Expected>,
    covers: Vec<String>,
    damaged: bool,
    expect: Option<String>,
    notes: Option<String>,
    origin: String,
}

#[derive(Serialize)]
struct File {
    name: String,
    bytes: usize,
    crc32: String,
}

#[derive(Serialize)]
struct Expected {
    option: Option<String>,
    lines: String,
    games: usize,
    crc32: String,
}

/// Writes the bundle into `conformance/`, and packs it. With `check` also runs its four runners in
/// an empty folder: alone, and with the ports and the program.
pub(crate) fn run(check: bool) -> Result<(), Failure> {
    let root = workspace_root();
    let pages = pages(&root)?;
    let version = fs::read_to_string(root.join(OWN).join("VERSION"))?.trim().to_owned();
    let changes = fs::read_to_string(root.join(OWN).join("CHANGES.md"))?;
    if !changes.contains(&format!("\n## {version}")) {
        return Err(format!("{OWN}/CHANGES.md has no section for version {version}").into());
    }
    let manifest = manifest(&root, version, &pages)?;
    let is_open = changes.contains(&format!("\n## {} (not released)", manifest.version));
    record_lines(&root, &manifest, is_open, check)?;
    let made = root.join("conformance");
    if made.exists() {
        fs::remove_dir_all(&made)?;
    }
    let name = format!("scoresheet-vectors-{}", manifest.version);
    let folder = made.join(&name);
    for file in FILES {
        copy(&root.join(file), &folder.join(file))?;
    }
    for path in sorted(&root.join(IMAGES))? {
        let name = file_name(&path);
        if PICTURES.iter().any(|begin| name.starts_with(begin)) {
            copy(&path, &folder.join(IMAGES).join(name))?;
        }
    }
    for copied in FOLDERS.iter().filter(|copied| root.join(copied).exists()) {
        copy_folder(&root.join(copied), &folder.join(copied))?;
    }
    copy_folder(&root.join(OWN), &folder)?;
    fs::write(folder.join("manifest.json"), serde_json::to_string_pretty(&manifest)? + "\n")?;
    fs::write(folder.join("manifest.tsv"), table(&manifest))?;
    let archive = made.join(format!("{name}.tar.gz"));
    // The same input gives the same archive: names in order, no times, no owners.
    let mut tar = Command::new("tar");
    tar.current_dir(&made).args(["--sort=name", "--mtime=@0", "--owner=0", "--group=0"]);
    tar.args(["--numeric-owner", "-I", "gzip -n", "-cf"]).arg(&archive).arg(&name);
    run_command(&mut tar)?;
    println!(
        "{}: {} cases, {} rules, {} bytes",
        archive.display(),
        manifest.cases.len(),
        manifest.formats.values().map(|format| format.rules.len()).sum::<usize>(),
        fs::metadata(&archive)?.len(),
    );
    if check { run_there(&archive, &name) } else { Ok(()) }
}

/// The sum of all expected lines of each version, a row for each.
const LINES: &str = "lines.tsv";

/// Compares the expected lines with the sum that the version of the vectors has. Without `check`
/// writes the sum of a version that is new, or that CHANGES.md calls not released.
fn record_lines(
    root: &Path,
    manifest: &Manifest,
    is_open: bool,
    check: bool,
) -> Result<(), Failure> {
    let path = root.join(OWN).join(LINES);
    let text = fs::read_to_string(&path)?;
    let row = format!("{}\t{}", manifest.version, crc32(table(manifest).as_bytes()));
    if text.lines().any(|line| line == row) {
        return Ok(());
    }
    let start = format!("{}\t", manifest.version);
    let is_known = text.lines().any(|line| line.starts_with(&start));
    if is_known && !is_open {
        return Err(format!(
            "expected lines differ from version {}: raise {OWN}/VERSION and say why in CHANGES.md",
            manifest.version,
        )
        .into());
    }
    // The row of an open version is written by the next `cargo xtask bundle`.
    if check && is_open {
        return Ok(());
    }
    if check {
        return Err(format!("{OWN}/{LINES} lacks the row {row:?}: run cargo xtask bundle").into());
    }
    let others = text.lines().filter(|line| !line.starts_with(&start));
    let rows: Vec<&str> = others.chain([row.as_str()]).collect();
    Ok(fs::write(path, rows.join("\n") + "\n")?)
}

fn manifest(
    root: &Path,
    version: String,
    pages: &BTreeMap<String, Page>,
) -> Result<Manifest, Failure> {
    let (mut formats, mut entries) = (BTreeMap::new(), Vec::new());
    for family in scoresheet::families() {
        let page = format!("docs/formats/{}.md", family.name);
        let found = cases(family.name);
        let of_format =
            found.iter().map(|case| entry(family, case)).collect::<Result<Vec<_>, Failure>>()?;
        formats.insert(
            family.name.to_owned(),
            Format {
                page_bytes: fs::metadata(root.join(&page))?.len(),
                page,
                cases: of_format.len(),
                games: of_format.iter().filter_map(|case| Some(case.expected.first()?.games)).sum(),
                rules: rules(pages.get(family.name), &of_format),
            },
        );
        entries.extend(of_format);
    }
    Ok(Manifest { version, formats, cases: entries })
}

/// Returns the cases of each rule for readers. A rule without a case has an empty list.
fn rules(page: Option<&Page>, cases: &[Entry]) -> BTreeMap<String, Vec<String>> {
    let of_readers = page.into_iter().flat_map(|page| &page.rules);
    of_readers
        .filter(|(_, kind)| **kind != Kind::Writer)
        .map(|(rule, _)| {
            let shown = cases.iter().filter(|case| case.covers.contains(rule));
            (rule.clone(), shown.map(|case| case.name.clone()).collect())
        })
        .collect()
}

fn entry(family: &Family, case: &Case) -> Result<Entry, Failure> {
    let name = format!("{}/{}", family.name, case.name);
    let (open, _) = file_of(family, case).map_err(|failure| format!("{name}: {failure}"))?;
    let mut files = Vec::new();
    for path in sorted(&case.dir)? {
        let file = file_name(&path);
        let is_about = file == "case.toml" || file.starts_with("expected.") || file == "source.pgn";
        if path.is_file() && !is_about {
            let bytes = fs::read(&path)?;
            files.push(File { name: file, bytes: bytes.len(), crc32: crc32(&bytes) });
        }
    }
    let mut expected = Vec::new();
    for option in std::iter::once(None).chain(case.meta.options.iter().map(Some)) {
        let lines = option.map_or("expected.jsonl".into(), |option| case.expected_with(option));
        let bytes = case.bytes(&lines);
        let games = bytes.iter().filter(|byte| **byte == b'\n').count();
        expected.push(Expected { option: option.cloned(), lines, games, crc32: crc32(&bytes) });
    }
    Ok(Entry {
        name,
        open: file_name(&open),
        format: case.meta.format.clone(),
        files,
        encoding: case.meta.encoding.clone(),
        expected,
        covers: case.meta.covers.clone(),
        damaged: case.is_bad(),
        expect: case.meta.expect.clone(),
        notes: case.meta.notes.clone(),
        origin: case.meta.origin.clone(),
    })
}

/// Returns a row for each reading of each case; an empty cell means none.
fn table(manifest: &Manifest) -> String {
    let mut text = String::from("case\topen\tencoding\toption\tlines\tgames\tcrc32\n");
    for case in &manifest.cases {
        for expected in &case.expected {
            let cell = |value: &Option<String>| value.clone().unwrap_or_default();
            text += &format!(
                "{}\t{}\t{}\t{}\t{}\t{}\t{}\n",
                case.name,
                case.open,
                cell(&case.encoding),
                cell(&expected.option),
                expected.lines,
                expected.games,
                expected.crc32,
            );
        }
    }
    text
}

fn crc32(bytes: &[u8]) -> String {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    format!("{:08x}", crc.sum())
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn sorted(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut paths = entries.collect::<Result<Vec<_>, std::io::Error>>()?;
    paths.sort();
    Ok(paths)
}

fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    fs::create_dir_all(to.parent().unwrap_or(to))?;
    fs::copy(from, to).map_err(|error| format!("{}: {error}", from.display()))?;
    Ok(())
}

fn copy_folder(from: &Path, to: &Path) -> Result<(), Failure> {
    const MADE: [&str; 2] = ["__pycache__", "node_modules"];
    for path in sorted(from)? {
        let name = file_name(&path);
        if path.is_file() {
            copy(&path, &to.join(name))?;
        } else if !MADE.contains(&&*name) {
            copy_folder(&path, &to.join(name))?;
        }
    }
    Ok(())
}

/// Each runner, and the tool that it needs: its name for `SCORESHEET_OPTIONAL`, and how to start it.
const RUNNERS: [(&str, &[&str]); 4] = [
    ("python3", &["python3", "-B", "run.py"]),
    ("node", &["node", "run.mjs"]),
    ("go", &["go", "run", "run.go"]),
    ("cc", &["sh", "-c", "cc -O2 -o run run.c && ./run \"$@\"", "run"]),
];

/// The ports to check, a row for each: the tool of their runner, a format, how to start them.
const PORTS: &str = "ports.tsv";

/// Unpacks the bundle in an empty folder and runs each runner there.
fn run_there(archive: &Path, name: &str) -> Result<(), Failure> {
    let root = workspace_root();
    let mut build = Command::new(env!("CARGO"));
    run_command(build.current_dir(&root).args(["build", "--quiet", "--bin", "scoresheet"]))?;
    let program = root.join("target/debug/scoresheet").to_string_lossy().into_owned();
    let empty = tempfile::tempdir()?;
    run_command(Command::new("tar").current_dir(empty.path()).arg("-xzf").arg(archive))?;
    let folder = empty.path().join(name);
    let ports = fs::read_to_string(root.join(OWN).join(PORTS))?;
    // A runner starts one process after another, so all runners work at a time.
    let (folder, program, ports) = (&folder, &program, &ports);
    all_of(RUNNERS.map(|runner| move || run_one(runner, folder, program, ports)))
}

/// Runs all tasks side by side. Returns the first failure.
fn all_of<T: FnOnce() -> Result<(), Failure> + Send>(
    tasks: impl IntoIterator<Item = T>,
) -> Result<(), Failure> {
    let results: Vec<Result<(), String>> = thread::scope(|scope| {
        let start = |task: T| scope.spawn(|| task().map_err(|failure| failure.to_string()));
        let threads: Vec<_> = tasks.into_iter().map(start).collect();
        let join = |thread: thread::ScopedJoinHandle<'_, Result<(), String>>| {
            thread.join().unwrap_or_else(|_| Err("a panic".to_owned()))
        };
        threads.into_iter().map(join).collect()
    });
    results.into_iter().try_for_each(|result| Ok(result?))
}

/// Runs one of [`RUNNERS`] in the folder of the bundle.
fn run_one(
    (tool, words): (&str, &[&str]),
    folder: &Path,
    program: &str,
    ports: &str,
) -> Result<(), Failure> {
    let version = if tool == "go" { "version" } else { "--version" };
    let there = Command::new(tool).arg(version).output();
    if !there.is_ok_and(|output| output.status.success()) {
        return missing(tool, &format!("{OWN}: the runner for {tool}"), "it is not installed");
    }
    let runner = |more: &[&str]| {
        let mut command = Command::new(words.first().copied().unwrap_or_default());
        command.current_dir(folder).args(words.get(1..).unwrap_or_default()).args(more);
        command
    };
    // The bundle is intact, and the program that made it conforms to it.
    run_command(&mut runner(&[]))?;
    run_command(&mut runner(&["all", program, "show", "--quiet", "--lines"]))?;
    // The ports in the bundle, by the runner of their language.
    let rows = ports.lines().filter(|row| !row.starts_with('#')).filter_map(|row| {
        let mut cells = row.split('\t');
        let [language, family, port] = [(); 3].map(|()| cells.next().unwrap_or_default());
        let words = [family].into_iter().chain(port.split(' '));
        (language == tool).then(|| runner(&words.collect::<Vec<_>>()))
    });
    let start = |mut command: Command| move || run_command(&mut command);
    all_of(rows.map(start))?;
    // A port without a right line does not pass.
    if runner(&["dcg", "echo"]).output()?.status.success() {
        return Err(format!("{OWN}: the runner for {tool} passes `echo` as a port").into());
    }
    Ok(())
}

fn run_command(command: &mut Command) -> Result<(), Failure> {
    eprintln!("--- {command:?}");
    let status = command.status().map_err(|error| format!("{command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}").into()) }
}
