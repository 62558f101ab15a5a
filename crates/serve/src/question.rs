//! The parameters of a request.

use std::fmt::Display;

use scoresheet::Filter;
use scoresheet::chess_core::{CastlingSide, Color, Date, Move, Position};
use scoresheet::filter::{PositionPattern, Text};
use scoresheet::openings::Opening;
use scoresheet::position_index::{MODES, SPEEDS};
use strsim::osa_distance;

/// Why a request is refused, as a sentence for its sender.
#[derive(Debug)]
pub(crate) struct Refusal(pub(crate) String);

fn refuse<T>(message: impl Display) -> Result<T, Refusal> {
    Err(Refusal(message.to_string()))
}

/// The list that a request asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Masters,
    Lichess,
    History,
    Player,
}

impl Kind {
    pub(crate) fn of_path(path: &str) -> Option<Kind> {
        Some(match path {
            "/masters" | "/master" => Kind::Masters,
            "/lichess" => Kind::Lichess,
            "/lichess/history" => Kind::History,
            "/player" | "/personal" => Kind::Player,
            _ => return None,
        })
    }

    /// The parameters that have their own meaning here. All others name criteria of a [`Filter`].
    fn parameters(self) -> &'static [&'static str] {
        match self {
            Kind::Masters => {
                &["variant", "fen", "play", "since", "until", "moves", "topGames", "source"]
            }
            Kind::Lichess | Kind::History => &[
                "variant",
                "fen",
                "play",
                "since",
                "until",
                "moves",
                "topGames",
                "recentGames",
                "speeds",
                "ratings",
                "history",
                "source",
            ],
            Kind::Player => &[
                "variant",
                "fen",
                "play",
                "since",
                "until",
                "moves",
                "recentGames",
                "speeds",
                "modes",
                "player",
                "color",
            ],
        }
    }
}

/// The lowest ratings of the groups of `ratings`.
const GROUPS: [u64; 9] = [0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500];

/// A request for the moves of a position.
#[derive(Debug)]
pub(crate) struct Question {
    pub(crate) kind: Kind,
    pub(crate) position: Position,
    /// The positions before, each with the move that was played.
    pub(crate) line: Vec<(Position, Move)>,
    /// The last named position on the way to it.
    pub(crate) opening: Option<Opening>,
    /// Whether games of standard chess are asked for.
    pub(crate) is_standard: bool,
    /// The first and the last month, as year and month.
    pub(crate) since: Option<(u16, u8)>,
    pub(crate) until: Option<(u16, u8)>,
    /// Bits of [`SPEEDS`]; `None` for any speed, also one that is unknown.
    speeds: Option<u32>,
    /// Bits of [`MODES`].
    modes: Option<u32>,
    /// Bits of [`GROUPS`].
    ratings: Option<u32>,
    pub(crate) moves: usize,
    pub(crate) top_games: usize,
    pub(crate) recent_games: usize,
    pub(crate) has_history: bool,
    /// The name of a player in lower case, and the player's colour.
    pub(crate) player: Option<(String, Color)>,
    pub(crate) filter: Filter,
}

impl Question {
    /// Parses a query string. Unknown parameters are ignored, as by Lichess, but not if they look
    /// like a criterion.
    pub(crate) fn parse(kind: Kind, query: &str) -> Result<Question, Refusal> {
        let mut parameters = Parameters::parse(kind, query)?;
        let start = read_fen(parameters.take("fen").unwrap_or_default().trim())?;
        let mut line = Vec::new();
        let moves = parameters.take("play").unwrap_or_default();
        let (position, opening) = play(start, &moves, &mut line)?;
        let is_list = kind != Kind::History;
        let (moves, top, recent) = match kind {
            Kind::Masters => (12, 15, 0),
            Kind::Lichess => (12, 4, 8),
            Kind::Player => (usize::MAX, 0, 8),
            Kind::History => (0, 0, 0),
        };
        let mut count = |name, usual: usize, most: usize| match parameters.take(name) {
            Some(text) if is_list => number(name, &text).map(|number| number.min(most)),
            _ => Ok(usual.min(most)),
        };
        let moves = count("moves", moves, usize::MAX)?;
        let top_games = count("topGames", top, top)?;
        let recent_games = count("recentGames", recent, recent)?;
        let by_year = kind == Kind::Masters;
        let since = parameters.take("since").map(|text| month("since", &text, by_year, 1));
        let until = parameters.take("until").map(|text| month("until", &text, by_year, 12));
        let mut set = |name, known: &[&str]| match parameters.take(name) {
            Some(text) => names(name, &text, known).map(Some),
            None => Ok(None),
        };
        let (speeds, modes) = (set("speeds", &SPEEDS)?, set("modes", &MODES)?);
        let ratings = parameters.take("ratings").map(|text| groups(&text)).transpose()?;
        let history = parameters.take("history").map(|text| switch(&text)).transpose()?;
        let variant = parameters.take("variant").map(|text| is_standard(&text)).transpose()?;
        let player = match kind {
            Kind::Player => Some(parameters.player()?),
            _ => None,
        };
        let filter = parameters.filter()?;
        Ok(Question {
            kind,
            position,
            line,
            opening,
            is_standard: variant.unwrap_or(true),
            since: since.transpose()?,
            until: until.transpose()?,
            speeds,
            modes,
            ratings,
            moves,
            top_games,
            recent_games,
            has_history: kind == Kind::History || history.unwrap_or(false),
            player,
            filter,
        })
    }

    /// Returns a filter that selects the games of the question, and others: the name of the player is
    /// compared later.
    pub(crate) fn of_index(&self) -> Filter {
        let mut filter = self.filter.clone();
        filter.positions = vec![PositionPattern::exact(&self.position)];
        if let Some((name, color)) = &self.player {
            let field = if *color == Color::White { &mut filter.white } else { &mut filter.black };
            if field.is_empty() {
                field.extend(Text::name(name).ok());
            }
        }
        filter
    }

    /// Returns whether all months that a date can mean are asked for. An unknown year is, if all are.
    pub(crate) fn has_date(&self, date: Date) -> bool {
        if self.since.is_none() && self.until.is_none() {
            return true;
        }
        let Some((first, last)) = date.days() else { return false };
        let month = |date: Date| (date.parts().0, date.parts().1);
        self.since.is_none_or(|since| month(first) >= since)
            && self.until.is_none_or(|until| month(last) <= until)
    }

    /// Returns whether the mean of two ratings lies in a group that is asked for.
    pub(crate) fn has_ratings(&self, ratings: [Option<u16>; 2]) -> bool {
        let Some(groups) = self.ratings else { return true };
        let [Some(white), Some(black)] = ratings else { return false };
        groups & group_of(u64::midpoint(white.into(), black.into())) != 0
    }

    /// Returns whether a decision needs the tags of a game, which no index has.
    pub(crate) fn asks_tags(&self) -> bool {
        self.speeds.is_some() || self.modes.is_some()
    }

    /// Returns whether a speed and a mode are asked for: indices of [`SPEEDS`] and [`MODES`].
    pub(crate) fn has_tags(&self, speed: Option<usize>, mode: Option<usize>) -> bool {
        let has = |asked: Option<u32>, place: Option<usize>| {
            asked.is_none_or(|asked| place.is_some_and(|place| asked >> place & 1 != 0))
        };
        has(self.speeds, speed) && has(self.modes, mode)
    }

    /// Returns whether all games with a result are asked for.
    pub(crate) fn asks_all(&self) -> bool {
        self.filter.is_open()
            && self.player.is_none()
            && [self.since, self.until].iter().all(Option::is_none)
            && !self.asks_tags()
            && self.ratings.is_none()
    }
}

/// The parameters of a query string, decoded.
struct Parameters {
    kind: Kind,
    own: Vec<(&'static str, String)>,
    criteria: Criteria,
}

/// The parameters that name criteria of a [`Filter`].
#[derive(Default)]
pub(crate) struct Criteria(Vec<(&'static str, String)>);

impl Criteria {
    /// Takes a parameter. Returns whether it names a criterion.
    pub(crate) fn take(&mut self, name: &str, value: &str) -> bool {
        // `spelling` names a file, and a request names none.
        let mut known = Filter::names().filter(|known| *known != "spelling");
        let found = known.find(|known| *known == name);
        self.0.extend(found.map(|name| (name, value.to_owned())));
        found.is_some()
    }

    pub(crate) fn filter(&self) -> Result<Filter, Refusal> {
        let pairs = self.0.iter().map(|(name, value)| (*name, value.as_str()));
        Filter::named(pairs).map_err(|error| Refusal(error.to_string()))
    }
}

/// Returns the criterion that `name`, which is none, probably means. Clients send parameters of Lichess to
/// all paths, in several spellings.
fn nearest(name: &str) -> Option<&'static str> {
    let is_own = |kind: Kind| kind.parameters().contains(&name);
    if [Kind::Masters, Kind::Lichess, Kind::Player].into_iter().any(is_own) {
        return None;
    }
    let most = match name.chars().count() {
        0..=3 => 0,
        4..=6 => 1,
        _ => 2,
    };
    let distance = |known: &str| osa_distance(&name.to_lowercase(), &known.to_lowercase());
    let (distance, near) = Filter::names().map(|known| (distance(known), known)).min()?;
    (distance <= most).then_some(near)
}

impl Parameters {
    fn parse(kind: Kind, query: &str) -> Result<Parameters, Refusal> {
        let mut parameters = Parameters { kind, own: Vec::new(), criteria: Criteria::default() };
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            if let Some(name) = kind.parameters().iter().copied().find(|own| *own == name) {
                if parameters.own.iter().any(|(own, _)| *own == name) {
                    return refuse(format_args!("{name} is given twice"));
                }
                parameters.own.push((name, value.into_owned()));
            } else if matches!(&*name, "spelling" | "players") {
                return refuse(format_args!("{name} names a file, and a request names none"));
            } else if !parameters.criteria.take(&name, &value)
                && let Some(near) = nearest(&name)
            {
                return refuse(format_args!("there is no parameter {name}; is {near} meant?"));
            }
        }
        Ok(parameters)
    }

    fn take(&mut self, name: &str) -> Option<String> {
        let place = self.own.iter().position(|(own, _)| *own == name)?;
        Some(self.own.swap_remove(place).1)
    }

    fn player(&mut self) -> Result<(String, Color), Refusal> {
        let Some(name) = self.take("player").filter(|name| !name.trim().is_empty()) else {
            return refuse("player is missing");
        };
        match self.take("color").as_deref() {
            Some("white") => Ok((name.trim().to_lowercase(), Color::White)),
            Some("black") => Ok((name.trim().to_lowercase(), Color::Black)),
            Some(other) => refuse(format_args!("color is white or black, not {other:?}")),
            None => refuse("color is missing"),
        }
    }

    fn filter(&self) -> Result<Filter, Refusal> {
        debug_assert!(self.own.is_empty(), "{:?}: {:?}", self.kind, self.own);
        self.criteria.filter()
    }
}

/// Reads a FEN, an EPD, or the beginning of one; blanks may be underscores. Empty text is the start position.
fn read_fen(text: &str) -> Result<Position, Refusal> {
    if text.is_empty() {
        return Ok(Position::start());
    }
    let position = match Position::from_fen(&text.replace('_', " ")) {
        Ok(position) => usual_castling(position.without_clocks()),
        Err(error) => return refuse(format_args!("fen: {error}")),
    };
    for color in Color::ALL {
        let Some(king) = position.king(color) else {
            return refuse(format_args!("fen: {color:?} has no king"));
        };
        let attackers = position.attackers(king, !color, position.occupied());
        if color != position.turn() && attackers.has_any() {
            return refuse(format_args!("fen: {color:?} is in check and not to move"));
        }
    }
    Ok(position)
}

/// Drops the castling rights that no game from the usual start position can have.
fn usual_castling(mut position: Position) -> Position {
    let given = position;
    position.forbid_castling();
    for (color, side) in Color::ALL
        .into_iter()
        .flat_map(|color| [CastlingSide::King, CastlingSide::Queen].map(|side| (color, side)))
    {
        let mut usual = given;
        usual.forbid_castling();
        usual.allow_castling_from_home(color, side);
        let rook = usual.castling_rook(color, side);
        if rook.is_some() && rook == given.castling_rook(color, side) {
            position.allow_castling_from_home(color, side);
        }
    }
    position
}

/// Plays moves in the notation of UCI, and adds them to `line`. Returns the position after them, and the last
/// named one.
fn play(
    mut position: Position,
    moves: &str,
    line: &mut Vec<(Position, Move)>,
) -> Result<(Position, Option<Opening>), Refusal> {
    let mut opening = Opening::at(&position);
    for text in moves.split(',').filter(|_| !moves.is_empty()) {
        let Some(m) = text.parse().ok().and_then(|m| legal(&position, m)) else {
            return refuse(format_args!(
                "play: {text:?} is no legal move in {}",
                position.to_fen()
            ));
        };
        line.push((position, m));
        position.apply(m);
        opening = Opening::at(&position).or(opening);
    }
    Ok((position.without_clocks(), opening))
}

/// Returns the move, if it is legal. The king's move of castling may go two squares or to the rook.
fn legal(position: &Position, m: Move) -> Option<Move> {
    if position.is_legal(m) {
        return Some(m).filter(|m| !m.is_null());
    }
    let king = position.king(position.turn())?;
    let is_castling = m.from() == king && m.to().file().abs_diff(king.file()) == 2;
    let mut rooks = position.castling_rooks().into_iter();
    let rook = rooks.find(|rook| {
        rook.rank() == king.rank() && (rook.file() > king.file()) == (m.to().file() > king.file())
    })?;
    let castling = Move::new(king, rook);
    (is_castling && m.promotion().is_none() && m.to().rank() == king.rank())
        .then_some(castling)
        .filter(|m| position.is_legal(*m))
}

fn number(name: &str, text: &str) -> Result<usize, Refusal> {
    text.parse().or_else(|_| refuse(format_args!("{name}: {text:?} is no whole number")))
}

/// Reads a year or, if not `by_year`, a month as `2014-06` or `2014/6`. A year has the month `of_year`.
fn month(name: &str, text: &str, by_year: bool, of_year: u8) -> Result<(u16, u8), Refusal> {
    let is_year = |year: &u16| (1..=9999).contains(year);
    let parsed = if by_year {
        text.parse().ok().filter(is_year).map(|year| (year, of_year))
    } else {
        text.split_once(['-', '/']).and_then(|(year, month)| {
            let month = month.parse().ok().filter(|month| (1..=12).contains(month))?;
            Some((year.parse().ok().filter(is_year)?, month))
        })
    };
    let form = if by_year { "a year" } else { "a month such as 2014-06" };
    parsed.ok_or_else(|| Refusal(format!("{name}: {text:?} is not {form}")))
}

fn bit_of(names: &[&str], name: &str) -> u32 {
    names.iter().position(|known| *known == name).map_or(0, |place| 1 << place)
}

/// Reads a list of names as bits. An empty list has none.
fn names(name: &str, text: &str, known: &[&str]) -> Result<u32, Refusal> {
    let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
    words
        .map(|word| match bit_of(known, word) {
            0 => refuse(format_args!("{name}: {word:?} is none of {}", known.join(", "))),
            bit => Ok(bit),
        })
        .try_fold(0, |bits, bit| Ok(bits | bit?))
}

fn group_of(rating: u64) -> u32 {
    GROUPS.iter().rposition(|lowest| *lowest <= rating).map_or(0, |place| 1 << place)
}

fn groups(text: &str) -> Result<u32, Refusal> {
    let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
    words
        .map(|word| match word.parse() {
            Ok(rating) => Ok(group_of(rating)),
            Err(_) => refuse(format_args!("ratings: {word:?} is no rating")),
        })
        .try_fold(0, |bits, bit| Ok(bits | bit?))
}

fn switch(text: &str) -> Result<bool, Refusal> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "on" | "1" | "yes" => Ok(true),
        "false" | "off" | "0" | "no" => Ok(false),
        _ => refuse(format_args!("history: {text:?} is neither true nor false")),
    }
}

/// Returns whether a variant has the games of standard chess.
fn is_standard(text: &str) -> Result<bool, Refusal> {
    const OTHERS: [&str; 7] = [
        "crazyhouse",
        "antichess",
        "atomic",
        "horde",
        "kingOfTheHill",
        "racingKings",
        "threeCheck",
    ];
    match text {
        "standard" | "chess" | "chess960" | "fromPosition" => Ok(true),
        other if OTHERS.contains(&other) => Ok(false),
        other => refuse(format_args!("variant: {other:?} is unknown")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(kind: Kind, query: &str) -> Result<Question, String> {
        Question::parse(kind, query).map_err(|Refusal(message)| message)
    }

    #[test]
    fn parse_bad_parameter_is_refused_with_its_name() {
        for (query, expected) in [
            ("play=e2e5", "play: \"e2e5\" is no legal move in"),
            ("play=e2e4,,e7e5", "play: \"\" is no legal move"),
            ("play=0000", "play: \"0000\" is no legal move"),
            ("fen=8/8/8/8/8/8/8/8", "fen: White has no king"),
            ("fen=4k3/8/8/8/8/8/4R3/4K3", "fen: Black is in check and not to move"),
            ("moves=-1", "moves: \"-1\" is no whole number"),
            ("moves=1&moves=1", "moves is given twice"),
            ("since=2020", "since: \"2020\" is not a month such as 2014-06"),
            ("until=2020-13", "until: \"2020-13\" is not"),
            ("speeds=fast", "speeds: \"fast\" is none of"),
            ("ratings=high", "ratings: \"high\" is no rating"),
            ("variant=go", "variant: \"go\" is unknown"),
            ("history=perhaps", "history: \"perhaps\" is neither"),
            ("where=nonsense", "where"),
            ("openign=Sicilian", "there is no parameter openign; is opening meant?"),
            ("players=names.ssp", "players names a file"),
            ("WHITE=Carlsen", "there is no parameter WHITE; is white meant?"),
        ] {
            let error = parse(Kind::Lichess, query).unwrap_err();
            assert!(error.contains(expected), "{query}: {error}");
        }
        assert!(parse(Kind::Player, "color=white").unwrap_err().contains("player is missing"));
        assert!(parse(Kind::Player, "player=x&color=red").unwrap_err().contains("color is"));
        assert!(parse(Kind::Masters, "since=2020-01").unwrap_err().contains("a year"));
    }

    #[test]
    fn parse_requests_of_clients_is_lenient() {
        let fen = "fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        for query in [
            "fen=&play=",
            "speeds[]=blitz",
            "modes[]=rated&ratings[]=1600&token=x&_=1700000000",
            "top_games=3",
            "since=1952-01&until=2020/3",
            "history=True",
            "ratings=2300&speeds=",
            &format!("{fen}_w_KQkq_-_0_1"),
            &format!("{fen}+w+HAha+e3+0+1"),
            &format!("{fen}%20w%20KQkq"),
        ] {
            let question = parse(Kind::Lichess, query).unwrap();
            assert_eq!(question.position, Position::start(), "{query}");
        }
        // A field that is missing allows no castling.
        let position = parse(Kind::Lichess, fen).unwrap().position;
        assert!(position.castling_rooks().is_empty());
    }

    #[test]
    fn parse_castling_both_ways_is_one_move() {
        let line = "e2e4,e7e5,g1f3,b8c6,f1b5,a7a6,";
        let by_king = parse(Kind::Masters, &format!("play={line}e1g1")).unwrap();
        let to_rook = parse(Kind::Masters, &format!("play={line}e1h1")).unwrap();
        assert_eq!(by_king.position, to_rook.position);
        assert_eq!(by_king.opening.map(Opening::name), Some("Ruy Lopez: Morphy Defense"));
        assert!(parse(Kind::Masters, &format!("play={line}e1c1")).is_err());
    }
}
