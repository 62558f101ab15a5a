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

/// One page: the program, then each command.
pub(crate) fn page() -> Result<Done, Failure> {
    let mut command = Arguments::command();
    command.build();
    let mut roff = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut roff)?;
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        let page = clap_mangen::Man::new(sub.clone());
        let name = format!(".SH \"scoresheet {}\"\n", sub.get_name());
        roff.extend_from_slice(name.as_bytes());
        page.render_description_section(&mut roff)?;
        page.render_synopsis_section(&mut roff)?;
        page.render_options_section(&mut roff)?;
        if sub.has_subcommands() {
            page.render_subcommands_section(&mut roff)?;
        }
        page.render_extra_section(&mut roff)?;
    }
    io::stdout().write_all(&roff)?;
    Ok(Done::WELL)
}
