//! Groups files into databases.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use scoresheet::chess_store::io::{FromStart, ReadAt as _};
use scoresheet::{COMPRESSED_EXTENSIONS, Format, Input, Inputs, formats};
use serde::Serialize;

use crate::host::{File, Spool};

/// The added files by name, including their folders.
#[derive(Default)]
pub(crate) struct Files(Vec<(String, Input)>);

/// A database among the files.
#[derive(Serialize)]
pub(crate) struct Found {
    /// The main file of the database.
    name: String,
    /// The short name and the title of the format.
    format: &'static str,
    title: &'static str,
    /// All files of the database.
    files: Vec<String>,
    #[serde(skip)]
    key: (String, &'static str),
    #[serde(skip)]
    rank: usize,
}

/// The databases, and the files that belong to none.
#[derive(Serialize)]
pub(crate) struct Sorted {
    bases: Vec<Found>,
    others: Vec<Other>,
}

#[derive(Serialize)]
struct Other {
    name: String,
    why: String,
}

impl Files {
    pub(crate) fn add(&mut self, name: String, file: u32) {
        self.0.push((name, Arc::new(File(file)).into()));
    }

    /// Returns all files as inputs for the database `name`.
    pub(crate) fn inputs(&self, name: &str) -> Inputs {
        let mut inputs = Inputs::new(name);
        for (name, file) in &self.0 {
            inputs.add(name, file.clone());
        }
        inputs
    }

    /// Groups the files of each database.
    pub(crate) fn sort(&mut self) -> Sorted {
        self.unzip();
        let mut sorted = Sorted { bases: Vec::new(), others: Vec::new() };
        for (name, _) in &self.0 {
            match scoresheet::detect_inputs(&self.inputs(name)) {
                Ok(format) => sorted.add(name, format),
                Err(error) => {
                    let why = error.to_string();
                    let why = why.strip_prefix(&format!("{name}: ")).unwrap_or(&why);
                    sorted.others.push(Other { name: name.clone(), why: without_options(why) });
                }
            }
        }
        sorted.bases.sort_by(|one, other| one.name.cmp(&other.name));
        sorted
    }

    /// Replaces zip archives of databases by the files in them. An archive of texts is kept.
    fn unzip(&mut self) {
        let mut all = Vec::new();
        for (name, file) in std::mem::take(&mut self.0) {
            match unzipped(&name, &file) {
                Some(mut inside) => all.append(&mut inside),
                None => all.push((name, file)),
            }
        }
        self.0 = all;
    }
}

impl Sorted {
    fn add(&mut self, name: &str, format: &'static Format) {
        if format.open.is_none() {
            let why = format!("{} cannot be read", format.title);
            self.others.push(Other { name: name.to_owned(), why });
            return;
        }
        let path = Path::new(name);
        let extension = extension_of(path);
        let folder = path.parent().map(|folder| folder.to_string_lossy()).unwrap_or_default();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
        let key = match (format.open_inputs, &*extension) {
            // These formats have a single file.
            (None, _) | (_, "cbv" | "cbz" | "jose" | "fbk") => name.to_owned(),
            (_, "frm" | "myd" | "myi") => folder.into_owned(),
            _ => format!("{folder}/{stem}"),
        };
        let key = (key, format.name);
        let place = format.extensions.iter().position(|own| *own == extension);
        let rank = place.unwrap_or(format.extensions.len());
        if let Some(base) = self.bases.iter_mut().find(|base| base.key == key) {
            if rank < base.rank {
                base.rank = rank;
                base.name = name.to_owned();
            }
            base.files.push(name.to_owned());
            return;
        }
        self.bases.push(Found {
            name: name.to_owned(),
            format: format.name,
            title: format.title,
            files: vec![name.to_owned()],
            key,
            rank,
        });
    }
}

/// Removes the reference to a program option from a message, because the page has no options.
fn without_options(why: &str) -> String {
    let parts = why.split("; ").filter(|part| !part.contains("--"));
    parts.collect::<Vec<_>>().join("; ")
}

fn extension_of(path: &Path) -> String {
    path.extension().map(|text| text.to_string_lossy().to_lowercase()).unwrap_or_default()
}

/// Returns whether a file belongs to a database and is not a text.
fn is_of_base(name: &str) -> bool {
    let extension = extension_of(Path::new(name));
    formats().any(|format| {
        format.open_inputs.is_some() && format.extensions.contains(&extension.as_str())
    })
}

/// The maximum number of files in an archive that are examined, and the maximum size of a file.
const MAX_FILES: usize = 10_000;
const MAX_BYTES: u64 = 4 << 30;

/// Returns the files of a zip archive, if it contains files of a database.
fn unzipped(name: &str, file: &Input) -> Option<Vec<(String, Input)>> {
    let mut start = [0; 4];
    file.read_full(0, &mut start).ok()?;
    if start != *b"PK\x03\x04" || extension_of(Path::new(name)) == "jose" {
        return None;
    }
    let mut archive = zip::ZipArchive::new(FromStart::new(file.clone())).ok()?;
    if !archive.file_names().flatten().any(|name| is_of_base(&name)) {
        return None;
    }
    let mut inside = Vec::new();
    for number in 0..archive.len().min(MAX_FILES) {
        let Ok(entry) = archive.by_index(number) else { continue };
        let Ok(own) = entry.name().map(std::borrow::Cow::into_owned) else { continue };
        let is_text = COMPRESSED_EXTENSIONS.contains(&&*extension_of(Path::new(&own)))
            || extension_of(Path::new(&own)) == "pgn";
        if !entry.is_file() || !(is_of_base(&own) || is_text) {
            continue;
        }
        let mut spool = Spool::new();
        // A truncated entry is kept as far as it can be read.
        let _ = spool.copy(&mut entry.take(MAX_BYTES), u64::MAX);
        inside.push((format!("{name}/{own}"), Arc::new(spool.finish().ok()?).into()));
    }
    Some(inside)
}
