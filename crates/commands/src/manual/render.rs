//! The script of completions, and the manual page.

use std::io::{self, Write};

use clap::{Arg, Command, CommandFactory};
use clap_complete::shells;
use clap_mangen::Man;

use super::Shell;
use crate::Arguments;
use crate::selection::CHOOSING;

/// Writes the completions of a shell.
///
/// # Errors
/// I/O errors.
pub fn completions(shell: Shell, out: &mut dyn Write) -> io::Result<()> {
    let mut script = Vec::new();
    let shell = match shell {
        Shell::Bash => shells::Shell::Bash,
        Shell::Elvish => shells::Shell::Elvish,
        Shell::Fish => shells::Shell::Fish,
        Shell::Powershell => shells::Shell::PowerShell,
        Shell::Zsh => shells::Shell::Zsh,
    };
    clap_complete::generate(shell, &mut Arguments::command(), "scoresheet", &mut script);
    out.write_all(&script)
}

/// Options that several commands share: their heading in the help, the title of their section in
/// the manual, and its introduction.
struct Shared {
    heading: &'static str,
    title: &'static str,
    about: &'static str,
}

const SHARED: [Shared; 3] = [
    Shared {
        heading: CHOOSING,
        title: "OPTIONS THAT CHOOSE GAMES",
        about: "A game must satisfy every option given. An option that is repeated is satisfied by \
                any of its values: --player tal --player petrosian finds the games of either. \
                --white tal --white petrosian --black tal --black petrosian finds the games of the \
                two against each other. Ranges are a..b, a-b, a.., ..b, a+, and lists of ranges \
                with commas.",
    },
    Shared {
        heading: "Reading",
        title: "OPTIONS FOR READING",
        about: "These say how the files of the inputs are read.",
    },
    Shared {
        heading: "Writing",
        title: "OPTIONS FOR WRITING",
        about: "These say how the output is written.",
    },
];

/// Prints one page: the program, each command, and the options that commands share. It refers to no
/// page that does not exist.
///
/// # Errors
/// I/O errors.
pub fn page(out: &mut dyn Write) -> io::Result<()> {
    let mut command = Arguments::command();
    command.build();
    let mut roff = Vec::new();
    let main = Man::new(command.clone());
    main.render_title(&mut roff)?;
    main.render_name_section(&mut roff)?;
    main.render_synopsis_section(&mut roff)?;
    main.render_description_section(&mut roff)?;
    main.render_options_section(&mut roff)?;
    heading("COMMANDS", &mut roff)?;
    let commands = || command.get_subcommands().filter(|sub| sub.get_name() != "help");
    for sub in commands() {
        let about = sub.get_about().map(ToString::to_string).unwrap_or_default();
        let name = sub.get_name();
        roff.extend_from_slice(format!(".TP\n\\fB{name}\\fR\n{about}\n").as_bytes());
    }
    heading("NOTES", &mut roff)?;
    part(|part| main.render_extra_section(part), &mut roff)?;
    for sub in commands() {
        section(sub, &format!("scoresheet {}", sub.get_name()), &mut roff)?;
        for change in sub.get_subcommands().filter(|change| change.get_name() != "help") {
            let name = format!("scoresheet {} {}", sub.get_name(), change.get_name());
            section(change, &name, &mut roff)?;
        }
    }
    for shared in &SHARED {
        heading(shared.title, &mut roff)?;
        writeln!(roff, "{}", shared.about.replace('-', "\\-"))?;
        let convert = command.find_subcommand("convert").cloned().unwrap_or_default();
        let only = convert.mut_args(|argument| {
            let is_other = argument.get_help_heading() != Some(shared.heading);
            argument.hide(is_other)
        });
        part(|part| Man::new(only).render_options_section(part), &mut roff)?;
    }
    main.render_version_section(&mut roff)?;
    out.write_all(&roff)
}

/// Writes the section of a command, with the options that it does not share.
fn section(command: &Command, name: &str, roff: &mut Vec<u8>) -> io::Result<()> {
    let has = |heading| command.get_arguments().any(|arg| arg.get_help_heading() == Some(heading));
    let also: Vec<&str> = SHARED.iter().filter(|s| has(s.heading)).map(|s| s.title).collect();
    let own = command.clone().mut_args(|argument| {
        let is_shared = is_shared(&argument);
        argument.hide(is_shared)
    });
    let has_own = own.get_arguments().any(|argument| !argument.is_hide_set());
    let page = Man::new(own);
    heading(name, roff)?;
    part(|part| page.render_description_section(part), roff)?;
    roff.extend_from_slice(b".PP\n");
    part(|part| page.render_synopsis_section(part), roff)?;
    if has_own {
        part(|part| page.render_options_section(part), roff)?;
    }
    if !also.is_empty() {
        writeln!(roff, ".PP\nSee also {}.", also.join(", "))?;
    }
    if command.get_after_help().is_some() {
        roff.extend_from_slice(b".PP\n");
        part(|part| page.render_extra_section(part), roff)?;
    }
    Ok(())
}

/// Returns whether the manual describes an option elsewhere: at its beginning, or among the shared
/// options.
fn is_shared(argument: &Arg) -> bool {
    const GLOBAL: [&str; 5] = ["quiet", "verbose", "fail_on", "help", "version"];
    let heading = argument.get_help_heading();
    GLOBAL.contains(&argument.get_id().as_str())
        || SHARED.iter().any(|shared| heading == Some(shared.heading))
}

fn heading(title: &str, roff: &mut Vec<u8>) -> io::Result<()> {
    let quote = if title.contains(' ') { "\"" } else { "" };
    writeln!(roff, ".SH {quote}{title}{quote}")
}

/// Writes the output of `render` without its headings and definitions.
fn part(render: impl FnOnce(&mut Vec<u8>) -> io::Result<()>, roff: &mut Vec<u8>) -> io::Result<()> {
    let mut made = Vec::new();
    render(&mut made)?;
    for line in made.split_inclusive(|byte| *byte == b'\n') {
        if ![&b".SH"[..], b".ie ", b".el "].iter().any(|start| line.starts_with(start)) {
            roff.extend_from_slice(line);
        }
    }
    Ok(())
}
