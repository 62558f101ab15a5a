//! Options as fields and by name.

use cbh::{CreateOptions, ErrorKind, LongNames, Losses, OpenOptions, Quirk, Texts, Writer};
use chess_core::Game;
use chess_store::{Settings, TypedOptions};

use crate::common::{game, tokens, write};

#[test]
fn long_names_refuse_is_error() {
    let mut options = CreateOptions::default();
    options.long_names = LongNames::Refuse;
    let mut writer = Writer::new(|_| Some(Vec::new()), &options).unwrap();
    let (mut game, mut losses) = (Game::new(), Losses::new());
    game.header.set("Event", &"long ".repeat(9));
    let error = writer.write(&game, &mut losses).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::LongName("Event", 40, _)), "{error}");
    game.header.set("Event", "short");
    writer.write(&game, &mut losses).unwrap();
    assert_eq!((writer.len(), losses.total()), (1, 0));
}

#[test]
fn start_position_with_more_than_32_pieces_is_refused() {
    let (mut game, mut losses) = (Game::new(), Losses::new());
    let mut writer = Writer::new(|_| Some(Vec::new()), &CreateOptions::default()).unwrap();
    game.set_start_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").unwrap();
    let error = writer.write(&game, &mut losses).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::TooManyPieces(33)), "{error}");
    game.set_start_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1").unwrap();
    writer.write(&game, &mut losses).unwrap();
    assert_eq!((writer.len(), losses.total()), (1, 0));
}

#[test]
fn evaluation_in_centipawns_is_kept_without_loss() {
    let (parts, losses) =
        write(&[game(&["e2e4", "{[%eval 23,14] good}", "e7e5", "{[%eval 32760,12]}"])]);
    assert_eq!(losses.total(), 0);
    let base = cbh::Database::from_parts(parts, &OpenOptions::default()).unwrap();
    let read = tokens(&base.games().next().unwrap().unwrap());
    assert_eq!(read, ["e2e4", "{[%eval 0.23,14] good}", "e7e5", "{[%eval #7,12]}"]);
}

#[test]
fn exact_option_records_annotation_order() {
    let given = game(&["e2e4", "{text}", "$1", "{[%cbh before 1] late}", "e7e5", "{x}"]);
    let parts = write(&[given]).0;
    let read = |exact| {
        let mut options = OpenOptions::default();
        options.exact = exact;
        let base = cbh::Database::from_parts(parts.clone(), &options).unwrap();
        tokens(&base.games().next().unwrap().unwrap())
    };
    let exact = ["e2e4", "{text}", "$1", "{[%cbh before 1] late}", "e7e5", "{x}"];
    assert_eq!(read(true), exact);
    let plain = ["e2e4", "$1", "{text}", "{[%cbh before] late}", "e7e5", "{x}"];
    assert_eq!(read(false), plain);
}

#[test]
fn options_by_name_set_fields() {
    let open = |name: &str, value: &str| {
        let mut settings = Settings::default();
        settings.set(name, value);
        settings.read::<OpenOptions>()
    };
    assert_eq!(open("texts", "ignore").unwrap().texts, Texts::Ignore);
    assert_eq!(open("texts", "tell").unwrap().texts, Texts::Tell);
    assert!(open("annotations", "exact").unwrap().exact);
    assert_eq!(open("password", "secret").unwrap().password.as_deref(), Some("secret"));
    assert!(open("texts", "loud").is_err() && open("speed", "1").is_err());
    for option in OpenOptions::LIST.iter().chain(CreateOptions::LIST) {
        assert!(!option.help.ends_with('.'), "{}", option.name);
    }
    let mut create = CreateOptions::default();
    assert!(create.set("names", "refuse") && !create.set("names", "x"));
}

#[test]
fn verify_missing_annotations_skips_their_fields() {
    let mut parts = write(&[game(&["e2e4", "{text}", "$1"]), game(&["e2e4"])]).0;
    parts.cba = None;
    let verified = |parts: cbh::Parts<Vec<u8>>| {
        let base = cbh::Database::from_parts(parts, &OpenOptions::default()).unwrap();
        let mut reader = base.reader();
        [0, 1].map(|number| reader.verify(number, &Game::new()).unwrap())
    };
    assert_eq!(verified(parts.clone()), [vec![], vec![]] as [Vec<&str>; 2]);
    // Fields that follow from the moves are still checked.
    parts.cbh[46 + 45] = 7;
    assert_eq!(verified(parts), [vec!["length"], vec![]]);
}

#[test]
fn guiding_texts_are_reported_and_never_games() {
    let parts = crate::common::with_text();
    let mut options = OpenOptions::default();
    let base = cbh::Database::from_parts(parts.clone(), &options).unwrap();
    assert_eq!(base.len(), 2);
    assert_eq!(base.warnings()[0].quirk::<Quirk>(), Some(Quirk::GuidingTexts));
    let texts: Vec<_> = base.guiding_texts().map(Result::unwrap).collect();
    assert_eq!(texts[0].titles, [("en".to_owned(), "Preface".to_owned())]);
    assert_eq!(texts[0].contents, [("en".to_owned(), "<p>Hello</p>".to_owned())]);
    let about = base.details();
    assert!(about.contains(&("guiding texts", "1: Preface".to_owned())), "{about:?}");
    let mut names = Vec::new();
    for game in base.games() {
        names.push(game.unwrap().header.white);
    }
    assert_eq!(names, ["First", "Second"]);
    options.texts = Texts::Ignore;
    options.strict = true;
    let base = cbh::Database::from_parts(parts, &options).unwrap();
    assert_eq!((base.len(), base.warnings().len()), (2, 0));
}
