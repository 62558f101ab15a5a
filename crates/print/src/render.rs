//! Follows the tokens of a game and tells a style what to write.

use chess_core::{Color, Drawing, Game, Header, Nag, Replay, Token};

use super::board::{Diagram, push_marks};
use super::nags::{diagram as diagram_of, nag_symbol};

/// Variations deeper than this stand in parentheses in the text, because programs limit how deep
/// elements may be nested.
const DEEPEST_BLOCK: u32 = 4;

/// Writes the parts of a game in one format. Texts come as they are in the game; the style escapes
/// them.
pub(super) trait Style: Clone + Send + 'static {
    /// Returns whether the format cannot hold a character. It then writes U+FFFD.
    fn lacks(&self, letter: char) -> bool;
    /// Returns the text before the games. `count` is their number.
    fn head(&self, title: &str, count: u64) -> String;
    /// Returns the entry in the list of contents.
    fn entry(&self, facts: &Facts<'_>) -> String;
    /// Returns the entry of game `number` in the list of contents, with its number.
    fn numbered_entry(&self, number: u64, entry: &str) -> String;
    /// Returns the text between the contents and the games.
    fn after_contents(&self) -> &'static str;
    /// Returns the text that begins game `number`.
    fn start(&self, number: u64) -> String;
    /// Returns the text after the games.
    fn foot(&self) -> &'static str;

    /// Writes the heading, the facts and the tags.
    fn heading(&self, facts: &Facts<'_>, out: &mut String);
    /// Begins the moves.
    fn moves(&self, out: &mut String);
    /// Writes a move, with its number and its signs.
    fn played(&self, text: &str, is_bold: bool, out: &mut String);
    /// Writes a sign that is no part of a move.
    fn sign(&self, text: &str, out: &mut String);
    /// Writes a part of a comment.
    fn comment(&self, text: &str, out: &mut String);
    /// Writes a command of a comment: `clk`, `0:10:00`.
    fn command(&self, name: &str, value: &str, out: &mut String);
    /// Writes a diagram and the text below it.
    fn diagram(&self, diagram: &Diagram, caption: &str, out: &mut String);
    /// Begins a variation, as a block of its own or in the text.
    fn open(&self, is_block: bool, out: &mut String);
    /// Ends a variation.
    fn close(&self, is_block: bool, out: &mut String);
    /// Writes the result and ends the game.
    fn end(&self, result: &str, out: &mut String);
}

/// The header of a game, as it is printed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Facts<'a> {
    pub(super) white: &'a str,
    pub(super) black: &'a str,
    pub(super) white_elo: String,
    pub(super) black_elo: String,
    pub(super) result: &'a str,
    /// Event, site, date, round, ECO code: what is known of them.
    pub(super) line: String,
    /// All other tags.
    pub(super) tags: Vec<(String, String)>,
}

/// Tags that the heading shows.
const SHOWN: [&str; 10] =
    ["Event", "Site", "Date", "Round", "White", "Black", "Result", "WhiteElo", "BlackElo", "ECO"];

impl<'a> Facts<'a> {
    pub(super) fn of(game: &'a Game) -> Facts<'a> {
        let header: &Header = &game.header;
        let tag = |name: &str| {
            let value = known_value(name, header.get(name).unwrap_or_default());
            if matches!(&*value, "?" | "-") { String::new() } else { value }
        };
        let round = Some(tag("Round")).filter(|round| !round.is_empty());
        let round = round.map(|round| format!("round {round}")).unwrap_or_default();
        let parts = [tag("Event"), tag("Site"), tag("Date"), round, tag("ECO")];
        let known: Vec<String> = parts.into_iter().filter(|part| !part.trim().is_empty()).collect();
        let mut tags = Vec::new();
        header.for_each_tag(|name, value| {
            let is_start = matches!(name, "FEN" | "SetUp") && game.setup().is_some();
            if !SHOWN.contains(&name) && !is_start {
                tags.push((name.to_owned(), known_value(name, value.to_string())));
            }
        });
        Facts {
            white: name(&header.white),
            black: name(&header.black),
            white_elo: tag("WhiteElo"),
            black_elo: tag("BlackElo"),
            result: header.result.as_str(),
            line: known.join(", "),
            tags,
        }
    }
}

/// Returns the value of a tag. A date ends with its last known part: `1971` for `1971.??.??`.
fn known_value(name: &str, mut value: String) -> String {
    while name.ends_with("Date") && value.ends_with(".??") {
        value.truncate(value.len().saturating_sub(3));
    }
    if value == "????" { String::new() } else { value }
}

fn name(name: &str) -> &str {
    if name.trim().is_empty() { "?" } else { name }
}

/// Writes a game.
pub(super) fn render(game: &Game, style: &impl Style, out: &mut String) {
    let facts = Facts::of(game);
    style.heading(&facts, out);
    if let Some(setup) = game.setup() {
        let diagram = Diagram {
            position: *setup.position(),
            marks: Vec::new(),
            flipped: false,
            is_small: false,
        };
        style.diagram(&diagram, setup.fen(), out);
    }
    style.moves(out);
    let mut walk = Walk {
        style,
        out,
        replay: Replay::new(game),
        depth: 0,
        interrupted: true,
        pending: None,
        played: None,
        has_variations: game.tokens().any(|token| token == Token::VariationStart),
    };
    for token in game.tokens() {
        walk.token(token);
    }
    walk.flush();
    style.end(facts.result, walk.out);
}

struct Walk<'a, S> {
    style: &'a S,
    out: &'a mut String,
    replay: Replay,
    depth: u32,
    /// Whether a move of Black needs its number.
    interrupted: bool,
    /// A move to which signs may follow, and whether it is of the main line.
    played: Option<(String, bool)>,
    /// A diagram that a NAG asks for, and whether Black is below.
    pending: Option<bool>,
    /// Whether moves of the main line must stand out from others.
    has_variations: bool,
}

impl<S: Style> Walk<'_, S> {
    fn token(&mut self, token: Token<'_>) {
        match token {
            Token::Nag(nag) => return self.nag(nag),
            Token::Comment(text) => {
                self.flush_move();
                self.comment(text);
                self.interrupted = true;
            }
            Token::Move(m) => {
                self.flush();
                let position = self.replay.position();
                let number = position.fullmove_number();
                let mut text = match position.turn() {
                    Color::White => format!("{number}. "),
                    Color::Black if self.interrupted => format!("{number}... "),
                    Color::Black => String::new(),
                };
                pgn::write_san(position, m, &mut text);
                self.interrupted = false;
                self.played = Some((text, self.depth == 0));
            }
            Token::VariationStart => {
                self.flush();
                self.depth += 1;
                self.style.open(self.depth <= DEEPEST_BLOCK, self.out);
                self.interrupted = true;
            }
            Token::VariationEnd => {
                self.flush();
                let is_block = self.depth <= DEEPEST_BLOCK;
                if !is_block {
                    self.out.truncate(self.out.trim_end().len());
                }
                self.style.close(is_block, self.out);
                self.depth = self.depth.saturating_sub(1);
                self.interrupted = true;
            }
        }
        self.replay.step(token);
    }

    /// Signs of the move stand right behind it: `e4!`.
    fn nag(&mut self, nag: Nag) {
        if let Some(flipped) = diagram_of(nag) {
            self.pending = Some(flipped);
            return;
        }
        let symbol = nag_symbol(nag);
        match (&mut self.played, symbol) {
            (Some((text, _)), Some(symbol)) if nag.0 <= 6 => text.push_str(symbol),
            (Some((text, _)), symbol) => {
                text.push(' ');
                text.push_str(symbol.unwrap_or(&nag.to_string()));
            }
            (None, symbol) => self.style.sign(symbol.unwrap_or(&nag.to_string()), self.out),
        }
    }

    fn flush_move(&mut self) {
        if let Some((text, is_main)) = self.played.take() {
            self.style.played(&text, is_main && self.has_variations, self.out);
        }
    }

    fn flush(&mut self) {
        self.flush_move();
        if let Some(flipped) = self.pending.take() {
            self.diagram(Vec::new(), flipped);
        }
    }

    fn comment(&mut self, text: &str) {
        let mut marks = Vec::new();
        let mut has_diagram = false;
        for part in parts(text) {
            match part {
                Part::Text(text) => self.style.comment(text, self.out),
                Part::Diagram => has_diagram = true,
                Part::Command("csl" | "cal", list) => {
                    push_marks(list, &mut marks);
                    has_diagram = true;
                }
                Part::Command(name, value) => match Drawing::of_scid(name, value) {
                    Some(drawing) => {
                        push_marks(&drawing.to_string(), &mut marks);
                        has_diagram = true;
                    }
                    None => self.style.command(name, value, self.out),
                },
            }
        }
        let flipped = self.pending.take();
        if has_diagram || flipped.is_some() {
            self.diagram(marks, flipped.unwrap_or_default());
        }
    }

    fn diagram(&mut self, marks: Vec<super::board::Mark>, flipped: bool) {
        let position = *self.replay.position();
        let caption = match position.turn() {
            Color::White => "White to move",
            Color::Black => "Black to move",
        };
        let diagram = Diagram { position, marks, flipped, is_small: self.depth > 0 };
        self.style.diagram(&diagram, caption, self.out);
        self.interrupted = true;
    }
}

/// A part of a comment.
#[derive(Debug, PartialEq, Eq)]
enum Part<'a> {
    Text(&'a str),
    /// `[#]`
    Diagram,
    /// `[%clk 0:10:00]`
    Command(&'a str, &'a str),
}

/// Divides a comment into text and commands. A command without an end is text.
fn parts(comment: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let is_text = |text: &str| !text.trim().is_empty();
    // The text that is not a part yet, and where to look for the next command.
    let (mut text, mut from) = (comment, 0usize);
    // Behind the last bracket no command has an end.
    let last = comment.rfind(']').unwrap_or(0);
    let end_of = |text: &str| comment.len().saturating_sub(text.len());
    while let Some(start) = text.get(from..).and_then(|rest| rest.find('[')) {
        let start = start.saturating_add(from);
        if end_of(text).saturating_add(start) >= last {
            break;
        }
        let inside = text.get(start.saturating_add(1)..).unwrap_or_default();
        let found = if let Some(rest) = inside.strip_prefix("#]") {
            Some((Part::Diagram, rest))
        } else {
            inside.strip_prefix('%').and_then(|command| {
                let (command, rest) = command.split_once(']')?;
                let (name, value) = command.split_once(' ').unwrap_or((command, ""));
                Some((Part::Command(name, value), rest))
            })
        };
        let Some((part, rest)) = found else {
            from = start.saturating_add(1);
            continue;
        };
        let before = text.get(..start).unwrap_or_default();
        if is_text(before) {
            parts.push(Part::Text(before));
        }
        parts.push(part);
        (text, from) = (rest, 0);
    }
    if is_text(text) {
        parts.push(Part::Text(text));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_comment_are_text_diagram_and_commands() {
        use Part::{Command, Diagram, Text};
        assert_eq!(
            parts("good [%clk 0:10:00] [#] [x] end [%a"),
            [Text("good "), Command("clk", "0:10:00"), Diagram, Text(" [x] end [%a")]
        );
        assert_eq!(parts("[%x]"), [Command("x", "")]);
        assert_eq!(parts(" "), []);
        assert_eq!(parts("[[#]"), [Text("["), Diagram]);
    }

    #[test]
    fn parts_of_many_open_brackets_is_linear() {
        let open = "[%a ".repeat(200_000);
        assert_eq!(parts(&open), [Part::Text(&open)]);
        assert_eq!(parts(&"[".repeat(400_000)).len(), 1);
        assert_eq!(parts(&format!("{}]", "[".repeat(400_000))).len(), 1);
    }
}
