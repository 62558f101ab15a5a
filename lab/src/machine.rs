//! The machine that something is measured on, and whether it is idle.

use std::fmt;
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use crate::Failure;

/// How long the load is watched.
const WATCHED: Duration = Duration::from_secs(2);
/// The most processor time that other programs may use, in processors.
const MAX_LOAD: f64 = 0.2;

/// A machine, as its system describes it.
pub(crate) struct Machine {
    processor: String,
    cores: usize,
    gigabytes: u64,
}

impl Machine {
    /// Describes this machine.
    ///
    /// # Errors
    /// A system without Linux's `/proc`.
    pub(crate) fn this() -> Result<Machine, Failure> {
        let value = |path: &str, name: &str| {
            let text = fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
            let line = text.lines().find_map(|line| line.strip_prefix(name));
            let value = line.and_then(|line| line.split_once(':')).map(|(_, value)| value.trim());
            value.map(str::to_owned).ok_or_else(|| format!("{path}: no {name}"))
        };
        let memory = value("/proc/meminfo", "MemTotal")?;
        let kilobytes: u64 = memory.trim_end_matches(" kB").parse()?;
        Ok(Machine {
            processor: value("/proc/cpuinfo", "model name")?,
            cores: thread::available_parallelism()?.get(),
            gigabytes: kilobytes.div_ceil(1 << 20),
        })
    }

    /// Describes this machine if other programs leave it idle.
    ///
    /// # Errors
    /// Other programs use more than a fifth of a processor: their work would be measured too.
    pub(crate) fn idle() -> Result<Machine, Failure> {
        let watch = Watch::start()?;
        thread::sleep(WATCHED);
        watch.end()?;
        Machine::this()
    }

    /// The number of cores that programs may use.
    pub(crate) fn cores(&self) -> usize {
        self.cores
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} with {} cores and {} GiB", self.processor, self.cores, self.gigabytes)
    }
}

/// Watches the work of other programs while something is measured.
pub(crate) struct Watch {
    start: Instant,
    others: f64,
}

impl Watch {
    pub(crate) fn start() -> Result<Watch, Failure> {
        Ok(Watch { start: Instant::now(), others: time_of_others()? })
    }

    /// # Errors
    /// Other programs used more than a fifth of a processor: their work was measured too.
    pub(crate) fn end(&self) -> Result<(), Failure> {
        let load = (time_of_others()? - self.others) / self.start.elapsed().as_secs_f64();
        if load <= MAX_LOAD {
            return Ok(());
        }
        let message = "other programs use processors, and their work would be measured too";
        Err(format!("{message}: {load:.1}; --busy measures all the same").into())
    }
}

/// Returns the seconds that all processors have worked, but not for this program and its children that
/// have ended.
fn time_of_others() -> Result<f64, Failure> {
    let path = "/proc/self/stat";
    let text = fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let own = own_ticks(&text).ok_or("/proc/self/stat: no times")?;
    Ok(busy_time()? - own as f64 / 100.0)
}

/// Returns the ticks of a process and its children: user and system. (proc(5), fields 14 to 17)
fn own_ticks(stat: &str) -> Option<u64> {
    // The name of the program may hold blanks and brackets.
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks = fields.split_whitespace().skip(11).take(4).map(str::parse::<u64>);
    ticks
        .collect::<Result<Vec<_>, _>>()
        .ok()
        .filter(|ticks| ticks.len() == 4)
        .map(|t| t.iter().sum())
}

/// Returns the seconds that all processors have worked since the start of the system.
fn busy_time() -> Result<f64, Failure> {
    let text = fs::read_to_string("/proc/stat").map_err(|error| format!("/proc/stat: {error}"))?;
    Ok(busy_ticks(&text).ok_or("/proc/stat: no times")? as f64 / 100.0)
}

/// Returns the ticks of work: user, nice, system, and interrupts. Idle time and waiting for disks do not
/// count, and neither does the time of other virtual machines.
fn busy_ticks(stat: &str) -> Option<u64> {
    let ticks = stat.lines().next()?.strip_prefix("cpu ")?.split_whitespace();
    let ticks: Vec<u64> = ticks.map(str::parse).collect::<Result<_, _>>().ok()?;
    let [user, nice, system, _idle, _wait, hard, soft, ..] = *ticks else { return None };
    Some(user + nice + system + hard + soft)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn busy_ticks_leave_out_idle_and_wait() {
        assert_eq!(busy_ticks("cpu  10 20 30 4000 500 6 7 0 0 0\ncpu0 1\n"), Some(73));
        assert_eq!(busy_ticks("cpu 1 2\n"), None);
        assert_eq!(busy_ticks("intr 1 2 3 4 5 6 7\n"), None);
    }

    #[test]
    fn own_ticks_are_of_process_and_children() {
        let stat = "7 (a (b) c) S 1 2 3 4 5 6 7 8 9 10 11 20 30 40 999 0";
        assert_eq!(own_ticks(stat), Some(101));
        assert_eq!(own_ticks("7 (a) S 1"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn machine_description_is_complete() {
        let machine = Machine::this().unwrap();
        assert!(machine.cores > 0 && machine.gigabytes > 0 && !machine.processor.is_empty());
    }
}
