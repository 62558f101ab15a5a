//! `scoresheet convert --merge-games`

use std::path::{Path, PathBuf};

use commands::{Convert, MergeBy};
use pages::numbers::{counted, games};
use scoresheet::changes::Changes;
use scoresheet::changes::merge::{MergeOptions, Merger};
use scoresheet::chess_core::Token;
use scoresheet::chess_store::Losses;
use scoresheet::{Filter, describe};

use crate::exit::{Done, Failure, Verbosity, say};
use crate::inputs;
use crate::output::Stdout;
use crate::overwrite::Plan;
use crate::select;

/// Writes the selected games as one game.
pub(super) fn run(
    arguments: &Convert,
    by: MergeBy,
    inputs: &[PathBuf],
    output: &Path,
    verbosity: Verbosity,
) -> Result<Done, Failure> {
    let merging = &arguments.merging;
    let filter = arguments.selection.filter()?;
    let changes = arguments.changing.changes(&filter)?;
    if changes.at.is_some() || changes.split_variations {
        let message = "--merge-games goes without --at and --split-variations";
        return Err(Failure::Usage(message.to_owned()));
    }
    let writing = &arguments.writing;
    let format = writing.to.map_or_else(|| scoresheet::format_for_output(output), Ok)?;
    let (report, force) = (writing.report.as_deref(), writing.force);
    Plan { inputs, output, format, report, force, is_folder: false, adds: false }.check()?;
    let mut options = MergeOptions::default();
    options.by_positions = by == MergeBy::Positions;
    options.counts = merging.counts;
    options.min_games = merging.min_games;
    options.min_score = merging.min_score;
    let mut merger = Merger::new(options);
    let (mut done, merged) = read(arguments, inputs, &filter, &changes, &mut merger, verbosity)?;
    let mut game = merger.finish().map_err(|error| Failure::Failed(error.to_string()))?;
    game.header.event = format!("{} merged", games(merged));
    let options = writing.options(format);
    let mut base = if inputs::is_stdio(output) {
        let pipe = Box::new(Stdout);
        scoresheet::create_stream(pipe, inputs::output_name(output), format, &options)?
    } else {
        scoresheet::create_as(output, format, &options)?
    };
    let mut losses = Losses::new();
    let written = base.write(&game, &mut losses);
    written.map_err(|error| Failure::Failed(describe(output, &error).to_string()))?;
    base.finish()?;
    for loss in losses.iter() {
        verbosity.say(format_args!("lost: {loss}"));
    }
    done.losses |= !losses.is_empty();
    let moves = counted(
        game.tokens().filter(|token| matches!(token, Token::Move(_))).count() as u64,
        "move",
        "moves",
    );
    verbosity.say(format_args!("{}: {moves} of {}", output.display(), games(merged)));
    done.found_nothing = merged == 0;
    if done.found_nothing {
        let bases = (inputs, &arguments.reading);
        select::report_names(&arguments.selection, None, bases, 0, verbosity);
    }
    Ok(done)
}

/// Reads the games. Returns the outcome and the number of games that were merged.
fn read(
    arguments: &Convert,
    inputs: &[PathBuf],
    filter: &Filter,
    changes: &Changes,
    merger: &mut Merger,
    verbosity: Verbosity,
) -> Result<(Done, u64), Failure> {
    let (mut merged, mut apart) = (0u64, 0u64);
    let bases = (arguments.from, &arguments.reading);
    let mut done = select::each_selected(inputs, bases, filter, verbosity, |_, scanned| {
        let is_merged = if changes.is_empty() {
            merger.add(scanned.game)
        } else {
            let mut game = scanned.game.clone();
            changes.apply(&mut game);
            merger.add(&game)
        };
        *if is_merged { &mut merged } else { &mut apart } += 1;
        Ok(())
    })?;
    if apart > 0 {
        say(format_args!(
            "{} left out: of another variant, or with another start position than the first game",
            games(apart)
        ));
        done.refusals = true;
    }
    Ok((done, merged))
}
