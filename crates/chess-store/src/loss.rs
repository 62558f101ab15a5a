//! Data that a target format cannot store.

use std::collections::BTreeMap;
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
    /// Number of the game, from zero, if the list holds the losses of [several](Losses::begin_game).
    pub game: Option<u64>,
}

impl Loss {
    /// Creates a loss in the header.
    #[must_use]
    pub fn new(kind: LossKind, detail: impl Into<String>) -> Loss {
        Loss { kind, detail: detail.into(), ply: None, game: None }
    }

    /// Creates a loss in the movetext.
    #[must_use]
    pub fn at_ply(kind: LossKind, detail: impl Into<String>, ply: u32) -> Loss {
        Loss { kind, detail: detail.into(), ply: Some(ply), game: None }
    }

    /// Creates the loss of a FEN that states the usual start position, and of its SetUp.
    #[must_use]
    pub fn usual_fen() -> Loss {
        Loss::new(LossKind::Tag, "FEN of the usual start position")
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

/// The losses of a game, or of several. The count of each kind is exact, and the memory is bounded.
///
/// The first [`KEPT`](Losses::KEPT) losses are listed. Further losses are only counted by kind.
/// Without this limit, a game of 10 MB that holds only empty comments would list five million.
///
/// ```
/// use chess_store::{Loss, LossKind, Losses};
///
/// let mut losses = Losses::new();
/// for ply in 0..1000 {
///     losses.push(Loss::at_ply(LossKind::Comment, "good", ply));
/// }
/// assert_eq!((losses.listed().len(), losses.unlisted(), losses.total()), (256, 744, 1000));
/// assert_eq!(losses.counts().collect::<Vec<_>>(), [(LossKind::Comment, 1000)]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Losses {
    listed: Vec<Loss>,
    /// Losses beyond the listed ones.
    unlisted: BTreeMap<LossKind, u64>,
    games: Games,
}

/// The games that losses belong to.
#[derive(Clone, Copy, Debug, Default)]
struct Games {
    /// The current game.
    current: Option<u64>,
    /// Whether the current game has lost something.
    is_counted: bool,
    /// Number of games that have lost something.
    lossy: u64,
}

impl Losses {
    /// Maximum number of losses that are listed.
    pub const KEPT: usize = 256;

    /// Maximum number of bytes of a [detail](Loss::detail).
    const DETAIL: usize = 1 << 10;

    /// Creates an empty list.
    #[must_use]
    pub const fn new() -> Losses {
        let games = Games { current: None, is_counted: false, lossy: 0 };
        Losses { listed: Vec::new(), unlisted: BTreeMap::new(), games }
    }

    /// Adds a loss. Shortens a detail of more than 1 KiB.
    pub fn push(&mut self, mut loss: Loss) {
        loss.game = loss.game.or(self.games.current);
        if !self.games.is_counted {
            self.games.is_counted = true;
            self.games.lossy = self.games.lossy.saturating_add(1);
        }
        if self.listed.len() >= Losses::KEPT {
            return self.count(loss.kind, 1);
        }
        if loss.detail.len() > Losses::DETAIL {
            let end = (0..=Losses::DETAIL).rev().find(|end| loss.detail.is_char_boundary(*end));
            loss.detail.truncate(end.unwrap_or_default());
            loss.detail.push('…');
            loss.detail.shrink_to_fit();
        }
        self.listed.push(loss);
    }

    /// Assigns the losses that follow to the game `number`.
    pub fn begin_game(&mut self, number: u64) {
        self.games.current = Some(number);
        self.games.is_counted = false;
    }

    /// Returns the number of games that lost something, as far as
    /// [`begin_game`](Losses::begin_game) tells the games apart.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games.lossy
    }

    /// Counts `more` losses without listing them.
    fn count(&mut self, kind: LossKind, more: u64) {
        let counter = self.unlisted.entry(kind).or_default();
        *counter = counter.saturating_add(more);
    }

    /// Moves the losses of `other` to the end of this list.
    pub fn append(&mut self, other: &mut Losses) {
        self.extend(other.listed.drain(..));
        for (kind, more) in std::mem::take(&mut other.unlisted) {
            self.count(kind, more);
        }
    }

    /// Returns the listed losses, in the order in which they were added.
    #[must_use]
    pub fn listed(&self) -> &[Loss] {
        &self.listed
    }

    /// Iterates over the listed losses.
    pub fn iter(&self) -> std::slice::Iter<'_, Loss> {
        self.listed.iter()
    }

    /// Returns how many losses are counted and not listed.
    #[must_use]
    pub fn unlisted(&self) -> u64 {
        self.unlisted.values().fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// Returns the number of losses of each kind that are counted and not listed, in the order of
    /// [`LossKind`].
    pub fn unlisted_counts(&self) -> impl Iterator<Item = (LossKind, u64)> {
        self.unlisted.iter().map(|(kind, count)| (*kind, *count))
    }

    /// Returns how many losses there are, listed or not.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.unlisted().saturating_add(self.listed.len() as u64)
    }

    /// Returns whether nothing was lost.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        // The list fills before anything is only counted.
        self.listed.is_empty()
    }

    /// Returns the number of losses of each kind, listed or not, in the order of [`LossKind`].
    pub fn counts(&self) -> impl Iterator<Item = (LossKind, u64)> {
        let mut counts = self.unlisted.clone();
        for loss in &self.listed {
            let counter = counts.entry(loss.kind).or_default();
            *counter = counter.saturating_add(1);
        }
        counts.into_iter()
    }

    /// Removes all losses.
    pub fn clear(&mut self) {
        self.listed.clear();
        self.unlisted.clear();
        self.games = Games::default();
    }

    /// Returns the present state, to which [`rewind`](Losses::rewind) returns.
    #[must_use]
    pub fn mark(&self) -> LossMark {
        LossMark { listed: self.listed.len(), unlisted: self.unlisted.clone(), games: self.games }
    }

    /// Removes the losses that were added after `mark`.
    pub fn rewind(&mut self, mark: &LossMark) {
        self.listed.truncate(mark.listed);
        self.unlisted.clone_from(&mark.unlisted);
        self.games = mark.games;
    }
}

impl Extend<Loss> for Losses {
    fn extend<T: IntoIterator<Item = Loss>>(&mut self, losses: T) {
        losses.into_iter().for_each(|loss| self.push(loss));
    }
}

impl FromIterator<Loss> for Losses {
    fn from_iter<T: IntoIterator<Item = Loss>>(losses: T) -> Losses {
        let mut all = Losses::new();
        all.extend(losses);
        all
    }
}

impl<'a> IntoIterator for &'a Losses {
    type Item = &'a Loss;
    type IntoIter = std::slice::Iter<'a, Loss>;

    fn into_iter(self) -> std::slice::Iter<'a, Loss> {
        self.listed.iter()
    }
}

impl PartialEq for Losses {
    /// Compares the losses, however many games they are of.
    fn eq(&self, other: &Losses) -> bool {
        self.listed == other.listed && self.unlisted == other.unlisted
    }
}

impl Eq for Losses {}

impl PartialEq<[Loss]> for Losses {
    fn eq(&self, all: &[Loss]) -> bool {
        self.unlisted.is_empty() && self.listed == all
    }
}

impl<const N: usize> PartialEq<[Loss; N]> for Losses {
    fn eq(&self, all: &[Loss; N]) -> bool {
        *self == all[..]
    }
}

/// A state of a [`Losses`].
#[derive(Clone, Debug)]
pub struct LossMark {
    listed: usize,
    unlisted: BTreeMap<LossKind, u64>,
    games: Games,
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

#[cfg(test)]
mod tests {
    use super::{Loss, LossKind, Losses};

    fn comments(count: u32) -> Losses {
        (0..count).map(|ply| Loss::at_ply(LossKind::Comment, "c", ply)).collect()
    }

    #[test]
    fn push_beyond_limit_counts_each_kind_exactly() {
        let mut losses = comments(300);
        losses.push(Loss::new(LossKind::Tag, "Annotator"));
        losses.append(&mut comments(1000));
        assert_eq!(losses.listed().len(), Losses::KEPT);
        let counts: Vec<_> = losses.counts().collect();
        assert_eq!(counts, [(LossKind::Tag, 1), (LossKind::Comment, 1300)]);
        assert_eq!((losses.total(), losses.unlisted()), (1301, 1045));
    }

    #[test]
    fn push_after_begin_game_names_and_counts_the_games() {
        let mut losses = Losses::new();
        for number in [3, 4, 5] {
            losses.begin_game(number);
            let mark = losses.mark();
            losses.append(&mut comments(2));
            if number == 4 {
                losses.rewind(&mark);
            }
        }
        let games: Vec<_> = losses.iter().map(|loss| loss.game).collect();
        assert_eq!((losses.games(), games), (2, [3, 3, 5, 5].map(Some).to_vec()));
    }

    #[test]
    fn rewind_to_mark_restores_list_and_counts() {
        for before in [0, 3, 256, 300] {
            let mut losses = comments(before);
            let expected = losses.clone();
            let mark = losses.mark();
            losses.append(&mut comments(500));
            losses.rewind(&mark);
            assert_eq!(losses, expected, "{before}");
        }
    }

    #[test]
    fn push_long_detail_is_shortened_between_characters() {
        let mut losses = Losses::new();
        losses.push(Loss::new(LossKind::TextCut, "\u{20ac}".repeat(1 << 20)));
        let detail = &losses.listed()[0].detail;
        assert_eq!((detail.len(), detail.chars().next_back()), (1026, Some('…')));
        assert!(detail.capacity() < 4096);
    }
}
