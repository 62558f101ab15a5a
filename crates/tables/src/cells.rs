//! Plain tables of numbers and texts, as of the moves of a book.

use std::io::Write;
use std::sync::Arc;

use arrow_array::builder::{StringBuilder, UInt64Builder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_ipc::writer::FileWriter;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use crate::batch::damaged;
use crate::error::{Error, ErrorKind, location};
use crate::parquet_write::failed;

/// The rows of a batch.
const BATCH: usize = 1 << 14;
/// The rows of a row group.
const ROW_GROUP: usize = 1 << 17;

/// A value of a plain table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Cell<'a> {
    /// Null.
    Missing,
    /// A value of a column of numbers.
    Number(u64),
    /// A value of a column of texts.
    Text(&'a str),
}

/// The type of a column of a plain table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CellKind {
    /// `uint64`
    Number,
    /// `utf8`
    Text,
}

/// Writes a plain table as Parquet or Arrow, from rows of [`Cell`]s.
pub struct CellWriter<W: Write + Send> {
    schema: SchemaRef,
    columns: Vec<Column>,
    rows: usize,
    out: Out<W>,
}

enum Column {
    Numbers(UInt64Builder),
    Texts(StringBuilder),
}

enum Out<W: Write + Send> {
    Parquet(Box<ArrowWriter<W>>),
    Arrow(Box<FileWriter<W>>),
}

impl<W: Write + Send> CellWriter<W> {
    /// Creates a Parquet file with these columns, compressed with zstd.
    ///
    /// # Errors
    /// I/O errors.
    pub fn parquet(file: W, columns: &[(&str, CellKind)]) -> Result<CellWriter<W>, Error> {
        let schema = schema(columns);
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_max_row_group_row_count(Some(ROW_GROUP))
            .build();
        let out = ArrowWriter::try_new(file, Arc::clone(&schema), Some(properties));
        let out = out.map_err(failed)?;
        Ok(CellWriter::new(schema, columns, Out::Parquet(Box::new(out))))
    }

    /// Creates an Arrow file with these columns.
    ///
    /// # Errors
    /// I/O errors.
    pub fn arrow(file: W, columns: &[(&str, CellKind)]) -> Result<CellWriter<W>, Error> {
        let schema = schema(columns);
        let out = FileWriter::try_new(file, &schema).map_err(damaged)?;
        Ok(CellWriter::new(schema, columns, Out::Arrow(Box::new(out))))
    }

    fn new(schema: SchemaRef, columns: &[(&str, CellKind)], out: Out<W>) -> CellWriter<W> {
        let columns = columns.iter().map(|(_, kind)| match kind {
            CellKind::Number => Column::Numbers(UInt64Builder::new()),
            CellKind::Text => Column::Texts(StringBuilder::new()),
        });
        CellWriter { schema, columns: columns.collect(), rows: 0, out }
    }

    /// Adds a row with a value for each column. Values that are left out are null.
    ///
    /// # Errors
    /// I/O errors; a value of the other type.
    pub fn push<'a>(&mut self, row: impl IntoIterator<Item = Cell<'a>>) -> Result<(), Error> {
        let mut row = row.into_iter();
        for column in &mut self.columns {
            match (column, row.next().unwrap_or(Cell::Missing)) {
                (Column::Numbers(numbers), Cell::Number(number)) => numbers.append_value(number),
                (Column::Texts(texts), Cell::Text(text)) => texts.append_value(text),
                (Column::Numbers(numbers), Cell::Missing) => numbers.append_null(),
                (Column::Texts(texts), Cell::Missing) => texts.append_null(),
                _ => {
                    let message = "a value does not have the type of its column";
                    return Err(Error::new(ErrorKind::Damaged(message.into()), location()));
                }
            }
        }
        self.rows = self.rows.saturating_add(1);
        if self.rows < BATCH { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> Result<(), Error> {
        self.rows = 0;
        let arrays = self.columns.iter_mut().map(|column| -> ArrayRef {
            match column {
                Column::Numbers(numbers) => Arc::new(numbers.finish()),
                Column::Texts(texts) => Arc::new(texts.finish()),
            }
        });
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), arrays.collect());
        let batch = batch.map_err(damaged)?;
        match &mut self.out {
            Out::Parquet(out) => out.write(&batch).map_err(failed),
            Out::Arrow(out) => out.write(&batch).map_err(damaged),
        }
    }

    /// Writes the end of the file, and returns the file.
    ///
    /// # Errors
    /// I/O errors.
    pub fn finish(mut self) -> Result<W, Error> {
        self.flush()?;
        match self.out {
            Out::Parquet(out) => out.into_inner().map_err(failed),
            Out::Arrow(mut out) => {
                out.finish().map_err(damaged)?;
                out.into_inner().map_err(damaged)
            }
        }
    }
}

fn schema(columns: &[(&str, CellKind)]) -> SchemaRef {
    let fields = columns.iter().map(|(name, kind)| {
        let kind = match kind {
            CellKind::Number => DataType::UInt64,
            CellKind::Text => DataType::Utf8,
        };
        Field::new(*name, kind, true)
    });
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

#[cfg(test)]
mod tests {
    use arrow_array::cast::AsArray as _;
    use arrow_array::types::UInt64Type;
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

    use super::*;

    const COLUMNS: [(&str, CellKind); 2] = [("uci", CellKind::Text), ("weight", CellKind::Number)];

    fn write(mut writer: CellWriter<Vec<u8>>, rows: u64) -> Vec<u8> {
        for n in 0..rows {
            let weight = if n % 3 == 0 { Cell::Missing } else { Cell::Number(n) };
            writer.push([Cell::Text(&format!("move {n}")), weight]).unwrap();
        }
        writer.finish().unwrap()
    }

    fn check(batches: impl Iterator<Item = RecordBatch>, rows: u64) {
        let mut n = 0;
        for batch in batches {
            let (texts, numbers) = (batch.column(0).as_string::<i32>(), batch.column(1));
            let numbers = numbers.as_primitive::<UInt64Type>();
            for (text, number) in texts.iter().zip(numbers) {
                assert_eq!(text.unwrap(), format!("move {n}"));
                assert_eq!(number, (n % 3 != 0).then_some(n));
                n += 1;
            }
        }
        assert_eq!(n, rows);
    }

    #[test]
    fn cells_of_several_batches_are_read_back() {
        for rows in [0, 1, BATCH as u64, 2 * BATCH as u64 + 5] {
            let parquet = write(CellWriter::parquet(Vec::new(), &COLUMNS).unwrap(), rows);
            let reader = ParquetRecordBatchReaderBuilder::try_new(bytes::Bytes::from(parquet));
            check(reader.unwrap().build().unwrap().map(Result::unwrap), rows);
            let arrow = write(CellWriter::arrow(Vec::new(), &COLUMNS).unwrap(), rows);
            let reader = arrow_ipc::reader::FileReader::try_new(std::io::Cursor::new(arrow), None);
            check(reader.unwrap().map(Result::unwrap), rows);
        }
    }

    #[test]
    fn cell_of_other_type_is_error() {
        let mut writer = CellWriter::arrow(Vec::new(), &COLUMNS).unwrap();
        assert!(writer.push([Cell::Number(1), Cell::Number(2)]).is_err());
    }
}
