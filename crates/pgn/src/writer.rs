//! Writes games to any stream of bytes.

use std::fs::File;
use std::io::{self, IoSlice, Write};
use std::path::Path;

use chess_core::{Game, Token, standard_drawings};
use chess_store::{
    About, EncodeGames, Encoding, Location, Loss, LossKind, Losses, ScratchEncoder, Trim as _,
    WriteGames,
};

use crate::about::push_facts;
use crate::error::Error;
use crate::export::{Exporter, Lost};
use crate::options::CreateOptions;
use crate::standard::{Charset, convert_line, encode_latin1, write_tags};

/// The number of bytes that are buffered before a write.
const BUFFER: usize = 1 << 16;
/// The capacity that a reused text buffer keeps.
const KEPT_CAPACITY: usize = 8 << 10;

/// Writes games in PGN export format, one after the other.
#[derive(Debug)]
pub struct Writer<W: Write + Send> {
    inner: W,
    gathered: Gathered,
    encoding: Option<Encoding>,
    /// The characters of the exact export format, if it is asked for.
    standard: Option<Charset>,
    standard_drawings: bool,
    written: u64,
    games: u64,
    about: About,
    own: ScratchEncoder<Writer<W>>,
}

impl Writer<File> {
    /// Creates a file that is written in UTF-8, and replaces an existing file.
    ///
    /// # Errors
    /// I/O errors.
    pub fn create(path: impl AsRef<Path>) -> Result<Writer<File>, Error> {
        Writer::create_with(path, &CreateOptions::default())
    }

    /// Like [`create`](Writer::create), with options.
    ///
    /// # Errors
    /// I/O errors.
    pub fn create_with(
        path: impl AsRef<Path>,
        options: &CreateOptions,
    ) -> Result<Writer<File>, Error> {
        #[expect(clippy::disallowed_methods, reason = "documented to replace the file at once")]
        let file = File::create(path).map_err(Error::io(Location::file("pgn")))?;
        Ok(Writer::with_options(file, options))
    }
}

impl Writer<Vec<u8>> {
    /// Writes UTF-8 to memory; [`into_bytes`](Writer::into_bytes) returns the bytes.
    #[must_use]
    #[inline]
    pub fn in_memory() -> Writer<Vec<u8>> {
        Writer::new(Vec::new())
    }

    /// Like [`in_memory`](Writer::in_memory), with options.
    #[must_use]
    #[inline]
    pub fn in_memory_with(options: &CreateOptions) -> Writer<Vec<u8>> {
        Writer::with_options(Vec::new(), options)
    }

    /// Completes the text and returns its bytes.
    ///
    /// # Errors
    /// No error is known to occur.
    #[inline]
    pub fn into_bytes(self) -> Result<Vec<u8>, Error> {
        self.into_inner()
    }
}

impl<W: Write + Send> Writer<W> {
    /// Writes UTF-8 to `inner`. Games are buffered, so `inner` needs no buffer of its own.
    pub fn new(inner: W) -> Writer<W> {
        Writer::with_options(inner, &CreateOptions::default())
    }

    /// Like [`new`](Writer::new), with options.
    pub fn with_options(inner: W, options: &CreateOptions) -> Writer<W> {
        let encoding = options.encoding.filter(|encoding| *encoding != Encoding::UTF_8);
        let charset = if options.encoding.is_some() { Charset::All } else { Charset::Latin1 };
        Writer {
            inner,
            gathered: Gathered::default(),
            encoding,
            standard: options.export_format.then_some(charset),
            standard_drawings: options.standard_drawings,
            written: 0,
            games: 0,
            about: About::default(),
            own: ScratchEncoder::default(),
        }
    }

    /// Writes the remaining text, and returns the stream.
    ///
    /// # Errors
    /// I/O errors.
    pub fn into_inner(mut self) -> Result<W, Error> {
        let mut facts = String::new();
        if self.standard.is_none() {
            push_facts(&self.about, &mut facts);
        }
        let mut facts = match self.encoding {
            Some(encoding) => encoding.encode(&facts).0.into_owned(),
            None => facts.into_bytes(),
        };
        self.gathered.take(&mut facts);
        self.flush_text()?;
        self.inner.flush().map_err(Error::io(self.place()))?;
        Ok(self.inner)
    }

    fn flush_text(&mut self) -> Result<(), Error> {
        let size = self.gathered.size as u64;
        self.gathered.write(&mut self.inner).map_err(Error::io(self.place()))?;
        self.written = self.written.saturating_add(size);
        Ok(())
    }

    /// Returns the location in the stream, in the last game.
    fn place(&self) -> Location {
        Location::file("pgn").at(self.written).in_game(self.games.saturating_sub(1))
    }
}

chess_store::inherent!(WriteGames<Error, Encoder, Vec<u8>> for [W: Write + Send] Writer<W>);

/// PGN holds every part of a game except variations without a move. An encoding other than UTF-8
/// can lose characters.
impl<W: Write + Send> WriteGames for Writer<W> {
    type Error = Error;
    type Encoder = Encoder;
    type Encoded = Vec<u8>;

    fn encoder(&self) -> Encoder {
        let (encoding, standard) = (self.encoding, self.standard);
        let standard_drawings = self.standard_drawings;
        let exporter = Exporter::new();
        Encoder { exporter, encoding, standard, standard_drawings, text: Vec::new() }
    }

    fn append(&mut self, encoded: &mut Vec<u8>, _: &mut Losses) -> Result<(), Error> {
        self.gathered.take(encoded);
        self.games = self.games.saturating_add(1);
        if self.gathered.size >= BUFFER { self.flush_text() } else { Ok(()) }
    }

    fn set_about(&mut self, about: &About, losses: &mut Losses) {
        self.about = about.clone();
        let encoding = self.encoding.unwrap_or(Encoding::UTF_8);
        // The standard has no facts.
        let can_hold = self.standard.is_none();
        let whole = |fact| can_hold && about.get(fact).is_none_or(|value| encoding.encode(value).1);
        about.lose(losses, whole);
    }

    fn finish(self) -> Result<(), Error> {
        self.into_inner().map(drop)
    }

    fn own(&mut self) -> &mut ScratchEncoder<Writer<W>> {
        &mut self.own
    }
}

/// A queue of texts that are yet to be written. Texts are moved, not copied.
#[derive(Debug, Default)]
struct Gathered {
    texts: Vec<Vec<u8>>,
    /// The total size in bytes.
    size: usize,
    spare: Vec<Vec<u8>>,
}

impl Gathered {
    /// Takes a text, and leaves other memory in its place.
    fn take(&mut self, text: &mut Vec<u8>) {
        self.size = self.size.saturating_add(text.len());
        let spare = self.spare.pop().unwrap_or_default();
        self.texts.push(std::mem::replace(text, spare));
    }

    fn write(&mut self, out: &mut impl Write) -> io::Result<()> {
        let mut slices: Vec<IoSlice<'_>> =
            self.texts.iter().map(|text| IoSlice::new(text)).collect();
        let mut left = slices.as_mut_slice();
        // Removes empty slices at the start, because a write of zero bytes looks like a failure.
        IoSlice::advance_slices(&mut left, 0);
        while !left.is_empty() {
            match out.write_vectored(left) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => IoSlice::advance_slices(&mut left, count),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        for mut text in self.texts.drain(..) {
            text.clear();
            text.trim(KEPT_CAPACITY);
            self.spare.push(text);
        }
        self.size = 0;
        Ok(())
    }
}

/// Formats games for a [`Writer`].
#[derive(Debug)]
pub struct Encoder {
    exporter: Exporter,
    /// The encoding, unless it is UTF-8.
    encoding: Option<Encoding>,
    standard: Option<Charset>,
    standard_drawings: bool,
    text: Vec<u8>,
}

/// Returns the game with the drawings of Scid as `[%csl]` and `[%cal]`. Reports each comment whose
/// drawings look different then.
fn with_standard_drawings(game: &Game, losses: &mut Losses) -> Game {
    let mut drawn = game.clone();
    drawn.clear_line();
    if let Some(setup) = game.setup()
        && drawn.set_start_fen(setup.fen()).is_err()
    {
        drawn.set_start(*setup.position());
    }
    for token in game.tokens() {
        let standard = match token {
            Token::Comment(text) => standard_drawings(text),
            _ => None,
        };
        // The game is not longer than before.
        let _ = match &standard {
            Some((text, exact)) => {
                if !exact {
                    losses.push(Loss::new(LossKind::Comment, format!("drawings become {text}")));
                }
                drawn.push_comment(text)
            }
            None => drawn.push(token),
        };
    }
    drawn
}

impl Encoder {
    /// Formats a game in the exact export format, in UTF-8.
    fn encode_standard(&mut self, game: &Game, charset: Charset, losses: &mut Losses) {
        write_tags(game, charset, &mut self.text, losses);
        self.text.push(b'\n');
        let line = convert_line(game, charset, losses);
        self.exporter.write_movetext(&line, &mut self.text);
        self.text.push(b'\n');
    }
}

chess_store::inherent!(EncodeGames<Error, Vec<u8>> for [] Encoder);

impl EncodeGames for Encoder {
    type Error = Error;
    type Encoded = Vec<u8>;

    fn encode(
        &mut self,
        game: &Game,
        into: &mut Vec<u8>,
        losses: &mut Losses,
    ) -> Result<(), Error> {
        let drawn = self.standard_drawings.then(|| with_standard_drawings(game, losses));
        let game = drawn.as_ref().unwrap_or(game);
        into.clear();
        self.text.clear();
        let own = if self.encoding.is_some() { &mut self.text } else { &mut *into };
        match self.standard {
            Some(charset) => self.encode_standard(game, charset, losses),
            None => self.exporter.write_game(game, own),
        }
        losses.extend(self.exporter.lost.iter().map(|(lost, ply)| match lost {
            Lost::Variation => Loss::at_ply(LossKind::Variation, "one without a move", *ply),
            Lost::PlaceOfComment => {
                Loss::at_ply(LossKind::CommentMoved, "of a variation without a move", *ply)
            }
            Lost::Nag(nag) => Loss::at_ply(LossKind::Nag, nag.to_string(), *ply),
        }));
        let Some(encoding) = self.encoding else {
            match self.standard {
                Some(Charset::Latin1) => encode_latin1(&self.text, into),
                Some(Charset::All) => into.extend_from_slice(&self.text),
                None => {}
            }
            return Ok(());
        };
        let text = String::from_utf8_lossy(&self.text);
        let (bytes, complete) = encoding.encode(&text);
        into.extend_from_slice(&bytes);
        if !complete {
            losses.push(Loss::new(LossKind::Characters, encoding.name()));
        }
        Ok(())
    }

    fn encode_text(&mut self, text: &[u8], into: &mut Vec<u8>) -> bool {
        into.clear();
        if self.encoding.is_some() || self.standard.is_some() || self.standard_drawings {
            return false;
        }
        // The writer emits only line feeds, never a lone carriage return.
        let mut copied = 0;
        for at in memchr::memchr_iter(b'\r', text) {
            into.extend_from_slice(text.get(copied..at).unwrap_or_default());
            copied = at.saturating_add(1);
        }
        into.extend_from_slice(text.get(copied..).unwrap_or_default());
        into.extend_from_slice(b"\n\n");
        true
    }
}
