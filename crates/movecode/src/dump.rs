//! Naming every byte of a game.

use chess_core::seam::Field;
use chess_core::{Diagnostics, Game, Location, Token};

use crate::codes::{Code, UnitMove};
use crate::decode::{DecodeOptions, Decoder, GameCode, Step};
use crate::error::Error;
use crate::text::{Texts, decode_text};

/// Names every code of a game and every text, as fields of `file` from `offset` on.
///
/// # Errors
/// Where the codes stop making sense; what was named before stands.
pub fn dump_game(
    from: &GameCode<'_>,
    options: &DecodeOptions,
    at: Location,
    each: &mut dyn FnMut(Field),
) -> Result<(), Error> {
    let mut game = Game::new();
    let mut diagnostics = Diagnostics::lenient();
    let mut decoder = Decoder::new(from, &mut game, options, &mut diagnostics, at)?;
    let start = at.offset.unwrap_or(0);
    while let Some(Step { offset, length, code }) = decoder.step()? {
        let end = offset.saturating_add(length);
        let last = decoder.game.tokens().last();
        let (name, value) = describe(code, last);
        each(Field {
            file: at.file,
            offset: start.saturating_add(offset as u64),
            bytes: from.code.get(offset..end).unwrap_or_default().to_vec(),
            name,
            value,
        });
    }
    decoder.finish()
}

/// Names every text of a comment stream.
pub fn dump_comments(
    comments: &[u8],
    options: &DecodeOptions,
    at: Location,
    each: &mut dyn FnMut(Field),
) {
    let mut texts = Texts::new(comments);
    let mut offset = at.offset.unwrap_or(0);
    while let Some(text) = texts.next() {
        let mut bytes = text.bytes.to_vec();
        if text.ended {
            bytes.push(0);
        }
        let length = bytes.len() as u64;
        let value = format!("{:?}", decode_text(text.bytes, options.encoding).0);
        each(Field { file: at.file, offset, bytes, name: "text", value });
        offset = offset.saturating_add(length);
    }
}

fn describe(code: Code, last: Option<Token<'_>>) -> (&'static str, String) {
    let shown = match last {
        Some(Token::Move(m)) => m.to_string(),
        Some(Token::Nag(nag)) => nag.to_string(),
        Some(Token::Comment(text)) => format!("{text:?}"),
        _ => String::new(),
    };
    match code {
        Code::Move(UnitMove { unit, as_pawn, promotion, .. }) => {
            let Some(slot) = unit.pawn_slot() else { return ("move", shown) };
            let name = match (as_pawn, promotion) {
                (true, None) => "pawn move",
                (true, Some(_)) => "promotion",
                (false, _) => "move of promoted piece",
            };
            (name, format!("slot {slot}, {shown}"))
        }
        Code::Castle(_) => ("castling", shown),
        Code::Null => ("null move", shown),
        Code::Nag(_) => ("NAG", shown),
        Code::Result(result) => ("result", result.to_string()),
        Code::Text(0) => ("comment", shown),
        Code::Text(_) => ("import error", shown),
        Code::VariationStart => ("variation start", String::new()),
        Code::VariationEnd => ("variation end", String::new()),
        Code::Nothing => ("reserved", String::new()),
        Code::End => ("end", String::new()),
    }
}

#[cfg(feature = "archive")]
mod archive {
    use super::{Error, Field, GameCode, decode_text, dump_comments, dump_game};
    use crate::database::Database;
    use crate::error::ErrorKind;
    use crate::myisam::{Value, visit_row};
    use crate::schema::GameColumn;

    impl Database {
        /// Names every byte of a game's row, its codes and texts one by one. In a row of several
        /// pieces, offsets count on from its first block.
        ///
        /// # Errors
        /// Where the bytes stop making sense; what was named before stands.
        pub fn dump(&self, game: u64, each: &mut dyn FnMut(Field)) -> Result<(), Error> {
            let mut bytes = Vec::new();
            let place = self.row(game, &mut bytes)?;
            let start = place.start.unwrap_or(place.block);
            let bits = self.definition.pack_bytes();
            let nulls = self.definition.null_bytes();
            let mut field = |from: usize, to: usize, name, value: String| {
                each(Field {
                    file: "MYD",
                    offset: start.saturating_add(from as u64),
                    bytes: bytes.get(from..to).unwrap_or_default().to_vec(),
                    name,
                    value,
                });
            };
            field(0, bits, "packing bits", String::new());
            let columns_at = bits.saturating_add(nulls);
            field(bits, columns_at, "null bits", String::new());
            let mut from = columns_at;
            let mut row = Vec::new();
            let outcome = visit_row(&self.definition, &bytes, |column, value, to| {
                row.push((column, value, from, to));
                from = to;
            });
            let bin = self.columns.place(GameColumn::Bin);
            let comments = self.columns.place(GameColumn::Comments);
            let mut fen = None;
            for (column, value, from, to) in row {
                let name = self.column_name(column);
                if self.columns.place(GameColumn::Fen) == Some(column)
                    && let Value::Bytes(text, _) = value
                {
                    fen = Some(decode_text(text, self.options.encoding).0);
                }
                let at = place.location(game, 0).at(start);
                match value {
                    Value::Bytes(code, code_at) if Some(column) == bin => {
                        field_of(&bytes, start, from, code_at, name, each);
                        let code = GameCode {
                            fen: fen.as_deref().filter(|fen| !fen.is_empty()),
                            code,
                            comments: self.comments(&bytes),
                        };
                        let at = at.at(start.saturating_add(code_at as u64));
                        dump_game(&code, &self.options, at, each)?;
                    }
                    Value::Bytes(texts, texts_at) if Some(column) == comments => {
                        field_of(&bytes, start, from, texts_at, name, each);
                        let at = at.at(start.saturating_add(texts_at as u64));
                        dump_comments(texts, &self.options, at, each);
                    }
                    _ => each(Field {
                        file: "MYD",
                        offset: start.saturating_add(from as u64),
                        bytes: bytes.get(from..to).unwrap_or_default().to_vec(),
                        name,
                        value: self.show(value),
                    }),
                }
            }
            outcome.map_err(|(expected, at)| {
                Error::new(ErrorKind::Row(expected), place.location(game, at))
            })
        }

        fn comments<'a>(&self, row: &'a [u8]) -> &'a [u8] {
            let mut comments: &[u8] = &[];
            let place = self.columns.place(GameColumn::Comments);
            let _ = visit_row(&self.definition, row, |column, value, _| {
                if let Value::Bytes(bytes, _) = value
                    && Some(column) == place
                {
                    comments = bytes;
                }
            });
            comments
        }

        fn column_name(&self, column: usize) -> &'static str {
            self.columns.name(column).unwrap_or("unknown column")
        }

        fn show(&self, value: Value<'_>) -> String {
            match value {
                Value::Null => "null".into(),
                Value::Int(number) => number.to_string(),
                Value::Bytes(text, _) => {
                    format!("{:?}", decode_text(text, self.options.encoding).0)
                }
            }
        }
    }

    /// The length in front of a column's bytes.
    fn field_of(
        row: &[u8],
        start: u64,
        from: usize,
        to: usize,
        name: &'static str,
        each: &mut dyn FnMut(Field),
    ) {
        each(Field {
            file: "MYD",
            offset: start.saturating_add(from as u64),
            bytes: row.get(from..to).unwrap_or_default().to_vec(),
            name,
            value: "length".into(),
        });
    }
}
