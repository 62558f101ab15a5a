//! Limits on the cost of a query.

/// Limits on a query and on its search. Each error names the limit that was exceeded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of the query's text: 64 KiB.
    pub text: usize,
    /// Levels of filters inside filters: 80.
    pub depth: usize,
    /// Filters after all transforms are spelled out: 100,000.
    pub filters: usize,
    /// Evaluated filters in one game: 300 million. A query of the usual kind needs a few thousand.
    pub work: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { text: 1 << 16, depth: 80, filters: 100_000, work: 300_000_000 }
    }
}
