//! Counts the games of the players of a base.

use std::collections::HashMap;
use std::ops::ControlFlow;

use chess_core::Header;
use chess_store::{Diagnostics, IndexRows, NameField, Query};
use query::SUMMARY_CHUNK;

use crate::base::Base;
use crate::error::Error;
use crate::scan::Scanner;

/// The most games of a text that are read.
const MAX_GAMES: u64 = 1 << 20;
/// The most names of a text that are counted.
const MAX_NAMES: usize = 1 << 20;

/// Hands out the names of the players of a base with their games. A base tells them by its index; of a
/// text, the first million games are read.
///
/// # Errors
/// Errors that concern the base as a whole.
pub fn player_names(base: &mut Base, mut each: impl FnMut(&str, u64)) -> Result<(), Error> {
    let mut by_name: HashMap<String, u64> = HashMap::new();
    let mut count = |name: &str| {
        if let Some(games) = by_name.get_mut(name) {
            *games += 1;
        } else if by_name.len() < MAX_NAMES {
            by_name.insert(name.to_owned(), 1);
        }
    };
    if let Some(database) = base.database() {
        let (mut reader, mut by_id) = (database.reader(), HashMap::<u32, u64>::new());
        let (mut rows, mut header) = (IndexRows::Names(Vec::new()), Header::default());
        let (query, games) = (Query::new(&[]), database.len());
        for start in (0..games).step_by(usize::try_from(SUMMARY_CHUNK).unwrap_or(usize::MAX)) {
            rows.clear();
            reader.prefilter(start..games.min(start + SUMMARY_CHUNK), &query, &mut rows);
            for (game, ids) in rows.names() {
                if let Some([white, black, ..]) = ids {
                    *by_id.entry(*white).or_default() += 1;
                    *by_id.entry(*black).or_default() += 1;
                } else if reader.header(*game, &mut header, &mut Diagnostics::lenient()).is_ok() {
                    count(&header.white);
                    count(&header.black);
                }
            }
        }
        let mut name = String::new();
        for (id, games) in by_id {
            // White and Black have one list of names.
            name.clear();
            reader.name(NameField::White, id, &mut name);
            each(&name, games);
        }
    } else {
        let scanner = Scanner::new();
        scanner.run(base, |scanned| -> Result<_, Error> {
            count(&scanned.game.header.white);
            count(&scanned.game.header.black);
            let is_last = scanned.number + 1 >= MAX_GAMES;
            Ok(if is_last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
    }
    by_name.iter().for_each(|(name, games)| each(name, *games));
    Ok(())
}
