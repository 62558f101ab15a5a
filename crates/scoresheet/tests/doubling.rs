//! Twice as much of anything in a game takes about twice the time, in every reader and every writer.
//!
//! Each shape is a game that repeats one thing: comments at one place, tags, variations and so on.
//! Each is parsed, written to every format, read again, checked and dumped, at three sizes. Linear
//! work doubles, quadratic work takes four times as long. A step, as where a text no longer fits in
//! one block, shows in one of the two doublings, so the lesser ratio counts. The variable `SCALE`
//! multiplies the sizes, `SHAPE` selects shapes by a part of their name, and `-- --nocapture`
//! shows the table of docs/robustness.md.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use scoresheet::chess_core::Game;
use scoresheet::chess_store::Diagnostics;
use scoresheet::{Base, Format, formats};

/// The largest ratio of the time for a size to the time for half of it.
const MOST: f64 = 2.6;
/// Work that takes less is not judged: at these sizes quadratic work takes many times longer.
const FLOOR: Duration = Duration::from_millis(50);
/// How often a pair of sizes is measured before its ratio counts as found.
const ATTEMPTS: usize = 4;

/// One thing that a game repeats.
struct Shape {
    name: &'static str,
    /// The larger of the two sizes.
    size: usize,
    text: fn(usize) -> String,
}

/// The text of a game with more tags, and with this movetext.
fn game(tags: &str, movetext: &str) -> String {
    format!(
        "[Event \"e\"]\n[Site \"s\"]\n[Date \"2020.01.01\"]\n[Round \"1\"]\n[White \"w\"]\n\
         [Black \"b\"]\n[Result \"*\"]\n{tags}\n{movetext} *\n"
    )
}

fn named(tag: &str, value: &str) -> String {
    game("", "1. e4").replace(&format!("[{tag} \"{}\"]", tag[..1].to_lowercase()), value)
}

fn numbered(count: usize, each: impl Fn(usize) -> String) -> String {
    (0..count).map(each).collect()
}

/// Knights that go out and back. Each round trip is four half-moves.
fn shuffle(half_moves: usize, after_each: &str) -> String {
    let moves = ["Nf3", "Nf6", "Ng1", "Ng8"];
    (0..half_moves).map(|ply| format!("{} {after_each}", moves[ply % 4])).collect()
}

const SHAPES: &[Shape] = &[
    Shape {
        name: "comments after a move",
        size: 40_000,
        text: |n| game("", &format!("1. e4 {}", "{ab} ".repeat(n))),
    },
    Shape {
        name: "comments before the first move",
        size: 40_000,
        text: |n| game("", &"{ab} ".repeat(n)),
    },
    Shape {
        name: "comments before a variation",
        size: 40_000,
        text: |n| game("", &format!("1. e4 ({}1. d4) e5", "{ab} ".repeat(n))),
    },
    Shape { name: "empty line comments", size: 80_000, text: |n| game("", &";\n".repeat(n)) },
    Shape {
        name: "letters of a comment",
        size: 1_000_000,
        text: |n| game("", &format!("1. e4 {{{}}}", "word ".repeat(n / 5))),
    },
    Shape {
        name: "letters of a comment, none ASCII",
        size: 500_000,
        text: |n| game("", &format!("1. e4 {{{}}}", "\u{17e}\u{416}".repeat(n / 2))),
    },
    Shape {
        name: "lines of a comment",
        size: 100_000,
        text: |n| game("", &format!("1. e4 {{{}}}", "a\n\n".repeat(n / 3))),
    },
    Shape {
        name: "commands in a comment",
        size: 20_000,
        text: |n| game("", &format!("1. e4 {{{}}}", "[%emt 0:00:01] ".repeat(n))),
    },
    Shape {
        name: "open brackets in a comment",
        size: 100_000,
        text: |n| game("", &format!("1. e4 {{{}}}", "[%csl ".repeat(n / 6))),
    },
    Shape {
        name: "squares in a comment",
        size: 20_000,
        text: |n| game("", &format!("1. e4 {{[%csl {}]}}", "Ra1,".repeat(n))),
    },
    Shape {
        name: "arrows in a comment",
        size: 20_000,
        text: |n| game("", &format!("1. e4 {{[%cal {}]}}", "Ra1b2,".repeat(n))),
    },
    Shape {
        name: "comments with drawings",
        size: 10_000,
        text: |n| {
            game("", &format!("1. e4 {}", "{[%csl Ra1] [%cal Gb1c2] [%clk 0:01:00] x} ".repeat(n)))
        },
    },
    Shape {
        name: "NAGs after a move",
        size: 40_000,
        text: |n| game("", &format!("1. e4 {}", numbered(n, |i| format!("${} ", i % 250 + 1)))),
    },
    Shape {
        name: "comments and NAGs in turn",
        size: 20_000,
        text: |n| {
            game("", &format!("1. e4 {}", numbered(n, |i| format!("${} {{c}} ", i % 250 + 1))))
        },
    },
    Shape {
        name: "variations at one place",
        size: 20_000,
        text: |n| game("", &format!("1. e4 {}e5", "(1. d4) ".repeat(n))),
    },
    Shape {
        name: "variations with comments",
        size: 10_000,
        text: |n| game("", &format!("1. e4 {{x}} {} {{y}} e5", "({a} 1. d4 {b}) {c} ".repeat(n))),
    },
    Shape {
        name: "variations one in the other",
        size: 8_000,
        text: |n| game("", &format!("1. e4 {}{}", "(1. d4 ".repeat(n), ")".repeat(n))),
    },
    Shape {
        name: "longer variations one in the other",
        size: 4_000,
        text: |n| game("", &format!("1. e4 {}{}", "e5 (1... d5 ".repeat(n), ")".repeat(n))),
    },
    Shape {
        name: "variations of each move",
        size: 10_000,
        text: |n| game("", &shuffle(n, "(--) ")),
    },
    Shape { name: "half-moves", size: 80_000, text: |n| game("", &shuffle(n, "")) },
    Shape { name: "null moves", size: 80_000, text: |n| game("", &"-- ".repeat(n)) },
    Shape {
        name: "half-moves with comments",
        size: 20_000,
        text: |n| game("", &shuffle(n, "{a} ")),
    },
    Shape {
        name: "half-moves with clocks",
        size: 20_000,
        text: |n| game("", &shuffle(n, "{[%clk 0:01:00]} ")),
    },
    Shape {
        name: "half-moves with NAGs and drawings",
        size: 20_000,
        text: |n| game("", &shuffle(n, "$1 {[%csl Ra1]} ")),
    },
    Shape {
        name: "tags",
        size: 20_000,
        text: |n| game(&numbered(n, |i| format!("[Tag{i} \"v\"]\n")), "1. e4"),
    },
    Shape {
        name: "tags of one name",
        size: 40_000,
        text: |n| game(&"[Tag \"v\"]\n".repeat(n), "1. e4"),
    },
    Shape {
        name: "letters of a tag",
        size: 500_000,
        text: |n| game(&format!("[Tag \"{}\"]\n", "a".repeat(n)), "1. e4"),
    },
    Shape {
        name: "letters of Event",
        size: 500_000,
        text: |n| named("Event", &format!("[Event \"{}\"]", "a".repeat(n))),
    },
    Shape {
        name: "letters of Site",
        size: 500_000,
        text: |n| named("Site", &format!("[Site \"{}\"]", "\u{e9}".repeat(n))),
    },
    Shape {
        name: "letters of White",
        size: 500_000,
        text: |n| named("White", &format!("[White \"{}\"]", "a, b ".repeat(n / 5))),
    },
    Shape {
        name: "letters of Black",
        size: 500_000,
        text: |n| named("Black", &format!("[Black \"{}\"]", "\u{416}".repeat(n))),
    },
    Shape {
        name: "letters of Round",
        size: 500_000,
        text: |n| named("Round", &format!("[Round \"{}\"]", "1.".repeat(n / 2))),
    },
    Shape {
        name: "quotation marks of Event",
        size: 500_000,
        text: |n| named("Event", &format!("[Event \"{}\"]", "\\\"".repeat(n))),
    },
    Shape {
        name: "letters of Annotator",
        size: 500_000,
        text: |n| game(&format!("[Annotator \"{}\"]\n", "a".repeat(n)), "1. e4"),
    },
    Shape {
        name: "letters of WhiteTeam",
        size: 500_000,
        text: |n| game(&format!("[WhiteTeam \"{}\"]\n", "a".repeat(n)), "1. e4"),
    },
    Shape {
        name: "letters of EventType",
        size: 500_000,
        text: |n| game(&format!("[EventType \"{}\"]\n", "a".repeat(n)), "1. e4"),
    },
    Shape {
        name: "letters of TimeControl",
        size: 500_000,
        text: |n| game(&format!("[TimeControl \"{}\"]\n", "40/60:".repeat(n / 6)), "1. e4"),
    },
    Shape {
        name: "letters of FEN",
        size: 500_000,
        text: |n| game(&format!("[SetUp \"1\"]\n[FEN \"{}\"]\n", "8/".repeat(n / 2)), "1. e4"),
    },
    Shape {
        name: "words that are no moves",
        size: 40_000,
        text: |n| game("", &format!("1. e4 {}", "zz ".repeat(n))),
    },
    Shape {
        name: "open parentheses",
        size: 100_000,
        text: |n| game("", &format!("1. e4 {}", "( ".repeat(n))),
    },
    Shape {
        name: "closed parentheses",
        size: 100_000,
        text: |n| game("", &format!("1. e4 {}", ") ".repeat(n))),
    },
    Shape {
        name: "open braces",
        size: 100_000,
        text: |n| game("", &format!("1. e4 {}", "{ ".repeat(n))),
    },
    Shape {
        name: "open square brackets",
        size: 100_000,
        text: |n| game(&"[ \n".repeat(n), "1. e4"),
    },
    Shape { name: "open tags", size: 20_000, text: |n| game(&"[A \"\n".repeat(n), "1. e4") },
    Shape { name: "move numbers", size: 100_000, text: |n| game("", &"1. ".repeat(n)) },
    Shape { name: "results", size: 40_000, text: |n| game("", &"1-0 ".repeat(n)) },
    Shape {
        name: "games",
        size: 5_000,
        text: |n| numbered(n, |i| format!("[White \"w{i}\"]\n\n1. e4 e5 *\n\n")),
    },
];

/// The processor time of this thread, where the system tells it. Else the time of day.
fn clock() -> Duration {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let used = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = used.and_then(|used| used.split(' ').next()?.parse().ok());
    match nanoseconds {
        Some(nanoseconds) => Duration::from_nanos(nanoseconds),
        None => START.get_or_init(Instant::now).elapsed(),
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begun = clock();
    let done = work();
    (done, clock().saturating_sub(begun))
}

/// Reads all games. Errors are results like others.
fn read_all(base: &mut Base) -> Vec<Game> {
    let (mut reader, mut game, mut games) = (base.reader(), Game::new(), Vec::new());
    loop {
        match reader.read_game(&mut game, &mut Diagnostics::lenient()) {
            Ok(false) => return games,
            Err(error) if error.scope() == scoresheet::chess_store::Scope::Base => return games,
            Ok(true) | Err(_) => games.push(game.clone()),
        }
    }
}

/// Everything that a check, a list and a dump ask of a base.
fn examine(base: &Base) {
    let Some(database) = base.database() else { return };
    let _ = database.check();
    let (mut reader, mut game) = (database.reader(), Game::new());
    for number in 0..database.len() {
        let _ = reader.header(number, &mut game.header, &mut Diagnostics::lenient());
        let _ = reader.summarize(number);
        let _ = reader.game(number, &mut game, &mut Diagnostics::lenient());
        let _ = reader.verify(number, &game);
        // The dump of a game looks through the whole file of names.
        if number < 2 {
            let _ = reader.dump(number, &mut |_| {});
        }
    }
}

/// The kinds of work, in the order of the measurements.
const WORK: [&str; 4] = ["parse", "write", "read", "check"];

/// Measures a text: parses it, writes it to each format, reads and checks the result.
fn measure(text: &str, targets: &[&'static Format], folder: &Path) -> Vec<[Duration; 4]> {
    let source = folder.join("source.pgn");
    fs::write(&source, text).unwrap();
    let (games, parse) = timed(|| read_all(&mut scoresheet::open(&source).unwrap()));
    let each = targets.iter().map(|format| {
        let folder = tempfile::tempdir_in(folder).unwrap();
        let path = folder.path().join("base").with_extension(format.extensions[0]);
        let mut losses = Vec::new();
        let (finished, write) = timed(|| {
            let mut output = scoresheet::create_as(&path, format, &Default::default()).unwrap();
            for game in &games {
                // A format may refuse the game; that takes time as well.
                let _ = output.write(game, &mut losses);
            }
            output.finish().is_ok()
        });
        if !finished || format.open.is_none() {
            return [parse, write, Duration::ZERO, Duration::ZERO];
        }
        let (base, read) = timed(|| {
            let mut base = scoresheet::open(&path).ok()?;
            read_all(&mut base);
            Some(base)
        });
        let check = base.map_or(Duration::ZERO, |base| timed(|| examine(&base)).1);
        [parse, write, read, check]
    });
    each.collect()
}

fn scale() -> f64 {
    std::env::var("SCALE").map_or(1.0, |scale| scale.parse().unwrap())
}

/// The least times for a quarter of a size, for half of it, and for all of it.
type Times = [Duration; 3];

/// Returns the lesser ratio of two doublings, or `None` if the work takes too little time to tell.
fn ratio([quarter, half, whole]: Times) -> Option<f64> {
    let ratio =
        |small: Duration, large: Duration| large.as_secs_f64() / small.as_secs_f64().max(1e-9);
    (whole >= FLOOR).then(|| ratio(quarter, half).min(ratio(half, whole)))
}

#[test]
fn work_on_twice_as_much_of_anything_takes_twice_the_time() {
    let targets: Vec<&'static Format> = formats().filter(|f| f.create.is_some()).collect();
    let only = std::env::var("SHAPE").unwrap_or_default();
    let folder = tempfile::tempdir().unwrap();
    let (mut table, mut grown) = (Vec::new(), Vec::new());
    for shape in SHAPES.iter().filter(|shape| shape.name.contains(&only)) {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small sizes")]
        let size = (shape.size as f64 * scale()) as usize;
        let texts = [size / 4, size / 2, size].map(shape.text);
        let mut best: Vec<[Times; 4]> = vec![[[Duration::MAX; 3]; 4]; targets.len()];
        let mut left: Vec<usize> = (0..targets.len()).collect();
        // The least time of several attempts, of the formats that have not passed yet.
        for _ in 0..ATTEMPTS {
            let formats: Vec<&'static Format> = left.iter().map(|at| targets[*at]).collect();
            for (which, text) in texts.iter().enumerate() {
                for (at, times) in left.iter().zip(measure(text, &formats, folder.path())) {
                    for (least, time) in best[*at].iter_mut().zip(times) {
                        least[which] = least[which].min(time);
                    }
                }
            }
            let is_slow =
                |times: &Times, most: f64| ratio(*times).is_some_and(|found| found > most);
            left.retain(|at| best[*at].iter().any(|times| is_slow(times, MOST)));
            // Nothing is left, or what is left is certainly quadratic.
            if left.iter().all(|at| best[*at].iter().any(|times| is_slow(times, MOST + 0.8))) {
                break;
            }
        }
        let (mut worst, mut slowest) = ((0.0, String::new()), (Duration::ZERO, String::new()));
        for (format, works) in targets.iter().zip(&best) {
            for (work, times) in WORK.iter().zip(works) {
                let name = format!("{work} {}", if *work == "parse" { "pgn" } else { format.name });
                if let Some(ratio) = ratio(*times) {
                    if ratio > worst.0 {
                        worst = (ratio, name.clone());
                    }
                    if ratio > MOST {
                        let shape = shape.name;
                        grown.push(format!("{shape}, {name}, size {size}: {times:?}, {ratio:.2}"));
                    }
                }
                slowest = slowest.max((times[2], name));
            }
        }
        let judged = if worst.1.is_empty() {
            "under the floor".to_owned()
        } else {
            format!("{:.2} ({})", worst.0, worst.1)
        };
        println!("| {} | {size} | {:?} ({}) | {judged} |", shape.name, slowest.0, slowest.1);
        table.push(shape.name);
    }
    assert!(!table.is_empty(), "no shape has this name");
    assert!(targets.len() > 8, "{}", targets.len());
    assert!(grown.is_empty(), "slower than in proportion:\n{}", grown.join("\n"));
}
