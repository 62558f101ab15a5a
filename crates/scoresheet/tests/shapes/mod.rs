//! Games that repeat one thing, for the tests of time and of memory.

use scoresheet::{Format, formats};

/// Returns the formats to write: all that this build can write, or those that the variable `FORMATS`
/// names, with commas between them.
pub(crate) fn targets() -> Vec<&'static Format> {
    let all: Vec<_> = formats().filter(|format| format.create.is_some()).collect();
    assert_all_writers(&all);
    let Ok(wanted) = std::env::var("FORMATS") else { return all };
    let found = |name: &str| *all.iter().find(|format| format.name == name).unwrap();
    wanted.split(',').map(found).collect()
}

fn assert_all_writers(targets: &[&'static Format]) {
    let names: Vec<&str> = targets.iter().map(|format| format.name).collect();
    let mut expected = vec![
        "pgn",
        "si4",
        "si5",
        "dcg",
        "cbf",
        "cbh",
        "cbv",
        "2cbh",
        "chessassistant",
        "jose",
        "jsonl",
        "csv",
    ];
    if cfg!(feature = "print") {
        expected.extend(["html", "typst"]);
    }
    if cfg!(feature = "tables") {
        expected.extend(["parquet", "arrow"]);
    }
    let missing: Vec<&&str> = expected.iter().filter(|name| !names.contains(name)).collect();
    assert!(missing.is_empty(), "{missing:?} are not among {names:?}");
}

/// Returns a name as a cell of a table.
pub(crate) fn cell(name: &str) -> String {
    if name.contains(',') { format!("\"{name}\"") } else { name.to_owned() }
}

/// Writes a table to the file that the variable `TABLE` names, and to standard output.
pub(crate) fn put_table(head: &str, rows: &[String]) {
    assert!(!rows.is_empty(), "no shape has this name");
    let table = format!("{head}\n{}\n", rows.join("\n"));
    println!("{table}");
    if let Ok(path) = std::env::var("TABLE") {
        std::fs::write(testkit::workspace_root().join(path), table).unwrap();
    }
}

/// One thing that a game repeats.
pub(crate) struct Shape {
    pub(crate) name: &'static str,
    /// A size at which quadratic work shows. At twice the size, variations are still nested less than
    /// 16,384 deep, the limit of the PGN reader.
    pub(crate) size: usize,
    pub(crate) text: fn(usize) -> String,
}

/// The text of a game with more tags, and with this movetext.
fn game(tags: &str, movetext: &str) -> String {
    format!(
        "[Event \"e\"]\n[Site \"s\"]\n[Date \"2020.01.01\"]\n[Round \"r\"]\n[White \"w\"]\n\
         [Black \"b\"]\n[Result \"*\"]\n{tags}\n{movetext} *\n"
    )
}

fn named(tag: &str, value: &str) -> String {
    let usual = format!("[{tag} \"{}\"]", tag[..1].to_lowercase());
    let text = game("", "1. e4");
    assert!(text.contains(&usual), "{usual}");
    text.replace(&usual, value)
}

fn numbered(count: usize, each: impl Fn(usize) -> String) -> String {
    (0..count).map(each).collect()
}

/// Returns a half-move of knights that go out and back. Each round trip is four half-moves.
fn knight(ply: usize) -> &'static str {
    ["Nf3", "Nf6", "Ng1", "Ng8"][ply % 4]
}

fn shuffle(half_moves: usize, after_each: &str) -> String {
    numbered(half_moves, |ply| format!("{} {after_each}", knight(ply)))
}

pub(crate) const SHAPES: &[Shape] = &[
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
    Shape { name: "empty comments", size: 80_000, text: |n| game("", &"{}".repeat(n)) },
    Shape {
        name: "empty comments after a move",
        size: 80_000,
        text: |n| game("", &format!("1. e4 {}", "{}".repeat(n))),
    },
    Shape {
        name: "half-moves with empty comments",
        size: 20_000,
        text: |n| game("", &shuffle(n, "{}")),
    },
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
        size: 20_000,
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
        size: 20_000,
        text: |n| game("", &format!("1. e4 {{x}} {} {{y}} e5", "({a} 1. d4 {b}) {c} ".repeat(n))),
    },
    Shape {
        name: "variations one in the other",
        size: 8_000,
        text: |n| game("", &format!("1. e4 {}{}", "(1. d4 ".repeat(n), ")".repeat(n))),
    },
    Shape {
        name: "longer variations one in the other",
        size: 8_000,
        text: |n| {
            let nested = numbered(n, |i| format!("({} {} ", knight(i + 1), knight(i + 2)));
            game("", &format!("{} {} {nested}{}", knight(0), knight(1), ")".repeat(n)))
        },
    },
    Shape {
        name: "variations of each move",
        size: 20_000,
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
        name: "games of empty line comments",
        size: 80_000,
        text: |n| game("", &";\n".repeat(100)).repeat(n / 100),
    },
    Shape {
        name: "games of comments",
        size: 40_000,
        text: |n| game("", &format!("1. e4 {}", "{\u{416}} ".repeat(300))).repeat(n / 300),
    },
    Shape {
        name: "games",
        size: 10_000,
        text: |n| numbered(n, |i| format!("[White \"w{i}\"]\n\n1. e4 e5 *\n\n")),
    },
];
