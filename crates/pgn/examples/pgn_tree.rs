//! Prints the moves as a tree, with a line for each move and an indent for each variation. The game
//! list of Lichess studies shows the same tree.
//!
//! ```console
//! $ cargo run --example pgn_tree fixtures/pgn/variations/base.pgn
//! ```

use chess_core::Node;
use pgn::San;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: pgn_tree FILE")?;
    for game in pgn::Reader::open(path)?.games() {
        let game = game?;
        let tree = game.tree();
        // A stack instead of recursion: variations may nest 16,384 deep.
        let mut open: Vec<(Node<'_, '_>, usize)> = vec![(tree.root(), 0)];
        while let Some((node, depth)) = open.pop() {
            if let (Some(parent), Some(m)) = (node.parent(), node.played()) {
                let comments: String = node.comments().map(|text| format!(" {{{text}}}")).collect();
                println!(
                    "{:depth$}{} {}{comments}",
                    "",
                    node.ply(),
                    San::new(&parent.position(), m)
                );
            }
            let alternatives = node.children().skip(1).map(|child| (child, depth + 2));
            open.extend(node.next().map(|child| (child, depth)));
            open.extend(alternatives.collect::<Vec<_>>().into_iter().rev());
        }
    }
    Ok(())
}
