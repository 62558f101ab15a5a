//! A list of players as it is in memory, in a file beside the list, so that nothing is parsed or sorted.
//!
//! The file of `spelling.ssp` is `spelling.ssp.prepared`. It is written only if the caller asks for it. It
//! is read only if it has the fingerprint of the list and its checksum is right.
//!
//! ```text
//! magic         8 bytes
//! fingerprint   version of the program; size, times, inode and both ends of the list
//! month         of a list of FIDE: year, month
//! sections      for each kind: characters that do not count, rules, text, names, spellings
//! checksum
//! ```

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use chess_core::Date;
use chess_store::files::Staged;
use chess_store::files::beside::{Feed, Sink, add_file, refuse_others, settle};

use super::{Section, Spelling, SpellingError};

/// The first bytes of a prepared list. The digit is the version of its layout.
const MAGIC: [u8; 8] = *b"SCORESP1";

/// The extension that is added to the name of the list.
const EXTENSION: &str = "prepared";

/// The bytes at the start of a file that tell whether it is a list.
const START: u64 = 1 << 16;

impl Spelling {
    /// Parses the list at `path`, and keeps it prepared in a file beside it. [`open`](Spelling::open) then
    /// reads that file. Returns its path, or `None` if it is there and up to date.
    ///
    /// The file belongs to the list if the size, the times, the inode and 64 KiB at both ends of the list are as
    /// they were, and so is the version of this library. It is ignored otherwise, and if it is damaged.
    ///
    /// # Errors
    /// [`SpellingError`] names the line, or says why the file cannot be written.
    pub fn prepare(path: impl AsRef<Path>) -> Result<Option<PathBuf>, SpellingError> {
        let (path, beside) = (path.as_ref(), beside(path.as_ref()));
        if restore(path).is_some() {
            return Ok(None);
        }
        let failed = |error: io::Error| SpellingError::new(0, error.into());
        refuse_others(&beside, &MAGIC).map_err(|why| failed(io::Error::other(why)))?;
        settle(&[path]).map_err(failed)?;
        let before = fingerprint(path).map_err(failed)?;
        let spelling = Spelling::parsed(path)?;
        let write = || {
            let mut staged = Staged::new();
            spelling.save(BufWriter::new(staged.create(&beside)?), &before)?;
            if fingerprint(path)? != before {
                return Err(io::Error::other("the list changed while it was read"));
            }
            staged.commit()
        };
        write().map_err(failed)?;
        Ok(Some(beside))
    }

    /// Returns whether the file at `path` begins like a list of players.
    #[must_use]
    pub fn is_list(path: impl AsRef<Path>) -> bool {
        if !is_file(path.as_ref()) {
            return false;
        }
        let mut start = Vec::new();
        let read = File::open(path).and_then(|file| file.take(START).read_to_end(&mut start));
        // The last line of the start may be cut. XML has tags instead of lines.
        let lines = start.iter().rposition(|byte| *byte == b'\n').unwrap_or_default();
        let starts = [&*start, start.get(..lines).unwrap_or_default()];
        read.is_ok() && starts.into_iter().any(|start| Spelling::read(start).is_ok())
    }

    fn save(&self, out: impl Write, fingerprint: &[u8]) -> io::Result<()> {
        let mut sink = Sink::new(out);
        sink.put(&MAGIC)?;
        sink.sized(fingerprint)?;
        let (year, month, _) = self.month.unwrap_or_default().parts();
        sink.number(year.into())?;
        sink.number(month.into())?;
        self.sections.iter().try_for_each(|section| section.save(&mut sink))?;
        sink.finish().map(drop)
    }
}

/// Reads the prepared list beside the list at `path`. Returns `None` if there is none that can be believed.
pub(super) fn restore(path: &Path) -> Option<Spelling> {
    let beside = beside(path);
    if !is_file(&beside) || !is_file(path) {
        return None;
    }
    let mut feed = Feed::new(BufReader::new(File::open(beside).ok()?));
    if feed.array()? != MAGIC || feed.sized()? != fingerprint(path).ok()? {
        return None;
    }
    let [year, month] = [feed.number()?, feed.number()?];
    let date = Date::new(u16::try_from(year).ok()?, u8::try_from(month).ok()?, 0)?;
    let mut spelling = Spelling { month: (year > 0).then_some(date), ..Spelling::default() };
    for section in &mut spelling.sections {
        *section = Section::restore(&mut feed)?;
    }
    feed.ends_whole().then_some(spelling)
}

/// Opening a pipe would wait for its writer.
fn is_file(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file())
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(EXTENSION);
    name.into()
}

/// Returns all that a prepared list depends on, as bytes.
fn fingerprint(path: &Path) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let found = file.metadata()?;
    let mut bytes = env!("CARGO_PKG_VERSION").as_bytes().to_vec();
    add_file(&mut bytes, &file, &found)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Text;
    use crate::spelling::NameKind;

    const SCID: &str = "@PLAYER \"., -_*\"\nKorchnoi, Viktor #gm SUI [2695] 1931.03.23\n%Bio FIDEID 1400010\n\
        \x20 = Kortchnoi, V L\nPetrosian, Tigran V\n  = Petrossjan, T\nDur\u{e3}o, J\n\
        @SITE \"., -_()\"\n%Suffix \"(Austria)\" \"AUT\"\nGraz AUT\n\
        @EVENT \",. -_\"\n%Prefix \"II \" \"2. \"\n%Infix \"-ch \" \" Ch \"\n@ROUND \"\"\n1\n  = (1)\n";
    const FIDE: &str = "ID Number  Name            Fed Sex Tit  WTit NOV22 Gms K\n\
        700070     Polgar, Judit   HUN F   GM   WGM  2675  0   10\n\
        1400010    Korchnoi, V     SUI M   GM        2499  0   10\n";
    const XML: &str = "<?xml version=\"1.0\"?>\n<playerslist><player><fideid>1400010</fideid><name>Korchnoi, \
        V</name><country>SUI</country><title>GM</title><rating>2499</rating></player></playerslist>";

    fn parsed(list: &str) -> Spelling {
        Spelling::read(list.as_bytes()).unwrap()
    }

    fn write(path: &Path, bytes: impl AsRef<[u8]>) {
        fs::write(path, bytes).unwrap();
    }

    fn answers(spelling: &Spelling) -> String {
        let mut all = format!("{:?}", spelling.month);
        for name in
            ["Kortchnoi,V.L.", "Korchnoi, V", "Duro, J", "J. Dur\u{e3}o", "Polgar,J", "Tal, M"]
        {
            let ids = spelling.ids(NameKind::Player, &Text::name(name).unwrap());
            let (about, id) = (spelling.about_player(name), spelling.fide_id(name));
            all += &format!(
                "{:?} {ids:?} {about:?} {id:?}",
                spelling.canonical(NameKind::Player, name)
            );
        }
        let of_id = spelling.ids(NameKind::Player, &Text::name("1400010").unwrap());
        for (kind, name) in [
            (NameKind::Site, "Graz (Austria)"),
            (NameKind::Event, "II URS-ch 1950"),
            (NameKind::Round, "(1)"),
        ] {
            all += &format!("{:?} {}", spelling.canonical(kind, name), spelling.count(kind));
        }
        format!("{all} {of_id:?} {:?}", spelling.ids_of_fide().collect::<Vec<_>>())
    }

    #[test]
    fn prepared_list_answers_as_parsed_one() {
        let folder = tempfile::tempdir().unwrap();
        for (name, list) in [("scid", SCID), ("fide", FIDE), ("xml", XML)] {
            let path = folder.path().join(name);
            write(&path, list);
            assert!(Spelling::is_list(&path), "{name}");
            assert_eq!(Spelling::prepare(&path).unwrap(), Some(beside(&path)), "{name}");
            assert_eq!(Spelling::prepare(&path).unwrap(), None, "{name}");
            let prepared = restore(&path).unwrap();
            assert!(prepared == parsed(list), "{name}");
            assert_eq!(answers(&prepared), answers(&parsed(list)), "{name}");
        }
        for other in
            ["", "# no section\n", "[Event \"?\"]\n\n1. e4 *\n", "<html>", "id,name\n1,Tal\n"]
        {
            let path = folder.path().join("other");
            write(&path, other);
            assert!(!Spelling::is_list(path), "{other}");
        }
        assert!(!Spelling::is_list(folder.path()));
    }

    #[test]
    fn open_damaged_prepared_list_parses_the_list() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("names.ssp");
        write(&path, SCID);
        // Another list tells whether the prepared one is read.
        let mut whole = Vec::new();
        parsed(FIDE).save(&mut whole, &fingerprint(&path).unwrap()).unwrap();
        write(&beside(&path), &whole);
        assert!(Spelling::open(&path).unwrap() == parsed(FIDE));
        let is_parsed = |bytes: &[u8]| {
            write(&beside(&path), bytes);
            Spelling::open(&path).unwrap() == parsed(SCID)
        };
        for at in 0..whole.len() {
            assert!(is_parsed(&whole[..at]), "{at} bytes");
            for bit in [1, 128] {
                let mut damaged = whole.clone();
                damaged[at] ^= bit;
                assert!(is_parsed(&damaged), "byte {at}");
            }
        }
        assert!(is_parsed(&[&*whole, &[0]].concat()));
        assert!(is_parsed(&[MAGIC, u64::MAX.to_le_bytes()].concat()));
    }

    #[test]
    fn restore_wrong_spans_and_ids_does_not_fail() {
        let mut sink = Sink::new(Vec::new());
        parsed(SCID).sections.iter().for_each(|section| section.save(&mut sink).unwrap());
        let bytes = sink.finish().unwrap();
        for at in 0..bytes.len() {
            let mut wrong = bytes.clone();
            wrong[at] ^= 255;
            let mut feed = Feed::new(&wrong[..]);
            while let Some(section) = Section::restore(&mut feed) {
                let sections = [(); 4].map(|()| section.clone());
                answers(&Spelling { sections, month: None });
            }
        }
    }

    #[test]
    fn open_changed_list_parses_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("names.ssp");
        write(&path, SCID);
        Spelling::prepare(&path).unwrap();
        let changed = SCID.replace("Viktor", "Victor");
        write(&path, &changed);
        assert!(restore(&path).is_none() && Spelling::open(&path).unwrap() == parsed(&changed));
        assert!(Spelling::prepare(&path).unwrap().is_some() && restore(&path).is_some());
        write(&beside(&path), "another file");
        let error = Spelling::prepare(&path).unwrap_err().to_string();
        assert!(error.contains("names.ssp.prepared is another file"), "{error}");
        assert_eq!(fs::read(beside(&path)).unwrap(), b"another file");
        write(&path, "@PLAYER\n= Tal\n");
        fs::remove_file(beside(&path)).unwrap();
        assert!(Spelling::prepare(&path).unwrap_err().to_string().starts_with("line 2"));
        assert!(!beside(&path).exists());
    }
}
