//! The results of one player.

use std::collections::BTreeMap;

use chess_core::{Color, Date, Elo, GameResult, Header};

use super::lines::LineTree;
use super::names::{Names, is_nobody};
use super::openings::{ByOpening, Grain};
use super::{Facts, LineScore, Named, OpeningGroup, Report, Score};
use query::{Filter, Identities, People, Text, TimeClass};

/// Collects the results of a player.
#[derive(Clone, Debug)]
pub struct PlayerReport {
    names: Vec<Text>,
    against: Vec<Text>,
    most_wins: usize,
    spellings: Names<u64>,
    own_games: u64,
    colors: [Score; 2],
    years: BTreeMap<Option<u16>, YearScore>,
    peak: Option<Rating>,
    openings: [ByOpening<Score>; 2],
    lines: [LineTree; 2],
    opponents: Names<Opponent>,
    /// The name of the player in the last game.
    own: String,
    /// Whether players are asked for by FIDE ids.
    asks_ids: bool,
    time_classes: BTreeMap<TimeClass, Score>,
    wins: Vec<Win>,
    /// The names of the player, and of the opponents asked for.
    people: [People; 2],
}

/// A rating on a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rating {
    /// The rating.
    pub elo: Elo,
    /// The date of the game.
    pub date: Date,
}

/// The games of a year.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct YearScore {
    /// The score.
    pub score: Score,
    /// The player's rating in the first rated game of the year.
    pub first: Option<Rating>,
    /// The player's rating in the last rated game of the year.
    pub last: Option<Rating>,
    /// The player's highest rating of the year.
    pub peak: Option<Elo>,
}

/// The games against an opponent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpponentScore {
    /// Score with White.
    pub white: Score,
    /// Score with Black.
    pub black: Score,
}

/// A name of opponents.
#[derive(Clone, Copy, Debug, Default)]
struct Opponent {
    score: OpponentScore,
    /// Whether the name is known to be one of the opponents asked for, and no name of the player.
    is_known: bool,
}

impl OpponentScore {
    /// Returns the score with either colour.
    #[must_use]
    pub fn total(&self) -> Score {
        let mut total = self.white;
        total.merge(&self.black);
        total
    }
}

/// A game that the player won.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Win {
    /// Name of the opponent.
    pub opponent: String,
    /// Rating of the opponent.
    pub elo: Elo,
    /// The player's colour.
    pub color: Color,
    /// Date of the game.
    pub date: Date,
    /// The event.
    pub event: String,
    /// Number of the game in its base, from zero.
    pub number: u64,
}

/// Bytes of a text of a [`Win`] that are kept.
const MAX_TEXT: usize = 256;

impl PlayerReport {
    /// Creates a report about the player that one of `names` matches.
    #[must_use]
    pub fn new(names: Vec<Text>) -> PlayerReport {
        PlayerReport {
            asks_ids: names.iter().any(Text::asks_id),
            names,
            against: Vec::new(),
            most_wins: 10,
            spellings: Names::default(),
            own_games: 0,
            colors: Default::default(),
            years: BTreeMap::new(),
            peak: None,
            openings: Default::default(),
            lines: Default::default(),
            opponents: Names::default(),
            own: String::new(),
            time_classes: BTreeMap::new(),
            wins: Vec::new(),
            people: Default::default(),
        }
    }

    /// Counts only the games against opponents that one of `against` matches.
    #[must_use]
    pub fn against(self, against: Vec<Text>) -> PlayerReport {
        let asks_ids = self.asks_ids || against.iter().any(Text::asks_id);
        PlayerReport { against, asks_ids, ..self }
    }

    /// Keeps the best `most` wins. The default is 10.
    #[must_use]
    pub fn most_wins(self, most: usize) -> PlayerReport {
        PlayerReport { most_wins: most, ..self }
    }

    /// Returns a filter that selects the games of the player. More criteria can be added to it.
    #[must_use]
    pub fn filter(&self) -> Filter {
        let mut filter = Filter::default();
        filter.player.clone_from(&self.names);
        filter.against.clone_from(&self.against);
        filter
    }

    /// Returns the colour of the player and the place of the opponent. `None` if both players match: then
    /// nobody can tell whose result counts.
    fn color(&mut self, header: &Header) -> Option<(Color, usize)> {
        let (white, black) = (&header.white, &header.black);
        // The same name can have several FIDE ids.
        let known = match (*white == self.own, *black == self.own) {
            _ if self.asks_ids => None,
            (true, false) => Some((Color::White, black)),
            (false, true) => Some((Color::Black, white)),
            _ => None,
        };
        if let Some((color, other)) = known
            && let Some(place) = self.opponents.place(other)
            && self.opponents.at(place).is_known
        {
            return Some((color, place));
        }
        let is = |texts: &[Text], color| texts.iter().any(|text| text.is_player(header, color));
        let meets = |color| self.against.is_empty() || is(&self.against, color);
        let fits = |color: Color| is(&self.names, color) && meets(!color);
        let (color, own, other) = match (fits(Color::White), fits(Color::Black)) {
            (true, false) => (Color::White, white, black),
            (false, true) => (Color::Black, black, white),
            _ => return None,
        };
        let is_known = !is(&self.names, !color);
        own.clone_into(&mut self.own);
        let place = self.opponents.place_of(other);
        self.opponents.at(place).is_known = is_known;
        Some((color, place))
    }

    fn add_win(&mut self, facts: &Facts<'_>, color: Color, opponent: &str, elo: Elo) {
        let place = self.wins.partition_point(|win| win.elo >= elo);
        if place >= self.most_wins {
            return;
        }
        let Header { date, ref event, .. } = facts.game.header;
        let (opponent, event) = (cut(opponent), cut(event));
        let win = Win { opponent, elo, color, date, event, number: facts.number };
        self.wins.insert(place, win);
        self.wins.truncate(self.most_wins);
    }

    /// Returns the number of counted games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.total().games
    }

    /// Returns the number of games left out because both players match the names.
    #[must_use]
    pub fn own_games(&self) -> u64 {
        self.own_games
    }

    /// Returns the people that one of the names means, if they are several. The names of the opponents come
    /// second.
    #[must_use]
    pub fn several(&self) -> Option<Identities> {
        let [own, opponents] = &self.people;
        self.names
            .iter()
            .find_map(|text| several(text, own))
            .or_else(|| self.against.iter().find_map(|text| several(text, opponents)))
    }

    /// Returns the spellings of the player's name with their games, the most frequent first.
    #[must_use]
    pub fn spellings(&self) -> Vec<Named<u64>> {
        self.spellings.sorted(|games| *games)
    }

    /// Returns the score with both colours.
    #[must_use]
    pub fn total(&self) -> Score {
        let [mut total, black] = self.colors;
        total.merge(&black);
        total
    }

    /// Returns the score with `color`.
    #[must_use]
    pub fn by_color(&self, color: Color) -> Score {
        let [white, black] = self.colors;
        if color == Color::White { white } else { black }
    }

    /// Returns the scores by year, in order. Games without a year come last.
    #[must_use]
    pub fn years(&self) -> Vec<(Option<u16>, YearScore)> {
        let known = self.years.iter().filter(|(year, _)| year.is_some());
        let unknown = self.years.iter().filter(|(year, _)| year.is_none());
        known.chain(unknown).map(|(year, score)| (*year, *score)).collect()
    }

    /// Returns the highest rating of the player, at its first date.
    #[must_use]
    pub fn peak(&self) -> Option<Rating> {
        self.peak
    }

    /// Returns the scores by opening with `color`, the most frequent first.
    #[must_use]
    pub fn openings(&self, color: Color) -> Vec<OpeningGroup<Score>> {
        let [white, black] = &self.openings;
        let openings = if color == Color::White { white } else { black };
        openings.sorted(Grain::Variation, Score::merge, |score| score.games)
    }

    /// Returns the player's first moves with `color`, the most frequent first.
    #[must_use]
    pub fn first_moves(&self, color: Color) -> Vec<LineScore> {
        let [white, black] = &self.lines;
        if color == Color::White { white } else { black }.first_moves(color)
    }

    /// Returns the scores by opponent, the most frequent first.
    #[must_use]
    pub fn opponents(&self) -> Vec<Named<OpponentScore>> {
        let sorted = self.opponents.sorted(|opponent| opponent.score.total().games).into_iter();
        let known = sorted.filter(|opponent| !is_nobody(&opponent.name));
        known.map(|Named { name, value }| Named { name, value: value.score }).collect()
    }

    /// Returns the score against opponents beyond the limit of names, and how many names are kept.
    #[must_use]
    pub fn other_opponents(&self) -> (OpponentScore, usize) {
        (self.opponents.others().score, self.opponents.len())
    }

    /// Returns the scores by time class, the fastest class first.
    #[must_use]
    pub fn time_classes(&self) -> Vec<(TimeClass, Score)> {
        self.time_classes.iter().map(|(class, score)| (*class, *score)).collect()
    }

    /// Returns the wins against the opponents with the highest ratings, the highest first.
    #[must_use]
    pub fn best_wins(&self) -> &[Win] {
        &self.wins
    }
}

/// Returns the people whose names a text finds, if they are several.
fn several(text: &Text, all: &People) -> Option<Identities> {
    let found = all.only(|name| text.is_in(name)).identities();
    (found.people.len() > 1).then_some(found)
}

impl Report for PlayerReport {
    fn add(&mut self, facts: &Facts<'_>) {
        let header = &facts.game.header;
        let Some((color, place)) = self.color(header) else {
            self.own_games += 1;
            return;
        };
        let (other, own_elo, other_elo) = match color {
            Color::White => (&header.black, header.white_elo, header.black_elo),
            Color::Black => (&header.white, header.black_elo, header.white_elo),
        };
        let mut score = Score::default();
        score.add(header.result, color, other_elo);
        let [white, black] = facts.names;
        *self.spellings.of(if color == Color::White { white } else { black }) += 1;
        let [people, opponents] = &mut self.people;
        people.add(facts.game, color);
        if !self.against.is_empty() {
            opponents.add(facts.game, !color);
        }
        let at = usize::from(color == Color::Black);
        if let Some(total) = self.colors.get_mut(at) {
            total.merge(&score);
        }
        if let Some(openings) = self.openings.get_mut(at) {
            openings.of(facts.opening).merge(&score);
        }
        if let Some(lines) = self.lines.get_mut(at) {
            lines.add(facts.game, &score);
        }
        let OpponentScore { white, black } = &mut self.opponents.at(place).score;
        let with_color = if color == Color::White { white } else { black };
        with_color.merge(&score);
        self.time_classes.entry(facts.time_class).or_default().merge(&score);
        let year = self.years.entry(header.date.year()).or_default();
        year.score.merge(&score);
        if let Some(elo) = own_elo {
            year.rate(Rating { elo, date: header.date });
            let is_higher = |peak: Rating| {
                let is_earlier = header.date.year().is_some() && header.date < peak.date;
                elo > peak.elo || elo == peak.elo && is_earlier
            };
            if self.peak.is_none_or(is_higher) {
                self.peak = Some(Rating { elo, date: header.date });
            }
        }
        let won = matches!(
            (header.result, color),
            (GameResult::White, Color::White) | (GameResult::Black, Color::Black)
        );
        if let Some(elo) = other_elo.filter(|_| won && !is_nobody(other)) {
            self.add_win(facts, color, other, elo);
        }
    }
}

impl YearScore {
    /// Games need not come in the order of their dates.
    fn rate(&mut self, rating: Rating) {
        if self.first.is_none_or(|first| rating.date < first.date) {
            self.first = Some(rating);
        }
        if self.last.is_none_or(|last| rating.date >= last.date) {
            self.last = Some(rating);
        }
        self.peak = self.peak.max(Some(rating.elo));
    }
}

/// Returns the text, or its beginning if it is longer than any name.
fn cut(text: &str) -> String {
    let mut end = text.len().min(MAX_TEXT);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use chess_core::Game;

    use super::*;

    fn game(tags: &[(&str, &str)], moves: &[&str]) -> Game {
        let mut game = Game::new();
        tags.iter().for_each(|(name, value)| game.header.set(name, value));
        moves.iter().for_each(|m| game.push_move(m.parse().unwrap()));
        game
    }

    fn report(names: &[&str], games: &[Game]) -> PlayerReport {
        let names = names.iter().map(|name| Text::name(name).unwrap()).collect();
        let mut report = PlayerReport::new(names).most_wins(2);
        for (number, game) in (0..).zip(games) {
            report.add(&Facts {
                number,
                game,
                names: [&game.header.white, &game.header.black],
                opening: openings::Opening::of(game),
                time_class: TimeClass::of(game),
                plies: game.ply_count(),
                is_damaged: false,
            });
        }
        report
    }

    fn played(white: &str, black: &str, result: &str, date: &str, elo: [&str; 2]) -> Game {
        let tags = [
            ("White", white),
            ("Black", black),
            ("Result", result),
            ("Date", date),
            ("WhiteElo", elo[0]),
            ("BlackElo", elo[1]),
        ];
        game(&tags, &["e2e4", "c7c5"])
    }

    #[test]
    fn player_is_counted_by_colour_year_and_opponent() {
        let report = report(
            &["tal m"],
            &[
                played("Tal, Mihail", "Keres, P", "1-0", "1961.03.02", ["2600", "2610"]),
                played("Keres, P", "Tal, M", "0-1", "1960.05.01", ["2605", "2650"]),
                played("Keres, P", "Tal, M", "1-0", "1960.01.01", ["2605", "2640"]),
                played("Tal, Mihail", "Gurgenidze", "*", "????.??.??", ["", ""]),
            ],
        );
        assert_eq!((report.games(), report.own_games()), (4, 0));
        let total = report.total();
        assert_eq!((total.wins, total.draws, total.losses, total.unfinished()), (2, 0, 1, 1));
        assert_eq!(report.by_color(Color::Black).losses, 1);
        let years: Vec<_> =
            report.years().iter().map(|(year, score)| (*year, score.score.games)).collect();
        assert_eq!(years, [(Some(1960), 2), (Some(1961), 1), (None, 1)]);
        let elo = |rating: Option<Rating>| rating.map(|rating| rating.elo.get());
        let of_1960 = report.years()[0].1;
        assert_eq!((elo(of_1960.first), elo(of_1960.last)), (Some(2640), Some(2650)));
        assert_eq!(elo(report.peak()), Some(2650));
        let opponents = report.opponents();
        assert_eq!((&*opponents[0].name, opponents[0].value.total().games), ("Keres, P", 3));
        assert_eq!(opponents[0].value.black.half_points(), 2);
        let spellings = report.spellings();
        let spellings: Vec<_> = spellings.iter().map(|n| (&*n.name, n.value)).collect();
        assert_eq!(spellings, [("Tal, M", 2), ("Tal, Mihail", 2)]);
        let wins: Vec<u16> = report.best_wins().iter().map(|win| win.elo.get()).collect();
        assert_eq!(wins, [2610, 2605]);
        assert_eq!(report.openings(Color::White)[0].name, Some("Sicilian Defense"));
        assert_eq!(report.first_moves(Color::Black)[0].moves, "1. e4 c5");
    }

    #[test]
    fn player_against_namesake_is_left_out() {
        let games = [played("Polgar, Judit", "Polgar, Zsuzsa", "1-0", "1992.01.01", ["", ""])];
        let both = report(&["polgar"], &games);
        assert_eq!((both.games(), both.own_games()), (0, 1));
        let one = report(&["polgar judit"], &games);
        assert_eq!((one.games(), one.own_games()), (1, 0));
    }

    /// A report remembers which names it has compared.
    #[test]
    fn player_of_any_order_of_games_is_counted_like_each_game() {
        let names =
            ["Polgar, Judit", "Polgar, Zsuzsa", "Short, N", "Polgar, J", "Karpov, A", "T", "Tal"];
        let pairs = || names.iter().flat_map(|one| names.iter().map(move |other| (*one, *other)));
        let games: Vec<Game> = pairs()
            .chain(pairs())
            .map(|(white, black)| played(white, black, "1-0", "1992.01.01", ["", ""]))
            .collect();
        let asked: [&[&str]; 3] = [&["polgar"], &["polgar j"], &["short", "polgar z"]];
        for (names, against) in
            asked.iter().flat_map(|one| asked.iter().map(move |other| (one, other)))
        {
            for against in [&[], *against] {
                let text = |name: &&str| Text::name(name).unwrap();
                let new = || {
                    let report = PlayerReport::new(names.iter().map(text).collect());
                    report.against(against.iter().map(text).collect())
                };
                let add = |report: &mut PlayerReport, game: &Game| {
                    report.add(&Facts {
                        number: 0,
                        game,
                        names: [&game.header.white, &game.header.black],
                        opening: None,
                        time_class: TimeClass::Unknown,
                        plies: 2,
                        is_damaged: false,
                    });
                };
                let (mut all, mut expected) = (new(), [0; 3]);
                for game in &games {
                    add(&mut all, game);
                    let mut one = new();
                    add(&mut one, game);
                    let counts = [
                        one.by_color(Color::White).games,
                        one.by_color(Color::Black).games,
                        one.own_games(),
                    ];
                    expected.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
                }
                let [white, black] = Color::ALL.map(|color| all.by_color(color).games);
                assert_eq!([white, black, all.own_games()], expected, "{names:?} {against:?}");
                let opponents = all.opponents();
                assert_eq!(
                    opponents.iter().map(|name| name.value.total().games).sum::<u64>(),
                    all.games()
                );
            }
        }
    }

    #[test]
    fn player_opponent_of_bye_is_not_listed() {
        let opponents = ["?", "Bye", "Short, N"];
        let games = opponents.map(|name| played("Tal", name, "1-0", "1992.01.01", ["", "2500"]));
        let report = report(&["tal"], &games);
        assert_eq!((report.games(), report.opponents().len(), report.best_wins().len()), (3, 1, 1));
    }

    #[test]
    fn win_text_of_any_length_is_cut() {
        assert_eq!(cut("Tal"), "Tal");
        assert_eq!(cut(&"é".repeat(MAX_TEXT)).len(), MAX_TEXT);
        assert_eq!(cut(&format!("a{}", "é".repeat(MAX_TEXT))).len(), MAX_TEXT - 1);
    }
}
