//! What is tolerated.

use chess_core::{Diagnostics, Location};

use crate::error::{Error, strict};

/// A deviation that reading tolerates.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Quirk {
    /// The index has entries its header does not count; Scid refuses such a base.
    UncountedGames,
    /// The header counts games the index has no entries for.
    MissingGames,
    /// The index ends within an entry.
    PartialEntry,
    /// The names file does not begin as one.
    NamesMagic,
    /// A name record makes no sense; it and the names after it are lost.
    NamesDamaged,
    /// A name list is not in the order Scid before 4.6 and Scid vs PC insist on.
    NamesOrder,
    /// Two names have the same id.
    DuplicateNameId,
    /// An id is beyond the number of names.
    NameIdRange,
    /// Bytes after the last name.
    NamesTrailing,
    /// An index entry refers to a name that is not there; it reads `?`.
    NoName,
    /// A result code above 3.
    Result,
    /// A month above 12.
    Date,
    /// An ECO code after E99.
    Eco,
    /// A rating of a kind that has no name.
    RatingType,
    /// A rating above 4000.
    RatingRange,
    /// A record crosses a block boundary; Scid before 4.7 and Scid vs PC call it corrupt.
    CrossesBlock,
    /// A tag with one of the codes 251 to 254, which have no name.
    TagCode,
    /// A tag in the binary form of Scid 2.
    BinaryEventDate,
    /// A tag in the record that belongs in the index; the index is believed.
    TagOfIndex,
    /// A NAG before the first move of a line, which Scid drops.
    NagBeforeMove,
    /// More than seven NAGs after a move, for which newer Scids call a game corrupt.
    ManyNags,
    /// More comments than markers for them; they are put at the end of the game.
    SurplusComments,
    /// Bytes after the last comment.
    TrailingBytes,
    /// A piece takes one of its own.
    TakesOwn,
    /// A move runs over the edge of the board to the other side.
    OverEdge,
}

impl chess_core::Quirk for Quirk {
    fn name(self) -> &'static str {
        match self {
            Quirk::UncountedGames => "scid-uncounted-games",
            Quirk::MissingGames => "scid-missing-games",
            Quirk::PartialEntry => "scid-partial-entry",
            Quirk::NamesMagic => "scid-names-magic",
            Quirk::NamesDamaged => "scid-names-damaged",
            Quirk::NamesOrder => "scid-names-order",
            Quirk::DuplicateNameId => "scid-duplicate-name-id",
            Quirk::NameIdRange => "scid-name-id-range",
            Quirk::NamesTrailing => "scid-names-trailing",
            Quirk::NoName => "scid-no-name",
            Quirk::Result => "scid-result",
            Quirk::Date => "scid-date",
            Quirk::Eco => "scid-eco",
            Quirk::RatingType => "scid-rating-type",
            Quirk::RatingRange => "scid-rating-range",
            Quirk::CrossesBlock => "scid-crosses-block",
            Quirk::TagCode => "scid-tag-code",
            Quirk::BinaryEventDate => "scid-binary-event-date",
            Quirk::TagOfIndex => "scid-tag-of-index",
            Quirk::NagBeforeMove => "scid-nag-before-move",
            Quirk::ManyNags => "scid-many-nags",
            Quirk::SurplusComments => "scid-surplus-comments",
            Quirk::TrailingBytes => "scid-trailing-bytes",
            Quirk::TakesOwn => "scid-takes-own",
            Quirk::OverEdge => "scid-over-edge",
        }
    }

    fn message(self) -> &'static str {
        match self {
            Quirk::UncountedGames => "the index has more games than its header counts",
            Quirk::MissingGames => "the index has fewer games than its header counts",
            Quirk::PartialEntry => "the index ends within an entry",
            Quirk::NamesMagic => "the names file does not begin with \"Scid.sn\"",
            Quirk::NamesDamaged => "a name record makes no sense; it and all after it are lost",
            Quirk::NamesOrder => "a name list is out of order, which some programs refuse",
            Quirk::DuplicateNameId => "two names have the same id; the later is used",
            Quirk::NameIdRange => "the id of a name is beyond the number of names",
            Quirk::NamesTrailing => "bytes follow the last name",
            Quirk::NoName => "the game refers to a name that is not there",
            Quirk::Result => "the code of the result has no meaning",
            Quirk::Date => "the month of a date is above 12",
            Quirk::Eco => "the opening code is after E99",
            Quirk::RatingType => "the kind of a rating has no name",
            Quirk::RatingRange => "a rating is above 4000",
            Quirk::CrossesBlock => {
                "the record crosses a block boundary, which some programs refuse"
            }
            Quirk::TagCode => "a tag has an unassigned code for its name",
            Quirk::BinaryEventDate => "the event date is stored in the form of Scid 2",
            Quirk::TagOfIndex => {
                "a tag of the record belongs in the index, which says otherwise; it is left out"
            }
            Quirk::NagBeforeMove => "a NAG stands before the first move of its line",
            Quirk::ManyNags => "a move has more than 7 NAGs, which some programs refuse",
            Quirk::SurplusComments => {
                "there are more comments than markers; they are put at the end of the game"
            }
            Quirk::TrailingBytes => "bytes follow the end of the game",
            Quirk::TakesOwn => "a piece takes one of its own",
            Quirk::OverEdge => "a move runs over the edge of the board to the other side",
        }
    }
}

/// Notes a quirk; an error when strict.
#[cold]
pub(crate) fn note(diagnostics: &mut Diagnostics, quirk: Quirk, at: Location) -> Result<(), Error> {
    diagnostics.note(quirk, at).map_err(strict)
}
