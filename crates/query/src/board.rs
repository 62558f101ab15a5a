//! Boards with wildcards.

use std::ops::RangeInclusive;
use std::str::FromStr;

use chess_core::{Bitboard, Color, Position, Role, Square};

use crate::{QueryError, mirrored, ranges};

/// Conditions on the squares of a board, in one of two forms.
///
/// **A list** has words of pieces and a square, with blanks or commas between them: `Pd4 pd5 .e4`.
///
/// | word | means |
/// |---|---|
/// | `Pd4`, `pd5` | a white pawn on d4, a black pawn on d5 |
/// | `.e4`, `*e4` | nothing on e4, any piece on e4 |
/// | `[NB]c3`, `[^Pp]e4` | one of these on c3, none of these on e4 |
/// | `Rd?`, `n?5`, `q??` | a white rook on the d-file, a black knight on the fifth rank, a black queen |
/// | `!Pd?` | no white pawn on the d-file |
/// | `w`, `b` | White, Black is to move |
/// | `@20..`, `@..15` | in these moves |
///
/// **A board** is written like in a FEN: `///pp?3pp//??PP????//` and the last three kinds of words. There `?` is a
/// square that may be anything, and a rank without letters may be anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardPattern {
    conditions: Vec<Condition>,
    turn: Option<Color>,
    moves: Vec<RangeInclusive<u32>>,
    /// The fewest pieces of a position that fits.
    fewest: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Condition {
    contents: Contents,
    squares: Bitboard,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// All squares have the contents.
    All,
    /// One of the squares has them.
    Any,
    /// None has.
    None,
}

/// The contents that a square may have: a bit for nothing, then one for each role of White and of Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Contents(u16);

const PIECES: &str = "PNBRQKpnbrqk";
const WHAT: &str = "a pattern; write squares, as 'Pd4 pd5 .e4 [NB]c3 Rd? !Pe? @20..', or a board, \
                    as '///pp?pp?pp//???P????//'";
/// More conditions than any board needs.
const MOST: usize = 256;

impl Contents {
    const NOTHING: Contents = Contents(1);
    const PIECE: Contents = Contents(0x1ffe);
    const ANYTHING: Contents = Contents(0x1fff);

    /// Parses one letter, `.`, `*` or `?`.
    fn of(letter: char) -> Option<Contents> {
        match letter {
            '.' => Some(Contents::NOTHING),
            '*' => Some(Contents::PIECE),
            '?' => Some(Contents::ANYTHING),
            _ => {
                let place = PIECES.find(letter)?;
                let shift = u32::try_from(place).ok()?.saturating_add(1);
                Some(Contents(1u16.checked_shl(shift)?))
            }
        }
    }

    /// Splits contents from the front of `text`: one letter, or letters in brackets.
    fn split(text: &str) -> Option<(Contents, &str)> {
        let first = text.chars().next()?;
        let rest = text.get(first.len_utf8()..)?;
        if first != '[' {
            return Some((Contents::of(first)?, rest));
        }
        let (inside, rest) = rest.split_once(']')?;
        let (letters, is_not) = inside.strip_prefix('^').map_or((inside, false), |l| (l, true));
        let mut all = Contents(0);
        for letter in letters.chars() {
            all.0 |= Contents::of(letter)?.0;
        }
        if is_not {
            all.0 ^= Contents::ANYTHING.0;
        }
        (!letters.is_empty() && all.0 != 0).then_some((all, rest))
    }

    /// Returns the squares that have one of these contents.
    fn squares(self, position: &Position) -> Bitboard {
        if self == Contents::PIECE {
            return position.occupied();
        }
        let mut found = (!position.occupied()).only_if(self.0 & 1 != 0);
        for (color, first) in Color::ALL.into_iter().zip([1u32, 7]) {
            for (role, place) in Role::ALL.into_iter().zip(first..) {
                if self.0 & 1u16.checked_shl(place).unwrap_or(0) != 0 {
                    found |= position.pieces(role, color);
                }
            }
        }
        found
    }

    fn needs_piece(self) -> bool {
        self.0 & 1 == 0
    }
}

impl BoardPattern {
    /// Parses a pattern, as [`BoardPattern`] describes it.
    ///
    /// # Errors
    /// [`QueryError`]
    pub fn parse(text: &str) -> Result<BoardPattern, QueryError> {
        let mut pattern =
            BoardPattern { conditions: Vec::new(), turn: None, moves: Vec::new(), fewest: 0 };
        let mut words = text.split([' ', ',', '\t']).filter(|word| !word.is_empty()).peekable();
        if words.peek().is_none() {
            return Err(QueryError::Empty);
        }
        for word in words {
            pattern.add(word)?;
        }
        if pattern.conditions.is_empty() || pattern.conditions.len() > MOST {
            return Err(QueryError::unreadable(text, WHAT));
        }
        let fewest = pattern.conditions.iter().map(Condition::fewest);
        pattern.fewest = fewest.fold(0, u32::saturating_add);
        Ok(pattern)
    }

    fn add(&mut self, word: &str) -> Result<(), QueryError> {
        let wrong = || QueryError::unreadable(word, WHAT);
        if let Some(moves) = word.strip_prefix('@') {
            self.moves.extend(ranges::lengths(moves)?);
            return Ok(());
        }
        match word {
            "w" => self.turn = Some(Color::White),
            "b" => self.turn = Some(Color::Black),
            _ if word.contains('/') => self.conditions.extend(board(word).ok_or_else(wrong)?),
            _ => self.conditions.push(Condition::parse(word).ok_or_else(wrong)?),
        }
        Ok(())
    }

    /// Returns a query in CQL.
    pub(crate) fn to_cql(&self) -> String {
        let turn = self.turn.map(|turn| if turn == Color::White { "wtm" } else { "btm" });
        let mut words: Vec<String> = turn.map(str::to_owned).into_iter().collect();
        let moves = self.moves.iter().map(|range| {
            let most = Some(*range.end()).filter(|most| *most < u32::MAX);
            mirrored::between("movenumber", *range.start(), most).unwrap_or("true".to_owned())
        });
        let moves: Vec<String> = moves.collect();
        if !moves.is_empty() {
            words.push(format!("{{{}}}", moves.join(" or ")));
        }
        words.extend(self.conditions.iter().map(Condition::to_cql));
        format!("{{{}}}", words.join(" "))
    }

    /// Returns whether `position` fits.
    #[must_use]
    pub fn fits(&self, position: &Position) -> bool {
        self.turn.is_none_or(|turn| turn == position.turn())
            && crate::filter::any(&self.moves, |range| {
                range.contains(&u32::from(position.fullmove_number()))
            })
            && self.conditions.iter().all(|condition| condition.holds(position))
    }

    /// Returns whether a later position can fit. Captures are irreversible.
    pub(super) fn may_follow(&self, position: &Position) -> bool {
        position.occupied().count() >= self.fewest
    }
}

impl FromStr for BoardPattern {
    type Err = QueryError;

    /// Calls [`parse`](BoardPattern::parse).
    fn from_str(text: &str) -> Result<BoardPattern, QueryError> {
        BoardPattern::parse(text)
    }
}

impl Condition {
    /// Parses a word of a list.
    fn parse(word: &str) -> Option<Condition> {
        let (word, is_not) = word.strip_prefix('!').map_or((word, false), |word| (word, true));
        let (contents, square) = Contents::split(word)?;
        let mut letters = square.chars();
        let (file, rank, None) = (letters.next()?, letters.next()?, letters.next()) else {
            return None;
        };
        let place = |letter: char, letters: &str| -> Option<u8> {
            u8::try_from(letters.find(letter)?).ok()
        };
        let files = match file {
            '?' => !Bitboard::EMPTY,
            _ => Bitboard::file(place(file, "abcdefgh")?),
        };
        let ranks = match rank {
            '?' => !Bitboard::EMPTY,
            _ => Bitboard::rank(place(rank, "12345678")?),
        };
        let kind = if is_not { Kind::None } else { Kind::Any };
        (contents != Contents::ANYTHING).then_some(Condition {
            contents,
            squares: files & ranks,
            kind,
        })
    }

    fn holds(&self, position: &Position) -> bool {
        let found = self.contents.squares(position) & self.squares;
        match self.kind {
            Kind::All => found == self.squares,
            Kind::Any => found.has_any(),
            Kind::None => found.is_empty(),
        }
    }

    /// Returns a filter in CQL.
    fn to_cql(&self) -> String {
        let letters = PIECES.chars().zip(1u32..).chain([('_', 0)]);
        let is_allowed = |place: u32| self.contents.0 & 1u16.checked_shl(place).unwrap_or(0) != 0;
        let letters: String = match self.contents {
            Contents::PIECE => "Aa".to_owned(),
            _ => {
                letters.filter(|(_, place)| is_allowed(*place)).map(|(letter, _)| letter).collect()
            }
        };
        let letters = if letters.len() == 1 { letters } else { format!("[{letters}]") };
        let (squares, count) = (mirrored::squares(self.squares), self.squares.count());
        match self.kind {
            Kind::All if count > 1 => format!("{letters}{squares}=={count}"),
            Kind::None => format!("{letters}{squares}==0"),
            Kind::All | Kind::Any => format!("{letters}{squares}"),
        }
    }

    /// Returns the number of pieces that this condition alone needs.
    fn fewest(&self) -> u32 {
        match self.kind {
            Kind::All if self.contents.needs_piece() => self.squares.count(),
            _ => 0,
        }
    }
}

/// Parses the board of a FEN with wildcards. Squares with equal contents share a condition.
fn board(text: &str) -> Option<Vec<Condition>> {
    let mut conditions: Vec<Condition> = Vec::new();
    let mut ranks = 0u8;
    for row in text.split('/') {
        let rank = 7u8.checked_sub(ranks)?;
        ranks += 1;
        let (mut file, mut rest) = (0u8, row);
        while let Some(first) = rest.chars().next() {
            let (contents, squares, after) = match first.to_digit(10) {
                Some(empty @ 1..=8) => {
                    (Contents::NOTHING, u8::try_from(empty).ok()?, rest.get(1..)?)
                }
                Some(_) => return None,
                None => {
                    let (contents, after) = Contents::split(rest)?;
                    (contents, 1, after)
                }
            };
            for file in file..file.checked_add(squares)? {
                let square = Bitboard::of(Square::at(file, rank)?);
                let same = conditions.iter_mut().find(|own| own.contents == contents);
                match same {
                    Some(own) => own.squares |= square,
                    None => {
                        let kind = Kind::All;
                        conditions.push(Condition { contents, squares: square, kind });
                    }
                }
            }
            (file, rest) = (file.saturating_add(squares), after);
        }
        if file != 0 && file != 8 {
            return None;
        }
    }
    conditions.retain(|condition| condition.contents != Contents::ANYTHING);
    (ranks == 8 && !conditions.is_empty()).then_some(conditions)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(moves: &str) -> Position {
        let mut position = Position::start();
        moves.split(' ').for_each(|m| position.apply(m.parse().unwrap()));
        position
    }

    #[test]
    fn fits_list_tests_each_square() {
        // 1. e4 c5 2. Nf3
        let sicilian = after("e2e4 c7c5 g1f3");
        for (pattern, expected) in [
            ("Pe4 pc5", true),
            ("Pe4,pc5,b", true),
            ("Pe4 w", false),
            ("Pe4 pe5", false),
            (".e2 *e1", true),
            (".e1", false),
            ("[NB]f3", true),
            ("[^NB]f3", false),
            ("[^.]f3", true),
            ("Pe?", true),
            ("pe? P?4", true),
            ("p?4", false),
            ("!Pf? Q??", false),
            ("!P?5 q??", true),
            ("Nf3 @2", true),
            ("Nf3 @1", false),
            ("Nf3 @2..", true),
            ("Nf3 @3..", false),
        ] {
            assert_eq!(
                BoardPattern::parse(pattern).unwrap().fits(&sicilian),
                expected,
                "{pattern}"
            );
        }
    }

    #[test]
    fn fits_board_tests_given_squares_only() {
        let sicilian = after("e2e4 c7c5 g1f3");
        for (pattern, expected) in [
            ("rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R", true),
            ("rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b", true),
            ("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR", false),
            ("///??p?????/????P???///", true),
            ("///??p?????/????P???///", true),
            ("//////////", false),
            ("////????P?[.p]?///", true),
            ("////????P?[Pp]?///", false),
            ("////4*???///", true),
        ] {
            let parsed = BoardPattern::parse(pattern);
            let fits = parsed.is_ok_and(|pattern| pattern.fits(&sicilian));
            assert_eq!(fits, expected, "{pattern}");
        }
    }

    #[test]
    fn parse_invalid_pattern_is_error() {
        for wrong in [
            "Pe9",
            "Pi4",
            "Xe4",
            "e4",
            "P",
            "[]e4",
            "[^PNBRQKpnbrqk.]e4",
            "[Pe4",
            "?e4",
            "Pe4x",
            "w",
            "@20",
            "///////",
            "8/8",
            "9///////",
            "ppp///////",
            "ppppppppp///////",
            "Pe4 @x",
            "Pé4",
            "é///////",
        ] {
            assert!(BoardPattern::parse(wrong).is_err(), "{wrong}");
        }
        assert_eq!(BoardPattern::parse(" , "), Err(QueryError::Empty));
        assert!("Pe4".parse::<BoardPattern>().is_ok());
    }

    #[test]
    fn may_follow_needs_pieces_of_board() {
        let few = Position::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        let pattern = |text| BoardPattern::parse(text).unwrap();
        assert!(!pattern("pppp????///////").may_follow(&few));
        assert!(pattern("pppp????///////").may_follow(&Position::start()));
        assert!(pattern("Pe4 Pd4 Pc4").may_follow(&few), "words may name one square twice");
    }
}
