//! `scoresheet show`

use std::fmt::Write as _;
use std::io::Write as _;

use commands::Show;
use commands::values::Ply;
use pages::clean::clean;
use pages::numbers::counted;
use pages::style::{Bold, Dim};
use scoresheet::chess_core::{Color, Game, Header, Nag, Position, Replay, Token};
use scoresheet::chess_store::{Diagnostics, Losses, Scope};
use scoresheet::filter::{Filter, Matcher, ply_ranges};
use scoresheet::print::nag_symbol;
use scoresheet::{Base, CreateOptions, Error, format_named};

use unicode_width::UnicodeWidthStr;

use crate::board;
use crate::canonical_lines;
use crate::exit::{Done, Failure, Verbosity, say};
use crate::inputs;
use crate::json;
use crate::output::{Paged, Pipe, Stdout};
use crate::style::{colours, terminal_width};

pub(crate) fn run(arguments: &Show, verbosity: Verbosity) -> Result<Done, Failure> {
    let Some(number) = arguments.number else { return canonical_lines::run(arguments, verbosity) };
    let filter = arguments.selection.filter()?;
    let is_match = arguments.ply == Some(Ply::Match);
    if is_match && !filter.asks_positions() {
        let message = "--ply match needs --position, --pattern, --material or --cql";
        return Err(Failure::Usage(message.to_owned()));
    }
    if !is_match && !filter.is_open() {
        let message = "options that choose games are for --ply match here: the game is named";
        return Err(Failure::Usage(message.to_owned()));
    }
    let mut base = inputs::open_one(&arguments.file, &arguments.reading.options())?;
    inputs::report_odd(&base, verbosity);
    let mut game = Game::new();
    let base_is_damaged = base.is_damaged();
    let damage = read(&mut base, number, &mut game)?;
    if let Some(error) = &damage {
        say(error);
    }
    if arguments.pgn {
        write_pgn(&game)?;
    } else if arguments.json {
        json::line(&mut Stdout, &game)?;
    } else {
        let shown = arguments.ply.map(|ply| position_at(&game, ply, &filter)).transpose()?;
        let mut out = Paged::text();
        let bold = colours();
        out.write_all(heading(&game.header, bold).as_bytes())?;
        if let Some(setup) = game.setup() {
            write!(out, "\n{}", board::draw(setup.position(), arguments.ascii))?;
        }
        write!(out, "\n{}", movetext(&game, terminal_width().unwrap_or(100).min(100), bold))?;
        if let Some((position, matches)) = shown {
            write!(out, "\n{}", board::draw(&position, arguments.ascii))?;
            out.write_all(matches.as_bytes())?;
        }
        out.finish()?;
    }
    if base.database().is_none() {
        verify(arguments)?;
    }
    Ok(Done::WELL.damaged(damage.is_some() || base_is_damaged))
}

/// Reads a compressed text to its end. The checksum of the game that was shown may stand there.
fn verify(arguments: &Show) -> Result<(), Failure> {
    /// The size of the largest file that is read to its end for one game.
    const VERIFIED: u64 = 64 << 20;
    let path = &arguments.file;
    if std::fs::metadata(path).is_ok_and(|file| file.len() <= VERIFIED) {
        scoresheet::verify_packed(path, arguments.reading.options().max_unpacked)?;
    }
    Ok(())
}

/// Reads one game. Returns its damage, if any.
fn read(base: &mut Base, number: u64, game: &mut Game) -> Result<Option<Error>, Failure> {
    let path = base.path().to_path_buf();
    let missing = |count: u64| Failure::Failed(inputs::no_game(&path, number, count));
    let diagnostics = &mut Diagnostics::lenient();
    if let Some(database) = base.database() {
        if number > database.len() {
            return Err(missing(database.len()));
        }
        let read = database.reader().game(number.saturating_sub(1), game, diagnostics);
        return Ok(read.err().map(|error| Error::Base { path, error }));
    }
    let mut reader = base.reader();
    let mut damage = None;
    for before in 0..number {
        damage = match reader.read_game(game, diagnostics) {
            Ok(true) => None,
            Ok(false) => return Err(missing(before)),
            Err(error) if error.scope() == Scope::Base => return Err(error.into()),
            Err(error) => Some(error),
        };
        diagnostics.clear();
    }
    Ok(damage)
}

fn write_pgn(game: &Game) -> Result<(), Failure> {
    let format = format_named("pgn").ok_or_else(|| Failure::Usage("built without pgn".into()))?;
    let pipe = Pipe::default();
    let options = CreateOptions::default();
    let mut output = scoresheet::create_stream(pipe.sink(), "standard output", format, &options)?;
    let written = output.write(game, &mut Losses::new());
    let done = written.map_err(|error| error.to_string());
    let done = done.and_then(|()| output.finish().map_err(|error| error.to_string()));
    match done {
        Err(_) if pipe.is_broken() => Err(Failure::BrokenPipe),
        other => other.map_err(Failure::Failed),
    }
}

/// Writes players, result, and the facts known about the occasion.
fn heading(header: &Header, bold: bool) -> String {
    let player = |name: &str, elo: Option<_>| match elo {
        Some(elo) => format!("{} ({elo})", clean(name)),
        None => clean(name).into_owned(),
    };
    let white = player(&header.white, header.white_elo);
    let black = player(&header.black, header.black_elo);
    let mut text = String::new();
    let title = format!("{white} – {black}   {}", header.result);
    let _ = writeln!(text, "{}", Bold(title, bold));
    let round = if header.round == "?" { String::new() } else { format!("round {}", header.round) };
    let date = if header.date.is_unknown() { String::new() } else { header.date.to_string() };
    let eco = header.eco.map(|eco| eco.to_string()).unwrap_or_default();
    let facts: Vec<String> = [&header.event, &header.site, &round, &date, &eco]
        .into_iter()
        .filter(|fact| !fact.is_empty() && *fact != "?")
        .map(|fact| clean(fact).into_owned())
        .collect();
    if !facts.is_empty() {
        let _ = writeln!(text, "{}", facts.join(", "));
    }
    if header.deleted {
        text.push_str("marked as deleted\n");
    }
    for (name, value) in header.untyped_tags() {
        let _ = writeln!(text, "{}: {}", clean(name), clean(value));
    }
    text
}

/// Writes moves and annotations. Each variation has lines of its own, indented by its depth.
/// Comments are in braces, and dim if the terminal has colours.
fn movetext(game: &Game, width: usize, colours: bool) -> String {
    let mut text = Paragraphs { text: String::new(), width, column: 0, depth: 0, colours };
    let mut replay = Replay::new(game);
    let mut numbered = false;
    for token in game.tokens() {
        match token {
            Token::Move(m) => {
                let position = replay.position();
                let mut word = match position.turn() {
                    Color::White => format!("{}. ", position.fullmove_number()),
                    Color::Black if !numbered => format!("{}... ", position.fullmove_number()),
                    Color::Black => String::new(),
                };
                scoresheet::pgn::write_san(position, m, &mut word);
                text.word(&word);
                numbered = true;
            }
            Token::Nag(nag) => text.glyph(nag),
            Token::Comment(comment) => {
                text.comment(&clean(comment));
                numbered = false;
            }
            Token::VariationStart => {
                text.depth += 1;
                text.line_break();
                text.word("(");
                numbered = false;
            }
            Token::VariationEnd => {
                text.word(")");
                text.depth = text.depth.saturating_sub(1);
                text.line_break();
                numbered = false;
            }
        }
        replay.step(token);
    }
    text.word(game.header.result.as_str());
    text.text.push('\n');
    text.text
}

/// Words that are filled into lines.
struct Paragraphs {
    text: String,
    width: usize,
    column: usize,
    depth: usize,
    colours: bool,
}

/// The most characters that a glyph after a move takes, such as `!?`.
const SIGN: usize = 2;

impl Paragraphs {
    fn comment(&mut self, comment: &str) {
        let words: Vec<&str> = comment.split_whitespace().collect();
        let last = words.len().saturating_sub(1);
        for (number, word) in words.iter().enumerate() {
            let open = if number == 0 { "{" } else { "" };
            let close = if number == last { "}" } else { "" };
            self.styled(&format!("{open}{word}{close}"), self.colours);
        }
    }

    fn word(&mut self, word: &str) {
        self.styled(word, false);
    }

    fn styled(&mut self, word: &str, dim: bool) {
        let length = word.width();
        let end = self.column.saturating_add(length).saturating_add(SIGN);
        if self.column > 0 && end >= self.width {
            self.line_break();
        }
        if self.column == 0 {
            // Deep variations are indented by at most a third of the line.
            let indent = self.depth.saturating_mul(2).min(self.width / 3);
            self.text.extend(std::iter::repeat_n(' ', indent));
            self.column = indent;
        } else if !self.text.ends_with('(') && word != ")" {
            self.text.push(' ');
            self.column += 1;
        }
        let _ = write!(self.text, "{}", Dim(word, dim));
        self.column = self.column.saturating_add(length).max(1);
    }

    /// Appends text to the previous word, without a space.
    fn sign(&mut self, sign: &str) {
        self.text.push_str(sign);
        self.column += sign.len();
    }

    fn glyph(&mut self, nag: Nag) {
        match nag.0 {
            1 => self.sign("!"),
            2 => self.sign("?"),
            3 => self.sign("!!"),
            4 => self.sign("??"),
            5 => self.sign("!?"),
            6 => self.sign("?!"),
            _ => self.word(nag_symbol(nag).unwrap_or(&nag.to_string())),
        }
    }

    fn line_break(&mut self) {
        if self.column > 0 {
            self.text.push('\n');
            self.column = 0;
        }
    }
}

/// Returns the position that `--ply` asks for, and a line about the positions that match.
fn position_at(game: &Game, ply: Ply, filter: &Filter) -> Result<(Position, String), Failure> {
    let of_main_line = |plies: usize| {
        let mut position = game.start_position();
        game.main_line().take(plies).for_each(|m| position.apply(m));
        position
    };
    let number = match ply {
        Ply::End => return Ok((of_main_line(usize::MAX), String::new())),
        Ply::Match => return matching(game, filter),
        Ply::Number(number) => number,
    };
    let plies = game.ply_count();
    match usize::try_from(number) {
        Ok(number) if number <= plies => Ok((of_main_line(number), String::new())),
        _ => {
            let counted = counted(plies as u64, "half-move", "half-moves");
            let beyond = format!("the game has {counted}; --ply {number} is beyond its end");
            Err(Failure::Failed(beyond))
        }
    }
}

/// Returns the first position that matches the criteria, and a line about all of them.
fn matching(game: &Game, filter: &Filter) -> Result<(Position, String), Failure> {
    let mut matcher = Matcher::new(filter);
    let is_selected = filter.selects(game);
    filter.answer()?;
    let found = matcher.find(game)?;
    let first = found.positions.first().filter(|_| is_selected);
    let Some(first) = first else {
        return Err(Failure::Failed("the game does not match".to_owned()));
    };
    let mut replay = Replay::new(game);
    let tokens = first.token.map_or(0, |token| token.saturating_add(1));
    game.tokens().take(tokens).for_each(|token| replay.step(token));
    let at = match first.depth {
        0 => format!("half-moves that match: {}\n", ply_ranges(found.plies())),
        _ => "the first match stands in a variation\n".to_owned(),
    };
    Ok((*replay.position(), at))
}
