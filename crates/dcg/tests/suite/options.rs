//! Options, typed and by name.

use chess_core::Game;
use chess_store::erased::{Creator, Opener};
use chess_store::{self, AnyError, Losses, Settings};
use dcg::{
    CreateOptions, ErrorKind, FORMATS, LongNames, OpenOptions, Parts, PromotionEvidence,
    Promotions, Scope, Writer,
};

use crate::common::{open, read, write};

#[test]
fn write_long_name_refused_by_option() {
    let mut options = CreateOptions::default();
    options.long_names = LongNames::Refuse;
    let parts = Parts { dce: Some(Vec::new()), ..Parts::default() };
    let mut writer = Writer::from_parts(parts, &options).unwrap();
    let (mut game, mut losses) = (Game::new(), Losses::new());
    game.header.set("Site", &"long ".repeat(8));
    let error = writer.write(&game, &mut losses).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::LongName("Site", _)));
    assert_eq!(error.scope(), Scope::Game);
    assert!(error.to_string().starts_with(".dcg: Site has more than 36 bytes"), "{error}");
    game.header.set("Site", "short");
    writer.write(&game, &mut losses).unwrap();
    assert!(losses.is_empty());
    let written = writer.into_parts().unwrap();
    assert_eq!(written.dcs.len(), 46);
    assert_eq!(read(written), [game], "the base goes on without it");
}

#[test]
fn open_promotions_option_overrides_evidence() {
    let parts = write(&[Game::new()]).0;
    let assumed = open(parts.clone()).unwrap().promotion_numbering();
    assert_eq!(assumed.evidence, PromotionEvidence::Assumed);
    let mut options = OpenOptions::default();
    options.promotions = Some(Promotions::Described);
    let asked = dcg::Database::from_parts(parts, &options).unwrap().promotion_numbering();
    let said = (asked.promotions, asked.evidence);
    assert_eq!(said, (Promotions::Described, PromotionEvidence::Asked));
}

#[test]
fn options_by_name_match_typed_options() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("base.dci");
    let [format] = FORMATS else { panic!("one format") };
    let (Some(Opener::Database(open)), Some(Creator::Database(create)), Some(edit)) =
        (format.open, format.create, format.edit)
    else {
        panic!("a format of files that can be read, written and changed");
    };
    let settings = |name: &str, value: &str| {
        let mut settings = Settings::default();
        settings.set(name, value);
        settings
    };
    let created = |name: &str, value: &str| -> Result<(), AnyError> {
        let mut options = chess_store::CreateOptions::default();
        options.settings = settings(name, value);
        create(&path, &options)?.finish()
    };
    let opened = |name: &str, value: &str| {
        let mut options = chess_store::OpenOptions::default();
        options.settings = settings(name, value);
        edit(&path, &options)?;
        let about = open(&path, &options)?.details();
        let promotions = about.into_iter().find(|(name, _)| *name == "promotion codes");
        Ok::<_, AnyError>(promotions.unwrap().1)
    };
    created("names", "refuse").unwrap();
    assert_eq!(
        created("names", "grow").unwrap_err().to_string(),
        "somewhere: unknown option names=grow: names is one of cut, refuse"
    );
    created("promotions", "described").unwrap();
    created("promotions", "auto").unwrap();
    assert!(created("promotions", "klingon").is_err());
    assert_eq!(
        opened("promotions", "described").unwrap(),
        "knight 1 to queen 4, as the description has it (asked for)"
    );
    assert_eq!(
        opened("promotion", "auto").unwrap_err().to_string(),
        "somewhere: unknown option promotion=auto: the options here are promotions"
    );
}
