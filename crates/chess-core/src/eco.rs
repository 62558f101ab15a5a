//! ECO opening codes.

use core::fmt;
use core::str::FromStr;

/// An ECO code from A00 to E99, with an optional extension.
///
/// PGN standard §9.4.1 has a two-digit sub-code (`C42/07`, also in old ChessBase files); Scid
/// appends a letter and a digit (`C65a`, `B90k2`). Old files also contain letters past E: F00 to
/// F10.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Eco {
    code: u16,
    sub: EcoSub,
}

/// The extension after the three characters of an ECO code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum EcoSub {
    /// No extension.
    #[default]
    None,
    /// Scid's letter, from 0 = a to 25 = z, and digit, 1 to 4 or 0 for none.
    Letter(u8, u8),
    /// The sub-code of PGN and ChessBase, 0 to 99.
    Number(u8),
}

impl Eco {
    /// The highest code, F99.
    pub const MAX: u16 = 599;

    /// Creates a code from its index: A00 = 0, E99 = 499, up to F99.
    #[must_use]
    pub const fn new(code: u16) -> Option<Eco> {
        Eco::with_sub(code, EcoSub::None)
    }

    /// Creates a code with an extension.
    #[must_use]
    pub const fn with_sub(code: u16, sub: EcoSub) -> Option<Eco> {
        let sound = match sub {
            EcoSub::None => true,
            EcoSub::Letter(letter, digit) => letter < 26 && digit <= 4,
            EcoSub::Number(number) => number < 100,
        };
        if code <= Eco::MAX && sound { Some(Eco { code, sub }) } else { None }
    }

    /// Returns the index of the code without its extension: A00 = 0, A99 = 99, B00 = 100, E99 =
    /// 499.
    #[must_use]
    pub const fn code(self) -> u16 {
        self.code
    }

    /// Returns the extension.
    #[must_use]
    pub const fn sub(self) -> EcoSub {
        self.sub
    }
}

impl fmt::Display for Eco {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = match self.code / 100 {
            0 => b'A',
            1 => b'B',
            2 => b'C',
            3 => b'D',
            4 => b'E',
            _ => b'F',
        };
        let digit = |number: u16| b'0'.wrapping_add(number.wrapping_rem(10).to_le_bytes()[0]);
        let text = [letter, digit(self.code / 10), digit(self.code)];
        f.write_str(str::from_utf8(&text).unwrap_or_default())?;
        match self.sub {
            EcoSub::None => Ok(()),
            EcoSub::Letter(letter, digit) => {
                write!(f, "{}", char::from(b'a'.saturating_add(letter)))?;
                if digit > 0 { write!(f, "{digit}") } else { Ok(()) }
            }
            EcoSub::Number(number) => write!(f, "/{number:02}"),
        }
    }
}

/// The error for a text that is not an ECO code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an ECO code is written like C65, C65a, B90k2 or C42/07")]
#[non_exhaustive]
pub struct EcoError;

impl FromStr for Eco {
    type Err = EcoError;

    fn from_str(text: &str) -> Result<Eco, EcoError> {
        let [letter @ b'A'..=b'F', tens, ones, rest @ ..] = text.as_bytes() else {
            return Err(EcoError);
        };
        let digit = |byte: &u8| byte.is_ascii_digit().then_some(byte & 15);
        let pair = |tens, ones| Some(digit(tens)?.wrapping_mul(10).wrapping_add(digit(ones)?));
        let number = pair(tens, ones).ok_or(EcoError)?;
        let letter = u16::from(letter.wrapping_sub(b'A'));
        let sub = match rest {
            [] => Some(EcoSub::None),
            [letter @ b'a'..=b'z'] => Some(EcoSub::Letter(letter.wrapping_sub(b'a'), 0)),
            [letter @ b'a'..=b'z', digit @ b'1'..=b'4'] => {
                Some(EcoSub::Letter(letter.wrapping_sub(b'a'), digit & 15))
            }
            [b'/', tens, ones] => pair(tens, ones).map(EcoSub::Number),
            _ => None,
        };
        let code = letter.wrapping_mul(100).wrapping_add(u16::from(number));
        sub.and_then(|sub| Eco::with_sub(code, sub)).ok_or(EcoError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use alloc::string::ToString;

    #[test]
    fn display_eco_parses_back() {
        for (text, code) in
            [("A00", 0), ("E99", 499), ("C65a", 265), ("B90k2", 190), ("C42/07", 242), ("F10", 510)]
        {
            let eco: Eco = text.parse().unwrap();
            assert_eq!((eco.to_string().as_str(), eco.code()), (text, code));
        }
        for wrong in ["", "?", "C4", "G00", "c42", "C421", "C42a5", "C42/7", "C42aa", "C4é"] {
            assert_eq!(wrong.parse::<Eco>(), Err(EcoError), "{wrong}");
        }
        assert_eq!(Eco::new(600), None);
        assert_eq!(Eco::with_sub(0, EcoSub::Letter(26, 0)), None);
    }
}
