//! Options for writing tables.

use chess_store::{OptionInfo, TypedOptions};

use crate::columns::{Selection, TimeUnit};
use crate::error::{Error, ErrorKind, location};
use crate::schema::Rows;

/// Options for writing a table.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CreateOptions {
    /// The kind of rows.
    pub rows: Rows,
    /// The names of the columns, in order; if empty, the default columns.
    pub columns: Vec<String>,
    /// The unit of times of day.
    pub time_unit: TimeUnit,
    /// Half-moves: the first ply that has a row.
    pub min_ply: Option<u32>,
    /// Half-moves: the last ply that has a row.
    pub max_ply: Option<u32>,
    /// Parquet: the number of rows in a row group. The default is 131,072 for games and 1,048,576
    /// for half-moves.
    pub row_group: Option<usize>,
    /// Parquet: the Zstandard level, 1 to 22.
    pub level: i32,
    /// Parquet: the number of threads that compress columns. The default is the number of cores.
    pub threads: Option<usize>,
}

impl Default for CreateOptions {
    fn default() -> CreateOptions {
        CreateOptions {
            rows: Rows::Games,
            columns: Vec::new(),
            time_unit: TimeUnit::default(),
            min_ply: None,
            max_ply: None,
            row_group: None,
            level: 1,
            threads: None,
        }
    }
}

impl CreateOptions {
    /// Returns the selected columns.
    ///
    /// # Errors
    /// [`ErrorKind::Column`](crate::ErrorKind::Column) for an unknown name, and
    /// [`ErrorKind::Plies`](crate::ErrorKind::Plies).
    pub fn selection(&self) -> Result<Selection, Error> {
        let selection = match self.columns.is_empty() {
            true => Selection::usual(self.rows),
            false => Selection::named(self.rows, self.columns.iter().map(String::as_str))?,
        };
        if self.rows != Rows::Plies && (self.min_ply.is_some() || self.max_ply.is_some()) {
            return Err(Error::new(ErrorKind::Plies, location()));
        }
        let (first, last) = (self.min_ply.unwrap_or(0), self.max_ply.unwrap_or(u32::MAX));
        Ok(selection.time_unit(self.time_unit).plies(first, last))
    }

    /// Returns the number of rows in a row group.
    #[must_use]
    pub fn row_group(&self) -> usize {
        self.row_group.unwrap_or(match self.rows {
            Rows::Games => 1 << 17,
            Rows::Plies => 1 << 20,
        })
    }

    /// Returns the number of threads that compress columns.
    #[must_use]
    pub fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.threads.unwrap_or_else(cores)
    }
}

impl TypedOptions for CreateOptions {
    const LIST: &'static [OptionInfo] = &[
        OptionInfo::new("rows", &["games", "plies"], "what a row is"),
        OptionInfo::new("columns", &[], "names of the columns to make, with commas between them"),
        OptionInfo::new("time-unit", &["ms", "us"], "unit of times of day; Spark reads us alone"),
        OptionInfo::new("min-ply", &[], "the first ply of each game that has a row of half-moves"),
        OptionInfo::new("max-ply", &[], "the last one"),
        OptionInfo::new("row-group", &[], "rows of a row group, at least 1"),
        OptionInfo::new("level", &[], "level of Zstandard, 1 to 22"),
        OptionInfo::new("threads", &[], "threads that compress columns"),
    ];

    fn set(&mut self, name: &str, value: &str) -> bool {
        let number = || value.parse::<usize>().ok().filter(|number| *number > 0);
        match name {
            "rows" => match value {
                "games" => self.rows = Rows::Games,
                "plies" => self.rows = Rows::Plies,
                _ => return false,
            },
            "columns" => {
                self.columns = value.split(',').map(|name| name.trim().to_owned()).collect();
            }
            "time-unit" => match value {
                "ms" => self.time_unit = TimeUnit::Milliseconds,
                "us" => self.time_unit = TimeUnit::Microseconds,
                _ => return false,
            },
            "min-ply" | "max-ply" => {
                let Ok(ply) = value.parse() else { return false };
                let bound = if name == "min-ply" { &mut self.min_ply } else { &mut self.max_ply };
                *bound = Some(ply);
            }
            "row-group" => match number() {
                Some(number) => self.row_group = Some(number),
                None => return false,
            },
            "level" => match value.parse().ok().filter(|level| (1..=22).contains(level)) {
                Some(level) => self.level = level,
                None => return false,
            },
            "threads" => match number() {
                Some(number) => self.threads = Some(number),
                None => return false,
            },
            _ => return false,
        }
        true
    }
}
