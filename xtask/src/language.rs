//! The language rules of CONTRIBUTING.md that a program can check.
//!
//! Older text breaks the rules in many places. `xtask/language.toml` holds the number of findings in
//! each crate, and a number may only fall: new text follows the rules, and rewritten text lowers the limit.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use testkit::workspace_root;

use crate::Failure;
use crate::tidy::files;

/// Where the limits are.
const LIMITS: &str = "xtask/language.toml";
/// The most words of a sentence in a Rust doc comment or on a page.
const MAX_WORDS: usize = 40;
/// Words that a test name needs: subject, condition, result.
const TEST_WORDS: usize = 3;
/// Turns of phrase that readers had to decode, because they stand for a noun that is never named.
const RIDDLES: [&str; 22] = [
    "a stretch of",
    "are told",
    "as it has it",
    "but for",
    "by who",
    "for who",
    "is told",
    "lets go of",
    "nothing of",
    "of those",
    "of which",
    "of whose",
    "one of some",
    "so many",
    "that of",
    "those of",
    "to who",
    "what is there",
    "what else",
    "what stands",
    "whoever",
    "without a word",
];
/// First words of a sentence that put a clause where the subject belongs: "What is no base".
const CLAUSES: [&str; 4] = ["What", "Whatever", "Who", "Whose"];
/// First words of a test name that are no subject.
const NO_SUBJECT: [&str; 23] = [
    "a", "all", "an", "any", "both", "each", "every", "it", "many", "no", "nothing", "one", "only",
    "other", "others", "some", "that", "the", "these", "this", "what", "whatever", "who",
];

/// How many findings a crate has, or may have.
#[derive(Clone, Copy, Default, Deserialize, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
struct Counts {
    sentences: usize,
    phrases: usize,
    tests: usize,
}

/// The rule that a finding breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rule {
    Sentence,
    Phrase,
    Test,
}

/// One place that breaks a rule.
struct Finding {
    line: usize,
    rule: Rule,
    message: String,
}

/// Adds a problem to `found` for each count that exceeds its limit.
pub(crate) fn check(found: &mut Vec<String>) -> Result<(), Failure> {
    let limits = limits(&workspace_root())?;
    for (name, counts) in all()?.iter().map(|(name, places)| (name, counts(places))) {
        let limit = limits.get(name).copied().unwrap_or_default();
        for (what, count, most) in [
            ("sentences of more than 40 words", counts.sentences, limit.sentences),
            ("turns of phrase to decode", counts.phrases, limit.phrases),
            ("test names without a subject", counts.tests, limit.tests),
        ] {
            if count > most {
                found.push(format!(
                    "{name}: {count} {what}, where {LIMITS} allows {most}; \
                     `cargo xtask tidy --language {name}` lists them"
                ));
            }
        }
    }
    Ok(())
}

/// Prints every finding of `only`, or of all crates, and the counts.
pub(crate) fn list(only: Option<&str>) -> Result<(), Failure> {
    let all = all()?;
    if let Some(only) = only
        && !all.contains_key(only)
    {
        let names: Vec<_> = all.keys().map(String::as_str).collect();
        return Err(format!("no crate {only}; there are {}", names.join(", ")).into());
    }
    let mut total = Counts::default();
    for (name, places) in all.iter().filter(|(name, _)| only.is_none_or(|only| only == *name)) {
        for (path, finding) in places {
            println!("{path}:{}: {}", finding.line, finding.message);
        }
        let counts = counts(places);
        total.sentences += counts.sentences;
        total.phrases += counts.phrases;
        total.tests += counts.tests;
        println!("{name}: {}\n", spelt(counts));
    }
    println!("in all: {}", spelt(total));
    Ok(())
}

/// Writes the counts that are below their limits. Writes all of them if there is no file of limits.
pub(crate) fn lower() -> Result<(), Failure> {
    let root = workspace_root();
    let limits = if root.join(LIMITS).exists() { Some(limits(&root)?) } else { None };
    let mut text = String::from(
        "# Findings of `cargo xtask tidy --language` that each crate may have. A count may only fall;\n\
         # `cargo xtask tidy --lower` writes the lower ones.\n",
    );
    for (name, places) in all()? {
        let mut counts = counts(&places);
        if let Some(limits) = &limits {
            let limit = limits.get(&name).copied().unwrap_or_default();
            counts.sentences = counts.sentences.min(limit.sentences);
            counts.phrases = counts.phrases.min(limit.phrases);
            counts.tests = counts.tests.min(limit.tests);
        }
        let Counts { sentences, phrases, tests } = counts;
        let _ = writeln!(
            text,
            "\n[\"{name}\"]\nsentences = {sentences}\nphrases = {phrases}\ntests = {tests}"
        );
    }
    Ok(fs::write(root.join(LIMITS), text)?)
}

fn spelt(counts: Counts) -> String {
    let Counts { sentences, phrases, tests } = counts;
    format!("{sentences} long sentences, {phrases} phrases, {tests} test names")
}

fn limits(root: &Path) -> Result<BTreeMap<String, Counts>, Failure> {
    let text =
        fs::read_to_string(root.join(LIMITS)).map_err(|error| format!("{LIMITS}: {error}"))?;
    toml::from_str(&text).map_err(|error| format!("{LIMITS}: {error}").into())
}

fn counts(places: &[(String, Finding)]) -> Counts {
    let of = |rule| places.iter().filter(|(_, finding)| finding.rule == rule).count();
    Counts { sentences: of(Rule::Sentence), phrases: of(Rule::Phrase), tests: of(Rule::Test) }
}

/// The findings in all Rust files and in the pages of `docs`, with their paths, by crate or folder.
fn all() -> Result<BTreeMap<String, Vec<(String, Finding)>>, Failure> {
    let root = workspace_root();
    let mut all = BTreeMap::<String, Vec<(String, Finding)>>::new();
    for path in files(&root)? {
        let is_page = path.starts_with("docs") && path.extension().is_some_and(|it| it == "md");
        if !is_page && path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let Ok(text) = fs::read_to_string(root.join(&path)) else { continue };
        let name = path.to_string_lossy().into_owned();
        let places = all.entry(crate_of(&name)).or_default();
        let found = if is_page { prose(&text, page_line) } else { findings(&text) };
        places.extend(found.into_iter().map(|finding| (name.clone(), finding)));
    }
    Ok(all)
}

/// `crates/scid` of `crates/scid/src/lib.rs`, and `fuzz` of `fuzz/src/scid.rs`.
fn crate_of(path: &str) -> String {
    let mut parts = path.split('/');
    let first = parts.next().unwrap_or_default();
    match (first, parts.next()) {
        ("crates" | "bindings", Some(second)) => format!("{first}/{second}"),
        ("docs", Some("formats")) => "docs/formats".to_owned(),
        _ => first.to_owned(),
    }
}

/// The places of a source file that break a rule, in no particular order.
fn findings(source: &str) -> Vec<Finding> {
    let mut findings = prose(source, comment);
    findings.extend(tests(source));
    findings
}

/// The places that break a rule in the lines that `text_of` accepts.
fn prose(source: &str, text_of: TextOf) -> Vec<Finding> {
    let mut findings = Vec::new();
    for paragraph in paragraphs(source, text_of) {
        let line = paragraph.line;
        for sentence in sentences(&paragraph.text) {
            let words = sentence.split_whitespace().count();
            if paragraph.is_doc && words > MAX_WORDS {
                let message = format!("{words} words: {sentence}");
                findings.push(Finding { line, rule: Rule::Sentence, message });
            }
            for riddle in riddles(sentence) {
                let message = format!("\"{riddle}\": {sentence}");
                findings.push(Finding { line, rule: Rule::Phrase, message });
            }
        }
    }
    findings
}

/// Returns the text of a line, and whether it is documentation. `None` if the line has none.
type TextOf = fn(&str) -> Option<(bool, &str)>;

/// The text of a line of a page.
fn page_line(line: &str) -> Option<(bool, &str)> {
    Some((true, line))
}

/// Text that belongs together, with the number of its first line.
struct Paragraph {
    line: usize,
    is_doc: bool,
    text: String,
}

/// The paragraphs of all comments, without examples, tables and headings. An item of a list is a
/// paragraph.
fn paragraphs(source: &str, text_of: TextOf) -> Vec<Paragraph> {
    let mut paragraphs = Vec::<Paragraph>::new();
    let (mut is_open, mut in_example) = (false, false);
    for (line, text) in (1..).zip(source.lines()) {
        let Some((is_doc, text)) = text_of(text) else {
            (is_open, in_example) = (false, false);
            continue;
        };
        let is_code = !is_open && text.starts_with("    ");
        let text = text.trim();
        if text.starts_with("```") {
            (is_open, in_example) = (false, !in_example);
            continue;
        }
        if in_example || text.is_empty() || text.starts_with(['|', '#', '[']) {
            is_open = false;
            continue;
        }
        if is_code && !text.starts_with("- ") {
            continue;
        }
        let number = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let item = ["- ", "* "].iter().find_map(|mark| text.strip_prefix(mark));
        let item = item.or(number.strip_prefix(". ").filter(|_| number != text));
        match paragraphs
            .last_mut()
            .filter(|last| is_open && item.is_none() && last.is_doc == is_doc)
        {
            Some(last) => {
                last.text.push(' ');
                last.text.push_str(text);
            }
            None => {
                let text = item.unwrap_or(text).to_owned();
                paragraphs.push(Paragraph { line, is_doc, text });
            }
        }
        is_open = true;
    }
    paragraphs
}

/// The text of a line that is a comment, and whether it is documentation.
fn comment(line: &str) -> Option<(bool, &str)> {
    let rest = line.trim_start().strip_prefix("//")?;
    match rest.strip_prefix(['/', '!']) {
        Some(doc) => Some((true, doc)),
        None => Some((false, rest)),
    }
}

/// The sentences of a paragraph, with their last sign.
fn sentences(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut rest = text;
    loop {
        // A full stop inside of a word, as in `base.si4`, ends nothing, nor does one before a small letter.
        let end = rest.match_indices(['.', '?', '!']).find_map(|(at, _)| {
            let after = rest.get(at + 1..)?;
            let next = after.trim_start().chars().next()?;
            (after.starts_with(' ') && !next.is_lowercase()).then_some(at + 1)
        });
        let Some((sentence, after)) = end.and_then(|end| rest.split_at_checked(end)) else { break };
        sentences.push(sentence.trim());
        rest = after;
    }
    sentences.push(rest.trim());
    sentences.retain(|sentence| !sentence.is_empty());
    sentences
}

/// The phrases to decode in a sentence, and its first word if that makes a clause the subject.
fn riddles(sentence: &str) -> Vec<&'static str> {
    let words = words(sentence).join(" ").to_lowercase();
    let padded = format!(" {words} ");
    let mut found: Vec<&str> =
        RIDDLES.into_iter().filter(|riddle| padded.contains(&format!(" {riddle} "))).collect();
    let first = sentence.split(' ').next().unwrap_or_default();
    if !sentence.ends_with('?') {
        found.extend(CLAUSES.into_iter().filter(|clause| *clause == first));
    }
    found
}

/// The words of a sentence without code and signs.
fn words(sentence: &str) -> Vec<&str> {
    let prose = sentence.split('`').step_by(2);
    let words = prose.flat_map(|part| part.split(|c: char| !c.is_alphanumeric() && c != '-'));
    words.filter(|word| !word.is_empty()).collect()
}

/// The tests whose names are too short or begin without a subject.
fn tests(source: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut is_test = false;
    for (line, text) in (1..).zip(source.lines().map(str::trim_start)) {
        if text.starts_with("#[test]") {
            is_test = true;
        }
        let Some(rest) = text.strip_prefix("fn ").filter(|_| is_test) else { continue };
        is_test = false;
        let name = rest.split(['(', '<']).next().unwrap_or_default();
        let mut words = name.split('_');
        let first = words.next().unwrap_or_default();
        if words.count() + 1 < TEST_WORDS || NO_SUBJECT.contains(&first) {
            let message = format!("test `{name}` is not named subject_condition_result");
            findings.push(Finding { line, rule: Rule::Test, message });
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(source: &str) -> Vec<Rule> {
        findings(source).iter().map(|finding| finding.rule).collect()
    }

    #[test]
    fn findings_plain_text_is_empty() {
        let source = "//! Reads games.\n\n/// Returns `those of` the index of `base.si4`. Never fails.\n\
                      /// ```\n/// // What is this\n/// ```\nfn f() {}\n";
        assert!(rules(source).is_empty());
    }

    #[test]
    fn findings_long_sentence_is_found_in_doc_comments_only() {
        let long = "word ".repeat(MAX_WORDS + 1);
        assert_eq!(rules(&format!("/// {long}\n")), [Rule::Sentence]);
        assert_eq!(rules(&format!("// {long}\n")), []);
        let two = "word ".repeat(MAX_WORDS);
        assert_eq!(rules(&format!("/// {two}\n/// end. Next {two}\n")), [Rule::Sentence; 2]);
        assert_eq!(rules(&format!("/// - {two}\n/// - {two}\n")), []);
    }

    #[test]
    fn findings_riddle_across_lines_is_found_once() {
        assert_eq!(rules("    // The games, those\n    // of the index.\n"), [Rule::Phrase]);
    }

    #[test]
    fn findings_clause_as_subject_is_found_unless_a_question() {
        assert_eq!(rules("/// What is no base.\n"), [Rule::Phrase]);
        assert_eq!(rules("/// What is a base?\n"), []);
    }

    #[test]
    fn findings_test_names_need_three_words_and_a_subject() {
        let source = |name| format!("#[test]\n#[ignore]\nfn {name}() {{}}\n");
        assert_eq!(rules(&source("example")), [Rule::Test]);
        assert_eq!(rules(&source("what_is_ours_stays")), [Rule::Test]);
        assert_eq!(rules(&source("read_entry_truncated_is_error")), []);
    }

    #[test]
    fn crate_of_path_names_the_folder_with_the_manifest() {
        assert_eq!(crate_of("crates/scid/src/lib.rs"), "crates/scid");
        assert_eq!(crate_of("bindings/web/src/lib.rs"), "bindings/web");
        assert_eq!(crate_of("fuzz/src/scid.rs"), "fuzz");
        assert_eq!(crate_of("docs/formats/scid.md"), "docs/formats");
        assert_eq!(crate_of("docs/model.md"), "docs");
    }
}
