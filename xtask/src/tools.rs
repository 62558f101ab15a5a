//! Tools that a check needs and a machine may lack.
//!
//! A check whose tool is missing fails. `SCORESHEET_OPTIONAL` names the tools that may be missing, with
//! spaces or commas between the names. A check that needs an optional tool prints why it is skipped.

use crate::Failure;

/// The environment variable that lists optional tools.
const OPTIONAL: &str = "SCORESHEET_OPTIONAL";

/// Reports that `check` cannot run because `tool` is missing, for the reason `why`.
///
/// Returns an error unless `SCORESHEET_OPTIONAL` lists `tool`.
pub(crate) fn missing(tool: &str, check: &str, why: &str) -> Result<(), Failure> {
    if is_listed(&std::env::var(OPTIONAL).unwrap_or_default(), tool) {
        eprintln!("{check}: skipped: {why}");
        return Ok(());
    }
    Err(format!("{check}: {why}; to skip this check, add {tool} to {OPTIONAL}").into())
}

/// Returns whether `list` names `tool`.
fn is_listed(list: &str, tool: &str) -> bool {
    list.split([' ', ',']).any(|name| name == tool)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_listed_needs_whole_name() {
        assert!(is_listed("rust-1.89, java", "java"));
        assert!(is_listed("rust-1.89 java", "rust-1.89"));
        assert!(!is_listed("rust-1.89", "rust-1.8"));
        assert!(!is_listed("", "java"));
    }

    #[test]
    fn missing_unlisted_tool_is_error() {
        let failure = missing("no-such-tool", "spelling", "no-such-tool is not installed");
        assert_eq!(
            failure.unwrap_err().to_string(),
            "spelling: no-such-tool is not installed; to skip this check, add no-such-tool to \
             SCORESHEET_OPTIONAL"
        );
    }
}
