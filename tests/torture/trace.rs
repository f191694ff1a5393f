//! Reads a log of strace: what a run did to its files, in order.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A change of a file or directory, or a sync.
#[derive(Clone, Debug)]
pub enum Call {
    Open {
        path: PathBuf,
        fd: i64,
        creates: bool,
        truncates: bool,
        appends: bool,
    },
    Write {
        fd: i64,
        bytes: Vec<u8>,
    },
    Seek {
        fd: i64,
        at: u64,
    },
    Truncate {
        fd: i64,
        length: u64,
    },
    CopyRange {
        from: i64,
        to: i64,
        bytes: u64,
    },
    Sync {
        fd: i64,
    },
    Rename {
        from: PathBuf,
        to: PathBuf,
    },
    Unlink {
        path: PathBuf,
    },
    MakeDirectory {
        path: PathBuf,
    },
}

const TRACED: &str = "openat,write,pwrite64,lseek,ftruncate,fsync,fdatasync,rename,renameat,renameat2,\
                      unlink,unlinkat,mkdir,mkdirat,copy_file_range,sendfile";

/// The command below strace, which writes the log.
pub fn traced(command: &Command, log: &Path) -> Command {
    let mut traced = Command::new("strace");
    traced
        .args([
            "-f",
            "-qq",
            "-x",
            "-s",
            "100000000",
            "-e",
            "signal=none",
            "-o",
        ])
        .arg(log)
        .args(["-e", &format!("trace={TRACED}")])
        .arg(command.get_program())
        .args(command.get_args());
    traced
}

pub fn read(log: &Path) -> Result<Vec<Call>, String> {
    let bytes = fs::read(log).map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&bytes);
    let mut unfinished: HashMap<&str, String> = HashMap::new();
    let mut calls = Vec::new();
    for line in text.lines() {
        let Some((thread, rest)) = line.split_once(' ') else {
            continue;
        };
        let rest = rest.trim_start();
        let whole;
        let rest = if let Some(begin) = rest.strip_suffix(" <unfinished ...>") {
            unfinished.insert(thread, begin.to_string());
            continue;
        } else if let Some((_, end)) = rest.split_once(" resumed>") {
            whole = unfinished.remove(thread).unwrap_or_default() + end;
            whole.as_str()
        } else {
            rest
        };
        let Some((call, result)) = rest.rsplit_once(" = ") else {
            continue;
        };
        let result: i64 = match result
            .split_whitespace()
            .next()
            .and_then(|text| text.parse().ok())
        {
            Some(result) if result >= 0 => result,
            _ => continue,
        };
        calls.extend(parse(call.trim_end(), result)?);
    }
    Ok(calls)
}

fn parse(call: &str, result: i64) -> Result<Option<Call>, String> {
    let unreadable = || format!("cannot read the trace: {}", &call[..call.len().min(200)]);
    let (name, arguments) = call.split_once('(').ok_or_else(unreadable)?;
    let arguments = split(arguments.strip_suffix(')').ok_or_else(unreadable)?);
    let argument = |index: usize| {
        arguments
            .get(index)
            .map(String::as_str)
            .ok_or_else(unreadable)
    };
    let number = |index: usize| -> Result<i64, String> {
        argument(index)?.parse().map_err(|_| unreadable())
    };
    let path = |index: usize| -> Result<PathBuf, String> {
        let bytes = unescape(argument(index)?);
        Ok(PathBuf::from(String::from_utf8_lossy(&bytes).into_owned()))
    };
    Ok(Some(match name {
        "openat" => {
            let flags = argument(2)?;
            Call::Open {
                path: path(1)?,
                fd: result,
                creates: flags.contains("O_CREAT"),
                truncates: flags.contains("O_TRUNC"),
                appends: flags.contains("O_APPEND"),
            }
        }
        "write" => {
            let mut bytes = unescape(argument(1)?);
            bytes.truncate(result as usize);
            Call::Write {
                fd: number(0)?,
                bytes,
            }
        }
        "lseek" => Call::Seek {
            fd: number(0)?,
            at: result as u64,
        },
        "ftruncate" => Call::Truncate {
            fd: number(0)?,
            length: number(1)? as u64,
        },
        "copy_file_range" => Call::CopyRange {
            from: number(0)?,
            to: number(2)?,
            bytes: result as u64,
        },
        "fsync" | "fdatasync" => Call::Sync { fd: number(0)? },
        "rename" => Call::Rename {
            from: path(0)?,
            to: path(1)?,
        },
        "unlink" => Call::Unlink { path: path(0)? },
        "mkdir" => Call::MakeDirectory { path: path(0)? },
        other => return Err(format!("a call that the model does not know: {other}")),
    }))
}

/// The arguments of a call; strings stay quoted.
fn split(text: &str) -> Vec<String> {
    let mut arguments = vec![String::new()];
    let (mut quoted, mut escaped) = (false, false);
    for letter in text.chars() {
        if !quoted && letter == ',' {
            arguments.push(String::new());
            continue;
        }
        quoted ^= letter == '"' && !escaped;
        escaped = letter == '\\' && !escaped;
        if let Some(last) = arguments.last_mut()
            && (quoted || letter != ' ' || !last.is_empty())
        {
            last.push(letter);
        }
    }
    arguments
}

/// The bytes of a quoted string.
fn unescape(text: &str) -> Vec<u8> {
    let inner = text.trim_matches('"').as_bytes();
    let mut bytes = Vec::with_capacity(inner.len());
    let mut at = 0;
    while at < inner.len() {
        if inner[at] != b'\\' {
            bytes.push(inner[at]);
            at += 1;
            continue;
        }
        let code = inner.get(at + 1).copied().unwrap_or(b'\\');
        at += 2;
        match code {
            b'n' => bytes.push(b'\n'),
            b't' => bytes.push(b'\t'),
            b'r' => bytes.push(b'\r'),
            b'v' => bytes.push(11),
            b'f' => bytes.push(12),
            b'x' => {
                let digits =
                    std::str::from_utf8(&inner[at..(at + 2).min(inner.len())]).unwrap_or("");
                bytes.push(u8::from_str_radix(digits, 16).unwrap_or(0));
                at += 2;
            }
            b'0'..=b'7' => {
                let mut value = u32::from(code - b'0');
                for _ in 0..2 {
                    match inner.get(at) {
                        Some(digit @ b'0'..=b'7') => {
                            value = value * 8 + u32::from(digit - b'0');
                            at += 1;
                        }
                        _ => break,
                    }
                }
                bytes.push(value as u8);
            }
            other => bytes.push(other),
        }
    }
    bytes
}
