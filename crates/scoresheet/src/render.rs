//! Games as text in pieces that follow one another, so that threads can make them.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use chess_core::seam::{CreateOptions, CreateSink, Loss, Writer};
use chess_core::{AnyError, Game};

/// Makes [pages](Page).
#[derive(Clone, Debug)]
pub(crate) struct Renderer {
    create: CreateSink,
    options: CreateOptions,
}

impl Renderer {
    pub(crate) fn new(create: CreateSink, options: &CreateOptions) -> Renderer {
        Renderer { create, options: options.clone() }
    }

    /// A page to write games on, in memory that is given.
    pub(crate) fn page(&self, memory: Vec<u8>) -> Result<Page, AnyError> {
        let bytes = Bytes(Arc::new(Mutex::new(memory)));
        let writer = (self.create)(Box::new(bytes.clone()), &self.options)?;
        Ok(Page { bytes, writer })
    }
}

/// Some games as text.
pub(crate) struct Page {
    bytes: Bytes,
    writer: Box<dyn Writer>,
}

impl Page {
    pub(crate) fn write(&mut self, game: &Game, losses: &mut Vec<Loss>) -> Result<(), AnyError> {
        self.writer.write(game, losses)
    }

    pub(crate) fn finish(self) -> Result<Vec<u8>, AnyError> {
        self.writer.finish()?;
        Ok(std::mem::take(&mut *self.bytes.0.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

/// Bytes in memory that a writer and its maker share.
#[derive(Clone, Debug)]
struct Bytes(Arc<Mutex<Vec<u8>>>);

impl Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
