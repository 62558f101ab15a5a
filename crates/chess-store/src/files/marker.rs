//! The marker file, which identifies the new files of a base.
//!
//! It consists of a few lines of text. The last line is a checksum of the others, so an incomplete
//! marker is ignored.
//!
//! It contains no file names, so a forged marker cannot refer to other files. The new files are the
//! files in the same folder whose temporary names end in its token.

use std::io;
use std::path::Path;

use super::disk::Disk;
use super::names::{is_token, marker_of};
use crate::io::{ReadAt, WriteAt};

const FIRST_LINE: &str = "scoresheet commit 1";
const GONE: &str = "gone ";
/// Maximum size of a marker in bytes.
const MAX_BYTES: usize = 4096;

/// The contents of a marker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Marker {
    /// The suffix of the temporary names of the new files.
    pub(super) token: String,
    /// Extensions of files that the old base has and the new one does not.
    pub(super) gone: Vec<String>,
}

impl Marker {
    /// Reads the marker of the base with this index, if a complete one exists.
    pub(super) fn read<D: Disk>(disk: &D, index: &Path) -> io::Result<Option<Marker>> {
        let path = marker_of(index);
        if disk.identity(&path)?.is_none() {
            return Ok(None);
        }
        let file = match disk.open(&path) {
            // The file was removed between the two calls.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file?,
        };
        let mut bytes = Vec::new();
        file.read_into(0, MAX_BYTES, &mut bytes)?;
        Ok(Marker::parse(&bytes))
    }

    /// Writes the marker to an empty file and syncs it.
    pub(super) fn write(&self, file: &mut impl WriteAt) -> io::Result<()> {
        file.write_at(0, self.encode().as_bytes())?;
        file.sync()
    }

    fn encode(&self) -> String {
        let mut text = format!("{FIRST_LINE}\n{}\n", self.token);
        for extension in &self.gone {
            text.push_str(GONE);
            text.push_str(extension);
            text.push('\n');
        }
        let sum = checksum(text.as_bytes());
        format!("{text}{sum:016x}\n")
    }

    fn parse(bytes: &[u8]) -> Option<Marker> {
        let text = str::from_utf8(bytes).ok()?.strip_suffix('\n')?;
        let (_, sum) = text.rsplit_once('\n')?;
        let said = text.strip_suffix(sum)?;
        if sum != format!("{:016x}", checksum(said.as_bytes())) {
            return None;
        }
        let mut lines = said.lines();
        let known = lines.next() == Some(FIRST_LINE);
        let token = lines.next().filter(|token| known && is_token(token))?.to_owned();
        let gone: Option<_> = lines.map(|line| Some(line.strip_prefix(GONE)?.to_owned())).collect();
        Some(Marker { token, gone: gone? })
    }
}

/// The FNV-1a hash.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn read_marker_incomplete_is_none() {
        let marker = Marker { token: "0123456789abcdef".into(), gone: vec!["emb".into()] };
        let text = marker.encode();
        assert_eq!(Marker::parse(text.as_bytes()), Some(marker));
        assert!(
            text.len() < 100
                && text.starts_with("scoresheet commit 1\n0123456789abcdef\ngone emb\n")
        );
        for cut in 0..text.len() {
            assert_eq!(Marker::parse(&text.as_bytes()[..cut]), None, "{cut}");
        }
        for at in 0..text.len() {
            let mut damaged = text.clone().into_bytes();
            damaged[at] ^= 1;
            assert_eq!(Marker::parse(&damaged), None, "{at}");
        }
        assert_eq!(Marker::parse(&[0; 200]), None);
    }
}
