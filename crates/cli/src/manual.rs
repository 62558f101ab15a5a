//! `scoresheet completions` and `scoresheet man`

use std::io::{self, Write};

use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Arguments;
use crate::exit::{Done, Failure};

pub(crate) fn completions(shell: Shell) -> Result<Done, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "scoresheet", &mut script);
    io::stdout().write_all(&script)?;
    Ok(Done::WELL)
}

/// One page: the program, then each command. It refers to no page that does not exist.
pub(crate) fn page() -> Result<Done, Failure> {
    let mut command = Arguments::command();
    command.build();
    let mut roff = Vec::new();
    let main = clap_mangen::Man::new(command.clone());
    main.render_title(&mut roff)?;
    main.render_name_section(&mut roff)?;
    main.render_synopsis_section(&mut roff)?;
    main.render_description_section(&mut roff)?;
    main.render_options_section(&mut roff)?;
    roff.extend_from_slice(b".SH COMMANDS\n");
    let commands = || command.get_subcommands().filter(|sub| sub.get_name() != "help");
    for sub in commands() {
        let about = sub.get_about().map(ToString::to_string).unwrap_or_default();
        let name = sub.get_name();
        roff.extend_from_slice(format!(".TP\n\\fB{name}\\fR\n{about}\n").as_bytes());
    }
    main.render_extra_section(&mut roff)?;
    for sub in commands() {
        section(sub, &format!("scoresheet {}", sub.get_name()), &mut roff)?;
        for change in sub.get_subcommands().filter(|change| change.get_name() != "help") {
            let name = format!("scoresheet {} {}", sub.get_name(), change.get_name());
            section(change, &name, &mut roff)?;
        }
    }
    main.render_version_section(&mut roff)?;
    io::stdout().write_all(&roff)?;
    Ok(Done::WELL)
}

fn section(command: &clap::Command, name: &str, roff: &mut Vec<u8>) -> io::Result<()> {
    let page = clap_mangen::Man::new(command.clone());
    roff.extend_from_slice(format!(".SH \"{name}\"\n").as_bytes());
    page.render_description_section(&mut *roff)?;
    page.render_synopsis_section(&mut *roff)?;
    page.render_options_section(&mut *roff)?;
    page.render_extra_section(&mut *roff)
}
