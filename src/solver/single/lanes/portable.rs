//! Plain arrays: the meaning of every operation, and an engine for every CPU.

use super::super::layout::{bit, word};
use super::{Bytes, Lanes, Task};
use crate::solver::cpu::Portable;

#[inline(always)]
fn each(f: impl Fn(usize) -> u32) -> [u32; 8] {
    [f(0), f(1), f(2), f(3), f(4), f(5), f(6), f(7)]
}

#[inline(always)]
fn halves(a: [u32; 8], order: [usize; 4]) -> [u32; 8] {
    each(|i| a[(i & 4) + order[i & 3]])
}

#[inline(always)]
fn halves_of_two(a: [u32; 8], b: [u32; 8], order: [usize; 2]) -> [u32; 8] {
    each(|i| {
        if i & 2 == 0 {
            a[(i & 4) + order[i & 1]]
        } else {
            b[(i & 4) + order[i & 1]]
        }
    })
}

impl Lanes for Portable {
    type V = [u32; 8];

    type Bytes = Self;

    #[inline(never)]
    fn run<T: Task>(self, task: T) -> T::Output {
        task.on(self)
    }

    #[inline(always)]
    fn bytes(self) -> Self {
        self
    }

    #[inline(always)]
    fn load(self, from: &[u32; 8]) -> Self::V {
        *from
    }
    #[inline(always)]
    fn store(self, a: Self::V, to: &mut [u32; 8]) {
        *to = a;
    }
    #[inline(always)]
    fn splat(self, a: u32) -> Self::V {
        [a; 8]
    }
    #[inline(always)]
    fn quad(self, a: [u32; 4]) -> Self::V {
        each(|i| a[i & 3])
    }

    #[inline(always)]
    fn and(self, a: Self::V, b: Self::V) -> Self::V {
        each(|i| a[i] & b[i])
    }
    #[inline(always)]
    fn or(self, a: Self::V, b: Self::V) -> Self::V {
        each(|i| a[i] | b[i])
    }
    #[inline(always)]
    fn xor(self, a: Self::V, b: Self::V) -> Self::V {
        each(|i| a[i] ^ b[i])
    }
    #[inline(always)]
    fn without(self, a: Self::V, b: Self::V) -> Self::V {
        each(|i| a[i] & !b[i])
    }
    #[inline(always)]
    fn sub(self, a: Self::V, b: Self::V) -> Self::V {
        each(|i| a[i].wrapping_sub(b[i]))
    }
    #[inline(always)]
    fn shl<const N: i32>(self, a: Self::V) -> Self::V {
        each(|i| a[i] << N)
    }
    #[inline(always)]
    fn shr<const N: i32>(self, a: Self::V) -> Self::V {
        each(|i| a[i] >> N)
    }
    #[inline(always)]
    fn shl_each(self, a: Self::V, n: Self::V) -> Self::V {
        each(|i| a[i].checked_shl(n[i]).unwrap_or(0))
    }
    #[inline(always)]
    fn shr_each(self, a: Self::V, n: Self::V) -> Self::V {
        each(|i| a[i].checked_shr(n[i]).unwrap_or(0))
    }

    #[inline(always)]
    fn or3(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        each(|i| a[i] | b[i] | c[i])
    }
    #[inline(always)]
    fn and3(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        each(|i| a[i] & b[i] & c[i])
    }
    #[inline(always)]
    fn and_or(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        each(|i| (a[i] & b[i]) | c[i])
    }
    #[inline(always)]
    fn xor_or(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        each(|i| (a[i] ^ b[i]) | c[i])
    }
    #[inline(always)]
    fn without_either(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        each(|i| a[i] & !(b[i] | c[i]))
    }
    #[inline(always)]
    fn exactly_one(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        each(|i| (a[i] ^ b[i] ^ c[i]) & !(a[i] & b[i] & c[i]))
    }
    #[inline(always)]
    fn keep_or_without(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        each(|i| b[i] | (a[i] & !c[i]))
    }
    #[inline(always)]
    fn select(self, mask: Self::V, a: Self::V, b: Self::V) -> Self::V {
        each(|i| (mask[i] & a[i]) | (!mask[i] & b[i]))
    }

    #[inline(always)]
    fn low_pairs(self, a: Self::V, b: Self::V) -> Self::V {
        halves_of_two(a, b, [0, 1])
    }
    #[inline(always)]
    fn high_pairs(self, a: Self::V, b: Self::V) -> Self::V {
        halves_of_two(a, b, [2, 3])
    }
    #[inline(always)]
    fn evens(self, a: Self::V, b: Self::V) -> Self::V {
        halves_of_two(a, b, [0, 2])
    }
    #[inline(always)]
    fn odds(self, a: Self::V, b: Self::V) -> Self::V {
        halves_of_two(a, b, [1, 3])
    }
    #[inline(always)]
    fn swap_pairs(self, a: Self::V) -> Self::V {
        halves(a, [2, 3, 0, 1])
    }
    #[inline(always)]
    fn swap_neighbours(self, a: Self::V) -> Self::V {
        halves(a, [1, 0, 3, 2])
    }
    #[inline(always)]
    fn swap_halves(self, a: Self::V) -> Self::V {
        each(|i| a[i ^ 4])
    }
    #[inline(always)]
    fn next_word(self, a: Self::V) -> Self::V {
        halves(a, [1, 2, 0, 0])
    }
    #[inline(always)]
    fn last_word(self, a: Self::V) -> Self::V {
        halves(a, [2, 0, 1, 1])
    }
    #[inline(always)]
    fn spread<const N: i32>(self, a: Self::V) -> Self::V {
        each(|i| a[(i & 4) + N.cast_unsigned() as usize])
    }

    #[inline(always)]
    fn equal(self, a: Self::V, b: Self::V) -> Self::V {
        each(|i| if a[i] == b[i] { u32::MAX } else { 0 })
    }
    #[inline(always)]
    fn pairs(self, a: Self::V) -> [u64; 4] {
        [0, 2, 4, 6].map(|i| u64::from(a[i]) | u64::from(a[i + 1]) << 32)
    }
    #[inline(always)]
    fn top_bits(self, a: Self::V) -> u32 {
        (0..8).fold(0, |bits, i| bits | a[i] >> 31 << i)
    }
    #[inline(always)]
    fn disjoint(self, a: Self::V, b: Self::V) -> bool {
        (0..8).fold(0, |all, i| all | (a[i] & b[i])) == 0
    }
    #[inline(always)]
    fn covers(self, a: Self::V, b: Self::V) -> bool {
        (0..8).fold(0, |all, i| all | (b[i] & !a[i])) == 0
    }
}

impl Bytes for Portable {
    #[inline(always)]
    fn planes(self, grid: &[u8; 81]) -> [[u32; 4]; 3] {
        let mut planes = [[0; 4]; 3];
        for (cell, &digit) in grid.iter().enumerate() {
            for (plane, bits) in planes[word(cell)].iter_mut().enumerate() {
                *bits |= u32::from(digit >> plane & 1) << bit(cell);
            }
        }
        planes
    }
    #[inline(always)]
    fn digits(self, planes: [Self::V; 4]) -> [u8; 81] {
        core::array::from_fn(|cell| {
            let bit_of = |plane: usize| (planes[plane][word(cell)] >> bit(cell) & 1) as u8;
            bit_of(0) | bit_of(1) << 1 | bit_of(2) << 2 | bit_of(3) << 3
        })
    }
}
