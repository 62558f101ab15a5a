//! `scoresheet convert` and `scoresheet repair`

use std::path::{Path, PathBuf};

use scoresheet::{Base, ConvertError, Converter, Format, OpenOptions, Output, describe};

use crate::args::{Convert, Repair, Writing};
use crate::exit::{Done, Failure, Verbosity, say};
use crate::inputs::{self, is_packed, is_stdio};
use crate::interrupt;
use crate::output::Pipe;
use crate::progress::Bar;
use crate::report::{Follower, Report, Told, sum_up};
use crate::spare::{Plan, resolve};

pub(crate) fn run(arguments: &Convert, verbosity: Verbosity) -> Result<Done, Failure> {
    let inputs = inputs::expand(&arguments.inputs)?;
    let converter = Converter::new().filter(arguments.selection.filter());
    let output = resolve(&arguments.output);
    let mut job = Job {
        output: &output,
        writing: &arguments.writing,
        options: arguments.reading.options(),
        from: arguments.from,
        verbosity,
        converter,
        failed: 0,
        barren: false,
    };
    job.run(inputs)
}

pub(crate) fn repair(arguments: &Repair, verbosity: Verbosity) -> Result<Done, Failure> {
    let options = arguments.reading.options();
    let base = inputs::open_one(&arguments.input, &options)?;
    let format = base.format();
    let same = arguments.writing.to.is_none()
        && format.create.is_none()
        && scoresheet::format_for_output(&arguments.output).is_ok_and(|to| to.name == format.name);
    if same {
        let message = format!("{} bases cannot be written; repair into a .pgn", format.title);
        return Err(Failure::Failed(message));
    }
    drop(base);
    let output = resolve(&arguments.output);
    let mut job = Job {
        output: &output,
        writing: &arguments.writing,
        options,
        from: None,
        verbosity,
        converter: Converter::new().drop_damaged(arguments.drop),
        failed: 0,
        barren: false,
    };
    job.run(vec![arguments.input.clone()])
}

/// Some bases into one.
struct Job<'a> {
    output: &'a Path,
    writing: &'a Writing,
    options: OpenOptions,
    from: Option<&'static Format>,
    verbosity: Verbosity,
    converter: Converter,
    /// Inputs that could not be read.
    failed: u64,
    /// An input had no game, and should have.
    barren: bool,
}

impl Job<'_> {
    fn run(&mut self, inputs: Vec<PathBuf>) -> Result<Done, Failure> {
        let format = self.format()?;
        let plan = Plan {
            inputs: &inputs,
            output: self.output,
            format,
            report: self.writing.report.as_deref(),
            force: self.writing.force,
        };
        plan.check()?;
        self.tune();
        // Nothing is created for an input that does not open.
        let alone = inputs.len() == 1;
        let mut first = None;
        if let ([only], true) = (inputs.as_slice(), alone) {
            first = Some(inputs::open(only, self.from, &self.options)?);
        }
        let mut report = self.writing.report.as_deref().map(Report::create).transpose()?;
        let pipe = Pipe::default();
        let mut output = self.create(format, first.as_ref(), &pipe)?;
        let more = "... and more; --verbose tells all, --report writes them to a file";
        let mut told = Told::new(self.verbosity, more);
        for path in &inputs {
            let opened = match first.take() {
                Some(base) => Ok(base),
                None => inputs::open(path, self.from, &self.options),
            };
            match opened {
                Ok(mut base) => {
                    self.copy(&mut base, &mut output, &pipe, report.as_mut(), &mut told)?;
                }
                Err(error) if self.writing.strict => return Err(error.into()),
                Err(error) => {
                    say(format_args!("scoresheet: {error}"));
                    self.failed = self.failed.saturating_add(1);
                }
            }
        }
        if inputs.len() as u64 == self.failed {
            return Err(Failure::Failed("none of the inputs can be read".to_owned()));
        }
        match output.finish() {
            Err(_) if pipe.is_broken() => return Err(Failure::BrokenPipe),
            finished => finished?,
        }
        report.map_or(Ok(()), Report::finish)?;
        sum_up(self.converter.summary(), self.verbosity);
        if self.failed > 0 {
            self.verbosity.say(format_args!("{} inputs could not be read", self.failed));
        }
        let complete = self.converter.summary().is_complete();
        Ok(Done::well_if(complete && self.failed == 0 && !self.barren))
    }

    fn format(&self) -> Result<&'static Format, Failure> {
        match self.writing.to {
            Some(format) => Ok(format),
            None if is_stdio(self.output) => scoresheet::format_named("pgn")
                .ok_or_else(|| Failure::Usage("standard output needs --to".to_owned())),
            None if self.output.is_dir() => {
                Err(Failure::Usage(format!("{}: is a folder", self.output.display())))
            }
            None if is_packed(self.output) => {
                let name = self.output.display();
                Err(Failure::Usage(format!("{name}: nothing is written compressed")))
            }
            None => scoresheet::format_for_output(self.output).map_err(|_| {
                let name = self.output.display();
                Failure::Usage(format!("{name}: no format has this extension; use --to"))
            }),
        }
    }

    fn tune(&mut self) {
        let converter = std::mem::take(&mut self.converter).strict(self.writing.strict);
        self.converter = match self.writing.threads {
            Some(threads) => converter.threads(usize::from(threads)),
            None => converter,
        };
    }

    /// A base that becomes another of its format keeps its encoding.
    fn create(
        &self,
        format: &'static Format,
        from: Option<&Base>,
        pipe: &Pipe,
    ) -> Result<Output, Failure> {
        let mut options = self.writing.options();
        let same = from.filter(|base| base.format().name == format.name);
        options.encoding = options.encoding.or_else(|| same.and_then(Base::encoding));
        if is_stdio(self.output) {
            let name = "standard output";
            return Ok(scoresheet::create_stream(pipe.sink(), name, format, &options)?);
        }
        interrupt::watch();
        let create = || scoresheet::create_as(self.output, format, &options);
        Ok(self.writing.waiting.until_free(create)?)
    }

    fn copy(
        &mut self,
        base: &mut Base,
        output: &mut Output,
        pipe: &Pipe,
        report: Option<&mut Report>,
        told: &mut Told,
    ) -> Result<(), Failure> {
        let path = base.path().to_path_buf();
        let mut follower = Follower {
            base: &path,
            output: self.output,
            verbosity: self.verbosity,
            bar: Bar::new(self.verbosity),
            report,
            told,
        };
        let before = self.converter.summary().read;
        let done = self.converter.run(base, output, &mut follower);
        drop(follower);
        if interrupt::is_asked() {
            return Err(Failure::Interrupted);
        }
        match done {
            Err(_) if pipe.is_broken() => return Err(Failure::BrokenPipe),
            Err(error) => return Err(Failure::Failed(located(&error, &path, self.output))),
            Ok(()) => {}
        }
        let games = self.converter.summary().read.saturating_sub(before);
        self.barren |= !inputs::holds_games(base, games);
        Ok(())
    }
}

fn located(error: &ConvertError, input: &Path, output: &Path) -> String {
    match error {
        ConvertError::Read(error) => describe(input, error).to_string(),
        ConvertError::Write(error) => describe(output, error).to_string(),
        other => format!("{}: {other}", input.display()),
    }
}
