//! Compares genuine ChessBase bases with the PGN beside them, and writes them again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cbh::Diagnostics;
use cbh::ReadAt;
use cbh::archive::Archive;
use cbh::{Database, Losses, OpenOptions, Writer};
use scoresheet::chess_core::{Game, Token};

use crate::Failure;

/// Returns a summary of a base: how it compares with the PGN beside it, and how many records are
/// written with the same bytes.
pub(crate) fn compare(path: &Path) -> Result<String, Failure> {
    let mut said = match twin_of(path) {
        Some(twin) => against(path, &twin)?,
        None => String::from("no PGN beside it"),
    };
    said.push_str("; ");
    said.push_str(&rewritten(path)?);
    Ok(said)
}

/// Returns the reference PGN: `base.expected.pgn`, `base.pgn`, or the only PGN in the folder.
fn twin_of(path: &Path) -> Option<PathBuf> {
    let names = ["expected.pgn", "expected.pgn.xz", "pgn"];
    if let Some(twin) = names.iter().map(|name| path.with_extension(name)).find(|p| p.is_file()) {
        return Some(twin);
    }
    let entries = std::fs::read_dir(path.parent()?).ok()?.flatten().map(|entry| entry.path());
    let mut all: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|e| e == "pgn")).collect();
    all.pop().filter(|_| all.is_empty())
}

fn against(path: &Path, twin: &Path) -> Result<String, Failure> {
    let (mut base, mut other) = (scoresheet::open(path)?, scoresheet::open(twin)?);
    let (mut games, mut trees, mut whole, mut tags) = (0, 0, 0, BTreeMap::new());
    let mut others = other.games();
    for game in base.games() {
        let other = others.next().ok_or("the PGN beside it has fewer games")??;
        let game = game?;
        games += 1;
        let same = game.start_position().same_position(&other.start_position());
        trees += u64::from(same && words(&game, false) == words(&other, false));
        whole += u64::from(words(&game, true) == words(&other, true));
        game.header.for_each_tag(|name, value| {
            // Tags that the reference lacks are no difference.
            let other = other.header.get(name);
            if other.is_some_and(|other| other != value.to_string()) {
                *tags.entry(name.to_owned()).or_insert(0) += 1;
            }
        });
    }
    if others.next().is_some() {
        return Err("the PGN beside it has more games".into());
    }
    if trees != games {
        return Err(format!("only {trees} of {games} trees are those of {}", twin.display()).into());
    }
    let tags: Vec<_> = tags.iter().map(|(name, count)| format!("{name} {count}")).collect();
    let tags = if tags.is_empty() { "none".to_owned() } else { tags.join(", ") };
    Ok(format!("all trees as in the PGN, texts and glyphs of {whole}; tags that differ: {tags}"))
}

/// Returns the tokens of a game as words. Comments lose their commands and their spacing.
fn words(game: &Game, with_notes: bool) -> Vec<String> {
    let word = |token: Token<'_>| match token {
        Token::Move(m) => Some(m.to_string()),
        Token::VariationStart => Some("(".to_owned()),
        Token::VariationEnd => Some(")".to_owned()),
        Token::Nag(nag) => with_notes.then(|| nag.to_string()),
        Token::Comment(text) => {
            // A PGN comment cannot contain a closing brace.
            let text = without_commands(text).replace('}', ")");
            let plain = text.split_whitespace().collect::<Vec<_>>().join(" ");
            (with_notes && !plain.is_empty()).then(|| format!("{{{plain}}}"))
        }
    };
    game.tokens().filter_map(word).collect()
}

fn without_commands(text: &str) -> String {
    let (mut plain, mut rest) = (String::new(), text);
    while let Some((before, command)) = rest.split_once("[%") {
        plain.push_str(before);
        rest = command.split_once(']').map_or("", |(_, after)| after);
    }
    plain + rest
}

fn rewritten(path: &Path) -> Result<String, Failure> {
    let mut options = OpenOptions::default();
    options.exact = true;
    if path.extension().is_some_and(|extension| extension == "cbv") {
        let parts = Archive::open(path, None)?.base()?;
        return rewrite(&Database::from_parts(parts, &options)?, |file| read(&file));
    }
    rewrite(&Database::open_with(path, &options)?, |file| read(&file))
}

fn read(file: &impl ReadAt) -> Vec<u8> {
    let mut bytes = Vec::new();
    file.read_into(0, usize::MAX, &mut bytes).expect("it was read before");
    bytes
}

fn rewrite<R: ReadAt + Send + Sync>(
    base: &Database<R>,
    read: impl Fn(&R) -> Vec<u8>,
) -> Result<String, Failure> {
    let mut writer = Writer::in_memory();
    let (mut reader, mut game) = (base.reader(), Game::new());
    let (mut damaged, mut stale) = (0, 0);
    for number in 0..base.len() {
        if reader.game(number, &mut game, &mut Diagnostics::lenient()).is_err() {
            damaged += 1;
        } else {
            stale += u64::from(!reader.verify(number, &game)?.is_empty());
        }
        writer.write(&game, &mut Losses::new())?;
    }
    let again = writer.into_bytes()?;
    let new = Database::from_parts(again.clone(), &OpenOptions::default())?;
    let stored = |file: &str| base.file(file).map(&read).unwrap_or_default();
    let (cbg, cba) = (stored("cbg"), stored("cba"));
    let (mut moves, mut notes, mut with_notes) = (0, 0, 0);
    for number in 0..base.len() {
        let (old, new) = (base.record(number)?, new.record(number)?);
        let same = record(&cbg, old.moves, 1, 3) == record(&again.cbg, new.moves, 1, 3);
        moves += u64::from(same);
        if old.annotations != 0 {
            with_notes += 1;
            let written = again.cba.as_deref().unwrap_or_default();
            // The first bytes hold the number of the game, which changes if texts are omitted.
            let body = |bytes: &[u8], at| record(bytes, at, 10, 4).get(7..).map(<[u8]>::to_vec);
            notes += u64::from(body(&cba, old.annotations) == body(written, new.annotations));
        }
    }
    let trees = cbh::EntityKind::ALL.iter().flat_map(|kind| base.check_names(*kind)).count();
    let games = base.len();
    Ok(format!(
        "written again: moves of {moves} of {games} as stored, annotations of {notes} of \
         {with_notes}; derived fields of {stale} differ; {trees} findings in trees of names, {} in \
         counts; {damaged} damaged",
        base.check_references()?.len()
    ))
}

/// Returns the record at an offset. Its size is a number at `at`.
fn record(bytes: &[u8], offset: u32, at: usize, length: usize) -> Vec<u8> {
    let rest = bytes.get(offset as usize..).unwrap_or_default();
    let size = rest.get(at..at + length).unwrap_or_default();
    let size = size.iter().fold(0, |size, byte| size << 8 | usize::from(*byte));
    rest.get(..size).unwrap_or_default().to_vec()
}
