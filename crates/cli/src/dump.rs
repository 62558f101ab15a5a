//! `scoresheet dump`

use std::io::Write;

use commands::Dump;
use pages::clean::clean;
use pages::style::{Bold, column};
use scoresheet::{Field, describe};
use serde_json::json;

use crate::exit::{Done, Failure, say};
use crate::inputs;
use crate::json;
use crate::output::Paged;
use crate::style::colours;

/// Bytes on a line of a dump.
const ROW: usize = 16;

pub(crate) fn run(arguments: &Dump) -> Result<Done, Failure> {
    let base = inputs::open_one(&arguments.file, &arguments.reading.options())?;
    let title = base.format().title;
    let Some(database) = base.database() else {
        let message = format!("{}: {title} is text; see it in an editor", base.path().display());
        return Err(Failure::Failed(message));
    };
    if arguments.number > database.len() {
        let message = inputs::no_game(base.path(), arguments.number, database.len());
        return Err(Failure::Failed(message));
    }
    let mut out = Paged::text();
    let bold = colours();
    let mut written = Ok(());
    let (mut file, mut is_empty) = ("", true);
    let dumped = database.reader().dump(arguments.number.saturating_sub(1), &mut |field| {
        is_empty = false;
        if written.is_err() {
            return;
        }
        written = if arguments.json {
            json::line(&mut out, &field_json(&field))
        } else {
            write_field(&field, &mut file, bold, &mut out)
        };
    });
    written?;
    out.finish()?;
    if let Err(error) = &dumped {
        // Nothing can be shown of games that have no bytes of their own, as in a table.
        if is_empty {
            return Err(Failure::Failed(describe(base.path(), error).to_string()));
        }
        say(describe(base.path(), error));
    }
    Ok(Done::WELL.damaged(dumped.is_err()))
}

/// Writes a row of offset, bytes, name and meaning, and further rows for bytes that do not fit on
/// one.
fn write_field(
    field: &Field,
    file: &mut &'static str,
    bold: bool,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    if *file != field.file {
        *file = field.file;
        writeln!(out, "{}", Bold(format_args!(".{}", field.file), bold))?;
    }
    let mut offset = field.offset;
    let mut words = format!("{}  {}", column(field.name, 24), clean(&field.value));
    if field.bytes.is_empty() {
        writeln!(out, "{offset:08x}  {:47}  {}", "", words.trim_end())?;
    }
    for row in field.bytes.chunks(ROW) {
        let hex: Vec<String> = row.iter().map(|byte| format!("{byte:02x}")).collect();
        let line = format!("{offset:08x}  {:47}  {words}", hex.join(" "));
        writeln!(out, "{}", line.trim_end())?;
        offset += row.len() as u64;
        words.clear();
    }
    Ok(())
}

fn field_json(field: &Field) -> serde_json::Value {
    let hex: String = field.bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    json!({
        "file": field.file,
        "offset": field.offset,
        "bytes": hex,
        "name": field.name,
        "value": field.value,
    })
}
