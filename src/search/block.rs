//! A large block of zeroed memory that is read at random places.
//!
//! With pages of the usual size the processor forgets where they lie faster than they are asked
//! for again: on Linux the block asks for huge ones, which makes a search a tenth faster. It also
//! asks for all of them at once, so that no move pays for what the system does at the first touch
//! of each.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// What is valid whatever bits it is made of, zeros among them.
///
/// # Safety
/// Every pattern of bits is a value, and a huge page is not too badly aligned for one.
pub unsafe trait Plain: Copy {}

// SAFETY: an integer.
unsafe impl Plain for u64 {}

// SAFETY: an integer.
unsafe impl Plain for u32 {}

// SAFETY: integers without gaps.
unsafe impl<const N: usize> Plain for [i16; N] {}

#[cfg(target_os = "linux")]
pub struct Block<T> {
    map: memmap2::MmapMut,
    /// Bytes before the first value, so that it stands at the start of a huge page: the system
    /// cuts none in two.
    skip: usize,
    count: usize,
    of: PhantomData<T>,
}

#[cfg(target_os = "linux")]
impl<T: Plain> Block<T> {
    pub fn zeroed(count: usize) -> Block<T> {
        const HUGE_PAGE: usize = 2 << 20;
        let bytes = count * size_of::<T>();
        // One page more, to begin with a whole one. What is never touched takes no memory.
        let map = memmap2::MmapMut::map_anon(bytes + HUGE_PAGE).unwrap_or_else(|error| {
            // As any allocation that fails, but with the remedy.
            let size = bytes >> 20;
            panic!("no memory for a search table of {size} MB ({error}): lower search.table_mb")
        });
        let beyond = map.as_ptr() as usize % HUGE_PAGE;
        let skip = (HUGE_PAGE - beyond) % HUGE_PAGE;
        // Only wishes: a system that knows nothing of them refuses and nothing is lost.
        let _ = map.advise(memmap2::Advice::HugePage);
        let _ = map.advise_range(memmap2::Advice::PopulateWrite, skip, bytes);
        Block {
            skip,
            map,
            count,
            of: PhantomData,
        }
    }
}

#[cfg(target_os = "linux")]
impl<T: Plain> Deref for Block<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: a huge page starts there, so values are aligned; the map goes on for `count` of
        // them, any bytes are values, and it is borrowed as long as the slice.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().add(self.skip).cast(), self.count) }
    }
}

#[cfg(target_os = "linux")]
impl<T: Plain> DerefMut for Block<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and borrowed by nobody else.
        unsafe {
            std::slice::from_raw_parts_mut(self.map.as_mut_ptr().add(self.skip).cast(), self.count)
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub struct Block<T>(Vec<T>);

#[cfg(not(target_os = "linux"))]
impl<T: Plain> Block<T> {
    pub fn zeroed(count: usize) -> Block<T> {
        // SAFETY: the type is plain.
        Block(vec![unsafe { std::mem::zeroed() }; count])
    }
}

#[cfg(not(target_os = "linux"))]
impl<T: Plain> Deref for Block<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

#[cfg(not(target_os = "linux"))]
impl<T: Plain> DerefMut for Block<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}
