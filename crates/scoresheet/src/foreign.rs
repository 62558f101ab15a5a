//! Files that are recognised, and not read: what they are, and what to do.

/// What a file is that begins so and has this extension, in lower case, if anything is known of it.
pub(crate) fn recognise(start: &[u8], extension: &str) -> Option<&'static str> {
    if start.is_empty() {
        return Some("the file is empty");
    }
    let by_content = MARKS.iter().find(|(mark, _)| start.starts_with(mark)).map(|(_, what)| *what);
    let by_content = by_content.or(is_2cbh(start).then_some(CHESSBASE_17));
    let is_tar = start.get(257..262) == Some(b"ustar");
    let by_name = NAMES.iter().find(|(names, _)| names.contains(&extension)).map(|(_, what)| *what);
    by_content.or(is_tar.then_some("a tar archive; unpack it first")).or(by_name)
}

const CHESSBASE_17: &str = "a ChessBase 17 base, which is not read; save it as PGN in ChessBase";

/// Whether a file begins as one of a ChessBase 17 base: its headers, moves, annotations, or names.
fn is_2cbh(start: &[u8]) -> bool {
    let is_headers = start.get(8..12) == Some(&[38, 0, 192, 0]) && start.get(13) == Some(&5);
    // The size of the file, of its header, and the version.
    let is_records = matches!(start.first_chunk(), Some([_, _, _, _, _, 0, 0, 0, 12, 0, 0 | 1, 5]));
    let is_names = matches!(start, [0, 0, 0, 184 | 216 | 228 | 236, 0, 0, 0, 6, ..]);
    is_headers || is_records || is_names
}

const MARKS: [(&[u8], &str); 9] = [
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive; unpack it first"),
    (b"Rar!\x1a\x07", "a RAR archive; unpack it first"),
    (b"PK\x03\x04", "a zip archive; unpack it first"),
    (
        b"SQLite format 3\0",
        "an SQLite database, as of ocgdb or Hiarcs; export PGN from its program",
    ),
    (b"%PDF-", "a PDF document"),
    (b"<!DOCTYPE", "a page of the web; the download gave no file"),
    (b"<!doctype", "a page of the web; the download gave no file"),
    (b"<html", "a page of the web; the download gave no file"),
    (b"MZ", "a Windows program, perhaps an archive that unpacks itself"),
];

const NAMES: [(&[&str], &str); 8] = [
    (&["cbone"], "a ChessBase base of one file, which is not read; save it as PGN in ChessBase"),
    (&["ctg", "ctb", "cto"], "a ChessBase opening book; it holds positions, no games"),
    (&["bin"], "perhaps a Polyglot opening book; it holds positions, no games"),
    (&["abk"], "an Arena opening book; it holds positions, no games"),
    (&["2cbh", "2cbg", "2cba", "2lid", "2lgd", "2lcd"], CHESSBASE_17),
    (&["tar", "tgz", "tbz", "txz", "arj", "lzh", "lha"], "an archive; unpack it first"),
    (&["epd", "fen"], "positions without games"),
    (
        &["ini", "cfg", "txt", "doc", "rtf"],
        "a text, as far as its name tells; if there is PGN in it, use --from pgn",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chessbase_17_files_are_recognised_by_content() {
        let headers = [0, 0, 0, 0, 0, 0, 0, 0, 38, 0, 192, 0, 0, 5, 0, 0];
        let records = [0xa4, 1, 0, 0, 0, 0, 0, 0, 12, 0, 0, 5, 0x88];
        let names = [0, 0, 0, 184, 0, 0, 0, 6, 0, 0, 4, 0];
        for start in [&headers[..], &records, &names] {
            assert_eq!(recognise(start, "dat"), Some(CHESSBASE_17));
        }
    }

    #[test]
    fn what_a_file_is_by_content_then_by_name() {
        let what = |start: &[u8], extension| recognise(start, extension).unwrap_or("?");
        assert!(what(b"", "pgn").contains("empty"));
        assert!(what(b"Rar!\x1a\x07\0", "pgn").contains("RAR"));
        for extension in ["2cbh", "2cbg", "2cba", "2lid", "2lgd", "2lcd"] {
            assert!(what(b"xyz", extension).contains("ChessBase 17"), "{extension}");
        }
        assert!(what(b"xyz", "ctg").contains("book"));
        assert_eq!(what(b"xyz", "xyz"), "?");
    }
}
