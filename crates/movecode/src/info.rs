//! Column `Info`: tags without a column of their own, `Name=value;Name=value`.

/// Calls `each` with every tag. The format has no escaping: a part without a tag name belongs to the
/// previous value. Returns `false` if some text belongs to no tag.
// movecode §9.4 "Info"
pub(crate) fn for_each_tag<'a>(info: &'a str, mut each: impl FnMut(&'a str, &'a str)) -> bool {
    let mut sound = true;
    let mut start = 0usize;
    let mut at = 0usize;
    for piece in info.split_inclusive(';') {
        let end = at.saturating_add(piece.len());
        let rest = info.get(end..).unwrap_or_default();
        if rest.is_empty() || name_of(rest).is_some() {
            let tag = info.get(start..end).unwrap_or_default();
            let tag = tag.strip_suffix(';').unwrap_or(tag);
            match name_of(tag) {
                Some(name) => {
                    each(name, tag.get(name.len().saturating_add(1)..).unwrap_or_default());
                }
                None => sound = sound && tag.is_empty(),
            }
            start = end;
        }
        at = end;
    }
    sound
}

/// Returns the tag name at the start of `text`, if an equals sign follows it.
fn name_of(text: &str) -> Option<&str> {
    let (name, _) = text.split_once('=')?;
    let sound = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    (!name.is_empty() && name.bytes().all(sound)).then_some(name)
}

/// Appends a tag and returns `true` if it can be read back.
pub(crate) fn push_tag(info: &mut String, name: &str, value: &str, characters: usize) -> bool {
    let before = info.len();
    if before > 0 {
        info.push(';');
    }
    info.push_str(name);
    info.push('=');
    info.push_str(value);
    let tag = info.get(before..).unwrap_or_default().trim_start_matches(';');
    // A value that ends in a semicolon would lose it. A value with `;A=` would become two tags.
    let (mut read, mut same) = (0u32, false);
    for_each_tag(tag, |read_name, read_value| {
        read = read.saturating_add(1);
        same = (read_name, read_value) == (name, value);
    });
    let sound = read == 1 && same && info.chars().count() <= characters;
    if !sound {
        info.truncate(before);
    }
    sound
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(info: &str) -> Vec<(&str, &str)> {
        let mut all = Vec::new();
        for_each_tag(info, |name, value| all.push((name, value)));
        all
    }

    #[test]
    fn push_tag_storable_round_trips() {
        let mut info = String::new();
        for (name, value) in [("A", "1"), ("TimeControl", "40/7200; 3600"), ("B", ""), ("C", "x=y")]
        {
            assert!(push_tag(&mut info, name, value, 255), "{name}");
        }
        assert_eq!(info, "A=1;TimeControl=40/7200; 3600;B=;C=x=y");
        let expected = [("A", "1"), ("TimeControl", "40/7200; 3600"), ("B", ""), ("C", "x=y")];
        assert_eq!(tags(&info), expected);
        assert_eq!(tags("A=1;B=2;"), [("A", "1"), ("B", "2")]);
        assert_eq!(tags(""), []);
        assert_eq!(tags("no tag;A=1"), [("A", "1")]);
        assert!(!for_each_tag("no tag;A=1", |_, _| {}));
        assert!(for_each_tag("A=1;B=2;", |_, _| {}));
    }

    #[test]
    fn push_tag_ambiguous_is_refused() {
        for (name, value) in [("A", "1;B=2"), ("A", "1;"), ("two words", "x"), ("", "x")] {
            let mut info = String::from("Z=9");
            assert!(!push_tag(&mut info, name, value, 255), "{name} {value}");
            assert_eq!(info, "Z=9");
        }
        assert!(!push_tag(&mut String::new(), "A", &"x".repeat(254), 255));
    }
}
