//! Whether a header says what follows from its game.

use chess_store::Diagnostics;
use chess_store::io::ReadAt;

use crate::database::{Database, State};
use crate::entities::kind::EntityKind;
use crate::entities::tree::check_tree;
use crate::error::Error;

impl<R: ReadAt> Database<R> {
    /// What is wrong with the tree of the names of a kind: links, order, balance. Nothing if it is
    /// sound.
    #[must_use]
    pub fn check_names(&self, kind: EntityKind) -> Vec<String> {
        check_tree(self.names.of(kind))
    }

    /// The fields of a header that do not follow from the game.
    // cbh §3.4 "Derived fields"
    pub(crate) fn verify(&self, state: &mut State, game: u64) -> Result<Vec<&'static str>, Error> {
        let raw = self.read_raw(state, game)?;
        let mut diagnostics = Diagnostics::lenient();
        let mut decoded = None;
        self.decode_tree(state, &raw, &mut decoded, &mut diagnostics)?;
        self.read_annotations(state, &raw, &mut diagnostics)?;
        let Some(decoded) = decoded else { return Ok(Vec::new()) };
        let (derived, record) = (self.derived(state, decoded), raw.record);
        let fields = [
            ("medals", derived.medals == record.medals),
            ("flags", derived.flags == record.flags),
            ("magnitudes", derived.magnitudes == record.magnitudes),
            ("length", derived.length == record.length),
        ];
        Ok(fields.into_iter().filter(|(_, same)| !same).map(|(name, _)| name).collect())
    }
}
