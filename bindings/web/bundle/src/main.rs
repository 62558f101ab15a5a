//! Converts a compiled library to a module that browsers load: `bundle LIBRARY.wasm FOLDER`.

use std::path::Path;
use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [library, folder] = arguments.as_slice() else {
        eprintln!("bundle LIBRARY.wasm FOLDER");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    let made = bindgen.input_path(library).out_name("scoresheet").typescript(true);
    // Function names would be a third of the module.
    let made = made.remove_name_section(true);
    let made = made.web(true).and_then(|made| made.generate(Path::new(folder)));
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{library}: {error:#}");
            ExitCode::FAILURE
        }
    }
}
