//! Queries of Scoutfish, which are JSON, as queries in CQL.
//!
//! A condition is about a position and the move that is played from it, and becomes a block. The conditions
//! of a `streak` hold at consecutive positions. The conditions of a `sequence` hold at later and later ones:
//!
//! ```text
//! {"sub-fen": "8/8/p7/8/8/8/8/8", "stm": "white"}                {wtm pa6}
//! {"streak": [{"white-move": "e5"}, {"captured": "P"}]}          line --> {wtm Pe1-8--e5} --> {[x][Pp]}
//! {"sequence": [{"pass": ""}, {"material": "KRK"}]}              line --> {true} --> .* --> {Q==0 R==1 ...}
//! ```

use serde_json::Value;

use crate::QueryError;

/// Translates a query of Scoutfish. `None` if `text` is no JSON object, and so perhaps CQL.
pub(crate) fn translate(text: &str) -> Option<Result<String, QueryError>> {
    let value: Value = serde_json::from_str(text.trim()).ok().filter(Value::is_object)?;
    Some(condition(&value, true).map_err(QueryError::Cql))
}

fn condition(value: &Value, is_outermost: bool) -> Result<String, String> {
    let rules = value.as_object().ok_or("a condition of Scoutfish is an object of rules")?;
    let text = |name: &str| rules.get(name).map(|value| words(value, name)).transpose();
    let mut parts: Vec<String> = Vec::new();
    for (name, value) in rules {
        let part = match name.as_str() {
            "sub-fen" => one_of(words(value, name)?, sub_fen)?,
            "material" => one_of(words(value, name)?, material)?,
            "imbalance" => one_of(words(value, name)?, imbalance)?,
            "white-move" => one_of(words(value, name)?, |san| played(san, true))?,
            "black-move" => one_of(words(value, name)?, |san| played(san, false))?,
            "result" => one_of(words(value, name)?, |result| match result {
                "1-0" | "0-1" | "1/2-1/2" | "*" => Ok(format!("result {result}")),
                _ => Err(format!("{result:?} is no result")),
            })?,
            "result-type" => one_of(words(value, name)?, |kind| match kind {
                "mate" | "stalemate" => Ok(format!("find {{terminal {kind}}}")),
                _ => Err(format!("{kind:?} is no result-type: write mate or stalemate")),
            })?,
            "stm" => one_of(words(value, name)?, |side| match side {
                "white" => Ok("wtm".to_owned()),
                "black" => Ok("btm".to_owned()),
                _ => Err(format!("{side:?} is no side: write white or black")),
            })?,
            "moved" => moved(Some(words(value, name)?), text("captured")?)?,
            "captured" if rules.contains_key("moved") => continue,
            "captured" => moved(None, Some(words(value, name)?))?,
            "pass" => "true".to_owned(),
            "streak" => format!("line --> {}", list(value, " --> ", false)?),
            "sequence" if is_outermost => {
                format!("line --> {}", list(value, " --> .* --> ", true)?)
            }
            "sequence" => return Err("a sequence of Scoutfish stands outermost".to_owned()),
            "limit" | "skip" => return Err(format!("{name:?} chooses no games: use --limit")),
            _ => {
                return Err(format!(
                    "{name:?} is no rule of Scoutfish; these are sub-fen, material, imbalance, \
                     white-move, black-move, moved, captured, result, result-type, stm, pass, \
                     sequence and streak"
                ));
            }
        };
        parts.push(part);
    }
    if parts.is_empty() {
        return Err("a condition of Scoutfish has at least one rule".to_owned());
    }
    Ok(format!("{{{}}}", parts.join(" ")))
}

/// The conditions of a sequence or streak. In a sequence a streak is a group.
fn list(value: &Value, between: &str, has_streaks: bool) -> Result<String, String> {
    let list = value.as_array().filter(|list| !list.is_empty());
    let list = list.ok_or("a sequence or streak is a list of conditions")?;
    let item = |value: &Value| match value.as_object().filter(|rules| rules.len() == 1) {
        Some(rules) if has_streaks => match rules.get("streak") {
            Some(streak) => self::list(streak, " --> ", false).map(|items| format!("({items})")),
            None => condition(value, false),
        },
        _ => condition(value, false),
    };
    Ok(list.iter().map(item).collect::<Result<Vec<_>, _>>()?.join(between))
}

/// The text of a rule, or its texts.
fn words<'a>(value: &'a Value, rule: &str) -> Result<Vec<&'a str>, String> {
    let wrong = || format!("the rule {rule:?} has a text, or a list of texts");
    match value {
        Value::String(text) => Ok(vec![text]),
        Value::Array(list) if !list.is_empty() => {
            list.iter().map(|text| text.as_str().ok_or_else(wrong)).collect()
        }
        _ => Err(wrong()),
    }
}

fn one_of(
    words: Vec<&str>,
    filter: impl Fn(&str) -> Result<String, String>,
) -> Result<String, String> {
    let filters: Vec<String> = words.into_iter().map(filter).collect::<Result<_, _>>()?;
    match filters.as_slice() {
        [only] => Ok(only.clone()),
        _ => Ok(format!("{{{{{}}}}}", filters.join("} or {"))),
    }
}

/// The pieces of a FEN on their squares. Empty squares may have anything.
fn sub_fen(fen: &str) -> Result<String, String> {
    let wrong = || format!("{fen:?} is no board of a FEN");
    let board = fen.split_ascii_whitespace().next().ok_or_else(wrong)?;
    let rows: Vec<&str> = board.split('/').collect();
    if rows.len() != 8 {
        return Err(wrong());
    }
    let mut filters: Vec<String> = Vec::new();
    for (rank, row) in (1..=8_u32).rev().zip(rows) {
        let mut files = 'a'..='h';
        for letter in row.chars() {
            if let Some(empty) = letter.to_digit(9).filter(|empty| *empty > 0) {
                for _ in 0..empty {
                    files.next().ok_or_else(wrong)?;
                }
            } else if "KQRBNPkqrbnp".contains(letter) {
                let file = files.next().ok_or_else(wrong)?;
                filters.push(format!("{letter}{file}{rank}"));
            } else {
                return Err(wrong());
            }
        }
        if files.next().is_some() {
            return Err(wrong());
        }
    }
    Ok(if filters.is_empty() { "true".to_owned() } else { filters.join(" ") })
}

/// The pieces whose numbers make the material.
const COUNTED: [char; 5] = ['Q', 'R', 'B', 'N', 'P'];

fn count(pieces: &str, letter: char) -> usize {
    pieces.chars().filter(|own| *own == letter).count()
}

/// The material of both sides: `KBNKP`.
fn material(text: &str) -> Result<String, String> {
    let wrong = || format!("{text:?} is no material of Scoutfish: write KRPKR");
    let (white, black) =
        text.strip_prefix('K').and_then(|rest| rest.split_once('K')).ok_or_else(wrong)?;
    if !white.chars().chain(black.chars()).all(|letter| COUNTED.contains(&letter)) {
        return Err(wrong());
    }
    let of = |letter: char| {
        let (own, other) = (count(white, letter), count(black, letter));
        format!("{letter}=={own} {}=={other}", letter.to_ascii_lowercase())
    };
    Ok(COUNTED.map(of).join(" "))
}

/// The pieces that White has more, `v`, and the pieces that Black has more: `PPvN`.
fn imbalance(text: &str) -> Result<String, String> {
    let wrong = || format!("{text:?} is no imbalance of Scoutfish: write PPvN");
    let (white, black) = text.split_once('v').ok_or_else(wrong)?;
    if !white.chars().chain(black.chars()).all(|letter| COUNTED.contains(&letter)) {
        return Err(wrong());
    }
    let of = |letter: char| {
        let (more, less) = (count(white, letter), count(black, letter));
        let small = letter.to_ascii_lowercase();
        if more >= less {
            format!("#{letter}-#{small}=={}", more.saturating_sub(less))
        } else {
            format!("#{small}-#{letter}=={}", less.saturating_sub(more))
        }
    };
    Ok(COUNTED.map(of).join(" "))
}

/// A move in SAN, whose check and mate signs do not matter.
fn played(san: &str, is_white: bool) -> Result<String, String> {
    let wrong = || format!("{san:?} is no move in SAN");
    let side = if is_white { "wtm" } else { "btm" };
    let body = san.trim().trim_end_matches(['+', '#', '!', '?']);
    match body {
        "O-O" | "0-0" => return Ok(format!("{side} o-o")),
        "O-O-O" | "0-0-0" => return Ok(format!("{side} o-o-o")),
        _ => {}
    }
    let (body, promotion) = match body.split_once('=') {
        Some((body, piece)) if matches!(piece, "Q" | "R" | "B" | "N") => {
            (body, format!("={piece}"))
        }
        Some(_) => return Err(wrong()),
        None => (body, String::new()),
    };
    let piece = body.chars().next().filter(|letter| "KQRBN".contains(*letter));
    let squares = body.get(piece.map_or(0, char::len_utf8)..).unwrap_or_default();
    let (from, is_capture) = match squares.split_once('x') {
        Some((from, to)) => (format!("{from}{to}"), true),
        None => (squares.to_owned(), false),
    };
    let is_file = |letter: &char| ('a'..='h').contains(letter);
    let is_rank = |letter: &char| ('1'..='8').contains(letter);
    let letters: Vec<char> = from.chars().collect();
    let (before, file, rank) = match letters.as_slice() {
        [before @ .., file, rank] if is_file(file) && is_rank(rank) => (before, *file, *rank),
        _ => return Err(wrong()),
    };
    let from = match (before, piece) {
        // A pawn that takes nothing stays on its file.
        ([], None) if !is_capture => format!("{file}1-8"),
        ([], Some(_)) => String::new(),
        ([own], _) if is_file(own) => format!("{own}1-8"),
        ([own], Some(_)) if is_rank(own) => format!("a-h{own}"),
        ([own, row], _) if is_file(own) && is_rank(row) => format!("{own}{row}"),
        _ => return Err(wrong()),
    };
    let piece = piece.unwrap_or('P');
    let piece = if is_white { piece } else { piece.to_ascii_lowercase() };
    let sign = if is_capture { "[x]" } else { "--" };
    Ok(format!("{side} {piece}{from}{sign}{file}{rank}{promotion}"))
}

/// A move by the kinds of the man that moves and of the man that is taken. No kind taken is a quiet move.
fn moved(moved: Option<Vec<&str>>, captured: Option<Vec<&str>>) -> Result<String, String> {
    let kinds = |words: Vec<&str>| {
        let kinds = words.concat();
        if !kinds.chars().all(|letter| "KQRBNP".contains(letter)) {
            return Err(format!("{kinds:?} names no pieces: write letters of KQRBNP"));
        }
        let both = format!("[{kinds}{}]", kinds.to_ascii_lowercase());
        Ok(if kinds.is_empty() { String::new() } else { both })
    };
    let from = moved.map(kinds).transpose()?;
    if from.as_deref() == Some("") {
        return Err("the rule \"moved\" names a piece".to_owned());
    }
    let from = from.unwrap_or_default();
    Ok(match captured.map(kinds).transpose()? {
        None => format!("{from}--"),
        Some(none) if none.is_empty() => format!("{from}-- not [x]"),
        Some(taken) => format!("{from}[x]{taken}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CqlTest;

    #[test]
    fn translate_each_rule_gives_query() {
        for (json, query) in [
            (r#"{"sub-fen": "8/8/p7/8/8/1B3N2/8/8"}"#, "{pa6 Bb3 Nf3}"),
            (
                r#"{"sub-fen": ["8/8/8/q7/8/8/8/8", "8/8/8/r7/8/8/8/8"], "stm": "black"}"#,
                "{btm {{qa5} or {ra5}}}",
            ),
            (r#"{"result": ["1-0", "0-1"]}"#, "{{{result 1-0} or {result 0-1}}}"),
            (r#"{"result-type": "mate"}"#, "{find {terminal mate}}"),
            (r#"{"material": "KRPKR"}"#, "{Q==0 q==0 R==1 r==1 B==0 b==0 N==0 n==0 P==1 p==0}"),
            (r#"{"imbalance": "PPvN"}"#, "{#Q-#q==0 #R-#r==0 #B-#b==0 #n-#N==1 #P-#p==2}"),
            (r#"{"white-move": "e8=Q+"}"#, "{wtm Pe1-8--e8=Q}"),
            (r#"{"black-move": ["O-O-O", "Rac1"]}"#, "{{{btm o-o-o} or {btm ra1-8--c1}}}"),
            (r#"{"white-move": "Bxh7"}"#, "{wtm B[x]h7}"),
            (r#"{"black-move": "dxe5"}"#, "{btm pd1-8[x]e5}"),
            (r#"{"white-move": "N1f3"}"#, "{wtm Na-h1--f3}"),
            (r#"{"moved": "KP", "captured": "Q"}"#, "{[KPkp][x][Qq]}"),
            (r#"{"captured": ""}"#, "{-- not [x]}"),
            (r#"{"moved": "K"}"#, "{[Kk]--}"),
            (
                r#"{"streak": [{"imbalance": "vP"}, {"pass": ""}]}"#,
                "{line --> {#Q-#q==0 #R-#r==0 #B-#b==0 #N-#n==0 #p-#P==1} --> {true}}",
            ),
            (
                r#"{"sequence": [{"pass": ""}, {"streak": [{"stm": "white"}, {"captured": "Q"}]}]}"#,
                "{line --> {true} --> .* --> ({wtm} --> {[x][Qq]})}",
            ),
        ] {
            assert_eq!(translate(json).unwrap().unwrap(), query);
            assert_eq!(CqlTest::parse(json).unwrap().query().text(), query);
        }
        assert_eq!(translate("{ Pe4 pe5 }"), None);
        assert_eq!(translate("mate"), None);
    }

    #[test]
    fn translate_what_scoutfish_lacks_is_error() {
        for (json, message) in [
            ("{}", "at least one rule"),
            (r#"{"sub-fem": "8/8/8/8/8/8/8/8"}"#, "is no rule of Scoutfish"),
            (r#"{"sub-fen": "8/8/8/8/8/8/8/7"}"#, "is no board of a FEN"),
            (r#"{"sub-fen": 8}"#, "has a text"),
            (r#"{"material": "RKR"}"#, "is no material"),
            (r#"{"imbalance": "PP"}"#, "is no imbalance"),
            (r#"{"white-move": "e9"}"#, "is no move in SAN"),
            (r#"{"white-move": "xe5"}"#, "is no move in SAN"),
            (r#"{"white-move": "é"}"#, "is no move in SAN"),
            (r#"{"moved": ""}"#, "names a piece"),
            (r#"{"moved": "X"}"#, "names no pieces"),
            (r#"{"limit": 10, "pass": ""}"#, "use --limit"),
            (r#"{"streak": []}"#, "list of conditions"),
            (r#"{"streak": [{"sequence": [{"pass": ""}]}]}"#, "stands outermost"),
        ] {
            let error = CqlTest::parse(json).unwrap_err().to_string();
            assert!(error.contains(message), "{json}: {error}");
        }
    }
}
