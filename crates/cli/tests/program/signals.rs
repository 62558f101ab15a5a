//! Signals, limits of the user, and outputs that are no files.

use std::fs;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use scoresheet::Format;
use scoresheet::chess_store::erased::Creator;

use crate::place::{GAMES, Place, command, interruptible, program};

fn send(signal: &str, child: &Child) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
}

/// Starts an edit that appends what is written to its standard input.
fn start_append(place: &Place, name: &str) -> Child {
    let child = interruptible(&place.path("")).args(["edit", name, "append", "-"]).spawn().unwrap();
    let is_locked = || place.files().iter().any(|name| name.ends_with("~lock"));
    testkit::wait_until(Duration::from_secs(60), is_locked);
    child
}

fn said(child: &mut Child) -> String {
    let mut text = String::new();
    child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
    text
}

/// Starts an append, sends the signal after `wait` while the input stays open and silent, and returns
/// what the program says.
fn stop_append(signal: &str, name: &str, wait: Duration) -> String {
    let place = Place::new();
    place.run(&format!("convert games.pgn {name}"));
    let before = place.files();
    let mut child = start_append(&place, name);
    let mut input = child.stdin.take().unwrap();
    input.write_all(GAMES.as_bytes()).unwrap();
    std::thread::sleep(wait);
    send(signal, &child);
    assert_eq!(child.wait().unwrap().code(), Some(130), "{signal}");
    drop(input);
    assert_eq!(place.files(), before);
    place.run(&format!("check {name}")).well();
    said(&mut child)
}

/// A program that waits for input ends all the same, and does not say that all changes stay.
#[test]
fn edit_signal_during_silent_input_ends_with_130() {
    for (signal, name) in [("-INT", "base.si4"), ("-TERM", "base.si5"), ("-HUP", "base.dci")] {
        // A program that does not wait yet stops before it reads on.
        let is_ended = |wait| {
            let said = stop_append(signal, name, Duration::from_millis(wait));
            let stopped = said.contains("interrupted; changes made before stay in the base");
            let ended = said.contains("interrupted; changes that were not written yet are lost");
            assert!(stopped != ended, "{said}");
            ended
        };
        assert!([50, 500, 5000].into_iter().any(is_ended), "{signal}");
    }
}

/// The games that were read before the signal are appended, and the base is sound.
#[test]
fn edit_signal_between_games_ends_with_130() {
    for (signal, name) in [("-INT", "base.dci"), ("-TERM", "base.si4"), ("-HUP", "base.si5")] {
        let place = Place::new();
        place.run(&format!("convert games.pgn {name}"));
        let before = place.files();
        let mut child = start_append(&place, name);
        let mut input = child.stdin.take().unwrap();
        let feeder = std::thread::spawn(move || while input.write_all(GAMES.as_bytes()).is_ok() {});
        std::thread::sleep(Duration::from_millis(200));
        send(signal, &child);
        assert_eq!(child.wait().unwrap().code(), Some(130), "{signal}");
        feeder.join().unwrap();
        let said = said(&mut child);
        assert!(said.contains("interrupted; changes made before stay in the base"), "{said}");
        assert_eq!(place.files(), before);
        place.run(&format!("check {name}")).well();
        let count = place.run(&format!("list {name} --json")).well().out.lines().count();
        assert!(count >= 2, "{count}");
    }
}

/// `nohup` ignores HUP, and a shell ignores INT for the commands that a script starts with `&`.
#[cfg(target_os = "linux")]
#[test]
fn signal_ignored_at_start_stays_ignored() {
    for (signal, name) in [("HUP", "base.si4"), ("INT", "base.dci")] {
        let place = Place::new();
        let script = format!("trap '' {signal}; exec \"$0\" convert - {name}");
        let mut shell = Command::new("sh");
        shell.current_dir(place.path("")).arg("-c").arg(script).arg(program());
        let mut child = shell.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(GAMES.as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(300));
        send(&format!("-{signal}"), &child);
        std::thread::sleep(Duration::from_millis(100));
        input.write_all(GAMES.as_bytes()).unwrap();
        drop(input);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{signal}: {output:?}");
        assert_eq!(place.run(&format!("list {name} --count")).well().out, "4\n");
    }
}

/// Runs a command line with a limit of 4 KiB for each file.
fn run_limited(place: &Place, line: &str) -> (Option<i32>, String) {
    let script = format!("ulimit -f 8; exec \"$0\" {line}");
    let mut command = Command::new("sh");
    command.current_dir(place.path("")).arg("-c").arg(script).arg(program());
    let output = command.stdin(Stdio::null()).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn file_size_limit_is_error_and_leaves_nothing() {
    let formats =
        scoresheet::formats().filter(|format| format.create.is_some() && format.name != "fbk");
    for format in formats {
        let place = Place::new();
        // Every game has a name and moves of its own, so that no compression makes it small.
        fs::write(place.path("many.pgn"), many_games()).unwrap();
        let name = format!("base.{}", format.extensions[0]);
        let before = place.files();
        let (code, said) =
            run_limited(&place, &format!("convert many.pgn {name} --to {}", format.name));
        assert_eq!(code, Some(3), "{}: {said}", format.name);
        assert!(said.contains("File too large"), "{}: {said}", format.name);
        assert_eq!(place.files(), before, "{}", format.name);
        if format.edit.is_some() {
            place.run(&format!("convert games.pgn {name}"));
            let sizes = |place: &Place| {
                let size = |name: &String| fs::metadata(place.path(name)).unwrap().len();
                place.files().iter().map(|name| (name.clone(), size(name))).collect::<Vec<_>>()
            };
            let before = sizes(&place);
            let (code, said) = run_limited(&place, &format!("edit {name} append many.pgn"));
            assert_eq!(code, Some(3), "{}: {said}", format.name);
            assert!(said.contains("File too large"), "{}: {said}", format.name);
            assert_eq!(sizes(&place), before, "{}", format.name);
        }
    }
}

/// Games that differ in names and comments.
fn many_games() -> String {
    let mut random = testkit::Random::new(5);
    let mut word =
        move || (0..12).map(|_| char::from(b'a' + random.below(26) as u8)).collect::<String>();
    let game = |_| {
        format!(
            "[Event \"{}\"]\n[Site \"{}\"]\n[White \"{}\"]\n[Black \"{}\"]\n\n1. e4 {{{} {}}} e5 *\n\n",
            word(),
            word(),
            word(),
            word(),
            word(),
            word()
        )
    };
    (0..1000).map(game).collect()
}

fn pipe(place: &Place, name: &str) {
    assert!(Command::new("mkfifo").arg(place.path(name)).status().unwrap().success());
}

/// Other programs on the same pipe may have made it non-blocking.
#[test]
fn output_to_non_blocking_pipe_waits_for_reader() {
    let place = Place::new();
    let game = format!("[White \"{}\"]\n\n1. e4 *\n\n", "x".repeat(200));
    fs::write(place.path("many.pgn"), game.repeat(5000)).unwrap();
    for line in
        ["convert many.pgn -", "list many.pgn --csv", "list many.pgn --json", "dedupe -n many.pgn"]
    {
        let wanted = place.run(line);
        assert!(wanted.out.len() > 500_000, "{line}");
        let (mut reader, writer) = UnixStream::pair().unwrap();
        writer.set_nonblocking(true).unwrap();
        let mut child = {
            // The command owns an end of the pipe.
            let mut command = command(&place.path(""));
            command.args(line.split(' ')).stdout(OwnedFd::from(writer)).stderr(Stdio::null());
            command.spawn().unwrap()
        };
        std::thread::sleep(Duration::from_millis(200));
        let reader = std::thread::spawn(move || {
            let mut text = String::new();
            reader.read_to_string(&mut text).map(|_| text)
        });
        assert_eq!(child.wait().unwrap().code(), Some(wanted.code), "{line}");
        let text = reader.join().unwrap().unwrap();
        assert!(text == wanted.out, "{line}: {} of {} bytes", text.len(), wanted.out.len());
    }
}

#[test]
fn output_to_device_and_pipe_is_written() {
    let place = Place::new();
    pipe(&place, "pipe");
    // `tests/tables.rs` has the same for tables, which are no text.
    let is_text = |format: &&Format| {
        matches!(format.create, Some(Creator::Sink(_)))
            && !matches!(format.name, "parquet" | "arrow")
    };
    for format in scoresheet::formats().filter(is_text) {
        let to = format!("--to {}", format.name);
        let wanted = place.run(&format!("convert games.pgn - {to}"));
        for name in ["/dev/stdout", "/dev/fd/1"] {
            let ran = place.run(&format!("convert games.pgn {name} {to}"));
            assert_eq!((ran.code, &ran.out), (wanted.code, &wanted.out), "{name}: {ran}");
        }
        for more in ["", " --force"] {
            let ran = place.run(&format!("convert games.pgn /dev/null {to}{more}"));
            assert_eq!(ran.code, wanted.code, "{ran}");
        }
        let path = place.path("pipe");
        let reader = std::thread::spawn(move || fs::read_to_string(path).unwrap());
        let ran = place.run(&format!("convert games.pgn pipe {to}"));
        assert_eq!(ran.code, wanted.code, "{ran}");
        assert_eq!(reader.join().unwrap(), wanted.out);
    }
    let ran = place.run("convert games.pgn /dev/full --to pgn");
    assert!(ran.code == 3 && ran.err.contains("No space left"), "{ran}");
    place.run("convert games.pgn /dev/null --to pgn --report /dev/null").well();
    assert_eq!(place.files(), ["games.pgn", "pipe"]);
}

/// A pipe may have the name of a compressed file.
#[test]
fn output_to_pipe_with_compressed_name_is_compressed() {
    let place = Place::new();
    pipe(&place, "out.pgn.gz");
    let path = place.path("out.pgn.gz");
    let reader = std::thread::spawn(move || fs::read(path).unwrap());
    place.run("convert games.pgn out.pgn.gz").well();
    let packed = reader.join().unwrap();
    let mut text = String::new();
    flate2::read::GzDecoder::new(&packed[..]).read_to_string(&mut text).unwrap();
    assert_eq!(text, place.run("convert games.pgn -").out);
}

#[test]
fn base_of_several_files_to_device_is_refused() {
    let place = Place::new();
    for format in
        scoresheet::formats().filter(|format| matches!(format.create, Some(Creator::Database(_))))
    {
        let ran = place.run(&format!("convert games.pgn /dev/null --to {} --force", format.name));
        assert!(ran.code == 3 && ran.err.contains("cannot be written to a stream"), "{ran}");
    }
    let ran = place.run("convert games.pgn /dev/null --to pgn --split year");
    assert!(ran.code == 2 && ran.err.contains("--split needs a file"), "{ran}");
    let left = fs::read_dir("/dev").unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = left.filter(|name| name.to_string_lossy().starts_with("null")).collect();
    assert_eq!(left, ["null"]);
}

/// Commands that read a named pipe, which can be opened and read only once.
const OF_PIPE: [&str; 24] = [
    "check pipe.pgn",
    "list pipe.pgn",
    "list pipe.pgn --count",
    "list pipe.pgn --sort white",
    "list games.pgn --spelling pipe.ssp",
    "info pipe.pgn",
    "show pipe.pgn 2",
    "tree pipe.pgn",
    "stats pipe.pgn",
    "list pipe.pgn --player nobody -v",
    "list games.pgn --player nobody --players pipe.ssp",
    "player Alder pipe.pgn",
    "crosstable pipe.pgn --event Club",
    "repair pipe.pgn out.pgn",
    "convert pipe.pgn out.pgn",
    "convert pipe.pgn out.si4",
    "convert pipe.pgn out.pgn --sort white",
    "edit base.si4 append pipe.pgn",
    "edit base.si4 replace 1 pipe.pgn",
    "edit base.si4 set --csv pipe.csv",
    "edit base.si4 spell pipe.ssp",
    "index pipe.pgn",
    "edit pipe.pgn delete 1",
    "edit pipe.si4 delete 1",
];

#[test]
fn input_from_pipe_is_read_once_by_every_command() {
    let place = Place::new();
    place.run("convert games.pgn base.si4");
    fs::write(place.path("table.csv"), "Number,White\n1,Somebody\n").unwrap();
    fs::write(place.path("names.ssp"), "@PLAYER\nAlder, Nora #wgm\n= Alder, N\n").unwrap();
    for line in OF_PIPE {
        let name = line.split(' ').find(|word| word.starts_with("pipe.")).unwrap();
        pipe(&place, name);
        let source = match name {
            "pipe.csv" => "table.csv",
            "pipe.ssp" => "names.ssp",
            _ => "games.pgn",
        };
        let copy = format!("cat {source} > {name}");
        let mut writer =
            Command::new("sh").current_dir(place.path("")).args(["-c", &copy]).spawn().unwrap();
        let mut reader = command(&place.path("")).args(line.split(' ')).spawn().unwrap();
        drop(reader.stdin.take());
        let ended = std::cell::RefCell::new(&mut reader);
        testkit::wait_until(Duration::from_secs(60), || {
            ended.borrow_mut().try_wait().unwrap().is_some()
        });
        let output = reader.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        let is_edited = line.starts_with("edit pipe");
        let has_none = line.contains("nobody");
        let expected = match line.starts_with("index") {
            true => 3,
            false if is_edited => 3,
            false => i32::from(has_none),
        };
        assert_eq!(output.status.code(), Some(expected), "{line}: {said}");
        assert!(
            !is_edited || said.contains("pipe or a device cannot be changed"),
            "{line}: {said}"
        );
        // A pipe that is never opened still has its writer.
        let _ = writer.kill();
        writer.wait().unwrap();
        fs::remove_file(place.path(name)).unwrap();
        fs::remove_file(place.path("out.pgn")).ok();
    }
    let list = place.run("list base.si4 --columns white --csv").well().out;
    assert_eq!(list.lines().count(), 5, "{list}");
    assert!(list.contains("Somebody"), "{list}");
}

#[test]
fn input_from_empty_device_holds_no_games() {
    let place = Place::new();
    let ran = place.run("convert /dev/null out.pgn --from pgn");
    assert!(ran.code == 1 || ran.code == 0, "{ran}");
    let ran = place.run("list /dev/null --count");
    assert!(ran.code <= 3, "{ran}");
}
