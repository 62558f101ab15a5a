//! Waiting for another program that is changing the base.

use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use scoresheet::Error;

use crate::values::whole;

/// The interval between two attempts.
const PAUSE: Duration = Duration::from_millis(20);

/// How long a base that is in use is waited for
#[derive(Clone, Copy, Debug, Args)]
pub struct Waiting {
    /// Wait this long for another program that is changing the base
    #[arg(long, value_name = "SECONDS", default_value = "0", hide_default_value = true,
        value_parser = whole::<u64>(0..=86_400), help_heading = "Writing")]
    wait: u64,
}

impl Waiting {
    /// Calls `attempt`, and repeats it while another program is changing the base.
    pub fn until_free<T>(self, mut attempt: impl FnMut() -> Result<T, Error>) -> Result<T, Error> {
        let (start, wait) = (Instant::now(), Duration::from_secs(self.wait));
        loop {
            match attempt() {
                Err(error) if error.is_busy() && start.elapsed() < wait => thread::sleep(PAUSE),
                done => return done,
            }
        }
    }
}
