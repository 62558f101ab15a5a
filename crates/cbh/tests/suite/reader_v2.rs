//! A reader of `.2cbh` besides games: stored values, files, texts, and limits that are too large for a
//! fixture.

use cbh::v2::{Database, FileHeader, GameRecord, Parts, Rating, RecordKind, Writer};
use cbh::{GuidingText, Losses, OpenOptions};
use chess_core::{Game, Header};
use chess_store::Diagnostics;
use chess_store::io::ReadAt as _;

use crate::common::game;

fn open(parts: Parts<Vec<u8>>) -> Database<Vec<u8>> {
    Database::from_parts(parts, &OpenOptions::default()).unwrap()
}

#[test]
fn open_base_finds_each_of_its_files() {
    let cases = testkit::cases("cbh2");
    let case = cases.iter().find(|case| case.name == "games").unwrap();
    let base = Database::open(case.path("2cbh")).unwrap();
    for extension in ["2cbh", "2cbg", "2cba", "2lid", "2lgd", "2lcd"] {
        let file = base.file(extension).unwrap_or_else(|| panic!("no .{extension}"));
        let size = case.bytes(&format!("base.{extension}")).len() as u64;
        assert_eq!(file.size().unwrap(), size, "{extension}");
    }
    assert!(base.file("2xyz").is_none());
    let FileHeader { mark, record_size, version, next } = base.file_header();
    assert_eq!((mark, record_size, version), (38, 192, 5));
    assert_eq!(u64::try_from(next).unwrap(), base.len() + 1);
}

/// A base of headers alone, each with another value in every byte from 8 on.
fn base_of_records(starts: &[[u8; 3]]) -> Database<Vec<u8>> {
    let mut headers = vec![0; 192];
    headers[8..12].copy_from_slice(&[38, 0, 192, 0]);
    headers[16] = starts.len() as u8 + 1;
    for start in starts {
        headers.extend_from_slice(start);
        headers.extend(3..192u8);
    }
    let mut parts = Parts::new(headers);
    parts.moves = Some(Vec::new());
    open(parts)
}

/// The number of `N` bytes at an offset of a record of [`base_of_records`].
fn bytes_at<const N: usize>(at: u8) -> [u8; N] {
    std::array::from_fn(|index| at + index as u8)
}

fn long(at: u8) -> i64 {
    i64::from_le_bytes(bytes_at(at))
}

fn short(at: u8) -> i16 {
    i16::from_le_bytes(bytes_at(at))
}

/// The page states each offset. (cbh2 §3.3)
#[test]
fn record_of_game_has_stored_value_of_each_field() {
    let base = base_of_records(&[[1, 0, 1]]);
    let rating = |at: u8| Rating {
        elo: short(at),
        kind: short(at + 2),
        list: short(at + 4),
        nation: short(at + 6),
        name: bytes_at(at + 8),
    };
    let expected = GameRecord {
        flags_byte: 1,
        kind: RecordKind::Game,
        moves: long(0x08),
        annotations: long(0x10),
        names: [long(0x18), long(0x20), long(0x28), long(0x30), long(0x38)],
        teams: [long(0x40), long(0x48)],
        title: long(0x50),
        result: 0x58,
        evaluation: 0x59,
        round: short(0x5a),
        subround: short(0x5c),
        board: short(0x5e),
        ratings: [rating(0x60), rating(0x70)],
        eco: u16::from_le_bytes(bytes_at(0x80)),
        medals: u16::from_le_bytes(bytes_at(0x82)),
        flags: u32::from_le_bytes(bytes_at(0x84)),
        magnitudes: u16::from_le_bytes(bytes_at(0x88)),
        length: short(0x8a),
        material: [u32::from_le_bytes(bytes_at(0x8c)), u32::from_le_bytes(bytes_at(0x90))],
        created: long(0x98),
        changed: long(0xa0),
        endgames: u64::from_le_bytes(bytes_at(0xa8)) & 0xffff_ffff_ffff,
        version: i32::from_le_bytes(bytes_at(0xb8)),
        date: u32::from_le_bytes(bytes_at(0xbc)),
    };
    assert_eq!(base.record(0).unwrap(), expected);
}

/// The fields of a game that an analysis lacks have the values for none. (cbh2 §3.3)
#[test]
fn record_of_analysis_has_stored_values_and_none() {
    let base = base_of_records(&[[1, 0, 2]]);
    let expected = GameRecord {
        flags_byte: 1,
        kind: RecordKind::Analysis,
        moves: long(0x08),
        annotations: long(0x10),
        title: long(0x18),
        names: [-1, -1, -1, long(0x28), long(0x20)],
        teams: [-1; 2],
        result: 3,
        ..GameRecord::default()
    };
    assert_eq!(base.record(0).unwrap(), expected);
}

/// A text has a tournament, a source, an annotator and titles, and no result. (cbh2 §3.3)
#[test]
fn guiding_text_has_its_names_and_no_result() {
    let mut text = GuidingText::default();
    text.is_html = true;
    text.titles = vec![("en".to_owned(), "Preface".to_owned())];
    text.contents = vec![("en".to_owned(), "<p>x</p>".to_owned())];
    for (name, value) in [("Event", "Cup"), ("Annotator", "Ann, A"), ("Source", "House")] {
        text.header.set(name, value);
    }
    let mut writer = Writer::in_memory();
    let named = |name: &str| {
        let mut game = game(&["e2e4"]);
        for tag in ["Event", "White", "Annotator", "Source", "CbhTitle"] {
            game.header.set(tag, name);
        }
        game
    };
    // The ids of the names of the text differ from each other and from the usual ones.
    for number in 0..4 {
        let mut other = named(&format!("Other {number}"));
        (0..number % 3).for_each(|_| other.header.set("Source", "Other"));
        writer.write(&other, &mut Losses::new()).unwrap();
    }
    writer.write_text(&text, &mut Losses::new()).unwrap();
    let base = open(writer.into_bytes().unwrap());
    let read = base.guiding_texts().next().unwrap().unwrap();
    assert_eq!((read.games_before, &read.titles), (4, &text.titles));
    let mut tags = Vec::new();
    read.header.for_each_tag(|name, value| tags.push(format!("{name} {value}")));
    let told = |tag: &str| tags.iter().any(|known| known == tag);
    assert!(["Event Cup", "Annotator Ann, A", "Source House"].into_iter().all(told), "{tags:?}");
    assert!(!tags.iter().any(|tag| tag.starts_with("CbhTitle")), "{tags:?}");
    assert_eq!(read.header.result, Header::default().result);
}

/// A reader keeps the entities of recent games. Entities that share a place in the cache must not
/// share a value or a warning.
#[test]
fn read_games_in_any_order_returns_their_own_names() {
    let tags = [
        "Event",
        "Site",
        "EventDate",
        "EventType",
        "CbhEventEndDate",
        "Source",
        "SourceTitle",
        "WhiteTeam",
        "WhiteTeamCountry",
        "CbhWhiteTeam",
        "CbhTitle",
        "CbhTitle_de",
    ];
    let value = |tag: &str, number: usize| match tag {
        "EventDate" | "CbhEventEndDate" => format!("{}.01.02", 1800 + number),
        "EventType" => ["swiss", "match"][number % 2].to_owned(),
        "WhiteTeamCountry" => ["GER", "POL"][number % 2].to_owned(),
        "CbhWhiteTeam" => format!("2 1 {}", 1800 + number),
        _ => format!("{tag} {number}"),
    };
    let mut writer = Writer::in_memory();
    let mut written = Vec::new();
    for number in 0..140 {
        let mut game = game(&["e2e4"]);
        // Every third game has names with fewer fields.
        let few = ["Event", "EventType", "Source", "WhiteTeam", "CbhTitle"];
        for tag in tags.into_iter().filter(|tag| number % 3 > 0 || few.contains(tag)) {
            game.header.set(tag, &value(tag, number));
        }
        writer.write(&game, &mut Losses::new()).unwrap();
        written.push(game.header);
    }
    let mut parts = writer.into_bytes().unwrap();
    // The fields of one tournament lose their last byte, a zero.
    let entities = parts.entities.as_mut().unwrap();
    let title = entities.windows(12).position(|bytes| bytes == b"\x08\0\0\0Event 64");
    let place = { 0..title.unwrap() }.rev().find(|at| (at - 184) % 4234 == 1024).unwrap();
    entities[place] -= 1;
    let base = open(parts);
    let (mut reader, mut header) = (base.reader(), Header::default());
    let mut diagnostics = Diagnostics::lenient();
    let sorted = |header: &Header| {
        let mut tags = Vec::new();
        header.for_each_tag(|name, value| tags.push((name.to_owned(), value.to_string())));
        tags.sort();
        tags
    };
    for step in 0..written.len() {
        // Neighbours in this order are 64 numbers apart.
        let number = step * 64 % written.len() + step * 64 / written.len() % 2;
        let read = reader.header(number as u64, &mut header, &mut diagnostics);
        assert_eq!(read.is_err(), number == 64, "game {}: {read:?}", number + 1);
        assert_eq!(sorted(&header), sorted(&written[number]), "game {}", number + 1);
    }
}

/// Moves that each have an alternative further on, one position for each. (cbh2 §4.6.1)
fn base_of_open_variations(count: usize) -> Database<Vec<u8>> {
    let mut writer = Writer::in_memory();
    writer.write(&Game::new(), &mut Losses::new()).unwrap();
    let mut parts = writer.into_bytes().unwrap();
    let mut content = vec![0xfc, 0xff];
    (0..count).for_each(|_| content.extend_from_slice(&[0xfa, 0xff, 0xfd, 0xff]));
    (0..=count).for_each(|_| content.extend_from_slice(&[0xff, 0xff]));
    let moves = parts.moves.as_mut().unwrap();
    moves.truncate(12 + 8);
    moves.extend_from_slice(&(content.len() as u32).to_le_bytes());
    moves.extend_from_slice(&[0; 12]);
    moves.extend_from_slice(&[1, 0]);
    moves.extend_from_slice(&content);
    open(parts)
}

#[test]
fn too_many_open_variations_are_an_error() {
    let read = |count: usize| {
        let mut game = Game::new();
        let base = base_of_open_variations(count);
        let read = base.reader().game(0, &mut game, &mut Diagnostics::lenient());
        (game.main_line().count(), read.unwrap_err().to_string())
    };
    let error = "more than 4096 variations are open at once";
    let (moves, found) = read(4097);
    assert!(found.contains(error), "{found}");
    assert_eq!(moves, 4097);
    // The checksum is wrong, but nothing else.
    let (moves, found) = read(4096);
    assert!(found.contains("checksum"), "{found}");
    assert_eq!(moves, 4096);
}
