//! Temporary files on a disk that is full, or in a folder that does not exist.

use std::fs;
use std::process::{Command, Stdio};

use crate::place::{Place, command, program};

/// Commands that need temporary files for `many.*`.
const LINES: [&str; 9] = [
    "check many.jose",
    "list many.jose --count",
    "convert many.jose out.pgn",
    "convert many.pgn out.si4 --sort white",
    "convert many.pgn out.pgn --split year",
    "convert many.pgn out.html",
    "convert many.pgn out.typ",
    "convert many.pgn out.jose",
    "convert many.pgn out.cbv",
];

/// Writes games that need more than a MiB in each form.
fn prepare() -> Place {
    let place = Place::new();
    let mut random = testkit::Random::new(7);
    let mut word =
        move |n| (0..n).map(|_| char::from(b'a' + random.below(26) as u8)).collect::<String>();
    let games: String = (0..9_000)
        .map(|_| format!("[White \"{}\"]\n\n1. e4 {{{}}} e5 *\n\n", word(12), word(200)))
        .collect();
    fs::write(place.path("many.pgn"), games).unwrap();
    place.run("convert many.pgn many.jose").well();
    fs::create_dir(place.path("temporary")).unwrap();
    place
}

/// A limit of file sizes fails a write as a full disk does.
#[test]
fn temporary_file_beyond_limit_is_error_naming_its_folder() {
    let place = prepare();
    let (before, folder) = (place.files(), place.path("temporary"));
    let mut wrong = Vec::new();
    for line in LINES {
        let script = format!("ulimit -f 8; exec \"$0\" {line}");
        let mut limited = Command::new("sh");
        limited.current_dir(place.path("")).env("TMPDIR", &folder).stdin(Stdio::null());
        let output = limited.arg("-c").arg(script).arg(program()).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        let expected = format!("temporary file in {}: File too large", folder.display());
        if output.status.code() != Some(3) || !said.contains(&expected) {
            wrong.push(format!("{line}: {}, {said}", output.status));
        }
        assert_eq!(place.files(), before, "{line}");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "{line}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn temporary_folder_that_is_missing_is_error_naming_it() {
    let place = prepare();
    let (before, mut wrong) = (place.files(), Vec::new());
    for line in LINES {
        let mut lost = command(&place.path(""));
        lost.env("TMPDIR", place.path("nowhere")).args(line.split(' '));
        let output = lost.output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        if output.status.code() != Some(3) || !said.contains("nowhere: No such file") {
            wrong.push(format!("{line}: {}, {said}", output.status));
        }
        assert_eq!(place.files(), before, "{line}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A dry run compacts a copy of the base.
#[test]
fn compact_without_room_for_its_copy_is_error_naming_it() {
    let place = prepare();
    place.run("convert many.pgn base.si4").well();
    let mut lost = command(&place.path(""));
    lost.env("TMPDIR", place.path("nowhere"));
    let output = lost.args(["edit", "base.si4", "--dry-run", "compact"]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("nowhere: No such file"), "{said}");
    let script = "ulimit -f 8; exec \"$0\" edit base.si4 --dry-run compact";
    let mut limited = Command::new("sh");
    limited.current_dir(place.path("")).env("TMPDIR", place.path("temporary"));
    let output = limited.arg("-c").arg(script).arg(program()).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("copied to ") && said.contains("temporary/"), "{said}");
    assert_eq!(fs::read_dir(place.path("temporary")).unwrap().count(), 0);
}
