//! Prints the long options of a command.
//!
//! ```console
//! $ cargo run --example options_of_command undo
//! --force
//! --wait
//! ```

use clap::CommandFactory as _;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let name = std::env::args().nth(1).ok_or("usage: options_of_command COMMAND")?;
    let program = commands::Arguments::command();
    let command = program.find_subcommand(&name).ok_or("no command has this name")?;
    for option in command.get_arguments().filter_map(clap::Arg::get_long) {
        println!("--{option}");
    }
    Ok(())
}
