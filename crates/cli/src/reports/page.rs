//! A report as a page of tables, for text and HTML.

/// A report for people.
#[derive(Debug, Default)]
pub(crate) struct Page {
    pub(crate) title: String,
    /// Facts about the whole report: name and value.
    pub(crate) facts: Vec<(&'static str, String)>,
    pub(crate) tables: Vec<Table>,
    pub(crate) notes: Vec<String>,
}

/// A table with a picture.
#[derive(Debug, Default)]
pub(crate) struct Table {
    pub(crate) title: String,
    /// The heading of the first column; text has no other title.
    pub(crate) first: String,
    /// The headings of the columns after the first column.
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<Vec<String>>,
    /// Rows that a limit leaves out.
    pub(crate) more: Option<String>,
    /// The headings of the columns that a narrow terminal omits, in the order in which they go.
    pub(crate) dispensable: &'static [&'static str],
    /// Whether the last row is the sum of the others.
    pub(crate) has_total: bool,
    /// An SVG image of the table.
    pub(crate) picture: Option<String>,
}

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    pub(crate) title: Title,
    /// Whether the column holds numbers, which are aligned to the right.
    pub(crate) is_number: bool,
}

/// The heading of a column.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Title {
    Text(&'static str),
    /// The number of a player or round.
    Number(usize),
}

impl Column {
    pub(crate) const fn number(title: &'static str) -> Column {
        Column { title: Title::Text(title), is_number: true }
    }

    pub(crate) const fn text(title: &'static str) -> Column {
        Column { title: Title::Text(title), is_number: false }
    }

    pub(crate) fn heading(self) -> String {
        match self.title {
            Title::Text(text) => text.to_owned(),
            Title::Number(number) => number.to_string(),
        }
    }
}

impl Table {
    pub(crate) fn new(title: &str, columns: &[Column]) -> Table {
        let (title, first) = (title.to_owned(), title.to_owned());
        Table { title, first, columns: columns.to_vec(), ..Table::default() }
    }

    /// Returns whether all cells of a column are empty.
    pub(crate) fn is_empty_column(&self, column: usize) -> bool {
        self.rows.iter().all(|row| row.get(column).is_none_or(String::is_empty))
    }
}
