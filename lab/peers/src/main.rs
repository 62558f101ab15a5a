//! Compares our speed with the speed of other programs; see README.md.

mod commented;
mod decode;
mod pgn_text;
mod scid_program;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let passes = arguments.get(2).and_then(|passes| passes.parse().ok()).unwrap_or(7);
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["decode", base, ..] => decode::run(base, passes),
        ["pgn", file, ..] => pgn_text::run(file, passes),
        ["export", base, ..] => scid_program::export(base, passes),
        ["commented", file, out] => commented::write(file, out),
        ["import", file, ..] => scid_program::import(file, passes),
        _ => {
            eprint!("{}", include_str!("../README.md"));
            std::process::exit(2);
        }
    }
}
