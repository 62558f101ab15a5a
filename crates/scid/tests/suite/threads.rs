//! The result of reading or writing does not depend on the thread.

use chess_core::Game;
use scid::{Encoded, Extensions, Losses};
use testkit::{Flavour, random_games};

use crate::files::{BaseFiles as _, Files, writer_in};

fn games(seed: u64) -> Vec<Game> {
    random_games(seed, 60, 400, Flavour { chess960: false, free_comments: false, ..Flavour::ALL })
}

#[test]
fn database_shared_by_threads_reads_same_games() {
    let files = Files::with(Extensions::SI4, &games(21));
    testkit::assert_threads_share(&files.open().unwrap(), &files.read().unwrap());
}

#[test]
fn encode_several_encoders_write_same_bytes() {
    for family in [Extensions::SI4, Extensions::SI5] {
        let games = games(22);
        let (mut alone, mut losses) = (writer_in(family, None), Losses::new());
        for game in &games {
            alone.write(game, &mut losses).unwrap();
        }
        let mut writer = writer_in(family, None);
        testkit::assert_encoders_share(&mut writer, &games, &losses);
        assert_eq!(writer.into_bytes().unwrap(), alone.into_bytes().unwrap());
    }
}

#[test]
fn encode_game_that_is_not_appended_leaves_no_names() {
    for family in [Extensions::SI4, Extensions::SI5] {
        let mut game = Game::new();
        let (mut alone, mut writer) = (writer_in(family, None), writer_in(family, None));
        let (mut encoded, mut losses) = (Encoded::default(), Losses::new());
        for (name, is_written) in [("Left, Out", false), ("Kept, One", true), ("Kept, Two", true)] {
            game.header.set("White", name);
            writer.encoder().encode(&game, &mut encoded, &mut losses).unwrap();
            if is_written {
                writer.append(&mut encoded, &mut losses).unwrap();
                alone.write(&game, &mut losses).unwrap();
            }
        }
        assert_eq!(losses, []);
        assert_eq!(writer.into_bytes().unwrap(), alone.into_bytes().unwrap());
    }
}
