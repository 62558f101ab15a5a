//! Round trips through the writer and the reader.

use cbh::chess_core::Token;
use cbh::{Database, EntityKind, LossKind, Losses, OpenOptions, Parts};
use chess_core::Game;
use chess_store::Diagnostics;
use testkit::Flavour;

use crate::common::{FLAVOUR, game, games, open, read, tokens, write};

/// Returns the tags that both games share.
fn tags(game: &Game) -> Vec<(String, String)> {
    let mut all = Vec::new();
    game.header.for_each_tag(|name, value| all.push((name.to_owned(), value.to_string())));
    all
}

#[test]
fn random_games_round_trip() {
    let written = games(1, 500, FLAVOUR);
    let (parts, losses) = write(&written);
    let allowed = [
        LossKind::Round,
        LossKind::Variation,
        LossKind::Setup,
        LossKind::Eco,
        LossKind::CommentMoved,
    ];
    let other = losses.iter().find(|loss| !allowed.contains(&loss.kind));
    assert_eq!(other, None);
    let mut reader = open(parts).unwrap().into_reader();
    let (mut read, mut strict, mut exact) = (Game::new(), Diagnostics::strict(), 0);
    for (number, game) in written.iter().enumerate() {
        assert!(reader.read_game(&mut read, &mut strict).unwrap());
        let mut losses = Losses::new();
        let mut writer = cbh::Writer::in_memory();
        writer.write(game, &mut losses).unwrap();
        if losses.iter().any(|loss| loss.ply.is_some()) {
            continue;
        }
        exact += 1;
        assert_eq!(tokens(&read), tokens(game), "game {number}");
        let same = read.start_position().same_position(&game.start_position());
        assert!(same, "game {number}");
        assert_eq!(read.header.white, game.header.white);
        assert_eq!(read.header.date, game.header.date);
        assert_eq!(read.header.white_elo, game.header.white_elo);
    }
    assert!(exact > 200, "{exact} games without a loss among their moves");
    assert!(!reader.read_game(&mut read, &mut strict).unwrap());
}

#[test]
fn unsupported_content_keeps_moves_and_reports_losses() {
    let written = games(2, 300, Flavour { nags: 255, tags: true, free_comments: true, ..FLAVOUR });
    for written in &written {
        let (parts, losses) = write(std::slice::from_ref(written));
        let read = read(parts).remove(0);
        assert!(read.main_line().eq(written.main_line()));
        let count = |game: &Game, comments: bool| {
            game.tokens().filter(|token| matches!(token, Token::Comment(_)) == comments).count()
        };
        let told = losses.iter().any(|loss| loss.ply.is_some());
        assert!(told || count(&read, true) == count(written, true));
        assert!(
            told || tokens(&read) == tokens(written),
            "{:?} {:?}",
            tokens(&read),
            tokens(written)
        );
        // Writing the result again must give the same bytes.
        let (again, more) = write(std::slice::from_ref(&read));
        let first = write(std::slice::from_ref(written)).0;
        assert!(more.iter().all(|loss| loss.ply.is_none()), "{more:?}");
        assert_eq!(again.cbg, first.cbg);
    }
}

#[test]
fn annotations_every_kind_round_trip() {
    let written = game(&[
        "{[%cbh 24 00] About the game. [%mdl 1]}",
        "{[%cbh before] Before the first move.}",
        "e2e4",
        "$1",
        "$16",
        "$142",
        "{[%csl Gd4,Ra1][%cal Ye2e4] Text with squares. [%mdl 32768]}",
        "{[%cbh lang de] Auf Deutsch.}",
        "(",
        "{Better is}",
        "d2d4",
        "{[%emt 0:01:05] [%eval -0.25,20] [%cbh critical opening]}",
        ")",
        "{and now}",
        "e7e5",
        "{[%cbh before 0] A text before.}",
        "g1f3",
        "$6",
        "{[%clk 1:40:51] stays a text}",
        "{So stay [%csl Gd4][%cal Be2e4]}",
        "{colours. [%emt 0:00:09] [%cal Ye2e4][%csl Gd4] [%emt 0:00:09]}",
        "{  spaces  }",
        "b8c6",
        "{[%cbh link https://example.org a page] }",
    ]);
    let (parts, losses) = write(std::slice::from_ref(&written));
    assert_eq!(losses, [], "{losses:?}");
    let mut options = OpenOptions::default();
    options.exact = true;
    let base = Database::from_parts(parts, &options).unwrap();
    let read: Vec<_> = base.games().map(Result::unwrap).collect();
    assert_eq!(tokens(&read[0]), tokens(&written));
    let record = base.record(0).unwrap();
    assert_eq!(record.medals, 0x8001);
    assert_eq!(
        record.flags,
        1 << 1 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5 | 1 << 7 | 1 << 24 | 1 << 28
    );
}

#[test]
fn unsupported_data_is_reported() {
    for (given, kept, told) in [
        (
            &["e2e4", "{[%csl Gd4]}", "{text}"][..],
            &["e2e4", "{[%csl Gd4] text}"][..],
            "comment-moved: text (ply 2)",
        ),
        (
            &["e2e4", "{[%csl Gd4] [%cal Ye2e4]}"],
            &["e2e4", "{[%csl Gd4][%cal Ye2e4]}"],
            "comment-moved: [%csl Gd4] [%cal Ye2e4] (ply 2)",
        ),
        (
            &["e2e4", "{x [%cal Ye2e4] [%csl Gd4]}"],
            &["e2e4", "{x [%cal Ye2e4][%csl Gd4]}"],
            "comment-moved: x [%cal Ye2e4] [%csl Gd4] (ply 2)",
        ),
        (&["e2e4", "$1", "$2"], &["e2e4", "$1"], "nag: $2 (ply 2)"),
        (&["e2e4", "$16", "$1"], &["e2e4", "$1", "$16"], "nag: the order of $1 (ply 2)"),
        (&["e2e4", "$300"], &["e2e4"], "nag: $300 (ply 2)"),
        (&["$7", "e2e4"], &["e2e4"], "nag: $7 (ply 1)"),
        (&["e2e5", "e7e5"], &[], "move: e2e5 (ply 1)"),
        (&["e2e4", "(", "{x}", ")"], &["e2e4"], "comment-moved: x (ply 1)"),
        (
            &["e2e4", "(", "d2d4", "(", "c2c4", ")", ")"],
            &["e2e4", "(", "d2d4", ")", "(", "c2c4", ")"],
            "variation: moved up a level (ply 2)",
        ),
        (
            &["e2e4", "(", "d2d4", ")", "{last}"],
            &["e2e4", "{last}", "(", "d2d4", ")"],
            "comment-moved: last (ply 2)",
        ),
    ] {
        let (parts, losses) = write(&[game(given)]);
        let read = read(parts).remove(0);
        let losses: Vec<_> = losses.iter().map(ToString::to_string).collect();
        assert!(losses.iter().any(|loss| loss == told), "{given:?}: {losses:?}");
        if given.len() > 3 && given[1] == "(" && given[2] == "{x}" {
            continue;
        }
        assert_eq!(tokens(&read), kept, "{given:?}");
    }
}

#[test]
fn format_tags_round_trip() {
    let mut written = Game::new();
    for (name, value) in [
        ("Event", "Biel MTO"),
        ("Site", "Biel"),
        ("Date", "2025.07.14"),
        ("Round", "1.2"),
        ("White", "Müller, Jörg"),
        ("Black", "Дин"),
        ("Result", "1-0"),
        ("WhiteElo", "2650"),
        ("BlackElo", "2143"),
        ("ECO", "C42/07"),
        ("EventDate", "2025.07.??"),
        ("Deleted", "1"),
        ("CbhResult", "1-0 by forfeit"),
        ("CbhEvaluation", "16"),
        ("EventType", "team-swiss (blitz) (rapid)"),
        ("EventRounds", "11"),
        ("EventCountry", "SUI"),
        ("EventCategory", "12"),
        ("CbhEventFlags", "3"),
        ("Annotator", "Müller"),
        ("SourceTitle", "TWIC 1"),
        ("Source", "M. C."),
        ("SourceDate", "2025.07.15"),
        ("SourceVersion", "1"),
        ("SourceVersionDate", "2025.07.16"),
        ("SourceQuality", "2"),
        ("WhiteTeam", "Solingen"),
        ("WhiteTeamCountry", "GER"),
        ("CbhWhiteTeam", "2 1 1988"),
        ("BlackTeam", "Porz"),
        ("BlackTeamCountry", "#3"),
        ("CbhTitle", "A fine game"),
        ("WhiteClock", "0:35:57"),
        ("BlackClock", "0:03:14.50"),
    ] {
        written.header.set(name, value);
    }
    let (parts, losses) = write(std::slice::from_ref(&written));
    assert_eq!(losses, []);
    let read = read(parts).remove(0);
    assert_eq!(tags(&read), tags(&written));
}

#[test]
fn name_trees_written_are_consistent() {
    let written = games(5, 400, Flavour { tags: true, ..Flavour::PLAIN });
    let (parts, _) = write(&written);
    let base = open(parts.clone()).unwrap();
    for kind in EntityKind::ALL {
        assert_eq!(base.check_names(kind), Vec::<String>::new(), "{kind:?}");
    }
    assert_eq!(base.check_references().unwrap(), Vec::<String>::new());
    assert_eq!(base.check().unwrap(), Vec::<String>::new());
    for number in 0..base.len() {
        let mut reader = base.reader();
        let mut game = Game::new();
        reader.game(number, &mut game, &mut Diagnostics::strict()).unwrap();
        assert_eq!(reader.verify(number, &game).unwrap(), Vec::<&str>::new());
    }
    // A file longer than its header claims must be reported.
    let mut damaged = parts.clone();
    damaged.cbg.push(0);
    let size = damaged.cbg.len();
    let said = format!(".cbg: its header gives {} bytes, but it has {size}", size - 1);
    assert_eq!(open(damaged).unwrap().check().unwrap(), [said]);
    // A wrong link must be reported.
    let mut damaged = parts;
    damaged.cbp.as_mut().unwrap()[32] ^= 1;
    let base = open(damaged).unwrap();
    assert!(!base.check_names(EntityKind::Player).is_empty());
    assert!(base.check().unwrap()[0].starts_with(".cbp: "));
}

#[test]
fn writer_existing_base_replaces_all_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("base.cbh");
    let index = folder.path().join("base.cit");
    std::fs::write(&index, b"of the old base").unwrap();
    for count in [3, 5] {
        let mut writer = cbh::Writer::create(&path).unwrap();
        for game in games(6, count, FLAVOUR) {
            writer.write(&game, &mut Losses::new()).unwrap();
        }
        writer.finish().unwrap();
        let base = Database::open(folder.path().join("base.cbp")).unwrap();
        assert_eq!((base.len(), base.warnings().len()), (count as u64, 0));
    }
    assert!(!index.exists());
    let dropped = cbh::Writer::create(folder.path().join("other.cbh")).unwrap();
    drop(dropped);
    assert!(!folder.path().join("other.cbh").exists());
    let parts: Parts<Vec<u8>> = write(&[]).0;
    assert_eq!(open(parts).unwrap().len(), 0);
}

#[cfg(unix)]
#[test]
fn writer_over_links_stale_file_beside_them_is_error() {
    type Create = fn(std::path::PathBuf) -> Result<(), cbh::Error>;
    let classic: Create = |path| cbh::Writer::create(path).map(drop);
    let new: Create = |path| cbh::v2::Writer::create(path).map(drop);
    for (create, index, stale) in [(classic, "cbh", "cit"), (new, "2cbh", "ini")] {
        let folder = tempfile::tempdir().unwrap();
        let [real, links] = ["real", "links"].map(|name| folder.path().join(name));
        std::fs::create_dir(&real).unwrap();
        std::fs::create_dir(&links).unwrap();
        let [target, link] = [&real, &links].map(|at| at.join("base").with_extension(index));
        std::fs::write(&target, "old").unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        create(link.clone()).unwrap();
        std::fs::write(link.with_extension(stale), "old").unwrap();
        let error = create(link).unwrap_err().to_string();
        assert!(error.contains("is one a link?"), "{index}: {error}");
    }
}

/// A glyph before the first move of a variation is dropped. The text before it stays in the variation.
#[test]
fn write_text_before_dropped_glyph_stays_before_its_move() {
    let written = game(&["e2e4", "e7e5", "(", "{a}", "$2", "{b}", "c7c5", ")", "g1f3"]);
    let (parts, losses) = write(std::slice::from_ref(&written));
    assert_eq!(losses.iter().map(|loss| loss.kind).collect::<Vec<_>>(), [LossKind::Nag]);
    let kept = game(&["e2e4", "e7e5", "(", "{a}", "{b}", "c7c5", ")", "g1f3"]);
    assert_eq!(tokens(&read(parts)[0]), tokens(&kept));
}

/// A variation whose first move is illegal has no move. Its text goes to the move that it replaces. (cbh §11.8)
#[test]
fn write_text_before_illegal_move_goes_to_replaced_move() {
    let written = game(&["e2e4", "e7e5", "(", "{a}", "a1a8", ")", "{z}", "g1f3"]);
    let (parts, losses) = write(std::slice::from_ref(&written));
    let kinds: Vec<_> = losses.iter().map(|loss| loss.kind).collect();
    assert_eq!(kinds, [LossKind::CommentMoved, LossKind::Move]);
    let kept = game(&["e2e4", "e7e5", "{a}", "{[%cbh before] z}", "g1f3"]);
    assert_eq!(tokens(&read(parts)[0]), tokens(&kept));
    let illegal = game(&["{[%cbh before] a}", "e2e5"]);
    let (parts, _) = write(std::slice::from_ref(&illegal));
    assert_eq!(tokens(&read(parts)[0]), ["{[%cbh before] a}"]);
}

/// A command whose data would be read as a text, glyphs or a clock stays a text. (cbh §5.3.18)
#[test]
fn write_command_that_reads_as_other_item_stays_text() {
    for command in ["02 000061", "82 000061", "03 01", "02 0000", "16 00000001", "17 00000001"] {
        let comment = format!("{{[%cbh {command}]}}");
        let behind = format!("{{text [%cbh {command}]}}");
        for comment in [&comment, &behind] {
            for words in [["", comment, "e2e4"], ["e2e4", comment, "e7e5"]] {
                let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
                let written = game(&words);
                let (parts, losses) = write(std::slice::from_ref(&written));
                assert!(losses.is_empty(), "{words:?}: {losses:?}");
                let back = read(parts).remove(0);
                assert_eq!(tokens(&back), tokens(&written), "{words:?}");
                assert_eq!(tags(&back), tags(&written), "{words:?}");
            }
        }
    }
}

/// The longest beginning of a text that fits is kept: 65,527 bytes, whatever they encode.
#[test]
fn write_text_too_long_keeps_65527_bytes() {
    for (letter, kept) in [("x", 65_527), ("é x", 65_527), ("Ж", 32_763)] {
        let text = letter.repeat(70_000);
        let written = game(&["e2e4", &format!("{{{text}}}")]);
        let (parts, losses) = write(std::slice::from_ref(&written));
        assert_eq!(losses.iter().map(|loss| loss.kind).collect::<Vec<_>>(), [LossKind::TextCut]);
        let back = read(parts).remove(0);
        let letters = back.tokens().find_map(|token| match token {
            Token::Comment(text) => Some(text.chars().count()),
            _ => None,
        });
        assert_eq!(letters, Some(kept), "{letter}");
    }
}
