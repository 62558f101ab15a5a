//! Verifies the index against the moves. (scid §2.5 "Derived fields")

use chess_core::Game;
use chess_store::io::ReadAt;
use chess_store::{Encoding, Losses};

use crate::database::{Database, State};
use crate::encode::RecordEncoder;
use crate::error::Error;

/// The flag bits derived from the moves.
const DERIVED_FLAGS: u32 = 7;

impl<R: ReadAt> Database<R> {
    /// Compares the derived fields of a game's entry with the game and returns the names of stale
    /// fields. Searches rely on these fields, reading does not. Many programs write no opening
    /// line, which hides no game.
    pub(crate) fn stale_fields(
        &self,
        state: &mut State,
        game: u64,
        decoded: &Game,
    ) -> Result<Vec<&'static str>, Error> {
        let entry = self.held_entry(state, game)?;
        let new = || Box::new(RecordEncoder::new(Encoding::UTF_8, true));
        let encoder = state.encoder.get_or_insert_with(new);
        let (tags, at) = (std::iter::empty(), self.entry_location(game));
        let record = state.record.buffer();
        let statistics = encoder.encode(decoded, tags, at, record, &mut Losses::new())?;
        let (stored, true_) = (&entry.derived, &statistics.derived);
        let fields = [
            ("flags", entry.flags & DERIVED_FLAGS != statistics.flags & DERIVED_FLAGS),
            ("variation count", entry.counts.variations != statistics.counts.variations),
            ("comment count", entry.counts.comments != statistics.counts.comments),
            ("nag count", entry.counts.nags != statistics.counts.nags),
            ("opening line", stored.opening_line != 0 && stored.opening_line != true_.opening_line),
            ("plies", stored.plies != true_.plies),
            ("material", stored.material != true_.material),
            ("home pawn count", stored.home_pawn_count != true_.home_pawn_count),
            ("home pawns", stored.home_pawns != true_.home_pawns),
        ];
        Ok(fields.into_iter().filter(|(_, stale)| *stale).map(|(name, _)| name).collect())
    }
}
