//! A query ready to search, and the search of one game.

use std::cmp::Ordering;
use std::sync::Arc;

use chess_core::{Bitboard, Game};
use regex::Regex;

use crate::balance::Balance;
use crate::bounds::{Condition, Finder, all};
use crate::error::{Error, ErrorKind, Result, Warning};
use crate::eval::{Eval, SortValue, State, Value};
use crate::explain::Explained;
use crate::expr::{Expr, Find, Kind, Memo, Men, MoveSource, MoveValue, Operator, Sequence, Type};
use crate::layouts::Layouts;
use crate::limits::Limits;
use crate::line::{NONE, Needs};
use crate::parser::{self, Parameters, SortKey, Use, Variable};
use crate::transform::{Budget, expand};

/// A query, parsed and checked. Cloning is cheap, and threads may share it.
#[derive(Clone, Debug)]
pub struct Query(Arc<Compiled>);

#[derive(Debug)]
struct Compiled {
    text: String,
    limits: Limits,
    parameters: Parameters,
    /// Filters whose result is the same at every position. They are tested once for each game.
    constant: Vec<Expr>,
    filters: Vec<Expr>,
    variables: Vec<Variable>,
    regexes: Vec<Regex>,
    fields: Vec<String>,
    sorts: Vec<SortKey>,
    warnings: Vec<Warning>,
    bounds: Condition,
    needs: Needs,
    /// Whether the first position that matches decides.
    first_decides: bool,
    /// Whether only the start position can match.
    start_only: bool,
    /// Whether the answer for a game depends on the games before it.
    needs_order: bool,
    tables: Tables,
    /// The number of `nestban`.
    bans: u16,
}

impl Query {
    /// Parses a query with the default limits.
    ///
    /// # Errors
    /// The first error of the text, with its place.
    pub fn parse(text: &str) -> Result<Query> {
        Query::parse_with(text, &Limits::default())
    }

    /// Parses a query.
    ///
    /// # Errors
    /// The first error of the text with its place, or the limit that is exceeded.
    pub fn parse_with(text: &str, limits: &Limits) -> Result<Query> {
        let mut parsed = parser::parse(text, limits)?;
        let copies = limits.filters.saturating_mul(20);
        let (mut budget, mut idle) = (Budget { filters: limits.filters, copies }, Vec::new());
        for filter in &mut parsed.filters {
            if expand(filter, &mut budget, &mut idle).is_none() {
                let message = format!(
                    "the transforms make more than {} filters (Limits::filters)",
                    limits.filters
                );
                return Err(Error::at(ErrorKind::Limit, text, filter.start, message));
            }
        }
        let mut warnings = parsed.warnings;
        for place in idle {
            let rest = text.get(place..).unwrap_or_default();
            let word = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            warnings.push(Warning::new(text, place, format!("{word} changes nothing here")));
        }
        let mut filters = parsed.filters;
        let parameters = parsed.parameters;
        let has_effects = filters.iter().any(Expr::has_effects);
        let persistent = |slot: u16| {
            parsed.variables.get(usize::from(slot)).is_some_and(|variable| variable.persistent)
        };
        // Messages and persistent variables count games that do not match.
        let counts = |filter: &Expr| {
            filter.any(&|kind| match kind {
                Kind::Note { message, .. } => *message,
                Kind::Assign(assign) => persistent(assign.slot),
                _ => false,
            })
        };
        let bounds = bounds(&filters, counts, &parameters, &parsed.fields, text, &mut warnings);
        filters.iter_mut().for_each(simplify);
        if !has_effects {
            filters.iter_mut().for_each(order);
            filters.sort_by_key(cost);
        }
        let counts_last = only_counts(&filters, &persistent) && parameters.match_count.is_none();
        let decides_by_counters =
            parsed.variables.iter().any(|variable| variable.persistent) && !counts_last;
        let mut tables = Tables::default();
        filters.iter_mut().for_each(|filter| memoize(filter, &mut tables));
        let first_effect = filters.iter().position(Expr::has_effects).unwrap_or(filters.len());
        let after = filters.split_off(first_effect);
        let (constant, mut rest): (Vec<Expr>, Vec<Expr>) =
            filters.into_iter().partition(Expr::is_constant);
        rest.extend(after);
        let any =
            |condition: &dyn Fn(&Kind) -> bool| rest.iter().any(|filter| filter.any(condition));
        let needs = Needs {
            variations: parameters.variations,
            comments: any(&|kind| matches!(kind, Kind::Comment)),
            identities: any(&|kind| matches!(kind, Kind::Each(each) if each.piece)),
        };
        let first_decides =
            !has_effects && parameters.match_count.is_none() && !parameters.sort_by_count;
        let start_only = !has_effects && rest.iter().any(|filter| filter.kind == Kind::Initial);
        let needs_order = parameters.game_number.is_some()
            || constant
                .iter()
                .chain(&rest)
                .any(|filter| filter.any(&|kind| matches!(kind, Kind::GameNumber)))
            || decides_by_counters;
        Ok(Query(Arc::new(Compiled {
            text: text.to_owned(),
            limits: *limits,
            parameters,
            constant,
            filters: rest,
            variables: parsed.variables,
            regexes: parsed.regexes,
            fields: parsed.fields,
            sorts: parsed.sorts,
            warnings,
            bounds,
            needs,
            first_decides,
            start_only,
            needs_order,
            tables,
            bans: parsed.bans,
        })))
    }

    /// Returns the text of the query.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// Returns what is valid and probably not meant, in the order of detection.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.0.warnings
    }

    /// Returns what a game must have so that the query can match. [`Condition::Never`] means that no
    /// game matches, and a warning says why.
    #[must_use]
    pub fn bounds(&self) -> &Condition {
        &self.0.bounds
    }

    /// Returns the query with all braces written and all transforms spelled out: one filter a line, in
    /// the order of evaluation. It shows how a query is read.
    #[must_use]
    pub fn explain(&self) -> String {
        let query = &*self.0;
        let lines = query.constant.iter().chain(&query.filters).map(|expr| {
            let (variables, fields, regexes) = (&query.variables, &query.fields, &query.regexes);
            Explained { expr, variables, fields, regexes }.to_string()
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Returns whether the answer for a game depends on its place among the games: the query has
    /// `gamenumber`, or persistent variables that are more than counters. Counters stand last, and no
    /// filter reads them or fails after them, so games that do not match change none.
    #[must_use]
    pub fn needs_order(&self) -> bool {
        self.0.needs_order
    }

    /// Returns whether the positions of variations are searched too.
    #[must_use]
    pub fn has_variations(&self) -> bool {
        self.0.needs.variations
    }

    /// Returns whether the query has messages.
    #[must_use]
    pub fn has_messages(&self) -> bool {
        let is_message = |kind: &Kind| matches!(kind, Kind::Note { message: true, .. });
        self.0.filters.iter().any(|filter| filter.any(&is_message))
    }

    /// Returns whether the query has persistent variables.
    #[must_use]
    pub fn has_counters(&self) -> bool {
        self.0.variables.iter().any(|variable| variable.persistent)
    }

    /// Returns the keys by which the games found are sorted, the first one first.
    #[must_use]
    pub fn sort_keys(&self) -> &[SortKey] {
        &self.0.sorts
    }

    /// Compares two games found by their sort values. Equal games keep the order of their numbers.
    #[must_use]
    pub fn compare(&self, a: &[Option<SortValue>], b: &[Option<SortValue>]) -> Ordering {
        let keys = self.0.sorts.iter().zip(a.iter().zip(b));
        keys.fold(Ordering::Equal, |order, (key, (a, b))| {
            order.then_with(|| if key.lowest_first { a.cmp(b) } else { b.cmp(a) })
        })
    }

    /// Creates a search with its buffers. Each thread needs one of its own.
    #[must_use]
    pub fn searcher(&self) -> Searcher {
        let query = &*self.0;
        let mut state = State::default();
        state.variables = query.variables.iter().map(first_value).collect();
        state.fields = vec![None; query.fields.len()];
        state.found = vec![Vec::new(); usize::from(query.tables.finds)];
        state.dead = vec![Vec::new(); usize::from(query.tables.sequences)];
        state.gates = vec![None; usize::from(query.tables.sequences)];
        state.of_pawns = vec![None; usize::from(query.tables.of_pawns)];
        state.bans = vec![None; usize::from(query.bans)];
        Searcher { query: self.clone(), state, next: 1, hits: Vec::new(), values: Vec::new() }
    }
}

/// Whether persistent variables are assigned only where every filter from there on matches, and are not
/// read.
fn only_counts(filters: &[Expr], persistent: &dyn Fn(u16) -> bool) -> bool {
    let reads = |kind: &Kind| matches!(kind, Kind::Variable(slot, _) if persistent(*slot));
    let assigns = |kind: &Kind| matches!(kind, Kind::Assign(assign) if persistent(assign.slot));
    let first = filters.iter().position(|filter| filter.any(&assigns)).unwrap_or(filters.len());
    !filters.iter().any(|filter| filter.any(&reads))
        && filters.iter().skip(first).all(always_matches)
}

/// Whether a filter matches at every position, as far as its form tells.
fn always_matches(filter: &Expr) -> bool {
    let has_value = |value: &Expr| {
        matches!(value.kind, Kind::Number(_) | Kind::Men(_) | Kind::Ply | Kind::MoveNumber)
    };
    match &filter.kind {
        Kind::Constant(value) => *value,
        Kind::Note { .. } => true,
        Kind::Assign(assign) => {
            let adds = matches!(assign.operator, None | Some(Operator::Add | Operator::Subtract));
            adds && has_value(&assign.value)
        }
        Kind::Sort { value, .. } => has_value(value),
        Kind::If(parts) => always_matches(&parts.1) && parts.2.as_ref().is_none_or(always_matches),
        Kind::Block(list) | Kind::And(list) => list.iter().all(always_matches),
        Kind::Protected(body) => always_matches(body),
        _ => false,
    }
}

/// A persistent number begins with 0 and a text with nothing. Other variables have no value.
fn first_value(variable: &Variable) -> Option<Value> {
    match variable.use_as {
        Use::Value(Type::Number) if variable.persistent => Some(Value::Number(0)),
        Use::Value(Type::Text) if variable.persistent => Some(Value::Text(String::new())),
        _ => None,
    }
}

fn bounds(
    filters: &[Expr],
    counts: impl Fn(&Expr) -> bool,
    parameters: &Parameters,
    fields: &[String],
    text: &str,
    warnings: &mut Vec<Warning>,
) -> Condition {
    let mut finder = Finder { fields, contradictions: Vec::new() };
    // Filters stop at the first that fails, so those before a counter decide what it counts.
    let deciding: Vec<&Expr> = filters.iter().take_while(|filter| !counts(filter)).collect();
    let all_decide = deciding.len() == filters.len();
    let mut list = vec![finder.together(&deciding)];
    list.extend(parameters.result.map(Condition::Result));
    if let Some((low, _)) = parameters.match_count.filter(|_| all_decide) {
        let min = u32::try_from(low.saturating_sub(1)).unwrap_or_default();
        // The positions of variations count too.
        if min > 0 && !parameters.variations {
            list.push(Condition::HalfMoves { min });
        }
    }
    let bounds = all(list);
    for (first, second) in finder.contradictions {
        let place = crate::error::Place::of(text, first);
        let message = format!(
            "this never matches together with the filter of line {}, column {}",
            place.line, place.column
        );
        if !warnings.iter().any(|known| known.place.offset == second && known.message == message) {
            warnings.push(Warning::new(text, second, message));
        }
    }
    if bounds == Condition::Never {
        warnings.push(Warning::new(text, 0, "the query can never match"));
    }
    bounds
}

/// Finds comparisons and variants that have a form of their own.
fn simplify(expr: &mut Expr) {
    expr.children_mut().into_iter().for_each(simplify);
    match &mut expr.kind {
        Kind::Compare(compare) => compare.balance = Balance::of(compare),
        Kind::Variants { count: false, list, layouts } => {
            *layouts = Layouts::of(list).map(Box::new);
        }
        _ => {}
    }
}

/// Puts cheap filters first where the order changes nothing. A block has the value of its
/// last filter, which stays.
fn order(expr: &mut Expr) {
    expr.children_mut().into_iter().for_each(order);
    match &mut expr.kind {
        Kind::Block(list) => {
            let test = list.last().is_some_and(|last| last.ty() == Type::Test);
            let end = if test { list.len() } else { list.len().saturating_sub(1) };
            if let Some(front) = list.get_mut(..end) {
                front.sort_by_key(cost);
            }
        }
        Kind::And(list) | Kind::Or(list) => list.sort_by_key(cost),
        // The intersection with an empty set is not evaluated.
        Kind::Inter(pair) if cost(&pair.1) < cost(&pair.0) => {
            let (a, b) = &mut **pair;
            std::mem::swap(a, b);
        }
        _ => {}
    }
}

/// About how long an evaluation takes, in units of a designator.
fn cost(expr: &Expr) -> u64 {
    let own = match &expr.kind {
        Kind::Compare(compare) if compare.balance.is_some() => return 2,
        Kind::Variants { layouts: Some(layouts), .. } => return layouts.cost(),
        Kind::Check | Kind::Mate => 3,
        Kind::Stalemate => 10,
        Kind::Attacks(_) | Kind::AttackedBy(_) => 4,
        Kind::Ray { .. } => 10,
        Kind::Pin(_) => 40,
        Kind::Pawns(_) => 5,
        Kind::Matches(..) => 20,
        Kind::Contains(..) => 5,
        Kind::Move(m) => match m.source {
            MoveSource::Played | MoveSource::Previous if m.value == MoveValue::Test => 3,
            MoveSource::Played | MoveSource::Previous => 4,
            MoveSource::Legal => 200,
            MoveSource::PseudoLegal => 400,
        },
        Kind::Find(_) => 300,
        Kind::Sequence(_) => 20,
        Kind::Each(_) => 20,
        _ => 1,
    };
    expr.children().into_iter().fold(own, |sum, child| cost(child).saturating_add(sum))
}

/// The most filters of a kind with tables of results.
const MAX_TABLES: u16 = 64;

/// Numbers of filters whose results are kept.
#[derive(Clone, Copy, Debug, Default)]
struct Tables {
    finds: u16,
    sequences: u16,
    of_pawns: u16,
}

/// The least [`cost`] of a filter of pawns that is worth a comparison of the pawns.
const WORTH_KEEPING: u64 = 6;

/// Gives tables to filters that depend on the position only, or on its pawns.
fn memoize(expr: &mut Expr, tables: &mut Tables) {
    if tables.of_pawns < MAX_TABLES && cost(expr) >= WORTH_KEEPING && expr.is_of_pawns() {
        let Expr { start, end, height, .. } = *expr;
        let empty = Expr { kind: Kind::Constant(true), start, end, height };
        let body = Box::new(std::mem::replace(expr, empty));
        expr.kind = Kind::OfPawns(tables.of_pawns, body);
        tables.of_pawns = tables.of_pawns.saturating_add(1);
        return;
    }
    let pure = matches!(expr.kind, Kind::Find(_) | Kind::Sequence(_)) && expr.is_pure();
    if let Kind::Find(find) = &mut expr.kind {
        find.of_pawns = find.what.is_of_pawns();
    }
    let (memo, count) = match &mut expr.kind {
        Kind::Find(find) if !find.backward => (&mut find.memo, &mut tables.finds),
        Kind::Sequence(sequence) => {
            if pure && tables.sequences < MAX_TABLES && !sequence.backward {
                sequence.gate = gate(sequence);
            }
            (&mut sequence.memo, &mut tables.sequences)
        }
        _ => return memoize_children(expr, tables),
    };
    if pure && *count < MAX_TABLES {
        *memo = Memo(Some(*count));
        *count = count.saturating_add(1);
    } else if let Kind::Find(find) = &mut expr.kind
        && !find.all
        && tables.finds < MAX_TABLES
        && let Some(mut gate) = find_gate(&find.what)
    {
        memoize(&mut gate, tables);
        find.gate = Some(gate);
    }
    memoize_children(expr, tables);
}

/// Returns a search for the parts of a filter that are without variables, if it has such parts and others.
fn find_gate(what: &Expr) -> Option<Expr> {
    fn collect(expr: &Expr, parts: &mut Vec<Expr>) {
        if expr.is_pure() {
            return parts.push(expr.clone());
        }
        match &expr.kind {
            Kind::Inter(pair) | Kind::Attacks(pair) | Kind::AttackedBy(pair) => {
                collect(&pair.0, parts);
                collect(&pair.1, parts);
            }
            Kind::And(list) | Kind::Block(list) => {
                list.iter().for_each(|part| collect(part, parts));
            }
            Kind::Protected(body) => collect(body, parts),
            _ => {}
        }
    }
    let mut parts = Vec::new();
    if what.has_effects() {
        return None;
    }
    collect(what, &mut parts);
    let first = parts.first()?;
    let (start, end, height) = (first.start, first.end, what.height);
    let of = |kind| Expr { kind, start, end, height };
    let what = of(Kind::And(parts));
    let (backward, all, range, memo, gate, of_pawns) =
        (false, false, None, Memo(None), None, false);
    Some(of(Kind::Find(Box::new(Find { backward, all, range, what, memo, gate, of_pawns }))))
}

/// Returns a state whose item every match has, preferably one that few positions fulfil.
fn gate(sequence: &Sequence) -> Option<usize> {
    let rarity = |expr: &Expr| match &expr.kind {
        Kind::Men(men) if men.kinds == Men::ANY => 0,
        Kind::Mate | Kind::Stalemate => 3,
        Kind::Check | Kind::Move(_) => 2,
        _ => 1,
    };
    let machine = &sequence.machine;
    let atoms = sequence.atoms.iter().enumerate();
    let required = atoms.filter(|(atom, (_, expr))| rarity(expr) > 0 && machine.requires(*atom));
    let (rarest, _) = required.max_by_key(|(_, (_, expr))| rarity(expr))?;
    machine.atoms.iter().position(|atom| *atom == rarest)
}

fn memoize_children(expr: &mut Expr, tables: &mut Tables) {
    for child in expr.children_mut() {
        memoize(child, tables);
    }
}

/// Searches games for a query. Its buffers are reused from game to game.
#[derive(Debug)]
pub struct Searcher {
    query: Query,
    state: State,
    next: i64,
    hits: Vec<Hit>,
    values: Vec<Option<SortValue>>,
}

/// A position that matches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub struct Hit {
    /// The number of the position in the order of the file, with variations if the query has them.
    /// The start position is 0.
    pub position: u32,
    /// Half-moves since the start of the game.
    pub ply: u32,
    /// In how many variations the position lies: 0 in the main line.
    pub depth: u32,
}

/// A game that matches.
#[derive(Clone, Copy, Debug)]
pub struct Match<'s> {
    searcher: &'s Searcher,
}

impl<'s> Match<'s> {
    /// Returns the positions that match, in the order of the file.
    #[must_use]
    pub fn hits(&self) -> &'s [Hit] {
        &self.searcher.hits
    }

    /// Returns the best value of each of the [sort keys](Query::sort_keys).
    #[must_use]
    pub fn sort_values(&self) -> &'s [Option<SortValue>] {
        &self.searcher.values
    }

    /// Iterates over the comments that the query makes, each with the number of its position.
    pub fn comments(&self) -> impl Iterator<Item = (u32, &'s str)> {
        let notes = self.searcher.state.notes.iter();
        notes.filter(|(message, ..)| !message).map(|(_, position, text)| (*position, text.as_str()))
    }
}

impl Searcher {
    /// Sets the number of the next game, for `gamenumber`. Without it, games count from 1.
    pub fn set_game_number(&mut self, number: u64) {
        self.next = i64::try_from(number).unwrap_or(i64::MAX);
    }

    /// Returns whether the game matches. The search stops at the first position that decides it,
    /// unless the query sorts, counts or has variables.
    ///
    /// # Errors
    /// The search exceeds [`Limits::work`].
    pub fn is_match(&mut self, game: &Game) -> Result<bool> {
        let first_only = self.query.0.first_decides;
        self.search(game, first_only)
    }

    /// Finds all positions of a game that match. The game is found if there is one, or as many as
    /// `matchcount` wants.
    ///
    /// # Errors
    /// The search exceeds [`Limits::work`].
    pub fn find(&mut self, game: &Game) -> Result<Option<Match<'_>>> {
        let found = self.search(game, false)?;
        Ok(found.then_some(Match { searcher: self }))
    }

    /// Returns the messages of the game that was searched last, whether it matches or not.
    pub fn messages(&self) -> impl Iterator<Item = &str> {
        let messages = self.state.notes.iter().filter(|(message, ..)| *message);
        messages.map(|(_, _, text)| text.as_str())
    }

    /// Iterates over the persistent variables and their values, except those marked `quiet`.
    pub fn persistent(&self) -> impl Iterator<Item = (&str, SortValue)> {
        let variables = self.query.0.variables.iter().zip(&self.state.variables);
        variables.filter(|(variable, _)| variable.persistent && !variable.quiet).filter_map(
            |(variable, value)| {
                let value = match value.as_ref()? {
                    Value::Number(number) => SortValue::Number(*number),
                    other => SortValue::Text(other.to_string()),
                };
                Some((variable.name.as_str(), value))
            },
        )
    }

    /// Fills `hits` and `values`. Returns whether the game is found.
    fn search(&mut self, game: &Game, first_only: bool) -> Result<bool> {
        let query = Arc::clone(&self.query.0);
        let number = self.next;
        self.next = self.next.saturating_add(1);
        self.reset(game);
        let parameters = &query.parameters;
        let outside = |range: Option<(i64, i64)>, number: i64| {
            range.is_some_and(|(low, high)| !(low..=high).contains(&number))
        };
        if outside(parameters.game_number, number)
            || parameters.result.is_some_and(|result| result != game.header.result)
        {
            return Ok(false);
        }
        let mut eval = Eval {
            game,
            game_number: number,
            regexes: &query.regexes,
            variations: query.needs.variations,
            most_work: query.limits.work,
            state: &mut self.state,
        };
        if !query.constant.iter().all(|filter| eval.test(filter)) {
            return Ok(false);
        }
        eval.state.line.fill(game, query.needs);
        let end = if query.start_only { 1 } else { eval.state.line.len() };
        for position in 0..end {
            eval.state.at = position;
            eval.state.sorts.clear();
            let matches = query.filters.iter().all(|filter| eval.test(filter));
            if eval.is_exhausted() {
                let message = format!(
                    "the search of one game needs more than {} evaluations (Limits::work)",
                    query.limits.work
                );
                return Err(Error::of_search(message));
            }
            if !matches {
                continue;
            }
            let spot = eval.state.line.spot(position);
            self.hits.push(Hit { position, ply: spot.ply, depth: spot.depth });
            for (slot, value) in eval.state.sorts.drain(..) {
                let key = query.sorts.get(usize::from(slot));
                let (Some(best), Some(key)) = (self.values.get_mut(usize::from(slot)), key) else {
                    continue;
                };
                let is_better = best.as_ref().is_none_or(|best| {
                    if key.lowest_first { value < *best } else { value > *best }
                });
                if is_better {
                    *best = Some(value);
                }
            }
            if first_only {
                return Ok(true);
            }
        }
        let count = i64::try_from(self.hits.len()).unwrap_or(i64::MAX);
        if parameters.sort_by_count
            && let Some(value) = self.values.first_mut()
        {
            *value = Some(SortValue::Number(count));
        }
        Ok(count > 0 && !outside(parameters.match_count, count))
    }

    fn reset(&mut self, game: &Game) {
        let query = &*self.query.0;
        let state = &mut self.state;
        (state.at, state.work) = (0, 0);
        for (variable, value) in query.variables.iter().zip(&mut state.variables) {
            if !variable.persistent {
                *value = None;
            }
        }
        for (name, text) in query.fields.iter().zip(&mut state.fields) {
            *text = game.header.get(name);
        }
        state.found.iter_mut().for_each(Vec::clear);
        state.dead.iter_mut().for_each(Vec::clear);
        state.gates.fill(None);
        state.bans.fill(None);
        state.pawns.fill((NONE, Bitboard::EMPTY));
        state.pinned = (NONE, Bitboard::EMPTY);
        state.pawn_moves.clear();
        state.notes.clear();
        state.sorts.clear();
        self.hits.clear();
        self.values.clear();
        self.values.resize(query.sorts.len(), None);
    }
}
