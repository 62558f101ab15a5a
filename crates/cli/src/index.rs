//! `scoresheet index`

use std::fs;
use std::path::Path;
use std::sync::Mutex;

use commands::Index;
use commands::selection::unread;
use pages::numbers::games;
use scoresheet::spelling::Spelling;
use scoresheet::{build_position_index, open_position_index};

use crate::exit::{Done, Failure, Verbosity};
use crate::progress::Bar;
use crate::{inputs, interrupt};

pub(crate) fn run(arguments: &Index, verbosity: Verbosity) -> Result<Done, Failure> {
    let options = arguments.reading.options();
    interrupt::watch();
    let wrote = |path: &Path| {
        let megabytes = fs::metadata(path).map_or(0.0, |found| found.len() as f64 / 1e6);
        verbosity.say(format_args!("wrote {}, {megabytes:.1} MB", path.display()));
    };
    for file in &inputs::expand(&arguments.files)? {
        if Spelling::is_list(file) {
            match Spelling::prepare(file).map_err(|error| unread(file, &error))? {
                Some(path) => wrote(&path),
                None => verbosity
                    .say(format_args!("{}: the prepared list is up to date", file.display())),
            }
            continue;
        }
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
        wrote(&built?);
    }
    Ok(Done::WELL)
}
