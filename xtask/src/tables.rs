//! Generates the tables of README.md, docs/conversions.md, docs/filters.md and docs/tables.md from the
//! code that they describe.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use scoresheet::chess_core::Game;
use scoresheet::filter::CRITERIA;
use scoresheet::{Converter, CreateOptions, Family, Format, Summary, families, formats};
use tables::Rows;
use testkit::workspace_root;

use crate::Failure;

const BEGIN: &str = "<!-- made by cargo xtask generate -->";
const END: &str = "<!-- end -->";

/// Writes the tables, or with `--check` compares them.
pub(crate) fn run(check: bool) -> Result<(), Failure> {
    replace("README.md", &formats_table(), check)?;
    replace("docs/filters.md", &criteria(), check)?;
    replace("docs/tables.md", &columns(), check)?;
    replace("docs/conversions.md", &conversions()?, check)
}

/// The criteria of filters.
fn criteria() -> String {
    let mut text = String::from("| option | selects |\n|---|---|\n");
    for criterion in CRITERIA {
        let value = criterion.value.placeholder().replace('|', "\\|");
        let option = format!("--{} {value}", criterion.name);
        let help = criterion.help.replace('|', "\\|").replace('*', "\\*");
        let _ = writeln!(text, "| `{}` | {help} |", option.trim_end());
    }
    text
}

/// The columns that both tables of games have.
fn columns() -> String {
    let mut text = String::new();
    for rows in [Rows::Games, Rows::Plies] {
        let _ = writeln!(text, "### {}\n\n| column | type | null | meaning |", rows.name());
        let _ = writeln!(text, "|---|---|---|---|");
        for field in rows.fields() {
            let null = if field.nullable { "yes" } else { "" };
            let asked = if field.usual { "" } else { " Only if asked for." };
            let (name, kind, help) = (field.name, field.kind.name(), field.help);
            let _ = writeln!(text, "| `{name}` | {kind} | {null} | {help}.{asked} |");
        }
        text.push('\n');
    }
    text
}

/// Inserts a table between its marks.
fn replace(name: &str, table: &str, check: bool) -> Result<(), Failure> {
    let path = workspace_root().join(name);
    let text = fs::read_to_string(&path).map_err(|error| format!("{name}: {error}"))?;
    let parts = text
        .split_once(BEGIN)
        .and_then(|(before, rest)| rest.split_once(END).map(|(_, after)| (before, after)));
    let (before, after) = parts.ok_or_else(|| format!("{name}: no marks for the table"))?;
    let new = format!("{before}{BEGIN}\n{table}{END}{after}");
    match new == text {
        true => Ok(()),
        false if check => Err(format!("{name}: out of date; run cargo xtask generate").into()),
        false => Ok(fs::write(&path, new)?),
    }
}

fn formats_table() -> String {
    let mut table = String::from(
        "| format | files | read | write | change in place | crate |\n|---|---|---|---|---|---|\n",
    );
    for Family { name, package, formats, .. } in families() {
        for format in *formats {
            let files: Vec<_> = format.extensions.iter().map(|e| format!("`.{e}`")).collect();
            let yes = |can: bool| if can { "yes" } else { "" };
            let _ = writeln!(
                table,
                "| [{}](docs/formats/{name}.md) | {} | {} | {} | {} | [{package}](crates/{package}) |",
                format.title,
                files.join(" "),
                yes(format.open.is_some()),
                yes(format.create.is_some()),
                yes(format.edit.is_some()),
            );
        }
    }
    table
}

/// Converts one shared set of games from each format to each. The second table leaves out conversions
/// that keep everything, and has one row for all that lose the same.
fn conversions() -> Result<String, Failure> {
    let folder = tempfile::tempdir()?;
    let origin = workspace_root().join("xtask/games.pgn");
    // A list of positions holds no games, and a book one game of variations.
    let both: Vec<&Format> = formats()
        .filter(|format| format.open.is_some() && format.create.is_some())
        .filter(|format| !["epd", "fen", "fbk"].contains(&format.name))
        .collect();
    let mut grid = String::from("| from \\ to |");
    let mut rows: Vec<(usize, String, Vec<&str>)> = Vec::new();
    for to in &both {
        let _ = write!(grid, " {} |", to.name);
    }
    let _ = writeln!(grid, "\n|---{}|", "|---".repeat(both.len()));
    for from in &both {
        let start = folder.path().join(from.name).with_extension(from.extensions[0]);
        copy(&origin, &start, from)?;
        let _ = write!(grid, "| {} |", from.name);
        for (place, to) in both.iter().enumerate() {
            let name = format!("{}-{}", from.name, to.name);
            let end = folder.path().join(name).with_extension(to.extensions[0]);
            let summary = copy(&start, &end, to)?;
            let same = same_games(&start, &end)?;
            let _ = write!(grid, " {same}/{} |", summary.read);
            if same as u64 == summary.read && summary.losses.is_empty() {
                continue;
            }
            let losses: Vec<String> =
                summary.losses.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
            let lost = format!("{} | {} |", summary.refused, losses.join(", "));
            match rows.iter_mut().find(|(at, text, _)| *at == place && *text == lost) {
                Some((_, _, sources)) => sources.push(from.name),
                None => rows.push((place, lost, vec![from.name])),
            }
        }
        grid.push('\n');
    }
    let mut same_rows: Vec<(Vec<&str>, String)> = Vec::new();
    for (place, to) in both.iter().enumerate() {
        for (_, lost, sources) in rows.iter().filter(|(at, ..)| *at == place) {
            let row = format!("{} | {lost}", sources.join(", "));
            match same_rows.iter_mut().find(|(_, text)| *text == row) {
                Some((targets, _)) => targets.push(to.name),
                None => same_rows.push((vec![to.name], row)),
            }
        }
    }
    let mut detail = String::from("| to | from | refused | lost |\n|---|---|---|---|\n");
    for (targets, row) in same_rows {
        let _ = writeln!(detail, "| {} | {row}", targets.join(", "));
    }
    Ok(format!("{grid}\n{detail}"))
}

fn copy(from: &Path, to: &Path, format: &'static Format) -> Result<Summary, Failure> {
    let mut base = scoresheet::open(from)?;
    let mut output = scoresheet::create_as(to, format, &CreateOptions::default())?;
    let mut converter = Converter::new();
    converter.run(&mut base, &mut output, &mut ())?;
    output.finish()?;
    Ok(converter.summary().clone())
}

/// Returns how many games of a base are kept by another, in order: with the same start, moves and
/// annotations, and with every tag. More tags are allowed.
fn same_games(one: &Path, other: &Path) -> Result<usize, Failure> {
    let (one, other) = (games(one)?, games(other)?);
    let mut rest = other.iter();
    let mut same = 0;
    for game in &one {
        let here = rest.clone();
        match rest.find(|there| keeps(game, there)) {
            Some(_) => same += 1,
            None => rest = here,
        }
    }
    Ok(same)
}

fn games(path: &Path) -> Result<Vec<Game>, Failure> {
    Ok(scoresheet::open(path)?.games().collect::<Result<_, _>>()?)
}

fn keeps(game: &Game, there: &Game) -> bool {
    let tags = |game: &Game| {
        let mut tags = Vec::new();
        game.header.for_each_tag(|name, value| tags.push((name.to_owned(), value.to_string())));
        tags
    };
    let kept = tags(there);
    game.setup() == there.setup()
        && game.tokens().eq(there.tokens())
        && tags(game).iter().all(|tag| kept.contains(tag))
}
