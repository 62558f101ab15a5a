//! Entities of a base that is being written, found by their fields in a hash table.

use std::io::{self, Read as _};

use chess_store::io::{Appender, WriteAt};
use chess_store::names::{IdsInOrder, NameHasher, NameIndex, SharedNames};

use super::encode_header::GameNames;
use super::entities::{EntityHeader, EntityType};
use super::layout::{CONTAINERS, ENTITY_TYPES};

/// The entities of one type. Numbers follow the order of insertion.
#[derive(Debug, Default)]
struct Entities {
    numbers: NameIndex,
    /// The fields of all entities, concatenated.
    fields: Vec<u8>,
    /// The end of each entity in `fields`.
    ends: Vec<usize>,
}

impl Entities {
    fn find(&self, fields: &[u8], hash: u32) -> Option<u32> {
        self.numbers.find(hash, |number| self.fields_of(number) == Some(fields))
    }

    /// Returns the number of an entity. A new entity gets the next number. Returns `None` if there
    /// are too many.
    fn find_or_add(&mut self, fields: &[u8], hash: u32) -> Option<u32> {
        if let Some(number) = self.find(fields, hash) {
            return Some(number);
        }
        let number = u32::try_from(self.ends.len()).ok().filter(|new| *new < NameIndex::MAX)?;
        self.numbers.insert(hash, number);
        self.fields.extend_from_slice(fields);
        self.ends.push(self.fields.len());
        Some(number)
    }

    /// Returns the fields of an entity, if it exists.
    fn fields_of(&self, number: u32) -> Option<&[u8]> {
        let number = number as usize;
        let end = *self.ends.get(number)?;
        let start = number.checked_sub(1).and_then(|before| self.ends.get(before)).copied();
        self.fields.get(start.unwrap_or(0)..end)
    }
}

/// The types of the entities of a game in the order in which new ones get their ids: White, Black,
/// tournament, annotator, source, two teams, title.
pub(crate) const NAME_TYPES: [EntityType; 8] = [
    EntityType::Player,
    EntityType::Player,
    EntityType::Tournament,
    EntityType::Player,
    EntityType::Source,
    EntityType::Team,
    EntityType::Team,
    EntityType::Title,
];

/// The entities of all types. All encoders of a base share them, and number them in the order in
/// which they meet them. So these numbers depend on the threads.
#[derive(Clone, Debug)]
pub(crate) struct SharedEntities {
    hasher: NameHasher,
    types: SharedNames<[Entities; ENTITY_TYPES]>,
}

/// The numbers of the entities of a game, in the order of [`NAME_TYPES`].
pub(crate) type EntityNumbers = [Option<u32>; 8];

impl SharedEntities {
    fn new() -> SharedEntities {
        let types = std::array::from_fn(|_| Entities::default());
        SharedEntities { hasher: NameHasher::default(), types: SharedNames::new(types) }
    }

    /// Returns the numbers of the entities of a game, and adds those that are new. Returns `None` if
    /// there are too many.
    pub(crate) fn number(&self, names: &GameNames) -> Option<EntityNumbers> {
        let hashes = names.each_ref().map(|fields| self.hasher.hash(fields.as_deref()?).into());
        let of_game = || NAME_TYPES.into_iter().zip(names).zip(hashes);
        let (mut numbers, mut missing) = ([None; 8], false);
        let types = self.types.read();
        for (number, ((kind, fields), hash)) in numbers.iter_mut().zip(of_game()) {
            let (Some(fields), Some(hash)) = (fields, hash) else { continue };
            *number = types.get(kind as usize).and_then(|entities| entities.find(fields, hash));
            missing |= number.is_none();
        }
        drop(types);
        if missing {
            let mut types = self.types.write();
            for (number, ((kind, fields), hash)) in numbers.iter_mut().zip(of_game()) {
                let (Some(fields), Some(hash)) = (fields, hash) else { continue };
                *number = Some(types.get_mut(kind as usize)?.find_or_add(fields, hash)?);
            }
        }
        Some(numbers)
    }
}

/// The entities of a base by id. Ids follow the order of the games.
#[derive(Debug)]
pub(crate) struct EntityTable {
    shared: SharedEntities,
    /// By type: the id of each number that encoders use.
    ids: [IdsInOrder; ENTITY_TYPES],
    /// The largest number of entities of a type.
    most: u32,
}

/// The entities of one type by id.
pub(crate) struct EntitiesById<'a> {
    entities: &'a Entities,
    ids: &'a IdsInOrder,
}

impl EntitiesById<'_> {
    /// Returns the fields of an entity, if it exists.
    pub(crate) fn fields_of(&self, id: u32) -> Option<&[u8]> {
        self.entities.fields_of(self.ids.number(id)?)
    }

    /// Returns the number of entities.
    pub(crate) fn len(&self) -> u32 {
        u32::try_from(self.ids.len()).unwrap_or(u32::MAX)
    }
}

impl EntityTable {
    pub(crate) fn new() -> EntityTable {
        EntityTable { shared: SharedEntities::new(), ids: Default::default(), most: 0 }
    }

    /// Returns the entities, for encoders.
    pub(crate) fn shared(&self) -> &SharedEntities {
        &self.shared
    }

    /// Returns the id of the entity that encoders gave this number. A new entity gets the next id.
    pub(crate) fn id_of(&mut self, kind: EntityType, number: u32) -> u32 {
        let Some(ids) = self.ids.get_mut(kind as usize) else { return u32::MAX };
        ids.get(number).unwrap_or_else(|| {
            let id = ids.add(number);
            self.most = self.most.max(id.saturating_add(1));
            id
        })
    }

    /// Returns the largest number of entities of a type.
    pub(crate) fn most(&self) -> u32 {
        self.most
    }

    /// Calls `each` with the entities of a type.
    pub(crate) fn with<T>(
        &self,
        kind: EntityType,
        each: impl FnOnce(EntitiesById<'_>) -> T,
    ) -> Option<T> {
        let types = self.shared.types.read();
        let (entities, ids) = (types.get(kind as usize)?, self.ids.get(kind as usize)?);
        Some(each(EntitiesById { entities, ids }))
    }

    /// Writes the `.2lid`.
    // cbh2 §6.1 "File"
    pub(crate) fn write<F: WriteAt>(&self, file: F) -> io::Result<F> {
        let types = self.shared.types.read();
        let types: Vec<_> = types
            .iter()
            .zip(&self.ids)
            .map(|(entities, ids)| EntitiesById { entities, ids })
            .collect();
        let counts = std::array::from_fn(|kind| types.get(kind).map_or(0, |of| of.len().into()));
        let mut out = Appender::new(file);
        out.push(&EntityHeader::new(counts).encode())?;
        // The file ends with the last entity.
        let last_id = self.most.saturating_sub(1);
        let last_kind = types.iter().rposition(|of| of.len() == self.most);
        for id in 0..self.most {
            for (kind, (entities, size)) in types.iter().zip(CONTAINERS).enumerate() {
                if id == last_id && Some(kind) > last_kind {
                    break;
                }
                let size = usize::try_from(size).unwrap_or(0);
                let fields = entities.fields_of(id).unwrap_or_default();
                let mut used = 0usize;
                if entities.len() > id {
                    let length = u32::try_from(fields.len()).unwrap_or(0).to_le_bytes();
                    let room = size.saturating_sub(length.len());
                    let fields = fields.get(..room).unwrap_or(fields);
                    out.push(&length)?;
                    out.push(fields)?;
                    used = length.len().saturating_add(fields.len());
                }
                let rest = size.saturating_sub(used) as u64;
                io::copy(&mut io::repeat(0).take(rest), &mut out)?;
            }
        }
        out.finish()
    }
}
