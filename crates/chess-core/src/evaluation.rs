//! Evaluations of engines in comments.

/// An evaluation, positive if White is better.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Evaluation {
    /// Hundredths of a pawn.
    Centipawns(i16),
    /// Moves to mate, negative if Black mates.
    Mate(i16),
}

/// A larger absolute value is a mate.
const MATES: i16 = 32_000;

impl Evaluation {
    /// Parses the number and the search depth of `[%eval -21,16]`: whole centipawns, as ChessBase,
    /// Fritz and ChessOK write them. A mate in *n* moves is 32767 - *n*, and for Black -32767 + *n*.
    /// Returns `None` for other numbers, such as pawns with a fraction.
    #[must_use]
    pub fn parse_centipawns(number: &str, depth: &str) -> Option<(Evaluation, i16)> {
        let (value, depth): (i16, i16) = (number.parse().ok()?, depth.parse().ok()?);
        let evaluation = match value {
            value if value > MATES => Evaluation::Mate(i16::MAX.checked_sub(value)?),
            i16::MIN => return None,
            value if value < -MATES => {
                Evaluation::Mate(i16::MAX.checked_add(value)?.checked_neg()?)
            }
            value => Evaluation::Centipawns(value),
        };
        Some((evaluation, depth))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_centipawns_reads_whole_numbers_with_depth() {
        use Evaluation::{Centipawns, Mate};
        for (text, expected) in [
            ("23,14", Some((Centipawns(23), 14))),
            ("-17,27", Some((Centipawns(-17), 27))),
            ("0,1", Some((Centipawns(0), 1))),
            ("32760,12", Some((Mate(7), 12))),
            ("-32767,0", Some((Mate(0), 0))),
            ("-32768,0", None),
            ("40000,1", None),
            ("0.23,14", None),
            ("23,", None),
            ("#3,14", None),
        ] {
            let (number, depth) = text.split_once(',').unwrap();
            assert_eq!(Evaluation::parse_centipawns(number, depth), expected, "{text}");
        }
    }
}
