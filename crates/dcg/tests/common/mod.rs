//! Bases in memory.

// Each test program uses some of these.
#![allow(dead_code, reason = "each test program uses some of these")]

use arbitrary::Unstructured;
use chess_core::seam::{CreateOptions, Loss, OpenOptions};
use chess_core::{Diagnostics, Game};
use dcg::{Database, Parts, Writer};
use testkit::{Disk, Flavour, Random, Stop, random_game};

/// What DCG holds without loss.
pub(crate) const FLAVOUR: Flavour = Flavour {
    setups: true,
    chess960: false,
    null_moves: true,
    variations: true,
    comments: true,
    free_comments: false,
    nags: 255,
    tags: false,
    plies: 80,
};

pub(crate) fn games(seed: u64, count: usize, flavour: Flavour) -> Vec<Game> {
    let mut random = Random::new(seed);
    (0..count)
        .map(|_| random_game(&mut Unstructured::new(&random.bytes(600)), flavour).unwrap())
        .collect()
}

pub(crate) fn empty(stop: &Stop) -> Parts<Disk> {
    let file = || Disk::new(Vec::new(), stop);
    Parts { dci: file(), dcn: file(), dcs: file(), dce: Some(file()), dcg: file() }
}

pub(crate) fn write(games: &[Game]) -> (Parts<Disk>, Vec<Loss>) {
    let mut losses = Vec::new();
    let mut writer = Writer::from_parts(empty(&Stop::never()), &CreateOptions::default()).unwrap();
    for game in games {
        writer.write(game, &mut losses).unwrap();
    }
    (writer.into_parts().unwrap(), losses)
}

pub(crate) fn bytes(parts: &Parts<Disk>) -> Parts<Vec<u8>> {
    Parts {
        dci: parts.dci.bytes(),
        dcn: parts.dcn.bytes(),
        dcs: parts.dcs.bytes(),
        dce: parts.dce.as_ref().map(Disk::bytes),
        dcg: parts.dcg.bytes(),
    }
}

pub(crate) fn disks(parts: &Parts<Vec<u8>>, stop: &Stop) -> Parts<Disk> {
    let file = |bytes: &Vec<u8>| Disk::new(bytes.clone(), stop);
    Parts {
        dci: file(&parts.dci),
        dcn: file(&parts.dcn),
        dcs: file(&parts.dcs),
        dce: parts.dce.as_ref().map(file),
        dcg: file(&parts.dcg),
    }
}

pub(crate) fn open(parts: Parts<Vec<u8>>) -> Result<Database<Vec<u8>>, dcg::Error> {
    Database::from_parts(parts, &OpenOptions::default())
}

/// All games, each of which must read.
pub(crate) fn read(parts: Parts<Vec<u8>>) -> Vec<Game> {
    let base = open(parts).unwrap();
    let mut game = Game::new();
    (0..base.len())
        .map(|number| {
            base.game(number, &mut game, &mut Diagnostics::lenient()).unwrap();
            game.clone()
        })
        .collect()
}
