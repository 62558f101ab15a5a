//! The entities that a reader has used lately.
//!
//! Consecutive games often name the same players, tournament and source. The cache has a fixed number
//! of places for each type, so its memory does not grow with the base.

use chess_store::TextDecoder;
use chess_store::io::ReadAt;

use super::entities::{EntityHeader, EntityType, Found, read_entity};
use super::entity::Entity;
use crate::error::Error;

/// The numbers of places for players, for tournaments, and for each other type. By the order of the
/// names in a base of 103,087 games, 0.4 players and tournaments a game are not in the cache.
const PLAYERS: usize = 8192;
const TOURNAMENTS: usize = 4096;
const OTHERS: usize = 64;

/// An entity that was read.
#[derive(Clone, Debug)]
struct Entry {
    id: i64,
    found: Found,
    entity: Entity,
}

impl Default for Entry {
    fn default() -> Entry {
        Entry { id: -1, found: Found::Missing, entity: Entity::default() }
    }
}

/// The entities that were read last, by type and by the low bits of their ids.
#[derive(Clone, Debug, Default)]
pub(crate) struct EntityCache {
    entries: Vec<Option<Box<Entry>>>,
    /// The fields of the entity that is being read.
    fields: Vec<u8>,
    /// The entity of an id that has no place.
    nothing: Entity,
}

impl EntityCache {
    /// Reads an entity, unless the cache has it.
    ///
    /// # Errors
    /// I/O errors.
    #[inline]
    pub(crate) fn read<R: ReadAt>(
        &mut self,
        file: (&R, &EntityHeader),
        kind: EntityType,
        id: i64,
        text: &TextDecoder,
    ) -> Result<(Found, &Entity), Error> {
        let Ok(low) = usize::try_from(id) else { return Ok((Found::Missing, &self.nothing)) };
        let place = match kind {
            EntityType::Player => low % PLAYERS,
            EntityType::Tournament => PLAYERS.saturating_add(low % TOURNAMENTS),
            _ => {
                let first = (kind as usize).saturating_mul(OTHERS);
                first.saturating_add(PLAYERS + TOURNAMENTS).saturating_add(low % OTHERS)
            }
        };
        if self.entries.len() <= place {
            self.entries.resize(place.saturating_add(1), None);
        }
        let Some(entry) = self.entries.get_mut(place) else {
            return Ok((Found::Missing, &self.nothing));
        };
        let entry = entry.get_or_insert_default();
        if entry.id != id {
            entry.fill(file, kind, id, text, &mut self.fields)?;
        }
        Ok((entry.found, &entry.entity))
    }
}

impl Entry {
    #[cold]
    fn fill<R: ReadAt>(
        &mut self,
        (file, header): (&R, &EntityHeader),
        kind: EntityType,
        id: i64,
        text: &TextDecoder,
        fields: &mut Vec<u8>,
    ) -> Result<(), Error> {
        // After an error, the entry counts as empty.
        self.id = -1;
        self.found = read_entity(file, header, kind, id, fields)?;
        if self.found == Found::Fields {
            self.entity.decode(kind, fields, text)?;
        }
        self.id = id;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::v2::entities::Player;
    use crate::v2::entity_table::EntityTable;

    #[test]
    fn entity_cache_same_place_returns_latest() {
        let mut table = EntityTable::new();
        let count = i64::try_from(PLAYERS).unwrap() + 3;
        for number in 0..count {
            let mut names = [const { None }; 8];
            let mut fields = Vec::new();
            let last = number.to_string();
            Player { last: last.as_bytes(), ..Player::EMPTY }.encode(&mut fields);
            names[0] = Some(fields);
            let numbers = table.shared().number(&names).unwrap();
            table.id_of(EntityType::Player, numbers[0].unwrap());
        }
        let file = table.write(Vec::new()).unwrap();
        let mut counts = [0; super::super::layout::ENTITY_TYPES];
        counts[0] = count;
        let (header, mut cache) = (EntityHeader::new(counts), EntityCache::default());
        let text = TextDecoder::utf8_or(chess_store::Encoding::WINDOWS_1252);
        let file = (&file, &header);
        for id in [2, 8194, 2, 2, 8194, 0, count - 1] {
            let (found, entity) = cache.read(file, EntityType::Player, id, &text).unwrap();
            assert_eq!((found, &entity.name), (Found::Fields, &id.to_string()));
        }
        for id in [count, -1, i64::MIN] {
            let (found, _) = cache.read(file, EntityType::Player, id, &text).unwrap();
            assert_eq!(found, Found::Missing);
        }
    }
}
