//! Tests of the files of a base: the commit protocol on a simulated disk, and on real files.

mod commit;
mod on_disk;
mod power_cut;
mod processes;
mod readers;
