//! The options of opening and creating.

use chess_store::{Encoding, OptionInfo, TypedOptions};

use crate::promotion::Promotions;

/// Options of opening a base.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct OpenOptions {
    /// The encoding of the texts. By default UTF-8, or Windows-1252 for a text that is not UTF-8.
    pub encoding: Option<Encoding>,
    /// Makes the first deviation met on opening an error.
    pub strict: bool,
    /// The meaning of the promotion codes. By default it is detected from the first games.
    pub promotions: Option<Promotions>,
}

const PROMOTIONS: &[&str] = &["auto", "program", "described"];

fn parse_promotions(value: &str) -> Option<Option<Promotions>> {
    match value {
        "auto" => Some(None),
        "program" => Some(Some(Promotions::Program)),
        "described" => Some(Some(Promotions::Described)),
        _ => None,
    }
}

impl TypedOptions for OpenOptions {
    const LIST: &'static [OptionInfo] = &[OptionInfo::new(
        "promotions",
        PROMOTIONS,
        "what promotion codes mean: what the first games tell, knight 2 to queen 5 as the \
               author's program has it, or knight 1 to queen 4 as the description has it",
    )];

    fn set(&mut self, name: &str, value: &str) -> bool {
        let Some(promotions) = parse_promotions(value).filter(|_| name == "promotions") else {
            return false;
        };
        self.promotions = promotions;
        true
    }

    fn take_open(&mut self, options: &chess_store::OpenOptions) {
        (self.encoding, self.strict) = (options.encoding, options.strict);
    }
}

/// Options of creating a base.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CreateOptions {
    /// How to treat long names.
    pub long_names: LongNames,
    /// The meaning of the promotion codes. The default is the numbering of the author's program.
    pub promotions: Option<Promotions>,
}

impl TypedOptions for CreateOptions {
    const LIST: &'static [OptionInfo] = &[
        OptionInfo::new(
            "names",
            &["cut", "refuse"],
            "what becomes of names of more than 36 bytes: cut them, or refuse their games",
        ),
        OptionInfo::new(
            "promotions",
            PROMOTIONS,
            "the promotion codes: knight 2 to queen 5 as the author's program has it (auto too), \
             or knight 1 to queen 4 as the description has it",
        ),
    ];

    fn set(&mut self, name: &str, value: &str) -> bool {
        match (name, value) {
            ("names", "cut") => self.long_names = LongNames::Cut,
            ("names", "refuse") => self.long_names = LongNames::Refuse,
            ("promotions", value) => match parse_promotions(value) {
                Some(promotions) => self.promotions = promotions,
                None => return false,
            },
            _ => return false,
        }
        true
    }
}

/// The treatment of names longer than 36 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum LongNames {
    /// Truncates the name between two characters and reports the loss.
    #[default]
    Cut,
    /// Refuses the game.
    Refuse,
}
