//! The files of a base.

use crate::entities::kind::EntityKind;

/// The files of a base from any storage.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Parts<F> {
    /// Headers of the games.
    pub cbh: F,
    /// Moves.
    pub cbg: F,
    /// Annotations.
    pub cba: Option<F>,
    /// Players.
    pub cbp: Option<F>,
    /// Tournaments.
    pub cbt: Option<F>,
    /// Annotators.
    pub cbc: Option<F>,
    /// Sources.
    pub cbs: Option<F>,
    /// Extended headers, since ChessBase 7.
    pub cbj: Option<F>,
    /// Teams.
    pub cbe: Option<F>,
    /// Titles of games.
    pub cbl: Option<F>,
    /// Extended tournament data.
    pub cbtt: Option<F>,
    /// Media files of annotations.
    pub cbm: Option<F>,
}

/// The extensions of [`Parts`], in the order of its fields.
pub(crate) const EXTENSIONS: [&str; 12] =
    ["cbh", "cbg", "cba", "cbp", "cbt", "cbc", "cbs", "cbj", "cbe", "cbl", "cbtt", "cbm"];

impl<F> Parts<F> {
    /// Returns the place of the file for a kind of names.
    pub(crate) fn place(&mut self, kind: EntityKind) -> &mut Option<F> {
        match kind {
            EntityKind::Player => &mut self.cbp,
            EntityKind::Tournament => &mut self.cbt,
            EntityKind::Annotator => &mut self.cbc,
            EntityKind::Source => &mut self.cbs,
            EntityKind::Team => &mut self.cbe,
            EntityKind::Tag => &mut self.cbl,
        }
    }

    /// Creates a base from its two mandatory files.
    pub fn new(cbh: F, cbg: F) -> Parts<F> {
        Parts {
            cbh,
            cbg,
            cba: None,
            cbp: None,
            cbt: None,
            cbc: None,
            cbs: None,
            cbj: None,
            cbe: None,
            cbl: None,
            cbtt: None,
            cbm: None,
        }
    }

    /// Collects a base from a function that returns the file of an extension in lower case.
    ///
    /// # Errors
    /// The errors of `file`; the error of `missing` if there is no `cbh` or no `cbg`.
    pub fn from_files<E>(
        mut file: impl FnMut(&'static str) -> Result<Option<F>, E>,
        missing: impl Fn(&'static str) -> E,
    ) -> Result<Parts<F>, E> {
        Ok(Parts {
            cbh: file("cbh")?.ok_or_else(|| missing("cbh"))?,
            cbg: file("cbg")?.ok_or_else(|| missing("cbg"))?,
            cba: file("cba")?,
            cbp: file("cbp")?,
            cbt: file("cbt")?,
            cbc: file("cbc")?,
            cbs: file("cbs")?,
            cbj: file("cbj")?,
            cbe: file("cbe")?,
            cbl: file("cbl")?,
            cbtt: file("cbtt")?,
            cbm: file("cbm")?,
        })
    }

    /// Converts each file.
    #[cfg(feature = "archive")]
    pub(crate) fn map<G>(self, mut convert: impl FnMut(F) -> G) -> Parts<G> {
        Parts {
            cbh: convert(self.cbh),
            cbg: convert(self.cbg),
            cba: self.cba.map(&mut convert),
            cbp: self.cbp.map(&mut convert),
            cbt: self.cbt.map(&mut convert),
            cbc: self.cbc.map(&mut convert),
            cbs: self.cbs.map(&mut convert),
            cbj: self.cbj.map(&mut convert),
            cbe: self.cbe.map(&mut convert),
            cbl: self.cbl.map(&mut convert),
            cbtt: self.cbtt.map(&mut convert),
            cbm: self.cbm.map(&mut convert),
        }
    }

    /// Returns the file of an extension, if there is one.
    pub fn get(&self, extension: &str) -> Option<&F> {
        match extension {
            "cbh" => Some(&self.cbh),
            "cbg" => Some(&self.cbg),
            "cba" => self.cba.as_ref(),
            "cbp" => self.cbp.as_ref(),
            "cbt" => self.cbt.as_ref(),
            "cbc" => self.cbc.as_ref(),
            "cbs" => self.cbs.as_ref(),
            "cbj" => self.cbj.as_ref(),
            "cbe" => self.cbe.as_ref(),
            "cbl" => self.cbl.as_ref(),
            "cbtt" => self.cbtt.as_ref(),
            "cbm" => self.cbm.as_ref(),
            _ => None,
        }
    }

    /// Like [`get`](Parts::get), mutably.
    pub fn get_mut(&mut self, extension: &str) -> Option<&mut F> {
        match extension {
            "cbh" => Some(&mut self.cbh),
            "cbg" => Some(&mut self.cbg),
            "cba" => self.cba.as_mut(),
            "cbp" => self.cbp.as_mut(),
            "cbt" => self.cbt.as_mut(),
            "cbc" => self.cbc.as_mut(),
            "cbs" => self.cbs.as_mut(),
            "cbj" => self.cbj.as_mut(),
            "cbe" => self.cbe.as_mut(),
            "cbl" => self.cbl.as_mut(),
            "cbtt" => self.cbtt.as_mut(),
            "cbm" => self.cbm.as_mut(),
            _ => None,
        }
    }
}
