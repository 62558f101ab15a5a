//! Writes games as one Typst document, to be printed. All texts of games are string literals of Typst,
//! so no text can be read as markup or code.

use std::fmt::Write as _;

use super::board::{Diagram, definitions};
use super::html::is_forbidden;
use super::render::{Facts, Style};

/// Typst 0.13 or later.
#[derive(Clone)]
pub(super) struct Typst;

/// The functions that the document uses. Two slashes begin a comment of Typst.
const FUNCTIONS: &str = r##"// Printed with: typst compile FILE.typ
#set page(paper: "a4", margin: (x: 20mm, y: 22mm), numbering: "1")
#set text(size: 10pt, lang: "en")
#set par(justify: true, leading: 0.6em)
#show heading: set block(sticky: true, above: 1.6em, below: 0.6em)
#let diagram(body, caption, small: false) = {
  let head = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 360 360\">"
  let source = head + "<defs>" + definitions + "</defs>" + body + "</svg>"
  let width = if small { 36mm } else { 48mm }
  block(breakable: false, above: 0.9em, below: 0.9em, stack(
    spacing: 3pt,
    image(bytes(source), format: "svg", width: width),
    text(size: 8pt, caption),
  ))
}
#let played(it) = strong(it)
#let comment(it) = text(fill: rgb("#2f4a2a"), it)
#let command(it) = text(size: 8pt, fill: luma(90), it)
#let variation(body) = block(
  inset: (left: 8pt), stroke: (left: 0.6pt + luma(190)), above: 0.7em, below: 0.7em,
  text(size: 9.5pt, body),
)
#let game(title, facts, tags) = {
  heading(level: 1, title)
  if facts != "" { block(sticky: true, emph(facts)) }
  if tags.len() > 0 {
    block(sticky: true, text(size: 8pt, grid(
      columns: (auto, 1fr), column-gutter: 1em, row-gutter: 0.4em, ..tags,
    )))
  }
}
"##;

/// Returns whether a text cannot hold a character. Directions that a text sets and does not end would
/// turn the text behind it around; a page has elements against that.
fn is_lacking(letter: char) -> bool {
    is_forbidden(letter) || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Appends text as a string literal.
fn literal(text: &str, out: &mut String) {
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => {
                out.push('\\');
                out.push(letter);
            }
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            letter if is_lacking(letter) => out.push('\u{fffd}'),
            letter => out.push(letter),
        }
    }
    out.push('"');
}

fn literals(text: &str) -> String {
    let mut out = String::with_capacity(text.len().saturating_add(2));
    literal(text, &mut out);
    out
}

fn call(function: &str, text: &str, out: &mut String) {
    let _ = writeln!(out, "#{function}({})", literals(text));
}

fn player(name: &str, elo: &str) -> String {
    if elo.is_empty() { name.to_owned() } else { format!("{name} ({elo})") }
}

impl Style for Typst {
    fn lacks(&self, letter: char) -> bool {
        is_lacking(letter)
    }

    fn head(&self, title: &str, count: u64) -> String {
        let mut head = format!("#let definitions = {}\n", literals(&definitions()));
        head.push_str(FUNCTIONS);
        let title = literals(title);
        let _ = writeln!(head, "#set document(title: {title})");
        let _ = writeln!(head, "#align(center, text(size: 18pt, weight: \"bold\", {title}))");
        if count > 1 {
            head.push_str("#outline(title: [Contents])\n#pagebreak(weak: true)\n");
        }
        head
    }

    fn entry(&self, _: &Facts<'_>) -> String {
        String::new()
    }

    fn numbered_entry(&self, _: u64, _: &str) -> String {
        String::new()
    }

    fn after_contents(&self) -> &'static str {
        ""
    }

    fn start(&self, _: u64) -> String {
        "\n".to_owned()
    }

    fn foot(&self) -> &'static str {
        ""
    }

    fn heading(&self, facts: &Facts<'_>, out: &mut String) {
        let (white, black) =
            (player(facts.white, &facts.white_elo), player(facts.black, &facts.black_elo));
        let title = format!("{white} – {black} · {}", facts.result);
        let _ = write!(out, "#game({}, {}, (", literals(&title), literals(&facts.line));
        for (name, value) in &facts.tags {
            let _ = write!(out, "{}, {}, ", literals(name), literals(value));
        }
        out.push_str("))\n");
    }

    fn moves(&self, _: &mut String) {}

    fn played(&self, text: &str, is_bold: bool, out: &mut String) {
        let text = text.replace(". ", ".\u{a0}");
        match is_bold {
            true => call("played", &text, out),
            false => self.sign(&text, out),
        }
    }

    fn sign(&self, text: &str, out: &mut String) {
        let _ = writeln!(out, "#{}", literals(text));
    }

    fn comment(&self, text: &str, out: &mut String) {
        call("comment", text.trim(), out);
    }

    fn command(&self, name: &str, value: &str, out: &mut String) {
        let text = if value.is_empty() { name.to_owned() } else { format!("{name} {value}") };
        call("command", &format!("[{text}]"), out);
    }

    fn diagram(&self, diagram: &Diagram, caption: &str, out: &mut String) {
        let small = if diagram.is_small { ", small: true" } else { "" };
        let _ =
            writeln!(out, "#diagram({}, {}{small})", literals(&diagram.body()), literals(caption));
    }

    fn open(&self, is_block: bool, out: &mut String) {
        out.push_str(if is_block { "#variation[\n" } else { "#\"(\"" });
    }

    fn close(&self, is_block: bool, out: &mut String) {
        out.push_str(if is_block { "]\n" } else { "#\")\"\n" });
    }

    fn end(&self, result: &str, out: &mut String) {
        call("played", result, out);
    }
}
