//! Chess databases of many formats behind one interface: detect, open, create, convert.
//!
//! One cargo feature per format, all on by default; [`formats`] lists those compiled in. Each
//! format is also a crate of its own.
//!
//! # Reading
//!
//! Name any file of a base; its companions are found beside it.
//!
//! ```no_run
//! let mut base = scoresheet::open("twic.si4")?;
//! for game in base.games() {
//!     let game = game?;
//!     println!("{} - {}: {} plies", game.header.white, game.header.black, game.ply_count());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A damaged game is an `Err` of the iterator; the next call returns the next game.
//! [`Base::reader`] keeps the readable part of a damaged game and reuses one
//! [`Game`](chess_core::Game). A [`Scanner`] reads on all cores. [`Base::database`] reads any game
//! by its number.
//!
//! # Converting
//!
//! ```no_run
//! use scoresheet::{Converter, CreateOptions};
//!
//! let mut base = scoresheet::open("old.si4")?;
//! let mut output = scoresheet::create("new.pgn", &CreateOptions::default())?;
//! let mut converter = Converter::new();
//! converter.run(&mut base, &mut output, &mut ())?;
//! output.finish()?;
//! println!("{}", converter.summary());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing is lost silently: the [`Summary`] counts what the target could not hold. A [`Watch`] in
//! place of `()` receives the outcome of each game. A loop that copies games itself also calls
//! `output.set_about(&base.about(), &mut losses)`, which copies the facts of the base.
//!
//! The [`cookbook`] has more tasks, each with a program.
//!
//! # Errors
//!
//! [`Error`] names the file; inside it, a format's error names byte, game and ply.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "counters of games and rows cannot overflow; numbers read from files use checked arithmetic"
)]

#[cfg(feature = "lines")]
pub mod arrange;
mod base;
#[cfg(feature = "books")]
mod book;
pub mod check;
pub mod collection;
#[cfg(all(test, feature = "compressed"))]
mod compressed_tests;
mod convert;
pub mod cookbook;
mod create;
pub mod dedupe;
mod detect;
mod error;
mod find;
mod foreign;
mod formats;
mod indexed;
mod par_chunks;
#[cfg(feature = "tables")]
mod parts;
mod pipeline;
mod players;
#[cfg(all(feature = "tables", feature = "lines"))]
pub mod positions;
#[cfg(feature = "lines")]
mod random;
mod raw_games;
pub mod sample;
mod scan;
mod selector;
mod survey;
#[cfg(feature = "tables")]
mod table;
mod text_copier;
pub mod tree;
mod unpack;

pub use changes;
pub use chess_core;
pub use chess_store;
pub use chess_store::erased::{Confidence, Database, Editor, Format, GameReader, Source, Writer};
pub use chess_store::{
    CreateOptions, Field, Input, Inputs, Loss, LossKind, Losses, OpenOptions, OptionInfo,
};
#[cfg(feature = "lines")]
pub use lines;
pub use openings;
#[cfg(feature = "pgn")]
pub use pgn;
#[cfg(feature = "print")]
pub use print;
pub use query::{self as filter, Filter, columns, spelling};
pub use reports;

pub use base::{
    Base, Games, IntoGames, Progress, Reader, Unit, is_pipe, narrow, open, open_as, open_inputs,
    open_stream, open_with,
};
#[cfg(feature = "books")]
pub use book::{BookValue, book_row, book_score, book_to_game, open_book, open_book_inputs};
#[cfg(feature = "books")]
pub use books;
pub use compress::{COMPRESSED_EXTENSIONS, PACKED_OUTPUTS, zstd_frames};
pub use convert::{ConvertError, Converter, Outcome, Summary, Watch};
pub use create::{
    Output, create, create_as, create_stream, edit, existing_output, format_for_output,
    is_same_base, is_stream,
};
pub use detect::{PROBE_LENGTH, base_files, detect, detect_bytes, detect_inputs};
pub use error::{Error, describe, describe_warning};
pub use find::{bases_below, is_base};
pub use foreign::missing_format;
pub use formats::{Family, families, format_named, formats};
pub use indexed::{
    FoundSection, IndexUse, Indexed, IndexedErrorKind, SectionFinder, SectionStep, TextSection,
    open_position_index, open_with_index,
};
#[cfg(feature = "lines")]
pub use indexed::{IndexBefore, build_position_index};
pub use par_chunks::par_chunks;
pub use players::player_names;
pub use position_index;
#[cfg(feature = "lines")]
pub use random::{RandomGames, kept_in_memory};
pub use raw_games::RawGames;
pub use scan::{Scanned, Scanner};
pub use selector::{Selected, Selector};
pub use survey::Survey;
#[cfg(feature = "tables")]
pub use table::{Batches, Table, TableBase, TableFailure, create_partitioned};
#[cfg(feature = "tables")]
pub use tables;
pub use unpack::{unpack_input, verify_packed};
