//! Builds the npm package `scoresheet` into bindings/npm/dist, and tests it.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use testkit::workspace_root;

use crate::Failure;
use crate::ci::run_command;
use crate::tools::missing;
use crate::web;

const NAME: &str = "bindings/npm";
/// Files of the module in a browser, and the files that Node needs too.
const MODULE: [&str; 4] =
    ["scoresheet.js", "scoresheet.d.ts", "scoresheet_bg.wasm", "scoresheet_bg.wasm.d.ts"];
const FOR_NODE: [&str; 2] = ["scoresheet.js", "scoresheet.d.ts"];

/// Builds the package. `--test` also tests it.
pub(crate) fn run(arguments: &[&str]) -> Result<(), Failure> {
    let tested = match arguments {
        [] => false,
        ["--test"] => true,
        _ => return Err("npm [--test]".into()),
    };
    build(&web::toolchain().ok_or("no toolchain here has wasm32 or its sources")?)?;
    if tested { test() } else { Ok(()) }
}

/// Builds and tests the package, as part of all checks. Fails if a tool is missing that is not optional.
pub(crate) fn check() -> Result<(), Failure> {
    let Some(toolchain) = web::toolchain() else {
        let why = "no toolchain has wasm32-unknown-unknown or its sources";
        return missing("wasm32", NAME, why);
    };
    for tool in ["node", "npm"] {
        if Command::new(tool).arg("--version").output().is_err() {
            return missing("node", NAME, &format!("{tool} is not installed"));
        }
    }
    if !compiler().exists() {
        return missing("npm-web", NAME, "run npm ci in bindings/web");
    }
    build(&toolchain)?;
    test()
}

fn folder() -> PathBuf {
    workspace_root().join(NAME)
}

/// The TypeScript compiler of the page.
fn compiler() -> PathBuf {
    web::folder().join("node_modules/.bin/tsc")
}

fn build(toolchain: &crate::targets::Toolchain) -> Result<(), Failure> {
    let (folder, module) = (folder(), web::target_folder().join("npm-module"));
    let dist = folder.join("dist");
    if dist.exists() {
        fs::remove_dir_all(&dist)?;
    }
    fs::create_dir_all(&module)?;
    web::module(toolchain, &module)?;
    copy_tree(&folder.join("lib"), &dist.join("lib"))?;
    let (browser, node) = (dist.join("lib/browser"), dist.join("lib/node"));
    for name in MODULE {
        fs::copy(module.join(name), browser.join(name))?;
    }
    for name in FOR_NODE {
        fs::copy(module.join(name), node.join(name))?;
    }
    fs::copy(web::folder().join("page/host.js"), browser.join("host.js"))?;
    fs::copy(folder.join("README.md"), dist.join("README.md"))?;
    web::licences(&dist)?;
    fs::write(
        dist.join("package.json"),
        published(&fs::read_to_string(folder.join("package.json"))?)?,
    )?;
    if !compiler().exists() {
        return missing("npm-web", "types of bindings/npm", "run npm ci in bindings/web");
    }
    run_command(Command::new(compiler()).arg("--project").arg(folder.join("tsconfig.json")))
}

/// The package.json of a release: a version and the repository in place of `private`.
///
/// The text is changed rather than the parsed value, because the order of conditions in `exports`
/// decides which one counts, and a map of `serde_json` is sorted.
fn published(text: &str) -> Result<String, Failure> {
    const PRIVATE: &str = "  \"private\": true,\n";
    if !text.contains(PRIVATE) {
        return Err("bindings/npm/package.json lacks the line \"private\": true".into());
    }
    let mut lines = format!("  \"version\": {},\n", json!(env!("CARGO_PKG_VERSION")));
    let repository = env!("CARGO_PKG_REPOSITORY");
    if !repository.is_empty() {
        let repository = json!({ "type": "git", "url": format!("git+{repository}.git") });
        lines.push_str(&format!("  \"repository\": {repository},\n"));
    }
    let published = text.replacen(PRIVATE, &lines, 1);
    serde_json::from_str::<Value>(&published)?;
    Ok(published)
}

fn copy_tree(from: &Path, to: &Path) -> Result<(), Failure> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy_tree(&path, &target)?;
        } else {
            fs::copy(&path, target)?;
        }
    }
    Ok(())
}

/// Runs the tests of the package, with Node and with a browser.
fn test() -> Result<(), Failure> {
    let program = web::program()?;
    let folder = folder().join("test");
    let mut tests = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        if !name.ends_with(".test.mjs") {
            continue;
        }
        if name == "browser.test.mjs" && !web::has_browser() {
            missing("chromium", "bindings/npm in a browser", "Chromium is not installed")?;
            continue;
        }
        tests.push(path);
    }
    tests.sort();
    let mut node = Command::new("node");
    node.args(["--test", "--test-reporter=spec"]).args(tests);
    node.env("SCORESHEET_PROGRAM", program).env("SCORESHEET_TSC", compiler());
    run_command(&mut node)
}
