//! `scoresheet repertoire`

use commands::selection::repertoire_text;
use commands::{Repertoire as Arguments, Side};
use pages::numbers::{games, grouped};
use pages::text;
use pages::{Column, Table};
use scoresheet::chess_core::{Color, Move, Position};
use scoresheet::filter::{Following, Repertoire};
use scoresheet::pgn::San;
use scoresheet::reports::repertoire::Survey;
use serde_json::{Value, json};

use crate::exit::{Done, Failure, Verbosity};
use crate::inputs;
use crate::json;
use crate::output::Paged;
use crate::select;
use crate::style::{colours, terminal_width};

pub(crate) fn run(arguments: &Arguments, verbosity: Verbosity) -> Result<Done, Failure> {
    let path = &arguments.repertoire;
    let failed = |why: String| Failure::Failed(format!("{}: {why}", path.display()));
    let text = repertoire_text(path).map_err(failed)?;
    let repertoire = Repertoire::parse(&text).map_err(|error| failed(error.to_string()))?;
    let mut survey = Survey::new(repertoire);
    let filter = arguments.selection.filter()?;
    let files = inputs::expand(&arguments.files)?;
    let mut leaving = Vec::new();
    let bases = (None, &arguments.reading);
    let mut done = select::each_selected(&files, bases, &filter, verbosity, |file, scanned| {
        let following = survey.add(scanned.game);
        if let (true, Following::Leaves { ply, m }) = (arguments.leaving, following) {
            let file = inputs::input_name(file).to_path_buf();
            leaving.push(Leaving::new(file, scanned.number, scanned.game, ply, m));
        }
        Ok(())
    })?;
    let view = View { arguments, survey: &survey, leaving: &leaving };
    let mut out = if arguments.json { Paged::text() } else { Paged::table() };
    if arguments.json {
        for line in view.lines() {
            json::line(&mut out, &line)?;
        }
    } else {
        for table in view.tables().iter().filter(|table| !table.rows.is_empty()) {
            text::write_table(table, terminal_width(), colours(), &mut out)?;
            std::io::Write::write_all(&mut out, b"\n")?;
        }
    }
    out.finish()?;
    let counts = survey.counts();
    verbosity.say(format_args!(
        "{}: {} stay in the repertoire, White leaves {}, Black {}; {} elsewhere",
        games(counts.games),
        grouped(counts.stay),
        grouped(counts.left_by_white),
        grouped(counts.left_by_black),
        grouped(counts.apart)
    ));
    done.found_nothing = counts.games == 0;
    if done.found_nothing {
        let bases = (&*files, &arguments.reading);
        select::report_names(&arguments.selection, None, bases, 0, verbosity);
    }
    Ok(done)
}

/// A game that leaves the repertoire.
struct Leaving {
    file: std::path::PathBuf,
    number: u64,
    players: String,
    /// From 1.
    ply: u32,
    san: String,
    side: Color,
}

impl Leaving {
    fn new(
        file: std::path::PathBuf,
        number: u64,
        game: &scoresheet::chess_core::Game,
        ply: u32,
        m: Move,
    ) -> Leaving {
        let mut position = game.start_position();
        game.main_line().take(ply as usize).for_each(|m| position.apply(m));
        let players = format!("{} - {}", game.header.white, game.header.black);
        Leaving {
            file,
            number,
            players,
            ply: ply.saturating_add(1),
            san: numbered(&position, m),
            side: position.turn(),
        }
    }
}

/// Returns a move with its number: `3... Nf6`.
fn numbered(position: &Position, m: Move) -> String {
    let dots = if position.turn() == Color::White { "." } else { "..." };
    format!("{}{dots} {}", position.fullmove_number(), San::new(position, m))
}

/// The parts that are printed.
struct View<'a> {
    arguments: &'a Arguments,
    survey: &'a Survey,
    leaving: &'a [Leaving],
}

impl View<'_> {
    fn limit(&self) -> usize {
        self.arguments.limit.unwrap_or(usize::MAX)
    }

    fn position(&self, node: u32) -> Position {
        let node = self.survey.repertoire().nodes().get(node as usize);
        node.map_or_else(Position::start, |node| node.position)
    }

    /// Returns the line before a position in SAN, with numbers.
    fn line(&self, node: u32) -> String {
        let game = self.survey.line(node);
        let mut position = game.start_position();
        let mut words = Vec::new();
        for m in game.main_line() {
            words.push(if position.turn() == Color::White || words.is_empty() {
                numbered(&position, m)
            } else {
                San::new(&position, m).to_string()
            });
            position.apply(m);
        }
        if words.is_empty() { "start".to_owned() } else { words.join(" ") }
    }

    fn tables(&self) -> [Table; 3] {
        let columns = [Column::number("games"), Column::number("score"), Column::text("after")];
        let mut gaps = Table::new("missing", &columns);
        for gap in self.gaps().iter().take(self.limit()) {
            gaps.rows.push(vec![
                numbered(&self.position(gap.node), gap.played.m),
                gap.played.games.to_string(),
                score(gap.played.half_points, gap.played.decided)
                    .map(|score| format!("{score:.1}%"))
                    .unwrap_or_default(),
                self.line(gap.node),
            ]);
        }
        let mut unplayed = Table::new("unplayed", &[Column::text("after")]);
        for (node, m) in self.survey.unplayed().into_iter().take(self.limit()) {
            unplayed.rows.push(vec![numbered(&self.position(node), m), self.line(node)]);
        }
        let columns = [Column::number("game"), Column::text("players"), Column::text("file")];
        let mut leaving = Table::new("leaves by", &columns);
        for game in self.leaving {
            leaving.rows.push(vec![
                game.san.clone(),
                (game.number + 1).to_string(),
                game.players.clone(),
                game.file.display().to_string(),
            ]);
        }
        [gaps, unplayed, leaving]
    }

    fn gaps(&self) -> Vec<scoresheet::reports::repertoire::Gap> {
        self.survey.gaps(self.arguments.side.map(Side::color), self.arguments.min_games)
    }

    fn lines(&self) -> Vec<Value> {
        let mut lines = Vec::new();
        for gap in self.gaps().iter().take(self.limit()) {
            let position = self.position(gap.node);
            lines.push(json!({
                "kind": "missing",
                "line": self.line(gap.node),
                "fen": position.to_fen(),
                "uci": position.engine_move(gap.played.m).to_string(),
                "san": San::new(&position, gap.played.m).to_string(),
                "games": gap.played.games,
                "score": score(gap.played.half_points, gap.played.decided),
            }));
        }
        for (node, m) in self.survey.unplayed().into_iter().take(self.limit()) {
            let position = self.position(node);
            lines.push(json!({
                "kind": "unplayed",
                "line": self.line(node),
                "fen": position.to_fen(),
                "uci": position.engine_move(m).to_string(),
                "san": San::new(&position, m).to_string(),
            }));
        }
        for game in self.leaving {
            let side = if game.side == Color::White { "white" } else { "black" };
            lines.push(json!({
                "kind": "leaves",
                "file": game.file.display().to_string(),
                "game": game.number + 1,
                "players": game.players,
                "ply": game.ply,
                "move": game.san,
                "by": side,
            }));
        }
        let counts = self.survey.counts();
        lines.push(json!({
            "kind": "games",
            "games": counts.games,
            "stay": counts.stay,
            "left_by_white": counts.left_by_white,
            "left_by_black": counts.left_by_black,
            "elsewhere": counts.apart,
        }));
        lines
    }
}

#[allow(clippy::cast_precision_loss, reason = "no base has so many games")]
fn score(half_points: u64, decided: u64) -> Option<f64> {
    (decided > 0).then(|| half_points as f64 * 50.0 / decided as f64)
}
