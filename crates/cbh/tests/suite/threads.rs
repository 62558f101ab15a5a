//! Several threads read one base and encode for one base.

use std::thread;

use cbh::Writer;
use testkit::Flavour;

use crate::common::{FLAVOUR, games, open, read, write};

#[test]
fn readers_on_threads_return_same_games() {
    let parts = write(&games(21, 40, FLAVOUR)).0;
    let all = read(parts.clone());
    testkit::assert_threads_share(&open(parts).unwrap(), &all);
}

#[test]
fn encoders_on_threads_write_same_bytes() {
    let written = games(22, 90, Flavour { tags: true, free_comments: true, nags: 255, ..FLAVOUR });
    let (alone, losses_alone) = write(&written);
    let mut writer = Writer::in_memory();
    let encoded: Vec<_> = thread::scope(|scope| {
        let threads = written.chunks(30).map(|chunk| {
            let mut encoder = writer.encoder();
            scope.spawn(move || {
                let encode = |game| {
                    let (mut encoded, mut losses) = (cbh::Encoded::default(), Vec::new());
                    encoder.encode(game, &mut encoded, &mut losses).unwrap();
                    (encoded, losses)
                };
                chunk.iter().map(encode).collect::<Vec<_>>()
            })
        });
        let threads: Vec<_> = threads.collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let mut all_losses = Vec::new();
    for (mut encoded, mut losses) in encoded {
        writer.append(&mut encoded, &mut losses).unwrap();
        all_losses.append(&mut losses);
    }
    assert_eq!(writer.into_bytes().unwrap(), alone);
    assert_eq!(all_losses, losses_alone);
}
