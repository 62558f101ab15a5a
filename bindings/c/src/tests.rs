//! Promises that hold for the whole crate.

use std::fs;
use std::path::Path;

use super::*;

fn shared_between_threads<T: Send + Sync>() {}
fn moved_between_threads<T: Send>() {}

/// The rules of the header say which handles threads may share.
#[test]
fn handles_are_shared_and_moved_as_header_says() {
    shared_between_threads::<Base>();
    shared_between_threads::<Filter>();
    shared_between_threads::<Options>();
    shared_between_threads::<Selection>();
    shared_between_threads::<Report>();
    shared_between_threads::<Error>();
    moved_between_threads::<Reader>();
    moved_between_threads::<Game>();
    moved_between_threads::<Output>();
}

#[test]
fn sources_outside_ffi_have_no_unsafe_code() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut names, mut blocks) = (0, 0);
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            let line = line.replace("unsafe_code", "");
            if line == "#[unsafe(no_mangle)]" {
                names += 1;
            } else if line.contains(concat!("uns", "afe ")) {
                blocks += 1;
                assert!(path.ends_with("ffi.rs"), "{}: {line}", path.display());
            }
        }
    }
    assert!(names > 50, "{names}");
    assert_eq!(blocks, 2, "each block in ffi.rs was reviewed; review a new one, too");
}

#[test]
fn panic_inside_call_is_internal_error_with_message() {
    let mut error = std::mem::MaybeUninit::uninit();
    let status = status::call(Some(&mut error), || panic!("on purpose"));
    assert_eq!(status, Status::Internal);
    assert_eq!(status::call(None, || panic!("on purpose")), Status::Internal);
    assert_eq!(status::ask(7, || panic!("on purpose")), 7);
}

#[test]
fn version_of_interface_equals_that_of_header() {
    let header = include_str!("../include/scoresheet/scoresheet.h");
    assert!(header.contains(&format!("#define SCORESHEET_ABI_VERSION {ABI_VERSION}\n")));
    assert!(header.contains("#define SCORESHEET_NONE UINT64_MAX\n"));
    assert_eq!(status::NONE, u64::MAX);
}
