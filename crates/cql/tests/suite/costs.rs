//! Queries made to be expensive end in bounded work, and limits are named.

use chess_core::Game;
use cql::{ErrorKind, Limits, Query};

/// A game of knight moves to and fro.
fn long_game(plies: usize) -> Game {
    let mut game = Game::new();
    for m in ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle().take(plies) {
        game.push_move(m.parse().unwrap());
    }
    game
}

/// Limits with few evaluations, which a search of quadratic cost in `plies` does not exceed.
fn quadratic(plies: u64) -> Limits {
    let mut limits = Limits::default();
    limits.work = 40 * plies * plies;
    limits
}

#[test]
fn sequences_nested_repetitions_are_quadratic() {
    let game = long_game(400);
    for text in [
        "line --> (.* --> .*)* --> mate",
        "line --> ((.*)*)* --> (.+)+ --> mate",
        "line --> .{0,100} --> .{0,100} --> .{0,100} --> mate",
        "path (--* --* --*)* mate",
        "path (check* .* --?)* mate",
        "line --> {line --> .* --> mate} or {line --> .* --> stalemate}",
        "{line --> .* --> mate}==3",
    ] {
        let query = Query::parse_with(text, &quadratic(400)).unwrap();
        assert_eq!(query.searcher().is_match(&game), Ok(false), "{text}");
    }
}

#[test]
fn nested_find_is_not_exponential() {
    let game = long_game(400);
    for text in [
        "find find find find find find find find mate",
        "find {find {find {find {mate or stalemate} or mate} or mate} or mate}",
        "{find all {find all {find all {find all check}}}}==9",
        "line --> {line --> {line --> {line --> .* --> mate}* --> mate}* --> mate}* --> mate",
    ] {
        let query = Query::parse_with(text, &quadratic(400)).unwrap();
        assert_eq!(query.searcher().is_match(&game), Ok(false), "{text}");
    }
}

#[test]
fn nested_transforms_are_bounded() {
    let game = long_game(100);
    for text in [
        "flip shift flip shift {Pd4 pe5 mate}",
        &format!("{}{{Pd4 mate}}", "flipcolor ".repeat(30)),
        &format!("{}{{Pd4 pe5 mate}}", "shift ".repeat(60)),
        "flipcolor flip rotate90 shift shift shift {Pd4 Ne5 bf6 kg8 mate}",
        "shift shift shift {path --[a1,h8] --{1,50} --[b2,g7](mate)}",
    ] {
        // A few hundred thousand evaluations: at most 8 symmetries, 225 shifts and both colours a position.
        let mut limits = Limits::default();
        limits.work = 2_000_000;
        match Query::parse_with(text, &limits) {
            Ok(query) => assert_eq!(query.searcher().is_match(&game), Ok(false), "{text}"),
            Err(error) => assert!(error.message().contains("Limits::filters"), "{text}: {error}"),
        }
    }
}

#[test]
fn search_beyond_work_is_error_and_searcher_stays_usable() {
    let mut limits = Limits::default();
    limits.work = 100_000;
    let text = "piece x in . piece y in . piece z in . find {x & y & z & ~.}";
    let query = Query::parse_with(text, &limits).unwrap();
    let mut searcher = query.searcher();
    let error = searcher.is_match(&long_game(100)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert!(error.to_string().contains("Limits::work"), "{error}");
    let mut short = Game::new();
    short.set_start_fen("8/8/8/8/8/8/8/K7 w - - 0 1").unwrap();
    assert_eq!(searcher.is_match(&short), Ok(false));
}

#[test]
fn query_beyond_limits_names_limit() {
    let nested =
        |open: &str, close: &str| format!("{}mate{}", open.repeat(5_000), close.repeat(5_000));
    for (text, limit) in [
        (format!("flip shift flipcolor {{{}}}", "Pd4 ".repeat(100)), "Limits::filters"),
        (nested("{", "}"), "Limits::depth"),
        (nested("not ", ""), "Limits::depth"),
        (nested("flipcolor ", ""), "Limits::depth"),
        (nested("child:", ""), "Limits::depth"),
        (nested("child:not ", ""), "Limits::depth"),
        ("line --> ".to_owned() + &"(".repeat(10_000), "Limits::depth"),
        ("1+".repeat(10_000) + "1==2", "Limits::depth"),
        (format!("P==1 {}", " ".repeat(1 << 16)), "Limits::text"),
        ("line --> .{1000}".to_owned(), "512 items"),
        ("line --> ((.{30}){30}){30}".to_owned(), "512 items"),
        ("line --> .{0,9000000000000000000}".to_owned(), "512 items"),
    ] {
        let start: String = text.chars().take(40).collect();
        let Err(error) = Query::parse(&text) else { panic!("{start} parses") };
        assert_eq!(error.kind(), ErrorKind::Limit, "{start}: {error}");
        assert!(error.message().contains(limit), "{start}: {}", error.message());
    }
}

#[test]
fn search_of_second_game_allocates_nothing() {
    let game = long_game(200);
    for text in [
        "flipcolor shifthorizontal {Pa1-8>=3}",
        "flipcolor {R==1 P==1 A==3 r==1 a==2}",
        "line singlecolor --> check{5}",
        "line --> {line --> .* --> mate}* --> stalemate",
        "path N-- --{1,25} n[x]N(check)",
        "initial piece x in P find {x & a-h8 ray up (R x k)}",
        "{find all {move legal count}<3}>=2 pin through a N attacks k & passedpawns",
    ] {
        let query = Query::parse(text).unwrap();
        let mut searcher = query.searcher();
        assert_eq!(searcher.is_match(&game), Ok(false), "{text}");
        let counted = allocation_counter::measure(|| {
            assert_eq!(searcher.is_match(&game), Ok(false));
        });
        assert_eq!(counted.count_total, 0, "{text}");
    }
}

#[test]
fn query_and_searcher_are_shared_by_threads() {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Query>();
    is_shared::<cql::Searcher>();
    is_shared::<cql::Error>();
}

/// Games of legal moves, chosen by a fixed sequence of numbers.
fn random_games(count: usize, plies: usize) -> Vec<Game> {
    let mut number = 1_u64;
    let mut next = |below: usize| {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (number >> 33) as usize % below
    };
    let mut one = || {
        let (mut game, mut position) = (Game::new(), chess_core::Position::start());
        for _ in 0..plies {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let m = moves[next(moves.len())];
            game.push_move(m);
            position.apply(m);
        }
        game
    };
    (0..count).map(|_| one()).collect()
}

/// Each pair means the same, but only the first query has a form that is evaluated in a shorter way.
#[test]
fn short_ways_find_what_long_ways_find() {
    let games = random_games(40, 160);
    for (short, long) in [
        ("#R-#r==1", "#R-#r*1==1"),
        ("Pa1-8>=2", "#Pa1-8*1>=2"),
        ("3>#A-#a", "3>#A-#a*1"),
        ("-#P>-7 #q<=#Q-1", "-#P*1>-7 #q<=#Q*1-1"),
        ("1+#N<#n+1", "1+#N<#n*1+1"),
        ("pin through Pa-h2", "{piece x in [QRBqrb] piece y in Pa-h2 pin from x through y}"),
        ("pin to [Qq]", "{piece x in [Qq] pin to x}"),
        (
            "initial piece x in R find {x & Ra-h7}",
            "initial piece x in R find {{x & Ra-h7} or {wtm btm}}",
        ),
        (
            "initial piece x in n find {check x attacks K}",
            "initial piece x in n find {{check x attacks K} or {wtm btm}}",
        ),
        // Filters of pawns alone, and the same with a designator of all men.
        (
            "flipcolor shifthorizontal {Pa2-3 & connectedpawns Pb4-6 not pd2-4}",
            "flipcolor shifthorizontal {Pa2-3 & connectedpawns & A Pb4-6 not pd2-4}",
        ),
        ("flipcolor {#Pa-h4-6>=3 #pa-h5>1}", "flipcolor {#(Pa-h4-6 & A)>=3 #pa-h5>1}"),
        ("find {Pe5 & passedpawns}", "find {Pe5 & passedpawns & A}"),
        ("find {pa-h4 Pa-h6 isolatedpawns}", "find {pa-h4 Pa-h6 & A isolatedpawns}"),
    ] {
        let (short, long) = (Query::parse(short).unwrap(), Query::parse(long).unwrap());
        let mut count = 0;
        for game in &games {
            let (mut short, mut long) = (short.searcher(), long.searcher());
            let hits = short.find(game).unwrap().map(|found| found.hits().to_vec());
            assert_eq!(hits, long.find(game).unwrap().map(|found| found.hits().to_vec()));
            count += hits.map_or(0, |hits| hits.len());
        }
        assert!(count > 0, "{}", short.text());
    }
}
