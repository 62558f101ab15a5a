//! Scid's commands for coloured squares and arrows, as `[%csl Ge4]` and `[%cal Re2e4]`.

use alloc::string::String;
use core::fmt;

use crate::square::Square;

/// A coloured square or an arrow. [`Display`](fmt::Display) is an entry of the list of `[%csl ...]`
/// or `[%cal ...]`: `Ge4`, `Re2e4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// Green, yellow, red or blue: `G`, `Y`, `R`, `B`.
    pub color: char,
    /// The square, or the start of the arrow.
    pub from: Square,
    /// The end of the arrow.
    pub to: Option<Square>,
    /// Whether Scid draws the same: a full square or an arrow, in exactly this color.
    pub is_exact: bool,
}

impl Drawing {
    /// Parses a command of Scid: its name (`draw`, and the older `arrow` and `mark`) and its
    /// arguments. Another shape becomes a full square, and another color the nearest of the four.
    ///
    /// ```
    /// use chess_core::Drawing;
    ///
    /// let text = |name, arguments| Drawing::of_scid(name, arguments).map(|drawing| drawing.to_string());
    /// assert_eq!(text("draw", "arrow,e4,e5,green").as_deref(), Some("Ge4e5"));
    /// assert_eq!(text("draw", "circle,b5,#000070").as_deref(), Some("Bb5"));
    /// assert_eq!(text("mark", "c5 yellow").as_deref(), Some("Yc5"));
    /// assert_eq!(text("draw", "full,z9"), None);
    /// ```
    #[must_use]
    pub fn of_scid(name: &str, arguments: &str) -> Option<Drawing> {
        let comma = |letter: char| letter == ',' || letter == ' ';
        let mut words = arguments.split(comma).filter(|word| !word.is_empty());
        let shape = match name {
            "draw" => words.next()?,
            "arrow" => "arrow",
            "mark" => "full",
            _ => return None,
        };
        let from = words.next()?.parse().ok()?;
        let to = if shape == "arrow" { Some(words.next()?.parse().ok()?) } else { None };
        // Without a color, Scid draws in red.
        let (color, is_named) = color(words.next().unwrap_or("red"))?;
        let is_exact = is_named && matches!(shape, "arrow" | "full");
        words.next().is_none().then_some(Drawing { color, from, to, is_exact })
    }
}

impl fmt::Display for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.color, self.from)?;
        self.to.map_or(Ok(()), |to| write!(f, "{to}"))
    }
}

/// The letters of the colors of Tk, by parts of their names. The first part that occurs decides.
const PARTS: [(&str, char); 23] = [
    ("yellow", 'Y'),
    ("orange", 'Y'),
    ("gold", 'Y'),
    ("khaki", 'Y'),
    ("green", 'G'),
    ("olive", 'G'),
    ("blue", 'B'),
    ("navy", 'B'),
    ("cyan", 'B'),
    ("aqua", 'B'),
    ("turquoise", 'B'),
    ("purple", 'B'),
    ("violet", 'B'),
    ("indigo", 'B'),
    ("red", 'R'),
    ("pink", 'R'),
    ("magenta", 'R'),
    ("brown", 'R'),
    ("maroon", 'R'),
    ("black", 'G'),
    ("white", 'G'),
    ("gray", 'G'),
    ("grey", 'G'),
];

/// Returns the letter of the nearest color, and whether `name` is its own name.
fn color(name: &str) -> Option<(char, bool)> {
    let name = name.to_ascii_lowercase();
    if let Some(digits) = name.strip_prefix('#') {
        return Some((nearest(digits)?, false));
    }
    let (_, letter) = PARTS.iter().find(|(part, _)| name.contains(part))?;
    Some((*letter, matches!(&*name, "green" | "yellow" | "red" | "blue")))
}

/// Returns the letter of the nearest hue of a color in hexadecimal digits. Gray has no hue, and
/// becomes green.
fn nearest(digits: &str) -> Option<char> {
    let size = match digits.len() {
        3 => 1usize,
        6 => 2,
        12 => 4,
        _ => return None,
    };
    let part = |at: usize| {
        let start = at.checked_mul(size)?;
        u32::from_str_radix(digits.get(start..start.checked_add(size)?)?, 16).ok()
    };
    let (red, green, blue) = (part(0)?, part(1)?, part(2)?);
    let (low, high) = (red.min(green).min(blue), red.max(green).max(blue));
    let middle = low.midpoint(high);
    let letter = match high {
        _ if low == high => 'G',
        _ if red == high && green >= middle && green > blue => 'Y',
        _ if red == high => 'R',
        _ if green == high && red > middle => 'Y',
        _ if green == high && blue < high => 'G',
        _ => 'B',
    };
    Some(letter)
}

/// Returns `comment` with the drawings of Scid as `[%csl ...]` and `[%cal ...]` at its start, and
/// whether all of them are [exact](Drawing::is_exact). `None` if it has none.
///
/// ```
/// let comment = "good [%draw full,d5,red] move [%draw arrow,e4,e5,green]";
/// let (text, exact) = chess_core::standard_drawings(comment).unwrap();
/// assert_eq!(text, "[%csl Rd5][%cal Ge4e5] good move");
/// assert!(exact);
/// ```
#[must_use]
pub fn standard_drawings(comment: &str) -> Option<(String, bool)> {
    let (mut squares, mut arrows, mut left) = (String::new(), String::new(), String::new());
    let (mut rest, mut exact) = (comment, true);
    // Behind the last bracket no command has an end. So no part is searched twice.
    let tail = comment.rfind(']').and_then(|end| comment.get(end..))?.len();
    while let Some((before, after)) = rest.split_once("[%").filter(|(_, after)| after.len() >= tail)
    {
        left.push_str(before);
        let command = drawing_name(after)
            .and_then(|name| Some((name, after.get(name.len()..)?.split_once(']')?)))
            .and_then(|(name, (arguments, behind))| {
                Some((Drawing::of_scid(name, arguments)?, behind))
            });
        let Some((drawing, behind)) = command else {
            left.push_str("[%");
            rest = after;
            continue;
        };
        exact &= drawing.is_exact;
        let list = if drawing.to.is_some() { &mut arrows } else { &mut squares };
        list.push(if list.is_empty() { ' ' } else { ',' });
        // Writing to a string does not fail.
        let _ = fmt::Write::write_fmt(list, format_args!("{drawing}"));
        let parted = left.is_empty() || left.ends_with(char::is_whitespace);
        rest = if parted { behind.strip_prefix(' ').unwrap_or(behind) } else { behind };
    }
    if squares.is_empty() && arrows.is_empty() {
        return None;
    }
    left.push_str(rest);
    let text = if rest.is_empty() { left.trim_end() } else { &*left };
    let mut out = String::with_capacity(comment.len());
    for (name, list) in [("[%csl", squares), ("[%cal", arrows)] {
        if !list.is_empty() {
            out.extend([name, &list, "]"]);
        }
    }
    let joins = text.is_empty() || ["[%csl ", "[%cal "].iter().any(|name| text.starts_with(name));
    out.extend([if joins { "" } else { " " }, text]);
    Some((out, exact))
}

/// Returns the name of a drawing of Scid at the start of `text`.
fn drawing_name(text: &str) -> Option<&'static str> {
    ["draw", "arrow", "mark"]
        .into_iter()
        .find(|name| text.strip_prefix(name).is_some_and(|rest| rest.starts_with(' ')))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString as _;

    #[test]
    fn of_scid_colors_become_nearest_of_four() {
        for (color, letter) in [
            ("green", 'G'),
            ("Yellow", 'Y'),
            ("red", 'R'),
            ("blue", 'B'),
            ("orange", 'Y'),
            ("darkBlue", 'B'),
            ("GreenYellow", 'Y'),
            ("IndianRed3", 'R'),
            ("black", 'G'),
            ("#000070", 'B'),
            ("#f00", 'R'),
            ("#ffa500", 'Y'),
            ("#00ff00", 'G'),
            ("#ffff0000ffff", 'R'),
            ("#00ffff", 'B'),
            ("#777777", 'G'),
        ] {
            let drawing = Drawing::of_scid("mark", &["e4 ", color].concat()).unwrap();
            assert_eq!(drawing.color, letter, "{color}");
            let named = ["green", "yellow", "red", "blue"].contains(&&*color.to_ascii_lowercase());
            assert_eq!(drawing.is_exact, named, "{color}");
        }
        for other in ["#", "#12", "#12345", "#gggggg", "#é2", "plaid", "a b"] {
            assert_eq!(Drawing::of_scid("mark", &["e4 ", other].concat()), None, "{other}");
        }
    }

    #[test]
    fn of_scid_shapes_become_squares_and_arrows() {
        for (name, arguments, entry, exact) in [
            ("draw", "arrow,e4,e5,green", "Ge4e5", true),
            ("draw", "full,d5,red", "Rd5", true),
            ("draw", "circle,d5,red", "Rd5", false),
            ("draw", "x,d5,blue", "Bd5", false),
            ("draw", "full, d5, red", "Rd5", true),
            ("arrow", "e7 e5 blue", "Be7e5", true),
            ("arrow", "e7 e5", "Re7e5", true),
            ("mark", "c5", "Rc5", true),
        ] {
            let drawing = Drawing::of_scid(name, arguments).unwrap();
            assert_eq!((&*drawing.to_string(), drawing.is_exact), (entry, exact), "{arguments}");
        }
        for (name, arguments) in [
            ("draw", "full"),
            ("draw", "arrow,e4,green"),
            ("mark", "e9 red"),
            ("mark", "e4 red 3"),
            ("csl", "e4"),
        ] {
            assert_eq!(Drawing::of_scid(name, arguments), None, "{arguments}");
        }
    }

    #[test]
    fn standard_drawings_keep_text_and_other_commands() {
        for (comment, expected) in [
            ("[%draw full,d5,red]", Some("[%csl Rd5]")),
            ("[%draw full,d5,red] [%mark e4 blue] a", Some("[%csl Rd5,Be4] a")),
            ("a [%arrow e4 e5] b", Some("[%cal Re4e5] a b")),
            ("a[%arrow e4 e5]b", Some("[%cal Re4e5] ab")),
            ("a [%mark e4]", Some("[%csl Re4] a")),
            ("[%mark e4] [%csl Gd4][%cal Gd4d5] a", Some("[%csl Re4][%csl Gd4][%cal Gd4d5] a")),
            ("[%clk 0:01:00] [%mark e4] a", Some("[%csl Re4] [%clk 0:01:00] a")),
            ("[%draw full,d9,red] [%mark e4", None),
            ("[%drawn full,d5,red] [%csl Gd4]", None),
            ("[%draw full,d5", None),
            ("plain", None),
            ("", None),
        ] {
            let text = standard_drawings(comment).map(|(text, _)| text);
            assert_eq!(text.as_deref(), expected, "{comment}");
        }
        let open = "[%mark ".repeat(100_000);
        assert_eq!(standard_drawings(&open), None);
    }
}
