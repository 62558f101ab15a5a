//! The result of reading or writing does not depend on the thread.

use chess_core::Game;
use chessassistant::{CreateOptions, Database, Losses, OpenOptions, Parts, Writer};
use testkit::{Disk, Flavour, Stop};

use crate::common::{open, write};
use crate::round_trip::games;

/// Games encoded by several threads and appended in order form the same base.
#[test]
fn encode_several_encoders_write_same_bytes() {
    let games = games(Flavour { chess960: false, ..Flavour::ALL }, 0..60);
    let (expected, losses) = write(&games, &CreateOptions::default());
    let mut writer = Writer::in_memory();
    let losses: Losses = losses.iter().flatten().cloned().collect();
    testkit::assert_encoders_share(&mut writer, &games, &losses);
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
            writer.write(game, &mut Losses::new())?;
        }
        writer.into_parts()
    };
    let never = Stop::never();
    let files = run(&never).unwrap();
    assert_eq!(Database::from_parts(files, &OpenOptions::default()).unwrap().len(), 5);
    assert!(never.count() >= 5);
    let files = ["cdp", "emb", "d00", "a02", "d02"];
    testkit::assert_failures_are_reported(&files, true, |stop| run(stop).map(drop));
}
