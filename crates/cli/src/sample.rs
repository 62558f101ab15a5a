//! `--sample`: games at random.

use std::path::PathBuf;

use commands::Sampling;
use scoresheet::sample::Sampler;
use scoresheet::{Filter, Format, OpenOptions};

use crate::exit::Failure;
use crate::inputs::{self, is_stdio};

/// The filter of each input.
pub(crate) struct Filters {
    all: Filter,
    /// The filters of a sample, one for each input.
    samples: Option<Vec<Filter>>,
}

impl Filters {
    /// Applies the same filter to all inputs.
    pub(crate) fn new(all: Filter) -> Filters {
        Filters { all, samples: None }
    }

    /// Draws the sample that the options ask for. All inputs are read once for it. An input that
    /// cannot be read has no games here; the command that follows reports it.
    pub(crate) fn sampled(
        all: Filter,
        sampling: Sampling,
        files: &[PathBuf],
        from: Option<&'static Format>,
        options: &OpenOptions,
    ) -> Result<Filters, Failure> {
        let Some(size) = sampling.sample else { return Ok(Filters::new(all)) };
        if files.iter().any(|file| is_stdio(file)) {
            let message = "--sample reads its inputs twice, and standard input can be read once; \
                           name a file";
            return Err(Failure::Usage(message.to_owned()));
        }
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        let mut sampler = Sampler::new(all.clone(), size, sampling.seed);
        for file in files {
            match inputs::open(file, from, options) {
                Ok(mut base) => sampler.add(&mut base)?,
                Err(_) => sampler.skip(),
            }
        }
        Ok(Filters { all, samples: Some(sampler.finish()) })
    }

    /// Returns the filter of the options.
    pub(crate) fn all(&self) -> &Filter {
        &self.all
    }

    /// Returns whether every game is selected.
    pub(crate) fn are_open(&self) -> bool {
        self.samples.is_none() && self.all.is_open()
    }

    /// Returns the filter of an input, from 0.
    pub(crate) fn of_input(&self, number: usize) -> &Filter {
        self.samples.as_ref().and_then(|samples| samples.get(number)).unwrap_or(&self.all)
    }
}
