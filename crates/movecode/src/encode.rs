//! A game to codes.

use chess_core::seam::{Loss, LossKind};
use chess_core::{CastlingSide, Game, GameResult, Location, Move, Position, Role, Square, Token};
use smallvec::SmallVec;

use crate::error::{Error, ErrorKind};
use crate::layout::{
    BISHOP, CASTLE_KING_SIDE, CASTLE_QUEEN_SIDE, COMMENT, END, HAS_COMMENTS, HAS_ERRORS,
    HAS_VARIATIONS, IS_CHESS960, KING, KNIGHT, MAX_DEPTH, NAG, NO_RESULT, NULL_MOVE, PAWN,
    PROMOTED, PROMOTION, PROMOTION_ROLES, QUEEN, RESULT, RESULT_TAG, ROOK, SECOND_BYTE, TEXT_NAMES,
    VARIATION_END, VARIATION_START,
};
use crate::moves::{Worth, value, worth};
use crate::text::encode_text;
use crate::units::Units;

/// A game in codes, and what jose keeps beside them. Meant to be reused.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EncodedGame {
    /// The codes, column `Bin`.
    pub code: Vec<u8>,
    /// The texts, column `Comments`.
    pub comments: Vec<u8>,
    /// Half-moves of the main line.
    pub plies: u32,
    /// [`HAS_VARIATIONS`] and its like.
    pub attributes: u16,
}

impl EncodedGame {
    fn clear(&mut self) {
        self.code.clear();
        self.comments.clear();
        self.plies = 0;
        self.attributes = 0;
    }
}

/// Encodes a game as jose 1.5 does. The start position is not in the codes: store
/// [`Game::setup`]'s FEN beside them.
///
/// What the codes cannot hold is added to `losses`: NAGs above 255, zero characters in comments,
/// moves the rules do not know, with all that follows them on their line.
///
/// # Errors
/// [`ErrorKind::ExtraPiece`] for a start position with more pieces of a kind than the codes can
/// name: three knights, two queens. jose itself writes such games without complaint and cannot
/// read them again.
pub fn encode_game(
    game: &Game,
    into: &mut EncodedGame,
    losses: &mut Vec<Loss>,
) -> Result<(), Error> {
    into.clear();
    let position = game.start_position();
    let (units, extra) = Units::new(&position);
    if let Some(piece) = extra {
        return Err(Error::new(ErrorKind::ExtraPiece(piece), Location::default()));
    }
    if is_chess960(&position) {
        into.attributes |= IS_CHESS960;
    }
    let state = State { position, units, ply: 0 };
    let mut encoder = Encoder {
        out: into,
        losses,
        state,
        before: state,
        keep: game.variation_count() > 0,
        stack: SmallVec::new(),
        skipping: None,
    };
    for token in game.tokens() {
        encoder.token(token);
    }
    encoder.result(game);
    into.code.push(END);
    Ok(())
}

/// Whether castling is possible here with a king or rook off its usual square.
pub(crate) fn is_chess960(position: &Position) -> bool {
    position.castling_rooks().any(|rook| {
        let color = position.piece_at(rook).map(chess_core::Piece::color);
        let king = color.and_then(|color| position.king(color));
        king.is_some_and(|king| king.file() != 4) || !matches!(rook.file(), 0 | 7)
    })
}

#[derive(Clone, Copy)]
struct State {
    position: Position,
    units: Units,
    ply: u32,
}

struct Encoder<'a> {
    out: &'a mut EncodedGame,
    losses: &'a mut Vec<Loss>,
    state: State,
    /// Before the last move of this level.
    before: State,
    keep: bool,
    stack: SmallVec<[(State, State); 2]>,
    skipping: Option<Skipping>,
}

/// What is being left out.
struct Skipping {
    what: Skipped,
    /// How many variations are open in it.
    open: u32,
}

#[derive(PartialEq, Eq)]
enum Skipped {
    /// What follows a move that cannot be written.
    RestOfLine,
    /// A variation too deep.
    Variation,
}

impl Encoder<'_> {
    fn token(&mut self, token: Token<'_>) {
        if self.skip(token) {
            return;
        }
        match token {
            Token::Move(m) => self.play(m),
            Token::Nag(nag) => self.nag(nag.0),
            Token::Comment(text) => self.comment(text),
            Token::VariationStart => self.start_variation(),
            Token::VariationEnd => {
                self.out.code.push(VARIATION_END);
                if let Some((here, before)) = self.stack.pop() {
                    self.state = here;
                    self.before = before;
                }
            }
        }
    }

    /// Whether the token belongs to what is left out.
    fn skip(&mut self, token: Token<'_>) -> bool {
        let Some(skipping) = &mut self.skipping else { return false };
        match (token, skipping.open.checked_sub(1)) {
            (Token::VariationStart, _) => skipping.open = skipping.open.saturating_add(1),
            // The end of a line that was cut short is written.
            (Token::VariationEnd, None) => {
                self.skipping = None;
                return false;
            }
            (Token::VariationEnd, Some(0)) if skipping.what == Skipped::Variation => {
                self.skipping = None;
            }
            (Token::VariationEnd, Some(open)) => skipping.open = open,
            _ => {}
        }
        true
    }

    #[inline]
    fn play(&mut self, m: Move) {
        if !self.write_move(m) {
            self.lose(LossKind::Move, m.to_string());
            self.skipping = Some(Skipping { what: Skipped::RestOfLine, open: 0 });
            return;
        }
        if self.keep {
            self.before = self.state;
        }
        let State { position, units, ply } = &mut self.state;
        units.follow(position, m);
        position.apply(m);
        *ply = ply.saturating_add(1);
        if self.stack.is_empty() {
            self.out.plies = self.out.plies.saturating_add(1);
        }
    }

    /// Writes a move's code, if it has one that jose would read.
    // movecode §3 "Codes"
    #[inline]
    fn write_move(&mut self, m: Move) -> bool {
        let position = &self.state.position;
        if worth(position, m) == Worth::Impossible {
            return false;
        }
        let code = &mut self.out.code;
        if m.is_null() {
            code.push(NULL_MOVE);
            return true;
        }
        if let Some(side) = position.castling_side(m) {
            code.push(match side {
                CastlingSide::King => CASTLE_KING_SIDE,
                CastlingSide::Queen => CASTLE_QUEEN_SIDE,
            });
            // Which rook it is, the code does not say: only one that castling would take.
            return crate::moves::castling_rook(position, side) == Some(m.to()) || {
                code.pop();
                false
            };
        }
        match self.codes(m) {
            Some((first, None)) => self.out.code.push(first),
            Some((first, Some(second))) => self.out.code.extend_from_slice(&[first, second]),
            None => return false,
        }
        true
    }

    /// The one or two bytes of a move that is no castling.
    #[inline]
    fn codes(&self, m: Move) -> Option<(u8, Option<u8>)> {
        let (from, to): (Square, Square) = (m.from(), m.to());
        let piece = self.state.position.piece_at(from)?;
        let (role, color) = (piece.role(), piece.color());
        let unit = self.state.units.on(from)?;
        let value = value(role, color, from, to)?;
        if let Some(slot) = unit.pawn_slot() {
            let second = SECOND_BYTE | value;
            return Some(match (role, m.promotion()) {
                (Role::Pawn, None) => (PAWN | slot << 2 | value, None),
                (Role::Pawn, Some(to)) => {
                    let number = PROMOTION_ROLES.iter().position(|role| *role == to)?;
                    let number = u8::try_from(number).ok()?;
                    (PROMOTION | slot, Some(SECOND_BYTE | value << 2 | number))
                }
                _ => (PROMOTED | slot, Some(second)),
            });
        }
        let slot = unit.officer_slot();
        let first = match role {
            Role::Knight => KNIGHT | slot << 3 | value,
            Role::Bishop => BISHOP.wrapping_add(slot << 4) | value,
            Role::Rook => ROOK.wrapping_add(slot << 4) | value,
            Role::Queen => QUEEN.wrapping_add(value),
            Role::King => KING | value,
            Role::Pawn => return None,
        };
        Some((first, None))
    }

    fn nag(&mut self, number: u16) {
        match u8::try_from(number) {
            Ok(number @ 1..=31) => self.out.code.push(NAG.wrapping_add(number)),
            Ok(number) => self.out.code.extend_from_slice(&[NAG, number]),
            Err(_) => return self.lose(LossKind::Nag, format!("${number}")),
        }
        self.out.attributes |= HAS_COMMENTS;
    }

    // movecode §7 "Texts"
    fn comment(&mut self, text: &str) {
        let errors = (1u8..).zip(TEXT_NAMES.get(1..).unwrap_or_default());
        let error = errors.filter_map(|(kind, name)| Some((kind, text.strip_prefix(name)?))).next();
        let (kind, text) = error.unwrap_or((0, text));
        self.out.code.push(COMMENT | kind);
        self.out.attributes |= if kind == 0 { HAS_COMMENTS } else { HAS_ERRORS };
        let complete = encode_text(text, &mut self.out.comments);
        self.out.comments.push(0);
        if !complete {
            self.lose(LossKind::Characters, "U+0000 in a comment".into());
        }
    }

    fn start_variation(&mut self) {
        if self.stack.len() >= MAX_DEPTH {
            self.lose(LossKind::Variation, "nested too deep".into());
            self.skipping = Some(Skipping { what: Skipped::Variation, open: 1 });
            return;
        }
        self.out.code.push(VARIATION_START);
        self.out.attributes |= HAS_VARIATIONS;
        self.stack.push((self.state, self.before));
        self.state = self.before;
    }

    fn result(&mut self, game: &Game) {
        let stated = match game.header.tags.get(RESULT_TAG) {
            Some(NO_RESULT) => return,
            Some(other) => other.parse().ok(),
            None => None,
        };
        let offset = match stated.unwrap_or(game.header.result) {
            GameResult::Black => 0,
            GameResult::Draw => 1,
            GameResult::White => 2,
            GameResult::Unknown => 3,
        };
        self.out.code.push(RESULT | offset);
    }

    #[cold]
    fn lose(&mut self, kind: LossKind, detail: String) {
        self.losses.push(Loss::at_ply(kind, detail, self.state.ply));
    }
}
