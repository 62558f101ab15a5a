//! Finds starts of games without reading the text before them.

use crate::tags::{looks_like_tag, tag_after_empty_line};

/// Returns the last place before `before` where a game certainly begins, wherever reading started.
///
/// Such a place is a complete tag start (`[`, a name and a quote) after an empty line. No token,
/// tag or line comment extends beyond its line. A brace comment ends before such a tag, both in
/// movetext ([`comment_end`](crate::cursor::Cursor::comment_end)) and between games. Movetext ends
/// there too. Only a tag section could continue there. It does not if the tag is `Event`, or if the
/// last line before has no tag and is not hidden.
pub(crate) fn last_certain_start(text: &[u8], before: usize) -> Option<usize> {
    let mut end = before;
    loop {
        end = memchr::memrchr(b'\n', text.get(..end)?)?;
        let at = end.saturating_add(1);
        // Cheap, and rules out nearly all lines: the line before is not empty.
        let (line_before, tag) = (end.checked_sub(1).and_then(|at| text.get(at)), text.get(at));
        if matches!((line_before, tag), (Some(b'\n' | b'\r'), Some(b'[')))
            && at < before
            && is_certain_start(text, at)
        {
            return Some(at);
        }
    }
}

/// Returns the first place from `from` on where a game certainly begins, wherever reading started.
pub(crate) fn first_certain_start(text: &[u8], from: usize) -> Option<usize> {
    let lines = memchr::memmem::find_iter(text.get(from.saturating_sub(1)..)?, b"\n[");
    let starts = lines.map(|at| from.max(1).saturating_add(at));
    starts.into_iter().find(|at| is_certain_start(text, *at))
}

fn is_certain_start(text: &[u8], at: usize) -> bool {
    let (before, tag) = text.split_at_checked(at).unwrap_or_default();
    let event = matches!(tag, [b'[', b'E', b'v', b'e', b'n', b't', b'"' | b' ' | b'\t', ..]);
    tag_after_empty_line(text, at) && (event || !may_end_in_tags(before))
}

/// Returns whether the last non-empty line of `text` may end with a tag, or may be hidden.
fn may_end_in_tags(text: &[u8]) -> bool {
    let white = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0x0b;
    let Some(end) = text.iter().rposition(|byte| !white(byte)) else { return true };
    let text = text.get(..=end).unwrap_or_default();
    let start = memchr::memrchr2(b'\n', b'\r', text).map_or(0, |before| before.saturating_add(1));
    let line = text.get(start..).unwrap_or_default();
    // A value can end on a line of its own: `goes on"]`.
    line.starts_with(b"%") || memchr::memchr2(b'[', b']', line).is_some()
}

/// Where reading resumes after a game that is too long: at a tag after an empty line, not before
/// `from`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NextSection {
    At(usize),
    /// The section may begin here; only more text can decide.
    Perhaps(usize),
    None,
}

/// Searches `text` for the next section. If `last` is set, no text follows `text`.
pub(crate) fn next_section(text: &[u8], from: usize, last: bool) -> NextSection {
    let tail = text.get(from..).unwrap_or_default();
    for found in memchr::memchr_iter(b'[', tail) {
        let (before, tag) = tail.split_at_checked(found).unwrap_or_default();
        if before.ends_with(b"\n\n") || before.ends_with(b"\n\r\n") {
            let at = from.saturating_add(found);
            match looks_like_tag(tag, true) {
                (_, false) if !last => return NextSection::Perhaps(at),
                (true, _) => return NextSection::At(at),
                (false, _) => {}
            }
        }
    }
    NextSection::None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certain_start_tag_after_empty_line_is_found() {
        for (text, sure) in [
            ("1-0\n\n[Event \"x\"]", true),
            ("1-0\r\n\r\n[Event \"x\"]", true),
            ("{\n\n[White \"x\"]", true),
            ("1-0\n\n[White \"x\"]", true),
            ("[A \"b\"]\n\n[Event \"x\"]", true),
            ("[A \"b\"]\n\n[Events \"x\"]", false),
            ("[A \"b\n\n[White \"x\"]", false),
            ("x\n%y\n \n\n[White \"x\"]", false),
            ("1-0\n[Event \"x\"]", false),
            ("1-0\n\n [Event \"x\"]", false),
            ("1-0\n\n[ Event \"x\"]", false),
            ("1-0\n\n[Event x]", false),
            ("1-0\r\r[Event \"x\"]", false),
            ("\n\n[White \"x\"]", false),
        ] {
            let at = text.rfind('[').unwrap();
            let found = last_certain_start(text.as_bytes(), text.len());
            assert_eq!(found, sure.then_some(at), "{text:?}");
            assert_eq!(first_certain_start(text.as_bytes(), 1), found, "{text:?}");
            assert_eq!(first_certain_start(text.as_bytes(), at + 1), None, "{text:?}");
            assert_eq!(last_certain_start(text.as_bytes(), at), None, "{text:?}");
        }
    }

    #[test]
    fn next_section_after_long_game_is_found() {
        use NextSection::{At, None, Perhaps};
        for (text, found) in [
            ("a\n\n[Event \"x\"]", At(3)),
            ("a\n\r\n[Event x]\n", At(4)),
            ("a\n\n[Event x", Perhaps(3)),
            ("a\n\n[", Perhaps(3)),
            ("a\n\n[]\n[Event \"x\"]", None),
        ] {
            assert_eq!(next_section(text.as_bytes(), 0, false), found, "{text:?}");
        }
        assert_eq!(next_section(b"a\n\n[Event x]", 0, true), At(3));
        assert_eq!(next_section(b"a\n\n[Event x", 0, true), None);
    }
}
