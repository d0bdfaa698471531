//! Files that no module names are compiled by nobody: tests in them never run.

use std::fs;
use std::path::{Path, PathBuf};

use super::{files, module};

/// The file that has to name the module in `file`, below the folder of `root`.
fn parent(root: &Path, file: &Path) -> PathBuf {
    let folder = file.parent().expect("a file in a folder");
    if Some(folder) == root.parent() {
        root.to_owned()
    } else {
        folder.with_extension("rs")
    }
}

#[test]
fn every_file_is_named_by_the_one_above_it() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    for root in [
        "src/lib.rs",
        "tests/service/main.rs",
        "tests/solver/main.rs",
    ] {
        let root = package.join(root);
        let folder = root.parent().expect("a folder");
        let mut modules = files(folder);
        modules.retain(|file| !file.ends_with("main.rs") && *file != root);
        assert!(modules.len() > 5, "{modules:?}");
        for file in modules {
            let above = parent(&root, &file);
            let name = module(Path::new(file.file_name().expect("a name")));
            let source = fs::read_to_string(&above).expect("a readable file");
            let mut lines = source.lines().map(str::trim);
            let declared = format!("mod {name};");
            assert!(
                lines.any(|line| line.ends_with(&declared)),
                "{} does not name {}",
                above.display(),
                file.display()
            );
        }
    }
}
