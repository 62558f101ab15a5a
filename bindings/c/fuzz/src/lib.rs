//! The fuzz target of the C interface: random calls on a random base, with NULL among the arguments.
//!
//! The input chooses games as PGN, a format to write them in, bytes to damage, and calls. It fails by
//! panicking, or by a status that says that the library panicked.

use std::ffi::{CString, c_int, c_void};
use std::fs;
use std::mem::MaybeUninit;
use std::path::{Path, PathBuf};

use arbitrary::{Result, Unstructured};
use interface::{
    Base, CText, Error, Filter, Finding, Game, Options, Output, Reader, Report, Selection, Status,
    Summary, Text, Token,
};

/// Formats to write, by extension.
const FORMATS: [&str; 9] = ["pgn", "jsonl", "si4", "si5", "cbf", "cbh", "dci", "jose", "pgn.gz"];
/// Names of options, good and bad.
const OPTIONS: [(&str, &str); 10] = [
    ("encoding", "utf-8"),
    ("encoding", "none"),
    ("strict", "yes"),
    ("threads", "2"),
    ("threads", "0"),
    ("max-unpacked", "100"),
    ("format", "pgn"),
    ("overwrite", "yes"),
    ("strip", "comments"),
    ("no-such", "x"),
];
/// Moves that texts consist of, legal or not.
const WORDS: [&str; 24] = [
    "e4",
    "e5",
    "Nf3",
    "Nc6",
    "Bb5",
    "a6",
    "O-O",
    "d4",
    "exd5",
    "Qxf7#",
    "(",
    ")",
    "{note}",
    "$1",
    "1.",
    "...",
    "1-0",
    "*",
    "--",
    "a8=Q",
    "\n",
    ";x\n",
    "[White \"A\"]\n",
    "[FEN \"8/8/8/8/8/8/8/8 w - -\"]\n",
];
/// Most calls of one input.
const CALLS: usize = 24;

/// How far the calls of an input came.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reached {
    /// The number of games read, damaged ones included.
    pub games: u32,
    /// The number of damaged games.
    pub damaged: u32,
    /// The number of games found by searches.
    pub found: u32,
    /// The number of games written to outputs.
    pub written: u64,
}

/// Runs the target. An input that is too short ends early.
pub fn c_calls(data: &[u8]) -> Reached {
    let mut reached = Reached::default();
    let _ = calls(&mut Unstructured::new(data), &mut reached);
    reached
}

/// Owns what a call returned.
fn own<T>(handle: *mut T) -> Option<Box<T>> {
    // SAFETY: the handle comes from an out parameter of the library, which made it by
    // `Box::into_raw`, and is taken once.
    (!handle.is_null()).then(|| unsafe { Box::from_raw(handle) })
}

/// Calls a function with places for a handle and an error. Returns the handle.
fn made<T>(
    call: impl FnOnce(Option<&mut MaybeUninit<*mut T>>, Option<&mut MaybeUninit<*mut Error>>) -> Status,
) -> Option<Box<T>> {
    let mut out = MaybeUninit::new(std::ptr::dangling_mut());
    let status = told(|error| call(Some(&mut out), error));
    // SAFETY: the place was filled before the call.
    let handle = own(unsafe { out.assume_init() });
    assert_eq!(handle.is_some(), status == Status::Ok, "{status:?}");
    handle
}

/// Calls a function with a place for an error, and reads the error.
fn told(call: impl FnOnce(Option<&mut MaybeUninit<*mut Error>>) -> Status) -> Status {
    let mut error = MaybeUninit::new(std::ptr::dangling_mut());
    let status = call(Some(&mut error));
    // SAFETY: the place was filled before the call.
    let error = own(unsafe { error.assume_init() });
    assert_ne!(status, Status::Internal, "{:?}", error.map(|error| message(&error)));
    assert_eq!(error.is_some(), status != Status::Ok);
    if let Some(error) = error {
        assert_eq!(interface::scoresheet_error_status(Some(&error)), status);
        assert!(!message(&error).is_empty());
        interface::scoresheet_error_place(Some(&error));
        interface::scoresheet_error_free(Some(error));
    }
    status
}

fn message(error: &Error) -> String {
    read(interface::scoresheet_error_part(Some(error)));
    read(interface::scoresheet_error_file(Some(error)));
    read(interface::scoresheet_error_message(Some(error))).unwrap_or_default()
}

/// Reads a text, which must be UTF-8 and end with a zero byte.
fn read(text: Text) -> Option<String> {
    if text.data.is_null() {
        assert_eq!(text.length, 0);
        return None;
    }
    // SAFETY: the library promises `length` bytes and a zero byte.
    let bytes = unsafe { std::slice::from_raw_parts(text.data.cast::<u8>(), text.length + 1) };
    let (last, bytes) = bytes.split_last().unwrap();
    assert_eq!(*last, 0);
    Some(std::str::from_utf8(bytes).unwrap().to_owned())
}

extern "C" fn stop_after(context: *mut c_void, _: u64, _: u64) -> c_int {
    // SAFETY: the context of each call here is NULL or a counter that lives for the call.
    let Some(left) = (unsafe { context.cast::<u32>().as_mut() }) else { return 0 };
    *left = left.saturating_sub(1);
    c_int::from(*left == 0)
}

/// Writes a base of random games into a folder, and damages it.
fn write_base(u: &mut Unstructured<'_>, folder: &Path) -> Result<PathBuf> {
    let mut pgn = String::new();
    for _ in 0..u.int_in_range(0..=3)? {
        pgn.push_str("[Event \"x\"]\n[Result \"*\"]\n\n");
        for _ in 0..u.int_in_range(0..=20)? {
            pgn.push_str(u.choose(&WORDS)?);
            pgn.push(' ');
        }
        pgn.push_str("*\n\n");
    }
    let source = folder.join("source.pgn");
    fs::write(&source, &pgn).unwrap();
    let path = folder.join("base").with_extension(u.choose(&FORMATS)?);
    if let Some(base) = open(&source, None) {
        let target = c_path(&path);
        told(|error| {
            let target = CText::new(&target);
            interface::scoresheet_convert(
                Some(&base),
                target,
                None,
                None,
                None,
                std::ptr::null_mut(),
                None,
                error,
            )
        });
    }
    for entry in fs::read_dir(folder).unwrap() {
        let file = entry.unwrap().path();
        let mut bytes = fs::read(&file).unwrap();
        for _ in 0..u.int_in_range(0..=2)? {
            let place = usize::from(u.arbitrary::<u16>()?);
            let length = bytes.len();
            match (u.int_in_range(0..=3)?, bytes.get_mut(place % length.max(1))) {
                (0, Some(byte)) => *byte = u.arbitrary()?,
                (1, Some(_)) => bytes.truncate(place % length),
                _ => {}
            }
        }
        fs::write(&file, bytes).unwrap();
    }
    Ok(path)
}

fn c_path(path: &Path) -> CString {
    CString::new(path.to_str().unwrap()).unwrap()
}

fn open(path: &Path, options: Option<&Options>) -> Option<Box<Base>> {
    let path = c_path(path);
    made(|base, error| interface::scoresheet_base_open(CText::new(&path), options, base, error))
}

/// A text without zero bytes, mostly short.
fn text(u: &mut Unstructured<'_>) -> Result<CString> {
    let bytes: Vec<u8> = u.arbitrary()?;
    Ok(CString::new(bytes.into_iter().filter(|byte| *byte != 0).collect::<Vec<u8>>()).unwrap())
}

fn filter(u: &mut Unstructured<'_>) -> Result<Option<Box<Filter>>> {
    let mut filter = own(interface::scoresheet_filter_new());
    for _ in 0..u.int_in_range(0..=2)? {
        let index = u.int_in_range(0..=interface::scoresheet_filter_name_count())?;
        let name = read(interface::scoresheet_filter_name_at(index)).unwrap_or_default();
        let value = if u.arbitrary()? { text(u)? } else { c"1".to_owned() };
        let name = CString::new(name).unwrap();
        told(|error| {
            let (name, value) = (CText::new(&name), CText::new(&value));
            interface::scoresheet_filter_add(filter.as_deref_mut(), name, value, error)
        });
    }
    Ok(filter.filter(|_| u.ratio(7, 8).unwrap_or(true)))
}

/// Asks a game for all that it has.
fn look_at(game: Option<&mut Game>, index: usize) {
    let Some(game) = game else { return };
    let count = interface::scoresheet_game_tag_count(Some(game));
    let (mut name, mut value) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    for tag in 0..=count {
        let status =
            interface::scoresheet_game_tag_at(Some(game), tag, Some(&mut name), Some(&mut value));
        assert_eq!(status == Status::Ok, tag < count);
    }
    let white = read(interface::scoresheet_game_tag(Some(game), CText::new(c"White")));
    assert!(white.is_some());
    for text in [
        interface::scoresheet_game_pgn(Some(game)),
        interface::scoresheet_game_json(Some(game)),
        interface::scoresheet_game_fen(Some(game)),
    ] {
        assert!(read(text).is_some());
    }
    let mut tokens = MaybeUninit::<*const Token>::uninit();
    let mut count = MaybeUninit::new(0);
    told(|error| {
        let (tokens, count) = (Some(&mut tokens), Some(&mut count));
        interface::scoresheet_game_tokens(Some(game), tokens, count, error)
    });
    // SAFETY: the place was filled before the call.
    let count = unsafe { count.assume_init() };
    for token in [0, index, count] {
        let san = read(interface::scoresheet_game_san(Some(game), token));
        let uci = read(interface::scoresheet_game_uci(Some(game), token));
        assert_eq!(san.is_some(), uci.is_some());
        read(interface::scoresheet_game_comment(Some(game), token as u32));
        let mut fen = MaybeUninit::uninit();
        let status = told(|error| {
            interface::scoresheet_game_fen_after(Some(game), token, Some(&mut fen), error)
        });
        assert_eq!(status == Status::Ok, token < count);
    }
    let mut finding = MaybeUninit::<Finding>::uninit();
    interface::scoresheet_game_warning_at(Some(game), index, Some(&mut finding));
}

fn calls(u: &mut Unstructured<'_>, reached: &mut Reached) -> Result<()> {
    let folder = tempfile::tempdir().unwrap();
    let path = write_base(u, folder.path())?;
    let mut options = own(interface::scoresheet_options_new());
    for _ in 0..u.int_in_range(0..=2)? {
        let (name, value) = *u.choose(&OPTIONS)?;
        let (name, value) = (CString::new(name).unwrap(), CString::new(value).unwrap());
        let pair = (CText::new(&name), CText::new(&value));
        told(|error| {
            interface::scoresheet_options_set(options.as_deref_mut(), pair.0, pair.1, error)
        });
    }
    let given = options.as_deref().filter(|_| u.arbitrary().unwrap_or(false));
    let mut base = open(&path, given);
    let mut reader: Option<Box<Reader>> =
        made(|out, error| interface::scoresheet_reader_new(base.as_deref(), out, error));
    let mut game = own(interface::scoresheet_game_new());
    let mut output: Option<Box<Output>> = None;
    for number in 0..u.int_in_range(0..=CALLS)? {
        let mut left = u.int_in_range(1..=3u32)?;
        let context = (&raw mut left).cast::<c_void>();
        let context = if u.ratio(1, 4)? { context } else { std::ptr::null_mut() };
        let progress: interface::Progress = Some(stop_after);
        let index: u64 = if u.ratio(1, 8)? { u.arbitrary()? } else { u.int_in_range(0..=2)? };
        match u.int_in_range(0..=11)? {
            0 => base = open(&path, given),
            1 => {
                let mut count = MaybeUninit::uninit();
                told(|error| {
                    interface::scoresheet_base_count(base.as_deref(), Some(&mut count), error)
                });
            }
            2 => {
                reader = made(|out, error| {
                    interface::scoresheet_reader_new(base.as_deref(), out, error)
                });
            }
            3 | 4 => {
                let (reader, game) = (reader.as_deref_mut(), game.as_deref_mut());
                let status =
                    told(|error| interface::scoresheet_reader_game(reader, index, game, error));
                reached.damaged += u32::from(status == Status::Damaged);
                reached.games += u32::from(matches!(status, Status::Ok | Status::Damaged));
            }
            5 => {
                let (reader, game) = (reader.as_deref_mut(), game.as_deref_mut());
                told(|error| interface::scoresheet_reader_header(reader, index, game, error));
            }
            6 => look_at(game.as_deref_mut(), index as usize),
            7 => {
                let filter = filter(u)?;
                let found: Option<Box<Selection>> = made(|out, error| {
                    let (base, filter) = (base.as_deref(), filter.as_deref());
                    interface::scoresheet_select(base, filter, progress, context, out, error)
                });
                let count = interface::scoresheet_selection_count(found.as_deref());
                reached.found += count as u32;
                let last = interface::scoresheet_selection_at(found.as_deref(), count);
                assert_eq!(last, u64::MAX);
            }
            8 => {
                let report: Option<Box<Report>> = made(|out, error| {
                    interface::scoresheet_check(base.as_deref(), 3, progress, context, out, error)
                });
                let counts = interface::scoresheet_report_counts(report.as_deref());
                let kept = interface::scoresheet_report_finding_count(report.as_deref()) as u64;
                assert_eq!(kept, counts.findings.min(3));
            }
            9 => {
                let target = folder.path().join(format!("out{}", number / 2));
                let target = c_path(&target.with_extension(u.choose(&FORMATS)?));
                output = made(|out, error| {
                    let target = CText::new(&target);
                    interface::scoresheet_output_create(target, options.as_deref(), out, error)
                });
            }
            10 => {
                let filter = filter(u)?;
                told(|error| {
                    let (output, base) = (output.as_deref_mut(), base.as_deref());
                    let filter = filter.as_deref();
                    interface::scoresheet_output_add(output, base, filter, progress, context, error)
                });
                told(|error| {
                    let (output, game) = (output.as_deref_mut(), game.as_deref());
                    interface::scoresheet_output_write(output, game, error)
                });
            }
            _ => {
                let mut summary = MaybeUninit::<Summary>::uninit();
                told(|error| {
                    let (output, summary) = (output.as_deref_mut(), Some(&mut summary));
                    interface::scoresheet_output_finish(output, summary, error)
                });
                let summary = interface::scoresheet_output_summary(output.as_deref());
                reached.written += summary.written;
                interface::scoresheet_output_loss_count(output.as_deref_mut());
            }
        }
        if u.ratio(1, 10)? {
            interface::scoresheet_base_free(base.take());
        }
    }
    interface::scoresheet_output_free(output);
    interface::scoresheet_base_free(base);
    interface::scoresheet_reader_free(reader);
    interface::scoresheet_game_free(game);
    interface::scoresheet_options_free(options);
    Ok(())
}
