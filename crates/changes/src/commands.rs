//! Commands in comments: `[%clk 0:10:00]`.

/// Returns `comment` without the commands of these names. `None` if it has none of them.
///
/// Blanks around a command that goes become one. A command without an end stays.
pub(super) fn without(comment: &str, names: &[&str]) -> Option<String> {
    let mut left = String::with_capacity(comment.len());
    let (mut rest, mut found) = (comment, false);
    // Behind the last bracket no command has an end. So each search for one succeeds, and no part of
    // the comment is searched twice.
    let tail = comment.rfind(']').and_then(|end| comment.get(end..)).unwrap_or(comment).len();
    while let Some((before, after)) = rest.split_once("[%").filter(|(_, after)| after.len() >= tail)
    {
        let is_one = |name: &&str| {
            let word = after.get(..name.len()).filter(|word| word.eq_ignore_ascii_case(name));
            let next = after.get(name.len()..).and_then(|rest| rest.chars().next());
            word.is_some() && next.is_some_and(|next| next == ' ' || next == ']')
        };
        let end = names.iter().any(is_one).then(|| after.split_once(']')).flatten();
        match end {
            Some((_, behind)) => {
                found = true;
                left.push_str(before);
                rest = behind;
                if left.is_empty() || left.ends_with(char::is_whitespace) {
                    rest = rest.trim_start();
                }
            }
            None => {
                left.push_str(before);
                left.push_str("[%");
                rest = after;
            }
        }
    }
    left.push_str(rest);
    if !found {
        return None;
    }
    // Blanks at the ends of a comment are a matter of style, so they stay.
    let ends_blank = comment.ends_with(char::is_whitespace) && !left.trim().is_empty();
    if !ends_blank {
        left.truncate(left.trim_end().len());
    }
    Some(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_removes_named_commands_and_their_blanks() {
        let names = ["clk", "emt"];
        for (comment, left) in [
            ("[%clk 0:01:00]", Some("")),
            ("[%clk 0:01:00] good", Some("good")),
            ("good [%clk 0:01:00]", Some("good")),
            ("good [%CLK 0:01:00] move [%emt 3]", Some("good move")),
            ("[%eval 0.3] [%clk 1]", Some("[%eval 0.3]")),
            (" [%clk 1] good ", Some(" good ")),
            (" good [%clk 1] ", Some(" good ")),
            (" [%clk 1] ", Some("")),
            ("[%clk 1][%eval 0.3]", Some("[%eval 0.3]")),
            ("[%clkx 1] [%eval 0.3] [clk 1]", None),
            ("[%clk 1", None),
            ("[%clk", None),
            ("[%", None),
            ("[%é]", None),
            ("", None),
        ] {
            assert_eq!(without(comment, &names).as_deref(), left, "{comment}");
        }
    }

    #[test]
    fn without_many_unclosed_commands_is_linear() {
        let open = "[%clk ".repeat(200_000);
        assert_eq!(without(&open, &["clk"]), None);
        assert_eq!(without(&format!("{open}] x"), &["clk"]).as_deref(), Some("x"));
        assert_eq!(without(&format!("x] {open}"), &["clk"]), None);
    }
}
