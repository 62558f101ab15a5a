//! The self-check: under which reading of the description are the first games legal?
//!
//! No genuine base has been seen, and the description contradicts itself about left and right. With
//! the wrong direction a game becomes illegal within about ten moves, so the first games decide.

use std::fmt;

use chess_core::{Game, Replay, Token};
use chess_store::{Diagnostics, Encoding};

use crate::codes::code_size;
use crate::decode::Decoder;
use crate::layout::{EXTENDED, LAST_EXTENDED};
use crate::reading::Reading;

/// The number of records examined.
pub(crate) const GAMES: u64 = 64;

/// The number of games among which records are looked for. Only *literal* and *left* need more than
/// [`GAMES`] records: they differ only in the moves of promoted pieces.
pub(crate) const LOOKED_AT: u64 = 4096;

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
    /// How sure the choice is.
    pub(crate) certainty: Certainty,
}

/// How sure the choice of a reading is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Certainty {
    /// No other reading makes as many games legal.
    #[default]
    Sure,
    /// Another reading makes as many games legal, and gives the same moves in all games.
    Alike(Reading),
    /// Another reading makes as many games legal, and gives the same moves in the games examined.
    /// The base has more games.
    Untold(Reading),
    /// Another reading makes as many games legal, with other moves.
    Ambiguous(Reading),
}

impl SelfCheck {
    /// The state before any game has been examined.
    pub(crate) fn not_made() -> SelfCheck {
        let tallies = Reading::ALL.map(|reading| Tally { reading, ..Tally::default() });
        let certainty = Certainty::Sure;
        SelfCheck { games: 0, tallies, chosen: Reading::Right, asked: false, certainty }
    }

    /// Whether a reading other than *right* was chosen and another fits as well. *Right* is what most
    /// of the description says, so it needs no evidence of its own.
    pub(crate) fn is_unsure(&self) -> bool {
        let doubt = matches!(self.certainty, Certainty::Ambiguous(_) | Certainty::Untold(_));
        doubt && !self.asked && self.chosen != Reading::Right
    }
}

impl fmt::Display for SelfCheck {
    /// `files counted right; of 12 games legal: right 12, literal 0, left 0; sure`
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
        if self.asked || self.games == 0 {
            return Ok(());
        }
        match self.certainty {
            Certainty::Sure => f.write_str("; sure"),
            Certainty::Alike(other) => write!(f, "; {} gives the same games", other.name()),
            Certainty::Untold(other) => {
                write!(f, "; unsure: {} gives the same games as far as examined", other.name())
            }
            Certainty::Ambiguous(other) => {
                write!(f, "; unsure: {} fits as well and gives other games", other.name())
            }
        }
    }
}

/// Collects the evidence.
#[derive(Debug)]
pub(crate) struct Checker {
    games: u64,
    tallies: [Tally; 3],
    decoders: [Decoder; 3],
    /// The game under each reading.
    read: [Game; 3],
    /// Whether a game differs between right and literal, right and left, literal and left.
    differ: [bool; 3],
}

/// The pairs of readings, by their index, in the order of [`Checker::differ`].
const PAIRS: [(usize, usize); 3] = [(0, 1), (0, 2), (1, 2)];

impl Checker {
    pub(crate) fn new() -> Checker {
        Checker {
            games: 0,
            tallies: SelfCheck::not_made().tallies,
            // The encoding does not matter here.
            decoders: Reading::ALL.map(|reading| Decoder::new(Encoding::WINDOWS_1252, reading)),
            read: [Game::new(), Game::new(), Game::new()],
            differ: [false; 3],
        }
    }

    /// Whether *literal* and *left* are the best, and equal so far.
    pub(crate) fn is_tied(&self) -> bool {
        let [right, literal, left] = self.tallies.map(|tally| tally.legal_games);
        literal == left && literal > right
    }

    /// Examines the codes of a record. One that is not `whole` is no legal game.
    pub(crate) fn examine(&mut self, codes: &[u8], whole: bool) {
        let mut found = [(0, false); 3];
        let mut has_moves = false;
        let decoders = self.decoders.iter_mut().zip(&mut self.read);
        for (found, (decoder, game)) in found.iter_mut().zip(decoders) {
            let read = decoder.decode(codes, game, &mut Diagnostics::lenient());
            let (plies, legal) = legal_plies(game);
            *found = (plies, legal && whole && read.is_ok());
            has_moves |= game.tokens().any(|token| matches!(token, Token::Move(m) if !m.is_null()));
        }
        for (differ, (one, other)) in self.differ.iter_mut().zip(PAIRS) {
            let games = self.read.get(one).zip(self.read.get(other));
            *differ |= games.is_some_and(|(one, other)| !one.tokens().eq(other.tokens()));
        }
        if !has_moves {
            return;
        }
        self.games = self.games.saturating_add(1);
        for (tally, (plies, legal)) in self.tallies.iter_mut().zip(found) {
            tally.legal_plies = tally.legal_plies.saturating_add(plies);
            tally.legal_games = tally.legal_games.saturating_add(u64::from(legal));
        }
    }

    /// A clear majority decides. A tie keeps the default. `complete` means that all games of the
    /// base were examined.
    pub(crate) fn verdict(self, asked: Option<Reading>, complete: bool) -> SelfCheck {
        let [default, others @ ..] = self.tallies;
        let mut best = default;
        for tally in others {
            if tally.legal_games > best.legal_games && tally.legal_plies > best.legal_plies {
                best = tally;
            }
        }
        let clear = best.legal_games.saturating_mul(2) > self.games
            && best.legal_games >= default.legal_games.saturating_mul(2);
        let chosen = if clear { best } else { default };
        SelfCheck {
            games: self.games,
            tallies: self.tallies,
            chosen: asked.unwrap_or(chosen.reading),
            asked: asked.is_some(),
            certainty: self.certainty(chosen, complete),
        }
    }

    /// Compares `chosen` with the readings that make as many games legal.
    fn certainty(&self, chosen: Tally, complete: bool) -> Certainty {
        let mut certainty = Certainty::Sure;
        for ((one, other), differ) in PAIRS.into_iter().zip(self.differ) {
            let pair = self.tallies.get(one).zip(self.tallies.get(other));
            let Some((one, other)) = pair else { continue };
            let rival = match chosen.reading {
                reading if reading == one.reading => other,
                reading if reading == other.reading => one,
                _ => continue,
            };
            if rival.legal_games < chosen.legal_games {
                continue;
            }
            certainty = match certainty {
                Certainty::Ambiguous(_) => certainty,
                _ if differ => Certainty::Ambiguous(rival.reading),
                Certainty::Sure if complete => Certainty::Alike(rival.reading),
                Certainty::Sure => Certainty::Untold(rival.reading),
                _ => certainty,
            };
        }
        certainty
    }
}

/// Whether a record has a move of a promoted piece, which tells *literal* from *left*.
pub(crate) fn has_extended_move(mut codes: &[u8]) -> bool {
    while let Some(code) = codes.first() {
        if (EXTENDED..=LAST_EXTENDED).contains(code) {
            return true;
        }
        let Ok(size) = code_size(codes) else { return false };
        codes = codes.get(size.max(1)..).unwrap_or_default();
    }
    false
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
