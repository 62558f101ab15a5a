//! The `.2lcd`: sort orders of the entities, as balanced trees on pages.

use std::io;

use chess_store::Location;
use chess_store::io::{Appender, ReadAt, WriteAt};

use super::entity_table::EntityTable;
use super::game_lists::GameLists;
use super::layout::{NODES_ON_PAGE, PAGE};
use super::order::{ORDERS, Order, SortKey, node_key, sort_key};
use crate::error::Error;
use crate::header::put;

/// The link of a node that leads nowhere.
const NO_NODE: i64 = -1;
/// The number of catalogue entries, and the size of one.
const ENTRIES: usize = 32;
const ENTRY: usize = 128;
/// The size of a node.
const NODE: usize = 40;
/// The number of page numbers on a directory page.
const DIRECTORY: u64 = 1024;

/// A node of a tree.
// cbh2 §8.2 "Nodes"
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Node {
    pub(crate) left: i64,
    pub(crate) right: i64,
    pub(crate) parent: i64,
    pub(crate) key: u64,
    /// The height of the right subtree minus the height of the left one.
    pub(crate) balance: i16,
    pub(crate) unknown_22: i16,
    /// The place of the node on its page.
    pub(crate) slot: i32,
}

impl Node {
    pub(crate) fn parse(bytes: &[u8]) -> Option<Node> {
        let field = |at: usize| bytes.get(at..)?.first_chunk::<8>().copied();
        let [b1, b2, u1, u2, s1, s2, s3, s4] = field(32)?;
        Some(Node {
            left: i64::from_le_bytes(field(0)?),
            right: i64::from_le_bytes(field(8)?),
            parent: i64::from_le_bytes(field(16)?),
            key: u64::from_le_bytes(field(24)?),
            balance: i16::from_le_bytes([b1, b2]),
            unknown_22: i16::from_le_bytes([u1, u2]),
            slot: i32::from_le_bytes([s1, s2, s3, s4]),
        })
    }

    fn encode(&self) -> [u8; NODE] {
        let mut bytes = [0; NODE];
        for (at, link) in [(0, self.left), (8, self.right), (16, self.parent)] {
            put(&mut bytes, at, &link.to_le_bytes());
        }
        put(&mut bytes, 24, &self.key.to_le_bytes());
        put(&mut bytes, 32, &self.balance.to_le_bytes());
        put(&mut bytes, 34, &self.unknown_22.to_le_bytes());
        put(&mut bytes, 36, &self.slot.to_le_bytes());
        bytes
    }
}

/// An entry of the catalogue.
// cbh2 §8.1 "Pages"
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// The number of directory levels above the pages of nodes.
    pub(crate) depth: i16,
    /// The page of the nodes if the depth is 0, else the top directory.
    pub(crate) page: i32,
    pub(crate) root: i64,
    pub(crate) nodes: i64,
    /// The type of the entities plus 1.
    pub(crate) kind: u8,
    pub(crate) number: u8,
    pub(crate) name: Vec<u8>,
}

impl Entry {
    pub(crate) fn parse(bytes: &[u8]) -> Option<Entry> {
        let (start, rest) = bytes.split_first_chunk::<28>()?;
        let [d1, d2, p1, p2, p3, p4, rest_of @ ..] = *start;
        let [r @ .., kind, _, number, _, l1, l2] = rest_of;
        let (root, nodes) = r.split_first_chunk::<8>()?;
        let length = usize::from(u16::from_be_bytes([l1, l2]));
        Some(Entry {
            depth: i16::from_be_bytes([d1, d2]),
            page: i32::from_be_bytes([p1, p2, p3, p4]),
            root: i64::from_be_bytes(*root),
            nodes: i64::from_be_bytes(nodes.try_into().ok()?),
            kind,
            number,
            name: rest.get(..length)?.to_vec(),
        })
    }

    fn encode(&self) -> [u8; ENTRY] {
        let mut bytes = [0; ENTRY];
        put(&mut bytes, 0, &self.depth.to_be_bytes());
        put(&mut bytes, 2, &self.page.to_be_bytes());
        put(&mut bytes, 6, &self.root.to_be_bytes());
        put(&mut bytes, 14, &self.nodes.to_be_bytes());
        put(&mut bytes, 22, &[self.kind, 3, self.number, 1]);
        let length = u16::try_from(self.name.len()).unwrap_or(0);
        put(&mut bytes, 26, &length.to_be_bytes());
        put(&mut bytes, 28, &self.name);
        bytes
    }
}

/// Reads the nodes of an order.
#[derive(Clone, Copy)]
pub(crate) struct NodeReader<'a, R> {
    pub(crate) file: &'a R,
    pub(crate) entry: &'a Entry,
}

impl<R: ReadAt> NodeReader<'_, R> {
    /// Reads the node of an entity. Returns `None` if there is none.
    pub(crate) fn read(&self, id: i64) -> Result<Option<Node>, Error> {
        let Ok(id) = u64::try_from(id) else { return Ok(None) };
        let (index, slot) = (id / NODES_ON_PAGE, id % NODES_ON_PAGE);
        let mut page = u64::try_from(self.entry.page).unwrap_or(0);
        for level in (0..self.entry.depth.clamp(0, 3)).rev() {
            let width = DIRECTORY.saturating_pow(u32::try_from(level).unwrap_or(0));
            let place = index.checked_div(width).unwrap_or(0) % DIRECTORY;
            let offset = page.saturating_mul(PAGE as u64).saturating_add(place.saturating_mul(4));
            let mut number = [0; 4];
            self.bytes(offset, &mut number)?;
            page = u64::try_from(i32::from_le_bytes(number)).unwrap_or(0);
        }
        // The first two pages have no nodes.
        if page < 2 {
            return Ok(None);
        }
        let offset = page.saturating_mul(PAGE as u64);
        let offset = offset.saturating_add(slot.saturating_mul(NODE as u64));
        let mut bytes = [0; NODE];
        Ok(if self.bytes(offset, &mut bytes)? < NODE { None } else { Node::parse(&bytes) })
    }

    fn bytes(&self, offset: u64, bytes: &mut [u8]) -> Result<usize, Error> {
        let at = Location::file("2lcd").at(offset);
        self.file.read_full(offset, bytes).map_err(Error::io(at))
    }
}

/// The nodes of an order, by id.
struct Tree {
    /// `None` for an entity that the order does not have.
    nodes: Vec<Option<Node>>,
    root: i64,
    count: i64,
}

/// Builds a balanced tree of the entities that `lists` has in the role of the order.
///
/// The middle of a sorted range becomes the root of its subtree, so the heights of two subtrees
/// differ by at most one.
fn build(order: &Order, entities: &EntityTable, lists: &GameLists) -> Tree {
    let mut sorted: Vec<(SortKey, u32, u64)> = Vec::new();
    entities.with(order.kind, |entities| {
        for id in (0..entities.len()).filter(|id| lists.has(order.role, *id)) {
            let fields = entities.fields_of(id).unwrap_or_default();
            sorted.push((sort_key(order.kind, fields), id, node_key(order.kind, fields)));
        }
    });
    // Ties go by id, which is the second field.
    sorted.sort_unstable();
    let highest = sorted.iter().map(|(_, id, _)| *id as usize).max();
    let mut nodes = vec![None; highest.map_or(0, |id| id.saturating_add(1))];
    let middle = |low: usize, high: usize| {
        let at = low.midpoint(high);
        (low < high).then(|| sorted.get(at).map(|(_, id, _)| (at, i64::from(*id)))).flatten()
    };
    let root = middle(0, sorted.len()).map_or(NO_NODE, |(_, id)| id);
    let mut open = vec![(0, sorted.len(), NO_NODE)];
    while let Some((low, high, parent)) = open.pop() {
        let Some((at, id)) = middle(low, high) else { continue };
        let key = sorted.get(at).map_or(0, |(_, _, key)| *key);
        let after = at.saturating_add(1);
        let [left, right] =
            [middle(low, at), middle(after, high)].map(|child| child.map_or(NO_NODE, |(_, id)| id));
        let balance =
            height(high.saturating_sub(after)).saturating_sub(height(at.saturating_sub(low)));
        let slot = i32::try_from(id.checked_rem(NODES_ON_PAGE as i64).unwrap_or(0)).unwrap_or(0);
        let node = Node { left, right, parent, key, balance, unknown_22: 0, slot };
        if let Some(place) = usize::try_from(id).ok().and_then(|id| nodes.get_mut(id)) {
            *place = Some(node);
        }
        open.push((low, at, id));
        open.push((after, high, id));
    }
    Tree { nodes, root, count: i64::try_from(sorted.len()).unwrap_or(0) }
}

/// Returns the height of a tree of `size` nodes whose subtrees are halves.
fn height(size: usize) -> i16 {
    size.checked_ilog2().map_or(0, |log| i16::try_from(log).unwrap_or(0).saturating_add(1))
}

/// Writes the file.
// cbh2 §8.1 "Pages"
pub(crate) fn write_orders<F: WriteAt>(
    file: F,
    entities: &EntityTable,
    lists: &GameLists,
) -> io::Result<F> {
    let mut out = Appender::new(file);
    out.push(&[0; PAGE])?;
    out.push(&[0; PAGE])?;
    let mut catalogue = [0; ENTRIES * ENTRY];
    let mut pages = 2i32;
    for (place, order) in (0..).step_by(ENTRY).zip(ORDERS) {
        let tree = build(&order, entities, lists);
        let (depth, page) = write_tree(&tree, &mut pages, &mut out)?;
        let kind = (order.kind as u8).saturating_add(1);
        let (root, nodes, number) = (tree.root, tree.count, order.number);
        let name = order.name.as_bytes().to_vec();
        put(
            &mut catalogue,
            place,
            &Entry { depth, page, root, nodes, kind, number, name }.encode(),
        );
    }
    let mut first = [0; 12];
    let size = i32::try_from(PAGE).unwrap_or(0);
    for (at, number) in [(0, 1), (4, pages), (8, size)] {
        put(&mut first, at, &i32::to_be_bytes(number));
    }
    let mut file = out.finish()?;
    file.write_at(0, &first)?;
    file.write_at(PAGE as u64, &catalogue)?;
    Ok(file)
}

/// Writes the pages of a tree: first the nodes, then directories from the lowest level up.
/// Returns the depth and the top page.
fn write_tree<F: WriteAt>(
    tree: &Tree,
    pages: &mut i32,
    out: &mut Appender<F>,
) -> io::Result<(i16, i32)> {
    let nodes_on_page = usize::try_from(NODES_ON_PAGE).unwrap_or(1);
    let mut level = Vec::new();
    for nodes in tree.nodes.chunks(nodes_on_page) {
        let mut page = [0; PAGE];
        for (at, node) in (0..).step_by(NODE).zip(nodes) {
            if let Some(node) = node {
                put(&mut page, at, &node.encode());
            }
        }
        out.push(&page)?;
        level.push(*pages);
        *pages = pages.saturating_add(1);
    }
    let mut depth = 0i16;
    while level.len() > 1 {
        let directory = usize::try_from(DIRECTORY).unwrap_or(1);
        let mut above = Vec::new();
        for numbers in level.chunks(directory) {
            let mut page = [0; PAGE];
            for (at, number) in (0..).step_by(4).zip(numbers) {
                put(&mut page, at, &number.to_le_bytes());
            }
            out.push(&page)?;
            above.push(*pages);
            *pages = pages.saturating_add(1);
        }
        level = above;
        depth = depth.saturating_add(1);
    }
    Ok((depth, level.first().copied().unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_and_entry_examples_round_trip() {
        let node =
            Node { left: 3, right: -1, parent: 4, key: 0x61, balance: -1, unknown_22: 0, slot: 1 };
        let bytes = node.encode();
        #[rustfmt::skip]
        assert_eq!(bytes, [
            3, 0, 0, 0, 0, 0, 0, 0,
            0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
            4, 0, 0, 0, 0, 0, 0, 0,
            0x61, 0, 0, 0, 0, 0, 0, 0,
            0xff, 0xff, 0, 0, // leans to the left
            1, 0, 0, 0,       // second on its page
        ]);
        assert_eq!(Node::parse(&bytes), Some(node));
        let entry = Entry {
            depth: 1,
            page: 4,
            root: 67,
            nodes: 101,
            kind: 1,
            number: 0,
            name: b"Default Spieler".to_vec(),
        };
        let bytes = entry.encode();
        #[rustfmt::skip]
        assert_eq!(bytes[..28], [
            0, 1,                    // one level of directories
            0, 0, 0, 4,              // page 4
            0, 0, 0, 0, 0, 0, 0, 67, // root
            0, 0, 0, 0, 0, 0, 0, 101, // nodes
            1, 3, 0, 1,              // players
            0, 15,                   // length of the name
        ]);
        assert_eq!(Entry::parse(&bytes), Some(entry));
    }

    #[test]
    fn height_of_halves_is_balanced() {
        for size in 1..2000usize {
            let left = size / 2;
            let (left, right) = (height(left), height(size - 1 - left));
            assert!((left - right).abs() <= 1);
            assert_eq!(height(size), left.max(right) + 1);
        }
    }
}
