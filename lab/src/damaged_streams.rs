//! Compares the program with compression tools on damaged files. Files that `gzip -t`, `bzip2 -t`,
//! `xz -t`, `zstd -t` or `unzip -t` refuses must be refused by the program too, on any number of
//! threads.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use testkit::Random;

use crate::Failure;
use crate::command::run_command;

const USAGE: &str = "damaged-streams [--runs N] [--program PATH]";

/// The number of files for each kind of damage and each compression format.
const RUNS: usize = 50;

/// Numbers of threads with which a damaged file is read.
const THREADS: [&str; 3] = ["1", "2", "8"];

/// A compression tool, which also tests files.
struct Packing {
    name: &'static str,
    /// The name of a compressed file.
    file: &'static str,
    tool: &'static str,
    pack: &'static [&'static str],
    test: &'static [&'static str],
    /// Exit codes of the test that accept a file.
    accepts: &'static [i32],
}

const PACKINGS: [Packing; 5] = [
    Packing {
        name: "gzip",
        file: "games.pgn.gz",
        tool: "gzip",
        pack: &["-c"],
        test: &["-t"],
        // 2 is a warning: trailing garbage ignored.
        accepts: &[0, 2],
    },
    Packing {
        name: "bzip2",
        file: "games.pgn.bz2",
        tool: "bzip2",
        pack: &["-c"],
        test: &["-t"],
        accepts: &[0],
    },
    Packing {
        name: "xz",
        file: "games.pgn.xz",
        tool: "xz",
        pack: &["-c"],
        test: &["-t"],
        accepts: &[0],
    },
    Packing {
        name: "zstd",
        file: "games.pgn.zst",
        tool: "zstd",
        pack: &["-q", "-c"],
        test: &["-q", "-t"],
        accepts: &[0],
    },
    Packing {
        name: "zip",
        file: "games.zip",
        tool: "unzip",
        pack: &[],
        test: &["-tqq"],
        // 1 is a warning: extra bytes.
        accepts: &[0, 1],
    },
];

/// The kinds of damage, with descriptions.
const KINDS: [&str; 20] = [
    "cut anywhere",
    "cut near the end",
    "cut in the header",
    "bit flipped anywhere",
    "bit flipped in the header",
    "bit flipped in the trailer",
    "byte replaced",
    "wrong checksum",
    "wrong length",
    "trailer missing",
    "stretch lost",
    "stretch of zeros",
    "stretch of noise",
    "stretch doubled",
    "spliced with another file",
    "whole and a part of another",
    "noise behind",
    "zeros behind",
    "skippable frame",
    "reserved bits of the header",
];

pub(crate) fn run(words: &[&str]) -> Result<(), Failure> {
    let (mut runs, mut program) = (RUNS, None);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let value = words.next().ok_or(USAGE)?;
        match *word {
            "--runs" => runs = value.parse().map_err(|_| USAGE)?,
            "--program" => program = Some(PathBuf::from(value)),
            _ => return Err(USAGE.into()),
        }
    }
    let program = match program {
        Some(program) if program.is_file() => program,
        Some(program) => return Err(format!("{}: there is no such file", program.display()).into()),
        None => {
            let build = ["build", "--release", "-p", "scoresheet-cli"];
            run_command(Command::new(env!("CARGO")).args(build))?;
            testkit::workspace_root().join("target/release/scoresheet")
        }
    };
    let folder = tempfile::tempdir()?;
    let mut wrong = 0;
    for packing in &PACKINGS {
        if !is_there(packing.tool) || packing.name == "zip" && !is_there("zip") {
            return Err(format!("the tools of {} are not installed", packing.name).into());
        }
        wrong += sweep(packing, &program, runs, folder.path())?;
    }
    if wrong > 0 {
        return Err(format!("{wrong} damaged files were read as sound").into());
    }
    Ok(())
}

fn is_there(tool: &str) -> bool {
    Command::new(tool).arg("--help").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// Damages files of one compression format in every way. Returns how many damaged files the program
/// accepted.
fn sweep(packing: &Packing, program: &Path, runs: usize, folder: &Path) -> Result<usize, Failure> {
    let whole = pack(packing, 1, folder)?;
    let other = pack(packing, 2, folder)?;
    let path = folder.join(packing.file);
    let (mut refused, mut wrong, mut stricter) = (0, 0, 0);
    for (kind, name) in KINDS.iter().enumerate() {
        for run in 0..runs {
            let mut random = Random::new((kind * 1000 + run) as u64);
            let bad = damage(kind, packing, &whole, &other, &mut random);
            fs::write(&path, &bad)?;
            let verdict = Command::new(packing.tool)
                .args(packing.test)
                .arg(&path)
                .stdin(Stdio::null())
                .output()?;
            let accepted =
                verdict.status.code().is_some_and(|code| packing.accepts.contains(&code));
            let ours = read(program, &path, folder, run)?;
            let said = || format!("{}, {name}, run {run}", packing.name);
            if accepted {
                if ours.iter().any(|sound| !sound) {
                    stricter += 1;
                    println!("{}: refused here only", said());
                }
                continue;
            }
            refused += 1;
            if ours.iter().any(|sound| *sound) {
                wrong += 1;
                let kept = folder
                    .parent()
                    .unwrap_or(folder)
                    .join(format!("sound-{wrong}-{}", packing.file));
                fs::write(&kept, &bad)?;
                println!("{}: READ AS SOUND, {ours:?}, {}", said(), kept.display());
            }
        }
    }
    println!(
        "{}: {} damaged files, {refused} refused by {}, {wrong} of them read as sound; \
         {stricter} more refused here",
        packing.name,
        runs * KINDS.len(),
        packing.tool,
    );
    Ok(wrong)
}

/// Returns whether the program accepts a file, with each number of threads and with a further
/// command.
fn read(program: &Path, path: &Path, folder: &Path, run: usize) -> Result<Vec<bool>, Failure> {
    let output = folder.join("out.pgn");
    let is_sound = |command: &mut Command| -> Result<bool, Failure> {
        let null = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Ok(null.status()?.success())
    };
    let mut sound = Vec::new();
    for threads in THREADS {
        let mut convert = Command::new(program);
        convert
            .args(["convert", "--quiet", "--force", "--threads", threads])
            .arg(path)
            .arg(&output);
        sound.push(is_sound(&mut convert)?);
    }
    let words: &[&str] = match run % 4 {
        0 => &["check", "--quiet"],
        1 => &["list", "--count"],
        2 => &["info"],
        _ => &["tree"],
    };
    sound.push(is_sound(Command::new(program).args(words).arg(path))?);
    Ok(sound)
}

/// Returns some hundred KiB of games, which differ by `seed`.
fn text(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = String::new();
    for game in 0..1500 {
        let (white, black, comment) =
            (random.below(100_000), random.below(100_000), random.below(1_000_000_000));
        text.push_str(&format!(
            "[Event \"{game}\"]\n[White \"W{white}\"]\n[Black \"B{black}\"]\n[Result \"1-0\"]\n\n\
             1. e4 {{{comment}}} e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n\n"
        ));
    }
    text
}

fn pack(packing: &Packing, seed: u64, folder: &Path) -> Result<Vec<u8>, Failure> {
    let (text_path, readme) = (folder.join("games.pgn"), folder.join("readme.txt"));
    fs::write(&text_path, text(seed))?;
    if packing.name == "zip" {
        fs::write(&readme, "Have fun with these games.")?;
        let packed = folder.join("packed.zip");
        let _ = fs::remove_file(&packed);
        let mut zip = Command::new("zip");
        run_command(zip.arg("-qj").arg(&packed).arg(&text_path).arg(&readme))?;
        return Ok(fs::read(packed)?);
    }
    let done = Command::new(packing.tool).args(packing.pack).arg(&text_path).output()?;
    if !done.status.success() {
        return Err(format!("{} does not pack", packing.tool).into());
    }
    Ok(done.stdout)
}

/// One kind of damage.
fn damage(
    kind: usize,
    packing: &Packing,
    whole: &[u8],
    other: &[u8],
    random: &mut Random,
) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    let length = bytes.len();
    let flip = |bytes: &mut Vec<u8>, random: &mut Random, from: usize, to: usize| {
        let at = from + random.below(to.min(length) - from);
        bytes[at] ^= 1 << random.below(8);
    };
    match kind {
        3 => flip(&mut bytes, random, 0, length),
        4 => flip(&mut bytes, random, 0, 24),
        5 => flip(&mut bytes, random, length - 24, length),
        7 => match packing.name {
            "gzip" => flip(&mut bytes, random, length - 8, length - 4),
            "bzip2" => flip(&mut bytes, random, 10, 14),
            "zstd" => flip(&mut bytes, random, length - 4, length),
            "zip" => flip(&mut bytes, random, 14, 18),
            // The checksum of the last block is before the index.
            _ => flip(&mut bytes, random, length - 40, length - 28),
        },
        8 => match packing.name {
            "gzip" => flip(&mut bytes, random, length - 4, length),
            "zstd" => flip(&mut bytes, random, 4, 9),
            "zip" => flip(&mut bytes, random, 18, 26),
            _ => flip(&mut bytes, random, length - 28, length),
        },
        _ => {}
    }
    match kind {
        0 => bytes.truncate(1 + random.below(length - 1)),
        1 => bytes.truncate(length - 1 - random.below(20)),
        2 => bytes.truncate(1 + random.below(40)),
        6 => {
            let at = random.below(length);
            bytes[at] = bytes[at].wrapping_add(1 + random.below(255) as u8);
        }
        9 => bytes.truncate(length - 8),
        10..=13 => {
            let at = random.below(length - 1);
            let end = (at + 1 + random.below(600)).min(length);
            match kind {
                10 => drop(bytes.drain(at..end)),
                11 => bytes[at..end].fill(0),
                12 => {
                    let noise = random.bytes(end - at);
                    bytes[at..end].copy_from_slice(&noise);
                }
                _ => {
                    let part = bytes[at..end].to_vec();
                    bytes.splice(at..at, part);
                }
            }
        }
        14 => {
            let at = random.below(length.min(other.len()));
            bytes.truncate(at);
            bytes.extend_from_slice(&other[at..]);
        }
        15 => bytes.extend_from_slice(&other[..1 + random.below(other.len() - 1)]),
        16 => {
            let count = 1 + random.below(40);
            bytes.extend(random.bytes(count));
        }
        17 => bytes.resize(length + 1 + random.below(1024), 0),
        18 => {
            let count = random.below(100);
            let mut frame =
                vec![0x50 + random.below(16) as u8, 0x2a, 0x4d, 0x18, count as u8, 0, 0, 0];
            // Some are longer than their size field says, some end early.
            let there = (count + random.below(3)).saturating_sub(1);
            frame.extend(random.bytes(there));
            match random.below(3) {
                0 => bytes.extend(frame),
                1 => bytes = [frame, bytes].concat(),
                _ => bytes = [bytes.clone(), frame, bytes].concat(),
            }
        }
        19 => {
            let (at, bits) = match packing.name {
                "gzip" => (3, [0x20, 0x40, 0x80][random.below(3)]),
                "bzip2" => (2 + random.below(2), 0x40),
                "xz" => (6 + random.below(2), 0x10 << random.below(4)),
                "zstd" => (4, [0x08, 0x01, 0x02, 0x03][random.below(4)]),
                _ => (4 + random.below(6), 1 << random.below(8)),
            };
            bytes[at] ^= bits;
        }
        _ => {}
    }
    bytes
}
