//! Encodes long texts as pages, and compresses the pages side by side.
//!
//! Zstandard takes most of the time of such a column, and the pages do not depend on each other:
//!
//! ```text
//! rows --> page 1 --> any compressor --.
//!          page 2 --> any compressor ---> pages in order --> file
//!          page 3 --> any compressor --'
//! ```
//!
//! The calling thread only counts bytes and finds where a page ends.

#![allow(clippy::arithmetic_side_effects, reason = "sizes of texts in memory")]

use std::ops::Range;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use parquet::basic::{Compression, Encoding};
use zstd::bulk::Compressor;

use crate::column::Texts;
use crate::error::{Error, ErrorKind, location};
use crate::list_pages::push_text;
use crate::page_write::{PAGE_BYTES, PAGE_ROWS, PageChunk, StoredPage};
use crate::parquet_write::{failed, lost};

/// A page before compression.
#[derive(Default)]
pub(crate) struct PlainPage {
    /// Rows of batches, in order.
    parts: Vec<(Arc<Texts>, Range<usize>)>,
    rows: usize,
    /// The size of the texts as the page will hold them.
    size: usize,
}

type Packed = Result<StoredPage, Error>;

/// A page, and where its compressed form is expected.
type Job = (PlainPage, SyncSender<Packed>);

/// Compresses pages on the calling thread or on threads of its own.
pub(crate) enum Compressors {
    /// The level, and the compressor if a page of this row group needed it: many files may be open.
    Local(i32, Option<Compressor<'static>>),
    /// The queue has one place a thread, which bounds the pages in memory.
    Threads(SyncSender<Job>),
}

impl Compressors {
    /// Starts half as many compressors as `threads`, which are as many as there can be work for.
    pub(crate) fn new(level: i32, threads: usize) -> Result<Compressors, Error> {
        if threads <= 1 {
            return Ok(Compressors::Local(level, None));
        }
        let count = threads.div_ceil(2);
        let (sender, jobs) = sync_channel(count);
        let jobs = Arc::new(Mutex::new(jobs));
        for _ in 0..count {
            let (jobs, compressor) = (Arc::clone(&jobs), compressor(level)?);
            thread::spawn(move || run_compressor(compressor, &jobs));
        }
        Ok(Compressors::Threads(sender))
    }

    fn compress(&mut self, page: PlainPage) -> Result<Pending, Error> {
        match self {
            Compressors::Local(level, local) => {
                let compressor = match local {
                    Some(compressor) => compressor,
                    None => local.insert(compressor(*level)?),
                };
                Ok(Pending::Packed(page.compress(compressor)?))
            }
            Compressors::Threads(jobs) => {
                let (sender, receiver) = sync_channel(1);
                jobs.send((page, sender)).map_err(|_| lost())?;
                Ok(Pending::Waiting(receiver))
            }
        }
    }

    /// Frees what the pages of the next row group do not need.
    pub(crate) fn end_group(&mut self) {
        if let Compressors::Local(_, compressor) = self {
            *compressor = None;
        }
    }
}

fn compressor(level: i32) -> Result<Compressor<'static>, Error> {
    Compressor::new(level).map_err(|error| Error::new(error.into(), location()))
}

/// Compresses pages until the queue closes.
fn run_compressor(mut compressor: Compressor<'static>, jobs: &Mutex<Receiver<Job>>) {
    loop {
        // The compressors wait for the lock by turns; one of them waits for a page.
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((page, sender)) = job else { return };
        // If nobody waits for the page, the writer has failed.
        let _ = sender.send(page.compress(&mut compressor));
    }
}

impl PlainPage {
    fn is_full(&self) -> bool {
        self.rows >= PAGE_ROWS || self.size >= PAGE_BYTES
    }

    fn bytes(&self) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::with_capacity(self.size);
        for (texts, rows) in &self.parts {
            for text in texts.range(rows.clone()) {
                let text = std::str::from_utf8(text).map_err(|_| not_utf8())?;
                push_text(&mut bytes, text.as_bytes());
            }
        }
        Ok(bytes)
    }

    fn compress(self, compressor: &mut Compressor<'_>) -> Packed {
        let bytes = self.bytes()?;
        let packed = compressor.compress(&bytes);
        let packed = packed.map_err(|error| Error::new(error.into(), location()))?;
        let counts = (self.rows, self.rows);
        StoredPage::data(packed, bytes.len(), Encoding::PLAIN, counts).map_err(failed)
    }
}

/// A page that is or will be compressed.
enum Pending {
    Packed(StoredPage),
    Waiting(Receiver<Packed>),
}

/// The pages of a column in a row group.
#[derive(Default)]
pub(crate) struct TextPages {
    page: PlainPage,
    pages: Vec<Pending>,
}

impl TextPages {
    /// Adds the texts `rows`. They are copied when their page is compressed.
    pub(crate) fn write(
        &mut self,
        texts: &Arc<Texts>,
        rows: Range<usize>,
        compressors: &mut Compressors,
    ) -> Result<(), Error> {
        let mut start = rows.start;
        for (row, text) in rows.clone().zip(texts.range(rows.clone())) {
            self.page.rows += 1;
            self.page.size += size_of::<u32>() + text.len();
            if self.page.is_full() {
                self.page.parts.push((Arc::clone(texts), start..row + 1));
                start = row + 1;
                self.end_page(compressors)?;
            }
        }
        if start < rows.end {
            self.page.parts.push((Arc::clone(texts), start..rows.end));
        }
        Ok(())
    }

    /// Ends the last page of a row group.
    pub(crate) fn end_page(&mut self, compressors: &mut Compressors) -> Result<(), Error> {
        if self.page.rows > 0 {
            let page = std::mem::take(&mut self.page);
            self.pages.push(compressors.compress(page)?);
        }
        Ok(())
    }

    /// Waits for the pages, and returns them in order.
    pub(crate) fn finish(self, compression: Compression) -> Result<PageChunk, Error> {
        let pages = self.pages.into_iter().map(|page| match page {
            Pending::Packed(page) => Ok(page),
            Pending::Waiting(receiver) => receiver.recv().unwrap_or_else(|_| Err(lost())),
        });
        let pages = pages.collect::<Result<_, _>>()?;
        Ok(PageChunk { dictionary: None, pages, encoding: Encoding::PLAIN, compression })
    }
}

fn not_utf8() -> Error {
    Error::new(ErrorKind::Damaged("a text is not UTF-8".into()), location())
}
