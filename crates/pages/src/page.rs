//! A report as a page of tables, for text and HTML.

/// A report for people.
#[derive(Debug, Default)]
pub struct Page {
    /// The title.
    pub title: String,
    /// Facts about the whole report: name and value.
    pub facts: Vec<(&'static str, String)>,
    /// The tables. One without rows is not shown.
    pub tables: Vec<Table>,
    /// Sentences after the tables.
    pub notes: Vec<String>,
}

/// A table with a picture.
#[derive(Debug, Default)]
pub struct Table {
    /// The title, which HTML shows.
    pub title: String,
    /// The heading of the first column; text has no other title.
    pub first: String,
    /// The headings of the columns after the first column.
    pub columns: Vec<Column>,
    /// The cells of each row, the first column included.
    pub rows: Vec<Vec<String>>,
    /// Rows that a limit leaves out.
    pub more: Option<String>,
    /// The headings of the columns that a narrow terminal omits, in the order in which they go.
    pub dispensable: &'static [&'static str],
    /// Whether the last row is the sum of the others.
    pub has_total: bool,
    /// An SVG image of the table.
    pub picture: Option<String>,
}

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// The heading.
    pub title: Title,
    /// Whether the column holds numbers, which are aligned to the right.
    pub is_number: bool,
}

/// The heading of a column.
#[derive(Clone, Copy, Debug)]
pub enum Title {
    /// A word.
    Text(&'static str),
    /// The number of a player or round.
    Number(usize),
}

impl Column {
    /// A column of numbers.
    #[must_use]
    pub const fn number(title: &'static str) -> Column {
        Column { title: Title::Text(title), is_number: true }
    }

    /// A column of texts.
    #[must_use]
    pub const fn text(title: &'static str) -> Column {
        Column { title: Title::Text(title), is_number: false }
    }

    /// Returns the heading as text.
    #[must_use]
    pub fn heading(self) -> String {
        match self.title {
            Title::Text(text) => text.to_owned(),
            Title::Number(number) => number.to_string(),
        }
    }
}

impl Table {
    /// Creates a table without rows. The title is the heading of the first column.
    #[must_use]
    pub fn new(title: &str, columns: &[Column]) -> Table {
        let (title, first) = (title.to_owned(), title.to_owned());
        Table { title, first, columns: columns.to_vec(), ..Table::default() }
    }

    /// Returns whether all cells of a column are empty.
    #[must_use]
    pub fn is_empty_column(&self, column: usize) -> bool {
        self.rows.iter().all(|row| row.get(column).is_none_or(String::is_empty))
    }
}
