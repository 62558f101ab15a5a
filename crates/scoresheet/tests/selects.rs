//! `Prefilter::select` selects the same games as reading every game, damaged or not. `list` and the
//! page rely on it.

use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use scoresheet::chess_core::{Game, Header, TYPED_TAGS};
use scoresheet::chess_store::{AnyError, Diagnostics};
use scoresheet::filter::{CRITERIA, Prefilter};
use scoresheet::{
    Base, CreateOptions, Database, Filter, Indexed, Losses, OpenOptions, Scanner, Selector, detect,
    families, format_named,
};
use testkit::cases;

/// Three games, the second of them damaged.
const DAMAGED: &str = "[Event \"A\"]\n[White \"Alder\"]\n[Black \"Birch\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n\
[Event \"B\"]\n[White \"Cedar\"]\n[Black \"Dogwood\"]\n[Result \"0-1\"]\n\n1. e4 e5 2. Qxe1 0-1\n\n\
[Event \"C\"]\n[White \"Elm\"]\n[Black \"Fir\"]\n[Result \"1/2-1/2\"]\n\n1. d4 d5 1/2-1/2\n";

const FILTERS: [(&str, &str); 13] = [
    ("player", "xyzzy"),
    ("white", "a*"),
    ("event", "o"),
    ("site", "e"),
    ("date", "1990"),
    ("date", "1900..2030"),
    ("eco", "B"),
    ("elo", "2500.."),
    ("result", "1-0"),
    ("where", "White=e"),
    ("moves", "1. e4"),
    ("position", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"),
    ("position", "rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR"),
];

/// Header fields that differ between the header and the whole game. If many entries share a record,
/// only the first games have names when read (cbf). A result may stand only after the moves (jose).
const TOLD_OTHERWISE: [(&str, &str); 3] =
    [("cbf/bad_shared", "a*"), ("movecode/bad_clauses", "1-0"), ("movecode/bad_codes", "1-0")];

/// Limits for the kept headers and main lines: nothing is kept, a few games, all games.
const KEPT: [Option<usize>; 3] = [None, Some(1000), Some(usize::MAX)];

fn indexed(
    file: impl Into<scoresheet::Input>,
    format: &str,
    kept: Option<usize>,
) -> Result<Indexed, AnyError> {
    let format = format_named(format).unwrap();
    let games = Indexed::new(file, format, &OpenOptions::default())?;
    let mut games = match kept {
        Some(limit) => games.keep(limit),
        None => games,
    };
    // Games before an error of the whole text are present.
    while games.grow().unwrap_or(false) {}
    Ok(games)
}

fn selected(database: &dyn Database, filter: &Filter) -> Vec<u64> {
    Prefilter::new(filter).select(&mut *database.reader(), 0..database.len()).unwrap().to_vec()
}

fn selected_by_reading(database: &dyn Database, filter: &Filter) -> Vec<u64> {
    let (mut reader, mut game) = (database.reader(), Game::new());
    let mut selects = |number: &u64| {
        let _ = reader.game(*number, &mut game, &mut Diagnostics::lenient());
        filter.selects(&game)
    };
    (0..database.len()).filter(|number| selects(number)).collect()
}

#[test]
fn select_damaged_text_game_is_chosen_by_what_could_be_read() {
    for (name, value, expected) in [
        ("player", "xyzzy", &[][..]),
        ("player", "cedar", &[1]),
        ("elo", "2500..", &[]),
        ("date", "1990", &[]),
        ("eco", "B", &[]),
        ("event", "C", &[2]),
        ("result", "1-0", &[0]),
        ("result", "0-1", &[1]),
        ("where", "White=Fir", &[]),
        ("moves", "1. e4", &[0, 1]),
        ("position", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR", &[0, 1]),
        ("position", "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR", &[2]),
    ] {
        let filter = Filter::named([(name, value)]).unwrap();
        for kept in KEPT {
            let games = indexed(Arc::new(DAMAGED.as_bytes().to_vec()), "pgn", kept).unwrap();
            assert_eq!(selected(&games, &filter), expected, "{name} {value} {kept:?}");
        }
    }
}

fn assert_same(name: &str, database: &dyn Database) {
    for (filter, value) in FILTERS {
        let filter = Filter::named([(filter, value)]).unwrap();
        let expected = selected_by_reading(database, &filter);
        if !TOLD_OTHERWISE.contains(&(name, value)) {
            assert_eq!(selected(database, &filter), expected, "{name}: {filter:?}");
        }
    }
}

/// Kept headers have the typed fields, warnings and errors of headers that are read.
fn assert_same_headers(name: &str, kept: &Indexed, read: &Indexed) {
    let (mut one, mut other) = (Database::reader(kept), Database::reader(read));
    for number in 0..Database::len(read) {
        let of = |reader: &mut dyn scoresheet::GameReader| {
            let (mut header, mut notes) = (Header::default(), Diagnostics::lenient());
            let is_read = reader.header(number, &mut header, &mut notes).is_ok();
            let tags = TYPED_TAGS.map(|tag| header.get(tag));
            (is_read, tags, notes.warnings().len())
        };
        assert_eq!(of(&mut *one), of(&mut *other), "{name}: game {number}");
    }
}

fn open(path: &Path) -> Option<Base> {
    scoresheet::open(path).ok().filter(|base| base.database().is_some())
}

#[test]
fn select_every_fixture_is_what_reading_selects() {
    let (mut bases, mut texts) = (0, 0);
    for family in families() {
        for case in cases(family.name) {
            let mut names = family.formats.iter().filter_map(|format| format.extensions.first());
            let path = match &case.meta.open {
                Some(open) => Some(case.file(open)),
                None => names.find_map(|name| Some(case.path(name)).filter(|path| path.is_file())),
            };
            let Some(path) = path else { continue };
            let name = format!("{}/{}", family.name, case.name);
            if let Some(base) = open(&path) {
                assert_same(&name, base.database().unwrap());
                bases += 1;
            } else if let Some(format) = detect(&path).ok().filter(|f| f.open_inputs.is_none())
                && let Some(extension) = path.extension()
                && format.extensions.contains(&&*extension.to_string_lossy())
            {
                let file = Arc::new(File::open(&path).unwrap());
                let Ok(games) = indexed(Arc::clone(&file), format.name, None) else { continue };
                assert_same(&name, &games);
                for kept in &KEPT[1..] {
                    let kept = indexed(Arc::clone(&file), format.name, *kept).unwrap();
                    assert_same(&name, &kept);
                    assert_same_headers(&name, &kept, &games);
                }
                texts += 1;
            }
        }
    }
    assert!(bases > 150 && texts > 50, "{bases} bases, {texts} texts");
}

/// A base of 20,000 games; every hundredth is damaged.
fn large_base() -> Indexed {
    let mut text = String::new();
    for number in 0..20_000 {
        let (player, moves) = match number {
            _ if number % 100 == 7 => ("Damaged", "1. e4 e5 2. Qxe1"),
            _ if number % 3 == 0 => ("Third", "1. d4 d5"),
            _ => ("Other", "1. e4 c5 2. Nf3"),
        };
        text.push_str(&format!("[Event \"A\"]\n[White \"{player}\"]\n\n{moves} *\n\n"));
    }
    indexed(Arc::new(text.into_bytes()), "pgn", Some(usize::MAX)).unwrap()
}

#[test]
fn selector_on_several_threads_selects_what_prefilter_selects() {
    let games = large_base();
    let games: &dyn Database = &games;
    let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
    for (name, value) in [("white", "third"), ("position", after_e4), ("games", "5000-6000")] {
        let filter = Filter::named([(name, value)]).unwrap();
        let mut prefilter = Prefilter::new(&filter);
        let expected = prefilter.select(&mut *games.reader(), 0..games.len()).unwrap().to_vec();
        assert!(expected.len() > 1000, "{name}: {}", expected.len());
        for threads in [0, 1, 2, 3, 16] {
            let (mut numbers, mut damaged, mut next) = (Vec::new(), Vec::new(), 0);
            let done = Selector::new(&filter).threads(threads).run(games, |selected| {
                assert_eq!(selected.games.start, next, "{name} on {threads} threads");
                next = selected.games.end;
                numbers.extend_from_slice(selected.numbers);
                damaged.extend_from_slice(selected.damaged);
                ControlFlow::<()>::Continue(())
            });
            assert_eq!(done, Ok(ControlFlow::Continue(())));
            assert_eq!(next, games.len(), "{name} on {threads} threads");
            assert_eq!(numbers, expected, "{name} on {threads} threads");
            assert_eq!(damaged, prefilter.damaged(), "{name} on {threads} threads");
        }
    }
}

#[test]
fn select_names_heeds_lists_of_numbers() {
    let root = testkit::workspace_root().join("fixtures");
    let scid = open(&root.join("scid/plain/base.si4")).unwrap();
    let text = large_base();
    for (games, name) in [(scid.database().unwrap(), "alder"), (&text as &dyn Database, "third")] {
        let numbers = |filter: &Filter| {
            Prefilter::new(filter).select(&mut *games.reader(), 0..games.len()).unwrap().to_vec()
        };
        let filter = Filter::named([("player", name)]).unwrap();
        let all = numbers(&filter);
        assert!(all.len() > 1, "{all:?}");
        let mut without = filter.clone();
        without.without = [0, all[0]].into();
        assert!(numbers(&without).iter().eq(all.iter().filter(|game| ![0, all[0]].contains(game))));
        let only = filter.only_games(vec![0, 1, all[1]]);
        let listed = |game: &&u64| [0, 1, all[1]].contains(game);
        assert!(numbers(&only).iter().eq(all.iter().filter(listed)));
    }
}

#[test]
fn selector_stopped_by_caller_delivers_no_more() {
    let (games, filter) = (large_base(), Filter::default());
    let mut calls = 0;
    let done = Selector::new(&filter).threads(4).run(&games, |selected| {
        calls += 1;
        if selected.numbers.contains(&5000) {
            ControlFlow::Break(selected.games.start)
        } else {
            ControlFlow::Continue(())
        }
    });
    assert_eq!((done, calls), (Ok(ControlFlow::Break(4096)), 3));
}

#[test]
fn selector_empty_base_selects_nothing() {
    let games = indexed(Arc::new(Vec::new()), "pgn", None).unwrap();
    let filter = Filter::default();
    let done = Selector::new(&filter).run(&games, |selected| ControlFlow::Break(selected.games));
    assert_eq!(done, Ok(ControlFlow::Continue(())));
}

/// For each criterion: a value that selects all of [`plain_games`], and one that selects none.
const EXTREMES: [(&str, &str, &str); 32] = [
    ("games", "1..", "9000"),
    ("player", "alder", "xyzzy"),
    ("against", "birch", "xyzzy"),
    ("white", "alder", "xyzzy"),
    ("black", "birch", "xyzzy"),
    ("event", "open", "xyzzy"),
    ("site", "town", "xyzzy"),
    ("date", "1990..2010", "1801"),
    ("eco", "B", "E99"),
    ("opening", "sicilian", "E97..E99"),
    ("elo", "2000..", "3900.."),
    ("elo-diff", "..300", "3000.."),
    ("time-class", "unknown", "bullet"),
    ("base-seconds", "0..", "180"),
    ("increment", "0..", "0"),
    ("result", "1-0", "0-1"),
    ("outcome", "won", "drew"),
    ("length", "2..9", "900.."),
    ("where", "Event=open", "Event=xyzzy"),
    ("tag-missing", "Annotator", "White"),
    ("moves", "1. e4", "1. a3 h6"),
    ("position", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR", "8/8/8/8/8/8/8/K1k5"),
    ("material", "QRRBBNNP8-QRRBBNNP8", "Q9-Q9"),
    ("pattern", "Pe4", "Ka8 kh8"),
    ("comment", "good", "xyzzy"),
    ("deleted", "no", "yes"),
    ("annotated", "yes", "no"),
    ("ends", "neither", "bare-kings"),
    ("has", "no-castling", "excelsior"),
    ("cql", "Pe4 pc5", "mate"),
    ("in-repertoire", "1. e4 c5 *", "1. a3 *"),
    ("leaves-repertoire", "1. d4 *", "1. e4 *"),
];

fn plain_games() -> Vec<Game> {
    let game = |number: usize| {
        let mut game = Game::new();
        for (name, value) in [
            ("Event", "Open"),
            ("Site", "Town"),
            ("Date", "2001.02.03"),
            ("White", "Alder, Nora"),
            ("Black", "Birch, Olav"),
            ("Result", "1-0"),
            ("WhiteElo", "2400"),
            ("BlackElo", "2300"),
            ("ECO", "B20"),
        ] {
            game.header.set(name, value);
        }
        game.header.set("Round", &number.to_string());
        ["e2e4", "c7c5", "g1f3", "d7d6"].iter().for_each(|m| game.push_move(m.parse().unwrap()));
        game.push_comment("a good one").unwrap();
        game
    };
    (1..=4).map(game).collect()
}

/// A criterion that is forgotten somewhere between option, plan and test selects every game.
#[test]
fn select_unmatchable_value_of_each_criterion_selects_nothing_in_every_format() {
    let tested: Vec<&str> = EXTREMES.iter().map(|(name, ..)| *name).collect();
    let modifiers = ["variations", "mirrored"];
    let all = CRITERIA.iter().map(|criterion| criterion.name);
    let all = all.filter(|name| !modifiers.contains(name));
    assert!(all.eq(tested), "each criterion is here");
    let folder = tempfile::tempdir().unwrap();
    let mut bases = 0;
    for format in scoresheet::formats() {
        // A book merges its games, a list of positions has no moves.
        let is_base = format.create.is_some()
            && format.open.is_some()
            && !["fbk", "epd", "fen"].contains(&format.name);
        if !is_base {
            continue;
        }
        let path = folder.path().join(format.name).with_extension(format.extensions[0]);
        let output = scoresheet::create_as(&path, format, &CreateOptions::default());
        let (mut output, mut losses) = (output.unwrap(), Losses::new());
        for game in plain_games() {
            output.write(&game, &mut losses).unwrap();
        }
        output.finish().unwrap();
        bases += 1;
        let count = |pairs: &[(&str, &str)]| {
            // `against` alone is a filter of the library, but no option.
            let filter = pairs
                .iter()
                .try_fold(Filter::new(), |filter, (name, value)| filter.with(name, value));
            let mut base = scoresheet::open_as(&path, format, &OpenOptions::default()).unwrap();
            let (filter, mut found) = (filter.unwrap(), 0);
            if let Some(database) = base.database() {
                found = selected(database, &filter).len();
            }
            let mut scanned = 0;
            let scanner = Scanner::new().filter(filter);
            scanner.for_each(&mut base, |_| scanned += 1).unwrap();
            assert!(base.database().is_none() || found == scanned, "{}: {pairs:?}", format.name);
            scanned
        };
        for (name, some, none) in EXTREMES {
            assert_eq!(count(&[(name, none)]), 0, "{}: {name}", format.name);
            let stores_it = count(&[(name, some)]) == 4;
            let may_lack = ["comment", "annotated", "elo-diff", "eco", "event", "site", "deleted"];
            // The games have no time control.
            let stores_it = stores_it || ["base-seconds", "increment"].contains(&name);
            assert!(stores_it || may_lack.contains(&name), "{}: {name} {some}", format.name);
            for (other, some, _) in EXTREMES {
                let pairs = [(name, none), (other, some)];
                if other != name {
                    assert_eq!(count(&pairs), 0, "{}: {pairs:?}", format.name);
                }
            }
        }
    }
    assert!(bases > 8, "{bases}");
}
