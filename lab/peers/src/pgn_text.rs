//! Parses PGN text to games of legal moves. The peer skips variations and builds no game; our
//! program does both.

use std::ops::ControlFlow;

use pgn::{Diagnostics, Game};
use pgn_reader::{Reader, SanPlus, Skip, Visitor};
use shakmaty::{Chess, Position as _};

pub fn run(file: &str, passes: usize) {
    let text = std::fs::read(file).expect("read");
    peers::side_by_side(passes, || peers::timed(|| ours(&text)), || peers::timed(|| peer(&text)));
}

fn ours(text: &[u8]) -> String {
    let mut reader = pgn::Reader::new(text);
    let (mut game, mut diagnostics) = (Game::new(), Diagnostics::lenient());
    let (mut games, mut tokens, mut errors) = (0, 0, 0);
    loop {
        match reader.read_game(&mut game, &mut diagnostics) {
            Ok(false) => break,
            Ok(true) => {}
            Err(_) => errors += 1,
        }
        diagnostics.clear();
        games += 1;
        tokens += game.tokens().size_hint().0;
    }
    format!("{games} games, {tokens} tokens, {errors} errors")
}

#[derive(Default)]
struct Legal {
    games: u64,
    plies: u64,
    errors: u64,
}

impl Visitor for Legal {
    type Tags = ();
    type Movetext = Chess;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), Chess> {
        ControlFlow::Continue(Chess::default())
    }

    fn begin_variation(&mut self, _: &mut Chess) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn san(&mut self, position: &mut Chess, san: SanPlus) -> ControlFlow<()> {
        match san.san.to_move(position) {
            Ok(m) => {
                position.play_unchecked(m);
                self.plies += 1;
                ControlFlow::Continue(())
            }
            Err(_) => {
                self.errors += 1;
                self.games += 1;
                ControlFlow::Break(())
            }
        }
    }

    fn end_game(&mut self, _: Chess) {
        self.games += 1;
    }
}

fn peer(text: &[u8]) -> String {
    let mut legal = Legal::default();
    let mut reader = Reader::new(text);
    while let Ok(Some(())) = reader.read_game(&mut legal) {}
    format!("{} games, {} plies, {} errors", legal.games, legal.plies, legal.errors)
}
