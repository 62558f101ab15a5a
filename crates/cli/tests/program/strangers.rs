//! Tests that foreign text sends no commands to a terminal: names, comments and file names are
//! cleaned.

use std::fs;
use std::iter;

use crate::place::Place;
use crate::terminal::{Setting, on_terminal};

/// A colour, the C1 control that starts one, a bell, an erased line, reversed text, DEL.
const EVIL: &str = "x\x1b[31my\u{9b}2Jz\x07\x1b[2K\u{202e}w\u{2067}\x7f";

/// Fails if `text` has control characters, except for bold and dim text and the progress bar.
fn assert_clean(text: &str, line: &str) {
    let mut rest = text.to_owned();
    for own in ["\x1b[1m", "\x1b[2m", "\x1b[0m", "\x1b[2K", "\x1b[1A", "\r"] {
        rest = rest.replace(own, "");
    }
    // A progress bar, too, erases a line.
    let bad = |letter: char| {
        letter.is_control() && letter != '\n' && letter != '\t'
            || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    assert!(!rest.contains(bad), "{line}: {text:?}");
}

/// The commands that the help of a command lists.
fn commands(place: &Place, of: &str) -> Vec<String> {
    let help = place.run(format!("{of} --help").trim()).out;
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let list: Vec<_> = list.take_while(|line| !line.is_empty()).collect();
    let names = list.iter().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names: Vec<_> = names.filter(|name| !name.is_empty()).map(str::to_owned).collect();
    assert!(names.len() > 3, "{help}");
    names
}

#[test]
fn text_of_base_sends_no_terminal_commands() {
    let place = Place::new();
    let game = format!(
        "[Event \"{EVIL}\"]\n[Site \"{EVIL}\"]\n[White \"{EVIL}\"]\n[Black \"B{EVIL}\"]\n\
         [Result \"*\"]\n[Odd{EVIL} \"{EVIL}\"]\n[Odd \"{EVIL}\"]\n\n1. e4 {{c{EVIL}}} e5 {EVIL} *\n\n"
    );
    fs::write(place.path("evil.pgn"), format!("{game}[White \"w\"]\n\n1. e4 Ke{EVIL}9 *\n"))
        .unwrap();
    fs::copy(place.path("evil.pgn"), place.path(&format!("{EVIL}.pgn"))).unwrap();
    for base in ["base.si4", "base.si5", "base.dci", "base.cbf", "base.cdp", "base.jose"] {
        place.run(&format!("convert evil.pgn {base}"));
    }
    fs::copy(place.path("base.dci"), place.path(&format!("{EVIL}.dci"))).unwrap();
    let evil_file = format!("{EVIL}.pgn");
    let (evil_base, evil_copy) = (format!("{EVIL}.dci"), format!("copy {EVIL}.pgn"));
    let evil_about = format!("description={EVIL}");
    let evil_value = format!("Event={EVIL}");
    let mut lines: Vec<Vec<&str>> = vec![
        vec!["info", &evil_file],
        vec!["list", &evil_file],
        vec!["check", "-v", &evil_file],
        vec!["check", "--strict", "evil.pgn"],
        vec!["show", "evil.pgn", "1"],
        vec!["show", "evil.pgn", "2"],
        vec!["show", "--pgn", "evil.pgn", "1"],
        vec!["show", "--json", "evil.pgn", "1"],
        vec!["list", "--csv", "evil.pgn"],
        vec!["list", "--json", "evil.pgn"],
        vec!["info", "--json", &evil_file],
        vec!["check", "--json", &evil_file],
        vec!["dump", "base.si4", "1"],
        vec!["dump", "base.dci", "1"],
        vec!["dump", "base.cdp", "1"],
        vec!["dump", "base.cbf", "1"],
        vec!["dump", "base.jose", "1"],
        vec!["dump", "--json", "base.si4", "1"],
        vec!["convert", "-v", "evil.pgn", "out.dci"],
        vec!["convert", "-v", "evil.pgn", "out.cbf"],
        vec!["convert", "--strict", "evil.pgn", "out.si4"],
        vec!["convert", "evil.pgn", "-"],
        vec!["repair", "evil.pgn", "fixed.pgn"],
        vec!["edit", "base.si4", "-n", "append", "evil.pgn"],
        vec!["edit", "base.si4", "-v", "append", "evil.pgn"],
        vec!["edit", "base.dci", "-v", "append", &evil_file],
        vec!["edit", "base.si4", "replace", "1", "evil.pgn"],
        vec!["edit", "base.si4", "flag", "1", EVIL],
        vec!["edit", "base.si4", "append", "no-such-\x1b[31m.pgn"],
    ];
    lines.extend([
        vec!["dedupe", "-n", &evil_file, "evil.pgn"],
        vec!["dedupe", "-n", "--json", &evil_file, "evil.pgn"],
        vec!["dedupe", "-v", &evil_file, "evil.pgn", "single.pgn", "-f"],
        vec!["tree", &evil_file],
        vec!["player", EVIL, &evil_file],
        vec!["player", "x", &evil_file],
        vec!["crosstable", &evil_file],
        vec!["crosstable", "--merge", &evil_file],
        vec!["stats", &evil_file],
        vec!["stats", "--json", &evil_file],
        vec!["formats"],
        vec!["book", "show", &evil_file],
        vec!["book", "check", &evil_file],
        vec!["repertoire", "evil.pgn", &evil_file],
        vec!["serve", &evil_file, "--cors", EVIL],
        vec!["index", &evil_file],
        vec!["convert", "-v", &evil_file, "evil.pgn", &evil_copy, "-f"],
        vec!["convert", &evil_file, "split.pgn", "--split", "white", "-v"],
        vec!["edit", &evil_base, "-v", "set", &evil_value, "1"],
        vec!["edit", &evil_base, "-v", "delete", "1"],
        vec!["edit", &evil_base, "-v", "undelete", "1"],
        vec!["edit", &evil_base, "-v", "spell", &evil_file],
        vec!["edit", &evil_base, "-n", "dedupe"],
        vec!["edit", &evil_base, "-v", "compact"],
        vec!["edit", "base.si4", "-v", "about", &evil_about],
        vec!["edit", &evil_base, "-n", "rename", EVIL, "x"],
        vec!["edit", &evil_base, "-n", "fill", "--players", &evil_file],
        vec!["compare", &evil_file, "evil.pgn"],
        vec!["update", &evil_base, "evil.pgn"],
        vec!["undo", &evil_base],
    ]);
    for (command, of) in commands(&place, "")
        .into_iter()
        .zip(iter::repeat(""))
        .chain(commands(&place, "edit").into_iter().zip(iter::repeat("edit")))
    {
        let is_tried = lines.iter().any(|words| {
            words.contains(&&*command) && (of.is_empty() || words.first() == Some(&of))
        });
        let prints_itself = ["completions", "man", "help"].contains(&&*command);
        assert!(is_tried || prints_itself, "{of} {command} is not tried on a terminal");
    }
    for base in ["base.si4", "base.si5", "base.dci", "base.cbf", "base.cdp", "base.jose"] {
        for command in ["info", "list", "check"] {
            lines.push(vec![command, base]);
        }
        lines.push(vec!["show", base, "1"]);
    }
    for words in lines {
        let line = words.join(" ");
        let text = on_terminal(&place, &Setting { words: &words, ..Setting::default() });
        assert!(!text.is_empty() || line.contains("repair"), "{line} says nothing");
        assert_clean(&text, &line);
        // Text for people is clean in a pipe too. Output for programs is clean if JSON escapes it.
        let ran = place.run_words(&words, "");
        assert_clean(&ran.err, &line);
        if !words.iter().any(|word| ["--csv", "--pgn", "-"].contains(word)) {
            assert_clean(&ran.out, &line);
        }
    }
}

#[test]
fn styles_in_data_are_removed() {
    let place = Place::new();
    let styles = "\x1b[1mb\x1b[2md\x1b[0mp";
    let game = format!("[White \"{styles}\"]\n[Odd \"{styles}\"]\n\n1. e4 {{{styles}}} *\n\n");
    fs::write(place.path("styled.pgn"), game).unwrap();
    let plain = [("NO_COLOR", "1")];
    for words in [
        vec!["show", "styled.pgn", "1"],
        vec!["show", "--pgn", "styled.pgn", "1"],
        vec!["list", "styled.pgn"],
        vec!["list", "--csv", "styled.pgn"],
        vec!["convert", "styled.pgn", "-"],
        vec!["info", "styled.pgn"],
        vec!["check", "-v", "styled.pgn"],
    ] {
        let setting = Setting { words: &words, variables: &plain, ..Setting::default() };
        let text = on_terminal(&place, &setting);
        // A progress bar clears its line.
        assert!(!text.replace("\x1b[2K", "").contains('\x1b'), "{words:?}: {text:?}");
    }
}

#[test]
fn arguments_in_messages_send_no_terminal_commands() {
    let place = Place::new();
    let option = format!("--{EVIL}");
    for words in [
        vec!["list", "games.pgn", "--elo", EVIL],
        vec!["list", "games.pgn", &option],
        vec!["show", "games.pgn", EVIL],
        vec!["convert", "games.pgn", "out.pgn", "--to", EVIL],
        vec![EVIL],
        vec!["edit", "games.pgn", EVIL],
    ] {
        let line = words.join(" ");
        let ran = place.run_words(&words, "");
        assert_eq!(ran.code, 2, "{ran}");
        assert_clean(&ran.err, &line);
        let plain = [("NO_COLOR", "1")];
        let setting = Setting { words: &words, variables: &plain, ..Setting::default() };
        assert_clean(&on_terminal(&place, &setting), &line);
        let mut styled = on_terminal(&place, &Setting { words: &words, ..Setting::default() });
        // The parser of the command line has its own styles; the colour of EVIL is followed by y.
        assert!(!styled.contains("\x1b[31my"), "{styled:?}");
        for style in ["\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[4m"] {
            styled = styled.replace(style, "");
        }
        assert_clean(&styled, &line);
    }
}

#[test]
fn data_in_pipe_is_unchanged() {
    let place = Place::new();
    fs::write(place.path("evil.pgn"), format!("[White \"{EVIL}\"]\n\n1. e4 *\n\n")).unwrap();
    for line in ["list --csv evil.pgn", "convert evil.pgn -"] {
        assert!(place.run(line).out.contains(EVIL), "{line}");
    }
    let json = place.run("list --json evil.pgn").out;
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["tags"]["White"], EVIL);
}
