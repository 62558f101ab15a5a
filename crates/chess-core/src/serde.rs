//! Games as canonical JSON, or any other self-describing serde format, and small values as text.
//! (docs/model.md §5 "Canonical lines")

use alloc::string::{String, ToString};
use core::str::FromStr;
use core::{fmt, mem};

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, SerializeStruct, Serializer};

use crate::date::Date;
use crate::eco::Eco;
use crate::game::{Game, Setup, Token};
use crate::header::{Header, TYPED_TAGS};
use crate::moves::Move;
use crate::position::Position;
use crate::square::Square;
use crate::values::{Elo, GameResult, Nag};

/// Serialized with `Display`, deserialized with `FromStr`.
macro_rules! as_text {
    ($($type:ty: $what:literal),* $(,)?) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                struct Text;
                impl Visitor<'_> for Text {
                    type Value = $type;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($what)
                    }

                    fn visit_str<E: Error>(self, text: &str) -> Result<$type, E> {
                        let wrong = |error: <$type as FromStr>::Err| {
                            E::custom(format_args!("{text:?}: {error}"))
                        };
                        text.parse().map_err(wrong)
                    }
                }
                deserializer.deserialize_str(Text)
            }
        }
    )*};
}

as_text! {
    Square: "a square",
    Move: "a move",
    Nag: "a NAG",
    Date: "a date",
    Eco: "an ECO code",
    Elo: "a rating as text",
    GameResult: "a result",
    Position: "a FEN",
}

const MEMBERS: [&str; 3] = ["tags", "fen", "line"];

impl Serialize for Game {
    /// `{"tags":[["Event","..."],...],"fen":"..."|null,"line":["e2e4","$1",{"comment":"..."},...]}`
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_struct("Game", MEMBERS.len())?;
        members.serialize_field("tags", &self.header)?;
        members.serialize_field("fen", &self.setup().map(Setup::fen))?;
        members.serialize_field("line", &Line(self))?;
        members.end()
    }
}

/// One line of a test vector: a game, or an error and what could be read before it.
///
/// A sound game serialises as its canonical JSON, a damaged one as `{"error":"...","game":{...}}`
/// (docs/model.md §5 "Canonical lines").
#[derive(Clone, Copy, Debug)]
pub struct CanonicalLine<'a> {
    /// The game as far as it could be read.
    pub game: &'a Game,
    /// The error that ended it.
    pub error: Option<&'a str>,
}

impl Serialize for CanonicalLine<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Some(error) = self.error else { return self.game.serialize(serializer) };
        let mut members = serializer.serialize_struct("CanonicalLine", 2)?;
        members.serialize_field("error", error)?;
        members.serialize_field("game", self.game)?;
        members.end()
    }
}

impl<'de> Deserialize<'de> for Game {
    /// The members that [`Serialize`] writes, in any order. All three are required, and no others
    /// are allowed.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Game, D::Error> {
        deserializer.deserialize_struct("Game", &MEMBERS, GameVisitor)
    }
}

struct GameVisitor;

impl<'de> Visitor<'de> for GameVisitor {
    type Value = Game;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a game with the members tags, fen and line")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Game, A::Error> {
        let mut game = Game::new();
        let mut seen = [false; MEMBERS.len()];
        while let Some(name) = map.next_key::<String>()? {
            let known = MEMBERS.iter().zip(&mut seen).find(|(member, _)| **member == name);
            let Some((member, seen)) = known else {
                return Err(Error::unknown_field(&name, &MEMBERS));
            };
            if mem::replace(seen, true) {
                return Err(Error::duplicate_field(member));
            }
            match *member {
                "tags" => game.header = map.next_value()?,
                "fen" => {
                    if let Some(fen) = map.next_value::<Option<String>>()? {
                        game.set_start_fen(&fen).map_err(Error::custom)?;
                    }
                }
                _ => map.next_value_seed(LineOf(&mut game))?,
            }
        }
        match MEMBERS.iter().zip(seen).find(|(_, seen)| !seen) {
            Some((missing, _)) => Err(Error::missing_field(missing)),
            None => {
                game.drop_stray_castling();
                Ok(game)
            }
        }
    }
}

impl Serialize for Header {
    /// The pairs of [`Header::for_each_tag`].
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tags = serializer.serialize_seq(None)?;
        let mut result = Ok(());
        self.for_each_tag(|name, value| {
            if result.is_ok() {
                result = tags.serialize_element(&(name, value.to_string()));
            }
        });
        result?;
        tags.end()
    }
}

impl<'de> Deserialize<'de> for Header {
    /// Pairs for [`Header::set`]. A typed tag may occur once.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Header, D::Error> {
        deserializer.deserialize_seq(HeaderVisitor)
    }
}

struct HeaderVisitor;

impl<'de> Visitor<'de> for HeaderVisitor {
    type Value = Header;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("tags as pairs of name and value")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut pairs: A) -> Result<Header, A::Error> {
        let mut header = Header::default();
        let mut seen = [false; TYPED_TAGS.len()];
        while let Some((name, value)) = pairs.next_element::<(String, String)>()? {
            let typed = TYPED_TAGS.iter().zip(&mut seen).find(|(typed, _)| **typed == name);
            if typed.is_some_and(|(_, seen)| mem::replace(seen, true)) {
                return Err(Error::custom(format_args!("the tag {name} comes twice")));
            }
            header.set(&name, &value);
        }
        Ok(header)
    }
}

struct Line<'a>(&'a Game);

impl Serialize for Line<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut line = serializer.serialize_seq(Some(self.0.tokens().len()))?;
        for token in self.0.tokens() {
            match token {
                Token::Move(m) => line.serialize_element(&m)?,
                Token::Nag(nag) => line.serialize_element(&nag)?,
                Token::Comment(text) => line.serialize_element(&Comment(text))?,
                Token::VariationStart => line.serialize_element("(")?,
                Token::VariationEnd => line.serialize_element(")")?,
            }
        }
        line.end()
    }
}

struct Comment<'a>(&'a str);

impl Serialize for Comment<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(Some(1))?;
        object.serialize_entry("comment", self.0)?;
        object.end()
    }
}

/// Appends a line to a game.
struct LineOf<'a>(&'a mut Game);

impl<'de> DeserializeSeed<'de> for LineOf<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for LineOf<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a line of tokens")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut line: A) -> Result<(), A::Error> {
        let mut numbers = 1..;
        while let Some(number) = numbers.next()
            && line.next_element_seed(TokenOf { game: self.0, number })?.is_some()
        {}
        match self.0.open_variations() {
            0 => Ok(()),
            1 => Err(Error::custom("the line ends inside a variation")),
            open => Err(Error::custom(format_args!("the line ends inside {open} variations"))),
        }
    }
}

/// Appends a token to a game.
struct TokenOf<'a> {
    game: &'a mut Game,
    /// The index of the token, from 1.
    number: u64,
}

impl TokenOf<'_> {
    fn push<E: Error>(self, token: Token<'_>) -> Result<(), E> {
        let number = self.number;
        self.game.push(token).map_err(|error| wrong(number, error))
    }

    fn parsed<T: FromStr<Err: fmt::Display>, E: Error>(&self, text: &str) -> Result<T, E> {
        text.parse().map_err(|error| wrong(self.number, format_args!("{text:?}: {error}")))
    }
}

fn wrong<E: Error>(number: u64, what: impl fmt::Display) -> E {
    E::custom(format_args!("token {number} of the line: {what}"))
}

impl<'de> DeserializeSeed<'de> for TokenOf<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for TokenOf<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a move, a NAG, a parenthesis or a comment")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        let token = match text {
            "(" => Token::VariationStart,
            ")" => Token::VariationEnd,
            nag if nag.starts_with('$') => Token::Nag(self.parsed(nag)?),
            other => Token::Move(self.parsed(other)?),
        };
        self.push(token)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut comment: A) -> Result<(), A::Error> {
        match comment.next_entry::<String, String>()? {
            Some((name, text)) if name == "comment" => self.push(Token::Comment(&text))?,
            Some((name, _)) => return Err(Error::unknown_field(&name, &["comment"])),
            None => return Err(Error::missing_field("comment")),
        }
        match comment.next_key::<String>()? {
            Some(name) => Err(Error::unknown_field(&name, &["comment"])),
            None => Ok(()),
        }
    }
}
