//! `convert --sort` and `--split`: games in another order, or in several bases.

use std::collections::HashSet;
use std::fmt;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use commands::Split;
use pages::numbers::games;
use scoresheet::arrange::{Arrangement, Arranger};
use scoresheet::columns::SortKey;
use scoresheet::{Base, Format, describe, describe_warning};

use super::{Counted, Job, located};
use crate::exit::{Done, Failure, say};
use crate::inputs::{self, is_packed, is_stdio, with_from};
use crate::interrupt;
use crate::output::Pipe;
use crate::progress::Bar;
use crate::report::{Follower, Report, Reported, sum_up};

/// Limit for the number of outputs. More are likely a mistake.
const MAX_OUTPUTS: u64 = 10_000;

/// A conversion that reads all games before it writes the first.
pub(super) struct Arranged<'a> {
    pub(super) job: Job<'a>,
    pub(super) sort: &'a [SortKey],
    pub(super) split: Option<&'a Split>,
}

impl Arranged<'_> {
    pub(super) fn run(mut self, inputs: &[PathBuf]) -> Result<Done, Failure> {
        let format = self.job.format()?;
        if self.split.is_none() {
            self.job.plan(inputs, self.job.output, format).check()?;
        } else if is_stdio(self.job.output) || scoresheet::is_stream(self.job.output) {
            return Err(Failure::Usage("--split needs a file to name the outputs by".to_owned()));
        }
        self.job.tune();
        let mut report = self.job.writing.report.as_deref().map(Report::create).transpose()?;
        let mut reported =
            Reported::new(self.job.verbosity).with_hint(format, self.job.writing.to_encoding);
        let (all, read) = self.gather(inputs, report.as_mut(), &mut reported)?;
        self.job.report_choice(read);
        if inputs.len() as u64 == self.job.failed {
            return Err(Failure::Failed("none of the inputs can be read".to_owned()));
        }
        if all.is_empty() && (!self.job.filters.are_open() || self.split.is_some()) {
            reported.rest().for_each(|line| self.job.verbosity.say(line));
            self.job
                .verbosity
                .say(format_args!("0 of {} chosen; nothing was written", games(read)));
            return Ok(Done { refusals: self.job.failed > 0, ..Done::found_if(false) });
        }
        let outputs = self.outputs(&all)?;
        for (path, _) in outputs.iter().filter(|_| self.split.is_some()) {
            self.job.plan(inputs, path, format).check()?;
        }
        let mut written = 0usize;
        let mut files = HashSet::new();
        for (path, games) in &outputs {
            if self.job.left == Some(0) {
                break;
            }
            let done = check_new(path, &files).and_then(|()| {
                self.write(&all, path, games.clone(), format, report.as_mut(), &mut reported)
            });
            done.map_err(|failure| self.told_of(outputs.get(..written), failure))?;
            written += 1;
            files.extend(fs::canonicalize(path));
        }
        report.map_or(Ok(()), Report::finish)?;
        reported.rest().for_each(|line| self.job.verbosity.say(line));
        self.sum_up(format, &all, read, written)
    }

    /// Reports the bases that were written before a failure. They stay.
    fn told_of(&self, written: Option<&[(PathBuf, Range<u64>)]>, failure: Failure) -> Failure {
        match written.unwrap_or_default() {
            [] => return failure,
            [(only, _)] => {
                self.job.verbosity.say(format_args!("{} was written before", only.display()));
            }
            [(first, _), others @ .., (last, _)] => self.job.verbosity.say(format_args!(
                "{} bases, {} to {}, were written before",
                others.len().saturating_add(2),
                first.display(),
                last.display()
            )),
        }
        match failure {
            Failure::Interrupted => Failure::Stopped,
            other => other,
        }
    }

    /// Reads all games.
    fn gather(
        &mut self,
        inputs: &[PathBuf],
        mut report: Option<&mut Report>,
        reported: &mut Reported,
    ) -> Result<(Arrangement, u64), Failure> {
        let found = match self.job.compares() {
            true => Some(self.job.sources(inputs).find()?),
            false => None,
        };
        let mut arranger = Arranger::new(self.sort.to_vec());
        if let Some(threads) = self.job.writing.threads {
            arranger = arranger.threads(usize::from(threads));
        }
        if let Some(Split::By(column)) = self.split {
            arranger = arranger.divided_by(column.clone());
        }
        let mut read = 0u64;
        for (number, path) in inputs.iter().enumerate() {
            let mut filter = self.job.filters.of_input(number).clone();
            if let Some(found) = &found {
                filter.without = found.of_input(number);
            }
            arranger.set_filter(filter);
            let base = match inputs::open(path, self.job.from, &self.job.options) {
                Ok(base) => base,
                Err(error) if self.job.writing.strict || inputs.len() == 1 => {
                    return Err(Failure::Failed(with_from(&error)));
                }
                Err(error) => {
                    say(format_args!("scoresheet: {}", with_from(&error)));
                    self.job.failed += 1;
                    continue;
                }
            };
            inputs::accept(&base, self.job.writing.strict, self.job.verbosity)?;
            self.job.damaged |= base.is_damaged();
            let games = self.add(base, &mut arranger, report.as_deref_mut(), reported)?;
            read += games;
        }
        Ok((arranger.finish(), read))
    }

    /// Reads the games of a base. Returns their number, selected or not.
    fn add(
        &mut self,
        base: Base,
        arranger: &mut Arranger,
        report: Option<&mut Report>,
        reported: &mut Reported,
    ) -> Result<u64, Failure> {
        let path = base.path().to_path_buf();
        let strict = self.job.writing.strict;
        let mut follower = Follower {
            base: &path,
            output: self.job.output,
            verbosity: self.job.verbosity,
            bar: Bar::new(self.job.verbosity),
            report,
            reported,
            left: None,
            arranged: None,
        };
        let (games, progress) = arranger.add(base, |scanned| {
            if interrupt::is_asked() {
                return Err(Failure::Interrupted);
            }
            let failed = |what: &dyn fmt::Display| Err(Failure::Failed(what.to_string()));
            match (scanned.warnings.first(), scanned.damage) {
                (_, Some(error)) if strict => return failed(&describe(&path, error)),
                (Some(warning), _) if strict => return failed(&describe_warning(&path, warning)),
                (_, damage) => {
                    let warnings = (scanned.warnings, scanned.unlisted);
                    follower.read(scanned.number, warnings, damage);
                }
            }
            follower.bar.set(scanned.progress);
            Ok(())
        })?;
        self.job.barren |= games == 0 || !inputs::held_games(&path, games, progress);
        Ok(games)
    }

    /// Returns the outputs with their games.
    fn outputs(&self, all: &Arrangement) -> Result<Vec<(PathBuf, Range<u64>)>, Failure> {
        let output = self.job.output;
        let outputs: Vec<_> = match self.split {
            None => vec![(output.to_path_buf(), 0..all.len())],
            Some(Split::Count(count)) => {
                let number = all.len().div_ceil(*count).min(MAX_OUTPUTS.saturating_add(1));
                let width = number.to_string().len().max(3);
                let of = |part: u64| {
                    let first = part.saturating_mul(*count);
                    let name = format!("{:0width$}", part + 1);
                    (named(output, &name), first..first.saturating_add(*count).min(all.len()))
                };
                (0..number).map(of).collect()
            }
            Some(Split::By(_)) => {
                let mut taken = HashSet::new();
                let of = |(value, games): &(String, Range<u64>)| {
                    (named(output, &free_name(value, &mut taken)), games.clone())
                };
                all.groups().iter().map(of).collect()
            }
        };
        if outputs.len() as u64 > MAX_OUTPUTS {
            let message = format!("--split would write more than {MAX_OUTPUTS} bases");
            return Err(Failure::Usage(message));
        }
        Ok(outputs)
    }

    fn write(
        &mut self,
        all: &Arrangement,
        path: &Path,
        games: Range<u64>,
        format: &'static Format,
        report: Option<&mut Report>,
        reported: &mut Reported,
    ) -> Result<(), Failure> {
        let mut base = all.base(games.clone());
        let pipe = Pipe::default();
        let mut output = self.job.create(path, format, Some(&base), &pipe)?;
        let source = base.path().to_path_buf();
        let mut follower = Follower {
            base: &source,
            output: inputs::output_name(path),
            verbosity: self.job.verbosity,
            bar: Bar::new(self.job.verbosity),
            report,
            reported,
            left: self.job.left.as_mut(),
            arranged: Some((all, games.start)),
        };
        let done = self.job.converter.run(&mut base, &mut output, &mut follower);
        drop(follower);
        if interrupt::is_asked() {
            return Err(Failure::Interrupted);
        }
        match done {
            Err(_) if pipe.is_broken() => return Err(Failure::BrokenPipe),
            Err(error) => return Err(Failure::Failed(located(&error, &source, path))),
            Ok(()) => {}
        }
        match output.finish() {
            Err(_) if pipe.is_broken() => Err(Failure::BrokenPipe),
            finished => Ok(finished?),
        }
    }

    fn sum_up(
        &self,
        format: &Format,
        all: &Arrangement,
        read: u64,
        outputs: usize,
    ) -> Result<Done, Failure> {
        let mut summary = self.job.converter.summary().clone();
        summary.read = read;
        summary.passed_over = read.saturating_sub(all.len());
        summary.base_losses.append(&mut all.unmerged().clone());
        sum_up(&summary, format, self.job.verbosity);
        if self.split.is_some() {
            let bases = if outputs == 1 { "base" } else { "bases" };
            self.job.verbosity.say(format_args!("{outputs} {bases} written"));
        }
        if self.job.failed > 0 {
            let inputs = if self.job.failed == 1 { "input" } else { "inputs" };
            self.job.verbosity.say(format_args!("{} {inputs} could not be read", self.job.failed));
        }
        Ok(Done {
            found_nothing: self.job.barren,
            losses: summary.lossy > 0,
            damage: self.job.damaged || summary.damaged > 0,
            refusals: self.job.failed > 0 || summary.refused > 0 || Counted::of(&summary).is_ruin(),
        })
    }
}

/// Returns an error if an output is the same file as one that was written before: by a link, or because
/// the file system takes two spellings of a letter for the same.
fn check_new(path: &Path, written: &HashSet<PathBuf>) -> Result<(), Failure> {
    match fs::canonicalize(path) {
        Ok(file) if written.contains(&file) => {
            let message = "is the same file as an output that was written before";
            Err(Failure::Failed(format!("{}: {message}", path.display())))
        }
        _ => Ok(()),
    }
}

/// Returns the name of an output: `games.pgn.gz` and `1972` give `games-1972.pgn.gz`.
fn named(output: &Path, what: &str) -> PathBuf {
    let name = output.file_name().unwrap_or_default().to_string_lossy();
    let mut stem = Path::new(&*name).with_extension("");
    if is_packed(output) {
        stem = stem.with_extension("");
    }
    let stem = stem.to_string_lossy().into_owned();
    let extension = name.get(stem.len()..).unwrap_or_default();
    output.with_file_name(format!("{stem}-{what}{extension}"))
}

/// The most bytes of a value in a file name. Systems allow 255 for the whole name.
const LONGEST: usize = 100;

/// Returns a value as part of a file name that no other output has, even where file names ignore
/// case.
fn free_name(value: &str, taken: &mut HashSet<String>) -> String {
    let safe = |letter: char| match letter {
        letter if letter.is_alphanumeric() || "-_.+,'& ()".contains(letter) => letter,
        _ => '_',
    };
    let mut name: String = value.chars().map(safe).collect();
    while name.len() > LONGEST {
        name.pop();
    }
    let name = name.trim_matches(['.', ' ', '_']);
    let name = if name.is_empty() { "unknown" } else { name };
    let numbered = |number: u32| match number {
        1 => name.to_owned(),
        number => format!("{name} {number}"),
    };
    let mut names = (1..).map(numbered);
    names.find(|name| taken.insert(name.to_lowercase())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_names_follow_their_contents() {
        let name = |output: &str, what| named(Path::new(output), what).display().to_string();
        assert_eq!(name("a/games.pgn", "001"), "a/games-001.pgn");
        assert_eq!(name("games.v2.pgn.zst", "1972"), "games.v2-1972.pgn.zst");
        let mut taken = HashSet::new();
        let mut free = |value| free_name(value, &mut taken);
        assert_eq!(free("Wijk aan Zee"), "Wijk aan Zee");
        assert_eq!(free("wijk aan zee"), "wijk aan zee 2");
        assert_eq!(free("../../etc/passwd"), "etc_passwd");
        assert_eq!(free("a\0b\nc/d"), "a_b_c_d");
        assert_eq!(free("????.??.??"), "unknown");
        assert_eq!(free(""), "unknown 2");
        assert!(free(&"ü".repeat(200)).len() <= LONGEST);
    }
}
