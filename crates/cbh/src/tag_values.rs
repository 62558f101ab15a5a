//! The values of the tags that both formats store, collected from the header of a game.

use chess_core::{Date, Header, RESULT_SPELLING_TAG, Variant, is_implied, is_typed};
use chess_store::{Loss, LossKind, Losses};

use crate::annotations::write::shorten;
use crate::entities::nations::nation_of;
use crate::header::encode_date;
use crate::layout::item;
use crate::tags::{
    BLACK_TEAM_TAG, EVALUATION_TAG, EVENT_FLAGS_TAG, RESULT_TAG, WHITE_TEAM_TAG, code_of_result,
    detail_of_result, number_of_eco, parse_clock, parse_event_type, parse_round,
};

/// The values that a format has room for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The largest round, and the largest version and quality of a source.
    pub(crate) number: u16,
    /// Whether the numbers of a team can be stored and read back.
    pub(crate) team: fn(TeamNumbers) -> bool,
}

/// The number of a team, 1 for a season, and its year.
pub(crate) type TeamNumbers = (u32, u8, u32);

/// The fields of a tournament other than its texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct EventValues {
    pub(crate) date: u32,
    pub(crate) kind: u8,
    pub(crate) team: u8,
    pub(crate) nation: u8,
    pub(crate) category: u8,
    pub(crate) flags: u8,
    pub(crate) rounds: u8,
}

/// The fields of a source other than its texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct SourceValues {
    publication: Option<u32>,
    pub(crate) date: u32,
    pub(crate) version: u16,
    pub(crate) quality: u16,
}

impl SourceValues {
    /// Returns the date of publication. A source without texts has its date there too.
    // cbh §10.19
    pub(crate) fn publication(&self, named: bool) -> u32 {
        self.publication.unwrap_or(if named { 0 } else { self.date })
    }
}

/// The texts of tags that become entities.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Texts<'a> {
    pub(crate) annotator: &'a str,
    pub(crate) source: &'a str,
    pub(crate) publisher: &'a str,
}

/// The tags of a team.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TeamTags<'a> {
    pub(crate) name: &'a str,
    pub(crate) country: u8,
    pub(crate) numbers: Option<TeamNumbers>,
}

/// The collected values.
#[derive(Debug)]
pub(crate) struct TagValues<'a> {
    limits: Limits,
    pub(crate) losses: &'a mut Losses,
    pub(crate) date: u32,
    pub(crate) round: (u16, u16),
    pub(crate) eco: u16,
    pub(crate) evaluation: u8,
    /// The detailed result, such as a forfeit.
    result: &'a str,
    /// The code of the result.
    pub(crate) result_code: u8,
    pub(crate) event: EventValues,
    pub(crate) source: SourceValues,
    pub(crate) texts: Texts<'a>,
    pub(crate) teams: [TeamTags<'a>; 2],
    /// The clocks at the end of the game in hundredths of a second, by type of annotation.
    pub(crate) clocks: Vec<(u8, u32)>,
    /// Whether a tag declares the game as Chess960.
    pub(crate) chess960: bool,
}

impl<'a> TagValues<'a> {
    /// Collects the values of a header. `own` takes the tags that only one format knows, and returns
    /// whether their whole value is stored. Adds values that the format cannot hold to `losses`.
    // cbh §10 "Tags"
    pub(crate) fn collect(
        header: &'a Header,
        limits: Limits,
        losses: &'a mut Losses,
        mut own: impl FnMut(&str, &'a str) -> bool,
    ) -> TagValues<'a> {
        let mut values = TagValues {
            limits,
            losses,
            date: 0,
            round: (0, 0),
            eco: 0,
            evaluation: 0,
            result: "",
            result_code: 0,
            event: EventValues::default(),
            source: SourceValues::default(),
            texts: Texts::default(),
            teams: [TeamTags::default(); 2],
            clocks: Vec::new(),
            chess960: false,
        };
        values.typed(header);
        for (name, value) in header.tags.iter() {
            if is_typed(name) {
                values.spelling(name, value, header);
            } else if !values.tag(name, value) && !own(name, value) && !is_implied(name, value) {
                values.lose(LossKind::Tag, name);
            }
        }
        values.result_code = match code_of_result(header.result, values.result) {
            Some(code) => code,
            None => {
                let word = values.result;
                values.lose(LossKind::Result, word);
                code_of_result(header.result, "").unwrap_or(3)
            }
        };
        values
    }

    pub(crate) fn lose(&mut self, kind: LossKind, detail: impl Into<String>) {
        self.losses.push(Loss::new(kind, detail));
    }

    fn typed(&mut self, header: &Header) {
        self.date = self.date("Date", header.date);
        self.event.date = self.date("EventDate", header.event_date.unwrap_or_default());
        match parse_round(&header.round, self.limits.number) {
            Some(round) => self.round = round,
            None if header.round.is_empty() => {}
            None => self.lose(LossKind::Round, shorten(&header.round)),
        }
        if let Some(eco) = header.eco {
            let (number, whole) = number_of_eco(eco);
            self.eco = number;
            if !whole {
                self.lose(LossKind::Eco, eco.to_string());
            }
        }
    }

    fn date(&mut self, name: &str, date: Date) -> u32 {
        encode_date(date).unwrap_or_else(|| {
            self.lose(LossKind::Date, format!("{name} {date}"));
            0
        })
    }

    /// Reports the spelling of a typed tag if it is not canonical and so not kept.
    fn spelling(&mut self, name: &str, value: &str, header: &Header) {
        let kind = match name {
            _ if matches!(value.trim(), "" | "?" | "-" | "0" | "*" | "????.??.??") => return,
            "WhiteElo" | "BlackElo" => LossKind::Rating,
            "ECO" => LossKind::Eco,
            "Date" if header.date.is_all_of(value) => return,
            "EventDate" if header.event_date.unwrap_or_default().is_all_of(value) => return,
            "Date" | "EventDate" => LossKind::Date,
            "Result" => LossKind::Result,
            "Deleted" => LossKind::Flag,
            _ => LossKind::Tag,
        };
        self.lose(kind, format!("{name} {:?}", shorten(value)));
    }

    /// Takes a tag. Returns `true` if its whole value is stored.
    fn tag(&mut self, name: &str, value: &'a str) -> bool {
        let [white, black] = &mut self.teams;
        let texts = &mut self.texts;
        let text = match name {
            "Annotator" => &mut texts.annotator,
            "SourceTitle" => &mut texts.source,
            "Source" => &mut texts.publisher,
            "WhiteTeam" => &mut white.name,
            "BlackTeam" => &mut black.name,
            RESULT_TAG => &mut self.result,
            RESULT_SPELLING_TAG => return self.result_spelling(value),
            _ => return self.value(name, value),
        };
        take_first(text, value)
    }

    fn value(&mut self, name: &str, value: &str) -> bool {
        let Limits { number: most, team: fits } = self.limits;
        let [white, black] = &mut self.teams;
        let (event, source) = (&mut self.event, &mut self.source);
        let number = |value| positive(value).filter(|number| *number <= most);
        let numbers = |value| parse_team_numbers(value).filter(|team| fits(*team)).map(Some);
        match name {
            "EventRounds" => set(&mut event.rounds, positive(value)),
            "EventCategory" => set(&mut event.category, positive(value)),
            EVENT_FLAGS_TAG => set(&mut event.flags, positive(value)),
            "SourceVersion" => set(&mut source.version, number(value)),
            "SourceQuality" => set(&mut source.quality, number(value)),
            EVALUATION_TAG => set(&mut self.evaluation, positive(value)),
            "EventType" => {
                let (mut kind, mut team) = (event.kind, event.team);
                let found = parse_event_type(value);
                let sound = set(&mut kind, found.map(|found| found.0))
                    && set(&mut team, found.map(|found| found.1));
                (event.kind, event.team) = (kind, team);
                sound
            }
            "EventCountry" => set(&mut event.nation, nation_of(value)),
            "WhiteTeamCountry" => set(&mut white.country, nation_of(value)),
            "BlackTeamCountry" => set(&mut black.country, nation_of(value)),
            WHITE_TEAM_TAG => set(&mut white.numbers, numbers(value)),
            BLACK_TEAM_TAG => set(&mut black.numbers, numbers(value)),
            "SourceDate" => set(&mut source.publication, plain_date(value).map(Some)),
            "SourceVersionDate" => set(&mut source.date, plain_date(value)),
            "WhiteClock" => self.clock(item::WHITE_CLOCK, value),
            "BlackClock" => self.clock(item::BLACK_CLOCK, value),
            "Variant" => {
                self.chess960 |= Variant::from_tag(value) == Variant::Chess960;
                value == "Chess960"
            }
            _ => false,
        }
    }

    fn clock(&mut self, kind: u8, value: &str) -> bool {
        let taken = self.clocks.iter().any(|(known, _)| *known == kind);
        match parse_clock(value).filter(|_| !taken) {
            Some(hundredths) => self.clocks.push((kind, hundredths)),
            None => return false,
        }
        self.clocks.sort_unstable();
        true
    }

    /// Takes the spelling of a result that adds detail: a forfeit, or a loss of both sides.
    fn result_spelling(&mut self, value: &str) -> bool {
        let Some(word) = detail_of_result(value) else { return false };
        if self.result.is_empty() {
            self.result = word;
        }
        self.result == word
    }

    /// Returns the tags of a team, if it has a name. Reports the other tags of a team without one.
    pub(crate) fn team(&mut self, side: usize) -> Option<(&'static str, TeamTags<'a>)> {
        let team = self.teams.get(side).copied().unwrap_or_default();
        if team.name.is_empty() {
            if team.country != 0 || team.numbers.is_some() {
                self.lose(LossKind::Tag, "the country or number of a team without a name");
            }
            return None;
        }
        Some((if side == 0 { "WhiteTeam" } else { "BlackTeam" }, team))
    }
}

/// Sets a text unless an earlier tag did. Returns whether `value` was stored.
pub(crate) fn take_first<'a>(text: &mut &'a str, value: &'a str) -> bool {
    let first = text.is_empty();
    if first {
        *text = value;
    }
    first && !value.is_empty()
}

/// Sets `place` unless an earlier tag did. Returns whether `value` was valid and stored.
pub(crate) fn set<T: Default + PartialEq>(place: &mut T, value: Option<T>) -> bool {
    match value {
        Some(value) if *place == T::default() => {
            *place = value;
            true
        }
        _ => false,
    }
}

/// Returns the text of a typed field, or an empty text if it is unknown.
pub(crate) fn known(text: &str) -> &str {
    if text == "?" { "" } else { text }
}

/// Splits a name into last and first name.
pub(crate) fn split_name(name: &str) -> (&str, &str) {
    let name = known(name);
    let split = name.split_once(", ");
    split.filter(|(last, first)| !last.is_empty() && !first.is_empty()).unwrap_or((name, ""))
}

/// Parses a number that is written canonically.
pub(crate) fn plain_number<T: std::str::FromStr + ToString>(text: &str) -> Option<T> {
    text.parse::<T>().ok().filter(|number| number.to_string() == text)
}

/// Parses a number above 0 that is written canonically.
pub(crate) fn positive<T: std::str::FromStr + ToString + PartialOrd + Default>(
    text: &str,
) -> Option<T> {
    plain_number(text).filter(|number| *number > T::default())
}

/// Returns the bits of a date that is at least partly known.
pub(crate) fn plain_date(text: &str) -> Option<u32> {
    let date: Date = text.parse().ok()?;
    encode_date(date).filter(|bits| *bits != 0)
}

fn parse_team_numbers(text: &str) -> Option<TeamNumbers> {
    let mut numbers = text.split(' ');
    let found = (
        plain_number(numbers.next()?)?,
        plain_number(numbers.next()?)?,
        plain_number(numbers.next()?)?,
    );
    numbers.next().is_none().then_some(found)
}
