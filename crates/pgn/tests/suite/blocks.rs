//! The places where a stream is cut into blocks do not affect the games.

use std::io;
use std::sync::Arc;

use chess_core::{Game, Header};
use chess_store::io::ReadAt;
use chess_store::{
    BlockStart, Diagnostics, EncodeGames, InBlock, ParseText, SplitText, StreamInput,
};
use pgn::{Block, Cutter, Error, ErrorKind, MAX_GAME, OpenOptions, Reader, Warning, Writer};
use testkit::{Random, within};

const SIZES: [usize; 12] = [1, 2, 3, 5, 7, 11, 64, 100, 333, 1000, 5000, 70_000];

/// The outcome of reading a text.
#[derive(PartialEq, Debug, Default)]
struct Read {
    /// One line for each game, with its error.
    games: Vec<String>,
    /// The end of each game.
    ends: Vec<u64>,
    warnings: Vec<Warning>,
}

impl Read {
    /// Records the outcome of one read. Returns `false` at the end.
    fn take(
        &mut self,
        game: String,
        end: u64,
        result: &Result<bool, Error>,
        diagnostics: &mut Diagnostics,
    ) -> bool {
        self.warnings.extend_from_slice(diagnostics.warnings());
        diagnostics.clear();
        let error = match result {
            Ok(false) => return false,
            Ok(true) => String::new(),
            Err(error) => error.to_string(),
        };
        self.games.push(format!("{error} {game}"));
        self.ends.push(end);
        true
    }
}

fn in_blocks<R: io::Read + Send>(cutter: Cutter<R>) -> Read {
    let (mut read, mut diagnostics) = (Read::default(), Diagnostics::lenient());
    let (mut reader, mut game) = (Reader::from(cutter), Game::new());
    loop {
        let result = reader.read_game(&mut game, &mut diagnostics);
        let end = reader.position();
        if !read.take(pgn::to_string(&game), end, &result, &mut diagnostics) {
            assert_eq!(reader.found(), read.games.len() as u64);
            return read;
        }
    }
}

/// Reads without cutting.
fn in_one_piece(text: &[u8]) -> Read {
    let (mut read, mut diagnostics) = (Read::default(), Diagnostics::lenient());
    let (mut parser, mut game) = (Cutter::new(text).parser(), Game::new());
    let mut block = Block::new(text.to_vec(), text.len(), InBlock::default());
    loop {
        let mut found = InBlock::taking(&mut diagnostics);
        let result = parser.parse_game(&mut block, &mut game, &mut found);
        // The block is the whole stream.
        let start = BlockStart::default();
        diagnostics = found.in_stream(start);
        let result = result.map_err(|error| error.in_stream(start));
        let end = block.used_place.offset();
        if !read.take(pgn::to_string(&game), end, &result, &mut diagnostics) {
            return read;
        }
    }
}

fn headers<R: io::Read + Send>(cutter: Cutter<R>) -> Read {
    let (mut read, mut diagnostics) = (Read::default(), Diagnostics::lenient());
    let (mut reader, mut header) = (Reader::from(cutter), Header::default());
    loop {
        let result = reader.read_header(&mut header, &mut diagnostics);
        if !read.take(format!("{header:?}"), reader.position(), &result, &mut diagnostics) {
            return read;
        }
    }
}

/// Cuts a text as a file, so that most blocks are loaded lazily.
fn of_file(text: &[u8], size: usize) -> Cutter<Box<dyn io::Read + Send>> {
    let input = StreamInput::of_file(Arc::new(text.to_vec()));
    Cutter::of_input(input, &OpenOptions::default()).block_size(size)
}

/// Divides a text at ends of games, about `size` bytes apart, and reads each section on its own.
fn in_sections(text: &[u8], size: usize) -> Read {
    let mut cutter = of_file(text, size);
    let places = (0..text.len() as u64).step_by(size.max(text.len() / 8));
    let mut ends: Vec<u64> = places.filter_map(|at| cutter.game_end_after(at)).collect();
    assert!(ends.is_sorted(), "{ends:?}");
    ends.push(text.len() as u64);
    ends.dedup();
    let (mut read, mut start, mut from) = (Read::default(), BlockStart::default(), 0);
    for section_end in ends {
        let mut cutter = of_file(text, 333);
        assert!(cutter.seek(InBlock::at(from)) || text.is_empty());
        from = section_end;
        let (mut parser, mut block, mut game) = (cutter.parser(), Block::default(), Game::new());
        while cutter.block(&mut block).unwrap() && block.place.offset() < section_end {
            let left = usize::try_from(section_end - block.place.offset()).unwrap();
            let is_last = block.end >= left;
            block.end = block.end.min(left);
            loop {
                let mut found = InBlock::taking(&mut Diagnostics::lenient());
                let result = parser.parse_game(&mut block, &mut game, &mut found);
                let mut diagnostics = found.in_stream(start);
                let result = result.map_err(|error| error.in_stream(start));
                let end = block.used_place.offset();
                if !read.take(pgn::to_string(&game), end, &result, &mut diagnostics) {
                    break;
                }
            }
            let games = start.games + block.games;
            start = BlockStart { games, after: block.used_place.place_in_stream(start) };
            if is_last {
                break;
            }
        }
    }
    read
}

/// Asserts that the games do not depend on the block size, on lazy loading, on seeking, or on
/// whether the moves are read.
fn assert_alike(text: &[u8], sizes: &[usize]) {
    let whole = in_one_piece(text);
    let heads = headers(Cutter::new(text).block_size(MAX_GAME));
    assert_eq!(heads.ends, whole.ends, "{:?}", String::from_utf8_lossy(text));
    for &size in sizes {
        let shown = || format!("blocks of {size}: {:?}", String::from_utf8_lossy(text));
        assert_eq!(in_blocks(Cutter::new(text).block_size(size)), whole, "{}", shown());
        assert_eq!(headers(Cutter::new(text).block_size(size)), heads, "{}", shown());
        assert_eq!(in_blocks(of_file(text, size)), whole, "of a file, {}", shown());
        assert_eq!(headers(of_file(text, size)), heads, "of a file, {}", shown());
        assert_eq!(in_sections(text, size), whole, "sections, {}", shown());
    }
}

#[test]
fn cutter_block_size_does_not_affect_games() {
    for case in testkit::cases("pgn") {
        if !case.name.starts_with("bad_utf16") {
            assert_alike(&case.bytes("base.pgn"), &SIZES);
        }
    }
}

/// A game that surrounds the texts under test.
const GAME: &str =
    "[Event \"x\"]\n[White \"y\"]\n[Result \"1-0\"]\n\n1. e4 {c} e5 (1... c5) 1-0\n\n";

/// Texts between two games that may mislead a cutter.
const NASTY: &[&str] = &[
    "",
    // Tags of several lines, tags with comments between them, tags given twice.
    "[A \"b\n c\nd\"]\n\n[White \"e\"]\n[Round \"f\n1. e4 \"x\"] *\n\n",
    "[A \"b\"]\n{c}\n;d\n[White \"e\"];f\n,[White \"g\"]\n{h}\n[Black \"i\"]\n{j}\n\n[White \"l\"]\n",
    "[White \"a\"]\n[Round \"1\"]\n[White \"b\"]\n[Round \"1\"]\n\n[WhiteElo \"1\"]\n[White \"d\"]\n",
    "[White \"a\"]\n{\n\n[Event \"in a comment\"]\n}\n[Black \"b\"]\n",
    // Comments that contain empty lines and tags, closed or not.
    "1. e4 {a\n\n[Event \"in a comment\"]\n\n1. d4 *}\n\n",
    "1. e4 {a\n[Event \"in a comment\"]\n\n1. d4 *} 1-0\n\n",
    "1. e4 {a\n\nb [Event \"in a comment\"]\n\n1. d4 *} 1-0\n\n",
    "1. e4 {never closed\n\n",
    "{never closed\n\n",
    "{closed\n\n[Event \"between\"]\n\n}\n[Event \"after\"]\n\n",
    "{closed\n\n}\n;\n{}\n[Event \"after\"]\n\n*\n\n",
    "{a}{b}\n{c\n{d\n;{\n[Event \"after\"]\n\n*\n\n",
    "1. e4 {a {b\n\n} c} 1-0 } *\n\n",
    "1. e4 {a {b\n\n} c 1-0\n\n",
    "1. e4 *\n{after\n\nit}\n\n{not}\n\n",
    "1. e4 * ; after {\n;and after }\n\n; not\n\n",
    // Braces that do not delimit comments.
    "[A \"{\"]\n[B \"}{\"]\n\n1. e4 *\n\n",
    "[A \"{\n[B \"\n\n1. e4 *\n\n",
    "1. e4 ; {\n*\n\n",
    "1. e4\n% {\n*\n\n",
    "%{\n\n% [Event \"hidden\"]\n\n",
    "%\n\n[Event \"x\"]\n\n%\n\n[White \"y\"]\n\n%\n[White \"z\"]\n",
    "1. e4 } *\n\n",
    // Tags.
    "[A \"\\\"\"]\n[B \"\\\\\"]\n[C \"a\\\"]\n[D \"\"\"]\n\n*\n\n",
    "[A \"a\\\"] \n\n[Event \"x\"]\n\n*\n\n",
    "[A \"unclosed\n[B unquoted]\n[C]\n[D \"a\"] [E \"b\"] 1. e4 *\n\n",
    "[White \"a\"]\n\n[Black \"b\"]\n\n\n[Site \"c\"]\n\n[White \"d\"]\n\n",
    "[White \"a\"]\n\n1. e4 *\n\n[White \"b\"]\n\n1. d4\n\n[White \"c\"]\n\n(\n\n[White \"d\"]\n\n",
    "[White \"a\"]\n\n[Event \"b\"]\n\n[Event \"c\"]\n\n",
    "[White \"a\"]\n1. e4 [%clk 1] 1-0\n\n[White \"b\"]\n\n1. e4\n[White c] 1-0\n\n[White \"d\"]\n",
    "[Even",
    "[ Event \"x\"]\n\n*\n\n",
    "[\\x45vent \"x\"]\n\n[\\x45vent \"y\"]\n\n",
    "[Foo bar] [A \"x\"] z [B \"y\"] 1-0 [C *] 1-0 z ]\n\n",
    "1. e4 [Foo 1-0 [Foo 1-0 ] 1-0 [Foo bar]\n\n",
    "1-0 [Foo 1. e4 1-0 [Foo * [Foo bar]\n",
    "[]\n\n[]\n\n1. e4 [] * []\n\n",
    "1. e4\n[Foo 1-0 and more on this line than is looked ahead for signs and results, bar]\n\n",
    "1. e4\n[Foo*andmoreonthislinethanislookedaheadforsignsandresultsandresults bar]\n\n",
    // Results.
    "1. e4\n\n",
    "1-0\n\n",
    "*\n\n*\n\n1/2-1/2\n\n",
    "1. e4 ( 1-0\n\n) 1-0 (1... e5 *)\n\n",
    "1. e4 e5 (1... c5 1-0\n\n",
    "1. e4 (1-0) (1. d4 1/2) ( 1-0\n\n",
    "1. e4 e51-0 1-0\n\n",
    "1. e4 Nf31-0 Nf61/2-1/2 e8=Q1-0 1 - 0\n\n",
    "1. e4 0-0-1 $1-0 --1-0 d50.5-0.5 d5* d5½ ½\n\n",
    "1. e4 $1-0 e5 $21/2 2. Nf3 (2. d4 $1-0) Nc6 1-0\n\n",
    "1. e4 e.p.1-0 1. e4 +1-0 1. e4 !1-0\n\n",
    "1. xx e51-0 1-0\n\n",
    "1. e4 (1. xx e51-0 1-0) e5 1-0\n\n",
    "[FEN \"bad\"]\n\n1. e4 e51-0 1-0\n\n",
    "1\n\n1 - 0 1 - 0 0 - 1\n\n1/2 - 1/2 1/2:1/2\n\n",
    // Games without tags, words between games.
    "1. e4 *\n\n1. d4 *\n\ne4 *\n\nsome words\n\nO-O\n\n1\n\n\n\ne4 *\n\n",
    "1. e4 * 1. d4 * words 1. e4 *\n1. d4 *",
    "words\n\n1-0\n\n{words}\n\n",
    // Byte order marks and other line ends.
    "\u{feff}",
    "\u{feff}\u{feff}1. e4 *\n\n\u{feff}\n\n",
    "1. e4 \u{feff} *\r\n\r\n[Event \"x\"]\r\n\r\n*\r\n\r\n",
    "1. e4 *\r\r[Event \"x\"]\r\r*\r\r[White \"x\"]\r\r[Event \"y\"]\r\r",
    "1. e4 {\r\r[Event \"x\"]\r\r*}\r\r",
    "1. e4 *\n \n[Event \"x\"]\n\t\n*\n\r\n\r[Event \"y\"]\n\n",
    "\u{b}\u{c}\n\n",
    "1. e4 é \u{a0} *\n\n",
    // Repeated sections, with and without empty lines; truncated tags.
    "[Event \"a\"]\n[White \"b\"]\n[Event \"c\"]\n[White \"d\"]\n\n1. e4 *\n\n",
    "[White \"a\"]\n[Black \"b\"]\n[White \"c\"]\n[Black \"d\"]\n[White \"e\"]\n\n*\n\n",
    "[FEN \"a\"]\n\n[FEN \"b\"]\n[FEN \"c\"]\n\n[SetUp \"1\"]\n[FEN \"d\"]\n\n",
    "[White \"a\"]\n\n[UTCDate \"b\"]\n[WhiteTitle \"c\"]\n[White \"d\"]\n\n1. e4\n\n",
    "[White \"a\"]\n\n[UTCDate \"b\"]\n[WhiteTitle \"c\"]\n\n[Black \"d\"]\n\n1. e4\n\n",
    "[Site \"12+0.6[Event \"x\"]\n[White \"y\"]\n\n1. e4 *\n\n[Site[Event \"x\"]\n\n*\n\n",
    "[Black \"\" [Black \"c\" [Result \"1-0\"\n[White “a”]\n[Site \"b\nc\"]\n\n*\n\n",
    "{\n[Event \"x\"]\n\n*\n\n{\n[Event \"y\"]\n\n*\n\n[A\n\"b\"]\n\n*\n\n",
    // Games that begin with move number 1.
    "1. e4 e5\n\n1. Nf3 Nf6\n\n1. Nc3\n\n",
    "1. e4\n\n1... e5\n\n1. ... e5\n\n1 d4\n\n1-0\n\n",
    "1. e4 (1. d4\n\n1. c4) e5\n\n1. Nf3 (1-0\n\n1. e4\n\n",
    "1. Sf3 d5\n\n1. Sc3 d5\n\n% x\n1. e4\n\n",
    "[A \"b\"]\n\nxx\n\n1. e4 e5\n\n[ x\n\n1. d4 *\n\n",
    "[FEN \"bad\"]\n\n1. e4\n\n1. d4 *\n\n",
    "1. e4\r\n\r\n1. d4\r\n\r\n",
    "1. e4\n\n{a}\n1. d4\n\n; b\n1. c4 {c}\n1. b3\n\n{d} {e} 1. a3 (\n\n{f} 1. g3)\n\n",
    // Results in all spellings.
    "1. e4 1 – 0\n\n1. e4 Nf31 – 0\n\n1. e4 .5-.5\n\n1. e4 0,5 - 0,5\n\n1. e40,5 -0,5\n\n",
    "1. e4 0-0\n\n1. e4 +/-\n\n1. e4 = (agreed)\n\n1. e4 -+ 1. d4 +-\n\n",
    "1. e4 White wins\n\n1. e4 draw\n\n[Result \"0-0\"]\n\n0-0\n\n[Result \"Draw\"]\n\nDraw\n\n",
    "1. e4 1x0\n\n1. e4 1-O\n\n1. e4 1-½\n\n1. e4 e5 1-0F\n\n",
    // Words and remarks.
    "[A \"b\"]\n\nGame 5\nWhite to move 1. e4 (0:03) e5 (White) 2. Nf3 mate *\n\n",
    "1. e4 [0:05] e5 [1-0] [x 1-0 ] (1-0) (e.p.) ( (\n\n",
    "1. e4 (2. d4 exd4) e5 () ({c}) (xx) 1-0\n\n",
    "1. e2–e4 e7—e5 2. Ng1–f3 О-О O–O 0–0 1–0\n\n",
];

#[test]
fn cutter_nasty_texts_between_games_read_alike() {
    for first in NASTY {
        let text = format!("{GAME}{first}{GAME}{GAME}");
        assert_alike(text.as_bytes(), &SIZES);
        assert_alike(format!("{first}{text}").as_bytes(), &SIZES);
        for second in NASTY {
            let text = format!("{first}{GAME}{second}{first}{second}{GAME}");
            assert_alike(text.as_bytes(), &[1, 8, 50, 150]);
        }
    }
}

#[test]
fn cutter_nasty_texts_across_long_comments_read_alike() {
    for text in NASTY {
        // Longer than the distance in which another closing brace is searched.
        for filler in [GAME.repeat(300), "word ".repeat(14_000), "(1-0) ".repeat(12_000)] {
            let text = format!("{text}{filler}{text}{GAME}{GAME}");
            assert_alike(text.as_bytes(), &[100, 5000, 40_000, 70_000]);
        }
    }
}

const PIECES: &[&str] = &[
    "[Site \"wrapped\n",
    "goes on\"]\n",
    "\n{in tags}\n[Black \"e\"]",
    "\n; in tags\n[Annotator \"f\"]\n[White \"g\"]\n",
    "],\n",
    "\n[Whit\n",
    "\nSite \"h\"]\n",
    "003. ",
    "00. ",
    "\u{200b}",
    "\u{1a}",
    "{",
    "}",
    ";",
    "%",
    "[",
    "]",
    "\"",
    "\\",
    "(",
    ")",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    " ",
    "1-0",
    "*",
    "1/2",
    "½",
    " 1 - 0",
    "0-1",
    "$1",
    "e4",
    "1. e4 ",
    "e5 ",
    "Nf3",
    "0-0",
    "xx",
    "[Event \"a\"]",
    "\n\n[Event \"b\"]\n",
    "\n\n[White \"c\"]\n",
    "[White \"d\"]\n",
    "[A b]",
    "[Foo ",
    "\u{feff}",
    "\n%",
    "\n\n{",
    "}\n[Event \"e\"]\n\n",
    "1-0\n\n",
    "*\n\n1. d4 ",
    "-",
    "/",
    "!",
    "é",
    "\n[FEN \"x\"]\n",
    "1. ",
    "\n\n1. e4 e5",
    "+- ",
    "= ",
    "0-0",
    "–",
    "draw",
    ".5-.5",
    " 0,5 - 0,5",
    "(0:03)",
    "[0:05]",
];

#[test]
fn cutter_random_nasty_texts_read_alike() {
    let mut random = Random::new(13);
    let mut text = String::new();
    for round in 0..6000 {
        text.clear();
        for _ in 0..random.below(60) + 5 {
            text.push_str(PIECES[random.below(PIECES.len())]);
            if random.below(20) == 0 {
                text.push_str(GAME);
            }
        }
        assert_alike(text.as_bytes(), &SIZES[round % 4..][..4]);
    }
}

/// A stream that fails after its bytes.
struct Failing<'a>(&'a [u8]);

impl io::Read for Failing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() { Err(io::Error::other("no more")) } else { self.0.read(buffer) }
    }
}

#[test]
fn reader_stream_failure_keeps_earlier_games() {
    let text = format!("{}1. e4 e5", GAME.repeat(20));
    for size in [1, 100, 1000, 100_000] {
        let mut reader = Reader::from(Cutter::new(Failing(text.as_bytes())).block_size(size));
        let mut games = reader.games();
        assert!(games.by_ref().take(20).all(|game| game.is_ok()), "blocks of {size}");
        // The game at the failure is not sound.
        let error = games.next().unwrap().unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::BrokenOff), "blocks of {size}: {error}");
        let error = games.next().unwrap().unwrap_err();
        assert_eq!(error.to_string(), format!(".pgn, byte {}: no more", text.len()));
        assert!(games.next().is_none() && reader.found() == 21);
    }
}

/// A file with some unreadable bytes.
struct Torn {
    text: Vec<u8>,
    from: u64,
}

impl ReadAt for Torn {
    fn size(&self) -> io::Result<u64> {
        self.text.size()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let there = usize::try_from(self.from.saturating_sub(offset)).unwrap_or(usize::MAX);
        match there.min(buffer.len()) {
            0 if !buffer.is_empty() => Err(io::Error::other("no more")),
            there => self.text.read_at(offset, &mut buffer[..there]),
        }
    }
}

#[test]
fn reader_file_failure_keeps_earlier_games() {
    let text = GAME.repeat(100).into_bytes();
    for (size, from) in [(1, 3010), (100, 3000), (1000, 5555), (4000, 2345), (100_000, 5555)] {
        let file = Arc::new(Torn { text: text.clone(), from });
        let cutter = Cutter::of_input(StreamInput::of_file(file), &OpenOptions::default());
        let mut reader = Reader::from(cutter.block_size(size));
        let mut games = reader.games();
        let whole = from / GAME.len() as u64;
        for number in 0..whole {
            assert!(games.next().unwrap().is_ok(), "game {number}, blocks of {size}");
        }
        // The game at the failure may be damaged.
        let rest: Vec<_> = games.by_ref().take(3).collect();
        let error = rest.last().unwrap().as_ref().unwrap_err();
        assert_eq!(error.to_string(), format!(".pgn, byte {from}: no more"), "blocks of {size}");
        assert!(rest.len() <= 2 && games.next().is_none());
    }
}

#[test]
fn cutter_file_blocks_are_loaded_lazily() {
    let text = GAME.repeat(20_000);
    let mut cutter = of_file(text.as_bytes(), 1 << 17);
    let (mut block, mut later, mut all) = (Block::default(), 0, 0);
    while cutter.block(&mut block).unwrap() {
        later += usize::from(block.later.is_some());
        all += 1;
    }
    assert!(later + 2 >= all && all > 10, "{later} of {all}");
}

/// Asserts that the reading time grows linearly with the length, and that no block is longer than
/// `longest`.
fn assert_linear(name: &str, text: impl Fn(usize) -> String, longest: usize) {
    let text = text(4_000_000);
    let mut cutter = Cutter::new(text.as_bytes());
    let (mut parser, mut block) = (cutter.parser(), Block::default());
    let (mut game, mut diagnostics) = (Game::new(), InBlock::new(Diagnostics::lenient()));
    while cutter.block(&mut block).unwrap() {
        assert!(block.bytes.len() <= longest, "{name}: a block of {}", block.bytes.len());
        while !matches!(parser.parse_game(&mut block, &mut game, &mut diagnostics), Ok(false)) {
            diagnostics.relative_mut().clear();
        }
    }
}

#[test]
fn cutter_hostile_texts_take_linear_time() {
    let whole = usize::MAX / 100;
    let (short, hard) = (1 << 18, 5 << 18);
    let repeated = |text: &'static str| move |length: usize| text.repeat(length / text.len());
    within(240, move || {
        for (text, longest) in [
            // No game begins or ends anywhere.
            ("a ", whole),
            ("\n", whole),
            ("\n.", whole),
            ("/* ", whole),
            ("e4 ", whole),
            ("{", whole),
            ("{\n", whole),
            ("{a}", whole),
            ("1. e4 {[[[[ [Event \"x\"]\n", whole),
            ("(", whole),
            ("[A \"b\"]\n\n", whole),
            ("[", whole),
            ("[A \\\"", whole),
            ("%\n", whole),
            ("1\n\n", whole),
            ("1-0 ", whole),
            // Games without tags, on lines or on one line.
            ("1. e4 *\n\n", hard),
            ("1. e4 * ", hard),
            ("1. e4 {a {b} c} *\n\n", hard),
            ("1. e4 (1-0 ", whole),
            // Starts of games that may be false.
            ("[White \"b\"]\n\n[Event 1]\n", hard),
            ("[White \"b\"]\n\n", hard),
            ("[White \"b\"]\n\n1. e4 [%clk 1] *\n\n", hard),
            ("[Event 1]\n\n1. e4 *\n\n", hard),
            ("*[A x", whole),
            ("1. e4 *[A x", whole),
            ("1. e4 *[A x *\n", hard),
            // Results without a space after the move.
            ("e41-0 ", hard),
            ("0-0-1", whole),
            ("1. e4 0-0-1 ", hard),
            // Unclosed comments.
            ("{\n\n[Event \"x\"]\n\n*\n\n", short),
            ("1. e4 {\n\n[Event \"x\"]\n\n", short),
            ("{\n[Event \"x\"]\n\n*\n\n", whole),
            ("1. e4 { {\n\n[Event \"x\"]\n\n", short),
            // Tags with comments between them, or with values of several lines.
            ("[A \"b\"]\n{}\n", whole),
            ("[A \"b\"]\n{", whole),
            ("[White \"b\"]\n;c\n[White \"d\"]\n", whole),
            ("[A \"b\nc\n", whole),
            ("[White \"b\"]\n[Round \"c\"]\n", whole),
            ("[A \"b\"]\n[C\n", whole),
            ("\u{200b}", whole),
            ("1. e4 003.", whole),
            // Tags, quotes, brackets and comments without an end, on one line or many.
            ("[Black \"\" ", whole),
            ("[Black \"\" \n", whole),
            ("[White “", whole),
            ("[A \"b\" [", whole),
            ("[\"", whole),
            ("{[", whole),
        ] {
            assert_linear(text, repeated(text), longest);
        }
        let in_braces =
            |length: usize| format!("1. e4 {{{}}} *", "\n[Event \"x\"]".repeat(length / 12));
        assert_linear("a comment of tags", in_braces, whole);
        let behind = |length: usize| "{}".repeat(length / 2) + "[Event \"x\"]";
        assert_linear("comments before tags", behind, whole);
        let quotes = |length: usize| {
            format!("[A \"{}{}x", "\\\"]".repeat(length / 6), " ".repeat(length / 2))
        };
        assert_linear("brackets in a tag", quotes, whole);
        let white =
            |length: usize| format!("[A \"{}{}", "\\\"".repeat(length / 4), " ".repeat(length / 2));
        assert_linear("white space behind a tag", white, whole);
    });
}

/// Returns the games of a text, with the text of each game that may be copied.
fn texts(text: &[u8]) -> Vec<(Game, Option<String>)> {
    let (mut parser, mut encoder) = (Cutter::new(text).parser(), Writer::in_memory().encoder());
    let (mut game, mut diagnostics) = (Game::new(), InBlock::new(Diagnostics::lenient()));
    let mut block = Block::new(text.to_vec(), text.len(), InBlock::default());
    let mut games = Vec::new();
    loop {
        let before = block.clone();
        let read = parser.parse_game(&mut block, &mut game, &mut diagnostics);
        if matches!(read, Ok(false)) {
            return games;
        }
        let copied = parser.text(&block).map(|text| {
            assert!(read.is_ok() && diagnostics.relative().warnings().is_empty());
            let mut passed = before.clone();
            parser.pass_game(&mut passed, block.used - before.used);
            assert_eq!(
                (passed.used, passed.used_place, passed.games),
                (block.used, block.used_place, block.games)
            );
            let mut copied = Vec::new();
            assert!(encoder.encode_text(&block.bytes[text], &mut copied));
            String::from_utf8(copied).unwrap()
        });
        diagnostics.relative_mut().clear();
        games.push((game.clone(), copied));
    }
}

/// The surrounding text does not matter.
#[test]
fn parser_text_copied_reads_as_the_same_game() {
    let fixtures: Vec<Vec<u8>> =
        testkit::cases("pgn").iter().map(|case| case.bytes("base.pgn")).collect();
    let nasty = NASTY.iter().map(|text| text.as_bytes().to_vec());
    let dos = |text: &Vec<u8>| String::from_utf8_lossy(text).replace('\n', "\r\n").into_bytes();
    let unix: Vec<Vec<u8>> = fixtures.into_iter().chain(nasty).collect();
    let mut copied = 0;
    for text in unix.iter().cloned().chain(unix.iter().map(dos)) {
        for (game, text) in texts(&text).into_iter().filter_map(|(game, text)| Some((game, text?)))
        {
            copied += 1;
            assert!(text.ends_with("\n\n") && !text.ends_with("\n\n\n"), "{text:?}");
            assert!(!text.contains('\r'), "{text:?}");
            for around in [GAME, "1. d4 *\n\n", "{c} 1. d4 *\n\n", "[White \"z\"]\n\n*\n\n"] {
                let all = format!("{around}{text}{around}");
                let read = texts(all.as_bytes());
                assert!(read.len() == 3 && read[1].0 == game, "{all}");
                assert_eq!(read[1].1.as_ref(), Some(&text), "{all}");
            }
        }
    }
    assert!(copied > 100, "{copied}");
}

#[test]
fn parser_text_of_odd_game_is_none() {
    let copied = |text: &[u8]| texts(text).into_iter().map(|(_, text)| text).collect::<Vec<_>>();
    let one = |text: &str| vec![Some(text.to_owned())];
    for (text, expected) in [
        ("1.e4   e5\t2.Nf3 *", one("1.e4   e5\t2.Nf3 *\n\n")),
        (
            "\u{feff}\n[White \"\u{e4}\"]\r\n\r\n1.e4\r\n*\r\n",
            one("[White \"\u{e4}\"]\n\n1.e4\n*\n\n"),
        ),
        ("%hidden\n[Event \"x\"]\n{c}\n1.e4 *", one("[Event \"x\"]\n{c}\n1.e4 *\n\n")),
        ("[WhiteElo \"\"]\n\n\n\n*  \n\n\n", one("[WhiteElo \"\"]\n\n\n\n*\n\n")),
        ("1.e4 *\n%hidden\n1.d4 1-0", vec![Some("1.e4 *\n\n".into()), Some("1.d4 1-0\n\n".into())]),
        // Hidden lines, other line ends, no result, a deviation, damage.
        ("1.e4\n%hidden\n*", vec![None]),
        ("1.e4\re5 *", vec![None]),
        ("1.e4\r\r\ne5 *", vec![None]),
        ("1.e4", vec![None]),
        ("words\n1.e4 *", vec![None]),
        ("1.e4 {a {b} c} *", vec![None]),
        ("[Result \"1-0\"]\n\n1.e4 *", vec![None]),
        ("1.e5 *", vec![None]),
    ] {
        assert_eq!(copied(text.as_bytes()), expected, "{text:?}");
    }
    assert_eq!(copied(b"[White \"\xe4\"]\n\n1.e4 *"), [None]);
    let mut latin = pgn::OpenOptions::default();
    latin.encoding = Some(pgn::Encoding::WINDOWS_1252);
    let (mut parser, mut game) = (Cutter::with_options(io::empty(), &latin).parser(), Game::new());
    let mut block = Block::new(b"1.e4 *".to_vec(), 6, InBlock::default());
    parser.parse_game(&mut block, &mut game, &mut InBlock::default()).unwrap();
    assert_eq!(parser.text(&block), None);
    let mut options = pgn::CreateOptions::default();
    options.encoding = latin.encoding;
    let mut encoder = Writer::with_options(Vec::new(), &options).encoder();
    assert!(!encoder.encode_text(b"1.e4 *", &mut Vec::new()));
}
