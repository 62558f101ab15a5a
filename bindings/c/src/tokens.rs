//! The moves of a game as an array of tokens.

use std::mem::MaybeUninit;

use scoresheet::chess_core::{CastlingSide, Game as Inner, Position, Replay, Token as Item};
use scoresheet::pgn::San;

use crate::game::Game;
use crate::status::{Error, Status, ask, call, needed};
use crate::text::{Span, Text, Texts};

/// The kind of a token.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// A move.
    Move = 0,
    /// A numeric annotation glyph for the move before it.
    Nag = 1,
    /// A comment, at the place where it stands.
    Comment = 2,
    /// An alternative to the last move of this level starts, from the position before that move.
    VariationStart = 3,
    /// The innermost variation ends. The line goes on after the move that it replaced.
    VariationEnd = 4,
}

/// A token of a game. The tokens are in the order of PGN; variations nest, and each start has its end.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// The kind. The other fields belong to some kinds and are 0 otherwise.
    pub kind: TokenKind,
    /// Move: the square of the piece, 0 for a1, 1 for b1, 63 for h8.
    pub from: u8,
    /// Move: the square to which the piece goes, as in UCI. Castling is the move of the king, `e1g1`; in Chess960
    /// it is the king to its own rook. A null move goes from 0 to 0.
    pub to: u8,
    /// Move: `n`, `b`, `r`, `q` for a promotion, 0 otherwise. Damaged games can hold `k` and `p`.
    pub promotion: u8,
    /// Move: 1 if it castles towards the h-file, 2 towards the a-file, 0 otherwise.
    pub castling: u8,
    /// Always 0.
    pub reserved: [u8; 3],
    /// Move: the number of half-moves before it on its line. Nag: its number. Comment: its number in
    /// the game, from zero, for `scoresheet_game_comment`.
    pub value: u32,
}

impl Token {
    fn new(kind: TokenKind, value: u32) -> Token {
        Token { kind, from: 0, to: 0, promotion: 0, castling: 0, reserved: [0; 3], value }
    }
}

/// The tokens of a game and their texts, made when they are asked for.
#[derive(Debug, Default)]
pub(crate) struct Line {
    tokens: Option<Vec<Token>>,
    comments: Option<Vec<Span>>,
    comment_texts: Texts,
    /// SAN and UCI of each token that is a move.
    moves: Option<Vec<Option<[Span; 2]>>>,
    move_texts: Texts,
}

impl Line {
    pub(crate) fn clear(&mut self) {
        self.tokens = None;
        self.comments = None;
        self.comment_texts.clear();
        self.moves = None;
        self.move_texts.clear();
    }

    fn tokens(&mut self, game: &Inner) -> &[Token] {
        self.tokens.get_or_insert_with(|| tokens(game))
    }

    fn comment(&mut self, game: &Inner, number: usize) -> Option<Text> {
        let Line { comments, comment_texts: texts, .. } = self;
        let comments = comments.get_or_insert_with(|| {
            let text = |token| if let Item::Comment(text) = token { Some(text) } else { None };
            game.tokens().filter_map(text).map(|text| texts.add(text)).collect()
        });
        comments.get(number).map(|comment| texts.view(*comment))
    }

    /// Returns SAN and UCI of a move.
    fn notation(&mut self, game: &Inner, index: usize) -> Option<[Text; 2]> {
        let Line { moves, move_texts: texts, .. } = self;
        let moves = moves.get_or_insert_with(|| {
            let mut replay = Replay::new(game);
            let notation = |token| {
                let Item::Move(m) = token else {
                    replay.step(token);
                    return None;
                };
                let position = *replay.position();
                replay.step(token);
                let san = San::between(&position, m, replay.position());
                Some([texts.add(san.as_str()), texts.add(position.engine_move(m))])
            };
            game.tokens().map(notation).collect()
        });
        moves.get(index).copied().flatten().map(|both| both.map(|text| texts.view(text)))
    }

    /// Returns the position after the token `index`.
    pub(crate) fn position_after(game: &Inner, index: usize) -> Option<Position> {
        game.token(index)?;
        let mut replay = Replay::new(game);
        game.tokens().take(index.checked_add(1)?).for_each(|token| replay.step(token));
        Some(*replay.position())
    }
}

fn tokens(game: &Inner) -> Vec<Token> {
    let mut replay = Replay::new(game);
    let mut comments = 0u32;
    let one = |token| {
        let made = match token {
            Item::Move(m) => {
                let position = replay.position();
                let castling = match position.castling_side(m) {
                    Some(CastlingSide::King) => 1,
                    Some(CastlingSide::Queen) => 2,
                    None => 0,
                };
                let played = position.engine_move(m);
                let promotion = played.promotion().map(|role| role.letter().to_ascii_lowercase());
                Token {
                    from: played.from().index(),
                    to: played.to().index(),
                    promotion: promotion.and_then(|letter| u8::try_from(letter).ok()).unwrap_or(0),
                    castling,
                    ..Token::new(TokenKind::Move, replay.ply())
                }
            }
            Item::Nag(nag) => Token::new(TokenKind::Nag, nag.0.into()),
            Item::Comment(_) => {
                let number = comments;
                comments = comments.saturating_add(1);
                Token::new(TokenKind::Comment, number)
            }
            Item::VariationStart => Token::new(TokenKind::VariationStart, 0),
            Item::VariationEnd => Token::new(TokenKind::VariationEnd, 0),
        };
        replay.step(token);
        made
    };
    game.tokens().map(one).collect()
}

/// Returns the tokens of the game. The array belongs to the game.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_game_tokens(
    game: Option<&mut Game>,
    tokens: Option<&mut MaybeUninit<*const Token>>,
    count: Option<&mut MaybeUninit<usize>>,
    error: Option<&mut MaybeUninit<*mut Error>>,
) -> Status {
    call(error, || {
        let (tokens, count) = (needed(tokens, "tokens")?, needed(count, "count")?);
        tokens.write(std::ptr::null());
        count.write(0);
        let Game { inner, line, .. } = needed(game, "game")?;
        let made = line.tokens(inner);
        tokens.write(made.as_ptr());
        count.write(made.len());
        Ok(())
    })
}

/// Returns a comment by its number, the `value` of its token. No text if there is no such comment.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_game_comment(game: Option<&mut Game>, number: u32) -> Text {
    ask(Text::NONE, || {
        let Game { inner, line, .. } = game?;
        line.comment(inner, usize::try_from(number).ok()?)
    })
}

/// Returns the move of the token `index` in SAN, such as `Nf3`. No text if this token is no move.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_game_san(game: Option<&mut Game>, index: usize) -> Text {
    ask(Text::NONE, || {
        let Game { inner, line, .. } = game?;
        line.notation(inner, index).map(|[san, _]| san)
    })
}

/// Returns the move of the token `index` in UCI, such as `g1f3`. No text if this token is no move.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_game_uci(game: Option<&mut Game>, index: usize) -> Text {
    ask(Text::NONE, || {
        let Game { inner, line, .. } = game?;
        line.notation(inner, index).map(|[_, uci]| uci)
    })
}
