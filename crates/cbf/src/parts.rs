//! The files of a database.

/// The files of a database, from any storage.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Parts<F> {
    /// The records of the games.
    pub cbf: F,
    /// The offsets of the records. A reader can do without them.
    pub cbi: Option<F>,
}

impl<F> Parts<F> {
    /// Combines both files.
    pub fn new(cbf: F, cbi: Option<F>) -> Parts<F> {
        Parts { cbf, cbi }
    }
}
