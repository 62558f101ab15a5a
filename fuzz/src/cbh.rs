//! cbh: records, whole bases, archives, and round trips.

use arbitrary::Unstructured;
use cbh::archive::Archive;
use cbh::{Database, EntityKind, ErrorKind, Losses, OpenOptions, Parts, Writer};
use chess_core::{Game, Token};
use chess_store::Diagnostics;
use testkit::{Flavour, random_game};

use crate::read_games;

/// The files of a base, in the order of the inputs of [`cbh_base`].
const FILES: [&str; 10] = ["cbh", "cbg", "cba", "cbp", "cbt", "cbc", "cbs", "cbj", "cbe", "cbl"];

/// Reads all games, and returns those that could be read.
fn read_all(base: &dyn chess_store::erased::Database) -> Vec<Game> {
    read_games(base, u64::MAX).into_iter().flatten().collect()
}

fn write(games: &[Game]) -> Parts<Vec<u8>> {
    write_with_losses(games).expect("at most 32 pieces").0
}

/// Returns the files, and the losses of each game, unless a game is refused: .cbh holds at most 32
/// pieces.
fn write_with_losses(games: &[Game]) -> Option<(Parts<Vec<u8>>, Vec<Losses>)> {
    let mut writer = Writer::in_memory();
    let mut all = Vec::new();
    for game in games {
        let mut losses = Losses::new();
        match writer.write(game, &mut losses) {
            Ok(_) => all.push(losses),
            Err(error) => {
                assert!(matches!(error.kind(), ErrorKind::TooManyPieces(_)), "{error}");
                return None;
            }
        }
    }
    Some((writer.into_bytes().expect("memory does not fail"), all))
}

/// A game whose moves (preceded by their length in two bytes) and annotations are the input. A game
/// that was read is written and read back unchanged unless the writer reports a loss.
pub fn cbh_record(data: &[u8]) {
    let Some((length, rest)) = data.split_first_chunk::<2>() else { return };
    let length = usize::from(u16::from_be_bytes(*length)).min(rest.len());
    let (moves, notes) = rest.split_at(length);
    let mut parts = write(&[Game::new()]);
    parts.cbg.truncate(26);
    parts.cbg.extend_from_slice(moves);
    if !notes.is_empty() {
        let place = parts.cba.insert(vec![0; 26]);
        place.extend_from_slice(notes);
        parts.cbh[54] = 26;
        parts.cbj = None;
    }
    let mut options = OpenOptions::default();
    options.exact = data.len().is_multiple_of(2);
    let Ok(base) = Database::from_parts(parts, &options) else { return };
    let games = read_all(&base);
    let Some((written, losses)) = write_with_losses(&games) else { return };
    let again = Database::from_parts(written, &options).expect("what was written");
    let first = read_all(&again);
    assert_eq!(first.len(), games.len(), "what was written can be read");
    for ((game, first), losses) in games.iter().zip(&first).zip(&losses) {
        assert!(game.main_line().eq(first.main_line()));
        assert!(!losses.is_empty() || contents(game) == contents(first));
        assert!(!losses.is_empty() || game.start_position() == first.start_position());
    }
    // After the first round trip, games do not change.
    let twice = write(&first);
    assert!(
        write(&read_all(&Database::from_parts(twice.clone(), &options).expect("again"))) == twice
    );
}

/// Returns the tokens of a game without its comments, and after each token the text and the sorted
/// commands of the comments behind it: the order of annotations that are no text has no meaning.
fn contents(game: &Game) -> Vec<(Option<Token<'_>>, String, Vec<&str>)> {
    let mut contents = vec![(None, String::new(), Vec::new())];
    for token in game.tokens() {
        let Token::Comment(text) = token else {
            contents.push((Some(token), String::new(), Vec::new()));
            continue;
        };
        let (_, plain, commands) = contents.last_mut().expect("never empty");
        for part in text.split_inclusive(']') {
            let (before, command) = part.split_at(part.find("[%").unwrap_or(part.len()));
            plain.extend(before.split_whitespace());
            // The number is a place in that order.
            let is_place = command.starts_with("[%cbh before ");
            let command = if is_place { "[%cbh before" } else { command };
            commands.extend((!command.is_empty()).then_some(command));
        }
        commands.sort_unstable();
    }
    contents
}

/// Ten files, cut from the input: a length of two bytes for each file except the last, then `.cbh
/// .cbg .cba .cbp .cbt .cbc .cbs .cbj .cbe .cbl`. A length of 65,535 omits the file.
pub fn cbh_base(data: &[u8]) {
    let mut data = Unstructured::new(data);
    let mut lengths = [usize::MAX; FILES.len()];
    for length in lengths.iter_mut().take(FILES.len() - 1) {
        let bytes = [data.arbitrary().unwrap_or(0), data.arbitrary().unwrap_or(0)];
        *length = usize::from(u16::from_be_bytes(bytes));
    }
    let mut files = lengths.map(|length| {
        let missing = length == usize::from(u16::MAX);
        let there = data.bytes(if missing { 0 } else { length.min(data.len()) });
        (!missing).then(|| there.unwrap_or_default().to_vec())
    });
    let place = |file: &str| FILES.iter().position(|known| *known == file);
    let parts = Parts::from_files(|file| Ok(place(file).and_then(|at| files[at].take())), |_| ());
    let Ok(parts) = parts else { return };
    let mut options = OpenOptions::default();
    let Ok(base) = Database::from_parts(parts.clone(), &options) else { return };
    options.strict = true;
    let sound = Database::from_parts(parts, &options).is_ok();
    assert_eq!(sound, base.warnings().is_empty());
    let games = read_all(&base);
    let _ = base.guiding_texts().count();
    let _ = base.about();
    let _ = base.check_references();
    for kind in EntityKind::ALL {
        let _ = base.check_names(kind);
    }
    write_with_losses(&games);
}

/// Any bytes as an archive, with and without a password.
pub fn cbh_archive(data: &[u8]) {
    for password in [None, Some("pass")] {
        let Ok(archive) = Archive::new(data, password) else { continue };
        for member in 0..archive.members().len() {
            let _ = archive.read(member);
        }
        if let Ok(parts) = archive.base() {
            let _ = Database::from_parts(parts, &OpenOptions::default()).map(|base| base.len());
        }
    }
}

/// A random game is written and read back with the same moves. The result passes verification, and
/// writing it again gives the same bytes without losses.
pub fn cbh_round_trip(data: &[u8]) {
    let mut data = Unstructured::new(data);
    let Ok(game) = random_game(&mut data, Flavour::ALL) else { return };
    let parts = write(std::slice::from_ref(&game));
    let base = Database::from_parts(parts.clone(), &OpenOptions::default()).expect("just written");
    let (mut read, mut reader) = (Game::new(), base.reader());
    reader.game(0, &mut read, &mut Diagnostics::strict()).expect("what was written is sound");
    assert!(read.main_line().eq(game.main_line()));
    assert_eq!(reader.verify(0, &read).expect("as before"), Vec::<&str>::new());
    let mut writer = Writer::in_memory();
    let mut losses = Losses::new();
    writer.write(&read, &mut losses).expect("as before");
    assert!(losses.is_empty(), "{losses:?}");
    assert!(writer.into_bytes().expect("as before").cbg == parts.cbg);
}
