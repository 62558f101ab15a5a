//! Leaves out games that a base has twice.

use std::collections::HashSet;

use super::Played;

/// Removes repeated games, and returns their number. Two games of an event are one if players,
/// colours and moves are the same and the rounds agree: `5` agrees with `5.3` and with an unknown
/// round of the same day.
pub(super) fn remove(games: &mut Vec<Played>) -> usize {
    let all = games.len();
    // Rounds are wildcards where a part is zero: a game is looked up under each form that it agrees
    // with, and entered under each form of its own.
    let mut seen = HashSet::new();
    games.retain(|game| {
        let (round, number) = game.round;
        if game.line == 0 && round == 0 {
            return true;
        }
        let key = |form: u8, round: (u32, u32)| {
            let date = (form >= 2).then_some(game.date);
            (form, game.is_play_off, game.players, game.line, round, date)
        };
        let exact = key(0, (round, number));
        let of_round = key(1, (round, 0));
        let any = key(2, (0, 0));
        let unnumbered = key(3, (0, 0));
        let is_repeated = match (round, number) {
            (0, _) => seen.contains(&any),
            (_, 0) => seen.contains(&of_round) || seen.contains(&unnumbered),
            _ => {
                let whole = key(0, (round, 0));
                seen.contains(&exact) || seen.contains(&whole) || seen.contains(&unnumbered)
            }
        };
        if !is_repeated {
            seen.extend([exact, of_round, any]);
            if round == 0 {
                seen.insert(unnumbered);
            }
        }
        !is_repeated
    });
    all - games.len()
}

#[cfg(test)]
mod tests {
    use super::super::EventReport;
    use super::super::tests::add;

    /// Returns the number of repeated games among games as `date round`.
    fn repeated(games: &[(&str, &str)]) -> usize {
        let mut report = EventReport::new();
        for (date, round) in games {
            let tags = [("Date", *date), ("Round", *round)];
            add(&mut report, &[("A", "B", "1-0")], &tags);
        }
        report.table(&[]).unwrap().repeated
    }

    #[test]
    fn games_with_the_same_moves_are_one_if_their_rounds_agree() {
        let day = "2020.01.01";
        assert_eq!(repeated(&[(day, "5"), (day, "5")]), 1);
        assert_eq!(repeated(&[(day, "5"), (day, "5.3")]), 1);
        assert_eq!(repeated(&[(day, "5.3"), (day, "5")]), 1);
        assert_eq!(repeated(&[(day, "5.3"), (day, "?")]), 1);
        assert_eq!(repeated(&[(day, "?"), (day, "5.3")]), 1);
        assert_eq!(repeated(&[(day, "5.2"), (day, "5.3")]), 0);
        assert_eq!(repeated(&[(day, "5"), (day, "6")]), 0);
        assert_eq!(repeated(&[(day, "?"), ("2020.01.02", "?")]), 0);
    }
}
