//! The tables of an archive and their columns.

use crate::myisam::{Column, Definition, Row, Storage, Value};

/// A table of an archive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Table {
    MetaInfo,
    Collection,
    Player,
    Event,
    Site,
    Opening,
    Game,
}

impl Table {
    /// All tables, in order of their names, as jose packs them.
    pub(crate) const ALL: [Table; 7] = [
        Table::Collection,
        Table::Event,
        Table::Game,
        Table::Opening,
        Table::Player,
        Table::Site,
        Table::MetaInfo,
    ];

    /// Returns the name of the table's files.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Table::MetaInfo => "MetaInfo",
            Table::Collection => "IO_Collection",
            Table::Player => "IO_Player",
            Table::Event => "IO_Event",
            Table::Site => "IO_Site",
            Table::Opening => "IO_Opening",
            Table::Game => "IO_Game",
        }
    }

    /// Returns the table by its file name without extension, ignoring case.
    pub(crate) fn from_name(name: &str) -> Option<Table> {
        Table::ALL.into_iter().find(|table| table.name().eq_ignore_ascii_case(name))
    }

    /// Returns the character set that the definition stores for numbers.
    pub(crate) const fn number_charset(self) -> u8 {
        match self {
            Table::Game => 33,
            _ => 63,
        }
    }

    /// Returns the columns of written tables, as in jose 1.3 and the known archive. Reading uses the
    /// archive's own definition.
    // movecode §9 "Tables"
    pub(crate) fn definition(self) -> Definition {
        self.definition_with(false)
    }

    /// Like [`definition`](Table::definition). `evals` adds the column `Eval` of jose 1.5 to the games.
    pub(crate) fn definition_with(self, evals: bool) -> Definition {
        let id = || column("Id", Storage::Int(4));
        let name = || column("Name", text(255));
        let columns = match self {
            Table::MetaInfo => vec![
                Column { has_default: true, ..column("Property", text(64)) },
                null(column("SchemaName", text(255))),
                null(column("TableName", text(255))),
                null(column("Version", Storage::Int(4))),
                null(column("Dirty", Storage::Int(1))),
            ],
            Table::Collection => vec![
                id(),
                column("PId", Storage::Int(4)),
                name(),
                column("Attributes", Storage::Int(1)),
                null(column("SourceURL", text(255))),
                column("GameCount", Storage::Int(4)),
            ],
            Table::Player | Table::Event | Table::Site => vec![id(), name()],
            Table::Opening => vec![
                id(),
                column("HashKey", Storage::Int(8)),
                null(column("Ply", Storage::Int(4))),
                column("ECO", Storage::Char(9)),
                name(),
            ],
            Table::Game => GAME_COLUMNS
                .iter()
                .take(if evals { GAME_COLUMNS.len() } else { GameColumn::Eval as usize })
                .map(|(name, storage, nullable)| Column {
                    nullable: *nullable,
                    binary: *name == "Bin",
                    ..column(name, *storage)
                })
                .collect(),
        };
        Definition::new(columns)
    }
}

/// Text of at most `characters` characters of up to three bytes each.
const fn text(characters: u16) -> Storage {
    Storage::VarChar(characters.saturating_mul(3))
}

fn column(name: &str, storage: Storage) -> Column {
    Column { name: name.into(), storage, nullable: false, has_default: false, binary: false }
}

fn null(column: Column) -> Column {
    Column { nullable: true, ..column }
}

/// A column of `IO_Game` known to this crate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(dead_code, reason = "all columns of the table, including unused ones")]
pub(crate) enum GameColumn {
    CId,
    Idx,
    Attributes,
    PlyCount,
    Result,
    WhiteId,
    BlackId,
    WhiteElo,
    BlackElo,
    EventId,
    SiteId,
    GameDate,
    EventDate,
    DateFlags,
    OpeningId,
    Eco,
    AnnotatorId,
    WhiteTitle,
    BlackTitle,
    Round,
    Board,
    Fen,
    Info,
    Bin,
    Comments,
    PosMain,
    PosVar,
    /// Only in jose 1.5.
    Eval,
}

/// The columns in the order of [`GameColumn`]: name, storage, nullable.
// movecode §9.3 "IO_Game"
pub(crate) const GAME_COLUMNS: [(&str, Storage, bool); 28] = [
    ("CId", Storage::Int(4), NOT_NULL),
    ("Idx", Storage::Int(4), NOT_NULL),
    ("Attributes", Storage::Int(1), NOT_NULL),
    ("PlyCount", Storage::Int(4), NOT_NULL),
    ("Result", Storage::Int(1), NOT_NULL),
    ("WhiteId", Storage::Int(4), NOT_NULL),
    ("BlackId", Storage::Int(4), NOT_NULL),
    ("WhiteELO", Storage::Int(4), NULLABLE),
    ("BlackELO", Storage::Int(4), NULLABLE),
    ("EventId", Storage::Int(4), NOT_NULL),
    ("SiteId", Storage::Int(4), NOT_NULL),
    ("GameDate", Storage::Date, NULLABLE),
    ("EventDate", Storage::Date, NULLABLE),
    ("DateFlags", Storage::Int(2), NOT_NULL),
    ("OpeningId", Storage::Int(4), NOT_NULL),
    ("ECO", Storage::Char(9), NULLABLE),
    ("AnnotatorId", Storage::Int(4), NULLABLE),
    ("WhiteTitle", text(TITLE), NULLABLE),
    ("BlackTitle", text(TITLE), NULLABLE),
    ("Round", text(ROUND), NULLABLE),
    ("Board", text(TITLE), NULLABLE),
    ("FEN", text(FEN), NULLABLE),
    ("Info", text(NAME), NULLABLE),
    ("Bin", Storage::Blob(3), NULLABLE),
    ("Comments", Storage::Blob(3), NULLABLE),
    ("PosMain", Storage::Blob(3), NULLABLE),
    ("PosVar", Storage::Blob(3), NULLABLE),
    ("Eval", Storage::Blob(3), NULLABLE),
];
const NULLABLE: bool = true;
const NOT_NULL: bool = false;

/// Maximum characters of a name of a player, event, site, opening or collection, and of `Info`.
pub(crate) const NAME: u16 = 255;
/// Maximum characters of a title and of a board.
pub(crate) const TITLE: u16 = 32;
/// Maximum characters of a round.
pub(crate) const ROUND: u16 = 32;
/// Maximum characters of a FEN.
pub(crate) const FEN: u16 = 128;

/// The places of the columns of `IO_Game` in this archive's rows.
#[derive(Clone, Debug)]
pub(crate) struct GameColumns {
    places: [Option<usize>; GAME_COLUMNS.len()],
    /// Columns unknown to this crate.
    pub(crate) unknown: Vec<usize>,
}

impl GameColumns {
    pub(crate) fn find(definition: &Definition) -> GameColumns {
        let places = GAME_COLUMNS.map(|(name, ..)| definition.column(name));
        let unknown =
            (0..definition.columns.len()).filter(|place| !places.contains(&Some(*place))).collect();
        GameColumns { places, unknown }
    }

    pub(crate) fn has(&self, column: GameColumn) -> bool {
        self.place(column).is_some()
    }

    /// Returns the name of the column at `place`, if it is known.
    pub(crate) fn name(&self, place: usize) -> Option<&'static str> {
        let number = self.places.iter().position(|known| *known == Some(place))?;
        GAME_COLUMNS.get(number).map(|(name, ..)| *name)
    }

    pub(crate) fn place(&self, column: GameColumn) -> Option<usize> {
        self.places.get(column as usize).copied().flatten()
    }

    /// Returns the value of a column, or null if the table lacks the column.
    pub(crate) fn value<'a>(&self, row: &Row<'a>, column: GameColumn) -> Value<'a> {
        let value = self.place(column).and_then(|place| row.get(place));
        value.copied().unwrap_or(Value::Null)
    }

    /// Returns a number, or `None` if it is null.
    pub(crate) fn number(&self, row: &Row<'_>, column: GameColumn) -> Option<i64> {
        match self.value(row, column) {
            Value::Int(number) => Some(number),
            _ => None,
        }
    }

    /// Returns bytes and their offset in the row, or `None` if they are null.
    pub(crate) fn bytes<'a>(&self, row: &Row<'a>, column: GameColumn) -> Option<(&'a [u8], usize)> {
        match self.value(row, column) {
            Value::Bytes(bytes, at) => Some((bytes, at)),
            _ => None,
        }
    }
}
