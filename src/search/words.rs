//! A large block of zeroed memory that is read at random places.
//!
//! With pages of the usual size the processor forgets where they lie faster than they are asked
//! for again: on Linux the block asks for huge ones, which makes a search a tenth faster.

use std::ops::{Deref, DerefMut};

#[cfg(target_os = "linux")]
pub struct Words {
    map: memmap2::MmapMut,
    /// Bytes before the first word, so that it stands at the start of a huge page: the system
    /// cuts none in two.
    skip: usize,
    count: usize,
}

#[cfg(target_os = "linux")]
impl Words {
    pub fn zeroed(count: usize) -> Words {
        const HUGE_PAGE: usize = 2 << 20;
        let bytes = count * size_of::<u64>();
        // What is never touched takes no memory.
        let map = memmap2::MmapMut::map_anon(bytes + HUGE_PAGE).unwrap_or_else(|error| {
            // As any allocation that fails, but with the remedy.
            let size = bytes >> 20;
            panic!("no memory for a search table of {size} MB ({error}): lower search.table_mb")
        });
        // Only a wish: a system without huge pages refuses and nothing is lost.
        let _ = map.advise(memmap2::Advice::HugePage);
        let skip = map.as_ptr() as usize % HUGE_PAGE;
        Words {
            skip: (HUGE_PAGE - skip) % HUGE_PAGE,
            map,
            count,
        }
    }
}

#[cfg(target_os = "linux")]
impl Deref for Words {
    type Target = [u64];

    #[inline(always)]
    fn deref(&self) -> &[u64] {
        // SAFETY: a huge page starts there, so words are aligned; the map goes on for `count`
        // words, any bytes are words, and it is borrowed as long as the slice.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().add(self.skip).cast(), self.count) }
    }
}

#[cfg(target_os = "linux")]
impl DerefMut for Words {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u64] {
        // SAFETY: as above, and borrowed by nobody else.
        unsafe {
            std::slice::from_raw_parts_mut(self.map.as_mut_ptr().add(self.skip).cast(), self.count)
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub struct Words(Vec<u64>);

#[cfg(not(target_os = "linux"))]
impl Words {
    pub fn zeroed(count: usize) -> Words {
        Words(vec![0; count])
    }
}

#[cfg(not(target_os = "linux"))]
impl Deref for Words {
    type Target = [u64];

    #[inline(always)]
    fn deref(&self) -> &[u64] {
        &self.0
    }
}

#[cfg(not(target_os = "linux"))]
impl DerefMut for Words {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u64] {
        &mut self.0
    }
}
