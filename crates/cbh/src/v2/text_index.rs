//! Finds the guiding texts of a base through its indexes, so that opening need not read all headers.
//!
//! The order `Texttitel` of the `.2lcd` has the titles of texts, and the `.2lgd` lists the texts of
//! each. The answer counts only if it is consistent and agrees with a sample of the headers. Otherwise
//! all headers are read.

use chess_store::io::{PageCache, ReadAt};

use super::entities::{EntityHeader, EntityType};
use super::header::{RecordKind, kind_of};
use super::layout::{PAGE, RECORD_SIZE};
use super::list_reader::{each_listed, read_head};
use super::order::Role;
use super::orders::{Entry, NodeReader};
use super::parts::Parts;
use crate::records::Records;

/// The number of records at each end of the file that are compared.
const AT_ENDS: u64 = 2048;
/// The number of other records that are compared.
const SPREAD: u64 = 256;
/// The number of the order `Texttitel` among the orders of titles.
const TEXT_ORDER: u8 = 1;
/// More texts than any base has. A damaged index must not determine how much memory is used.
const MAX_TEXTS: i64 = 1 << 20;

/// Returns the record numbers of guiding texts in ascending order. Returns `None` if the indexes are
/// missing, damaged, or contradict the headers.
// cbh2 §3.2 "Kinds of records"
pub(crate) fn listed_texts<R: ReadAt>(
    parts: &Parts<R>,
    entities: Option<&EntityHeader>,
    records: &Records,
) -> Option<Vec<u32>> {
    let (orders, games) = (parts.orders.as_ref()?, parts.games.as_ref()?);
    let entry = text_order(orders)?;
    if entry.nodes < 0 || entry.nodes > MAX_TEXTS {
        return None;
    }
    let titles = i64::try_from(entities?.count(EntityType::Title)).ok()?;
    let mut texts = Vec::new();
    let (mut open, mut seen) = (vec![entry.root], 0i64);
    let nodes = NodeReader { file: orders, entry: &entry };
    while let Some(id) = open.pop() {
        if id < 0 {
            continue;
        }
        seen = seen.checked_add(1).filter(|seen| *seen <= entry.nodes && id < titles)?;
        let node = nodes.read(id).ok()??;
        open.extend([node.left, node.right]);
        let head = read_head(games, Role::TextTitle, id).ok()?;
        let before = texts.len();
        each_listed(games, &head, records.count, &mut |number| {
            texts.push(number);
            Ok(())
        })
        .ok()?;
        if i64::try_from(texts.len().checked_sub(before)?) != Ok(head.count) || head.count < 1 {
            return None;
        }
    }
    if seen != entry.nodes {
        return None;
    }
    texts.sort_unstable();
    let mut numbers = Vec::with_capacity(texts.len());
    for number in texts {
        let number =
            u32::try_from(number).ok().filter(|number| u64::from(*number) <= records.count)?;
        let ascends = numbers.last().is_none_or(|last| *last < number);
        if number == 0 || !ascends || !is_text(&parts.headers, u64::from(number))? {
            return None;
        }
        numbers.push(number);
    }
    agrees_with_sample(&parts.headers, records.count, &numbers).then_some(numbers)
}

fn text_order<R: ReadAt>(orders: &R) -> Option<Entry> {
    let mut catalogue = vec![0; PAGE];
    orders.read_full(PAGE as u64, &mut catalogue).ok().filter(|count| *count == PAGE)?;
    let kind = (EntityType::Title as u8).checked_add(1)?;
    let mut entries = catalogue.chunks_exact(128).filter_map(Entry::parse);
    entries.find(|entry| (entry.kind, entry.number) == (kind, TEXT_ORDER))
}

fn is_text<R: ReadAt>(headers: &R, number: u64) -> Option<bool> {
    let mut start = [0; 3];
    let offset = number.checked_mul(RECORD_SIZE as u64)?;
    headers.read_full(offset, &mut start).ok()?;
    Some(kind_of(&start) == RecordKind::Text)
}

/// Whether each sampled record is a text exactly if `texts` has it.
fn agrees_with_sample<R: ReadAt>(headers: &R, count: u64, texts: &[u32]) -> bool {
    let step = count.checked_div(SPREAD).unwrap_or(0).max(1);
    let mut spread = (1..=count).step_by(usize::try_from(step).unwrap_or(usize::MAX));
    let end = count.saturating_sub(AT_ENDS).saturating_add(1).max(1);
    let mut ends = (1..=AT_ENDS.min(count)).chain(end..=count);
    let agrees = |number, is_text: Option<bool>| {
        let listed = u32::try_from(number).is_ok_and(|number| texts.binary_search(&number).is_ok());
        is_text == Some(listed)
    };
    // The records at the ends are read many at a time.
    let pages = PageCache::default();
    let cached = pages.cached(headers);
    ends.all(|number| agrees(number, is_text(&cached, number)))
        && spread.all(|number| agrees(number, is_text(headers, number)))
}
