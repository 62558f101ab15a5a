//! Bases behind symbolic links, and bases whose files have several hard links.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use scoresheet::Format;
use scoresheet::chess_store::erased::Creator;

use crate::place::Place;

/// The names and bytes of the files in a folder, links followed.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let read = |entry: fs::DirEntry| {
        (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())
    };
    entries.map(read).collect()
}

fn writable() -> impl Iterator<Item = &'static Format> {
    scoresheet::formats().filter(|format| format.create.is_some())
}

/// The changes in place of a base, for formats that have some.
fn edits(format: &Format, name: &str) -> Vec<String> {
    let changes = ["delete 1", "append other.pgn", "replace 1 other.pgn", "compact"];
    let edit = |change: &&str| format!("edit {name} {change}");
    if format.edit.is_some() { changes.iter().map(edit).collect() } else { Vec::new() }
}

const OTHER: &str = "[White \"Cedar, Ann\"]\n[Black \"Dogwood, Max\"]\n\n1. d4 d5 1-0\n";

/// All files are links. One of them leads into another folder than the others, which holds a file
/// of the same contents. Readers would go on to find that file after a replacement.
#[test]
fn base_behind_links_to_two_folders_is_not_changed() {
    let mut tried = 0;
    for format in writable().filter(|format| matches!(format.create, Some(Creator::Database(_)))) {
        let place = Place::new();
        fs::write(place.path("other.pgn"), OTHER).unwrap();
        let [real, astray, links] = ["real", "astray", "links"].map(|name| {
            fs::create_dir(place.path(name)).unwrap();
            place.path(name)
        });
        let name = format!("base.{}", format.extensions[0]);
        let line = format!("convert games.pgn real/{name} --to {}", format.name);
        assert!(place.run(&line).code <= 4, "{line}");
        let files: Vec<String> = contents(&real).into_keys().collect();
        if files.len() < 2 {
            continue;
        }
        for file in &files {
            fs::copy(real.join(file), astray.join(file)).unwrap();
            for other in &files {
                let from = if other == file { &astray } else { &real };
                symlink(from.join(other), links.join(other)).unwrap();
            }
            let before = [&real, &astray, &links].map(|folder| contents(folder));
            let mut lines = edits(format, &format!("links/{name}"));
            lines.push(format!("convert other.pgn links/{name} --to {} --force", format.name));
            for line in lines {
                let ran = place.run(&line);
                assert!(ran.code == 3 && ran.err.contains("is one a link?"), "{file}: {ran}");
                let after = [&real, &astray, &links].map(|folder| contents(folder));
                assert!(before == after, "{file}: {ran}");
                tried += 1;
            }
            fs::remove_file(astray.join(file)).unwrap();
            files.iter().for_each(|file| fs::remove_file(links.join(file)).unwrap());
        }
    }
    assert!(tried > 40, "{tried}");
}

/// A backup made with `cp -al` keeps its contents, whatever happens to the base.
#[test]
fn hard_links_keep_their_contents_when_base_changes() {
    for format in writable() {
        let place = Place::new();
        fs::write(place.path("other.pgn"), OTHER).unwrap();
        let [real, backup] = ["real", "backup"].map(|name| {
            fs::create_dir(place.path(name)).unwrap();
            place.path(name)
        });
        let name = format!("base.{}", format.extensions[0]);
        let mut lines = edits(format, &format!("real/{name}"));
        lines.push(format!("convert other.pgn real/{name} --to {} --force", format.name));
        for line in lines {
            let made = format!("convert games.pgn real/{name} --to {} --force", format.name);
            assert!(place.run(&made).code <= 4, "{made}");
            let before = contents(&real);
            for file in before.keys() {
                fs::hard_link(real.join(file), backup.join(file)).unwrap();
            }
            let ran = place.run(&line);
            assert!(ran.code <= 1 || ran.code == 4, "{ran}");
            assert!(contents(&real) != before || line.ends_with("compact"), "{ran}");
            assert!(contents(&backup) == before, "{ran}");
            if format.open.is_some() {
                place.run(&format!("check real/{name}")).well();
            }
            for folder in [&real, &backup] {
                fs::remove_dir_all(folder).unwrap();
                fs::create_dir(folder).unwrap();
            }
        }
    }
}
