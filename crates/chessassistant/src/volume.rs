//! The EMB: a small file system with one folder.
//!
//! A file of the volume has a length and the offset of a table of fragments. The concatenated
//! fragments are the file. The root folder is itself such a file.
//!
//! ```
//! use chessassistant::Diagnostics;
//! use chessassistant::volume::{Volume, build};
//!
//! let bytes = build(&[("Players.a01", [1, 2, 3])]).unwrap();
//! let volume = Volume::open(bytes, &mut Diagnostics::strict()).unwrap();
//! let file = volume.file("players.A01").unwrap().unwrap();
//! assert_eq!(file.bytes(), [1, 2, 3]);
//! ```
//!
//! # Limits
//! Reading a file never needs more memory than twice the size of the volume. Files longer than the
//! volume are refused. So are empty fragments, fragments outside the volume, and overlapping
//! fragments of one file.

mod build;
mod inner;

use chess_store::io::ReadAt;
use chess_store::{Diagnostics, Location};
use nom::IResult;
use nom::Parser as _;
use nom::bytes::complete::take;
use nom::number::complete::le_u32;

use crate::description::{put_padded, unpadded};
use crate::error::{Error, ErrorKind, FRAGMENT_TABLE, HEADER};
use crate::layout::{
    EMB_HEADER_SIZE, EMB_TEXT_WIDTH, EMB_VERSION, ENTRY_NAME_WIDTH, ENTRY_SIZE, FRAGMENT_SIZE,
    SIGNATURE, VERSION_MARK,
};
use crate::quirk::Quirk;

pub use self::build::build;
pub(crate) use self::inner::first_overlap;
use self::inner::parse_fragment;
pub use self::inner::{Fragment, InnerFile};

/// An open volume.
#[derive(Debug)]
pub struct Volume<R> {
    source: R,
    size: u64,
    signature: Vec<u8>,
    version: Vec<u8>,
    entries: Vec<Entry>,
}

/// An entry of the root folder.
// chessassistant §3.2 "Root folder"
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    name: String,
    length: u32,
    offset: u32,
}

impl Entry {
    /// The file name, decoded as Latin-1. All known names are ASCII.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its size in bytes.
    #[must_use]
    pub fn length(&self) -> u32 {
        self.length
    }

    /// The offset of its table of fragments.
    #[must_use]
    pub fn offset(&self) -> u32 {
        self.offset
    }
}

/// The contents of a volume header.
// chessassistant §3 "EMB volume"
#[derive(Debug, PartialEq, Eq)]
struct Header<'a> {
    signature: &'a [u8],
    version: &'a [u8],
    folder_length: u32,
    folder_offset: u32,
}

fn parse_header(input: &[u8]) -> IResult<&[u8], Header<'_>> {
    let (rest, (signature, version, _, folder_length, folder_offset)) =
        (take(EMB_TEXT_WIDTH), take(EMB_TEXT_WIDTH), take(8usize), le_u32, le_u32).parse(input)?;
    let (signature, version) = (unpadded(signature), unpadded(version));
    Ok((rest, Header { signature, version, folder_length, folder_offset }))
}

fn encode_header(folder_length: u32, folder_offset: u32) -> Vec<u8> {
    let mut out = Vec::new();
    put_padded(SIGNATURE, EMB_TEXT_WIDTH, &mut out);
    put_padded(EMB_VERSION, EMB_TEXT_WIDTH, &mut out);
    out.extend_from_slice(&[0; 8]);
    out.extend_from_slice(&folder_length.to_le_bytes());
    out.extend_from_slice(&folder_offset.to_le_bytes());
    out
}

/// An entry, and whether it begins with 0 and 2 like all known entries.
fn parse_entry(input: &[u8]) -> IResult<&[u8], (Entry, bool)> {
    let (rest, (zero, two, length, offset, _, name)) =
        (le_u32, le_u32, le_u32, le_u32, take(12usize), take(ENTRY_NAME_WIDTH)).parse(input)?;
    let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
    let name = name.iter().map(|byte| char::from(*byte)).collect();
    Ok((rest, (Entry { name, length, offset }, (zero, two) == (0, 2))))
}

fn encode_entry(name: &str, length: u32, offset: u32, out: &mut Vec<u8>) {
    for field in [0, 2, length, offset, 0, 0, 0] {
        out.extend_from_slice(&field.to_le_bytes());
    }
    put_padded(name.as_bytes(), ENTRY_NAME_WIDTH, out);
}

const HERE: Location = Location::file("emb");

impl<R: ReadAt> Volume<R> {
    /// Opens a volume: reads the header and the root folder.
    ///
    /// # Errors
    /// An invalid header; an unreadable root folder.
    pub fn open(source: R, diagnostics: &mut Diagnostics) -> Result<Volume<R>, Error> {
        let size = source.size().map_err(Error::io(HERE))?;
        let mut bytes = Vec::new();
        source.read_into(0, EMB_HEADER_SIZE, &mut bytes).map_err(Error::io(HERE))?;
        let (_, header) = parse_header(&bytes)
            .map_err(|_| Error::new(ErrorKind::Truncated(HEADER), HERE.at(size)))?;
        if !contains(header.version, VERSION_MARK) {
            return Err(Error::new(ErrorKind::NotOurs("an EMB"), HERE.at(EMB_TEXT_WIDTH as u64)));
        }
        if header.version != EMB_VERSION {
            let at = HERE.at(EMB_TEXT_WIDTH as u64);
            diagnostics.note(Quirk::OtherVersion, at)?;
        }
        let (signature, version) = (header.signature.to_vec(), header.version.to_vec());
        let (length, offset) = (header.folder_length, header.folder_offset);
        let mut volume = Volume { source, size, signature, version, entries: Vec::new() };
        let folder = volume.assemble(length, offset)?;
        volume.entries = read_folder(&folder, diagnostics)?;
        Ok(volume)
    }

    /// The signature, usually `Chess Assistant 3.0 database.`
    #[must_use]
    pub fn signature(&self) -> &[u8] {
        &self.signature
    }

    /// The version text, usually `\nData Pro Volume format. Version 1.1`.
    #[must_use]
    pub fn version(&self) -> &[u8] {
        &self.version
    }

    /// The size of the volume in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The files in root folder order.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Reads the first file with this name, ignoring case. Returns `None` if there is none.
    ///
    /// # Errors
    /// As [`read`](Volume::read).
    pub fn file(&self, name: &str) -> Result<Option<InnerFile>, Error> {
        match self.entries.iter().find(|entry| entry.name.eq_ignore_ascii_case(name)) {
            Some(entry) => self.read(entry).map(Some),
            None => Ok(None),
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// The fragments do not form the file: too many or too few bytes, outside the volume, or
    /// overlapping.
    pub fn read(&self, entry: &Entry) -> Result<InnerFile, Error> {
        self.assemble(entry.length, entry.offset)
    }

    // chessassistant §3.1 "Fragments"
    fn assemble(&self, length: u32, table: u32) -> Result<InnerFile, Error> {
        let at = HERE.at(u64::from(table));
        if u64::from(length) > self.size {
            let kind = ErrorKind::InnerTooLong { length: length.into(), size: self.size };
            return Err(Error::new(kind, at));
        }
        let fragments = self.fragments(length, table)?;
        let mut file = InnerFile { bytes: Vec::new(), fragments, table };
        let header = (0, EMB_HEADER_SIZE as u64);
        if let Some(offset) = first_overlap(file.extents().chain([header])) {
            return Err(Error::new(ErrorKind::Overlap, HERE.at(offset)));
        }
        let mut piece = Vec::new();
        for fragment in &file.fragments {
            let length = usize::try_from(fragment.length).unwrap_or(usize::MAX);
            self.source
                .read_into(fragment.offset.into(), length, &mut piece)
                .map_err(Error::io(HERE))?;
            file.bytes.extend_from_slice(&piece);
        }
        Ok(file)
    }

    /// Reads the table of fragments of a file. The table is contiguous, so it cannot exceed the
    /// volume. No fragment is empty, so it ends.
    fn fragments(&self, length: u32, table: u32) -> Result<Vec<Fragment>, Error> {
        let mut fragments = Vec::new();
        let mut left = length;
        let mut offset = u64::from(table);
        while left > 0 {
            let mut pair = [0; FRAGMENT_SIZE];
            let count = self.source.read_full(offset, &mut pair).map_err(Error::io(HERE))?;
            let fail = |kind| Err(Error::new(kind, HERE.at(offset)));
            let Ok((_, fragment)) = parse_fragment(pair.get(..count).unwrap_or_default()) else {
                return fail(ErrorKind::Truncated(FRAGMENT_TABLE));
            };
            let end = u64::from(fragment.offset).saturating_add(fragment.length.into());
            if fragment.length == 0 {
                return fail(ErrorKind::EmptyFragment);
            }
            if fragment.length > left {
                let surplus = u64::from(fragment.length.saturating_sub(left));
                return fail(ErrorKind::FragmentsTooLong(surplus));
            }
            if end > self.size {
                let Fragment { length, offset } = fragment;
                return fail(ErrorKind::FragmentOutside { length, offset });
            }
            left = left.saturating_sub(fragment.length);
            offset = offset.saturating_add(FRAGMENT_SIZE as u64);
            fragments.push(fragment);
        }
        Ok(fragments)
    }
}

fn read_folder(folder: &InnerFile, diagnostics: &mut Diagnostics) -> Result<Vec<Entry>, Error> {
    let mut entries = Vec::new();
    let mut position = 0u64;
    for block in folder.bytes.chunks(ENTRY_SIZE) {
        let place = || match folder.absolute(position) {
            Some(offset) => HERE.at(offset),
            None => HERE,
        };
        match parse_entry(block) {
            Ok((_, (entry, usual))) => {
                if !usual {
                    diagnostics.note(Quirk::FolderEntry, place())?;
                }
                entries.push(entry);
            }
            Err(_) => diagnostics.note(Quirk::FolderEntry, place())?,
        }
        position = position.saturating_add(ENTRY_SIZE as u64);
    }
    Ok(entries)
}

pub(crate) fn contains(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).any(|window| window == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A volume with one file, `A.a01`, in two fragments in reverse order.
    fn small() -> Vec<u8> {
        let mut bytes = b"Chess Assistant 3.0 database.".to_vec(); // 0 signature
        bytes.resize(64, 0);
        bytes.extend_from_slice(b"\nData Pro Volume format. Version 1.1"); // 64 version
        bytes.resize(128, 0);
        bytes.extend_from_slice(&[0; 8]); // 128 zeros
        bytes.extend_from_slice(&[0, 1, 0, 0]); // 136 length of the folder: 256
        bytes.extend_from_slice(&[0xa8, 1, 0, 0]); // 140 its table of fragments: 424
        bytes.extend_from_slice(b"worldhello "); // 144 the second fragment, then the first
        bytes.extend_from_slice(&[0xee; 13]); // 155 nobody's
        bytes.extend_from_slice(&[0, 0, 0, 0]); // 168 the folder, +0 always 0
        bytes.extend_from_slice(&[2, 0, 0, 0]); // +4 always 2
        bytes.extend_from_slice(&[11, 0, 0, 0]); // +8 length of the file
        bytes.extend_from_slice(&[0xb0, 1, 0, 0]); // +12 its table of fragments: 432
        bytes.extend_from_slice(&[0; 12]); // +16 unknown
        bytes.extend_from_slice(b"A.a01"); // +28 name
        bytes.resize(424, 0);
        bytes.extend_from_slice(&[0, 1, 0, 0, 0xa8, 0, 0, 0]); // 424 the folder: 256 bytes at 168
        bytes.extend_from_slice(&[6, 0, 0, 0, 0x95, 0, 0, 0]); // 432 six bytes at 149
        bytes.extend_from_slice(&[5, 0, 0, 0, 0x90, 0, 0, 0]); // 440 five bytes at 144
        bytes
    }

    fn open(bytes: &[u8]) -> Result<Volume<&[u8]>, Error> {
        Volume::open(bytes, &mut Diagnostics::strict())
    }

    #[test]
    fn parse_volume_reads_each_field() {
        let bytes = small();
        let volume = open(&bytes).unwrap();
        assert_eq!(volume.signature(), SIGNATURE);
        let [entry] = volume.entries() else { panic!("one entry") };
        assert_eq!((entry.name(), entry.length(), entry.offset()), ("A.a01", 11, 432));
        let file = volume.file("a.A01").unwrap().unwrap();
        assert_eq!(file.bytes(), b"hello world");
        assert_eq!(file.absolute(0), Some(149));
        assert_eq!(file.absolute(6), Some(144));
        assert_eq!(file.absolute(11), None);
        assert_eq!(volume.file("B.a01").unwrap(), None);
    }

    #[test]
    fn volume_damage_each_kind_has_its_error() {
        let error = |change: &[(usize, u8)]| {
            let mut bytes = small();
            for (at, byte) in change {
                bytes[*at] = *byte;
            }
            match open(&bytes) {
                Ok(volume) => volume.file("A.a01").unwrap_err().to_string(),
                Err(error) => error.to_string(),
            }
        };
        assert_eq!(error(&[(65, b'X')]), ".emb, byte 64: this is not the header of an EMB");
        assert!(error(&[(139, 0x7f)]).contains("an inner file of 2130706688 bytes"));
        assert!(error(&[(432, 0)]).contains("byte 432: an empty fragment"));
        assert!(error(&[(440, 9)]).contains("byte 440: the fragments have 4 bytes more"));
        assert!(error(&[(437, 9)]).contains("a fragment of 6 bytes at 2453 lies outside"));
        assert!(error(&[(444, 0x92)]).contains("byte 149: fragments overlap"));
        assert!(error(&[(444, 0x10)]).contains("fragments overlap"), "within the header");
        assert!(error(&[(444, 0xb5), (445, 1)]).contains("overlap"), "within its own table");
        assert!(error(&[(180, 0xbc)]).contains("a table of fragments is cut short"));
    }
}
