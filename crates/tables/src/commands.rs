//! Commands in comments: `[%clk 0:01:30]`, `[%eval 0.35]`, `[%eval #-3]`.

/// What the commands of a comment say.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Commands {
    /// Seconds.
    pub(crate) clock: Option<f64>,
    /// Pawns.
    pub(crate) evaluation: Option<f64>,
    /// Moves.
    pub(crate) mate: Option<i16>,
}

impl Commands {
    /// Takes those of a comment; the first of each kind counts.
    pub(crate) fn read(&mut self, comment: &str) {
        for command in comment.split("[%").skip(1) {
            let Some((command, _)) = command.split_once(']') else { continue };
            let Some((name, value)) = command.split_once(' ') else { continue };
            let value = value.trim();
            match name {
                "clk" => self.clock = self.clock.or_else(|| parse_clock(value)),
                "eval" if self.evaluation.is_none() && self.mate.is_none() => {
                    // The depth may follow a comma.
                    let value = value.split(',').next().unwrap_or_default().trim();
                    match value.strip_prefix('#') {
                        Some(moves) => self.mate = moves.parse().ok(),
                        None => self.evaluation = parse_number(value),
                    }
                }
                _ => {}
            }
        }
    }
}

/// `1:02:03.4`, `02:03`, `3`: seconds.
fn parse_clock(text: &str) -> Option<f64> {
    let mut seconds = 0.0;
    let mut parts = 0u8;
    for part in text.split(':') {
        parts = parts.checked_add(1).filter(|parts| *parts <= 3)?;
        seconds = seconds * 60.0 + parse_number(part).filter(|part| *part >= 0.0)?;
    }
    Some(seconds)
}

/// A number in digits: not `inf`, not `1e9`.
fn parse_number(text: &str) -> Option<f64> {
    let plain =
        text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'+'));
    text.parse().ok().filter(|_| plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(comment: &str) -> (Option<f64>, Option<f64>, Option<i16>) {
        let mut commands = Commands::default();
        commands.read(comment);
        (commands.clock, commands.evaluation, commands.mate)
    }

    #[test]
    fn commands_are_found_among_words() {
        assert_eq!(
            read("good [%eval -0.35] [%clk 1:02:03.5] move"),
            (Some(3723.5), Some(-0.35), None)
        );
        assert_eq!(read("[%eval #-3]"), (None, None, Some(-3)));
        assert_eq!(read("[%eval 1.5,20][%clk 0:05]"), (Some(5.0), Some(1.5), None));
        assert_eq!(read("[%clk 0:00:07] [%clk 0:00:08]"), (Some(7.0), None, None));
    }

    #[test]
    fn what_is_no_command_says_nothing() {
        for text in [
            "",
            "[%clk",
            "[%clk]",
            "[%clk x]",
            "[%clk 1:2:3:4]",
            "[%eval inf]",
            "clk 1",
            "[%clk -1:00]",
            "[%eval #]",
        ] {
            assert_eq!(read(text), (None, None, None), "{text}");
        }
    }
}
