//! Draws diagrams as SVG: squares and pieces that are defined once, and diagrams that refer to them.

use std::fmt::Write as _;

use chess_core::{Position, Square};

use super::pieces::SHAPES;

/// The size of a square.
const CELL: f64 = 45.0;
const LIGHT: &str = "#f0e6d2";
const DARK: &str = "#b99b78";

/// A coloured square, or an arrow: `[%csl Ge4]`, `[%cal Re2e4]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    colour: &'static str,
    from: Square,
    to: Option<Square>,
}

/// A diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Diagram {
    pub(super) position: Position,
    pub(super) marks: Vec<Mark>,
    /// Whether Black is below.
    pub(super) flipped: bool,
    /// Whether it stands in a variation.
    pub(super) is_small: bool,
}

/// The most marks of one diagram: every square, and as many arrows.
const MAX_MARKS: usize = 128;

/// Reads the list of a command `csl` or `cal`: `Gd4,Re2e4`. Words of another form are ignored.
pub(super) fn push_marks(list: &str, marks: &mut Vec<Mark>) {
    for word in list.split(',').map(str::trim) {
        let (Some(letter), Some(squares)) = (word.get(..1), word.get(1..)) else { continue };
        let square = |text: Option<&str>| text.and_then(|text| text.parse::<Square>().ok());
        let from = square(squares.get(..2));
        let to = squares.get(2..).filter(|rest| !rest.is_empty());
        let (Some(from), to, is_whole) = (from, square(to), to.is_none()) else { continue };
        if (is_whole || to.is_some()) && marks.len() < MAX_MARKS {
            marks.push(Mark { colour: colour(letter), from, to });
        }
    }
}

fn colour(letter: &str) -> &'static str {
    match letter {
        "R" => "#b3261e",
        "Y" => "#c79a00",
        "B" => "#1f5fa8",
        "O" => "#c76a00",
        "C" => "#00838f",
        _ => "#2e7d46",
    }
}

/// Returns the definitions that all diagrams share: both boards and twelve pieces.
pub(super) fn definitions() -> String {
    let mut out = String::new();
    for (id, flipped) in [("board", false), ("board-b", true)] {
        let _ = write!(out, "<g id=\"{id}\"><rect width=\"360\" height=\"360\" fill=\"{LIGHT}\"/>");
        let _ = write!(out, "<path fill=\"{DARK}\" d=\"");
        for rank in 0..8 {
            for file in 0..8 {
                // The corner a1, at the lower left, is dark; so is h8 with Black below.
                if (file + rank) % 2 == 1 {
                    let _ = write!(out, "M{} {}h45v45h-45z", file * 45, rank * 45);
                }
            }
        }
        out.push_str("\"/><g font-family=\"sans-serif\" font-size=\"9\" fill=\"#5b4630\">");
        for (place, letter) in (0u32..).zip('a'..='h') {
            let column = if flipped { 7 - place } else { place };
            let _ = write!(out, "<text x=\"{}\" y=\"357\">{letter}</text>", column * 45 + 38);
            let row = if flipped { place } else { 7 - place };
            let _ = write!(out, "<text x=\"2\" y=\"{}\">{}</text>", row * 45 + 10, place + 1);
        }
        out.push_str("</g></g>");
    }
    for shape in &SHAPES {
        for (white, fill, edge, line) in
            [(true, "#fdfcf9", "#24211d", "#24211d"), (false, "#35322e", "#13110f", "#d8d2c6")]
        {
            let id = if white { shape.letter.to_ascii_uppercase() } else { shape.letter };
            let _ = write!(
                out,
                "<g id=\"p{id}\"><path d=\"{}\" fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\"1.5\" \
                 stroke-linejoin=\"round\"/><path d=\"{}\" fill=\"none\" stroke=\"{line}\" \
                 stroke-width=\"1.3\" stroke-linecap=\"round\"/></g>",
                shape.body, shape.lines
            );
        }
    }
    out
}

impl Diagram {
    /// Returns what an SVG of 360 by 360 holds, with references to the definitions.
    pub(super) fn body(&self) -> String {
        let mut out = String::new();
        let board = if self.flipped { "board-b" } else { "board" };
        let _ = write!(out, "<use href=\"#{board}\"/>");
        for mark in self.marks.iter().filter(|mark| mark.to.is_none()) {
            let (x, y) = self.corner(mark.from);
            let _ = write!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"45\" height=\"45\" fill=\"{}\" opacity=\".5\"/>",
                mark.colour
            );
        }
        for square in Square::all() {
            if let Some(piece) = self.position.piece_at(square) {
                let (x, y) = self.corner(square);
                let letter = piece.letter();
                let _ = write!(out, "<use href=\"#p{letter}\" x=\"{x}\" y=\"{y}\"/>");
            }
        }
        for mark in &self.marks {
            if let Some(to) = mark.to {
                self.push_arrow(mark, to, &mut out);
            }
        }
        out
    }

    /// Returns the upper left corner of a square.
    fn corner(&self, square: Square) -> (f64, f64) {
        let (file, rank) = (f64::from(square.file()), f64::from(square.rank()));
        match self.flipped {
            true => ((7.0 - file) * CELL, rank * CELL),
            false => (file * CELL, (7.0 - rank) * CELL),
        }
    }

    fn push_arrow(&self, mark: &Mark, to: Square, out: &mut String) {
        let centre = |square| {
            let (x, y) = self.corner(square);
            (x + CELL / 2.0, y + CELL / 2.0)
        };
        let ((x, y), (tip_x, tip_y)) = (centre(mark.from), centre(to));
        let length = (tip_x - x).hypot(tip_y - y).max(1.0);
        let (dx, dy) = ((tip_x - x) / length, (tip_y - y) / length);
        let (neck_x, neck_y) = (tip_x - dx * 16.0, tip_y - dy * 16.0);
        let colour = mark.colour;
        let _ = write!(
            out,
            "<path d=\"M{:.1} {:.1}L{neck_x:.1} {neck_y:.1}\" stroke=\"{colour}\" stroke-width=\"6\" \
             opacity=\".8\"/><path d=\"M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}z\" fill=\"{colour}\" \
             opacity=\".8\"/>",
            x + dx * 8.0,
            y + dy * 8.0,
            tip_x - dx * 2.0,
            tip_y - dy * 2.0,
            neck_x - dy * 9.0,
            neck_y + dx * 9.0,
            neck_x + dy * 9.0,
            neck_y - dx * 9.0,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(list: &str) -> Vec<(String, Option<String>)> {
        let mut marks = Vec::new();
        push_marks(list, &mut marks);
        marks
            .iter()
            .map(|mark| (mark.from.to_string(), mark.to.map(|square| square.to_string())))
            .collect()
    }

    #[test]
    fn push_marks_reads_squares_and_arrows_and_ignores_others() {
        let e4 = || "e4".to_owned();
        assert_eq!(marks("Ge4,Re2e4"), [(e4(), None), ("e2".to_owned(), Some(e4()))]);
        assert_eq!(marks("Ge9,x,\u{e9}e4,Ge4e,Ge4e55, Ge4 ,"), [(e4(), None)]);
        assert_eq!(marks(&"Ge4,".repeat(1000)).len(), MAX_MARKS);
    }

    #[test]
    fn body_flipped_board_turns_squares() {
        let mut diagram = Diagram {
            position: "4k3/8/8/8/8/8/8/K7 w - - 0 1".parse().unwrap(),
            marks: Vec::new(),
            flipped: false,
            is_small: false,
        };
        push_marks("Ra1,Ga1a8", &mut diagram.marks);
        assert!(diagram.body().contains("<use href=\"#pK\" x=\"0\" y=\"315\"/>"));
        assert!(diagram.body().contains("<rect x=\"0\" y=\"315\""));
        assert!(diagram.body().contains("L22.5 38.5\""), "{}", diagram.body());
        diagram.flipped = true;
        assert!(diagram.body().starts_with("<use href=\"#board-b\"/>"));
        assert!(diagram.body().contains("<use href=\"#pK\" x=\"315\" y=\"0\"/>"));
    }
}
