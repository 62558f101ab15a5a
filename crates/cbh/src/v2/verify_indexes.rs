//! Consistency checks of the indexes: `.2lgd` and `.2lcd`.

use chess_store::Location;
use chess_store::io::ReadAt;

use super::database::{Database, State};
use super::entities::{EntityType, Found, read_entity};
use super::header::{GameRecord, RecordKind};
use super::layout::PAGE;
use super::list_reader::{each_listed, read_head};
use super::order::{Role, node_key};
use super::orders::{Entry, Node, NodeReader};
use crate::error::Error;

/// The maximum number of messages about an index.
const MOST: usize = 10;

/// The roles and the types of their entities.
const ROLES: [(Role, EntityType); 8] = [
    (Role::Player, EntityType::Player),
    (Role::Tournament, EntityType::Tournament),
    (Role::Source, EntityType::Source),
    (Role::Annotator, EntityType::Player),
    (Role::Team, EntityType::Team),
    (Role::GameTitle, EntityType::Title),
    (Role::TextTitle, EntityType::Title),
    (Role::AnalysisTitle, EntityType::Title),
];

/// Returns the entities that a record refers to in a role.
fn references(record: &GameRecord, role: Role) -> [i64; 2] {
    let [white, black, tournament, annotator, source] = record.names;
    let title_of = |kind| if record.kind == kind { record.title } else { -1 };
    match role {
        Role::Player => [white, black],
        Role::Tournament => [tournament, -1],
        Role::Source => [source, -1],
        Role::Annotator => [annotator, -1],
        Role::Team => record.teams,
        Role::GameTitle => [title_of(RecordKind::Game), -1],
        Role::TextTitle => [title_of(RecordKind::Text), -1],
        Role::AnalysisTitle => [title_of(RecordKind::Analysis), -1],
    }
}

/// Whether the lists of a role have a kind of record for certain. Descriptions do not say which
/// lists have texts and analyses.
fn is_listed(kind: RecordKind, role: Role) -> bool {
    match kind {
        RecordKind::Game => true,
        RecordKind::Text => role == Role::TextTitle,
        _ => false,
    }
}

impl<R: ReadAt> Database<R> {
    /// Compares the lists of games with the headers. Returns one message for each problem, up to a
    /// limit.
    // cbh2 §7 "Games of each entity"
    pub(crate) fn check_lists(&self) -> Result<Vec<String>, Error> {
        let mut found = Vec::new();
        let (Some(file), Some(header)) = (&self.parts.games, &self.entities) else {
            return Ok(found);
        };
        let state = State::default();
        let mut wanted = [0u64; ROLES.len()];
        for number in 1..=self.records.count {
            let record = self.numbered(&state, number)?;
            for (count, (role, kind)) in wanted.iter_mut().zip(ROLES) {
                let exists =
                    |id: &&i64| u64::try_from(**id).is_ok_and(|id| id < header.count(kind));
                if is_listed(record.kind, role) {
                    let refers = references(&record, role).iter().filter(exists).count();
                    *count = count.saturating_add(refers as u64);
                }
            }
        }
        // A record has at most nine references. More listed games are a fault, and following them
        // all could take time without bound.
        let mut budget = self.records.count.saturating_mul(10).saturating_add(10);
        for ((role, kind), wanted) in ROLES.into_iter().zip(wanted) {
            let mut listed = 0u64;
            for id in 0..header.count(kind) {
                if found.len() >= MOST || budget == 0 {
                    found.push(".2lgd: there are more faults".to_owned());
                    return Ok(found);
                }
                let id = i64::try_from(id).unwrap_or(i64::MAX);
                let head = read_head(file, role, id)?;
                let mut seen = 0i64;
                let mut last = 0i64;
                let mut sound = true;
                each_listed(file, &head, self.records.count, &mut |game| {
                    seen = seen.saturating_add(1);
                    budget = budget.saturating_sub(1);
                    let record = match u64::try_from(game)
                        .ok()
                        .filter(|game| *game >= 1 && *game <= self.records.count)
                    {
                        Some(game) => self.numbered(&state, game)?,
                        None => {
                            sound = false;
                            return Ok(());
                        }
                    };
                    sound &= game >= last && references(&record, role).contains(&id);
                    last = game;
                    listed = listed.saturating_add(u64::from(is_listed(record.kind, role)));
                    Ok(())
                })?;
                if !sound || seen != head.count {
                    found.push(format!(
                        ".2lgd: the list of entity {id} in role {} contradicts the headers",
                        role as u8
                    ));
                }
            }
            if listed != wanted {
                found.push(format!(
                    ".2lgd: the lists of role {} have {listed} games, but the headers have {wanted}",
                    role as u8
                ));
            }
        }
        Ok(found)
    }

    fn numbered(&self, state: &State, number: u64) -> Result<GameRecord, Error> {
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        let headers = state.headers.cached(&self.parts.headers);
        self.read_record(&headers, number, self.records.place(number))
    }

    /// Checks the trees of the sort orders: links, balance, keys and the number of nodes.
    ///
    /// The order itself is not compared, because the comparison of ChessBase is not known to the
    /// last pair.
    // cbh2 §8 "Sort orders"
    pub(crate) fn check_orders(&self) -> Result<Vec<String>, Error> {
        let mut found = Vec::new();
        let Some(file) = &self.parts.orders else { return Ok(found) };
        let at = Location::file("2lcd").at(PAGE as u64);
        let mut catalogue = vec![0; PAGE];
        file.read_full(PAGE as u64, &mut catalogue).map_err(Error::io(at))?;
        for bytes in catalogue.chunks_exact(128) {
            let Some(entry) = Entry::parse(bytes).filter(|entry| entry.kind > 0) else { continue };
            let kind = usize::from(entry.kind).checked_sub(1);
            let kind = kind.and_then(|kind| EntityType::ALL.get(kind)).copied();
            let name = String::from_utf8_lossy(&entry.name).into_owned();
            let Some(kind) = kind else {
                found.push(format!(".2lcd: the order {name} has no known type"));
                continue;
            };
            let mut walk = TreeWalk { base: self, file, entry: &entry, kind, found: Vec::new() };
            walk.check()?;
            found.extend(walk.found.into_iter().map(|what| format!(".2lcd, {name}: {what}")));
        }
        Ok(found)
    }
}

/// Walks the tree of an order.
struct TreeWalk<'a, R> {
    base: &'a Database<R>,
    file: &'a R,
    entry: &'a Entry,
    kind: EntityType,
    found: Vec<String>,
}

/// The deepest path that a balanced tree of 2^32 nodes could have.
const DEEPEST: usize = 64;

impl<R: ReadAt> TreeWalk<'_, R> {
    fn check(&mut self) -> Result<(), Error> {
        // A node, the height of its left subtree, and whether that subtree is done.
        let mut path: Vec<(i64, Node, Option<i16>)> = Vec::new();
        let (mut next, mut parent, mut seen) = (self.entry.root, -1, 0i64);
        let mut done: Option<i16> = None;
        loop {
            if self.found.len() >= MOST || path.len() > DEEPEST {
                self.found.push("the tree is damaged; it is not followed further".to_owned());
                return Ok(());
            }
            if let Some(height) = done.take() {
                let Some((id, node, left)) = path.pop() else { break };
                match left {
                    None => {
                        path.push((id, node, Some(height)));
                        (next, parent) = (node.right, id);
                    }
                    Some(left) => {
                        if height.saturating_sub(left) != node.balance {
                            self.found.push(format!("node {id} has a wrong balance"));
                        }
                        done = Some(left.max(height).saturating_add(1));
                        continue;
                    }
                }
            }
            if next < 0 {
                done = Some(0);
                continue;
            }
            seen = seen.saturating_add(1);
            let Some(node) = self.nodes().read(next)?.filter(|_| seen <= self.entry.nodes) else {
                self.found.push(format!("there is no node {next}, or it is reached twice"));
                return Ok(());
            };
            if node.parent != parent {
                self.found.push(format!("node {next} names another parent than {parent}"));
            }
            self.check_key(next, &node)?;
            path.push((next, node, None));
            (next, parent) = (node.left, next);
        }
        if seen != self.entry.nodes {
            let count = self.entry.nodes;
            self.found.push(format!("the catalogue counts {count} nodes, but the tree has {seen}"));
        }
        Ok(())
    }

    fn nodes(&self) -> NodeReader<'_, R> {
        NodeReader { file: self.file, entry: self.entry }
    }

    fn check_key(&mut self, id: i64, node: &Node) -> Result<(), Error> {
        let parts = &self.base.parts;
        let (Some(file), Some(header)) = (&parts.entities, &self.base.entities) else {
            return Ok(());
        };
        let mut fields = Vec::new();
        match read_entity(file, header, self.kind, id, &mut fields)? {
            Found::Fields if node_key(self.kind, &fields) == node.key => {}
            Found::Fields => self.found.push(format!("node {id} has a wrong key")),
            _ => self.found.push(format!("node {id} is for an entity that does not exist")),
        }
        Ok(())
    }
}
