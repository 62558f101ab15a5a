//! The tournament report file of FIDE, TRF16: a line for each player, in fixed columns.

use std::collections::HashSet;
use std::fmt::Write as _;

use chess_core::{Color, Date};

use super::standings::{Crosstable, Standing};
use super::{Kind, Outcome};

/// Why an event has no tournament report.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TrfError {
    /// A game has no number of its round.
    #[error("a game of {player} has no round, and a TRF file is a table of rounds")]
    NoRound {
        /// White or Black.
        player: String,
    },
    /// A player has two games in a round.
    #[error("{player} has two games in round {round}, and a TRF file has one for each round")]
    TwoGames {
        /// The player.
        player: String,
        /// The round.
        round: u32,
    },
    /// More players or rounds than the columns hold.
    #[error("a TRF file has at most 9999 players and 999 rounds")]
    TooLarge,
}

const MAX_ROUNDS: u32 = 999;

impl Crosstable {
    /// Returns the event as a report in the format TRF16 of FIDE, with line feeds. Names are cut to 33
    /// letters. The start rank is the order of ratings and names.
    ///
    /// # Errors
    /// [`TrfError`] if games have no rounds, or a player has two in one.
    pub fn trf(&self) -> Result<String, TrfError> {
        let rounds = self.players.iter().flat_map(|player| &player.games);
        let rounds = rounds.filter_map(|game| game.round).max().unwrap_or(0);
        if rounds > MAX_ROUNDS || self.players.len() > 9999 {
            return Err(TrfError::TooLarge);
        }
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        let key = |number: &usize| {
            let player = self.players.get(*number);
            player.map(|player| {
                let elo = player.elo.map(|elo| elo.get());
                (std::cmp::Reverse(elo), player.name.clone())
            })
        };
        order.sort_by_key(key);
        let mut ranks = vec![0usize; order.len()];
        for (rank, number) in (1..).zip(&order) {
            ranks.get_mut(*number).into_iter().for_each(|slot| *slot = rank);
        }
        let mut text = String::new();
        let mut line = |code: &str, value: &str| {
            if !value.is_empty() && value != "?" {
                let _ = writeln!(text, "{code} {}", value.replace(['\n', '\r'], " "));
            }
        };
        let rated = self.players.iter().filter(|player| player.elo.is_some()).count();
        line("012", &self.event.event);
        line("022", &self.event.site);
        if let Some((first, last)) = self.event.dates {
            line("042", &date(first));
            line("052", &date(last));
        }
        line("062", &self.players.len().to_string());
        line("072", &rated.to_string());
        line("082", &self.teams.len().to_string());
        line("092", kind(self.kind));
        for number in &order {
            if let Some(player) = self.players.get(*number) {
                line("001", &player_columns(player, *number, &ranks, rounds)?);
            }
        }
        Ok(text)
    }
}

fn date(date: Date) -> String {
    let known = |text: String| text.replace('.', "/");
    if date.day().is_some() { known(date.to_string()) } else { String::new() }
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::RoundRobin { cycles: 1 } => "Individual: Round-Robin",
        Kind::RoundRobin { cycles: 2 } => "Individual: Double-Round-Robin",
        Kind::Swiss { .. } => "Individual: Swiss-System",
        Kind::KnockOut { .. } => "Individual: Knock-Out",
        Kind::TeamRoundRobin { .. } => "Team: Round-Robin",
        Kind::Scheveningen => "Individual: Scheveningen System",
        Kind::TeamSwiss { .. } => "Team: Swiss-System",
        Kind::TeamKnockOut { .. } => "Team: Knock-Out",
        _ => "",
    }
}

/// Returns the columns from the fifth on.
fn player_columns(
    player: &Standing,
    own: usize,
    ranks: &[usize],
    rounds: u32,
) -> Result<String, TrfError> {
    let rank = |number: usize| ranks.get(number).copied().unwrap_or(0);
    let name: String = player.name.chars().take(33).collect();
    let elo = player.elo.map(|elo| elo.get().to_string()).unwrap_or_default();
    let about = &player.about;
    let points = format!("{}.{}", player.half_points / 2, player.half_points % 2 * 5);
    let mut text = format!(
        "{:>4}  {:>3} {name:<33} {elo:>4} {:>3} {:>11} {:>10} {points:>4} {:>4}",
        rank(own),
        about.title,
        about.federation,
        about.fide_id,
        "",
        player.place,
    );
    let mut cells = vec![String::new(); rounds as usize];
    let mut seen = HashSet::new();
    let mut put = |round: Option<u32>, cell: String| {
        let name = || player.name.clone();
        let round = round.ok_or_else(|| TrfError::NoRound { player: name() })?;
        if !seen.insert(round) {
            return Err(TrfError::TwoGames { player: name(), round });
        }
        let slot = (round as usize).checked_sub(1).and_then(|place| cells.get_mut(place));
        slot.into_iter().for_each(|slot| slot.clone_from(&cell));
        Ok(())
    };
    for game in &player.games {
        let color = if game.color == Color::White { 'w' } else { 'b' };
        let result = match game.outcome {
            Outcome::Win => '1',
            Outcome::Draw => '=',
            Outcome::Loss => '0',
            Outcome::ForfeitWin => '+',
            Outcome::ForfeitLoss => '-',
            Outcome::Unfinished => ' ',
        };
        put(game.round, format!("  {:>4} {color} {result}", rank(game.opponent)))?;
    }
    for (round, half_points) in &player.byes {
        let result = match half_points {
            0 => 'Z',
            1 => 'H',
            _ => 'U',
        };
        put(*round, format!("  0000 - {result}"))?;
    }
    cells.iter().for_each(|cell| {
        let _ = write!(text, "{cell:<10}");
    });
    text.truncate(text.trim_end().len());
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::super::EventReport;
    use super::super::tests::add;
    use super::*;

    #[test]
    fn trf_has_the_columns_of_fide() {
        let mut report = EventReport::new();
        let tags = |round| {
            [
                ("Event", "Open"),
                ("Date", "2024.05.01"),
                ("Round", round),
                ("WhiteElo", "2700"),
                ("WhiteTitle", "GM"),
                ("WhiteFideId", "1503014"),
                ("BlackElo", "2100"),
            ]
        };
        add(&mut report, &[("Carlsen, Magnus", "Nobody, N", "1-0")], &tags("1"));
        add(&mut report, &[("Carlsen, Magnus", "Else, S", "+/-")], &tags("2"));
        add(&mut report, &[("Nobody, N", "bye", "1/2-1/2")], &[("Event", "Open"), ("Round", "2")]);
        let text = report.table(&[]).unwrap().trf().unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[..3], ["012 Open", "042 2024/05/01", "052 2024/05/01"]);
        let players: Vec<&&str> = lines.iter().filter(|line| line.starts_with("001")).collect();
        assert_eq!(players.len(), 3);
        let first = players[0];
        for (columns, expected) in [
            (4..8, "   1"),
            (10..13, " GM"),
            (14..47, "Carlsen, Magnus                  "),
            (48..52, "2700"),
            (57..68, "    1503014"),
            (80..84, " 2.0"),
            (85..89, "   1"),
            (91..99, "   3 w 1"),
            (101..109, "   2 w +"),
        ] {
            assert_eq!(&first[columns.clone()], expected, "{columns:?}\n{first}");
        }
        assert_eq!(&players[2][91..109], "   1 b 0  0000 - H");
        add(&mut report, &[("Else, S", "Nobody, N", "1-0")], &[("Event", "Open")]);
        let error = report.table(&[]).unwrap().trf().unwrap_err();
        assert!(matches!(error, TrfError::NoRound { .. }));
    }
}
