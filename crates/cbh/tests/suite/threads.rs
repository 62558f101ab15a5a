//! Several threads read one base and encode for one base.

use cbh::Writer;
use testkit::Flavour;

use crate::common::{FLAVOUR, games, open, read, write};

#[test]
fn database_shared_by_threads_reads_same_games() {
    let parts = write(&games(21, 40, FLAVOUR)).0;
    let all = read(parts.clone());
    testkit::assert_threads_share(&open(parts).unwrap(), &all);
}

#[test]
fn encode_several_encoders_write_same_bytes() {
    let written = games(22, 90, Flavour { tags: true, free_comments: true, nags: 255, ..FLAVOUR });
    let (alone, losses_alone) = write(&written);
    let mut writer = Writer::in_memory();
    testkit::assert_encoders_share(&mut writer, &written, &losses_alone);
    assert_eq!(writer.into_bytes().unwrap(), alone);
}
