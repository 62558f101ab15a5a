//! Compares the tables in the specification with those in the code.

use crate::moves::mode::Mode;

/// The number of each mode and its table.
// cbh §4.3 "Modes"
#[test]
fn mode_tables_match_specification() {
    let page = include_str!("../../../docs/formats/tables/cbh-modes.tsv");
    let mut modes = Vec::new();
    for row in page.lines().filter(|row| !row.starts_with('#')) {
        let (number, table) = row.split_once('\t').unwrap();
        let number: u8 = number.parse().unwrap();
        let mode = Mode::of(number).unwrap();
        let codes: Vec<Option<u8>> = table.split(' ').map(|code| code.parse().ok()).collect();
        let read: Vec<Option<u8>> = (0..=u8::MAX).map(|byte| mode.decode(byte, 0)).collect();
        assert_eq!(codes, read, "mode {number}");
        modes.push(number);
    }
    assert!(modes.into_iter().eq((0..=63).filter(|number| Mode::of(*number).is_some())));
}
