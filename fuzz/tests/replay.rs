//! Replays every seed and every input that once failed through its target.

use std::fs;
use std::path::{Path, PathBuf};

use scoresheet_fuzz::TARGETS;

fn inputs(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn seeds_and_regressions_pass() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (name, target) in TARGETS {
        let seeds = inputs(&root.join("seeds").join(name));
        assert!(!seeds.is_empty(), "seeds/{name} has no seed");
        for path in seeds.into_iter().chain(inputs(&root.join("regressions").join(name))) {
            println!("{}", path.display());
            let bytes = fs::read(&path).unwrap();
            testkit::within(60, move || target(&bytes));
        }
    }
}

#[test]
fn targets_have_all_folders_and_programs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    // Compiled with the feature `tables` only: `cargo xtask parquet` replays it.
    let known =
        |name: &str| name == "table_file" || TARGETS.iter().any(|(target, _)| *target == name);
    for folder in ["seeds", "regressions", "fuzz_targets"] {
        for path in inputs(&root.join(folder)) {
            let name = path.file_stem().unwrap().to_str().unwrap();
            assert!(known(name), "{folder}/{name} has no target in src/lib.rs");
        }
    }
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    for (name, _) in TARGETS {
        let program = root.join("fuzz_targets").join(name).with_extension("rs");
        assert!(program.is_file(), "{} is missing", program.display());
        let entry = format!("path = \"fuzz_targets/{name}.rs\"");
        assert!(manifest.contains(&entry), "Cargo.toml lists no {entry}");
    }
}
