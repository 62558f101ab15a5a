//! Some rows: columns side by side.

use std::sync::Arc;

use chess_store::Trim;
#[cfg(feature = "arrow")]
use chess_store::erased::Origin;

use crate::column::{Column, Kind};
use crate::error::{Error, ErrorKind, location};
use crate::schema::{Field, Of, Rows};

/// Which columns are made, in order.
#[derive(Clone, Debug)]
pub struct Selection {
    rows: Rows,
    fields: Arc<[&'static Field]>,
}

impl Default for Selection {
    fn default() -> Selection {
        Selection::usual(Rows::default())
    }
}

impl Selection {
    /// The usual columns.
    #[must_use]
    pub fn usual(rows: Rows) -> Selection {
        Selection { rows, fields: rows.usual().collect() }
    }

    /// These columns, in this order; one named twice comes once.
    ///
    /// # Errors
    /// [`ErrorKind::Column`] for a name that no column has, and for no names.
    pub fn named<'a>(
        rows: Rows,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<Selection, Error> {
        let mut fields: Vec<&'static Field> = Vec::new();
        for name in names {
            let unknown = || Error::new(ErrorKind::Column { rows, name: name.into() }, location());
            let field = rows.field(name).ok_or_else(unknown)?;
            if !fields.contains(&field) {
                fields.push(field);
            }
        }
        if fields.is_empty() {
            return Err(Error::new(ErrorKind::Column { rows, name: "".into() }, location()));
        }
        Ok(Selection { rows, fields: fields.into() })
    }

    /// What a row is.
    #[must_use]
    pub fn rows(&self) -> Rows {
        self.rows
    }

    /// The columns.
    #[must_use]
    pub fn fields(&self) -> &[&'static Field] {
        &self.fields
    }

    pub(crate) fn has(&self, wanted: &[Of]) -> bool {
        self.fields.iter().any(|field| wanted.contains(&field.of))
    }
}

/// Rows of some columns. Meant to be reused.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    fields: Option<Arc<[&'static Field]>>,
    columns: Vec<Column>,
    rows: usize,
    /// What they filled when they were last measured, or all that was added to them.
    measured: usize,
}

impl Columns {
    /// None yet, of these columns.
    #[must_use]
    pub fn new(selection: &Selection) -> Columns {
        let mut columns = Columns::default();
        columns.begin(selection);
        columns
    }

    /// Takes its rows, and leaves room for as many.
    #[cfg(feature = "arrow")]
    pub(crate) fn take(&mut self) -> Columns {
        let columns = self.columns.iter().map(Column::emptied).collect();
        let emptied = Columns { fields: self.fields.clone(), columns, rows: 0, measured: 0 };
        std::mem::replace(self, emptied)
    }

    /// Empties it, for these columns.
    pub(crate) fn begin(&mut self, selection: &Selection) {
        self.rows = 0;
        if self.fields.as_ref().is_some_and(|fields| Arc::ptr_eq(fields, &selection.fields)) {
            self.columns.iter_mut().for_each(Column::clear);
            return;
        }
        self.columns = selection.fields.iter().map(|field| Column::new(field.kind)).collect();
        self.fields = Some(Arc::clone(&selection.fields));
    }

    /// How many rows there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// About how many bytes they fill.
    #[must_use]
    pub fn size(&self) -> usize {
        self.columns.iter().map(Column::size).fold(0, usize::saturating_add)
    }

    /// The same, kept for when memory is let go of.
    pub(crate) fn measure(&mut self) -> usize {
        self.measured = self.size();
        self.measured
    }

    /// The columns and what they are.
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

    /// The text of the next row, if there is such a column.
    pub(crate) fn text_of(&mut self, of: Of) -> Option<&mut Vec<u8>> {
        let (_, column) = self.iter_mut().find(|(field, _)| field.of == of)?;
        column.open_text()
    }

    pub(crate) fn end_rows(&mut self, rows: usize) {
        self.rows = self.rows.saturating_add(rows);
    }

    /// Adds the rows of a game, and what only its origin tells.
    #[cfg(feature = "arrow")]
    pub(crate) fn append(&mut self, game: &Columns, origin: &From) {
        let fields = self.fields.iter().flat_map(|fields| fields.iter());
        for ((field, to), from) in fields.zip(&mut self.columns).zip(&game.columns) {
            match field.of {
                Of::Source | Of::Game | Of::Damage => {
                    for _ in 0..game.rows {
                        origin.push(field.of, to);
                    }
                }
                _ => to.append(from, self.rows),
            }
        }
        self.rows = self.rows.saturating_add(game.rows);
        self.measured = self.measured.saturating_add(game.measured);
    }

    /// About how many bytes the rows fill that were added.
    #[cfg(feature = "arrow")]
    pub(crate) fn added(&self) -> usize {
        self.measured
    }
}

/// Where the next game comes from, kept until it does.
#[cfg(feature = "arrow")]
#[derive(Default)]
pub(crate) struct From {
    source: String,
    game: Option<i64>,
    damage: Option<String>,
}

#[cfg(feature = "arrow")]
impl From {
    pub(crate) fn set(&mut self, origin: &Origin<'_>) {
        if self.source != origin.source {
            origin.source.clone_into(&mut self.source);
        }
        self.game = i64::try_from(origin.number.saturating_add(1)).ok();
        self.damage = origin.damage.map(ToString::to_string);
    }

    /// The game has come.
    pub(crate) fn forget(&mut self) {
        self.game = None;
        self.damage = None;
    }

    fn push(&self, of: Of, to: &mut Column) {
        match of {
            Of::Source => to.or_null(self.game.map(|_| self.source.as_str()), Column::text),
            Of::Game => to.or_null(self.game, Column::int64),
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

impl Field {
    /// Whether its values are found by number: lists and maps are not.
    #[must_use]
    pub fn is_flat(&self) -> bool {
        !matches!(self.kind, Kind::UciList | Kind::UInt16List | Kind::TextMap)
    }
}
