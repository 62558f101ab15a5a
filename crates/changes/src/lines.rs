//! Divides a game into its lines: the main line and each variation, from the start position on.
//!
//! Every token has a predecessor on its line. The first move of a variation has the predecessor of
//! the move that it replaces, so the end of a line leads back to the start of the game:
//!
//! ```text
//! 1. e4 (1. d4 d5) {best} 1... e5      e4 <- {best} <- e5     d4 <- d5
//! ```

use chess_core::{Game, Header, Token};

/// Size that the lines of any game may have together.
const FREE: usize = 1 << 20;
/// Size that the lines of all games may have together.
const FREE_OF_ALL: usize = 16 << 20;
/// Size that they may have for each byte of the games.
const FACTOR: usize = 64;
/// Size of a line beside what its game repeats: the names and quotes of its tags.
const LINE: usize = 256;
/// No token.
const NONE: u32 = u32::MAX;

/// The lines of one game. The memory is reused from game to game.
#[derive(Debug, Default)]
pub struct Lines {
    /// The predecessor of each token on its line.
    before: Vec<u32>,
    lines: Vec<Line>,
    /// The enclosing lines of the current line.
    outer: Vec<Place>,
    /// The tokens of a line, last first.
    path: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Line {
    /// The last token.
    last: u32,
    /// The half-moves before the line leaves another one.
    ply: u32,
}

/// A place in a line while the tokens are followed.
#[derive(Clone, Copy, Debug)]
struct Place {
    line: usize,
    last: u32,
    /// The token before the last move.
    before_move: u32,
    /// Half-moves so far.
    ply: u32,
    /// Size of the tokens so far.
    size: usize,
    /// The same before the last move.
    size_before_move: usize,
}

/// The lines of a game are too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TooLarge {
    /// The number of lines.
    pub lines: usize,
}

/// The sizes of a game and of its lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sizes {
    /// The number of lines.
    pub lines: usize,
    game: usize,
    repeated: usize,
}

/// The sizes of all games that were split so far.
#[derive(Debug, Default)]
pub struct Repeated {
    games: usize,
    lines: usize,
}

impl Repeated {
    /// Adds a game.
    ///
    /// # Errors
    /// [`TooLarge`] if the lines of all games would be much larger than the games. The game is then
    /// not added.
    pub fn add(&mut self, sizes: Sizes) -> Result<(), TooLarge> {
        let (games, lines) =
            (self.games.saturating_add(sizes.game), self.lines.saturating_add(sizes.repeated));
        if lines > FREE_OF_ALL.saturating_add(games.saturating_mul(FACTOR)) {
            return Err(TooLarge { lines: sizes.lines });
        }
        (self.games, self.lines) = (games, lines);
        Ok(())
    }
}

impl Lines {
    /// Finds the lines of `game`, the main line first, then the variations by their start.
    ///
    /// # Errors
    /// [`TooLarge`] if the lines together would be much larger than the game.
    pub fn find(&mut self, game: &Game) -> Result<Sizes, TooLarge> {
        self.before.clear();
        self.lines.clear();
        self.outer.clear();
        let start =
            Place { line: 0, last: NONE, before_move: NONE, ply: 0, size: 0, size_before_move: 0 };
        // The size of the game is about the size of its text, so that output stays in proportion to input.
        let (mut at, mut total, mut own) = (start, 0usize, 0usize);
        self.lines.push(Line { last: NONE, ply: 0 });
        for (number, token) in (0u32..NONE).zip(game.tokens()) {
            self.before.push(at.last);
            own = own.saturating_add(match token {
                Token::VariationStart | Token::VariationEnd => 2,
                Token::Move(_) | Token::Nag(_) => size_of::<u32>(),
                Token::Comment(text) => size_of::<u32>().saturating_add(text.len()),
            });
            match token {
                Token::VariationStart => {
                    self.outer.push(at);
                    let ply = at.ply.saturating_sub(1);
                    let line = self.lines.len();
                    self.lines.push(Line { last: NONE, ply });
                    let (last, size) = (at.before_move, at.size_before_move);
                    at = Place { line, last, ply, size, ..at };
                }
                Token::VariationEnd => {
                    self.end(at);
                    total = total.saturating_add(at.size);
                    at = self.outer.pop().unwrap_or(start);
                }
                Token::Move(_) => {
                    at.before_move = at.last;
                    at.size_before_move = at.size;
                    at.ply += 1;
                    at.size += size_of::<u32>();
                    at.last = number;
                }
                Token::Nag(_) => {
                    at.size += size_of::<u32>();
                    at.last = number;
                }
                Token::Comment(text) => {
                    at.size = at.size.saturating_add(size_of::<u32>()).saturating_add(text.len());
                    at.last = number;
                }
            }
        }
        self.end(at);
        // Each line has the tags, too.
        let Header { event, site, round, white, black, tags, .. } = &game.header;
        let roster = [event, site, round, white, black].map(String::len);
        let tags = tags.iter().map(|(name, value)| name.len().saturating_add(value.len()));
        let tags = roster.into_iter().chain(tags).fold(0, usize::saturating_add);
        let lines = self.lines.len();
        let repeated = lines.saturating_mul(tags.saturating_add(LINE)).saturating_add(total);
        let repeated = repeated.saturating_add(at.size);
        let sizes = Sizes { lines, game: own.saturating_add(tags), repeated };
        if repeated > FREE.saturating_add(sizes.game.saturating_mul(FACTOR)) {
            return Err(TooLarge { lines });
        }
        Ok(sizes)
    }

    fn end(&mut self, at: Place) {
        if let Some(line) = self.lines.get_mut(at.line) {
            line.last = at.last;
        }
    }

    /// Writes line `number` of `game` to `into`, with the header and the start position. Tags say
    /// which line it is, if the game has several.
    pub fn write(&mut self, number: usize, game: &Game, into: &mut Game) {
        into.clear();
        into.header.clone_from(&game.header);
        // A position that no FEN describes stays with its moves.
        if let Some(setup) = game.setup()
            && into.set_start_fen(setup.fen()).is_err()
        {
            into.set_start(*setup.position());
        }
        let Some(line) = self.lines.get(number).copied() else { return };
        self.path.clear();
        let mut token = line.last;
        while let Some(before) = self.before.get(token as usize) {
            self.path.push(token);
            token = *before;
        }
        for token in self.path.iter().rev() {
            if let Some(token) = game.token(*token as usize) {
                // Comments of a part of the game are not too long.
                let _ = into.push(token);
            }
        }
        into.drop_stray_castling();
        if self.lines.len() > 1 {
            let (which, all) = (number.saturating_add(1), self.lines.len());
            into.header.put("Line", &format!("{which}/{all}"));
            if number > 0 {
                into.header.put("LinePly", &line.ply.saturating_add(1).to_string());
            }
            if into.header.tags.get("PlyCount").is_some() {
                into.header.put("PlyCount", &into.ply_count().to_string());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(moves: &str) -> Vec<String> {
        let game = pgn::read_all(format!("[White \"A\"]\n\n{moves}\n\n")).unwrap().remove(0);
        let (mut lines, mut line) = (Lines::default(), Game::new());
        let count = lines.find(&game).unwrap().lines;
        let write = |number| {
            lines.write(number, &game, &mut line);
            let text = pgn::to_string(&line);
            let tag = |name: &str| line.header.get(name).unwrap_or_default();
            let moves = text.trim().split_once("\n\n").unwrap().1.replace('\n', " ");
            format!("{} {} {moves}", tag("Line"), tag("LinePly"))
        };
        (0..count).map(write).collect()
    }

    #[test]
    fn lines_of_variations_begin_at_start_of_game() {
        assert_eq!(
            lines(
                "{a} 1. e4 $1 {b} (1. d4 {c} d5 (1... Nf6 2. c4) 2. c4) (1. c4) {d} 1... e5 (1... c5) 1-0"
            ),
            [
                "1/5  {a} 1. e4 $1 {b} {d} 1... e5 1-0",
                "2/5 1 {a} 1. d4 {c} 1... d5 2. c4 1-0",
                "3/5 2 {a} 1. d4 {c} 1... Nf6 2. c4 1-0",
                "4/5 1 {a} 1. c4 1-0",
                "5/5 2 {a} 1. e4 $1 {b} {d} 1... c5 1-0",
            ]
        );
    }

    #[test]
    fn lines_game_without_variations_is_unchanged() {
        assert_eq!(lines("1. e4 e5 {x} *"), ["  1. e4 e5 {x} *"]);
        assert_eq!(lines("*"), ["  *"]);
    }

    #[test]
    fn lines_start_position_and_ply_count_follow() {
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 30";
        let text =
            format!("[FEN \"{fen}\"]\n[PlyCount \"2\"]\n\n30. e4 Kd7 (30... Ke7 31. e5) *\n");
        let game = pgn::read_all(&text).unwrap().remove(0);
        let (mut lines, mut line) = (Lines::default(), Game::new());
        assert_eq!(lines.find(&game).unwrap().lines, 2);
        lines.write(1, &game, &mut line);
        assert_eq!(line.setup(), game.setup());
        assert_eq!(line.header.get("PlyCount").as_deref(), Some("3"));
        assert_eq!(line.header.get("LinePly").as_deref(), Some("2"));
    }

    #[test]
    fn lines_variation_without_moves_keeps_its_comment() {
        let mut game = Game::new();
        game.push_move("e2e4".parse().unwrap());
        game.start_variation().unwrap();
        game.push_comment("nothing").unwrap();
        game.end_variation().unwrap();
        let (mut lines, mut line) = (Lines::default(), Game::new());
        assert_eq!(lines.find(&game).unwrap().lines, 2);
        lines.write(1, &game, &mut line);
        assert_eq!(line.tokens().collect::<Vec<_>>(), [Token::Comment("nothing")]);
    }

    #[test]
    fn lines_much_larger_than_game_are_error() {
        let mut game = Game::new();
        let knights = ["g1f3", "g8f6", "f3g1", "f6g8"];
        for m in knights.iter().cycle().take(20_000) {
            game.push_move(m.parse().unwrap());
        }
        for _ in 0..20_000 {
            game.start_variation().unwrap();
            game.push_move("h7h6".parse().unwrap());
            game.end_variation().unwrap();
        }
        assert_eq!(Lines::default().find(&game), Err(TooLarge { lines: 20_001 }));
        // A long comment at the start would be written again and again.
        let mut game = Game::new();
        game.push_comment(&"x".repeat(1 << 20)).unwrap();
        game.push_move("g1f3".parse().unwrap());
        for _ in 0..1000 {
            game.start_variation().unwrap();
            game.push_move("h2h3".parse().unwrap());
            game.end_variation().unwrap();
        }
        assert!(Lines::default().find(&game).is_err());
    }

    /// A game with 100 variations and long tags.
    fn with_tag(name: &str, letters: usize) -> Game {
        let mut game = Game::new();
        game.header.set(name, &"x".repeat(letters));
        game.push_move("e2e4".parse().unwrap());
        for _ in 0..100 {
            game.start_variation().unwrap();
            game.push_move("d2d4".parse().unwrap());
            game.end_variation().unwrap();
        }
        game
    }

    #[test]
    fn lines_count_every_tag() {
        for name in ["Event", "Site", "Round", "White", "Black", "Annotator"] {
            let found = |letters| Lines::default().find(&with_tag(name, letters)).is_ok();
            assert!(found(1000) && !found(1 << 20), "{name}");
        }
    }

    #[test]
    fn lines_of_all_games_stay_in_proportion() {
        let sizes = Lines::default().find(&with_tag("Event", 10_000)).unwrap();
        let (mut all, mut games, mut repeated) = (Repeated::default(), 0, 0);
        while all.add(sizes).is_ok() {
            games += sizes.game;
            repeated += sizes.repeated;
            assert!(repeated <= FREE_OF_ALL + games * FACTOR);
        }
        assert!(repeated > FREE_OF_ALL / 2);
        // A game that repeats little is still split.
        let small = Lines::default().find(&Game::new()).unwrap();
        assert_eq!(all.add(small), Ok(()));
    }
}
