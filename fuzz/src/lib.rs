//! Fuzz targets as plain functions over bytes: `cargo xtask fuzz` drives them with libFuzzer,
//! `cargo test` replays seeds/ and regressions/ through them.
//!
//! A target fails by panicking. Each has a folder in seeds/ and a program in fuzz_targets/.

pub mod core;
pub mod pgn;

/// A function over a fuzzer's bytes.
pub type Target = fn(&[u8]);

/// All targets by name.
pub const TARGETS: &[(&str, Target)] = &[
    ("core_fen", core::core_fen),
    ("core_game", core::core_game),
    ("pgn_text", pgn::pgn_text),
    ("pgn_game", pgn::pgn_game),
    ("pgn_san", pgn::pgn_san),
];
