//! Prints the moves as a tree, with a line for each move and an indent for each variation. The
//! move list of a Lichess study shows the same tree.
//!
//! ```console
//! $ cargo run --example pgn_tree fixtures/pgn/variations/base.pgn
//! 1 e4
//! 2 e5
//!   2 c5
//!   3 Nf3
//!     3 c3
//!     4 d5
//!       4 Nf6
//!   4 d6
//!   2 e6
//! 3 Nf3
//!   3 f4
//!   3 d4
//!   4 exd4
//! 4 Nc6 {empty}
//! ```

use pgn::San;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: pgn_tree FILE")?;
    for game in pgn::Reader::open(path)?.games() {
        let game = game?;
        let tree = game.tree();
        let mut indents = Vec::new();
        // In the order of the movetext: a move, its alternatives, then the next move of the line.
        for node in tree.nodes() {
            let (Some(parent), Some(m)) = (node.parent(), node.played()) else {
                indents.push(0);
                continue;
            };
            let is_alternative = parent.next().is_some_and(|main| main.number() != node.number());
            let indent = indents[parent.number() as usize] + 2 * usize::from(is_alternative);
            indents.push(indent);
            let comments: String = node.comments().map(|text| format!(" {{{text}}}")).collect();
            println!("{:indent$}{} {}{comments}", "", node.ply(), San::new(&parent.position(), m));
        }
    }
    Ok(())
}
