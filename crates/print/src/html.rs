//! Writes games as one HTML page, which needs no script.

use std::fmt::Write as _;

use super::board::{Diagram, definitions};
use super::render::{Facts, Style};

/// HTML.
#[derive(Clone)]
pub(super) struct Html;

const CSS: &str = "\
:root{color-scheme:light}\
body{font:1rem/1.5 Georgia,\"Times New Roman\",\"DejaVu Sans\",\"Segoe UI Symbol\",serif;max-width:46rem;margin:2rem auto;padding:0 1rem;\
color:#1d1a16;background:#fff;overflow-wrap:break-word}\
h1,h2{line-height:1.25;font-weight:600}h2{font-size:1.25rem;margin:0 0 .25rem}\
.elo{font-size:.8em;font-weight:400;color:#5a534a}\
.facts,.tags,.contents{color:#4a443c}.facts{margin:0 0 .75rem}\
.tags{display:grid;grid-template-columns:max-content 1fr;gap:0 1rem;font-size:.85rem;margin:0 0 .75rem}\
.tags dd{margin:0}\
bdi,.comment,dd,dt{unicode-bidi:isolate}.comment{white-space:pre-line}\
.comment{color:#3d4a35}.command{font-size:.8em;color:#5a534a}\
.variation{margin:.2rem 0 .2rem 1.25rem;padding-left:.6rem;border-left:2px solid #d9d2c5;font-size:.95em}\
article{margin:0 0 2.5rem;padding-top:1rem;border-top:1px solid #d9d2c5}\
figure{margin:.75rem 0;width:16rem;max-width:100%}figure.small{width:11rem}\
figure svg{display:block;width:100%;height:auto}figcaption{font-size:.8rem;color:#4a443c}\
.defs{position:absolute;width:0;height:0}\
@page{margin:18mm 16mm}\
@media print{body{margin:0;max-width:none;font-size:10.5pt}a{color:inherit;text-decoration:none}\
h2,.facts,.tags{break-after:avoid}h2,.tags,figure,li{break-inside:avoid}\
.contents{break-after:page}figure{width:52mm}figure.small{width:40mm}p,.moves{orphans:3;widows:3}}";

/// Appends text with the characters escaped that HTML would read. Forbidden characters become U+FFFD.
fn escape(text: &str, out: &mut String) {
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\r' => out.push('\n'),
            letter if is_forbidden(letter) => out.push('\u{fffd}'),
            letter => out.push(letter),
        }
    }
}

/// Returns whether pages cannot hold a character: a control or a noncharacter.
pub(super) fn is_forbidden(letter: char) -> bool {
    let number = u32::from(letter);
    letter.is_control() && !matches!(letter, '\t' | '\n' | '\r')
        || number & 0xfffe == 0xfffe
        || (0xfdd0..=0xfdef).contains(&number)
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    escape(text, &mut out);
    out
}

/// Writes `<tag class="class">text</tag>`.
fn element(tag: &str, class: &str, text: &str, out: &mut String) {
    let _ = write!(out, "<{tag} class=\"{class}\">");
    escape(text, out);
    let _ = write!(out, "</{tag}>");
}

fn player(name: &str, elo: &str, out: &mut String) {
    let _ = write!(out, "<bdi>{}</bdi>", escaped(name));
    if !elo.is_empty() {
        out.push(' ');
        element("span", "elo", elo, out);
    }
}

impl Style for Html {
    fn lacks(&self, letter: char) -> bool {
        is_forbidden(letter)
    }

    fn head(&self, title: &str, count: u64) -> String {
        let (title, definitions) = (escaped(title), definitions());
        let contents = match count {
            0 | 1 => "",
            _ => "<nav class=\"contents\" aria-label=\"Contents\">\n<h2>Contents</h2>\n<ol>\n",
        };
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>{CSS}</style>\n</head>\n<body>\n\
             <svg class=\"defs\" aria-hidden=\"true\"><defs>{definitions}</defs></svg>\n\
             <main>\n<h1>{title}</h1>\n{contents}"
        )
    }

    fn entry(&self, facts: &Facts<'_>) -> String {
        let mut entry = String::new();
        player(facts.white, "", &mut entry);
        entry.push_str(" – ");
        player(facts.black, "", &mut entry);
        let _ = write!(entry, " · {}", facts.result);
        if !facts.line.is_empty() {
            let _ = write!(entry, " (<bdi>{}</bdi>)", escaped(&facts.line));
        }
        entry
    }

    fn numbered_entry(&self, number: u64, entry: &str) -> String {
        format!("<li><a href=\"#g{number}\">{entry}</a></li>\n")
    }

    fn after_contents(&self) -> &'static str {
        "</ol>\n</nav>\n"
    }

    fn start(&self, number: u64) -> String {
        format!("<article id=\"g{number}\">\n")
    }

    fn foot(&self) -> &'static str {
        "</main>\n</body>\n</html>\n"
    }

    fn heading(&self, facts: &Facts<'_>, out: &mut String) {
        out.push_str("<h2>");
        player(facts.white, &facts.white_elo, out);
        out.push_str(" – ");
        player(facts.black, &facts.black_elo, out);
        let _ = writeln!(out, " · {}</h2>", facts.result);
        if !facts.line.is_empty() {
            let _ = writeln!(out, "<p class=\"facts\"><bdi>{}</bdi></p>", escaped(&facts.line));
        }
        if !facts.tags.is_empty() {
            out.push_str("<dl class=\"tags\">\n");
            for (name, value) in &facts.tags {
                let _ = writeln!(out, "<dt>{}</dt><dd>{}</dd>", escaped(name), escaped(value));
            }
            out.push_str("</dl>\n");
        }
    }

    fn moves(&self, out: &mut String) {
        out.push_str("<div class=\"moves\">\n");
    }

    fn played(&self, text: &str, is_bold: bool, out: &mut String) {
        let text = escaped(text).replace(". ", ".&nbsp;");
        let _ = match is_bold {
            true => writeln!(out, "<b>{text}</b>"),
            false => writeln!(out, "{text}"),
        };
    }

    fn sign(&self, text: &str, out: &mut String) {
        escape(text, out);
        out.push('\n');
    }

    fn comment(&self, text: &str, out: &mut String) {
        element("span", "comment", text.trim(), out);
        out.push('\n');
    }

    fn command(&self, name: &str, value: &str, out: &mut String) {
        let text = if value.is_empty() { name.to_owned() } else { format!("{name} {value}") };
        element("span", "command", &format!("[{text}]"), out);
        out.push('\n');
    }

    fn diagram(&self, diagram: &Diagram, caption: &str, out: &mut String) {
        let class = if diagram.is_small { " class=\"small\"" } else { "" };
        let label = escaped(&diagram.position.to_fen());
        let _ = writeln!(
            out,
            "<figure{class}><svg viewBox=\"0 0 360 360\" role=\"img\" aria-label=\"{label}\">{}</svg>\
             <figcaption>{}</figcaption></figure>",
            diagram.body(),
            escaped(caption)
        );
    }

    fn open(&self, is_block: bool, out: &mut String) {
        out.push_str(if is_block { "<div class=\"variation\">" } else { "(" });
    }

    fn close(&self, is_block: bool, out: &mut String) {
        out.push_str(if is_block { "</div>\n" } else { ")\n" });
    }

    fn end(&self, result: &str, out: &mut String) {
        let _ = write!(out, "<b>{}</b>\n</div>\n</article>\n", escaped(result));
    }
}
