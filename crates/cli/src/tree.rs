//! `scoresheet tree`

use commands::Tree;
use pages::numbers::{games, grouped};
use pages::text;
use pages::{Column, Table};
use scoresheet::chess_core::{Color, Move, Position};
use scoresheet::filter::{Filter, PositionPattern};
use scoresheet::openings::Opening;
use scoresheet::pgn::San;
use scoresheet::tree::{Branch, Explorer, Stats};
use serde_json::{Map, Value, json};

use crate::exit::{Done, Failure, Verbosity, say};
use crate::inputs;
use crate::json;
use crate::output::Paged;
use crate::progress::Bar;
use crate::sample::Filters;
use crate::select;
use crate::style::{colours, terminal_width};

pub(crate) fn run(arguments: &Tree, verbosity: Verbosity) -> Result<Done, Failure> {
    let mut filter = arguments.selection.filter()?;
    let of_matches = arguments.from.is_some();
    let explorer = if of_matches {
        if !filter.asks_positions() {
            let message = "--from match needs a criterion on positions, as --pattern or --cql";
            return Err(Failure::Usage(message.into()));
        }
        Explorer::of_matches()
    } else {
        Explorer::new(root(&mut filter)?)
    };
    let files = inputs::expand(&arguments.files)?;
    let options = arguments.reading.options();
    let filters = Filters::sampled(filter, arguments.sampling, &files, None, &options)?;
    let mut explorer = explorer.depth(arguments.depth.into());
    let mut done = Done::WELL;
    for (number, file) in files.iter().enumerate() {
        explorer = explorer.filter(filters.of_input(number).clone());
        let opened = inputs::open_to_search(file, &options, &arguments.finding, verbosity);
        let mut bar = Bar::new(verbosity);
        let read = opened.and_then(|mut base| {
            inputs::report_odd(&base, verbosity);
            done.damage |= base.is_damaged();
            explorer.run(&mut base, &mut |p| bar.set(p))?;
            let _ = inputs::accept_read(&base, false, verbosity);
            Ok(())
        });
        drop(bar);
        match read {
            Err(error) if files.len() > 1 => {
                say(format_args!("scoresheet: {error}"));
                done.refusals = true;
            }
            read => read?,
        }
    }
    let tree = explorer.finish();
    let filter = filters.all();
    select::report_undecided(filter, verbosity);
    select::report_missing(filter, tree.seen, verbosity);
    let mut out = if arguments.json { Paged::text() } else { Paged::table() };
    let view = View { limit: arguments.limit.unwrap_or(usize::MAX), of_matches };
    if arguments.json {
        let mut object = stats_json(&tree.stats, tree.position.turn());
        if of_matches {
            // The positions differ, and so does the side to move.
            object.retain(|name, _| !["score", "performance"].contains(&name.as_str()));
        } else {
            object.insert("fen".into(), tree.position.to_fen().into());
            insert_opening(&mut object, &tree.position);
        }
        object.insert("seen".into(), tree.seen.into());
        if filter.undecided() > 0 {
            object.insert("undecided".into(), filter.undecided().into());
        }
        view.insert_moves(&mut object, &tree.branches, &tree.position);
        json::line(&mut out, &object)?;
    } else if tree.stats.games > 0 {
        text::write_table(&view.table(&tree), terminal_width(), colours(), &mut out)?;
    }
    out.finish()?;
    let (found, seen) = (tree.stats.games, tree.seen);
    verbosity.say(format_args!("{} of {}", grouped(found), games(seen)));
    if tree.damaged > 0 {
        let is = if tree.damaged == 1 { "is" } else { "are" };
        let damaged = games(tree.damaged);
        verbosity.say(format_args!("{damaged} {is} damaged; the moves before the damage count"));
    }
    done.refusals |= tree.damaged > 0 && tree.damaged >= seen;
    done.found_nothing = found == 0;
    if done.found_nothing {
        let bases = (&*files, &arguments.reading);
        select::report_names(&arguments.selection, None, bases, 0, verbosity);
    }
    Ok(done.damaged(tree.damaged > 0))
}

const COLUMNS: [Column; 9] = [
    Column::number("games"),
    Column::number("%"),
    Column::number("White"),
    Column::number("draw"),
    Column::number("Black"),
    Column::number("Elo"),
    Column::number("perf"),
    Column::text("years"),
    Column::text("opening"),
];

/// Options for displaying a tree.
struct View {
    /// The most moves shown after each position.
    limit: usize,
    /// Whether the tree begins at different positions.
    of_matches: bool,
}

impl View {
    fn table(&self, tree: &scoresheet::tree::Tree) -> Table {
        let mut table = Table::new("move", &COLUMNS);
        table.dispensable = &["years", "perf", "Elo"];
        table.has_total = true;
        let all = tree.stats.games;
        // The last field of an entry is the number of its siblings shown so far.
        let mut waiting = vec![(tree.branches.as_slice(), 0usize, tree.position, 0usize)];
        while let Some((branches, depth, position, shown)) = waiting.pop() {
            let Some((branch, rest)) = branches.split_first() else { continue };
            if shown >= self.limit {
                let games: u64 = branches.iter().map(|branch| branch.stats.games).sum();
                let name =
                    format!("{:indent$}… {} more", "", branches.len(), indent = indent(depth));
                table.rows.push(vec![name, games.to_string(), percent(games, all, 1)]);
                continue;
            }
            let before = before(branch, &position);
            let mut after = before;
            after.apply(branch.m);
            let name = self.name(branch, &before);
            let name = format!("{:indent$}{name}", "", indent = indent(depth));
            let opening = Opening::at(&after).filter(|_| !self.of_matches);
            table.rows.push(row(name, &branch.stats, all, opening));
            waiting.push((rest, depth, position, shown.saturating_add(1)));
            waiting.push((&branch.branches, depth.saturating_add(1), after, 0));
        }
        let opening = Opening::at(&tree.position).filter(|_| !self.of_matches);
        table.rows.push(row("all".to_owned(), &tree.stats, all, opening));
        table
    }

    /// Formats `3. Nf3`, or `...Nf6` without a number where the positions differ.
    fn name(&self, branch: &Branch, before: &Position) -> String {
        if !self.of_matches {
            return numbered(branch, before);
        }
        let dots = if before.turn() == Color::White { "" } else { "..." };
        format!("{dots}{}", plain_san(before, branch.m).as_str())
    }

    /// Inserts the moves of a position, and how many the limit leaves out.
    fn insert_moves(
        &self,
        object: &mut Map<String, Value>,
        branches: &[Branch],
        position: &Position,
    ) {
        object.insert("moves".into(), self.branches_json(branches, position));
        let more = branches.len().saturating_sub(self.limit);
        if more > 0 {
            object.insert("moves_left_out".into(), more.into());
        }
    }

    fn branches_json(&self, branches: &[Branch], position: &Position) -> Value {
        let object = |branch: &Branch| -> Value {
            let before = before(branch, position);
            let mut after = before;
            after.apply(branch.m);
            let mut object = stats_json(&branch.stats, before.turn());
            if self.of_matches {
                object.insert("move".into(), plain_san(&before, branch.m).as_str().into());
                let turn = if before.turn() == Color::White { "white" } else { "black" };
                object.insert("turn".into(), turn.into());
            } else {
                object.insert("move".into(), San::new(&before, branch.m).as_str().into());
                object.insert("uci".into(), before.engine_move(branch.m).to_string().into());
                insert_opening(&mut object, &after);
            }
            self.insert_moves(&mut object, &branch.branches, &after);
            object.into()
        };
        branches.iter().take(self.limit).map(object).collect()
    }
}

/// Returns the indentation for a depth. Moves deeper than 4 are indented no further.
fn indent(depth: usize) -> usize {
    depth.min(4).saturating_mul(2)
}

/// Returns the position before a move. The side to move comes from the move if the query left it
/// open.
fn before(branch: &Branch, position: &Position) -> Position {
    let mut before = branch.before.as_deref().copied().unwrap_or(*position);
    let mover = branch.mover(&before);
    if mover != before.turn() {
        before.set_turn(mover);
    }
    before
}

/// Returns the first position of a tree: the position of the criteria, or else the start position.
fn root(filter: &mut Filter) -> Result<PositionPattern, Failure> {
    if filter.mirrored.asks_position() {
        let message = "a mirrored position is no single one; write --from match";
        return Err(Failure::Usage(message.into()));
    }
    let mut roots = std::mem::take(&mut filter.positions);
    let lines = std::mem::take(&mut filter.lines);
    roots.extend(lines.iter().map(|line| PositionPattern::exact(line.end())));
    if roots.len() > 1 {
        return Err(Failure::Usage("use one --position or one --moves, not both".into()));
    }
    Ok(roots.pop().unwrap_or_else(|| PositionPattern::exact(&Position::start())))
}

/// Formats a move without what depends on the rest of the board.
fn plain_san(before: &Position, m: Move) -> San {
    let mut board = Position::empty();
    board.set_turn(before.turn());
    for square in [m.from(), m.to()] {
        board.set(square, before.piece_at(square));
    }
    if before.castling_side(m).is_some() {
        board.allow_castling(m.to());
    }
    board.set_en_passant(before.en_passant());
    San::without_check(&board, m)
}

/// Formats `3. Nf3` or `3... Nf6`.
fn numbered(branch: &Branch, before: &Position) -> String {
    let dots = if before.turn() == Color::White { "." } else { "..." };
    let number = before.fullmove_number();
    format!("{number}{dots} {}", San::new(before, branch.m).as_str())
}

pub(crate) fn percent(part: u64, of: u64, places: usize) -> String {
    match of {
        0 => String::new(),
        #[allow(clippy::cast_precision_loss, reason = "no base has so many games")]
        of => format!("{:.places$}%", part as f64 * 100.0 / of as f64),
    }
}

/// Returns the cells of a row, with the name of the opening, if there is one.
fn row(name: String, stats: &Stats, all: u64, opening: Option<Opening>) -> Vec<String> {
    let decided = stats.white.saturating_add(stats.draws).saturating_add(stats.black);
    let number = |number: Option<u32>| number.map(|n| n.to_string()).unwrap_or_default();
    let years = match (stats.first_year, stats.last_year) {
        (Some(first), Some(last)) if first != last => format!("{first}–{last}"),
        (Some(year), _) => year.to_string(),
        _ => String::new(),
    };
    vec![
        name,
        stats.games.to_string(),
        percent(stats.games, all, 1),
        percent(stats.white, decided, 1),
        percent(stats.draws, decided, 1),
        percent(stats.black, decided, 1),
        number(stats.elo()),
        number(stats.performance()),
        years,
        opening.map(Opening::name).unwrap_or_default().to_owned(),
    ]
}

/// Inserts the code and the name of the opening at `position`, or null.
fn insert_opening(object: &mut Map<String, Value>, position: &Position) {
    let value =
        |opening: Opening| json!({"eco": opening.eco().to_string(), "name": opening.name()});
    object.insert("opening".into(), Opening::at(position).map(value).into());
}

fn stats_json(stats: &Stats, turn: Color) -> Map<String, Value> {
    let members = [
        ("games", json!(stats.games)),
        ("white", json!(stats.white)),
        ("draws", json!(stats.draws)),
        ("black", json!(stats.black)),
        ("score", json!(stats.score(turn))),
        ("elo", json!(stats.elo())),
        ("performance", json!(stats.performance())),
        ("years", json!(stats.first_year.zip(stats.last_year).map(|(first, last)| [first, last]))),
    ];
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
