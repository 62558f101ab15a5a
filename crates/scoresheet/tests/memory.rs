//! A conversion needs memory in proportion to its input, whatever the input repeats.
//!
//! Each shape is converted to every format, and the peak of memory is compared with the size of the
//! text. The variable `SCALE` multiplies the sizes, `SHAPE` selects shapes by a part of their name,
//! `FORMATS` selects formats, and `TABLE` names a file for the table, docs/robustness/memory.csv.

mod shapes;

use std::fs;
use std::path::Path;

use scoresheet::{Converter, CreateOptions, Format};
use shapes::{SHAPES, Shape};
use testkit::peak;

/// Memory limit: a fixed part for buffers, and a part per byte of input or of output.
const ALWAYS: u64 = 8 << 20;
const RATIO: u64 = 50;
const OF_OUTPUT: u64 = 3;

/// The least size of a text. At this size the part in proportion outweighs the fixed part.
const LEAST: usize = 400_000;

/// Converts a file and returns the peak of memory.
fn convert(from: &Path, to: &Path, format: &'static Format) -> u64 {
    peak(|| {
        let mut input = scoresheet::open(from).unwrap();
        let mut output = scoresheet::create_as(to, format, &CreateOptions::default()).unwrap();
        let mut converter = Converter::new().threads(1);
        converter.run(&mut input, &mut output, &mut ()).unwrap();
        output.finish().unwrap();
    })
}

fn scale() -> usize {
    std::env::var("SCALE").map_or(1, |scale| scale.parse().unwrap())
}

/// A shape of at least `least` bytes, converted to every format.
struct Measured {
    input: u64,
    /// The largest peak of memory, and its format.
    worst: (u64, &'static str),
    /// Conversions that took more than in proportion.
    beyond: Vec<String>,
}

fn measure(shape: &Shape, least: usize) -> Measured {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("source.pgn");
    let per_unit = ((shape.text)(shape.size).len() / shape.size).max(1);
    let text = (shape.text)(shape.size.max(least / per_unit));
    fs::write(&source, &text).unwrap();
    let input = text.len() as u64;
    let mut measured = Measured { input, worst: (0, ""), beyond: Vec::new() };
    for format in shapes::targets() {
        let folder = tempfile::tempdir_in(&folder).unwrap();
        let path = folder.path().join("base").with_extension(format.extensions[0]);
        let memory = convert(&source, &path, format);
        measured.worst = measured.worst.max((memory, format.name));
        // A diagram in HTML takes a hundred times the bytes of the command that asks for it.
        let written = fs::metadata(&path).map_or(0, |file| file.len());
        if memory > ALWAYS + (RATIO * input).max(OF_OUTPUT * written) {
            let (shape, format) = (shape.name, format.name);
            measured.beyond.push(format!("{shape} to {format}: {memory} bytes for {input}"));
        }
    }
    measured
}

#[test]
fn convert_repeated_things_keeps_memory_in_proportion() {
    let only = std::env::var("SHAPE").unwrap_or_default();
    let (mut rows, mut beyond) = (Vec::new(), Vec::new());
    for shape in SHAPES.iter().filter(|shape| shape.name.contains(&only)) {
        let measured = measure(shape, LEAST * scale());
        let (input, (memory, format)) = (measured.input, measured.worst);
        let tenths = memory * 10 / input;
        let (name, whole, tenth) = (shapes::cell(shape.name), tenths / 10, tenths % 10);
        rows.push(format!("{name},{input},{memory},{whole}.{tenth},{format}"));
        beyond.extend(measured.beyond);
    }
    shapes::put_table("repeated,input_bytes,peak_bytes,bytes_per_byte,to", &rows);
    assert!(beyond.is_empty(), "more than in proportion:\n{}", beyond.join("\n"));
}

/// Two bytes of text become a comment, the most for its size. Beside these megabytes the fixed part of
/// the limit hides nothing.
#[test]
fn convert_megabytes_of_empty_comments_keeps_memory_in_proportion() {
    let shape = SHAPES.iter().find(|shape| shape.name == "empty line comments").unwrap();
    let measured = measure(shape, 5 * LEAST);
    assert!(measured.beyond.is_empty(), "{}", measured.beyond.join("\n"));
}

/// Ten megabytes of a comment sign and a line end are five million losses. Their examples are bounded,
/// and their counts are exact.
#[test]
fn convert_line_comments_counts_losses_exactly() {
    let folder = tempfile::tempdir().unwrap();
    let (source, target) = (folder.path().join("in.pgn"), folder.path().join("out.cbf"));
    let comments = 200_000;
    fs::write(&source, format!("[White \"w\"]\n\n1. e4 {{a}} {} *\n", ";b\n".repeat(comments)))
        .unwrap();
    let mut input = scoresheet::open(&source).unwrap();
    let mut output = scoresheet::create(&target, &CreateOptions::default()).unwrap();
    let mut converter = Converter::new().threads(1);
    converter.run(&mut input, &mut output, &mut ()).unwrap();
    let told: u64 = converter.summary().losses.values().sum();
    assert!(told >= comments as u64, "{told}");
}
