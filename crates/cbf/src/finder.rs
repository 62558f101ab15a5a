//! How the records of a base are found: by its index, or by their own sizes.
//! cbf §1.2 "Without an index"

use chess_store::io::ReadAt;
use chess_store::{Diagnostics, Location};

use crate::error::Error;
use crate::index::{entry_offset, parse_count, read_entry};
use crate::layout::ENTRY_SIZE;
use crate::options::Records;
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
    Location::file("cbi").at(entry_offset(game)).in_game(game)
}

/// Chooses between the index and walking. cbf §1.2 "Without an index"
pub(crate) fn find_records<R: ReadAt>(
    cbf: &R,
    cbi: Option<&R>,
    wanted: Records,
    diagnostics: &mut Diagnostics,
) -> Result<Finder, Error> {
    let walk = || Walk::new(cbf).map_err(Error::io(Location::file("cbf")));
    if wanted == Records::Walk {
        return Ok(Finder::Walk(walk()?));
    }
    let Some(cbi) = cbi else {
        diagnostics.note(Quirk::IndexMissing, Location::file("cbi"))?;
        return Ok(Finder::Walk(walk()?));
    };
    let index = judge_index(cbf, cbi, diagnostics)?;
    if index.sound {
        return Ok(Finder::Index(index.games));
    }
    // An index that is wrong somewhere still beats a file whose records do not follow each other.
    let walk = walk()?;
    if walk.is_whole() || index.games == 0 {
        diagnostics.note(Quirk::IndexUnused, Location::file("cbi"))?;
        return Ok(Finder::Walk(walk));
    }
    Ok(Finder::Index(index.games))
}

/// How good an index is.
struct Judgement {
    /// Entries that are there, at most as many as it announces.
    games: u64,
    sound: bool,
}

fn judge_index<R: ReadAt>(
    cbf: &R,
    cbi: &R,
    diagnostics: &mut Diagnostics,
) -> Result<Judgement, Error> {
    const ENTRY: u64 = ENTRY_SIZE as u64;
    let disk = Error::io(Location::file("cbi"));
    let mut start = [0; ENTRY_SIZE];
    let found = cbi.read_full(0, &mut start).map_err(&disk)?;
    let announced = start.get(..found).and_then(parse_count);
    let there = (cbi.size().map_err(&disk)? / ENTRY).saturating_sub(1);
    let size = cbf.size().map_err(&disk)?;
    let games = announced.unwrap_or(0).min(there);
    let short = match announced {
        None => true,
        Some(0) => size > 0,
        Some(announced) => announced > there,
    };
    if short {
        diagnostics.note(Quirk::IndexShort, Location::file("cbi").at(0))?;
    }
    let mut sound = !short;
    for game in 0..games {
        let offset = read_entry(cbi, game).map_err(&disk)?;
        let fits = match offset.map(u64::try_from) {
            Some(Ok(offset)) => record_end(cbf, offset, size).map_err(&disk)?.is_some(),
            _ => false,
        };
        if !fits {
            diagnostics.note(Quirk::IndexWrong, entry_location(game))?;
            sound = false;
            break;
        }
    }
    if sound
        && let Some(end) = read_entry(cbi, games).map_err(&disk)?
        && u64::try_from(end) != Ok(size)
    {
        diagnostics.note(Quirk::IndexEnd, entry_location(games))?;
    }
    Ok(Judgement { games, sound })
}
