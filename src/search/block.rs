//! A large block of zeroed memory for random access.
//!
//! On Linux the block uses huge pages: normal pages cause TLB misses, and a search runs 10 %
//! slower. All pages are populated when the block is made, so that no search pays for page faults.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// Types for which every bit pattern is valid.
///
/// # Safety
/// Every bit pattern, including all zeros, is a valid value, and the alignment is at most that of
/// a huge page.
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
    /// Bytes before the first value, to align it with a huge page.
    skip: usize,
    count: usize,
    of: PhantomData<T>,
}

#[cfg(target_os = "linux")]
impl<T: Plain> Block<T> {
    /// `None` if the system has no memory for it.
    pub fn try_zeroed(count: usize) -> Option<Block<T>> {
        const HUGE_PAGE: usize = 2 << 20;
        let bytes = count.checked_mul(size_of::<T>())?;
        // One extra page for alignment. Untouched pages take no memory.
        let map = memmap2::MmapMut::map_anon(bytes.checked_add(HUGE_PAGE)?).ok()?;
        let beyond = map.as_ptr() as usize % HUGE_PAGE;
        let skip = (HUGE_PAGE - beyond) % HUGE_PAGE;
        // Hints only: a system that does not support them refuses, which is fine.
        let _ = map.advise(memmap2::Advice::HugePage);
        let _ = map.advise_range(memmap2::Advice::PopulateWrite, skip, bytes);
        Some(Block {
            skip,
            map,
            count,
            of: PhantomData,
        })
    }
}

#[cfg(target_os = "linux")]
impl<T: Plain> Deref for Block<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: the address is aligned to a huge page, the map holds `count` values from there,
        // every bit pattern is valid, and the map is borrowed as long as the slice.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().add(self.skip).cast(), self.count) }
    }
}

#[cfg(target_os = "linux")]
impl<T: Plain> DerefMut for Block<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and the borrow is exclusive.
        unsafe {
            std::slice::from_raw_parts_mut(self.map.as_mut_ptr().add(self.skip).cast(), self.count)
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub struct Block<T>(Vec<T>);

#[cfg(not(target_os = "linux"))]
impl<T: Plain> Block<T> {
    /// `None` if the system has no memory for it.
    pub fn try_zeroed(count: usize) -> Option<Block<T>> {
        let mut values = Vec::new();
        values.try_reserve_exact(count).ok()?;
        // SAFETY: the type is plain.
        values.resize(count, unsafe { std::mem::zeroed() });
        Some(Block(values))
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

impl<T: Plain> Block<T> {
    /// A block too small to matter: without memory for it, the process ends as for any allocation.
    pub fn zeroed(count: usize) -> Block<T> {
        Block::try_zeroed(count).unwrap_or_else(|| {
            let bytes = count.saturating_mul(size_of::<T>());
            let layout = std::alloc::Layout::from_size_align(bytes.max(1), 8);
            std::alloc::handle_alloc_error(layout.unwrap_or(std::alloc::Layout::new::<u64>()))
        })
    }
}
