//! Comments without a marker. They belong to the nodes after the last marked one, in PGN order.
//! (scid §4.4 "The stream")
//!
//! In `1. d4 {a} d5 2. c4`, where only the comment of d4 has a marker, a second text belongs to d5
//! and a third to c4. The nodes are the place before the first move, every move, and the beginning
//! and the end of every variation.

use std::borrow::Cow;

use chess_core::{Game, Token};

use crate::stream::split_nul;

/// Splits the bytes after the last marked comment into texts, each with its NUL, and the bytes that
/// are none: empty texts after the last other one, and a text without a NUL.
// scid §4.4.20
pub(crate) fn split_texts(rest: &[u8]) -> (&[u8], &[u8]) {
    let complete = memchr::memrchr(0, rest).and_then(|last| rest.get(..last)).unwrap_or_default();
    let end = match complete.iter().rposition(|byte| *byte != 0) {
        // The byte after it is its NUL.
        Some(last) => last.saturating_add(2),
        None => 0,
    };
    rest.split_at_checked(end).unwrap_or((rest, &[]))
}

/// The texts without a marker, each with its offset.
struct Texts<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Iterator for Texts<'a> {
    type Item = (&'a [u8], usize);

    fn next(&mut self) -> Option<Self::Item> {
        let (text, rest) = split_nul(self.bytes)?;
        let offset = self.offset;
        self.offset = offset.saturating_add(self.bytes.len().saturating_sub(rest.len()));
        self.bytes = rest;
        Some((text, offset))
    }
}

/// Adds `texts` to the nodes of `game` after its last comment. Returns the offsets of the texts that
/// Scid would drop, because they fell to the end of a variation or found no node.
///
/// # Errors
/// The offset of the first text beyond the limits of a [`Game`].
// scid §4.4.16, §4.4.19
pub(crate) fn attach<'a>(
    game: &mut Game,
    texts: &'a [u8],
    decode: impl Fn(&'a [u8]) -> Cow<'a, str>,
) -> Result<Vec<usize>, usize> {
    let old = game.clone();
    game.clear_line();
    if let Some(setup) = old.setup() {
        // Cannot fail: the old game has it.
        let _ = game.set_start_fen(setup.fen());
    }
    let mut texts = Texts { bytes: texts, offset: 0 };
    let mut homeless = Vec::new();
    // `true` from a node after the last marked one until its text is added.
    let mut awaits = false;
    let first = match last_marked(&old) {
        Marked::Nothing => {
            awaits = true;
            0
        }
        Marked::Start => 0,
        Marked::Node(index) => index.saturating_add(1),
    };
    let mut take = |game: &mut Game, has_node: bool| -> Result<bool, usize> {
        let Some((text, offset)) = texts.next() else { return Ok(false) };
        if !text.is_empty() {
            game.push_comment(&decode(text)).map_err(|_| offset)?;
            if !has_node {
                homeless.push(offset);
            }
        }
        Ok(true)
    };
    for (index, token) in old.tokens().enumerate() {
        let is_node = matches!(token, Token::Move(_) | Token::VariationStart | Token::VariationEnd);
        if is_node && std::mem::take(&mut awaits) {
            take(game, true)?;
        }
        if is_node && index >= first {
            if token == Token::VariationEnd {
                take(game, false)?;
            } else {
                awaits = true;
            }
        }
        // Cannot fail: the tokens come from a game.
        let _ = game.push(token);
    }
    if awaits {
        take(game, true)?;
    }
    while take(game, false)? {}
    Ok(homeless)
}

/// The node of the last comment that has a marker.
enum Marked {
    /// No comment has a marker.
    Nothing,
    /// The place before the first move.
    Start,
    /// The index of the node's token.
    Node(usize),
}

fn last_marked(game: &Game) -> Marked {
    let mut marked = Marked::Nothing;
    let mut node = None;
    let mut outer = Vec::new();
    for (index, token) in game.tokens().enumerate() {
        match token {
            Token::Move(_) => node = Some(index),
            Token::VariationStart => {
                outer.push(node);
                node = Some(index);
            }
            Token::VariationEnd => node = outer.pop().flatten(),
            Token::Comment(_) => marked = node.map_or(Marked::Start, Marked::Node),
            Token::Nag(_) => {}
        }
    }
    marked
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(game: &Game) -> String {
        let words = game.tokens().map(|token| match token {
            Token::Move(m) => m.to_string(),
            Token::Nag(nag) => nag.to_string(),
            Token::Comment(text) => format!("{{{text}}}"),
            Token::VariationStart => String::from("("),
            Token::VariationEnd => String::from(")"),
        });
        words.collect::<Vec<_>>().join(" ")
    }

    fn game(tokens: &[Token<'_>]) -> Game {
        let mut game = Game::new();
        for token in tokens {
            game.push(*token).unwrap();
        }
        game
    }

    /// Attaches to `1. e4 (1. d4 d5) e5 2. Nf3` with a marked comment after token `marked`.
    fn attached(marked: Option<usize>, texts: &[u8]) -> (String, Vec<usize>) {
        let m = |text: &str| Token::Move(text.parse().unwrap());
        let (open, close) = (Token::VariationStart, Token::VariationEnd);
        let mut tokens = vec![m("e2e4"), open, m("d2d4"), m("d7d5"), close, m("e7e5"), m("g1f3")];
        if let Some(index) = marked {
            tokens.insert(index, Token::Comment("x"));
        }
        let mut game = game(&tokens);
        let homeless = attach(&mut game, texts, String::from_utf8_lossy).unwrap();
        (line(&game), homeless)
    }

    // Scid 4.7.4 shows the same, without the texts at the ends of lines, which it drops.
    #[test]
    fn attach_follows_pgn_order_of_nodes() {
        let all = b"a\0b\0c\0d\0e\0f\0g\0h\0i\0";
        let expected = [
            (None, "{a} e2e4 {b} ( {c} d2d4 {d} d7d5 {e} {f} ) e7e5 {g} g1f3 {h} {i}"),
            (Some(0), "{x} e2e4 {a} ( {b} d2d4 {c} d7d5 {d} {e} ) e7e5 {f} g1f3 {g} {h} {i}"),
            (Some(1), "e2e4 {x} ( {a} d2d4 {b} d7d5 {c} {d} ) e7e5 {e} g1f3 {f} {g} {h} {i}"),
            (Some(2), "e2e4 ( {x} d2d4 {a} d7d5 {b} {c} ) e7e5 {d} g1f3 {e} {f} {g} {h} {i}"),
            (Some(4), "e2e4 ( d2d4 d7d5 {x} {a} ) e7e5 {b} g1f3 {c} {d} {e} {f} {g} {h} {i}"),
            // A marker after the variation belongs to e4 all the same.
            (Some(5), "e2e4 ( {a} d2d4 {b} d7d5 {c} {d} ) {x} e7e5 {e} g1f3 {f} {g} {h} {i}"),
            (Some(7), "e2e4 ( d2d4 d7d5 ) e7e5 g1f3 {x} {a} {b} {c} {d} {e} {f} {g} {h} {i}"),
        ];
        for (marked, expected) in expected {
            assert_eq!(attached(marked, all).0, expected, "{marked:?}");
        }
    }

    #[test]
    fn attach_text_without_node_is_told() {
        assert_eq!(attached(Some(4), b"a\0b\0c\0").1, [0]);
        assert_eq!(attached(Some(6), b"a\0b\0cc\0d\0").1, [2, 4, 7]);
        assert_eq!(attached(Some(6), b"a\0").1, [0usize; 0]);
    }

    #[test]
    fn attach_empty_text_leaves_node_without_comment() {
        let (line, homeless) = attached(Some(4), b"\0\0c\0");
        assert_eq!(line, "e2e4 ( d2d4 d7d5 {x} ) e7e5 g1f3 {c}");
        assert!(homeless.is_empty());
    }

    #[test]
    fn split_texts_separates_trailing_bytes() {
        let split: [(&[u8], usize); 7] = [
            (b"", 0),
            (b"a", 0),
            (b"a\0", 2),
            (b"\0\0", 0),
            (b"\0\0a\0\0\0", 4),
            (b"a\0\0b\0c", 5),
            (b"a\0\0c", 2),
        ];
        for (bytes, length) in split {
            let (texts, trailing) = split_texts(bytes);
            assert_eq!(texts.len(), length, "{bytes:?}");
            assert_eq!([texts, trailing].concat(), bytes);
        }
    }
}
