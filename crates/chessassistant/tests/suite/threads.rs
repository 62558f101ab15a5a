//! The result of reading or writing does not depend on the thread.

use chessassistant::prelude::*;
use chessassistant::{CreateOptions, Database, Encoded, OpenOptions, Parts, Writer};
use testkit::{Disk, Flavour, Stop};

use crate::common::{open, write};
use crate::round_trip::games;

/// Games encoded by several threads and appended in order form the same base.
#[test]
fn encode_several_encoders_write_same_bytes() {
    let games = games(Flavour { chess960: false, ..Flavour::ALL }, 0..60);
    let (expected, losses) = write(&games, &CreateOptions::default());
    let mut writer = Writer::in_memory();
    let half = games.len() / 2;
    let mut encoded: Vec<_> = std::thread::scope(|scope| {
        let halves = games.chunks(half).map(|games| {
            let mut encoder = writer.encoder();
            scope.spawn(move || {
                let backwards = games.iter().rev().map(|game| {
                    let (mut encoded, mut losses) = (Encoded::default(), Vec::new());
                    encoder.encode(game, &mut encoded, &mut losses).unwrap();
                    (encoded, losses)
                });
                let mut games: Vec<_> = backwards.collect();
                games.reverse();
                games
            })
        });
        let halves: Vec<_> = halves.collect();
        halves.into_iter().flat_map(|half| half.join().unwrap()).collect()
    });
    for ((encoded, found), expected) in encoded.iter_mut().zip(losses) {
        writer.append(encoded, found).unwrap();
        assert_eq!(*found, expected);
    }
    let files = writer.into_bytes().unwrap();
    assert_eq!(files, expected);
}

#[test]
fn database_shared_by_threads_reads_same_games() {
    let games = games(Flavour { chess960: false, ..Flavour::ALL }, 0..40);
    let base = open(&write(&games, &CreateOptions::default()).0);
    let expected: Vec<Game> = base.games().map(Result::unwrap).collect();
    testkit::assert_threads_share(&base, &expected);
}

/// Every I/O error is reported, wherever it occurs.
#[test]
fn write_failing_disk_is_error() {
    let games = games(Flavour { chess960: false, ..Flavour::ALL }, 0..5);
    let run = |stop: &Stop| {
        let disk = || Disk::new(Vec::new(), stop);
        let parts = Parts { cdp: disk(), emb: disk(), d00: disk(), a02: disk(), d02: disk() };
        let mut writer = Writer::from_parts(parts, &CreateOptions::default())?;
        for game in &games {
            writer.write(game, &mut Vec::new())?;
        }
        writer.into_parts()
    };
    let never = Stop::never();
    let files = run(&never).unwrap();
    assert_eq!(Database::from_parts(files, &OpenOptions::default()).unwrap().len(), 5);
    assert!(never.count() >= 5);
    for changes in 0..never.count() {
        let error = run(&Stop::after(changes, true)).map(drop).unwrap_err();
        assert_eq!(error.scope(), chessassistant::Scope::Base);
        assert!(!error.location().file.is_empty(), "{error}");
    }
}
