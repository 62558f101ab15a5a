//! Identifiers in tags that prove two games different.
//!
//! Two online games of the same players on the same day can have the same moves. Their addresses,
//! their numbers on the server, their times, their boards or their time controls tell them apart.
//! Values are compared only between tags of the same name, because each server has its own numbers.

use std::hash::{DefaultHasher, Hash, Hasher};

use chess_core::{Date, Game};
use time_control::TimeControl;

/// Hashes of the identifiers of a game; zero where unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Proof {
    /// The identifiers that have a place of their own.
    usual: [u32; KINDS],
    /// Others: eight bits of the hash of the name, and 24 bits of the hash of the value.
    others: [u32; OTHERS],
}

/// `Site`, [`NAMES`], `TimeControl`.
pub(crate) const KINDS: usize = NAMES.len() + 2;
const NAMES: [&[&str]; 7] = [
    &["Link", "GameLink"],
    &["URL", "GameURL", "ChapterURL"],
    &["GameId"],
    &["LichessId", "LichessURL", "ChessComId", "ChessComURL", "FICSGamesDBGameNo"],
    &["UTCTime"],
    &["StartTime"],
    &["Time"],
];
const SITE: usize = 0;
const TIME_CONTROL: usize = KINDS - 1;
/// More identifiers of a game are not compared.
const OTHERS: usize = 6;

/// How the value of an identifier is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// An address, a number or a word.
    Id,
    TimeOfDay,
    Day,
    /// An address, whatever the name of the tag.
    Link,
}

impl Proof {
    pub(crate) fn of(game: &Game) -> Proof {
        let mut proof = Proof::default();
        if let Some(address) = address(&game.header.site) {
            proof.set_usual(SITE, &address);
        }
        for (name, value) in game.header.untyped_tags() {
            let Some(kind) = kind(name) else { continue };
            let usual = NAMES
                .iter()
                .position(|names| names.iter().any(|usual| usual.eq_ignore_ascii_case(name)));
            let usual = usual.map(|place| place.saturating_add(1));
            match kind {
                Kind::TimeOfDay => match (time(value), usual) {
                    (Some((time, "")), Some(usual)) => proof.set_usual(usual, &time),
                    (Some((time, zone)), _) => proof.set_other((name, zone), &time),
                    (None, _) => {}
                },
                Kind::Day => {
                    let date = Date::parse_lenient(value);
                    if date.day().is_some() && date.year().is_some() {
                        proof.set_other((name, ""), &date);
                    }
                }
                Kind::Id | Kind::Link => match (address(value), usual) {
                    (None, _) if kind == Kind::Link || !is_known(value) => {}
                    (address, usual) => {
                        let trimmed = value.trim().trim_start_matches('0');
                        let value = address.as_deref().unwrap_or(trimmed);
                        match usual {
                            Some(usual) => proof.set_usual(usual, value),
                            None => proof.set_other((name, ""), value),
                        }
                    }
                },
            }
        }
        if let Some(TimeControl { moves, base, increment, .. }) = TimeControl::of(game) {
            let bits = [moves.unwrap_or_default(), base, increment].map(f64::to_bits);
            proof.set_usual(TIME_CONTROL, &bits);
        }
        proof
    }

    /// Keeps the first value of a kind.
    fn set_usual(&mut self, kind: usize, value: &(impl Hash + ?Sized)) {
        if let Some(slot) = self.usual.get_mut(kind).filter(|slot| **slot == 0) {
            *slot = hash(value).max(1);
        }
    }

    /// Keeps the first value of a name.
    fn set_other(&mut self, (name, zone): (&str, &str), value: &(impl Hash + ?Sized)) {
        let name = hash(&(name.to_ascii_lowercase(), zone.to_ascii_lowercase()));
        let other = name & !VALUE | (hash(value) & VALUE).max(1);
        let is_free = |slot: &u32| *slot == 0 || (slot ^ other) & !VALUE == 0;
        if let Some(slot) = self.others.iter_mut().find(|slot| is_free(slot))
            && *slot == 0
        {
            *slot = other;
        }
    }

    /// Returns the hashes of the usual identifiers; zero where unknown.
    pub(crate) fn values(&self) -> impl Iterator<Item = u64> {
        self.usual.iter().map(|hash| u64::from(*hash))
    }

    /// Returns whether an identifier that both games have differs.
    pub(crate) fn differs(&self, other: &Proof) -> bool {
        let differ = |(one, other): (&u32, &u32)| *one != 0 && *other != 0 && one != other;
        self.usual.iter().zip(&other.usual).any(differ)
            || self.others.iter().any(|one| {
                let same_name = |other: &&u32| (*other ^ one) & !VALUE == 0;
                other.others.iter().filter(same_name).any(|other| differ((one, other)))
            })
    }
}

/// The bits of the value among [`Proof::others`].
const VALUE: u32 = 0x00ff_ffff;

fn hash(value: &(impl Hash + ?Sized)) -> u32 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    let hash = hasher.finish();
    let (high, low) = (u32::try_from(hash >> 32).unwrap_or(0), hash & u64::from(u32::MAX));
    high ^ u32::try_from(low).unwrap_or(0)
}

/// Returns what kind of identifier a tag is, by its name.
fn kind(name: &str) -> Option<Kind> {
    let starts = |words: &[&str]| {
        let start =
            |word: &&str| name.get(..word.len()).is_some_and(|s| s.eq_ignore_ascii_case(word));
        words.iter().any(start)
    };
    let ends = |words: &[&str]| {
        let end = |word: &&str| {
            let at = name.len().checked_sub(word.len());
            at.and_then(|at| name.get(at..)).is_some_and(|end| end.eq_ignore_ascii_case(word))
        };
        words.iter().any(end)
    };
    if starts(&["time", "annotator"]) || ends(&["time"]) {
        // Not how long a player or the game took.
        let others = ["white", "black", "elapsed", "total", "timecontrol", "annotator"];
        return (!starts(&others)).then_some(Kind::TimeOfDay);
    }
    // The last letter rules most words out.
    let is_id = match name.bytes().next_back()?.to_ascii_lowercase() {
        b'e' if ends(&["date"]) => {
            return starts(&["utc", "start", "end", "game"]).then_some(Kind::Day);
        }
        b'e' => ends(&["table"]),
        // `WhiteRapid` is a rating.
        b'd' => {
            name.ends_with("Id")
                || name.ends_with("ID")
                || ends(&["gameid", "_id", "guid", "uuid", "board"])
        }
        b'k' => ends(&["link"]),
        b'l' => ends(&["url"]),
        b'o' => ends(&["gameno", "boardno", "tableno"]),
        b'r' => ends(&["gamenumber", "gamenr", "matchnumber", "boardnumber", "tablenumber"]),
        _ => false,
    };
    Some(if is_id { Kind::Id } else { Kind::Link })
}

/// Returns whether a number or word is known: not `?`, `-` or `0`.
fn is_known(value: &str) -> bool {
    value.bytes().any(|byte| byte.is_ascii_alphanumeric() && byte != b'0')
}

/// Parses the hours, minutes and seconds of `10:00`, `7:47:24 PM PST` or `2024-05-01T10:00:00 +0200`,
/// and returns the time zone. Universal time is no zone.
fn time(text: &str) -> Option<([u8; 3], &str)> {
    let start = text.find(':')?;
    let start = text.get(..start)?.rfind(|letter: char| !letter.is_ascii_digit());
    let text = text.get(start.map_or(0, |start| start.saturating_add(1))..)?;
    let end = text.find(|letter: char| !matches!(letter, '0'..='9' | ':' | '.'));
    let (time, zone) = text.split_at_checked(end.unwrap_or(text.len()))?;
    let mut parts = time.split([':', '.']);
    let mut part = || parts.next().map(str::parse::<u8>);
    let (hours, minutes) = (part()?.ok()?, part()?.ok()?);
    let seconds = part().and_then(Result::ok).unwrap_or(0);
    let mut zone = zone.trim_matches(|letter: char| letter.is_whitespace() || letter == '.');
    let mut hours = hours;
    for (half, first) in [("am", 0), ("pm", 12)] {
        if zone.get(..2).is_some_and(|word| word.eq_ignore_ascii_case(half)) && hours <= 12 {
            hours = hours.checked_rem(12)?.saturating_add(first);
            zone = zone.get(2..).unwrap_or_default().trim();
        }
    }
    let is_universal = ["utc", "gmt", "z"].iter().any(|word| word.eq_ignore_ascii_case(zone));
    let zone = if is_universal { "" } else { zone };
    (hours < 24 && minutes < 60).then_some(([hours, minutes, seconds], zone))
}

/// Normalises the address of a game. Removes the scheme, `www.`, the fragment, a trailing slash,
/// and the side of the board. Returns `None` if `text` is not an address with a path.
fn address(text: &str) -> Option<String> {
    let text = text.trim();
    let text = ["https://", "http://"]
        .iter()
        .find_map(|scheme| {
            let start = text.get(..scheme.len())?;
            start.eq_ignore_ascii_case(scheme).then(|| text.get(scheme.len()..).unwrap_or_default())
        })
        .unwrap_or(text);
    let text = text.split('#').next().unwrap_or_default();
    let (host, path) = text.split_once('/')?;
    let mut host = host.to_ascii_lowercase();
    let is_host = host.contains('.')
        && host
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b':'));
    if !is_host {
        return None;
    }
    if let Some(bare) = host.strip_prefix("www.") {
        host = bare.to_owned();
    }
    let mut path = path.trim_end_matches('/');
    for side in ["/white", "/black"] {
        path = path.strip_suffix(side).unwrap_or(path);
    }
    if host == "lichess.org" && path.len() == 12 && path.bytes().all(|b| b.is_ascii_alphanumeric())
    {
        // The address that a player sees has four more letters.
        path = path.get(..8).unwrap_or(path);
    }
    if path.is_empty() {
        return None;
    }
    Some(format!("{host}/{path}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_of_same_game_is_equal() {
        let same = |one, other| address(one).is_some() && address(one) == address(other);
        for (one, other) in [
            ("https://lichess.org/abcdefgh", "https://lichess.org/abcdefgh/white"),
            ("https://lichess.org/abcdefgh", "http://www.Lichess.org/abcdefghijkl"),
            ("https://lichess.org/abcdefgh#12", "lichess.org/abcdefgh/"),
        ] {
            assert!(same(one, other), "{one} {other}");
        }
        for (one, other) in [
            ("https://lichess.org/abcdefgh", "https://lichess.org/abcdefgH"),
            ("https://www.chess.com/game/live/1", "https://www.chess.com/game/live/2"),
            (
                "https://www.chessgames.com/perl/chessgame?gid=1",
                "https://www.chessgames.com/perl/chessgame?gid=2",
            ),
        ] {
            assert!(!same(one, other), "{one} {other}");
        }
        for none in [
            "Wijk aan Zee",
            "Chess.com",
            "https://lichess.org",
            "https://lichess.org/",
            "London/Leningrad",
            "?",
        ] {
            assert_eq!(address(none), None, "{none}");
        }
    }

    #[test]
    fn proof_differs_only_where_both_know() {
        let proof = |tags: &[(&str, &str)]| {
            let mut game = Game::new();
            tags.iter().for_each(|(name, value)| game.header.set(name, value));
            Proof::of(&game)
        };
        for (one, other, differs) in [
            (("UTCTime", "10:00:00"), ("UTCTime", "10:05:00"), true),
            (("UTCTime", "10:00:00"), ("UTCTime", "10:00:00 UTC"), false),
            (("UTCTime", "10:00"), ("UTCTime", "10:00:00"), false),
            (("UTCTime", "??:??:??"), ("UTCTime", "10:00:00"), false),
            (("StartTime", "10:00:00"), ("UTCTime", "11:00:00"), false),
            (("StartTime", "10:00:00"), ("StartTime", "11:00:00"), true),
            (("Time", "10:00:00"), ("Time", "11:00:00"), true),
            (("Time", "10:00:00"), ("UTCTime", "09:00:00"), false),
            (("Time", "90+30"), ("Time", "90+10"), false),
            (
                ("ChapterURL", "https://lichess.org/study/aaaaaaaa/bbbbbbbb"),
                ("ChapterURL", "https://lichess.org/study/aaaaaaaa/cccccccc"),
                true,
            ),
            (("Site", "Oslo"), ("Site", "Oslo NOR"), false),
            (("Site", "https://lichess.org/aaaaaaaa"), ("Site", "Oslo"), false),
            (
                ("Site", "https://lichess.org/aaaaaaaa"),
                ("Site", "https://lichess.org/bbbbbbbb"),
                true,
            ),
            (
                ("Link", "https://www.chess.com/game/live/1"),
                ("Link", "https://www.chess.com/game/live/2"),
                true,
            ),
            (("GameId", "17"), ("GameID", "18"), true),
            (("GameId", "17"), ("GameId", "?"), false),
            (("FICSGamesDBGameNo", "1"), ("FICSGamesDBGameNo", "2"), true),
            (("LichessId", "aaaaaaaa"), ("LichessId", "aaaaaaaa"), false),
            (("EndTime", "7:47:24 PST"), ("EndTime", "7:52:10 PST"), true),
            (("EndTime", "7:47:24 PST"), ("EndTime", "16:47:24 CET"), false),
            (("EndTime", "7:47:24 AM"), ("EndTime", "7:47:24 PM"), true),
            (("EndTime", "7:47:24 PM"), ("EndTime", "19:47:24"), false),
            (
                ("GameStartTime", "2024-05-01T10:00:00 +0200"),
                ("GameStartTime", "2024-05-01T10:07:00 +0200"),
                true,
            ),
            (("GameEndTime", "10:00:00.5"), ("GameEndTime", "10:00:07.25"), true),
            (("TimeStart", "10:00:00"), ("TimeStart", "10:00:01"), true),
            (("UTCEndTime", "10:00:00"), ("TimeEnd", "10:00:01"), false),
            (("WhiteTime", "0:10:00"), ("WhiteTime", "0:10:01"), false),
            (("EndDate", "2024.05.01"), ("EndDate", "2024.05.02"), true),
            (("UTCDate", "2024.05.01"), ("UTCDate", "2024-05-01"), false),
            (("UTCDate", "2024.??.??"), ("UTCDate", "2024.05.02"), false),
            (("SourceDate", "2024.05.01"), ("SourceDate", "2024.05.02"), false),
            (("Board", "1"), ("Board", "2"), true),
            (("Board", "01"), ("Board", "1"), false),
            (("Board", "?"), ("Board", "1"), false),
            (("TableNumber", "1"), ("TableNumber", "2"), true),
            (("GUID", "a"), ("guid", "b"), true),
            (("ICCF_ID", "12"), ("ICCF_ID", "13"), true),
            (("WhiteFideId", "0"), ("WhiteFideId", "1503014"), false),
            (("WhiteRapid", "2500"), ("WhiteRapid", "2600"), false),
            (("Source", "https://x.org/1"), ("Source", "https://x.org/2"), true),
            (("Source", "Book A"), ("Source", "Book B"), false),
            (
                ("Annotator", "https://lichess.org/@/a"),
                ("Annotator", "https://lichess.org/@/b"),
                false,
            ),
            (("TimeControl", "180"), ("TimeControl", "300"), true),
            (("TimeControl", "180"), ("TimeControl", "180+0"), false),
            (("TimeControl", "90+30"), ("TimeControl", "5400+30"), false),
            (("TimeControl", "-"), ("TimeControl", "300"), false),
        ] {
            let (one_proof, other_proof) = (proof(&[one]), proof(&[other]));
            assert_eq!(one_proof.differs(&other_proof), differs, "{one:?} {other:?}");
        }
    }
}
