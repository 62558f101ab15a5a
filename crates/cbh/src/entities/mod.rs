//! Names: players, tournaments, annotators, sources, teams, titles.

pub(crate) mod fields;
pub(crate) mod file;
pub(crate) mod kind;
pub(crate) mod nations;
pub(crate) mod table;
pub(crate) mod tree;
