//! Reading and writing canonical JSON. (docs/model.md §5 "Canonical lines")

use std::fmt::Debug;
use std::fs;
use std::path::Path;

use chess_core::{Date, Eco, Elo, Game, GameResult, Header, Move, Nag, Position, Square, Token};
use serde_json::{from_str, from_value, to_string};

/// Every line of every fixture is reproduced byte for byte. For a damaged game this is the part
/// before the damage.
#[test]
fn json_canonical_line_reads_back() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let mut files = Vec::new();
    for format in fs::read_dir(fixtures).unwrap() {
        for case in fs::read_dir(format.unwrap().path()).unwrap() {
            files.extend(fs::read_to_string(case.unwrap().path().join("expected.jsonl")));
        }
    }
    let lines: Vec<&str> = files.iter().flat_map(|file| file.lines()).collect();
    assert!(lines.len() > 1000, "{} lines", lines.len());
    for line in lines {
        let canonical = match line.strip_prefix("{\"error\":") {
            None => to_string(&from_str::<Game>(line).unwrap()).unwrap(),
            Some(_) => {
                let mut damaged: serde_json::Value = from_str(line).unwrap();
                let game: Game = from_value(damaged["game"].take()).unwrap();
                let (error, game) = (&damaged["error"], to_string(&game).unwrap());
                format!("{{\"error\":{error},\"game\":{game}}}")
            }
        };
        assert_eq!(canonical, line);
    }
}

#[test]
fn json_game_reads_back_equal() {
    let mut game = Game::new();
    for (name, value) in
        [("White", "\u{c9}mile \"A\""), ("Date", "1999.1.2"), ("WhiteElo", "02500"), ("x", "\t")]
    {
        game.header.set(name, value);
    }
    game.set_start_fen("4k3/8/8/8/8/8/8/4K2R w K").unwrap();
    let moves = ["e1h1", "e8e7", "0000"].map(|m| m.parse().unwrap());
    for token in [
        Token::Comment("{}"),
        Token::Move(moves[0]),
        Token::Nag(Nag(300)),
        Token::VariationStart,
        Token::Comment(""),
        Token::Move(moves[2]),
        Token::VariationEnd,
        Token::Move(moves[1]),
    ] {
        game.push(token).unwrap();
    }
    let text = to_string(&game).unwrap();
    assert_eq!(from_str::<Game>(&text).unwrap(), game);
    let header = to_string(&game.header).unwrap();
    assert_eq!(from_str::<Header>(&header).unwrap(), game.header);
    let members = [("line", "[\"e2e4\"]"), ("fen", "null"), ("tags", "[]")];
    let text = members.map(|(name, value)| format!("\"{name}\":{value}")).join(", ");
    assert_eq!(from_str::<Game>(&format!("{{ {text} }}")).unwrap().ply_count(), 1);
}

#[test]
fn json_invalid_line_is_described_error() {
    let line = |line: &str| format!(r#"{{"tags":[],"fen":null,"line":[{line}]}}"#);
    let tags = |tags: &str| format!(r#"{{"tags":[{tags}],"fen":null,"line":[]}}"#);
    for (text, error) in [
        (line(r#""e2e4","e9""#), "token 2 of the line: \"e9\": a move is written like"),
        (line(r#""e2e4","$x""#), "token 2 of the line: \"$x\": a NAG is written"),
        (line(r#""(""#), "token 1 of the line: a variation starts where there is no move"),
        (line(r#""e2e4",")""#), "token 2 of the line: a variation ends that was never started"),
        (line(r#""e2e4","(""#), "the line ends inside a variation"),
        (line(r#""e2e4","(","d2d4","(""#), "the line ends inside 2 variations"),
        (
            line("7"),
            "invalid type: integer `7`, expected a move, a NAG, a parenthesis or a comment",
        ),
        (line(r#"{"note":"x"}"#), "unknown field `note`, expected `comment`"),
        (line("{}"), "missing field `comment`"),
        (line(r#"{"comment":"a","b":1}"#), "unknown field `b`, expected `comment`"),
        (line(r#"{"comment":1}"#), "invalid type: integer `1`, expected a string"),
        (tags(r#"["White","A"],["White","B"]"#), "the tag White comes twice"),
        (tags(r#"["White"]"#), "invalid length 1"),
        (tags(r#"{"White":"A"}"#), "invalid type: map"),
        (r#"{"tags":[],"line":[]}"#.into(), "missing field `fen`"),
        (r#"{"tags":[],"tags":[]}"#.into(), "duplicate field `tags`"),
        (r#"{"tags":[],"moves":[]}"#.into(), "unknown field `moves`, expected one of"),
        (r#"{"fen":"8/8"}"#.into(), "the FEN has 2 ranks, not eight"),
        ("[]".into(), "invalid type: sequence, expected a game with the members"),
    ] {
        let found = from_str::<Game>(&text).unwrap_err().to_string();
        assert!(found.starts_with(error), "{text}: {found}");
    }
}

#[test]
fn json_values_are_text() {
    fn check<T>(text: &str, wrong: &str, error: &str)
    where
        T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + Debug,
    {
        let quoted = format!("\"{text}\"");
        let value: T = from_str(&quoted).unwrap();
        assert_eq!(to_string(&value).unwrap(), quoted);
        let found = from_str::<T>(&format!("\"{wrong}\"")).unwrap_err().to_string();
        assert!(found.starts_with(&format!("\"{wrong}\": {error}")), "{found}");
        assert!(from_str::<T>("1").unwrap_err().to_string().starts_with("invalid type"));
    }
    check::<Square>("e4", "e9", "a square is written");
    check::<Move>("e7e8q", "e7e8k9", "a move is written");
    check::<Nag>("$14", "14", "a NAG is written");
    check::<Date>("1987.04.??", "1987.4", "a date is written");
    check::<Eco>("B90k2", "G00", "an ECO code is written");
    check::<Elo>("2851", "0", "a rating is a number");
    check::<GameResult>("1/2-1/2", "1/2", "a result is");
    check::<Position>("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "8/8 w", "the FEN has 2 ranks");
}
