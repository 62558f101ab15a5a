//! Explains files that are recognised but not readable, and extensions that are not writable.

use crate::detect::extension_of;
use std::path::Path;

/// The message for text that no format recognises.
pub(crate) const TEXT: &str =
    "no game at the start of this text; if it holds PGN, give it a name that ends in .pgn";

const NO_TABLES: &str = "this build has no Parquet and Arrow; build it with `--features tables`";

/// Describes a foreign file by its first bytes `start` and its extension in lower case.
pub(crate) fn recognise(start: &[u8], extension: &str) -> Option<&'static str> {
    if start.is_empty() {
        return Some("the file is empty");
    }
    if start.starts_with(SQLITE) && start.get(68..72) == Some(b"Scsh") {
        return Some(OUR_SQLITE);
    }
    let mut marks = ARCHIVES.iter().chain(&MARKS);
    let by_content = marks.find(|(mark, _)| begins(start, mark)).map(|(_, what)| *what);
    let by_content = by_content.or(is_2cbh(start).then_some(CHESSBASE_17));
    let is_tar = start.get(257..262) == Some(b"ustar");
    by_content
        .or(is_tar.then_some("a tar archive; unpack it first"))
        .or_else(|| settings(start))
        .or_else(|| lookup(&NAMES, extension))
}

const SQLITE: &[u8] = b"SQLite format 3\0";

/// `tables` writes it, with the application ID `Scsh`.
const OUR_SQLITE: &str = "an SQLite database that Scoresheet wrote; it is for SQL, and not read \
     back: convert from the base that it was written from";

const CHESSBASE_17: &str =
    "a file of a ChessBase 17 base; give it its extension back, as in base.2cbh";

/// Returns whether a file begins like a file of a ChessBase 17 base: headers, moves, annotations or
/// names.
fn is_2cbh(start: &[u8]) -> bool {
    let is_headers = start.get(8..12) == Some(&[38, 0, 192, 0]) && start.get(13) == Some(&5);
    // File size, header size, and version.
    let is_records = matches!(start.first_chunk(), Some([_, _, _, _, _, 0, 0, 0, 12, 0, 0 | 1, 5]));
    let is_names = matches!(start, [0, 0, 0, 184 | 216 | 228 | 236, 0, 0, 0, 6, ..]);
    is_headers || is_records || is_names
}

/// Returns whether a file begins like a foreign kind, whatever its name. Text with games and
/// archives that can be unpacked are not foreign.
pub(crate) fn is_foreign(start: &[u8]) -> bool {
    let is_mark = |mark: &[u8]| mark.len() > 3 && !mark.starts_with(b"PK") && begins(start, mark);
    let mut marks = ARCHIVES.iter().chain(&MARKS);
    let marked = marks.any(|(mark, _)| is_mark(mark)) || settings(start).is_some();
    marked && !start.windows(TAG.len()).any(|window| window == TAG)
}

/// Returns whether a file begins like an archive, which no stream of games does.
pub(crate) fn is_archive(start: &[u8]) -> bool {
    ARCHIVES.iter().any(|(mark, _)| start.starts_with(mark))
}

/// Strings that a text with games contains.
const TAG: &[u8] = b"[Event \"";

/// Explains why games cannot be written to a file of this name.
pub(crate) fn unwritable(path: &Path) -> Option<&'static str> {
    lookup(&OUTPUTS, &extension_of(path))
}

/// Explains how to enable a format that is not compiled in.
#[must_use]
pub fn missing_format(name: &str) -> Option<&'static str> {
    let name = name.strip_prefix('.').unwrap_or(name).to_lowercase();
    TABLES.contains(&&*name).then_some(NO_TABLES)
}

/// Compares prefixes without regard to case, as web pages need.
fn begins(start: &[u8], mark: &[u8]) -> bool {
    start.get(..mark.len()).is_some_and(|start| start.eq_ignore_ascii_case(mark))
}

fn lookup(table: &[(&[&str], &'static str)], extension: &str) -> Option<&'static str> {
    table.iter().find(|(names, _)| names.contains(&extension)).map(|(_, what)| *what)
}

/// Recognises a settings file: a section in brackets, then `key=value` or another section.
fn settings(start: &[u8]) -> Option<&'static str> {
    let text = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    let mut lines = text.split(|byte| matches!(byte, b'\n' | b'\r')).map(<[u8]>::trim_ascii);
    let is_text = |line: &&[u8]| !line.is_empty() && !line.starts_with(b";");
    let first = lines.by_ref().find(is_text)?;
    let section = first.strip_prefix(b"[")?.strip_suffix(b"]")?;
    let next = lines.find(is_text).unwrap_or(b"[");
    if section.contains(&b'"') || !(next.starts_with(b"[") || next.contains(&b'=')) {
        return None;
    }
    let is_chessbase = section.starts_with(b"Descr");
    Some(if is_chessbase { CHESSBASE_SETTINGS } else { SETTINGS })
}

const SETTINGS: &str = "a settings file; it holds no games";
const CHESSBASE_SETTINGS: &str = "settings that ChessBase keeps beside a database; they hold no \
     games. Open the .cbh or .pgn file of the same name";

const TABLES: [&str; 3] = ["parquet", "arrow", "feather"];

const WEB_PAGE: &str =
    "a web page, which is not read; if it was downloaded, the server sent no file";

const ARCHIVES: [(&[u8], &str); 4] = [
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive; unpack it first"),
    (b"Rar!\x1a\x07", "a RAR archive; unpack it first"),
    (b"PK\x03\x04", "a zip archive; unpack it first"),
    (b"PK\x05\x06", "a zip archive without files"),
];

const BOOK: &str = "an opening book, which holds positions, no games; `scoresheet book` reads it";

const MARKS: [(&[u8], &str); 14] = [
    (b"\x03ABK", BOOK),
    (b"BOO!", BOOK),
    (b"UGWS", BOOK),
    (
        SQLITE,
        "an SQLite database, as of En Croissant, Lucas Chess, ocgdb or Hiarcs; export PGN from its program",
    ),
    (b"%PDF-", "a PDF document"),
    (b"{\\rtf", "a text of a word processor; save it as plain text with a name that ends in .pgn"),
    (b"<!DOCTYPE", WEB_PAGE),
    (b"<html", WEB_PAGE),
    (b"<head", WEB_PAGE),
    (b"#let ", "a Typst document, which is not read"),
    (b"<?xml", "an XML document"),
    (b"PAR1", NO_TABLES),
    (b"ARROW1\0\0", NO_TABLES),
    (b"MZ", "a Windows program, perhaps an archive that unpacks itself"),
];

const NAMES: [(&[&str], &str); 16] = [
    (&["cbone"], "a ChessBase base of one file, which is not read; save it as PGN in ChessBase"),
    (&["ctg", "ctb", "cto", "abk", "obk"], BOOK),
    (&["bin"], "perhaps a Polyglot opening book, which `scoresheet book` reads; it holds no games"),
    (&["opn"], "perhaps an opening book; it holds positions, no games"),
    (
        &["cib", "cib2", "cit", "cit2", "cbb", "ck2", "ck3", "cpo", "cko", "cbgi"],
        "keys or an index that ChessBase keeps beside a base; open the .cbh, .2cbh or .cbf of the same name",
    ),
    (&["pgi"], "ChessBase's index of a PGN file; open the .pgn of the same name"),
    (
        &["ssc", "sso", "sor", "stm", "stc"],
        "settings of Scid for a base, without games; open the .si4 or .si5 of the same name",
    ),
    (&["sci", "scg", "scn"], "a Scidb base, which is not read; export PGN from Scidb"),
    (&["ssp"], "a spelling file of Scid, without games; use it with --spell"),
    (&["eco"], "a list of opening codes, without games"),
    (&["pgdb", "tdb"], "a base of Tarrasch, which is not read; export PGN from Tarrasch"),
    (&["tar", "tgz", "tbz", "txz", "arj", "lzh", "lha"], "an archive; unpack it first"),
    (&["ini", "cfg", "conf", "toml", "yaml", "yml", "inf"], SETTINGS),
    (&TABLES, NO_TABLES),
    (
        &["doc", "docx", "odt", "rtf"],
        "a text of a word processor; save it as plain text with a name that ends in .pgn",
    ),
    (&["txt", "text", "md", "log", "nfo", "eml"], TEXT),
];

#[cfg(feature = "print")]
const PAGES: &str =
    "pages to read or print are written as .html, or as .typ for Typst, which makes PDF";
#[cfg(not(feature = "print"))]
const PAGES: &str =
    "pages to read or print are not written; write .pgn and use a program that prints it";

const OUTPUTS: [(&[&str], &str); 11] = [
    (&TABLES, NO_TABLES),
    (&["html", "htm", "xhtml", "tex", "pdf", "ps", "svg"], PAGES),
    (
        &["doc", "docx", "odt", "rtf", "md"],
        "documents are not written; write .pgn, which word processors open as text",
    ),
    (
        &["xls", "xlsx", "ods", "tsv"],
        "spreadsheets are not written; write .csv, which spreadsheet programs open",
    ),
    (&["zip"], "zip archives are read, not written; write .pgn.gz or .pgn.zst, or zip a .pgn"),
    (
        &["7z", "rar", "tar", "tgz"],
        "archives of this kind are not written; write .pgn.gz, .pgn.bz2 or .pgn.zst",
    ),
    (&["json", "ndjson"], "JSON is written with one game a line; name the file .jsonl"),
    (
        &["sqlite", "sqlite3", "db", "db3", "sql", "duckdb"],
        "of SQL databases SQLite is written, as .db, by a build with `--features tables`; others import .csv and .jsonl",
    ),
    (&["cbone"], "this ChessBase format is not written; write .cbh, which ChessBase opens"),
    (&["bin", "abk"], "an opening book is made by `scoresheet book make` or `book convert`"),
    (&["ctg", "obk"], "opening books of this format are read, not written"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn what(start: &[u8], extension: &str) -> &'static str {
        recognise(start, extension).unwrap_or("?")
    }

    #[test]
    fn recognise_chessbase_17_file_by_content() {
        let headers = [0, 0, 0, 0, 0, 0, 0, 0, 38, 0, 192, 0, 0, 5, 0, 0];
        let records = [0xa4, 1, 0, 0, 0, 0, 0, 0, 12, 0, 0, 5, 0x88];
        let names = [0, 0, 0, 184, 0, 0, 0, 6, 0, 0, 4, 0];
        for start in [&headers[..], &records, &names] {
            assert_eq!(recognise(start, "dat"), Some(CHESSBASE_17));
        }
    }

    #[test]
    fn recognise_uses_content_then_name() {
        assert!(what(b"", "pgn").contains("empty"));
        assert!(what(b"Rar!\x1a\x07\0", "pgn").contains("RAR"));
        assert!(what(b"<HTML><body>", "pgn").contains("web"));
        assert!(what(b"xyz", "ctg").contains("book"));
        assert_eq!(what(b"xyz", "xyz"), "?");
        assert_eq!(what(b"xyz", "txt"), TEXT);
    }

    #[cfg(feature = "tables")]
    #[test]
    fn open_own_sqlite_names_scoresheet() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.db");
        let output = crate::create(&path, &chess_store::CreateOptions::default()).unwrap();
        output.finish().unwrap();
        let message = crate::open(&path).unwrap_err().to_string();
        assert!(message.contains(OUR_SQLITE), "{message}");
        assert!(what(b"SQLite format 3\0", "db").contains("En Croissant"));
    }

    #[test]
    fn recognise_settings_file_by_content() {
        assert!(what(b"[DescrPGN]\r\nUsage=2\r\n", "ini").contains("ChessBase"));
        assert!(what(b"[DescrCBG]\r\nType=0\r\n", "").contains("ChessBase"));
        assert_eq!(what(b"; x\r\n[Window]\r\nwidth = 3\r\n", ""), SETTINGS);
        assert_eq!(what(b"[.ShellClassInfo]\r\n[View]\r\n", "txt"), SETTINGS);
        assert_eq!(what(b"\xff\xfe[\0.\0", "ini"), SETTINGS);
        assert_eq!(what(b"[link] and text", ""), "?");
    }

    #[test]
    fn is_foreign_ignores_the_name_and_spares_games() {
        assert!(is_foreign(b"<!doctype html><p>not found"));
        assert!(is_foreign(b"[DescrPGN]\r\nUsage=2\r\n"));
        assert!(is_foreign(b"%PDF-1.4"));
        for start in [
            &b"<html><pre>\n[Event \"A\"]"[..],
            b"PK\x03\x04",
            b"MZ",
            b"[Event \"A\"]",
            b"",
            b"1. e4",
        ] {
            assert!(!is_foreign(start), "{start:?}");
        }
    }

    #[test]
    fn unwritable_name_gets_advice() {
        let advice = |name: &str| unwritable(Path::new(name)).unwrap_or("?");
        for name in ["a.HTML", "a.tex"] {
            let written = if cfg!(feature = "print") { ".html" } else { ".pgn" };
            assert!(advice(name).contains(written), "{name}");
        }
        assert!(advice("a.zip").contains(".pgn.gz"));
        assert!(advice("a.pgn.zip").contains(".pgn.gz"));
        assert!(advice("a.xlsx").contains(".csv"));
        assert_eq!(advice("a.xyz"), "?");
    }

    #[test]
    fn missing_format_says_how_to_get_it() {
        assert!(missing_format("Parquet").is_some_and(|text| text.contains("--features tables")));
        assert!(missing_format(".feather").is_some());
        assert_eq!(missing_format("pgn"), None);
    }
}
