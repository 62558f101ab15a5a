//! Reports as text in columns.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use crate::clean::clean;
use crate::page::{Page, Table};
use crate::style::{Bold, column};

/// The widest column of text before a terminal makes it narrower.
const WIDEST: usize = 60;
/// The narrowest column of text.
const NARROWEST: usize = 10;
/// A column of text that is not wider keeps its width if other columns can go.
const USUAL: usize = 20;
/// Blanks between columns.
const GAP: usize = 2;
/// Blanks before a cell of a cross table.
const NARROW_GAP: usize = 1;

/// Writes a page. No line of a table is longer than `width`, if there is one. Titles and sums are bold if
/// `bold`.
///
/// # Errors
/// I/O errors.
pub fn write(page: &Page, width: Option<usize>, bold: bool, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", Bold(clean(&page.title), bold))?;
    for (name, value) in &page.facts {
        writeln!(out, "{name:<13}{}", clean(value))?;
    }
    for table in page.tables.iter().filter(|table| !table.rows.is_empty()) {
        writeln!(out)?;
        write_table(table, width, bold, out)?;
    }
    if !page.notes.is_empty() {
        writeln!(out)?;
    }
    for note in &page.notes {
        writeln!(out, "{}", clean(note))?;
    }
    Ok(())
}

/// A column that is shown.
struct Shown {
    place: usize,
    width: usize,
    is_number: bool,
    gap: usize,
}

/// Writes a table as [`write`](fn@write) does.
///
/// # Errors
/// I/O errors.
pub fn write_table(
    table: &Table,
    width: Option<usize>,
    bold: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let head = std::iter::once(table.first.clone());
    let head: Vec<String> =
        head.chain(table.columns.iter().map(|column| column.heading())).collect();
    let mut columns = Vec::new();
    for place in 0..head.len() {
        let column = place.checked_sub(1).and_then(|column| table.columns.get(column));
        if column.is_some() && table.is_empty_column(place) {
            continue;
        }
        let cells = std::iter::once(&head).chain(&table.rows);
        let widths = cells.map(|row| row.get(place).map_or(0, |cell| clean(cell).width()));
        let is_number = column.is_some_and(|column| column.is_number);
        let is_narrow =
            column.is_some_and(|column| matches!(column.title, crate::page::Title::Number(_)));
        let gap = if is_narrow { NARROW_GAP } else { GAP };
        let most = if is_number || width.is_none() { usize::MAX } else { WIDEST };
        let width = widths.max().unwrap_or(0).min(most);
        columns.push(Shown { place, width, is_number, gap });
    }
    if let Some(width) = width {
        omit(&mut columns, width, table);
        fit(&mut columns, width);
    }
    let line = |row: &[String]| {
        let mut line = String::new();
        for (number, shown) in columns.iter().enumerate() {
            let gap = if number == 0 { 0 } else { shown.gap };
            line.extend(std::iter::repeat_n(' ', gap));
            let cell = row.get(shown.place).map_or("", |cell| cell);
            if shown.is_number {
                let cell = clean(cell);
                let blanks = shown.width.saturating_sub(cell.width());
                line.extend(std::iter::repeat_n(' ', blanks));
                line.push_str(&cell);
            } else {
                line.push_str(&column(cell, shown.width));
            }
        }
        line.trim_end().to_owned()
    };
    writeln!(out, "{}", Bold(line(&head), bold))?;
    for (number, row) in (1..).zip(&table.rows) {
        let is_total = table.has_total && number == table.rows.len();
        writeln!(out, "{}", Bold(line(row), bold && is_total))?;
    }
    table.more.iter().try_for_each(|more| writeln!(out, "{more}"))
}

/// Omits dispensable columns until the others fit with texts of a usual width.
fn omit(columns: &mut Vec<Shown>, width: usize, table: &Table) {
    let needed = |columns: &[Shown]| -> usize {
        let least = |shown: &Shown| match shown.is_number {
            true => shown.width,
            false => shown.width.min(USUAL),
        };
        let all: usize = columns.iter().map(|shown| least(shown).saturating_add(shown.gap)).sum();
        all.saturating_sub(GAP)
    };
    for heading in table.dispensable {
        if needed(columns) <= width {
            return;
        }
        let is_it = |shown: &Shown| {
            let column = shown.place.checked_sub(1).and_then(|place| table.columns.get(place));
            column.is_some_and(|column| column.heading() == *heading)
        };
        columns.retain(|shown| !is_it(shown));
    }
}

/// Makes columns of text narrower until the table fits, the widest column first.
fn fit(columns: &mut [Shown], width: usize) {
    loop {
        let used: usize = columns.iter().map(|column| column.width + column.gap).sum();
        let excess = used.saturating_sub(GAP).saturating_sub(width);
        let texts = columns.iter_mut().filter(|c| !c.is_number && c.width > NARROWEST);
        let Some(widest) = texts.max_by_key(|column| column.width) else { return };
        if excess == 0 {
            return;
        }
        widest.width = widest.width.saturating_sub(excess.min(4)).max(NARROWEST);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Column;

    #[test]
    fn table_is_aligned_and_fits() {
        let mut table = Table::new(
            "opponent",
            &[Column::number("games"), Column::number("lost"), Column::text("line")],
        );
        table.rows = vec![
            vec!["日本の将棋".into(), "12".into(), String::new(), "1. e4 ".repeat(20)],
            vec!["Ärger, Ö".into(), "3".into(), String::new(), "a\u{1b}[2Jb".into()],
        ];
        table.more = Some("… 1 more".into());
        let page = Page { title: "T\u{202e}al".into(), tables: vec![table], ..Page::default() };
        let mut out = Vec::new();
        write(&page, Some(40), false, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(
            text,
            "T al\n\nopponent    games  line\n日本の将棋     12  1. e4 1. e4 1. e4 1.…\nÄrger, Ö        3  a [2Jb\n… 1 more\n"
        );
        assert!(text.lines().all(|line| line.width() <= 40), "{text}");
        let mut out = Vec::new();
        write(&page, None, false, &mut out).unwrap();
        assert!(String::from_utf8(out).unwrap().contains("1. e4 ".repeat(20).trim_end()));
    }

    #[test]
    fn table_too_wide_omits_dispensable_columns_first() {
        let columns = [Column::number("Elo"), Column::number("points"), Column::number("games")];
        let mut table = Table::new("player", &columns);
        table.dispensable = &["games", "Elo"];
        table.rows = vec![["Kieseritzky, Lionel", "2500", "5½", "10"].map(str::to_owned).to_vec()];
        let headings = |width| {
            let mut out = Vec::new();
            write_table(&table, width, false, &mut out).unwrap();
            let text = String::from_utf8(out).unwrap();
            text.lines().next().unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(headings(Some(40)), "player Elo points games");
        assert_eq!(headings(Some(36)), "player Elo points");
        assert_eq!(headings(Some(20)), "player points");
        assert_eq!(headings(None), "player Elo points games");
    }
}
