//! Programs inside RAR archives.

use std::io::{self, Cursor};
use std::time::{Duration, Instant};

/// An archive of 1 kB whose only file, `a`, has 300 programs of 24 million steps. Made for this
/// project: no packer writes such programs.
const PROGRAMS: &[u8] = include_bytes!("data/programs.rar");

/// Unpacks the archive, and returns whether it was whole, and the names that were offered.
fn unpack(is_wanted: bool) -> (bool, Vec<Vec<u8>>, Duration) {
    let (start, mut names) = (Instant::now(), Vec::new());
    let is_whole = movecode_rar::unpack(Box::new(Cursor::new(PROGRAMS)), 1 << 20, &mut |name| {
        names.push(name.to_vec());
        is_wanted.then(|| Box::new(io::sink()) as movecode_rar::Output)
    });
    (is_whole, names, start.elapsed())
}

#[test]
fn unpack_long_programs_is_stopped() {
    let (is_whole, names, time) = unpack(true);
    assert_eq!((is_whole, names), (false, vec![b"a".to_vec()]));
    assert!(time < Duration::from_secs(20), "{time:?}");
}

#[test]
fn unpack_unwanted_file_runs_no_program() {
    let (is_whole, names, time) = unpack(false);
    assert_eq!((is_whole, names), (true, vec![b"a".to_vec()]));
    assert!(time < Duration::from_secs(2), "{time:?}");
}
