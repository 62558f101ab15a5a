//! Writing games: encoding in parallel, appending in order.

use std::fmt;

use chess_core::Game;

use crate::about::About;
use crate::diagnostics::Warning;
use crate::error::AnyError;
use crate::guiding_text::GuidingText;
use crate::loss::Losses;

/// Writes games to a new base.
///
/// [`write`](WriteGames::write) does all steps at once. For several threads the work is split. An
/// [encoder](WriteGames::encoder) for each thread encodes games. [`append`](WriteGames::append)
/// adds the encoded games to the base and assigns name ids and offsets, so it must be called in
/// order. The output does not depend on which encoder encoded a game.
pub trait WriteGames: Send {
    /// The format's error.
    type Error: Into<AnyError> + Send;
    /// The encoder of a game.
    type Encoder: EncodeGames<Error = Self::Error, Encoded = Self::Encoded> + Send + 'static;
    /// An encoded game, without the name ids and offsets that the base assigns.
    type Encoded: Trim + Default + Send + 'static;

    /// Creates an encoder for one thread.
    fn encoder(&self) -> Self::Encoder;

    /// Sets the origin of the next game to [`append`](WriteGames::append), for formats that store
    /// it. Other formats ignore it.
    fn set_origin(&mut self, origin: &Origin<'_>) {
        let _ = origin;
    }

    /// Appends an encoded game. Adds the parts that the base cannot store to `losses`.
    ///
    /// # Errors
    /// [`Scope::Game`](crate::Scope::Game) if this game cannot be stored; the writer stays usable.
    /// After an error with [`Scope::Base`](crate::Scope::Base) the writer is unusable.
    fn append(
        &mut self,
        encoded: &mut Self::Encoded,
        losses: &mut Losses,
    ) -> Result<(), Self::Error>;

    /// Returns whether the format has [guiding texts](GuidingText).
    fn has_texts(&self) -> bool {
        false
    }

    /// Appends a guiding text after the games so far, if the format [has](WriteGames::has_texts)
    /// texts. Adds the parts that the format cannot store to `losses`.
    ///
    /// # Errors
    /// [`Scope::Game`](crate::Scope::Game) if this text cannot be stored; the writer stays usable.
    fn append_text(&mut self, text: &GuidingText, losses: &mut Losses) -> Result<(), Self::Error> {
        let _ = (text, losses);
        Ok(())
    }

    /// Replaces the facts of the base. Adds the facts that the format does not keep to `losses`.
    fn set_about(&mut self, about: &About, losses: &mut Losses) {
        about.lose(losses, |_| false);
    }

    /// Returns warnings about the new base: properties that the format allows but its own program
    /// may not support, such as too many games. Complete after the last game.
    fn warnings(&self) -> &[Warning] {
        &[]
    }

    /// Completes the base. A writer that is dropped without this call leaves no files.
    ///
    /// # Errors
    /// I/O errors.
    fn finish(self) -> Result<(), Self::Error>
    where
        Self: Sized;

    /// Returns the place for the encoder that [`write`](WriteGames::write) uses.
    fn own(&mut self) -> &mut ScratchEncoder<Self>
    where
        Self: Sized;

    /// Writes a game. Adds the parts that the format cannot store to `losses`.
    ///
    /// # Errors
    /// The errors of [`append`](WriteGames::append).
    fn write(&mut self, game: &Game, losses: &mut Losses) -> Result<(), Self::Error>
    where
        Self: Sized,
    {
        let own = self.own().0.take();
        let mut own = own.unwrap_or_else(|| Box::new((self.encoder(), Self::Encoded::default())));
        let (encoder, encoded) = &mut *own;
        let reported = losses.mark();
        let result = encoder.encode(game, encoded, losses);
        let result = result.and_then(|()| self.append(encoded, losses));
        if result.is_err() {
            // A game that is refused has no losses.
            losses.rewind(&reported);
        }
        self.own().0 = Some(own);
        result
    }
}

/// The origin of a game to write.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Origin<'a> {
    /// The name of its base, as given by the user.
    pub source: &'a str,
    /// Its number in that base, from zero.
    pub number: u64,
    /// The error with its file, if the game is damaged.
    pub damage: Option<&'a str>,
    /// The names of the deviations that were tolerated in it, with commas; empty if there are none.
    pub deviations: &'a str,
    /// The offset of its first byte in the text that it was read from.
    pub offset: Option<u64>,
}

impl<'a> Origin<'a> {
    /// Describes a game without damage.
    #[must_use]
    pub fn new(source: &'a str, number: u64) -> Origin<'a> {
        Origin { source, number, damage: None, deviations: "", offset: None }
    }

    /// Adds the error of a damaged game.
    #[must_use]
    pub fn with_damage(self, damage: Option<&'a str>) -> Origin<'a> {
        Origin { damage, ..self }
    }

    /// Adds the names of the deviations.
    #[must_use]
    pub fn with_deviations(self, deviations: &'a str) -> Origin<'a> {
        Origin { deviations, ..self }
    }

    /// Adds the offset of the game in its text.
    #[must_use]
    pub fn with_offset(self, offset: Option<u64>) -> Origin<'a> {
        Origin { offset, ..self }
    }
}

/// Encodes games for a base.
pub trait EncodeGames {
    /// The format's error.
    type Error;
    /// An encoded game.
    type Encoded;

    /// Encodes a game into `into`, replacing its contents. Adds the parts that the format cannot
    /// store to `losses`.
    ///
    /// # Errors
    /// [`Scope::Game`](crate::Scope::Game) if this game cannot be stored.
    fn encode(
        &mut self,
        game: &Game,
        into: &mut Self::Encoded,
        losses: &mut Losses,
    ) -> Result<(), Self::Error>;

    /// Copies the text of a game into `into` without decoding it. The text must come from
    /// [`ParseText::text`](crate::ParseText::text) of the same format. Returns `false` if the
    /// game must be encoded instead.
    fn encode_text(&mut self, text: &[u8], into: &mut Self::Encoded) -> bool {
        let _ = (text, into);
        false
    }
}

/// The encoder and the buffer that [`WriteGames::write`] uses, created on first use. See
/// [`WriteGames::own`].
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

/// Reused buffers that must not keep the memory of the largest game they ever held.
pub trait Trim {
    /// Frees buffers larger than `most` bytes.
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
