//! Which cores a thread may use, and thereby the processes that it starts. On Linux only.

use std::io;

/// The cores that this thread may use, the first of every physical core in front.
#[cfg(target_os = "linux")]
pub fn own_cores() -> io::Result<Vec<usize>> {
    use nix::sched::{CpuSet, sched_getaffinity};
    use nix::unistd::Pid;
    let set = sched_getaffinity(Pid::from_raw(0))?;
    let mut cores: Vec<usize> = (0..CpuSet::count())
        .filter(|core| set.is_set(*core).unwrap_or(false))
        .collect();
    // A second hardware thread of a core shares its units: such cores come last.
    cores.sort_by_key(|core| {
        let file = format!("/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list");
        let siblings = std::fs::read_to_string(file).unwrap_or_default();
        let first = siblings
            .split([',', '-'])
            .next()
            .and_then(|it| it.trim().parse().ok());
        first.is_some_and(|first: usize| first != *core)
    });
    Ok(cores)
}

/// Keeps this thread on these cores.
#[cfg(target_os = "linux")]
pub fn pin(cores: &[usize]) -> io::Result<()> {
    use nix::sched::{CpuSet, sched_setaffinity};
    use nix::unistd::Pid;
    let mut set = CpuSet::new();
    for core in cores {
        set.set(*core)?;
    }
    Ok(sched_setaffinity(Pid::from_raw(0), &set)?)
}

#[cfg(not(target_os = "linux"))]
pub fn own_cores() -> io::Result<Vec<usize>> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(target_os = "linux"))]
pub fn pin(_: &[usize]) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_pinned_thread_has_the_cores_it_was_given() {
        let all = own_cores().unwrap();
        let last = *all.last().unwrap();
        std::thread::spawn(move || {
            pin(&[last]).unwrap();
            assert_eq!(own_cores().unwrap(), [last]);
        })
        .join()
        .unwrap();
        assert_eq!(own_cores().unwrap(), all);
    }
}
