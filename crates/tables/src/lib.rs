//! Chess games as tables: Arrow record batches, Arrow files and Parquet files.
//!
//! A row is a game or a half-move. [`Rows::fields`] lists the columns, and docs/tables.md describes
//! them. Only the selected columns are computed. The table of games begins with the columns that
//! Lichess publishes, with the same types.
//!
//! | | read | write |
//! |---|---|---|
//! | Parquet | games; from movetext or moves | games and half-moves, Zstandard |
//! | Arrow file (Feather 2) | the same | the same |
//! | SQLite | no | games and half-moves |
//! | other tables with these columns, as those of Lichess | yes | |
//!
//! # Hash
//! [`zobrist`] is the hash that Polyglot books use to look up a position.
//!
//! # Limits
//! A dictionary stores a text once, however many rows have it. So the decoded size of the rows
//! counts against a [`DecompressionLimit`](chess_store::io::DecompressionLimit): 64 MiB and 200
//! times the size of the file. Sizes that a file claims are checked before they are allocated.
//!
//! # Features
//! `parquet`, `arrow` and `sqlite` enable the formats. Without them, the crate has the columns and
//! [`zobrist`].

#![allow(
    clippy::arithmetic_side_effects,
    reason = "counters of games and rows cannot overflow; numbers read from files use checked arithmetic"
)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "arrow")]
mod batch;
#[cfg(all(test, feature = "arrow"))]
mod bounds_tests;
#[cfg(feature = "arrow")]
mod cell;
#[cfg(feature = "parquet")]
mod cells;
mod column;
mod columns;
mod commands;
#[cfg(feature = "arrow")]
mod decoded;
#[cfg(feature = "parquet")]
mod deltas;
mod encode;
mod error;
#[cfg(any(test, feature = "parquet"))]
mod footer;
#[cfg(feature = "arrow")]
mod formats;
mod games;
#[cfg(feature = "arrow")]
mod ipc_start;
#[cfg(feature = "arrow")]
mod ipc_write;
#[cfg(feature = "parquet")]
mod list_pages;
#[cfg(feature = "arrow")]
mod messages;
mod options;
#[cfg(feature = "parquet")]
mod page_write;
#[cfg(any(test, feature = "parquet"))]
mod pages;
#[cfg(feature = "parquet")]
mod parquet_read;
#[cfg(all(test, feature = "parquet"))]
mod parquet_tests;
#[cfg(feature = "parquet")]
mod parquet_write;
#[cfg(feature = "parquet")]
mod partition;
#[cfg(feature = "arrow")]
mod played;
mod plies;
#[cfg(feature = "parquet")]
mod rle;
#[cfg(feature = "arrow")]
mod row;
#[cfg(feature = "arrow")]
mod row_parser;
#[cfg(all(test, feature = "arrow"))]
mod row_tests;
mod schema;
#[cfg(feature = "arrow")]
mod shared;
#[cfg(feature = "sqlite")]
mod sqlite;
#[cfg(feature = "arrow")]
mod stream;
mod tags;
#[cfg(test)]
mod tests;
#[cfg(feature = "parquet")]
mod text_pages;
mod uci;
#[cfg(feature = "arrow")]
mod writer;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(feature = "arrow")]
pub use {arrow_array, arrow_schema};

#[cfg(feature = "parquet")]
pub use cells::{Cell, CellKind, CellWriter};
pub use chess_core::zobrist;
pub use column::Kind;
pub use columns::{Columns, Selection, TimeUnit};
pub use encode::Encoder;
pub use error::{Error, ErrorKind};
#[cfg(feature = "arrow")]
pub use formats::FORMATS;
pub use options::CreateOptions;
#[cfg(feature = "parquet")]
pub use parquet_read::{Database, State};
#[cfg(feature = "parquet")]
pub use partition::{Existing, PartEncoder, PartRows, PartitionedWriter};
pub use plies::packed_board;
#[cfg(feature = "arrow")]
pub use row_parser::RowParser;
pub use schema::{Field, Rows};
#[cfg(feature = "arrow")]
pub use shared::{SharedEncoder, SharedRows};
#[cfg(feature = "arrow")]
pub use stream::RowSource;
pub use uci::write_uci;
#[cfg(feature = "arrow")]
pub use writer::{BATCH_ROWS, Target, Writer};
