//! Entities of a base being written: found by their fields, in a balanced tree by their order.

use std::cmp::Ordering;
use std::io;

use chess_store::io::{Appender, WriteAt};
use chess_store::names::{NameHasher, NameIndex};

use super::file::EntityHeader;
use super::kind::EntityKind;
use crate::layout::{ENTITY_LINKS, ENTITY_MAGIC, NO_ENTITY};

/// Bytes of the header that are of no known use.
const EXTRA: usize = 4;
/// The deepest tree of as many records as can be numbered.
const DEEPEST: usize = 48;

/// A record of the tree.
#[derive(Clone, Copy, Debug)]
struct Node {
    links: [u32; 2],
    balance: i8,
    references: u32,
    first: u32,
}

const NONE: u32 = u32::MAX;

/// Entities of one kind. They are numbered as they come, as ChessBase does on import.
#[derive(Debug)]
pub(crate) struct EntityTable {
    kind: EntityKind,
    hasher: NameHasher,
    ids: NameIndex,
    /// The fields of all, one after the other.
    fields: Vec<u8>,
    nodes: Vec<Node>,
    root: u32,
}

impl EntityTable {
    pub(crate) fn new(kind: EntityKind) -> EntityTable {
        EntityTable {
            kind,
            hasher: NameHasher::default(),
            ids: NameIndex::default(),
            fields: Vec::new(),
            nodes: Vec::new(),
            root: NONE,
        }
    }

    /// Bytes of the fields, without the counts.
    fn size(&self) -> usize {
        self.kind.data_size().saturating_sub(super::fields::COUNTS)
    }

    /// How many entities there are.
    pub(crate) fn len(&self) -> u32 {
        u32::try_from(self.nodes.len()).unwrap_or(NONE)
    }

    /// The id of an entity, which a game refers to once more.
    pub(crate) fn refer(&mut self, fields: &[u8], game: u32) -> u32 {
        let hash = self.hasher.hash(fields);
        let known = self.ids.find(hash, |id| self.fields_of(id) == fields);
        let id = known.unwrap_or_else(|| self.add(fields, hash, game));
        if let Some(node) = self.nodes.get_mut(id as usize) {
            node.references = node.references.saturating_add(1);
        }
        id
    }

    fn add(&mut self, fields: &[u8], hash: u32, game: u32) -> u32 {
        let id = self.len();
        self.ids.insert(hash, id);
        self.fields.extend_from_slice(fields);
        self.nodes.push(Node { links: [NONE; 2], balance: 0, references: 0, first: game });
        self.insert(id);
        id
    }

    fn fields_of(&self, id: u32) -> &[u8] {
        let size = self.size();
        let start = usize::try_from(id).unwrap_or(usize::MAX).saturating_mul(size);
        self.fields.get(start..).and_then(|rest| rest.get(..size)).unwrap_or_default()
    }

    fn node(&self, id: u32) -> Node {
        let none = Node { links: [NONE; 2], balance: 0, references: 0, first: 0 };
        self.nodes.get(id as usize).copied().unwrap_or(none)
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

    /// Puts a record in its place of the tree and balances it.
    // cbh §6.3 "Order"
    fn insert(&mut self, id: u32) {
        let mut path: Vec<(u32, usize)> = Vec::with_capacity(DEEPEST);
        let mut at = self.root;
        while at != NONE {
            let order = self.kind.compare(self.fields_of(id), self.fields_of(at));
            let side = usize::from(order != Ordering::Less);
            path.push((at, side));
            at = self.link(at, side);
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

    /// Lowers the side of a record that has become two too high; gives what stands there now.
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
    pub(crate) fn write<F: WriteAt>(&self, file: F) -> io::Result<F> {
        let id = |id: u32| i32::try_from(id).unwrap_or(NO_ENTITY);
        let count = id(self.len());
        let header = EntityHeader {
            capacity: count,
            root: if self.nodes.is_empty() { 0 } else { id(self.root) },
            magic: ENTITY_MAGIC,
            data_size: i32::try_from(self.kind.data_size()).unwrap_or(0),
            first_deleted: NO_ENTITY,
            count,
            extra: i32::try_from(EXTRA).unwrap_or(0),
        };
        let mut out = Appender::new(file);
        out.push(&header.encode())?;
        out.push(&[0; EXTRA])?;
        for (fields, node) in self.fields.chunks_exact(self.size()).zip(&self.nodes) {
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
    fn a_tree_stays_balanced_whatever_the_order() {
        let mut seed = 7u64;
        for count in [0, 1, 2, 3, 10, 100, 1000] {
            for descending in [false, true] {
                let mut table = EntityTable::new(EntityKind::Annotator);
                for number in 0..count {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    let name = if descending {
                        format!("{:06}", count - number)
                    } else {
                        (seed >> 40).to_string()
                    };
                    let mut fields = Vec::new();
                    push_field(name.as_bytes(), 45, &mut fields);
                    table.refer(&fields, number + 1);
                }
                let bytes = table.write(Vec::new()).unwrap();
                let mut diagnostics = Diagnostics::strict();
                let file =
                    EntityFile::read(EntityKind::Annotator, &bytes, &mut diagnostics).unwrap();
                let found = crate::entities::tree::check_tree(&file);
                assert_eq!(found, Vec::<String>::new(), "{count} names");
            }
        }
    }
}
