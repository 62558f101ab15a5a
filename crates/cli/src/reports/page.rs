//! A report as a page of tables, for text and HTML.

/// A report for people.
#[derive(Debug, Default)]
pub(super) struct Page {
    pub(super) title: String,
    /// Facts about the whole report: name and value.
    pub(super) facts: Vec<(&'static str, String)>,
    pub(super) tables: Vec<Table>,
    pub(super) notes: Vec<String>,
}

/// A table with a picture.
#[derive(Debug, Default)]
pub(super) struct Table {
    pub(super) title: String,
    /// The heading of the first column; text has no other title.
    pub(super) first: String,
    /// The headings of the columns after the first column.
    pub(super) columns: Vec<Column>,
    pub(super) rows: Vec<Vec<String>>,
    /// Rows that a limit leaves out.
    pub(super) more: Option<String>,
    /// An SVG image of the table.
    pub(super) picture: Option<String>,
}

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    pub(super) title: Title,
    /// Whether the column holds numbers, which are aligned to the right.
    pub(super) is_number: bool,
}

/// The heading of a column.
#[derive(Clone, Copy, Debug)]
pub(super) enum Title {
    Text(&'static str),
    /// The number of a player or round.
    Number(usize),
}

impl Column {
    pub(super) const fn number(title: &'static str) -> Column {
        Column { title: Title::Text(title), is_number: true }
    }

    pub(super) const fn text(title: &'static str) -> Column {
        Column { title: Title::Text(title), is_number: false }
    }

    pub(super) fn heading(self) -> String {
        match self.title {
            Title::Text(text) => text.to_owned(),
            Title::Number(number) => number.to_string(),
        }
    }
}

impl Table {
    pub(super) fn new(title: &str, columns: &[Column]) -> Table {
        let (title, first) = (title.to_owned(), title.to_owned());
        Table { title, first, columns: columns.to_vec(), ..Table::default() }
    }

    /// Returns whether all cells of a column are empty.
    pub(super) fn is_empty_column(&self, column: usize) -> bool {
        self.rows.iter().all(|row| row.get(column).is_none_or(String::is_empty))
    }
}
