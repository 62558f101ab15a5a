//! The opening tree of the selected games.

use scoresheet::Database;
use scoresheet::filter::{PositionPattern, QueryError, Unanswered};
use scoresheet::tree::Explorer;
use serde::Serialize;
use serve::ShownTree;

/// A count in progress.
pub(crate) struct Count {
    explorer: Explorer,
    fen: String,
    next: u64,
}

/// The progress of the count.
#[derive(Serialize)]
pub(crate) struct Progress {
    done: bool,
    looked: u64,
    /// The result, at the end.
    #[serde(flatten)]
    tree: Option<ShownTree>,
}

impl Count {
    /// Starts to count the moves after a position in the games `found`, or in all games.
    pub(crate) fn new(fen: &str, found: Option<&[u32]>) -> Result<Count, QueryError> {
        let mut explorer = Explorer::new(PositionPattern::parse(fen)?);
        if let Some(found) = found {
            explorer =
                explorer.only(found.iter().map(|number| u64::from(*number)).collect::<Vec<_>>());
        }
        Ok(Count { explorer, fen: fen.to_owned(), next: 0 })
    }

    /// Counts the next `count` games. Returns the progress, and whether it is the last.
    pub(crate) fn go_on(
        &mut self,
        database: &dyn Database,
        count: u64,
    ) -> Result<Progress, Unanswered> {
        let len = database.len();
        let end = self.next.saturating_add(count).min(len);
        self.explorer.add_range(&mut *database.reader(), self.next..end)?;
        self.next = end;
        Ok(Progress { done: end == len, looked: end, tree: None })
    }

    /// Ends the count.
    pub(crate) fn finish(self) -> Progress {
        let tree = ShownTree::new(&self.fen, &self.explorer.finish());
        Progress { done: true, looked: self.next, tree: Some(tree) }
    }
}

impl Progress {
    pub(crate) fn is_done(&self) -> bool {
        self.done
    }
}
