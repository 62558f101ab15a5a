//! Encodes a `Game` to its record. The inverse is `decode`.

use chess_core::{Annotations, Game, LineStarts, Move, Position, Replay, Square, Token};
use chess_store::{Location, Loss, LossKind, Losses};

use crate::annotations::AnnotationWriter;
use crate::error::{Error, ErrorKind};
use crate::layout::{FEN_FOLLOWS, FEN_NONE, TAG_NULL_MOVE, TAG_VARIATION, TAG_VARIATION_END};
use crate::length::encode_length;
use crate::moves::PlainMove;
use crate::promotion::{Promotions, chess_move};

/// Encodes games to records. Reusable. A [`Writer`](crate::Writer) does the rest.
#[derive(Debug)]
pub struct RecordEncoder {
    replay: Replay,
    annotations: Annotations,
    annotation_writer: AnnotationWriter,
    lines: Vec<Line>,
    promotions: Promotions,
}

impl Default for RecordEncoder {
    fn default() -> RecordEncoder {
        RecordEncoder {
            replay: Replay::new(&Game::new()),
            annotations: Annotations::default(),
            annotation_writer: AnnotationWriter::default(),
            lines: Vec::new(),
            promotions: Promotions::Program,
        }
    }
}

/// A line being written.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    /// The offset of its first byte.
    start: usize,
    /// Whether it has a move.
    started: bool,
    /// Whether it has a comment before its first move.
    commented: bool,
    /// Whether the rest of it is omitted.
    dropped: bool,
}

impl RecordEncoder {
    /// Sets the promotion numbering. The default is the numbering of the author's program.
    #[must_use]
    pub fn promotions(self, promotions: Promotions) -> RecordEncoder {
        RecordEncoder { promotions, ..self }
    }

    /// Appends the record of a game, without its length. Adds to `losses` everything that the
    /// record cannot hold.
    ///
    /// # Errors
    /// [`ErrorKind::Chess960`]; [`ErrorKind::GameTooLong`]. `out` may then hold part of the record.
    // dcg §6 "Game record"
    pub fn encode(
        &mut self,
        game: &Game,
        losses: &mut Losses,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        encode_start(game, losses, out)?;
        self.annotations.gather(game, LineStarts::OfReplacedMove);
        self.replay.restart(game);
        self.lines.clear();
        self.lines.push(Line { start: out.len(), started: true, ..Line::default() });
        self.annotate(game, 0, losses, out)?;
        let mut node = 0u32;
        for token in game.tokens() {
            match token {
                Token::Move(m) => {
                    node = node.saturating_add(1);
                    if self.encode_move(m, losses, out) {
                        self.annotate(game, node, losses, out)?;
                    }
                }
                Token::VariationStart => self.start_variation(out),
                Token::VariationEnd => self.end_variation(losses, out),
                Token::Comment(text) => {
                    if let Some(line) = self.lines.last_mut().filter(|line| !line.started) {
                        line.commented |= !text.is_empty();
                    }
                }
                Token::Nag(_) => {}
            }
            self.replay.step(token);
        }
        Ok(())
    }

    /// Returns whether the move was written. An inexpressible move ends its line.
    #[inline]
    fn encode_move(&mut self, m: Move, losses: &mut Losses, out: &mut Vec<u8>) -> bool {
        let Some(line) = self.lines.last_mut().filter(|line| !line.dropped) else { return false };
        if m.is_null() {
            out.push(TAG_NULL_MOVE);
        } else if let Some(plain) = plain_move(m, self.replay.position(), self.promotions) {
            out.extend_from_slice(&plain.to_bytes());
        } else {
            line.dropped = true;
            losses.push(Loss::at_ply(LossKind::Move, m.to_string(), self.replay.ply()));
            return false;
        }
        line.started = true;
        true
    }

    /// Appends the annotations of a node.
    #[inline]
    fn annotate(
        &mut self,
        game: &Game,
        node: u32,
        losses: &mut Losses,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let notes = self.annotations.take(node);
        if notes.is_empty() {
            return Ok(());
        }
        let ply = self.replay.ply();
        self.annotation_writer.write(node, notes, game, ply, losses, out)
    }

    fn start_variation(&mut self, out: &mut Vec<u8>) {
        let dropped = self.lines.last().is_some_and(|line| line.dropped);
        self.lines.push(Line { start: out.len(), dropped, ..Line::default() });
        if !dropped {
            out.push(TAG_VARIATION);
        }
    }

    fn end_variation(&mut self, losses: &mut Losses, out: &mut Vec<u8>) {
        let Some(line) = self.lines.pop() else { return };
        if line.started {
            out.push(TAG_VARIATION_END);
        } else if out.len() > line.start {
            // The variation has no written move: the author's program has no empty variations.
            out.truncate(line.start);
            // Its comments are at the move that it was to replace, and reported as moved.
            if !line.dropped && !line.commented {
                let ply = self.replay.ply();
                losses.push(Loss::at_ply(LossKind::Variation, "no moves", ply));
            }
        }
    }
}

/// Encodes a move in two bytes; castling is the king's move alone. Returns `None` for an
/// inexpressible move, and for one that would be read as another move.
// dcg §9.3.18
#[inline]
fn plain_move(m: Move, position: &Position, promotions: Promotions) -> Option<PlainMove> {
    let plain = squares_and_code(m, position, promotions)?;
    (chess_move(plain, position, promotions) == Some(m)).then_some(plain)
}

// dcg §6.3.2 "Castling"
#[inline]
fn squares_and_code(m: Move, position: &Position, promotions: Promotions) -> Option<PlainMove> {
    let code = match m.promotion() {
        Some(role) => promotions.code(role)?,
        None => 0,
    };
    if code == 0 && position.castling_side(m).is_some() {
        let to = match (m.from(), m.to()) {
            (Square::E1, Square::H1) => Square::G1,
            (Square::E1, Square::A1) => Square::C1,
            (Square::E8, Square::H8) => Square::G8,
            (Square::E8, Square::A8) => Square::C8,
            _ => return None,
        };
        return Some(PlainMove::new(m.from(), to, 0));
    }
    Some(PlainMove::new(m.from(), m.to(), code))
}

/// Writes the marker and, if needed, the FEN, normalised as by the author's program.
// dcg §6.2 "Start position"
fn encode_start(game: &Game, losses: &mut Losses, out: &mut Vec<u8>) -> Result<(), Error> {
    let Some(setup) = game.setup() else {
        out.push(FEN_NONE);
        return Ok(());
    };
    let position = setup.position();
    if position.is_chess960() {
        return Err(ErrorKind::Chess960.at(Location::file("dcg")));
    }
    let is_usual = *position == Position::start();
    if !setup.is_exact() {
        losses.push(Loss::new(LossKind::Setup, setup.fen()));
    } else if is_usual {
        losses.push(Loss::usual_fen());
    }
    if is_usual {
        out.push(FEN_NONE);
        return Ok(());
    }
    let fen = position.to_fen();
    out.push(FEN_FOLLOWS);
    encode_length(fen.len(), out)?;
    out.extend_from_slice(fen.as_bytes());
    Ok(())
}

/// The beginning of a text, for reports.
pub(crate) fn shorten(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or_default()),
        None => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use chess_core::Nag;

    fn game(tokens: &[&str]) -> Game {
        let mut game = Game::new();
        for token in tokens {
            match *token {
                "(" => game.start_variation().unwrap(),
                ")" => game.end_variation().unwrap(),
                token => match token.strip_prefix('$') {
                    Some(nag) => game.push_nag(Nag(nag.parse().unwrap())),
                    None => match token.strip_prefix('{') {
                        Some(text) => game.push_comment(text.trim_end_matches('}')).unwrap(),
                        None => game.push_move(token.parse().unwrap()),
                    },
                },
            }
        }
        game
    }

    fn encode(game: &Game) -> (Vec<u8>, Vec<String>) {
        let (mut out, mut losses) = (Vec::new(), Losses::new());
        RecordEncoder::default().encode(game, &mut losses, &mut out).unwrap();
        (out, losses.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn encode_node_writes_items_in_order() {
        let (bytes, losses) =
            encode(&game(&["{a}", "e2e4", "{b}", "$1", "(", "d2d4", ")", "e7e5"]));
        #[rustfmt::skip]
        let expected = [
            0x00,                   // usual start
            0x86, 0x01, b'a',       // the comment of the start
            0x03, 0x1c,             // e4
            0x87, 0x01, 0x01,       // its NAG
            0x86, 0x01, b'b',       // its comment
            0x84, 0x02, 0xdb, 0x85, // (d4)
            0x0d, 0x24,             // e5
        ];
        assert_eq!(bytes, expected);
        assert!(losses.is_empty(), "{losses:?}");
    }

    #[test]
    fn encode_several_comments_are_joined() {
        let (bytes, losses) = encode(&game(&[
            "e2e4", "{b}", "(", "{lead}", "d2d4", "{d}", ")", "{late}", "e7e5", "{x}", "{y}", "{}",
        ]));
        let text = String::from_utf8_lossy(&bytes);
        assert!(text.contains("\u{b}b lead late"), "{text:?}");
        assert!(text.contains("\u{3}x y"), "{text:?}");
        assert_eq!(
            losses,
            [
                "comment-moved: lead (ply 1)",
                "comment-moved: late (ply 1)",
                "comment-moved: y (ply 2)",
                "comment: an empty one (ply 2)",
            ]
        );
    }

    #[test]
    fn encode_misplaced_nag_is_loss() {
        let (bytes, losses) =
            encode(&game(&["$5", "e2e4", "$255", "$256", "(", "$7", "d2d4", ")"]));
        assert_eq!(bytes, [0x00, 0x03, 0x1c, 0x87, 1, 0xff, 0x84, 0x02, 0xdb, 0x85]);
        assert_eq!(losses, ["nag: $5 (ply 1)", "nag: $256 (ply 1)", "nag: $7 (ply 1)"]);
    }

    #[test]
    fn encode_inexpressible_move_ends_line() {
        // The king captures its own rook on f1, which only Chess960 castling could mean.
        let mut odd = game(&["f1h1", "(", "e1d1", "e8d8", "(", "e8f8", ")", ")", "e8d8", "{x}"]);
        odd.set_start_fen("4k3/8/8/8/8/8/8/4KK1R w - - 0 1").unwrap();
        let mut two_kings = odd.start_position();
        two_kings.set(Square::E1, None);
        odd.set_start(two_kings);
        let (bytes, losses) = encode(&odd);
        assert_eq!(bytes[0], 1);
        assert_eq!(bytes.len(), 2 + usize::from(bytes[1]), "nothing but the start position");
        assert_eq!(losses, ["move: f1h1 (ply 1)"]);

        let (bytes, losses) = encode(&game(&["e2e4", "(", ")", "(", "a2a4k", "e7e5", ")", "e7e5"]));
        assert_eq!(bytes, [0x00, 0x03, 0x1c, 0x0d, 0x24]);
        assert_eq!(losses, ["variation: no moves (ply 1)", "move: a2a4k (ply 1)"]);
    }

    #[test]
    fn encode_start_position_chess960_is_error() {
        let start = |fen: &str| {
            let mut game = Game::new();
            game.set_start_fen(fen).unwrap();
            encode(&game)
        };
        let usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let (bytes, losses) = start(usual);
        assert_eq!(bytes, [0x00]);
        assert_eq!(losses, ["tag: FEN of the usual start position"]);
        let (bytes, losses) = start("4k3/8/8/8/8/8/8/4K3 w");
        assert_eq!(&bytes[2..], b"4k3/8/8/8/8/8/8/4K3 w - - 0 1");
        assert!(losses.is_empty());
        let (_, losses) = start("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1");
        assert_eq!(losses, ["setup: 4k3/8/8/8/8/8/8/4K3 w KQ - 0 1"]);

        let mut game = Game::new();
        game.set_start_fen("4k3/8/8/8/8/8/8/1R3K2 w Q - 0 1").unwrap();
        let mut encoder = RecordEncoder::default();
        let error = encoder.encode(&game, &mut Losses::new(), &mut Vec::new()).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Chess960));
    }
}
