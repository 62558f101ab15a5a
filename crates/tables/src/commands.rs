//! Parses commands in comments: `[%clk 0:01:30]`, `[%eval 0.35]`, `[%eval #-3]`.

use chess_core::Evaluation;
use time_control::parse_clock;

/// The values of the commands in a comment.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Commands {
    /// The clock in seconds.
    pub(crate) clock: Option<f64>,
    /// Whether the clock has two parts: `1:30` can be minutes and seconds, or hours and minutes.
    pub(crate) is_short_clock: bool,
    /// The evaluation in pawns.
    pub(crate) evaluation: Option<f64>,
    /// The distance to mate in moves.
    pub(crate) mate: Option<i16>,
    /// The time that the move took in seconds.
    pub(crate) elapsed: Option<f64>,
}

impl Commands {
    /// Reads the commands of a comment. The first command of each kind counts.
    #[inline]
    pub(crate) fn read(&mut self, comment: &str) {
        let mut rest = comment.as_bytes();
        // Programs write commands one after the other, with a space between them.
        loop {
            let plain = match rest {
                [b' ', b'[', b'%', command @ ..] | [b'[', b'%', command @ ..] => {
                    self.read_plain(command)
                }
                [] | [b' '] => return,
                _ => None,
            };
            match plain {
                Some(after) => rest = after,
                None => break,
            }
        }
        self.read_among_words(comment.get(comment.len() - rest.len()..).unwrap_or_default());
    }

    /// Reads the commands of any text.
    #[inline(never)]
    fn read_among_words(&mut self, text: &str) {
        let mut rest = text;
        while let Some(command) = rest.get(next_command(rest)..) {
            let Some(command) = command.strip_prefix("[%") else { return };
            rest = match self.read_plain(command.as_bytes()) {
                Some(after) => command.get(command.len() - after.len()..).unwrap_or_default(),
                None => {
                    self.read_any(command);
                    command
                }
            };
        }
    }

    /// Reads `clk` with digits alone or `eval` with a number, as programs write them. Returns the
    /// text after the bracket, or `None` for anything else.
    #[inline]
    fn read_plain<'a>(&mut self, command: &'a [u8]) -> Option<&'a [u8]> {
        match command {
            [b'c', b'l', b'k', b' ', value @ ..] => {
                let (seconds, is_short, after) = plain_clock(value)?;
                self.set_clock(seconds, is_short);
                Some(after)
            }
            [b'e', b'v', b'a', b'l', b' ', value @ ..] => {
                let (number, rest) = match value {
                    [b'-', digits @ ..] => plain_number(digits).map(|(n, rest)| (-n, rest))?,
                    digits => plain_number(digits)?,
                };
                let [b']', after @ ..] = rest else { return None };
                if self.evaluation.is_none() && self.mate.is_none() {
                    self.evaluation = Some(number);
                }
                Some(after)
            }
            _ => None,
        }
    }

    #[inline]
    fn set_clock(&mut self, seconds: f64, is_short: bool) {
        if self.clock.is_none() {
            (self.clock, self.is_short_clock) = (Some(seconds), is_short);
        }
    }

    /// Reads any command, up to the next one. `command` is the text after `[%`.
    #[inline(never)]
    fn read_any(&mut self, command: &str) {
        let command = command.get(..next_command(command)).unwrap_or_default();
        let Some((command, _)) = command.split_once(']') else { return };
        let Some((name, value)) = command.split_once(' ') else { return };
        let value = value.trim();
        match name {
            "clk" => {
                if let Some(seconds) = parse_clock(value) {
                    let is_short = value.matches(':').count() == 1 && !value.contains('.');
                    self.set_clock(seconds, is_short);
                }
            }
            "emt" => self.elapsed = self.elapsed.or_else(|| parse_clock(value)),
            "eval" if self.evaluation.is_none() && self.mate.is_none() => {
                // The search depth may follow a comma.
                let (number, depth) = value.split_once(',').unwrap_or((value, ""));
                let (number, depth) = (number.trim(), depth.trim());
                match Evaluation::parse_centipawns(number, depth) {
                    Some((Evaluation::Mate(moves), _)) => self.mate = Some(moves),
                    Some((Evaluation::Centipawns(value), _)) => {
                        self.evaluation = Some(f64::from(value) / 100.0);
                    }
                    None => {
                        self.mate = parse_mate(number);
                        if self.mate.is_none() {
                            self.evaluation = parse_number(number);
                        }
                    }
                }
            }
            _ => {}
        }
    }
}

/// Returns the index of the next `[%`, or the length of the text.
fn next_command(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut from = 0;
    while let Some(at) = bytes.get(from..).and_then(|rest| memchr::memchr(b'[', rest)) {
        let start = from + at;
        from = start + 1;
        if bytes.get(from) == Some(&b'%') {
            return start;
        }
    }
    bytes.len()
}

/// The most digits of a [`plain_number`]. Their number and the power of ten are exact, so that one
/// division rounds correctly.
const PLAIN_DIGITS: usize = 9;

/// Parses digits with an optional fraction. Returns the number and the rest of the text. The number
/// is the one that [`parse_number`] returns.
#[inline]
fn plain_number(text: &[u8]) -> Option<(f64, &[u8])> {
    const POWERS: [f64; PLAIN_DIGITS] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8];
    let (whole, mut rest) = digits(0, text);
    let mut count = text.len() - rest.len();
    let (mut value, mut power) = (whole, 1.0);
    if count == 0 {
        return None;
    }
    if let [b'.', fraction @ ..] = rest {
        (value, rest) = digits(whole, fraction);
        let places = fraction.len() - rest.len();
        count += places;
        power = *POWERS.get(places)?;
    }
    (count <= PLAIN_DIGITS).then(|| (f64::from(value) / power, rest))
}

/// Appends the digits at the start of `text` to the number `value`, which wraps if it is too long.
#[inline]
fn digits(mut value: u32, mut text: &[u8]) -> (u32, &[u8]) {
    while let [digit @ b'0'..=b'9', rest @ ..] = text {
        value = value.wrapping_mul(10).wrapping_add(u32::from(digit - b'0'));
        text = rest;
    }
    (value, text)
}

/// Parses one to three plain numbers with colons between them and a bracket after them. Returns the
/// seconds, as [`parse_clock`] does, whether there are two parts, and the text after the bracket.
#[inline]
fn plain_clock(text: &[u8]) -> Option<(f64, bool, &[u8])> {
    // `0:03:00]`, as Lichess writes it.
    if let [
        h @ b'0'..=b'9',
        b':',
        m @ b'0'..=b'9',
        n @ b'0'..=b'9',
        b':',
        s @ b'0'..=b'9',
        t @ b'0'..=b'9',
        b']',
        after @ ..,
    ] = text
    {
        let digit = |byte: &u8| u32::from(byte - b'0');
        let minutes = digit(h) * 60 + digit(m) * 10 + digit(n);
        return Some((f64::from(minutes * 60 + digit(s) * 10 + digit(t)), false, after));
    }
    let (mut seconds, mut rest) = plain_number(text)?;
    let mut colons = 0;
    while let [b':', more @ ..] = rest
        && colons < 2
    {
        let part;
        (part, rest) = plain_number(more)?;
        seconds = seconds * 60.0 + part;
        colons += 1;
    }
    let [b']', after @ ..] = rest else { return None };
    let length = text.len() - rest.len();
    let is_short = colons == 1 && !text.iter().take(length).any(|byte| *byte == b'.');
    Some((seconds, is_short, after))
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
    fn eval_whole_number_with_depth_is_centipawns() {
        for (text, pawns) in [
            ("23,14", 0.23),
            ("-17,27", -0.17),
            ("23, 14", 0.23),
            ("0,1", 0.0),
            ("0.23,14", 0.23),
            ("25", 25.0),
            ("40000,3", 40_000.0),
        ] {
            assert_eq!(read(&format!("[%eval {text}]")), (None, Some(pawns), None), "{text}");
        }
    }

    #[test]
    fn clock_with_two_parts_is_short() {
        for (text, is_short) in
            [("1:30", true), ("-1:30", true), ("1:30:00", false), ("90", false), ("4:59.7", false)]
        {
            let mut commands = Commands::default();
            commands.read(&format!("[%clk {text}]"));
            assert!(commands.clock.is_some());
            assert_eq!(commands.is_short_clock, is_short, "{text}");
        }
    }

    #[test]
    fn parse_mate_all_spellings_are_read() {
        for (text, moves) in [
            ("32760,12", 7),
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
    fn read_plain_agrees_with_any_command() {
        let numbers = [
            "0",
            "00",
            "7",
            "59",
            "0.1",
            "0.17",
            "-0.35",
            "12.34",
            "-0.00",
            "3.3333333",
            "99999.9999",
            "123456789",
            "1234567890",
            "0.123456789",
            "5.",
            ".5",
            "",
            "-",
            "+1.5",
            "1.5,20",
            "#3",
            "1e3",
            "1..2",
            " 1",
            "1 ",
            "2147483648.5",
            "4294967296",
        ];
        let clocks = ["0:03:00", "1:02:03.4", "9:59.7", "1:2:3:4", "0:0.1:0.2", "1::2", "-1:00"];
        let mut plain = 0;
        for value in numbers.iter().chain(&clocks) {
            for name in ["clk", "eval", "emt"] {
                let command = format!("{name} {value}] after [% and");
                let (mut fast, mut any) = (Commands::default(), Commands::default());
                any.read_any(&command);
                if let Some(after) = fast.read_plain(command.as_bytes()) {
                    assert_eq!(after, b" after [% and", "{command}");
                    let bits = |commands: Commands| {
                        (commands.clock.map(f64::to_bits), commands.evaluation.map(f64::to_bits))
                    };
                    assert_eq!((bits(fast), fast), (bits(any), any), "{command}");
                    plain += 1;
                }
                let mut read = Commands::default();
                read.read(&format!("x [%{command}"));
                assert_eq!(read, any, "{command}");
            }
        }
        assert_eq!(plain, 28);
    }

    #[test]
    fn read_command_without_bracket_ends_at_next_command() {
        assert_eq!(read("[%eval [%clk 0:00:05] 1]"), (Some(5.0), None, None));
        assert_eq!(read("[%[%clk 0:00:05]"), (Some(5.0), None, None));
        assert_eq!(read("[ [[%clk 0:00:05]"), (Some(5.0), None, None));
        assert_eq!(read("[%clk 0:05[%eval 1]"), (None, Some(1.0), None));
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
