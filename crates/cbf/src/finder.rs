//! By what a base's records are found: its index, or their own sizes.
//! cbf §1.2 "Without an index"

use chess_core::io::ReadAt;
use chess_core::{Diagnostics, Location};

use crate::error::{Error, io_error};
use crate::index::{parse_count, read_entry};
use crate::layout::ENTRY_SIZE;
use crate::options::Records;
use crate::place::note;
use crate::quirk::Quirk;
use crate::walk::{Walk, record_end};

/// How records are found.
#[derive(Debug)]
pub(crate) enum Finder {
    /// By an index of so many games.
    Index(u64),
    Walk(Walk),
}

/// Where a game's index entry is.
pub(crate) fn entry_location(game: u64) -> Location {
    let offset = game.saturating_add(1).saturating_mul(ENTRY_SIZE as u64);
    Location::file("cbi").at(offset).in_game(game)
}

/// Chooses between the index and walking. cbf §1.2 "Without an index"
pub(crate) fn find_records<R: ReadAt>(
    cbf: &R,
    cbi: Option<&R>,
    wanted: Records,
    diagnostics: &mut Diagnostics,
) -> Result<Finder, Error> {
    let disk = |file| io_error(Location::file(file));
    let walk = || Walk::new(cbf).map_err(disk("cbf"));
    if wanted == Records::Walk {
        return Ok(Finder::Walk(walk()?));
    }
    let Some(cbi) = cbi else {
        note(diagnostics, Quirk::IndexMissing, Location::file("cbi"))?;
        return Ok(Finder::Walk(walk()?));
    };
    let index = judge_index(cbf, cbi, diagnostics).map_err(disk("cbi"))?;
    let announced = index.games;
    if index.sound {
        return Ok(Finder::Index(announced));
    }
    // An index that is wrong somewhere still beats a file whose records do not follow each other.
    let walk = walk()?;
    if walk.is_whole() || index.games == 0 {
        note(diagnostics, Quirk::IndexUnused, Location::file("cbi"))?;
        return Ok(Finder::Walk(walk));
    }
    Ok(Finder::Index(announced))
}

/// What is to be thought of an index.
struct Judgement {
    /// Entries that are there, at most as many as it announces.
    games: u64,
    sound: bool,
}

fn judge_index<R: ReadAt>(
    cbf: &R,
    cbi: &R,
    diagnostics: &mut Diagnostics,
) -> std::io::Result<Judgement> {
    let mut start = [0; ENTRY_SIZE];
    let count = cbi.read_full(0, &mut start)?;
    let announced = parse_count(start.get(..count).unwrap_or_default()).unwrap_or(0);
    let there = cbi.size()?.checked_div(ENTRY_SIZE as u64).unwrap_or(0).saturating_sub(1);
    let size = cbf.size()?;
    let games = announced.min(there);
    let mut warn = |quirk: Quirk, at| {
        // Lenient diagnostics never refuse.
        let _ = diagnostics.note(quirk, at);
    };
    let short = announced > there || count < start.len() || announced == 0 && size > 0;
    if short {
        warn(Quirk::IndexShort, Location::file("cbi").at(0));
    }
    let mut sound = !short;
    for game in 0..games {
        let offset = read_entry(cbi, game)?.and_then(|offset| u64::try_from(offset).ok());
        let fits = match offset {
            Some(offset) => record_end(cbf, offset, size)?.is_some(),
            None => false,
        };
        if !fits {
            warn(Quirk::IndexWrong, entry_location(game));
            sound = false;
            break;
        }
    }
    if sound
        && let Some(end) = read_entry(cbi, games)?
        && u64::try_from(end) != Ok(size)
    {
        warn(Quirk::IndexEnd, entry_location(games));
    }
    Ok(Judgement { games, sound })
}
