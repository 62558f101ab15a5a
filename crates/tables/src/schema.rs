//! The definitions of the columns.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::column::Kind;

/// The kind of rows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Rows {
    /// One row for each game.
    #[default]
    Games,
    /// One row for each half-move, including variations.
    Plies,
}

/// A column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Field {
    /// The name.
    pub name: &'static str,
    /// The type.
    pub kind: Kind,
    /// Whether a row may have no value.
    pub nullable: bool,
    /// Whether the column is made by default.
    pub usual: bool,
    /// The meaning and the unit, in one sentence without a full stop.
    pub help: &'static str,
    pub(crate) of: Of,
}

macro_rules! fields {
    ($table:ident: $($of:ident $name:literal $kind:ident $null:ident $usual:ident $help:literal;)*) => {
        static $table: &[Field] = &[$(Field {
            name: $name,
            kind: Kind::$kind,
            nullable: fields!(@ $null),
            usual: fields!(@ $usual),
            help: $help,
            of: Of::$of,
        }),*];
    };
    (@ null) => { true };
    (@ never) => { false };
    (@ usual) => { true };
    (@ asked) => { false };
}

/// The source of a column's values in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Of {
    Event,
    Site,
    White,
    Black,
    Result,
    WhiteElo,
    BlackElo,
    Eco,
    Round,
    Date,
    Year,
    Month,
    Day,
    /// A tag, as text.
    Tag,
    /// A tag without a column in the list.
    AnyTag,
    /// A tag that is a signed number.
    SignedTag,
    DateTag,
    TimeTag,
    Movetext,
    Fen,
    Plies,
    Moves,
    MoveCodes,
    FinalHash,
    OtherTags,
    Source,
    Game,
    Damage,
    Deviations,
    Ply,
    Depth,
    Variation,
    Move,
    San,
    MoveCode,
    Hash,
    Clock,
    Evaluation,
    Mate,
    Nags,
    Comment,
    CommentBefore,
    PlyFen,
    Board,
    Turn,
    Castling,
    EnPassant,
    BoardBefore,
    SecondsSpent,
    BaseSeconds,
    Increment,
    TimeClass,
    OpeningName,
    Offset,
    Variant,
}

impl Of {
    /// Returns whether a column of games needs only their header and their place in the base. A
    /// start position needs the moves, which show whether its castling rights are used, and the time
    /// control the clocks.
    pub(crate) fn is_of_header(self) -> bool {
        matches!(
            self,
            Of::Event
                | Of::Site
                | Of::White
                | Of::Black
                | Of::Result
                | Of::WhiteElo
                | Of::BlackElo
                | Of::Eco
                | Of::Round
                | Of::Date
                | Of::Year
                | Of::Month
                | Of::Day
                | Of::Tag
                | Of::AnyTag
                | Of::SignedTag
                | Of::DateTag
                | Of::TimeTag
                | Of::OtherTags
                | Of::Source
                | Of::Game
                | Of::Offset
        )
    }
}

fields! { GAMES:
    Event "Event" Text null usual "Tournament, match or kind of game";
    Site "Site" Text null usual "Place; for games from Lichess their address";
    White "White" Text null usual "Player of the white pieces";
    Black "Black" Text null usual "Player of the black pieces";
    Result "Result" Text never usual "`1-0`, `0-1`, `1/2-1/2` or `*`";
    Tag "WhiteTitle" Text null usual "Title of White: `GM`";
    Tag "BlackTitle" Text null usual "Title of Black";
    WhiteElo "WhiteElo" Int16 null usual "Rating of White";
    BlackElo "BlackElo" Int16 null usual "Rating of Black";
    SignedTag "WhiteRatingDiff" Int16 null usual "What the game changed of White's rating";
    SignedTag "BlackRatingDiff" Int16 null usual "What the game changed of Black's rating";
    DateTag "UTCDate" Date null usual "Day the game began, in UTC";
    TimeTag "UTCTime" Time null usual "Time the game began, in UTC";
    Eco "ECO" Text null usual "Code of the opening: `B90`";
    Tag "Opening" Text null usual "Name of the opening";
    Tag "Termination" Text null usual "How the game ended: `Time forfeit`";
    Tag "TimeControl" Text null usual "PGN's time control: `180+2`";
    Movetext "movetext" Text never usual "The moves as PGN on one line, with comments, NAGs, variations and the result";
    Date "Date" Text null usual "Day of the game, `?` for what is unknown: `1987.04.??`; null if all is";
    Year "Year" Int16 null usual "Year of `Date`";
    Month "Month" Int16 null usual "Month of `Date`, 1 to 12";
    Day "Day" Int16 null usual "Day of `Date`, 1 to 31";
    Round "Round" Text null usual "Round: `3.1`";
    Fen "FEN" Text null usual "Start position; null if it is the usual one";
    Plies "plies" Int32 never usual "Half-moves of the main line";
    Moves "moves" UciList never usual "The main line in UCI notation; castling is `e1g1`, in Chess960 `e1h1`";
    MoveCodes "move_codes" UInt16List never usual "The main line in 16 bits a move: bits 0-5 from, 6-11 to, 12-14 promotion (1 knight, 2 bishop, 3 rook, 4 queen); a1 is 0, b1 is 1; castling is the king to its rook's square, a null move 0";
    FinalHash "final_hash" UInt64 never usual "Polyglot's hash of the last position of the main line";
    OtherTags "tags" TextMap never usual "All other tags, and odd spellings of those above";
    Source "source" Text null usual "File the game was read from";
    Game "game" Int64 null usual "Number of the game in its file, from 1";
    Damage "damage" Text null usual "Why the game did not read to its end; null if it did";
    Deviations "deviations" Text null asked "Names of what was tolerated in the game, with commas: `pgn-illegal-move`; null if nothing was. `convert` and `check` explain the names";
    BaseSeconds "base_seconds" Float64 null asked "Time of each player at the start in seconds, from `TimeControl`; null if that says nothing certain ([rule](filters.md#how-fast-a-game-was))";
    Increment "increment" Float64 null asked "Time added for each move in seconds, from `TimeControl`, as `base_seconds`";
    TimeClass "time_class" Text never asked "`bullet`, `blitz`, `rapid`, `classical`, `correspondence` or `unknown`, from `TimeControl` or else the words of tags";
    OpeningName "opening_name" Text null asked "Name of the opening by the moves, as in lichess-org/chess-openings";
    Offset "offset" Int64 null asked "Offset of the game's first byte in its text; null for a database or a table. In a compressed file it counts unpacked bytes, and in a part of a file from the beginning of the part";
    Variant "variant" Text never asked "`standard`, `chess960`, or the name of another variant as the game gives it";
}

fields! { PLIES:
    Game "game" Int64 null usual "Number of the game in its file, from 1";
    Ply "ply" Int32 never usual "Half-moves from the start of the game to the position after this one, on this line";
    Depth "depth" Int16 never usual "How many variations it stands in; 0 is the main line";
    Variation "variation" Int32 never usual "Which line of the game: 0 is the main line, then by beginning";
    Move "move" Text never usual "The move in UCI notation; castling is `e1g1`, in Chess960 `e1h1`; a null move `0000`";
    San "san" Text never usual "The move in standard algebraic notation";
    MoveCode "move_code" Int32 never usual "The move in 16 bits, as `move_codes` of games";
    Hash "hash" UInt64 never usual "Polyglot's hash of the position after the move";
    Clock "clock" Float64 null usual "What was left on the mover's clock, in seconds, from `[%clk]` in the comment; null if `1:30` can be minutes or hours";
    Evaluation "eval" Float64 null usual "Evaluation in pawns, positive if White is better, from `[%eval]`; a whole number with a depth, as `[%eval 23,14]`, is in hundredths";
    Mate "mate" Int16 null usual "Moves to mate, negative if Black mates, from `[%eval #]`";
    Nags "nags" UInt16List never usual "The move's NAGs";
    Comment "comment" Text null usual "Comments on the move, with their commands; several are joined by a space, and an empty one is null";
    CommentBefore "comment_before" Text null usual "Comments before the move, at the beginning of its line";
    Source "source" Text null usual "File the game was read from";
    PlyFen "fen" Text never asked "FEN of the position after the move";
    Board "board" Bytes32 never asked "The board after the move, half a byte a square, a1 in the low half of the first: 0 empty, 1-6 White's pawn, knight, bishop, rook, queen, king, 9-14 Black's";
    Turn "turn" Text never asked "Side that makes the move: `w` or `b`";
    Castling "castling" Text never asked "Castling rights before the move, as in a FEN: `KQkq`, `-`";
    EnPassant "ep" Text null asked "Square on which the move can capture en passant: `e3`";
    BoardBefore "board_before" Bytes32 never asked "The board before the move, as `board`";
    Result "result" Text never asked "Result of the game: `1-0`, `0-1`, `1/2-1/2` or `*`";
    WhiteElo "white_elo" Int16 null asked "Rating of White";
    BlackElo "black_elo" Int16 null asked "Rating of Black";
    SecondsSpent "seconds_spent" Float64 null asked "Time that the move took in seconds: `[%emt]`, or in the main line the difference of the mover's clocks plus the increment; null if negative; 0 for the first move of each side on Lichess, where no clock runs before it";
    BaseSeconds "base_seconds" Float64 null asked "Time of each player at the start in seconds, from `TimeControl`; null if that says nothing certain ([rule](filters.md#how-fast-a-game-was))";
    Increment "increment" Float64 null asked "Time added for each move in seconds, from `TimeControl`, as `base_seconds`";
    TimeClass "time_class" Text never asked "`bullet`, `blitz`, `rapid`, `classical`, `correspondence` or `unknown`, as in the table of games";
    OpeningName "opening" Text null asked "Name of the game's opening by the moves, as in lichess-org/chess-openings";
    Year "year" Int16 null asked "Year of the game";
    Variant "variant" Text never asked "`standard`, `chess960`, or the name of another variant as the game gives it";
}

impl Rows {
    /// Returns all columns of such rows, in order.
    #[must_use]
    pub fn fields(self) -> &'static [Field] {
        match self {
            Rows::Games => GAMES,
            Rows::Plies => PLIES,
        }
    }

    /// Returns the column with this name.
    #[must_use]
    pub fn field(self, name: &str) -> Option<&'static Field> {
        self.fields().iter().find(|field| field.name == name)
    }

    /// Returns the default columns.
    pub fn usual(self) -> impl Iterator<Item = &'static Field> {
        self.fields().iter().filter(|field| field.usual)
    }

    /// Returns `games` or `plies`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Rows::Games => "games",
            Rows::Plies => "plies",
        }
    }
}

/// Tags of the PGN standard and of common programs that can be columns by their name alone.
const KNOWN_TAGS: [&str; 34] = [
    "Annotator",
    "BlackFideId",
    "BlackNA",
    "BlackTeam",
    "BlackType",
    "Board",
    "ChapterName",
    "EndTime",
    "EventCategory",
    "EventCountry",
    "EventRounds",
    "EventSponsor",
    "EventType",
    "GameId",
    "LichessURL",
    "Link",
    "Mode",
    "NIC",
    "PlyCount",
    "Section",
    "Source",
    "SourceDate",
    "SourceTitle",
    "Stage",
    "StudyName",
    "SubVariation",
    "Time",
    "Variant",
    "Variation",
    "WhiteFideId",
    "WhiteNA",
    "WhiteTeam",
    "WhiteType",
    "ChapterURL",
];

/// Maximum number of different tags that a process can select. Their names stay in memory.
const MAX_TAG_COLUMNS: usize = 1000;

/// Returns the column of a tag: `tag:` and its name, or only the name of a [known](KNOWN_TAGS) tag.
pub(crate) fn tag_field(column: &str) -> Option<&'static Field> {
    static FIELDS: Mutex<BTreeMap<String, &'static Field>> = Mutex::new(BTreeMap::new());
    let known = || KNOWN_TAGS.contains(&column).then_some(column);
    let name = column.strip_prefix("tag:").or_else(known)?;
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if name.is_empty() || name.len() > 255 || !name.bytes().all(is_part) {
        return None;
    }
    let mut fields = FIELDS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(field) = fields.get(name) {
        return Some(field);
    }
    if fields.len() >= MAX_TAG_COLUMNS {
        return None;
    }
    let field: &'static Field = Box::leak(Box::new(Field {
        name: String::leak(name.to_owned()),
        kind: Kind::Text,
        nullable: true,
        usual: false,
        help: "A tag of the game",
        of: Of::AnyTag,
    }));
    fields.insert(name.to_owned(), field);
    Some(field)
}

/// Returns whether a tag has its own column in the table of games.
pub(crate) fn has_column(name: &str) -> bool {
    GAMES.iter().any(|field| {
        field.name == name
            && matches!(field.of, Of::Tag | Of::SignedTag | Of::DateTag | Of::TimeTag)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_names_are_distinct() {
        for rows in [Rows::Games, Rows::Plies] {
            for field in rows.fields() {
                assert_eq!(rows.field(field.name), Some(field));
            }
        }
    }
}
