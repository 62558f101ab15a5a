//! `scoresheet index`

use std::fs;
use std::sync::Mutex;

use commands::Index;
use pages::numbers::games;
use scoresheet::{build_position_index, open_position_index};

use crate::exit::{Done, Failure, Verbosity};
use crate::progress::Bar;
use crate::{inputs, interrupt};

pub(crate) fn run(arguments: &Index, verbosity: Verbosity) -> Result<Done, Failure> {
    let options = arguments.reading.options();
    interrupt::watch();
    for file in &inputs::expand(&arguments.files)? {
        // A damaged index is built anew.
        if let Ok(Some(index)) = open_position_index(file, &options) {
            let count = games(index.len());
            verbosity.say(format_args!("{}: the index of {count} is up to date", file.display()));
            continue;
        }
        let bar = Mutex::new(Bar::new(verbosity));
        let built = build_position_index(file, &options, &|progress| {
            // Another thread has just shown its progress.
            if let Ok(mut bar) = bar.try_lock() {
                bar.set(progress);
            }
            !interrupt::is_asked()
        });
        drop(bar);
        if interrupt::is_asked() {
            return Err(Failure::Stopped);
        }
        let path = built?;
        let megabytes = fs::metadata(&path).map_or(0.0, |found| found.len() as f64 / 1e6);
        verbosity.say(format_args!("wrote {}, {megabytes:.1} MB", path.display()));
    }
    Ok(Done::WELL)
}
