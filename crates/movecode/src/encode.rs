//! Encodes a game to codes.

use chess_core::{CastlingSide, Game, GameResult, Move, Replay, Role, Token};
use chess_store::{Location, Loss, LossKind, Losses, has_cr_lf};

use crate::board::Board;
use crate::directions::value;
use crate::error::{Error, ErrorKind};
use crate::evals::{NONE, split_command};
use crate::layout::{
    CASTLE_KING_SIDE, CASTLE_QUEEN_SIDE, COMMENT, END, HAS_COMMENTS, HAS_ERRORS, HAS_VARIATIONS,
    IS_CHESS960, MAX_DEPTH, NAG, NO_RESULT, NULL_MOVE, PROMOTED, PROMOTION, PROMOTION_ROLES,
    RESULT, RESULT_TAG, SECOND_BYTE, TEXT_NAMES, VARIATION_END, VARIATION_START,
};
use crate::moves::{Legality, castling_rook, legality};
use crate::text::encode_text;

/// An encoded game with the values that jose stores beside the codes. Reuse it to avoid allocations.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct EncodedGame {
    /// The codes, column `Bin`.
    pub code: Vec<u8>,
    /// The texts, column `Comments`.
    pub comments: Vec<u8>,
    /// Plies of the main line.
    pub plies: u32,
    /// Bits such as [`HAS_VARIATIONS`].
    pub attributes: u16,
    /// The evaluations, column `Eval`: four bytes for each move. Empty unless requested.
    pub(crate) evals: Vec<u8>,
}

impl EncodedGame {
    fn clear(&mut self) {
        self.code.clear();
        self.comments.clear();
        self.plies = 0;
        self.attributes = 0;
        self.evals.clear();
    }
}

/// Encodes a game as jose 1.5 does. The start position is not in the codes: store
/// [`Game::setup`]'s FEN beside them.
///
/// Data that the codes cannot hold is added to `losses`: NAGs above 255, zero characters in comments,
/// and impossible moves with the rest of their line.
///
/// # Errors
/// [`ErrorKind::ExtraPiece`] if the start position has more pieces of a kind than there are slots,
/// such as three knights or two queens. jose itself writes such games but cannot read them.
pub fn encode_game(game: &Game, into: &mut EncodedGame, losses: &mut Losses) -> Result<(), Error> {
    encode_with(game, false, into, losses)
}

/// Like [`encode_game`]. If `evals` is true, evaluations leave the comments for a column of their own.
pub(crate) fn encode_with(
    game: &Game,
    evals: bool,
    into: &mut EncodedGame,
    losses: &mut Losses,
) -> Result<(), Error> {
    into.clear();
    let (board, extra) = Board::start(game);
    if let Some(piece) = extra {
        return Err(Error::new(ErrorKind::ExtraPiece(piece), Location::default()));
    }
    if game.setup().is_some_and(|setup| setup.position().is_chess960()) {
        into.attributes |= IS_CHESS960;
    }
    let replay = Replay::on(board, game.variation_count() > 0);
    let mut writer = CodeWriter { out: into, losses, replay, skipping: None, evals, moved: false };
    for token in game.tokens() {
        writer.token(token);
        writer.moved = matches!(token, Token::Move(_));
    }
    writer.result(game);
    into.code.push(END);
    Ok(())
}

/// Writes the codes of a game, token by token.
struct CodeWriter<'a> {
    out: &'a mut EncodedGame,
    losses: &'a mut Losses,
    replay: Replay<Board>,
    skipping: Option<Skipping>,
    /// Whether evaluations leave the comments.
    evals: bool,
    /// Whether the last token was a move.
    moved: bool,
}

/// The part of the game being skipped.
struct Skipping {
    what: Skipped,
    /// Number of open variations inside the skipped part.
    open: u32,
}

#[derive(PartialEq, Eq)]
enum Skipped {
    /// The rest of a line after a move that cannot be written.
    RestOfLine,
    /// A variation that is nested too deeply.
    Variation,
}

impl CodeWriter<'_> {
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
                self.replay.end_variation();
            }
        }
    }

    /// Returns `true` if the token belongs to the skipped part.
    fn skip(&mut self, token: Token<'_>) -> bool {
        let Some(skipping) = &mut self.skipping else { return false };
        match (token, skipping.open.checked_sub(1)) {
            (Token::VariationStart, _) => skipping.open = skipping.open.saturating_add(1),
            // The end of a truncated line is written.
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
        let written = if self.replay.board().position.is_pseudo_legal(m) {
            self.write_unit_move(m)
        } else {
            self.write_unusual_move(m)
        };
        if !written {
            self.lose(LossKind::Move, m.to_string());
            self.skipping = Some(Skipping { what: Skipped::RestOfLine, open: 0 });
            return;
        }
        self.replay.play_with(|board| board.apply(m));
        if self.evals {
            self.out.evals.extend_from_slice(&NONE);
        }
        if self.replay.depth() == 0 {
            self.out.plies = self.out.plies.saturating_add(1);
        }
    }

    /// Writes a move that is not pseudo-legal, if jose can read a code for it.
    #[cold]
    fn write_unusual_move(&mut self, m: Move) -> bool {
        let position = &self.replay.board().position;
        if legality(position, m) == Legality::Impossible {
            return false;
        }
        if m.is_null() {
            self.out.code.push(NULL_MOVE);
            return true;
        }
        let Some(side) = position.castling_side(m) else { return self.write_unit_move(m) };
        // The code does not name the rook, so it must be the rook that castling uses.
        if castling_rook(position, side) != Some(m.to()) {
            return false;
        }
        self.out.code.push(match side {
            CastlingSide::King => CASTLE_KING_SIDE,
            CastlingSide::Queen => CASTLE_QUEEN_SIDE,
        });
        true
    }

    /// Writes the one- or two-byte code of a piece's move, if there is one.
    // movecode §3 "Codes"
    #[inline]
    fn write_unit_move(&mut self, m: Move) -> bool {
        let Board { position, units, .. } = self.replay.board();
        let (Some(piece), Some(unit)) = (position.piece_at(m.from()), units.on(m.from())) else {
            return false;
        };
        let Some(value) = value(piece.role(), m.from(), m.to()) else { return false };
        let is_pawn = piece.role() == Role::Pawn;
        let code = &mut self.out.code;
        match (unit.pawn_slot(), m.promotion()) {
            (Some(slot), None) if !is_pawn => {
                code.extend_from_slice(&[PROMOTED | slot, SECOND_BYTE | value]);
            }
            (Some(slot), Some(role)) if is_pawn => {
                let roles = (0u8..).zip(PROMOTION_ROLES);
                let Some((number, _)) = { roles }.find(|(_, known)| *known == role) else {
                    return false;
                };
                code.extend_from_slice(&[PROMOTION | slot, SECOND_BYTE | value << 2 | number]);
            }
            _ => code.push(unit.first_code().wrapping_add(value)),
        }
        true
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
        let text = if self.evals && self.moved { self.eval(text) } else { Some(text) };
        if let Some(text) = text {
            self.text(text);
        }
    }

    /// Moves an evaluation from a comment to its column. Returns the rest of the comment, if any.
    // movecode §9.6.5
    fn eval<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        let Some((eval, rest)) = split_command(text) else { return Some(text) };
        if let Some(place) = self.out.evals.last_chunk_mut() {
            *place = eval;
        }
        Some(rest).filter(|rest| !rest.is_empty())
    }

    fn text(&mut self, text: &str) {
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
        if has_cr_lf(text) {
            self.lose(LossKind::Characters, "CR LF in a comment".into());
        }
    }

    fn start_variation(&mut self) {
        if self.replay.depth() >= MAX_DEPTH {
            self.lose(LossKind::Variation, "nested too deep".into());
            self.skipping = Some(Skipping { what: Skipped::Variation, open: 1 });
            return;
        }
        self.out.code.push(VARIATION_START);
        self.out.attributes |= HAS_VARIATIONS;
        self.replay.start_variation();
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
        self.losses.push(Loss::at_ply(kind, detail, self.replay.ply()));
    }
}
