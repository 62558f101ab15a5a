//! Tests of output on a terminal: pager, colours, width, progress, Ctrl-C.

use std::fs;
use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use pty_process::Size;
use pty_process::blocking::{Command, Pty, open};

use crate::place::{GAMES, Place, interruptible_line};

/// A timeout that is long enough for a busy machine. A test that hangs fails.
const PATIENCE: Duration = Duration::from_secs(30);

/// How to run the program on a terminal.
pub(crate) struct Setting<'a> {
    pub(crate) words: &'a [&'a str],
    pub(crate) variables: &'a [(&'a str, &'a str)],
    pub(crate) columns: u16,
    /// Connects standard output to a pipe.
    pub(crate) piped: bool,
    /// Connects standard input to a pipe.
    pub(crate) fed: bool,
}

impl Default for Setting<'_> {
    fn default() -> Self {
        Setting { words: &[], variables: &[], columns: 100, piped: false, fed: false }
    }
}

/// The program while it runs on a terminal.
struct Session {
    child: Child,
    pty: Arc<Pty>,
    seen: Arc<Mutex<Vec<u8>>>,
    watcher: JoinHandle<()>,
}

impl Session {
    fn start(place: &Place, setting: &Setting<'_>) -> Session {
        let (pty, pts) = open().unwrap();
        pty.resize(Size::new(40, setting.columns)).unwrap();
        let line = interruptible_line();
        let mut command = Command::new(&line[0])
            .args(&line[1..])
            .args(setting.words)
            .current_dir(place.path(""))
            .env("TERM", "xterm-256color")
            .env("PAGER", "");
        for name in ["NO_COLOR", "COLUMNS", "LESS", "CLICOLOR", "CLICOLOR_FORCE", "CI"] {
            command = command.env_remove(name);
        }
        command = command.envs(setting.variables.iter().copied());
        if setting.piped {
            command = command.stdout(Stdio::piped());
        }
        if setting.fed {
            command = command.stdin(Stdio::piped());
        }
        let child = command.spawn(pts).unwrap();
        let (pty, seen) = (Arc::new(pty), Arc::new(Mutex::new(Vec::new())));
        let watcher = thread::spawn({
            let (pty, seen) = (Arc::clone(&pty), Arc::clone(&seen));
            move || {
                let mut bytes = [0; 4096];
                // Reading from a terminal whose last program has ended is an error.
                while let Ok(count @ 1..) = (&*pty).read(&mut bytes) {
                    seen.lock().unwrap().extend_from_slice(&bytes[..count]);
                }
            }
        });
        Session { child, pty, seen, watcher }
    }

    fn feed(&mut self) -> ChildStdin {
        self.child.stdin.take().unwrap()
    }

    /// Returns all output so far.
    fn screen(&self) -> String {
        String::from_utf8(self.seen.lock().unwrap().clone()).unwrap()
    }

    fn wait_for(&self, text: &str) {
        testkit::wait_until(PATIENCE, || self.screen().contains(text));
    }

    fn press_control_c(&self) {
        (&*self.pty).write_all(b"\x03").unwrap();
    }

    /// Returns the whole output with plain line feeds, and the exit code.
    fn end(mut self) -> (String, i32) {
        let mut piped = self.child.stdout.take();
        if let Some(out) = &mut piped {
            std::io::copy(out, &mut std::io::sink()).unwrap();
        }
        let code = self.child.wait().unwrap().code().unwrap();
        self.watcher.join().unwrap();
        let seen = std::mem::take(&mut *self.seen.lock().unwrap());
        (String::from_utf8(seen).unwrap().replace("\r\n", "\n"), code)
    }
}

/// Runs a command and returns its output.
pub(crate) fn on_terminal(place: &Place, setting: &Setting<'_>) -> String {
    Session::start(place, setting).end().0
}

/// Runs a command that must succeed, and returns its output.
fn screen(place: &Place, setting: &Setting<'_>) -> String {
    let (text, code) = Session::start(place, setting).end();
    assert_eq!(code, 0, "{text}");
    text
}

#[test]
fn pager_shows_tables_games_and_dumps() {
    let place = Place::new();
    place.run("convert games.pgn base.dci").well();
    let variables = [("PAGER", "sed s/^/paged:/")];
    for words in
        [vec!["list", "games.pgn"], vec!["show", "games.pgn", "1"], vec!["dump", "base.dci", "1"]]
    {
        let on_terminal = Setting { words: &words, variables: &variables, ..Setting::default() };
        let text = screen(&place, &on_terminal);
        // The number of games is printed after the pager has ended.
        let counted = if words[0] == "list" { "2 of 2 games\n" } else { "" };
        let paged = text.strip_suffix(counted).unwrap();
        assert!(paged.lines().all(|line| line.starts_with("paged:")), "{text}");
        let piped = Setting { piped: true, ..on_terminal };
        assert_eq!(screen(&place, &piped), counted);
        let ran = place.run_with(&words, &variables);
        assert!(ran.code == 0 && !ran.out.contains("paged"), "{ran}");
    }
}

#[test]
fn pager_unusable_text_is_printed_directly() {
    let place = Place::new();
    let ran = place.run("list games.pgn").well();
    let plain = ran.out + &ran.err;
    for variables in [
        &[("PAGER", ""), ("NO_COLOR", "1")][..],
        &[("PAGER", "no-such-pager"), ("NO_COLOR", "1")],
        &[("PAGER", "sed s/^/paged:/"), ("TERM", "dumb")],
    ] {
        let setting = Setting { words: &["list", "games.pgn"], variables, ..Setting::default() };
        assert_eq!(screen(&place, &setting), plain, "{variables:?}");
    }
}

#[test]
fn pager_closed_early_is_no_error() {
    let place = Place::new();
    fs::write(place.path("many.pgn"), GAMES.repeat(2000)).unwrap();
    let variables = [("PAGER", "head -n 3")];
    let words = ["list", "many.pgn"];
    let text =
        screen(&place, &Setting { words: &words, variables: &variables, ..Setting::default() });
    assert_eq!(text.lines().count(), 3, "{text}");
}

#[test]
fn pager_messages_follow_its_end() {
    let place = Place::new();
    fs::write(place.path("bad.pgn"), "1. e4 e5 2. Ke3 *\n\n1. d4 *\n").unwrap();
    let variables = [("PAGER", "sed s/^/paged:/")];
    let words = ["list", "bad.pgn"];
    let setting = Setting { words: &words, variables: &variables, ..Setting::default() };
    let (text, code) = Session::start(&place, &setting).end();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((code, lines.len()), (0, 5), "{text}");
    assert!(lines[..3].iter().all(|line| line.starts_with("paged:")), "{text}");
    assert!(lines[3].starts_with("bad.pgn: line 1"), "{text}");
}

#[test]
fn colours_follow_terminal_and_environment() {
    let place = Place::new();
    place.run("convert games.pgn base.dci").well();
    for words in [
        vec!["list", "games.pgn"],
        vec!["show", "games.pgn", "1"],
        vec!["dump", "base.dci", "1"],
        vec!["--help"],
        vec!["convert", "--help"],
    ] {
        let usual = Setting { words: &words, ..Setting::default() };
        assert!(screen(&place, &usual).contains("\x1b["), "{words:?}");
        for variables in [&[("NO_COLOR", "1")], &[("TERM", "dumb")]] {
            let text = screen(&place, &Setting { variables, ..usual });
            assert!(!text.contains('\x1b') && text.len() > 100, "{words:?}: {text}");
        }
        let ran = place.run_with(&words, &[]);
        assert!(ran.code == 0 && !ran.out.contains('\x1b'), "{ran}");
    }
}

/// Removes the styles that the program and its command line parser write.
fn without_styles(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, style)) = rest.split_once("\x1b[") {
        plain.push_str(before);
        rest = style.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        rest = rest.strip_prefix('m').unwrap_or_else(|| panic!("no style: {style:?}"));
    }
    plain + rest
}

#[test]
fn show_comment_on_colour_terminal_is_readable() {
    let place = Place::new();
    let game = "1. e4 {best by test} e5 $1 (1... c5 {the Sicilian}) 2. Nf3 1-0\n";
    fs::write(place.path("comment.pgn"), game).unwrap();
    let words = ["show", "comment.pgn", "1"];
    for variables in [&[("PAGER", "")][..], &[("PAGER", "cat")]] {
        let setting = Setting { words: &words, variables, ..Setting::default() };
        let text = screen(&place, &setting);
        let dim = |word: &str| format!("\x1b[2m{word}\x1b[0m");
        let comment = format!("1. e4 {} {} {} ", dim("{best"), dim("by"), dim("test}"));
        assert!(text.contains(&comment), "{text:?}");
        let text = without_styles(&text);
        assert!(text.contains("1. e4 {best by test} 1... e5!"), "{text:?}");
        assert!(
            text.contains("( 1... c5 {the Sicilian})") || text.contains("(1... c5 {the Sicilian})"),
            "{text:?}"
        );
    }
}

/// Colours only add styles. Without the styles, the text is the same as on a terminal without
/// colours.
#[test]
fn colour_output_without_styles_is_the_plain_output() {
    let place = Place::new();
    place.run("convert games.pgn base.dci").well();
    for words in [
        vec!["list", "games.pgn"],
        vec!["list", "base.dci", "--columns", "number,white,moves"],
        vec!["show", "games.pgn", "1"],
        vec!["show", "games.pgn", "2", "--ply", "3"],
        vec!["tree", "base.dci", "--depth", "2"],
        vec!["dump", "base.dci", "1"],
        vec!["info", "base.dci"],
        vec!["formats"],
        vec!["formats", "dcg"],
        vec!["check", "base.dci"],
        vec!["--help"],
        vec!["list", "--help"],
        vec!["edit", "set", "--help"],
    ] {
        let coloured = screen(&place, &Setting { words: &words, ..Setting::default() });
        let coloured = coloured.rsplit("\x1b[2K").next().unwrap().to_owned();
        let variables = [("NO_COLOR", "1")];
        let plain =
            screen(&place, &Setting { words: &words, variables: &variables, ..Setting::default() });
        let plain = plain.rsplit("\x1b[2K").next().unwrap();
        assert_eq!(without_styles(&coloured), plain, "{words:?}");
    }
}

#[test]
fn table_width_follows_terminal() {
    let place = Place::new();
    let long = GAMES.replace("Alder, Nora", &"Long Name ".repeat(9));
    let long = long.replace("Club evening", &"Great Event ".repeat(9));
    fs::write(place.path("long.pgn"), long).unwrap();
    for columns in [60, 80, 100, 120] {
        let words = ["list", "long.pgn"];
        let variables = [("NO_COLOR", "1")];
        let text = screen(
            &place,
            &Setting { words: &words, variables: &variables, columns, ..Setting::default() },
        );
        let longest = text.lines().map(|line| line.chars().count()).max().unwrap();
        let columns = usize::from(columns);
        assert!(longest <= columns && longest + 3 >= columns, "{longest} of {columns}\n{text}");
    }
}

/// Starts a conversion that shows its progress. The input stays open, so that more may be written
/// to it. Returns the number of games written so far, too.
fn converting(place: &Place) -> (Session, ChildStdin, usize) {
    let words = ["convert", "-", "out.pgn"];
    let mut session =
        Session::start(place, &Setting { words: &words, fed: true, ..Setting::default() });
    let mut input = session.feed();
    // Several blocks, so that some output is written before the end. Progress may be shown only when
    // more input comes.
    let mut games = 0;
    while !session.screen().contains("iB/s") {
        assert!(games < 400_000, "{}", session.screen());
        input.write_all(GAMES.repeat(2000).as_bytes()).unwrap();
        games += 4000;
        thread::sleep(Duration::from_millis(500));
    }
    (session, input, games)
}

#[test]
fn convert_progress_bar_is_drawn_and_cleared() {
    let place = Place::new();
    let (session, input, games) = converting(&place);
    drop(input);
    let (text, code) = session.end();
    assert_eq!(code, 0, "{text}");
    let (bar, summary) = text.rsplit_once('\r').unwrap();
    assert!(bar.contains("iB/s") && !bar.contains("0/0"), "{text}");
    assert!(summary.ends_with(&format!("{games} games read, {games} written\n")), "{text}");
    assert_eq!(summary.matches("iB").count(), 0, "{text}");
}

#[test]
fn convert_quiet_or_dumb_terminal_has_no_progress_bar() {
    let place = Place::new();
    fs::write(place.path("many.pgn"), GAMES.repeat(2000)).unwrap();
    let summary = "4000 games read, 4000 written\n";
    let quiet = ["convert", "many.pgn", "quiet.pgn", "--quiet"];
    assert_eq!(screen(&place, &Setting { words: &quiet, ..Setting::default() }), "");
    let dumb = ["convert", "many.pgn", "dumb.pgn"];
    let variables = [("TERM", "dumb")];
    let dumb = Setting { words: &dumb, variables: &variables, ..Setting::default() };
    assert_eq!(screen(&place, &dumb), summary);
    let ran = place.run("convert many.pgn piped.pgn").well();
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("", summary));
}

#[test]
fn control_c_in_conversion_leaves_no_output() {
    let place = Place::new();
    let (session, input, _) = converting(&place);
    session.press_control_c();
    // The input stays open and silent.
    let (text, code) = session.end();
    drop(input);
    assert_eq!(code, 130, "{text}");
    let last = text.rsplit('\r').next().unwrap().trim_start_matches("\x1b[2K");
    assert_eq!(last, "scoresheet: interrupted; nothing was written\n", "{text}");
    assert_eq!(place.files(), ["games.pgn"]);
}

#[test]
fn control_c_in_pager_is_left_to_pager() {
    let place = Place::new();
    fs::write(place.path("pager"), "trap '' INT; cat; echo the pager ended").unwrap();
    let variables = [("PAGER", "sh pager")];
    let words = ["list", "-"];
    let setting = Setting { words: &words, variables: &variables, fed: true, ..Setting::default() };
    let mut session = Session::start(&place, &setting);
    let mut input = session.feed();
    // One block of games, and some more.
    input.write_all(GAMES.repeat(2000).as_bytes()).unwrap();
    session.wait_for("Alder");
    session.press_control_c();
    session.wait_for("^C");
    // When more games come, the listing notices that the pager is closed.
    let _ = input.write_all(GAMES.repeat(2000).as_bytes());
    drop(input);
    let (text, code) = session.end();
    assert_eq!(code, 130, "{text}");
    assert!(text.ends_with("the pager ended\nscoresheet: interrupted\n"), "{text}");
}
