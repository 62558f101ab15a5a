//! Locates the records of a database, by the index or by their own sizes.
//! cbf §1.2 "Without an index"

use chess_store::io::ReadAt;
use chess_store::{Diagnostics, Location};

use crate::error::Error;
use crate::index::{entry_offset, parse_count, read_entry};
use crate::layout::ENTRY_SIZE;
use crate::options::Records;
use crate::quirk::Quirk;
use crate::walk::{RecordScan, record_end};

/// The means of locating records.
#[derive(Debug)]
pub(crate) enum Finder {
    /// An index with this number of games.
    Index(u64),
    /// A scan of the .cbf.
    Scan(RecordScan),
}

/// Returns the location of a game's index entry.
pub(crate) fn entry_location(game: u64) -> Location {
    Location::file("cbi").at(entry_offset(game)).in_game(game)
}

/// Chooses between the index and a scan. cbf §1.2 "Without an index"
pub(crate) fn find_records<R: ReadAt>(
    cbf: &R,
    cbi: Option<&R>,
    wanted: Records,
    diagnostics: &mut Diagnostics,
) -> Result<Finder, Error> {
    let scan = || RecordScan::new(cbf).map_err(Error::io(Location::file("cbf")));
    if wanted == Records::Walk {
        return Ok(Finder::Scan(scan()?));
    }
    let Some(cbi) = cbi else {
        diagnostics.note(Quirk::IndexMissing, Location::file("cbi"))?;
        return Ok(Finder::Scan(scan()?));
    };
    let index = check_index(cbf, cbi, diagnostics)?;
    if index.sound {
        return Ok(Finder::Index(index.games));
    }
    // A partly wrong index is still better than a scan with gaps.
    let scan = scan()?;
    if scan.is_whole() || index.games == 0 {
        diagnostics.note(Quirk::IndexUnused, Location::file("cbi"))?;
        if !index.short && scan.len() < index.games {
            diagnostics.note(Quirk::GamesLost, Location::file("cbf"))?;
        }
        return Ok(Finder::Scan(scan));
    }
    Ok(Finder::Index(index.games))
}

/// The result of checking an index.
struct IndexCheck {
    /// Number of entries present, at most the announced number.
    games: u64,
    /// Whether it announces another number of games than it has entries for.
    short: bool,
    sound: bool,
}

fn check_index<R: ReadAt>(
    cbf: &R,
    cbi: &R,
    diagnostics: &mut Diagnostics,
) -> Result<IndexCheck, Error> {
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
    Ok(IndexCheck { games, short, sound })
}
