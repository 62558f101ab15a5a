use chess_core::Header;

use super::*;
use crate::format_named;

/// Games of all kinds: damaged, without a result, without tags, with a wrong date, in CRLF.
fn text(games: usize) -> String {
    let game = |number: usize| {
        let tags = format!(
            "[Event \"E{}\"]\n[Date \"{}/{}/1990\"]\n[White \"P{}\"]\n[Black \"Ä\"]\n[ECO \"B9\"]\n",
            number / 7,
            number % 28 + 1,
            number % 12 + 1,
            number % 90,
        );
        match number % 20 {
            3 => format!("{tags}\n1. e4 e5 2. Ke4 *\n\n"),
            5 => format!("{tags}\n1. e4 {{not closed\n\n"),
            7 => format!("{tags}\n1. d4 ({{a}} 1. c4) d5 2. c4\n\n"),
            9 => format!("{tags}\n1. c4 *\n\n").replace('\n', "\r\n"),
            11 => "1. f4 *\n\n\n\n1. g4 *\n".to_owned(),
            _ => format!("{tags}\n1. e4 {{{}}} e5 2. Nf3 1-0\n\n", "text ".repeat(number % 9)),
        }
    };
    (0..games).map(game).collect()
}

fn new(text: &str) -> Indexed {
    let format = format_named("pgn").unwrap();
    let games = Indexed::new(text.as_bytes().to_vec(), format, &OpenOptions::default());
    games.unwrap().keep(1 << 20)
}

fn finder(text: &str) -> SectionFinder {
    let format = format_named("pgn").unwrap();
    SectionFinder::new(text.as_bytes().to_vec(), format, &OpenOptions::default()).unwrap()
}

fn sections(games: &mut Indexed, size: usize) -> Vec<TextSection> {
    std::iter::from_fn(|| games.split(size)).collect()
}

/// Header, game and messages of each game, twice: in order and alone.
fn seen(games: &Indexed) -> Vec<(Header, Game, String)> {
    let mut reader = games.reader();
    let mut read = |number| {
        let (mut header, mut game) = (Header::default(), Game::new());
        let (mut notes, mut others) = (Diagnostics::lenient(), Diagnostics::lenient());
        let header_read = reader.header(number, &mut header, &mut notes);
        let game_read = reader.game(number, &mut game, &mut others);
        (header, game, format!("{header_read:?} {game_read:?} {notes:?} {others:?}"))
    };
    let in_order: Vec<_> = (0..games.len()).map(&mut read).collect();
    let mut alone: Vec<_> = (0..games.len()).rev().map(read).collect();
    alone.reverse();
    [in_order, alone].concat()
}

fn assert_same(games: &Indexed, grown: &Indexed) {
    assert_eq!((games.len(), games.next), (grown.len(), grown.next));
    assert_eq!(seen(games), seen(grown));
}

fn grown(mut games: Indexed) -> Indexed {
    while games.grow().unwrap() {}
    games
}

#[test]
fn attached_sections_in_any_order_equal_grown_index() {
    let text = text(3000);
    let expected = grown(new(&text));
    for size in [5000, 20_000, 60_000] {
        let mut games = new(&text);
        let all = sections(&mut games, size);
        assert!(all.len() >= text.len() / size / 2, "{} sections of {size}", all.len());
        let mut found: Vec<_> = all.iter().map(|s| finder(&text).find(*s).unwrap()).collect();
        found.reverse();
        let before = found.split_off(found.len() / 2);
        assert!(before.into_iter().all(|found| games.attach(found)));
        assert!(!games.is_empty() && games.len() < expected.len());
        assert!(found.into_iter().all(|found| games.attach(found)));
        assert!(games.sections.is_empty());
        let games = grown(games);
        assert!(games.blocks.iter().all(|block| block.part.is_some()));
        assert_same(&games, &expected);
    }
}

#[test]
fn grow_before_sections_are_attached_finds_their_games() {
    let text = text(3000);
    let expected = grown(new(&text));
    let mut games = new(&text);
    let all = sections(&mut games, 10_000);
    let found: Vec<_> = all.iter().map(|s| finder(&text).find(*s).unwrap()).collect();
    for (number, found) in found.into_iter().enumerate() {
        if number != 2 {
            assert!(games.attach(found));
        }
    }
    let late = finder(&text).find(all[2]).unwrap();
    assert!(games.grow().unwrap());
    assert!(!games.attach(late), "the section was read by grow");
    assert_eq!(games.split(10_000), None);
    assert_same(&grown(games), &expected);
    // Splitting goes on where growing ended.
    let mut games = new(&text);
    assert!(games.grow().unwrap());
    let before = games.len();
    let section = games.split(10_000).unwrap();
    assert!(games.attach(finder(&text).find(section).unwrap()) && games.len() > before);
    assert_same(&grown(games), &expected);
}

#[test]
fn section_without_end_of_game_is_found_by_grow() {
    let long = format!("[White \"A\"]\n\n1. e4 {{{}}} *\n\n", "a comment ".repeat(60_000));
    let text = text(1000) + &long + &text(2000);
    let mut games = new(&text);
    let all = sections(&mut games, 40_000);
    let found: Vec<_> = all.iter().filter_map(|s| finder(&text).find(*s)).collect();
    assert!(found.len() > 5 && found.len() < all.len());
    assert!(found.into_iter().all(|found| games.attach(found)));
    assert_same(&grown(games), &grown(new(&text)));
    // No tag shows where a game begins.
    let text = "1. e4 *\n".repeat(50_000);
    let mut games = new(&text);
    let section = games.split(4000).unwrap();
    assert!(finder(&text).find(section).is_none());
    assert_eq!(grown(games).len(), 50_000);
}

#[test]
fn section_within_one_game_has_no_games() {
    let long = format!("[White \"A\"]\n\n1. e4 {{{}}} *\n\n", "a comment ".repeat(10_000));
    let text = text(200) + &long + &text(2000);
    let mut games = new(&text);
    let all = sections(&mut games, 30_000);
    let found: Vec<_> = all.iter().map(|s| finder(&text).find(*s).unwrap()).collect();
    assert!(found.iter().any(|found| found.blocks.is_empty()));
    assert!(found.into_iter().all(|found| games.attach(found)));
    assert_same(&grown(games), &grown(new(&text)));
}

#[test]
fn sections_that_do_not_meet_are_found_by_grow() {
    let text = text(3000);
    let mut games = new(&text);
    let (one, two) = (games.split(10_000).unwrap(), games.split(10_000).unwrap());
    let mut found = finder(&text).find(two).unwrap();
    // As if the text had changed between the two.
    found.start += 1;
    assert!(games.attach(finder(&text).find(one).unwrap()));
    let before = games.len();
    assert!(!games.attach(found) && games.len() == before);
    assert_same(&grown(games), &grown(new(&text)));
}

#[test]
fn kept_sections_up_to_limit_are_the_first() {
    let text = text(3000);
    let expected = grown(new(&text));
    for limit in [0, 20_000, 60_000] {
        let mut games = new(&text).keep(limit);
        for section in sections(&mut games, 10_000) {
            assert!(games.attach(finder(&text).find(section).unwrap()));
        }
        let games = grown(games);
        let kept = games.blocks.iter().take_while(|block| block.part.is_some()).count();
        assert!(games.blocks.iter().skip(kept).all(|block| block.part.is_none()));
        assert!((kept > 0) == (limit > 0) && kept < games.blocks.len(), "{kept} blocks");
        assert_same(&games, &expected);
    }
}

#[test]
fn found_section_bytes_round_trip() {
    let text = text(1500);
    let mut games = new(&text);
    let section = games.split(5000).unwrap();
    assert_eq!(TextSection::from_numbers(section.to_numbers()), section);
    let bytes = finder(&text).find(section).unwrap().to_bytes();
    let restored = FoundSection::from_bytes(&bytes).unwrap();
    assert_eq!(restored.to_bytes(), bytes);
    assert!(games.attach(restored) && !games.is_empty());
    assert_same(&grown(games), &grown(new(&text)));
    for at in 0..bytes.len() {
        assert!(FoundSection::from_bytes(&bytes[..at]).is_none(), "{at} bytes");
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        assert!(FoundSection::from_bytes(&damaged).is_none(), "byte {at}");
    }
}

#[test]
fn found_section_of_another_text_is_refused() {
    let (one, other) = (text(1500), text(1600).replace("text", "words"));
    let mut games = new(&one);
    let mut others = new(&other);
    games.split(20_000).unwrap();
    let section = others.split(10_000).unwrap();
    assert!(!games.attach(finder(&other).find(section).unwrap()));
    // A section that goes beyond the end of a text cannot be found.
    assert!(finder(&text(20)).find(section).is_none());
    assert_eq!(new(&text(20)).split(100), None);
}

#[test]
fn grow_on_several_threads_equals_grow() {
    let text = text(40_000);
    let format = format_named("pgn").unwrap();
    let expected = grown(new(&text));
    assert!(text.len() > 3 * SECTION_SIZE);
    for threads in [1, 3] {
        let mut games = new(&text);
        let mut told = Vec::new();
        let mut progress = |done| {
            told.push(done);
            ControlFlow::Continue(())
        };
        let options = OpenOptions::default();
        assert!(games.grow_on(threads, format, &options, &mut progress).unwrap());
        assert!(told.is_sorted() && told.last() == Some(&(text.len() as u64)), "{told:?}");
        assert_eq!((games.len(), games.next), (expected.len(), expected.next));
        let mut broken = new(&text);
        assert!(
            !broken.grow_on(threads, format, &options, &mut |_| ControlFlow::Break(())).unwrap()
        );
    }
}
