//! `scoresheet convert` and `scoresheet repair`

mod arranged;
mod merging;

use std::fs;
use std::path::{Path, PathBuf};

#[cfg(feature = "tables")]
use commands::Tabling;
use commands::{Convert, Dedupe, Repair, Writing};
use pages::numbers::games as counted_games;
#[cfg(feature = "tables")]
use scoresheet::CreateOptions;
use scoresheet::changes::Strip;
use scoresheet::chess_store::Settings;
use scoresheet::chess_store::erased::Creator;
#[cfg(feature = "tables")]
use scoresheet::tables::Existing;
use scoresheet::{
    Base, ConvertError, Converter, Filter, Format, OpenOptions, OptionInfo, Output, PACKED_OUTPUTS,
    Summary, describe, describe_warning, detect,
};

use crate::exit::{Done, Failure, Verbosity, say};
use crate::inputs::{self, is_packed, is_packed_output, is_stdio, with_from};
use crate::interrupt;
use crate::output::Pipe;
use crate::overwrite::{Plan, resolve};
use crate::progress::Bar;
use crate::report::{Follower, Report, Reported, has_columns, sum_up};
use crate::sample::Filters;
use crate::select;
use crate::spell;
use crate::unique::{self, Found, Sources, check_twice};
use arranged::Arranged;

pub(crate) fn run(arguments: &Convert, verbosity: Verbosity) -> Result<Done, Failure> {
    if arguments.changing.dry_run {
        return spell::preview(arguments, verbosity);
    }
    let (named, output) = arguments.files.split()?;
    let inputs = inputs::expand(named)?;
    let output = resolve(output);
    if named.iter().any(|folder| folder.is_dir() && lies_in(&output, folder)) {
        verbosity.say(format_args!(
            "note: {} lies in a folder that is searched: next time it will be read too",
            output.display()
        ));
    }
    if let Some(by) = arguments.merging.merge_games {
        return merging::run(arguments, by, &inputs, &output, verbosity);
    }
    let to = arguments.writing.to.or_else(|| scoresheet::format_for_output(&output).ok());
    let (options, to_settings) =
        shared_options(arguments.reading.options(), &inputs, arguments.from, to);
    let not_in = inputs::expand(&arguments.not_in)?;
    let filter = arguments.selection.filter()?;
    let changes = arguments.changing.changes(&filter)?;
    let mut converter = Converter::new();
    if arguments.changing.mark_matches {
        if !filter.asks_positions() {
            let message = "--mark-matches needs --position, --pattern, --material or --cql";
            return Err(Failure::Usage(message.to_owned()));
        }
        if changes.strip.contains(&Strip::Comments) {
            let message = "--strip comments leaves out the comments of --mark-matches";
            return Err(Failure::Usage(message.to_owned()));
        }
        converter = converter.mark_matches(filter.clone());
    }
    let job = Job {
        from: arguments.from,
        converter: converter.changes(changes),
        filters: Filters::sampled(
            filter,
            arguments.order.sampling,
            &inputs,
            arguments.from,
            &options,
        )?,
        to_settings,
        left: arguments.order.limit,
        unique: arguments.unique,
        not_in: &not_in,
        contained: arguments.contained,
        columns: arguments.columns.as_deref(),
        #[cfg(feature = "tables")]
        table: Some(&arguments.tabling),
        ..Job::new(&output, &arguments.writing, options, verbosity)
    };
    let done = if arguments.order.sort.is_empty() && arguments.split.is_none() {
        job.run(&inputs)?
    } else {
        let (sort, split) = (&arguments.order.sort, arguments.split.as_ref());
        Arranged { job, sort, split }.run(&inputs)?
    };
    if done.found_nothing {
        let bases = (&*inputs, &arguments.reading);
        select::report_names(&arguments.selection, None, bases, 0, verbosity);
    }
    Ok(done)
}

pub(crate) fn dedupe(arguments: &Dedupe, verbosity: Verbosity) -> Result<Done, Failure> {
    arguments.sampling.check(unique::NO_SAMPLE)?;
    let (named, output) = arguments.files.split()?;
    let inputs = inputs::expand(named)?;
    let output = resolve(output);
    let job = Job {
        from: arguments.from,
        filters: Filters::new(arguments.selection.filter()?),
        unique: true,
        merges: arguments.merge,
        contained: arguments.contained,
        ..Job::new(&output, &arguments.writing, arguments.reading.options(), verbosity)
    };
    job.run(&inputs)
}

/// Copies the games of these numbers.
pub(crate) fn chosen(
    input: &Path,
    numbers: Vec<u64>,
    output: &Path,
    writing: &Writing,
    options: OpenOptions,
    verbosity: Verbosity,
) -> Result<Done, Failure> {
    let mut filter = Filter::default();
    filter.only = Some(numbers.into());
    let output = resolve(output);
    let job =
        Job { filters: Filters::new(filter), ..Job::new(&output, writing, options, verbosity) };
    job.run(&[input.to_path_buf()])
}

/// Returns the options for reading, and the subset that the format of the output knows too. An
/// option that no format of an input knows is for the output alone.
fn shared_options(
    mut options: OpenOptions,
    inputs: &[PathBuf],
    from: Option<&'static Format>,
    to: Option<&'static Format>,
) -> (OpenOptions, Vec<(String, String)>) {
    let knows = |list: &[OptionInfo], name: &str| list.iter().any(|option| option.name == name);
    let written = |name: &str| to.is_some_and(|format| knows(format.create_options, name));
    let read = |name: &str| {
        // A pipe can be opened only once.
        let files = inputs.iter().filter(|path| path.is_file());
        let mut formats = files.filter_map(|path| from.or_else(|| detect(path).ok()));
        formats.any(|format| knows(format.open_options, name))
    };
    let (mut settings, mut to_settings) = (Settings::default(), Vec::new());
    for (name, value) in options.settings.iter() {
        if written(name) {
            to_settings.push((name.to_owned(), value.to_owned()));
        }
        if !written(name) || read(name) {
            settings.set(name, value);
        }
    }
    options.settings = settings;
    (options, to_settings)
}

/// Returns whether a file is, or would be, inside a folder.
fn lies_in(path: &Path, folder: &Path) -> bool {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let parent = fs::canonicalize(parent.unwrap_or(Path::new(".")));
    let folder = fs::canonicalize(folder);
    !is_stdio(path) && parent.is_ok_and(|path| folder.is_ok_and(|folder| path.starts_with(folder)))
}

pub(crate) fn repair(arguments: &Repair, verbosity: Verbosity) -> Result<Done, Failure> {
    let mut options = arguments.reading.options();
    options.salvage = true;
    let base = inputs::open_one(&arguments.input, &options)?;
    let format = base.format();
    let same = arguments.writing.to.is_none()
        && format.create.is_none()
        && scoresheet::format_for_output(&arguments.output).is_ok_and(|to| to.name == format.name);
    if same {
        let message = format!("{} bases cannot be written; repair into a .pgn", format.title);
        return Err(Failure::Failed(message));
    }
    let output = resolve(&arguments.output);
    let job = Job {
        // A pipe cannot be opened again.
        opened: Some(base),
        converter: Converter::new().drop_damaged(arguments.drop),
        salvages: !arguments.writing.strict,
        ..Job::new(&output, &arguments.writing, options, verbosity)
    };
    job.run(std::slice::from_ref(&arguments.input))
}

/// A conversion of several bases into one.
struct Job<'a> {
    output: &'a Path,
    writing: &'a Writing,
    options: OpenOptions,
    /// Options for reading that are for writing too, unless an option for writing says otherwise.
    to_settings: Vec<(String, String)>,
    from: Option<&'static Format>,
    verbosity: Verbosity,
    /// The only input, if it is open already.
    opened: Option<Base>,
    converter: Converter,
    filters: Filters,
    /// Whether repeated games are left out.
    unique: bool,
    /// Bases whose games are left out.
    not_in: &'a [PathBuf],
    contained: bool,
    /// Whether games take what their duplicates know better.
    merges: bool,
    /// How many more games may be written. `None` means no limit.
    left: Option<u64>,
    /// The columns of a table.
    columns: Option<&'a str>,
    /// Whether the games before a break in a stream are written.
    salvages: bool,
    /// How a table is written.
    #[cfg(feature = "tables")]
    table: Option<&'a Tabling>,
    /// The number of inputs that could not be read.
    failed: u64,
    /// Whether an input held no game although it should.
    barren: bool,
    /// Whether the input broke off and the games before the break are written.
    broken: bool,
    /// Whether an input is damaged as a whole (`damaged`), or all of its games are (`ruined`).
    damaged: bool,
    ruined: bool,
}

/// The output of a job, and the reports about it.
struct Target {
    format: &'static Format,
    output: Output,
    pipe: Pipe,
    report: Option<Report>,
    reported: Reported,
}

impl<'a> Job<'a> {
    fn new(
        output: &'a Path,
        writing: &'a Writing,
        options: OpenOptions,
        verbosity: Verbosity,
    ) -> Job<'a> {
        Job {
            output,
            writing,
            options,
            to_settings: Vec::new(),
            from: None,
            verbosity,
            opened: None,
            converter: Converter::new(),
            filters: Filters::new(Filter::default()),
            unique: false,
            not_in: &[],
            contained: false,
            merges: false,
            left: None,
            columns: None,
            salvages: false,
            #[cfg(feature = "tables")]
            table: None,
            failed: 0,
            barren: false,
            broken: false,
            damaged: false,
            ruined: false,
        }
    }

    fn run(mut self, inputs: &[PathBuf]) -> Result<Done, Failure> {
        let format = self.format()?;
        self.plan(inputs, self.output, format).check()?;
        if self.compares() {
            check_twice(inputs)?;
        }
        self.tune();
        // Open a single input first, so that no output is created if this fails.
        let alone = inputs.len() == 1;
        let mut first = self.opened.take();
        if let ([only], true, None) = (inputs, alone, &first) {
            let opened = inputs::open(only, self.from, &self.options);
            first = Some(opened.map_err(|error| Failure::Failed(with_from(&error)))?);
        }
        let mut found = match self.compares() {
            true => Some(Sources { copied_to: Some(format), ..self.sources(inputs) }.find()?),
            false => None,
        };
        if let Some(found) = found.as_ref().filter(|_| self.merges) {
            let merged = self.sources(inputs).merge(found)?;
            self.converter.set_merged(merged);
        }
        let pipe = Pipe::default();
        let mut target = Target {
            format,
            report: self.writing.report.as_deref().map(Report::create).transpose()?,
            output: self.create(self.output, format, first.as_ref(), &pipe)?,
            reported: Reported::new(self.verbosity).with_hint(format, self.writing.to_encoding),
            pipe,
        };
        for (number, path) in inputs.iter().enumerate() {
            let mut filter = self.filters.of_input(number).clone();
            if let Some(found) = &mut found {
                filter.without = found.of_input(number);
                self.converter.set_raw_games(found.take_raw_games(number));
            }
            self.converter.set_filter(filter);
            if self.left == Some(0) {
                break;
            }
            self.copy_input(path, first.take(), alone, &mut target)?;
        }
        if inputs.len() as u64 == self.failed {
            return Err(Failure::Failed("none of the inputs can be read".to_owned()));
        }
        self.finish(target, inputs.first(), found.as_ref())
    }

    /// Copies one input, which may be open already. An input that cannot be opened is counted, unless
    /// the job is strict.
    fn copy_input(
        &mut self,
        path: &Path,
        opened: Option<Base>,
        alone: bool,
        target: &mut Target,
    ) -> Result<(), Failure> {
        let before = self.converter.summary().read;
        let opened = match opened {
            Some(base) => Ok(base),
            None => inputs::open(path, self.from, &self.options),
        };
        let mut base = match opened {
            Ok(base) => base,
            Err(error) if self.writing.strict => return Err(Failure::Failed(with_from(&error))),
            Err(error) => {
                say(format_args!("scoresheet: {}", with_from(&error)));
                self.failed += 1;
                return Ok(());
            }
        };
        inputs::accept(&base, self.writing.strict, self.verbosity)?;
        let Target { output, pipe, report, reported, .. } = target;
        self.copy(&mut base, output, pipe, report.as_mut(), reported)?;
        if !alone {
            let games = self.converter.summary().read.saturating_sub(before);
            let (name, title) = (inputs::input_name(path).display(), base.format().title);
            self.verbosity.detail(format!("{name}: {}, {title}", counted_games(games)));
        }
        Ok(())
    }

    /// Completes the output and sums up.
    fn finish(
        &self,
        target: Target,
        first: Option<&PathBuf>,
        found: Option<&Found>,
    ) -> Result<Done, Failure> {
        let Target { format, output, pipe, report, reported } = target;
        reported.rest().for_each(|line| self.verbosity.say(line));
        let summary = self.converter.summary();
        self.report_choice(summary.read);
        if !self.filters.are_open() && summary.written == 0 && summary.refused == 0 {
            drop(output);
            let read = counted_games(summary.read);
            self.verbosity.say(format_args!("0 of {read} chosen; nothing was written"));
            return Ok(Done { refusals: self.failed > 0, ..Done::found_if(false) });
        }
        match output.finish() {
            Err(_) if pipe.is_broken() => return Err(Failure::BrokenPipe),
            finished => finished?,
        }
        report.map_or(Ok(()), Report::finish)?;
        sum_up(summary, format, self.verbosity);
        if let Some(found) = found {
            self.verbosity.say(found.words());
        }
        if self.broken {
            let path = first.map(|path| path.display().to_string()).unwrap_or_default();
            self.verbosity
                .say(format_args!("{path} is damaged there: what could be read was written"));
        }
        if self.failed > 0 {
            let inputs = if self.failed == 1 { "input" } else { "inputs" };
            self.verbosity.say(format_args!("{} {inputs} could not be read", self.failed));
        }
        Ok(Done {
            found_nothing: self.barren,
            losses: summary.lossy > 0,
            damage: self.damaged || summary.damaged > 0,
            // If every game is damaged, the input is not of this format, or nothing is left of it.
            refusals: self.failed > 0 || self.broken || summary.refused > 0 || self.ruined,
        })
    }

    /// Reports games that the filter could not decide on, after all games were read.
    fn report_choice(&self, read: u64) {
        if self.left == Some(0) {
            return;
        }
        select::report_undecided(self.filters.all(), self.verbosity);
        if self.failed == 0 {
            select::report_missing(self.filters.all(), read, self.verbosity);
        }
    }

    /// Returns whether games are compared before any is written.
    fn compares(&self) -> bool {
        self.unique || !self.not_in.is_empty()
    }

    /// Returns whether a stream that failed gave games before.
    fn can_salvage(&self, base: &Base) -> bool {
        self.salvages && base.database().is_none() && self.converter.summary().written > 0
    }

    fn plan<'p>(
        &'p self,
        inputs: &'p [PathBuf],
        output: &'p Path,
        format: &'static Format,
    ) -> Plan<'p> {
        let (report, force) = (self.writing.report.as_deref(), self.writing.force);
        #[cfg(feature = "tables")]
        let adds = self.adds_parts();
        #[cfg(not(feature = "tables"))]
        let adds = false;
        let is_folder = self.writes_folder();
        Plan { inputs, output, format, report, force, is_folder, adds }
    }

    fn sources<'s>(&'s self, inputs: &'s [PathBuf]) -> Sources<'s> {
        Sources {
            inputs,
            not_in: self.not_in,
            unique: self.unique,
            from: self.from,
            options: &self.options,
            filter: self.filters.all(),
            contained: self.contained,
            threads: self.writing.threads,
            copied_to: None,
            verbosity: self.verbosity,
        }
    }

    fn format(&self) -> Result<&'static Format, Failure> {
        let format = self.format_named()?;
        if self.writing.export_format && format.name != "pgn" {
            let message =
                format!("--export-format is a style of PGN; the output is {}", format.title);
            return Err(Failure::Usage(message));
        }
        if self.columns.is_some() && !has_columns(format) {
            let message =
                format!("{} bases have no columns; --columns is for .csv files", format.title);
            return Err(Failure::Usage(message));
        }
        #[cfg(feature = "tables")]
        self.check_table_options(format)?;
        let is_text = matches!(format.create, Some(Creator::Sink(_)));
        if !is_packed(self.output) || is_text && is_packed_output(self.output) {
            return Ok(format);
        }
        let (name, known) = (self.output.display(), PACKED_OUTPUTS.join(", ."));
        let message = match is_text {
            true => format!("{name}: compressed texts are written as .{known} only"),
            false => format!("{name}: {} bases are not written compressed", format.title),
        };
        Err(Failure::Usage(message))
    }

    /// Refuses options of tables for other formats.
    #[cfg(feature = "tables")]
    fn check_table_options(&self, format: &Format) -> Result<(), Failure> {
        for (name, value) in self.table.into_iter().flat_map(Tabling::settings) {
            let has_option =
                |format: &&Format| format.create_options.iter().any(|option| option.name == name);
            if !has_option(&format) {
                let tables = scoresheet::formats().filter(|format| has_option(format));
                let names: Vec<String> =
                    tables.flat_map(|format| format.extensions).map(|e| format!(".{e}")).collect();
                let (title, names) = (format.title, names.join(", "));
                return Err(Failure::Usage(format!(
                    "--{name} {value} is for {names} files, not for {title}"
                )));
            }
        }
        Ok(())
    }

    fn format_named(&self) -> Result<&'static Format, Failure> {
        match self.writing.to {
            Some(format) => Ok(format),
            None if is_stdio(self.output) => scoresheet::format_named("pgn")
                .ok_or_else(|| Failure::Usage("standard output needs --to".to_owned())),
            None if self.output.is_dir() && !self.writes_folder() => {
                Err(Failure::Usage(format!("{}: is a folder", self.output.display())))
            }
            None => scoresheet::format_for_output(self.output).map_err(|error| {
                let to = match error {
                    scoresheet::Error::NoFormat { what: None, .. } => {
                        "; name the format with --to, as --to pgn"
                    }
                    _ => "",
                };
                Failure::Usage(format!("{error}{to}"))
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

    /// Creates the output. If it has the format of the input, it keeps the input's encoding.
    fn create(
        &self,
        path: &Path,
        format: &'static Format,
        from: Option<&Base>,
        pipe: &Pipe,
    ) -> Result<Output, Failure> {
        let mut options = self.writing.options(format);
        for (name, value) in &self.to_settings {
            if options.settings.iter().all(|(known, _)| known != name) {
                options.settings.set(name, value);
            }
        }
        let same = from.filter(|base| base.format().name == format.name);
        options.encoding = options.encoding.or_else(|| same.and_then(Base::encoding));
        if let Some(columns) = self.columns {
            options.settings.set("columns", columns);
        }
        #[cfg(feature = "tables")]
        self.add_table_options(&mut options);
        if is_stdio(path) {
            let name = "standard output";
            return Ok(scoresheet::create_stream(pipe.sink(), name, format, &options)?);
        }
        interrupt::watch();
        #[cfg(feature = "tables")]
        if let Some(by) = self.partition_by() {
            return Ok(scoresheet::create_partitioned(
                path,
                format,
                by,
                &options,
                Existing::new(self.adds_parts(), self.writing.force),
            )?);
        }
        let create = || scoresheet::create_as(path, format, &options);
        Ok(self.writing.waiting.until_free(create)?)
    }

    fn writes_folder(&self) -> bool {
        #[cfg(feature = "tables")]
        return self.partition_by().is_some();
        #[cfg(not(feature = "tables"))]
        return false;
    }

    #[cfg(feature = "tables")]
    fn partition_by(&self) -> Option<&'a str> {
        self.table.and_then(|table| table.partition_by.as_deref())
    }

    #[cfg(feature = "tables")]
    fn adds_parts(&self) -> bool {
        self.table.is_some_and(|table| table.add_parts)
    }

    #[cfg(feature = "tables")]
    fn add_table_options(&self, options: &mut CreateOptions) {
        for (name, value) in self.table.into_iter().flat_map(Tabling::settings) {
            options.settings.set(name, value);
        }
    }

    fn copy(
        &mut self,
        base: &mut Base,
        output: &mut Output,
        pipe: &Pipe,
        report: Option<&mut Report>,
        reported: &mut Reported,
    ) -> Result<(), Failure> {
        let path = base.path().to_path_buf();
        let mut follower = Follower {
            base: &path,
            output: inputs::output_name(self.output),
            verbosity: self.verbosity,
            bar: Bar::new(self.verbosity),
            report,
            reported,
            left: self.left.as_mut(),
            arranged: None,
        };
        self.damaged |= base.is_damaged();
        let before = Counted::of(self.converter.summary());
        let done = self.converter.run(base, output, &mut follower);
        drop(follower);
        if interrupt::is_asked() {
            return Err(Failure::Interrupted);
        }
        match done {
            Err(_) if pipe.is_broken() => return Err(Failure::BrokenPipe),
            Err(ConvertError::Read(error)) if self.can_salvage(base) => {
                say(format_args!("scoresheet: {}", describe(&path, &error)));
                self.broken = true;
            }
            Err(error) => {
                let output = inputs::output_name(self.output);
                return Err(Failure::Failed(located(&error, &path, output)));
            }
            Ok(()) => inputs::accept_read(base, self.writing.strict, self.verbosity)?,
        }
        let games = Counted::of(self.converter.summary()).since(before);
        self.ruined |= self.filters.are_open() && games.is_ruin();
        self.barren |= !inputs::holds_any_game(base, games.read);
        Ok(())
    }
}

/// Counts of games of some inputs.
#[derive(Clone, Copy)]
struct Counted {
    read: u64,
    chosen: u64,
    damaged: u64,
}

impl Counted {
    fn of(summary: &Summary) -> Counted {
        let Summary { read, passed_over, damaged, .. } = *summary;
        Counted { read, chosen: read.saturating_sub(passed_over), damaged }
    }

    fn since(self, before: Counted) -> Counted {
        Counted {
            read: self.read.saturating_sub(before.read),
            chosen: self.chosen.saturating_sub(before.chosen),
            damaged: self.damaged.saturating_sub(before.damaged),
        }
    }

    /// Returns whether all selected games are damaged.
    fn is_ruin(self) -> bool {
        self.chosen > 0 && self.damaged >= self.chosen
    }
}

fn located(error: &ConvertError, input: &Path, output: &Path) -> String {
    match error {
        ConvertError::Read(error) => describe(input, error).to_string(),
        ConvertError::Write(error) => describe(output, error).to_string(),
        ConvertError::Output(warning) => describe_warning(output, warning).to_string(),
        other => format!("{}: {other}", input.display()),
    }
}
