//! The parts of a record: tags, flags, start position, stream, comments. (scid §4 "Games")

use chess_core::Game;
use chess_store::{Location, TextDecoder};

use crate::board::{Board, CORNERS, castling_rooks};
use crate::error::{Error, ErrorKind};
use crate::layout::record_flag;
use crate::stream::{Stream, split_nul};
use crate::tags::{RecordTag, parse_tag};

/// The bytes of a record and its location. The parts are parsed in order: each function takes the
/// bytes that the previous one returned.
#[derive(Clone, Copy)]
pub(crate) struct Record<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) at: Location,
}

impl<'a> Record<'a> {
    /// The location of the first byte of `rest`, a suffix of the record.
    #[cold]
    pub(crate) fn place(&self, rest: &[u8]) -> Location {
        let index = self.bytes.len().saturating_sub(rest.len()) as u64;
        self.at.at(self.at.offset.unwrap_or(0).saturating_add(index))
    }

    #[cold]
    pub(crate) fn error(&self, kind: ErrorKind, rest: &[u8]) -> Error {
        Error::new(kind, self.place(rest))
    }

    /// Parses the next tag; `None` at the end of the tags.
    pub(crate) fn tag(&self, rest: &'a [u8]) -> Result<(&'a [u8], Option<RecordTag<'a>>), Error> {
        parse_tag(rest).ok_or_else(|| self.error(ErrorKind::RecordEnds("tags"), rest))
    }

    /// The flags byte.
    pub(crate) fn flags(&self, rest: &'a [u8]) -> Result<(&'a [u8], u8), Error> {
        match rest.split_first() {
            Some((flags, rest)) => Ok((rest, *flags)),
            None => Err(self.error(ErrorKind::RecordEnds("flags"), rest)),
        }
    }

    /// The FEN of the start position, if the flags announce one.
    pub(crate) fn fen(
        &self,
        flags: u8,
        rest: &'a [u8],
    ) -> Result<(&'a [u8], Option<&'a [u8]>), Error> {
        if flags & record_flag::OWN_START == 0 {
            return Ok((rest, None));
        }
        match split_nul(rest) {
            Some((fen, rest)) => Ok((rest, Some(fen))),
            None => Err(self.error(ErrorKind::RecordEnds("start position"), rest)),
        }
    }

    /// Sets the start position of a game and starts its stream. `fen_place` is the record from the
    /// FEN on.
    pub(crate) fn start(
        &self,
        fen: Option<&[u8]>,
        fen_place: &[u8],
        stream: &'a [u8],
        text: &TextDecoder,
        game: &mut Game,
    ) -> Result<Stream<'a>, Error> {
        let Some(fen) = fen else { return Ok(Stream::new(Board::start(), CORNERS, stream)) };
        let fail = |kind| self.error(kind, fen_place);
        game.set_start_fen(&text.decode(fen)).map_err(|error| fail(ErrorKind::Fen(error)))?;
        let position = game.start_position();
        let board = Board::numbered(&position).map_err(fail)?;
        Ok(Stream::new(board, castling_rooks(&position), stream))
    }
}
