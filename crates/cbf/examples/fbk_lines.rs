//! Counts the lines of an opening book, and prints its main line.
//!
//! ```console
//! $ cargo run --example fbk_lines fixtures/cbf/book/base.fbk
//! 4 lines
//! e2e4 e7e5 g1f3 b8c6
//! ```

use cbf::fbk::Book;
use cbf::{Diagnostics, Game};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("usage: fbk_lines BOOK.fbk")?;
    let book = Book::open(path)?;
    // A book is read as one game, whose variations are its branches.
    let mut game = Game::new();
    book.reader().game(0, &mut game, &mut Diagnostics::lenient())?;
    let tree = game.tree();
    let ends = tree.nodes().filter(|node| node.next().is_none()).count();
    println!("{ends} lines");
    let main: Vec<String> = game.main_line().map(|m| m.to_string()).collect();
    println!("{}", main.join(" "));
    Ok(())
}
