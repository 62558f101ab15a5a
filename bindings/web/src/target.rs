//! New databases in files of the host.

use cbh::v2;
use scoresheet::chess_store::erased::Writer;
use scoresheet::chess_store::{AnyError, CreateOptions};
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

    fn create(&mut self, extension: &'static str) -> File {
        let file = File::create();
        self.add(extension, file.0);
        file
    }

    /// Creates the writer of a format that has several files.
    fn writer(
        &mut self,
        format: &str,
        options: &CreateOptions,
    ) -> Result<Option<Box<dyn Writer>>, AnyError> {
        Ok(Some(match format {
            "si4" | "si5" => {
                let mut typed: scid::CreateOptions = options.typed()?;
                let extensions = if format == "si4" {
                    scid::Extensions::SI4
                } else {
                    typed.version = scid::Version::Si5;
                    scid::Extensions::SI5
                };
                let index = self.create(extensions.index);
                let games = self.create(extensions.games);
                let names = self.create(extensions.names);
                let parts = scid::Parts { extensions, index, games, names };
                Box::new(scid::Writer::from_parts(parts, &typed)?)
            }
            "cbf" => {
                let (cbf, cbi) = (self.create("cbf"), self.create("cbi"));
                let parts = cbf::Parts::new(cbf, Some(cbi));
                Box::new(cbf::Writer::from_parts(parts, &options.typed()?)?)
            }
            "cbh" => Box::new(cbh::Writer::new(|file| Some(self.create(file)), &options.typed()?)?),
            "2cbh" => Box::new(v2::Writer::new(|file| Some(self.create(file)), &options.typed()?)?),
            "chessassistant" => {
                let parts = chessassistant::Parts {
                    d00: self.create("d00"),
                    cdp: self.create("cdp"),
                    emb: self.create("emb"),
                    a02: self.create("a02"),
                    d02: self.create("d02"),
                };
                Box::new(chessassistant::Writer::from_parts(parts, &options.typed()?)?)
            }
            "dcg" => {
                let parts = dcg::Parts {
                    dci: self.create("dci"),
                    dcn: self.create("dcn"),
                    dcs: self.create("dcs"),
                    dce: Some(self.create("dce")),
                    dcg: self.create("dcg"),
                };
                Box::new(dcg::Writer::from_parts(parts, &options.typed()?)?)
            }
            "jose" => {
                let archive = Spool::new();
                self.add("jose", archive.file());
                let parts = movecode::Parts::new(archive, File::create());
                let mut typed: movecode::CreateOptions = options.typed()?;
                typed.collection.get_or_insert_with(|| self.name.to_owned());
                Box::new(movecode::Writer::from_parts(parts, &typed))
            }
            _ => return Ok(None),
        }))
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
        let writer = creator.writer(format.name, options);
        let output = match writer.map_err(|error| failed_base(name.as_ref(), &error))? {
            Some(writer) => Output::from_writer(writer, name, format),
            None => {
                let spool = Spool::new();
                let number = spool.file();
                let output = create_stream(Box::new(spool), name, format, options);
                creator.add(format.extensions.first().copied().unwrap_or_default(), number);
                output.map_err(|error| failed_open(&error))?
            }
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
    const BASES: [&str; 8] = ["si4", "si5", "cbf", "cbh", "2cbh", "chessassistant", "dcg", "jose"];
    let is_stream =
        matches!(format.create, Some(scoresheet::chess_store::erased::Creator::Sink(_)));
    is_stream || BASES.contains(&format.name)
}
