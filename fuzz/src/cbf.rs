//! Old ChessBase: a record, a base of two files, a book, and round trips of random games.

use cbf::{Database, Losses, OpenOptions, Parts, Writer, fbk};
use chess_core::Game;
use chess_store::Diagnostics;
use testkit::{Flavour, random_game};

use crate::read_games;

/// Limit for the games read from a base: a small index can name the same record many times.
const MAX_GAMES: u64 = 16;

/// Reads and dumps all games, and returns those that could be read.
fn read(cbf: &[u8], cbi: Option<&[u8]>) -> Vec<Game> {
    let Ok(base) = Database::from_parts(Parts::new(cbf, cbi), &OpenOptions::default()) else {
        return Vec::new();
    };
    let (games, mut reader) = (read_games(&base, MAX_GAMES), base.reader());
    for (number, game) in (0..).zip(&games) {
        assert_eq!(reader.dump(number, &mut |_| {}).is_ok(), game.is_some());
    }
    games.into_iter().flatten().collect()
}

/// Returns the two files, and the losses of each game.
fn write(games: &[Game]) -> (Vec<u8>, Vec<u8>, Vec<Losses>) {
    let mut writer = Writer::in_memory();
    let write = |game| {
        let mut losses = Losses::new();
        writer.write(game, &mut losses).expect("in memory");
        losses
    };
    let losses = games.iter().map(write).collect();
    let parts = writer.into_bytes().expect("in memory");
    (parts.cbf, parts.cbi.expect("the writer makes it"), losses)
}

/// Writes games, reads them and writes them again. A game must be unchanged if no loss was reported,
/// the bytes must not change, and the base must be undamaged.
fn settle(games: &[Game]) {
    let (cbf, cbi, losses) = write(games);
    let again = read(&cbf, Some(&cbi));
    assert_eq!(again.len(), games.len());
    for ((game, again), losses) in games.iter().zip(&again).zip(&losses) {
        assert!(!losses.is_empty() || game == again);
    }
    let (cbf_again, cbi_again, _) = write(&again);
    assert!(cbf == cbf_again && cbi == cbi_again);
    // The same games are found without the index.
    assert_eq!(read(&cbf, None).len(), games.len());
}

/// The bytes of one record.
pub fn cbf_record(data: &[u8]) {
    let cbi = [[0, 0, 0, 2], [0, 0, 0, 2], [0, 0, 0, 3]].concat();
    let games = read(data, Some(&cbi));
    settle(&games);
}

/// A whole base: the length of the .cbi in two bytes, the .cbi, the .cbf.
pub fn cbf_base(data: &[u8]) {
    let Some((length, rest)) = data.split_first_chunk::<2>() else { return };
    let length = usize::from(u16::from_be_bytes(*length)).min(rest.len());
    let (cbi, cbf) = rest.split_at(length);
    read(cbf, Some(cbi));
    read(cbf, None);
}

/// A random game.
pub fn cbf_game(data: &[u8]) {
    let mut data = arbitrary::Unstructured::new(data);
    let Ok(game) = random_game(&mut data, Flavour::ALL) else { return };
    settle(&[game]);
}

/// A book: after the first round trip, its content does not change.
pub fn cbf_book(data: &[u8]) {
    let book = fbk::Book::from_parts(data);
    let (mut game, mut reader) = (Game::new(), book.reader());
    let _ = reader.game(0, &mut game, &mut Diagnostics::lenient());
    assert_eq!(reader.dump(0, &mut |_| {}).is_ok(), data.len().is_multiple_of(2));
    let write = |game: &Game| {
        let mut writer = fbk::Writer::in_memory();
        let mut losses = Losses::new();
        writer.write(game, &mut losses).expect("from the usual position");
        assert!(losses.is_empty(), "{losses:?}");
        writer.into_bytes().expect("in memory")
    };
    let first = write(&game);
    let mut again = Game::new();
    let book = fbk::Book::from_parts(first.as_slice());
    book.reader().game(0, &mut again, &mut Diagnostics::strict()).expect("its own book");
    assert!(again == game && write(&again) == first);
}
