//! Whether the index says of a game what its moves say. (scid §2.5 "Derived fields")

use chess_core::io::ReadAt;
use chess_core::{Diagnostics, Encoding, Game};

use crate::database::Database;
use crate::encode::Encoder;
use crate::error::Error;

/// The bits of the flags that follow from the moves.
const DERIVED_FLAGS: u32 = 7;

impl<R: ReadAt> Database<R> {
    /// Compares the derived fields of a game's entry with the game, and names those that are
    /// stale. Reading does not trust them, but Scid's searches do. The opening line is not
    /// compared: its dictionary is Scid's own.
    ///
    /// # Errors
    /// If the game cannot be read.
    pub fn verify(&self, game: u64) -> Result<Vec<&'static str>, Error> {
        let entry = self.entry(game)?;
        let mut decoded = Game::new();
        self.game(game, &mut decoded, &mut Diagnostics::lenient())?;
        let mut encoder = Encoder::new(Encoding::UTF_8, true);
        let at = self.entry_location(game);
        let summary = encoder.encode(&decoded, std::iter::empty(), at, &mut Vec::new())?;
        let (stored, true_) = (&entry.derived, &summary.derived);
        let fields = [
            ("flags", entry.flags & DERIVED_FLAGS != summary.flags & DERIVED_FLAGS),
            ("variation count", entry.counts.variations != summary.counts.variations),
            ("comment count", entry.counts.comments != summary.counts.comments),
            ("nag count", entry.counts.nags != summary.counts.nags),
            ("plies", stored.plies != true_.plies),
            ("material", stored.material != true_.material),
            ("home pawn count", stored.home_pawn_count != true_.home_pawn_count),
            ("home pawns", stored.home_pawns != true_.home_pawns),
        ];
        Ok(fields.into_iter().filter(|(_, stale)| *stale).map(|(name, _)| name).collect())
    }
}
