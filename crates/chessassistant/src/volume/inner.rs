//! The files in a volume, and their fragments.

use nom::IResult;
use nom::Parser as _;
use nom::number::complete::le_u32;

use crate::layout::FRAGMENT_SIZE;

/// A range of the volume that holds part of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fragment {
    /// Its size in bytes.
    pub length: u32,
    /// Its offset in the volume.
    pub offset: u32,
}

/// A file of the volume, read completely.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InnerFile {
    pub(super) bytes: Vec<u8>,
    pub(super) fragments: Vec<Fragment>,
    pub(super) table: u32,
}

impl InnerFile {
    /// Its contents.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Its fragments.
    #[must_use]
    pub fn fragments(&self) -> &[Fragment] {
        &self.fragments
    }

    /// The offset in the volume of a byte of the file.
    #[must_use]
    pub fn absolute(&self, position: u64) -> Option<u64> {
        let mut before = 0u64;
        for fragment in &self.fragments {
            let within = position.checked_sub(before)?;
            if within < u64::from(fragment.length) {
                return u64::from(fragment.offset).checked_add(within);
            }
            before = before.checked_add(u64::from(fragment.length))?;
        }
        None
    }

    /// The ranges of the volume that the file uses: its table and its fragments.
    pub(crate) fn extents(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let table = (self.fragments.len() as u64).saturating_mul(FRAGMENT_SIZE as u64);
        let table = (u64::from(self.table), table);
        let fragments =
            self.fragments.iter().map(|fragment| (fragment.offset.into(), fragment.length.into()));
        std::iter::once(table).chain(fragments).filter(|(_, length)| *length > 0)
    }
}

pub(super) fn parse_fragment(input: &[u8]) -> IResult<&[u8], Fragment> {
    (le_u32, le_u32).map(|(length, offset)| Fragment { length, offset }).parse(input)
}

/// The start of the first of these ranges (offset, length) that begins within another.
pub(crate) fn first_overlap(extents: impl Iterator<Item = (u64, u64)>) -> Option<u64> {
    let mut sorted: Vec<(u64, u64)> = extents.collect();
    sorted.sort_unstable();
    let mut end = 0;
    for (offset, length) in sorted {
        if offset < end {
            return Some(offset);
        }
        end = offset.saturating_add(length);
    }
    None
}
