//! Compares the descriptions of docs/formats/ksy with the program's dump of the fixtures.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use scoresheet::{OpenOptions, families, open_as};
use serde_json::json;
use testkit::{Case, cases, workspace_root};

use crate::Failure;
use crate::fixtures::file_of;
use crate::tools::missing;

/// Limit for the games of a case that are compared.
const MAX_GAMES: u64 = 300;

/// Extensions of files, with their descriptions.
const DESCRIPTIONS: [(&str, &str); 26] = [
    ("si4", "scid_index_4"),
    ("si3", "scid_index_4"),
    ("sn4", "scid_names_4"),
    ("sn3", "scid_names_4"),
    ("si5", "scid_index_5"),
    ("sn5", "scid_names_5"),
    ("dci", "dcg_index"),
    ("dcn", "dcg_names"),
    ("dcs", "dcg_names"),
    ("dce", "dcg_names"),
    ("cbi", "cbf_index"),
    ("cbh", "cbh_headers"),
    ("cbp", "cbh_names"),
    ("cbt", "cbh_names"),
    ("cbc", "cbh_names"),
    ("cbs", "cbh_names"),
    ("cbe", "cbh_names"),
    ("cbl", "cbh_names"),
    ("cbj", "cbh_extended"),
    ("cbv", "cbh_archive"),
    ("2cbh", "cbh2_headers"),
    ("2lid", "cbh2_names"),
    ("d00", "chessassistant_headers"),
    ("a02", "chessassistant_addresses"),
    ("cdp", "chessassistant_description"),
    ("emb", "chessassistant_volume"),
];
/// The same for the tables of a jose archive, which are files only after unpacking.
const TABLES: [(&str, &str); 2] = [("MYD", "movecode_rows"), ("frm", "movecode_definition")];

/// Compiles the descriptions and compares them with the dump of every undamaged case.
///
/// Needs Node.js and the npm packages of ports/kaitai.
pub(crate) fn run() -> Result<(), Failure> {
    let folder = workspace_root().join("ports/kaitai");
    let there = Command::new("node").arg("--version").output();
    if !there.is_ok_and(|output| output.status.success()) {
        return missing("node", "docs/formats/ksy", "node is not installed");
    }
    if !folder.join("node_modules").is_dir() {
        return missing("npm-kaitai", "docs/formats/ksy", "run npm install in ports/kaitai");
    }
    let mut lines = tempfile::tempfile()?;
    for family in families() {
        for case in cases(family.name).iter().filter(|case| !case.is_bad()) {
            dump(family, case, &mut lines).map_err(|error| format!("{}: {error}", case.name))?;
        }
    }
    std::io::Seek::rewind(&mut lines)?;
    let mut check = Command::new("node");
    check.arg(folder.join("check.js")).stdin(Stdio::from(lines));
    match check.status()? {
        status if status.success() => Ok(()),
        status => Err(format!("ports/kaitai/check.js: {status}").into()),
    }
}

/// Appends a line for each file and game of a case.
fn dump(family: &scoresheet::Family, case: &Case, lines: &mut File) -> Result<(), Failure> {
    let (path, format) = file_of(family, case)?;
    for (extension, description) in DESCRIPTIONS.iter().chain(&TABLES) {
        for path in files(case, extension)? {
            let params = parameters(description, 19);
            let line = json!({"path": path, "ksy": description, "params": params, "entry": 0, "fields": []});
            if *description != "dcg_index" {
                writeln!(lines, "{line}")?;
            }
        }
    }
    let base = open_as(&path, format, &OpenOptions::default())?;
    let Some(database) = base.database() else { return Ok(()) };
    let mut reader = database.reader();
    let mut found: BTreeMap<&str, BTreeMap<u64, Vec<serde_json::Value>>> = BTreeMap::new();
    for game in 0..database.len().min(MAX_GAMES) {
        // Tests in the crates cover the place where a dump of damaged move codes ends.
        let _ = reader.dump(game, &mut |field| {
            // A reference into the middle of a name (dcg §5.1) points to no field of the file.
            if matches!(field.file, "dcn" | "dcs" | "dce") && field.offset % 36 != 10 {
                return;
            }
            let fields = found.entry(field.file).or_default().entry(game).or_default();
            fields.push(json!({"offset": field.offset, "length": field.bytes.len(), "name": field.name, "value": field.value}));
        });
    }
    for (extension, games) in found {
        let description = DESCRIPTIONS.iter().find(|(known, _)| *known == extension);
        // The names of a volume are within fragments.
        let Some((_, description)) = description.filter(|(known, _)| *known != "emb") else {
            continue;
        };
        // If a case has several such files, compare the one with the stem of the file that is
        // opened.
        let mut paths = files(case, extension)?;
        paths.retain(|found| found.file_stem() == path.file_stem());
        let Some(path) = paths.first() else { continue };
        let start = |fields: &Vec<serde_json::Value>| {
            fields.first().and_then(|field| field["offset"].as_u64()).unwrap_or(0)
        };
        let params = parameters(description, games.values().next().map_or(0, start));
        for (game, fields) in &games {
            // Records of the .cbh and .2cbh may be texts, which are not games.
            let entry = match extension {
                "cbh" => start(fields) / 46 - 1,
                "2cbh" => start(fields) / 192 - 1,
                _ => *game,
            };
            let line = json!({"path": path, "ksy": description, "params": params, "entry": entry, "fields": fields});
            writeln!(lines, "{line}")?;
        }
    }
    Ok(())
}

/// DCG entries begin at byte 10 in the old layout.
fn parameters(description: &str, start: u64) -> Vec<bool> {
    if description == "dcg_index" { vec![start == 10] } else { Vec::new() }
}

/// Returns the files of a case with this extension.
fn files(case: &Case, extension: &str) -> Result<Vec<PathBuf>, Failure> {
    let paths = std::fs::read_dir(&case.dir)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = paths.collect::<Result<Vec<_>, _>>()?;
    paths
        .retain(|path| path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension)));
    paths.sort();
    Ok(paths)
}
