//! The ids of games: eight letters and digits, as clients want them.
//!
//! A game from Lichess keeps its id, so that links lead to it. Any other game has its number, counted over all
//! bases from 0, to base 62: `0000000A` is the game with the number 10.

use scoresheet::chess_core::{Game, Header};
use scoresheet::chess_store::Diagnostics;

use crate::Source;

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const LENGTH: usize = 8;
/// Pages of Lichess whose names look like ids.
const PAGES: [&str; 3] = ["analysis", "practice", "training"];

/// Returns the id of a game with this number.
pub(crate) fn of(header: &Header, number: u64) -> String {
    of_lichess(header).map_or_else(|| of_number(number), str::to_owned)
}

fn of_number(mut number: u64) -> String {
    let mut id = [b'0'; LENGTH];
    for digit in id.iter_mut().rev() {
        let place = usize::try_from(number % 62).unwrap_or_default();
        *digit = DIGITS.get(place).copied().unwrap_or(b'0');
        number /= 62;
    }
    id.iter().copied().map(char::from).collect()
}

/// Returns the id of a game from Lichess.
fn of_lichess(header: &Header) -> Option<&str> {
    let address = |text: &str| text.contains("lichess.org/");
    let texts = [Some(header.site.as_str()), header.tags.get("Link"), header.tags.get("Source")];
    let id = match header.tags.get("GameId") {
        Some(id) if address(&header.site) || header.tags.get("LichessURL").is_some() => Some(id),
        _ => texts.into_iter().flatten().find_map(|text| {
            let rest = text.split_once("lichess.org/")?.1;
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
            // The address of a player's view has four more signs.
            rest.get(..LENGTH).filter(|_| end == LENGTH || end == LENGTH + 4)
        }),
    };
    id.filter(|id| is_id(id) && !PAGES.contains(id))
}

fn is_id(id: &str) -> bool {
    id.len() == LENGTH && id.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn number_of(id: &str) -> Option<u64> {
    id.bytes().try_fold(0u64, |sum, byte| {
        let digit = DIGITS.iter().position(|digit| *digit == byte)? as u64;
        sum.checked_mul(62)?.checked_add(digit)
    })
}

/// The result of looking up an id.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    Game,
    None,
    Malformed,
}

/// Reads the game with an id.
pub(crate) fn find(sources: &[Source], id: &str, game: &mut Game) -> Found {
    if !is_id(id) {
        return Found::Malformed;
    }
    let mut number = number_of(id).unwrap_or(u64::MAX);
    let mut notes = Diagnostics::lenient();
    for source in sources {
        let games = source.database().len();
        if number < games {
            // A damaged game is shown up to the damage.
            let _ = source.database().reader().game(number, game, &mut notes);
            if of_lichess(&game.header).is_none() {
                return Found::Game;
            }
            break;
        }
        number = number.saturating_sub(games);
    }
    for source in sources {
        let mut reader = source.database().reader();
        for number in 0..source.database().len() {
            if reader.header(number, &mut game.header, &mut notes).is_err()
                || of_lichess(&game.header) != Some(id)
            {
                continue;
            }
            let _ = reader.game(number, game, &mut notes);
            return Found::Game;
        }
    }
    Found::None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn id_of_number_is_read_back() {
        for number in [0, 1, 61, 62, 12_345_678, 62u64.pow(8) - 1] {
            assert_eq!(number_of(&of_number(number)), Some(number));
        }
        assert_eq!(of_number(10), "0000000A");
    }

    #[test]
    fn id_of_lichess_game_is_its_own() {
        let mut header = Header::default();
        header.set("Site", "https://lichess.org/AbCdEfGh/black");
        assert_eq!(of(&header, 7), "AbCdEfGh");
        for other in ["study/AbCdEfGh", "analysis", "tournament/x", "", "AbCdEfG"] {
            header.set("Site", &format!("https://lichess.org/{other}"));
            assert_eq!(of(&header, 7), "00000007", "{other}");
        }
    }
}
