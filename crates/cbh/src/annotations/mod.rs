//! Annotations: items of a `.cba` record and their form in a game.
//!
//! Annotations with a PGN equivalent use it. Texts become comments and symbols become NAGs.
//! Squares, arrows, times, evaluations and medals become commands in comments (`[%csl Gd4]`) in the
//! syntax of ChessBase and other programs. All other items become `[%cbh ...]`, which [`command`]
//! parses back to the item.

pub(crate) mod command;
pub(crate) mod comments;
pub(crate) mod dialect;
mod evaluations;
pub(crate) mod items;
pub(crate) mod modern;
pub(crate) mod named;
mod quotation;
pub(crate) mod text;
mod training;
pub(crate) mod write;
