//! What the tests of several crates share. It may panic: that is how a test fails.

mod disk;
mod fixtures;
mod games;
mod hostile;

pub use disk::{Disk, Stop};
pub use fixtures::{
    Case, Meta, cases, closed_line, database_lines, game_lines, source_lines, workspace_root,
};
pub use games::{Flavour, Random, random_game};
pub use hostile::{allocations, damaged, wait_until, within};
