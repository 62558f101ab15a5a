//! Creates volumes.

use super::{HERE, encode_entry, encode_header};
use crate::error::{Error, ErrorKind};
use crate::layout::FRAGMENT_LENGTH;

/// Builds a volume of `files`: their contents, then their tables of fragments, then the root folder
/// and its table. Every fragment has at most 512 bytes.
///
/// # Errors
/// [`ErrorKind::Full`] if the volume would exceed 2 GiB.
pub fn build<N: AsRef<str>, C: AsRef<[u8]>>(files: &[(N, C)]) -> Result<Vec<u8>, Error> {
    let mut out = encode_header(0, 0);
    let mut starts = Vec::new();
    for (_, content) in files {
        starts.push(position(&out)?);
        out.extend_from_slice(content.as_ref());
    }
    let mut folder = Vec::new();
    for ((name, content), start) in files.iter().zip(starts) {
        let table = position(&out)?;
        let length = u32::try_from(content.as_ref().len()).map_err(|_| full())?;
        put_fragments(start, length, &mut out);
        encode_entry(name.as_ref(), length, table, &mut folder);
    }
    let start = position(&out)?;
    out.extend_from_slice(&folder);
    let table = position(&out)?;
    let length = u32::try_from(folder.len()).map_err(|_| full())?;
    put_fragments(start, length, &mut out);
    position(&out)?;
    let header = encode_header(length, table);
    if let Some(place) = out.get_mut(..header.len()) {
        place.copy_from_slice(&header);
    }
    Ok(out)
}

fn put_fragments(start: u32, length: u32, out: &mut Vec<u8>) {
    let (mut offset, mut left) = (start, length);
    while left > 0 {
        let part = left.min(FRAGMENT_LENGTH);
        out.extend_from_slice(&part.to_le_bytes());
        out.extend_from_slice(&offset.to_le_bytes());
        offset = offset.saturating_add(part);
        left = left.saturating_sub(part);
    }
}

fn position(out: &[u8]) -> Result<u32, Error> {
    i32::try_from(out.len()).ok().and_then(|at| u32::try_from(at).ok()).ok_or_else(full)
}

fn full() -> Error {
    Error::new(ErrorKind::Full("the names exceed 2 GiB"), HERE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::volume::Volume;
    use chess_store::Diagnostics;

    #[test]
    fn built_volumes_are_read() {
        let long = vec![7; 1300];
        let bytes = build(&[("one", long.clone()), ("empty", Vec::new())]).unwrap();
        let volume = Volume::open(bytes, &mut Diagnostics::strict()).unwrap();
        let one = volume.file("one").unwrap().unwrap();
        assert_eq!(one.bytes(), long);
        let lengths: Vec<_> = one.fragments().iter().map(|fragment| fragment.length).collect();
        assert_eq!(lengths, [512, 512, 276]);
        assert_eq!(volume.file("EMPTY").unwrap().unwrap().bytes(), b"");
    }
}
