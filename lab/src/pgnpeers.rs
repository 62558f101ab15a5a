//! Compares our PGN reader with python-chess and pgn-extract: games, headers, results, main lines.
//!
//! `cargo lab pgnpeers FILES...` counts each kind of difference and shows a few of each. Every
//! kind is explained in docs/formats/pgn.md, "Differences from other readers". A missing peer is an
//! error unless `SCORESHEET_OPTIONAL` lists it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use scoresheet::chess_core::{Game, Move, Position, Role};
use scoresheet::chess_store::Diagnostics;
use scoresheet::{OpenOptions, format_named};
use serde::Deserialize;
use testkit::workspace_root;

use crate::Failure;

/// How many examples of each kind of difference are shown.
const SHOWN: usize = 4;

/// The maximum distance between the positions of matching games.
const AHEAD: usize = 6;

/// The headers that are compared.
const HEADERS: [&str; 4] = ["Event", "White", "Black", "Result"];

/// A game as one reader sees it.
#[derive(Default, Deserialize)]
struct Seen {
    #[serde(default)]
    headers: BTreeMap<String, String>,
    #[serde(default)]
    moves: Vec<String>,
    failed: Option<String>,
}

type Peer = (&'static str, fn(&Path) -> Result<Vec<Seen>, Failure>);

/// Compares the games of the files.
pub(crate) fn run(words: &[&str]) -> Result<(), Failure> {
    let shown = if words.contains(&"--all") { usize::MAX } else { SHOWN };
    let files: Vec<&str> = words.iter().copied().filter(|word| *word != "--all").collect();
    if files.is_empty() {
        return Err("pgnpeers needs PGN files".into());
    }
    let peers: [Peer; 2] = [("python-chess", python_chess), ("pgn-extract", pgn_extract)];
    let mut ours: Vec<(PathBuf, Vec<Seen>)> = Vec::new();
    for file in &files {
        match our_games(file.as_ref()) {
            Ok(games) => ours.push((PathBuf::from(file), games)),
            // UTF-16, for instance.
            Err(failure) => println!("not compared: {failure}"),
        }
    }
    let all: usize = ours.iter().map(|(_, games)| games.len()).sum();
    println!("{} files, {all} games", ours.len());
    for (name, games_of) in peers {
        if !is_there(name) {
            return Err(format!("{name} is not installed").into());
        }
        let mut kinds: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
        let mut same = 0usize;
        for (path, games) in &ours {
            let theirs = games_of(path)?;
            compare(path, games, &theirs, &mut kinds, &mut same);
        }
        println!("{name}: {same} games alike");
        for (kind, examples) in &kinds {
            println!("  {kind}: {}", examples.len());
            examples.iter().take(shown).for_each(|example| println!("    {example}"));
        }
    }
    Ok(())
}

fn is_there(peer: &str) -> bool {
    let output = match peer {
        "python-chess" => Command::new("python3").args(["-c", "import chess.pgn"]).output(),
        _ => Command::new(program()).arg("--version").output(),
    };
    output.is_ok_and(|output| output.status.success() || peer == "pgn-extract")
}

/// Returns the path of pgn-extract. Debian installs it with the games.
fn program() -> &'static str {
    let games = "/usr/games/pgn-extract";
    if Path::new(games).exists() { games } else { "pgn-extract" }
}

fn compare(
    path: &Path,
    ours: &[Seen],
    theirs: &[Seen],
    kinds: &mut BTreeMap<&'static str, Vec<String>>,
    same: &mut usize,
) {
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let mut note = |kind, text: String| kinds.entry(kind).or_default().push(text);
    if let Some(failed) = theirs.iter().find_map(|game| game.failed.as_ref()) {
        return note("peer failed", format!("{file}: {failed}"));
    }
    for (number, our, their) in pairs(ours, theirs) {
        let number = number.saturating_add(1);
        let (our, their) = match (our, their) {
            (Some(our), Some(their)) => (our, their),
            (Some(_), None) => {
                note("a game of ours alone", format!("{file} {number}"));
                continue;
            }
            _ => {
                note("a game of theirs alone", format!("{file} before {number}"));
                continue;
            }
        };
        let mut alike = true;
        for name in HEADERS {
            let [a, b] =
                [our, their].map(|game| game.headers.get(name).map_or("?", String::as_str));
            if a != b {
                alike = false;
                let kind = if name == "Result" { "result" } else { "header" };
                note(kind, format!("{file} {number}: {name} {a:?} and {b:?}"));
            }
        }
        let common = our.moves.iter().zip(&their.moves).take_while(|(a, b)| a == b).count();
        let kind = match (our.moves.get(common), their.moves.get(common)) {
            (None, None) => None,
            (Some(_), None) => Some("main line: ours goes on"),
            (None, Some(_)) => Some("main line: theirs goes on"),
            (Some(_), Some(_)) => Some("main line: other moves"),
        };
        if let Some(kind) = kind {
            alike = false;
            let [a, b] = [our, their].map(|game| game.moves.get(common).cloned());
            note(kind, format!("{file} {number}: after {common} plies {a:?} and {b:?}"));
        }
        *same = same.saturating_add(usize::from(alike));
    }
}

/// Matches the games of both readers. Returns pairs, and unmatched games of one side, with the
/// number of our game.
fn pairs<'a>(
    ours: &'a [Seen],
    theirs: &'a [Seen],
) -> Vec<(usize, Option<&'a Seen>, Option<&'a Seen>)> {
    let alike = |our: Option<&Seen>, their: Option<&Seen>| match (our, their) {
        (Some(our), Some(their)) => {
            let same = |name: &str| our.headers.get(name) == their.headers.get(name);
            same("White")
                && same("Black")
                && same("Event")
                && our.moves.iter().zip(&their.moves).take(6).all(|(a, b)| a == b)
        }
        _ => false,
    };
    let (mut at, mut there, mut all) = (0usize, 0usize, Vec::new());
    while at < ours.len() || there < theirs.len() {
        let next = |steps: usize| {
            (ours.get(at.saturating_add(steps)), theirs.get(there.saturating_add(steps)))
        };
        let (our, their) = next(0);
        // The number of games of one side to skip until both match again.
        let ahead = (0..AHEAD).find_map(|steps| {
            let later = next(steps);
            if alike(our, later.1) {
                Some((0, steps))
            } else if alike(later.0, their) {
                Some((steps, 0))
            } else {
                None
            }
        });
        let (skip, skip_there) = match ahead {
            Some(steps) => steps,
            // Two games that differ, or the rest of one side.
            None if our.is_some() && their.is_some() => (0, 0),
            None => (usize::from(our.is_some()), usize::from(their.is_some())),
        };
        if skip == 0 && skip_there == 0 {
            all.push((at, our, their));
            at = at.saturating_add(1);
            there = there.saturating_add(1);
        } else if skip > 0 {
            all.push((at, our, None));
            at = at.saturating_add(1);
        } else {
            all.push((at, None, their));
            there = there.saturating_add(1);
        }
    }
    all
}

fn our_games(path: &Path) -> Result<Vec<Seen>, Failure> {
    let format = format_named("pgn").ok_or("there is no format pgn")?;
    let mut base = scoresheet::open_as(path, format, &OpenOptions::default())?;
    let mut reader = base.reader();
    let (mut games, mut game) = (Vec::new(), Game::new());
    loop {
        // The readable part of a damaged game is compared, too.
        if let Ok(false) = reader.read_game(&mut game, &mut Diagnostics::lenient()) {
            return Ok(games);
        }
        let header = |name: &&str| Some((name.to_string(), game.header.get(name)?));
        let headers = HEADERS.iter().filter_map(header).collect();
        let mut position = game.start_position();
        let moves = game
            .main_line()
            .map(|m| {
                let text = uci(&position, m);
                position.apply(m);
                text
            })
            .collect();
        games.push(Seen { headers, moves, failed: None });
        if games.len() > 10_000_000 {
            return Err("the file does not end".into());
        }
    }
}

/// Returns a move in UCI notation. Castling of a king on the e-file is a king move of two squares.
fn uci(position: &Position, m: Move) -> String {
    let text = m.to_string();
    let king = position.piece_at(m.from()).is_some_and(|piece| piece.role() == Role::King);
    let castles = king
        && position
            .piece_at(m.to())
            .is_some_and(|piece| piece.role() == Role::Rook && piece.color() == position.turn());
    match (castles, text.as_str()) {
        (true, "e1h1") => "e1g1".into(),
        (true, "e1a1") => "e1c1".into(),
        (true, "e8h8") => "e8g8".into(),
        (true, "e8a8") => "e8c8".into(),
        _ => text,
    }
}

fn python_chess(path: &Path) -> Result<Vec<Seen>, Failure> {
    let mut command = Command::new("python3");
    let script = workspace_root().join("lab/peers/pgn_games.py");
    let output = output_of(command.arg("-B").arg(script).arg(path))?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

fn pgn_extract(path: &Path) -> Result<Vec<Seen>, Failure> {
    let mut command = Command::new(program());
    command.args(["-s", "-Wuci", "-C", "-N", "-V", "-w", "1000000", "--keepbroken"]);
    let output = output_of(command.arg("--allownullmoves").arg(path))?;
    let mut games: Vec<Seen> = Vec::new();
    let mut in_tags = false;
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        if let Some(tag) = line.strip_prefix('[') {
            if !in_tags {
                games.push(Seen::default());
            }
            in_tags = true;
            let (name, value) = tag.split_once(" \"").unwrap_or((tag, ""));
            let value = value.strip_suffix("\"]").unwrap_or(value).replace("\\\"", "\"");
            if let Some(game) = games.last_mut().filter(|_| HEADERS.contains(&name)) {
                game.headers.insert(name.into(), value);
            }
        } else if !line.trim().is_empty() {
            in_tags = false;
            if let Some(game) = games.last_mut() {
                // Skip the result, in any spelling.
                let is_move =
                    |word: &&str| matches!(word.as_bytes(), [b'a'..=b'h', b'1'..=b'8', ..]);
                let moves = line.split_whitespace().filter(is_move);
                game.moves.extend(moves.map(str::to_ascii_lowercase));
            }
        }
    }
    Ok(games)
}

fn output_of(command: &mut Command) -> Result<Output, Failure> {
    let output = command.output()?;
    if output.stdout.is_empty() && !output.status.success() {
        return Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(output)
}
