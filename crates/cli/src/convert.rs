//! `scoresheet convert`

use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use scoresheet::{
    Base, ConvertError, Converter, CreateOptions, Format, Outcome, Summary, Watch, Writer, describe,
};

use crate::args::Convert;
use crate::exit::{Done, Failure, say};
use crate::output::Pipe;
use crate::progress::Metered;

pub(crate) fn run(arguments: &Convert) -> Result<Done, Failure> {
    let output = &arguments.output;
    let to_stdout = output.as_os_str() == "-";
    let mut base = open(arguments)?;
    let format = output_format(arguments, to_stdout)?;
    if !to_stdout && !arguments.force && output.exists() {
        let message = format!("{}: exists; --force replaces it", output.display());
        return Err(Failure::Failed(message));
    }
    let pipe = Pipe::default();
    let options = CreateOptions::default();
    let mut writer = if to_stdout {
        scoresheet::create_stream(pipe.sink(), "standard output", format, &options)?
    } else {
        scoresheet::create_as(output, format, &options)?
    };
    let mut converter = if arguments.strict { Converter::strict() } else { Converter::lenient() };
    let done = copy(&mut base, &mut *writer, &mut converter);
    if pipe.is_broken() {
        return Err(Failure::BrokenPipe);
    }
    done.map_err(|error| Failure::Failed(located(&error, base.path(), output)))?;
    let finished = writer.finish();
    if pipe.is_broken() {
        return Err(Failure::BrokenPipe);
    }
    finished.map_err(|error| Failure::Failed(describe(output, &error).to_string()))?;
    Ok(report(converter.summary()))
}

fn open(arguments: &Convert) -> Result<Base, Failure> {
    let (input, options) = (&arguments.input, arguments.reading.options());
    Ok(if input.as_os_str() == "-" {
        scoresheet::open_stream(Box::new(io::stdin()), "standard input", arguments.from, &options)?
    } else if let Some(format) = arguments.from {
        scoresheet::open_as(input, format, &options)?
    } else {
        scoresheet::open_with(input, &options)?
    })
}

fn output_format(arguments: &Convert, to_stdout: bool) -> Result<&'static Format, Failure> {
    match arguments.to {
        Some(format) => Ok(format),
        None if to_stdout => scoresheet::format_named("pgn")
            .ok_or_else(|| Failure::Usage("standard output needs --to".to_owned())),
        None => Ok(scoresheet::format_for_output(&arguments.output)?),
    }
}

fn copy(
    base: &mut Base,
    writer: &mut dyn Writer,
    converter: &mut Converter,
) -> Result<(), ConvertError> {
    let path = base.path().to_path_buf();
    converter.run(&mut Metered::new(base.reader()), writer, &mut Teller { path: &path })
}

/// Tells of damage and refusals.
struct Teller<'a> {
    path: &'a Path,
}

impl Watch for Teller<'_> {
    fn outcome(&mut self, _number: u64, outcome: &Outcome<'_>) -> ControlFlow<()> {
        for error in outcome.damage.into_iter().chain(outcome.refusal) {
            say(describe(self.path, error));
        }
        ControlFlow::Continue(())
    }
}

fn located(error: &ConvertError, input: &Path, output: &Path) -> String {
    match error {
        ConvertError::Read(error) => describe(input, error).to_string(),
        ConvertError::Write(error) => describe(output, error).to_string(),
        other => format!("{}: {other}", input.display()),
    }
}

fn report(summary: &Summary) -> Done {
    say(summary);
    for (kind, count) in &summary.losses {
        say(format_args!("  lost: {kind} {count}"));
    }
    if summary.is_complete() { Done::Well } else { Done::WithLosses }
}
