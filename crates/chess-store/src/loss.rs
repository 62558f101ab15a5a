//! Data that a target format cannot store.

use std::fmt;

/// Part of a game, or of the base as a whole, that the target format cannot store.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Loss {
    /// The kind of data.
    pub kind: LossKind,
    /// The data itself, shortened: the name of a tag, the truncated text, a value.
    pub detail: String,
    /// Number of plies before it on its line, if it is in the movetext.
    pub ply: Option<u32>,
}

impl Loss {
    /// Creates a loss in the header.
    #[must_use]
    pub fn new(kind: LossKind, detail: impl Into<String>) -> Loss {
        Loss { kind, detail: detail.into(), ply: None }
    }

    /// Creates a loss in the movetext.
    #[must_use]
    pub fn at_ply(kind: LossKind, detail: impl Into<String>, ply: u32) -> Loss {
        Loss { kind, detail: detail.into(), ply: Some(ply) }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind)?;
        if !self.detail.is_empty() {
            write!(f, ": {}", self.detail)?;
        }
        match self.ply {
            Some(ply) => write!(f, " (ply {})", ply.saturating_add(1)),
            None => Ok(()),
        }
    }
}

/// The kinds of [`Loss`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum LossKind {
    /// A tag that the format does not have was dropped.
    Tag,
    /// A tag was merged into another one, such as a site into its event.
    TagMoved,
    /// A text was truncated.
    TextCut,
    /// Characters that the target encoding does not have were replaced.
    Characters,
    /// A date, or part of one, was dropped or moved.
    Date,
    /// A round was dropped or simplified.
    Round,
    /// A rating was dropped or rounded.
    Rating,
    /// An ECO code was dropped or shortened.
    Eco,
    /// A result was dropped.
    Result,
    /// A glyph was dropped or changed.
    Nag,
    /// A comment was dropped.
    Comment,
    /// A comment was joined to another or moved to another place.
    CommentMoved,
    /// A null move was dropped, with the rest of its line.
    NullMove,
    /// A move was dropped, with the rest of its line.
    Move,
    /// A variation was dropped or moved.
    Variation,
    /// Part of the start position (a clock, a castling right) was dropped.
    Setup,
    /// A flag or mark was dropped.
    Flag,
    /// A fact of the base as a whole was dropped or changed.
    BaseFact,
}

impl LossKind {
    /// Returns whether the data is still in the base, in another place.
    #[must_use]
    pub const fn is_move(self) -> bool {
        matches!(self, LossKind::CommentMoved | LossKind::TagMoved)
    }

    /// Returns a description of the affected data: `dates, or parts of dates`.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            LossKind::Tag => "tags that the format has no place for",
            LossKind::TagMoved => "tags joined to another tag",
            LossKind::TextCut => "texts that were shortened",
            LossKind::Characters => "characters that the encoding lacks",
            LossKind::Date => "dates, or parts of dates",
            LossKind::Round => "rounds, or parts of rounds",
            LossKind::Rating => "ratings dropped or rounded",
            LossKind::Eco => "ECO codes dropped or shortened",
            LossKind::Result => "results",
            LossKind::Nag => "glyphs dropped or changed",
            LossKind::Comment => "comments",
            LossKind::CommentMoved => "comments joined or moved",
            LossKind::NullMove => "null moves, and what follows them",
            LossKind::Move => "moves, and what follows them",
            LossKind::Variation => "variations dropped or moved",
            LossKind::Setup => "parts of the start position",
            LossKind::Flag => "flags and marks",
            LossKind::BaseFact => "facts of the base as a whole",
        }
    }

    /// Returns a stable name in lower case with hyphens.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            LossKind::Tag => "tag",
            LossKind::TagMoved => "tag-moved",
            LossKind::TextCut => "text-cut",
            LossKind::Characters => "characters",
            LossKind::Date => "date",
            LossKind::Round => "round",
            LossKind::Rating => "rating",
            LossKind::Eco => "eco",
            LossKind::Result => "result",
            LossKind::Nag => "nag",
            LossKind::Comment => "comment",
            LossKind::CommentMoved => "comment-moved",
            LossKind::NullMove => "null-move",
            LossKind::Move => "move",
            LossKind::Variation => "variation",
            LossKind::Setup => "setup",
            LossKind::Flag => "flag",
            LossKind::BaseFact => "base-fact",
        }
    }
}

impl fmt::Display for LossKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
