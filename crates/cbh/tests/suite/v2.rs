//! Bases of ChessBase 17: writing, reading, damage.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use cbh::v2::{self, Database, Parts, Writer};
use cbh::{GuidingText, LossKind, Losses, OpenOptions, ReadAt};
use chess_core::{Game, Header};
use chess_store::{AnyError, Diagnostics};
use testkit::{Case, Flavour};

use crate::common::{FLAVOUR, game, games, tokens};

fn write(games: &[Game]) -> (Parts<Vec<u8>>, Losses) {
    let mut losses = Losses::new();
    let mut writer = Writer::in_memory();
    for game in games {
        writer.write(game, &mut losses).unwrap();
    }
    (writer.into_bytes().unwrap(), losses)
}

fn open_case(case: &Case) -> Result<Database, AnyError> {
    Ok(Database::open(case.path("2cbh"))?)
}

#[test]
fn checks_of_sound_fixtures_find_nothing() {
    // Some cases have wrong derived fields on purpose.
    let is_wrong = |name: &str| ["walks", "boards", "fields"].contains(&name);
    let is_sound = |case: &&Case| !case.is_bad() && !is_wrong(&case.name);
    for case in testkit::cases("cbh2").iter().filter(is_sound) {
        let base = open_case(case).unwrap();
        assert_eq!(base.check().unwrap(), Vec::<String>::new(), "{}", case.name);
        let mut reader = base.reader();
        for number in 0..base.len() {
            let mut game = Game::new();
            reader.game(number, &mut game, &mut Diagnostics::lenient()).unwrap();
            let found = reader.verify(number, &game).unwrap();
            assert_eq!(found, Vec::<&str>::new(), "{}, game {}", case.name, number + 1);
        }
    }
}

#[test]
fn check_of_wrong_derived_fields_names_them() {
    let case = testkit::cases("cbh2").into_iter().find(|case| case.name == "walks").unwrap();
    let (base, mut game) = (open_case(&case).unwrap(), Game::new());
    let mut reader = base.reader();
    reader.game(0, &mut game, &mut Diagnostics::lenient()).unwrap();
    assert_eq!(reader.verify(0, &game).unwrap(), ["flags", "length", "material"]);
}

/// A base that this crate wrote is written again with the same bytes.
#[test]
fn rewrite_own_fixture_is_identical() {
    let case = testkit::cases("cbh2").into_iter().find(|case| case.name == "games").unwrap();
    let mut options = OpenOptions::default();
    options.exact = true;
    let base = Database::open_with(case.path("2cbh"), &options).unwrap();
    let games: Vec<Game> = base.games().map(Result::unwrap).collect();
    let (parts, losses) = write(&games);
    assert_eq!(losses, []);
    for file in ["2cbh", "2cbg", "2cba", "2lid", "2lgd", "2lcd"] {
        assert!(*parts.get(file).unwrap() == case.bytes(&format!("base.{file}")), "{file}");
    }
}

fn open(parts: Parts<Vec<u8>>) -> Database<Vec<u8>> {
    Database::from_parts(parts, &OpenOptions::default()).unwrap()
}

/// Reads all games without a warning, and checks the base.
fn read_sound(parts: Parts<Vec<u8>>) -> Vec<Game> {
    let base = open(parts);
    assert_eq!(base.warnings(), []);
    assert_eq!(base.check().unwrap(), Vec::<String>::new());
    let (mut reader, mut diagnostics) = (base.reader(), Diagnostics::lenient());
    let mut read = Vec::new();
    for number in 0..base.len() {
        let mut game = Game::new();
        reader.game(number, &mut game, &mut diagnostics).unwrap();
        assert_eq!(diagnostics.warnings(), [], "game {}", number + 1);
        assert_eq!(
            reader.verify(number, &game).unwrap(),
            Vec::<&str>::new(),
            "game {}",
            number + 1
        );
        read.push(game);
    }
    read
}

/// Losses that random games cause: rounds that are names, variations without a main move of their own,
/// clocks of start positions.
const USUAL_LOSSES: [LossKind; 5] =
    [LossKind::Round, LossKind::Variation, LossKind::Setup, LossKind::Eco, LossKind::CommentMoved];

#[test]
fn random_games_round_trip() {
    let written = games(17, 400, FLAVOUR);
    let (parts, losses) = write(&written);
    let other = losses.iter().find(|loss| !USUAL_LOSSES.contains(&loss.kind));
    assert_eq!(other, None);
    assert!(parts == write(&written).0, "the same games give other bytes");
    let mut exact = 0;
    for (number, (read, game)) in read_sound(parts).iter().zip(&written).enumerate() {
        let losses = write(std::slice::from_ref(game)).1;
        assert!(read.main_line().eq(game.main_line()), "game {number}");
        if losses.iter().any(|loss| loss.ply.is_some()) {
            continue;
        }
        exact += 1;
        assert_eq!(tokens(read), tokens(game), "game {number}");
        let same = read.start_position().same_position(&game.start_position());
        assert!(same, "game {number}");
        assert_eq!(read.header.white, game.header.white);
        assert_eq!(read.header.date, game.header.date);
    }
    assert!(exact > 150, "{exact} games without a loss among their moves");
}

#[test]
fn random_games_rewrite_is_identical() {
    let flavour = Flavour { nags: 255, tags: true, free_comments: true, ..FLAVOUR };
    for flavour in [FLAVOUR, flavour] {
        let (parts, _) = write(&games(18, 150, flavour));
        let read = read_sound(parts.clone());
        let (again, losses) = write(&read);
        assert!(losses.iter().all(|loss| loss.ply.is_none()), "{losses:?}");
        assert!(again == parts, "the same games give other bytes");
    }
}

#[test]
fn tags_of_every_kind_round_trip() {
    let mut game = game(&["e2e4"]);
    for (name, value) in [
        ("Event", "Łódź Cup"),
        ("Site", "Łódź"),
        ("Date", "1999.12.??"),
        ("Round", "300.12"),
        ("White", "Müller, Jörg"),
        ("Black", "Ёлкин, Яков"),
        ("Result", "1-0"),
        ("WhiteElo", "2400"),
        ("BlackElo", "1800"),
        ("ECO", "C65"),
        ("EventDate", "1999.12.01"),
        ("CbhResult", "1-0 by forfeit"),
        ("CbhEvaluation", "14"),
        ("Board", "4"),
        ("WhiteFideId", "700000"),
        ("CbhBlackPlayer", "77 0 0 8"),
        ("EventType", "team-swiss (blitz)"),
        ("EventRounds", "9"),
        ("EventCountry", "POL"),
        ("EventCategory", "12"),
        ("CbhEventFlags", "2"),
        ("CbhEventCountryNow", "#200"),
        ("CbhEventCoordinates", "51.75 19.5"),
        ("CbhEventTiebreaks", "3 -1 7"),
        (
            "CbhEventUnknown",
            "0100ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        ),
        ("CbhEventEndDate", "1999.12.09"),
        ("Annotator", "Cedar, Cy"),
        ("SourceTitle", "Sample CD"),
        ("Source", "Sample House"),
        ("SourceDate", "2023.06.??"),
        ("SourceVersion", "300"),
        ("SourceVersionDate", "2023.06.01"),
        ("SourceQuality", "2"),
        ("WhiteTeam", "Woods"),
        ("WhiteTeamCountry", "POL"),
        ("CbhWhiteTeam", "2 1 1988"),
        ("BlackTeam", "Forest"),
        ("CbhTitle", "A sad story"),
        ("CbhTitle_de", "Eine traurige Geschichte"),
        ("CbhTitle_12", "x"),
        ("CbhBlackRating", "2 100 53 DWZ"),
        ("WhiteClock", "0:35:57"),
        ("BlackClock", "1:03:14.50"),
    ] {
        game.header.set(name, value);
    }
    let mut deleted = crate::common::game(&["d2d4"]);
    deleted.header.deleted = true;
    let written = [game, deleted, Game::new()];
    let (parts, losses) = write(&written);
    assert_eq!(losses, []);
    let sorted = |header: &Header| {
        let mut tags = Vec::new();
        header.for_each_tag(|name, value| tags.push((name.to_owned(), value.to_string())));
        tags.sort();
        tags
    };
    for (read, written) in read_sound(parts).iter().zip(&written) {
        assert_eq!(sorted(&read.header), sorted(&written.header));
    }
}

#[test]
fn annotations_of_every_kind_round_trip() {
    let written = game(&[
        "{[%evp 1,3,20,-12,29995] [%cbh depths 12*3]}",
        "{[%csl Ge4] of the game}",
        "{second}",
        "e2e4",
        "$1",
        "$14",
        "$146",
        "{[%csl Gd4,Ra1,Bh8][%cal Ge2e4] [%emt 0:01:05.37] [%eval -1.25,20] [%mdl 32769] text}",
        "{[%cbh lang de] Größe ♘f3}",
        "{[%cbh lang en] English}",
        "{[%cbh lang #9] unknown language}",
        "{[%cbh before] before the move}",
        "e7e5",
        "{[%cbh critical opening] [%cbh colour 01ff80] [%cbh 14 03] [%cbh 08 01020304] [%cbh 27 0100]}",
        "(",
        "{before c5}",
        "c7c5",
        "{[%cbh 15 020000000310] [%cbh 25 10000000]}",
        ")",
        "g1f3",
        "{[%cbh link https://example.org a page] [%cbh 20 0100000009000000766964656f2e776d76] [%tqu \"En\",\"Find it\",\"\",\"\",\"f1b5\",\"\",10] [%cbh training 360 6 en \"Mate\" de \"Größe ♘\" | | es \"no\" | | f1b5 1 6 any \"x\"]}",
        "b8c6",
        "{[%cbh 09 0101010000003c000000050000000000000000000121230000000 is text}",
        "{[%cbh 99 01] is text}",
        "f1b5",
        "{two\nlines}",
        "a7a6",
        "{[%cbh rest 2 99000102]}",
    ]);
    let (parts, losses) = write(std::slice::from_ref(&written));
    assert_eq!(losses, []);
    let base = open(parts.clone());
    let mut read = Game::new();
    let mut diagnostics = Diagnostics::lenient();
    base.reader().game(0, &mut read, &mut diagnostics).unwrap();
    assert_eq!(tokens(&read), tokens(&written));
    let names: Vec<_> = diagnostics.warnings().iter().map(|warning| warning.name).collect();
    assert_eq!(names, ["cbh2-unknown-annotation"]);
    assert_eq!(base.record(0).unwrap().medals, 0x8001);
    assert_eq!(write(&[read]).0, parts);
}

#[test]
fn data_that_the_format_lacks_is_reported() {
    let mut pawn = Game::new();
    pawn.set_start_fen("4k3/8/8/8/8/8/8/P3K3 w - - 0 1").unwrap();
    let error = Writer::in_memory().write(&pawn, &mut Losses::new()).unwrap_err();
    assert!(error.to_string().contains("a pawn on the first or last rank"), "{error}");
    let mut usual = Game::new();
    usual.header.set("Variant", "Chess960");
    let mut clock = Game::new();
    clock.set_start_fen("4k3/8/8/8/8/8/8/4K2R w K - 7 9").unwrap();
    for (game, told) in [
        (usual, "tag: Variant"),
        (clock, "setup: 4k3/8/8/8/8/8/8/4K2R w K - 7 9"),
        (game(&["e2e5", "e7e5"]), "move: e2e5 (ply 1)"),
        (
            game(&["{[%cbh rest 1 9900]}", "e2e4", "$1"]),
            "comment: it follows annotations of an unknown type",
        ),
        (game(&["{[%evp 0,0,5] and}"]), "comment-moved: [%evp 0,0,5] and"),
    ] {
        let (parts, losses) = write(&[game]);
        let losses: Vec<_> = losses.iter().map(ToString::to_string).collect();
        assert!(losses.len() == 1 && losses[0].starts_with(told), "{losses:?}");
        drop(open(parts).games().collect::<Vec<_>>());
    }
}

#[test]
fn write_many_games_builds_sound_lists_and_trees() {
    let mut written = Vec::new();
    for number in 0..500u32 {
        let mut game = game(&["e2e4", "e7e5"]);
        game.header.set("White", &format!("Player {:03}", number.wrapping_mul(37) % 211));
        game.header.set("Black", "Same, Old");
        game.header.set("Event", &format!("Event {}", number / 50));
        written.push(game);
    }
    let (parts, losses) = write(&written);
    assert_eq!(losses, []);
    let orders = parts.orders.clone().unwrap();
    // More than 102 players need a directory page.
    assert_eq!(orders[4096..4098], [0, 1]);
    assert_eq!(read_sound(parts).len(), 500);
}

#[test]
fn check_damaged_indexes_finds_them() {
    let (parts, _) = write(&games(19, 50, FLAVOUR));
    let sound = |parts: Parts<Vec<u8>>| open(parts).check().unwrap();
    assert!(sound(parts.clone()).is_empty());
    for (file, offset) in [
        ("2lgd", 12 + 8),        // the first game of player 0
        ("2lgd", 12 + 8 * 22),   // the number of games of tournament 0
        ("2lcd", 2 * 4096 + 32), // the balance of node 0
        ("2lcd", 2 * 4096 + 16), // its parent
        ("2lcd", 2 * 4096 + 24), // its key
        ("2lcd", 4096 + 6 + 7),  // the root
        ("2lcd", 4096 + 14 + 7), // the number of nodes
        ("2cbg", 0),             // the size of the file
    ] {
        let mut damaged = parts.clone();
        damaged.get_mut(file).unwrap()[offset] ^= 2;
        assert!(!sound(damaged).is_empty(), "{file} {offset}");
    }
}

#[test]
fn missing_files_are_tolerated() {
    let written = games(20, 5, FLAVOUR);
    let (parts, _) = write(&written);
    let mut without = parts.clone();
    (without.games, without.orders) = (None, None);
    assert_eq!(read_sound(without).len(), 5);
    let mut without = parts.clone();
    without.annotations = None;
    let base = open(without);
    assert_eq!(base.warnings()[0].name, "cbh2-missing-file");
    assert!(base.games().all(|game| game.is_ok()));
    let mut without = parts;
    without.moves = None;
    let base = open(without);
    assert!(base.games().all(|game| game.is_err()));
    let mut header = Header::default();
    base.reader().header(0, &mut header, &mut Diagnostics::lenient()).unwrap();
}

/// Truncates every file and changes bytes of it. Nothing may panic, and what a strict reader takes
/// must be what was written.
#[test]
fn damaged_files_never_panic() {
    let mut written = games(21, 12, FLAVOUR);
    written.push(game(&["e2e4", "{[%csl Ge4] text}", "e7e5", "$1"]));
    let (parts, _) = write(&written);
    let mut seed = 5u64;
    let mut tried = 0;
    for file in ["2cbh", "2cbg", "2cba", "2lid", "2lgd", "2lcd"] {
        let size = parts.get(file).unwrap().len();
        for round in 0..160usize {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let place = (seed >> 33) as usize % size;
            let mut damaged = parts.clone();
            let bytes = damaged.get_mut(file).unwrap();
            match round % 4 {
                0 => bytes.truncate(place),
                1 => bytes[place] ^= 1 << (seed >> 60 & 7),
                2 => bytes[place] = 0xff,
                _ => bytes[place..].iter_mut().take(8).for_each(|byte| *byte = 0x7f),
            }
            tried += 1;
            let Ok(base) = Database::from_parts(damaged, &OpenOptions::default()) else { continue };
            let mut reader = base.reader();
            for number in 0..base.len() {
                let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
                drop(reader.game(number, &mut game, &mut diagnostics));
                drop(reader.dump(number, &mut |_| {}));
                drop(reader.verify(number, &game));
            }
            drop(base.check());
            drop(base.guiding_texts().collect::<Vec<_>>());
        }
    }
    assert_eq!(tried, 960);
}

#[test]
fn damaged_moves_keep_the_moves_before() {
    let written = game(&["e2e4", "e7e5", "g1f3"]);
    let (parts, _) = write(&[written]);
    let mut damaged = parts.clone();
    let moves = damaged.moves.as_mut().unwrap();
    // The third move becomes the second again.
    let third = 12 + 26 + 2 + 4;
    moves.copy_within(third - 2..third, third);
    let base = open(damaged);
    let (mut read, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    let error = base.reader().game(0, &mut read, &mut diagnostics).unwrap_err();
    assert_eq!(tokens(&read), ["e2e4", "e7e5"]);
    assert!(error.to_string().contains("the rules do not allow e7e5"), "{error}");
    assert_eq!(diagnostics.warnings()[0].name, "cbh2-checksum");
}

#[test]
fn dump_covers_every_byte() {
    let mut written = games(22, 30, FLAVOUR);
    written.push(game(&["e2e4", "{[%csl Ge4] text}", "e7e5", "$1"]));
    written.push(game(&["e2e4", "{[%cbh rest 1 99000102]}"]));
    let (parts, _) = write(&written);
    let base = open(parts);
    let mut reader = base.reader();
    for (number, game) in (0..).zip(&written) {
        let mut end: Option<(&str, u64)> = None;
        let (mut jumps, mut moves) = (0, 0);
        reader
            .dump(number, &mut |field| {
                jumps += usize::from(end != Some((field.file, field.offset)));
                end = Some((field.file, field.offset + field.bytes.len() as u64));
                moves += usize::from(field.name == "move");
                let file = base.file(field.file).unwrap();
                let start = field.offset as usize;
                assert_eq!(file[start..start + field.bytes.len()], field.bytes, "{}", field.name);
            })
            .unwrap();
        let played = tokens(game).iter().filter(|token| !"(){$".contains(&token[..1])).count();
        assert_eq!(moves, played, "game {}", number + 1);
        // A header, up to eight names, moves and annotations.
        assert!(jumps <= 11, "{jumps}");
    }
}

/// Converts the fixtures of `.cbh` to this format and back.
#[test]
fn cbh_fixtures_through_this_format_keep_moves_and_annotations() {
    let mut compared = 0;
    for case in testkit::cases("cbh") {
        if case.meta.format != "cbh" || case.name.starts_with("bad_") {
            continue;
        }
        let mut options = OpenOptions::default();
        options.exact = true;
        let Ok(base) = cbh::Database::open_with(case.path("cbh"), &options) else { continue };
        let read: Result<Vec<Game>, _> = base.games().collect();
        let Ok(mut read) = read else { continue };
        // A start position with a pawn on its first rank is refused.
        read.retain(|game| Writer::in_memory().write(game, &mut Losses::new()).is_ok());
        let direct = crate::common::write(&read);
        let (parts, losses) = write(&read);
        let base = Database::from_parts(parts, &options).unwrap();
        let through: Vec<Game> = base.games().map(Result::unwrap).collect();
        let back = crate::common::write(&through);
        if losses.is_empty() {
            for (read, through) in read.iter().zip(&through) {
                assert_eq!(tokens(read), tokens(through), "{}", case.name);
            }
            assert!(direct.0 == back.0, "{}", case.name);
            compared += 1;
        } else {
            println!(
                "{}: {:?}",
                case.name,
                losses.iter().map(ToString::to_string).collect::<Vec<_>>()
            );
        }
    }
    assert!(compared > 10, "{compared}");
}

fn guiding_text(number: u32) -> GuidingText {
    let mut text = GuidingText::default();
    text.header.deleted = number % 2 == 1;
    let of = |language: &str, text: &str| (language.to_owned(), text.to_owned());
    text.titles = vec![of("en", &format!("Preface {number}")), of("de", "Vorwort")];
    text.contents = vec![of("any", "<p>any</p>"), of("de", "<p>Grüße</p>")];
    text.is_html = true;
    text
}

#[test]
fn texts_and_analyses_round_trip() {
    let mut analysis = game(&["d2d4", "$1", "(", "e2e4", ")"]);
    for (name, value) in
        [("CbhAnalysis", "1"), ("CbhTitle", "Study"), ("Annotator", "Ann"), ("SourceTitle", "CD")]
    {
        analysis.header.set(name, value);
    }
    let (mut writer, mut losses) = (Writer::in_memory(), Losses::new());
    writer.write_text(&guiding_text(0), &mut Losses::new()).unwrap();
    writer.write(&game(&["e2e4"]), &mut losses).unwrap();
    writer.write(&analysis, &mut losses).unwrap();
    writer.write_text(&guiding_text(1), &mut Losses::new()).unwrap();
    assert_eq!((losses, writer.len()), (Losses::new(), 2));
    let base = open(writer.into_bytes().unwrap());
    let warnings: Vec<_> = base.warnings().iter().map(|warning| warning.name).collect();
    assert_eq!(warnings, ["cbh2-guiding-texts"]);
    assert_eq!(base.check().unwrap(), Vec::<String>::new());
    let texts: Vec<_> = base.guiding_texts().map(Result::unwrap).collect();
    let mut second = guiding_text(1);
    second.games_before = 2;
    assert_eq!(texts, [guiding_text(0), second]);
    let games: Vec<_> = base.games().map(Result::unwrap).collect();
    assert_eq!(tokens(&games[0]), ["e2e4"]);
    let sorted = |game: &Game| {
        let mut tags: Vec<_> = game.header.tags.iter().collect();
        tags.sort_unstable();
        (tokens(game), format!("{tags:?}"))
    };
    assert_eq!(sorted(&games[1]), sorted(&analysis));
}

#[test]
fn analysis_with_players_reports_their_loss() {
    let mut analysis = game(&["d2d4"]);
    for (name, value) in
        [("CbhAnalysis", "1"), ("White", "A"), ("Result", "1-0"), ("EventType", "match")]
    {
        analysis.header.set(name, value);
    }
    let (_, losses) = write(&[analysis]);
    let losses: Vec<_> = losses.iter().map(ToString::to_string).collect();
    assert_eq!(
        losses,
        [
            "tag: White",
            "tag: Result, in an analysis",
            "tag: the other tags of the tournament, in an analysis"
        ]
    );
}

#[test]
fn long_title_of_a_text_is_cut_or_refused() {
    let mut text = guiding_text(0);
    text.titles = vec![("en".to_owned(), "x".repeat(600))];
    let (mut options, mut losses) = (cbh::CreateOptions::default(), Losses::new());
    Writer::in_memory().write_text(&text, &mut losses).unwrap();
    assert!(losses.listed()[0].to_string().starts_with("text-cut: CbhTitle"), "{losses:?}");
    options.long_names = cbh::LongNames::Refuse;
    let mut writer = Writer::in_memory_with(&options).unwrap();
    let error = writer.write_text(&text, &mut losses).unwrap_err();
    assert_eq!(losses.total(), 1);
    assert!(error.to_string().contains("CbhTitle has more than"), "{error}");
}

/// Reads of a `.2cbh`.
#[derive(Clone)]
struct CountedReads {
    bytes: Vec<u8>,
    read: Arc<AtomicU64>,
}

impl ReadAt for CountedReads {
    fn size(&self) -> std::io::Result<u64> {
        Ok(self.bytes.len() as u64)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.bytes.read_at(offset, buffer)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// The number of records of a base whose opening may not read all headers.
const MANY: usize = 70_000;

/// Builds a base of many records. Texts come at the start, in the middle and at the end.
fn large_base() -> Parts<Vec<u8>> {
    let mut writer = Writer::in_memory();
    writer.write_text(&guiding_text(0), &mut Losses::new()).unwrap();
    writer.write(&Game::new(), &mut Losses::new()).unwrap();
    for number in 1..5 {
        writer.write_text(&guiding_text(number), &mut Losses::new()).unwrap();
    }
    let mut parts = writer.into_bytes().unwrap();
    // The game is repeated before the text that follows it. Its lists are short, which no reader of
    // texts looks at.
    let (mut headers, game) = (Vec::new(), parts.headers[2 * 192..3 * 192].to_vec());
    headers.extend_from_slice(&parts.headers[..2 * 192]);
    (0..MANY).for_each(|_| headers.extend_from_slice(&game));
    headers.extend_from_slice(&parts.headers[3 * 192..]);
    let records = (headers.len() / 192) as i32;
    headers[16..20].copy_from_slice(&records.to_le_bytes());
    parts.headers = headers;
    // The lists of texts move by the same number.
    let lists = parts.games.as_mut().unwrap();
    for slot in (12..lists.len() - 7).step_by(8) {
        let value = i64::from_le_bytes(lists[slot..slot + 8].try_into().unwrap());
        let role = (slot - 12) / 8 % 64 % 10;
        if role == 7 && value > 2 && value & 0x4000_0000_0000_0000 != 0 && value & 0xffff > 2 {
            let moved = value + MANY as i64 - 1;
            lists[slot..slot + 8].copy_from_slice(&moved.to_le_bytes());
        }
    }
    parts
}

fn open_counted(parts: &Parts<Vec<u8>>) -> (Database<CountedReads>, u64) {
    let read = Arc::new(AtomicU64::new(0));
    let counted = |bytes: &Vec<u8>, read: &Arc<AtomicU64>| CountedReads {
        bytes: bytes.clone(),
        read: Arc::clone(read),
    };
    let mut files = Parts::new(counted(&parts.headers, &read));
    let other = Arc::new(AtomicU64::new(0));
    files.moves = parts.moves.as_ref().map(|bytes| counted(bytes, &other));
    files.annotations = parts.annotations.as_ref().map(|bytes| counted(bytes, &other));
    files.entities = parts.entities.as_ref().map(|bytes| counted(bytes, &other));
    files.games = parts.games.as_ref().map(|bytes| counted(bytes, &other));
    files.orders = parts.orders.as_ref().map(|bytes| counted(bytes, &other));
    let base = Database::from_parts(files, &OpenOptions::default()).unwrap();
    let read = read.load(Ordering::Relaxed);
    (base, read)
}

#[test]
fn open_large_base_does_not_read_all_headers() {
    let parts = large_base();
    let whole = parts.headers.len() as u64;
    let (base, read) = open_counted(&parts);
    // Both ends of the file, and samples between them.
    assert!(read < 5000 * 192, "{read} of {whole} bytes are read");
    assert_eq!(base.warnings()[0].name, "cbh2-guiding-texts");
    assert_eq!(base.guiding_texts().count(), 5);
    // Indexes that are missing or contradict the headers are not trusted.
    let mut without = parts.clone();
    without.games = None;
    let mut wrong = parts.clone();
    let lists = wrong.games.as_mut().unwrap();
    lists[12 + 7 * 8] ^= 4;
    let mut hidden = parts.clone();
    // The last game before the texts at the end becomes a text that no index lists.
    let place = whole as usize - 5 * 192;
    hidden.headers[place] |= 2;
    for (parts, texts) in [(without, 5), (wrong, 5), (hidden, 6)] {
        let (base, read) = open_counted(&parts);
        assert!(read >= whole - 192, "{read} of {whole} bytes are read");
        assert_eq!(base.guiding_texts().count(), texts);
    }
}

/// A named command is stored in the layout of the format that is written.
#[test]
fn named_commands_become_annotations_in_both_formats() {
    let written = game(&[
        "{[%evp 0,1,20,-12]}",
        "e2e4",
        "{[%tqu \"En\",\"Wie?\",\"\",\"\",\"e2e4\",\"\",10] [%eval 0.21,16] [%emt 0:00:02.96]}",
    ]);
    let (modern, losses) = write(std::slice::from_ref(&written));
    assert_eq!(losses, []);
    let (classic, losses) = crate::common::write(std::slice::from_ref(&written));
    assert_eq!(losses, []);
    for (file, kinds) in [
        (modern.annotations.as_deref().unwrap(), [[0x26, 0], [0x09, 0], [0x21, 0], [0x07, 0]]),
        (classic.cba.as_deref().unwrap(), [[0xff, 0x26], [0, 0x09], [0, 0x21], [0, 0x07]]),
    ] {
        let holds = |kind: &[u8; 2]| file.windows(2).any(|bytes| bytes == kind);
        assert!(kinds.iter().all(holds), "{kinds:?}");
    }
    let text = modern.annotations.unwrap();
    assert!(!text.windows(2).any(|bytes| bytes == b"[%"), "a command is stored as text");
}

#[test]
fn quirks_have_names_of_this_format() {
    use chess_store::Quirk;
    assert!(v2::Quirk::ALL.iter().all(|quirk| quirk.name().starts_with("cbh2-")));
}

/// The numbers that are there before the end of the fields count. (cbh2 §6.2.2)
#[test]
fn read_player_with_cut_fields_keeps_numbers_before_the_cut() {
    let mut game = Game::new();
    game.header.white = "Tal, Mikhail".into();
    game.header.put("CbhWhitePlayer", "5 1 2 8");
    game.header.put("WhiteFideId", "700000");
    let (mut parts, losses) = write(std::slice::from_ref(&game));
    assert!(losses.listed().is_empty(), "{losses:?}");
    let entities = parts.entities.as_mut().unwrap();
    // The size of the fields, then the length of the first string.
    let place = entities.windows(7).position(|bytes| bytes == b"\x03\0\0\0Tal").unwrap() - 4;
    let size = u32::from_le_bytes(entities[place..place + 4].try_into().unwrap());
    // Without the FIDE id.
    entities[place..place + 4].copy_from_slice(&(size - 8).to_le_bytes());
    let base = Database::from_parts(parts, &OpenOptions::default()).unwrap();
    let mut read = Game::new();
    let error = base.reader().game(0, &mut read, &mut Diagnostics::lenient()).unwrap_err();
    assert!(error.to_string().contains("fields of a name"), "{error}");
    assert_eq!(read.header.white, "Tal, Mikhail");
    assert_eq!(read.header.get("CbhWhitePlayer").as_deref(), Some("5 1 2 8"));
    assert_eq!(read.header.get("WhiteFideId"), None);
}
