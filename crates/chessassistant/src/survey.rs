//! A survey: counts the features of a base that the description does not explain.

use chess_store::io::ReadAt;

use crate::codes::{code_size, container_size};
use crate::database::{Database, State};
use crate::error::Error;
use crate::layout::{
    COMMENT, LONG_COMMENT, SYMBOL, SYMBOL_AFTER, SYMBOL_BEFORE, UNKNOWN_233, game_type_name,
};

/// Counts of unexplained features, which a person needs to settle the open questions.
///
/// [`rows`](Survey::rows) formats it. Each histogram counts by byte value.
// chessassistant §12 "Open questions"
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Survey {
    /// The number of games examined.
    pub(crate) games: u64,
    /// Games whose record is missing or cannot be walked to its end.
    pub(crate) unreadable: u64,
    /// Symbols after their move.
    pub(crate) symbols_after: Histogram,
    /// Symbols before their move.
    pub(crate) symbols_before: Histogram,
    /// Comments by type.
    pub(crate) comment_types: Histogram,
    /// Unknown codes that ended a record.
    pub(crate) unknown_codes: Histogram,
    /// The byte after code 233.
    pub(crate) after_233: Histogram,
    /// Outcomes.
    pub(crate) outcomes: Histogram,
    /// Byte 28 of the headers.
    pub(crate) unknown_1c: Histogram,
    /// Game types; those above 255 count as 255.
    pub(crate) game_types: Histogram,
    /// Headers whose round has its low bit set.
    pub(crate) round_bits: u64,
    /// Headers with an ECO field of zero.
    pub(crate) eco_zero: u64,
    /// Headers whose game id is not their number.
    pub(crate) moved_games: u64,
    /// Names whose id is zero.
    pub(crate) id_zero: u64,
}

/// The frequency of each byte value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Histogram([u64; 256]);

impl Default for Histogram {
    fn default() -> Histogram {
        Histogram([0; 256])
    }
}

impl Histogram {
    fn add(&mut self, value: u8) {
        if let Some(count) = self.0.get_mut(usize::from(value)) {
            *count = count.saturating_add(1);
        }
    }

    /// The values that occur, with their frequencies.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u8, u64)> + '_ {
        (0..=u8::MAX).zip(self.0).filter(|(_, count)| *count > 0)
    }
}

impl std::fmt::Display for Histogram {
    /// `1: 12, 5: 3`: value and count; `none` for an empty one.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut comma = "";
        for (value, count) in self.iter() {
            write!(f, "{comma}{value}: {count}")?;
            comma = ", ";
        }
        if comma.is_empty() { f.write_str("none") } else { Ok(()) }
    }
}

impl Survey {
    fn new() -> Survey {
        let none = Histogram::default;
        Survey {
            games: 0,
            unreadable: 0,
            symbols_after: none(),
            symbols_before: none(),
            comment_types: none(),
            unknown_codes: none(),
            after_233: none(),
            outcomes: none(),
            unknown_1c: none(),
            game_types: none(),
            round_bits: 0,
            eco_zero: 0,
            moved_games: 0,
            id_zero: 0,
        }
    }

    /// The survey as names and values for display.
    pub(crate) fn rows(&self) -> Vec<(&'static str, String)> {
        vec![
            ("games surveyed", self.games.to_string()),
            ("records not followed to the end", self.unreadable.to_string()),
            ("symbols after a move", self.symbols_after.to_string()),
            ("symbols before a move", self.symbols_before.to_string()),
            ("comment types", self.comment_types.to_string()),
            ("unknown codes", self.unknown_codes.to_string()),
            ("bytes after code 233", self.after_233.to_string()),
            ("outcomes", self.outcomes.to_string()),
            ("header byte 28", self.unknown_1c.to_string()),
            ("game types", self.named_game_types()),
            ("rounds with the low bit", self.round_bits.to_string()),
            ("ECO fields of zero", self.eco_zero.to_string()),
            ("game ids other than the row", self.moved_games.to_string()),
            ("names with id zero", self.id_zero.to_string()),
        ]
    }

    /// `3 (model): 12, 255: 1`
    fn named_game_types(&self) -> String {
        let one = |(number, count): (u8, u64)| match game_type_name(number.into()) {
            Some(name) => format!("{number} ({name}): {count}"),
            None => format!("{number}: {count}"),
        };
        let all: Vec<String> = self.game_types.iter().map(one).collect();
        if all.is_empty() { "none".to_owned() } else { all.join(", ") }
    }

    fn add_codes(&mut self, mut codes: &[u8]) -> bool {
        while let Some(code) = codes.first().copied() {
            let Ok(size) = code_size(codes) else {
                if code_size(&[code; 3]).is_err() && code > 219 && !(230..=236).contains(&code) {
                    self.unknown_codes.add(code);
                }
                return false;
            };
            let content = match code {
                SYMBOL | COMMENT | LONG_COMMENT => codes.get(container_size(code)..size),
                UNKNOWN_233 => {
                    self.after_233.add(codes.get(1).copied().unwrap_or(0));
                    None
                }
                _ => None,
            };
            if let Some([kind, rest @ ..]) = content {
                self.comment_types.add(*kind);
                match (*kind, rest) {
                    (SYMBOL_AFTER, [symbol]) => self.symbols_after.add(*symbol),
                    (SYMBOL_BEFORE, [symbol]) => self.symbols_before.add(*symbol),
                    _ => {}
                }
            }
            codes = codes.get(size..).unwrap_or_default();
        }
        true
    }
}

impl<R: ReadAt + Send + Sync> Database<R> {
    /// Surveys the first `games` games.
    ///
    /// # Errors
    /// I/O errors. Damaged games are counted, not reported.
    pub(crate) fn survey(&self, games: u64) -> Result<Survey, Error> {
        let mut survey = Survey::new();
        let mut state = State::default();
        for game in 0..games.min(self.len()) {
            let row = self.row(&state, game)?;
            survey.games = survey.games.saturating_add(1);
            survey.outcomes.add(row.outcome);
            survey.unknown_1c.add(row.unknown_1c);
            survey.game_types.add(u8::try_from(row.game_type).unwrap_or(u8::MAX));
            let add = |count: &mut u64, yes: bool| *count = count.saturating_add(u64::from(yes));
            add(&mut survey.round_bits, row.round & 1 != 0);
            add(&mut survey.eco_zero, row.eco == 0);
            add(&mut survey.moved_games, u64::from(row.game_id) != game);
            for id in [row.white, row.black, row.event, row.place, row.annotator, row.source] {
                add(&mut survey.id_zero, id == 0);
            }
            let whole = match self.record(&mut state, game, &row) {
                Ok(record) => {
                    let codes = record.codes(&state.record);
                    survey.add_codes(codes) && codes.len() == record.length
                }
                Err(_) => false,
            };
            add(&mut survey.unreadable, !whole);
        }
        Ok(survey)
    }

    /// Returns the base's own data, the findings of opening, and a survey of the first games.
    pub(crate) fn facts(&self) -> Vec<(&'static str, String)> {
        let mut rows = Vec::new();
        if let Some(description) = &self.description {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
            rows.push(("signature", text(&description.signature)));
            rows.push(("version", text(&description.version)));
        }
        if let Some(version) = &self.volume_version {
            rows.push(("version of the names", version.clone()));
        }
        for table in self.names.tables() {
            rows.push((table.kind().plural(), table.len().to_string()));
        }
        rows.push(("encoding", self.encoding().name().to_owned()));
        rows.push(("self-check", self.self_check().to_string()));
        match self.survey(10_000) {
            Ok(survey) => rows.extend(survey.rows()),
            Err(error) => rows.push(("survey", error.to_string())),
        }
        rows
    }
}
