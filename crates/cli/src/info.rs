//! `scoresheet info`

use std::collections::{BTreeMap, HashSet};
use std::io::{BufWriter, Write};

use commands::Info;
use pages::clean::{Clean, clean};
use pages::numbers::counted;
use scoresheet::chess_core::{Date, Game, GameResult, Token};
use scoresheet::chess_store::{Features, NameField};
use scoresheet::{Base, Scanner, describe, describe_warning};
use serde_json::{Map, Value, json};

use crate::book;
use crate::exit::{Done, Failure, Verbosity, say};
use crate::inputs;
use crate::json;
use crate::output::Stdout;
use crate::progress::Bar;

pub(crate) fn run(arguments: &Info, verbosity: Verbosity) -> Result<Done, Failure> {
    let files = inputs::expand(&arguments.files)?;
    let mut out = Clean::new(BufWriter::new(Stdout));
    let (mut done, mut read) = (Done::WELL, 0u64);
    for file in &files {
        let opened = inputs::open(file, None, &arguments.reading.options());
        let mut base = match opened {
            Ok(base) => base,
            Err(error) if error.is_unsupported() && book::is_book(file) => {
                let checked = book::check(file)?;
                checked.refuse_noise(file)?;
                done = done.damaged(checked.is_damaged());
                if arguments.json {
                    json::line(&mut out, &checked.to_json(file))?;
                } else {
                    if read > 0 {
                        writeln!(out)?;
                    }
                    checked.describe(file, &mut out)?;
                }
                read += 1;
                continue;
            }
            Err(error) if files.len() > 1 => {
                say(format_args!("scoresheet: {error}"));
                done.refusals = true;
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        let reported = if arguments.games { None } else { Facts::of_index(&base) };
        let facts = match reported {
            Some(facts) => facts,
            None => Facts::gather(&mut base, verbosity)?,
        };
        done = done.damaged(facts.damaged > 0 || base.is_damaged());
        done.refusals |= facts.games > 0 && facts.damaged == facts.games;
        done.found_nothing |= !inputs::holds_games(&mut base, facts.games);
        if arguments.json {
            json::line(&mut out, &facts.to_json(&base))?;
        } else {
            if read > 0 {
                writeln!(out)?;
            }
            facts.write(&base, &mut out)?;
        }
        read += 1;
    }
    out.flush()?;
    if read == 0 {
        return Err(Failure::Failed("none of the files can be read".to_owned()));
    }
    Ok(done)
}

/// Statistics of the games of a base.
#[derive(Default)]
struct Facts {
    games: u64,
    /// Whether the games were read. If not, damage is unknown.
    read: bool,
    damaged: u64,
    deleted: u64,
    players: HashSet<String>,
    years: Option<(u16, u16)>,
    /// The number of games that have each feature.
    features: BTreeMap<&'static str, u64>,
    results: BTreeMap<&'static str, u64>,
    warnings: BTreeMap<(&'static str, &'static str), u64>,
}

impl Facts {
    fn gather(base: &mut Base, verbosity: Verbosity) -> Result<Facts, Failure> {
        let path = base.path().to_path_buf();
        let mut facts = Facts { read: true, ..Facts::default() };
        let mut bar = Bar::new(verbosity);
        let read = Scanner::new().for_each(base, |scanned| {
            bar.set(scanned.progress);
            if let Some(error) = scanned.damage {
                increase(&mut facts.damaged);
                if verbosity == Verbosity::Verbose {
                    bar.say(&describe(&path, error).to_string());
                }
            }
            for warning in scanned.warnings {
                if verbosity == Verbosity::Verbose {
                    bar.say(&describe_warning(&path, warning).to_string());
                }
                let kind = (warning.name, warning.message);
                increase(facts.warnings.entry(kind).or_default());
            }
            for (name, message, more) in scanned.unlisted.iter() {
                let count = facts.warnings.entry((name, message)).or_default();
                *count += more;
            }
            facts.add(scanned.game);
        });
        read?;
        Ok(facts)
    }

    /// Collects the statistics from the index alone. Returns `None` if the index does not hold
    /// enough, or the base is damaged.
    fn of_index(base: &Base) -> Option<Facts> {
        let database = base.database().filter(|database| database.warnings().is_empty())?;
        let (mut facts, mut reader) = (Facts::default(), database.reader());
        let mut known = [HashSet::new(), HashSet::new()];
        for number in 0..database.len() {
            let summary = reader.summarize(number)?;
            facts.add_values(summary.deleted, summary.date, summary.result);
            for (field, known) in [NameField::White, NameField::Black].into_iter().zip(&mut known) {
                known.insert(summary.name(field));
            }
            let Features { set_up, variations, comments, nags, .. } = summary.features?;
            let features = [
                ("comments", comments),
                ("glyphs", nags),
                ("variations", variations),
                ("set-ups", set_up),
            ];
            for (feature, _) in features.into_iter().filter(|(_, there)| *there) {
                increase(facts.features.entry(feature).or_default());
            }
        }
        let mut name = String::new();
        for (field, known) in [NameField::White, NameField::Black].into_iter().zip(known) {
            for id in known {
                reader.name(field, id, &mut name);
                facts.add_player(&name);
            }
        }
        Some(facts)
    }

    fn add_values(&mut self, deleted: bool, date: Date, result: GameResult) {
        increase(&mut self.games);
        if deleted {
            increase(&mut self.deleted);
        }
        if let Some(year) = date.year() {
            let (first, last) = self.years.unwrap_or((year, year));
            self.years = Some((first.min(year), last.max(year)));
        }
        increase(self.results.entry(result.as_str()).or_default());
    }

    fn add_player(&mut self, name: &str) {
        if name != "?" && !name.is_empty() && !self.players.contains(name) {
            self.players.insert(name.to_owned());
        }
    }

    fn add(&mut self, game: &Game) {
        let header = &game.header;
        self.add_values(header.deleted, header.date, header.result);
        self.add_player(&header.white);
        self.add_player(&header.black);
        for feature in features(game) {
            increase(self.features.entry(feature).or_default());
        }
    }

    fn write(&self, base: &Base, out: &mut dyn Write) -> std::io::Result<()> {
        let mut lines: Vec<(String, String)> = Vec::new();
        let mut line = |name: &str, value: &str| lines.push((name.to_owned(), value.to_owned()));
        line("file", &base.path().display().to_string());
        line("format", base.format().title);
        for (fact, value) in base.about().iter() {
            line(fact.name(), value);
        }
        for (name, value) in base.database().map(|games| games.details()).unwrap_or_default() {
            line(name, &value);
        }
        line("games", &self.games.to_string());
        for (name, count) in [("deleted", self.deleted), ("damaged", self.damaged)] {
            if count > 0 {
                line(name, &count.to_string());
            }
        }
        if !self.read {
            line("checks", "not run; --games reads all games");
        }
        line("names", &counted(self.players.len() as u64, "player", "players"));
        match self.years {
            Some((first, last)) if first == last => line("years", &first.to_string()),
            Some((first, last)) => line("years", &format!("{first} to {last}")),
            None => {}
        }
        line("results", &counts(&self.results));
        if !self.features.is_empty() {
            line("features", &counts(&self.features));
        }
        for warning in base.warnings() {
            let name = if warning.is_damage() { "damage" } else { "deviation" };
            line(name, &describe_warning(base.path(), warning).to_string());
        }
        for ((name, message), count) in &self.warnings {
            line("deviation", &format!("{count} × {message} [{name}]"));
        }
        let width = lines.iter().map(|(name, _)| name.len()).max().unwrap_or(0).max(12);
        for (name, value) in lines {
            writeln!(out, "{name:<width$} {}", clean(&value))?;
        }
        Ok(())
    }

    fn to_json(&self, base: &Base) -> Value {
        let about = base.about();
        let facts = about.iter().map(|(fact, value)| (fact.name(), value.to_owned()));
        let details = base.database().map(|games| games.details()).unwrap_or_default();
        let about: Map<String, Value> = facts
            .chain(details)
            .map(|(name, value)| (name.to_owned(), about_value(name, value)))
            .collect();
        let opening: Vec<Value> = base.warnings().iter().map(json::warning).collect();
        let mut warnings: BTreeMap<&str, u64> = BTreeMap::new();
        for ((name, _), more) in &self.warnings {
            let count = warnings.entry(name).or_default();
            *count = count.saturating_add(*more);
        }
        json!({
            "file": base.path().display().to_string(),
            "format": base.format().name,
            "about": about,
            "games": self.games,
            "deleted": self.deleted,
            "damaged": self.read.then_some(self.damaged),
            "players": self.players.len(),
            "years": self.years.map(|(first, last)| [first, last]),
            "results": self.results,
            "features": self.features,
            "opening": opening,
            "warnings": self.read.then_some(warnings),
        })
    }
}

/// Returns a count as a JSON number. Other values stay strings: a base may have the title `1990`.
fn about_value(name: &str, value: String) -> Value {
    const TEXTS: [&str; 3] = ["description", "collection", "type"];
    let is_text = TEXTS.contains(&name) || name.starts_with("flag");
    match value.parse::<u64>() {
        Ok(number) if !is_text => number.into(),
        _ => value.into(),
    }
}

/// Features that a game has besides its moves.
fn features(game: &Game) -> impl Iterator<Item = &'static str> {
    let (mut comments, mut nags, mut variations, mut nulls) = (false, false, false, false);
    let mut beyond_ascii = !is_ascii(game);
    for token in game.tokens() {
        match token {
            Token::Comment(text) => {
                comments = true;
                beyond_ascii |= !text.is_ascii();
            }
            Token::Nag(_) => nags = true,
            Token::VariationStart => variations = true,
            Token::Move(m) => nulls |= m.is_null(),
            Token::VariationEnd => {}
        }
    }
    [
        ("comments", comments),
        ("glyphs", nags),
        ("variations", variations),
        ("null moves", nulls),
        ("set-ups", game.setup().is_some()),
        ("letters beyond ASCII", beyond_ascii),
    ]
    .into_iter()
    .filter_map(|(name, there)| there.then_some(name))
}

fn is_ascii(game: &Game) -> bool {
    let header = &game.header;
    [&header.white, &header.black, &header.event, &header.site]
        .into_iter()
        .all(|text| text.is_ascii())
        && header.tags.iter().all(|(_, value)| value.is_ascii())
}

/// Formats `12 comments, 3 variations`.
fn counts(counts: &BTreeMap<&'static str, u64>) -> String {
    let words: Vec<String> = counts.iter().map(|(name, n)| format!("{n} × {name}")).collect();
    words.join(", ")
}

fn increase(counter: &mut u64) {
    *counter += 1;
}
