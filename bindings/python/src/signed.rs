//! Numbers without a sign as numbers with one, for programs that have no others.

use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Int32Type, Int64Type, UInt16Type, UInt64Type};
use arrow_array::{Array, ArrayRef, ListArray, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema, SchemaRef};

fn field(field: &FieldRef) -> FieldRef {
    let kind = match field.data_type() {
        DataType::UInt64 => DataType::Int64,
        DataType::UInt16 => DataType::Int32,
        DataType::List(item) => DataType::List(self::field(item)),
        _ => return Arc::clone(field),
    };
    Arc::new(Field::clone(field).with_data_type(kind))
}

/// Returns the schema of [`batch`].
pub(crate) fn schema(schema: &Schema) -> SchemaRef {
    let fields: Vec<FieldRef> = schema.fields().iter().map(field).collect();
    Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()))
}

/// Returns a batch with the types of `schema`. Numbers of 64 bits keep their bits, others their value.
pub(crate) fn batch(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch, ArrowError> {
    let arrays = batch.columns().iter().map(array).collect::<Result<_, _>>()?;
    RecordBatch::try_new(Arc::clone(schema), arrays)
}

fn array(array: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    Ok(match array.data_type() {
        DataType::UInt64 => {
            Arc::new(array.as_primitive::<UInt64Type>().unary::<_, Int64Type>(u64::cast_signed))
        }
        DataType::UInt16 => {
            Arc::new(array.as_primitive::<UInt16Type>().unary::<_, Int32Type>(i32::from))
        }
        DataType::List(item) => {
            let list = array.as_list::<i32>();
            let values = self::array(list.values())?;
            let (item, offsets) = (field(item), list.offsets().clone());
            Arc::new(ListArray::try_new(item, offsets, values, list.nulls().cloned())?)
        }
        _ => Arc::clone(array),
    })
}
