//! Descriptive information about a base.

use chess_store::io::ReadAt;

use crate::database::Database;
use crate::entities::kind::EntityKind;
use crate::open::USED_BY_CHESSBASE_6;
use crate::texts::list_texts;

impl<R: ReadAt> Database<R> {
    /// Returns labels and values for display.
    pub(crate) fn describe(&self) -> Vec<(&'static str, String)> {
        let age = match (self.header.used, self.extended) {
            (USED_BY_CHESSBASE_6, _) => "ChessBase 6 or older".to_owned(),
            // cbh §1.5
            (_, None) => {
                "without extended headers (.cbj), which have the teams and titles of games"
                    .to_owned()
            }
            (_, Some(extended)) => format!("extended headers of version {}", extended.version),
        };
        let mut rows = vec![("version", self.header.version.to_string()), ("layout", age)];
        for (kind, name) in EntityKind::ALL.into_iter().zip([
            "players",
            "tournaments",
            "annotators",
            "sources",
            "teams",
            "titles",
        ]) {
            rows.push((name, self.names.of(kind).header.count.max(0).to_string()));
        }
        if let Some(encoding) = self.detected_encoding {
            rows.push(("encoding", format!("{}, detected from the texts", encoding.name())));
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
