//! `scoresheet tree`

use std::io::Write;

use scoresheet::chess_core::{Color, Position};
use scoresheet::filter::PositionPattern;
use scoresheet::pgn::San;
use scoresheet::tree::{Branch, Explorer, Stats};
use serde_json::{Map, Value, json};

use crate::args::Tree;
use crate::exit::{Done, Failure, Verbosity, say};
use crate::inputs;
use crate::json;
use crate::output::Paged;
use crate::progress::Bar;
use crate::style::{Bold, colours};

pub(crate) fn run(arguments: &Tree, verbosity: Verbosity) -> Result<Done, Failure> {
    let mut filter = arguments.selection.filter()?;
    let mut roots = std::mem::take(&mut filter.positions);
    let lines = std::mem::take(&mut filter.lines);
    roots.extend(lines.iter().map(|line| PositionPattern::exact(line.end())));
    if roots.len() > 1 {
        return Err(Failure::Usage("a tree has one root: one --position, or one --moves".into()));
    }
    let root = roots.pop().unwrap_or_else(|| PositionPattern::exact(&Position::start()));
    let mut explorer = Explorer::new(root).filter(filter).depth(arguments.depth.into());
    let files = inputs::expand(&arguments.files)?;
    let mut done = Done::WELL;
    for file in &files {
        let mut bar = Bar::new(verbosity);
        let opened = inputs::open(file, None, &arguments.reading.options());
        let read = opened.and_then(|mut base| {
            inputs::tell_odd(&base, verbosity);
            done.damage |= base.is_damaged();
            explorer.run(&mut base, &mut |p| bar.set(p))
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
    let mut out = if arguments.json { Paged::text() } else { Paged::table() };
    let view = View { limit: arguments.limit.unwrap_or(usize::MAX), bold: colours() };
    if arguments.json {
        let mut object = stats_json(&tree.stats, tree.position.turn());
        object.insert("fen".into(), tree.position.to_fen().into());
        object.insert("seen".into(), tree.seen.into());
        let moves = view.branches_json(&tree.branches, &tree.position);
        object.insert("moves".into(), moves);
        json::line(&mut out, &object)?;
    } else if tree.stats.games > 0 {
        view.write(&tree, &mut out)?;
    }
    out.finish()?;
    let (games, seen) = (tree.stats.games, tree.seen);
    verbosity.say(format_args!("{games} of {seen} game{}", if seen == 1 { "" } else { "s" }));
    if tree.damaged > 0 {
        verbosity.say(format_args!("{} are damaged, and count as far as they go", tree.damaged));
    }
    done.refusals |= tree.damaged > 0 && tree.damaged >= seen;
    done.found_nothing = games == 0;
    Ok(done.damaged(tree.damaged > 0))
}

/// How a tree is shown.
struct View {
    /// So many moves after each position.
    limit: usize,
    bold: bool,
}

impl View {
    fn write(&self, tree: &scoresheet::tree::Tree, out: &mut dyn Write) -> std::io::Result<()> {
        let title = format!("{:<18} {:>9}", "move", "games");
        let head = format!("{title}      %  White   draw  Black   Elo  perf  years");
        writeln!(out, "{}", Bold(head, self.bold))?;
        let all = tree.stats.games;
        let mut waiting = vec![(self.first(&tree.branches), 0usize, tree.position)];
        while let Some((branches, depth, position)) = waiting.pop() {
            let Some((branch, rest)) = branches.split_first() else { continue };
            let before = before(branch, &position);
            let mut after = before;
            after.apply(branch.m);
            let name =
                format!("{:indent$}{}", "", numbered(branch, &before), indent = indent(depth));
            writeln!(out, "{}", row(&name, &branch.stats, all))?;
            waiting.push((rest, depth, position));
            waiting.push((self.first(&branch.branches), depth.saturating_add(1), after));
        }
        let total = row("all", &tree.stats, all);
        writeln!(out, "{}", Bold(total, self.bold))
    }

    fn first<'a>(&self, branches: &'a [Branch]) -> &'a [Branch] {
        branches.get(..self.limit).unwrap_or(branches)
    }

    fn branches_json(&self, branches: &[Branch], position: &Position) -> Value {
        let object = |branch: &Branch| -> Value {
            let before = before(branch, position);
            let mut after = before;
            after.apply(branch.m);
            let mut object = stats_json(&branch.stats, before.turn());
            object.insert("move".into(), San::new(&before, branch.m).as_str().into());
            object.insert("uci".into(), before.engine_move(branch.m).to_string().into());
            object.insert("moves".into(), self.branches_json(&branch.branches, &after));
            object.into()
        };
        self.first(branches).iter().map(object).collect()
    }
}

/// Deep moves are indented no further than so.
fn indent(depth: usize) -> usize {
    depth.min(4).saturating_mul(2)
}

/// The board before a move, with its side to move, where the question left that open.
fn before(branch: &Branch, position: &Position) -> Position {
    let mut before = *position;
    let mover = branch.mover(position);
    if mover != position.turn() {
        before.set_turn(mover);
    }
    before
}

/// `3. Nf3`, `3... Nf6`
fn numbered(branch: &Branch, before: &Position) -> String {
    let dots = if before.turn() == Color::White { "." } else { "..." };
    let number = before.fullmove_number();
    format!("{number}{dots} {}", San::new(before, branch.m).as_str())
}

fn row(name: &str, stats: &Stats, all: u64) -> String {
    let percent = |part: u64, of: u64, places: usize| match of {
        0 => String::new(),
        #[allow(clippy::cast_precision_loss, reason = "no base has so many games")]
        of => format!("{:.places$}%", part as f64 * 100.0 / of as f64),
    };
    let decided = stats.white.saturating_add(stats.draws).saturating_add(stats.black);
    let number = |number: Option<u32>| number.map(|n| n.to_string()).unwrap_or_default();
    let years = match (stats.first_year, stats.last_year) {
        (Some(first), Some(last)) if first != last => format!("{first}–{last}"),
        (Some(year), _) => year.to_string(),
        _ => String::new(),
    };
    let line = format!(
        "{name:<18} {:>9} {:>6} {:>6} {:>6} {:>6}  {:>4}  {:>4}  {years}",
        stats.games,
        percent(stats.games, all, 1),
        percent(stats.white, decided, 1),
        percent(stats.draws, decided, 1),
        percent(stats.black, decided, 1),
        number(stats.elo()),
        number(stats.performance()),
    );
    line.trim_end().to_owned()
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
