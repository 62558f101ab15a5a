//! Ids of 65,536 and more. A base that has them is too large for a fixture.

use chess_core::Game;
use chess_store::Diagnostics;
use scid::{Losses, Writer};

use crate::files::BaseFiles as _;

/// The number of games. Each has an event, a site, a round and a White of its own.
const GAMES: u64 = 66_000;

/// The sizes of an entry of `.si4` and of the header of the file.
const ENTRY: usize = 47;
const HEADER: usize = 182;

// scid §2.2.5 to §2.2.11, §3.1.5
#[test]
fn ids_above_65535_are_read_in_each_list() {
    let mut writer = Writer::in_memory();
    let mut game = Game::new();
    for number in 0..GAMES {
        let header = &mut game.header;
        header.event = format!("E{number}");
        header.site = format!("S{number}");
        header.round = format!("R{number}");
        header.white = format!("W{number}");
        "Black".clone_into(&mut header.black);
        writer.write(&game, &mut Losses::new()).unwrap();
    }
    let files = writer.into_parts().unwrap();

    // The high bits of the ids of game 65,999: White in byte 9; event, site and round in byte 14.
    let entry = &files.index[HEADER + 65_999 * ENTRY..][..ENTRY];
    assert_eq!((entry[9], entry[14]), (0x10, 1 << 5 | 1 << 2 | 1));
    // The names file counts more than 65,535 names of each of these lists, so ids have three bytes.
    assert_eq!(files.names[12..24], [1, 1, 0xd1, 1, 1, 0xd0, 1, 1, 0xd0, 1, 1, 0xd0]);

    let base = files.open().unwrap();
    let (mut reader, mut read) = (base.reader(), Game::new());
    for number in [0, 65_535, 65_536, 65_999] {
        reader.game(number, &mut read, &mut Diagnostics::strict()).unwrap();
        let header = &read.header;
        assert_eq!(
            [&header.event, &header.site, &header.round, &header.white].map(String::as_str),
            ["E", "S", "R", "W"]
                .map(|letter| format!("{letter}{number}"))
                .each_ref()
                .map(String::as_str)
        );
    }
}
