//! The `.2lgd`: for each entity, the games that refer to it.
//!
//! A list has one of three forms. Up to two games stand in the head itself. Consecutive games, from
//! three on, are a run from the first to the last. All others are a chain of blocks. A list changes
//! its form while games are added, so that a run takes no memory.

use std::io;

use chess_store::io::WriteAt;

use super::layout::{GAMES_HEADER, GAMES_RECORD};
use super::order::Role;
use crate::header::put;

/// The flag of a head that holds games.
pub(crate) const IN_HEAD: i64 = 0x4000_0000_0000_0000;
/// The flag of a head that holds a run.
pub(crate) const RUN: i64 = 0x2000_0000_0000_0000;
/// The number of games in a block.
pub(crate) const IN_BLOCK: usize = 30;
/// The size of the heads of an id, and of a block.
pub(crate) const HALF: usize = 256;
/// The number of roles, with the unused role 0.
const ROLES: usize = 9;
/// The number of heads. The first and the last are unused.
const SLOTS: usize = 10;
/// The constant after the heads.
const HEADS_END: i64 = 12;
const NONE: i64 = -1;

/// The games of an entity in one role.
#[derive(Clone, Debug, Default)]
struct List {
    first: i64,
    last: i64,
    count: i64,
    form: Form,
}

#[derive(Clone, Debug, Default)]
enum Form {
    /// Consecutive games, also one alone.
    #[default]
    Run,
    /// Two games that are not consecutive.
    Pair,
    /// Blocks; `first` and `last` are their numbers.
    Chain(Vec<i64>),
}

/// All lists of a base that is being written.
#[derive(Debug)]
pub(crate) struct GameLists {
    /// By role and entity.
    lists: [Vec<List>; ROLES],
    blocks: i64,
}

impl GameLists {
    pub(crate) fn new() -> GameLists {
        GameLists { lists: Default::default(), blocks: 0 }
    }

    /// Whether a game refers to an entity in a role.
    pub(crate) fn has(&self, role: Role, id: u32) -> bool {
        let list = self.lists.get(role as usize).and_then(|lists| lists.get(id as usize));
        list.is_some_and(|list| list.count > 0)
    }

    /// Adds a game, from 1, to the list of an entity. Games must come in ascending order.
    pub(crate) fn add<F: WriteAt>(
        &mut self,
        role: Role,
        id: u32,
        game: i64,
        file: &mut F,
    ) -> io::Result<()> {
        let Some(lists) = self.lists.get_mut(role as usize) else { return Ok(()) };
        let id = id as usize;
        if lists.len() <= id {
            lists.resize(id.saturating_add(1), List::default());
        }
        let Some(list) = lists.get_mut(id) else { return Ok(()) };
        list.add(game, &mut self.blocks, file)
    }

    /// Writes the heads and the last block of each chain. `entities` is the largest number of
    /// entities of a type.
    // cbh2 §7 "Games of each entity"
    pub(crate) fn finish<F: WriteAt>(&self, entities: u32, mut file: F) -> io::Result<F> {
        let mut header = [0; GAMES_HEADER];
        put(&mut header, 0, &i32::try_from(HALF).unwrap_or(0).to_le_bytes());
        put(&mut header, 4, &i32::try_from(self.blocks).unwrap_or(i32::MAX).to_le_bytes());
        file.write_at(0, &header)?;
        let records = i64::from(entities).max(self.blocks);
        for number in 0..records {
            let mut record = [0; GAMES_RECORD];
            let id = usize::try_from(number).unwrap_or(usize::MAX);
            let (slots, _) = record.as_chunks_mut::<8>();
            let mut put_slot = |slot: usize, value: i64| {
                if let Some(place) = slots.get_mut(slot) {
                    *place = value.to_le_bytes();
                }
            };
            for slot in 0..SLOTS {
                let list = self.lists.get(slot).and_then(|lists| lists.get(id));
                let (first, last, count) = list.map_or((NONE, NONE, 0), List::head);
                put_slot(slot, first);
                put_slot(slot.saturating_add(SLOTS), last);
                put_slot(slot.saturating_add(2 * SLOTS), count);
            }
            put_slot(3 * SLOTS, HEADS_END);
            let size = if number < self.blocks { HALF } else { GAMES_RECORD };
            file.write_at(place(number), record.get(..size).unwrap_or_default())?;
        }
        for list in self.lists.iter().flatten() {
            if let Form::Chain(games) = &list.form {
                write_block(list.last, NONE, games, &mut file)?;
            }
        }
        Ok(file)
    }
}

impl List {
    fn add<F: WriteAt>(&mut self, game: i64, blocks: &mut i64, file: &mut F) -> io::Result<()> {
        let count = self.count;
        self.count = count.saturating_add(1);
        let next = game == self.last.saturating_add(1);
        match &mut self.form {
            Form::Run if count == 0 => (self.first, self.last) = (game, game),
            Form::Run if next => self.last = game,
            Form::Run if count == 1 => {
                self.last = game;
                self.form = Form::Pair;
            }
            Form::Run => {
                let games = self.first..=self.last;
                self.start_chain(games, blocks, file)?;
                self.push(game, blocks, file)?;
            }
            Form::Pair => {
                self.start_chain([self.first, self.last], blocks, file)?;
                self.push(game, blocks, file)?;
            }
            Form::Chain(_) => self.push(game, blocks, file)?,
        }
        Ok(())
    }

    fn start_chain<F: WriteAt>(
        &mut self,
        games: impl IntoIterator<Item = i64>,
        blocks: &mut i64,
        file: &mut F,
    ) -> io::Result<()> {
        let block = *blocks;
        *blocks = block.saturating_add(1);
        let games = games.into_iter();
        (self.first, self.last, self.form) = (block, block, Form::Chain(Vec::new()));
        for game in games {
            self.push(game, blocks, file)?;
        }
        Ok(())
    }

    /// Appends a game to the chain. A full block is written when its successor is known.
    fn push<F: WriteAt>(&mut self, game: i64, blocks: &mut i64, file: &mut F) -> io::Result<()> {
        let Form::Chain(games) = &mut self.form else { return Ok(()) };
        if games.len() >= IN_BLOCK {
            let next = *blocks;
            *blocks = next.saturating_add(1);
            write_block(self.last, next, games, file)?;
            games.clear();
            self.last = next;
        }
        games.push(game);
        Ok(())
    }

    /// Returns first, last and count as the head holds them.
    fn head(&self) -> (i64, i64, i64) {
        match (&self.form, self.count) {
            (_, 0) => (NONE, NONE, 0),
            (Form::Run, 1) => (IN_HEAD | self.first, NONE, 1),
            (Form::Run, 2) | (Form::Pair, _) => {
                (IN_HEAD | self.first, IN_HEAD | self.last, self.count)
            }
            (Form::Run, count) => (RUN | self.first, RUN | self.last, count),
            (Form::Chain(_), count) => (self.first, self.last, count),
        }
    }
}

/// Returns the offset of a record.
pub(crate) fn place(number: i64) -> u64 {
    let before = u64::try_from(number).unwrap_or(0).saturating_mul(GAMES_RECORD as u64);
    before.saturating_add(GAMES_HEADER as u64)
}

fn write_block<F: WriteAt>(block: i64, next: i64, games: &[i64], file: &mut F) -> io::Result<()> {
    let mut bytes = [0; HALF];
    put(&mut bytes, 0, &next.to_le_bytes());
    put(&mut bytes, 8, &i64::try_from(games.len()).unwrap_or(0).to_le_bytes());
    for (at, game) in (16..).step_by(8).zip(games) {
        put(&mut bytes, at, &game.to_le_bytes());
    }
    file.write_at(place(block).saturating_add(HALF as u64), &bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the heads of role 1 of an entity after the games were added.
    fn heads(games: &[i64]) -> (Vec<i64>, Vec<u8>) {
        let (mut lists, mut file) = (GameLists::new(), Vec::new());
        for game in games {
            lists.add(Role::Player, 0, *game, &mut file).unwrap();
        }
        let file = lists.finish(1, file).unwrap();
        let slot = |slot: usize| i64::from_le_bytes(file[12 + 8 * slot..][..8].try_into().unwrap());
        (vec![slot(1), slot(11), slot(21)], file)
    }

    #[test]
    fn game_list_takes_the_form_of_its_games() {
        assert_eq!(heads(&[]).0, [-1, -1, 0]);
        assert_eq!(heads(&[7]).0, [IN_HEAD | 7, -1, 1]);
        assert_eq!(heads(&[7, 8]).0, [IN_HEAD | 7, IN_HEAD | 8, 2]);
        assert_eq!(heads(&[7, 7]).0, [IN_HEAD | 7, IN_HEAD | 7, 2]);
        assert_eq!(heads(&[7, 8, 9]).0, [RUN | 7, RUN | 9, 3]);
        assert_eq!(heads(&[7, 9, 10]).0, [0, 0, 3]);
        let mut games: Vec<i64> = (1..=40).collect();
        games.push(50);
        let (heads, file) = heads(&games);
        assert_eq!(heads, [0, 1, 41]);
        assert_eq!(file[4], 2);
        let block = |number: usize| &file[12 + 512 * number + 256..][..256];
        let numbers = |number: usize| {
            block(number)
                .chunks(8)
                .map(|b| i64::from_le_bytes(b.try_into().unwrap()))
                .collect::<Vec<_>>()
        };
        assert_eq!(numbers(0)[..4], [1, 30, 1, 2]);
        assert_eq!((&numbers(1)[..3], numbers(1)[12]), (&[-1, 11, 31][..], 50));
        assert_eq!(file.len(), 12 + 2 * 512);
    }
}
