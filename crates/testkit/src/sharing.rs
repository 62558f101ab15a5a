//! Checks of damage, of threads and of failing disks, for any format that writes files in memory.

use std::fmt::Debug;
use std::ops::Range;
use std::thread;

use chess_core::Game;
use chess_store::erased::Database;
use chess_store::{AnyError, Diagnostics, EncodeGames, Field, Losses, Scope, WriteGames};

use crate::bases::{assert_others_stand, survive_opening};
use crate::disk::Stop;
use crate::hostile::{damaged, scratched};

/// Damage to one file of a base at a time.
#[derive(Clone, Copy, Debug)]
pub struct Damage<'a> {
    /// The files that are damaged, by extension.
    pub damaged: &'a [&'static str],
    /// The files that an error may name.
    pub named: &'a [&'static str],
    /// The number of changed versions of a file, and of truncated ones.
    pub count: usize,
}

impl Damage<'_> {
    /// Asserts that every damaged version of a base keeps the invariants of
    /// [`survive`](crate::survive). `original` returns the bytes of a file; `open` opens the base
    /// with other bytes for it.
    pub fn assert_survived<B: Database, E: Into<AnyError>>(
        &self,
        original: impl Fn(&'static str) -> Vec<u8>,
        open: impl Fn(&'static str, Vec<u8>) -> Result<B, E>,
    ) {
        for (file, seed) in self.damaged.iter().zip(1..) {
            let whole = original(file);
            assert!(!whole.is_empty(), "nothing to damage in .{file}");
            for bytes in damaged(&whole, seed, self.count) {
                survive_opening(open(file, bytes), self.named, u64::MAX);
            }
        }
    }
}

/// Returns the range that the record of each game covers in `file`, as the dump of the game says.
pub fn records_in(base: &dyn Database, file: &str) -> Vec<Range<usize>> {
    let mut reader = base.reader();
    let ranges = (0..base.len()).map(|number| {
        let mut range: Option<Range<usize>> = None;
        let each = &mut |field: Field| {
            if field.file == file {
                let start = field.offset as usize;
                let end = start + field.bytes.len();
                let range = range.get_or_insert(start..end);
                *range = range.start.min(start)..range.end.max(end);
            }
        };
        reader.dump(number, each).unwrap();
        range.unwrap_or_else(|| panic!("game {number} has no bytes in .{file}"))
    });
    ranges.collect()
}

/// Asserts that damage inside the record of game `victim` costs no other game. `record` is its
/// range in `bytes`.
pub fn assert_damage_is_local<B: Database, E: Debug>(
    bytes: &[u8],
    record: Range<usize>,
    victim: u64,
    healthy: &[Game],
    open: impl Fn(Vec<u8>) -> Result<B, E>,
) {
    for seed in 0..200 {
        let base = open(scratched(bytes, record.clone(), seed)).unwrap();
        assert_others_stand(&base, victim, healthy);
    }
}

/// Asserts that a game whose record is cut keeps the moves before the cut, and that its error is a
/// cut. `records` are numbers of games and the ranges of their records in `bytes`.
pub fn assert_cuts_keep_moves<B: Database, E: Debug>(
    bytes: &[u8],
    records: impl IntoIterator<Item = (u64, Range<usize>)>,
    open: impl Fn(&[u8]) -> Result<B, E>,
    is_cut: impl Fn(&AnyError) -> bool,
) {
    let whole = open(bytes).unwrap();
    let (mut whole_reader, mut diagnostics) = (whole.reader(), Diagnostics::lenient());
    let (mut cuts, mut games) = (0, 0);
    for (number, record) in records {
        games += 1;
        let (mut whole_game, mut game) = (Game::new(), Game::new());
        whole_reader.game(number, &mut whole_game, &mut diagnostics).unwrap();
        for cut in (record.start + 1..bytes.len().min(record.end + 20)).step_by(7) {
            let cut_base = open(&bytes[..cut]).unwrap();
            match cut_base.reader().game(number, &mut game, &mut diagnostics) {
                Ok(()) => assert!(cut >= record.end, "game {number} cut at {cut}"),
                Err(error) => {
                    assert!(cut < record.end, "game {number} cut at {cut}: {error}");
                    assert!(is_cut(&error), "game {number} cut at {cut}: {error}");
                    cuts += 1;
                }
            }
            let kept: Vec<_> = game.main_line().collect();
            let all: Vec<_> = whole_game.main_line().collect();
            assert!(all.starts_with(&kept), "game {number} cut at {cut}");
        }
    }
    assert!(cuts > games && games > 1, "only {cuts} cuts of {games} games");
}

/// Writes games that three threads encode, each backwards. Asserts that the losses equal `losses`,
/// which encoding in order on one thread gave.
pub fn assert_encoders_share<W: WriteGames>(writer: &mut W, games: &[Game], losses: &Losses)
where
    W::Error: Debug,
{
    let chunk = games.len().div_ceil(3);
    let encoded: Vec<_> = thread::scope(|scope| {
        let threads = games.chunks(chunk).map(|games| {
            let mut encoder = writer.encoder();
            scope.spawn(move || {
                let backwards = games.iter().rev().map(|game| {
                    let (mut encoded, mut losses) = (W::Encoded::default(), Losses::new());
                    encoder.encode(game, &mut encoded, &mut losses).unwrap();
                    (encoded, losses)
                });
                let mut encoded: Vec<_> = backwards.collect();
                encoded.reverse();
                encoded
            })
        });
        let threads: Vec<_> = threads.collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(encoded.len(), games.len());
    let mut all = Losses::new();
    for (mut encoded, mut found) in encoded {
        writer.append(&mut encoded, &mut found).unwrap();
        all.append(&mut found);
    }
    assert_eq!(&all, losses);
}

/// Asserts that `run`, which writes a base to disks that share a [`Stop`], reports the failure of
/// each write as an I/O error of the whole base that names one of `files`. `torn` says whether the
/// failing write is done in part.
pub fn assert_failures_are_reported<E: Into<AnyError>>(
    files: &[&str],
    torn: bool,
    run: impl Fn(&Stop) -> Result<(), E>,
) {
    let never = Stop::never();
    assert!(run(&never).is_ok(), "a disk that does not fail");
    assert!(never.count() > 0, "nothing is written");
    for changes in 0..never.count() {
        let Err(error) = run(&Stop::after(changes, torn)) else {
            panic!("the failure of write {changes} is not reported");
        };
        let error: AnyError = error.into();
        assert_eq!(error.scope(), Scope::Base, "{error}");
        assert!(error.io().is_some(), "{error}");
        assert!(files.contains(&error.location().file), "{error}");
    }
}
