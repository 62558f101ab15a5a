//! Books that are read as one game, whose variations are the lines.

use chess_core::{Game, Move, MoveTree, Nag, Position, Token};
use chess_store::{Diagnostics, Location};

use crate::book::{BookMove, Kind, ReadBook, Summary, WalkOptions};
use crate::error::Error;
use crate::quirk::Quirk;
use crate::tree::{self, Link, Tree, look_up_in_tree};

/// The lines of a game: its main line and all variations. A book of old ChessBase, `.fbk`, is read
/// as such a game.
#[derive(Clone, Debug)]
pub struct Variations {
    kind: Kind,
    tree: MoveTree<Option<Nag>>,
}

type Nodes = MoveTree<Option<Nag>>;

impl Variations {
    /// Creates a book of the lines of `game`. A move has the first of its NAGs. The game must begin
    /// at the start position.
    #[must_use]
    pub fn new(kind: Kind, game: &Game) -> Variations {
        let mut tree = Nodes::new();
        tree.add_game(game, |nag: &mut Option<Nag>, token, _| {
            if let Token::Nag(found) = token {
                *nag = nag.or(Some(found));
            }
        });
        Variations { kind, tree }
    }

    fn link(id: usize) -> Link {
        match u32::try_from(id) {
            Ok(0) => Link::None,
            Ok(number) => Link::To(number),
            Err(_) => Link::Outside,
        }
    }
}

impl Tree for Variations {
    type Entry = (Move, Option<Nag>);

    fn end(&self) -> u32 {
        u32::try_from(self.tree.len()).unwrap_or(u32::MAX)
    }

    fn root(&self) -> Link {
        Variations::link(self.tree.first_child(Nodes::ROOT))
    }

    fn entry(&self, number: u32) -> Result<Self::Entry, Error> {
        let node = self.tree.node(number as usize);
        Ok(node.map_or((Move::NULL, None), |node| (node.m, node.data)))
    }

    fn links(&self, number: u32, _: &Self::Entry) -> (Link, Link) {
        let Some(node) = self.tree.node(number as usize) else { return (Link::None, Link::None) };
        (Variations::link(node.first_child), Variations::link(node.next))
    }

    fn decode(&self, (m, _): &Self::Entry, _: &Position) -> Result<Option<Move>, Quirk> {
        Ok(Some(*m).filter(|m| !m.is_null()))
    }

    fn book_move(&self, number: u32, (_, nag): &Self::Entry, m: Move) -> BookMove {
        BookMove { annotation: *nag, ..BookMove::new(m, self.at(number)) }
    }

    fn at(&self, _: u32) -> Location {
        Location::default()
    }
}

impl ReadBook for Variations {
    fn kind(&self) -> Kind {
        self.kind
    }

    look_up_in_tree!();

    fn check(&self, _: WalkOptions, diagnostics: &mut Diagnostics) -> Result<Summary, Error> {
        let entries = self.tree.len().saturating_sub(1) as u64;
        tree::check(self, entries, diagnostics).map(|(summary, _)| summary)
    }
}
