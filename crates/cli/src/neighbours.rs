//! The note about names that resemble a name which finds no game, or few.

use std::path::{Path, PathBuf};

use pages::numbers::{games, grouped};
use scoresheet::filter::{Identity, Neighbours};
use scoresheet::{OpenOptions, player_names};

use crate::exit::Verbosity;
use crate::inputs;

/// The most games of a name that may be meant otherwise.
pub(crate) const MAX_FEW: u64 = 5;
/// A similar name is shown beside a name with games if it has this many times as many.
const TIMES_MORE: u64 = 20;
/// The most similar names that are shown.
const SHOWN: usize = 5;

/// Reads the names of the bases, and reports those that resemble a name which has no games or few. Returns
/// whether each name without games has one. `None` if the names cannot be read, or only slowly although
/// games were found.
pub(crate) fn report(
    mut asked: Vec<(&str, Neighbours)>,
    files: &[PathBuf],
    options: &OpenOptions,
    found: u64,
    verbosity: Verbosity,
) -> Option<bool> {
    for file in inputs::expand(files).ok()? {
        read(&mut asked, &file, options, found)?;
    }
    let mut all_have = true;
    for (name, search) in asked {
        let own = search.games();
        let mut nearest = search.nearest();
        nearest.retain(|near| own == 0 || own <= MAX_FEW && near.games >= TIMES_MORE * own);
        if nearest.is_empty() {
            all_have &= own > 0;
            continue;
        }
        let text = |near: &Identity| {
            let name = near.names.first().map_or("", |(name, _)| name);
            format!("{name} {}", grouped(near.games))
        };
        let shown: Vec<String> = nearest.iter().take(SHOWN).map(text).collect();
        verbosity.say(format_args!("note: {name}: {}; {}", games(own), shown.join("; ")));
    }
    Some(all_have)
}

fn read(
    asked: &mut [(&str, Neighbours)],
    file: &Path,
    options: &OpenOptions,
    found: u64,
) -> Option<()> {
    // A pipe is read once.
    if inputs::is_stdio(file) || scoresheet::is_pipe(file) {
        return None;
    }
    let mut base = inputs::open(file, None, options).ok()?;
    if found > 0 && base.database().is_none() {
        return None;
    }
    let add = |name: &str, games| asked.iter_mut().for_each(|(_, search)| search.add(name, games));
    player_names(&mut base, add).ok()
}
