//! Changes to games while they are copied: what is left out, and what is added.
//!
//! ```
//! use changes::{Addition, Changes, Strip};
//!
//! let mut changes = Changes::default();
//! changes.strip = Strip::list("comments,variations,tags=Annotator")?;
//! changes.add = vec![Addition::Eco, Addition::PlyCount];
//!
//! let mut game = chess_core::Game::new();
//! for m in ["e2e4", "c7c5"] {
//!     game.push_move(m.parse()?);
//! }
//! changes.apply(&mut game);
//! assert_eq!(game.header.get("ECO").as_deref(), Some("B20"));
//! assert_eq!(game.header.get("PlyCount").as_deref(), Some("2"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![allow(
    clippy::arithmetic_side_effects,
    reason = "counters of games and half-moves cannot overflow"
)]

mod commands;
mod error;
mod lines;
mod mark;
pub mod merge;
mod position;
mod strip;

use std::str::FromStr;
use std::sync::Arc;

use chess_core::{Game, Header, Nag, Token};
use openings::Opening;

use query::spelling::{Speller, Spelling};
use query::{Matcher, QueryError};

pub use error::ErrorKind;
pub use lines::{Lines, Repeated, Sizes, TooLarge};
pub use mark::mark;
pub use position::{At, Sought};
pub use strip::{Strip, StripTags};

/// Changes to games. The default changes nothing.
///
/// The changes have this order: names are corrected, the game is split into its lines, then parts are left out, then the
/// half-moves are kept, then tags are added. The opening is computed from the whole line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Changes {
    /// Each variation becomes a game of its own, from the start of the game on. The tags `Line` and
    /// `LinePly` say which line it is. [`Lines`] does this;
    /// [`apply`](Changes::apply) cannot.
    pub split_variations: bool,
    /// Corrects the names of players, events, sites and rounds.
    pub spelling: Option<Arc<Spelling>>,
    /// Left out.
    pub strip: Vec<Strip>,
    /// The first half-move of the main line that is kept, from 1. The game then begins at the position
    /// before it. A game of a variant such as Atomic, whose boards are not known, stays whole.
    pub from_ply: Option<u32>,
    /// The most half-moves of the main line that are kept. The result stays, and a tag `PlyCount`
    /// follows.
    pub plies: Option<u32>,
    /// Added.
    pub add: Vec<Addition>,
    /// A diagram follows each time that this number of full moves of the main line was played.
    pub diagrams: Option<u32>,
    /// The game becomes one of its positions, after all other changes.
    /// [`take_position`](Changes::take_position) does this; [`apply`](Changes::apply) cannot.
    pub at: Option<At>,
}

/// The NAG of a diagram.
const DIAGRAM: Nag = Nag(220);

/// A tag that is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addition {
    /// `ECO`, if the game has none: the code of its opening.
    Eco,
    /// `Opening`, if the game has none: the name of its opening.
    Opening,
    /// `PlyCount`: the half-moves of the main line.
    PlyCount,
    /// `FinalFEN`: the position after the main line.
    Fen,
}

impl Addition {
    /// Parses names with commas between them: `eco,opening,plycount,fen`.
    ///
    /// # Errors
    /// [`QueryError`] names the word that is unknown.
    pub fn list(text: &str) -> Result<Vec<Addition>, QueryError> {
        if text.trim().is_empty() {
            return Err(QueryError::Empty);
        }
        text.split(',').map(|part| part.trim().parse()).collect()
    }

    fn add(self, header: &mut Header, game: &Added) {
        let put = |header: &mut Header, name: &str, value: Option<String>| {
            if let Some(value) = value {
                header.put(name, &value);
            }
        };
        let is_known =
            |name: &str| header.tags.get(name).is_some_and(|text| !text.is_empty() && text != "?");
        match self {
            Addition::Eco if header.eco.is_none() => {
                put(header, "ECO", game.opening.map(|opening| opening.eco().to_string()));
            }
            Addition::Opening if !is_known("Opening") => {
                put(header, "Opening", game.opening.map(|opening| opening.name().to_owned()));
            }
            Addition::Eco | Addition::Opening => {}
            Addition::PlyCount => put(header, "PlyCount", Some(game.plies.to_string())),
            Addition::Fen => put(header, "FinalFEN", game.last_fen.clone()),
        }
    }
}

impl FromStr for Addition {
    type Err = QueryError;

    fn from_str(text: &str) -> Result<Addition, QueryError> {
        match &*text.to_ascii_lowercase() {
            "eco" => Ok(Addition::Eco),
            "opening" => Ok(Addition::Opening),
            "plycount" => Ok(Addition::PlyCount),
            "fen" => Ok(Addition::Fen),
            "" => Err(QueryError::Empty),
            _ => Err(QueryError::unreadable(
                text,
                "a tag to add; write eco, opening, plycount or fen",
            )),
        }
    }
}

/// The values that are added to a game.
struct Added {
    opening: Option<Opening>,
    plies: usize,
    last_fen: Option<String>,
}

impl Changes {
    /// Returns whether nothing is changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.split_variations
            && self.spelling.is_none()
            && self.strip.is_empty()
            && !self.cuts()
            && self.add.is_empty()
            && self.diagrams.is_none()
            && self.at.is_none()
    }

    /// Returns whether half-moves are left out.
    fn cuts(&self) -> bool {
        self.plies.is_some() || self.from_ply.is_some_and(|first| first > 1)
    }

    /// Changes a game.
    pub fn apply(&self, game: &mut Game) {
        if let Some(mut speller) = self.speller() {
            speller.correct(&mut game.header, |_| {});
        }
        self.apply_to_spelt(game);
    }

    /// Returns the speller of the names, if they are corrected.
    #[must_use]
    pub fn speller(&self) -> Option<Speller> {
        self.spelling.as_ref().map(|spelling| Speller::new(Arc::clone(spelling)))
    }

    /// Changes a game, apart from its names.
    pub fn apply_to_spelt(&self, game: &mut Game) {
        let adds_opening =
            |addition: &Addition| matches!(addition, Addition::Eco | Addition::Opening);
        let opening = if self.add.iter().any(adds_opening) { Opening::of(game) } else { None };
        if self.cuts() || self.diagrams.is_some() || self.strip.iter().any(Strip::concerns_line) {
            self.rewrite(game);
        }
        for strip in &self.strip {
            strip.apply_to_header(&mut game.header);
        }
        if self.add.is_empty() {
            return;
        }
        let last_fen = self.add.contains(&Addition::Fen).then(|| last_fen(game)).flatten();
        let added = Added { opening, plies: game.ply_count(), last_fen };
        self.add.iter().for_each(|addition| addition.add(&mut game.header, &added));
    }

    /// Makes the game one of its positions, if [`at`](Changes::at) is set. `finder` is the
    /// [matcher](At::matcher) of `at`.
    ///
    /// # Errors
    /// The game has no such position.
    pub fn take_position(
        &self,
        game: &mut Game,
        finder: Option<&mut Matcher>,
    ) -> Result<(), ErrorKind> {
        self.at.as_ref().map_or(Ok(()), |at| at.take(game, finder))
    }

    /// Writes the moves and annotations again, without those that are left out.
    fn rewrite(&self, game: &mut Game) {
        let old = std::mem::take(game);
        // A position that no FEN describes stays with its moves.
        if let Some(setup) = old.setup()
            && game.set_start_fen(setup.fen()).is_err()
        {
            game.set_start(*setup.position());
        }
        let first = self.from_ply.filter(|_| old.variant().keeps_boards()).unwrap_or(1).max(1);
        let mut position = old.start_position();
        let (mut ply, mut depth) = (0u32, 0u32);
        let leaves_out = |strip: &Strip| self.strip.contains(strip);
        let (variations, comments) = (leaves_out(&Strip::Variations), leaves_out(&Strip::Comments));
        let commands: Vec<&str> = self.strip.iter().flat_map(Strip::commands).copied().collect();
        for token in old.tokens() {
            match token {
                Token::VariationStart => depth = depth.saturating_add(1),
                Token::VariationEnd => {
                    depth = depth.saturating_sub(1);
                    if variations {
                        continue;
                    }
                }
                Token::Move(m) if depth == 0 => {
                    let kept = ply.saturating_add(1).saturating_sub(first);
                    if self.plies.is_some_and(|most| ply.saturating_add(1) >= first && kept >= most)
                    {
                        break;
                    }
                    ply += 1;
                    if ply < first {
                        position.apply(m);
                    }
                }
                _ => {}
            }
            if ply < first && first > 1 || variations && depth > 0 {
                continue;
            }
            // A part of a game that was held is not too long.
            let _ = match token {
                Token::Nag(_) if leaves_out(&Strip::Glyphs) => Ok(()),
                Token::Comment(_) if comments => Ok(()),
                Token::Comment(text) if !commands.is_empty() => {
                    match commands::without(text, &commands) {
                        Some(text) if text.is_empty() => Ok(()),
                        Some(text) => game.push_comment(&text),
                        None => game.push(token),
                    }
                }
                token => game.push(token),
            };
            let is_move = depth == 0 && matches!(token, Token::Move(_));
            let moves = ply.div_euclid(2);
            if is_move && ply % 2 == 0 && self.diagrams.is_some_and(|every| moves % every == 0) {
                game.push_nag(DIAGRAM);
            }
        }
        if first > 1 {
            game.set_start(position);
        }
        game.header = old.header;
        game.drop_stray_castling();
        if self.cuts() && game.header.tags.get("PlyCount").is_some() {
            game.header.put("PlyCount", &game.ply_count().to_string());
        }
    }
}

/// Returns the FEN of the position after the main line. `None` if the rules of the game are not
/// known.
fn last_fen(game: &Game) -> Option<String> {
    let mut position = game.start_position();
    game.main_line().for_each(|m| position.apply(m));
    game.variant().keeps_boards().then(|| position.to_fen())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TAGS: &str = "[Event \"E\"]\n[White \"A\"]\n[WhiteElo \"2500\"]\n[Annotator \"X\"]\n\n";
    const MOVES: &str = "{ Start } 1. e4 $1 { [%clk 0:01:00] good } ( 1. d4 { [%eval 0.2] } d5 ) \
                         1... c5 { [%eval 0.30] [%clk 0:00:59] } 2. Nf3 $2 ( 2. c3 ( 2. a3 ) ) 1-0";

    /// Returns the movetext of the changed game, and its other tags.
    fn changed(changes: &Changes, moves: &str) -> (String, String) {
        let text = format!("{TAGS}{moves}\n\n");
        let mut game = pgn::read_all(&text).unwrap().remove(0);
        changes.apply(&mut game);
        let written = pgn::to_string(&game);
        let (tags, moves) = written.trim().split_once("\n\n").unwrap();
        let roster = |line: &&str| {
            !["Event ", "Site", "Date", "Round", "White ", "Black ", "Result"]
                .iter()
                .any(|name| line.starts_with(&format!("[{name}")))
        };
        let tags: Vec<&str> = tags.lines().filter(roster).collect();
        (moves.replace('\n', " "), tags.join(" "))
    }

    fn stripped(strip: &str) -> String {
        let changes = Changes { strip: Strip::list(strip).unwrap(), ..Changes::default() };
        changed(&changes, MOVES).0
    }

    #[test]
    fn strip_kinds_leave_the_rest() {
        let none = stripped("tags=Site");
        assert!(none.contains("d5") && none.contains("%clk") && none.contains('$'), "{none}");
        assert_eq!(
            stripped("variations"),
            "{ Start } 1. e4 $1 { [%clk 0:01:00] good } 1... c5 { [%eval 0.30] [%clk 0:00:59] } 2. Nf3 \
             $2 1-0"
        );
        assert_eq!(
            stripped("comments,glyphs"),
            "1. e4 (1. d4 d5) 1... c5 2. Nf3 (2. c3 (2. a3)) 1-0"
        );
        assert_eq!(
            stripped("clocks,evals,variations"),
            "{ Start } 1. e4 $1 { good } 1... c5 2. Nf3 $2 1-0"
        );
        assert_eq!(stripped("comments,variations,glyphs"), "1. e4 c5 2. Nf3 1-0");
    }

    #[test]
    fn plies_keep_variations_of_last_move_and_result() {
        let cut = |plies| changed(&Changes { plies: Some(plies), ..Changes::default() }, MOVES).0;
        assert_eq!(cut(0), "{ Start } 1-0");
        assert_eq!(
            cut(1),
            "{ Start } 1. e4 $1 { [%clk 0:01:00] good } (1. d4 { [%eval 0.2] } 1... d5) 1-0"
        );
        assert_eq!(cut(99), cut(3));
    }

    #[test]
    fn from_ply_begins_at_position_before_it() {
        let cut = |from_ply, plies| {
            let changes = Changes { from_ply: Some(from_ply), plies, ..Changes::default() };
            let (moves, tags) = changed(&changes, MOVES);
            let fen = tags.split_once("[FEN \"").map(|(_, rest)| rest.split('"').next().unwrap());
            (moves, fen.map(str::to_owned))
        };
        assert_eq!(cut(1, None), (changed(&Changes::default(), MOVES).0, None));
        let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        let (moves, fen) = cut(2, Some(1));
        assert_eq!(moves, "1... c5 { [%eval 0.30] [%clk 0:00:59] } 1-0");
        assert_eq!(fen.as_deref(), Some(after_e4));
        let (moves, fen) = cut(3, None);
        assert_eq!(moves, "2. Nf3 $2 (2. c3 (2. a3)) 1-0");
        assert!(fen.is_some());
        let (moves, fen) = cut(9, Some(4));
        let end = "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
        assert_eq!((&*moves, fen.as_deref()), ("1-0", Some(end)));
    }

    #[test]
    fn cut_game_updates_ply_count() {
        let mut game = Game::new();
        ["e2e4", "c7c5", "g1f3"].iter().for_each(|m| game.push_move(m.parse().unwrap()));
        game.header.set("PlyCount", "3");
        Changes { from_ply: Some(3), ..Changes::default() }.apply(&mut game);
        assert_eq!(game.header.get("PlyCount").as_deref(), Some("1"));
    }

    #[test]
    fn strip_tags_keeps_moves_and_roster() {
        let tags = |strip: &str| {
            let changes = Changes { strip: Strip::list(strip).unwrap(), ..Changes::default() };
            changed(&changes, MOVES).1
        };
        assert_eq!(tags("comments"), "[WhiteElo \"2500\"] [Annotator \"X\"]");
        assert_eq!(tags("tags=Annotator"), "[WhiteElo \"2500\"]");
        assert_eq!(tags("tags=Annotator,WhiteElo,comments"), "");
        assert_eq!(tags("tags=all-but-roster"), "");
    }

    #[test]
    fn add_keeps_known_tags_and_names_opening_of_whole_game() {
        let mut changes = Changes { plies: Some(1), ..Changes::default() };
        changes.add = Addition::list("eco,opening,plycount,fen").unwrap();
        let (_, tags) = changed(&changes, MOVES);
        let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        for tag in [
            "[ECO \"B27\"]",
            "[Opening \"Sicilian Defense\"]",
            "[PlyCount \"1\"]",
            &format!("[FinalFEN \"{fen}\"]"),
        ] {
            assert!(tags.contains(tag), "{tag} in {tags}");
        }
        let mut game = Game::new();
        game.push_move("e2e4".parse().unwrap());
        game.header.set("ECO", "A00");
        game.header.set("Opening", "Own name");
        changes.apply(&mut game);
        assert_eq!(game.header.get("ECO").as_deref(), Some("A00"));
        assert_eq!(game.header.get("Opening").as_deref(), Some("Own name"));
    }

    #[test]
    fn apply_keeps_start_position_and_its_text() {
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let mut game = Game::new();
        game.set_start_fen(fen).unwrap();
        game.push_move("e2e4".parse().unwrap());
        game.push_comment("x").unwrap();
        let setup = game.setup().cloned();
        Changes { strip: vec![Strip::Comments], ..Changes::default() }.apply(&mut game);
        assert_eq!(game.setup().cloned(), setup);
        assert_eq!(game.tokens().count(), 1);
    }

    #[test]
    fn list_unknown_addition_is_error() {
        assert!(Addition::list("eco,name").is_err() && Addition::list("").is_err());
        assert_eq!(Addition::list("ECO"), Ok(vec![Addition::Eco]));
    }
}
