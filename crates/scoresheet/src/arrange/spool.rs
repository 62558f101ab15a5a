//! A temporary file that gives random access to the games of a stream.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write as _};

use chess_core::{Game, Header, Move, Nag, Setup, Token};
use chess_store::io::{ReadAt as _, Spool};
use chess_store::{AnyError, Describe, Diagnostics, Field, Location, ReadGames, SearchIndex};

use lines::{Error, ErrorKind};

/// Writes games to the file as [`encode`] encodes them.
#[derive(Default)]
pub(super) struct GameSpool {
    games: Spool,
    bytes: Vec<u8>,
    /// End offset of each game.
    ends: Vec<u64>,
    /// The damage of games, by number.
    damaged: BTreeMap<u64, (String, Location)>,
}

impl GameSpool {
    /// Adds a game and returns its number.
    pub(super) fn push(&mut self, game: &Game, damage: Option<&AnyError>) -> io::Result<u64> {
        self.bytes.clear();
        encode(game, &mut self.bytes)?;
        self.games.push(&self.bytes)?;
        let number = self.ends.len() as u64;
        let start = self.ends.last().copied().unwrap_or(0);
        self.ends.push(start.saturating_add(self.bytes.len() as u64));
        if let Some(error) = damage {
            self.damaged.insert(number, (error.message().to_string(), error.location()));
        }
        Ok(number)
    }

    pub(super) fn finish(self) -> io::Result<SpooledGames> {
        let GameSpool { games, ends, damaged, .. } = self;
        Ok(SpooledGames { games: games.finish()?, ends, damaged })
    }
}

/// The finished file of games.
pub(super) struct SpooledGames {
    games: Spool,
    ends: Vec<u64>,
    damaged: BTreeMap<u64, (String, Location)>,
}

impl SpooledGames {
    /// Reads the bytes of a game.
    fn read(&self, game: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
        let at = |index: usize| self.ends.get(index).copied();
        let index = usize::try_from(game).unwrap_or(usize::MAX);
        let start = index.checked_sub(1).map_or(Some(0), at);
        let Some((start, end)) = start.zip(at(index)) else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        bytes.resize(usize::try_from(end.saturating_sub(start)).unwrap_or(usize::MAX), 0);
        match self.games.read_full(start, bytes)? {
            length if length == bytes.len() => Ok(()),
            _ => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

impl ReadGames for SpooledGames {
    type Error = Error;
    type State = Vec<u8>;

    fn len(&self) -> u64 {
        self.ends.len() as u64
    }

    fn header_with(
        &self,
        bytes: &mut Vec<u8>,
        game: u64,
        header: &mut Header,
        _: &mut Diagnostics,
    ) -> Result<(), Error> {
        header.clear();
        let read = self.read(game, bytes).and_then(|()| decode_header(&mut &**bytes, header));
        read.map_err(Error::io(Location::default().in_game(game)))
    }

    fn game_with(
        &self,
        bytes: &mut Vec<u8>,
        game: u64,
        into: &mut Game,
        _: &mut Diagnostics,
    ) -> Result<(), Error> {
        into.clear();
        let read = self.read(game, bytes).and_then(|()| decode(bytes, into));
        read.map_err(Error::io(Location::default().in_game(game)))?;
        match self.damaged.get(&game) {
            Some((what, at)) => Err(Error::new(ErrorKind::Damage(what.clone()), *at)),
            None => Ok(()),
        }
    }

    fn dump_with(&self, _: &mut Vec<u8>, _: u64, _: &mut dyn FnMut(Field)) -> Result<(), Error> {
        Ok(())
    }
}

impl SearchIndex for SpooledGames {}

impl Describe for SpooledGames {}

/// The words of tokens that are no moves. The bits of a move are less.
const VARIATION_START: u16 = 0xffff;
const VARIATION_END: u16 = 0xfffe;
/// The text follows.
const COMMENT: u16 = 0xfffd;
/// The number follows.
const NAG: u16 = 0xfffc;

/// Appends a game to `out`: its tags, each as name and value, and an empty name; the FEN of its set-up,
/// or nothing; its tokens, a word each. Texts have their length before them.
fn encode(game: &Game, out: &mut Vec<u8>) -> io::Result<()> {
    let mut pushed = Ok(());
    game.header.for_each_tag(|name, value| {
        if pushed.is_ok() {
            pushed = push_text(format_args!("{name}"), out).and_then(|()| push_text(value, out));
        }
    });
    pushed?;
    push_text(format_args!(""), out)?;
    push_text(format_args!("{}", game.setup().map_or("", Setup::fen)), out)?;
    for token in game.tokens() {
        let word = match token {
            Token::Move(m) => m.bits(),
            Token::Nag(_) => NAG,
            Token::Comment(_) => COMMENT,
            Token::VariationStart => VARIATION_START,
            Token::VariationEnd => VARIATION_END,
        };
        out.extend_from_slice(&word.to_le_bytes());
        match token {
            Token::Nag(nag) => out.extend_from_slice(&nag.0.to_le_bytes()),
            Token::Comment(text) => push_text(format_args!("{text}"), out)?,
            _ => {}
        }
    }
    Ok(())
}

fn push_text(text: fmt::Arguments<'_>, out: &mut Vec<u8>) -> io::Result<()> {
    let place = out.len();
    out.extend_from_slice(&[0; 4]);
    out.write_fmt(text)?;
    let length = out.len().saturating_sub(place).saturating_sub(4);
    let length = u32::try_from(length).map_err(|_| io::ErrorKind::FileTooLarge)?;
    if let Some(bytes) = out.get_mut(place..).and_then(|bytes| bytes.first_chunk_mut()) {
        *bytes = length.to_le_bytes();
    }
    Ok(())
}

/// Decodes a game. `game` must be empty.
fn decode(mut bytes: &[u8], game: &mut Game) -> io::Result<()> {
    decode_header(&mut bytes, &mut game.header)?;
    let fen = take_text(&mut bytes)?;
    if !fen.is_empty() {
        game.set_start_fen(fen).map_err(invalid)?;
    }
    while !bytes.is_empty() {
        let token = match take_word(&mut bytes)? {
            VARIATION_START => Token::VariationStart,
            VARIATION_END => Token::VariationEnd,
            COMMENT => Token::Comment(take_text(&mut bytes)?),
            NAG => Token::Nag(Nag(take_word(&mut bytes)?)),
            bits => Token::Move(Move::from_bits(bits).ok_or_else(|| invalid("no move"))?),
        };
        game.push(token).map_err(invalid)?;
    }
    game.drop_stray_castling();
    Ok(())
}

fn decode_header(bytes: &mut &[u8], header: &mut Header) -> io::Result<()> {
    loop {
        match take_text(bytes)? {
            "" => return Ok(()),
            name => header.set(name, take_text(bytes)?),
        }
    }
}

fn take_text<'a>(bytes: &mut &'a [u8]) -> io::Result<&'a str> {
    let length = u32::from_le_bytes(take(bytes)?);
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    let (text, rest) = bytes.split_at_checked(length).ok_or(io::ErrorKind::UnexpectedEof)?;
    *bytes = rest;
    str::from_utf8(text).map_err(invalid)
}

fn take_word(bytes: &mut &[u8]) -> io::Result<u16> {
    take(bytes).map(u16::from_le_bytes)
}

fn take<const N: usize>(bytes: &mut &[u8]) -> io::Result<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk().ok_or(io::ErrorKind::UnexpectedEof)?;
    *bytes = rest;
    Ok(*first)
}

fn invalid(what: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use arbitrary::Unstructured;
    use testkit::{Flavour, Random, random_game};

    use super::*;

    #[test]
    fn spooled_game_equals_original() {
        let mut spool = GameSpool::default();
        let game = |seed| {
            let bytes = Random::new(seed).bytes(600);
            random_game(&mut Unstructured::new(&bytes), Flavour::ALL).unwrap()
        };
        for seed in 0..500 {
            assert_eq!(spool.push(&game(seed), None).unwrap(), seed);
        }
        let games = spool.finish().unwrap();
        let (mut bytes, mut read, mut header) = (Vec::new(), game(7), game(8).header);
        for seed in (0..500).rev() {
            games.game_with(&mut bytes, seed, &mut read, &mut Diagnostics::strict()).unwrap();
            assert_eq!(read, game(seed));
            games.header_with(&mut bytes, seed, &mut header, &mut Diagnostics::strict()).unwrap();
            assert_eq!(header, read.header);
        }
        let error = games.game_with(&mut bytes, 500, &mut read, &mut Diagnostics::lenient());
        assert!(error.is_err());
    }
}
