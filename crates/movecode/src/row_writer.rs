//! A header to a row of IO_Game.

use chess_core::seam::{Loss, LossKind};
use chess_core::{Date, Elo, Game, GameResult};

use crate::encode::EncodedGame;
use crate::header::{COLLECTION_TAG, DAY_UNKNOWN, EVENT_SHIFT, MONTH_UNKNOWN, YEAR_UNKNOWN};
use crate::info::push_tag;
use crate::layout::{IS_CHESS960, RESULT_TAG};
use crate::myisam::{NULL, Value};
use crate::schema::{FEN, GAME_COLUMNS, NAME, ROUND, TITLE};
use crate::text::{cut, encode_text};

/// What a row holds besides the codes and the numbers of names. Meant to be reused.
#[derive(Debug, Default)]
pub(crate) struct RowTexts {
    pub(crate) collection: Option<String>,
    pub(crate) annotator: Option<String>,
    pub(crate) opening: Option<String>,
    info: String,
    eco: Option<[u8; 3]>,
    white_title: Option<Vec<u8>>,
    black_title: Option<Vec<u8>>,
    board: Option<Vec<u8>>,
    round: Option<Vec<u8>>,
    fen: Option<Vec<u8>>,
    info_bytes: Option<Vec<u8>>,
    result: i64,
    elo: [Option<Elo>; 2],
    date: Option<Date>,
    event_date: Option<Date>,
}

/// The numbers of the names that a row refers to.
#[derive(Debug)]
pub(crate) struct RowIds {
    pub(crate) collection: i64,
    /// The game's own number in its collection, from 1.
    pub(crate) number: i64,
    pub(crate) white: i64,
    pub(crate) black: i64,
    pub(crate) event: i64,
    pub(crate) site: i64,
    pub(crate) opening: i64,
    pub(crate) annotator: Option<i64>,
}

impl RowTexts {
    /// Finds a place for everything of a header and the start position.
    // movecode §9.3 "IO_Game"
    pub(crate) fn take(&mut self, game: &Game, attributes: u16, losses: &mut Vec<Loss>) {
        *self = RowTexts::default();
        let header = &game.header;
        self.result = match header.result {
            GameResult::White => 2,
            GameResult::Draw => 1,
            GameResult::Black => 0,
            GameResult::Unknown => -1,
        };
        self.elo = [header.white_elo, header.black_elo];
        self.date = (!header.date.is_unknown()).then_some(header.date);
        self.event_date = header.event_date;
        if let Some(eco) = header.eco {
            let eco = eco.to_string();
            self.eco = eco.as_bytes().first_chunk().copied();
            if eco.len() > 3 {
                self.put_in_info("ECO", &eco, LossKind::Eco, losses);
            }
        }
        if header.round != "?" {
            let round = cut(&header.round, ROUND);
            self.round = Some(bytes(round));
            if round.len() < header.round.len() {
                self.put_in_info("Round", &header.round, LossKind::TextCut, losses);
            }
        }
        if header.deleted {
            self.put_in_info("Deleted", "1", LossKind::Flag, losses);
        }
        for (name, value) in header.tags.iter() {
            self.tag(name, value, attributes, losses);
        }
        if let Some(setup) = game.setup() {
            let fen = setup.fen();
            self.fen = Some(match fen.encode_utf16().count() <= usize::from(FEN) {
                true => bytes(fen),
                false => {
                    losses.push(Loss::new(LossKind::Setup, "a FEN of more than 128 characters"));
                    bytes(&setup.position().to_fen())
                }
            });
        }
        self.info_bytes = (!self.info.is_empty()).then(|| bytes(&self.info));
    }

    /// Finds a place for a tag: a column of its own, or Info.
    fn tag(&mut self, name: &str, value: &str, attributes: u16, losses: &mut Vec<Loss>) {
        let named = !matches!(value, "" | "-") && cut(value, NAME).len() == value.len();
        let fits = cut(value, TITLE).len() == value.len();
        match name {
            RESULT_TAG => return,
            "Variant" if value == "Chess960" && attributes & IS_CHESS960 != 0 => return,
            COLLECTION_TAG if named && self.collection.is_none() => {
                self.collection = Some(value.into());
                return;
            }
            "Annotator" if named && self.annotator.is_none() => {
                self.annotator = Some(value.into());
                return;
            }
            "Opening" if named && self.opening.is_none() => {
                self.opening = Some(value.into());
                return;
            }
            "WhiteTitle" | "BlackTitle" | "Board" if fits => {
                let column = match name {
                    "WhiteTitle" => &mut self.white_title,
                    "BlackTitle" => &mut self.black_title,
                    _ => &mut self.board,
                };
                if column.is_none() {
                    *column = Some(bytes(value));
                    return;
                }
            }
            _ => {}
        }
        self.put_in_info(name, value, LossKind::Tag, losses);
    }

    fn put_in_info(&mut self, name: &str, value: &str, kind: LossKind, losses: &mut Vec<Loss>) {
        let writable = !value.contains('\0');
        if !writable || !push_tag(&mut self.info, name, value, usize::from(NAME)) {
            losses.push(Loss::new(kind, name));
        }
    }

    /// The values of a row in the order of [`GAME_COLUMNS`].
    pub(crate) fn values<'a>(
        &'a self,
        encoded: &'a EncodedGame,
        ids: &RowIds,
    ) -> [Value<'a>; GAME_COLUMNS.len()] {
        let [white_elo, black_elo] = self.elo.map(|elo| match elo {
            Some(elo) => Value::Int(i64::from(elo.get())),
            None => NULL,
        });
        let (date, flags) = self.date.map_or((NULL, 0), pack_date);
        let (event_date, event_flags) = self.event_date.map_or((NULL, 0), pack_date);
        [
            Value::Int(ids.collection),
            Value::Int(ids.number),
            Value::Int(i64::from(encoded.attributes)),
            Value::Int(i64::from(encoded.plies)),
            Value::Int(self.result),
            Value::Int(ids.white),
            Value::Int(ids.black),
            white_elo,
            black_elo,
            Value::Int(ids.event),
            Value::Int(ids.site),
            date,
            event_date,
            Value::Int(flags | event_flags << EVENT_SHIFT),
            Value::Int(ids.opening),
            self.eco.as_ref().map_or(NULL, |eco| Value::Bytes(eco, 0)),
            ids.annotator.map_or(NULL, Value::Int),
            text(self.white_title.as_deref()),
            text(self.black_title.as_deref()),
            text(self.round.as_deref()),
            text(self.board.as_deref()),
            text(self.fen.as_deref()),
            text(self.info_bytes.as_deref()),
            Value::Bytes(&encoded.code, 0),
            match encoded.comments.as_slice() {
                [] => NULL,
                comments => Value::Bytes(comments, 0),
            },
            NULL,
            NULL,
        ]
    }
}

fn text(bytes: Option<&[u8]>) -> Value<'_> {
    bytes.map_or(NULL, |bytes| Value::Bytes(bytes, 0))
}

fn bytes(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    encode_text(text, &mut bytes);
    bytes
}

/// A date as three bytes hold it, unknown parts as 1, and the flags that tell them.
// movecode §9.5 "Dates"
fn pack_date(date: Date) -> (Value<'static>, i64) {
    let (year, month, day) = date.parts();
    let part = |value: i64, unknown: i64| if value == 0 { (1, unknown) } else { (value, 0) };
    let (year, no_year) = part(i64::from(year), YEAR_UNKNOWN);
    let (month, no_month) = part(i64::from(month), MONTH_UNKNOWN);
    let (day, no_day) = part(i64::from(day), DAY_UNKNOWN);
    (Value::Int(year << 9 | month << 5 | day), no_year | no_month | no_day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        let date = |text: &str| pack_date(text.parse().unwrap());
        assert_eq!(date("2001.01.01"), (Value::Int(0x000f_a221), 0));
        assert_eq!(date("1999.12.??"), (Value::Int(1999 << 9 | 12 << 5 | 1), 0x10));
        assert_eq!(date("????.??.??"), (Value::Int(1 << 9 | 1 << 5 | 1), 0x70));
    }
}
