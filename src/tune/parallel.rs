//! Parallel work on all cores, compiled once instead of per game.

use std::ops::Range;
use std::sync::Mutex;

use rayon::prelude::*;

/// Items per chunk: small enough to keep all cores busy.
const CHUNK: usize = 1024;

/// Processes `count` items in chunks and returns the results in order.
pub fn map_chunks<R: Send>(count: usize, work: &(dyn Fn(Range<usize>) -> R + Sync)) -> Vec<R> {
    let chunks = count.div_ceil(CHUNK);
    let slots: Vec<Mutex<Option<R>>> = (0..chunks).map(|_| Mutex::new(None)).collect();
    for_each_index(chunks, &|chunk| {
        let done = work(chunk * CHUNK..count.min((chunk + 1) * CHUNK));
        if let Ok(mut slot) = slots[chunk].lock() {
            *slot = Some(done);
        }
    });
    let results = slots
        .into_iter()
        .filter_map(|slot| slot.into_inner().ok().flatten());
    results.collect()
}

fn for_each_index(count: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().for_each(work);
}
