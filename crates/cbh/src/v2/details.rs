//! Descriptive information about a base.

use chess_store::io::ReadAt;

use super::database::Database;
use super::entities::EntityType;
use crate::texts::list_texts;

impl<R: ReadAt> Database<R> {
    /// Returns labels and values for display.
    pub(crate) fn describe(&self) -> Vec<(&'static str, String)> {
        let mut rows = vec![("version", self.header.version.to_string())];
        if let Some(header) = &self.entities {
            for (kind, name) in [
                (EntityType::Player, "players"),
                (EntityType::Tournament, "tournaments"),
                (EntityType::Source, "sources"),
                (EntityType::Team, "teams"),
                (EntityType::Title, "titles"),
            ] {
                rows.push((name, header.count(kind).to_string()));
            }
        }
        let missing: Vec<_> =
            ["2lgd", "2lcd"].into_iter().filter(|file| self.parts.get(file).is_none()).collect();
        if !missing.is_empty() {
            rows.push(("missing indexes", missing.join(", ")));
        }
        if !self.records.texts.is_empty() {
            rows.push((
                "guiding texts",
                list_texts(self.records.texts.len(), self.guiding_texts()),
            ));
        }
        rows
    }
}
