//! The binary interface of the C library, as a list that shows each change.
//!
//! The list has the exported names, the functions and the values of the header, and the size of each
//! structure with the offsets of its fields, which a C compiler computes.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::Failure;
use crate::ci::run_command;

/// The prefix of exported names.
const PREFIX: &str = "scoresheet_";

/// Compares the list of the library in `installed` with the file `list`, or writes it.
pub(crate) fn check(installed: &Path, list: &Path, write: bool) -> Result<(), Failure> {
    let header = fs::read_to_string(installed.join("include/scoresheet/scoresheet.h"))?;
    let parsed = Header::parse(&header);
    let exported = exported(&installed.join("lib/libscoresheet.so.0"))?;
    let declared: BTreeSet<String> = parsed.functions.iter().map(|one| name_of(one)).collect();
    if exported != declared {
        let only = |left: &BTreeSet<String>, right: &BTreeSet<String>| -> Vec<String> {
            left.difference(right).cloned().collect()
        };
        let (hidden, extra) = (only(&declared, &exported), only(&exported, &declared));
        return Err(format!("declared only: {hidden:?}; exported only: {extra:?}").into());
    }
    let mut text = String::from(
        "# The binary interface on 64-bit Linux, written by `cargo xtask c --write`. A change of a line\n\
         # needs a new ABI_VERSION; a new line does not.\n\n",
    );
    let mut section = |name: &str, lines: &[String]| {
        text.push_str(&format!("[{name}]\n{}\n\n", lines.join("\n")));
    };
    section("values", &parsed.values);
    section("functions", &parsed.functions);
    section("layout", &layout(installed, &parsed)?);
    let text = format!("{}\n", text.trim_end());
    if write {
        return Ok(fs::write(list, text)?);
    }
    let before = fs::read_to_string(list)?;
    if before == text {
        return Ok(());
    }
    let (old, new): (BTreeSet<_>, BTreeSet<_>) = (before.lines().collect(), text.lines().collect());
    let gone: Vec<_> = old.difference(&new).map(|line| format!("- {line}")).collect();
    let come: Vec<_> = new.difference(&old).map(|line| format!("+ {line}")).collect();
    Err(format!(
        "the binary interface differs from {}:\n{}\n{}\nIf it is meant: raise ABI_VERSION where a line \
         is gone, then run cargo xtask c --write",
        list.display(),
        gone.join("\n"),
        come.join("\n")
    )
    .into())
}

/// Returns the names that the shared library exports.
fn exported(library: &Path) -> Result<BTreeSet<String>, Failure> {
    let output = Command::new("nm").args(["-D", "--defined-only"]).arg(library).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let text = String::from_utf8(output.stdout)?;
    let names = text.lines().filter_map(|line| line.split_whitespace().last());
    Ok(names.map(str::to_owned).collect())
}

/// The declarations of the header.
#[derive(Debug, Default)]
struct Header {
    /// Each function on one line.
    functions: Vec<String>,
    /// The values of enumerations and the numbers that `#define` sets.
    values: Vec<String>,
    /// The name and the fields of each structure.
    structures: Vec<(String, Vec<String>)>,
}

impl Header {
    /// Parses what cbindgen writes, one declaration after the other. It is no parser of C.
    fn parse(text: &str) -> Header {
        let mut header = Header::default();
        let mut fields: Option<Vec<String>> = None;
        let mut function = String::new();
        let text = without_comments(text);
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if line == "typedef struct {" {
                fields = Some(Vec::new());
            } else if let Some(name) = line.strip_prefix("} ").and_then(|l| l.strip_suffix(';')) {
                let fields = fields.take().unwrap_or_default();
                header.structures.push((name.to_owned(), fields));
            } else if let Some(fields) = &mut fields {
                let name = line.trim_end_matches(';').rsplit([' ', '*']).next();
                let name = name.unwrap_or_default().split('[').next().unwrap_or_default();
                fields.push(name.to_owned());
            } else if line.starts_with("SCORESHEET_") {
                header.values.push(line.trim_end_matches(',').to_owned());
            } else if let Some(value) = line.strip_prefix("#define SCORESHEET_") {
                if value.contains(' ') {
                    header.values.push(format!("SCORESHEET_{}", value.replacen(' ', " = ", 1)));
                }
            } else if line.starts_with("typedef") && line.contains("(*") {
                header.values.push(line.to_owned());
            } else if !function.is_empty() || line.contains(PREFIX) {
                function.push_str(line);
                function.push(' ');
                if line.ends_with(';') {
                    header.functions.push(function.trim_end().to_owned());
                    function.clear();
                }
            }
        }
        header.functions.sort();
        header
    }
}

/// Returns the name of a function from its declaration.
fn name_of(function: &str) -> String {
    let before = function.split('(').next().unwrap_or_default();
    before.rsplit([' ', '*']).next().unwrap_or_default().to_owned()
}

/// Removes comments. The header has no texts in quotes.
fn without_comments(text: &str) -> String {
    let mut left = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("/*") {
        left.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    left.push_str(rest);
    let lines = left.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the size of each structure and the offset of each field, as a C compiler sees them.
fn layout(installed: &Path, header: &Header) -> Result<Vec<String>, Failure> {
    let mut program = String::from(
        "#include <stddef.h>\n#include <stdio.h>\n#include <scoresheet/scoresheet.h>\nint main(void) {\n",
    );
    for (name, fields) in &header.structures {
        let line = format!("    printf(\"{name} %zu\\n\", sizeof({name}));\n");
        program.push_str(&line);
        for field in fields {
            let line = format!(
                "    printf(\"{name}.{field} %zu %zu\\n\", offsetof({name}, {field}), \
                 sizeof((({name} *)0)->{field}));\n"
            );
            program.push_str(&line);
        }
    }
    program.push_str("    return 0;\n}\n");
    let (source, built) = (installed.join("layout.c"), installed.join("layout"));
    fs::write(&source, program)?;
    let mut compile = Command::new("cc");
    compile.args(["-std=c99", "-I"]).arg(installed.join("include"));
    run_command(compile.arg(&source).arg("-o").arg(&built))?;
    let output = Command::new(&built).output()?;
    Ok(String::from_utf8(output.stdout)?.lines().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn header_parse_finds_each_declaration() {
        let header = Header::parse(
            "/* scoresheet_old(void); */\n#define SCORESHEET_H\n#define SCORESHEET_ABI_VERSION 1\n\
             enum E {\n    // A value.\n    SCORESHEET_E_ONE = 1,\n};\n\
             typedef struct ScoresheetBase ScoresheetBase;\n\
             typedef struct {\n    // The first byte.\n    const char *data;\n    uint8_t rest[3];\n} ScoresheetText;\n\
             typedef int (*ScoresheetProgress)(void *context);\n\
             const char *scoresheet_version(void);\n\
             int32_t scoresheet_open(const char *path,\n                        int *out);\n",
        );
        assert_eq!(
            header.values,
            [
                "SCORESHEET_ABI_VERSION = 1",
                "SCORESHEET_E_ONE = 1",
                "typedef int (*ScoresheetProgress)(void *context);",
            ]
        );
        assert_eq!(
            header.functions,
            [
                "const char *scoresheet_version(void);",
                "int32_t scoresheet_open(const char *path, int *out);"
            ]
        );
        assert_eq!(name_of(&header.functions[0]), "scoresheet_version");
        let fields = vec!["data".to_owned(), "rest".to_owned()];
        assert_eq!(header.structures, [("ScoresheetText".to_owned(), fields)]);
    }
}
