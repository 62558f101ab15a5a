//! Columns and how rows hold them.

/// How a column's value lies in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Storage {
    /// A little-endian number of so many bytes.
    Int(u8),
    /// Three bytes little-endian: day, 32 times month, 512 times year.
    Date,
    /// Text of a fixed number of bytes, its trailing spaces left out.
    Char(u16),
    /// Text of up to so many bytes behind its length.
    VarChar(u16),
    /// Bytes behind their length, which takes so many bytes itself.
    Blob(u8),
}

impl Storage {
    /// Whether it has a bit among the packing bits of a row.
    pub(crate) const fn is_packed(self) -> bool {
        match self {
            Storage::Int(_) | Storage::Date | Storage::Blob(_) => true,
            Storage::Char(length) => length > 3,
            Storage::VarChar(_) => false,
        }
    }

    /// Bytes it takes in an unpacked record.
    pub(crate) const fn record_length(self) -> u16 {
        match self {
            Storage::Int(bytes) => bytes as u16,
            Storage::Date => 3,
            Storage::Char(length) => length,
            Storage::VarChar(length) if length > 255 => length.saturating_add(2),
            Storage::VarChar(length) => length.saturating_add(1),
            // Length and a pointer.
            Storage::Blob(bytes) => (bytes as u16).saturating_add(8),
        }
    }
}

/// A column of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) storage: Storage,
    pub(crate) nullable: bool,
    /// Whether it has a default other than null; matters to the definition only.
    pub(crate) has_default: bool,
    /// Whether it holds bytes rather than text; matters to the definition only.
    pub(crate) binary: bool,
}

/// What a row looks like.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Definition {
    /// In the order of the row.
    pub(crate) columns: Vec<Column>,
    /// Bytes of packing bits at the start of a row.
    pub(crate) pack_bytes: usize,
    /// Bytes of null bits behind them.
    pub(crate) null_bytes: usize,
}

impl Definition {
    pub(crate) fn new(columns: Vec<Column>) -> Definition {
        let mut definition = Definition { columns, ..Definition::default() };
        definition.pack_bytes = definition.count(|column| column.storage.is_packed()).div_ceil(8);
        definition.null_bytes = definition.count(|column| column.nullable).div_ceil(8);
        definition
    }

    /// The number of a column, whatever the case of its name.
    pub(crate) fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name.eq_ignore_ascii_case(name))
    }

    /// Bytes of an unpacked record.
    pub(crate) fn record_length(&self) -> usize {
        let columns = self.columns.iter().map(|column| column.storage.record_length());
        columns.fold(self.null_bytes, |sum, length| sum.saturating_add(usize::from(length)))
    }

    pub(crate) fn count(&self, which: impl Fn(&Column) -> bool) -> usize {
        self.columns.iter().filter(|column| which(column)).count()
    }
}
