//! Reads the lists of the `.2lgd`.

use chess_store::Location;
use chess_store::io::ReadAt;

use super::game_lists::{HALF, IN_BLOCK, IN_HEAD, RUN, place};
use super::header::long;
use super::order::Role;
use crate::error::Error;

/// The head of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Head {
    first: i64,
    last: i64,
    /// The number of games.
    pub(crate) count: i64,
}

/// Reads the head of the list of an entity in a role.
// cbh2 §7 "Games of each entity"
pub(crate) fn read_head<R: ReadAt>(file: &R, role: Role, id: i64) -> Result<Head, Error> {
    let at = Location::file("2lgd").at(place(id));
    let mut heads = [0; HALF];
    let count = file.read_full(place(id), &mut heads).map_err(Error::io(at))?;
    if count < HALF {
        return Ok(Head { first: -1, last: -1, count: 0 });
    }
    let slot = |number: usize| long(&heads, number.saturating_mul(8));
    let role = role as usize;
    let (last, count) = (role.saturating_add(10), role.saturating_add(20));
    Ok(Head { first: slot(role), last: slot(last), count: slot(count) })
}

/// Calls `each` with the record numbers of a list, at most as many as its head counts and one more.
/// `records` is the number of records of the base.
pub(crate) fn each_listed<R: ReadAt>(
    file: &R,
    head: &Head,
    records: u64,
    each: &mut dyn FnMut(i64) -> Result<(), Error>,
) -> Result<(), Error> {
    let Head { first, last, count } = *head;
    // A game can be listed twice. A hostile count must not make the walk longer.
    let most = i64::try_from(records).unwrap_or(i64::MAX).saturating_mul(2);
    let mut left = count.clamp(0, most).saturating_add(1);
    if first < 0 {
        return Ok(());
    }
    if first & IN_HEAD != 0 {
        each(first & !IN_HEAD)?;
        return if last >= 0 { each(last & !IN_HEAD) } else { Ok(()) };
    }
    if first & RUN != 0 {
        for game in first & !RUN..=last & !RUN {
            if left == 0 {
                break;
            }
            left = left.saturating_sub(1);
            each(game)?;
        }
        return Ok(());
    }
    let mut block = first;
    while block >= 0 && left > 0 {
        let offset = place(block).saturating_add(HALF as u64);
        let at = Location::file("2lgd").at(offset);
        let mut bytes = [0; HALF];
        file.read_full(offset, &mut bytes).map_err(Error::io(at))?;
        let games = usize::try_from(long(&bytes, 8)).unwrap_or(0).min(IN_BLOCK);
        if games == 0 {
            break;
        }
        for number in 0..games {
            if left == 0 {
                break;
            }
            left = left.saturating_sub(1);
            each(long(&bytes, number.saturating_mul(8).saturating_add(16)))?;
        }
        block = long(&bytes, 0);
    }
    Ok(())
}
