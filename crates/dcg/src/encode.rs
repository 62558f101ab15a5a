//! A `Game` to its record; the mirror image is `decode`.
//!
//! A record has NAGs and one comment right after a move, then the variations to it. A game may
//! have them in any order, so a first walk gathers what belongs to each move.

use chess_core::seam::{Loss, LossKind};
use chess_core::{Color, Game, Location, Move, Position, Replay, Square, Token};

use crate::error::{Error, ErrorKind};
use crate::layout::{
    FEN_FOLLOWS, FEN_NONE, TAG_COMMENT, TAG_NAGS, TAG_NULL_MOVE, TAG_VARIATION, TAG_VARIATION_END,
};
use crate::length::encode_length;
use crate::moves::PlainMove;
use crate::promotion::code_of;

/// Makes records of games, reusing its memory.
#[derive(Debug)]
pub struct Encoder {
    replay: Replay,
    notes: Notes,
    lines: Vec<Line>,
}

impl Default for Encoder {
    fn default() -> Encoder {
        Encoder { replay: Replay::new(&Game::new()), notes: Notes::default(), lines: Vec::new() }
    }
}

/// A line being written.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    /// Where its first byte stands.
    start: usize,
    /// Whether a move of it was written.
    started: bool,
    /// Whether the rest of it is left out.
    dropped: bool,
}

impl Encoder {
    /// Appends the record of a game, without its length, and adds to `losses` what it cannot hold.
    ///
    /// # Errors
    /// [`ErrorKind::Chess960`], and nothing is appended.
    // dcg §6 "Game record"
    pub fn encode(
        &mut self,
        game: &Game,
        losses: &mut Vec<Loss>,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        encode_start(game, losses, out)?;
        self.notes.gather(game, losses);
        self.replay.restart(game);
        self.lines.clear();
        self.lines.push(Line { start: out.len(), started: true, dropped: false });
        self.notes.write(0, 0, losses, out);
        let mut node = 0u32;
        for token in game.tokens() {
            match token {
                Token::Move(m) => {
                    node = node.saturating_add(1);
                    self.encode_move(m, node, losses, out);
                }
                Token::VariationStart => self.start_variation(out),
                Token::VariationEnd => self.end_variation(losses, out),
                Token::Nag(_) | Token::Comment(_) => {}
            }
            self.replay.step(token);
        }
        Ok(())
    }

    #[inline]
    fn encode_move(&mut self, m: Move, node: u32, losses: &mut Vec<Loss>, out: &mut Vec<u8>) {
        let ply = self.replay.ply();
        let Some(line) = self.lines.last_mut().filter(|line| !line.dropped) else {
            return self.notes.skip(node);
        };
        if m.is_null() {
            out.push(TAG_NULL_MOVE);
        } else if let Some(plain) = plain_move(m, self.replay.position()) {
            out.extend_from_slice(&plain.to_bytes());
        } else {
            line.dropped = true;
            losses.push(Loss::at_ply(LossKind::Move, m.to_string(), ply));
            return self.notes.skip(node);
        }
        line.started = true;
        self.notes.write(node, ply, losses, out);
    }

    fn start_variation(&mut self, out: &mut Vec<u8>) {
        let dropped = self.lines.last().is_some_and(|line| line.dropped);
        self.lines.push(Line { start: out.len(), started: false, dropped });
        if !dropped {
            out.push(TAG_VARIATION);
        }
    }

    fn end_variation(&mut self, losses: &mut Vec<Loss>, out: &mut Vec<u8>) {
        let Some(line) = self.lines.pop() else { return };
        if line.started {
            out.push(TAG_VARIATION_END);
        } else if out.len() > line.start {
            // No move of it was written: the author's program has no empty variations.
            out.truncate(line.start);
            if !line.dropped {
                let ply = self.replay.ply();
                losses.push(Loss::at_ply(LossKind::Variation, "no moves", ply));
            }
        }
    }
}

/// The move of two bytes, castling as the king's move alone. `None` for what the format lacks.
// dcg §6.3.2 "Castling"
#[inline]
fn plain_move(m: Move, position: &Position) -> Option<PlainMove> {
    let code = match m.promotion() {
        Some(role) => code_of(role)?,
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

/// The marker and, if need be, the FEN, spelt anew from the position as the author's program does.
// dcg §6.2 "Start position"
fn encode_start(game: &Game, losses: &mut Vec<Loss>, out: &mut Vec<u8>) -> Result<(), Error> {
    let Some(setup) = game.setup() else {
        out.push(FEN_NONE);
        return Ok(());
    };
    let position = setup.position();
    if is_chess960(position) {
        return Err(ErrorKind::Chess960.at(Location::default()));
    }
    if *position == Position::start() {
        out.push(FEN_NONE);
        return Ok(());
    }
    let fen = position.to_fen();
    let mut fields = fen.split(' ');
    if !setup.fen().split_ascii_whitespace().all(|field| fields.next() == Some(field)) {
        losses.push(Loss::new(LossKind::Setup, setup.fen()));
    }
    out.push(FEN_FOLLOWS);
    encode_length(u32::try_from(fen.len()).unwrap_or(u32::MAX), out);
    out.extend_from_slice(fen.as_bytes());
    Ok(())
}

/// Whether a king may castle from or with a rook on other squares than the usual ones.
fn is_chess960(position: &Position) -> bool {
    position.castling_rooks().any(|rook| {
        let color = if rook.rank() == 0 { Color::White } else { Color::Black };
        let king = position.king(color).map_or(4, Square::file);
        king != 4 || !matches!(rook.file(), 0 | 7)
    })
}

/// The comments and NAGs of a game by the move they go to: node 0 is the start, node n the n-th
/// move token.
#[derive(Debug, Default)]
struct Notes {
    comments: Vec<Comment>,
    nags: Vec<(u32, u32, u8)>,
    text: String,
    /// How many of each were written or skipped.
    comments_done: usize,
    nags_done: usize,
    /// The last move of each open line, and whether it has had a variation since.
    lines: Vec<(Option<u32>, bool)>,
    joined: String,
}

#[derive(Clone, Copy, Debug)]
struct Comment {
    node: u32,
    /// Where its text stands in `Notes::text`.
    start: usize,
    end: usize,
    /// Whether it stood elsewhere than right after its move.
    moved: bool,
}

impl Notes {
    // dcg §9.1 "Comments and NAGs"
    fn gather(&mut self, game: &Game, losses: &mut Vec<Loss>) {
        self.comments.clear();
        self.nags.clear();
        self.text.clear();
        self.lines.clear();
        (self.comments_done, self.nags_done) = (0, 0);
        let (mut line, mut late) = (None, false);
        let mut node = 0u32;
        let mut sorted = true;
        for token in game.tokens() {
            match token {
                Token::Move(_) => {
                    node = node.saturating_add(1);
                    (line, late) = (Some(node), false);
                }
                Token::VariationStart => {
                    self.lines.push((line, late));
                    (line, late) = (None, false);
                }
                Token::VariationEnd => {
                    line = self.lines.pop().and_then(|(line, _)| line);
                    late = true;
                    sorted = false;
                }
                Token::Comment(text) => self.comment(text, line, late),
                Token::Nag(nag) => match (line, u8::try_from(nag.0)) {
                    (Some(node), Ok(code)) => {
                        let place = u32::try_from(self.nags.len()).unwrap_or(u32::MAX);
                        self.nags.push((node, place, code));
                    }
                    _ => losses.push(Loss::new(LossKind::Nag, nag.to_string())),
                },
            }
        }
        if !sorted {
            self.comments.sort_unstable_by_key(|comment| (comment.node, comment.start));
            self.nags.sort_unstable();
        }
    }

    fn comment(&mut self, text: &str, line: Option<u32>, late: bool) {
        // Before the first move of a variation: to the move that the variation replaces.
        let replaced = || self.lines.last().and_then(|(outer, _)| *outer);
        let (node, moved) = match line {
            Some(node) => (node, late),
            None => replaced().map_or((0, false), |node| (node, true)),
        };
        let start = self.text.len();
        self.text.push_str(text);
        // A byte between texts keeps empty ones in order.
        let end = self.text.len();
        self.text.push(' ');
        self.comments.push(Comment { node, start, end, moved });
    }

    /// Appends what goes to a node. Nodes come in ascending order.
    #[inline]
    fn write(&mut self, node: u32, ply: u32, losses: &mut Vec<Loss>, out: &mut Vec<u8>) {
        if self.nags.get(self.nags_done).is_some_and(|nag| nag.0 <= node) {
            self.write_nags(node, out);
        }
        if self.comments.get(self.comments_done).is_some_and(|comment| comment.node <= node) {
            self.write_comment(node, ply, losses, out);
        }
    }

    fn write_nags(&mut self, node: u32, out: &mut Vec<u8>) {
        let rest = self.nags.get(self.nags_done..).unwrap_or_default();
        let count = rest.iter().take_while(|nag| nag.0 <= node).count();
        out.push(TAG_NAGS);
        encode_length(u32::try_from(count).unwrap_or(u32::MAX), out);
        out.extend(rest.iter().take(count).map(|nag| nag.2));
        self.nags_done = self.nags_done.saturating_add(count);
    }

    fn write_comment(&mut self, node: u32, ply: u32, losses: &mut Vec<Loss>, out: &mut Vec<u8>) {
        let rest = self.comments.get(self.comments_done..).unwrap_or_default();
        let count = rest.iter().take_while(|comment| comment.node <= node).count();
        self.joined.clear();
        for comment in rest.iter().take(count) {
            let text = self.text.get(comment.start..comment.end).unwrap_or_default();
            if text.is_empty() {
                losses.push(Loss::at_ply(LossKind::Comment, "an empty one", ply));
                continue;
            }
            if comment.moved || !self.joined.is_empty() {
                losses.push(Loss::at_ply(LossKind::CommentMoved, shorten(text), ply));
            }
            if !self.joined.is_empty() {
                self.joined.push(' ');
            }
            self.joined.push_str(text);
        }
        self.comments_done = self.comments_done.saturating_add(count);
        if !self.joined.is_empty() {
            out.push(TAG_COMMENT);
            encode_length(u32::try_from(self.joined.len()).unwrap_or(u32::MAX), out);
            out.extend_from_slice(self.joined.as_bytes());
        }
    }

    /// Passes over what goes to a node that is not written.
    fn skip(&mut self, node: u32) {
        while self.nags.get(self.nags_done).is_some_and(|nag| nag.0 <= node) {
            self.nags_done = self.nags_done.saturating_add(1);
        }
        while self.comments.get(self.comments_done).is_some_and(|comment| comment.node <= node) {
            self.comments_done = self.comments_done.saturating_add(1);
        }
    }
}

/// The beginning of a text, for a report.
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
        let (mut out, mut losses) = (Vec::new(), Vec::new());
        Encoder::default().encode(game, &mut losses, &mut out).unwrap();
        (out, losses.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn the_order_of_a_node() {
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
    fn comments_join() {
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
    fn nags_without_a_place() {
        let (bytes, losses) =
            encode(&game(&["$5", "e2e4", "$255", "$256", "(", "$7", "d2d4", ")"]));
        assert_eq!(bytes, [0x00, 0x03, 0x1c, 0x87, 1, 0xff, 0x84, 0x02, 0xdb, 0x85]);
        assert_eq!(losses, ["nag: $5", "nag: $256", "nag: $7"]);
    }

    #[test]
    fn what_cannot_be_said_ends_its_line() {
        // The king takes its own rook on f1, which only Chess960 castling could mean.
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
    fn start_positions() {
        let start = |fen: &str| {
            let mut game = Game::new();
            game.set_start_fen(fen).unwrap();
            encode(&game)
        };
        let usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(start(usual).0, [0x00]);
        let (bytes, losses) = start("4k3/8/8/8/8/8/8/4K3 w");
        assert_eq!(&bytes[2..], b"4k3/8/8/8/8/8/8/4K3 w - - 0 1");
        assert!(losses.is_empty());
        let (_, losses) = start("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1");
        assert_eq!(losses, ["setup: 4k3/8/8/8/8/8/8/4K3 w KQ - 0 1"]);

        let mut game = Game::new();
        game.set_start_fen("4k3/8/8/8/8/8/8/1R3K2 w Q - 0 1").unwrap();
        let error = Encoder::default().encode(&game, &mut Vec::new(), &mut Vec::new()).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Chess960));
    }
}
