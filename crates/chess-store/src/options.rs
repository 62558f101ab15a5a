//! Options: typed for who uses one format, by name for who treats all alike.

use std::fmt;

use crate::encoding::Encoding;
use crate::error::{AnyError, Error, ErrorKind, Scope};
use crate::location::Location;

/// How to open a base of any format.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct OpenOptions {
    /// The encoding of its texts, where the user knows better.
    pub encoding: Option<Encoding>,
    /// Makes an error of the first deviation met on opening.
    pub strict: bool,
    /// How many bytes a packed base may unpack to; if not given, see
    /// [`DecompressionLimit`](crate::io::DecompressionLimit).
    pub max_unpacked: Option<u64>,
    /// Options only its format knows.
    pub settings: Settings,
}

/// How to create a base of any format.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CreateOptions {
    /// The encoding to write texts in, where the format leaves it open.
    pub encoding: Option<Encoding>,
    /// Options only its format knows.
    pub settings: Settings,
}

/// Options of a format by name, as a program takes them: `name=value`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Settings(Vec<(String, String)>);

impl Settings {
    /// Adds one. Of two of one name the later holds.
    pub fn set(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.0.push((name.into(), value.into()));
    }

    /// Names and values in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The typed options of a format.
    ///
    /// # Errors
    /// [`OptionError`] for an unknown name or value.
    pub fn read<T: TypedOptions>(&self) -> Result<T, AnyError> {
        let mut options = T::default();
        for (name, value) in self.iter() {
            if !options.set(name, value) {
                let known = describe(T::LIST, name);
                let kind = OptionError { name: name.into(), value: value.into(), known };
                return Err(Error::new(kind, Location::default()).into());
            }
        }
        Ok(options)
    }
}

/// The options of a format as a struct that also knows them by name.
pub trait TypedOptions: Default {
    /// Their names and values, for people.
    const LIST: &'static [OptionInfo];

    /// Sets one; whether name and value are known.
    fn set(&mut self, name: &str, value: &str) -> bool;
}

/// For a format without options.
impl TypedOptions for () {
    const LIST: &'static [OptionInfo] = &[];

    fn set(&mut self, _: &str, _: &str) -> bool {
        false
    }
}

/// An option of a format, for people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionInfo {
    /// Its name: `promotions`.
    pub name: &'static str,
    /// The values it takes, the default first, or none if it takes any text.
    pub values: &'static [&'static str],
    /// What it is for, in one sentence without a full stop.
    pub help: &'static str,
}

fn describe(list: &[OptionInfo], name: &str) -> String {
    if let Some(option) = list.iter().find(|option| option.name == name) {
        return match option.values {
            [] => format!("{name} takes no such value ({})", option.help),
            values => format!("{name} is one of {}", values.join(", ")),
        };
    }
    match list {
        [] => String::from("this format has no options here"),
        list => {
            let names: Vec<&str> = list.iter().map(|option| option.name).collect();
            format!("the options here are {}", names.join(", "))
        }
    }
}

/// An option this format does not know, or a value the option does not take.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct OptionError {
    /// The name given.
    pub name: String,
    /// The value given.
    pub value: String,
    /// What is known, for people.
    pub known: String,
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown option {}={}: {}", self.name, self.value, self.known)
    }
}

impl std::error::Error for OptionError {}

impl ErrorKind for OptionError {
    fn scope(&self) -> Scope {
        Scope::Base
    }

    fn io(&self) -> Option<&std::io::Error> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default, Debug)]
    struct Demo {
        loud: bool,
    }

    impl TypedOptions for Demo {
        const LIST: &'static [OptionInfo] =
            &[OptionInfo { name: "voice", values: &["soft", "loud"], help: "how it speaks" }];

        fn set(&mut self, name: &str, value: &str) -> bool {
            match (name, value) {
                ("voice", "soft") => self.loud = false,
                ("voice", "loud") => self.loud = true,
                _ => return false,
            }
            true
        }
    }

    #[test]
    fn settings_become_typed_or_say_what_is_known() {
        let read = |name: &str, value: &str| {
            let mut settings = Settings::default();
            settings.set(name, value);
            settings
                .read::<Demo>()
                .map(|demo| demo.loud)
                .map_err(|error| error.message().to_string())
        };
        assert_eq!(read("voice", "loud"), Ok(true));
        assert_eq!(
            read("voice", "high").unwrap_err(),
            "unknown option voice=high: voice is one of soft, loud"
        );
        assert_eq!(
            read("speed", "1").unwrap_err(),
            "unknown option speed=1: the options here are voice"
        );
    }
}
