//! Pages to read and to print: HTML and Typst. They are written, and not read back.
//!
//! `render` follows the tokens of a game and calls a `Style`, which writes text of one format. A diagram
//! is drawn at `[#]`, `[%csl]`, `[%cal]` and drawings of Scid in a comment, at the NAGs 220 and 221, and at a start position.
//! Both formats share the drawing: the squares and pieces are defined once, and a diagram refers to them.
//!
//! A finished page begins with its title, which is known after the games. So the games are kept in a
//! temporary file until the end; memory does not grow with the base.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "counters of games and rows cannot overflow; numbers read from files use checked arithmetic"
)]

mod board;
mod html;
mod nags;
mod pieces;
mod render;
mod typst;
mod writer;

use std::io;

use chess_store::erased::{self, Creator, Format};
use chess_store::{AnyError, CreateOptions, OptionInfo, Scope, TypedOptions};

pub use nags::nag_symbol;

/// Pages in HTML and Typst.
pub const FORMATS: &[Format] = &[
    Format::new("html", "HTML page", &["html", "htm"], |_, _| None)
        .created_by(Creator::Sink(create_html), PageOptions::LIST),
    Format::new("typst", "Typst document", &["typ"], |_, _| None)
        .created_by(Creator::Sink(create_typst), PageOptions::LIST),
];

/// An error of these formats.
pub type Error = chess_store::Error<ErrorKind>;

/// Kinds of errors.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text could not be written.
    #[error("{0}")]
    Io(io::Error),
}

impl chess_store::ErrorKind for ErrorKind {
    fn scope(&self) -> Scope {
        Scope::Base
    }

    fn io(&self) -> Option<&io::Error> {
        let ErrorKind::Io(error) = self;
        Some(error)
    }
}

impl From<io::Error> for ErrorKind {
    fn from(error: io::Error) -> ErrorKind {
        ErrorKind::Io(error)
    }
}

/// Options of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct PageOptions {
    title: String,
}

impl TypedOptions for PageOptions {
    const LIST: &'static [OptionInfo] = &[OptionInfo::new("title", &[], "the title of the page")];

    fn set(&mut self, name: &str, value: &str) -> bool {
        if name != "title" {
            return false;
        }
        value.clone_into(&mut self.title);
        true
    }
}

fn create_html(
    sink: Box<dyn io::Write + Send>,
    options: &CreateOptions,
) -> Result<Box<dyn erased::Writer>, AnyError> {
    let own: PageOptions = options.typed()?;
    Ok(Box::new(writer::Writer::new(sink, html::Html, own.title)))
}

fn create_typst(
    sink: Box<dyn io::Write + Send>,
    options: &CreateOptions,
) -> Result<Box<dyn erased::Writer>, AnyError> {
    let own: PageOptions = options.typed()?;
    Ok(Box::new(writer::Writer::new(sink, typst::Typst, own.title)))
}
