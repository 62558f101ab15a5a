//! Parquet and Arrow files of random games: valid ones, which the fuzzer then damages.

use std::collections::BTreeSet;

use arbitrary::Unstructured;
use chess_core::Game;
use chess_store::{CreateOptions, Losses};
use testkit::{Flavour, random_game};

use crate::packed::{bounded, damage, read_opened};

/// A table of random games, and changes of its file. Without a change the games come back.
pub fn table_file(data: &[u8]) {
    let _ = try_table(&mut Unstructured::new(data));
}

fn try_table(data: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let format = scoresheet::format_named(data.choose(&["parquet", "arrow"])?);
    let format = format.expect("the feature `tables` has it");
    let mut options = CreateOptions::default();
    let is_games = data.ratio(3, 4)?;
    options.settings.set("rows", if is_games { "games" } else { "plies" });
    options.settings.set("row-group", data.int_in_range(1..=3u8)?.to_string());
    options.settings.set("threads", "1");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games").with_extension(format.name);
    let mut output = scoresheet::create_as(&path, format, &options).expect("a new file");
    let (mut games, mut losses) = (Vec::new(), Losses::new());
    for _ in 0..data.int_in_range(1..=4u8)? {
        games.push(random_game(data, Flavour { plies: 12, ..Flavour::ALL })?);
    }
    for game in &games {
        output.write(game, &mut losses).expect("a table holds every game");
    }
    output.finish().expect("a disk with room");
    let mut file = std::fs::read(&path).expect("it was written");
    let changes = damage(&mut file, data)?;
    #[expect(clippy::disallowed_methods, reason = "a damaged file in a folder of its own")]
    std::fs::write(&path, file).expect("a disk with room");
    let (read, failed) = read_opened(scoresheet::open_with(&path, &bounded()));
    if changes == 0 && is_games {
        assert_eq!((read.len(), failed), (games.len(), false));
        let all_alike = games.iter().zip(&read).all(|(given, read)| are_alike(given, read));
        assert!(all_alike || losses.total() > 0, "{games:?} became {read:?}");
    }
    Ok(())
}

/// Whether two games differ at most in the order of their tags, which columns do not keep.
fn are_alike(one: &Game, other: &Game) -> bool {
    let tags = |game: &Game| -> BTreeSet<(String, String)> {
        game.header.tags.iter().map(|(name, value)| (name.to_owned(), value.into())).collect()
    };
    one.start_position() == other.start_position()
        && one.tokens().eq(other.tokens())
        && (&one.header.white, one.header.date) == (&other.header.white, other.header.date)
        && tags(one) == tags(other)
}
