//! Mutates one place of a format's decoder at a time, and reports whether a fixture detects it.
//!
//! All mutants of a crate are in one build, each with a number. The conformance tests run once for
//! each mutant. A mutant with which they pass is printed.

mod explained;
mod find;
mod formats;
mod tree;

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Stdio};

use explained::Explained;
use formats::{FORMATS, Format};
use tree::Tree;

type Failure = Box<dyn Error>;

const USAGE: &str = "\
cargo xtask mutants [--sample N] [--left] FORMAT...
  --sample N   not all mutants but N, the same ones each time
  --left       only those that the run before left, after a case was added
";
/// The factor by which a mutant may increase the work of the decoder before it counts as an endless
/// loop.
const PATIENCE: u64 = 8;
/// Limits for a run: kilobytes of memory and seconds of processor time.
const LIMITS: &str = "ulimit -v 6000000 && ulimit -t 120 && exec \"$0\" \"$@\"";

struct Arguments {
    sample: Option<usize>,
    left: bool,
    formats: Vec<&'static Format>,
}

fn main() -> ExitCode {
    let Some(arguments) = arguments(std::env::args().skip(1)) else {
        eprint!("{USAGE}");
        return ExitCode::from(2);
    };
    for format in &arguments.formats {
        if let Err(failure) = measure(format, &arguments) {
            eprintln!("mutants: {}: {failure}", format.name);
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn arguments(mut words: impl Iterator<Item = String>) -> Option<Arguments> {
    let mut arguments = Arguments { sample: None, left: false, formats: Vec::new() };
    while let Some(word) = words.next() {
        match word.as_str() {
            "--sample" => arguments.sample = Some(words.next()?.parse().ok()?),
            "--left" => arguments.left = true,
            name => arguments.formats.push(FORMATS.iter().find(|format| format.name == name)?),
        }
    }
    (!arguments.formats.is_empty()).then_some(arguments)
}

fn measure(format: &'static Format, arguments: &Arguments) -> Result<(), Failure> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let folder = target.join("mutants");
    let explained = Explained::read(format.name)?;
    let mut tree = Tree::new(&root, &folder.join(format.name), format)?;
    let tests = Tests {
        program: tree.build(&folder.join("target"))?,
        folder: tree.folder.join("crates").join(format.folder()),
        names: format.tests,
    };
    let (seen, calls) = tests.without(&folder.join("seen"))?;
    let sound: Vec<usize> =
        (1..=tree.mutants.len()).filter(|number| tree.mutants[number - 1].compiles).collect();
    let mut chosen = sound.clone();
    let all = chosen.len();
    if let Some(count) = arguments.sample {
        sample(&mut chosen, count);
    }
    let measured = chosen.len();
    let left_path = folder.join(format!("{}.left", format.name));
    let names: Vec<String> = tree.mutants.iter().map(tree::Mutant::name).collect();
    if arguments.left {
        let left = fs::read_to_string(&left_path)?;
        let left: BTreeSet<&str> = left.lines().collect();
        let is_open = |name: &str| left.contains(name) || explained.has(name);
        chosen.retain(|number| is_open(&names[number - 1]));
    }

    let mut count = Count { measured, ..Count::default() };
    // For each name, whether all its tried mutants were detected.
    let mut noticed: BTreeMap<&str, bool> = BTreeMap::new();
    let mut left = String::new();
    for number in chosen {
        let (mutant, name) = (&tree.mutants[number - 1], &names[number - 1]);
        let is_seen = seen.contains(&number);
        let end = if is_seen { tests.with(number, calls)? } else { End::Survived };
        let is_noticed = end != End::Survived;
        noticed.entry(name).and_modify(|all| *all &= is_noticed).or_insert(is_noticed);
        count.endless += usize::from(end == End::Endless);
        if is_noticed {
            continue;
        }
        if explained.has(name) {
            count.explained += 1;
            continue;
        }
        count.left += 1;
        count.unseen += usize::from(!is_seen);
        println!("{mutant}{}", if is_seen { "" } else { " (not reached)" });
        left.push_str(&format!("{name}\n"));
    }
    fs::write(left_path, &left)?;
    count.print(format.name, all, tree.mutants.len() - all);
    let known: BTreeSet<&str> = sound.iter().map(|number| names[number - 1].as_str()).collect();
    let stale = explained.stale(&known, &noticed);
    if stale.is_empty() {
        Ok(())
    } else {
        Err(format!("explained in vain:\n{}", stale.join("\n")).into())
    }
}

#[derive(Default)]
struct Count {
    measured: usize,
    endless: usize,
    explained: usize,
    left: usize,
    unseen: usize,
}

impl Count {
    fn print(&self, name: &str, all: usize, unfit: usize) {
        let Count { measured, endless, explained, left, unseen } = self;
        let noticed = measured - explained - left;
        let share = 100.0 * noticed as f64 / (measured - explained).max(1) as f64;
        println!(
            "{name}: {measured} of {all} mutants: {noticed} noticed, {explained} explained, {left} left \
             ({share:.1} % of what is not explained); {unseen} of those left not reached; {endless} ran on; \
             {unfit} do not compile"
        );
    }
}

/// Selects `count` of the numbers with a generator that has a fixed seed.
fn sample(numbers: &mut Vec<usize>, count: usize) {
    let mut state = 1_u64;
    let mut chosen = Vec::new();
    while chosen.len() < count && !numbers.is_empty() {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let at = (state >> 33) as usize % numbers.len();
        chosen.push(numbers.swap_remove(at));
    }
    chosen.sort_unstable();
    *numbers = chosen;
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Killed,
    Endless,
    Survived,
}

/// The conformance tests of a mutated crate.
struct Tests {
    program: PathBuf,
    folder: PathBuf,
    names: &'static [&'static str],
}

impl Tests {
    fn run(&self, variables: &[(&str, &str)]) -> std::io::Result<ExitStatus> {
        let mut command = Command::new("sh");
        command.args(["-c", LIMITS]).arg(&self.program).args(self.names).arg("--test-threads=1");
        command.current_dir(&self.folder).env("INSTA_UPDATE", "no").env("RUST_BACKTRACE", "0");
        command.envs(variables.iter().copied()).stdout(Stdio::null()).stderr(Stdio::null()).status()
    }

    /// Returns the mutants that the tests reach, and the highest number of calls of the switch.
    fn without(&self, log: &Path) -> Result<(BTreeSet<usize>, u64), Failure> {
        if !self.run(&[("MUTANT_SEEN", &log.to_string_lossy())])?.success() {
            return Err("the tests fail without a mutant".into());
        }
        let log = fs::read_to_string(log)?;
        let seen = log.lines().filter_map(|line| line.parse().ok()).collect();
        let calls = log.lines().filter_map(|line| line.strip_prefix("calls ")?.parse().ok());
        Ok((seen, calls.max().unwrap_or(0_u64)))
    }

    fn with(&self, mutant: usize, calls: u64) -> Result<End, Failure> {
        let most = calls.saturating_mul(2 * PATIENCE).to_string();
        let status = self.run(&[("MUTANT", &mutant.to_string()), ("MUTANT_CALLS", &most)])?;
        // 24 is the signal that the system sends when the time is up.
        Ok(match (status.code(), status.signal()) {
            (Some(0), _) => End::Survived,
            (Some(77), _) | (_, Some(24)) => End::Endless,
            _ => End::Killed,
        })
    }
}
