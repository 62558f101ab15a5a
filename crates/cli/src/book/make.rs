//! `scoresheet book make`

use std::path::Path;

use commands::{BookMake, Side};
use pages::numbers::{counted, games};
use scoresheet::books::polyglot::{MakeOptions, Maker, Weights};
use scoresheet::chess_core::Color;

use super::convert::weights;
use super::{Output, failure, may_write};
use crate::exit::{Done, Failure, Verbosity};
use crate::{inputs, select};

pub(super) fn run(arguments: &BookMake, verbosity: Verbosity) -> Result<Done, Failure> {
    let Some((output, named)) = arguments.files.split_last() else {
        return Err(Failure::Usage("name a base and the output".into()));
    };
    let files = inputs::expand(named)?;
    let paths: Vec<&Path> = files.iter().map(AsRef::as_ref).collect();
    may_write(output, &["bin"], arguments.force, &paths)?;
    let filter = arguments.selection.filter()?;
    let mut maker = Maker::new(options(arguments));
    let (mut counted_games, mut selected) = (0u64, 0u64);
    let bases = (None, &arguments.reading);
    let mut done = select::each_selected(&files, bases, &filter, verbosity, |_, scanned| {
        selected += 1;
        let counts = maker.add(scanned.game).map_err(|error| failure(output, error))?;
        counted_games += u64::from(counts);
        Ok(())
    })?;
    let (target, file) = Output::create(output)?;
    let file = maker.finish(file).map_err(|error| failure(output, error))?;
    let size = file.metadata().map_err(|error| Failure::disk(output, &error))?.len();
    target.commit()?;
    let moves = counted(size / 16, "move", "moves");
    verbosity.say(format_args!("{}: {moves} of {}", output.display(), games(counted_games)));
    let uncounted = selected.saturating_sub(counted_games);
    if uncounted > 0 {
        verbosity.say(format_args!(
            "{} without a result, or of another variant, left out",
            games(uncounted)
        ));
    }
    done.found_nothing = counted_games == 0;
    if done.found_nothing {
        let bases = (named, &arguments.reading);
        select::report_names(&arguments.selection, None, bases, 0, verbosity);
    }
    Ok(done)
}

fn options(arguments: &BookMake) -> MakeOptions {
    let only = match (arguments.only, arguments.only_white, arguments.only_black) {
        (Some(side), ..) => Some(side.color()),
        (_, true, _) => Some(Side::White.color()),
        (_, _, true) => Some(Color::Black),
        _ => None,
    };
    let mut options = MakeOptions::default();
    options.max_ply = arguments.max_ply;
    options.min_game = arguments.min_games;
    options.min_score = arguments.min_score;
    options.only = only;
    options.weights = if arguments.uniform { Weights::Uniform } else { weights(arguments.weights) };
    options.unfinished = arguments.unfinished;
    options.like_polyglot = arguments.like_polyglot;
    options
}
