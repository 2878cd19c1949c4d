//! Describes a compiled model, runs it on files, and writes what comes out.
//!
//!     run MODEL.so [INPUT[:SIZES]...]
//!
//! INPUT is a file of an input's raw bytes, in the model's order; inputs without one are zeros.
//! SIZES are the input's, as in x.bin:2,3; without them, a size that the caller decides is 1. Each
//! output is written to a file, output0.bin and so on.

use std::error::Error;
use std::{env, fs, process};

use tvmfuse::{Model, Size, Spec, Tensor};

fn describe(what: &str, spec: &Spec) {
    let sizes: Vec<String> = spec.sizes.iter().map(Size::to_string).collect();
    println!(
        "{what} {}: {}[{}]",
        spec.name,
        spec.type_name,
        sizes.join(", ")
    );
}

/// Reads "x.bin:2,3", or makes zeros; without sizes, they are the model's.
fn read(given: Option<&String>, spec: &Spec) -> Result<(Vec<u8>, Vec<i64>), Box<dyn Error>> {
    let own = spec.sizes.iter().map(|size| match size {
        Size::Fixed(size) => *size,
        Size::Named(_) => 1,
    });
    let own: Vec<i64> = own.collect();
    Ok(match given {
        None => (vec![0; spec.dtype.bytes(&own)?], own),
        Some(given) => match given.rsplit_once(':') {
            None => (fs::read(given)?, own),
            Some((file, sizes)) => {
                let sizes = sizes.split_terminator(',').map(str::parse);
                (fs::read(file)?, sizes.collect::<Result<_, _>>()?)
            }
        },
    })
}

fn run(arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let model = Model::open(&arguments[1])?;
    println!("level: {}", model.level());

    let mut data = Vec::new();
    let specs = model.inputs()?;
    for (place, spec) in specs.iter().enumerate() {
        describe("input", spec);
        data.push(read(arguments.get(place + 2), spec)?);
    }
    let mut inputs = Vec::new();
    for (spec, (bytes, sizes)) in specs.iter().zip(&data) {
        inputs.push(Tensor::from_bytes(bytes, spec.dtype, sizes)?);
    }

    let results = model.run(&inputs)?;
    for (place, (spec, result)) in model.outputs()?.iter().zip(&results).enumerate() {
        describe("output", spec);
        let file = format!("output{place}.bin");
        fs::write(&file, result.bytes())?;
        println!("{file}: {} bytes", result.bytes().len());
    }
    Ok(())
}

fn main() {
    let arguments: Vec<String> = env::args().collect();
    if arguments.len() < 2 {
        eprintln!("run MODEL.so [INPUT[:SIZES]...]");
        process::exit(2);
    }
    if let Err(error) = run(&arguments) {
        match error.downcast_ref::<tvmfuse::Error>() {
            Some(error) => eprintln!("status {}: {error}", error.status as i32),
            None => eprintln!("{error}"),
        }
        process::exit(1);
    }
}
