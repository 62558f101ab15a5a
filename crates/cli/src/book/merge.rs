//! `scoresheet book merge`

use std::path::Path;

use commands::{BookMerge, MergingBy};
use scoresheet::books::polyglot::{Merging, merge};

use super::{Output, failure, may_write, open_polyglot};
use crate::exit::{Done, Failure, Verbosity};

pub(super) fn run(arguments: &BookMerge, verbosity: Verbosity) -> Result<Done, Failure> {
    let Some((output, inputs)) = arguments.books.split_last() else {
        return Err(Failure::Usage("name two books and the output".into()));
    };
    let paths: Vec<&Path> = inputs.iter().map(AsRef::as_ref).collect();
    may_write(output, &["bin"], arguments.force, &paths)?;
    let books: Vec<_> = inputs.iter().map(|path| open_polyglot(path)).collect::<Result<_, _>>()?;
    let merging = match arguments.by {
        MergingBy::Add => Merging::Add,
        MergingBy::First => Merging::First,
        MergingBy::Greatest => Merging::Greatest,
    };
    let (target, file) = Output::create(output)?;
    merge(&books, merging, file).map_err(|error| failure(output, error))?;
    target.commit()?;
    verbosity.say(format_args!("{}: {} books merged", output.display(), books.len()));
    Ok(Done::WELL)
}
