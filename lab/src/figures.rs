//! Draws the pictures of the documents: bar charts of docs/performance/*.csv, and a tree as the
//! program prints it.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use testkit::workspace_root;

use crate::Failure;

/// The folder of the pictures.
const IMAGES: &str = "docs/images";
/// The folder of the measurements.
const DATA: &str = "docs/performance";
/// The command whose output the picture of a tree shows.
const TREE: [&str; 6] = [
    "tree",
    "xtask/games.pgn",
    "fixtures/scid/plain/base.si4",
    "fixtures/scid/opening_lines/base.si4",
    "--limit",
    "6",
];
/// Fill colours: for our program or the first series, and for the peer or the second series.
const COLOURS: [&str; 2] = ["#2f6f4f", "#b8b0a0"];
const WIDTH: f64 = 760.0;
const LABELS: f64 = 250.0;
const BAR: f64 = 14.0;
const GAP: f64 = 10.0;
const HEAD: f64 = 58.0;

/// Writes the pictures, or with `check` compares them with the existing ones.
pub(crate) fn run(check: bool) -> Result<(), Failure> {
    let folder = workspace_root().join(IMAGES);
    let pictures = [
        ("peers.svg", peers()?),
        ("formats.svg", formats()?),
        ("conversions.svg", conversions()?),
        ("tree.svg", tree()?),
    ];
    let mut differing = Vec::new();
    for (name, picture) in pictures {
        let path = folder.join(name);
        if !check {
            fs::create_dir_all(&folder)?;
            fs::write(path, picture)?;
        } else if fs::read_to_string(path).ok().as_ref() != Some(&picture) {
            differing.push(format!("{IMAGES}/{name}: run cargo lab figures"));
        }
    }
    if differing.is_empty() { Ok(()) } else { Err(differing.join("\n").into()) }
}

/// A file of measurements: its columns by name, and its rows.
struct Data {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Data {
    /// Reads `docs/performance/NAME.csv`, whose cells hold no commas or quotes.
    fn read(name: &str) -> Result<Data, Failure> {
        let path = format!("{DATA}/{name}.csv");
        let text = fs::read_to_string(workspace_root().join(&path))
            .map_err(|error| format!("{path}: {error}"))?;
        Data::parse(&text).map_err(|error| format!("{path}: {error}").into())
    }

    fn parse(text: &str) -> Result<Data, String> {
        let cells = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
        let mut lines = text.lines();
        let columns = cells(lines.next().unwrap_or_default());
        let rows: Vec<_> = lines.map(cells).collect();
        match rows.iter().position(|row| row.len() != columns.len()) {
            Some(row) => Err(format!("line {} has another number of cells", row + 2)),
            None if text.contains('"') => Err("it has quotes".to_owned()),
            None => Ok(Data { columns, rows }),
        }
    }

    fn text<'d>(&self, row: &'d [String], column: &str) -> Result<&'d str, Failure> {
        let at = self.columns.iter().position(|name| name == column);
        let at = at.ok_or_else(|| format!("no column {column}"))?;
        Ok(&row[at])
    }

    fn number(&self, row: &[String], column: &str) -> Result<f64, Failure> {
        let text = self.text(row, column)?;
        text.parse().map_err(|_| format!("{column}: {text} is no number").into())
    }
}

/// A group of bars: its label, and the value and text of each series.
struct Group {
    label: String,
    bars: Vec<(f64, String)>,
}

fn peers() -> Result<String, Failure> {
    let data = Data::read("peers")?;
    let mut groups = Vec::new();
    for row in data.rows.iter().filter(|row| data.text(row, "threads").is_ok_and(|n| n == "1")) {
        let ratio =
            data.number(row, "peer_processor_seconds")? / data.number(row, "processor_seconds")?;
        let beside = format!("{ratio:.1} × {}", data.text(row, "peer")?);
        groups.push(Group {
            label: data.text(row, "task")?.replace("; ", ", "),
            bars: vec![(ratio, beside)],
        });
    }
    Ok(chart("How many times as fast as the other program, by processor time", &[], &groups))
}

fn formats() -> Result<String, Failure> {
    let data = Data::read("formats")?;
    let mut groups = Vec::new();
    for row in &data.rows {
        let mut bars = Vec::new();
        for column in ["read_ns_a_ply", "write_ns_a_ply"] {
            let value = data.number(row, column)?;
            bars.push((value, format!("{value:.0} ns")));
        }
        groups.push(Group { label: data.text(row, "format")?.to_owned(), bars });
    }
    Ok(chart("Nanoseconds per half-move, one thread", &["read", "write"], &groups))
}

fn conversions() -> Result<String, Failure> {
    let data = Data::read("conversions")?;
    let mut groups = Vec::new();
    for row in data.rows.iter().filter(|row| data.text(row, "from").is_ok_and(|from| from == "pgn"))
    {
        let mut bars = Vec::new();
        for column in ["seconds_1_thread", "seconds_2_threads"] {
            let value = data.number(row, column)?;
            bars.push((value, format!("{value:.2} s")));
        }
        groups.push(Group { label: format!("PGN to {}", data.text(row, "to")?), bars });
    }
    let title = "103,087 games from PGN to each format, seconds";
    Ok(chart(title, &["one thread", "two threads"], &groups))
}

/// Draws horizontal bars, with a legend if there is more than one series.
fn chart(title: &str, series: &[&str], groups: &[Group]) -> String {
    let bars = groups.iter().map(|group| group.bars.len() as f64 * BAR + GAP);
    let height = HEAD + bars.sum::<f64>();
    let most = groups.iter().flat_map(|group| &group.bars).map(|(value, _)| *value);
    let scale = (WIDTH - LABELS - 230.0) / most.fold(f64::MIN_POSITIVE, f64::max);
    let mut svg = begin(WIDTH, height, title);
    let _ = writeln!(svg, r#"<text x="16" y="26" font-weight="bold">{}</text>"#, escaped(title));
    let mut x = LABELS;
    for (name, colour) in series.iter().zip(COLOURS) {
        let _ = writeln!(
            svg,
            r#"<rect x="{x}" y="36" width="10" height="10" fill="{colour}"/><text x="{}" y="45">{}</text>"#,
            x + 15.0,
            escaped(name)
        );
        x += 110.0;
    }
    let mut y = HEAD;
    for group in groups {
        let middle = y + group.bars.len() as f64 * BAR / 2.0 + 4.0;
        let _ = writeln!(
            svg,
            r#"<text x="{}" y="{middle}" text-anchor="end">{}</text>"#,
            LABELS - 10.0,
            escaped(&group.label)
        );
        for ((value, beside), colour) in group.bars.iter().zip(COLOURS) {
            let width = value * scale;
            let _ = writeln!(
                svg,
                r#"<rect x="{LABELS}" y="{y}" width="{width:.1}" height="{}" fill="{colour}"/><text x="{:.1}" y="{}">{}</text>"#,
                BAR - 2.0,
                LABELS + width + 6.0,
                y + BAR - 4.0,
                escaped(beside)
            );
            y += BAR;
        }
        y += GAP;
    }
    svg + "</svg>\n"
}

/// Runs the program with [`TREE`] and draws its output as a terminal shows it.
fn tree() -> Result<String, Failure> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["run", "--quiet", "--bin", "scoresheet", "--"]).args(TREE);
    command.current_dir(workspace_root()).env("NO_COLOR", "1").env_remove("COLUMNS");
    let output = command.output()?;
    if !output.status.success() {
        return Err(format!("{TREE:?}: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    let words = TREE.map(|word| if word.contains(' ') { format!("'{word}'") } else { word.into() });
    let text = format!("$ scoresheet {}\n{}", words.join(" "), String::from_utf8(output.stdout)?);
    Ok(terminal(&text))
}

fn terminal(text: &str) -> String {
    let lines: Vec<&str> = text.trim_end().lines().collect();
    let columns = lines.iter().map(|line| line.chars().count()).max().unwrap_or_default();
    let (width, height) = (columns as f64 * 7.8 + 32.0, lines.len() as f64 * 18.0 + 28.0);
    let mut svg = begin(width, height, lines.first().copied().unwrap_or_default());
    svg.push_str("<g font-family=\"ui-monospace, Menlo, Consolas, monospace\">\n");
    for (number, line) in lines.iter().enumerate() {
        let y = number as f64 * 18.0 + 28.0;
        let width = line.chars().count() as f64 * 7.8;
        let weight = if number == 0 { " font-weight=\"bold\"" } else { "" };
        let _ = writeln!(
            svg,
            r#"<text x="16" y="{y}"{weight} textLength="{width:.1}">{}</text>"#,
            // A space that is not non-breaking would be merged with its neighbours.
            escaped(line).replace(' ', "\u{a0}")
        );
    }
    svg + "</g>\n</svg>\n"
}

/// Returns the head of a picture: its size, its title for screen readers, its background.
fn begin(width: f64, height: f64, title: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" role=\"img\" \
         font-family=\"system-ui, sans-serif\" font-size=\"13\" fill=\"#222\">\n<title>{}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fbfaf7\" rx=\"6\"/>\n",
        escaped(title)
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_row_of_another_length_is_error() {
        let error = Data::parse("a,b\n1,2\n3\n").err();
        assert_eq!(error.as_deref(), Some("line 3 has another number of cells"));
    }

    #[test]
    fn chart_longest_bar_fills_the_room_and_text_is_escaped() {
        let group = |value| Group { label: "a<b".into(), bars: vec![(value, "x".into())] };
        let svg = chart("t", &[], &[group(1.0), group(2.0)]);
        assert!(svg.contains("width=\"280.0\"") && svg.contains("width=\"140.0\""));
        assert!(svg.contains("a&lt;b"));
    }
}
