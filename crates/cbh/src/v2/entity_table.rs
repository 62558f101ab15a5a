//! Entities of a base that is being written, found by their fields in a hash table.

use std::io;

use chess_store::io::{Appender, WriteAt};
use chess_store::names::{NameHasher, NameIndex, SharedNames};

use super::encode_header::GameNames;
use super::entities::{EntityHeader, EntityType};
use super::layout::{CONTAINERS, ENTITY_TYPES};

/// The entities of one type. Ids follow the order of insertion.
#[derive(Debug, Default)]
pub(crate) struct Entities {
    ids: NameIndex,
    /// The fields of all entities, concatenated.
    fields: Vec<u8>,
    /// The end of each entity in `fields`.
    ends: Vec<usize>,
}

impl Entities {
    fn find(&self, fields: &[u8], hash: u32) -> Option<u32> {
        self.ids.find(hash, |id| self.fields_of(id) == Some(fields))
    }

    /// Returns the fields of an entity, if it exists.
    pub(crate) fn fields_of(&self, id: u32) -> Option<&[u8]> {
        let id = id as usize;
        let end = *self.ends.get(id)?;
        let start = id.checked_sub(1).and_then(|before| self.ends.get(before)).copied();
        self.fields.get(start.unwrap_or(0)..end)
    }

    /// Returns the number of entities.
    pub(crate) fn len(&self) -> u32 {
        u32::try_from(self.ends.len()).unwrap_or(u32::MAX)
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

/// An entity that a game refers to.
#[derive(Debug)]
pub(crate) struct EntityRef {
    /// The fields, unless there is an id.
    fields: Vec<u8>,
    hash: u32,
    /// The id, if the base had the entity when the game was encoded.
    id: Option<u32>,
}

/// The entities of all types.
#[derive(Clone, Debug)]
pub(crate) struct SharedEntities {
    hasher: NameHasher,
    types: SharedNames<[Entities; ENTITY_TYPES]>,
}

impl SharedEntities {
    pub(crate) fn new() -> SharedEntities {
        let types = std::array::from_fn(|_| Entities::default());
        SharedEntities { hasher: NameHasher::default(), types: SharedNames::new(types) }
    }

    /// Looks up the entities of a game.
    pub(crate) fn find(&self, fields: GameNames) -> [Option<EntityRef>; 8] {
        let types = self.types.read();
        let mut of = NAME_TYPES.into_iter();
        fields.map(|fields| {
            let kind = of.next()?;
            let fields = fields?;
            let hash = self.hasher.hash(&fields);
            let id = types.get(kind as usize)?.find(&fields, hash);
            let fields = if id.is_some() { Vec::new() } else { fields };
            Some(EntityRef { fields, hash, id })
        })
    }

    /// Returns the id of an entity from [`find`](Self::find), adding it if it is new.
    pub(crate) fn id_of(&self, kind: EntityType, entity: &EntityRef) -> u32 {
        if let Some(id) = entity.id {
            return id;
        }
        let mut types = self.types.write();
        let Some(entities) = types.get_mut(kind as usize) else { return u32::MAX };
        if let Some(id) = entities.find(&entity.fields, entity.hash) {
            return id;
        }
        let id = entities.len();
        entities.ids.insert(entity.hash, id);
        entities.fields.extend_from_slice(&entity.fields);
        entities.ends.push(entities.fields.len());
        id
    }

    /// Returns the largest number of entities of a type.
    pub(crate) fn most(&self) -> u32 {
        self.types.read().iter().map(Entities::len).max().unwrap_or(0)
    }

    /// Calls `each` with the entities of a type.
    pub(crate) fn with<T>(&self, kind: EntityType, each: impl FnOnce(&Entities) -> T) -> Option<T> {
        self.types.read().get(kind as usize).map(each)
    }

    /// Writes the `.2lid`.
    // cbh2 §6.1 "File"
    pub(crate) fn write<F: WriteAt>(&self, file: F) -> io::Result<F> {
        let types = self.types.read();
        let counts = std::array::from_fn(|kind| {
            types.get(kind).map_or(0, |entities| i64::from(entities.len()))
        });
        let mut out = Appender::new(file);
        out.push(&EntityHeader::new(counts).encode())?;
        // Zeros are written only when another entity follows, so the file ends with the last one.
        let mut zeros = 0usize;
        let mut container = Vec::new();
        for id in 0..self.most() {
            for (entities, size) in types.iter().zip(CONTAINERS) {
                let size = usize::try_from(size).unwrap_or(0);
                let Some(fields) = entities.fields_of(id) else {
                    zeros = zeros.saturating_add(size);
                    continue;
                };
                container.clear();
                container.resize(std::mem::take(&mut zeros), 0);
                out.push(&container)?;
                container.clear();
                container
                    .extend_from_slice(&u32::try_from(fields.len()).unwrap_or(0).to_le_bytes());
                container.extend_from_slice(fields);
                container.resize(size, 0);
                out.push(&container)?;
            }
        }
        out.finish()
    }
}
