//! A model of a disk that loses what was not synced. Plays the calls of a trace and then cuts the power:
//! of each file at least the synced bytes are left, of each directory at least the synced names, and any
//! part of what came later.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use crate::random::Random;
use crate::trace::Call;

#[derive(Clone)]
enum Change {
    Write { at: u64, bytes: Vec<u8> },
    Truncate(u64),
}

/// A file or a directory.
#[derive(Default)]
struct Node {
    is_directory: bool,
    now: Vec<u8>,
    synced: Vec<u8>,
    /// Since the last sync.
    changes: Vec<Change>,
    /// Names of a directory with their nodes; `None` after an unlink or a rename.
    entries: BTreeMap<String, Option<usize>>,
    synced_entries: BTreeMap<String, Option<usize>>,
    /// In order, since the last sync.
    entry_changes: Vec<(u64, String, Option<usize>)>,
}

struct Open {
    node: usize,
    at: u64,
    appends: bool,
}

struct Disk {
    root: PathBuf,
    nodes: Vec<Node>,
    open: HashMap<i64, Open>,
    /// Counts changes of directories.
    clock: u64,
}

/// Plays calls on a disk and cuts the power after the last. Writes what is left below `root`, an empty
/// directory that was there before. Returns what the run's `.lock` said was synced, if it had one.
pub fn cut(root: &Path, calls: &[Call], random: &mut Random) -> Result<Option<u64>, String> {
    let mut disk = Disk {
        root: root.to_path_buf(),
        nodes: vec![Node {
            is_directory: true,
            ..Node::default()
        }],
        open: HashMap::new(),
        clock: 0,
    };
    calls.iter().for_each(|call| disk.play(call));
    let synced = disk.marked();
    disk.write_what_is_left(random)
        .map_err(|error| error.to_string())?;
    Ok(synced)
}

fn apply(bytes: &mut Vec<u8>, change: &Change) {
    match change {
        Change::Truncate(length) => bytes.resize(*length as usize, 0),
        Change::Write { at, bytes: new } => {
            let end = *at as usize + new.len();
            if bytes.len() < end {
                bytes.resize(end, 0);
            }
            bytes[*at as usize..end].copy_from_slice(new);
        }
    }
}

impl Disk {
    /// The directory and the name of a path below the root.
    fn place(&self, path: &Path) -> Option<(usize, String)> {
        let inner = path.strip_prefix(&self.root).ok()?;
        let name = inner.file_name()?.to_string_lossy().into_owned();
        let mut node = 0;
        for part in inner.parent()?.components() {
            let part = part.as_os_str().to_string_lossy();
            node = (*self.nodes[node].entries.get(&*part)?)?;
        }
        Some((node, name))
    }

    fn find(&self, path: &Path) -> Option<usize> {
        if path == self.root || path.join("") == self.root {
            return Some(0);
        }
        let (directory, name) = self.place(path)?;
        *self.nodes[directory].entries.get(&name)?
    }

    fn enter(&mut self, directory: usize, name: String, node: Option<usize>) {
        self.clock += 1;
        let directory = &mut self.nodes[directory];
        directory.entries.insert(name.clone(), node);
        directory.entry_changes.push((self.clock, name, node));
    }

    fn make(&mut self, path: &Path, is_directory: bool) -> Option<usize> {
        let (directory, name) = self.place(path)?;
        let node = self.nodes.len();
        self.nodes.push(Node {
            is_directory,
            ..Node::default()
        });
        self.enter(directory, name, Some(node));
        Some(node)
    }

    fn change(&mut self, node: usize, change: Change) {
        let node = &mut self.nodes[node];
        apply(&mut node.now, &change);
        node.changes.push(change);
    }

    fn write(&mut self, fd: i64, bytes: Vec<u8>) {
        let Some(open) = self.open.get_mut(&fd) else {
            return;
        };
        let node = open.node;
        let at = match open.appends {
            true => self.nodes[node].now.len() as u64,
            false => open.at,
        };
        open.at = at + bytes.len() as u64;
        self.change(node, Change::Write { at, bytes });
    }

    fn play(&mut self, call: &Call) {
        match call {
            Call::Open {
                path,
                fd,
                creates,
                truncates,
                appends,
            } => {
                // The number may have meant a file before.
                self.open.remove(fd);
                let mut node = self.find(path);
                if node.is_none() && *creates {
                    node = self.make(path, false);
                }
                let Some(node) = node else { return };
                if *truncates && !self.nodes[node].now.is_empty() {
                    self.change(node, Change::Truncate(0));
                }
                let appends = *appends;
                self.open.insert(
                    *fd,
                    Open {
                        node,
                        at: 0,
                        appends,
                    },
                );
            }
            Call::Write { fd, bytes } => self.write(*fd, bytes.clone()),
            Call::Seek { fd, at } => {
                if let Some(open) = self.open.get_mut(fd) {
                    open.at = *at;
                }
            }
            Call::Truncate { fd, length } => {
                if let Some(node) = self.open.get(fd).map(|open| open.node) {
                    self.change(node, Change::Truncate(*length));
                }
            }
            Call::CopyRange { from, to, bytes } => {
                let Some(source) = self.open.get_mut(from) else {
                    return;
                };
                let (node, at) = (source.node, source.at as usize);
                source.at += bytes;
                let copied = self.nodes[node].now[at..at + *bytes as usize].to_vec();
                self.write(*to, copied);
            }
            Call::Sync { fd } => {
                if let Some(node) = self.open.get(fd).map(|open| open.node) {
                    let node = &mut self.nodes[node];
                    node.synced.clone_from(&node.now);
                    node.changes.clear();
                    node.synced_entries.clone_from(&node.entries);
                    node.entry_changes.clear();
                }
            }
            Call::Rename { from, to } => {
                let node = self.find(from);
                if let (Some(node), Some(old), Some(new)) = (node, self.place(from), self.place(to))
                {
                    self.enter(new.0, new.1, Some(node));
                    self.enter(old.0, old.1, None);
                }
            }
            Call::Unlink { path } => {
                if let Some((directory, name)) = self.place(path) {
                    self.enter(directory, name, None);
                }
            }
            Call::MakeDirectory { path } => {
                self.make(path, true);
            }
        }
    }

    /// The last number in the lock file of the run.
    fn marked(&self) -> Option<u64> {
        let lock = self.find(&self.root.join("run/.lock"))?;
        let text = String::from_utf8_lossy(&self.nodes[lock].now).into_owned();
        let mut marks = text.lines().filter_map(|line| {
            line.strip_prefix("synced ")?
                .strip_suffix('.')?
                .parse()
                .ok()
        });
        marks.next_back()
    }

    fn write_what_is_left(&self, random: &mut Random) -> std::io::Result<()> {
        // A journal keeps the order of changes of directories; without one, each name is on its own.
        let in_order = random.one_in(2);
        let until = random.below(self.clock + 1);
        self.write_directory(0, &self.root, in_order.then_some(until), random)
    }

    fn write_directory(
        &self,
        node: usize,
        path: &Path,
        until: Option<u64>,
        random: &mut Random,
    ) -> std::io::Result<()> {
        let directory = &self.nodes[node];
        let mut left = directory.synced_entries.clone();
        for (time, name, node) in &directory.entry_changes {
            let is_kept = match until {
                Some(until) => *time <= until,
                None => random.one_in(2),
            };
            if is_kept {
                left.insert(name.clone(), *node);
            }
        }
        for (name, node) in left {
            let Some(node) = node else { continue };
            let path = path.join(name);
            if self.nodes[node].is_directory {
                fs::create_dir_all(&path)?;
                self.write_directory(node, &path, until, random)?;
            } else {
                fs::write(path, self.bytes_left(node, random))?;
            }
        }
        Ok(())
    }

    /// The synced bytes and some of the later changes.
    fn bytes_left(&self, node: usize, random: &mut Random) -> Vec<u8> {
        let node = &self.nodes[node];
        let mut bytes = node.synced.clone();
        let count = node.changes.len() as u64;
        match random.below(4) {
            _ if count == 0 => {}
            // Nothing.
            0 => {}
            // Everything.
            1 => bytes.clone_from(&node.now),
            // The first changes, and a part of the next one.
            2 => {
                let whole = random.below(count) as usize;
                node.changes[..whole]
                    .iter()
                    .for_each(|change| apply(&mut bytes, change));
                if let Change::Write { at, bytes: new } = &node.changes[whole] {
                    let part = random.below(new.len() as u64 + 1) as usize;
                    let (at, bytes_of_part) = (*at, new[..part].to_vec());
                    apply(
                        &mut bytes,
                        &Change::Write {
                            at,
                            bytes: bytes_of_part,
                        },
                    );
                }
            }
            // Any of them; what is missing in between are zeros.
            _ => {
                for change in &node.changes {
                    if random.one_in(2) {
                        apply(&mut bytes, change);
                    }
                }
            }
        }
        bytes
    }
}
