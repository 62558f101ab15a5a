//! Writes and checks `expected.jsonl` and `expected.pgn` of every case in fixtures/.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use scoresheet::chess_store::{Diagnostics, Encoding};
use scoresheet::{
    Base, Converter, CreateOptions, Error, Family, Format, OpenOptions, families, format_named,
};
use testkit::{Case, cases, closed_line, database_lines, lines_of, workspace_root};

use crate::Failure;

/// Writes the files, or with `--check` compares them. A family can be named to restrict the cases.
pub(crate) fn run(words: &[&str]) -> Result<(), Failure> {
    let check = words.contains(&"--check");
    let named: Vec<&str> = words.iter().copied().filter(|word| *word != "--check").collect();
    if let Some(unknown) = named.iter().find(|name| !families().iter().any(|f| f.name == **name)) {
        return Err(format!("no family is called {unknown}").into());
    }
    let mut differing = Vec::new();
    for family in families().iter().filter(|f| named.is_empty() || named.contains(&f.name)) {
        let cases = cases(family.name);
        for case in &cases {
            match expected(family, case) {
                Ok(files) => {
                    for name in unnamed(case, &files)? {
                        differing.push(format!(
                            "{}/{name}: case.toml names no such option",
                            case.dir.display()
                        ));
                    }
                    for (name, bytes) in files {
                        settle(&case.file(&name), &bytes, check, &mut differing)?;
                    }
                }
                Err(failure) => differing.push(format!("{}: {failure}", case.dir.display())),
            }
        }
        println!("{}: {} cases", family.name, cases.len());
    }
    if differing.is_empty() { Ok(()) } else { Err(differing.join("\n").into()) }
}

/// Returns the files of expected lines that nothing makes: an option was removed or renamed.
fn unnamed(case: &Case, made: &[(String, Vec<u8>)]) -> Result<Vec<String>, Failure> {
    let mut found = Vec::new();
    for entry in fs::read_dir(&case.dir)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.starts_with("expected.") && !made.iter().any(|(known, _)| *known == name) {
            found.push(name);
        }
    }
    Ok(found)
}

/// Returns the files that a case must have. A base that does not open has no PGN.
fn expected(family: &Family, case: &Case) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let (path, format) = file_of(family, case)?;
    let options = options_of(case)?;
    let mut base = match scoresheet::open_as(&path, format, &options) {
        Ok(base) => base,
        Err(Error::Base { error, .. }) if case.is_bad() => {
            if case.meta.games != 0 {
                return Err("case.toml counts games of a base that does not open".into());
            }
            return Ok(vec![("expected.jsonl".into(), closed_line(&error).into_bytes())]);
        }
        Err(error) => return Err(error.into()),
    };
    let lines = match base.database() {
        Some(database) => database_lines(database),
        None => {
            let mut reader = base.reader();
            lines_of(|game| match reader.read_game(game, &mut Diagnostics::lenient()) {
                Err(Error::Base { error, .. }) => Err(error),
                read => Ok(read.expect("only the format fails")),
            })
        }
    };
    let games = lines.lines().count() as u64;
    if games != case.meta.games {
        return Err(format!("{games} games, and case.toml says {}", case.meta.games).into());
    }
    let mut base = scoresheet::open_as(&path, format, &options)?;
    let mut files = vec![
        ("expected.jsonl".into(), lines.into_bytes()),
        ("expected.pgn".into(), as_pgn(&mut base)?),
    ];
    for option in &case.meta.options {
        files.push((case.expected_with(option), read_with(&path, format, case, option)?));
    }
    Ok(files)
}

/// Returns the result of reading a base with an option.
fn read_with(
    path: &Path,
    format: &'static Format,
    case: &Case,
    option: &str,
) -> Result<Vec<u8>, Failure> {
    let mut options = options_of(case)?;
    let (name, value) = option.split_once('=').ok_or_else(|| format!("option {option}"))?;
    options.settings.set(name, value);
    let base = scoresheet::open_as(path, format, &options)?;
    let database = base.database().ok_or("options are for databases")?;
    Ok(database_lines(database).into_bytes())
}

/// Returns the file to open and its format: the format that case.toml names, or the format of the
/// family whose file exists.
pub(crate) fn file_of(family: &Family, case: &Case) -> Result<(PathBuf, &'static Format), Failure> {
    let name = case.meta.format.as_str();
    let fits = |format: &&Format| name == family.name || name == format.name;
    let mut found = family.formats.iter().filter(fits).filter_map(|format| {
        let path = case.path(format.extensions.first()?);
        path.is_file().then_some((path, format))
    });
    let (path, format) = found.next().ok_or_else(|| format!("no file of format {name}"))?;
    match &case.meta.open {
        // The name does not determine the format.
        Some(_) if !case.is_bad() => Ok((path.clone(), scoresheet::detect(&path)?)),
        _ => Ok((path, format)),
    }
}

fn options_of(case: &Case) -> Result<OpenOptions, Failure> {
    let mut options = OpenOptions::default();
    if let Some(label) = &case.meta.encoding {
        let encoding = Encoding::from_label(label);
        options.encoding = Some(encoding.ok_or_else(|| format!("encoding {label}"))?);
    }
    Ok(options)
}

/// Returns all games as the program would export them. Damaged games are included up to the damage.
fn as_pgn(base: &mut Base) -> Result<Vec<u8>, Failure> {
    let format = format_named("pgn").ok_or("built without pgn")?;
    let bytes = Shared::default();
    let output = Box::new(bytes.clone());
    let mut output =
        scoresheet::create_stream(output, "expected.pgn", format, &CreateOptions::default())?;
    Converter::new().run(base, &mut output, &mut ())?;
    output.finish()?;
    Ok(bytes.0.lock().map_err(|_| "poisoned")?.clone())
}

/// A buffer that a writer shares with its creator.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("one thread").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Writes a file, or with `--check` notes where it differs.
fn settle(
    path: &Path,
    bytes: &[u8],
    check: bool,
    differing: &mut Vec<String>,
) -> Result<(), Failure> {
    let name = path.strip_prefix(workspace_root()).unwrap_or(path).display();
    match fs::read(path) {
        Ok(there) if there == bytes => Ok(()),
        Ok(there) if check => {
            let at = there.iter().zip(bytes).take_while(|(a, b)| a == b).count();
            differing.push(format!("{name}: differs from byte {at} on"));
            Ok(())
        }
        Err(error) if check => {
            differing.push(format!("{name}: {error}"));
            Ok(())
        }
        _ => fs::write(path, bytes).map_err(|error| format!("{name}: {error}").into()),
    }
}
