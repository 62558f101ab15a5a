//! Options that choose games.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Arg, ArgAction, ArgGroup, ArgMatches, Args, Command, FromArgMatches, Id, value_parser};
use pages::say;
use scoresheet::chess_store::system_message;
use scoresheet::filter::{CRITERIA, CqlTest, Criterion, Filter, Value};
use scoresheet::spelling::{Spelling, SpellingError};

use crate::Error;

/// Bytes that are read of a file with a query: more than a query may have.
const MAX_QUERY: u64 = 1 << 20;

/// The heading above the options, in help and manual.
pub const CHOOSING: &str =
    "Choosing games (repeat an option to mean \"or\"; different options must all hold)";

/// Options that choose games. A repeated option chooses what any of its values chooses; different
/// options must all hold. Ranges are a..b, a-b, a.., ..b, and lists of them with commas.
#[derive(Debug, Default)]
pub struct Selection {
    /// The values, in the order of the criteria.
    pub given: Vec<(&'static Criterion, String)>,
    pub exact: bool,
    /// The list of players.
    pub spelling: Option<PathBuf>,
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
pub fn repertoire_text(path: &Path) -> Result<String, String> {
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
pub fn spelling(path: &Path) -> Result<Arc<Spelling>, Error> {
    Spelling::open(path).map(Arc::new).map_err(|error| unread(path, &error))
}

pub fn unread(path: &Path, error: &SpellingError) -> Error {
    Error::Failed(format!("{}: {error}", path.display()))
}

/// Prints a query, and how it is read.
fn explain(test: &CqlTest) {
    say(format_args!("query: {}", test.query().text()));
    for line in test.query().explain().lines() {
        say(format_args!("  {line}"));
    }
}

impl Selection {
    /// Returns the values of an option.
    pub fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        let of_name = move |(criterion, _): &&(&Criterion, String)| criterion.name == name;
        self.given.iter().filter(of_name).map(|(_, value)| value.as_str())
    }

    /// Returns the list of players.
    pub fn players(&self) -> Option<&Path> {
        self.spelling.as_deref()
    }

    /// Returns the filter of the library.
    pub fn filter(&self) -> Result<Filter, Error> {
        self.refuse_without_player()?;
        self.criteria(None)
    }

    fn refuse_without_player(&self) -> Result<(), Error> {
        if self.values("player").next().is_none() {
            for (name, why) in [
                ("against", "both are players of one game"),
                ("outcome", "it is how the game ended for that player"),
            ] {
                if self.values(name).next().is_some() {
                    return Err(Error::Usage(format!("--{name} needs --player <NAME>: {why}")));
                }
            }
        }
        Ok(())
    }

    /// Returns the filter for the games of a player. `name` and the values of `--player` are names of
    /// the player.
    pub fn filter_of_player(&self, name: &str) -> Result<Filter, Error> {
        self.criteria(Some(name))
    }

    fn criteria(&self, player: Option<&str>) -> Result<Filter, Error> {
        let mut filter = Filter::default();
        let player = Criterion::named("player").zip(player);
        let given = self.given.iter().map(|(criterion, value)| (*criterion, value.as_str()));
        for (criterion, value) in player.into_iter().chain(given) {
            let added = criterion.add(&mut filter, value, self.exact);
            added.map_err(|error| Error::option(criterion.name, &error))?;
        }
        for path in &self.cql_files {
            let failed = |why: String| Error::Failed(format!("{}: {why}", path.display()));
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
