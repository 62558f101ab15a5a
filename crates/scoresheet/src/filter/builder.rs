//! Builds a filter from texts, one criterion a call.

use super::{Filter, QueryError};

/// Methods that add a criterion from a text, in the syntax of the program's option of the same name.
macro_rules! criteria {
    ($($(#[doc = $about:literal])+ $method:ident = $name:literal;)+) => {
        /// Adds criteria from texts. A repeated call adds an alternative.
        impl Filter {
            $(
                $(#[doc = $about])+
                ///
                /// # Errors
                /// [`QueryError`] if the text cannot be read.
                pub fn $method(mut self, text: &str) -> Result<Filter, QueryError> {
                    self.add($name, text, false)?;
                    Ok(self)
                }
            )+
        }

        #[cfg(test)]
        const METHODS: &[(&str, fn(Filter, &str) -> Result<Filter, QueryError>)] =
            &[$(($name, Filter::$method),)+];
    };
}

criteria! {
    /// Selects game numbers, from one: `1-100,205`.
    games = "games";
    /// Selects games in which this name fits one of the players: `carlsen m`.
    player = "player";
    /// Selects games in which this name fits the opponent of [`player`](Filter::player).
    against = "against";
    /// Selects games in which this name fits White.
    white = "white";
    /// Selects games in which this name fits Black.
    black = "black";
    /// Selects games whose event contains the text.
    event = "event";
    /// Selects games whose site contains the text.
    site = "site";
    /// Selects dates: `2019-05..2021`.
    date = "date";
    /// Selects ECO codes: `B90..B99`, `C`.
    eco = "eco";
    /// Selects openings by name: `najdorf`.
    opening = "opening";
    /// Selects games in which both players have a rating in the range: `2500..`.
    elo = "elo";
    /// Selects differences between the ratings of both players: `200..`.
    elo_difference = "elo-diff";
    /// Selects how fast the game was played: `blitz`.
    time_class = "time-class";
    /// Selects results: `1-0,draw`.
    result = "result";
    /// Selects numbers of full moves: `20..40`.
    length = "length";
    /// Tests the value of a tag: `TimeControl=^180`, `Annotator!=.`. Several tests must all hold.
    tag = "where";
    /// Selects games in which this tag is unknown.
    missing_tag = "tag-missing";
    /// Selects games that begin with these moves: `1. e4 c5`.
    moves = "moves";
    /// Selects games that reach a position, as FEN or pieces: see
    /// [`PositionPattern`](super::PositionPattern).
    position = "position";
    /// Selects games whose main line has this material: `KRP-KR`.
    material = "material";
    /// Selects games whose main line reaches a board with wildcards: `Pd4 pd5 @20..`.
    pattern = "pattern";
    /// Selects games with a comment that matches a regular expression.
    comment = "comment";
}

impl Filter {
    /// Creates a filter that selects all games.
    #[must_use]
    pub fn new() -> Filter {
        Filter::default()
    }

    /// Selects games that are marked as deleted, or games without that mark.
    #[must_use]
    pub fn deleted(mut self, deleted: bool) -> Filter {
        self.deleted = Some(deleted);
        self
    }

    /// Selects games with a comment, a NAG or a variation, or games without any of them.
    #[must_use]
    pub fn annotated(mut self, annotated: bool) -> Filter {
        self.annotated = Some(annotated);
        self
    }

    /// Selects only games of these zero-based numbers, in any order. A second call leaves the
    /// numbers of both lists.
    #[must_use]
    pub fn only_games(mut self, mut numbers: Vec<u64>) -> Filter {
        numbers.sort_unstable();
        numbers.dedup();
        if let Some(only) = &self.only {
            numbers.retain(|number| only.binary_search(number).is_ok());
        }
        self.only = Some(numbers.into());
        self
    }

    /// Searches variations for positions too.
    #[must_use]
    pub fn in_variations(mut self, in_variations: bool) -> Filter {
        self.in_variations = in_variations;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text that each criterion accepts.
    const VALUES: [(&str, &str); 22] = [
        ("games", "3-5"),
        ("player", "a"),
        ("against", "f"),
        ("white", "b"),
        ("black", "c"),
        ("event", "d"),
        ("site", "e"),
        ("date", "1990"),
        ("eco", "B"),
        ("opening", "najdorf"),
        ("elo", "2000.."),
        ("elo-diff", "200.."),
        ("time-class", "blitz"),
        ("result", "1-0,draw"),
        ("length", "20.."),
        ("where", "TimeControl=180"),
        ("tag-missing", "ECO"),
        ("moves", "1. e4"),
        ("position", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("material", "KRP-KR"),
        ("pattern", "Pd4 pd5 @20.."),
        ("comment", "novelty"),
    ];

    #[test]
    fn builder_methods_equal_named_criteria() {
        assert_eq!(METHODS.len(), VALUES.len());
        for ((name, method), (value_name, value)) in METHODS.iter().zip(VALUES) {
            assert_eq!(*name, value_name);
            // `against` needs a player.
            let built = Filter::new().player("p").and_then(|filter| method(filter, value)).unwrap();
            let named = Filter::named([("player", "p"), (*name, value)]).unwrap();
            assert_eq!(format!("{built:?}"), format!("{named:?}"));
            assert!(method(Filter::new(), "").is_err(), "an empty {name}");
        }
    }

    #[test]
    fn builder_repeated_call_adds_alternative() {
        let filter = Filter::new().white("a").and_then(|filter| filter.white("b")).unwrap();
        assert_eq!(filter.white.len(), 2);
        let filter = filter.deleted(false).annotated(true).in_variations(true);
        assert_eq!((filter.deleted, filter.annotated), (Some(false), Some(true)));
        assert!(filter.in_variations);
    }

    #[test]
    fn filter_only_games_twice_selects_common_numbers() {
        let filter = Filter::new().only_games(vec![7, 3, 7, 5]).only_games(vec![5, 9, 3]);
        let selected: Vec<u64> = (0..12).filter(|number| filter.has_number(*number)).collect();
        assert_eq!(selected, [3, 5]);
        assert!((0..12).all(|number| !Filter::new().only_games(Vec::new()).has_number(number)));
    }
}
