//! Positions, patterns and material with colours reversed or files mirrored: they become queries in CQL.

use chess_core::{Bitboard, Color, Game, Role, Square};

use crate::filter::any;
use crate::{CqlTest, Filter, QueryError};

/// Whether positions, patterns and material are found mirrored too. [`Criterion::add`](crate::Criterion::add)
/// then replaces them by queries, so that they are searched in one way.
#[derive(Clone, Debug, Default)]
pub struct Mirrored {
    colors: bool,
    files: bool,
    /// Of positions, patterns and material: the queries without transforms, and the queries.
    lists: [(Vec<String>, Vec<CqlTest>); 3],
}

impl Mirrored {
    /// Parses `colors`, `files` or both; `yes` stands for both.
    pub(crate) fn add(&mut self, text: &str) -> Result<(), QueryError> {
        if text.trim().is_empty() {
            return Err(QueryError::Empty);
        }
        for word in text.split(',').map(str::trim) {
            match word {
                "colors" => self.colors = true,
                "files" => self.files = true,
                "yes" => (self.colors, self.files) = (true, true),
                "no" => *self = Mirrored::default(),
                _ => return Err(QueryError::unreadable(word, "a mirror; write colors or files")),
            }
        }
        Ok(())
    }

    pub(crate) fn is_set(&self) -> bool {
        self.colors || self.files
    }

    /// Returns whether nothing is mirrored: no position, pattern or material is given.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.is_set() && self.lists().into_iter().all(Vec::is_empty)
    }

    /// Returns whether a position is mirrored.
    #[must_use]
    pub fn asks_position(&self) -> bool {
        self.lists().first().is_some_and(|positions| !positions.is_empty())
    }

    /// Returns the queries of positions, patterns and material.
    pub(crate) fn lists(&self) -> [&Vec<CqlTest>; 3] {
        self.lists.each_ref().map(|(_, tests)| tests)
    }

    pub(crate) fn holds(&self, game: &Game) -> bool {
        self.lists().into_iter().all(|tests| any(tests, |test| test.holds(game)))
    }
}

impl Filter {
    /// Replaces positions, patterns and material by queries if they are mirrored.
    pub(crate) fn mirror(&mut self) -> Result<(), QueryError> {
        let Mirrored { colors, files, .. } = self.mirrored;
        if !self.mirrored.is_set() {
            return Ok(());
        }
        let [positions, patterns, materials] = &mut self.mirrored.lists;
        positions.0.extend(self.positions.drain(..).map(|position| position.to_cql()));
        patterns.0.extend(self.patterns.drain(..).map(|pattern| pattern.to_cql()));
        materials.0.extend(self.materials.drain(..).map(|material| material.to_cql()));
        let lists = [
            (positions, true, self.in_variations),
            (patterns, true, false),
            (materials, false, false),
        ];
        for ((texts, tests), has_files, in_variations) in lists {
            let mirror = |text: &String| {
                let variations = if in_variations { "cql(variations) " } else { "" };
                // Material without a colour is of either side already.
                let is_of_both = text.starts_with("flipcolor ");
                let colors = if colors && !is_of_both { "flipcolor " } else { "" };
                let files = if files && has_files { "flipvertical " } else { "" };
                CqlTest::parse(&format!("{variations}{colors}{files}{text}"))
            };
            *tests = texts.iter().map(mirror).collect::<Result<_, _>>()?;
        }
        Ok(())
    }
}

/// Returns the letter of a piece in CQL.
pub(crate) fn letter(role: Role, color: Color) -> char {
    match color {
        Color::White => role.letter().to_ascii_uppercase(),
        Color::Black => role.letter().to_ascii_lowercase(),
    }
}

/// Formats squares as in CQL: `e4`, `d1-8`, `[a1,h8]`. All squares are the empty text.
pub(crate) fn squares(squares: Bitboard) -> String {
    let all: Vec<Square> = Square::all().filter(|square| squares.contains(*square)).collect();
    let range = |least: Option<u8>, most: Option<u8>, first: u8| -> String {
        let name = |place: u8| char::from(first.saturating_add(place));
        match (least, most) {
            (Some(least), Some(most)) if least < most => format!("{}-{}", name(least), name(most)),
            (Some(place), _) => name(place).to_string(),
            _ => String::new(),
        }
    };
    let files = || all.iter().map(|square| square.file());
    let ranks = || all.iter().map(|square| square.rank());
    let (first, last) = (files().min(), files().max());
    let (lowest, highest) = (ranks().min(), ranks().max());
    let size = |least: Option<u8>, most: Option<u8>| {
        most.zip(least)
            .map_or(0, |(most, least)| usize::from(most.saturating_sub(least)).saturating_add(1))
    };
    let area = size(first, last).saturating_mul(size(lowest, highest));
    if all.len() == 64 {
        String::new()
    } else if area == all.len() {
        format!("{}{}", range(first, last, b'a'), range(lowest, highest, b'1'))
    } else {
        let names: Vec<String> = all.iter().map(Square::to_string).collect();
        format!("[{}]", names.join(","))
    }
}

/// Formats limits of a number or of a count: `movenumber>=20`, `Q==2`, `1<=R<=2`. `None` if every number is
/// within them.
pub(crate) fn between(what: &str, least: u32, most: Option<u32>) -> Option<String> {
    match (least, most) {
        (0, None) => None,
        (least, None) => Some(format!("{what}>={least}")),
        (0, Some(most)) if most > 0 => Some(format!("{what}<={most}")),
        (least, Some(most)) if least == most => Some(format!("{what}=={most}")),
        (least, Some(most)) => Some(format!("{least}<={what}<={most}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queries(given: &[(&str, &str)]) -> Vec<String> {
        let filter = Filter::named(given.iter().copied()).unwrap();
        assert!(filter.positions.is_empty() && filter.patterns.is_empty());
        for test in filter.cql_tests() {
            assert!(test.query().warnings().is_empty(), "{:?}", test.query().warnings());
        }
        filter.cql_tests().map(|test| test.query().text().to_owned()).collect()
    }

    #[test]
    fn mirror_criteria_become_queries_in_any_order() {
        let position = "8/8/4k3/8/4P3/4K3/8/8 w";
        for (given, expected) in [
            (
                [("position", position), ("mirrored", "colors")],
                "flipcolor {wtm Pe4 Ke3 ke6 [Aa]==3}",
            ),
            (
                [("mirrored", "yes"), ("pattern", "Pd4 [NB]f? .e4 !pc? b")],
                "flipcolor flipvertical {btm Pd4 [NB]f1-8 _e4 pc1-8==0}",
            ),
            (
                [("pattern", "///pp?pp?pp//???P????// @20.. @5"), ("mirrored", "files")],
                "flipvertical {{movenumber>=20 or movenumber==5} p[a5,b5,d5,e5,g5,h5]==6 Pd3}",
            ),
            (
                [("material", "w:KRP1..2-KR"), ("mirrored", "yes")],
                "flipcolor {K k Q==0 R==1 B==0 N==0 1<=P<=2 q==0 r==1 b==0 n==0 p==0}",
            ),
            (
                [("mirrored", "yes"), ("material", "KQP*-KQ:8")],
                "flipcolor {line <-- {K k Q==1 R==0 B==0 N==0 q==1 r==0 b==0 n==0 p==0}{8}}",
            ),
        ] {
            assert_eq!(queries(&given), [expected]);
        }
        let both = [("mirrored", "colors"), ("position", position), ("variations", "yes")];
        assert_eq!(queries(&both), ["cql(variations) flipcolor {wtm Pe4 Ke3 ke6 [Aa]==3}"]);
    }

    #[test]
    fn mirror_finds_what_the_criterion_finds_and_its_mirror_images() {
        let game = |fen: &str| {
            let mut game = Game::new();
            game.set_start_fen(fen).unwrap();
            game
        };
        let finds = |given: &[(&str, &str)], fen: &str| {
            Filter::named(given.iter().copied()).unwrap().selects(&game(fen))
        };
        let position = "8/8/4k3/8/2P5/2K5/8/8 w - -";
        let reversed = "8/8/2k5/2p5/8/4K3/8/8 b - - 0 1";
        let mirrored = "8/8/3k4/8/5P2/5K2/8/8 w - - 0 1";
        let (given, colors) = (("position", position), ("mirrored", "colors"));
        for (fen, plain, by_colors, by_files) in [
            ("8/8/4k3/8/2P5/2K5/8/8 w - - 0 1", true, true, true),
            ("8/8/4k3/8/2P5/2K5/8/8 b - - 0 1", false, false, false),
            ("8/8/4k3/8/2P5/2K5/8/7n w - - 0 1", false, false, false),
            (reversed, false, true, false),
            ("8/8/2k5/2p5/8/4K3/8/8 w - - 0 1", false, false, false),
            (mirrored, false, false, true),
        ] {
            assert_eq!(finds(&[given], fen), plain, "{fen}");
            assert_eq!(finds(&[given, colors], fen), by_colors, "{fen}");
            assert_eq!(finds(&[given, ("mirrored", "files")], fen), by_files, "{fen}");
        }
    }

    #[test]
    fn mirror_unknown_word_or_nothing_to_mirror_is_error() {
        let error = |given: &[(&'static str, &'static str)]| {
            Filter::named(given.iter().copied()).unwrap_err().to_string()
        };
        assert!(error(&[("mirrored", "ranks")]).contains("colors or files"));
        assert!(error(&[("mirrored", "yes")]).contains("needs position, pattern or material"));
        let long = error(&[("material", "K-K:900"), ("mirrored", "yes")]);
        assert!(long.starts_with("mirrored: ") && long.contains("512"), "{long}");
    }
}
