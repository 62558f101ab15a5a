//! Files that are open already are read and written as those on disk, and any game of a text is read by
//! its number.

use std::fs;
use std::path::Path;

use scoresheet::chess_store::erased::CreateFiles;
use scoresheet::chess_store::io::WriteAt;
use scoresheet::chess_store::{Diagnostics, Losses, OpenOptions};
use scoresheet::{Base, CreateOptions, Error, Indexed, Inputs, Output, families};
use testkit::{Case, Disk, Flavour, cases, database_lines, lines_of};

/// All files of a case in memory.
fn inputs(case: &Case, path: &Path) -> Inputs {
    let mut inputs = Inputs::new(path);
    for entry in fs::read_dir(&case.dir).unwrap() {
        let path = entry.unwrap().path();
        inputs.add(&path, fs::read(&path).unwrap());
    }
    inputs
}

/// The facts and games of a base.
fn lines(base: Result<Base, Error>) -> String {
    let mut base = match base {
        Ok(base) => base,
        Err(error) => return error.to_string(),
    };
    let warnings = format!("{:?}", base.warnings());
    if let Some(database) = base.database() {
        return warnings + &database_lines(database);
    }
    let mut reader = base.reader();
    warnings
        + &lines_of(|game| {
            reader.read_game(game, &mut Diagnostics::lenient()).map_err(|error| match error {
                Error::Base { error, .. } => error,
                other => panic!("{other}"),
            })
        })
}

/// The files of a new base, in memory.
#[derive(Default)]
struct Files(Vec<(&'static str, Disk)>);

impl CreateFiles for Files {
    fn name(&self) -> &str {
        "base"
    }

    fn create(&mut self, extension: &'static str) -> Box<dyn WriteAt> {
        let file = Disk::default();
        self.0.push((extension, file.clone()));
        Box::new(file)
    }

    fn create_temporary(&mut self) -> Box<dyn WriteAt> {
        Box::new(Disk::default())
    }
}

#[test]
fn create_in_every_format_writes_the_files_of_a_path() {
    let games = testkit::random_games(5, 40, 2000, Flavour::ALL);
    let write = |mut output: Output| {
        for game in &games {
            // A game that the format refuses is refused by both.
            let _ = output.write(game, &mut Losses::new());
        }
        output.finish().unwrap();
    };
    let mut written = 0;
    for format in scoresheet::formats() {
        let Some(create_in) = format.create_in else { continue };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("base").with_extension(format.extensions[0]);
        write(scoresheet::create_as(&path, format, &CreateOptions::default()).unwrap());
        let mut files = Files::default();
        let writer = create_in(&mut files, &CreateOptions::default()).unwrap();
        write(Output::from_writer(writer, "base", format));
        for (extension, file) in &files.0 {
            let on_disk = fs::read(path.with_extension(extension)).unwrap();
            assert!(file.bytes() == on_disk, "{}: {extension}", format.name);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), files.0.len(), "{}", format.name);
        written += 1;
    }
    assert_eq!(written, 8);
}

#[test]
fn open_inputs_every_fixture_equals_files_on_disk() {
    let (mut bases, mut texts) = (0, 0);
    for family in families() {
        for case in cases(family.name) {
            let format = family.formats.iter().find(|format| format.name == case.meta.format);
            // Single records are not bases.
            let Some(format) = format else { continue };
            let path = case.path(format.extensions[0]);
            if path.is_dir() {
                continue;
            }
            let inputs = inputs(&case, &path);
            let options = OpenOptions::default();
            let on_disk = lines(scoresheet::open_with(&path, &options));
            let in_memory = lines(scoresheet::open_inputs(&inputs, &options));
            assert_eq!(on_disk, in_memory, "{}", path.display());
            bases += 1;
            let Ok(base) = scoresheet::open_inputs(&inputs, &options) else { continue };
            if base.database().is_some() {
                continue;
            }
            let file = inputs.main().unwrap();
            if scoresheet::unpack_input(file.clone(), None).unwrap().is_some() {
                continue;
            }
            let mut indexed = Indexed::new(file, base.format(), &options).unwrap();
            let end = loop {
                match indexed.grow() {
                    Ok(true) => {}
                    Ok(false) => break String::new(),
                    Err(error) => break testkit::closed_line(&error),
                }
            };
            let by_number = format!("[]{}{end}", database_lines(&indexed));
            assert_eq!(on_disk, by_number, "{}", path.display());
            texts += 1;
        }
    }
    assert!(bases > 300 && texts > 40, "{bases} bases, {texts} texts");
}
