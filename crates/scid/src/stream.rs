//! The stream of a record: its moves and markers, played on Scid's board. (scid §4.4 "The stream")

use chess_core::Move;
use smallvec::SmallVec;

use crate::board::{Board, CastlingRooks};
use crate::error::ErrorKind;
use crate::layout::marker;
use crate::moves::{Unusual, play};
use crate::quirk::Quirk;

/// One item of a stream.
#[derive(Clone, Copy)]
pub(crate) enum StreamItem {
    Move(Move),
    /// A move that only lenient reading accepts.
    OddMove(Move, Quirk),
    Nag(u8),
    /// A marker: the next comment after the stream belongs here.
    Comment,
    VariationStart,
    VariationEnd,
    GameEnd,
}

/// Reader of a stream.
pub(crate) struct Stream<'a> {
    bytes: std::slice::Iter<'a, u8>,
    board: Board,
    rooks: CastlingRooks,
    has_variations: bool,
    /// The board before the last move of the level; kept only if there are variations.
    before: Board,
    levels: SmallVec<[Level; 4]>,
    ply: u32,
    moved: bool,
}

/// A level to return to.
struct Level {
    board: Board,
    before: Board,
    ply: u32,
}

impl<'a> Stream<'a> {
    pub(crate) fn new(board: Board, rooks: CastlingRooks, bytes: &'a [u8]) -> Stream<'a> {
        Stream {
            // Saves work for the many games without variations. A false positive only costs time.
            has_variations: bytes.contains(&marker::VARIATION_START),
            bytes: bytes.iter(),
            board,
            rooks,
            before: board,
            levels: SmallVec::new(),
            ply: 0,
            moved: false,
        }
    }

    /// The unread bytes.
    #[inline]
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.bytes.as_slice()
    }

    /// Plies before the current point of the line.
    #[inline]
    pub(crate) fn ply(&self) -> u32 {
        self.ply
    }

    /// Whether the level has a move.
    #[inline]
    pub(crate) fn moved(&self) -> bool {
        self.moved
    }

    /// Reads plain moves up to the next other item.
    #[inline]
    pub(crate) fn plain_moves(&mut self, mut each: impl FnMut(Move)) {
        while let Some(&byte) = self.bytes.as_slice().first()
            && let Some(plain) = self.board.plain_move(byte)
        {
            self.bytes.next();
            if self.has_variations {
                self.before = self.board;
            }
            self.board.play_plain(plain);
            self.ply = self.ply.saturating_add(1);
            self.moved = true;
            each(plain.to_move());
        }
    }

    /// Reads the next item.
    #[inline]
    pub(crate) fn next(&mut self) -> Result<StreamItem, ErrorKind> {
        let Some(&byte) = self.bytes.next() else { return Err(ErrorKind::NoEnd) };
        match byte {
            marker::NAG => match self.bytes.next() {
                Some(nag) => Ok(StreamItem::Nag(*nag)),
                None => Err(ErrorKind::NoEnd),
            },
            marker::COMMENT => Ok(StreamItem::Comment),
            marker::VARIATION_START => self.start_variation(),
            marker::VARIATION_END => self.end_variation(),
            marker::GAME_END if self.levels.is_empty() => Ok(StreamItem::GameEnd),
            marker::GAME_END => Err(ErrorKind::Unclosed),
            _ => self.play(byte),
        }
    }

    #[inline]
    fn play(&mut self, byte: u8) -> Result<StreamItem, ErrorKind> {
        if self.has_variations {
            self.before = self.board;
        }
        let item = match play(&mut self.board, &self.rooks, byte, &mut self.bytes) {
            Ok(m) => StreamItem::Move(m),
            Err(Unusual::Quirk(m, quirk)) => StreamItem::OddMove(m, quirk),
            Err(Unusual::Error(reason)) => return Err(ErrorKind::Move { byte, reason }),
        };
        self.ply = self.ply.saturating_add(1);
        self.moved = true;
        Ok(item)
    }

    fn start_variation(&mut self) -> Result<StreamItem, ErrorKind> {
        if !self.moved {
            return Err(ErrorKind::NothingToReplace);
        }
        self.levels.push(Level { board: self.board, before: self.before, ply: self.ply });
        self.board = self.before;
        self.ply = self.ply.saturating_sub(1);
        self.moved = false;
        Ok(StreamItem::VariationStart)
    }

    fn end_variation(&mut self) -> Result<StreamItem, ErrorKind> {
        let level = self.levels.pop().ok_or(ErrorKind::NotOpen)?;
        self.board = level.board;
        self.before = level.before;
        self.ply = level.ply;
        self.moved = true;
        Ok(StreamItem::VariationEnd)
    }
}

/// The comments after a stream, each with a NUL at its end.
pub(crate) struct Comments<'a> {
    /// `None` if there are no comments to look for, or the stream has no end.
    rest: Option<&'a [u8]>,
}

impl<'a> Comments<'a> {
    /// The comments of a stream that begins with these bytes.
    pub(crate) fn after(stream: &'a [u8]) -> Comments<'a> {
        let rest = if stream.contains(&marker::COMMENT) { after_end(stream) } else { None };
        Comments { rest }
    }

    /// The bytes of the remaining comments.
    pub(crate) fn rest(&self) -> Option<&'a [u8]> {
        self.rest
    }
}

impl<'a> Iterator for Comments<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let (comment, rest) = split_nul(self.rest?)?;
        self.rest = Some(rest);
        Some(comment)
    }
}

/// Returns the bytes after the end marker. A queen's second byte is above all markers; a NAG may
/// have any value.
fn after_end(stream: &[u8]) -> Option<&[u8]> {
    let mut bytes = stream.iter();
    loop {
        match *bytes.next()? {
            marker::GAME_END => return Some(bytes.as_slice()),
            marker::NAG => drop(bytes.next()),
            _ => {}
        }
    }
}

/// Splits off the text before the first NUL.
pub(crate) fn split_nul(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|byte| *byte == 0)?;
    Some((bytes.get(..end)?, bytes.get(end.saturating_add(1)..)?))
}
