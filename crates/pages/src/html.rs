//! Reports as a page of HTML in one file: no scripts, no other files.

use std::io::{self, Write};

use crate::clean::clean;
use crate::page::{Page, Table};

const STYLE: &str = "\
:root{color-scheme:light}
body{font:15px/1.45 system-ui,sans-serif;color:#1d1f21;background:#fff;margin:0}
main{max-width:64rem;margin:0 auto;padding:1.5rem}
h1{font-size:1.7rem;margin:0 0 .6rem}
h2{font-size:1.1rem;margin:1.8rem 0 .5rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;margin:0}
dt{color:#5a5f66}
dd{margin:0}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
h2::first-letter{text-transform:uppercase}
th,td{padding:.2rem .55rem;text-align:left;border-bottom:1px solid #d9dce0;white-space:nowrap;max-width:26rem;overflow:hidden;text-overflow:ellipsis}
thead th{border-bottom:2px solid #8a9099}
.n{text-align:right}
svg{max-width:100%;height:auto;display:block;margin:.3rem 0 .6rem}
.note,.more{color:#5a5f66;margin:.4rem 0}
@page{margin:1.5cm}
@media print{
main{max-width:none;padding:0}
body{font-size:10pt}
h2,svg{break-after:avoid}
tr,svg{break-inside:avoid}
thead{display:table-header-group}
.wide{overflow:visible}
}";

/// Writes a page as one file.
///
/// # Errors
/// I/O errors.
pub fn write(page: &Page, out: &mut dyn Write) -> io::Result<()> {
    let title = escape(&page.title);
    writeln!(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
    writeln!(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")?;
    writeln!(out, "<title>{title}</title>\n<style>\n{STYLE}\n</style>\n</head>")?;
    writeln!(out, "<body>\n<main>\n<h1>{title}</h1>")?;
    if !page.facts.is_empty() {
        writeln!(out, "<dl>")?;
        for (name, value) in &page.facts {
            writeln!(out, "<dt>{}</dt><dd>{}</dd>", escape(name), escape(value))?;
        }
        writeln!(out, "</dl>")?;
    }
    for table in page.tables.iter().filter(|table| !table.rows.is_empty()) {
        write_table(table, out)?;
    }
    for note in &page.notes {
        writeln!(out, "<p class=\"note\">{}</p>", escape(note))?;
    }
    writeln!(out, "</main>\n</body>\n</html>")
}

fn write_table(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    let title = escape(&table.title);
    writeln!(out, "<section>\n<h2>{title}</h2>")?;
    table.picture.iter().try_for_each(|picture| writeln!(out, "{picture}"))?;
    writeln!(out, "<div class=\"wide\">\n<table>\n<thead>")?;
    let places: Vec<usize> = (0..=table.columns.len())
        .filter(|place| *place == 0 || !table.is_empty_column(*place))
        .collect();
    let class = |place: usize| {
        let column = place.checked_sub(1).and_then(|column| table.columns.get(column));
        if column.is_some_and(|column| column.is_number) { " class=\"n\"" } else { "" }
    };
    write!(out, "<tr>")?;
    for place in &places {
        let column = place.checked_sub(1).and_then(|column| table.columns.get(column));
        let heading = column.map_or_else(|| table.first.clone(), |column| column.heading());
        write!(out, "<th scope=\"col\"{}>{}</th>", class(*place), escape(&heading))?;
    }
    writeln!(out, "</tr>\n</thead>\n<tbody>")?;
    for row in &table.rows {
        write!(out, "<tr>")?;
        for place in &places {
            let cell = escape(row.get(*place).map_or("", |cell| cell));
            match place {
                // A name in another direction of writing must not turn its neighbours.
                0 => write!(out, "<th scope=\"row\"><bdi>{cell}</bdi></th>")?,
                _ => write!(out, "<td{}>{cell}</td>", class(*place))?,
            }
        }
        writeln!(out, "</tr>")?;
    }
    writeln!(out, "</tbody>\n</table>\n</div>")?;
    if let Some(more) = &table.more {
        writeln!(out, "<p class=\"more\">{}</p>", escape(more))?;
    }
    writeln!(out, "</section>")
}

/// Escapes text for HTML and SVG. Control characters become blanks.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in clean(text).chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Column;

    #[test]
    fn page_of_hostile_names_is_escaped() {
        let mut table = Table::new("<b>", &[Column::number("a&b")]);
        let script = "<script>alert('x')</script>\u{0}\u{202e}";
        table.rows = vec![vec![script.into(), "\"1\"".into()]];
        table.more = Some(script.into());
        let page = Page {
            title: script.into(),
            facts: vec![("names", script.into())],
            tables: vec![table],
            notes: vec![script.into()],
        };
        let mut out = Vec::new();
        write(&page, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(!text.contains("<script") && !text.contains(['\u{0}', '\u{202e}']), "{text}");
        assert_eq!(text.matches("&lt;script&gt;alert(&#39;x&#39;)").count(), 6, "{text}");
        assert!(text.contains("<td class=\"n\">&quot;1&quot;</td>"), "{text}");
        assert!(text.contains("<th scope=\"col\" class=\"n\">a&amp;b</th>"), "{text}");
    }
}
