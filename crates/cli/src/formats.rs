//! `scoresheet formats`

use std::io::{self, Write};

use scoresheet::{Format, families};
use serde_json::json;

use crate::args::Formats;
use crate::exit::{Done, Failure};
use crate::json;

pub(crate) fn run(arguments: &Formats) -> Result<Done, Failure> {
    let mut out = io::stdout().lock();
    if !arguments.json {
        writeln!(out, "{:<10} {:<28} {:<26} can", "name", "format", "files")?;
    }
    for format in families().iter().flat_map(|family| family.formats) {
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
            });
            json::line(&mut out, &value)?;
        } else {
            let (name, title) = (format.name, format.title);
            writeln!(out, "{name:<10} {title:<28} {:<26} {}", files.join(" "), abilities(format))?;
        }
    }
    out.flush()?;
    Ok(Done::Well)
}

fn abilities(format: &Format) -> String {
    let all = [
        ("read", format.open.is_some()),
        ("write", format.create.is_some()),
        ("edit", format.edit.is_some()),
    ];
    let can: Vec<&str> = all.into_iter().filter_map(|(word, can)| can.then_some(word)).collect();
    can.join(", ")
}
