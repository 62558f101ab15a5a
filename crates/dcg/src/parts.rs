//! The files of a base.

/// The files of a base, from any source or for any target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parts<T> {
    /// The index.
    pub dci: T,
    /// The players.
    pub dcn: T,
    /// The sites.
    pub dcs: T,
    /// The events; missing in the old layout.
    pub dce: Option<T>,
    /// The games.
    pub dcg: T,
}

impl<T> Parts<T> {
    /// Borrows the files.
    pub fn each_ref(&self) -> Parts<&T> {
        let Parts { dci, dcn, dcs, dce, dcg } = self;
        Parts { dci, dcn, dcs, dce: dce.as_ref(), dcg }
    }

    /// Converts each file.
    pub fn map<U>(self, mut change: impl FnMut(T) -> U) -> Parts<U> {
        Parts {
            dci: change(self.dci),
            dcn: change(self.dcn),
            dcs: change(self.dcs),
            dce: self.dce.map(&mut change),
            dcg: change(self.dcg),
        }
    }
}
