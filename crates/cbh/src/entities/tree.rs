//! Consistency check of the tree in an entity file.

use std::cmp::Ordering;

use super::file::EntityFile;
use crate::layout::{ENTITY_DELETED, NO_ENTITY};

/// Checks the tree. Returns at most a few messages.
///
/// Checks that each record is reached once, that the order is right, and that the stored balances
/// are right.
// cbh §6.3 "Order"
pub(crate) fn check_tree(file: &EntityFile) -> Vec<String> {
    const MOST: usize = 10;
    let mut found = Vec::new();
    let count = file.len();
    let mut heights: Vec<Option<u32>> = vec![None; count];
    let mut reached = 0usize;
    let mut last: Option<u32> = None;
    // A record and its progress: 0 before, 1 after the left subtree, 2 after both subtrees.
    let mut path: Vec<(u32, u8)> = Vec::new();
    let id_of = |link: i32| u32::try_from(link).ok().filter(|id| (*id as usize) < count);
    if let Some(root) = id_of(file.header.root).filter(|_| count > 0) {
        path.push((root, 0));
    }
    while let Some((id, done)) = path.pop() {
        if found.len() >= MOST {
            found.push("and more".to_owned());
            return found;
        }
        let Some(links) = file.links(id) else { continue };
        let height = |link: i32| {
            id_of(link).map_or(0, |id| heights.get(id as usize).copied().flatten().unwrap_or(0))
        };
        match done {
            0 => {
                if heights.get(id as usize).copied().flatten().is_some() {
                    found.push(format!("record {id} is in the tree twice"));
                    continue;
                }
                if let Some(place) = heights.get_mut(id as usize) {
                    *place = Some(0);
                }
                reached = reached.saturating_add(1);
                path.push((id, 1));
                path.extend(follow(links.left, id, &id_of, &mut found));
            }
            1 => {
                let data = |id| file.data(id).map_or(&[][..], |(data, _)| data);
                if let Some(last) = last
                    && file.kind.compare(data(last), data(id)) == Ordering::Greater
                {
                    found.push(format!("records {last} and {id} are not in order"));
                }
                last = Some(id);
                path.push((id, 2));
                path.extend(follow(links.right, id, &id_of, &mut found));
            }
            _ => {
                let (left, right) = (height(links.left), height(links.right));
                if i64::from(right).saturating_sub(i64::from(left)) != i64::from(links.balance) {
                    found.push(format!("record {id} has a wrong balance"));
                }
                if let Some(place) = heights.get_mut(id as usize) {
                    *place = Some(left.max(right).saturating_add(1));
                }
            }
        }
    }
    let deleted = (0u32..)
        .take(count)
        .filter(|id| file.links(*id).is_some_and(|links| links.left == ENTITY_DELETED));
    let live = count.saturating_sub(deleted.count());
    if reached != live {
        found.push(format!("{reached} of {live} records are in the tree"));
    }
    found
}

fn follow(
    link: i32,
    from: u32,
    id_of: &impl Fn(i32) -> Option<u32>,
    found: &mut Vec<String>,
) -> Option<(u32, u8)> {
    if link == NO_ENTITY {
        return None;
    }
    let id = id_of(link);
    if id.is_none() {
        found.push(format!("record {from} links to {link}, which is not there"));
    }
    id.map(|id| (id, 0))
}
