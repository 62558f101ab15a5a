//! Every loss is reported: PGN written to a base and read again differs only in the reported
//! losses.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use scoresheet::chess_core::{Date, Game, Header, Token, is_implied};
use scoresheet::chess_store::{Loss, LossKind, Losses};
use scoresheet::{Converter, CreateOptions, Format, Outcome, Watch};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// The losses reported for each game.
#[derive(Default)]
struct Reported(BTreeMap<u64, Losses>);

impl Watch for Reported {
    fn outcome(&mut self, outcome: &Outcome<'_>) -> ControlFlow<()> {
        assert!(outcome.refusal.is_none(), "{:?}", outcome.refusal);
        self.0.entry(outcome.number).or_default().append(&mut outcome.losses.clone());
        ControlFlow::Continue(())
    }
}

fn convert(from: &Path, to: &Path) -> Reported {
    let mut input = scoresheet::open(from).unwrap();
    let mut output = scoresheet::create(to, &CreateOptions::default()).unwrap();
    let mut told = Reported::default();
    Converter::new().run(&mut input, &mut output, &mut told).unwrap();
    output.finish().unwrap();
    told
}

fn games(path: &Path) -> Vec<Game> {
    scoresheet::open(path).unwrap().games().map(Result::unwrap).collect()
}

/// The tags of a header that say something; those with a type as they are understood.
fn tags(header: &Header) -> Vec<(String, String)> {
    let mut tags = vec![
        ("Event".to_owned(), header.event.clone()),
        ("Site".into(), header.site.clone()),
        ("Date".into(), header.date.to_string()),
        ("Round".into(), header.round.clone()),
        ("White".into(), header.white.clone()),
        ("Black".into(), header.black.clone()),
        ("Result".into(), header.result.to_string()),
        ("Deleted".into(), u8::from(header.deleted).to_string()),
    ];
    let mut optional = |name: &str, value: Option<String>| {
        tags.extend(value.map(|value| (name.to_owned(), value)));
    };
    optional("WhiteElo", header.white_elo.map(|elo| elo.to_string()));
    optional("BlackElo", header.black_elo.map(|elo| elo.to_string()));
    optional("ECO", header.eco.map(|eco| eco.to_string()));
    optional("EventDate", header.event_date.map(|date| date.to_string()));
    for (name, value) in header.tags.iter() {
        // Another spelling that says no more.
        let same = match name {
            "SetUp" => value == "1",
            "Date" | "EventDate" => Date::parse_lenient(value).is_all_of(value),
            "Result" => value.trim().parse() == Ok(header.result),
            "ResultSpelling" => is_implied(name, value),
            _ => false,
        };
        if !same && !matches!(value, "?" | "0" | "-") {
            tags.push((name.to_owned(), value.to_owned()));
        }
    }
    tags
}

/// Whether one of the losses is about this tag.
fn tells_of(losses: &[Loss], tag: &str) -> bool {
    losses.iter().any(|loss| {
        let kind = match tag {
            "Round" => loss.kind == LossKind::Round,
            "ECO" => loss.kind == LossKind::Eco,
            "CbhResult" => loss.kind == LossKind::Result,
            _ => false,
        };
        kind || loss.detail.split(' ').next() == Some(tag)
    })
}

/// The tokens of a game, by what they are.
fn tokens(game: &Game) -> BTreeMap<(&'static str, String), usize> {
    let mut counts = BTreeMap::new();
    for token in game.tokens() {
        let key = match token {
            Token::Move(m) => ("move", m.to_string()),
            Token::Nag(nag) => ("nag", nag.to_string()),
            Token::Comment(text) => ("comment", text.to_owned()),
            Token::VariationStart => ("variation", String::new()),
            Token::VariationEnd => continue,
        };
        *counts.entry(key).or_insert(0usize) += 1;
    }
    counts
}

/// The kinds of losses that account for a difference in such tokens.
fn accounts_for(loss: &Loss, token: &str) -> bool {
    use LossKind as K;
    match token {
        "move" => matches!(loss.kind, K::Move | K::NullMove),
        "nag" => matches!(loss.kind, K::Nag | K::Move | K::NullMove),
        "variation" => matches!(loss.kind, K::Variation | K::Move | K::NullMove),
        _ => matches!(
            loss.kind,
            K::Comment | K::CommentMoved | K::TextCut | K::Characters | K::Move | K::Variation
        ),
    }
}

/// The tokens in order, glyphs before the comments on the same move: there a reader of ChessBase
/// puts them. (cbh §5.3)
fn line(game: &Game) -> Vec<Token<'_>> {
    let mut line: Vec<Token<'_>> = Vec::new();
    for token in game.tokens() {
        let comments = line.iter().rev().take_while(|last| matches!(last, Token::Comment(_)));
        let at =
            if matches!(token, Token::Nag(_)) { line.len() - comments.count() } else { line.len() };
        line.insert(at, token);
    }
    line
}

fn compare_setup(number: u64, given: &Game, read: &Game, losses: &[Loss]) {
    let tells_of_setup = losses.iter().any(|loss| loss.kind == LossKind::Setup);
    if read.start_position() != given.start_position() {
        assert!(tells_of_setup, "game {number}: another start position: {losses:?}");
    }
    if given.setup().is_some() && read.setup().is_none() {
        let told = tells_of_setup || tells_of(losses, "FEN");
        assert!(told, "game {number}: the FEN is gone: {losses:?}");
    }
}

fn compare(number: u64, given: &Game, read: &Game, losses: &[Loss]) {
    let (before, after) = (tags(&given.header), tags(&read.header));
    // ChessBase has a code for a forfeit and for a loss of both.
    let has_code = after.iter().any(|(name, _)| name == "CbhResult");
    let is_code = |name: &str| has_code && matches!(name, "CbhResult" | "ResultSpelling");
    let moved = |tag: &&(String, String)| !is_code(&tag.0);
    for (name, value) in before.iter().filter(|tag| !after.contains(tag)).filter(moved) {
        assert!(tells_of(losses, name), "game {number}: {name} {value:?} is gone: {losses:?}");
    }
    for (name, value) in after.iter().filter(|tag| !before.contains(tag)).filter(moved) {
        let changed = before.iter().any(|(known, _)| known == name);
        let variant = name == "Variant" && read.start_position().is_chess960();
        assert!(changed || variant, "game {number}: {name} {value:?} is new");
    }
    compare_setup(number, given, read, losses);
    let (before, after) = (tokens(given), tokens(read));
    for key in before.keys().chain(after.keys()) {
        let told = losses.iter().filter(|loss| loss.ply.is_some() && accounts_for(loss, key.0));
        let (more, fewer) = (before.get(key).unwrap_or(&0), after.get(key).unwrap_or(&0));
        let missing = more.abs_diff(*fewer);
        // A comment that changes is one that is missing and one that is new.
        assert!(missing <= told.count(), "game {number}: {key:?} {more} {fewer}: {losses:?}");
    }
    let told = losses.iter().any(|loss| loss.ply.is_some());
    assert!(
        told || line(given) == line(read),
        "game {number}: {:?} became {:?}",
        line(given),
        line(read)
    );
}

/// Writes a text to a base of a format and reads it again; how many losses were told.
fn round_trip(pgn: &Path, extension: &str) -> u64 {
    round_trip_with(pgn, extension, compare)
}

/// The formats that are read and written, without books and positions, which have no games.
fn formats_of_games() -> impl Iterator<Item = &'static Format> {
    let both = |format: &&Format| format.open.is_some() && format.create.is_some();
    scoresheet::formats()
        .filter(both)
        .filter(|format| !["epd", "fbk", "fen"].contains(&format.name))
}

fn round_trip_with(pgn: &Path, extension: &str, compare: fn(u64, &Game, &Game, &[Loss])) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().join("base").with_extension(extension);
    let told = convert(pgn, &base);
    let (given, read) = (games(pgn), games(&base));
    assert_eq!(given.len(), read.len());
    for ((number, losses), (given, read)) in told.0.iter().zip(given.iter().zip(&read)) {
        compare(number + 1, given, read, losses.listed());
    }
    told.0.values().map(Losses::total).sum()
}

#[test]
fn write_chessbase_reports_everything_it_cannot_hold() {
    let pgn = data("unusual.pgn");
    assert!(round_trip(&pgn, "cbh") > 30);
    assert!(round_trip(&pgn, "cbv") > 30);
    assert!(round_trip(&pgn, "2cbh") > 10);
}

#[test]
fn write_chessbase_reports_texts_that_are_too_long() {
    let folder = tempfile::tempdir().unwrap();
    let pgn = folder.path().join("long.pgn");
    let text = |letter: &str, count: usize| letter.repeat(count);
    let game =
        |comment: &str| format!("[White \"w\"]\n[Result \"*\"]\n\n1. e4 {{{comment}}} e5 *\n\n");
    let sizes = [("x", 65_527), ("x", 65_528), ("thé ", 10_000), ("Ж", 32_763), ("Ж", 32_764)];
    let long: String = sizes.iter().map(|(letter, count)| game(&text(letter, *count))).collect();
    std::fs::write(&pgn, long).unwrap();
    assert_eq!(round_trip(&pgn, "cbh"), 2);
}

/// Engines and sites state the position of all their games.
#[test]
fn write_fen_of_usual_position_keeps_or_reports_it() {
    let folder = tempfile::tempdir().unwrap();
    let pgn = folder.path().join("usual.pgn");
    let rows = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq";
    let game = |more: &str, rest: &str| {
        format!("[White \"w\"]\n{more}[SetUp \"1\"]\n[FEN \"{rows} {rest}\"]\n\n1. e4 e5 *\n\n")
    };
    let chess960 = game("[Variant \"Chess960\"]\n", "- 0 1");
    // Half-moves played, the number of the move, a file where nobody can take, and fewer fields.
    let usual = ["- 0 1", "- 3 9", "e3 0 1", "-"].map(|rest| game("", rest));
    std::fs::write(&pgn, [chess960, usual.concat()].concat()).unwrap();
    let both = |format: &&Format| format.open.is_some() && format.create.is_some();
    // A book has the moves only, a list of positions has none.
    let holds_games = |format: &&Format| !["fbk", "epd", "fen"].contains(&format.name);
    for format in scoresheet::formats().filter(both).filter(holds_games) {
        round_trip_with(&pgn, format.extensions[0], compare_setup);
    }
}

/// The start position is kept or its loss reported, no tag is invented, and no letter becomes `?`.
fn compare_state(number: u64, given: &Game, read: &Game, losses: &[Loss]) {
    compare_setup(number, given, read, losses);
    let is_new = |name: &str| name != "Collection" && given.header.tags.get(name).is_none();
    let invented: Vec<_> = read.header.tags.iter().filter(|(name, _)| is_new(name)).collect();
    assert!(invented.is_empty(), "game {number}: {invented:?}");
    for name in [&read.header.white, &read.header.black] {
        assert!(!name.contains('?'), "game {number}: {name}");
    }
}

#[test]
fn write_state_without_effect_and_foreign_letters_keeps_or_reports_them() {
    let folder = tempfile::tempdir().unwrap();
    let pgn = folder.path().join("state.pgn");
    // No pawn stands for the square, the pawn came from elsewhere, a right without its rook.
    let states = [
        ("4k3/Q7/8/8/8/8/8/4K3 w - d6 0 1", "1. Qa1"),
        ("4k3/3n4/8/3pP3/8/8/8/4K3 w - d6 0 1", "1. Ke2"),
        ("4k3/8/8/8/8/8/8/R3K3 w KQ - 0 300", "300. O-O-O"),
    ];
    let game = |(fen, line): (&str, &str)| {
        format!(
            "[White \"Ćirić, Đorđe\"]\n[Black \"Łukasz, Žižek\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{line} *\n\n"
        )
    };
    std::fs::write(&pgn, states.map(game).concat()).unwrap();
    for format in formats_of_games() {
        round_trip_with(&pgn, format.extensions[0], compare_state);
    }
}

/// Signs of ChessBase in the private-use range: a bishop pair, an idea, a pawn.
const SIGNS: &str = "\u{e001} \u{e00d} \u{e029}e4";
/// Its figurines of king and knight. Both formats store pieces of Unicode in this way.
const FIGURINES: &str = "\u{e024}e2 \u{e028}f3";

#[test]
fn write_chessbase_keeps_signs_and_reports_changed_figurines() {
    let folder = tempfile::tempdir().unwrap();
    let pgn = folder.path().join("signs.pgn");
    let game = |text: &str| format!("[White \"w\"]\n[Result \"*\"]\n\n1. e4 {{{text}}} e5 *\n\n");
    std::fs::write(&pgn, [game(SIGNS), game("♔e2 ♘f3"), game(FIGURINES)].concat()).unwrap();
    for extension in ["cbh", "2cbh"] {
        assert_eq!(round_trip(&pgn, extension), 1, "{extension}");
    }
}

/// ChessBase writes a game that both sides lost with `0-0` in the tag and behind the moves.
#[test]
fn write_chessbase_keeps_a_game_that_both_lost() {
    let folder = tempfile::tempdir().unwrap();
    let pgn = folder.path().join("lost.pgn");
    std::fs::write(&pgn, "[White \"w\"]\n[Result \"0-0\"]\n\n1. e4 e5 0-0\n\n").unwrap();
    let given = games(&pgn);
    assert_eq!(given[0].header.get("ResultSpelling").as_deref(), Some("0-0"));
    for extension in ["cbh", "2cbh"] {
        let base = folder.path().join("base").with_extension(extension);
        let told = convert(&pgn, &base);
        assert_eq!(told.0.values().map(Losses::total).sum::<u64>(), 0, "{extension}");
        // A code of its own stands in the record.
        let code = if extension == "cbh" { cbh_result(&base) } else { cbh2_result(&base) };
        assert_eq!(code, 7, "{extension}");
        // It stays through PGN and back.
        let (text, again) = (folder.path().join("again.pgn"), base.with_file_name("again"));
        let again = again.with_extension(extension);
        convert(&base, &text);
        convert(&text, &again);
        let read = &games(&again)[0];
        assert_eq!(read.header.result.to_string(), "*", "{extension}");
        assert_eq!(read.header.get("CbhResult").as_deref(), Some("both lost"), "{extension}");
    }
}

fn cbh_result(path: &Path) -> u8 {
    std::fs::read(path).unwrap()[46 + 27]
}

fn cbh2_result(path: &Path) -> u8 {
    std::fs::read(path).unwrap()[192 + 0x58]
}
