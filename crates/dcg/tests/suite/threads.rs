//! Threads share one base for reading and for encoding.

use chess_store::{Losses, Trim};
use dcg::Writer;
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
    let written = games(22, 90, Flavour { tags: true, free_comments: true, ..FLAVOUR });
    let (alone, losses_alone) = write(&written);
    let mut writer = Writer::in_memory();
    testkit::assert_encoders_share(&mut writer, &written, &losses_alone);
    assert_eq!(writer.into_bytes().unwrap(), alone);
}

#[test]
fn append_known_names_allocates_nothing() {
    let game = games(23, 1, FLAVOUR).remove(0);
    let mut writer = Writer::in_memory();
    let (mut encoder, mut encoded) = (writer.encoder(), dcg::Encoded::default());
    let mut losses = Losses::new();
    encoder.encode(&game, &mut encoded, &mut losses).unwrap();
    // Enough games to grow the buffers that appending needs.
    for _ in 0..200 {
        writer.append(&mut encoded, &mut losses).unwrap();
    }
    let again = || writer.append(&mut encoded, &mut losses).unwrap();
    assert_eq!(testkit::allocations(again), 0);
    encoded.trim(0);
    encoder.encode(&game, &mut encoded, &mut losses).unwrap();
    writer.append(&mut encoded, &mut losses).unwrap();
    let games = read(writer.into_bytes().unwrap());
    assert_eq!(games.len(), 202);
    assert!(games.iter().all(|other| *other == games[0]));
}
