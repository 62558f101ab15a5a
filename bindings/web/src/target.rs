//! New databases in files of the host.

use scoresheet::chess_store::CreateOptions;
use scoresheet::chess_store::erased::{self, CreateFiles};
use scoresheet::chess_store::io::WriteAt;
use scoresheet::{Format, Output, create_stream};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::failed;
use crate::failure::{failed_base, failed_open};
use crate::host::{File, Spool, seal};

/// A database that is being written.
pub(crate) struct Target {
    pub(crate) output: Output,
    pub(crate) files: Vec<Written>,
}

/// A file of a new database.
#[derive(Clone, Serialize)]
pub(crate) struct Written {
    pub(crate) name: String,
    pub(crate) extension: &'static str,
    pub(crate) file: u32,
}

/// Creates the files of a database, and keeps their numbers.
struct Creator<'a> {
    name: &'a str,
    files: Vec<Written>,
}

impl Creator<'_> {
    fn add(&mut self, extension: &'static str, file: u32) {
        let name = format!("{}.{extension}", self.name);
        self.files.push(Written { name, extension, file });
    }
}

impl CreateFiles for Creator<'_> {
    fn name(&self) -> &str {
        self.name
    }

    fn create(&mut self, extension: &'static str) -> Box<dyn WriteAt> {
        let file = File::create();
        self.add(extension, file.0);
        Box::new(file)
    }

    fn create_temporary(&mut self) -> Box<dyn WriteAt> {
        Box::new(File::create())
    }
}

impl Target {
    /// Creates a database with this name and format.
    pub(crate) fn create(
        format: &'static Format,
        name: &str,
        options: &CreateOptions,
    ) -> Result<Target, JsValue> {
        let mut creator = Creator { name, files: Vec::new() };
        let output = if let Some(create_in) = format.create_in {
            let writer = create_in(&mut creator, options);
            let writer = writer.map_err(|error| failed_base(name.as_ref(), &error))?;
            Output::from_writer(writer, name, format)
        } else {
            let spool = Spool::new();
            let number = spool.file();
            let output = create_stream(Box::new(spool), name, format, options);
            creator.add(format.extensions.first().copied().unwrap_or_default(), number);
            output.map_err(|error| failed_open(&error))?
        };
        Ok(Target { output, files: creator.files })
    }

    /// Completes the database. Returns its files. The first one names it.
    pub(crate) fn finish(self) -> Result<Vec<Written>, JsError> {
        self.output.finish().map_err(|error| failed(&error))?;
        for written in &self.files {
            seal(written.file);
        }
        Ok(self.files)
    }
}

/// Returns whether this module writes a format.
pub(crate) fn is_written(format: &Format) -> bool {
    let is_stream = matches!(format.create, Some(erased::Creator::Sink(_)));
    is_stream || format.create_in.is_some()
}
