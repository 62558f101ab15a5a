//! Tests of time controls.

use super::*;

use alloc::vec::Vec;

fn class(tags: &[(&str, &str)]) -> TimeClass {
    let mut game = Game::new();
    tags.iter().for_each(|(name, value)| game.header.set(name, value));
    TimeClass::of(&game)
}

#[test]
fn of_time_control_goes_by_forty_moves() {
    use TimeClass::{Blitz, Bullet, Classical, Correspondence, Rapid, Unknown};
    for (control, expected) in [
        ("60", Bullet),
        ("60+1", Bullet),
        ("120+1", Bullet),
        ("180", Blitz),
        ("180+2", Blitz),
        ("*300", Blitz),
        ("600", Rapid),
        ("900+10", Rapid),
        ("1800+20", Rapid),
        ("5400+30", Classical),
        ("40/7200:3600", Classical),
        ("40/5400+30:1800+30", Classical),
        ("20/3600", Classical),
        ("60/300", Blitz),
        ("1/86400", Correspondence),
        ("10/864000", Correspondence),
        ("1209600", Correspondence),
        ("3+2", Blitz),
        ("15+10", Rapid),
        ("90+30", Classical),
        ("66.687+0.6", Bullet),
        ("0+1", Bullet),
        ("-", Unknown),
        ("?", Unknown),
        ("", Unknown),
        ("-60", Unknown),
        ("1e9", Unknown),
        ("0/60", Unknown),
        ("inf", Unknown),
        ("Rapid: 15m + 10s", Rapid),
    ] {
        assert_eq!(class(&[("TimeControl", control)]), expected, "{control}");
    }
}

#[test]
fn of_words_counts_only_without_readable_time_control() {
    use TimeClass::{Blitz, Correspondence, Rapid, Unknown};
    assert_eq!(class(&[("Event", "World Blitz 2019")]), Blitz);
    assert_eq!(class(&[("Event", "World Blitz 2019"), ("TimeControl", "-")]), Blitz);
    assert_eq!(class(&[("Event", "World Blitz 2019"), ("TimeControl", "900+10")]), Rapid);
    assert_eq!(class(&[("Event", "Open"), ("EventType", "swiss (rapid)")]), Rapid);
    assert_eq!(class(&[("Event", "WC25/ICCF")]), Correspondence);
    assert_eq!(class(&[("Event", "Club"), ("Mode", "EM")]), Correspondence);
    assert_eq!(class(&[("Event", "Blitzkrieg Open")]), Unknown);
    assert_eq!(class(&[("Event", "Blitzé, rapido")]), Unknown);
}

#[test]
fn of_words_knows_each_word_in_any_case() {
    use TimeClass::{Blitz, Bullet, Classical, Correspondence, Rapid};
    for (word, expected) in [
        ("Bullet", Bullet),
        ("UltraBullet", Bullet),
        ("hyperbullet", Bullet),
        ("LIGHTNING", Bullet),
        ("blitz", Blitz),
        ("rapid", Rapid),
        ("RapidPlay", Rapid),
        ("classical", Classical),
        ("Correspondence", Correspondence),
        ("corr", Correspondence),
        ("ICCF", Correspondence),
    ] {
        assert_eq!(of_words(&alloc::format!("Bar Open {word}-2")), Some(expected), "{word}");
    }
}

fn control(tags: &[(&str, &str)], moves: &[&str]) -> Option<(f64, f64)> {
    let mut game = Game::new();
    tags.iter().for_each(|(name, value)| game.header.set(name, value));
    for comment in moves {
        game.push_move("e2e4".parse().unwrap());
        game.push_comment(comment).unwrap();
    }
    TimeControl::of(&game).map(|control| (control.base, control.increment))
}

#[test]
fn time_control_without_evidence_is_read_by_its_form() {
    for (text, expected) in [
        ("180+2", Some((180.0, 2.0))),
        ("180 + 2", Some((180.0, 2.0))),
        ("40/7200+30:1800", Some((7200.0, 30.0))),
        ("40/5400+30:1800+30", Some((5400.0, 30.0))),
        ("40/6:0.5", Some((6.0, 0.0))),
        ("40/40:40/40", Some((40.0, 0.0))),
        ("1/259200", Some((259_200.0, 0.0))),
        ("*180", Some((180.0, 0.0))),
        ("0+1", Some((0.0, 1.0))),
        ("15", Some((15.0, 0.0))),
        ("3+0", Some((3.0, 0.0))),
        // Minutes, because nobody plays so fast.
        ("90+30", Some((5400.0, 30.0))),
        ("3+2", Some((180.0, 2.0))),
        ("5+3 (blitz)", Some((300.0, 3.0))),
        ("Rapid 15+10", Some((900.0, 10.0))),
        ("40/90:30+30", Some((5400.0, 0.0))),
        // Fractions are seconds.
        ("10+0.1", Some((10.0, 0.1))),
        ("40/10+0.1", Some((10.0, 0.1))),
        ("2.4+0.01", Some((2.4, 0.01))),
        ("1.5+1", Some((1.5, 1.0))),
        // Clocks.
        ("10:00", Some((600.0, 0.0))),
        ("00:10:00", Some((600.0, 0.0))),
        ("1:30:00", Some((5400.0, 0.0))),
        ("5:00+3", Some((300.0, 3.0))),
        ("40/90:00", Some((5400.0, 0.0))),
        ("40/1:30:00, 0:30:00", Some((5400.0, 0.0))),
        ("1:30", None),
        ("90:30", None),
        // Units and words.
        ("60 mins", Some((3600.0, 0.0))),
        ("90 min + 30 sec/move", Some((5400.0, 30.0))),
        ("15'+10\"", Some((900.0, 10.0))),
        ("10'+5''", Some((600.0, 5.0))),
        ("10\u{2019}+5\u{201d}", Some((600.0, 5.0))),
        ("15'/game & 10\\\"/move", Some((900.0, 10.0))),
        ("90'/40 moves + 30' + 30\"", Some((5400.0, 30.0))),
        ("90min/40+30min+30sec", Some((5400.0, 30.0))),
        ("2h/40+1h/20+30min", Some((7200.0, 0.0))),
        ("1h30m", Some((5400.0, 0.0))),
        ("PT90M+PT30S", Some((5400.0, 30.0))),
        ("40 moves in 120 min", Some((7200.0, 0.0))),
        ("1 in 5 days", Some((432_000.0, 0.0))),
        ("3 days/move", Some((259_200.0, 0.0))),
        ("10d/20+5d/10", Some((864_000.0, 0.0))),
        ("5|5", Some((300.0, 5.0))),
        ("15 | 10", Some((900.0, 10.0))),
        ("G/60;d5", Some((3600.0, 0.0))),
        ("G/25 d5", Some((1500.0, 0.0))),
        ("G90+30", Some((5400.0, 30.0))),
        ("40/90, SD/30; +30", Some((5400.0, 30.0))),
        (
            "90 minutes for the first 40 moves, followed by 30 minutes for the rest of the game \
             with an increment of 30 seconds per move starting from move 1",
            Some((5400.0, 30.0)),
        ),
        ("90 min, from move 41 30 sec", None),
        // The numbers are in the wrong order.
        ("1800/40", Some((1800.0, 0.0))),
        ("5400/40+30:1800+30", Some((5400.0, 30.0))),
        ("120/40", None),
        ("3/2", None),
        ("1/2+0", None),
        ("40/2, SD/1", None),
        ("40/1:30:00+0:30:00+0:00:30", Some((5400.0, 30.0))),
        ("Game in 60", Some((3600.0, 0.0))),
        ("10 min per player", Some((600.0, 0.0))),
        ("Rapid 10", Some((600.0, 0.0))),
        ("100'/40m + 50'", None),
        ("180|2", None),
        ("5+0.05; 10+0.1", None),
        ("W: 10+0.1 B: 10", None),
        ("0+0", None),
        ("5400+", None),
        ("90 min + 1 min", None),
        ("-", None),
        ("inf", None),
        ("", None),
    ] {
        assert_eq!(control(&[("TimeControl", text)], &[]), expected, "{text}");
    }
}

#[test]
fn time_control_of_small_numbers_goes_by_the_game() {
    let (seconds, minutes) = (Some((30.0, 1.0)), Some((1800.0, 1.0)));
    for (tags, expected) in [
        (&[("Site", "https://lichess.org/abcdefgh")][..], seconds),
        (&[("Site", "FICS freechess.org")], seconds),
        (&[("Link", "https://www.chess.com/game/live/1")], seconds),
        (&[("Site", "https://lichess.org/broadcast/a/b/c")], minutes),
        (&[("Site", "Oslo")], minutes),
        (&[("Event", "Rated Bullet game")], seconds),
        (&[("Event", "Rapid Open")], minutes),
        (&[("Event", "Engine cup"), ("WhiteType", "program")], seconds),
        (&[("WhiteClock", "0:00:30.000")], seconds),
        (&[("WhiteClock", "0:25:30")], minutes),
        (&[("GameStartTime", "2024-05-01T10:00:00 +0200")], seconds),
        (&[("GameDuration", "00:00:55")], seconds),
        (&[("GameDuration", "00:40:00")], minutes),
        (&[("StartTime", "23:59:30"), ("EndTime", "00:00:10")], seconds),
        (
            &[
                ("GameStartTime", "2024-05-01T10:00:00 +0200"),
                ("GameEndTime", "2024-05-01T10:50:00 +0200"),
            ],
            minutes,
        ),
    ] {
        let all: Vec<_> = tags.iter().copied().chain([("TimeControl", "30+1")]).collect();
        assert_eq!(control(&all, &[]), expected, "{tags:?}");
    }
    for (control_text, clock, expected) in [
        ("30+1", "x [%clk 0:00:30]", (30.0, 1.0)),
        ("90+30", "[%clk 1:30:00]", (5400.0, 30.0)),
        ("90+30", "[%clk 0:01:30]", (90.0, 30.0)),
        ("90+30", "[%clk 1:30]", (5400.0, 30.0)),
    ] {
        let tags = [("TimeControl", control_text), ("Event", "x")];
        assert_eq!(control(&tags, &[clock]), Some(expected), "{control_text} {clock}");
    }
    for (control_text, event, expected) in [
        ("5+0", "City Blitz", (300.0, 0.0)),
        ("15", "Rapid Open", (900.0, 0.0)),
        ("60", "Engine Blitz", (60.0, 0.0)),
        ("60+30", "Open", (3600.0, 30.0)),
    ] {
        let tags = [("TimeControl", control_text), ("Event", event)];
        assert_eq!(control(&tags, &[]), Some(expected), "{control_text} {event}");
    }
    assert_eq!(control(&[("TimeControl", "10")], &["[%clk 0:09:58]"]), Some((600.0, 0.0)));
    let fics = [("TimeControl", "120+12"), ("Event", "FICS rated blitz game")];
    assert_eq!(control(&fics, &[]), Some((120.0, 12.0)));
    // Ten minutes for 40 moves are on the line.
    assert_eq!(class(&fics), TimeClass::Blitz);
    let rapid = [("TimeControl", "15+10"), ("Event", "World Rapid 2019")];
    assert_eq!(control(&rapid, &[]), Some((900.0, 10.0)));
}

#[test]
fn parse_clock_accepts_up_to_three_parts() {
    for (text, expected) in [
        ("1:02:03.5", Some(3723.5)),
        ("0:05", Some(5.0)),
        ("3", Some(3.0)),
        ("-0:00:00.5", Some(-0.5)),
        ("-1:00", Some(-60.0)),
        ("1:2:3:4", None),
        ("--1:00", None),
        ("1:-00", None),
        ("", None),
    ] {
        assert_eq!(parse_clock(text), expected, "{text}");
    }
}
