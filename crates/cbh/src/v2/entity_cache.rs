//! The fields of entities that a reader has used lately.
//!
//! Consecutive games often name the same players, tournament and source. The cache has a fixed number
//! of places for each type, so its memory does not grow with the base.

use chess_store::io::ReadAt;

use super::entities::{EntityHeader, EntityType, Found, read_entity};
use crate::error::Error;

/// The number of places for players, and for each other type.
const PLAYERS: usize = 512;
const OTHERS: usize = 16;

/// An entity that was read.
#[derive(Clone, Debug)]
struct Entry {
    id: i64,
    found: Found,
    fields: Vec<u8>,
}

/// The entities that were read last, by type and by the low bits of their ids.
#[derive(Clone, Debug, Default)]
pub(crate) struct EntityCache {
    entries: Vec<Option<Entry>>,
}

/// The place of an entity in an [`EntityCache`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place(usize);

impl EntityCache {
    /// Reads an entity, unless the cache has it.
    ///
    /// # Errors
    /// I/O errors.
    pub(crate) fn read<R: ReadAt>(
        &mut self,
        file: &R,
        header: &EntityHeader,
        kind: EntityType,
        id: i64,
    ) -> Result<(Found, Place), Error> {
        let low = usize::try_from(id).unwrap_or(0);
        let place = match kind {
            EntityType::Player => low % PLAYERS,
            _ => {
                let first = (kind as usize).saturating_mul(OTHERS).saturating_add(PLAYERS);
                first.saturating_add(low % OTHERS)
            }
        };
        if self.entries.len() <= place {
            self.entries.resize(place.saturating_add(1), None);
        }
        let Some(entry) = self.entries.get_mut(place) else {
            return Ok((Found::Missing, Place(place)));
        };
        let entry =
            entry.get_or_insert(Entry { id: -1, found: Found::Missing, fields: Vec::new() });
        if entry.id != id || id < 0 {
            // After an error, the entry counts as empty.
            entry.id = -1;
            entry.found = read_entity(file, header, kind, id, &mut entry.fields)?;
            entry.id = id;
        }
        Ok((entry.found, Place(place)))
    }

    /// Returns the fields of an entity that was just read.
    pub(crate) fn fields(&self, Place(place): Place) -> &[u8] {
        self.entries.get(place).and_then(Option::as_ref).map_or(&[], |entry| &entry.fields)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::v2::entity_table::SharedEntities;

    #[test]
    fn entity_cache_same_place_returns_latest() {
        let shared = SharedEntities::new();
        let count = i64::try_from(PLAYERS).unwrap() + 3;
        for number in 0..count {
            let mut names = [const { None }; 8];
            names[0] = Some(number.to_le_bytes().to_vec());
            let found = shared.find(names);
            shared.id_of(EntityType::Player, found[0].as_ref().unwrap());
        }
        let file = shared.write(Vec::new()).unwrap();
        let mut counts = [0; super::super::layout::ENTITY_TYPES];
        counts[0] = count;
        let (header, mut cache) = (EntityHeader::new(counts), EntityCache::default());
        for id in [2, 514, 2, 2, 514, 0, count - 1] {
            let (found, place) = cache.read(&file, &header, EntityType::Player, id).unwrap();
            assert_eq!((found, cache.fields(place)), (Found::Fields, &id.to_le_bytes()[..]));
        }
        for id in [count, -1, i64::MIN] {
            let (found, _) = cache.read(&file, &header, EntityType::Player, id).unwrap();
            assert_eq!(found, Found::Missing);
        }
    }
}
