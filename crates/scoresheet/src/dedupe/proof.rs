//! Identifiers in tags that prove two games different.
//!
//! Two online games of the same players on the same day can have the same moves. Their addresses,
//! their numbers on the server or their starting times tell them apart.

use std::hash::{Hash, Hasher};

use chess_core::Header;

/// Hashes of the identifiers of a game; zero where unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Proof([u32; KINDS]);

/// `Site`, `Link`, `URL`, `GameId`, a server's own number, `UTCTime`, `StartTime`, `Time`.
pub(super) const KINDS: usize = 8;
/// The last kinds are times.
const TIMES: usize = 3;
const SITE: usize = 0;

impl Proof {
    pub(super) fn of(header: &Header) -> Proof {
        let mut proof = Proof::default();
        if let Some(address) = address(&header.site) {
            proof.set(SITE, address.as_bytes());
        }
        for (name, value) in header.untyped_tags() {
            let Some(kind) = kind(name) else { continue };
            if let Some(time) = is_time(kind).then(|| time(value)) {
                if let Some(time) = time {
                    proof.set(kind, &time);
                }
            } else if let Some(address) = address(value) {
                proof.set(kind, address.as_bytes());
            } else if value.bytes().any(|byte| byte.is_ascii_alphanumeric()) {
                proof.set(kind, value.trim().as_bytes());
            }
        }
        proof
    }

    /// Keeps the first value of a kind.
    fn set(&mut self, kind: usize, value: &[u8]) {
        let mut hasher = std::collections::hash_map::DefaultHasher::new();
        value.hash(&mut hasher);
        let hash = hasher.finish();
        let (high, low) = (u32::try_from(hash >> 32).unwrap_or(0), hash & u64::from(u32::MAX));
        let hash = high ^ u32::try_from(low).unwrap_or(0);
        if let Some(slot) = self.0.get_mut(kind).filter(|slot| **slot == 0) {
            *slot = hash.max(1);
        }
    }

    /// Returns the hashes of the identifiers; zero where unknown.
    pub(super) fn values(&self) -> impl Iterator<Item = u64> {
        self.0.iter().map(|hash| u64::from(*hash))
    }

    /// Returns whether an identifier that both games have differs.
    pub(super) fn differs(&self, other: &Proof) -> bool {
        self.0.iter().zip(&other.0).any(|(one, other)| *one != 0 && *other != 0 && one != other)
    }
}

fn kind(name: &str) -> Option<usize> {
    // Fast path: most tags are not identifiers.
    if !matches!(name.len(), 3..=17) {
        return None;
    }
    let is = |names: &[&str]| names.iter().any(|known| known.eq_ignore_ascii_case(name));
    let kinds: [&[&str]; 7] = [
        &["Link", "GameLink"],
        &["URL", "GameURL", "ChapterURL"],
        &["GameId"],
        &["LichessId", "LichessURL", "ChessComId", "ChessComURL", "FICSGamesDBGameNo"],
        &["UTCTime"],
        &["StartTime"],
        &["Time"],
    ];
    kinds.iter().position(|names| is(names)).map(|kind| kind.saturating_add(1))
}

fn is_time(kind: usize) -> bool {
    kind >= KINDS.saturating_sub(TIMES)
}

/// Parses hours, minutes and seconds.
fn time(text: &str) -> Option<[u8; 3]> {
    let mut parts = text.trim().split(|letter: char| !letter.is_ascii_digit());
    let mut part = || parts.next().map(str::parse::<u8>);
    let (hours, minutes) = (part()?.ok()?, part()?.ok()?);
    let seconds = part().and_then(Result::ok).unwrap_or(0);
    // `90+30` is a time control.
    (hours < 24 && minutes < 60).then_some([hours, minutes, seconds])
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
            let mut header = Header::default();
            tags.iter().for_each(|(name, value)| header.set(name, value));
            Proof::of(&header)
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
        ] {
            let (one_proof, other_proof) = (proof(&[one]), proof(&[other]));
            assert_eq!(one_proof.differs(&other_proof), differs, "{one:?} {other:?}");
        }
    }
}
