//! Collects the moves and annotations of a game before they are encoded.

use chess_core::{Game, Move, Replay, Token};
use chess_store::{Loss, LossKind, Losses};

use crate::annotations::dialect::Dialect;
use crate::annotations::write::{PendingItems, shorten};
use crate::tree::{ROOT, Tree};
use crate::v2;

/// The moves and annotations of a game, with reusable buffers.
#[derive(Debug)]
pub(crate) struct Gathered {
    dialect: Dialect,
    replay: Replay,
    /// The moves in game order.
    pub(crate) tree: Tree,
    pub(crate) drafts: PendingItems,
    levels: Vec<Level>,
}

/// A line of the game while its tokens are read.
#[derive(Clone, Copy, Debug)]
struct Level {
    /// The last move of the line, or the root.
    node: u32,
    /// Whether the rest of the line is dropped.
    dropped: bool,
    /// Whether it is a variation whose comments stand at the move that it was to replace, because it
    /// has no move.
    is_text: bool,
    last: Last,
}

/// The number of tokens from which room for their items is reserved at once. The buffers of a game of
/// millions of comments would else be twice as large as needed.
const MANY_TOKENS: usize = 1 << 16;

/// The kind of the last token in a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Last {
    Nothing,
    Move,
    Variation,
}

impl Gathered {
    pub(crate) fn new(dialect: Dialect) -> Gathered {
        Gathered {
            dialect,
            replay: Replay::new(&Game::new()),
            tree: Tree::default(),
            drafts: PendingItems::new(dialect),
            levels: Vec::new(),
        }
    }

    /// Builds the tree and the items from the tokens. The clocks at the end of the game
    /// come first.
    pub(crate) fn gather(&mut self, game: &Game, clocks: &[(u8, u32)], losses: &mut Losses) {
        self.drafts.clear();
        if game.tokens().len() > MANY_TOKENS {
            let is_item = |token: &Token<'_>| matches!(token, Token::Comment(_) | Token::Nag(_));
            let items = game.tokens().filter(is_item).count();
            self.drafts.reserve(items, game.all_comments().len());
        }
        for (kind, hundredths) in clocks {
            self.drafts.push(ROOT, *kind, &self.dialect.clock_bytes(*hundredths));
        }
        self.tree.clear();
        self.replay.restart(game);
        self.levels.clear();
        self.levels.push(Level { node: ROOT, dropped: false, is_text: false, last: Last::Nothing });
        let mut tokens = game.tokens();
        // The token after the comments at this place, and after NAGs that are dropped. Found once
        // for all of them, because each search passes over the rest.
        let mut next = None;
        while let Some(token) = tokens.next() {
            let ply = self.replay.ply();
            let Some(level) = self.levels.last().copied() else { break };
            let is_passed = |token: &Token<'_>| match token {
                Token::Comment(_) => true,
                Token::Nag(_) => level.last != Last::Move,
                _ => false,
            };
            if !is_passed(&token) {
                next = None;
            }
            match token {
                Token::Move(m) => self.push_move(m, ply, losses),
                Token::Nag(nag) if level.dropped || level.last != Last::Move => {
                    losses.push(Loss::at_ply(LossKind::Nag, nag.to_string(), ply));
                }
                Token::Nag(nag) => self.drafts.push_nag(level.node, nag, ply, losses),
                Token::Comment(text) if level.dropped => {
                    losses.push(Loss::at_ply(LossKind::Comment, shorten(text), ply));
                }
                Token::Comment(text) => {
                    let next =
                        *next.get_or_insert_with(|| tokens.clone().find(|token| !is_passed(token)));
                    self.push_comment(text, next, ply, losses);
                }
                Token::VariationStart => {
                    let node = self.tree.parent(level.node);
                    let dropped = level.dropped;
                    if !dropped && self.tree.first(node) != Some(level.node) {
                        // A variation of a variation's first move is read back as another
                        // variation of the main move.
                        losses.push(Loss::at_ply(LossKind::Variation, "moved up a level", ply));
                    }
                    let last = Last::Nothing;
                    self.levels.push(Level { node, dropped, is_text: false, last });
                    self.drafts.change_line();
                }
                Token::VariationEnd => {
                    if level.last == Last::Nothing && !level.dropped && !level.is_text {
                        losses.push(Loss::at_ply(LossKind::Variation, "no moves", ply));
                    }
                    self.levels.pop();
                    if let Some(level) = self.levels.last_mut() {
                        level.last = Last::Variation;
                    }
                    self.drafts.change_line();
                }
            }
            self.replay.step(token);
        }
    }

    fn push_move(&mut self, m: Move, ply: u32, losses: &mut Losses) {
        let stored = self.can_store(m);
        let Some(level) = self.levels.last_mut().filter(|level| !level.dropped) else { return };
        if !stored {
            level.dropped = true;
            losses.push(Loss::at_ply(LossKind::Move, m.to_string(), ply));
            return;
        }
        level.node = self.tree.push(level.node, m);
        level.last = Last::Move;
        self.drafts.start_move();
    }

    /// Whether the format can store a move. All formats refuse illegal moves, apart from null moves.
    fn can_store(&self, m: Move) -> bool {
        let position = self.replay.position();
        m.is_null()
            || position.is_legal(m)
                && match self.dialect {
                    Dialect::Classic => true,
                    Dialect::Modern => v2::has_word(m, position),
                }
    }

    /// Adds a comment. `after` is the next token that is neither a comment nor a dropped NAG.
    fn push_comment(
        &mut self,
        text: &str,
        after: Option<Token<'_>>,
        ply: u32,
        losses: &mut Losses,
    ) {
        let Some(level) = self.levels.last().copied() else { return };
        // Whether a comment at this place belongs before the next move without a prefix.
        let plain = match level.last {
            Last::Move => false,
            Last::Variation => true,
            Last::Nothing => self.levels.len() > 1,
        };
        let next = self.tree.moves().saturating_add(1);
        let before_move = matches!(after, Some(Token::Move(m)) if self.can_store(m));
        if before_move && self.drafts.push_before(next, text, plain, ply, losses) {
            return;
        }
        if plain {
            losses.push(Loss::at_ply(LossKind::CommentMoved, shorten(text), ply));
        }
        let mut node = level.node;
        // The line has no move that is stored.
        if let [.., outer, empty] = self.levels.as_mut_slice()
            && level.last == Last::Nothing
        {
            empty.is_text = true;
            node = outer.node;
        }
        self.drafts.push_after(node, text, ply, losses);
    }
}
