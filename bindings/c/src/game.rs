//! One game: its tags and texts.

use std::mem::MaybeUninit;

use scoresheet::chess_core::Game as Inner;
use scoresheet::chess_store::Diagnostics;
use scoresheet::pgn;

use crate::ffi::CText;
use crate::findings::{Finding, Findings};
use crate::status::{Error, Failure, NONE, Status, ask, call, needed};
use crate::text::{OneText, Span, Text, Texts, given};
use crate::tokens::Line;

/// The size in bytes of buffers that are kept for the next game.
const USUAL: usize = 64 << 10;

/// A game. One thread at a time uses a game. Create one and read many games into it: its memory is used
/// again.
///
/// Texts and arrays of a game are made when they are asked for, and valid until a game is read into
/// this handle or it is freed.
#[derive(Default)]
pub struct Game {
    pub(crate) inner: Inner,
    number: Option<u64>,
    warnings: Findings,
    /// The tags, once they are asked for.
    tags: Option<Vec<[Span; 2]>>,
    texts: Texts,
    pgn: OneText,
    json: OneText,
    fen: OneText,
    /// The last position asked for.
    position: OneText,
    pub(crate) line: Line,
}

impl Game {
    /// Empties the handle for game `number`.
    pub(crate) fn start(&mut self, number: u64) {
        self.clear();
        self.number = Some(number);
    }

    fn clear(&mut self) {
        if self.inner.size() > USUAL {
            // The buffers of an unusual game are not kept.
            *self = Game::default();
            return;
        }
        self.inner.clear();
        self.number = None;
        self.warnings.clear();
        self.tags = None;
        self.texts.clear();
        for text in [&mut self.pgn, &mut self.json, &mut self.fen, &mut self.position] {
            text.clear();
        }
        self.line.clear();
    }

    /// Keeps the deviations that were tolerated.
    pub(crate) fn take(&mut self, notes: &Diagnostics) {
        notes.warnings().iter().for_each(|warning| self.warnings.add_warning(warning));
    }

    /// Returns the tags, made on the first call.
    fn tags(&mut self) -> (&[[Span; 2]], &Texts) {
        let Game { inner, tags, texts, .. } = self;
        let tags = tags.get_or_insert_with(|| {
            let mut tags = Vec::new();
            inner.header.for_each_tag(|name, value| {
                tags.push([texts.add(name), texts.add(value)]);
            });
            tags
        });
        (tags, texts)
    }
}

/// Creates an empty game. Free it with `scoresheet_game_free`.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_game_new() -> *mut Game {
    Box::into_raw(Box::default())
}

/// Reads the first game of a PGN text into `game`. `pgn` ends with a zero byte.
///
/// `SCORESHEET_STATUS_DAMAGED`: `game` holds the tags and moves before the damage.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_game_from_pgn(
    game: Option<&mut Game>,
    pgn: CText<'_>,
    error: Option<&mut MaybeUninit<*mut Error>>,
) -> Status {
    call(error, || {
        let game = needed(game, "game")?;
        game.clear();
        let text = given(pgn, "pgn")?;
        let mut notes = Diagnostics::lenient();
        let mut reader = pgn::Reader::new(text.as_bytes());
        let read = reader.read_game(&mut game.inner, &mut notes);
        game.take(&notes);
        match read {
            Ok(true) => Ok(()),
            Ok(false) => Err(Failure::argument("there is no game in the text")),
            Err(error) => Err(Failure::new(Status::Damaged, error)),
        }
    })
}

/// Frees a game. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_game_free(game: Option<Box<Game>>) {
    drop(game);
}

/// Returns the number of the game in its base, from zero. `SCORESHEET_NONE` if it has none.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_game_number(game: Option<&Game>) -> u64 {
    game.and_then(|game| game.number).unwrap_or(NONE)
}

/// Returns the value of a tag, such as `White`, `WhiteElo` or `Deleted`. No text if the game has no such
/// tag. `FEN` is no tag here: `scoresheet_game_fen` returns the start position.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_game_tag(game: Option<&mut Game>, name: CText<'_>) -> Text {
    ask(Text::NONE, || {
        let (tags, texts) = game?.tags();
        let name = name.bytes()?;
        let [_, value] = tags.iter().find(|[tag, _]| texts.bytes(*tag) == name)?;
        Some(texts.view(*value))
    })
}

/// Returns the number of tags.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_game_tag_count(game: Option<&mut Game>) -> usize {
    ask(0, || Some(game?.tags().0.len()))
}

/// Returns a tag in PGN order: the seven-tag roster first. `index` counts from zero. A name may occur
/// several times.
///
/// `SCORESHEET_STATUS_OUT_OF_RANGE`: there is no such tag.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_game_tag_at(
    game: Option<&mut Game>,
    index: usize,
    name: Option<&mut MaybeUninit<Text>>,
    value: Option<&mut MaybeUninit<Text>>,
) -> Status {
    let (Some(game), Some(name_out), Some(value_out)) = (game, name, value) else {
        return Status::BadArgument;
    };
    ask(Status::OutOfRange, || {
        let (tags, texts) = game.tags();
        let [name, value] = tags.get(index)?;
        name_out.write(texts.view(*name));
        value_out.write(texts.view(*value));
        Some(Status::Ok)
    })
}

/// Returns the game as PGN.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_game_pgn(game: Option<&mut Game>) -> Text {
    ask(Text::NONE, || {
        let Game { inner, pgn: text, .. } = game?;
        if text.is_missing() {
            text.set(&pgn::to_string(inner));
        }
        Some(text.view())
    })
}

/// Returns the game as one line of JSON, without a line feed: the canonical line of docs/model.md.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_game_json(game: Option<&mut Game>) -> Text {
    ask(Text::NONE, || {
        let Game { inner, json, .. } = game?;
        if json.is_missing() {
            json.set(&serde_json::to_string(inner).ok()?);
        }
        Some(json.view())
    })
}

/// Returns the start position as a FEN.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_game_fen(game: Option<&mut Game>) -> Text {
    ask(Text::NONE, || {
        let Game { inner, fen, .. } = game?;
        if fen.is_missing() {
            fen.set(&inner.start_position().to_fen());
        }
        Some(fen.view())
    })
}

/// Returns the position after the token `index` as a FEN, which replays the game up to there. After the
/// end of a variation it is the position from which the line around it goes on.
///
/// The text is valid until the next call of this function with this game, and no longer than other texts.
///
/// `SCORESHEET_STATUS_OUT_OF_RANGE`: there is no such token.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_game_fen_after(
    game: Option<&mut Game>,
    index: usize,
    fen: Option<&mut MaybeUninit<Text>>,
    error: Option<&mut MaybeUninit<*mut Error>>,
) -> Status {
    call(error, || {
        let out = needed(fen, "fen")?;
        out.write(Text::NONE);
        let Game { inner, position, .. } = needed(game, "game")?;
        let after = Line::position_after(inner, index).ok_or_else(|| {
            let text = format_args!("there is no token {index}; the first is 0");
            Failure::new(Status::OutOfRange, text)
        })?;
        position.set(&after.to_fen());
        out.write(position.view());
        Ok(())
    })
}

/// Returns whether the game is Chess960: it starts with castling rights that only Chess960 has.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_game_is_chess960(game: Option<&Game>) -> bool {
    ask(false, || Some(game?.inner.start_position().is_chess960()))
}

/// Returns the number of half-moves of the main line.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_game_ply_count(game: Option<&Game>) -> usize {
    ask(0, || Some(game?.inner.ply_count()))
}

/// Returns the number of deviations that were tolerated while the game was read.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_game_warning_count(game: Option<&Game>) -> usize {
    game.map_or(0, |game| game.warnings.len())
}

/// Returns a deviation that was tolerated while the game was read; `index` counts from zero.
///
/// `SCORESHEET_STATUS_OUT_OF_RANGE`: there is no such deviation.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_game_warning_at(
    game: Option<&Game>,
    index: usize,
    warning: Option<&mut MaybeUninit<Finding>>,
) -> Status {
    let (Some(game), Some(out)) = (game, warning) else { return Status::BadArgument };
    ask(Status::OutOfRange, || {
        out.write(game.warnings.get(index)?);
        Some(Status::Ok)
    })
}
