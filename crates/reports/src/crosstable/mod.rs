//! Cross tables of events.
//!
//! Games belong to one event if they have the same event and site, and no gap of more than four
//! months lies between them. So the yearly tournaments of one name are several events, and a
//! tournament over New Year is one. A site that is an address (`https://...`) differs from game
//! to game and is ignored.

mod events;
mod incomplete;
mod kind;
mod repeats;
mod standings;
mod teams;
mod tie_breaks;
mod trf;

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use chess_core::{Color, Date, Elo, GameResult, Header, ResultText};

use super::{Facts, Report};
use crate::names::is_nobody;

pub use events::EventSummary;
pub use kind::Kind;
pub use standings::{Crosstable, Meeting, Standing};
pub use teams::TeamStanding;
pub use tie_breaks::TieBreak;
pub use trf::TrfError;

/// Games that are kept. More games than any event has are a base, not an event.
const MAX_GAMES: usize = 1_000_000;
/// Bytes of names and events that are kept.
const MAX_BYTES: usize = 64 << 20;

/// Collects the games of events.
#[derive(Clone, Debug)]
pub struct EventReport {
    merges: bool,
    games: Vec<Played>,
    players: Texts,
    events: Texts,
    sites: Texts,
    teams: Texts,
    /// Facts about players from the tags, by their numbers.
    people: HashMap<u32, PlayerTags>,
    /// The players by their FIDE ids.
    ids: HashMap<Box<str>, u32>,
    most_games: usize,
    is_too_large: bool,
}

/// Facts about a player from the tags.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlayerTags {
    /// `WhiteTitle`, as `GM`.
    pub title: String,
    /// `WhiteFideId`, a number.
    pub fide_id: String,
    /// `WhiteTeam`, if it names a federation by three capitals.
    pub federation: String,
}

impl PlayerTags {
    /// Takes what is not known yet.
    fn complete(&mut self, header: &Header, names: [&str; 3]) {
        let [title, fide_id, team] = names.map(|name| header.tags.get(name).unwrap_or_default());
        let capitals = |text: &str| text.bytes().all(|byte| byte.is_ascii_uppercase());
        let put = |slot: &mut String, text: &str, fits: bool| {
            if slot.is_empty() && fits {
                text.clone_into(slot);
            }
        };
        put(&mut self.title, title, title.len() <= 3 && capitals(title));
        put(&mut self.fide_id, fide_id, is_fide_id(fide_id));
        put(&mut self.federation, team, team.len() == 3 && capitals(team));
    }
}

/// Returns whether a text is a FIDE id. Zeros mean that there is none.
fn is_fide_id(text: &str) -> bool {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    digits && text.len() <= 11 && text.bytes().any(|byte| byte != b'0')
}

/// One game of an event.
#[derive(Clone, Copy, Debug)]
struct Played {
    event: u32,
    site: u32,
    players: [u32; 2],
    elos: [Option<Elo>; 2],
    outcome: GameOutcome,
    /// Teams of White and Black, if both are known.
    teams: Option<[u32; 2]>,
    /// A hash of the moves.
    line: u64,
    /// Round, and number in the round; zero is unknown.
    round: (u32, u32),
    date: Date,
    /// Whether the round says that the game decides a tie.
    is_play_off: bool,
    /// Whether the game has a result but no moves.
    has_no_moves: bool,
}

/// The outcome of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GameOutcome {
    Played(GameResult),
    /// A result without play.
    Forfeit(GameResult),
    /// Both players lost, by forfeit or by a decision.
    BothLost,
}

/// The outcome of a game for one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// Won over the board.
    Win,
    /// Drawn.
    Draw,
    /// Lost over the board.
    Loss,
    /// The game has no result.
    Unfinished,
    /// Won because the opponent forfeited.
    ForfeitWin,
    /// Lost by forfeit, or lost by both players.
    ForfeitLoss,
}

impl Outcome {
    /// Returns the sign in a cross table: `1`, `½`, `0`, `*`, `+`, `-`.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Outcome::Win => "1",
            Outcome::Draw => "½",
            Outcome::Loss => "0",
            Outcome::Unfinished => "*",
            Outcome::ForfeitWin => "+",
            Outcome::ForfeitLoss => "-",
        }
    }

    /// Returns the points, counted in halves.
    #[must_use]
    pub fn half_points(self) -> u64 {
        match self {
            Outcome::Win | Outcome::ForfeitWin => 2,
            Outcome::Draw => 1,
            Outcome::Loss | Outcome::Unfinished | Outcome::ForfeitLoss => 0,
        }
    }

    /// Returns whether the game was played and has a result.
    #[must_use]
    pub fn is_played(self) -> bool {
        matches!(self, Outcome::Win | Outcome::Draw | Outcome::Loss)
    }
}

impl GameOutcome {
    fn of(header: &Header) -> GameOutcome {
        let spelling = header.tags.get(chess_core::RESULT_SPELLING_TAG).unwrap_or_default();
        let says_more = ResultText::parse(spelling).is_some_and(|read| read.says_more);
        let termination = header.tags.get("Termination").unwrap_or_default();
        let is_forfeit = says_more && is_sign_of_forfeit(spelling) || says_forfeit(termination);
        match header.result {
            GameResult::Unknown if says_more && is_both_lost(spelling) => GameOutcome::BothLost,
            GameResult::Unknown => GameOutcome::Played(GameResult::Unknown),
            result if is_forfeit => GameOutcome::Forfeit(result),
            result => GameOutcome::Played(result),
        }
    }

    fn for_player(self, color: Color) -> Outcome {
        let is_won = |result| match color {
            Color::White => result == GameResult::White,
            Color::Black => result == GameResult::Black,
        };
        match self {
            GameOutcome::BothLost => Outcome::ForfeitLoss,
            GameOutcome::Played(GameResult::Unknown)
            | GameOutcome::Forfeit(GameResult::Unknown) => Outcome::Unfinished,
            GameOutcome::Played(GameResult::Draw) | GameOutcome::Forfeit(GameResult::Draw) => {
                Outcome::Draw
            }
            GameOutcome::Played(result) if is_won(result) => Outcome::Win,
            GameOutcome::Played(_) => Outcome::Loss,
            GameOutcome::Forfeit(result) if is_won(result) => Outcome::ForfeitWin,
            GameOutcome::Forfeit(_) => Outcome::ForfeitLoss,
        }
    }
}

/// `+/-`, `1-0 F`, `1-0 (forfeit)`.
fn is_sign_of_forfeit(spelling: &str) -> bool {
    let signs = spelling.trim_start().starts_with(['+', '-', '−', '–']);
    let letter = spelling.trim_end().ends_with(['F', 'f']);
    signs || letter || says_forfeit(spelling)
}

/// `0-0`, `-/-`: no side has a point.
fn is_both_lost(spelling: &str) -> bool {
    !spelling.contains(['1', '5', '½', '+', '='])
}

/// Returns whether words say that a game was not played. `time forfeit` ends a game that was.
fn says_forfeit(words: &str) -> bool {
    let words = words.to_lowercase();
    let signs = ["forfeit", "default", "walkover", "unplayed", "no show", "no-show", "w.o."];
    !words.contains("time") && signs.iter().any(|sign| words.contains(sign))
}

/// Texts with numbers, each text once.
#[derive(Clone, Debug, Default)]
struct Texts {
    numbers: HashMap<Box<str>, u32>,
    texts: Vec<Box<str>>,
    bytes: usize,
}

impl Texts {
    /// Returns the number of `text`; `None` if no more texts are kept.
    fn number(&mut self, text: &str) -> Option<u32> {
        if let Some(number) = self.numbers.get(text) {
            return Some(*number);
        }
        let size = 2 * (text.len() + 64);
        if self.bytes + size > MAX_BYTES {
            return None;
        }
        let number = u32::try_from(self.texts.len()).ok()?;
        self.bytes += size;
        self.numbers.insert(text.into(), number);
        self.texts.push(text.into());
        Some(number)
    }

    fn text(&self, number: u32) -> &str {
        self.texts.get(number as usize).map_or("?", |text| text)
    }
}

impl Default for EventReport {
    fn default() -> EventReport {
        EventReport::new()
    }
}

impl EventReport {
    /// Creates a report without games.
    #[must_use]
    pub fn new() -> EventReport {
        EventReport {
            merges: false,
            games: Vec::new(),
            players: Texts::default(),
            events: Texts::default(),
            sites: Texts::default(),
            teams: Texts::default(),
            people: HashMap::new(),
            ids: HashMap::new(),
            most_games: MAX_GAMES,
            is_too_large: false,
        }
    }

    /// Takes all games for one event, whatever their event, site and date.
    #[must_use]
    pub fn merge(self, merge: bool) -> EventReport {
        EventReport { merges: merge, ..self }
    }

    /// Returns whether there were more games or names than are kept. The report is then empty.
    #[must_use]
    pub fn is_too_large(&self) -> bool {
        self.is_too_large
    }

    /// Returns the events of the games: those with most games first.
    #[must_use]
    pub fn events(&self) -> Vec<EventSummary> {
        events::summaries(self)
    }

    /// Returns the table of an event. Players with equal points are ranked by `tie_breaks`, or by
    /// those that are [usual](TieBreak::usual) for the kind of event if the list is empty.
    ///
    /// Returns `None` unless the games are of one event.
    #[must_use]
    pub fn table(&self, tie_breaks: &[TieBreak]) -> Option<Crosstable> {
        let mut events = self.events();
        let event = events.pop().filter(|_| events.is_empty())?;
        Some(standings::table(self, event, tie_breaks))
    }

    /// Returns the number of a player. A FIDE id is one player, and a name with two ids is two players.
    fn player(&mut self, name: &str, id: &str) -> Option<u32> {
        if let Some(number) = self.ids.get(id) {
            return Some(*number);
        }
        let mut number = self.players.number(name)?;
        let has_other = |known: &PlayerTags| !known.fide_id.is_empty();
        if !id.is_empty() {
            if self.people.get(&number).is_some_and(has_other) {
                number = self.players.number(&format!("{name} ({id})"))?;
            }
            self.ids.insert(id.into(), number);
        }
        Some(number)
    }

    fn push(&mut self, facts: &Facts<'_>) -> Option<()> {
        let header = &facts.game.header;
        let is_address = header.site.contains("://") || header.site.starts_with("www.");
        let (event, site) = match self.merges {
            true => ("", ""),
            false => (header.event.trim(), if is_address { "?" } else { header.site.trim() }),
        };
        if self.games.len() >= self.most_games {
            return None;
        }
        let outcome = GameOutcome::of(header);
        let id = |tag| header.tags.get(tag).filter(|id| is_fide_id(id)).unwrap_or_default();
        let ids = [id("WhiteFideId"), id("BlackFideId")];
        let [white_id, black_id] = if ids[0] == ids[1] { [""; 2] } else { ids };
        let players = [
            self.player(header.white.trim(), white_id)?,
            self.player(header.black.trim(), black_id)?,
        ];
        let tags = [
            ["WhiteTitle", "WhiteFideId", "WhiteTeam"],
            ["BlackTitle", "BlackFideId", "BlackTeam"],
        ];
        for (player, names) in players.into_iter().zip(tags) {
            self.people.entry(player).or_default().complete(header, names);
        }
        let team = |name| header.tags.get(name).map(str::trim).filter(|team| !is_nobody(team));
        let teams = match (team("WhiteTeam"), team("BlackTeam")) {
            (Some(white), Some(black)) if white != black => {
                Some([self.teams.number(white)?, self.teams.number(black)?])
            }
            _ => None,
        };
        self.games.push(Played {
            event: self.events.number(event)?,
            site: self.sites.number(site)?,
            players,
            teams,
            line: line(facts),
            elos: [header.white_elo, header.black_elo],
            outcome,
            round: round(&header.round),
            date: header.date,
            is_play_off: says_play_off(&header.round),
            has_no_moves: facts.plies == 0
                && !facts.is_damaged
                && matches!(outcome, GameOutcome::Played(GameResult::White | GameResult::Black)),
        });
        Some(())
    }
}

impl Report for EventReport {
    fn add(&mut self, facts: &Facts<'_>) {
        if !self.is_too_large && self.push(facts).is_none() {
            *self = EventReport { is_too_large: true, ..EventReport::new().merge(self.merges) };
        }
    }

    fn asks_openings(&self) -> bool {
        false
    }
}

/// Fewer half-moves may be played again in another year.
const MIN_PLIES: usize = 10;

/// Returns a hash of the moves, and of the year of a short game; zero if there are no moves.
fn line(facts: &Facts<'_>) -> u64 {
    if facts.plies == 0 {
        return 0;
    }
    let mut hasher = DefaultHasher::new();
    if facts.plies < MIN_PLIES {
        facts.game.header.date.year().hash(&mut hasher);
    }
    facts.game.main_line().for_each(|m| m.bits().hash(&mut hasher));
    hasher.finish().max(1)
}

/// Returns whether a round is named as one that decides a tie: `TB1`, `tie-break 2`, `Playoff`.
fn says_play_off(round: &str) -> bool {
    let mut letters: String = round.chars().filter(|letter| letter.is_alphabetic()).collect();
    letters.make_ascii_lowercase();
    letters == "tb"
        || ["tiebreak", "playoff", "armageddon"].iter().any(|word| letters.contains(word))
}

/// Parses a round: `5`, `Round 5`, `5.3` (game 3 of round 5). Zero is unknown.
fn round(text: &str) -> (u32, u32) {
    let text = text.trim_matches(|letter: char| !letter.is_ascii_digit());
    let mut numbers = text.trim().split('.').map(|part| part.trim().parse().unwrap_or(0));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use chess_core::Game;

    use super::*;
    use query::TimeClass;

    /// Adds games, each as `white, black, result` and tags.
    pub(super) fn report(games: &[(&str, &str, &str)], tags: &[(&str, &str)]) -> EventReport {
        let mut report = EventReport::new();
        add(&mut report, games, tags);
        report
    }

    pub(super) fn add(
        report: &mut EventReport,
        games: &[(&str, &str, &str)],
        tags: &[(&str, &str)],
    ) {
        for (white, black, result) in games {
            let mut game = Game::new();
            for (name, value) in [("White", *white), ("Black", *black), ("Result", *result)] {
                game.header.set(name, value);
            }
            tags.iter().for_each(|(name, value)| game.header.put(name, value));
            game.push_move("e2e4".parse().unwrap());
            report.add(&Facts {
                number: 0,
                game: &game,
                names: [white, black],
                opening: None,
                time_class: TimeClass::Unknown,
                plies: 1,
                is_damaged: false,
            });
        }
    }

    #[test]
    fn players_are_told_apart_by_fide_ids() {
        let mut games = report(&[("Wang, Yue", "Short, N", "1-0")], &[("WhiteFideId", "11")]);
        add(&mut games, &[("Wang, Yue", "Short, N", "1-0")], &[("WhiteFideId", "12")]);
        add(&mut games, &[("Wang, Y", "Short, N", "1-0")], &[("WhiteFideId", "11")]);
        add(&mut games, &[("Wang, Y", "Short, N", "1-0")], &[("WhiteFideId", "0")]);
        let names: Vec<&str> = (0..4).map(|number| games.players.text(number)).collect();
        assert_eq!(names, ["Wang, Yue", "Short, N", "Wang, Yue (12)", "Wang, Y"]);
        let white: Vec<u32> = games.games.iter().map(|game| game.players[0]).collect();
        assert_eq!(white, [0, 2, 0, 3]);
    }

    #[test]
    fn outcome_of_forfeit_is_told_from_lost_on_time() {
        let outcome = |tags: &[(&str, &str)]| {
            let mut header = Header::default();
            tags.iter().for_each(|(name, value)| header.set(name, value));
            [Color::White, Color::Black].map(|color| GameOutcome::of(&header).for_player(color))
        };
        use Outcome::{Draw, ForfeitLoss, ForfeitWin, Loss, Unfinished, Win};
        for (tags, expected) in [
            (&[("Result", "1-0")][..], [Win, Loss]),
            (&[("Result", "1/2-1/2")], [Draw, Draw]),
            (&[("Result", "*")], [Unfinished, Unfinished]),
            (&[("Result", "+/-")], [ForfeitWin, ForfeitLoss]),
            (&[("Result", "-/+")], [ForfeitLoss, ForfeitWin]),
            (&[("Result", "1-0 (forfeit)")], [ForfeitWin, ForfeitLoss]),
            (&[("Result", "1-0 (time)")], [Win, Loss]),
            (&[("Result", "0-0")], [ForfeitLoss, ForfeitLoss]),
            (&[("Result", "0-1"), ("Termination", "Unplayed")], [ForfeitLoss, ForfeitWin]),
            (&[("Result", "0-1"), ("Termination", "time forfeit")], [Loss, Win]),
            (&[("Result", "adjourned")], [Unfinished, Unfinished]),
        ] {
            assert_eq!(outcome(tags), expected, "{tags:?}");
        }
    }

    #[test]
    fn report_with_too_many_games_is_empty() {
        let mut report = EventReport { most_games: 2, ..EventReport::new() };
        add(&mut report, &[("A", "B", "1-0"), ("B", "A", "1-0")], &[]);
        assert!(!report.is_too_large() && report.table(&[]).is_some());
        add(&mut report, &[("A", "B", "1-0")], &[]);
        assert!(report.is_too_large() && report.table(&[]).is_none());
    }

    #[test]
    fn round_of_text_has_round_and_game() {
        for (text, expected) in [
            ("5", (5, 0)),
            ("5.12", (5, 12)),
            ("Round 5", (5, 0)),
            ("(5)", (5, 0)),
            (" 5 ", (5, 0)),
            ("?", (0, 0)),
            ("final", (0, 0)),
        ] {
            assert_eq!(round(text), expected, "{text}");
        }
    }
}
