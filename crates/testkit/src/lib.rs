//! Helpers that the tests of several crates share. They panic, because that is how a test fails.

pub mod attack;
mod bases;
mod disk;
mod fixtures;
mod games;
mod hostile;
mod replacements;
mod searches;
mod sharing;
mod suite;
mod unsynced;
mod volume;

pub use bases::{
    assert_options_read, assert_others_stand, assert_strict_takes_the_sound, assert_threads_share,
    survive, survive_opening, what_is_said,
};
pub use disk::{Disk, Stop};
pub use fixtures::{
    Case, Meta, cases, closed_line, database_lines, game_lines, lines_of, result_rows,
    source_lines, workspace_root,
};
pub use games::{Flavour, Random, random_game, random_games};
pub use hostile::{allocations, damaged, peak, scratched, wait_until, within};
pub use replacements::{next_game, next_header};
pub use searches::{assert_searches_are_right, assert_visits};
pub use sharing::{
    Damage, assert_cuts_keep_moves, assert_damage_is_local, assert_encoders_share,
    assert_failures_are_reported, records_in,
};
pub use suite::Suite;
pub use volume::{Faults, Volume, VolumeFile};
