//! Annotations: items of a `.cba` record, and what they are in a game.
//!
//! What PGN has a shape for gets it: texts are comments, symbols are NAGs; squares, arrows, times,
//! evaluations and medals are commands in comments (`[%csl Gd4]`) as ChessBase and others write
//! them. The rest becomes `[%cbh ...]`, which [`command`] makes an item again.

pub(crate) mod command;
pub(crate) mod comments;
pub(crate) mod items;
pub(crate) mod named;
pub(crate) mod text;
pub(crate) mod write;
