//! Guiding texts in conversions.

use std::ops::ControlFlow;
use std::path::Path;

use scoresheet::chess_core::Game;
use scoresheet::chess_store::GuidingText;
use scoresheet::filter::Filter;
use scoresheet::{Converter, CreateOptions, Losses, Outcome, Summary, Watch};

/// Writes two games with a text before, between and after them. The last text is deleted.
fn source(path: &Path) {
    let (mut output, mut losses) =
        (scoresheet::create(path, &CreateOptions::default()).unwrap(), Losses::new());
    for number in 0..3u64 {
        let mut text = GuidingText::default();
        text.header.deleted = number == 2;
        text.header.set("Event", "Biel");
        text.titles = vec![("en".to_owned(), format!("Text {number}"))];
        text.contents = vec![("de".to_owned(), "<p>Grüße</p>".to_owned())];
        text.is_html = true;
        output.append_text(&text, &mut losses).unwrap();
        if number < 2 {
            let mut game = Game::new();
            game.header.set("White", &format!("Player {number}"));
            output.write(&game, &mut losses).unwrap();
        }
    }
    output.finish().unwrap();
    assert_eq!(losses, []);
}

fn convert(converter: Converter, from: &Path, to: &Path, watch: &mut dyn Watch) -> Summary {
    let mut output = scoresheet::create(to, &CreateOptions::default()).unwrap();
    let (mut base, mut converter) = (scoresheet::open(from).unwrap(), converter);
    converter.run(&mut base, &mut output, watch).unwrap();
    output.finish().unwrap();
    converter.summary().clone()
}

/// Returns the places of the texts, and the texts.
fn texts(path: &Path) -> Vec<(u64, String, String, bool)> {
    let base = scoresheet::open(path).unwrap();
    let base = base.database().unwrap();
    let texts = (0..base.text_count()).map(|number| base.text(number).unwrap().unwrap());
    let texts = texts.map(|text| {
        let content = text.contents.iter().find(|(language, _)| language == "de");
        let content = content.map(|(_, html)| html.clone()).unwrap_or_default();
        assert_eq!(text.header.event, "Biel");
        (text.games_before, text.title().to_owned(), content, text.header.deleted)
    });
    texts.collect()
}

fn expected() -> Vec<(u64, String, String, bool)> {
    let text = |number| (number, format!("Text {number}"), "<p>Grüße</p>".to_owned(), number == 2);
    (0..3).map(text).collect()
}

struct Stop;

impl Watch for Stop {
    fn outcome(&mut self, _: &Outcome<'_>) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

#[test]
fn convert_base_with_texts_keeps_them_between_their_games() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    source(&at("one.cbh"));
    for (from, to) in
        [("one.cbh", "two.2cbh"), ("two.2cbh", "three.cbh"), ("three.cbh", "four.cbv")]
    {
        for threads in [1, 3] {
            let converter = Converter::new().threads(threads);
            let summary = convert(converter, &at(from), &at(to), &mut ());
            assert!(summary.is_complete(), "{from} to {to}: {summary:?}");
            assert_eq!(texts(&at(to)), expected(), "{from} to {to}");
        }
    }
}

#[test]
fn convert_to_format_without_texts_counts_them_as_lost() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    source(&at("one.2cbh"));
    for target in ["two.pgn", "two.si4", "two.jsonl"] {
        let summary = convert(Converter::new(), &at("one.2cbh"), &at(target), &mut ());
        let losses: Vec<_> = summary.base_losses.iter().map(ToString::to_string).collect();
        assert_eq!(losses, ["base-fact: 3 guiding texts"], "{target}");
        assert_eq!((summary.read, summary.written), (2, 2));
    }
}

#[test]
fn convert_selected_games_leaves_texts_out() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    source(&at("one.2cbh"));
    let filter = Filter::new().with("player", "Player 1").unwrap();
    let converter = Converter::new().filter(filter);
    let summary = convert(converter, &at("one.2cbh"), &at("two.cbh"), &mut ());
    assert!(summary.is_complete());
    assert_eq!((summary.written, texts(&at("two.cbh"))), (1, vec![]));
}

#[test]
fn convert_stopped_leaves_later_texts_out() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    source(&at("one.cbh"));
    let summary = convert(Converter::new(), &at("one.cbh"), &at("two.2cbh"), &mut Stop);
    assert_eq!(summary.written, 1);
    assert_eq!(texts(&at("two.2cbh")), expected()[..1]);
}

#[test]
fn arrange_base_with_texts_puts_them_first() {
    use scoresheet::arrange::Arranger;
    use scoresheet::columns::SortKey;

    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    source(&at("one.cbh"));
    let mut arranger = Arranger::new(vec![SortKey::parse("-white").unwrap()]);
    let base = scoresheet::open(at("one.cbh")).unwrap();
    arranger.add(base, |_| Ok::<_, scoresheet::Error>(())).unwrap();
    let all = arranger.finish();
    for (range, count) in [(0..2, 3), (0..1, 3), (1..2, 0)] {
        let mut output = scoresheet::create(at("two.2cbh"), &CreateOptions::default()).unwrap();
        let mut converter = Converter::new();
        converter.run(&mut all.base(range), &mut output, &mut ()).unwrap();
        output.finish().unwrap();
        assert_eq!(converter.summary().base_losses, []);
        let texts = texts(&at("two.2cbh"));
        assert_eq!(texts.len(), count);
        assert!(texts.iter().all(|(place, ..)| *place == 0));
    }
}
