//! What is tolerated.

/// A deviation the reader tolerates, or reports as an error when strict.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Quirk {
    /// A code that is reserved; read as jose reads it.
    ReservedCode,
    /// The second byte of a promotion, or of a promoted piece's move, is not as jose writes it.
    SecondByte,
    /// A NAG from 1 to 31 takes two bytes.
    LongNag,
    /// A move leaves its king in check, castles against the rules, or the like.
    IllegalMove,
    /// The start position has a piece that no code can name.
    ExtraPiece,
    /// The codes go on after a result, or state several.
    ResultInside,
    /// The result of the codes is not that of the header.
    ResultDisagrees,
    /// The codes stop without an end.
    NoEnd,
    /// There are bytes after the end.
    BytesAfterEnd,
    /// A variation is still open at the end.
    OpenVariation,
    /// A text code has no text left in the comment stream.
    MissingText,
    /// The comment stream has more texts than codes ask for.
    SurplusText,
    /// The last text of the comment stream has no terminator.
    UnendedText,
    /// A text is neither UTF-8 nor CESU-8.
    TextEncoding,
    /// A row of a table is damaged; it counts as a game that cannot be read.
    DamagedRow,
    /// A table of the archive is missing.
    MissingTable,
    /// A row refers to an entry that its table does not have.
    MissingEntry,
    /// The archive breaks off inside a file; what was there is read.
    ArchiveCut,
    /// The number of half-moves in the row is not that of the codes.
    PlyCount,
    /// A date in a row is none.
    BadDate,
    /// A value of a row is out of range and was passed over.
    BadValue,
    /// A column this reader does not know holds something.
    UnknownColumn,
}

impl chess_core::Quirk for Quirk {
    fn name(self) -> &'static str {
        match self {
            Quirk::ReservedCode => "movecode-reserved-code",
            Quirk::SecondByte => "movecode-second-byte",
            Quirk::LongNag => "movecode-long-nag",
            Quirk::IllegalMove => "movecode-illegal-move",
            Quirk::ExtraPiece => "movecode-extra-piece",
            Quirk::ResultInside => "movecode-result-inside",
            Quirk::ResultDisagrees => "movecode-result-disagrees",
            Quirk::NoEnd => "movecode-no-end",
            Quirk::BytesAfterEnd => "movecode-bytes-after-end",
            Quirk::OpenVariation => "movecode-open-variation",
            Quirk::MissingText => "movecode-missing-text",
            Quirk::SurplusText => "movecode-surplus-text",
            Quirk::UnendedText => "movecode-unended-text",
            Quirk::TextEncoding => "movecode-text-encoding",
            Quirk::DamagedRow => "movecode-damaged-row",
            Quirk::MissingTable => "movecode-missing-table",
            Quirk::MissingEntry => "movecode-missing-entry",
            Quirk::ArchiveCut => "movecode-archive-cut",
            Quirk::PlyCount => "movecode-ply-count",
            Quirk::BadDate => "movecode-bad-date",
            Quirk::BadValue => "movecode-bad-value",
            Quirk::UnknownColumn => "movecode-unknown-column",
        }
    }

    fn message(self) -> &'static str {
        match self {
            Quirk::ReservedCode => "a reserved code, read as jose reads it",
            Quirk::SecondByte => "the second byte of a promotion code has unexpected bits",
            Quirk::LongNag => "a NAG from 1 to 31 takes two bytes",
            Quirk::IllegalMove => "the move is against the rules",
            Quirk::ExtraPiece => "the start position has a piece that no code can name",
            Quirk::ResultInside => "the codes go on after a result",
            Quirk::ResultDisagrees => "the result of the codes is not that of the header",
            Quirk::NoEnd => "the codes stop without an end",
            Quirk::BytesAfterEnd => "there are bytes after the end",
            Quirk::OpenVariation => "a variation is still open at the end",
            Quirk::MissingText => "there is no text left for this code",
            Quirk::SurplusText => "there are more texts than codes",
            Quirk::UnendedText => "the last text has no terminator",
            Quirk::TextEncoding => "a text is not UTF-8",
            Quirk::DamagedRow => "a row of the table is damaged",
            Quirk::MissingTable => "a table of the archive is missing",
            Quirk::MissingEntry => "the row refers to an entry that does not exist",
            Quirk::ArchiveCut => "the archive breaks off inside a file",
            Quirk::PlyCount => "the number of half-moves is not that of the row",
            Quirk::BadDate => "the date is none",
            Quirk::BadValue => "a value is out of range",
            Quirk::UnknownColumn => "a column this reader does not know holds something",
        }
    }
}
