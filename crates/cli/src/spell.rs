//! `convert --spell --dry-run`, and the list of corrected names.

use std::collections::HashMap;

use commands::Convert;
use pages::numbers::{games, grouped};
use scoresheet::Scanner;
use scoresheet::spelling::{Corrected, Speller};

use crate::exit::{Done, Failure, Verbosity};
use crate::inputs::{self, with_from};

/// The most names that are listed if not all are asked for.
const TOLD: usize = 10;

/// Names that were corrected, with the number of times.
#[derive(Default)]
pub(crate) struct Corrections(HashMap<(&'static str, String, String), u64>);

impl Corrections {
    pub(crate) fn count(&mut self, corrected: Corrected) {
        let kind = match corrected.tag {
            "White" | "Black" => "player",
            "Event" => "event",
            "Site" => "site",
            _ => "round",
        };
        let times = self.0.entry((kind, corrected.old, corrected.new)).or_default();
        *times += 1;
    }

    /// `player: Kortchnoi,V becomes Korchnoi, Viktor (12)`, the most frequent first.
    pub(crate) fn lines(&self, all: bool) -> Vec<String> {
        let mut sorted: Vec<_> = self.0.iter().collect();
        sorted.sort_by(|one, other| other.1.cmp(one.1).then_with(|| one.0.cmp(other.0)));
        let reported = if all { sorted.len() } else { TOLD };
        let line = |((kind, old, new), times): &(&(&str, String, String), &u64)| {
            format!("{kind}: {old} becomes {new} ({})", grouped(**times))
        };
        let mut lines: Vec<String> = sorted.iter().take(reported).map(line).collect();
        let more = sorted.len().saturating_sub(reported);
        if more > 0 {
            lines.push(format!("and {} more names; --verbose lists all", grouped(more as u64)));
        }
        lines
    }
}

/// Lists the names that `convert --spell` would correct.
pub(crate) fn preview(arguments: &Convert, verbosity: Verbosity) -> Result<Done, Failure> {
    let filter = arguments.selection.filter()?;
    let changes = arguments.changing.changes(&filter)?;
    let Some(spelling) = changes.spelling else { return Ok(Done::WELL) };
    let mut speller = Speller::new(spelling);
    let (mut corrections, mut read, mut changed) = (Corrections::default(), 0u64, 0u64);
    let mut done = Done::WELL;
    for path in inputs::expand(arguments.files.inputs())? {
        let mut base = inputs::open(&path, arguments.from, &arguments.reading.options())
            .map_err(|error| Failure::Failed(with_from(&error)))?;
        inputs::accept(&base, arguments.writing.strict, verbosity)?;
        let scanner = Scanner::new().filter(filter.clone());
        let seen = scanner.for_each(&mut base, |scanned| {
            let mut header = scanned.game.header.clone();
            let mut is_changed = false;
            speller.correct(&mut header, |corrected| {
                is_changed = true;
                corrections.count(corrected);
            });
            changed += u64::from(is_changed);
            done.damage |= scanned.damage.is_some();
        })?;
        read += seen;
    }
    for line in corrections.lines(true) {
        verbosity.say(line);
    }
    verbosity.say(format_args!(
        "dry run, nothing is written: names change in {} of {}",
        grouped(changed),
        games(read)
    ));
    done.found_nothing = changed == 0;
    Ok(done)
}
