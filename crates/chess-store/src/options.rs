//! Options, typed for users of one format and by name for code that treats all formats alike.

use crate::encoding::Encoding;
use crate::error::{AnyError, Error, ErrorKind, Scope};
use crate::location::Location;

/// Options for opening a base of any format.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct OpenOptions {
    /// The text encoding, if the user specifies it.
    pub encoding: Option<Encoding>,
    /// Turns the first deviation found on opening into an error.
    pub strict: bool,
    /// Looks for games that the index of the base does not give, where a format can. This reads the
    /// whole base.
    pub salvage: bool,
    /// Maximum number of bytes that a compressed base may decompress to. See
    /// [`DecompressionLimit`](crate::io::DecompressionLimit) for the default.
    pub max_unpacked: Option<u64>,
    /// Options of the format.
    pub settings: Settings,
}

/// Options for creating a base of any format.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CreateOptions {
    /// The encoding to write text in, if the format does not define it.
    pub encoding: Option<Encoding>,
    /// Options of the format.
    pub settings: Settings,
}

impl OpenOptions {
    /// Converts the options to the typed options of a format.
    ///
    /// # Errors
    /// [`OptionError`] for an unknown name or value.
    pub fn typed<T: TypedOptions>(&self) -> Result<T, AnyError> {
        let mut options: T = self.settings.read()?;
        options.take_open(self);
        Ok(options)
    }
}

impl CreateOptions {
    /// Converts the options to the typed options of a format.
    ///
    /// # Errors
    /// [`OptionError`] for an unknown name or value.
    pub fn typed<T: TypedOptions>(&self) -> Result<T, AnyError> {
        let mut options: T = self.settings.read()?;
        options.take_create(self);
        Ok(options)
    }
}

/// Options of a format by name, as given on a command line: `name=value`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Settings(Vec<(String, String)>);

impl Settings {
    /// Adds an option. A later value replaces an earlier one of the same name.
    pub fn set(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.0.push((name.into(), value.into()));
    }

    /// Iterates over names and values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Converts the settings to the typed options of a format.
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

/// The typed options of a format, with access by name.
pub trait TypedOptions: Default {
    /// Returns the names and values of the options, for display.
    const LIST: &'static [OptionInfo] = &[];

    /// Sets an option. Returns whether `name` and `value` are known.
    fn set(&mut self, name: &str, value: &str) -> bool {
        let _ = (name, value);
        false
    }

    /// Copies the options for opening that all formats share, as far as the format has them.
    fn take_open(&mut self, options: &OpenOptions) {
        let _ = options;
    }

    /// Copies the options for creating that all formats share, as far as the format has them.
    fn take_create(&mut self, options: &CreateOptions) {
        let _ = options;
    }
}

/// The options of a format that has none.
impl TypedOptions for () {}

/// The description of an option, for display.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct OptionInfo {
    /// The name of the option: `promotions`.
    pub name: &'static str,
    /// The accepted values, the default first. Empty if any text is accepted.
    pub values: &'static [&'static str],
    /// The purpose of the option, in one sentence without a full stop.
    pub help: &'static str,
}

impl OptionInfo {
    /// Describes an option. See the fields for the parameters.
    #[must_use]
    pub const fn new(
        name: &'static str,
        values: &'static [&'static str],
        help: &'static str,
    ) -> OptionInfo {
        OptionInfo { name, values, help }
    }
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

/// The error for an option that the format does not have, or for a value that the option does not
/// accept.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown option {name}={value}: {known}")]
#[non_exhaustive]
pub struct OptionError {
    /// The given name.
    pub name: String,
    /// The given value.
    pub value: String,
    /// The accepted names or values, for display.
    pub known: String,
}

impl ErrorKind for OptionError {
    fn scope(&self) -> Scope {
        Scope::Base
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
    fn settings_unknown_option_lists_known_ones() {
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
