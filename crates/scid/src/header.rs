//! The header of an index of versions 3 and 4. (scid §2.1 "Header")

use nom::Parser as _;
use nom::bytes::complete::{tag, take};
use nom::multi::count;
use nom::number::complete::{be_u16, be_u24, be_u32};

use crate::layout::{CUSTOM_FLAGS, DESCRIPTION_SIZE, FLAG_LABEL_SIZE, INDEX_MAGIC, Version};

/// The base's own data. Version 5 stores it as text in the names file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Info {
    /// The version number: 300 to 400. Version 5 stores none and reports 500.
    pub version: u16,
    /// An icon number, see [`BASE_TYPES`](crate::layout::BASE_TYPES).
    pub base_type: u32,
    /// The number of games in the header. Version 5 stores none.
    pub games: u32,
    /// The game to load when the base is opened. Since Scid 4.6.1: 0 for none, else the number
    /// of the game from 1. Before, and in Scid vs PC: 1 for none, else the number plus one.
    pub autoload: u32,
    /// The user's description, at most 107 bytes.
    pub description: Vec<u8>,
    /// The user's names for the flags 1 to 6, at most 8 bytes each.
    pub flag_labels: [Vec<u8>; CUSTOM_FLAGS],
}

/// Why a header cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Damage {
    Magic,
    Version(u16),
    Short,
}

/// Parses the header and returns whether entries use version 3 or 4.
pub(crate) fn parse_header(bytes: &[u8]) -> Result<(Version, Info), Damage> {
    let Ok((rest, _)) = tag::<_, _, ()>(&INDEX_MAGIC[..]).parse(bytes) else {
        return Err(Damage::Magic);
    };
    let Ok((rest, (number, base_type, games, autoload, description))) =
        (be_u16::<_, ()>, be_u32, be_u24, be_u24, take(DESCRIPTION_SIZE)).parse(rest)
    else {
        return Err(Damage::Short);
    };
    let mut info = Info {
        version: number,
        base_type,
        games,
        autoload,
        description: until_nul(description).to_vec(),
        flag_labels: Default::default(),
    };
    match number {
        300..400 => return Ok((Version::Si3, info)),
        400 => {}
        other => return Err(Damage::Version(other)),
    }
    let mut labels = count(take::<_, _, ()>(FLAG_LABEL_SIZE), CUSTOM_FLAGS);
    let Ok((_, labels)) = labels.parse(rest) else {
        return Err(Damage::Short);
    };
    for (label, bytes) in info.flag_labels.iter_mut().zip(labels) {
        *label = until_nul(bytes).to_vec();
    }
    Ok((Version::Si4, info))
}

/// Encodes the header of a version 4 index. Long texts are truncated.
#[must_use]
pub(crate) fn encode_header(info: &Info) -> [u8; 182] {
    let mut bytes = [0; 182];
    let [_, games @ ..] = info.games.to_be_bytes();
    let [_, autoload @ ..] = info.autoload.to_be_bytes();
    let fields: [(usize, &[u8]); 6] = [
        (0, &INDEX_MAGIC),
        (8, &400u16.to_be_bytes()),
        (10, &info.base_type.to_be_bytes()),
        (14, &games),
        (17, &autoload),
        (20, cut(&info.description, DESCRIPTION_SIZE)),
    ];
    let labels = (128..).step_by(FLAG_LABEL_SIZE).zip(&info.flag_labels);
    let labels = labels.map(|(at, label)| (at, cut(label, FLAG_LABEL_SIZE)));
    for (at, field) in fields.into_iter().chain(labels) {
        for (to, from) in bytes.iter_mut().skip(at).zip(field) {
            *to = *from;
        }
    }
    bytes
}

/// Truncates a text to a field of this size, including the NUL.
fn cut(text: &[u8], size: usize) -> &[u8] {
    let text = until_nul(text);
    text.get(..size.saturating_sub(1)).unwrap_or(text)
}

fn until_nul(field: &[u8]) -> &[u8] {
    field.split(|byte| *byte == 0).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A version 4 header: 3 games, type 5, autoload 1, a description and the first label.
    fn bytes() -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend_from_slice(b"Scid.si\0"); // magic
        bytes.extend_from_slice(&[0x01, 0x90]); // version 400
        bytes.extend_from_slice(&[0, 0, 0, 5]); // type: large database
        bytes.extend_from_slice(&[0, 0, 3]); // games
        bytes.extend_from_slice(&[0, 0, 1]); // autoload
        bytes.extend_from_slice(b"All of Linares"); // description
        bytes.resize(128, 0);
        bytes.extend_from_slice(b"Checked\0\0"); // label of flag 1
        bytes.resize(182, 0); // labels of flags 2 to 6
        bytes
    }

    #[test]
    fn header_written_reads_back() {
        let (version, info) = parse_header(&bytes()).unwrap();
        assert_eq!(version, Version::Si4);
        assert_eq!((info.version, info.base_type, info.games, info.autoload), (400, 5, 3, 1));
        assert_eq!(info.description, b"All of Linares");
        assert_eq!(info.flag_labels[0], b"Checked");
        assert_eq!(encode_header(&info).as_slice(), bytes());
    }

    #[test]
    fn header_long_text_is_cut_before_nul() {
        let mut info = parse_header(&bytes()).unwrap().1;
        info.description = vec![b'd'; 200];
        info.flag_labels[5] = b"nine long".to_vec();
        let back = parse_header(&encode_header(&info)).unwrap().1;
        assert_eq!(back.description, vec![b'd'; 107]);
        assert_eq!(back.flag_labels[5], b"nine lon");
    }

    #[test]
    fn header_version_3_has_no_labels() {
        let mut bytes = bytes();
        bytes[8..10].copy_from_slice(&300u16.to_be_bytes());
        bytes.truncate(128);
        let (version, info) = parse_header(&bytes).unwrap();
        assert_eq!(version, Version::Si3);
        assert_eq!(info.flag_labels, <[Vec<u8>; 6]>::default());
    }

    #[test]
    fn header_damaged_is_error() {
        assert_eq!(parse_header(b"Scid.sn\0"), Err(Damage::Magic));
        assert_eq!(parse_header(&bytes()[..181]), Err(Damage::Short));
        for version in [299, 401u16] {
            let mut bytes = bytes();
            bytes[8..10].copy_from_slice(&version.to_be_bytes());
            assert_eq!(parse_header(&bytes), Err(Damage::Version(version)));
        }
    }
}
