//! A folder that is gone after the test.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process;

/// A folder of this name and process.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("sudoku-{}-{name}", process::id()));
        fs::create_dir(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn write(&self, name: &str, contents: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, contents).unwrap();
        path
    }

    /// Changes all files together, as Kubernetes does: they lie behind a link, `current`,
    /// which is turned to a new folder.
    pub(crate) fn turn(&self, files: &[(&str, &str)]) {
        let version = fs::read_dir(&self.0).unwrap().count();
        let folder = self.path(&format!("version-{version}"));
        fs::create_dir(&folder).unwrap();
        for (name, contents) in files {
            fs::write(folder.join(name), contents).unwrap();
        }
        let link = self.path("next");
        symlink(folder, &link).unwrap();
        fs::rename(link, self.path("current")).unwrap();
    }
}

impl AsRef<Path> for Folder {
    fn as_ref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}
