//! Several threads read one base and encode for one base.

use cbh::{Losses, Writer, v2};
use chess_core::Game;
use testkit::Flavour;

use crate::common::{FLAVOUR, games, open, read, write};

#[test]
fn database_shared_by_threads_reads_same_games() {
    let parts = write(&games(21, 40, FLAVOUR)).0;
    let all = read(parts.clone());
    testkit::assert_threads_share(&open(parts).unwrap(), &all);
}

#[test]
fn encode_several_encoders_write_same_bytes() {
    let written = games(22, 90, Flavour { tags: true, free_comments: true, nags: 255, ..FLAVOUR });
    let (alone, losses_alone) = write(&written);
    let mut writer = Writer::in_memory();
    testkit::assert_encoders_share(&mut writer, &written, &losses_alone);
    assert_eq!(writer.into_bytes().unwrap(), alone);
}

#[test]
fn encode_2cbh_several_encoders_write_same_bytes() {
    let games = games(23, 90, Flavour { tags: true, ..FLAVOUR });
    let (mut alone, mut losses) = (v2::Writer::in_memory(), Losses::new());
    games.iter().for_each(|game| alone.write(game, &mut losses).unwrap());
    let mut writer = v2::Writer::in_memory();
    testkit::assert_encoders_share(&mut writer, &games, &losses);
    assert_eq!(writer.into_bytes().unwrap(), alone.into_bytes().unwrap());
}

#[test]
fn encode_2cbh_game_that_is_not_appended_leaves_no_names() {
    let mut game = Game::new();
    let (mut alone, mut writer) = (v2::Writer::in_memory(), v2::Writer::in_memory());
    let (mut encoded, mut losses) = (v2::Encoded::default(), Losses::new());
    for (name, is_written) in [("Left, Out", false), ("Kept, One", true), ("Kept, Two", true)] {
        game.header.set("White", name);
        writer.encoder().encode(&game, &mut encoded, &mut losses).unwrap();
        if is_written {
            writer.append(&mut encoded, &mut losses).unwrap();
            alone.write(&game, &mut losses).unwrap();
        }
    }
    assert_eq!(writer.into_bytes().unwrap(), alone.into_bytes().unwrap());
}
