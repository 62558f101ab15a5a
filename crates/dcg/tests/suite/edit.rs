//! Edits in place. An edit is stopped after any write, whole or torn, by a kill or a power cut. The
//! base still opens with all games.

use chess_core::Game;
use chess_store::Diagnostics;
use dcg::{CreateOptions, Editor, Losses, OpenOptions, Parts, Promotions, Scope, Writer};
use testkit::{Disk, Stop, next_game, next_header};

use crate::common::{FLAVOUR, bytes, games, open, read, write};

type Change = fn(&mut Editor<Disk>, &Game) -> Result<(), dcg::Error>;

const CHANGES: [(&str, Change); 6] = [
    ("append", |editor, game| editor.append(game, &mut Losses::new()).map(drop)),
    ("replace", |editor, game| editor.replace(1, game, &mut Losses::new()).map(drop)),
    ("replace all", |editor, game| {
        let games = [(1, game.clone())];
        let done = editor.replace_all(&mut next_game(&games), &mut Losses::new());
        done.map(drop).map_err(|error| {
            dcg::Error::new(std::io::Error::other("failed").into(), error.location())
        })
    }),
    ("delete", |editor, _| editor.set_deleted(2, true).and_then(|()| editor.sync())),
    ("undelete", |editor, _| editor.set_deleted(3, false).and_then(|()| editor.sync())),
    ("default", |editor, _| editor.set_default_game(4)),
];

fn base() -> (Parts<Vec<u8>>, Game) {
    // Normalised as DCG returns them, for comparison.
    let mut all = read(write(&games(11, 6, FLAVOUR)).0);
    all[3].header.deleted = true;
    let mut new = all.pop().unwrap();
    for name in ["White", "Black", "Site", "Event"] {
        new.header.set(name, &format!("New {name}"));
    }
    (write(&all).0, new)
}

fn editor(parts: &Parts<Vec<u8>>, stop: &Stop) -> Editor<Disk> {
    let disks = parts.each_ref().map(|bytes| Disk::new(bytes.clone(), stop));
    Editor::from_parts(disks, &OpenOptions::default()).unwrap()
}

#[test]
fn edit_stopped_anywhere_loses_nothing() {
    let (parts, new) = base();
    let before = read(parts.clone());
    for (name, change) in CHANGES {
        let never = Stop::never();
        change(&mut editor(&parts, &never), &new).unwrap();
        assert!(never.count() > 1, "{name} changes and syncs");
        for (stop, torn) in (0..never.count()).flat_map(|stop| [(stop, false), (stop, true)]) {
            let mut editor = editor(&parts, &Stop::after(stop, torn));
            change(&mut editor, &new).unwrap_err();
            let left = editor.into_parts();
            let what = format!("{name} stopped after {stop} changes, torn {torn}");
            let killed = left.each_ref().map(Disk::bytes);
            assert!(read(killed.clone()).len() >= before.len(), "{what}");
            every_game_is_there(&killed, &before, &new, &what);
            for seed in 0..8 {
                let left = left.each_ref().map(|disk| disk.after_power_cut(seed));
                every_game_is_there(&left, &before, &new, &format!("{what}, power cut {seed}"));
            }
        }
    }
}

fn every_game_is_there(left: &Parts<Vec<u8>>, before: &[Game], new: &Game, what: &str) {
    let mut reader = open(left.clone()).unwrap().into_reader();
    let (mut after, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    for (number, before) in (0..).zip(before) {
        reader.game(number, &mut after, &mut diagnostics).unwrap();
        // The mark itself may or may not be on disk.
        after.header.deleted = before.header.deleted;
        assert_eq!(after, *before, "{what}: game {number}");
    }

    // The base can still be edited.
    let mut editor = editor(left, &Stop::never());
    let number = editor.append(new, &mut Losses::new()).unwrap();
    let mut reader = open(bytes(editor.into_parts())).unwrap().into_reader();
    reader.game(number, &mut after, &mut diagnostics).unwrap();
    assert_eq!(after.header.white, "New White", "{what}");
    assert!(after.tokens().eq(new.tokens()), "{what}");
    for (number, before) in (0..).zip(before) {
        reader.game(number, &mut after, &mut diagnostics).unwrap();
        assert!(after.tokens().eq(before.tokens()), "{what}");
    }
}

#[test]
fn edit_power_cut_keeps_finished_edits_and_needs_each_sync() {
    let (parts, mut new) = base();
    // With two new players, the second sync would serve both.
    new.header.black = read(parts.clone()).remove(0).header.black;
    for (name, change) in CHANGES {
        let done = Stop::never();
        change(&mut editor(&parts, &done), &new).unwrap();
        let is_safe = |ignored: Option<u64>| {
            (0..=done.count()).all(|stop| {
                let stop = Stop::after(stop, false);
                if let Some(number) = ignored {
                    stop.ignore_sync(number);
                }
                let mut editor = editor(&parts, &stop);
                let result = change(&mut editor, &new);
                let left = editor.into_parts();
                let is_on_disk = |disk: &Disk| disk.after_power_cut(0) == disk.bytes();
                let is_done = left.each_ref().map(is_on_disk) == left.each_ref().map(|_| true);
                let keeps_one = |seed| {
                    let left = left.each_ref().map(|disk| disk.after_power_cut(seed));
                    has_old_or_new(left, &new)
                };
                let replaces = name.starts_with("replace");
                if result.is_ok() { is_done } else { !replaces || (0..32).all(keeps_one) }
            })
        };
        assert!(is_safe(None), "{name}");
        for number in 0..done.syncs() {
            assert!(!is_safe(Some(number)), "{name} without sync {number}");
        }
    }
}

/// Either game 1 is not deleted, or the last game is its replacement.
fn has_old_or_new(parts: Parts<Vec<u8>>, new: &Game) -> bool {
    let games: Vec<_> = open(parts).unwrap().into_games().collect();
    let old = games[1].as_ref().unwrap();
    !old.header.deleted
        || games.get(5).is_some_and(|game| game.as_ref().is_ok_and(|game| game == new))
}

#[test]
fn edit_each_kind_has_its_effect() {
    let (parts, new) = base();
    let before = read(parts.clone());
    let mut editor = editor(&parts, &Stop::never());
    editor.set_deleted(0, true).unwrap();
    editor.set_deleted(3, false).unwrap();
    assert_eq!(editor.replace(1, &new, &mut Losses::new()).unwrap(), 5);
    assert_eq!(editor.append(&before[2], &mut Losses::new()).unwrap(), 6);
    editor.set_default_game(5).unwrap();
    let left = bytes(editor.into_parts());
    assert_eq!(open(left.clone()).unwrap().default_game(), 5);
    let after = read(left.clone());
    let deleted: Vec<bool> = after.iter().map(|game| game.header.deleted).collect();
    assert_eq!(deleted, [true, true, false, false, false, false, false]);
    assert_eq!(after[5].header.white, "New White");
    assert!(after[5].tokens().eq(new.tokens()));
    assert_eq!(after[6], before[2]);
    // Known names are not rewritten: four new names.
    let size = |parts: &Parts<Vec<u8>>| {
        parts.dcn.len() + parts.dcs.len() + parts.dce.as_ref().unwrap().len()
    };
    assert_eq!(size(&left), size(&parts) + 4 * 36);
}

#[test]
fn edit_leaves_other_bytes_unchanged() {
    let (parts, new) = base();
    let mut editor = editor(&parts, &Stop::never());
    editor.replace(1, &new, &mut Losses::new()).unwrap();
    let left = bytes(editor.into_parts());
    assert!(left.dcg.starts_with(&parts.dcg));
    assert!(left.dcn.starts_with(&parts.dcn));
    let changed = parts.dci.iter().zip(&left.dci).filter(|(a, b)| a != b).count();
    assert_eq!(changed, 1, "one status byte");
}

/// A sync takes milliseconds, so marking half a million games must not sync for each.
#[test]
fn delete_many_syncs_once() {
    let (parts, _) = base();
    let stop = Stop::never();
    let mut editor = editor(&parts, &stop);
    for game in (0..5).cycle().take(1000) {
        editor.set_deleted(game, game != 2).unwrap();
    }
    editor.sync().unwrap();
    assert_eq!(stop.syncs(), 1);
    let left = editor.into_parts().map(|disk| disk.after_power_cut(0));
    let deleted: Vec<bool> = read(left).iter().map(|game| game.header.deleted).collect();
    assert_eq!(deleted, [true, true, false, true, true]);
}

#[test]
fn append_base_without_index_header_succeeds() {
    let (mut parts, new) = base();
    parts.dci.clear();
    parts.dcg.clear();
    let mut editor = editor(&parts, &Stop::never());
    assert!(editor.is_empty());
    editor.append(&new, &mut Losses::new()).unwrap();
    let after = read(bytes(editor.into_parts()));
    assert_eq!(after.len(), 1);
    assert!(after[0].tokens().eq(new.tokens()));
}

#[test]
fn append_full_disk_takes_all_or_nothing() {
    let (parts, new) = base();
    for torn in [false, true] {
        for room in 0.. {
            let stop = Stop::full_after(room, torn);
            let mut editor = editor(&parts, &stop);
            let mut games = vec![new.clone(); 3].into_iter();
            let mut next = |game: &mut Game| {
                let next = games.next();
                Ok(next.map(|next| *game = next).is_some())
            };
            let done = editor.append_all(&mut next, &mut Losses::new());
            let count = editor.len();
            let disks = editor.into_parts();
            let after_power_cut =
                (0..32).map(|seed| disks.each_ref().map(|disk| disk.after_power_cut(seed)));
            let listed: Vec<_> = after_power_cut.map(|left| open(left).unwrap().len()).collect();
            let left = bytes(disks);
            assert_eq!(read(left.clone()).len() as u64, count, "what is said is there");
            if done.is_ok() {
                assert!(count == 8 && room > 5);
                break;
            }
            // No entry refers to a missing record.
            assert_eq!(listed, [5; 32], "room for {room}, torn {torn}");
            // Not one byte more, in any file.
            assert_eq!((count, left), (5, parts.clone()), "room for {room}, torn {torn}");
        }
    }
}

#[test]
fn append_unsound_base_is_error() {
    let (sound, new) = base();
    let mut cut_names = sound.clone();
    cut_names.dce.as_mut().unwrap().truncate(50);
    let mut cut_games = sound.clone();
    cut_games.dcg.truncate(sound.dcg.len() - 1);
    let unsound = [
        (cut_names, "a game has a name that is not there"),
        (cut_games, "a game's record is not all there"),
    ];
    for (parts, why) in unsound {
        let mut editor = editor(&parts, &Stop::never());
        let error = editor.append(&new, &mut Losses::new()).unwrap_err().to_string();
        assert!(error.ends_with(why), "{error}");
        editor.replace(0, &new, &mut Losses::new()).unwrap_err();
        assert_eq!(bytes(editor.into_parts()), parts);
    }
}

/// Games whose promotions fit the other numbering better are refused: they would change the
/// promotions of existing games.
#[test]
fn append_keeps_promotion_numbering() {
    let game = |line: &str| {
        let mut game = Game::new();
        game.set_start_fen("8/P7/8/8/8/8/7k/4K3 w - - 0 1").unwrap();
        line.split(' ').for_each(|text| game.push_move(text.parse().unwrap()));
        game
    };
    // Without evidence the numbering of the author's program is assumed.
    let (parts, _) = write(&[game("a7a8r h2h3 a8a1")]);
    let before = read(parts.clone());
    let mut editor = editor(&parts, &Stop::never());
    // A rook that moves like a bishop: with a queen the move would be legal.
    let odd = game("a7a8r h2h3 a8f3");
    let error = editor.append(&odd, &mut Losses::new()).unwrap_err();
    assert!(error.to_string().contains("other promotions of the base would be read"), "{error}");
    editor.append(&game("a7a8q h2h3 a8f3"), &mut Losses::new()).unwrap();
    // A promotion to a queen shows the numbering of the base.
    editor.append(&odd, &mut Losses::new()).unwrap();
    let after = read(bytes(editor.into_parts()));
    assert_eq!((&after[0], after.len()), (&before[0], 3));
    assert!(after[2].tokens().eq(odd.tokens()));
}

/// Games with one promotion to `role`, and what readers of such a base find of its numbering.
fn promoting(roles: &str, promotions: Promotions) -> (Parts<Vec<u8>>, Vec<Game>, usize) {
    let games = roles.chars().map(|role| {
        let mut game = Game::new();
        game.set_start_fen("8/P7/8/8/8/8/7k/4K3 w - - 0 1").unwrap();
        game.push_move(format!("a7a8{role}").parse().unwrap());
        game
    });
    let games: Vec<Game> = games.collect();
    let mut options = CreateOptions::default();
    options.promotions = Some(promotions);
    let mut writer = Writer::in_memory_with(&options).unwrap();
    for game in &games {
        writer.write(game, &mut Losses::new()).unwrap();
    }
    let warnings = writer.warnings().len();
    (writer.into_bytes().unwrap(), games, warnings)
}

#[test]
fn write_few_promotions_reads_back_equal_or_warns() {
    for roles in ["q", "r", "b", "n", "rb", "rn", "bn", "rr", "rq", "nbrq"] {
        let (parts, games, warnings) = promoting(roles, Promotions::Program);
        assert_eq!((read(parts), warnings), (games, 0), "{roles}");
        // A base numbered as described must show it, or the writer warns.
        let (parts, games, warnings) = promoting(roles, Promotions::Described);
        assert_eq!(read(parts) == games, warnings == 0, "{roles}");
        assert_eq!(warnings > 0, ["b", "rb"].contains(&roles), "{roles}");
    }
}

#[test]
fn edit_base_numbered_as_described_stays_so() {
    let (parts, games, _) = promoting("q", Promotions::Described);
    assert_eq!(parts.dcg[parts.dcg.len() - 2] >> 4 & 7, 4, "the code of a queen");
    let mut editor = editor(&parts, &Stop::never());
    let (_, more, _) = promoting("rnq", Promotions::Described);
    for game in &more {
        editor.append(game, &mut Losses::new()).unwrap();
    }
    editor.replace(0, &games[0], &mut Losses::new()).unwrap();
    let after = open(bytes(editor.into_parts())).unwrap();
    assert_eq!(after.promotion_numbering().promotions, Promotions::Described);
    let after: Vec<Game> = after.into_games().map(Result::unwrap).collect();
    assert_eq!((&after[1..4], &after[4]), (&more[..], &games[0]));
}

/// The index says how a lone rook is numbered, also after the default game has changed.
#[test]
fn edit_lone_rooks_keep_their_numbering() {
    let (parts, games, _) = promoting("r", Promotions::Program);
    let (empty, _, _) = promoting("", Promotions::Program);
    for parts in [parts, empty] {
        let mut editor = editor(&parts, &Stop::never());
        editor.append(&games[0], &mut Losses::new()).unwrap();
        editor.append(&games[0], &mut Losses::new()).unwrap();
        editor.set_default_game(1).unwrap();
        let after = open(bytes(editor.into_parts())).unwrap();
        assert!(after.warnings().is_empty(), "{:?}", after.warnings());
        assert_eq!(after.default_game(), 1);
        assert!(after.into_games().all(|game| game.unwrap().tokens().eq(games[0].tokens())));
    }
}

/// Header and moves are written together.
#[test]
fn replace_all_of_headers_is_refused() {
    let (parts, new) = base();
    let mut reader = open(parts.clone()).unwrap().into_reader();
    let mut header = new.header;
    assert!(!reader.full_header(1, &mut header.clone(), &mut Diagnostics::lenient()).unwrap());
    let games: Vec<(u64, Game)> = (0..).zip(read(parts.clone())).take(2).collect();
    header.set("Annotator", "Somebody");
    let mut editor = editor(&parts, &Stop::never());
    let mut losses = Losses::new();
    let headers = [(1, header)];
    let error = editor.replace_all(&mut next_header(&headers), &mut losses).unwrap_err();
    assert!(error.to_string().contains("without its moves"), "{error}");
    assert_eq!((error.scope(), error.location().game), (Scope::Game, Some(1)));
    assert_eq!(bytes(editor.into_parts()), parts);
    let mut whole = self::editor(&parts, &Stop::never());
    assert_eq!(whole.replace_all(&mut next_game(&games), &mut losses).unwrap(), 2);
    let mut one_by_one = self::editor(&parts, &Stop::never());
    for (number, game) in &games {
        one_by_one.replace(*number, game, &mut losses).unwrap();
    }
    assert_eq!(bytes(whole.into_parts()), bytes(one_by_one.into_parts()));
}

/// The old games are marked when all new ones are on the disk.
#[test]
fn replace_all_syncs_once_for_all_games() {
    let (parts, _) = base();
    let games: Vec<(u64, Game)> = (0..).zip(read(parts.clone())).collect();
    let count = games.len();
    let syncs = |games: &[(u64, Game)]| {
        let done = Stop::never();
        let mut editor = editor(&parts, &done);
        let replaced = editor.replace_all(&mut next_game(games), &mut Losses::new()).unwrap();
        assert_eq!(replaced, games.len() as u64);
        let after = read(bytes(editor.into_parts()));
        for ((_, game), after) in games.iter().zip(&after[count..]) {
            assert!(after.tokens().eq(game.tokens()));
        }
        assert!(after[..games.len()].iter().all(|game| game.header.deleted));
        done.syncs()
    };
    assert_eq!(syncs(&games[..2]), syncs(&games[..4]));
}
