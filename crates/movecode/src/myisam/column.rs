//! Columns and their storage in rows.

/// The storage of a column's value in a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Storage {
    /// A little-endian number of this size in bytes.
    Int(u8),
    /// Three bytes little-endian: day, 32 times month, 512 times year.
    Date,
    /// Text of a fixed number of bytes, without trailing spaces.
    Char(u16),
    /// Length-prefixed text of at most this number of bytes.
    VarChar(u16),
    /// Length-prefixed bytes. The number is the size of the length field.
    Blob(u8),
}

impl Storage {
    /// Returns `true` if the column has a packing bit in a row.
    pub(crate) const fn is_packed(self) -> bool {
        match self {
            Storage::Int(_) | Storage::Date | Storage::Blob(_) => true,
            Storage::Char(length) => length > 3,
            Storage::VarChar(_) => false,
        }
    }

    /// Returns the column's size in an unpacked record.
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
    /// `true` if the default is not null. Used by the definition only.
    pub(crate) has_default: bool,
    /// `true` for bytes, `false` for text. Used by the definition only.
    pub(crate) binary: bool,
}

/// The layout of a row.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Definition {
    /// The columns in row order.
    pub(crate) columns: Vec<Column>,
    /// Size in bytes of the packing bits at the start of a row.
    pub(crate) pack_bytes: usize,
    /// Size in bytes of the null bits after the packing bits.
    pub(crate) null_bytes: usize,
}

impl Definition {
    pub(crate) fn new(columns: Vec<Column>) -> Definition {
        let mut definition = Definition { columns, ..Definition::default() };
        definition.pack_bytes = definition.count(|column| column.storage.is_packed()).div_ceil(8);
        definition.null_bytes = definition.count(|column| column.nullable).div_ceil(8);
        definition
    }

    /// Returns the index of a column by name, ignoring case.
    pub(crate) fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name.eq_ignore_ascii_case(name))
    }

    /// Returns the size of an unpacked record.
    pub(crate) fn record_length(&self) -> usize {
        let columns = self.columns.iter().map(|column| column.storage.record_length());
        columns.fold(self.null_bytes, |sum, length| sum.saturating_add(usize::from(length)))
    }

    pub(crate) fn count(&self, which: impl Fn(&Column) -> bool) -> usize {
        self.columns.iter().filter(|column| which(column)).count()
    }
}
