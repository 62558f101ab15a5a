//! Dumps every byte of a game's row as a named field.

use chess_store::Field;

use crate::database::{Database, RowBytes};
use crate::decode::GameCode;
use crate::dump::{dump_comments, dump_game};
use crate::error::Error;
use crate::evals::command;
use crate::myisam::{Value, visit_row};
use crate::schema::GameColumn;
use crate::text::decode_text;

impl Database {
    /// Emits every byte of a row as fields. Fields before damage are emitted too.
    pub(crate) fn dump_row(
        &self,
        row: &RowBytes<'_>,
        each: &mut dyn FnMut(Field),
    ) -> Result<(), Error> {
        let mut columns = Vec::new();
        let bits = self.definition.pack_bytes;
        let mut from = bits.saturating_add(self.definition.null_bytes);
        let nulls_end = from;
        let outcome = visit_row(&self.definition, row.bytes, |number, value, to| {
            columns.push(Cell { number, value, from, to });
            from = to;
        });
        let mut dump = RowDump { base: self, row, each };
        dump.field(0, bits, "packing bits", String::new());
        dump.field(bits, nulls_end, "null bits", String::new());
        for cell in &columns {
            dump.cell(cell, &columns)?;
        }
        outcome.map_err(|(expected, at)| row.damaged(expected, at))
    }
}

/// A column of the row with its start and end.
struct Cell<'a> {
    number: usize,
    value: Value<'a>,
    from: usize,
    to: usize,
}

struct RowDump<'a> {
    base: &'a Database,
    row: &'a RowBytes<'a>,
    each: &'a mut dyn FnMut(Field),
}

impl RowDump<'_> {
    fn field(&mut self, from: usize, to: usize, name: &'static str, value: String) {
        (self.each)(Field::new(
            "MYD",
            self.row.offset(from),
            self.row.bytes.get(from..to).unwrap_or_default(),
            name,
            value,
        ));
    }

    fn cell(&mut self, cell: &Cell<'_>, row: &[Cell<'_>]) -> Result<(), Error> {
        let Cell { number, value, from, to } = *cell;
        let column = |column| self.base.columns.place(column) == Some(number);
        let (is_code, is_texts) = (column(GameColumn::Bin), column(GameColumn::Comments));
        let name = self.base.columns.name(number).unwrap_or("unknown column");
        match value {
            Value::Bytes(evals, _) if column(GameColumn::Eval) => {
                let (evals, _) = evals.as_chunks();
                let shown: Vec<_> = evals.iter().map(|eval| command(*eval)).collect();
                self.field(from, to, name, shown.join(" "));
                Ok(())
            }
            Value::Bytes(code, at) if is_code => {
                self.field(from, at, name, "length".into());
                self.codes(code, at, row)
            }
            Value::Bytes(texts, at) if is_texts => {
                self.field(from, at, name, "length".into());
                let at = self.row.location(0).at(self.row.offset(at));
                dump_comments(texts, &self.base.options, at, self.each);
                Ok(())
            }
            _ => {
                self.field(from, to, name, self.show(value));
                Ok(())
            }
        }
    }

    fn codes(&mut self, code: &[u8], at: usize, row: &[Cell<'_>]) -> Result<(), Error> {
        let bytes = |column| {
            let place = self.base.columns.place(column)?;
            match row.get(place)?.value {
                Value::Bytes(bytes, _) if !bytes.is_empty() => Some(bytes),
                _ => None,
            }
        };
        let fen = bytes(GameColumn::Fen).map(|fen| decode_text(fen, self.base.options.encoding).0);
        let comments = bytes(GameColumn::Comments).unwrap_or_default();
        let code = GameCode { fen: fen.as_deref(), code, comments };
        let at = self.row.location(0).at(self.row.offset(at));
        dump_game(&code, &self.base.options, at, self.each)
    }

    fn show(&self, value: Value<'_>) -> String {
        match value {
            Value::Null => "null".into(),
            Value::Int(number) => number.to_string(),
            Value::Bytes(text, _) => {
                format!("{:?}", decode_text(text, self.base.options.encoding).0)
            }
        }
    }
}
