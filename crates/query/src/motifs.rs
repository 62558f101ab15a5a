//! Words that stand for queries in CQL.

use crate::{CqlTest, QueryError};

/// How a game ends on the board.
const ENDS: &[(&str, &str)] = &[
    ("mate", "terminal mate"),
    ("stalemate", "terminal stalemate"),
    ("check", "terminal check not mate"),
    ("bare-kings", "terminal [Aa]==2"),
    ("neither", "terminal not {mate or stalemate}"),
];

/// Motifs of a game.
const MOTIFS: &[(&str, &str)] = &[
    ("promotion", "move promote A"),
    ("underpromotion", "--=[RBN]"),
    ("en-passant", "move enpassant"),
    ("en-passant-mate", "move enpassant child:mate"),
    ("castling-check", "{o-o or o-o-o} child:check"),
    ("castling-mate", "{o-o or o-o-o} child:mate"),
    ("opposite-castling", "initial flipcolor {find {move from K o-o} find {move from k o-o-o}}"),
    ("no-castling", "initial not find {o-o or o-o-o}"),
    ("double-check", "flipcolor 2<=A attacks k"),
    ("smothered-mate", "flipcolor {btm mate N attacks k not _ attackedby k}"),
    ("back-rank-mate", "flipcolor {btm mate ka-h8 [RQ]a-h8 attacks k not _a-h7 attackedby k}"),
    ("greek-gift", "flipcolor path B[x]ph7(check) k[x]B N--g5(check)"),
    ("excelsior", "initial flipcolor {piece x in Pa-h2 find {x & [QRBN]a-h8}}"),
    ("opposite-bishops", "B==1 b==1 [NRQnrq]==0 {{light B dark b} or {dark B light b}}"),
];

/// Parses words for the end of a game, with commas between them.
pub(crate) fn ends(text: &str) -> Result<Vec<CqlTest>, QueryError> {
    words(text, ENDS, "an end of a game; write mate, stalemate, check, bare-kings or neither")
}

/// Parses words for motifs, with commas between them.
pub(crate) fn motifs(text: &str) -> Result<Vec<CqlTest>, QueryError> {
    let what = "a motif; write promotion, underpromotion, en-passant, en-passant-mate, castling-check, \
                castling-mate, opposite-castling, no-castling, double-check, smothered-mate, back-rank-mate, \
                greek-gift, excelsior or opposite-bishops";
    words(text, MOTIFS, what)
}

fn words(
    text: &str,
    table: &[(&str, &str)],
    what: &'static str,
) -> Result<Vec<CqlTest>, QueryError> {
    if text.trim().is_empty() {
        return Err(QueryError::Empty);
    }
    let test = |word: &str| {
        let known = table.iter().find(|(name, _)| name.eq_ignore_ascii_case(word.trim()));
        let (_, query) = known.ok_or_else(|| QueryError::unreadable(word.trim(), what))?;
        CqlTest::parse(query)
    };
    text.split(',').map(test).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_each_table_stand_for_queries_without_warnings() {
        for (table, what) in [(ENDS, "ends"), (MOTIFS, "motifs")] {
            let names: Vec<&str> = table.iter().map(|(name, _)| *name).collect();
            let tests = words(&names.join(", "), table, what).unwrap();
            for (test, (name, query)) in tests.iter().zip(table) {
                assert_eq!(test.query().text(), *query);
                assert!(test.query().warnings().is_empty(), "{name}");
            }
            let message = match ends("checkers").unwrap_err() {
                QueryError::Unreadable { text, .. } => text,
                other => other.to_string(),
            };
            assert_eq!(message, "checkers");
        }
        // The messages list the words of the tables.
        for (error, table) in [(ends("x"), ENDS), (motifs("x"), MOTIFS)] {
            let error = error.unwrap_err().to_string();
            assert!(table.iter().all(|(name, _)| error.contains(name)), "{error}");
        }
        assert!(ends("").is_err() && motifs("castling-mate,").is_err());
    }
}
