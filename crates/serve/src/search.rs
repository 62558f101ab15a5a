//! The questions of the page about one base: its tree and its games.

use std::ops::ControlFlow;

use scoresheet::filter::{PositionPattern, Unanswered};
use scoresheet::tree::Explorer;
use scoresheet::{Filter, Selector};
use serde::Serialize;

use crate::question::{Criteria, Refusal};
use crate::shown::ShownTree;
use crate::{Cancel, Source};

/// A question of the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Tree,
    List,
}

impl Kind {
    pub(crate) fn of_path(path: &str) -> Option<Kind> {
        match path {
            "/tree" => Some(Kind::Tree),
            "/list" => Some(Kind::List),
            _ => None,
        }
    }
}

#[derive(Serialize)]
struct TreeBody {
    /// The number of games of the base.
    looked: u64,
    #[serde(flatten)]
    tree: ShownTree,
}

#[derive(Serialize)]
struct ListBody {
    looked: u64,
    /// The numbers of the games, each as its distance from the one before: a list of millions stays small.
    steps: Vec<u32>,
}

/// Answers a question as JSON.
pub(crate) fn answer(
    kind: Kind,
    source: &Source,
    query: &str,
    threads: usize,
    cancel: &Cancel,
) -> Result<String, Refusal> {
    let mut fen = None;
    let mut criteria = Criteria::default();
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        if kind == Kind::Tree && name == "fen" && fen.is_none() {
            fen = Some(value);
        } else if !criteria.take(&name, &value) {
            return Err(Refusal(format!("{name} is unknown or given twice")));
        }
    }
    let filter = criteria.filter()?;
    let search = Search { source, threads, cancel };
    let looked = source.games();
    let body = match kind {
        Kind::Tree => {
            let fen = fen.ok_or_else(|| Refusal("fen is missing".to_owned()))?;
            serde_json::to_string(&TreeBody { looked, tree: search.tree(&fen, filter)? })
        }
        Kind::List => {
            let mut last = 0;
            let steps = search.games(&filter)?.into_iter().map(|number| {
                let step = number.saturating_sub(last);
                last = number;
                u32::try_from(step).unwrap_or(u32::MAX)
            });
            serde_json::to_string(&ListBody { looked, steps: steps.collect() })
        }
    };
    body.map_err(|error| Refusal(error.to_string()))
}

struct Search<'a> {
    source: &'a Source,
    threads: usize,
    cancel: &'a Cancel,
}

impl Search<'_> {
    fn tree(&self, fen: &str, filter: Filter) -> Result<ShownTree, Refusal> {
        let position = PositionPattern::parse(fen);
        let position = position.map_err(|error| Refusal(format!("fen: {error}")))?;
        let explorer = Explorer::new(position).threads(self.threads);
        // The index finds the games of one position at a time.
        let mut explorer = if filter.positions.is_empty() {
            explorer.filter(filter)
        } else {
            explorer.only(self.games(&filter)?)
        };
        let (database, index) = (self.source.database(), self.source.index());
        explorer.add_database(database, index, &|| !self.cancel.is_set()).map_err(refusal)?;
        Ok(ShownTree::new(fen, &explorer.finish()))
    }

    /// Returns the numbers of the games that a filter selects, from 0.
    fn games(&self, filter: &Filter) -> Result<Vec<u64>, Refusal> {
        let database = self.source.database();
        let index = self.source.index();
        let narrowed = index.and_then(|index| scoresheet::narrow(filter, database, index));
        let filter = narrowed.as_ref().unwrap_or(filter);
        let mut numbers = Vec::new();
        let selector = Selector::new(filter).threads(self.threads);
        let run = selector.run(database, |selected| {
            numbers.extend_from_slice(selected.numbers);
            if self.cancel.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        run.map(|_| numbers).map_err(refusal)
    }
}

fn refusal(error: Unanswered) -> Refusal {
    Refusal(error.to_string())
}
