//! Descriptive information about a base.

use chess_store::io::ReadAt;

use crate::database::Database;
use crate::entities::kind::EntityKind;
use crate::open::USED_BY_CHESSBASE_6;

/// The maximum number of titles listed.
const TITLES: usize = 20;

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
        if !self.texts.is_empty() {
            rows.push(("guiding texts", self.list_texts()));
        }
        rows
    }

    fn list_texts(&self) -> String {
        let mut list = self.texts.len().to_string();
        for (number, text) in self.guiding_texts().take(TITLES).enumerate() {
            list.push_str(if number == 0 { ": " } else { "; " });
            match text {
                Ok(text) => {
                    let title = text.titles.first().map_or("", |(_, title)| title.as_str());
                    list.push_str(if title.is_empty() { "without a title" } else { title });
                }
                Err(_) => list.push_str("damaged"),
            }
        }
        if self.texts.len() > TITLES {
            list.push_str("; ...");
        }
        list
    }
}
