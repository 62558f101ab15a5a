//! Tests of spelling files: `--spelling`, `convert --spell` and `edit spell`.

use std::fs;

use crate::place::Place;

const SPELLING: &str = "@PLAYER \"., -_*\"\nKorchnoi, Viktor #gm\n  = Keller, V L\n  = Kellermann, V\n\
    Karpov, Anatoly\n@SITE \"., -_()\"\n%Suffix \"(Italy)\" \"ITA\"\nMeran ITA\n  = Merano\n\
    @EVENT \",. -_\"\nWch\n  = World Championship\n";

fn place() -> Place {
    let place = Place::new();
    fs::write(place.path("names.ssp"), SPELLING).unwrap();
    let game = |white: &str, black: &str, event: &str, site: &str, moves: &str| {
        format!(
            "[Event \"{event}\"]\n[Site \"{site}\"]\n[Date \"1981.10.01\"]\n[Round \"1\"]\n\
             [White \"{white}\"]\n[Black \"{black}\"]\n\n{moves} *\n\n"
        )
    };
    let long = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 \
                Nb8 10. d4 Nbd7 11. c4 c6 12. cxb5 axb5 13. Nc3 Bb7";
    let games = [
        game("Karpov, A", "Kellermann,V", "World Championship", "Merano", long),
        game("Karpov, Anatoly", "Korchnoi, Viktor", "Wch", "Meran (Italy)", long),
        game("Korchnoi, Igor", "Tal, M", "Club", "Riga", "1. c4"),
    ];
    fs::write(place.path("in.pgn"), games.concat()).unwrap();
    place
}

#[test]
fn list_spelling_finds_all_spellings_of_one_name() {
    let place = place();
    place.run("convert in.pgn in.si4").well();
    for base in ["in.pgn", "in.si4"] {
        let count = |options: &str| place.run(&format!("list {base} --count {options}")).out;
        assert_eq!(count("--player Keller"), "0\n", "{base}");
        assert_eq!(count("--player Keller --spelling names.ssp"), "2\n", "{base}");
        assert_eq!(count("--black Keller,V --spelling names.ssp"), "2\n", "{base}");
        assert_eq!(count("--player korchnoi --spelling names.ssp"), "3\n", "{base}");
        assert_eq!(count("--event wch --spelling names.ssp"), "2\n", "{base}");
        assert_eq!(count("--site meran --spelling names.ssp --exact"), "0\n", "{base}");
        assert_eq!(count("--site Merano --spelling names.ssp --exact"), "2\n", "{base}");
    }
}

#[test]
fn index_list_of_players_changes_no_answer_and_follows_the_list() {
    let place = place();
    let count = || place.run("list in.pgn --count --player Keller --spelling names.ssp").out;
    assert_eq!(count(), "2\n");
    let index = || place.run("index names.ssp").well().err;
    assert!(index().contains("wrote names.ssp.prepared, 0.0 MB"));
    assert!(index().contains("names.ssp: the prepared list is up to date"));
    assert_eq!(count(), "2\n");
    fs::write(place.path("names.ssp"), SPELLING.replace("Keller, V L", "Heller, V L")).unwrap();
    assert_eq!(count(), "0\n");
    fs::write(place.path("names.ssp"), "@PLAYER\n= Tal\n").unwrap();
    assert!(place.run("list in.pgn --spelling names.ssp").err.contains("line 2"));
}

#[test]
fn dedupe_spelling_makes_names_agree() {
    let place = place();
    let plain = place.run("dedupe in.pgn one.pgn").well();
    assert!(plain.err.contains("3 written"), "{plain}");
    let spelt = place.run("dedupe in.pgn two.pgn --spelling names.ssp").well();
    assert!(spelt.err.contains("2 written"), "{spelt}");
    let unique = place.run("convert in.pgn three.pgn --unique --spelling names.ssp").well();
    assert!(unique.err.contains("2 written"), "{unique}");
}

#[test]
fn convert_spell_corrects_names_and_dry_run_lists_them() {
    let place = place();
    let dry = place.run("convert in.pgn out.pgn --spell names.ssp --dry-run").well();
    assert!(!place.path("out.pgn").exists());
    for line in [
        "player: Kellermann,V becomes Korchnoi, Viktor (1)",
        "player: Karpov, A becomes Karpov, Anatoly (1)",
        "event: World Championship becomes Wch (1)",
        "site: Merano becomes Meran ITA (1)",
        "site: Meran (Italy) becomes Meran ITA (1)",
        "dry run, nothing is written: names change in 2 of 3 games",
    ] {
        assert!(dry.err.contains(line), "{line}: {dry}");
    }
    place.run("convert in.pgn out.pgn --spell names.ssp").well();
    let out = fs::read_to_string(place.path("out.pgn")).unwrap();
    assert_eq!(out.matches("[Black \"Korchnoi, Viktor\"]").count(), 2, "{out}");
    assert_eq!(out.matches("[Site \"Meran ITA\"]").count(), 2, "{out}");
    assert!(out.contains("[White \"Korchnoi, Igor\"]"), "{out}");
}

#[test]
fn edit_spell_corrects_names_in_place() {
    let place = place();
    place.run("convert in.pgn in.si4").well();
    let before = fs::read(place.path("in.si4")).unwrap();
    let dry = place.run("edit in.si4 --dry-run spell names.ssp").well();
    assert!(dry.err.contains("player: Kellermann,V becomes Korchnoi, Viktor (1)"), "{dry}");
    assert!(dry.err.contains("dry run, nothing is written: changed 2 games"), "{dry}");
    assert_eq!(fs::read(place.path("in.si4")).unwrap(), before);
    place.run("edit in.si4 spell names.ssp").well();
    let list = place.run("list in.si4 --csv --columns white,black,site,event").well().out;
    assert!(list.contains("\"Karpov, Anatoly\",\"Korchnoi, Viktor\",Meran ITA,Wch\n"), "{list}");
    let again = place.run("edit in.si4 spell names.ssp");
    assert!(again.err.contains("changed 0 games"), "{again}");
}

#[test]
fn edit_spell_names_of_several_people_stay_and_are_told() {
    let place = Place::new();
    let spelling = "@PLAYER\nAdams, Michael\n  = Adams,Mi\n  = Adams, Mickey\nPolgar, Susan\n  = Polgar, Zsuzsa\n";
    fs::write(place.path("names.ssp"), spelling).unwrap();
    let game = |white: &str, year: u16, elo: u16| {
        let tags = format!("[White \"{white}\"]\n[Date \"{year}.01.01\"]\n[WhiteElo \"{elo}\"]");
        format!("{tags}\n[Black \"Tal, M\"]\n\n1. e4 *\n\n").repeat(3)
    };
    let games = [
        game("Adams, Michael", 2000, 2700),
        game("Adams,Mi", 2000, 2100),
        game("Polgar, Zsuzsa", 2000, 2500),
    ];
    fs::write(place.path("in.pgn"), games.concat()).unwrap();
    place.run("convert in.pgn in.si4").well();
    let ran = place.run("edit in.si4 spell names.ssp").well();
    for line in [
        "left: Adams,Mi: as Adams, Michael it would be 2 people\n",
        "  Adams, Michael (2000, Elo 2100): 3 games\n",
        "1 name would join several people; --all corrects all\n",
        "changed 3 games",
        "such as Polgar, Zsuzsa for Polgar, Susan\n",
    ] {
        assert!(ran.err.contains(line), "{line}: {ran}");
    }
    let whites = |place: &Place| place.run("list in.si4 --csv --columns white").well().out;
    assert!(whites(&place).contains("\"Adams,Mi\"") && whites(&place).contains("Polgar, Susan"));
    // In other years nobody can tell them apart, and the selection counts.
    let dry = place.run("edit in.si4 --dry-run spell names.ssp --white Adams,Mi --exact").well();
    assert!(dry.err.contains("changed 3 games"), "{dry}");
    place.run("edit in.si4 spell names.ssp --all").well();
    assert!(!whites(&place).contains("\"Adams,Mi\""));
}

#[test]
fn spelling_file_that_is_broken_is_error_with_line() {
    let place = place();
    fs::write(place.path("bad.ssp"), "@PLAYER\n= Tal\n").unwrap();
    for line in [
        "list in.pgn --spelling bad.ssp",
        "convert in.pgn out.pgn --spell bad.ssp",
        "dedupe in.pgn out.pgn --spelling bad.ssp",
    ] {
        let ran = place.run(line);
        assert_eq!(ran.code, 3, "{ran}");
        assert!(ran.err.contains("bad.ssp: line 2: `=` gives another spelling"), "{ran}");
    }
    let ran = place.run("list in.pgn --spelling missing.ssp");
    assert!(ran.code == 3 && ran.err.contains("missing.ssp: "), "{ran}");
}
