//! What is tolerated.

use chess_core::{Diagnostics, Location};

use crate::error::{Error, ErrorKind};

/// A deviation from the format as the author's program writes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Quirk {
    /// The index ends inside its header, as an aborted import leaves it.
    ShortHeader,
    /// The index ends inside an entry; the entry is passed over.
    ShortIndex,
    /// A name file is missing; its names are unknown.
    MissingFile,
    /// A file does not start with its magic.
    WrongMagic,
    /// The version byte is not 0.
    UnknownVersion,
    /// A compaction was interrupted; its new files are read where they stand.
    UnfinishedCompaction,
    /// A status other than 0x00 and 0xFF; the game counts as live.
    UnknownStatus,
    /// A result code above 3.
    UnknownResult,
    /// Year, month or day beyond what a date can be.
    OddDate,
    /// ECO bytes that are no printable text.
    OddEco,
    /// A reference beyond the end of its name file; the name is unknown.
    DanglingName,
    /// A reference that does not point to the start of a name.
    MisalignedName,
    /// The name file ends inside a name.
    ShortName,
    /// A name of full length ends inside a character; the piece is dropped.
    SplitCharacter,
    /// A name padded with zero bytes.
    ZeroPadding,
    /// A text that is not UTF-8.
    NotUtf8,
    /// A length written as 0x7F, where the author's program writes 0x81 0x7F.
    Length7f,
    /// A length in more bytes than it needs.
    OverlongLength,
    /// A record length with its bytes reversed, as builds before 10 January 2017 wrote it.
    ReversedLength,
    /// A move the rules do not allow; told once a game.
    IllegalMove,
    /// Castling written as the king taking its own rook.
    RookCastling,
    /// A promotion code that only the other numbering has.
    ForeignPromotion,
    /// A comment before the first move of a variation.
    CommentBeforeVariation,
    /// A list of no NAGs.
    EmptyNags,
    /// NAGs before the first move of a line.
    NagsBeforeMove,
    /// The record ends inside a variation.
    UnclosedVariation,
}

impl chess_core::Quirk for Quirk {
    fn name(self) -> &'static str {
        self.text().0
    }

    fn message(self) -> &'static str {
        self.text().1
    }
}

impl Quirk {
    const fn text(self) -> (&'static str, &'static str) {
        match self {
            Quirk::ShortHeader => ("dcg-short-header", "the index ends inside its header"),
            Quirk::ShortIndex => ("dcg-short-index", "the index ends inside an entry"),
            Quirk::MissingFile => ("dcg-missing-file", "a name file is missing"),
            Quirk::WrongMagic => ("dcg-wrong-magic", "the file does not start with its magic"),
            Quirk::UnknownVersion => ("dcg-unknown-version", "the version byte is not 0"),
            Quirk::UnfinishedCompaction => (
                "dcg-unfinished-compaction",
                "a compaction was interrupted and is not yet in place",
            ),
            Quirk::UnknownStatus => ("dcg-unknown-status", "the status is neither 00 nor FF"),
            Quirk::UnknownResult => ("dcg-unknown-result", "the result code is above 3"),
            Quirk::OddDate => ("dcg-odd-date", "year, month or day is out of range"),
            Quirk::OddEco => ("dcg-odd-eco", "the ECO bytes are no text"),
            Quirk::DanglingName => {
                ("dcg-dangling-name", "a name reference points beyond the name file")
            }
            Quirk::MisalignedName => {
                ("dcg-misaligned-name", "a name reference points into the middle of a name")
            }
            Quirk::ShortName => ("dcg-short-name", "the name file ends inside a name"),
            Quirk::SplitCharacter => {
                ("dcg-split-character", "the name was cut inside a UTF-8 character")
            }
            Quirk::ZeroPadding => ("dcg-zero-padding", "the name is padded with zero bytes"),
            Quirk::NotUtf8 => ("dcg-not-utf8", "the text is not UTF-8"),
            Quirk::Length7f => ("dcg-length-7f", "a length of 127 is written in one byte"),
            Quirk::OverlongLength => {
                ("dcg-overlong-length", "a length is written in more bytes than it needs")
            }
            Quirk::ReversedLength => {
                ("dcg-reversed-length", "a record length has its bytes reversed")
            }
            Quirk::IllegalMove => ("dcg-illegal-move", "the rules do not allow this move"),
            Quirk::RookCastling => {
                ("dcg-rook-castling", "castling is written as the king taking its own rook")
            }
            Quirk::ForeignPromotion => (
                "dcg-foreign-promotion",
                "the promotion code belongs to the numbering this base does not use",
            ),
            Quirk::CommentBeforeVariation => (
                "dcg-comment-before-variation",
                "a comment stands before the first move of a variation",
            ),
            Quirk::EmptyNags => ("dcg-empty-nags", "a list of NAGs is empty"),
            Quirk::NagsBeforeMove => {
                ("dcg-nags-before-move", "NAGs stand before the first move of a line")
            }
            Quirk::UnclosedVariation => {
                ("dcg-unclosed-variation", "the record ends inside a variation")
            }
        }
    }
}

/// The funnel: lenient goes on, strict makes it this game's error.
#[cold]
pub(crate) fn note(diagnostics: &mut Diagnostics, quirk: Quirk, at: Location) -> Result<(), Error> {
    diagnostics.note(quirk, at).map_err(|warning| Error::new(ErrorKind::Strict(warning), at))
}
