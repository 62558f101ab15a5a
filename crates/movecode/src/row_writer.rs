//! Encodes a game to a row of `IO_Game`.

use std::borrow::Cow;

use chess_core::{Date, Elo, Game, GameResult, Header};
use chess_store::{Loss, LossKind, Losses};

use crate::encode::EncodedGame;
use crate::evals::NONE;
use crate::header::{COLLECTION_TAG, DAY_UNKNOWN, EVENT_SHIFT, MONTH_UNKNOWN, YEAR_UNKNOWN};
use crate::info::push_tag;
use crate::layout::{IS_CHESS960, RESULT_TAG};
use crate::myisam::{NULL, Value};
use crate::schema::{FEN, GAME_COLUMNS, NAME, ROUND, TITLE};
use crate::text::{cut, encoded_text};

/// Placeholder for a non-zero number that the archive assigns.
pub(crate) const LATER: Value<'static> = Value::Int(-1);

/// The number of jose's entry for none.
const NO_NAME: Value<'static> = Value::Int(0);

/// The column values of a header and a start position.
#[derive(Debug)]
pub(crate) struct RowFields<'g> {
    header: &'g Header,
    pub(crate) collection: Option<&'g str>,
    pub(crate) annotator: Option<&'g str>,
    pub(crate) opening: Option<&'g str>,
    eco: Option<[u8; 3]>,
    white_title: Option<Text<'g>>,
    black_title: Option<Text<'g>>,
    board: Option<Text<'g>>,
    round: Option<Text<'g>>,
    fen: Option<Text<'g>>,
    info: Option<Text<'g>>,
}

type Text<'g> = Cow<'g, [u8]>;

impl<'g> RowFields<'g> {
    /// Assigns everything except the moves to columns. `info` is a scratch buffer.
    // movecode §9.3 "IO_Game"
    pub(crate) fn of(
        game: &'g Game,
        attributes: u16,
        info: &'g mut String,
        losses: &mut Losses,
    ) -> RowFields<'g> {
        let header = &game.header;
        let mut fields = RowFields {
            header,
            collection: None,
            annotator: None,
            opening: None,
            eco: None,
            white_title: None,
            black_title: None,
            board: None,
            round: None,
            fen: None,
            info: None,
        };
        info.clear();
        let mut rest = Info { tags: info, losses };
        if let Some(eco) = header.eco {
            let eco = eco.to_string();
            fields.eco = eco.as_bytes().first_chunk().copied();
            if eco.len() > 3 {
                rest.put("ECO", &eco, LossKind::Eco);
            }
        }
        if header.round != "?" {
            let round = cut(&header.round, ROUND);
            fields.round = Some(encoded_text(round));
            if round.len() < header.round.len() {
                rest.put("Round", &header.round, LossKind::TextCut);
            }
        }
        if header.deleted {
            rest.put("Deleted", "1", LossKind::Flag);
        }
        for (name, value) in header.tags.iter() {
            if !fields.take_tag(name, value, attributes) {
                rest.put(name, value, LossKind::Tag);
            }
        }
        if let Some(setup) = game.setup() {
            let fen = setup.fen();
            fields.fen = Some(match fen.encode_utf16().count() <= usize::from(FEN) {
                true => encoded_text(fen),
                false => {
                    losses.push(Loss::new(LossKind::Setup, "a FEN of more than 128 characters"));
                    Cow::Owned(setup.position().to_fen().into_bytes())
                }
            });
        }
        fields.info = Some(&*info).filter(|info| !info.is_empty()).map(|info| encoded_text(info));
        fields
    }

    /// Stores a tag that has its own column. Returns `false` for other tags.
    fn take_tag(&mut self, name: &str, value: &'g str, attributes: u16) -> bool {
        let named = || !matches!(value, "" | "-") && cut(value, NAME).len() == value.len();
        let name_column = match name {
            RESULT_TAG => return true,
            "Variant" => return value == "Chess960" && attributes & IS_CHESS960 != 0,
            COLLECTION_TAG => Some(&mut self.collection),
            "Annotator" => Some(&mut self.annotator),
            "Opening" => Some(&mut self.opening),
            _ => None,
        };
        if let Some(column) = name_column {
            let fits = column.is_none() && named();
            if fits {
                *column = Some(value);
            }
            return fits;
        }
        let column = match name {
            "WhiteTitle" => &mut self.white_title,
            "BlackTitle" => &mut self.black_title,
            "Board" => &mut self.board,
            _ => return false,
        };
        let fits = column.is_none() && cut(value, TITLE).len() == value.len();
        if fits {
            *column = Some(encoded_text(value));
        }
        fits
    }

    /// Returns the values of a row in the order of [`GAME_COLUMNS`], without names.
    pub(crate) fn values<'a>(
        &'a self,
        encoded: &'a EncodedGame,
    ) -> [Value<'a>; GAME_COLUMNS.len()] {
        let header = self.header;
        let (date, flags) = match header.date.is_unknown() {
            true => (NULL, 0),
            false => pack_date(header.date),
        };
        let (event_date, event_flags) = header.event_date.map_or((NULL, 0), pack_date);
        [
            LATER,
            LATER,
            Value::Int(i64::from(encoded.attributes)),
            Value::Int(i64::from(encoded.plies)),
            Value::Int(match header.result {
                GameResult::White => 2,
                GameResult::Draw => 1,
                GameResult::Black => 0,
                GameResult::Unknown => -1,
            }),
            NO_NAME,
            NO_NAME,
            elo(header.white_elo),
            elo(header.black_elo),
            NO_NAME,
            NO_NAME,
            date,
            event_date,
            Value::Int(flags | event_flags << EVENT_SHIFT),
            NO_NAME,
            self.eco.as_ref().map_or(NULL, |eco| Value::Bytes(eco, 0)),
            NULL,
            text(&self.white_title),
            text(&self.black_title),
            text(&self.round),
            text(&self.board),
            text(&self.fen),
            text(&self.info),
            Value::Bytes(&encoded.code, 0),
            match encoded.comments.as_slice() {
                [] => NULL,
                comments => Value::Bytes(comments, 0),
            },
            NULL,
            NULL,
            // A game without evaluations has no column.
            match encoded.evals.as_chunks::<4>().0.iter().any(|eval| *eval != NONE) {
                true => Value::Bytes(&encoded.evals, 0),
                false => NULL,
            },
        ]
    }
}

/// The remaining tags, which share the column `Info`.
struct Info<'a> {
    tags: &'a mut String,
    losses: &'a mut Losses,
}

impl Info<'_> {
    fn put(&mut self, name: &str, value: &str, kind: LossKind) {
        let writable = !value.contains('\0');
        if !writable || !push_tag(self.tags, name, value, usize::from(NAME)) {
            self.losses.push(Loss::new(kind, name));
        }
    }
}

fn text<'a>(text: &'a Option<Text<'_>>) -> Value<'a> {
    text.as_deref().map_or(NULL, |bytes| Value::Bytes(bytes, 0))
}

fn elo(elo: Option<Elo>) -> Value<'static> {
    elo.map_or(NULL, |elo| Value::Int(i64::from(elo.get())))
}

/// Encodes a date to three bytes, with unknown parts as 1, and to the flags of its unknown parts.
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
    fn pack_date_unknown_parts_are_flagged() {
        let date = |text: &str| pack_date(text.parse().unwrap());
        assert_eq!(date("2001.01.01"), (Value::Int(0x000f_a221), 0));
        assert_eq!(date("1999.12.??"), (Value::Int(1999 << 9 | 12 << 5 | 1), 0x10));
        assert_eq!(date("????.??.??"), (Value::Int(1 << 9 | 1 << 5 | 1), 0x70));
    }
}
