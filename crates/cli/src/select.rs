//! Options that choose games.

use std::fs::File;
use std::io::Read;
use std::ops::{ControlFlow, RangeInclusive};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Args, Command, FromArgMatches, Id, value_parser};
use pages::numbers::grouped;
use scoresheet::chess_store::system_message;
use scoresheet::filter::{CRITERIA, CqlTest, Criterion, Filter, Neighbours, Value};
use scoresheet::spelling::{Spelling, SpellingError};
use scoresheet::{Format, Scanned, Scanner};

use crate::args::Reading;
use crate::exit::{Done, Failure, Verbosity, listed, say};
use crate::inputs;
use crate::neighbours::{MAX_FEW, report};
use crate::progress::Bar;

/// Bytes that are read of a file with a query: more than a query may have.
const MAX_QUERY: u64 = 1 << 20;

/// The heading above the options, in help and manual.
pub(crate) const CHOOSING: &str =
    "Choosing games (repeat an option to mean \"or\"; different options must all hold)";

/// The criteria that are names of players.
const NAMES: [&str; 4] = ["player", "white", "black", "against"];

/// Options that choose games. A repeated option chooses what any of its values chooses; different
/// options must all hold. Ranges are a..b, a-b, a.., ..b, and lists of them with commas.
#[derive(Debug, Default)]
pub(crate) struct Selection {
    /// The values, in the order of the criteria.
    given: Vec<(&'static Criterion, String)>,
    exact: bool,
    spelling: Option<PathBuf>,
    cql_files: Vec<PathBuf>,
    explain: bool,
}

/// Returns the option of a criterion.
fn option(criterion: &'static Criterion) -> Arg {
    let arg = Arg::new(criterion.name).long(criterion.name).help(criterion.help);
    // Names and texts are read when `--exact` is known.
    let checked = move |text: &str| {
        criterion.add(&mut Filter::default(), text, false).map(|()| text.to_owned())
    };
    let many = || arg.clone().value_name(criterion.value.placeholder()).action(ArgAction::Append);
    match criterion.value {
        // The only flag says where to look for positions.
        Value::Flag => arg.action(ArgAction::SetTrue).requires("position"),
        Value::OptionalWords(words) => arg
            .value_name(words)
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("yes")
            .requires("boards")
            .value_parser(checked),
        Value::YesOrNo => arg
            .value_name(criterion.value.placeholder())
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("yes")
            .hide_possible_values(true)
            .value_parser(["yes", "no"]),
        // The value is the content.
        Value::File(_) => many().value_name("FILE").value_parser(move |path: &str| {
            let text = repertoire_text(Path::new(path))?;
            criterion
                .add(&mut Filter::default(), &text, false)
                .map_err(|error| error.to_string())?;
            Ok::<_, String>(text)
        }),
        Value::Text(_) => many(),
        Value::Ranges => many().allow_hyphen_values(true).value_parser(checked),
        // A move of any piece begins with a dash: --=Q.
        Value::Other("QUERY") => many().allow_hyphen_values(true).value_parser(checked),
        _ => many().value_parser(checked),
    }
}

impl Args for Selection {
    fn group_id() -> Option<Id> {
        Some(Id::from("Selection"))
    }

    fn augment_args(command: Command) -> Command {
        let exact = Arg::new("exact")
            .long("exact")
            .action(ArgAction::SetTrue)
            .help("Match whole names and texts exactly; upper and lower case differ");
        let spelling = Arg::new("spelling")
            .long("players")
            .visible_alias("spelling")
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf))
            .help("List of players, of Scid or FIDE: all spellings of a name in it are one name");
        let cql_file = Arg::new("cql-file")
            .long("cql-file")
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf))
            .action(ArgAction::Append)
            .help("Query in CQL, read from a file");
        let mut options: Vec<Arg> = CRITERIA.iter().map(option).collect();
        // They concern the names before them.
        let names = CRITERIA.iter().take_while(|criterion| criterion.name != "date").count();
        options.splice(names..names, [exact, spelling]);
        options.push(cql_file);
        let explain = Arg::new("explain")
            .long("explain")
            .action(ArgAction::SetTrue)
            .help("Print how the queries of --cql, --ends, --has and --mirrored are read");
        let ids: Vec<Id> = options.iter().map(|option| option.get_id().clone()).collect();
        command
            .next_help_heading(CHOOSING)
            .group(ArgGroup::new("Selection").multiple(true).args(ids))
            .group(ArgGroup::new("boards").multiple(true).args(["position", "pattern", "material"]))
            .args(options)
            .arg(explain)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Selection::augment_args(command)
    }
}

impl FromArgMatches for Selection {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Selection, clap::Error> {
        let mut selection = Selection {
            given: Vec::new(),
            exact: matches.get_flag("exact"),
            spelling: matches.get_one("spelling").cloned(),
            cql_files: matches.get_many("cql-file").into_iter().flatten().cloned().collect(),
            explain: matches.get_flag("explain"),
        };
        for criterion in CRITERIA {
            if criterion.value == Value::Flag {
                if matches.get_flag(criterion.name) {
                    selection.given.push((criterion, "yes".to_owned()));
                }
                continue;
            }
            let values = matches.get_many::<String>(criterion.name).into_iter().flatten();
            selection.given.extend(values.map(|value| (criterion, value.clone())));
        }
        Ok(selection)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Selection::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The most bytes of a repertoire.
const MAX_REPERTOIRE: u64 = 64 << 20;

/// Reads a repertoire. Its comments do not matter, so bytes that are not UTF-8 are replaced.
pub(crate) fn repertoire_text(path: &Path) -> Result<String, String> {
    let mut bytes = Vec::new();
    let read = File::open(path)
        .and_then(|file| file.take(MAX_REPERTOIRE.saturating_add(1)).read_to_end(&mut bytes));
    read.map_err(|error| system_message(&error))?;
    if bytes.len() as u64 > MAX_REPERTOIRE {
        return Err("a repertoire has at most 64 MB".to_owned());
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Reads a list of players.
pub(crate) fn spelling(path: &Path) -> Result<Arc<Spelling>, Failure> {
    Spelling::open(path).map(Arc::new).map_err(|error| unread(path, &error))
}

pub(crate) fn unread(path: &Path, error: &SpellingError) -> Failure {
    Failure::Failed(format!("{}: {error}", path.display()))
}

/// Passes each game of `files` that `filter` selects to `each`, with its file. Of several files, one that
/// cannot be read is reported and left out.
pub(crate) fn each_selected(
    files: &[PathBuf],
    (from, reading): (Option<&'static Format>, &Reading),
    filter: &Filter,
    verbosity: Verbosity,
    mut each: impl FnMut(&Path, &Scanned<'_>) -> Result<(), Failure>,
) -> Result<Done, Failure> {
    let (mut done, mut seen) = (Done::WELL, 0u64);
    for file in files {
        let opened = inputs::open(file, from, &reading.options());
        let mut bar = Bar::new(verbosity);
        let read = opened.map_err(Failure::from).and_then(|mut base| {
            inputs::report_odd(&base, verbosity);
            done.damage |= base.is_damaged();
            seen += Scanner::new().filter(filter.clone()).run(&mut base, |scanned| {
                bar.set(scanned.progress);
                done.damage |= scanned.damage.is_some();
                each(file, scanned)?;
                Ok::<_, Failure>(ControlFlow::Continue(()))
            })?;
            Ok(())
        });
        drop(bar);
        match read {
            Err(Failure::Failed(message)) if files.len() > 1 => {
                say(format_args!("scoresheet: {message}"));
                done.refusals = true;
            }
            read => read?,
        }
    }
    report_undecided(filter, verbosity);
    report_missing(filter, seen, verbosity);
    Ok(done)
}

/// Reports the likely mistakes in a filter, and how many games were left out because their date is only
/// partly known.
pub(crate) fn report_undecided(filter: &Filter, verbosity: Verbosity) {
    for (name, message) in filter.warnings() {
        verbosity.say(format_args!("note: --{name}: {message}"));
    }
    let note = match filter.undecided() {
        0 => return,
        1 => "note: 1 game is left out: its date is partly unknown, and can be inside or outside \
              the range"
            .to_owned(),
        games => format!(
            "note: {} games are left out: their dates are partly unknown, and can be inside or \
             outside the range",
            grouped(games)
        ),
    };
    verbosity.say(note);
}

/// Prints a query, and how it is read.
fn explain(test: &CqlTest) {
    say(format_args!("query: {}", test.query().text()));
    for line in test.query().explain().lines() {
        say(format_args!("  {line}"));
    }
}

/// Reports the numbers of `--games` that exceed the number of games.
pub(crate) fn report_missing(filter: &Filter, games: u64, verbosity: Verbosity) {
    let missing = filter.missing_numbers(games);
    if missing.is_empty() {
        return;
    }
    let range = |range: &RangeInclusive<u64>| match (*range.start(), *range.end()) {
        (first, u64::MAX) => format!("{}..", first.saturating_add(1)),
        (first, last) if first == last => first.saturating_add(1).to_string(),
        (first, last) => format!("{}-{}", first.saturating_add(1), last.saturating_add(1)),
    };
    let missing: Vec<String> = missing.iter().map(range).collect();
    let are = if games == 1 { "is 1 game" } else { &*format!("are {} games", grouped(games)) };
    verbosity
        .say(format_args!("note: --games {} is not there: there {are}", listed(&missing, ", ")));
}

/// Reports how to search for other spellings of a name.
fn report_spellings(name: &str, verbosity: Verbosity) {
    let start: String =
        name.trim().chars().take_while(|letter| letter.is_alphabetic()).take(3).collect();
    verbosity.say(format_args!(
        "note: the name may be spelt otherwise: --where 'White=^{start}' shows similar ones, and \
         --spelling FILE knows many"
    ));
}

impl Selection {
    fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        let of_name = move |(criterion, _): &&(&Criterion, String)| criterion.name == name;
        self.given.iter().filter(of_name).map(|(_, value)| value.as_str())
    }

    /// Reports names of the bases that resemble the names asked for, after no game was found, or few by
    /// names alone. `player` is a name besides the values of the options.
    pub(crate) fn report_names(
        &self,
        player: Option<&str>,
        (files, reading): (&[PathBuf], &Reading),
        found: u64,
        verbosity: Verbosity,
    ) {
        let is_name = |(criterion, _): &(&Criterion, String)| NAMES.contains(&criterion.name);
        let may_be_few = found == 0 || found <= MAX_FEW && self.given.iter().all(is_name);
        if self.exact || verbosity == Verbosity::Quiet || !may_be_few {
            return;
        }
        let words = |option: &'static str| {
            player.filter(|_| option == "player").into_iter().chain(self.values(option))
        };
        // A pipe is read once.
        if self.spelling.as_ref().is_some_and(scoresheet::is_pipe) {
            return;
        }
        let mut filter = Filter::default();
        for criterion in NAMES.into_iter().filter_map(Criterion::named) {
            for word in words(criterion.name) {
                let _ = criterion.add(&mut filter, word, false);
            }
        }
        if let Some(spelling) = self.spelling.as_ref().and_then(|path| spelling(path).ok()) {
            filter = filter.spelt(&spelling);
        }
        let of_options = [&filter.player, &filter.white, &filter.black, &filter.against];
        let mut asked = Vec::new();
        for (option, texts) in NAMES.into_iter().zip(of_options) {
            asked.extend(words(option).zip(texts).filter_map(|(word, text)| {
                Some((word, Neighbours::new(word, text.clone()).ok()?))
            }));
        }
        let Some(first) = asked.first().map(|(word, _)| *word) else { return };
        let has_neighbours = report(asked, files, &reading.options(), found, verbosity);
        if found == 0 && has_neighbours != Some(true) {
            report_spellings(first, verbosity);
        }
    }

    /// Returns the list of players.
    pub(crate) fn players(&self) -> Option<&Path> {
        self.spelling.as_deref()
    }

    /// Returns the filter of the library.
    pub(crate) fn filter(&self) -> Result<Filter, Failure> {
        self.refuse_without_player()?;
        self.criteria(None)
    }

    fn refuse_without_player(&self) -> Result<(), Failure> {
        if self.values("player").next().is_none() {
            for (name, why) in [
                ("against", "both are players of one game"),
                ("outcome", "it is how the game ended for that player"),
            ] {
                if self.values(name).next().is_some() {
                    return Err(Failure::Usage(format!("--{name} needs --player <NAME>: {why}")));
                }
            }
        }
        Ok(())
    }

    /// Returns the filter for the games of a player. `name` and the values of `--player` are names of
    /// the player.
    pub(crate) fn filter_of_player(&self, name: &str) -> Result<Filter, Failure> {
        self.criteria(Some(name))
    }

    fn criteria(&self, player: Option<&str>) -> Result<Filter, Failure> {
        let mut filter = Filter::default();
        let player = Criterion::named("player").zip(player);
        let given = self.given.iter().map(|(criterion, value)| (*criterion, value.as_str()));
        for (criterion, value) in player.into_iter().chain(given) {
            let added = criterion.add(&mut filter, value, self.exact);
            added.map_err(|error| Failure::option(criterion.name, &error))?;
        }
        for path in &self.cql_files {
            let failed = |why: String| Failure::Failed(format!("{}: {why}", path.display()));
            let mut text = String::new();
            let read =
                File::open(path).and_then(|file| file.take(MAX_QUERY).read_to_string(&mut text));
            read.map_err(|error| failed(system_message(&error)))?;
            let query = CqlTest::parse(text.trim_start_matches('\u{feff}'));
            filter.queries.push(query.map_err(|error| failed(error.to_string()))?);
        }
        if self.explain {
            filter.cql_tests().for_each(explain);
        }
        match &self.spelling {
            Some(path) => Ok(filter.spelt(&spelling(path)?)),
            None => Ok(filter),
        }
    }
}
