//! A set of rows, stored as columns.

#[cfg(feature = "arrow")]
use std::ops::Range;
use std::sync::Arc;

use chess_store::Trim;
#[cfg(feature = "arrow")]
use chess_store::erased::Origin;

use crate::column::Column;
use crate::error::{Error, ErrorKind, location};
use crate::schema::{Field, Of, Rows, tag_field};

/// The columns to make, in order.
#[derive(Clone, Debug)]
pub struct Selection {
    rows: Rows,
    fields: Arc<[&'static Field]>,
    time_unit: TimeUnit,
    plies: (u32, u32),
}

/// The plies of all half-moves.
pub(crate) const ALL_PLIES: (u32, u32) = (0, u32::MAX);

/// The unit of a time of day.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum TimeUnit {
    /// Milliseconds in 32 bits, as in the tables that Lichess publishes.
    #[default]
    Milliseconds,
    /// Microseconds in 64 bits, the only unit that Spark reads.
    Microseconds,
}

impl Default for Selection {
    fn default() -> Selection {
        Selection::usual(Rows::default())
    }
}

impl Selection {
    /// Selects the default columns.
    #[must_use]
    pub fn usual(rows: Rows) -> Selection {
        let time_unit = TimeUnit::default();
        Selection { rows, fields: rows.usual().collect(), time_unit, plies: ALL_PLIES }
    }

    /// Selects the named columns in this order. A repeated name counts once. `tag:Name` is the tag
    /// `Name` of the game.
    ///
    /// # Errors
    /// [`ErrorKind::Column`] for an unknown name, and for an empty list of names.
    pub fn named<'a>(
        rows: Rows,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<Selection, Error> {
        let mut fields: Vec<&'static Field> = Vec::new();
        for name in names {
            let unknown = || Error::new(ErrorKind::Column { rows, name: name.into() }, location());
            let field = rows.field(name).or_else(|| tag_field(name)).ok_or_else(unknown)?;
            if !fields.contains(&field) {
                fields.push(field);
            }
        }
        if fields.is_empty() {
            return Err(Error::new(ErrorKind::Column { rows, name: "".into() }, location()));
        }
        let time_unit = TimeUnit::default();
        Ok(Selection { rows, fields: fields.into(), time_unit, plies: ALL_PLIES })
    }

    /// Stores times of day in this unit.
    #[must_use]
    pub fn time_unit(self, time_unit: TimeUnit) -> Selection {
        Selection { time_unit, ..self }
    }

    /// Makes only the rows of half-moves whose `ply` is from `first` to `last`. A row of a game is not
    /// changed.
    #[must_use]
    pub fn plies(self, first: u32, last: u32) -> Selection {
        Selection { plies: (first, last), ..self }
    }

    /// Returns the first and the last ply.
    pub(crate) fn ply_bounds(&self) -> (u32, u32) {
        self.plies
    }

    /// Returns the unit of times of day.
    #[must_use]
    pub fn unit(&self) -> TimeUnit {
        self.time_unit
    }

    /// Returns the kind of rows.
    #[must_use]
    pub fn rows(&self) -> Rows {
        self.rows
    }

    /// Returns the columns.
    #[must_use]
    pub fn fields(&self) -> &[&'static Field] {
        &self.fields
    }

    /// Returns whether all columns follow from the header of a game and its place in the base.
    #[must_use]
    pub fn is_of_header(&self) -> bool {
        self.rows == Rows::Games && self.fields.iter().all(|field| field.of.is_of_header())
    }

    /// Returns the columns that depend on the origin of a game, by their index.
    #[cfg(feature = "arrow")]
    pub(crate) fn of_origin(&self) -> Box<[(usize, Of)]> {
        let columns = self.fields.iter().map(|field| field.of).enumerate();
        columns.filter(|(_, of)| is_of_origin(*of)).collect()
    }

    pub(crate) fn has(&self, wanted: &[Of]) -> bool {
        self.fields.iter().any(|field| wanted.contains(&field.of))
    }
}

/// Rows of the selected columns. Designed for reuse.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    fields: Option<Arc<[&'static Field]>>,
    columns: Vec<Column>,
    rows: usize,
    /// The size of each row in bytes, besides texts and items.
    width: usize,
    /// The size in bytes at the last measurement.
    measured: usize,
}

impl Columns {
    /// Creates an empty set of rows with the columns of `selection`.
    #[must_use]
    pub fn new(selection: &Selection) -> Columns {
        let mut columns = Columns::default();
        columns.begin(selection);
        columns
    }

    /// Takes the rows, and keeps capacity for the same number.
    #[cfg(feature = "arrow")]
    pub(crate) fn take(&mut self) -> Columns {
        let emptied = self.emptied();
        std::mem::replace(self, emptied)
    }

    /// Returns the same columns without rows, with capacity for the same number.
    #[cfg(feature = "arrow")]
    pub(crate) fn emptied(&self) -> Columns {
        let columns = self.columns.iter().map(Column::emptied).collect();
        Columns { fields: self.fields.clone(), columns, width: self.width, rows: 0, measured: 0 }
    }

    /// Clears the rows, and selects the columns.
    pub(crate) fn begin(&mut self, selection: &Selection) {
        (self.rows, self.measured) = (0, 0);
        if self.fields.as_ref().is_some_and(|fields| Arc::ptr_eq(fields, &selection.fields)) {
            self.columns.iter_mut().for_each(Column::clear);
            return;
        }
        self.columns = selection.fields.iter().map(|field| Column::new(field.kind)).collect();
        self.width = selection.fields.iter().map(|field| field.kind.width()).sum();
        self.fields = Some(Arc::clone(&selection.fields));
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the approximate size in bytes. The size of some rows does not depend on the rows
    /// before them.
    #[must_use]
    pub fn size(&self) -> usize {
        let columns = self.columns.iter().map(Column::size);
        columns.fold(self.rows.saturating_mul(self.width), usize::saturating_add)
    }

    /// Returns the size of the rows that were added since the last call.
    pub(crate) fn measure(&mut self) -> usize {
        let size = self.size();
        size.saturating_sub(std::mem::replace(&mut self.measured, size))
    }

    /// Iterates over the columns with their fields.
    #[cfg(test)]
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'static Field, &Column)> {
        let fields = self.fields.iter().flat_map(|fields| fields.iter().copied());
        fields.zip(&self.columns)
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (&'static Field, &mut Column)> {
        let fields = self.fields.iter().flat_map(|fields| fields.iter().copied());
        fields.zip(&mut self.columns)
    }

    #[cfg(feature = "arrow")]
    pub(crate) fn into_columns(mut self) -> Vec<Column> {
        self.columns.iter_mut().for_each(|column| column.end(self.rows));
        self.columns
    }

    /// Returns the text of the next row in the column `of`, if that column is selected.
    pub(crate) fn text_of(&mut self, of: Of) -> Option<&mut Vec<u8>> {
        let (_, column) = self.iter_mut().find(|(field, _)| field.of == of)?;
        column.open_text()
    }

    pub(crate) fn end_rows(&mut self, rows: usize) {
        self.rows = self.rows.saturating_add(rows);
    }

    /// Adds the rows `range` of `other`, but not the columns that depend on the origin of a game.
    #[cfg(feature = "arrow")]
    pub(crate) fn append(&mut self, other: &Columns, range: Range<usize>) {
        let fields = self.fields.iter().flat_map(|fields| fields.iter());
        for ((field, to), from) in fields.zip(&mut self.columns).zip(&other.columns) {
            if !is_of_origin(field.of) {
                to.append(from, range.clone(), self.rows);
            }
        }
        self.rows = self.rows.saturating_add(range.len());
    }

    /// Adds the values of the next `rows` rows to the columns `of_origin`.
    #[cfg(feature = "arrow")]
    pub(crate) fn append_origin(
        &mut self,
        of_origin: &[(usize, Of)],
        origin: &StoredOrigin,
        rows: usize,
    ) {
        for (place, of) in of_origin {
            let Some(column) = self.columns.get_mut(*place) else { continue };
            for _ in 0..rows {
                origin.push(*of, column);
            }
        }
    }
}

#[cfg(feature = "arrow")]
fn is_of_origin(of: Of) -> bool {
    matches!(of, Of::Source | Of::Game | Of::Damage | Of::Deviations | Of::Offset)
}

/// The origin of the next game, kept until the game arrives.
#[cfg(feature = "arrow")]
#[derive(Default)]
pub(crate) struct StoredOrigin {
    source: String,
    game: Option<i64>,
    damage: Option<String>,
    deviations: String,
    offset: Option<i64>,
}

#[cfg(feature = "arrow")]
impl StoredOrigin {
    pub(crate) fn set(&mut self, origin: &Origin<'_>) {
        if self.source != origin.source {
            origin.source.clone_into(&mut self.source);
        }
        self.game = i64::try_from(origin.number + 1).ok();
        self.damage = origin.damage.map(ToOwned::to_owned);
        origin.deviations.clone_into(&mut self.deviations);
        self.offset = origin.offset.and_then(|offset| i64::try_from(offset).ok());
    }

    /// Clears the origin after its game arrived.
    pub(crate) fn forget(&mut self) {
        self.game = None;
        self.damage = None;
        self.deviations.clear();
        self.offset = None;
    }

    fn push(&self, of: Of, to: &mut Column) {
        match of {
            Of::Source => to.or_null(self.game.map(|_| self.source.as_str()), Column::text),
            Of::Game => to.or_null(self.game, Column::int64),
            Of::Offset => to.or_null(self.offset, Column::int64),
            Of::Deviations => {
                let names = Some(self.deviations.as_str()).filter(|names| !names.is_empty());
                to.or_null(names, Column::text);
            }
            _ => to.or_null(self.damage.as_deref(), Column::text),
        }
    }
}

impl Trim for Columns {
    fn trim(&mut self, most: usize) {
        if self.measured > most.saturating_mul(8) {
            *self = Columns::default();
        }
    }
}
