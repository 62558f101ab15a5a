//! Writes and converts bases.

use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ops::ControlFlow;
use std::path::PathBuf;

use scoresheet::{Converter, Losses, Outcome, Progress as Reached, Watch};

use crate::base::Base;
use crate::ffi::CText;
use crate::filter::Filter;
use crate::game::Game;
use crate::options::{Options, Writing};
use crate::status::{Error, Failure, Status, ask, call, create, free, needed};
use crate::text::{Span, Text, Texts, given_path};
use crate::{Progress, Watcher};

/// The counts of a conversion.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The number of games in the sources.
    pub read: u64,
    /// The number of games written, complete or not.
    pub written: u64,
    /// The number of games that the filter did not select.
    pub passed_over: u64,
    /// The number of damaged games.
    pub damaged: u64,
    /// The number of games that the target format refused.
    pub refused: u64,
    /// The number of games written with losses.
    pub lossy: u64,
    /// The number of games written that the source marks as deleted.
    pub deleted: u64,
    /// Whether every selected game was read and written completely, with all facts of the base.
    pub is_complete: bool,
}

/// A base that is being written. It appears as a whole when it is finished, and not at all if it is freed
/// before.
pub struct Output {
    path: PathBuf,
    output: Option<scoresheet::Output>,
    converter: Converter,
    /// The counts of games that were written one by one.
    single: Summary,
    losses: Vec<(String, u64)>,
    texts: Texts,
    listed: Vec<(Span, u64)>,
}

impl Output {
    fn create(path: PathBuf, writing: Writing) -> Result<Output, Failure> {
        let format = match writing.format {
            Some(format) => format,
            None => scoresheet::format_for_output(&path)?,
        };
        if let Some(there) =
            scoresheet::existing_output(format, &path).filter(|_| !writing.overwrite)
        {
            let text = format!("{}: exists; the option overwrite=yes replaces it", there.display());
            return Err(Failure::new(Status::Exists, text).in_file(&there));
        }
        let output = scoresheet::create_as(&path, format, &writing.create(format))?;
        let converter = Converter::new()
            .strict(writing.strict)
            .drop_damaged(writing.drop_damaged)
            .changes(writing.changes);
        let converter = match writing.threads {
            Some(threads) => converter.threads(threads),
            None => converter,
        };
        Ok(Output {
            path,
            output: Some(output),
            converter,
            single: Summary::default(),
            losses: Vec::new(),
            texts: Texts::default(),
            listed: Vec::new(),
        })
    }

    fn open(&mut self) -> Result<&mut scoresheet::Output, Failure> {
        self.output.as_mut().ok_or_else(|| Failure::argument("the output is finished"))
    }

    fn add(
        &mut self,
        base: &Base,
        filter: Option<&Filter>,
        watcher: Watcher,
    ) -> Result<(), Failure> {
        let criteria = Filter::criteria(filter)?;
        let format = self.open()?.format();
        if scoresheet::is_same_base(format, base.path(), &self.path) {
            let text = format!("{}: is the base that is read", self.path.display());
            return Err(Failure::argument(text).in_file(&self.path));
        }
        let mut games = base.in_order()?;
        let Output { path, output, converter, .. } = self;
        let Some(output) = output else { return Ok(()) };
        converter.set_filter(criteria);
        let mut watch = Watching { watcher, stopped: false };
        let done = converter.run(&mut games, output, &mut watch);
        if watch.stopped {
            return Err(Failure::cancelled());
        }
        done.map_err(|error| Failure::conversion(&error, base.path(), path))
    }

    fn write(&mut self, game: &Game) -> Result<(), Failure> {
        let mut losses = Losses::new();
        let written = self.open()?.write(&game.inner, &mut losses);
        let single = &mut self.single;
        single.read = single.read.saturating_add(1);
        if let Err(error) = written {
            single.refused = single.refused.saturating_add(1);
            return Err(Failure::written(&self.path, &error));
        }
        single.written = single.written.saturating_add(1);
        single.lossy = single.lossy.saturating_add(u64::from(!losses.is_empty()));
        let is_deleted = game.inner.header.deleted;
        single.deleted = single.deleted.saturating_add(u64::from(is_deleted));
        self.count(&losses);
        Ok(())
    }

    fn count(&mut self, losses: &Losses) {
        for (kind, more) in losses.counts() {
            add(&mut self.losses, kind.name(), more);
        }
    }

    fn summary(&self) -> Summary {
        let (all, single) = (self.converter.summary(), &self.single);
        Summary {
            read: all.read.saturating_add(single.read),
            written: all.written.saturating_add(single.written),
            passed_over: all.passed_over,
            damaged: all.damaged,
            refused: all.refused.saturating_add(single.refused),
            lossy: all.lossy.saturating_add(single.lossy),
            deleted: all.deleted.saturating_add(single.deleted),
            is_complete: all.is_complete() && single.refused == 0 && single.lossy == 0,
        }
    }

    /// Lists all kinds of losses.
    fn list(&mut self) {
        let summary = self.converter.summary();
        let mut all = self.losses.clone();
        let of_games = summary.losses.iter().map(|(kind, count)| (kind.name(), *count));
        let of_base = summary.base_losses.counts().map(|(kind, count)| (kind.name(), count));
        for (name, count) in of_games.chain(of_base) {
            add(&mut all, name, count);
        }
        self.texts.clear();
        let texts = &mut self.texts;
        self.listed = all.iter().map(|(name, count)| (texts.add(name), *count)).collect();
    }
}

/// Passes progress on to the caller.
/// Adds to the number of losses of a kind.
fn add(losses: &mut Vec<(String, u64)>, name: &str, more: u64) {
    match losses.iter_mut().find(|(known, _)| *known == name) {
        Some((_, count)) => *count = count.saturating_add(more),
        None => losses.push((name.to_owned(), more)),
    }
}

struct Watching {
    watcher: Watcher,
    stopped: bool,
}

impl Watch for Watching {
    fn outcome(&mut self, _: &Outcome<'_>) -> ControlFlow<()> {
        if self.stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn progress(&mut self, progress: Reached) {
        self.stopped |= self.watcher.reached(progress).is_break();
    }
}

/// Creates a base. The format follows from the extension of `path`, or from the option `format`. `options` may be
/// NULL. `*output` is NULL after a failure. Free it with `scoresheet_output_free`.
///
/// `SCORESHEET_STATUS_EXISTS`: there is such a base, and the option `overwrite` is not `yes`.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_output_create(
    path: CText<'_>,
    options: Option<&Options>,
    output: Option<&mut MaybeUninit<*mut Output>>,
    error: Option<&mut MaybeUninit<*mut Error>>,
) -> Status {
    create(output, "output", error, || {
        Output::create(given_path(path, "path")?, Writing::new(options)?)
    })
}

/// Copies the games of `base` that `filter` selects. `filter` and `progress` may be NULL. Several bases may
/// follow each other.
///
/// After `SCORESHEET_STATUS_CANCELLED` the output holds the games that its summary counts. It can be finished or
/// freed, which removes them. After other failures it should be freed.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_output_add(
    output: Option<&mut Output>,
    base: Option<&Base>,
    filter: Option<&Filter>,
    progress: Progress,
    context: *mut c_void,
    error: Option<&mut MaybeUninit<*mut Error>>,
) -> Status {
    call(error, || {
        let output = needed(output, "output")?;
        let base = needed(base, "base")?;
        output.add(base, filter, Watcher::new(progress, context))
    })
}

/// Writes one game.
///
/// `SCORESHEET_STATUS_REFUSED`: the format cannot hold the game; others can follow.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_output_write(
    output: Option<&mut Output>,
    game: Option<&Game>,
    error: Option<&mut MaybeUninit<*mut Error>>,
) -> Status {
    call(error, || needed(output, "output")?.write(needed(game, "game")?))
}

/// Completes the base, which now appears under its name. The output must still be freed. `summary` may be NULL.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_output_finish(
    output: Option<&mut Output>,
    summary: Option<&mut MaybeUninit<Summary>>,
    error: Option<&mut MaybeUninit<*mut Error>>,
) -> Status {
    call(error, || {
        let output = needed(output, "output")?;
        if let Some(summary) = summary {
            summary.write(output.summary());
        }
        output.open()?;
        output.output.take().map_or(Ok(()), scoresheet::Output::finish)?;
        Ok(())
    })
}

/// Returns the counts so far.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_output_summary(output: Option<&Output>) -> Summary {
    ask(Summary::default(), || Some(output?.summary()))
}

/// Lists what the target could not hold, by kind, and returns the number of kinds.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_output_loss_count(output: Option<&mut Output>) -> usize {
    ask(0, || {
        let output = output?;
        output.list();
        Some(output.listed.len())
    })
}

/// Returns a kind of loss, such as `rating`, and how often it occurred. `index` counts from zero, in the list that
/// `scoresheet_output_loss_count` made last. The name is valid until the list is made again.
///
/// `SCORESHEET_STATUS_OUT_OF_RANGE`: there is no such kind.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_output_loss_at(
    output: Option<&Output>,
    index: usize,
    name: Option<&mut MaybeUninit<Text>>,
    count: Option<&mut MaybeUninit<u64>>,
) -> Status {
    let (Some(output), Some(name_out), Some(count_out)) = (output, name, count) else {
        return Status::BadArgument;
    };
    ask(Status::OutOfRange, || {
        let (name, count) = output.listed.get(index)?;
        name_out.write(output.texts.view(*name));
        count_out.write(*count);
        Some(Status::Ok)
    })
}

/// Frees an output. If it is not finished, all that was written is removed. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn scoresheet_output_free(output: Option<Box<Output>>) {
    free(output);
}

/// Converts a base: creates an output, adds `base` and finishes. After a failure, a cancellation included,
/// nothing was written, and a base that existed is as before. `options`, `filter`, `progress` and `summary` may be
/// NULL.
#[unsafe(no_mangle)]
#[allow(clippy::too_many_arguments, reason = "C has no keywords")]
pub extern "C" fn scoresheet_convert(
    base: Option<&Base>,
    path: CText<'_>,
    options: Option<&Options>,
    filter: Option<&Filter>,
    progress: Progress,
    context: *mut c_void,
    summary: Option<&mut MaybeUninit<Summary>>,
    error: Option<&mut MaybeUninit<*mut Error>>,
) -> Status {
    call(error, || {
        let base = needed(base, "base")?;
        let path = given_path(path, "path")?;
        let mut output = Output::create(path, Writing::new(options)?)?;
        output.add(base, filter, Watcher::new(progress, context))?;
        if let Some(summary) = summary {
            summary.write(output.summary());
        }
        output.output.take().map_or(Ok(()), scoresheet::Output::finish)?;
        Ok(())
    })
}
