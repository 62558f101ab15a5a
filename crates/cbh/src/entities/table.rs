//! Entities of a base that is being written. They are found by their fields in a hash table and
//! ordered in an AVL tree.

use std::cmp::Ordering;
use std::io;

use chess_store::io::{Appender, WriteAt};
use chess_store::names::{NameHasher, NameIndex, SharedNames};
use smallvec::SmallVec;

use super::file::EntityHeader;
use super::kind::EntityKind;
use crate::layout::{ENTITY_LINKS, ENTITY_MAGIC, NO_ENTITY};

/// The size of the unused header bytes.
const EXTRA: usize = 4;
/// An upper bound of the depth of a tree with a million records.
const DEPTH: usize = 32;

/// A node of the tree.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The key from [`EntityKind::key`].
    key: u64,
    links: [u32; 2],
    balance: i8,
    references: u32,
    first: u32,
}

const NONE: u32 = u32::MAX;
const NO_NODE: Node = Node { key: 0, links: [NONE; 2], balance: 0, references: 0, first: 0 };

/// The index of the entities of one kind. Ids follow the order of insertion, as in an import by
/// ChessBase.
#[derive(Debug)]
pub(crate) struct Entities {
    kind: EntityKind,
    ids: NameIndex,
    /// The fields of all entities, concatenated.
    fields: Vec<u8>,
}

impl Entities {
    fn new(kind: EntityKind) -> Entities {
        Entities { kind, ids: NameIndex::default(), fields: Vec::new() }
    }

    /// Returns the size of the fields in bytes, without the counts.
    fn size(&self) -> usize {
        self.kind.data_size().saturating_sub(super::fields::COUNTS)
    }

    /// Returns the id of an existing entity.
    fn find(&self, fields: &[u8], hash: u32) -> Option<u32> {
        self.ids.find(hash, |id| self.fields_of(id) == fields)
    }

    fn fields_of(&self, id: u32) -> &[u8] {
        let size = self.size();
        let start = usize::try_from(id).unwrap_or(usize::MAX).saturating_mul(size);
        self.fields.get(start..).and_then(|rest| rest.get(..size)).unwrap_or_default()
    }
}

/// The kinds of the entities of a game in the order in which new ones get their ids: White, Black,
/// tournament, annotator, source, two teams, title.
pub(crate) const NAME_KINDS: [EntityKind; 8] = [
    EntityKind::Player,
    EntityKind::Player,
    EntityKind::Tournament,
    EntityKind::Annotator,
    EntityKind::Source,
    EntityKind::Team,
    EntityKind::Team,
    EntityKind::Tag,
];

/// An entity that a game refers to.
#[derive(Debug)]
pub(crate) struct EntityRef {
    fields: Vec<u8>,
    hash: u32,
    /// The id, if the base had the entity when the game was encoded.
    id: Option<u32>,
}

/// The indexes of all kinds, in the order of [`EntityKind::ALL`].
#[derive(Clone, Debug)]
pub(crate) struct SharedEntities {
    hasher: NameHasher,
    kinds: SharedNames<[Entities; 6]>,
}

impl SharedEntities {
    pub(crate) fn new() -> SharedEntities {
        let kinds = SharedNames::new(EntityKind::ALL.map(Entities::new));
        SharedEntities { hasher: NameHasher::default(), kinds }
    }

    /// Looks up the entities of a game.
    pub(crate) fn find(&self, fields: [Option<Vec<u8>>; 8]) -> [Option<EntityRef>; 8] {
        let kinds = self.kinds.read();
        let mut of = NAME_KINDS.into_iter();
        fields.map(|fields| {
            let (fields, kind) = (fields?, kinds.get(of.next()? as usize)?);
            let hash = self.hasher.hash(&fields);
            let id = kind.find(&fields, hash);
            Some(EntityRef { fields, hash, id })
        })
    }
}

/// The counts of the entities of one kind, and their tree.
#[derive(Debug)]
pub(crate) struct EntityTable {
    kind: EntityKind,
    nodes: Vec<Node>,
    root: u32,
}

impl EntityTable {
    pub(crate) fn new(kind: EntityKind) -> EntityTable {
        EntityTable { kind, nodes: Vec::new(), root: NONE }
    }

    /// Returns the number of entities.
    pub(crate) fn len(&self) -> u32 {
        u32::try_from(self.nodes.len()).unwrap_or(NONE)
    }

    /// Returns the id of an entity from [`SharedEntities::find`], adding it if it is new, and
    /// counts a reference by `game`.
    pub(crate) fn count_reference(
        &mut self,
        entity: &EntityRef,
        game: u32,
        shared: &SharedEntities,
    ) -> u32 {
        let id = entity.id.unwrap_or_else(|| self.find_or_add(entity, game, shared));
        if let Some(node) = self.nodes.get_mut(id as usize) {
            node.references = node.references.saturating_add(1);
        }
        id
    }

    fn find_or_add(&mut self, entity: &EntityRef, game: u32, shared: &SharedEntities) -> u32 {
        let mut kinds = shared.kinds.write();
        let Some(entities) = kinds.get_mut(self.kind as usize) else { return NONE };
        if let Some(id) = entities.find(&entity.fields, entity.hash) {
            return id;
        }
        let id = self.len();
        entities.ids.insert(entity.hash, id);
        entities.fields.extend_from_slice(&entity.fields);
        let key = entities.kind.key(&entity.fields);
        drop(kinds);
        self.nodes.push(Node { key, first: game, ..NO_NODE });
        if let Some(entities) = shared.kinds.read().get(self.kind as usize) {
            self.insert(id, entities);
        }
        id
    }

    fn node(&self, id: u32) -> Node {
        self.nodes.get(id as usize).copied().unwrap_or(NO_NODE)
    }

    fn link(&self, id: u32, side: usize) -> u32 {
        self.node(id).links.get(side).copied().unwrap_or(NONE)
    }

    fn set_link(&mut self, id: u32, side: usize, to: u32) {
        let place = self.nodes.get_mut(id as usize).and_then(|node| node.links.get_mut(side));
        if let Some(place) = place {
            *place = to;
        }
    }

    fn balance(&mut self, id: u32) -> &mut i8 {
        #[expect(clippy::unwrap_used, reason = "only ids of records that were added are given")]
        let node = self.nodes.get_mut(id as usize).unwrap();
        &mut node.balance
    }

    /// Inserts a record into the tree and rebalances it.
    // cbh §6.3 "Order"
    fn insert(&mut self, id: u32, entities: &Entities) {
        let mut path = SmallVec::<[(u32, usize); DEPTH]>::new();
        let (mut at, key) = (self.root, self.node(id).key);
        while at != NONE {
            let node = self.node(at);
            let order = key.cmp(&node.key);
            let order = order.then_with(|| {
                entities.kind.compare(entities.fields_of(id), entities.fields_of(at))
            });
            let side = usize::from(order != Ordering::Less);
            path.push((at, side));
            at = node.links.get(side).copied().unwrap_or(NONE);
        }
        match path.last() {
            Some((parent, side)) => self.set_link(*parent, *side, id),
            None => self.root = id,
        }
        while let Some((parent, side)) = path.pop() {
            let grown: i8 = if side == 1 { 1 } else { -1 };
            let balance = self.balance(parent);
            *balance = balance.saturating_add(grown);
            match *balance {
                0 => return,
                -1 | 1 => {}
                _ => {
                    let top = self.rotate(parent, side);
                    match path.last() {
                        Some((above, side)) => self.set_link(*above, *side, top),
                        None => self.root = top,
                    }
                    return;
                }
            }
        }
    }

    /// Rotates a subtree whose one side has become two levels higher. Returns its new root.
    fn rotate(&mut self, id: u32, side: usize) -> u32 {
        let other = 1usize.saturating_sub(side);
        let grown: i8 = if side == 1 { 1 } else { -1 };
        let child = self.link(id, side);
        if *self.balance(child) == grown {
            let inner = self.link(child, other);
            self.set_link(id, side, inner);
            self.set_link(child, other, id);
            *self.balance(id) = 0;
            *self.balance(child) = 0;
            return child;
        }
        let top = self.link(child, other);
        let (inner, outer) = (self.link(top, side), self.link(top, other));
        self.set_link(child, other, inner);
        self.set_link(id, side, outer);
        self.set_link(top, side, child);
        self.set_link(top, other, id);
        let leaning = *self.balance(top);
        *self.balance(id) = if leaning == grown { grown.saturating_neg() } else { 0 };
        *self.balance(child) = if leaning == grown.saturating_neg() { grown } else { 0 };
        *self.balance(top) = 0;
        top
    }

    /// Writes the file.
    // cbh §6.1 "File and tree"
    pub(crate) fn write<F: WriteAt>(&self, file: F, shared: &SharedEntities) -> io::Result<F> {
        let kinds = shared.kinds.read();
        let Some(entities) = kinds.get(self.kind as usize) else { return Ok(file) };
        let id = |id: u32| i32::try_from(id).unwrap_or(NO_ENTITY);
        let count = id(self.len());
        let header = EntityHeader {
            capacity: count,
            root: if self.nodes.is_empty() { 0 } else { id(self.root) },
            magic: ENTITY_MAGIC,
            data_size: i32::try_from(entities.kind.data_size()).unwrap_or(0),
            first_deleted: NO_ENTITY,
            count,
            extra: i32::try_from(EXTRA).unwrap_or(0),
        };
        let mut out = Appender::new(file);
        out.push(&header.encode())?;
        out.push(&[0; EXTRA])?;
        for (fields, node) in entities.fields.chunks_exact(entities.size()).zip(&self.nodes) {
            let [left, right] = node.links.map(id);
            let mut links = [0; ENTITY_LINKS];
            let parts = left.to_le_bytes().into_iter().chain(right.to_le_bytes());
            let parts = parts.chain(node.balance.to_le_bytes());
            links.iter_mut().zip(parts).for_each(|(place, byte)| *place = byte);
            out.push(&links)?;
            out.push(fields)?;
            out.push(&node.references.to_le_bytes())?;
            out.push(&node.first.to_le_bytes())?;
        }
        out.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::entities::fields::push_field;
    use crate::entities::file::EntityFile;
    use chess_store::Diagnostics;

    #[test]
    fn entity_tree_any_insertion_order_stays_balanced() {
        let mut seed = 7u64;
        for count in [0, 1, 2, 3, 10, 100, 1000] {
            for descending in [false, true] {
                let (mut table, shared) =
                    (EntityTable::new(EntityKind::Annotator), SharedEntities::new());
                for number in 0..count {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    let name = if descending {
                        format!("{:06}", count - number)
                    } else {
                        (seed >> 40).to_string()
                    };
                    let mut fields = Vec::new();
                    push_field(name.as_bytes(), 45, &mut fields);
                    let mut game = [const { None }; 8];
                    game[3] = Some(fields);
                    let game = shared.find(game);
                    table.count_reference(game[3].as_ref().unwrap(), number + 1, &shared);
                }
                let bytes = table.write(Vec::new(), &shared).unwrap();
                let mut diagnostics = Diagnostics::strict();
                let file =
                    EntityFile::read(EntityKind::Annotator, &bytes, &mut diagnostics).unwrap();
                let found = crate::entities::tree::check_tree(&file);
                assert_eq!(found, Vec::<String>::new(), "{count} names");
            }
        }
    }
}
