//! The words of the language and of other versions.

use chess_core::Color;
use strsim::osa_distance;

use crate::expr::{Kind, Operator, Pawns, Relation};

/// The words that begin a filter or belong to one, in alphabetical order.
#[rustfmt::skip]
pub(crate) const WORDS: &[&str] = &[
    "abs", "all", "and", "anydirection", "attackedby", "attacks", "between", "black", "btm",
    "capture", "castle", "check", "child", "comment", "connectedpawns", "count", "cql",
    "currentposition", "dark", "date", "depth", "diagonal", "doubledpawns", "down", "eco", "elo",
    "else", "enpassant", "enpassantsquare", "event", "eventdate", "false", "file", "find", "flip",
    "flipcolor", "fliphorizontal", "flipvertical", "from", "gamenumber", "hascomment",
    "horizontal", "if", "in", "initial", "isolatedpawns", "lastposition", "left", "legal", "light",
    "line", "mainline", "mate", "max", "message", "min", "move", "movenumber", "nestban",
    "northeast", "northwest", "not", "notransform", "null", "o-o", "o-o-o", "or",
    "originalcomment", "orthogonal", "parent", "passedpawns", "path", "persistent", "piece", "pin",
    "player", "ply", "positionid", "power", "previous", "primary", "promote", "pseudolegal",
    "quiet", "rank", "ray", "result", "reversecolor", "right", "rotate90", "secondary", "shift",
    "shifthorizontal", "shiftvertical", "singlecolor", "site", "sort", "southeast", "southwest",
    "square", "stalemate", "tag", "terminal", "then", "through", "to", "true", "up", "variation",
    "vertical", "white", "wtm", "xray", "year",
];

/// The filters of a single word.
pub(crate) const SIMPLE: &[(&str, Kind)] = &[
    ("check", Kind::Check),
    ("mate", Kind::Mate),
    ("stalemate", Kind::Stalemate),
    ("wtm", Kind::Turn(Color::White)),
    ("btm", Kind::Turn(Color::Black)),
    ("initial", Kind::Initial),
    ("terminal", Kind::Terminal),
    ("mainline", Kind::Mainline(true)),
    ("variation", Kind::Mainline(false)),
    ("primary", Kind::Primary(true)),
    ("secondary", Kind::Primary(false)),
    ("true", Kind::Constant(true)),
    ("false", Kind::Constant(false)),
    ("ply", Kind::Ply),
    ("movenumber", Kind::MoveNumber),
    ("depth", Kind::Depth),
    ("gamenumber", Kind::GameNumber),
    ("positionid", Kind::PositionId),
    ("year", Kind::Year),
    ("passedpawns", Kind::Pawns(Pawns::Passed)),
    ("doubledpawns", Kind::Pawns(Pawns::Doubled)),
    ("isolatedpawns", Kind::Pawns(Pawns::Isolated)),
    ("connectedpawns", Kind::Pawns(Pawns::Connected)),
    ("currentposition", Kind::Current),
    ("parent", Kind::Parent),
    ("child", Kind::Child),
];

pub(crate) const RELATIONS: &[(&str, Relation)] = &[
    ("==", Relation::Equal),
    ("!=", Relation::Unequal),
    ("<", Relation::Less),
    ("<=", Relation::AtMost),
    (">", Relation::More),
    (">=", Relation::AtLeast),
];

pub(crate) const OPERATORS: &[(&str, Operator)] = &[
    ("+", Operator::Add),
    ("-", Operator::Subtract),
    ("*", Operator::Multiply),
    ("/", Operator::Divide),
    ("%", Operator::Remainder),
];

/// Returns what a word of `table` means.
pub(crate) fn named<'t, T>(table: &'t [(&str, T)], word: &str) -> Option<&'t T> {
    table.iter().find(|(known, _)| *known == word).map(|(_, meaning)| meaning)
}

/// Returns the word of `table` that means this.
pub(crate) fn name_of<T: PartialEq>(table: &[(&'static str, T)], meaning: &T) -> &'static str {
    table.iter().find(|(_, known)| known == meaning).map_or("?", |(word, _)| word)
}

/// Words that stand between two filters or after one, and so begin none.
pub(crate) const INFIX: &[&str] =
    &["and", "or", "in", "attacks", "attackedby", "then", "else", "from", "to", "through"];

/// Filters of CQL 5 and their new forms.
pub(crate) const OLD: &[(&str, &str)] = &[
    ("attack", "x attacks y"),
    ("countsquares", "F==2 for a filter F, or #F"),
    ("gametype", "nothing"),
    ("next", "line --> F --> G"),
    ("next2", "line singlecolor --> F --> G"),
    ("nextlist", "line --> F --> G"),
    ("on", "x & y"),
    ("previous", "line <-- F <-- G"),
    ("previous2", "line singlecolor <-- F <-- G"),
    ("relation", "nothing"),
    ("sumrange", "a number compared with its range, such as 2<=#A<=5"),
];

/// Filters of CQL 6 that are left out.
#[rustfmt::skip]
pub(crate) const LEFT_OUT: &[&str] = &[
    "ancestor", "ascii", "assert", "colortype", "consecutivemoves", "descendant", "dictionary",
    "distance", "echo", "fen", "focus", "function", "hhdb", "imagine", "indexof", "int", "isbound",
    "isunbound", "keepallbest", "lca", "local", "loop", "lowercase", "makesquare", "modelmate",
    "piecename", "pieceid", "piecepath", "position", "puremate", "readfile", "removecomment",
    "reversemove", "rotate45", "settag", "sidetomove", "speculative", "sqrt", "str", "title",
    "type", "typename", "unbind", "uppercase", "virtualmainline", "while", "writefile",
];

/// Returns the word of the language that `word` probably means.
pub(crate) fn nearest(word: &str) -> Option<&'static str> {
    let most = match word.chars().count() {
        0..=3 => return None,
        4..=6 => 1,
        _ => 2,
    };
    let near = WORDS.iter().map(|known| (osa_distance(word, known), *known)).min()?;
    (near.0 <= most).then_some(near.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_misspelt_word_is_found() {
        for (word, known) in [
            ("passdpawns", Some("passedpawns")),
            ("flipcolour", Some("flipcolor")),
            ("maet", Some("mate")),
            ("stalemat", Some("stalemate")),
            ("zzzzzz", None),
            ("x", None),
        ] {
            assert_eq!(nearest(word), known, "{word}");
        }
    }

    #[test]
    fn words_of_all_lists_are_distinct() {
        for word in WORDS {
            // `move previous` is CQL 6, `previous (a b)` is CQL 5.
            let is_old = *word != "previous" && OLD.iter().any(|(old, _)| old == word);
            assert!(!LEFT_OUT.contains(word) && !is_old, "{word}");
        }
    }
}
