//! A changed header gives the base that replacing the whole game gives, apart from the place of records.

use chess_core::{Game, Header};
use chess_store::{Diagnostics, LossKind};
use scid::{Editor, Extensions, Losses, MemoryFiles, OpenOptions};
use testkit::{Flavour, Random, Stop, next_game, next_header, random_games};

use crate::files::{BaseFiles as _, Files, encoding, family};
use crate::stop::Base;

type MemoryEditor = Editor<MemoryFiles>;

fn edit(files: &Files) -> Result<MemoryEditor, scid::Error> {
    Editor::from_parts(files.clone(), &OpenOptions::default())
}

/// The headers that can be read without the moves.
fn full_headers(files: &Files) -> Vec<Option<Header>> {
    let base = files.open().unwrap();
    let mut reader = base.reader();
    (0..base.len())
        .map(|number| {
            let mut header = Header::default();
            let read = reader.full_header(number, &mut header, &mut Diagnostics::lenient());
            read.is_ok_and(|is_full| is_full).then_some(header)
        })
        .collect()
}

/// Tags with values. The index cannot hold some of them, or only in part. An empty value removes a tag.
fn settings() -> Vec<(&'static str, String)> {
    let mut all = Vec::new();
    for name in ["White", "Black", "Event", "Site", "Round"] {
        let values = ["", "?", "Smith", "Somebody new", "Müller, Ä", "a\0b", "Kasparov, Garry"];
        all.extend(values.map(|value| (name, value.to_owned())));
        all.push((name, "é".repeat(140)));
    }
    for (name, values) in [
        ("Date", &["", "1999.01.02", "2040.??.??", "2100.01.01", "1999.1.2"][..]),
        ("EventDate", &["", "1999.01.02", "1850.01.01", "2020.12.??", "9999.01.01"]),
        ("WhiteElo", &["", "2500", "4090", "0", "abc"]),
        ("BlackElo", &["", "1", "2850", "9999"]),
        ("WhiteRapid", &["", "2400", "5000"]),
        ("BlackBCF", &["200"]),
        ("ECO", &["", "B90", "B90k4", "Z99"]),
        ("Result", &["", "1-0", "1/2-1/2", "9-9"]),
        ("ScidResult", &["7"]),
        ("ScidFlags", &["", "WU", "Q9"]),
        ("Deleted", &["", "1"]),
        ("Annotator", &["", "Bob", "日本", "a\0b"]),
        ("TimeControl", &["40/7200:3600"]),
        ("Variant", &["", "Chess"]),
        ("FEN", &["no position"]),
    ] {
        all.extend(values.iter().map(|value| (name, (*value).to_owned())));
    }
    all.push(("Annotator", "x".repeat(300)));
    all
}

/// Changes the header of some games at random.
fn changes(files: &Files, random: &mut Random) -> Vec<(u64, Header)> {
    let settings = settings();
    let mut changed = Vec::new();
    for (number, header) in (0..).zip(full_headers(files)) {
        let Some(mut header) = header.filter(|_| random.below(4) > 0) else { continue };
        for _ in 0..random.below(4) {
            let (name, value) = &settings[random.below(settings.len())];
            header.put(name, value);
        }
        changed.push((number, header));
    }
    changed
}

/// The games with these headers whose moves can be read.
fn whole(files: &Files, headers: &[(u64, Header)]) -> Vec<(u64, Game)> {
    let base = files.open().unwrap();
    let mut reader = base.reader();
    let whole = |(number, header): &(u64, Header)| {
        let mut game = Game::new();
        reader.game(*number, &mut game, &mut Diagnostics::lenient()).ok()?;
        game.header.clone_from(header);
        Some((*number, game))
    };
    headers.iter().filter_map(whole).collect()
}

/// The losses that do not concern the moves, which stay as they are.
fn of_header(losses: &Losses) -> Vec<String> {
    let losses = losses.iter().filter(|loss| loss.kind != LossKind::Setup);
    losses.map(ToString::to_string).collect()
}

#[test]
fn replace_all_headers_random_changes_equal_replaced_games() {
    let (mut kept, mut written, mut lost, mut refused) = (0, 0, 0, 0);
    for (extensions, chess960) in [(Extensions::SI4, false), (Extensions::SI5, true)] {
        for seed in 0..40 {
            let flavour = Flavour { chess960, free_comments: false, ..Flavour::ALL };
            let mut random = Random::new(seed);
            let mut files = Files::with(extensions, &random_games(seed, 30, 700, flavour));
            // The second turn changes what the first has written.
            for _ in 0..2 {
                let headers = changes(&files, &mut random);
                let (mut losses, mut expected_losses) = (Losses::new(), Losses::new());
                let mut editor = edit(&files).unwrap();
                let done = editor.replace_all(&mut next_header(&headers), &mut losses);
                let left = editor.into_parts();
                let mut editor = edit(&files).unwrap();
                let games = whole(&files, &headers);
                assert_eq!(games.len(), headers.len());
                let replaced = editor.replace_all(&mut next_game(&games), &mut expected_losses);
                let expected = editor.into_parts();

                let place = format!("{extensions:?} seed {seed}");
                let said = |error: Option<String>| error.unwrap_or_default();
                let kind = done.as_ref().err().and_then(|error| error.kind::<scid::ErrorKind>());
                let expected_kind =
                    replaced.as_ref().err().and_then(|error| error.kind::<scid::ErrorKind>());
                assert_eq!(
                    said(kind.map(ToString::to_string)),
                    said(expected_kind.map(ToString::to_string)),
                    "{place}"
                );
                assert_eq!(of_header(&losses), of_header(&expected_losses), "{place}");
                refused += usize::from(done.is_err());
                lost += losses.listed().len();
                assert_eq!(left.names, expected.names, "{place}");
                assert_eq!(left.read().unwrap(), expected.read().unwrap(), "{place}");
                let (one, other) = (left.open().unwrap(), expected.open().unwrap());
                let before = files.open().unwrap();
                assert_eq!(one.warnings(), other.warnings());
                for number in 0..one.len() {
                    let (one, mut other) =
                        (one.entry(number).unwrap(), other.entry(number).unwrap());
                    other.offset = one.offset;
                    assert_eq!(one, other, "{place} game {number}");
                    if headers.iter().any(|(changed, _)| *changed == number) {
                        let stays = one.offset == before.entry(number).unwrap().offset;
                        *(if stays { &mut kept } else { &mut written }) += 1;
                    }
                }
                assert!(left.games.starts_with(&files.games), "{place}");
                files = left;
            }
        }
    }
    assert!(kept > 1000 && written > 300 && lost > 100, "{kept} {written} {lost} {refused}");
}

#[test]
fn full_header_equals_header_of_game() {
    let check = |files: &Files, place: &str| {
        let base = files.open().unwrap();
        let mut reader = base.reader();
        let mut full = 0;
        for (number, header) in (0..).zip(full_headers(files)) {
            let Some(header) = header else { continue };
            let mut game = Game::new();
            let _ = reader.game(number, &mut game, &mut Diagnostics::lenient());
            assert_eq!(header, game.header, "{place}: game {number}");
            full += 1;
        }
        full
    };
    for (extensions, chess960) in [(Extensions::SI4, false), (Extensions::SI5, true)] {
        let flavour = Flavour { chess960, free_comments: false, ..Flavour::ALL };
        let files = Files::with(extensions, &random_games(3, 300, 500, flavour));
        let full = check(&files, "random games");
        assert!(full > 200 && (full < 300) == chess960, "{full}");
    }
    let mut full = 0;
    for case in testkit::cases("scid") {
        let files = Files::of(&case);
        if files.open().is_ok() && encoding(&case).is_none() {
            full += check(&files, &case.name);
        }
    }
    assert!(full > 100, "{full}");
}

/// The moves of all games stay as they are, damaged or not.
#[test]
fn replace_all_headers_of_fixture_keeps_moves_and_damage() {
    let (mut done, mut damaged, mut kept_damage) = (0, 0, 0);
    for case in testkit::cases("scid") {
        let files = Files::of(&case);
        if family(&case) == Extensions::SI3 || encoding(&case).is_some() {
            continue;
        }
        let Ok(mut editor) = edit(&files) else { continue };
        let mut headers = Vec::new();
        for (number, header) in (0..editor.len()).zip(full_headers(&files)) {
            let Some(mut header) = header else { continue };
            header.put("White", "Somebody, New");
            if number % 2 == 0 {
                header.put("Annotator", "Somebody Else");
            }
            headers.push((number, header));
        }
        if editor.replace_all(&mut next_header(&headers), &mut Losses::new()).is_err() {
            continue;
        }
        let left = editor.into_parts();
        // Version 4 refuses Chess960 games, and keeps those that it has.
        let mut sound = whole(&files, &headers);
        let mut editor = edit(&files).unwrap();
        sound.retain(|(number, game)| editor.replace(*number, game, &mut Losses::new()).is_ok());
        let expected = editor.into_parts();
        let (before, after) = (files.open().unwrap(), left.open().unwrap());
        let (mut before, mut after) = (before.reader(), after.reader());
        let expected = expected.open().unwrap();
        let mut expected = expected.reader();
        // An entry that was cut is a game more.
        for number in 0..before.base().len() {
            let (mut old, mut new) = (Game::new(), Game::new());
            let read = before.game(number, &mut old, &mut Diagnostics::lenient());
            let read_now = after.game(number, &mut new, &mut Diagnostics::lenient());
            let said =
                |read: Result<(), scid::Error>| read.err().map(|error| error.kind().to_string());
            let place = format!("{}: game {number}", case.name);
            damaged += usize::from(read.is_err());
            assert_eq!(said(read), said(read_now), "{place}");
            assert!(old.tokens().eq(new.tokens()) && old.setup() == new.setup(), "{place}");
            let is_changed = headers.iter().any(|(changed, _)| *changed == number);
            if !is_changed || sound.iter().any(|(changed, _)| *changed == number) {
                let _ = expected.game(number, &mut old, &mut Diagnostics::lenient());
                assert_eq!(new.header, old.header, "{place}");
            } else {
                assert_eq!(new.header.white, "Somebody, New", "{place}");
                let tags = |game: &Game| game.header.tags.len();
                assert!(tags(&new) >= tags(&old), "{place}");
                kept_damage += 1;
            }
            done += 1;
        }
    }
    let counts = (done, damaged, kept_damage);
    assert!(done > 100 && damaged > 5 && kept_damage > 5, "{counts:?}");
}

/// The second header of a game follows the first, whose record is not written yet.
#[test]
fn replace_all_headers_same_game_twice_keeps_last() {
    for extensions in [Extensions::SI4, Extensions::SI5] {
        let flavour = Flavour { chess960: false, free_comments: false, ..Flavour::ALL };
        let files = Files::with(extensions, &random_games(8, 4, 400, flavour));
        let games = files.read().unwrap();
        let with = |value: &str| {
            let mut header = games[1].header.clone();
            header.put("Annotator", value);
            header
        };
        let mut editor = edit(&files).unwrap();
        let headers = [(1, with("first")), (1, with("the second")), (1, with("third"))];
        editor.replace_all(&mut next_header(&headers), &mut Losses::new()).unwrap();
        let read = editor.into_parts().read().unwrap();
        assert_eq!(read[1].header, with("third"));
        assert!(read[1].tokens().eq(games[1].tokens()));
        assert!([0, 2, 3].iter().all(|number| read[*number] == games[*number]));
    }
}

/// Tags of more bytes than a record may have.
#[test]
fn replace_all_headers_too_long_header_is_refused() {
    let files = Files::with(Extensions::SI4, &[Game::new(), Game::new()]);
    let mut short = files.read().unwrap()[0].header.clone();
    let mut long = short.clone();
    for number in 0..600 {
        long.set(&format!("Tag{number}"), &"x".repeat(250));
    }
    short.put("White", "Somebody");
    let mut editor = edit(&files).unwrap();
    let headers = [(0, short), (1, long)];
    let mut losses = Losses::new();
    let error = editor.replace_all(&mut next_header(&headers), &mut losses).unwrap_err();
    assert!(matches!(error.kind(), Some(scid::ErrorKind::RecordTooLong(..))), "{error}");
    assert_eq!(error.location().game, Some(1));
    let left = editor.into_parts();
    assert_eq!(left.games, files.games);
    let read = left.read().unwrap();
    assert_eq!((&*read[0].header.white, &*read[1].header.white), ("Somebody", "?"));
}

/// Headers of many games need one new index, and some of them change again when they are in it.
#[test]
fn replace_all_many_headers_writes_one_index() {
    let mut syncs = Vec::new();
    for games in [2_000, 4_000] {
        let files = Files::with(Extensions::SI4, &vec![Game::new(); games]);
        let with = |number: u64, white: &str| {
            let mut header = Header::default();
            header.put("White", white);
            (number, header)
        };
        let mut headers: Vec<_> = (0..games as u64).map(|number| with(number, "first")).collect();
        headers.extend((0..games as u64 / 2).map(|number| with(number * 2, "second")));
        let done = Stop::never();
        let base = Base::new(&files, &done);
        let mut editor = base.edit().unwrap();
        let replaced = editor.replace_all(&mut next_header(&headers), &mut Losses::new());
        assert_eq!(replaced.unwrap(), headers.len() as u64);
        drop(editor);
        syncs.push(done.syncs());
        let read = base.files().read().unwrap();
        assert_eq!(read.len(), games);
        for (number, game) in read.iter().enumerate() {
            assert_eq!(game.header.white, ["second", "first"][number % 2]);
        }
        // The frequency of the most frequent player: "?", which is Black in all games and White in
        // none any more. (scid §3)
        let [high, middle, low] = *base.files().names[24..].first_chunk().unwrap();
        assert_eq!(u32::from_be_bytes([0, high, middle, low]), games as u32);
    }
    assert_eq!(syncs[0], syncs[1]);
}
