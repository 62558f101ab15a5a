//! Results of name comparisons, shared by the threads of a search.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};

/// The number of names in a chunk.
const CHUNK: usize = 4096;
/// Names with ids from here on are not kept: a damaged id must not determine how much memory is used.
const MOST: usize = 1 << 22;
/// The number of texts that a name is compared with; see [`Prefilter`](crate::Prefilter).
const PLACES: usize = 6;

/// Whether the names of one base match the texts of a filter. Each text has a *place*, and each name the
/// id of its base.
///
/// Chunks are created when one of their names is first compared, so memory grows with the names of the
/// base. No lock is taken to read a result: two threads that meet a name at the same time both compare it.
#[derive(Debug, Default)]
pub struct KnownNames {
    places: [OnceLock<Box<[OnceLock<Chunk>]>>; PLACES],
}

type Chunk = Box<[AtomicU8]>;

/// The states of a name. 0 is a name that was not compared yet.
const NO: u8 = 1;
const YES: u8 = 2;

impl KnownNames {
    /// Returns whether the name `id` matches the text at `place`, if it was compared before.
    #[inline]
    pub(crate) fn get(&self, place: usize, id: u32) -> Option<bool> {
        let id = usize::try_from(id).ok()?;
        let chunk = self.places.get(place)?.get()?.get(id / CHUNK)?.get()?;
        match chunk.get(id % CHUNK)?.load(Ordering::Relaxed) {
            NO => Some(false),
            YES => Some(true),
            _ => None,
        }
    }

    /// Keeps the result of a comparison.
    pub(crate) fn set(&self, place: usize, id: u32, matches: bool) {
        let Some(id) = usize::try_from(id).ok().filter(|id| *id < MOST) else { return };
        let Some(chunks) = self.places.get(place) else { return };
        let chunks = chunks.get_or_init(|| (0..MOST / CHUNK).map(|_| OnceLock::new()).collect());
        let Some(chunk) = chunks.get(id / CHUNK) else { return };
        let chunk = chunk.get_or_init(|| (0..CHUNK).map(|_| AtomicU8::new(0)).collect());
        if let Some(state) = chunk.get(id % CHUNK) {
            state.store(if matches { YES } else { NO }, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn get_returns_what_was_set_at_the_same_place() {
        let known = KnownNames::default();
        let ids = [0, 1, 4095, 4096, 70_000, (1 << 22) - 1];
        for (number, id) in ids.into_iter().enumerate() {
            assert_eq!(known.get(3, id), None);
            known.set(3, id, number % 2 == 0);
        }
        for (number, id) in ids.into_iter().enumerate() {
            assert_eq!(known.get(3, id), Some(number % 2 == 0), "{id}");
            assert_eq!(known.get(4, id), None, "{id}");
        }
    }

    #[test]
    fn set_large_id_is_not_kept() {
        let known = KnownNames::default();
        for id in [1 << 22, u32::MAX] {
            known.set(0, id, true);
            assert_eq!(known.get(0, id), None);
        }
        known.set(PLACES, 0, true);
        assert_eq!(known.get(PLACES, 0), None);
    }
}
