//! Errors in the command line, with a suggestion of what may be meant.

use std::ffi::OsString;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, Error, Parser};

use pages::clean::clean;
use pages::say;

use crate::Arguments;

/// Names that other programs have for a command, with the command here.
const COMMANDS: [(&[&str], &str); 25] = [
    (&["open", "view", "browse", "cat", "ls", "games"], "scoresheet list FILE"),
    (&["read", "print", "display", "game"], "scoresheet show FILE NUMBER"),
    (
        &["search", "find", "filter", "query", "grep", "select", "lookup"],
        "scoresheet list FILE --player NAME",
    ),
    (
        &["export", "import", "save", "write", "extract", "copy", "translate"],
        "scoresheet convert IN OUT",
    ),
    (&["merge", "join", "concat", "combine"], "scoresheet convert IN IN OUT"),
    (&["append", "add", "update"], "scoresheet edit BASE append FILE"),
    (&["diff", "same"], "scoresheet compare BASE FILE"),
    (&["mate", "mates", "checkmate"], "scoresheet list FILE --ends mate"),
    (&["epd", "fen", "positions"], "scoresheet convert FILE positions.epd --at ply=20"),
    (&["sort", "order"], "scoresheet convert IN OUT --sort date"),
    (&["split"], "scoresheet convert IN OUT --split year"),
    (&["count"], "scoresheet list FILE --count"),
    (&["rename"], "scoresheet edit FILE rename 'OLD NAME' 'NEW NAME'"),
    (&["set", "tag"], "scoresheet edit FILE set 'White=NEW NAME' --white 'OLD NAME'"),
    (&["delete", "remove", "undelete"], "scoresheet edit FILE delete NUMBERS"),
    (&["compact", "flag", "replace"], "scoresheet edit FILE --help"),
    (&["describe", "file"], "scoresheet info FILE"),
    (&["statistics", "summary", "counts"], "scoresheet stats FILE"),
    (&["profile", "results"], "scoresheet player NAME FILE"),
    (&["standings", "tournament", "table", "cross-table", "xtable"], "scoresheet crosstable FILE"),
    (&["openings", "opening", "explore", "explorer", "moves"], "scoresheet tree FILE"),
    (&["validate", "verify", "test", "lint"], "scoresheet check FILE"),
    (&["fix", "recover", "rescue", "mend"], "scoresheet repair IN OUT"),
    (&["duplicates", "dups", "dup", "unique", "twins"], "scoresheet dedupe IN OUT"),
    (&["gui", "web", "play", "analyse", "analyze"], "scoresheet --help"),
];

/// Names that other programs have for an edit of a base.
const CHANGES: [(&[&str], &str); 5] = [
    (&["tag", "header"], "scoresheet edit FILE set 'White=NEW NAME' --white 'OLD NAME'"),
    (&["remove", "rm", "drop"], "scoresheet edit FILE delete NUMBERS"),
    (&["restore", "recover"], "scoresheet edit FILE undelete NUMBERS"),
    (&["add", "insert", "merge", "import"], "scoresheet edit FILE append OTHER"),
    (&["unique", "duplicates", "doubles"], "scoresheet edit FILE dedupe"),
];

/// Names that other programs have for an option, with the option here and its value.
const OPTIONS: [(&[&str], &str, &str); 25] = [
    (&["year", "years", "from-date", "since", "until", "before", "after"], "date", "1990..1995"),
    (&["name", "names"], "player", "NAME"),
    (&["tournament", "tourney"], "event", "TEXT"),
    (&["rating", "ratings", "min-elo", "elo-min", "minelo"], "elo", "2500.."),
    (&["openings"], "opening", "najdorf"),
    (&["code", "codes"], "eco", "B90..B99"),
    (&["fen", "board"], "position", "FEN"),
    (&["line", "starts-with"], "moves", "'1. e4 c5'"),
    (&["tag", "header", "regex"], "where", "TAG=REGEX"),
    (&["annotator", "commentator"], "where", "Annotator=NAME"),
    (&["title", "titles"], "where", "WhiteTitle=GM"),
    (&["fed", "federation", "country", "team"], "where", "WhiteTeam=TEXT"),
    (&["n"], "limit", "N"),
    (&["opponent", "versus", "vs"], "against", "NAME"),
    (&["lost", "won", "drew", "loser", "winner"], "outcome", "lost"),
    (&["endgame", "pieces"], "material", "KRP-KR"),
    (&["structure", "squares", "pawns"], "pattern", "'Pd4 pd5'"),
    (&["speed", "time-control"], "time-class", "blitz"),
    (&["game", "number", "numbers", "ids"], "games", "1-100"),
    (&["plies", "movecount", "length-moves"], "length", "20..40"),
    (&["format", "output-format", "type"], "to", "FORMAT"),
    (&["input-format"], "from", "FORMAT"),
    (&["out", "output-file"], "output", "OUT"),
    (&["max", "max-games", "head", "top", "first"], "limit", "N"),
    (&["order", "sort-by", "order-by"], "sort", "date"),
];

/// Options that are a command or a setting here.
const OTHERS: [(&[&str], &str); 4] = [
    (&["check", "validate", "verify"], "use `scoresheet check FILE`"),
    (
        &["colour", "color"],
        "use `--white NAME` or `--black NAME`; NO_COLOR=1 turns the colours off",
    ),
    (&["o"], "`scoresheet convert IN OUT` writes games; `> FILE` writes what is printed here"),
    (&["mate", "checkmate"], "use `--ends mate`"),
];

/// Prints the error of these arguments, or the requested help. Returns the exit code.
#[must_use]
pub fn code(error: Error, arguments: &[OsString]) -> u8 {
    let words: Vec<String> =
        arguments.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let first = words.iter().find(|word| !word.starts_with('-'));
    if let (ErrorKind::InvalidSubcommand, Some(name)) = (error.kind(), first)
        && Path::new(name).exists()
    {
        say(format_args!("scoresheet: {name} is a file; say what to do with it:"));
        say(format_args!("  scoresheet info {name}"));
        say(format_args!("  scoresheet list {name}"));
        say("  scoresheet --help");
        return 2;
    }
    let mut error = harmless(error, arguments);
    // The option is meant as one: advice about how to pass it as a value leads nowhere.
    if error.kind() == ErrorKind::UnknownArgument
        && error
            .get(ContextKind::Suggested)
            .is_some_and(|tip| tip.to_string().contains(" as a value"))
    {
        error.remove(ContextKind::Suggested);
    }
    if let Some(tip) = tip(&error, &words) {
        for kind in [
            ContextKind::SuggestedArg,
            ContextKind::SuggestedSubcommand,
            ContextKind::TrailingArg,
            ContextKind::Suggested,
        ] {
            error.remove(kind);
        }
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    // If the stream is closed, nobody reads the text.
    let _ = error.print();
    u8::try_from(error.exit_code()).unwrap_or(2)
}

/// Returns the same error for arguments without terminal commands, because the message repeats the
/// arguments.
fn harmless(error: Error, words: &[OsString]) -> Error {
    // The lines of a query stay, so that the message names the right one.
    let cleaned = |word: &OsString| {
        let word = word.to_string_lossy();
        OsString::from(word.split('\n').map(clean).collect::<Vec<_>>().join("\n"))
    };
    let clean: Vec<OsString> = words.iter().map(cleaned).collect();
    if clean == words {
        return error;
    }
    match Arguments::try_parse_from(clean) {
        Err(error) => error,
        // The arguments are valid without their terminal commands.
        Ok(_) => Arguments::command()
            .error(error.kind(), "an argument has control characters, which cannot be understood"),
    }
}

/// Returns a suggestion for an unknown word.
fn tip(error: &Error, words: &[String]) -> Option<String> {
    let word = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.trim_start_matches('-').to_lowercase()),
        _ => None,
    };
    let command = Arguments::command();
    let used = words.iter().find_map(|word| command.find_subcommand(word));
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let table: &[_] = if used.is_some() { &CHANGES } else { &COMMANDS };
            example(table, &word(ContextKind::InvalidSubcommand)?)
        }
        // The parser takes a word that resembles no edit for an argument.
        ErrorKind::UnknownArgument => {
            let (word, used) = (word(ContextKind::InvalidArg)?, used?);
            if let Some((_, tip)) = OTHERS.iter().find(|(words, _)| words.contains(&&*word)) {
                return Some((*tip).to_owned());
            }
            if word == "unique" && words.iter().any(|own| own == "append") {
                return Some(format!("append, and then `{}`", "scoresheet edit FILE dedupe"));
            }
            if used.has_subcommands()
                && !words.iter().any(|own| own.starts_with(&format!("--{word}")))
            {
                return example(&CHANGES, &word);
            }
            let word = word.split('=').next().unwrap_or_default();
            let known = OPTIONS.iter().find(|(words, _, _)| words.contains(&word));
            match known.filter(|(_, option, _)| has_option(used, option)) {
                Some((_, option, value)) => Some(format!("use `--{option} {value}`")),
                None => elsewhere(&command, word),
            }
        }
        _ => None,
    }
}

fn example(table: &[(&[&str], &str)], word: &str) -> Option<String> {
    let (_, example) = table.iter().find(|(words, _)| words.contains(&word))?;
    Some(format!("use `{example}`"))
}

/// Names the commands that have the option, because the one used does not.
fn elsewhere(command: &Command, option: &str) -> Option<String> {
    let with = command.get_subcommands().filter(|sub| has_option(sub, option));
    let names: Vec<String> = with.map(|sub| format!("`scoresheet {}`", sub.get_name())).collect();
    (!names.is_empty()).then(|| format!("`--{option}` is an option of {}", names.join(", ")))
}

fn has_option(command: &Command, name: &str) -> bool {
    let here = command.get_arguments().any(|argument| argument.get_long() == Some(name));
    here || command.get_subcommands().any(|sub| has_option(sub, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tip_for(line: &str) -> Option<String> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let error = Arguments::try_parse_from(["scoresheet"].into_iter().chain(line.split(' ')));
        tip(&error.unwrap_err(), &words)
    }

    #[test]
    fn tips_for_words_of_newcomers() {
        for (line, option) in [
            ("open a.pgn", "`scoresheet list FILE`"),
            ("search a.pgn", "--player"),
            ("find a.pgn", "--player"),
            ("Export a.pgn", "scoresheet convert"),
            ("rename a.pgn", "edit FILE rename"),
            ("edit a.si4 add x", "append"),
            ("list a.pgn --from pgn", "`--from` is an option of `scoresheet convert`, `scoresheet"),
            ("list a.pgn --split eco", "`--split` is an option of `scoresheet convert`"),
            ("append a.si4 b.pgn", "`scoresheet edit BASE append FILE`"),
            ("diff a.pgn b.pgn", "`scoresheet compare BASE FILE`"),
            ("mate a.pgn", "--ends mate"),
            ("epd a.pgn", "--at ply=20"),
            ("list a.pgn --annotator x", "`--where Annotator=NAME`"),
            ("list a.pgn --title GM", "`--where WhiteTitle=GM`"),
            ("list a.pgn --fed NED", "`--where WhiteTeam=TEXT`"),
            ("list a.pgn -o b.pgn", "`scoresheet convert IN OUT`"),
            ("list a.pgn -n 5", "`--limit N`"),
            ("list a.pgn --check", "`scoresheet check FILE`"),
            ("list a.pgn --color white", "`--white NAME`"),
            ("list a.pgn --year 1990", "`--date 1990..1995`"),
            ("list a.pgn --year=1990", "`--date 1990..1995`"),
            ("convert a.pgn b.pgn --format si4", "`--to FORMAT`"),
        ] {
            let tip = tip_for(line).unwrap_or_default();
            assert!(tip.contains(option), "{line}: {tip}");
        }
        for line in ["formats --year", "nonsense", "list a.pgn --nonsense"] {
            assert_eq!(tip_for(line), None, "{line}");
        }
    }

    /// Checks that every option in a tip exists, and that every example begins with a command.
    #[test]
    fn tips_name_what_exists() {
        let command = Arguments::command();
        for (_, option, _) in OPTIONS {
            assert!(has_option(&command, option), "--{option}");
        }
        for (_, example) in COMMANDS.iter().chain(&CHANGES) {
            let word = example.split(' ').nth(1).unwrap();
            let known = word == "--help" || command.find_subcommand(word).is_some();
            assert!(known, "{example}");
        }
    }
}
