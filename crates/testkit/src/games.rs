//! Random games: walks over legal moves with annotations, which depend only on the bytes given.

use arbitrary::{Arbitrary, Unstructured};
use chess_core::{Date, Eco, Elo, Game, GameResult, Move, Nag, Position, Replay};

/// A small random generator for tests. It stands in for a fuzzer's bytes.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Returns a generator for a seed. Equal seeds give equal numbers.
    #[must_use]
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Returns the next number (xorshift64*).
    pub fn number(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11
    }

    /// Returns a number below `limit`, which is not zero.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.number() % limit as u64) as usize
    }

    /// Returns a byte.
    pub fn byte(&mut self) -> u8 {
        self.number() as u8
    }

    /// Returns `count` bytes, for an [`Unstructured`].
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.byte()).collect()
    }
}

/// Features that a random game may have. Some formats cannot hold all of them.
#[derive(Clone, Copy, Debug)]
pub struct Flavour {
    /// Start positions other than the standard one.
    pub setups: bool,
    /// Chess960 castling rights in start positions.
    pub chess960: bool,
    /// Null moves.
    pub null_moves: bool,
    /// Nested variations.
    pub variations: bool,
    /// Comments after moves.
    pub comments: bool,
    /// Comments before the first move of a line, and several in a row.
    pub free_comments: bool,
    /// NAGs from 1 to this; 0 for none.
    pub nags: u16,
    /// Extra tags.
    pub tags: bool,
    /// The maximum number of plies in a line.
    pub plies: u32,
}

impl Flavour {
    /// All features of the model.
    pub const ALL: Flavour = Flavour {
        setups: true,
        chess960: true,
        null_moves: true,
        variations: true,
        comments: true,
        free_comments: true,
        nags: 255,
        tags: true,
        plies: 120,
    };

    /// Moves and the seven-tag roster only.
    pub const PLAIN: Flavour = Flavour {
        setups: false,
        chess960: false,
        null_moves: false,
        variations: false,
        comments: false,
        free_comments: false,
        nags: 0,
        tags: false,
        plies: 120,
    };
}

const SETUPS: [&str; 6] = [
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    "8/P6k/8/8/8/8/p6K/8 b - - 12 40",
    "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 3 10",
    "4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 11",
    "q3k2q/1q4q1/8/8/8/8/1Q4Q1/Q3K2Q b - - 0 1",
    "8/PPPPPPPP/4k3/8/8/4K3/pppppppp/8 w - - 0 60",
];
const CHESS960: [&str; 2] = [
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "nrbkqrbn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQRBN w FBfb - 0 1",
];
const TEXTS: [&str; 10] = [
    "good",
    "Better was 12.Nf3!",
    "",
    "Zürich, après",
    "日本の将棋",
    "a \"quoted\" \\ word",
    "two\nlines",
    "wide  spaces ",
    "semi;colon %percent",
    "emoji 😀",
];
const NAMES: [&str; 8] =
    ["?", "Kasparov, Garry", "Ärger, Ö", "-", "Smith", "A", "van der Berg, J.", "Москва"];

/// Returns a game made from a fuzzer's bytes: a random walk over legal moves.
///
/// # Errors
///
/// The bytes run out before there is a game.
pub fn random_game(data: &mut Unstructured<'_>, flavour: Flavour) -> arbitrary::Result<Game> {
    let mut game = Game::new();
    random_header(data, flavour, &mut game)?;
    if flavour.setups && data.ratio(1, 4)? {
        let fen = if flavour.chess960 && data.ratio(1, 2)? {
            *data.choose(&CHESS960)?
        } else {
            *data.choose(&SETUPS)?
        };
        game.set_start_fen(fen).unwrap();
    }
    random_line(data, flavour, &mut game)?;
    Ok(game)
}

/// Returns `count` [random games](random_game), each made from `bytes` random bytes of this seed.
pub fn random_games(seed: u64, count: usize, bytes: usize, flavour: Flavour) -> Vec<Game> {
    let mut random = Random::new(seed);
    (0..count)
        .map(|_| random_game(&mut Unstructured::new(&random.bytes(bytes)), flavour).unwrap())
        .collect()
}

fn random_header(
    data: &mut Unstructured<'_>,
    flavour: Flavour,
    game: &mut Game,
) -> arbitrary::Result<()> {
    let header = &mut game.header;
    for field in [
        &mut header.event,
        &mut header.site,
        &mut header.round,
        &mut header.white,
        &mut header.black,
    ] {
        (*data.choose(&NAMES)?).clone_into(field);
    }
    let (year, month, day) =
        (data.int_in_range(1800..=2040)?, data.int_in_range(0..=12)?, data.int_in_range(0..=28)?);
    header.date = Date::new(year, month, if month == 0 { 0 } else { day }).unwrap();
    header.result = *data.choose(&[
        GameResult::Unknown,
        GameResult::White,
        GameResult::Black,
        GameResult::Draw,
    ])?;
    header.white_elo = Elo::new(data.int_in_range(0..=2900)?);
    header.black_elo = Elo::new(data.int_in_range(0..=2900)?);
    if data.ratio(1, 2)? {
        header.eco = Eco::new(data.int_in_range(0..=499)?);
    }
    if flavour.tags {
        for name in ["Annotator", "TimeControl", "Opening"] {
            if data.ratio(1, 4)? {
                header.tags.push(name, data.choose(&TEXTS)?);
            }
        }
    }
    Ok(())
}

fn random_line(
    data: &mut Unstructured<'_>,
    flavour: Flavour,
    game: &mut Game,
) -> arbitrary::Result<()> {
    if flavour.free_comments && data.ratio(1, 6)? {
        game.push_comment(data.choose(&TEXTS)?).unwrap();
    }
    let mut here = vec![Level { position: game.start_position(), before: None, ply: 0 }];
    while !data.is_empty() {
        let depth = here.len();
        let level = here.last_mut().unwrap();
        if let Some(before) = level.before
            && flavour.variations
            && depth < 6
            && data.ratio(1, 12)?
        {
            game.start_variation().unwrap();
            if flavour.free_comments && data.ratio(1, 6)? {
                game.push_comment(data.choose(&TEXTS)?).unwrap();
            }
            let ply = level.ply - 1;
            here.push(Level { position: before, before: None, ply });
            continue;
        }
        if depth > 1 && level.before.is_some() && data.ratio(1, 6)? {
            game.end_variation().unwrap();
            here.pop();
            continue;
        }
        let Some(m) = random_move(data, flavour, &level.position)? else { break };
        if level.ply >= flavour.plies {
            break;
        }
        game.push_move(m);
        level.before = Some(level.position);
        level.position.apply(m);
        level.ply += 1;
        annotate(data, flavour, game)?;
    }
    // A variation without a move has no content, and text formats cannot write one.
    game.drop_empty_variation(true);
    game.close_variations();
    debug_assert!(all_legal(game));
    Ok(())
}

struct Level {
    position: Position,
    before: Option<Position>,
    ply: u32,
}

fn random_move(
    data: &mut Unstructured<'_>,
    flavour: Flavour,
    position: &Position,
) -> arbitrary::Result<Option<Move>> {
    if flavour.null_moves && !position.in_check() && data.ratio(1, 40)? {
        return Ok(Some(Move::NULL));
    }
    let moves = position.legal_moves();
    if moves.is_empty() {
        return Ok(None);
    }
    Ok(Some(moves[usize::from(u8::arbitrary(data)?) % moves.len()]))
}

fn annotate(
    data: &mut Unstructured<'_>,
    flavour: Flavour,
    game: &mut Game,
) -> arbitrary::Result<()> {
    if flavour.nags > 0 && data.ratio(1, 10)? {
        game.push_nag(Nag(data.int_in_range(1..=flavour.nags)?));
    }
    if flavour.comments && data.ratio(1, 10)? {
        game.push_comment(data.choose(&TEXTS)?).unwrap();
        if flavour.free_comments && data.ratio(1, 5)? {
            game.push_comment(data.choose(&TEXTS)?).unwrap();
        }
    }
    Ok(())
}

fn all_legal(game: &Game) -> bool {
    let mut replay = Replay::new(game);
    game.tokens().all(|token| {
        let legal = match token {
            chess_core::Token::Move(m) => replay.position().is_legal(m),
            _ => true,
        };
        replay.step(token);
        legal
    })
}
