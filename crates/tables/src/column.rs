//! Columns in memory, in Arrow's layout but without the Arrow crate.
#![cfg_attr(not(feature = "arrow"), allow(dead_code, reason = "what is for batches alone"))]

use std::ops::Range;

use chess_store::field_size;

use crate::uci::with_text;

/// The type of a column. [`Field::help`](crate::Field::help) gives the units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Kind {
    /// UTF-8 text.
    Text,
    /// A signed 16-bit number.
    Int16,
    /// A signed 32-bit number.
    Int32,
    /// A signed 64-bit number.
    Int64,
    /// An unsigned 64-bit number.
    UInt64,
    /// A 64-bit floating-point number.
    Float64,
    /// Days since 1970-01-01.
    Date,
    /// Milliseconds since midnight.
    Time,
    /// A list of moves in UCI notation.
    UciList,
    /// A list of unsigned 16-bit numbers.
    UInt16List,
    /// A map of unique names to values.
    TextMap,
    /// A value of 32 bytes.
    Bytes32,
}

impl Kind {
    /// Returns its Arrow name in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Text => "utf8",
            Kind::Int16 => "int16",
            Kind::Int32 => "int32",
            Kind::Int64 => "int64",
            Kind::UInt64 => "uint64",
            Kind::Float64 => "float64",
            Kind::Date => "date32",
            Kind::Time => "time32(ms)",
            Kind::UciList => "list(utf8)",
            Kind::UInt16List => "list(uint16)",
            Kind::TextMap => "map(utf8, utf8)",
            Kind::Bytes32 => "fixed_size_binary(32)",
        }
    }

    /// Returns the size of each row in bytes, besides texts and items.
    pub(crate) const fn width(self) -> usize {
        match self {
            Kind::Int16 => 2,
            Kind::Text | Kind::Int32 | Kind::Date | Kind::Time => 4,
            Kind::UciList | Kind::UInt16List | Kind::TextMap => 4,
            Kind::Int64 | Kind::UInt64 | Kind::Float64 => 8,
            Kind::Bytes32 => 32,
        }
    }
}

/// Concatenated texts.
#[derive(Clone, Debug)]
pub(crate) struct Texts {
    /// The start of each text, and the end of the last one.
    pub(crate) offsets: Vec<i32>,
    pub(crate) bytes: Vec<u8>,
}

/// The bounds of lists within their items, like [`Texts::offsets`].
type Offsets = Vec<i32>;

/// Lists of 16-bit numbers.
#[derive(Clone, Debug)]
pub(crate) struct Codes {
    pub(crate) ends: Offsets,
    pub(crate) codes: Vec<u16>,
}

#[derive(Clone, Debug)]
pub(crate) enum Values {
    Text(Texts),
    Int16(Vec<i16>),
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    UInt64(Vec<u64>),
    Float64(Vec<f64>),
    /// [`Kind::UInt16List`], and [`Kind::UciList`] until it is written, because a move is also a
    /// 16-bit number.
    Codes(Codes),
    TextMap(Offsets, Texts, Texts),
    Bytes32(Vec<u8>),
}

/// A column: its values, and which of them are present.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(crate) values: Values,
    pub(crate) valid: Vec<bool>,
    /// The number of trailing rows without a value. Most columns have no value for any game, and
    /// cost only this counter until one has.
    nulls: usize,
}

impl Codes {
    /// Iterates over the lists `rows`.
    #[cfg(feature = "parquet")]
    pub(crate) fn range(&self, rows: Range<usize>) -> impl Iterator<Item = &[u16]> {
        slices(&self.codes, &self.ends, rows)
    }
}

impl Default for Texts {
    fn default() -> Texts {
        Texts { offsets: vec![0], bytes: Vec::new() }
    }
}

impl Default for Codes {
    fn default() -> Codes {
        Codes { ends: vec![0], codes: Vec::new() }
    }
}

impl Texts {
    pub(crate) fn push(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
        self.end();
    }

    fn end(&mut self) {
        self.offsets.push(end_of(self.bytes.len()));
    }

    /// Iterates over the texts `rows`.
    #[cfg(feature = "parquet")]
    pub(crate) fn range(&self, rows: Range<usize>) -> impl Iterator<Item = &[u8]> {
        slices(&self.bytes, &self.offsets, rows)
    }

    /// Adds the UCI notation of each code.
    pub(crate) fn push_uci(&mut self, codes: impl ExactSizeIterator<Item = u16>) {
        self.offsets.reserve(codes.len());
        self.bytes.reserve(codes.len().saturating_mul(5));
        for code in codes {
            with_text(code, |text| self.push(text));
        }
    }

    /// Adds the texts `range` of `other`.
    fn append(&mut self, other: &Texts, range: Range<usize>) {
        let bytes = append_offsets(&mut self.offsets, &other.offsets, range);
        append_values(&mut self.bytes, &other.bytes, bytes);
    }

    fn emptied(&self) -> Texts {
        Texts { offsets: empty_offsets_like(&self.offsets), bytes: empty_like(&self.bytes) }
    }

    fn clear(&mut self) {
        self.offsets.truncate(1);
        self.bytes.clear();
    }

    fn size(&self) -> usize {
        self.offsets.len().saturating_mul(size_of::<i32>()).saturating_add(self.bytes.len())
    }
}

/// The end of a value in a column.
fn end_of(length: usize) -> i32 {
    field_size(length, "the encoder refuses rows of more than `encode::MAX_ROW_BYTES`")
}

/// The maximum number of bytes that are allocated in advance. A batch with an unusual game can grow
/// beyond it.
const MAX_RESERVED: usize = 16 << 20;

/// Returns an empty vector with capacity for an eighth more than `values`, because batches have
/// similar sizes.
fn empty_like<T>(values: &[T]) -> Vec<T> {
    let most = MAX_RESERVED.checked_div(size_of::<T>()).unwrap_or(0);
    Vec::with_capacity(values.len().saturating_add(values.len() / 8).min(most))
}

fn empty_offsets_like(ends: &[i32]) -> Offsets {
    let mut room = empty_like(ends);
    room.push(0);
    room
}

/// Adds values, with placeholders for the missing ones.
fn extend<T: Default>(
    values: &mut Vec<T>,
    valid: &mut Vec<bool>,
    new: impl Iterator<Item = Option<T>> + Clone,
) {
    valid.extend(new.clone().map(|value| value.is_some()));
    values.extend(new.map(Option::unwrap_or_default));
}

/// Adds the value of a one-row column.
fn push_first<T: Copy>(to: &mut Vec<T>, from: &[T]) {
    if let [value, ..] = from {
        to.push(*value);
    }
}

/// Adds the bounds of the lists `range`, and returns the range of their items in the other column.
fn append_offsets(to: &mut Offsets, from: &[i32], range: Range<usize>) -> Range<usize> {
    let Some([first, ends @ ..]) = from.get(range.start..=range.end) else { return 0..0 };
    let last = ends.last().unwrap_or(first);
    let base = to.last().copied().unwrap_or(0).saturating_sub(*first);
    to.extend(ends.iter().map(|end| end.saturating_add(base)));
    let index = |offset: &i32| usize::try_from(*offset).unwrap_or(0);
    index(first)..index(last)
}

/// Iterates over the lists `rows`. List `n` has the items from offset `n` to the next one.
#[cfg(feature = "parquet")]
fn slices<'a, T>(
    items: &'a [T],
    offsets: &'a [i32],
    rows: Range<usize>,
) -> impl Iterator<Item = &'a [T]> {
    let bounds = offsets.get(rows.start..=rows.end).unwrap_or_default();
    let place = |offset: &i32| usize::try_from(*offset).unwrap_or(0);
    let lists = bounds.iter().zip(bounds.iter().skip(1));
    lists.map(move |(from, to)| items.get(place(from)..place(to)).unwrap_or_default())
}

fn append_values<T: Copy>(to: &mut Vec<T>, from: &[T], range: Range<usize>) {
    to.extend_from_slice(from.get(range).unwrap_or_default());
}

impl Values {
    fn new(kind: Kind) -> Values {
        match kind {
            Kind::Text => Values::Text(Texts::default()),
            Kind::Int16 => Values::Int16(Vec::new()),
            Kind::Int32 | Kind::Date | Kind::Time => Values::Int32(Vec::new()),
            Kind::Int64 => Values::Int64(Vec::new()),
            Kind::UInt64 => Values::UInt64(Vec::new()),
            Kind::Float64 => Values::Float64(Vec::new()),
            Kind::UInt16List | Kind::UciList => Values::Codes(Codes::default()),
            Kind::TextMap => Values::TextMap(vec![0], Texts::default(), Texts::default()),
            Kind::Bytes32 => Values::Bytes32(Vec::new()),
        }
    }

    /// Adds the placeholder for a missing value.
    fn push_placeholder(&mut self) {
        match self {
            Values::Text(texts) => texts.end(),
            Values::Int16(values) => values.push(0),
            Values::Int32(values) => values.push(0),
            Values::Int64(values) => values.push(0),
            Values::UInt64(values) => values.push(0),
            Values::Float64(values) => values.push(0.0),
            Values::Codes(Codes { ends, .. }) | Values::TextMap(ends, _, _) => {
                ends.push(ends.last().copied().unwrap_or(0));
            }
            Values::Bytes32(bytes) => bytes.extend_from_slice(&[0; 32]),
        }
    }
}

impl Column {
    pub(crate) fn new(kind: Kind) -> Column {
        Column { values: Values::new(kind), valid: Vec::new(), nulls: 0 }
    }

    #[inline]
    pub(crate) fn null(&mut self) {
        self.nulls += 1;
    }

    /// Returns the number of rows if none of them has a value.
    #[cfg(test)]
    fn all_null(&self) -> Option<usize> {
        self.valid.is_empty().then_some(self.nulls)
    }

    /// Sets the number of rows to `rows`; the missing ones have no value.
    pub(crate) fn end(&mut self, rows: usize) {
        self.nulls = rows.saturating_sub(self.valid.len());
    }

    /// Materialises the rows without a value that are only counted.
    #[inline]
    pub(crate) fn materialize_nulls(&mut self) {
        if self.nulls > 0 {
            self.write_nulls();
        }
    }

    #[inline(never)]
    fn write_nulls(&mut self) {
        for _ in 0..std::mem::take(&mut self.nulls) {
            self.values.push_placeholder();
            self.valid.push(false);
        }
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.utf8(text.as_bytes());
    }

    /// Returns the unfinished text of the next row; [`end_text`](Column::end_text) ends it.
    pub(crate) fn open_text(&mut self) -> Option<&mut Vec<u8>> {
        self.materialize_nulls();
        match &mut self.values {
            Values::Text(texts) => Some(&mut texts.bytes),
            _ => None,
        }
    }

    pub(crate) fn end_text(&mut self) {
        self.utf8(&[]);
    }

    /// Adds a text; the batch validates its encoding later.
    pub(crate) fn utf8(&mut self, text: &[u8]) {
        self.materialize_nulls();
        if let Values::Text(texts) = &mut self.values {
            texts.push(text);
            self.valid.push(true);
        }
    }

    pub(crate) fn int16(&mut self, value: i16) {
        self.materialize_nulls();
        if let Values::Int16(values) = &mut self.values {
            values.push(value);
            self.valid.push(true);
        }
    }

    pub(crate) fn int32(&mut self, value: i32) {
        self.materialize_nulls();
        if let Values::Int32(values) = &mut self.values {
            values.push(value);
            self.valid.push(true);
        }
    }

    pub(crate) fn int64(&mut self, value: i64) {
        self.materialize_nulls();
        if let Values::Int64(values) = &mut self.values {
            values.push(value);
            self.valid.push(true);
        }
    }

    pub(crate) fn uint64(&mut self, value: u64) {
        self.materialize_nulls();
        if let Values::UInt64(values) = &mut self.values {
            values.push(value);
            self.valid.push(true);
        }
    }

    pub(crate) fn float64(&mut self, value: f64) {
        self.materialize_nulls();
        if let Values::Float64(values) = &mut self.values {
            values.push(value);
            self.valid.push(true);
        }
    }

    pub(crate) fn bytes32(&mut self, value: &[u8; 32]) {
        self.materialize_nulls();
        if let Values::Bytes32(values) = &mut self.values {
            values.extend_from_slice(value);
            self.valid.push(true);
        }
    }

    pub(crate) fn or_null<T>(&mut self, value: Option<T>, push: impl FnOnce(&mut Column, T)) {
        match value {
            Some(value) => push(self, value),
            None => self.null(),
        }
    }

    /// Adds several values at once.
    pub(crate) fn int16s(&mut self, new: impl Iterator<Item = Option<i16>> + Clone) {
        if self.begin_several(new.clone())
            && let Values::Int16(values) = &mut self.values
        {
            extend(values, &mut self.valid, new);
        }
    }

    /// Adds several values at once.
    pub(crate) fn int32s(&mut self, new: impl Iterator<Item = Option<i32>> + Clone) {
        if self.begin_several(new.clone())
            && let Values::Int32(values) = &mut self.values
        {
            extend(values, &mut self.valid, new);
        }
    }

    /// Adds several values at once.
    pub(crate) fn float64s(&mut self, new: impl Iterator<Item = Option<f64>> + Clone) {
        if self.begin_several(new.clone())
            && let Values::Float64(values) = &mut self.values
        {
            extend(values, &mut self.valid, new);
        }
    }

    /// Adds a text for each of the moves, given by their UCI codes.
    pub(crate) fn uci_texts(&mut self, codes: impl ExactSizeIterator<Item = u16>) {
        self.materialize_nulls();
        if let Values::Text(texts) = &mut self.values {
            self.valid.resize(self.valid.len().saturating_add(codes.len()), true);
            texts.push_uci(codes);
        }
    }

    /// Returns whether any of `new` is a value. Otherwise the rows are counted here, and there is
    /// nothing to add.
    fn begin_several<T>(&mut self, new: impl Iterator<Item = Option<T>> + Clone) -> bool {
        let has_values = new.clone().any(|value| value.is_some());
        match has_values {
            true => self.materialize_nulls(),
            false => self.nulls += new.count(),
        }
        has_values
    }

    /// Adds an item to the list that [`end_list`](Column::end_list) ends.
    #[inline]
    pub(crate) fn code(&mut self, code: u16) {
        if let Values::Codes(lists) = &mut self.values {
            lists.codes.push(code);
        }
    }

    pub(crate) fn map_item(&mut self, name: &str, value: &str) {
        if let Values::TextMap(_, names, values) = &mut self.values {
            names.push(name.as_bytes());
            values.push(value.as_bytes());
        }
    }

    /// Adds a list.
    pub(crate) fn codes(&mut self, codes: &[u16]) {
        if let Values::Codes(lists) = &mut self.values {
            lists.codes.extend_from_slice(codes);
        }
        self.end_list();
    }

    /// Adds the list `codes`, with the items of `others` at their indices.
    pub(crate) fn codes_but(&mut self, codes: &[u16], others: &[(usize, u16)]) {
        if let Values::Codes(lists) = &mut self.values {
            let start = lists.codes.len();
            lists.codes.extend_from_slice(codes);
            let added = lists.codes.get_mut(start..).unwrap_or_default();
            for (place, other) in others {
                if let Some(code) = added.get_mut(*place) {
                    *code = *other;
                }
            }
        }
        self.end_list();
    }

    pub(crate) fn end_list(&mut self) {
        self.materialize_nulls();
        let (ends, length) = match &mut self.values {
            Values::Codes(lists) => (&mut lists.ends, lists.codes.len()),
            Values::TextMap(ends, names, _) => (ends, names.offsets.len().saturating_sub(1)),
            _ => return,
        };
        ends.push(end_of(length));
        self.valid.push(true);
    }

    /// Adds the only row of another column of the same kind.
    fn append_one(&mut self, other: &Column) {
        match (&mut self.values, &other.values) {
            (Values::Text(to), Values::Text(from)) => to.push(&from.bytes),
            (Values::Int16(to), Values::Int16(from)) => push_first(to, from),
            (Values::Int32(to), Values::Int32(from)) => push_first(to, from),
            (Values::Int64(to), Values::Int64(from)) => push_first(to, from),
            (Values::UInt64(to), Values::UInt64(from)) => push_first(to, from),
            (Values::Float64(to), Values::Float64(from)) => push_first(to, from),
            (Values::Codes(_), Values::Codes(from)) => return self.codes(&from.codes),
            _ => return self.append_range(other, 0..1),
        }
        self.valid.push(true);
    }

    /// Adds the rows `range` of `other`, a column of the same kind, after `rows` rows of this
    /// column. Trailing rows without a value cost nothing, and [`end`](Column::end) counts them.
    #[inline]
    pub(crate) fn append(&mut self, other: &Column, range: Range<usize>, rows: usize) {
        let range = range.start..range.end.min(other.valid.len());
        if range.is_empty() {
            return;
        }
        self.end(rows);
        self.materialize_nulls();
        match other.valid.as_slice() {
            [true] => self.append_one(other),
            _ => self.append_range(other, range),
        }
    }

    fn append_range(&mut self, other: &Column, range: Range<usize>) {
        append_values(&mut self.valid, &other.valid, range.clone());
        match (&mut self.values, &other.values) {
            (Values::Text(to), Values::Text(from)) => to.append(from, range),
            (Values::Int16(to), Values::Int16(from)) => append_values(to, from, range),
            (Values::Int32(to), Values::Int32(from)) => append_values(to, from, range),
            (Values::Int64(to), Values::Int64(from)) => append_values(to, from, range),
            (Values::UInt64(to), Values::UInt64(from)) => append_values(to, from, range),
            (Values::Float64(to), Values::Float64(from)) => append_values(to, from, range),
            (Values::Bytes32(to), Values::Bytes32(from)) => {
                let byte = |row: usize| row.saturating_mul(32);
                append_values(to, from, byte(range.start)..byte(range.end));
            }
            (Values::Codes(to), Values::Codes(from)) => {
                let items = append_offsets(&mut to.ends, &from.ends, range);
                append_values(&mut to.codes, &from.codes, items);
            }
            (Values::TextMap(ends, names, values), Values::TextMap(more, names2, values2)) => {
                let items = append_offsets(ends, more, range);
                names.append(names2, items.clone());
                values.append(values2, items);
            }
            // Both columns have one kind.
            _ => {}
        }
    }

    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.nulls) > 0 && self.valid.is_empty() {
            return;
        }
        self.valid.clear();
        match &mut self.values {
            Values::Text(texts) => texts.clear(),
            Values::Int16(values) => values.clear(),
            Values::Int32(values) => values.clear(),
            Values::Int64(values) => values.clear(),
            Values::UInt64(values) => values.clear(),
            Values::Float64(values) => values.clear(),
            Values::Bytes32(bytes) => bytes.clear(),
            Values::Codes(lists) => {
                lists.ends.truncate(1);
                lists.codes.clear();
            }
            Values::TextMap(ends, names, values) => {
                ends.truncate(1);
                names.clear();
                values.clear();
            }
        }
    }

    /// Returns an empty column with capacity for the same number of rows and a few more.
    pub(crate) fn emptied(&self) -> Column {
        let values = match &self.values {
            Values::Text(texts) => Values::Text(texts.emptied()),
            Values::Int16(values) => Values::Int16(empty_like(values)),
            Values::Int32(values) => Values::Int32(empty_like(values)),
            Values::Int64(values) => Values::Int64(empty_like(values)),
            Values::UInt64(values) => Values::UInt64(empty_like(values)),
            Values::Float64(values) => Values::Float64(empty_like(values)),
            Values::Bytes32(bytes) => Values::Bytes32(empty_like(bytes)),
            Values::Codes(lists) => Values::Codes(Codes {
                ends: empty_offsets_like(&lists.ends),
                codes: empty_like(&lists.codes),
            }),
            Values::TextMap(ends, names, values) => {
                Values::TextMap(empty_offsets_like(ends), names.emptied(), values.emptied())
            }
        };
        Column { values, valid: empty_like(&self.valid), nulls: 0 }
    }

    /// Returns the size of texts and items in bytes.
    pub(crate) fn size(&self) -> usize {
        match &self.values {
            Values::Text(texts) => texts.bytes.len(),
            // As text, a move takes five times as much, and an offset.
            Values::Codes(lists) => lists.codes.len().saturating_mul(2),
            Values::TextMap(_, names, values) => names.size().saturating_add(values.size()),
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares rows added one by one with the same rows made separately and appended.
    #[test]
    fn column_append_equals_adding_rows_directly() {
        let value = |column: &mut Column, n: i16| {
            let text = format!("text {n}");
            column.text(&text);
            column.int16(n);
            column.int32(n.into());
            column.int64(n.into());
            column.uint64(n.unsigned_abs().into());
            column.float64(n.into());
            column.bytes32(&[1; 32]);
            if matches!(column.values, Values::Codes(..) | Values::TextMap(..)) {
                for item in 0..n {
                    column.code(item.unsigned_abs());
                    column.map_item(&text, "value");
                }
                column.end_list();
            }
        };
        let fill = |column: &mut Column, n: i16| {
            value(column, n);
            column.null();
        };
        for kind in [
            Kind::Text,
            Kind::Int16,
            Kind::Int32,
            Kind::Int64,
            Kind::UInt64,
            Kind::Float64,
            Kind::UciList,
            Kind::UInt16List,
            Kind::TextMap,
            Kind::Bytes32,
        ] {
            let (mut whole, mut sum, mut part) =
                (Column::new(kind), Column::new(kind), Column::new(kind));
            for n in 0..4 {
                fill(&mut whole, n);
                part.clear();
                fill(&mut part, n);
                sum.append(&part, 0..2, 2 * n.unsigned_abs() as usize);
            }
            assert_eq!(whole.all_null(), None);
            whole.materialize_nulls();
            sum.end(8);
            sum.materialize_nulls();
            assert_eq!(format!("{whole:?}"), format!("{sum:?}"));
            assert_eq!(format!("{:?}", whole.emptied()), format!("{:?}", Column::new(kind)));
            let (mut nulls, mut null) = (Column::new(kind), Column::new(kind));
            null.null();
            nulls.append(&null, 0..1, 0);
            nulls.end(1);
            assert_eq!(format!("{nulls:?}"), format!("{null:?}"));
            assert_eq!(nulls.all_null(), Some(1));
            nulls.clear();
            nulls.append(&null, 0..1, 0);
            nulls.append(&whole, 0..8, 1);
            nulls.append(&null, 0..1, 9);
            nulls.end(10);
            nulls.materialize_nulls();
            assert_eq!((nulls.valid.len(), nulls.all_null()), (10, None), "{kind:?}");
            let (mut ones, mut one) = (Column::new(kind), Column::new(kind));
            value(&mut one, 3);
            ones.append(&one, 0..1, 0);
            assert_eq!(format!("{ones:?}"), format!("{one:?}"), "{kind:?}");
            assert_eq!(whole.valid.len(), 8, "{kind:?}");
        }
    }
}
