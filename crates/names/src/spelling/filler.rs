//! Completes headers by a list of players: FIDE ids, and titles and ratings at the time of the game.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use chess_core::{Color, Date, Elo, Game, Header};
use time_control::TimeClass;

use super::parse::Careers;
use super::{BUFFER, NameId, Spelling, SpellingError, parse};
use crate::text::fide_id;

/// A rating in a game of a player may differ by so much from the list.
const MAX_DIFFERENCE: u16 = 200;
/// Titles, the highest first.
const TITLES: [&str; 8] = ["GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM"];
/// The youngest age at which games are recorded.
const MIN_AGE: u16 = 4;

/// Completes headers by a list of players. A tag that is there stays.
///
/// A player is looked up by the FIDE id of the game, or else by the name, which must be spelt as in the list.
#[derive(Debug)]
pub struct Filler {
    spelling: Spelling,
    careers: Careers,
    by_id: BTreeMap<u32, NameId>,
    unclear: HashMap<String, u64>,
}

/// A tag that was filled.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Filled {
    /// The tag.
    pub tag: &'static str,
    /// Its value.
    pub value: String,
}

impl Filler {
    /// Reads the list at `path`, for games of these players.
    ///
    /// # Errors
    /// [`SpellingError`] names the line.
    pub fn open<'a>(
        path: impl AsRef<Path>,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<Filler, SpellingError> {
        let path = path.as_ref();
        let spelling = Spelling::open(path)?;
        let mut careers = Careers::default();
        for name in names {
            if let Some(Some(id)) = spelling.exactly(name) {
                careers.of.entry(id).or_default();
            }
        }
        let by_id = spelling.ids_of_fide().collect();
        if spelling.month.is_none() {
            let file = File::open(path).map_err(|error| SpellingError::new(0, error.into()))?;
            let file = BufReader::with_capacity(BUFFER, file);
            parse::parse_with(file, &mut Spelling::default(), Some(&mut careers))?;
        }
        Ok(Filler { spelling, careers, by_id, unclear: HashMap::new() })
    }

    /// Completes the tags of both players, and calls `each` with every tag that is filled.
    pub fn fill(&mut self, game: &mut Game, mut each: impl FnMut(Filled)) {
        let is_slow = matches!(TimeClass::of(game), TimeClass::Classical | TimeClass::Unknown);
        for color in Color::ALL {
            let [id_tag, title_tag, elo_tag] = match color {
                Color::White => ["WhiteFideId", "WhiteTitle", "WhiteElo"],
                Color::Black => ["BlackFideId", "BlackTitle", "BlackElo"],
            };
            let header = &game.header;
            let Some(id) = self.player(header, color, id_tag) else { continue };
            let date = header.date;
            let rating = self.rating(id, date).filter(|_| is_slow);
            let own = if color == Color::White { header.white_elo } else { header.black_elo };
            let differs = |(own, listed): (Elo, u16)| own.get().abs_diff(listed) > MAX_DIFFERENCE;
            if !self.may_be_alive(id, date) || is_slow && own.zip(rating).is_some_and(differs) {
                continue;
            }
            let values = [
                (id_tag, self.spelling.fide_id_of(id).map(|id| id.to_string())),
                (title_tag, self.title(id, date)),
                (elo_tag, rating.map(|elo| elo.to_string())),
            ];
            for (tag, value) in values {
                let Some(value) = value.filter(|_| is_missing(&game.header, tag)) else { continue };
                game.header.put(tag, &value);
                each(Filled { tag, value });
            }
        }
    }

    /// Returns the names that several players of the list have, with their games, in order.
    #[must_use]
    pub fn unclear(&self) -> Vec<(&str, u64)> {
        let mut all: Vec<_> = self.unclear.iter().map(|(name, games)| (&**name, *games)).collect();
        all.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(other.0)));
        all
    }

    fn player(&mut self, header: &Header, color: Color, id_tag: &str) -> Option<NameId> {
        if let Some(id) = header.tags.get(id_tag).and_then(|id| fide_id(id.trim())) {
            return self.by_id.get(&id).copied();
        }
        let name = if color == Color::White { &header.white } else { &header.black };
        let found = self.spelling.exactly(name)?;
        if found.is_none() {
            *self.unclear.entry(name.clone()).or_default() += 1;
        }
        found
    }

    /// Returns the rating of the list that was valid on a day.
    fn rating(&self, id: NameId, date: Date) -> Option<u16> {
        let (year, month) = (date.year()?, date.month());
        if let Some(of) = self.spelling.month {
            let is_then = (of.year(), of.month()) == (Some(year), month);
            let note = self.spelling.note_of(id);
            return note.split(['[', ']']).nth(1)?.parse().ok().filter(|_| is_then);
        }
        let ratings = self.careers.of.get(&id)?.ratings.get(&year)?;
        let months = months_of_lists(year);
        // The last year of a file may have fewer lists since they are monthly.
        let is_whole = months.len() == ratings.len();
        let rating = match month {
            Some(month) if is_whole || months.len() == 12 => {
                *ratings.get(months.iter().rposition(|first| *first <= month)?)?
            }
            None if is_whole => {
                *ratings.first().filter(|one| ratings.iter().all(|it| it == *one))?
            }
            _ => return None,
        };
        (rating != 0).then_some(rating)
    }

    /// Returns the title that the player had on a day. In the year of a new title it is not known.
    fn title(&self, id: NameId, date: Date) -> Option<String> {
        if let Some(of) = self.spelling.month {
            let title = self.spelling.note_of(id).split(' ').next()?;
            let is_later = date.year().is_some() && date >= of;
            return Some(title.to_owned()).filter(|title| is_later && title != "-");
        }
        let titles = &self.careers.of.get(&id)?.titles;
        let year = date.year().filter(|year| titles.iter().all(|(since, _)| since != year))?;
        let has = |title: &&&str| titles.iter().any(|(since, own)| own == *title && *since < year);
        TITLES.iter().find(has).map(|title| (*title).to_owned())
    }

    /// Returns whether the dates of birth and death in the list allow a game on this day.
    fn may_be_alive(&self, id: NameId, date: Date) -> bool {
        let note = self.spelling.note_of(id);
        let dates = note.rsplit(' ').next().unwrap_or_default();
        let (born, died) = dates.split_once("--").unwrap_or((dates, ""));
        let year = |text: &str| text.get(..4)?.parse::<u16>().ok();
        let Some(played) = date.year().filter(|_| self.spelling.month.is_none()) else {
            return true;
        };
        year(born).is_none_or(|born| played >= born.saturating_add(MIN_AGE))
            && year(died).is_none_or(|died| played <= died)
    }
}

fn is_missing(header: &Header, tag: &str) -> bool {
    header.get(tag).is_none_or(|value| matches!(value.trim(), "" | "?" | "-" | "0"))
}

/// Returns the first months of FIDE's rating lists of a year.
fn months_of_lists(year: u16) -> &'static [u8] {
    match year {
        ..=1980 => &[1],
        1981..=1999 => &[1, 7],
        2000 => &[1, 7, 10],
        2001..=2008 => &[1, 4, 7, 10],
        2009 => &[1, 4, 7, 9, 11],
        2010..=2011 => &[1, 3, 5, 7, 9, 11],
        2012 => &[1, 3, 5, 7, 8, 9, 10, 11, 12],
        2013.. => &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "@PLAYER \"., -_*\"\n\
        Polgar, Judit #GM HUN [2735] 1976.07.23\n  = Polgar, Ju\n%Bio Title IM:1989 GM:1991\n\
        %Bio FIDEID 700070\n%Elo 1990:2550,2540 2009:2693,2687\n%Elo 2014:2693,2685,?\n\
        Wang, Wei\n%Bio FIDEID 8600001\nWang, Wei\n%Bio FIDEID 8600002\n\
        Old, Man #- ENG 1850--1901\n%Bio FIDEID 8600003\n";

    fn game(tags: &[(&str, &str)]) -> Game {
        let mut game = Game::new();
        tags.iter().for_each(|(name, value)| game.header.put(name, value));
        game
    }

    fn filler(file: &str) -> Filler {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list");
        std::fs::write(&path, file).unwrap();
        Filler::open(&path, ["Polgar, Judit", "Polgar, Ju", "Wang, Wei", "Old, Man"]).unwrap()
    }

    fn filled(file: &str, tags: &[(&str, &str)]) -> Vec<String> {
        let mut all = Vec::new();
        filler(file)
            .fill(&mut game(tags), |filled| all.push(format!("{}={}", filled.tag, filled.value)));
        all
    }

    #[test]
    fn fill_takes_what_held_on_the_day() {
        let of = |date| filled(FILE, &[("White", "Polgar, Judit"), ("Date", date)]);
        let id = "WhiteFideId=700070";
        assert_eq!(of("1990.08.01"), [id, "WhiteTitle=IM", "WhiteElo=2540"]);
        assert_eq!(of("1990.06.30"), [id, "WhiteTitle=IM", "WhiteElo=2550"]);
        assert_eq!(of("1990.??.??"), [id, "WhiteTitle=IM"], "two ratings in the year");
        assert_eq!(of("1991.01.01"), [id], "the year of a title");
        assert_eq!(of("1988.01.01"), [id]);
        assert_eq!(of("2009.05.01"), [id, "WhiteTitle=GM"], "not the number of lists of the year");
        assert_eq!(of("2014.02.01"), [id, "WhiteTitle=GM", "WhiteElo=2685"]);
        assert_eq!(of("2014.03.01"), [id, "WhiteTitle=GM"]);
        assert_eq!(of("2014.05.01"), [id, "WhiteTitle=GM"], "after the last list");
        assert_eq!(of("????.??.??"), [id]);
    }

    #[test]
    fn fill_leaves_what_is_there_and_what_is_unclear() {
        let day = ("Date", "1990.08.01");
        let judit =
            |more: &[(&str, &str)]| filled(FILE, &[&[("Black", "Polgar,Ju"), day], more].concat());
        assert_eq!(judit(&[("BlackElo", "2545"), ("BlackTitle", "WIM")]), ["BlackFideId=700070"]);
        assert_eq!(judit(&[("BlackElo", "1900")]), [""; 0], "another player");
        assert_eq!(judit(&[("BlackFideId", "12345")]), [""; 0]);
        let blitz = judit(&[("TimeControl", "180")]);
        assert_eq!(blitz, ["BlackFideId=700070", "BlackTitle=IM"]);
        let by_id = filled(FILE, &[("White", "X, Y"), ("WhiteFideId", "700070"), day]);
        assert_eq!(by_id, ["WhiteTitle=IM", "WhiteElo=2540"]);
        assert_eq!(filled(FILE, &[("White", "Polgar, J"), day]), [""; 0], "not in full");
        assert_eq!(filled(FILE, &[("White", "Old, Man"), day]), [""; 0]);
        let mut filler = filler(FILE);
        filler.fill(&mut game(&[("White", "Wang, Wei")]), |_| panic!("two players"));
        assert_eq!(filler.unclear(), [("Wang, Wei", 1)]);
    }

    #[test]
    fn fill_list_of_fide_holds_for_its_month() {
        let list = "ID Number  Name            Fed Sex Tit  WTit NOV22 Gms K\n\
            700070     Polgar, Judit   HUN F   GM   WGM  2675  0   10\n";
        let of = |date| filled(list, &[("White", "Polgar, Judit"), ("Date", date)]);
        assert_eq!(of("2022.11.30"), ["WhiteFideId=700070", "WhiteTitle=GM", "WhiteElo=2675"]);
        assert_eq!(of("2023.01.01"), ["WhiteFideId=700070", "WhiteTitle=GM"]);
        assert_eq!(of("1990.01.01"), ["WhiteFideId=700070"]);
    }
}
