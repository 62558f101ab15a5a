//! What a target format could not hold.

use std::fmt;

/// Something of a game, or of the base as a whole, that the target format could not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loss {
    /// What kind of thing.
    pub kind: LossKind,
    /// The thing itself, shortened: a tag's name, the cut text, a value.
    pub detail: String,
    /// Half-moves before it on its line, if it stood in the moves.
    pub ply: Option<u32>,
}

impl Loss {
    /// A loss from the header.
    #[must_use]
    pub fn new(kind: LossKind, detail: impl Into<String>) -> Loss {
        Loss { kind, detail: detail.into(), ply: None }
    }

    /// A loss from the moves.
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
    /// A tag the format has no place for was dropped.
    Tag,
    /// A tag was joined to another: a site to its event.
    TagMoved,
    /// A text was shortened.
    TextCut,
    /// Characters the target encoding lacks were replaced.
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
    /// A null move, and what followed it on its line, was dropped.
    NullMove,
    /// A move, and what followed it on its line, was dropped.
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
    /// Whether what is concerned is still there, in another place.
    #[must_use]
    pub const fn is_move(self) -> bool {
        matches!(self, LossKind::CommentMoved | LossKind::TagMoved)
    }

    /// What is concerned, in words: `dates, or parts of dates`.
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

    /// A stable name in lower case with hyphens.
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
