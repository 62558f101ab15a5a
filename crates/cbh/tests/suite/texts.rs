//! Guiding texts in both formats.

use cbh::{Database, GuidingText, Losses, OpenOptions, Writer, v2};
use chess_store::{Describe, WriteGames, erased};

use crate::common::game;

fn of(language: &str, text: &str) -> (String, String) {
    (language.to_owned(), text.to_owned())
}

/// A text with everything that both formats hold.
fn text(number: u64) -> GuidingText {
    let mut text = GuidingText::default();
    text.games_before = number;
    text.header.deleted = number == 1;
    for (name, value) in [
        ("Event", "Biel"),
        ("Site", "Biel"),
        ("EventDate", "1993.07.16"),
        ("EventType", "tourn"),
        ("Annotator", "Lutz, Christopher"),
        ("SourceTitle", "CBM"),
        ("Source", "ChessBase"),
    ] {
        text.header.set(name, value);
    }
    text.titles = vec![of("en", &format!("Preface {number}")), of("de", "Vorwort")];
    text.contents = vec![of("de", "<p>Grüße</p>"), of("any", "<p>any</p>")];
    text.is_html = true;
    text
}

/// Compares texts apart from the order of languages.
fn assert_equal(read: &GuidingText, written: &GuidingText) {
    let sorted = |text: &GuidingText| {
        let mut text = text.clone();
        text.titles.sort();
        text.contents.retain(|(_, content)| !content.is_empty());
        text.contents.sort();
        text
    };
    assert_eq!(sorted(read), sorted(written));
}

/// Writes two games with a text before, between and after them.
fn write<W: WriteGames>(writer: &mut W) {
    let mut losses = Losses::new();
    for number in 0..3 {
        assert!(writer.append_text(&text(number), &mut losses).is_ok());
        if number < 2 {
            assert!(writer.write(&game(&["e2e4"]), &mut losses).is_ok());
        }
    }
    assert_eq!(losses, []);
}

fn check<D: erased::Database>(base: &D) {
    assert_eq!(erased::Database::check(base).unwrap(), Vec::<String>::new());
    assert_eq!((base.len(), base.text_count()), (2, 3));
    for number in 0..3 {
        assert_equal(&base.text(number).unwrap().unwrap(), &text(number));
    }
    assert_eq!(base.text(3).unwrap(), None);
}

#[test]
fn texts_written_round_trip_in_both_formats() {
    let (mut classic, mut modern) = (Writer::in_memory(), v2::Writer::in_memory());
    write(&mut classic);
    write(&mut modern);
    assert_eq!((classic.len(), modern.len()), (2, 2));
    let mut options = OpenOptions::default();
    let classic = classic.into_bytes().unwrap();
    let modern = modern.into_bytes().unwrap();
    check(&Database::from_parts(classic.clone(), &options).unwrap());
    check(&v2::Database::from_parts(modern.clone(), &options).unwrap());
    options.texts = cbh::Texts::Ignore;
    let classic = Database::from_parts(classic, &options).unwrap();
    let modern = v2::Database::from_parts(modern, &options).unwrap();
    assert_eq!([classic.text_count(), modern.text_count()], [0, 0]);
}

#[test]
fn round_of_a_text_is_lost_in_2cbh_only() {
    let mut with_round = text(0);
    with_round.header.set("Round", "2.3");
    let (mut classic, mut losses) = (Writer::in_memory(), Losses::new());
    classic.write_text(&with_round, &mut losses).unwrap();
    assert_eq!(losses, []);
    let parts = classic.into_bytes().unwrap();
    let base = Database::from_parts(parts, &OpenOptions::default()).unwrap();
    assert_equal(&base.guiding_texts().next().unwrap().unwrap(), &with_round);
    v2::Writer::in_memory().write_text(&with_round, &mut losses).unwrap();
    let losses: Vec<String> = losses.iter().map(ToString::to_string).collect();
    assert_eq!(losses, ["round: 2.3"]);
}

#[test]
fn language_of_the_other_format_is_reported() {
    let mut odd = text(0);
    odd.titles.push(of("nation-116", "Wstęp"));
    let mut losses = Losses::new();
    v2::Writer::in_memory().write_text(&odd, &mut losses).unwrap();
    assert_eq!(losses, []);
    Writer::in_memory().write_text(&odd, &mut losses).unwrap();
    assert_eq!(
        losses.listed()[0].to_string(),
        "base-fact: the text in the language \"nation-116\""
    );
}

#[test]
fn text_too_long_is_refused_and_writing_goes_on() {
    let mut long = text(0);
    long.titles[0].1 = "x".repeat(1 << 16);
    let (mut writer, mut losses) = (Writer::in_memory(), Losses::new());
    assert!(writer.write_text(&long, &mut losses).is_err());
    long.titles[0].1.clear();
    long.contents[0].1 = "x".repeat(1 << 24);
    assert!(writer.write_text(&long, &mut losses).is_err());
    assert_eq!(losses, []);
    writer.write(&game(&["e2e4"]), &mut losses).unwrap();
    let base = crate::common::open(writer.into_bytes().unwrap()).unwrap();
    assert_eq!((base.len(), base.text_count()), (1, 0));
    assert_eq!(base.check().unwrap(), Vec::<String>::new());
}
