//! The entity files of a base.

use crate::entities::file::EntityFile;
use crate::entities::kind::EntityKind;

/// All names of a base.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    pub(crate) players: EntityFile,
    pub(crate) tournaments: EntityFile,
    pub(crate) annotators: EntityFile,
    pub(crate) sources: EntityFile,
    pub(crate) teams: EntityFile,
    pub(crate) tags: EntityFile,
}

impl Names {
    pub(crate) fn of(&self, kind: EntityKind) -> &EntityFile {
        match kind {
            EntityKind::Player => &self.players,
            EntityKind::Tournament => &self.tournaments,
            EntityKind::Annotator => &self.annotators,
            EntityKind::Source => &self.sources,
            EntityKind::Team => &self.teams,
            EntityKind::Tag => &self.tags,
        }
    }
}
