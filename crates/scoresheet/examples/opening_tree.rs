//! Prints the moves played after a line, with the number of games and the score of White. Scid's tree
//! window shows the same.
//!
//! ```console
//! $ cargo run --example opening_tree fixtures/scid/plain/base.si4 1. e4 e5
//! Nf3 2
//! 2 of 6 games
//! ```

use scoresheet::filter::Line;
use scoresheet::pgn::San;
use scoresheet::tree::Explorer;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (path, line) = arguments.split_first().ok_or("usage: opening_tree BASE [MOVES]")?;
    let mut explorer = Explorer::of_line(&Line::parse(&line.join(" "))?);
    explorer.run(&mut scoresheet::open(path)?, &mut |_| ())?;
    let tree = explorer.finish();
    for branch in &tree.branches {
        let stats = &branch.stats;
        println!("{} {}", San::new(&tree.position, branch.m), stats.games);
    }
    println!("{} of {} games", tree.stats.games, tree.seen);
    Ok(())
}
