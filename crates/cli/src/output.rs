//! Standard output that ends quietly when its reader does.

use std::io::{self, BufWriter, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Standard output as a writer's sink, which remembers a broken pipe.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pipe {
    broken: Arc<AtomicBool>,
}

impl Pipe {
    /// Whether its reader has gone.
    pub(crate) fn is_broken(&self) -> bool {
        self.broken.load(Ordering::Relaxed)
    }

    /// A buffered sink into it.
    pub(crate) fn sink(&self) -> Box<dyn Write + Send> {
        Box::new(BufWriter::with_capacity(1 << 16, self.clone()))
    }

    fn note<T>(&self, result: io::Result<T>) -> io::Result<T> {
        if result.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
            self.broken.store(true, Ordering::Relaxed);
        }
        result
    }
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.note(io::stdout().write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.note(io::stdout().flush())
    }
}
