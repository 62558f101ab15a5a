//! Writing games: on any thread what is costly, in order what is cheap.

use std::fmt;

use chess_core::Game;

use crate::about::About;
use crate::diagnostics::Warning;
use crate::error::AnyError;
use crate::loss::Loss;

/// Takes games into a new base.
///
/// [`write`](WriteGames::write) does all at once. For several threads the work is split: an
/// [encoder](WriteGames::encoder), one for each thread, makes of a game what is to be stored;
/// [`append`](WriteGames::append) puts that in the base, gives ids to its names and places to its
/// bytes, and so must be called in order. What is written does not depend on who encoded it.
pub trait WriteGames: Send {
    /// The format's error.
    type Error: Into<AnyError> + Send;
    /// Makes of games what is to be stored.
    type Encoder: EncodeGames<Error = Self::Error, Encoded = Self::Encoded> + Send + 'static;
    /// A game as it is to be stored, but for what only the base knows.
    type Encoded: Trim + Default + Send + 'static;

    /// An encoder for one thread.
    fn encoder(&self) -> Self::Encoder;

    /// Told before [`append`](WriteGames::append) where that game comes from, for a format that
    /// stores it. Others do not care.
    fn set_origin(&mut self, origin: &Origin<'_>) {
        let _ = origin;
    }

    /// Puts an encoded game in the base, and adds to `losses` what of it the base cannot hold.
    ///
    /// # Errors
    /// With [`Scope::Game`](crate::Scope::Game) if this game cannot be stored at all: the base
    /// goes on without it. With [`Scope::Base`](crate::Scope::Base) the writer is of no more use.
    fn append(
        &mut self,
        encoded: &mut Self::Encoded,
        losses: &mut Vec<Loss>,
    ) -> Result<(), Self::Error>;

    /// States facts of the base, in place of those stated before, and adds to `losses` those that
    /// the format does not keep.
    fn set_about(&mut self, about: &About, losses: &mut Vec<Loss>) {
        about.lose(losses, |_| false);
    }

    /// What the base has become that its own program may not like, though the format allows it:
    /// more games than it opens, for instance. Complete once the last game is written.
    fn warnings(&self) -> &[Warning] {
        &[]
    }

    /// Completes the base. Dropped without it, a writer leaves nothing behind.
    ///
    /// # Errors
    /// Those of the disk.
    fn finish(self) -> Result<(), Self::Error>
    where
        Self: Sized;

    /// Where the writer keeps the encoder of its own [`write`](WriteGames::write).
    fn own(&mut self) -> &mut ScratchEncoder<Self>
    where
        Self: Sized;

    /// Writes a game, and adds to `losses` whatever of it the format cannot hold.
    ///
    /// # Errors
    /// As [`append`](WriteGames::append).
    fn write(&mut self, game: &Game, losses: &mut Vec<Loss>) -> Result<(), Self::Error>
    where
        Self: Sized,
    {
        let own = self.own().0.take();
        let mut own = own.unwrap_or_else(|| Box::new((self.encoder(), Self::Encoded::default())));
        let (encoder, encoded) = &mut *own;
        let reported = losses.len();
        let result = encoder.encode(game, encoded, losses);
        let result = result.and_then(|()| self.append(encoded, losses));
        if result.is_err() {
            // What is refused as a whole has no losses.
            losses.truncate(reported);
        }
        self.own().0 = Some(own);
        result
    }
}

/// Where a game comes from that is written.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// The base, as the user named it.
    pub source: &'a str,
    /// Number in its base, from zero.
    pub number: u64,
    /// Why it did not read to its end.
    pub damage: Option<&'a AnyError>,
}

/// Makes of games what a base stores.
pub trait EncodeGames {
    /// The format's error.
    type Error;
    /// A game as it is to be stored.
    type Encoded;

    /// Encodes a game, replacing what `into` held, and adds to `losses` whatever of it the format
    /// cannot hold.
    ///
    /// # Errors
    /// With [`Scope::Game`](crate::Scope::Game) if this game cannot be stored at all.
    fn encode(
        &mut self,
        game: &Game,
        into: &mut Self::Encoded,
        losses: &mut Vec<Loss>,
    ) -> Result<(), Self::Error>;

    /// Takes the text of a game as it is, in place of the game, replacing what `into` held;
    /// [`ParseGames::text`](crate::ParseGames::text) of the same format gave it. `false` where the
    /// game must be encoded.
    fn encode_text(&mut self, text: &[u8], into: &mut Self::Encoded) -> bool {
        let _ = (text, into);
        false
    }
}

/// A writer's own encoder and one encoded game, made when first needed; see [`WriteGames::own`].
pub struct ScratchEncoder<W: WriteGames>(Option<Box<(W::Encoder, W::Encoded)>>);

impl<W: WriteGames> Default for ScratchEncoder<W> {
    fn default() -> ScratchEncoder<W> {
        ScratchEncoder(None)
    }
}

impl<W: WriteGames> fmt::Debug for ScratchEncoder<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ScratchEncoder")
    }
}

/// What is used again and again, and must not keep the memory of the largest game it ever held.
pub trait Trim {
    /// Lets go of buffers of more than `most` bytes.
    fn trim(&mut self, most: usize);
}

impl Trim for Vec<u8> {
    fn trim(&mut self, most: usize) {
        if self.capacity() > most {
            *self = Vec::new();
        }
    }
}

impl Trim for Game {
    fn trim(&mut self, most: usize) {
        Game::trim(self, most);
    }
}

impl Trim for String {
    fn trim(&mut self, most: usize) {
        if self.capacity() > most {
            *self = String::new();
        }
    }
}
