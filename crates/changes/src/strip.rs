//! Parts of games that are left out.

use chess_core::{Header, RESULT_SPELLING_TAG};

use query::QueryError;

/// A part of games that is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Strip {
    /// All comments, with the commands in them.
    Comments,
    /// All variations.
    Variations,
    /// All NAGs.
    Glyphs,
    /// The commands `[%clk]`, `[%emt]`, `[%egt]` and `[%mct]` in comments.
    Clocks,
    /// The command `[%eval]` in comments.
    Evals,
    /// Tags.
    Tags(StripTags),
}

/// Tags that are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StripTags {
    /// These tags. A tag of the seven-tag roster becomes unknown.
    Named(Vec<String>),
    /// All tags but the seven-tag roster, and `Variant`: it names the rules of the moves.
    AllButRoster,
}

const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
const WHAT: &str = "a part of games; write comments, variations, glyphs, clocks, evals, \
                    tags=Annotator,Source or tags=all-but-roster";

impl Strip {
    /// Parses parts with commas between them: `comments,glyphs,tags=Annotator,Source`. Words that
    /// follow `tags=` and are no parts are names of tags, too.
    ///
    /// # Errors
    /// [`QueryError`] names the word that is unknown.
    pub fn list(text: &str) -> Result<Vec<Strip>, QueryError> {
        if text.trim().is_empty() {
            return Err(QueryError::Empty);
        }
        let mut all: Vec<Strip> = Vec::new();
        for word in text.split(',').map(str::trim) {
            let part = match word {
                "comments" => Strip::Comments,
                "variations" => Strip::Variations,
                "glyphs" => Strip::Glyphs,
                "clocks" => Strip::Clocks,
                "evals" => Strip::Evals,
                "tags=all-but-roster" => Strip::Tags(StripTags::AllButRoster),
                _ => {
                    let name = match (word.strip_prefix("tags="), all.last_mut()) {
                        (Some(name), _) => name,
                        (None, Some(Strip::Tags(StripTags::Named(names)))) => {
                            names.push(tag(word)?);
                            continue;
                        }
                        (None, _) => return Err(QueryError::unreadable(word, WHAT)),
                    };
                    Strip::Tags(StripTags::Named(vec![tag(name)?]))
                }
            };
            all.push(part);
        }
        Ok(all)
    }

    /// Returns whether moves or annotations change.
    pub(super) fn concerns_line(&self) -> bool {
        !matches!(self, Strip::Tags(_))
    }

    /// Returns the commands in comments that go.
    pub(super) fn commands(&self) -> &'static [&'static str] {
        match self {
            Strip::Clocks => &["clk", "emt", "egt", "mct"],
            Strip::Evals => &["eval"],
            _ => &[],
        }
    }

    pub(super) fn apply_to_header(&self, header: &mut Header) {
        match self {
            Strip::Tags(StripTags::Named(names)) => {
                names.iter().for_each(|name| header.put(name, ""));
            }
            Strip::Tags(StripTags::AllButRoster) => {
                header.white_elo = None;
                header.black_elo = None;
                header.eco = None;
                header.event_date = None;
                let stays = |name: &str| {
                    ROSTER.contains(&name)
                        || name.eq_ignore_ascii_case("Variant")
                        || name == RESULT_SPELLING_TAG
                };
                if header.tags.iter().any(|(name, _)| !stays(name)) {
                    header.tags = header.tags.iter().filter(|(name, _)| stays(name)).collect();
                }
            }
            _ => {}
        }
    }
}

/// Checks the name of a tag. The start position is no tag that can go.
fn tag(name: &str) -> Result<String, QueryError> {
    let is_name = name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    if name.is_empty() || !is_name || !name.starts_with(char::is_uppercase) {
        return Err(QueryError::unreadable(name, WHAT));
    }
    if matches!(name, "FEN" | "SetUp") {
        return Err(QueryError::unreadable(name, "a tag that can go: the moves start from it"));
    }
    Ok(name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_words_after_tags_are_names() {
        let named = |names: &[&str]| {
            Strip::Tags(StripTags::Named(names.iter().map(|&name| name.to_owned()).collect()))
        };
        assert_eq!(
            Strip::list("clocks,tags=Annotator,Source, evals"),
            Ok(vec![Strip::Clocks, named(&["Annotator", "Source"]), Strip::Evals])
        );
        assert_eq!(
            Strip::list("tags=all-but-roster"),
            Ok(vec![Strip::Tags(StripTags::AllButRoster)])
        );
        for wrong in ["", "moves", "Annotator", "tags=", "tags=annotator", "tags=FEN", "glyphs,"] {
            assert!(Strip::list(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn strip_all_but_roster_keeps_roster_spellings_variant_and_mark() {
        let mut header = Header::default();
        for (name, value) in [
            ("Event", "E"),
            ("Date", "1999.1.2"),
            ("WhiteElo", "2500"),
            ("BlackElo", "?"),
            ("EventDate", "1999"),
            ("ECO", "B20"),
            ("Variant", "Chess960"),
            ("Source", "x"),
            ("Deleted", "1"),
            ("Result", "1 - 0"),
        ] {
            header.set(name, value);
        }
        Strip::Tags(StripTags::AllButRoster).apply_to_header(&mut header);
        let mut left = Vec::new();
        header.for_each_tag(|name, value| left.push(format!("{name}={value}")));
        let expected = [
            "Event=E",
            "Site=?",
            "Date=1999.1.2",
            "Round=?",
            "White=?",
            "Black=?",
            "Result=1-0",
            "Deleted=1",
            "Variant=Chess960",
            "ResultSpelling=1 - 0",
        ];
        assert_eq!(left, expected);
    }

    #[test]
    fn strip_named_roster_tag_becomes_unknown() {
        let mut header = Header::default();
        header.set("Site", "Linares");
        header.set("Date", "1999.1.2");
        Strip::list("tags=Site,Date").unwrap()[0].apply_to_header(&mut header);
        assert_eq!((&*header.site, header.date.is_unknown()), ("?", true));
        assert_eq!(header.tags.len(), 0);
    }
}
