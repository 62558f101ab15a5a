//! Parses commands in comments: `[%clk 0:01:30]`, `[%eval 0.35]`, `[%eval #-3]`.

/// The values of the commands in a comment.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Commands {
    /// The clock in seconds.
    pub(crate) clock: Option<f64>,
    /// The evaluation in pawns.
    pub(crate) evaluation: Option<f64>,
    /// The distance to mate in moves.
    pub(crate) mate: Option<i16>,
    /// The time that the move took in seconds.
    pub(crate) elapsed: Option<f64>,
}

impl Commands {
    /// Reads the commands of a comment. The first command of each kind counts.
    pub(crate) fn read(&mut self, comment: &str) {
        for command in comment.split("[%").skip(1) {
            let Some((command, _)) = command.split_once(']') else { continue };
            let Some((name, value)) = command.split_once(' ') else { continue };
            let value = value.trim();
            match name {
                "clk" => self.clock = self.clock.or_else(|| parse_clock(value)),
                "emt" => self.elapsed = self.elapsed.or_else(|| parse_clock(value)),
                "eval" if self.evaluation.is_none() && self.mate.is_none() => {
                    // The search depth may follow a comma.
                    let value = value.split(',').next().unwrap_or_default().trim();
                    self.mate = parse_mate(value);
                    if self.mate.is_none() {
                        self.evaluation = parse_number(value);
                    }
                }
                _ => {}
            }
        }
    }
}

/// Parses a mate score in the spellings that programs use: `#3`, `#-3`, `-#3`, `#+3`, `+M5`, `-M3`,
/// `M5`, `+#3`.
fn parse_mate(text: &str) -> Option<i16> {
    let (before, after) = text.split_once(['#', 'M', 'm'])?;
    let is_sign = |sign: &str| matches!(sign, "" | "+" | "-");
    let digits = after.trim_start_matches(['+', '-']);
    let sign = after.strip_suffix(digits)?;
    // A word that begins with M, such as "mate", is not a score.
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !plain || !is_sign(before) || !is_sign(sign) || !(before.is_empty() || sign.is_empty()) {
        return None;
    }
    let moves: i16 = digits.parse().ok()?;
    let is_negative = before == "-" || sign == "-";
    Some(if is_negative { moves.saturating_neg() } else { moves })
}

/// Parses a clock into seconds: `1:02:03.4`, `02:03`, `3`. An expired clock may be negative:
/// `-0:00:01`.
fn parse_clock(text: &str) -> Option<f64> {
    let (text, sign) = match text.strip_prefix('-') {
        Some(text) => (text, -1.0),
        None => (text.strip_prefix('+').unwrap_or(text), 1.0),
    };
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b':' | b'.'));
    if !is_plain {
        return None;
    }
    let mut seconds = 0.0;
    let mut parts = 0u8;
    for part in text.split(':') {
        parts = parts.checked_add(1).filter(|parts| *parts <= 3)?;
        seconds = seconds * 60.0 + parse_number(part).filter(|part| *part >= 0.0)?;
    }
    Some(seconds * sign)
}

/// Parses a number in digits, but not `inf` or `1e9`.
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
    fn commands_read_among_words_are_found() {
        assert_eq!(
            read("good [%eval -0.35] [%clk 1:02:03.5] move"),
            (Some(3723.5), Some(-0.35), None)
        );
        assert_eq!(read("[%eval #-3]"), (None, None, Some(-3)));
        assert_eq!(read("[%eval 1.5,20][%clk 0:05]"), (Some(5.0), Some(1.5), None));
        assert_eq!(read("[%clk 0:00:07] [%clk 0:00:08]"), (Some(7.0), None, None));
    }

    #[test]
    fn parse_clock_negative_keeps_its_sign() {
        assert_eq!(read("[%clk -0:00:01]"), (Some(-1.0), None, None));
        assert_eq!(read("[%clk -1:00]"), (Some(-60.0), None, None));
        assert_eq!(read("[%clk -0:00:00.5]"), (Some(-0.5), None, None));
    }

    #[test]
    fn parse_mate_all_spellings_are_read() {
        for (text, moves) in [
            ("#3", 3),
            ("#-3", -3),
            ("-#3", -3),
            ("#+3", 3),
            ("+#3", 3),
            ("+M5", 5),
            ("-M3", -3),
            ("M5", 5),
            ("#0", 0),
            ("-M3,25", -3),
        ] {
            assert_eq!(read(&format!("[%eval {text}]")), (None, None, Some(moves)), "{text}");
        }
    }

    #[test]
    fn commands_read_other_text_is_ignored() {
        for text in [
            "",
            "[%clk",
            "[%clk]",
            "[%clk x]",
            "[%clk 1:2:3:4]",
            "[%eval inf]",
            "clk 1",
            "[%clk --1:00]",
            "[%clk 1:-00]",
            "[%eval #]",
            "[%eval -#-3]",
            "[%eval mate]",
            "[%eval M]",
        ] {
            assert_eq!(read(text), (None, None, None), "{text}");
        }
    }
}
