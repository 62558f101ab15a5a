//! Formats values of a column of any type as text.

use std::fmt::{Display, Write as _};

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowDictionaryKeyType, Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type,
    Decimal256Type, DecimalType, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type,
    Int32Type, Int64Type, Time32MillisecondType, Time32SecondType, Time64MicrosecondType,
    Time64NanosecondType, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, StructArray};
use arrow_schema::DataType;

use crate::tags::{write_days, write_time};

const DAY: i64 = 24 * 60 * 60 * 1000;

/// The part of a timestamp that a tag needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    Day,
    Time,
}

/// Returns whether [`write_value`] supports the type.
pub(crate) fn is_value(kind: &DataType) -> bool {
    let is_moment = matches!(
        kind,
        DataType::Date32
            | DataType::Date64
            | DataType::Time32(_)
            | DataType::Time64(_)
            | DataType::Timestamp(..)
    );
    is_text(kind) || is_moment || kind.is_numeric()
}

pub(crate) fn is_text(kind: &DataType) -> bool {
    match kind {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Dictionary(_, values) => is_text(values),
        _ => false,
    }
}

/// Returns the type of the items if [`items`] supports the type.
pub(crate) fn list_of(kind: &DataType) -> Option<&DataType> {
    match kind {
        DataType::List(item) | DataType::LargeList(item) => Some(item.data_type()),
        _ => None,
    }
}

/// Returns whether [`each_pair`] supports the type.
pub(crate) fn is_pairs(kind: &DataType) -> bool {
    let are_two = |kind: &DataType| match kind {
        DataType::Struct(fields) => {
            fields.len() == 2 && fields.iter().all(|field| is_text(field.data_type()))
        }
        _ => false,
    };
    match kind {
        DataType::Map(entries, _) => are_two(entries.data_type()),
        _ => list_of(kind).is_some_and(|item| are_two(item) || list_of(item).is_some_and(is_text)),
    }
}

/// Returns a text of a text column.
pub(crate) fn string(array: &dyn Array, row: usize) -> Option<&str> {
    fn keyed<K: ArrowDictionaryKeyType>(array: &dyn Array, row: usize) -> Option<Option<&str>> {
        let array = array.as_dictionary_opt::<K>()?;
        Some(array.key(row).and_then(|key| string(array.values(), key)))
    }
    if row >= array.len() {
        return None;
    }
    match array.data_type() {
        DataType::Utf8 => array.as_string_opt::<i32>().map(|array| array.value(row)),
        DataType::LargeUtf8 => array.as_string_opt::<i64>().map(|array| array.value(row)),
        DataType::Utf8View => array.as_string_view_opt().map(|array| array.value(row)),
        DataType::Dictionary(..) => keyed::<Int32Type>(array, row)
            .or_else(|| keyed::<UInt32Type>(array, row))
            .or_else(|| keyed::<Int16Type>(array, row))
            .or_else(|| keyed::<UInt16Type>(array, row))
            .or_else(|| keyed::<Int8Type>(array, row))
            .or_else(|| keyed::<UInt8Type>(array, row))
            .or_else(|| keyed::<Int64Type>(array, row))
            .or_else(|| keyed::<UInt64Type>(array, row))
            .flatten(),
        _ => None,
    }
}

/// Appends a value in the spelling of a tag. Returns whether there is a value.
pub(crate) fn write_value(array: &dyn Array, row: usize, part: Part, out: &mut String) -> bool {
    if let Some(text) = string(array, row) {
        out.push_str(text);
        return true;
    }
    let before = out.len();
    if let Some(time) = time(array, row) {
        write_time(time, out);
    } else if let Some((day, time)) = moment(array, row) {
        match part {
            Part::Day => write_days(day, out),
            Part::Time => write_time(time, out),
        }
    } else {
        write_number(array, row, out);
    }
    out.len() > before
}

/// Returns an integer of any integer type.
pub(crate) fn whole(array: &dyn Array, row: usize) -> Option<i64> {
    if let Some(number) = number::<UInt16Type>(array, row) {
        return Some(number.into());
    }
    let mut text = String::new();
    write_number(array, row, &mut text);
    text.parse().ok()
}

fn number<T: ArrowPrimitiveType>(array: &dyn Array, row: usize) -> Option<T::Native> {
    let array = array.as_primitive_opt::<T>()?;
    (row < array.len()).then(|| array.value(row))
}

/// Appends a number. Appends nothing if the value is not a number, or is unknown.
fn write_number(array: &dyn Array, row: usize, out: &mut String) {
    fn integer<T: ArrowPrimitiveType>(array: &dyn Array, row: usize, out: &mut String)
    where
        T::Native: Display,
    {
        if let Some(number) = number::<T>(array, row) {
            let _ = write!(out, "{number}");
        }
    }
    let float = |number: Option<f64>, out: &mut String| {
        if let Some(number) = number.filter(|number| number.is_finite()) {
            let _ = write!(out, "{number}");
        }
    };
    match array.data_type() {
        DataType::Int8 => integer::<Int8Type>(array, row, out),
        DataType::Int16 => integer::<Int16Type>(array, row, out),
        DataType::Int32 => integer::<Int32Type>(array, row, out),
        DataType::Int64 => integer::<Int64Type>(array, row, out),
        DataType::UInt8 => integer::<UInt8Type>(array, row, out),
        DataType::UInt16 => integer::<UInt16Type>(array, row, out),
        DataType::UInt32 => integer::<UInt32Type>(array, row, out),
        DataType::UInt64 => integer::<UInt64Type>(array, row, out),
        DataType::Boolean => {
            let value = array.as_boolean_opt().filter(|array| row < array.len());
            out.extend(value.map(|array| if array.value(row) { "true" } else { "false" }));
        }
        DataType::Float16 => float(number::<Float16Type>(array, row).map(f64::from), out),
        DataType::Float32 => float(number::<Float32Type>(array, row).map(f64::from), out),
        DataType::Float64 => float(number::<Float64Type>(array, row), out),
        DataType::Decimal32(..) => write_decimal::<Decimal32Type>(array, row, out),
        DataType::Decimal64(..) => write_decimal::<Decimal64Type>(array, row, out),
        DataType::Decimal128(..) => write_decimal::<Decimal128Type>(array, row, out),
        DataType::Decimal256(..) => write_decimal::<Decimal256Type>(array, row, out),
        _ => {}
    }
}

/// Appends a decimal without the trailing zeros of its scale.
fn write_decimal<T: DecimalType>(array: &dyn Array, row: usize, out: &mut String) {
    let array = array.as_primitive_opt::<T>().filter(|array| row < array.len());
    let text = array.map(|array| array.value_as_string(row)).unwrap_or_default();
    out.push_str(match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => &text,
    });
}

/// Returns the time of day in milliseconds.
fn time(array: &dyn Array, row: usize) -> Option<i32> {
    let small = |number: i64| i32::try_from(number).ok();
    number::<Time32MillisecondType>(array, row)
        .or_else(|| number::<Time32SecondType>(array, row)?.checked_mul(1000))
        .or_else(|| small(number::<Time64MicrosecondType>(array, row)? / 1000))
        .or_else(|| small(number::<Time64NanosecondType>(array, row)? / 1_000_000))
}

/// Returns a day since 1970, and the milliseconds within the day.
fn moment(array: &dyn Array, row: usize) -> Option<(i32, i32)> {
    if let Some(day) = number::<Date32Type>(array, row) {
        return Some((day, 0));
    }
    let milliseconds = number::<TimestampMillisecondType>(array, row)
        .or_else(|| number::<Date64Type>(array, row))
        .or_else(|| number::<TimestampSecondType>(array, row)?.checked_mul(1000))
        .or_else(|| Some(number::<TimestampMicrosecondType>(array, row)?.div_euclid(1000)))
        .or_else(|| Some(number::<TimestampNanosecondType>(array, row)?.div_euclid(1_000_000)))?;
    let day = i32::try_from(milliseconds.div_euclid(DAY)).ok()?;
    Some((day, i32::try_from(milliseconds.rem_euclid(DAY)).ok()?))
}

/// Returns the items of a list.
pub(crate) fn items(array: &dyn Array, row: usize) -> Option<ArrayRef> {
    if let Some(list) = array.as_list_opt::<i32>().filter(|list| row < list.len()) {
        return Some(list.value(row));
    }
    let list = array.as_list_opt::<i64>().filter(|list| row < list.len())?;
    Some(list.value(row))
}

/// Calls `each` with the names and values of a map. Programs without maps write lists of pairs
/// instead.
pub(crate) fn each_pair(array: &dyn Array, row: usize, mut each: impl FnMut(&str, &str)) {
    if let Some(map) = array.as_map_opt().filter(|map| row < map.len()) {
        each_of_columns(&map.value(row), each);
        return;
    }
    let Some(items) = items(array, row) else { return };
    if let Some(pairs) = items.as_struct_opt() {
        each_of_columns(pairs, each);
        return;
    }
    for item in (0..items.len()).filter(|item| items.is_valid(*item)) {
        let pair = self::items(&items, item).filter(|pair| pair.len() == 2);
        if let Some((name, value)) = pair.as_ref().and_then(|p| string(p, 0).zip(string(p, 1))) {
            each(name, value);
        }
    }
}

fn each_of_columns(pairs: &StructArray, mut each: impl FnMut(&str, &str)) {
    let [names, values] = pairs.columns() else { return };
    for entry in 0..pairs.len() {
        if let (Some(name), Some(value)) = (string(names, entry), string(values, entry)) {
            each(name, if values.is_null(entry) { "" } else { value });
        }
    }
}
