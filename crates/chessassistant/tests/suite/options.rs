//! Options, typed and by name.

use chess_store::erased::{Creator, Opener};
use chess_store::{Describe, Diagnostics, OptionError, Settings, TypedOptions};
use chessassistant::{
    CreateOptions, Database, Encoding, FORMATS, Game, Losses, OpenOptions, Reading, Symbols, Writer,
};

use crate::common::{open, open_with, write};
use crate::round_trip::games;
use testkit::Flavour;

fn settings(name: &str, value: &str) -> Settings {
    let mut settings = Settings::default();
    settings.set(name, value);
    settings
}

fn known<T: TypedOptions>(name: &str, value: &str) -> Option<T> {
    match settings(name, value).read() {
        Ok(options) => Some(options),
        Err(error) => {
            assert!(error.kind::<OptionError>().is_some(), "{error}");
            None
        }
    }
}

#[test]
fn options_by_name_match_typed_options() {
    let reading = |value| known::<OpenOptions>("reading", value).map(|options| options.reading);
    assert_eq!(reading("left"), Some(Some(Reading::Left)));
    assert_eq!(reading("upwards"), None);
    assert!(known::<OpenOptions>("symbols", "codes").is_none());
    let symbols = |value| known::<CreateOptions>("symbols", value).map(|options| options.symbols);
    assert_eq!(symbols("text"), Some(Symbols::Text));
    assert_eq!(symbols("runes"), None);
    let comment = known::<CreateOptions>("comment", "any text").unwrap().comment;
    assert_eq!(comment, "any text");
    for option in OpenOptions::LIST {
        assert!(
            option.values.iter().all(|value| known::<OpenOptions>(option.name, value).is_some())
        );
    }
    for option in CreateOptions::LIST {
        assert!(
            option.values.iter().all(|value| known::<CreateOptions>(option.name, value).is_some())
        );
    }
}

#[test]
fn writer_encoding_that_a_reader_does_not_detect_is_warned() {
    let warnings = |encoding: Encoding, white: &str| {
        let mut options = CreateOptions::default();
        options.encoding = Some(encoding);
        let mut writer = Writer::in_memory_with(&options).unwrap();
        let mut game = Game::new();
        game.header.put("White", white);
        game.push_move("e2e4".parse().unwrap());
        let _ = game.push_comment("\u{142}ad\u{144}ie");
        writer.write(&game, &mut Losses::new()).unwrap();
        let warnings = writer.warnings().to_vec();
        let base =
            Database::from_parts(writer.into_bytes().unwrap(), &OpenOptions::default()).unwrap();
        base.reader().game(0, &mut game, &mut Diagnostics::lenient()).unwrap();
        let is_read = game.header.white == white;
        (is_read, warnings.iter().map(|warning| warning.name).collect::<Vec<_>>())
    };
    assert_eq!(warnings(Encoding::WINDOWS_1252, "R\u{e9}ti"), (true, vec![]));
    assert_eq!(warnings(Encoding::UTF_8, "R\u{e9}ti, \u{141}"), (true, vec![]));
    let other = vec!["ca-other-encoding"];
    assert_eq!(warnings(Encoding::WINDOWS_1250, "\u{15a}widerski"), (false, other.clone()));
    assert_eq!(warnings(Encoding::WINDOWS_1250, "Tal"), (true, other), "the comment");
}

/// Options reach the format through the table of formats as well, beside encoding and strictness.
#[test]
fn options_reach_the_erased_format() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new.cdp");
    let (Some(Opener::Database(open)), Some(Creator::Database(create))) =
        (FORMATS[0].open, FORMATS[0].create)
    else {
        panic!("read and written");
    };
    let mut options = chess_store::CreateOptions::default();
    options.settings = settings("comment", "by name");
    options.encoding = Some(chessassistant::Encoding::UTF_8);
    create(&path, &options).unwrap().finish().unwrap();
    assert_eq!(Database::open(&path).unwrap().comment(), "by name");

    let mut options = chess_store::OpenOptions::default();
    options.settings = settings("reading", "literal");
    let about = open(&path, &options).unwrap().details();
    let check = about.iter().find(|(name, _)| *name == "self-check").unwrap();
    assert_eq!(
        check.1,
        "files counted literal as asked; of 0 games legal: right 0, literal 0, left 0"
    );
    options.strict = true;
    std::fs::remove_file(path.with_extension("emb")).unwrap();
    let error = open(&path, &options).map(drop).unwrap_err();
    assert!(error.to_string().contains("ca-no-names"), "{error}");
}

/// A requested reading overrides the self-check.
#[test]
fn open_reading_option_overrides_self_check() {
    let games = games(Flavour::PLAIN, 0..5);
    let (files, _) = write(&games, &CreateOptions::default());
    let mut left = OpenOptions::default();
    left.reading = Some(Reading::Left);
    let base = open_with(&files, &left);
    assert!(self_check(&base).starts_with("files counted left as asked;"));
    assert!(base.warnings().is_empty());
    assert!(self_check(&open(&files)).starts_with("files counted right;"));
}

fn self_check(base: &impl Describe) -> String {
    let details = base.details();
    details.into_iter().find(|(name, _)| *name == "self-check").unwrap().1
}
