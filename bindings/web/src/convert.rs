//! Formats and conversions by name, as the program has them.

use scoresheet::chess_store::erased::Creator;
use scoresheet::chess_store::{CreateOptions, OptionInfo};
use scoresheet::{Format, format_for_output, format_named, formats};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;

use crate::export::{Export, Wanted};
use crate::failure::failed_open;
use crate::open::encoding_named;
use crate::target::{Target, is_written};
use crate::walk::filter;
use crate::{Answer, Session, answer, failed};

/// A format of this module.
#[derive(Serialize)]
struct Described {
    name: &'static str,
    title: &'static str,
    extensions: &'static [&'static str],
    read: bool,
    written: bool,
    /// Whether a database has several files.
    several: bool,
    open_options: Vec<Choice>,
    create_options: Vec<Choice>,
}

#[derive(Serialize)]
struct Choice {
    name: &'static str,
    values: &'static [&'static str],
    help: &'static str,
}

fn choices(options: &'static [OptionInfo]) -> Vec<Choice> {
    let choice = |option: &OptionInfo| Choice {
        name: option.name,
        values: option.values,
        help: option.help,
    };
    options.iter().map(choice).collect()
}

fn described(format: &'static Format) -> Described {
    Described {
        name: format.name,
        title: format.title,
        extensions: format.extensions,
        read: format.open.is_some(),
        written: is_written(format),
        several: matches!(format.create, Some(Creator::Database(_))) && format.name != "jose",
        open_options: choices(format.open_options),
        create_options: choices(format.create_options),
    }
}

/// Returns the formats: `[{name, title, extensions, read, written, several, open_options,
/// create_options}]`.
///
/// # Errors
/// No known errors.
#[wasm_bindgen]
pub fn list_formats() -> Answer {
    answer(&formats().map(described).collect::<Vec<_>>())
}

/// Returns the format for a new file: the format `named`, or else the format with the extension of
/// `path`.
///
/// # Errors
/// No such format, or one that this module does not write.
#[wasm_bindgen]
pub fn output_format(path: &str, named: Option<String>) -> Result<String, JsValue> {
    let format = match &named {
        Some(name) => {
            format_named(name).ok_or_else(|| failed(&format!("{name}: no format has this name")))?
        }
        None => format_for_output(path).map_err(|error| failed_open(&error))?,
    };
    if !is_written(format) {
        let why = format!("{path}: {} is not written by this package", format.title);
        return Err(failed(&why).into());
    }
    Ok(answer(&described(format))?)
}

/// A conversion.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    format: String,
    /// The name of the files without extension.
    name: String,
    encoding: Option<String>,
    #[serde(default)]
    options: Vec<(String, String)>,
}

#[wasm_bindgen]
impl Session {
    /// Starts to write the games that a filter selects: `request` is `{format, name, encoding, options}`,
    /// `named` is `[[name, value], ...]`. Returns the files, `[{name, extension, file}]`;
    /// [`export_more`](Session::export_more) writes them.
    ///
    /// # Errors
    /// An unknown format, encoding or option, and an invalid filter.
    pub fn convert(&mut self, request: &str, named: &str) -> Result<String, JsValue> {
        let request: Request = serde_json::from_str(request).map_err(|error| failed(&error))?;
        let Request { format, name, encoding, options } = request;
        let wanted = Wanted::Chosen(filter(named)?);
        let mut settings = CreateOptions::default();
        settings.encoding = encoding_named(encoding.as_deref())?;
        for (name, value) in &options {
            settings.settings.set(name, value);
        }
        let format = format_named(&format)
            .ok_or_else(|| failed(&format!("{format}: no format has this name")))?;
        let target = Target::create(format, &name, &settings)?;
        let files = answer(&target.files)?;
        self.export = Some(Export::of(target, wanted));
        Ok(files)
    }

    /// Ends an export or a conversion before it is complete.
    pub fn give_up(&mut self) {
        self.export = None;
    }
}
