//! Descriptive information about a base.

use chess_store::io::ReadAt;

use super::database::Database;
use super::entities::EntityType;

/// The maximum number of titles listed.
const TITLES: usize = 20;

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
