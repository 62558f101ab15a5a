//! cbh2: records, whole bases, and round trips of `.2cbh`.

use arbitrary::Unstructured;
use cbh::v2::{Database, Parts, Writer};
use cbh::{Losses, OpenOptions};
use chess_core::Game;
use chess_store::Diagnostics;
use testkit::{Flavour, random_game};

use crate::read_games;

/// The files of a base after the headers, in the order of the inputs of [`cbh2_base`].
const FILES: [&str; 5] = ["2cbg", "2cba", "2lid", "2lgd", "2lcd"];

/// Reads all games, and returns those that could be read.
fn read_all(base: &Database<Vec<u8>>) -> Vec<Game> {
    read_games(base, u64::MAX).into_iter().flatten().collect()
}

/// Writes games. Games that the format refuses are left out.
fn write(games: &[Game]) -> Parts<Vec<u8>> {
    write_with_losses(games).0
}

/// Returns the files, and the losses of each game that is not refused.
fn write_with_losses(games: &[Game]) -> (Parts<Vec<u8>>, Vec<Losses>) {
    let (mut writer, mut all) = (Writer::in_memory(), Vec::new());
    for game in games {
        let mut losses = Losses::new();
        match writer.write(game, &mut losses) {
            Ok(_) => all.push(losses),
            Err(error) => assert_eq!(error.scope(), cbh::Scope::Game, "{error}"),
        }
    }
    (writer.into_bytes().expect("memory does not fail"), all)
}

fn open(parts: Parts<Vec<u8>>) -> Database<Vec<u8>> {
    Database::from_parts(parts, &OpenOptions::default()).expect("what was written")
}

/// Returns a frame around a content.
fn frame(tag: [u8; 2], content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11];
    bytes.extend_from_slice(&(content.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&[0; 12]);
    bytes.extend_from_slice(&tag);
    bytes.extend_from_slice(content);
    bytes.extend_from_slice(&(content.len() as u64 + 34).to_le_bytes());
    bytes
}

/// The content of a game's moves, preceded by its length in two bytes, and the content of its
/// annotations. A game that was read is written and read back unchanged unless the writer reports a
/// loss.
pub fn cbh2_record(data: &[u8]) {
    let Some((length, rest)) = data.split_first_chunk::<2>() else { return };
    let length = usize::from(u16::from_be_bytes(*length)).min(rest.len());
    let (moves, notes) = rest.split_at(length);
    let mut parts = write(&[Game::new()]);
    for (file, tag, content) in [("2cbg", [1, 0], moves), ("2cba", [0, 0x20], notes)] {
        let file = parts.get_mut(file).expect("all files are written");
        file.truncate(12);
        file.extend_from_slice(&frame(tag, content));
    }
    let base = open(parts);
    let first = read_all(&base);
    let (written, losses) = write_with_losses(&first);
    let again = read_all(&open(written));
    assert_eq!(again.len(), first.len(), "what was written can be read");
    for ((game, again), losses) in first.iter().zip(&again).zip(&losses) {
        assert!(game.main_line().eq(again.main_line()));
        assert!(!losses.is_empty() || game.tokens().eq(again.tokens()));
        assert!(!losses.is_empty() || game.start_position() == again.start_position());
    }
    // After the first round trip, games do not change.
    let twice = write(&again);
    assert!(write(&read_all(&open(twice.clone()))) == twice);
}

/// Six files, cut from the input: a length of two bytes for each file except the last, then `.2cbg
/// .2cba .2lid .2lgd .2lcd .2cbh`. A length of 65,535 omits the file.
pub fn cbh2_base(data: &[u8]) {
    let mut data = Unstructured::new(data);
    let lengths = [(); FILES.len()].map(|()| {
        let bytes = [data.arbitrary().unwrap_or(0), data.arbitrary().unwrap_or(0)];
        usize::from(u16::from_be_bytes(bytes))
    });
    let mut take = |length: usize| data.bytes(length.min(data.len())).unwrap_or_default().to_vec();
    let [moves, annotations, entities, games, orders] =
        lengths.map(|length| (length != usize::from(u16::MAX)).then(|| take(length)));
    let mut parts = Parts::new(take(usize::MAX));
    (parts.moves, parts.annotations, parts.entities) = (moves, annotations, entities);
    (parts.games, parts.orders) = (games, orders);
    let mut options = OpenOptions::default();
    let Ok(base) = Database::from_parts(parts.clone(), &options) else { return };
    options.strict = true;
    let sound = Database::from_parts(parts, &options).is_ok();
    assert_eq!(sound, base.warnings().is_empty());
    let games = read_all(&base);
    let _ = base.guiding_texts().count();
    let _ = base.about();
    let _ = base.check();
    write(&games);
}

/// A random game is written and read back with the same moves. The result passes verification, and
/// writing it again gives the same bytes without losses.
pub fn cbh2_round_trip(data: &[u8]) {
    let mut data = Unstructured::new(data);
    let Ok(game) = random_game(&mut data, Flavour::ALL) else { return };
    let parts = write(std::slice::from_ref(&game));
    let base = open(parts.clone());
    if base.is_empty() {
        // The game was refused.
        return;
    }
    assert_eq!(base.check().expect("memory does not fail"), Vec::<String>::new());
    let (mut read, mut reader) = (Game::new(), base.reader());
    reader.game(0, &mut read, &mut Diagnostics::lenient()).expect("what was written is sound");
    assert!(read.main_line().eq(game.main_line()));
    assert_eq!(reader.verify(0, &read).expect("as before"), Vec::<&str>::new());
    let mut writer = Writer::in_memory();
    let mut losses = Losses::new();
    writer.write(&read, &mut losses).expect("as before");
    assert!(losses.is_empty(), "{losses:?}");
    assert!(writer.into_bytes().expect("as before").moves == parts.moves);
}
