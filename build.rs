//! Generates the gRPC stubs, and the descriptor set for reflection.

use std::{env, error::Error, fs, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=proto");
    let descriptors = protox::compile(["sudoku/v1/sudoku.proto"], ["proto"])?;
    let encoded = prost::Message::encode_to_vec(&descriptors);
    fs::write(
        Path::new(&env::var("OUT_DIR")?).join("sudoku.v1.bin"),
        encoded,
    )?;
    tonic_prost_build::configure()
        .extern_path(
            ".sudoku.v1.BatchSolveRequest",
            "crate::grpc::BatchSolveRequest",
        )
        .compile_fds(descriptors)?;
    Ok(())
}
