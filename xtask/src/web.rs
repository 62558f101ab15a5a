//! Builds the page that opens databases in a browser into bindings/web/dist, and tests it there.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::{Compression, write::GzEncoder};
use serde_json::json;
use testkit::workspace_root;

use crate::Failure;
use crate::ci::run_command;
use crate::targets::Toolchain;
use crate::tools::missing;

const TARGET: &str = "wasm32-unknown-unknown";
/// Limit for the size of the module after gzip, in bytes.
const MAX_PACKED: usize = 2_400_000;
/// Paths at which distributions install the browser.
const BROWSERS: [&str; 3] =
    ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/// Builds the page. `--test` also drives it in a browser; `--check` does both and first looks for the
/// tools that this needs.
pub(crate) fn run(arguments: &[&str]) -> Result<(), Failure> {
    if let Some((&"--check", rest)) = arguments.split_first() {
        return check(rest);
    }
    if !matches!(arguments, [] | ["--test", ..]) {
        return Err("web [--test | --check [OPTIONS]]".into());
    }
    let toolchain =
        Toolchain::for_target(TARGET).ok_or("no toolchain here has wasm32 or its sources")?;
    build(&toolchain)?;
    let Some((&"--test", rest)) = arguments.split_first() else { return Ok(()) };
    test(rest)
}

/// Builds the page and tests it, as part of all checks. Fails if a tool is missing that is not optional.
pub(crate) fn check(arguments: &[&str]) -> Result<(), Failure> {
    let skip = |tool: &str, why: &str| missing(tool, "bindings/web", why);
    let Some(toolchain) = Toolchain::for_target(TARGET) else {
        return skip("wasm32", "no toolchain has wasm32-unknown-unknown or its sources");
    };
    if !has_browser() {
        return skip("chromium", "Chromium is not installed");
    }
    if !folder().join("node_modules").is_dir() {
        return skip("npm-web", "run npm ci in bindings/web");
    }
    build(&toolchain)?;
    test(arguments)
}

/// Returns the toolchain for the module.
pub(crate) fn toolchain() -> Option<Toolchain> {
    Toolchain::for_target(TARGET)
}

/// Returns whether a browser for the tests is installed.
pub(crate) fn has_browser() -> bool {
    let browser = std::env::var_os("CHROMIUM").map(PathBuf::from);
    browser.is_some_and(|path| path.exists()) || BROWSERS.iter().any(|at| Path::new(at).exists())
}

pub(crate) fn folder() -> PathBuf {
    workspace_root().join("bindings/web")
}

/// Returns the target directory of Cargo.
pub(crate) fn target_folder() -> PathBuf {
    let set = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    set.unwrap_or_else(|| workspace_root().join("target"))
}

/// Builds the module with its JavaScript into the folder `into`.
pub(crate) fn module(toolchain: &Toolchain, into: &Path) -> Result<(), Failure> {
    let (folder, target) = (folder(), target_folder());
    let manifest = folder.join("Cargo.toml");
    let mut library = toolchain.cargo("build", TARGET, "std,panic_abort");
    library.args(["--release", "--locked", "--manifest-path"]).arg(&manifest);
    run_command(library.arg("--target-dir").arg(&target))?;
    let library = target.join(TARGET).join("release/scoresheet_web.wasm");
    let mut bundle = Command::new("cargo");
    bundle.args(["run", "--locked", "--quiet", "--package", "bundle", "--manifest-path"]);
    bundle.arg(&manifest).arg("--target-dir").arg(&target).arg("--").arg(library).arg(into);
    run_command(&mut bundle)
}

fn build(toolchain: &Toolchain) -> Result<(), Failure> {
    let folder = folder();
    let dist = folder.join("dist");
    if dist.exists() {
        fs::remove_dir_all(&dist)?;
    }
    copy(&folder.join("page"), &dist)?;
    module(toolchain, &dist)?;
    types(&folder)?;
    offline(&dist)?;
    package(&folder, &dist)?;
    size(&dist)
}

fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        fs::copy(&path, to.join(path.file_name().unwrap_or_default()))?;
    }
    Ok(())
}

/// Checks the types of the page's scripts and writes declaration files for importers.
fn types(folder: &Path) -> Result<(), Failure> {
    let compiler = folder.join("node_modules/.bin/tsc");
    if !compiler.exists() {
        let why = "run npm ci in bindings/web; dist needs the types it writes";
        return missing("npm-web", "types of bindings/web", why);
    }
    run_command(Command::new(compiler).arg("--project").arg(folder.join("tsconfig.json")))
}

/// Writes the list of files into the service worker, with a version that changes with any file.
fn offline(dist: &Path) -> Result<(), Failure> {
    let script = dist.join("offline.js");
    let mut names = Vec::new();
    for entry in fs::read_dir(dist)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name != "offline.js" && !name.ends_with(".d.ts") {
            names.push(name);
        }
    }
    names.sort();
    let mut hasher = DefaultHasher::new();
    for name in &names {
        fs::read(dist.join(name))?.hash(&mut hasher);
    }
    names.insert(0, "./".into());
    let text = fs::read_to_string(&script)?;
    let filled = text
        .replacen("\"development\"", &format!("\"scoresheet-{:016x}\"", hasher.finish()), 1)
        .replacen("[\"./\"]", &serde_json::to_string(&names)?, 1);
    if filled.contains("[\"./\"]") || filled.contains("\"development\"") {
        return Err("bindings/web/page/offline.js: nothing to fill in".into());
    }
    Ok(fs::write(script, filled)?)
}

/// Adds the files that make dist/ an npm package.
fn package(folder: &Path, dist: &Path) -> Result<(), Failure> {
    let mut package: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.join("npm.json"))?)?;
    if let Some(package) = package.as_object_mut() {
        package.insert("version".into(), json!(env!("CARGO_PKG_VERSION")));
    }
    fs::write(dist.join("package.json"), serde_json::to_string_pretty(&package)?)?;
    fs::copy(folder.join("README.md"), dist.join("README.md"))?;
    licences(dist)
}

/// Copies the licences into the folder of a package.
pub(crate) fn licences(dist: &Path) -> Result<(), Failure> {
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        fs::copy(workspace_root().join(licence), dist.join(licence))?;
    }
    Ok(())
}

fn size(dist: &Path) -> Result<(), Failure> {
    let module = fs::read(dist.join("scoresheet_bg.wasm"))?;
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(&module)?;
    let packed = packed.finish()?.len();
    eprintln!("bindings/web/dist: the module has {} bytes, {packed} by gzip", module.len());
    if packed > MAX_PACKED {
        return Err(format!("the module has more than {MAX_PACKED} bytes by gzip").into());
    }
    Ok(())
}

/// Builds the program with its server. Returns its path.
pub(crate) fn program() -> Result<PathBuf, Failure> {
    let build =
        ["build", "--package", "scoresheet-cli", "--bin", "scoresheet", "--features", "serve"];
    run_command(Command::new("cargo").args(build))?;
    Ok(target_folder().join("debug/scoresheet"))
}

/// Drives the page in a browser and compares it with the program.
fn test(arguments: &[&str]) -> Result<(), Failure> {
    let mut drive = Command::new("node");
    drive.arg(folder().join("test/drive.mjs")).arg("--program").arg(program()?).args(arguments);
    run_command(&mut drive)
}
