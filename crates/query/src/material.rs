//! Searches for material: `KRP-KR`.

use std::ops::RangeInclusive;
use std::str::FromStr;

use chess_core::{Color, Position, Role};
use chess_store::MaterialLimit;

use crate::{QueryError, mirrored};

/// The pieces of both sides to search for.
///
/// Each side has one king and exactly the other pieces that are named: `KRP-KR` is rook and pawn
/// against rook. Numbers of a piece can be left open: `P2` or `PP` are two pawns, `P1..3` one to
/// three, `P2..` two or more, `P?` at most one, `P*` any number, `P+` one or more.
///
/// Either side can be White. With `w:` before it the first side is White, with `b:` Black. `:8` at the
/// end asks for 8 half-moves: the material must be on the board in 8 positions in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Material {
    first: Side,
    second: Side,
    /// The colour of the first side, if given.
    color: Option<Color>,
    /// Positions in a row.
    positions: u32,
}

const WHAT: &str = "material; write KRP-KR, QP*-RR, w:KBN-K or KRP1..2-KR:8";

/// The most pieces of one kind that can be asked for.
const MOST: u32 = 64;

/// The roles that are counted, in the order of their letters.
const COUNTED: [(Role, char); 5] = [
    (Role::Queen, 'Q'),
    (Role::Rook, 'R'),
    (Role::Bishop, 'B'),
    (Role::Knight, 'N'),
    (Role::Pawn, 'P'),
];

/// The pieces of one side: a range for each counted role.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Side {
    counts: [RangeInclusive<u32>; 5],
    /// The fewest pieces, with the king, and the fewest pawns.
    fewest: u32,
    fewest_pawns: u32,
}

impl Material {
    /// Parses material, as [`Material`] describes it.
    ///
    /// # Errors
    /// [`QueryError`]
    pub fn parse(text: &str) -> Result<Material, QueryError> {
        let wrong = || QueryError::unreadable(text, WHAT);
        let trimmed = text.trim();
        if trimmed.is_empty() {
            return Err(QueryError::Empty);
        }
        let (color, sides) = match trimmed.get(..2) {
            Some("w:" | "W:") => (Some(Color::White), trimmed.get(2..).unwrap_or_default()),
            Some("b:" | "B:") => (Some(Color::Black), trimmed.get(2..).unwrap_or_default()),
            _ => (None, trimmed),
        };
        let (sides, positions) = match sides.split_once(':') {
            Some((sides, plies)) => (sides, plies.parse().ok().filter(|plies| *plies > 0)),
            None => (sides, Some(1)),
        };
        let (first, second) = sides.split_once('-').ok_or_else(wrong)?;
        let side = |text: &str| Side::parse(text.trim()).ok_or_else(wrong);
        let positions = positions.ok_or_else(wrong)?;
        Ok(Material { first: side(first)?, second: side(second)?, color, positions })
    }

    /// Returns a query in CQL.
    pub(crate) fn to_cql(&self) -> String {
        let first = self.color.unwrap_or(Color::White);
        let (white, black) = match first {
            Color::White => (&self.first, &self.second),
            Color::Black => (&self.second, &self.first),
        };
        let mut words = vec!["K".to_owned(), "k".to_owned()];
        for (side, color) in [(white, Color::White), (black, Color::Black)] {
            words.extend(side.counts.iter().zip(COUNTED).filter_map(|(count, (role, _))| {
                let most = Some(*count.end()).filter(|most| *most < MOST);
                mirrored::between(&mirrored::letter(role, color).to_string(), *count.start(), most)
            }));
        }
        let all = format!("{{{}}}", words.join(" "));
        // Material matches from the position on that completes the half-moves.
        let all = match self.positions {
            1 => all,
            positions => format!("{{line <-- {all}{{{positions}}}}}"),
        };
        if self.color.is_none() { format!("flipcolor {all}") } else { all }
    }

    /// Returns the fewest and the most pieces of both sides, for each way to assign the colours.
    pub(super) fn limits(&self) -> impl Iterator<Item = MaterialLimit> {
        let limit = |white: &Side, black: &Side| {
            let most = |side: &Side| side.counts.each_ref().map(|count| *count.end());
            let least = |side: &Side| side.counts.each_ref().map(|count| *count.start());
            MaterialLimit::new([most(white), most(black)]).at_least([least(white), least(black)])
        };
        let (first, second) = (&self.first, &self.second);
        let both = [(Color::White, limit(first, second)), (Color::Black, limit(second, first))];
        let color = self.color;
        let fits = move |(own, _): &(Color, _)| color.is_none_or(|color| color == *own);
        both.into_iter().filter(fits).map(|(_, limit)| limit)
    }
}

impl FromStr for Material {
    type Err = QueryError;

    /// Calls [`parse`](Material::parse).
    fn from_str(text: &str) -> Result<Material, QueryError> {
        Material::parse(text)
    }
}

impl Side {
    fn parse(text: &str) -> Option<Side> {
        let mut counts = [const { 0u32..=0 }; 5];
        let text = text.strip_prefix(['K', 'k']).unwrap_or(text);
        let mut rest = text;
        while let Some(letter) = rest.chars().next() {
            let place = COUNTED.iter().position(|(_, own)| own.eq_ignore_ascii_case(&letter))?;
            let (_, after) = rest.split_at_checked(letter.len_utf8())?;
            let (more, after) = quantity(after)?;
            let count = counts.get_mut(place)?;
            let end = count.end().saturating_add(*more.end()).min(MOST);
            *count = count.start().saturating_add(*more.start())..=end;
            if *count.start() > MOST {
                return None;
            }
            rest = after;
        }
        let fewest = counts.iter().fold(1u32, |sum, count| sum.saturating_add(*count.start()));
        let fewest_pawns = counts.last().map_or(0, |pawns| *pawns.start());
        Some(Side { counts, fewest, fewest_pawns })
    }

    fn fits(&self, position: &Position, color: Color) -> bool {
        let mut counts = self.counts.iter().zip(COUNTED);
        position.king(color).is_some()
            && counts
                .all(|(range, (role, _))| range.contains(&position.pieces(role, color).count()))
    }

    /// Returns whether a later position can fit. No side ever gets more pieces or pawns.
    fn may_follow(&self, position: &Position, color: Color) -> bool {
        position.color(color).count() >= self.fewest
            && position.pieces(Role::Pawn, color).count() >= self.fewest_pawns
    }
}

/// Splits a quantity from the front of `text`. Without one, the quantity is 1.
fn quantity(text: &str) -> Option<(RangeInclusive<u32>, &str)> {
    let first = text.chars().next();
    let rest = text.get(1..).unwrap_or_default();
    match first {
        Some('?') => return Some((0..=1, rest)),
        Some('*') => return Some((0..=MOST, rest)),
        Some('+') => return Some((1..=MOST, rest)),
        Some(digit) if digit.is_ascii_digit() => {}
        _ => return Some((1..=1, text)),
    }
    let (least, rest) = number(text)?;
    let Some(after) = rest.strip_prefix("..") else { return Some((least..=least, rest)) };
    match number(after) {
        Some((most, rest)) => (least <= most).then_some((least..=most, rest)),
        None => Some((least..=MOST, after)),
    }
}

/// Splits a number of at most two digits from the front of `text`.
fn number(text: &str) -> Option<(u32, &str)> {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at_checked(length)?;
    let number = digits.parse().ok().filter(|number| *number <= MOST)?;
    Some((number, rest))
}

/// The search of one main line for material.
#[derive(Clone, Debug)]
pub(super) struct MaterialSearch<'f> {
    material: &'f Material,
    /// Positions in a row that fit, with the first side White and Black.
    run: [u32; 2],
    /// The numbers of pieces and of pawns at the last change of material. A capture lowers the first, a
    /// promotion the second, and no move raises one.
    seen: (u32, u32),
    /// For each colour of the first side: whether this material fits, and whether a later position can.
    judged: [(bool, bool); 2],
}

impl<'f> MaterialSearch<'f> {
    pub(super) fn new(material: &'f Material) -> MaterialSearch<'f> {
        MaterialSearch {
            material,
            run: [0; 2],
            seen: (u32::MAX, u32::MAX),
            judged: [(false, false); 2],
        }
    }

    /// Tests the next position. Returns whether the material is found. `None` if it is not, and no
    /// later position can change this.
    #[inline]
    pub(super) fn visit(&mut self, position: &Position) -> Option<bool> {
        let pawns =
            position.pieces(Role::Pawn, Color::White) | position.pieces(Role::Pawn, Color::Black);
        let counts = (position.occupied().count(), pawns.count());
        if counts != self.seen {
            self.seen = counts;
            self.judge(position);
        }
        let mut open = false;
        for (run, (fits, may_follow)) in self.run.iter_mut().zip(self.judged) {
            if fits {
                *run += 1;
                if *run >= self.material.positions {
                    return Some(true);
                }
            } else {
                *run = 0;
            }
            open |= fits || may_follow;
        }
        open.then_some(false)
    }

    /// Compares the material of a position, for both ways to assign the colours.
    fn judge(&mut self, position: &Position) {
        let Material { first, second, color, .. } = self.material;
        for (judged, own) in self.judged.iter_mut().zip(Color::ALL) {
            if color.is_some_and(|color| color != own) {
                continue;
            }
            *judged = (
                first.fits(position, own) && second.fits(position, !own),
                first.may_follow(position, own) && second.may_follow(position, !own),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(material: &str, fen: &str) -> bool {
        let material = Material::parse(material).unwrap();
        let position = Position::from_fen(fen).unwrap();
        MaterialSearch::new(&material).visit(&position) == Some(true)
    }

    #[test]
    fn visit_counts_pieces_of_either_side() {
        let white = "4k2r/8/8/8/8/8/4P3/4K2R w - - 0 1";
        let black = "4k2r/4p3/8/8/8/8/8/4K2R w - - 0 1";
        for (material, by_white, by_black) in [
            ("KRP-KR", true, true),
            ("rp-r", true, true),
            ("w:KRP-KR", true, false),
            ("b:KRP-KR", false, true),
            ("KR-KR", false, false),
            ("KRP+-KR", true, true),
            ("KRP2..-KR", false, false),
            ("KRP1..2-KRN?", true, true),
            ("KRP?-KRP?", true, true),
            ("KRP0-KRP1", true, true),
            ("KRPP-KR", false, false),
            ("KRP*-KQ*R", true, true),
        ] {
            assert_eq!(fits(material, white), by_white, "{material}");
            assert_eq!(fits(material, black), by_black, "{material}");
        }
        assert!(!fits("K-K", "8/8/8/8/8/8/8/8 w - - 0 1"), "no kings");
    }

    #[test]
    fn visit_needs_positions_in_a_row() {
        let with = Position::from_fen("4k2r/8/8/8/8/8/4P3/4K2R w - - 0 1").unwrap();
        let without = Position::from_fen("4k2r/8/8/8/8/8/4P3/4K3 w - - 0 1").unwrap();
        let material = Material::parse("KRP-KR:2").unwrap();
        let mut search = MaterialSearch::new(&material);
        assert_eq!(search.visit(&with), Some(false));
        assert_eq!(search.visit(&without), None);
        assert_eq!(search.visit(&with), Some(false));
        assert_eq!(search.visit(&with), Some(true));
    }

    #[test]
    fn visit_ends_when_pieces_or_pawns_are_missing() {
        let start = Position::start();
        let visit = |material: &str, position: &Position| {
            MaterialSearch::new(&Material::parse(material).unwrap()).visit(position)
        };
        assert_eq!(visit("KRP-KR", &start), Some(false));
        assert_eq!(visit("KQ9-K", &start), Some(false));
        let few = Position::from_fen("4k3/8/8/8/8/8/4P3/4K2R w - - 0 1").unwrap();
        assert_eq!(visit("KRP-KR", &few), None);
        assert_eq!(visit("KPP-K", &few), None);
        assert_eq!(visit("KQ-K", &few), Some(false), "the pawn can promote");
    }

    #[test]
    fn parse_invalid_material_is_error() {
        for wrong in
            ["KRP", "KRP-KX", "-:", "KR-KR:0", "KR-KR:x", "KR-K-K", "x:KR-K", "KP3..1-K", "KP99-K"]
        {
            assert!(Material::parse(wrong).is_err(), "{wrong}");
        }
        assert_eq!(Material::parse(" "), Err(QueryError::Empty));
        assert!("K-K".parse::<Material>().is_ok());
    }
}
