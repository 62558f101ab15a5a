//! Reports for people and scripts: text for terminals, HTML with pictures, JSON and comma-separated values.
//!
//! [`PlayerForms`], [`StatisticsForms`] and [`CrosstableForms`] show the reports of the crate `reports`. A
//! [`Page`] is what [`text`] and [`html`] write, for any table.
//!
//! ```
//! use pages::{Column, Page, Table, text};
//!
//! let mut table = Table::new("opening", &[Column::number("games")]);
//! table.rows = vec![vec!["Sicilian".into(), "12".into()], vec!["French".into(), "3".into()]];
//! let page = Page { title: "Openings".into(), tables: vec![table], ..Page::default() };
//! let mut out = Vec::new();
//! text::write(&page, None, false, &mut out)?;
//! assert_eq!(out, b"Openings\n\nopening   games\nSicilian     12\nFrench        3\n");
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! Names and comments are foreign text: [`clean`] keeps them from moving the cursor or changing colours, and
//! HTML is escaped.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "counters of games and widths of columns cannot overflow"
)]

pub mod clean;
mod crosstable;
mod forms;
pub mod html;
mod message;
pub mod numbers;
mod page;
mod player;
mod stats;
pub mod style;
mod svg;
pub mod text;

pub use crosstable::{CrosstableForms, event_name};
pub use forms::{Counted, Forms};
pub use message::say;
pub use page::{Column, Page, Table, Title};
pub use player::{PlayerForms, named};
pub use stats::StatisticsForms;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
