//! Converts columns to Arrow record batches. The memory is moved, not copied.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::{Arc, Once};

use arrow_array::{
    ArrayRef, Date32Array, FixedSizeBinaryArray, Float64Array, Int16Array, Int32Array, Int64Array,
    ListArray, MapArray, RecordBatch, RecordBatchOptions, StringArray, StructArray,
    Time32MillisecondArray, Time64MicrosecondArray, UInt16Array, UInt64Array,
};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{
    ArrowError, DataType, Field as ArrowField, Fields, Schema, SchemaRef, TimeUnit,
};

use chess_store::Location;

use crate::column::{Codes, Column, Kind, Texts, Values};
use crate::columns::{Columns, Selection, TimeUnit as Unit};
use crate::error::{Error, ErrorKind, location};

impl Kind {
    /// Returns the Arrow type.
    #[must_use]
    pub fn data_type(self) -> DataType {
        match self {
            Kind::Text => DataType::Utf8,
            Kind::Int16 => DataType::Int16,
            Kind::Int32 => DataType::Int32,
            Kind::Int64 => DataType::Int64,
            Kind::UInt64 => DataType::UInt64,
            Kind::Float64 => DataType::Float64,
            Kind::Date => DataType::Date32,
            Kind::Time => DataType::Time32(TimeUnit::Millisecond),
            Kind::UciList => DataType::List(element(DataType::Utf8)),
            Kind::UInt16List => DataType::List(element(DataType::UInt16)),
            Kind::TextMap => DataType::Map(entries(), false),
            Kind::Bytes32 => DataType::FixedSizeBinary(32),
        }
    }
}

fn element(of: DataType) -> Arc<ArrowField> {
    Arc::new(ArrowField::new("element", of, false))
}

/// Uses the field names that the Arrow project recommends for maps.
fn key_and_value() -> Fields {
    let text = |name| ArrowField::new(name, DataType::Utf8, false);
    Fields::from(vec![text("key"), text("value")])
}

fn entries() -> Arc<ArrowField> {
    Arc::new(ArrowField::new("entries", DataType::Struct(key_and_value()), false))
}

impl Selection {
    /// Returns the schema of the batches.
    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        let field = |field: &&'static crate::Field| {
            let kind = match (field.kind, self.unit()) {
                (Kind::Time, Unit::Microseconds) => DataType::Time64(TimeUnit::Microsecond),
                (kind, _) => kind.data_type(),
            };
            ArrowField::new(field.name, kind, field.nullable)
        };
        Arc::new(Schema::new(self.fields().iter().map(field).collect::<Vec<_>>()))
    }
}

impl Columns {
    /// Converts the rows to a record batch. `schema` must be the one of their
    /// [`Selection`](Selection::schema).
    ///
    /// # Errors
    /// An Arrow error if `schema` does not match the columns.
    pub fn into_batch(self, schema: &SchemaRef) -> Result<RecordBatch, Error> {
        let options = RecordBatchOptions::new().with_row_count(Some(self.rows()));
        let columns = self.into_columns().into_iter().zip(schema.fields());
        let arrays = columns.map(|(column, field)| array(column, field.data_type()));
        let arrays = arrays.collect::<Result<Vec<_>, _>>().map_err(damaged)?;
        RecordBatch::try_new_with_options(Arc::clone(schema), arrays, &options).map_err(damaged)
    }
}

thread_local! {
    /// Whether a panic on this thread becomes an error without a message of its own.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs `read` and turns a panic into an error. The sizes and places in a file are checked before;
/// this is for what Arrow and Parquet still take on trust. The message of such a panic is not
/// printed: the error says that the file is damaged.
pub(crate) fn guarded<T>(
    at: Location,
    read: impl FnOnce() -> Result<T, Error>,
) -> Result<T, Error> {
    static SILENCED: Once = Once::new();
    SILENCED.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |panic| {
            if !GUARDED.get() {
                usual(panic);
            }
        }));
    });
    let damaged = || ErrorKind::Damaged("the file is damaged: it cannot be decoded".into());
    let before = GUARDED.replace(true);
    let caught = catch_unwind(AssertUnwindSafe(read));
    GUARDED.set(before);
    #[cfg(test)]
    CAUGHT.set(CAUGHT.get() + usize::from(caught.is_err()));
    caught.unwrap_or_else(|_| Err(Error::new(damaged(), at)))
}

#[cfg(test)]
thread_local! {
    static CAUGHT: Cell<usize> = const { Cell::new(0) };
}

/// Returns the number of panics that became errors on this thread.
#[cfg(test)]
pub(crate) fn caught_panics() -> usize {
    CAUGHT.get()
}

pub(crate) fn damaged(error: ArrowError) -> Error {
    let kind = match error {
        ArrowError::IoError(_, error) => ErrorKind::Io(error),
        other => ErrorKind::Damaged(other.to_string().into()),
    };
    Error::new(kind, location())
}

/// Converts a column to an array of type `kind`.
pub(crate) fn array(mut column: Column, kind: &DataType) -> Result<ArrayRef, ArrowError> {
    column.materialize_nulls();
    let nulls = nulls(&column.valid);
    Ok(match column.values {
        Values::Text(texts) => Arc::new(strings(texts, nulls)?),
        Values::Int16(values) => Arc::new(Int16Array::try_new(values.into(), nulls)?),
        Values::Int32(values) => numbers(values.into(), nulls, kind)?,
        Values::Int64(values) => Arc::new(Int64Array::try_new(values.into(), nulls)?),
        Values::UInt64(values) => Arc::new(UInt64Array::try_new(values.into(), nulls)?),
        Values::Float64(values) => Arc::new(Float64Array::try_new(values.into(), nulls)?),
        Values::Bytes32(bytes) => {
            Arc::new(FixedSizeBinaryArray::try_new(32, Buffer::from_vec(bytes), nulls)?)
        }
        Values::Codes(Codes { ends, codes }) => {
            let (kind, items): (_, ArrayRef) = match kind {
                DataType::List(item) if *item.data_type() == DataType::Utf8 => {
                    (DataType::Utf8, Arc::new(strings(uci(&codes), None)?))
                }
                _ => (DataType::UInt16, Arc::new(UInt16Array::try_new(codes.into(), None)?)),
            };
            Arc::new(ListArray::try_new(element(kind), offsets(ends), items, nulls)?)
        }
        Values::TextMap(ends, names, values) => {
            let columns: Vec<ArrayRef> =
                vec![Arc::new(strings(names, None)?), Arc::new(strings(values, None)?)];
            let items = StructArray::try_new(key_and_value(), columns, None)?;
            Arc::new(MapArray::try_new(entries(), offsets(ends), items, nulls, false)?)
        }
    })
}

fn numbers(
    values: ScalarBuffer<i32>,
    nulls: Option<NullBuffer>,
    kind: &DataType,
) -> Result<ArrayRef, ArrowError> {
    Ok(match kind {
        DataType::Date32 => Arc::new(Date32Array::try_new(values, nulls)?),
        DataType::Time32(_) => Arc::new(Time32MillisecondArray::try_new(values, nulls)?),
        DataType::Time64(_) => {
            let values: Vec<i64> = values.iter().map(|time| i64::from(*time) * 1000).collect();
            Arc::new(Time64MicrosecondArray::try_new(values.into(), nulls)?)
        }
        _ => Arc::new(Int32Array::try_new(values, nulls)?),
    })
}

/// Formats moves in UCI notation.
fn uci(codes: &[u16]) -> Texts {
    let mut texts = Texts::default();
    texts.push_uci(codes.iter().copied());
    texts
}

fn strings(texts: Texts, nulls: Option<NullBuffer>) -> Result<StringArray, ArrowError> {
    StringArray::try_new(offsets(texts.offsets), Buffer::from_vec(texts.bytes), nulls)
}

/// The offsets begin with zero and never decrease: [`Column`] guarantees it.
fn offsets(ends: Vec<i32>) -> OffsetBuffer<i32> {
    OffsetBuffer::new(ends.into())
}

fn nulls(valid: &[bool]) -> Option<NullBuffer> {
    valid.contains(&false).then(|| NullBuffer::from(valid))
}
