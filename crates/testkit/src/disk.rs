//! Files in memory that fail when told to, for proving that a crash loses nothing.

use std::io;
use std::sync::{Arc, Mutex};

use chess_core::io::{ReadAt, WriteAt};

/// A file in memory. Clones share the bytes; files made with the same [`Stop`] share its count.
#[derive(Clone, Debug, Default)]
pub struct Disk {
    bytes: Arc<Mutex<Vec<u8>>>,
    stop: Stop,
}

/// Lets a number of changes through and fails all after: the plug is pulled.
///
/// Run the change once with [`Stop::never`] and take [`Stop::count`]; then run it again for every
/// number below that, and reopen what is left.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Mutex<Count>>);

#[derive(Debug, Default)]
struct Count {
    done: u64,
    limit: Option<u64>,
    torn: bool,
}

impl Stop {
    /// Counts only.
    #[must_use]
    pub fn never() -> Stop {
        Stop::default()
    }

    /// Fails every change after the first `changes`. When `torn`, the first that fails still
    /// writes the first half of its bytes.
    #[must_use]
    pub fn after(changes: u64, torn: bool) -> Stop {
        Stop(Arc::new(Mutex::new(Count { done: 0, limit: Some(changes), torn })))
    }

    /// Changes asked for so far.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.lock().unwrap().done
    }

    /// Notes a change; `Err(true)` if it fails torn, `Err(false)` if it fails whole.
    fn pass(&self) -> Result<(), bool> {
        let mut count = self.0.lock().unwrap();
        count.done += 1;
        match count.limit {
            Some(limit) if count.done > limit => Err(count.torn && count.done == limit + 1),
            _ => Ok(()),
        }
    }
}

impl Disk {
    /// A file with these bytes whose changes pass `stop`.
    #[must_use]
    pub fn new(bytes: Vec<u8>, stop: &Stop) -> Disk {
        Disk { bytes: Arc::new(Mutex::new(bytes)), stop: stop.clone() }
    }

    /// What is in it now.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        self.bytes.lock().unwrap().clone()
    }

    fn put(&self, offset: u64, new: &[u8]) {
        let mut bytes = self.bytes.lock().unwrap();
        let start = offset as usize;
        let end = start + new.len();
        if bytes.len() < end {
            bytes.resize(end, 0);
        }
        bytes[start..end].copy_from_slice(new);
    }
}

fn unplugged() -> io::Error {
    io::Error::other("the plug is pulled")
}

impl ReadAt for Disk {
    fn size(&self) -> io::Result<u64> {
        Ok(self.bytes.lock().unwrap().len() as u64)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.bytes.lock().unwrap().read_at(offset, buffer)
    }
}

impl WriteAt for Disk {
    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        match self.stop.pass() {
            Ok(()) => {
                self.put(offset, bytes);
                Ok(())
            }
            Err(torn) => {
                if torn {
                    self.put(offset, &bytes[..bytes.len() / 2]);
                }
                Err(unplugged())
            }
        }
    }

    fn set_size(&self, size: u64) -> io::Result<()> {
        self.stop.pass().map_err(|_| unplugged())?;
        self.bytes.lock().unwrap().resize(size as usize, 0);
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        self.stop.pass().map_err(|_| unplugged())
    }
}
