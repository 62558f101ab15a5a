//! The self-check: under which reading of the description are the first games legal?
//!
//! No genuine base has been seen, and the description contradicts itself about left and right. With
//! the wrong direction a game becomes illegal within about ten moves, so the first games decide.

use std::fmt;

use chess_core::{Game, Replay, Token};
use chess_store::{Diagnostics, Encoding};

use crate::decode::Decoder;
use crate::reading::Reading;

/// The number of games examined.
pub(crate) const GAMES: u64 = 64;

/// The results of one reading.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Tally {
    /// The reading.
    pub(crate) reading: Reading,
    /// Games that are legal throughout, including variations.
    pub(crate) legal_games: u64,
    /// Moves before the first illegal move of each game, in total.
    pub(crate) legal_plies: u64,
}

/// The result of the self-check.
// chessassistant §11 "Self-check"
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SelfCheck {
    /// The number of games examined. Games without moves show nothing and are not counted.
    pub(crate) games: u64,
    /// The results of each reading, the default first.
    pub(crate) tallies: [Tally; 3],
    /// The chosen reading.
    pub(crate) chosen: Reading,
    /// Whether the user selected it.
    pub(crate) asked: bool,
}

impl SelfCheck {
    /// The state before any game has been examined.
    pub(crate) fn not_made() -> SelfCheck {
        let tallies = Reading::ALL.map(|reading| Tally { reading, ..Tally::default() });
        SelfCheck { games: 0, tallies, chosen: Reading::Right, asked: false }
    }
}

impl fmt::Display for SelfCheck {
    /// `files counted right (12 of 12 games legal; literal 0, left 0)`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "files counted {}", self.chosen.name())?;
        if self.asked {
            f.write_str(" as asked")?;
        }
        write!(f, "; of {} games legal:", self.games)?;
        let mut comma = "";
        for tally in &self.tallies {
            write!(f, "{comma} {} {}", tally.reading.name(), tally.legal_games)?;
            comma = ",";
        }
        Ok(())
    }
}

/// Collects the evidence.
#[derive(Debug)]
pub(crate) struct Checker {
    games: u64,
    tallies: [Tally; 3],
    decoders: [Decoder; 3],
    game: Game,
}

impl Checker {
    pub(crate) fn new() -> Checker {
        Checker {
            games: 0,
            tallies: SelfCheck::not_made().tallies,
            // The encoding does not matter here.
            decoders: Reading::ALL.map(|reading| Decoder::new(Encoding::WINDOWS_1252, reading)),
            game: Game::new(),
        }
    }

    /// Examines the codes of a record.
    pub(crate) fn examine(&mut self, codes: &[u8]) {
        let mut found = [(0, false); 3];
        for (found, decoder) in found.iter_mut().zip(&mut self.decoders) {
            let mut diagnostics = Diagnostics::lenient();
            let read = decoder.decode(codes, &mut self.game, &mut diagnostics);
            let (plies, legal) = legal_plies(&self.game);
            *found = (plies, legal && read.is_ok());
        }
        if found.iter().all(|(plies, _)| *plies == 0) {
            return;
        }
        self.games = self.games.saturating_add(1);
        for (tally, (plies, legal)) in self.tallies.iter_mut().zip(found) {
            tally.legal_plies = tally.legal_plies.saturating_add(plies);
            tally.legal_games = tally.legal_games.saturating_add(u64::from(legal));
        }
    }

    /// A clear majority decides. A tie keeps the default.
    pub(crate) fn verdict(self, asked: Option<Reading>) -> SelfCheck {
        let [default, others @ ..] = self.tallies;
        let mut best = default;
        for tally in others {
            if tally.legal_games > best.legal_games && tally.legal_plies > best.legal_plies {
                best = tally;
            }
        }
        let clear = best.legal_games.saturating_mul(2) > self.games
            && best.legal_games >= default.legal_games.saturating_mul(2);
        let chosen = if clear { best.reading } else { default.reading };
        SelfCheck {
            games: self.games,
            tallies: self.tallies,
            chosen: asked.unwrap_or(chosen),
            asked: asked.is_some(),
        }
    }
}

/// Returns the number of moves before the first illegal one, and whether all are legal. Null moves
/// are skipped.
fn legal_plies(game: &Game) -> (u64, bool) {
    let mut replay = Replay::new(game);
    let mut plies = 0u64;
    for token in game.tokens() {
        if let Token::Move(m) = token
            && !m.is_null()
        {
            if !replay.position().is_legal(m) {
                return (plies, false);
            }
            plies = plies.saturating_add(1);
        }
        replay.step(token);
    }
    (plies, true)
}
