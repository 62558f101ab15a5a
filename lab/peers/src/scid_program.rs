//! Runs Debian's Scid as a whole program, on one core, because it imports on two threads. It times itself, so
//! that the start of Tk does not count.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use chess_core::Game;
use chess_store::{Diagnostics, Losses};

use peers::Took;

const TKSCID: &str = "/usr/games/tkscid";

pub fn export(base: &str, passes: usize) {
    let folder = folder("export");
    let stem = std::path::absolute(base).expect("path").with_extension("");
    let out = folder.join("ours.pgn");
    peers::side_by_side(
        passes,
        || peers::timed(|| export_ours(base, &out)),
        || tkscid("export.tcl", &[&stem, &folder.join("scid.pgn")]),
    );
}

fn export_ours(base: &str, out: &Path) -> String {
    let database = scid::Database::open(base).expect("open");
    let mut reader = database.reader();
    let mut file = BufWriter::with_capacity(1 << 17, File::create(out).expect("create"));
    let mut exporter = pgn::Exporter::new();
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    let (mut text, mut errors) = (Vec::new(), 0);
    for number in 0..database.len() {
        errors += usize::from(reader.game(number, &mut game, &mut diagnostics).is_err());
        diagnostics.clear();
        text.clear();
        exporter.write_game(&game, &mut text);
        file.write_all(&text).expect("write");
    }
    file.flush().expect("write");
    format!("{} games, {errors} errors", database.len())
}

pub fn import(file: &str, passes: usize) {
    let folder = folder("import");
    let file = std::path::absolute(file).expect("path");
    let scid = folder.join("scid");
    peers::side_by_side(
        passes,
        || peers::timed(|| import_ours(&file, &folder.join("ours.si4"))),
        || {
            for extension in ["si4", "sg4", "sn4"] {
                let _ = std::fs::remove_file(scid.with_extension(extension));
            }
            tkscid("import.tcl", &[&scid, &file])
        },
    );
}

fn import_ours(file: &Path, out: &Path) -> String {
    let mut reader = pgn::Reader::new(File::open(file).expect("open"));
    let mut writer = scid::Writer::create(out).expect("create");
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    let (mut games, mut errors, mut losses) = (0, 0, Losses::new());
    loop {
        match reader.read_game(&mut game, &mut diagnostics) {
            Ok(false) => break,
            Ok(true) => {}
            Err(_) => errors += 1,
        }
        diagnostics.clear();
        losses.clear();
        errors += usize::from(writer.write(&game, &mut losses).is_err());
        games += 1;
    }
    writer.finish().expect("finish");
    format!("{games} games, {errors} errors")
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("scoresheet-peers-{name}"));
    std::fs::create_dir_all(&folder).expect("create a folder");
    folder
}

/// Runs a script and parses the milliseconds that it prints.
fn tkscid(script: &str, arguments: &[&Path]) -> (Took, String) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scid").join(script);
    let mut scid = Command::new("taskset");
    scid.args(["--cpu-list", "0", TKSCID]).arg(&script).arg("SCID4").args(arguments);
    let output = scid.output();
    let output = output.expect("Debian's package scid is needed");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let milliseconds = |name: &str| {
        let number = text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
        Duration::from_millis(number.unwrap_or_else(|| panic!("{script:?} said: {text}")))
    };
    let took =
        Took { wall: milliseconds("milliseconds "), processor: milliseconds("processor_ms ") };
    (took, text.lines().next().unwrap_or_default().to_string())
}
