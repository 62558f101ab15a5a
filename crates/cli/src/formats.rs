//! `scoresheet formats`

use std::io::{self, BufWriter, Write};

use commands::Formats;
use pages::style::{Bold, column};
use scoresheet::{Format, OptionInfo, formats};
use serde_json::{Value, json};

use crate::exit::{Done, Failure};
use crate::json;
use crate::output::Stdout;
use crate::style::{colours, terminal_width};

pub(crate) fn run(arguments: &Formats) -> Result<Done, Failure> {
    let mut out = BufWriter::new(Stdout);
    if !arguments.json {
        writeln!(out, "{}", Bold(line("name", "can", "files", "format"), colours()))?;
    }
    let chosen = |format: &&Format| arguments.format.is_none_or(|one| one.name == format.name);
    for format in formats().filter(chosen) {
        let files: Vec<String> =
            format.extensions.iter().map(|extension| format!(".{extension}")).collect();
        if arguments.json {
            let value = json!({
                "name": format.name,
                "title": format.title,
                "extensions": format.extensions,
                "read": format.open.is_some(),
                "write": format.create.is_some(),
                "edit": format.edit.is_some(),
                "options": options_json(format.open_options),
                "to_options": options_json(format.create_options),
            });
            json::line(&mut out, &value)?;
        } else {
            writeln!(
                out,
                "{}",
                line(format.name, &abilities(format), &files.join(" "), format.title)
            )?;
        }
    }
    if let (Some(format), false) = (arguments.format, arguments.json) {
        options(&mut out, "--option", format.open_options)?;
        options(&mut out, "--to-option", format.create_options)?;
    }
    out.flush()?;
    Ok(Done::WELL)
}

/// Formats a line that fits the terminal. The last column takes the longest text and is cut.
fn line(name: &str, can: &str, files: &str, title: &str) -> String {
    let taken = 15usize.saturating_add(17).saturating_add(26);
    let rest = terminal_width().map_or(title.len(), |width| width.saturating_sub(taken).max(8));
    let line = format!("{name:<14} {can:<16} {files:<25} {}", column(title, rest));
    line.trim_end().to_owned()
}

/// Writes the options that a format takes besides the common ones.
fn options(out: &mut dyn Write, flag: &str, list: &[OptionInfo]) -> io::Result<()> {
    for option in list {
        let values = match option.values {
            [] => "TEXT".to_owned(),
            values => values.join("|"),
        };
        writeln!(out, "\n{flag} {}={values}\n    {}", option.name, option.help)?;
    }
    Ok(())
}

fn options_json(list: &[OptionInfo]) -> Vec<Value> {
    let object = |option: &OptionInfo| json!({ "name": option.name, "values": option.values, "help": option.help });
    list.iter().map(object).collect()
}

fn abilities(format: &Format) -> String {
    let all = [
        ("read", format.open.is_some()),
        ("write", format.create.is_some()),
        ("edit", format.edit.is_some()),
    ];
    let can: Vec<&str> = all.into_iter().filter_map(|(word, can)| can.then_some(word)).collect();
    can.join(" ")
}
