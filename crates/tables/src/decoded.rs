//! The size of decoded values.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowDictionaryKeyType, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;

/// The size of a value that is not a text.
const VALUE: u64 = 8;

/// Returns the size of the columns' values in bytes, as they are written out: a value counts as
/// often as it occurs, though a dictionary or a view stores it once.
pub(crate) fn decoded_size(columns: &[ArrayRef]) -> u64 {
    columns.iter().fold(0, |size, column| size.saturating_add(size_of_values(column)))
}

fn size_of_values(array: &dyn Array) -> u64 {
    match array.data_type() {
        DataType::Utf8 => {
            array.as_string_opt::<i32>().map_or(0, |texts| span(texts.value_offsets()))
        }
        DataType::LargeUtf8 => {
            array.as_string_opt::<i64>().map_or(0, |texts| span(texts.value_offsets()))
        }
        DataType::Utf8View => array.as_string_view_opt().map_or(0, |texts| {
            // The low half of a view's first word is the length of its text.
            let lengths = texts.views().iter().map(|view| view & u128::from(u32::MAX));
            lengths.fold(0, |size, length| size.saturating_add(count(length)))
        }),
        DataType::Dictionary(..) => keyed::<Int32Type>(array)
            .or_else(|| keyed::<UInt32Type>(array))
            .or_else(|| keyed::<Int16Type>(array))
            .or_else(|| keyed::<UInt16Type>(array))
            .or_else(|| keyed::<Int8Type>(array))
            .or_else(|| keyed::<UInt8Type>(array))
            .or_else(|| keyed::<Int64Type>(array))
            .or_else(|| keyed::<UInt64Type>(array))
            .unwrap_or(0),
        DataType::List(_) => array
            .as_list_opt::<i32>()
            .map_or(0, |lists| size_between(lists.values(), lists.value_offsets())),
        DataType::LargeList(_) => array
            .as_list_opt::<i64>()
            .map_or(0, |lists| size_between(lists.values(), lists.value_offsets())),
        DataType::Map(..) => {
            array.as_map_opt().map_or(0, |map| size_between(map.entries(), map.value_offsets()))
        }
        DataType::Struct(_) => {
            array.as_struct_opt().map_or(0, |fields| decoded_size(fields.columns()))
        }
        _ => count(array.len()).saturating_mul(VALUE),
    }
}

/// Returns the size of the values of a dictionary column with keys of type `K`.
fn keyed<K: ArrowDictionaryKeyType>(array: &dyn Array) -> Option<u64> {
    let array = array.as_dictionary_opt::<K>()?;
    let values = array.values();
    let sizes: Vec<u64> =
        (0..values.len()).map(|value| size_of_values(&values.slice(value, 1))).collect();
    let keys = (0..array.len()).filter_map(|row| array.key(row));
    let used = keys.filter_map(|key| sizes.get(key));
    Some(used.fold(0, |size, value| size.saturating_add(*value)))
}

/// Returns the distance between the first and the last offset.
fn span<T: Copy + TryInto<u64>>(offsets: &[T]) -> u64 {
    let end = |offset: Option<&T>| offset.and_then(|offset| (*offset).try_into().ok()).unwrap_or(0);
    end(offsets.last()).saturating_sub(end(offsets.first()))
}

/// Returns the size of the items of lists, with these offsets.
fn size_between<T: Copy + TryInto<usize>>(items: &dyn Array, offsets: &[T]) -> u64 {
    let end = |offset: Option<&T>| offset.and_then(|offset| (*offset).try_into().ok()).unwrap_or(0);
    let (start, end) = (end(offsets.first()), end(offsets.last()).min(items.len()));
    size_of_values(&items.slice(start.min(end), end.saturating_sub(start)))
}

fn count(number: impl TryInto<u64>) -> u64 {
    number.try_into().unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::builder::{ListBuilder, StringBuilder};
    use arrow_array::{DictionaryArray, Int16Array, StringArray, StringViewArray};

    use super::*;

    #[test]
    fn decoded_size_counts_each_use_of_a_value() {
        let texts = ["abc", "", "defghijklmnopqrst"];
        let plain: ArrayRef = Arc::new(StringArray::from_iter_values(texts));
        assert_eq!(decoded_size(&[Arc::clone(&plain)]), 20);
        let views: ArrayRef = Arc::new(StringViewArray::from_iter_values(texts));
        assert_eq!(decoded_size(&[views]), 20);
        let keys = Int16Array::from(vec![Some(2), None, Some(2), Some(0)]);
        let keyed: ArrayRef = Arc::new(DictionaryArray::new(keys, plain));
        assert_eq!(decoded_size(&[Arc::clone(&keyed)]), 37);
        assert_eq!(decoded_size(&[keyed.slice(3, 1), Arc::new(Int16Array::from(vec![1, 2]))]), 19);
    }

    #[test]
    fn decoded_size_of_lists_counts_their_slice() {
        let mut lists = ListBuilder::new(StringBuilder::new());
        for length in [1, 2, 30] {
            lists.values().append_value("x".repeat(length));
            lists.append(true);
        }
        let lists: ArrayRef = Arc::new(lists.finish());
        assert_eq!(decoded_size(&[Arc::clone(&lists)]), 33);
        assert_eq!(decoded_size(&[lists.slice(1, 1)]), 2);
    }
}
