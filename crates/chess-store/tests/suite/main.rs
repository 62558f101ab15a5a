//! The files of a base: the protocol on a simulated disk, and what real files add to it.

mod commit;
mod on_disk;
mod power_cut;
mod processes;
mod readers;
