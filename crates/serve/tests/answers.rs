//! Requests and their answers, over bases of several formats.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use scoresheet::chess_core::Position;
use scoresheet::chess_store::Losses;
use scoresheet::filter::PositionPattern;
use scoresheet::pgn::San;
use scoresheet::{Filter, Selector, tree};
use serde_json::{Value, json};
use serve::{Answer, Cancel, Explorer, Source};

/// Games that show a rule each. The numbers count from 0.
const GAMES: &str = r#"
[White "Anna"] [Black "Boris"] [WhiteElo "2500"] [BlackElo "2400"] [Date "2001.05.07"] [Result "1-0"]
[TimeControl "180+2"] [Event "Rated Blitz game"] [Site "https://lichess.org/AbCdEfGh"]

1. e4 e5 2. Nf3 Nc6 1-0

[White "Boris"] [Black "Anna"] [WhiteElo "2410"] [Date "2002.??.??"] [Result "1/2-1/2"]
[TimeControl "15+0"]

1. Nf3 Nf6 2. Ng1 Ng8 3. d4 d5 1/2-1/2

[White "ANNA"] [Black "Clara"] [Date "2003.11.01"] [Result "0-1"] [BlackElo "2600"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O 0-1

[White "Unfinished"] [Black "Game"] [Result "*"]

1. e4 *

[White "Set"] [Black "Up"] [Result "1-0"] [FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"] [SetUp "1"]

1... e5 2. e4 1-0
"#;

fn text() -> String {
    GAMES.replace("] [", "]\n[")
}

fn explorer(folder: &Path, extension: &str) -> Explorer {
    let pgn = folder.join("games.pgn");
    std::fs::write(&pgn, text()).unwrap();
    let path = pgn.with_extension(extension);
    if extension != "pgn" {
        let mut output = scoresheet::create(&path, &Default::default()).unwrap();
        for game in scoresheet::open(&pgn).unwrap().games() {
            output.write(&game.unwrap(), &mut Losses::new()).unwrap();
        }
        output.finish().unwrap();
    }
    open(&[&path])
}

fn open(paths: &[&Path]) -> Explorer {
    let open = |path: &&Path| Source::open(path, &Default::default(), &mut |_| ()).unwrap();
    Explorer::new(paths.iter().map(open).collect()).threads(2)
}

fn ask(explorer: &Explorer, target: &str) -> Value {
    let Answer { status, body, .. } = explorer.answer(target, &Cancel::default());
    assert_eq!(status, 200, "{target}: {body}");
    serde_json::from_str(&body).unwrap()
}

fn moves(answer: &Value) -> Vec<(String, [u64; 3])> {
    let count = |m: &Value, name: &str| m[name].as_u64().unwrap();
    let of = |m: &Value| ["white", "draws", "black"].map(|name| count(m, name));
    let moves = answer["moves"].as_array().unwrap();
    moves.iter().map(|m| (m["uci"].as_str().unwrap().to_owned(), of(m))).collect()
}

#[test]
fn answer_counts_each_game_once_with_its_last_move_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    for extension in ["pgn", "si4", "si5", "cbh", "dcg"] {
        let explorer = explorer(folder.path(), extension);
        let start = ask(&explorer, "/masters");
        // The second game comes back to the start position, and leaves it by d4.
        let expected = [("e2e4", [1, 0, 1]), ("d2d4", [0, 1, 0])];
        assert_eq!(moves(&start), expected.map(|(m, n)| (m.to_owned(), n)), "{extension}");
        assert_eq!(
            (&start["white"], &start["draws"], &start["black"]),
            (&json!(1), &json!(1), &json!(1))
        );
        // The game that ends in the position is not counted there.
        let after = ask(&explorer, "/masters?play=e2e4,e7e5,g1f3,b8c6");
        assert_eq!(moves(&after), [("f1b5".to_owned(), [0, 0, 1])], "{extension}");
        assert_eq!(
            after["opening"],
            json!({"eco": "C44", "name": "King's Knight Opening: Normal Variation"})
        );
        let castling = ask(&explorer, "/masters?play=e2e4,e7e5,g1f3,b8c6,f1b5,a7a6");
        assert_eq!(castling["moves"][0]["uci"], "e1h1");
        assert_eq!(castling["moves"][0]["san"], "O-O");
    }
}

#[test]
fn answer_lists_games_and_ratings_as_clients_read_them() {
    let folder = tempfile::tempdir().unwrap();
    let explorer = explorer(folder.path(), "pgn");
    let answer = ask(&explorer, "/lichess");
    let game = json!({
        "uci": "e2e4", "id": "AbCdEfGh", "winner": "white", "speed": "blitz", "mode": "rated",
        "black": {"name": "Boris", "rating": 2400}, "white": {"name": "Anna", "rating": 2500},
        "year": 2001, "month": "2001-05",
    });
    assert_eq!(answer["topGames"][0], game);
    assert_eq!(answer["topGames"][1]["id"], "00000002");
    assert_eq!(answer["topGames"].as_array().unwrap().len(), 3);
    // All three are among the top games.
    assert_eq!(answer["recentGames"], json!([]));
    assert_eq!(answer["moves"][0]["averageRating"], 2500);
    assert_eq!(answer["moves"][1]["game"]["month"], Value::Null);
    let blitz = ask(&explorer, "/lichess?speeds=blitz&modes=ignored");
    assert_eq!(moves(&blitz), [("e2e4".to_owned(), [1, 0, 0])]);
    assert_eq!(moves(&ask(&explorer, "/lichess?speeds=ultraBullet")).len(), 1);
    assert_eq!(moves(&ask(&explorer, "/lichess?speeds=")), []);
    assert_eq!(moves(&ask(&explorer, "/lichess?ratings=2300")).len(), 1);
    assert_eq!(moves(&ask(&explorer, "/lichess?variant=atomic")), []);
    let months = ask(&explorer, "/lichess/history?since=2003-09")["history"].clone();
    let month =
        |month: &str, black: u64| json!({"month": month, "white": 0, "draws": 0, "black": black});
    assert_eq!(months, json!([month("2003-09", 0), month("2003-10", 0), month("2003-11", 1)]));
}

#[test]
fn answer_of_player_is_one_line_with_performance() {
    let folder = tempfile::tempdir().unwrap();
    let explorer = explorer(folder.path(), "si4");
    let answer = explorer.answer("/player?player=anna&color=white", &Cancel::default());
    assert_eq!(answer.content_type, "application/x-ndjson");
    assert_eq!(answer.body.lines().count(), 1);
    let answer: Value = serde_json::from_str(&answer.body).unwrap();
    // One won and one lost against 2400 and 2600.
    assert_eq!(answer["moves"][0]["averageOpponentRating"], 2500);
    assert_eq!(answer["moves"][0]["performance"], 2500);
    assert_eq!(answer["queuePosition"], 0);
    assert!(answer.get("topGames").is_none());
    // Part of a name is another player.
    assert_eq!(moves(&ask(&explorer, "/player?player=ann&color=white")), []);
}

#[test]
fn answer_takes_criteria_of_filters_and_years() {
    let folder = tempfile::tempdir().unwrap();
    let explorer = explorer(folder.path(), "si4");
    assert_eq!(moves(&ask(&explorer, "/masters?white=Anna&length=4..")).len(), 1);
    assert_eq!(
        moves(&ask(&explorer, "/masters?since=2002&until=2002")),
        [("d2d4".to_owned(), [0, 1, 0])]
    );
    // The month of 2002 is unknown, so it may be outside.
    assert_eq!(moves(&ask(&explorer, "/lichess?since=2002-02&until=2002-12")), []);
    let refused = explorer.answer("/masters?length=x", &Cancel::default());
    assert_eq!((refused.status, refused.content_type), (400, "text/plain; charset=utf-8"));
}

#[test]
fn answer_from_several_bases_counts_all_or_the_named_one() {
    let folder = tempfile::tempdir().unwrap();
    let one = folder.path().join("one base.pgn");
    let two = folder.path().join("two.pgn");
    std::fs::write(&one, text()).unwrap();
    std::fs::write(&two, text()).unwrap();
    let explorer = open(&[&one, &two]);
    assert_eq!(ask(&explorer, "/masters")["draws"], 2);
    assert_eq!(ask(&explorer, "/one_base/masters")["draws"], 1);
    let game = explorer.answer("/masters/pgn/00000006", &Cancel::default());
    assert!(game.body.contains("[White \"Boris\"]"), "{}", game.body);
    assert_eq!(explorer.answer("/three/masters", &Cancel::default()).status, 404);
    let overview = explorer.answer("/", &Cancel::default()).body;
    assert!(overview.contains("/one_base (5 games)"), "{overview}");
    // A base that changes is no longer answered from.
    std::fs::write(&two, "1. d4 *").unwrap();
    for target in ["/masters", "/two/masters", "/two/list", "/two/tree?fen=8/8/8/8/8/8/8/8"] {
        let answer = explorer.answer(target, &Cancel::default());
        assert_eq!(
            (answer.status, answer.body.contains("two has changed")),
            (503, true),
            "{target}"
        );
    }
    assert_eq!(explorer.answer("/one_base/masters", &Cancel::default()).status, 200);
}

#[test]
fn base_whose_second_file_changes_is_no_longer_answered_from() {
    let folder = tempfile::tempdir().unwrap();
    let explorer = explorer(folder.path(), "si4");
    assert_eq!(explorer.answer("/games/list", &Cancel::default()).status, 200);
    let names = folder.path().join("games.sn4");
    let mut bytes = std::fs::read(&names).unwrap();
    bytes.push(0);
    std::fs::write(names, bytes).unwrap();
    assert_eq!(explorer.answer("/games/list", &Cancel::default()).status, 503);
}

#[test]
fn bases_of_one_name_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["a", "b"].map(|inner| folder.path().join(inner).join("games.pgn"));
    for (number, path) in paths.iter().enumerate() {
        std::fs::create_dir(path.parent().unwrap()).unwrap();
        std::fs::write(path, "[Result \"1-0\"]\n\n1. e4 1-0\n\n".repeat(number + 1)).unwrap();
    }
    let explorer = open(&[&paths[0], &paths[1]]);
    for (name, games) in [("games", 1), ("games-2", 2)] {
        assert_eq!(ask(&explorer, &format!("/{name}/list"))["looked"], games);
    }
}

#[test]
fn answer_of_game_by_id_is_pgn_or_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let explorer = explorer(folder.path(), "pgn");
    let status =
        |id: &str| explorer.answer(&format!("/master/pgn/{id}"), &Cancel::default()).status;
    let own = explorer.answer("/masters/pgn/AbCdEfGh", &Cancel::default());
    assert_eq!(own.content_type, "application/x-chess-pgn; charset=utf-8");
    assert!(own.body.ends_with("\n1. e4 e5 2. Nf3 Nc6 1-0\n"), "{}", own.body);
    let set_up = explorer.answer("/masters/pgn/00000004", &Cancel::default()).body;
    assert!(
        set_up.contains("[FEN \"rnbq") && set_up.ends_with("\n1... e5 2. e4 1-0\n"),
        "{set_up}"
    );
    // The first game is known by its own id only.
    assert_eq!(
        [status("00000000"), status("zzzzzzzz"), status("short"), status("../x")],
        [404, 404, 400, 404]
    );
}

/// Games that share openings, with transpositions, repetitions and ends at many depths.
fn crowd() -> String {
    let lines = [
        "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7",
        "e4 e5 Nf3 Nc6 Bc4 Nf6 d3 Bc5 c3 d6",
        "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6",
        "Nf3 Nf6 Ng1 Ng8 e4 e5 Nf3 Nc6 Bb5 a6",
        "d4 Nf6 c4 e6 Nc3 Bb4 Qc2 O-O a3 Bxc3+",
        "c4 Nf6 Nc3 e6 d4 Bb4 e3 O-O Bd3 d5",
    ];
    let mut text = text();
    for number in 0..120usize {
        let line: Vec<&str> = lines[number % lines.len()].split(' ').collect();
        let moves = line[..line.len() - number % 7].join(" ");
        let result = ["1-0", "0-1", "1/2-1/2", "*"][number % 4];
        let (year, elo, white) =
            (1990 + number % 30, 2000 + number * 7, ["Anna", "Dora"][number % 2]);
        let speed = ["180+2", "600", "40/7200:3600", "1/86400"][number % 4];
        text += &format!(
            "\n[Event \"{}\"]\n[Date \"{year}.{:02}.01\"]\n[White \"{white}\"]\n[Black \"B{}\"]\n[Result \
             \"{result}\"]\n[WhiteElo \"{elo}\"]\n[BlackElo \"2400\"]\n[TimeControl \"{speed}\"]\n\n\
             {moves} {result}\n",
            ["rated", "casual", "Club"][number % 3],
            number % 12 + 1,
            number % 5
        );
    }
    text
}

/// Writes the crowd in a format.
fn crowd_as(folder: &Path, extension: &str) -> PathBuf {
    let pgn = folder.join("crowd.pgn");
    std::fs::write(&pgn, crowd()).unwrap();
    let path = pgn.with_extension(extension);
    if extension != "pgn" {
        let mut output = scoresheet::create(&path, &Default::default()).unwrap();
        for game in scoresheet::open(&pgn).unwrap().games() {
            output.write(&game.unwrap(), &mut Losses::new()).unwrap();
        }
        output.finish().unwrap();
    }
    path
}

#[test]
fn answer_by_position_index_equals_answer_without() {
    let folder = tempfile::tempdir().unwrap();
    let pgn = crowd_as(folder.path(), "pgn");
    let mut plays: Vec<String> = Vec::new();
    for game in scoresheet::open(&pgn).unwrap().games() {
        let moves: Vec<String> = game.unwrap().main_line().map(|m| m.to_string()).collect();
        plays.extend((0..=moves.len()).map(|length| moves[..length].join(",")));
    }
    plays.sort_unstable();
    plays.dedup();
    for extension in ["pgn", "si4", "cbh", "dcg"] {
        let path = crowd_as(folder.path(), extension);
        let plain = open(&[&path]);
        assert!(plain.sources()[0].index().is_none());
        scoresheet::build_position_index(&path, &Default::default(), &|_| true).unwrap();
        let indexed = open(&[&path]);
        assert!(indexed.sources()[0].index().is_some());
        for play in &plays {
            for target in [
                format!("/masters?play={play}"),
                format!("/masters?play={play}&since=2000&until=2010"),
                format!("/lichess?play={play}&speeds=blitz,correspondence&history=true"),
                format!("/lichess?play={play}&ratings=2200&modes=rated"),
                format!("/lichess?play={play}&white=Dora&length=9.."),
                format!("/lichess?play={play}&opening=Sicilian"),
                format!("/player?play={play}&player=anna&color=white&modes=casual"),
            ] {
                let cancel = Cancel::default();
                let [with, without] = [&indexed, &plain].map(|it| it.answer(&target, &cancel));
                assert_eq!(with, without, "{extension} {target}");
            }
        }
    }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Criteria of the page's form, as the program's options.
const FILTERS: [&[(&str, &str)]; 7] = [
    &[],
    &[("white", "Dora")],
    &[("date", "2000..2010"), ("length", "4..")],
    &[("opening", "Sicilian")],
    &[("position", "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2")],
    &[("position", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w"), ("variations", "yes")],
    &[("player", "Anna"), ("cql", "check")],
];

/// Returns the numbers of the games that a filter selects, as the program lists them.
fn listed(path: &Path, filter: &Filter) -> Vec<u64> {
    let base = scoresheet::open(path).unwrap();
    let database = scoresheet::kept_in_memory(&base, &Default::default(), 0, &mut |_| ()).unwrap();
    let mut numbers = Vec::new();
    let run = Selector::new(filter).run(&*database, |selected| {
        numbers.extend_from_slice(selected.numbers);
        ControlFlow::<()>::Continue(())
    });
    assert!(run.unwrap().is_continue());
    numbers
}

/// Returns the tree of a position in the games of a filter, as the program counts it.
fn counted(path: &Path, fen: &str, filter: &Filter) -> Value {
    let mut explorer = tree::Explorer::new(PositionPattern::parse(fen).unwrap());
    explorer = explorer.only(listed(path, filter));
    explorer.run(&mut scoresheet::open(path).unwrap(), &mut |_| ()).unwrap();
    let tree = explorer.finish();
    let position = Position::from_fen(fen).unwrap_or(tree.position);
    let branch = |branch: &tree::Branch| {
        let tree::Stats { games, white, draws, black, .. } = branch.stats;
        let san = San::new(&position, branch.m).as_str().to_owned();
        json!([san, games, white, draws, black, branch.stats.elo(), branch.stats.performance()])
    };
    json!([tree.stats.games, tree.branches.iter().map(branch).collect::<Vec<_>>()])
}

fn shown(tree: &Value) -> Value {
    let fields = ["san", "games", "white", "draws", "black", "elo", "performance"];
    let branch = |branch: &Value| Value::from_iter(fields.map(|field| branch[field].clone()));
    json!([
        tree["games"],
        tree["branches"].as_array().unwrap().iter().map(branch).collect::<Vec<_>>()
    ])
}

#[test]
fn tree_and_list_of_page_equal_those_of_program_with_and_without_index() {
    let folder = tempfile::tempdir().unwrap();
    let fens = [
        START,
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
        "rnbqkb1r/pppp1ppp/4pn2/8/2PP4/2N5/PP2PPPP/R1BQKBNR b KQkq - 1 3",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        "8/8/8/8/8/8/8/K1k5 w - - 0 1",
    ];
    for extension in ["pgn", "si4", "cbh", "dcg"] {
        let path = crowd_as(folder.path(), extension);
        for with_index in [false, true] {
            if with_index {
                scoresheet::build_position_index(&path, &Default::default(), &|_| true).unwrap();
            }
            let explorer = open(&[&path]);
            assert_eq!(explorer.sources()[0].index().is_some(), with_index);
            for criteria in FILTERS {
                let filter = Filter::named(criteria.iter().copied()).unwrap();
                let query = || form_urlencoded::Serializer::new(String::new());
                let target = query().extend_pairs(criteria).finish();
                let list = ask(&explorer, &format!("/crowd/list?{target}"));
                let mut last = 0;
                let numbers = list["steps"].as_array().unwrap().iter().map(|step| {
                    last += step.as_u64().unwrap();
                    last
                });
                let numbers: Vec<u64> = numbers.collect();
                assert_eq!(numbers, listed(&path, &filter), "{extension} {criteria:?}");
                assert_eq!(list["looked"], 125);
                for fen in fens {
                    let target = query().append_pair("fen", fen).extend_pairs(criteria).finish();
                    let tree = ask(&explorer, &format!("/crowd/tree?{target}"));
                    assert_eq!(tree["looked"], 125);
                    assert_eq!(shown(&tree), counted(&path, fen, &filter), "{extension} {target}");
                }
            }
        }
    }
}

#[test]
fn tree_of_page_has_names_and_squares() {
    let folder = tempfile::tempdir().unwrap();
    let explorer = explorer(folder.path(), "pgn");
    let fen = "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R+w+KQkq+-+0+4";
    let tree = ask(&explorer, &format!("/games/tree?fen={fen}"));
    assert_eq!(tree["opening"], json!({"eco": "C70", "name": "Ruy Lopez: Morphy Defense"}));
    let branch = &tree["branches"][0];
    assert_eq!(
        (&branch["san"], &branch["number"], &branch["marks"]),
        (&json!("O-O"), &json!("4."), &json!(["e1", "g1"]))
    );
    assert!(branch["fen"].as_str().unwrap().ends_with("RNBQ1RK1 b kq - 1 4"), "{branch}");
}

#[test]
fn question_of_page_that_cannot_be_answered_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let explorer = explorer(folder.path(), "pgn");
    let secret = folder.path().join("secret.ssp");
    std::fs::write(&secret, "secret").unwrap();
    let secret = secret.display();
    for (target, status) in [
        ("/games/tree".to_owned(), 400),
        ("/games/tree?fen=nonsense".to_owned(), 400),
        (format!("/games/tree?fen={START}&fen={START}"), 400),
        ("/games/list?colour=white".to_owned(), 400),
        ("/games/list?date=when".to_owned(), 400),
        // No file is read that a request names.
        (format!("/games/list?spelling={secret}"), 400),
        (format!("/masters?spelling={secret}"), 400),
        ("/list".to_owned(), 404),
        ("/other/tree".to_owned(), 404),
    ] {
        let answer = explorer.answer(&target, &Cancel::default());
        assert_eq!(answer.status, status, "{target}: {}", answer.body);
        assert!(!answer.body.contains("secret.ssp"), "{}", answer.body);
    }
}

#[test]
fn question_of_page_stops_when_nobody_waits() {
    let folder = tempfile::tempdir().unwrap();
    let explorer = explorer(folder.path(), "si4");
    let cancel = Cancel::default();
    cancel.set();
    let target = format!("/games/tree?fen={}", START.replace(' ', "+"));
    let stopped = explorer.answer(&target, &cancel).body;
    assert!(stopped.contains("\"games\":0") && ask(&explorer, &target)["games"] == 4, "{stopped}");
}
