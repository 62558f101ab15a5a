//! Questions about material and patterns, asked of our program and of Scid over one base: both must find
//! the same number of games.

use std::fmt::Write as _;
use std::fs;

use testkit::workspace_root;

use super::{Files, ask_scid, counted};
use crate::Failure;

const DATA: &str = "docs/performance/boards.csv";
const HEAD: &str = "option,value,games,scid_games,remark";

/// The fewest and the most queens, rooks, bishops, knights and pawns of one side.
type Side = [(u8, u8); 5];

/// A question, and Scid's options for it.
struct Board {
    ours: &'static str,
    scid: Scid,
    /// Why the programs find different numbers, if they do.
    differs: &'static str,
}

enum Scid {
    /// Both sides, whether they may change colours, and half-moves in a row.
    Material(Side, Side, bool, u8),
    /// Squares, and other options.
    Pattern(&'static [&'static str], &'static str),
}

const ANY: (u8, u8) = (0, 9);
const fn n(count: u8) -> (u8, u8) {
    (count, count)
}
const fn side(q: u8, r: u8, b: u8, k: u8, p: (u8, u8)) -> Side {
    [n(q), n(r), n(b), n(k), p]
}

const fn material(ours: &'static str, first: Side, second: Side) -> Board {
    Board { ours, scid: Scid::Material(first, second, true, 1), differs: "" }
}

const fn special(ours: &'static str, first: Side, second: Side, flips: bool, length: u8) -> Board {
    Board { ours, scid: Scid::Material(first, second, flips, length), differs: "" }
}

const fn pattern(ours: &'static str, squares: &'static [&'static str]) -> Board {
    Board { ours, scid: Scid::Pattern(squares, ""), differs: "" }
}

/// A pattern with other options for Scid, which passes over a square `? ?` that must not have a piece.
const fn counted_pattern(
    ours: &'static str,
    squares: &'static [&'static str],
    options: &'static str,
) -> Board {
    Board { ours, scid: Scid::Pattern(squares, options), differs: "" }
}

const BOARDS: &[Board] = &[
    material("KRP-KR", side(0, 1, 0, 0, n(1)), side(0, 1, 0, 0, n(0))),
    material("KQP-KQ", side(1, 0, 0, 0, n(1)), side(1, 0, 0, 0, n(0))),
    material("KBN-K", side(0, 0, 1, 1, n(0)), side(0, 0, 0, 0, n(0))),
    material("KQ-KR", side(1, 0, 0, 0, n(0)), side(0, 1, 0, 0, n(0))),
    material("KRB-KR", side(0, 1, 1, 0, n(0)), side(0, 1, 0, 0, n(0))),
    material("KRN-KR", side(0, 1, 0, 1, n(0)), side(0, 1, 0, 0, n(0))),
    material("KNN-KP", side(0, 0, 0, 2, n(0)), side(0, 0, 0, 0, n(1))),
    material("KRPP-KRP", side(0, 1, 0, 0, n(2)), side(0, 1, 0, 0, n(1))),
    material("QP*-RRP*", side(1, 0, 0, 0, ANY), side(0, 2, 0, 0, ANY)),
    material("KBP*-KNP*", side(0, 0, 1, 0, ANY), side(0, 0, 0, 1, ANY)),
    material("KBBP*-KNNP*", side(0, 0, 2, 0, ANY), side(0, 0, 0, 2, ANY)),
    material("KRRP*-KRBNP*", side(0, 2, 0, 0, ANY), side(0, 1, 1, 1, ANY)),
    material("KQQP*-KQP*", side(2, 0, 0, 0, ANY), side(1, 0, 0, 0, ANY)),
    material("KP2..3-KP?", side(0, 0, 0, 0, (2, 3)), side(0, 0, 0, 0, (0, 1))),
    material("KRB?N?P1..2-KRP*", [n(0), n(1), (0, 1), (0, 1), (1, 2)], side(0, 1, 0, 0, ANY)),
    material("QRRBBNNP8-QRRBBNNP7", side(1, 2, 2, 2, n(8)), side(1, 2, 2, 2, n(7))),
    special("w:KRP-KR", side(0, 1, 0, 0, n(1)), side(0, 1, 0, 0, n(0)), false, 1),
    special("b:KQP-KQ", side(1, 0, 0, 0, n(0)), side(1, 0, 0, 0, n(1)), false, 1),
    special("KRP-KR:20", side(0, 1, 0, 0, n(1)), side(0, 1, 0, 0, n(0)), true, 20),
    special("KP*-KP*:8", side(0, 0, 0, 0, ANY), side(0, 0, 0, 0, ANY), true, 8),
    pattern("Pd4 pd5", &["1 wp d 4", "1 bp d 5"]),
    pattern("Pd4 !Pc? !Pe?", &["1 wp d 4", "0 wp c ?", "0 wp e ?"]),
    pattern("Ph6 Kg6 kg8", &["1 wp h 6", "1 wk g 6", "1 bk g 8"]),
    pattern("Nd5", &["1 wn d 5"]),
    pattern("Pe5 Pd4 pe6 pd5 pc5", &["1 wp e 5", "1 wp d 4", "1 bp e 6", "1 bp d 5", "1 bp c 5"]),
    pattern("Pc4 Pe4 !Pd? pd6", &["1 wp c 4", "1 wp e 4", "0 wp d ?", "1 bp d 6"]),
    counted_pattern("!P?? !p??", &[], "-wp {0 0} -bp {0 0}"),
    counted_pattern("!Q?? !q?? Rd7 kg8", &["1 wr d 7", "1 bk g 8"], "-wq {0 0} -bq {0 0}"),
    pattern("Bd3 Bb2 kg8", &["1 wb d 3", "1 wb b 2", "1 bk g 8"]),
    pattern("Nf5 pg6", &["1 wn f 5", "1 bp g 6"]),
    pattern("P?7 p?2", &["1 wp ? 7", "1 bp ? 2"]),
    pattern("Qh7 kf8", &["1 wq h 7", "1 bk f 8"]),
    pattern("Ka1", &["1 wk a 1"]),
    pattern("K?8", &["1 wk ? 8"]),
    counted_pattern("k?1 !r??", &["1 bk ? 1"], "-br {0 0}"),
    pattern("n?1 q?1", &["1 bn ? 1", "1 bq ? 1"]),
    pattern("Rd7 Re7", &["1 wr d 7", "1 wr e 7"]),
    pattern("bg7 !p?7 Bh6", &["1 bb g 7", "0 bp ? 7", "1 wb h 6"]),
    counted_pattern("Nd5 @..19", &["1 wn d 5"], "-range {1 19}"),
    Board {
        differs: "Scid counts the position before White's move 20 as of move 19: without it there are 52906",
        ..counted_pattern("!Q?? !q?? @20..", &[], "-wq {0 0} -bq {0 0} -range {20 999}")
    },
];

impl Board {
    fn option(&self) -> &'static str {
        match self.scid {
            Scid::Material(..) => "--material",
            Scid::Pattern(..) => "--pattern",
        }
    }

    /// Returns the script that asks Scid.
    fn script(&self) -> String {
        let mut script = String::from("sc_search material -wm {0 18} -bm {0 18} -filter RESET");
        let mut sides = |white: &Side, black: &Side| {
            for (color, side) in [('w', white), ('b', black)] {
                for (role, (least, most)) in ['q', 'r', 'b', 'n', 'p'].into_iter().zip(side) {
                    let _ = write!(script, " -{color}{role} {{{least} {most}}}");
                }
            }
        };
        match &self.scid {
            Scid::Material(first, second, flips, length) => {
                sides(first, second);
                let _ = write!(script, " -flip {} -length {length}", u8::from(*flips));
            }
            Scid::Pattern(squares, options) => {
                let free = [(0, 16); 5];
                sides(&free, &free);
                let _ = write!(script, " -flip 0 -length 1 {options}");
                for square in *squares {
                    let _ = write!(script, " -pattern {{{square}}}");
                }
            }
        }
        script
    }
}

/// Asks both programs, and writes the data and the page. Fails if the numbers of a question differ and
/// nothing says why.
pub(super) fn run(files: &Files) -> Result<(), Failure> {
    let (mut data, mut differing) = (format!("{HEAD}\n"), Vec::new());
    for board in BOARDS {
        let ours = counted(files, &["list", "--count", "BASE", board.option(), board.ours])?;
        let theirs = ask_scid(&board.script(), "", &files.path("BASE"))?.games;
        let row = format!("{},{},{ours},{theirs},{}", board.option(), board.ours, board.differs);
        eprintln!("{row}");
        let _ = writeln!(data, "{row}");
        if ours != theirs && board.differs.is_empty() {
            differing.push(row);
        }
    }
    if !differing.is_empty() {
        let message = "different numbers of games, and no reason in questions/boards.rs";
        return Err(format!("{message}:\n{}", differing.join("\n")).into());
    }
    fs::write(workspace_root().join(DATA), data)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_twenty_of_each_kind() {
        for option in ["--material", "--pattern"] {
            assert_eq!(BOARDS.iter().filter(|board| board.option() == option).count(), 20);
        }
    }
}
