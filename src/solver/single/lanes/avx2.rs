//! AVX2: eight lanes in one register.

#![allow(
    clippy::wildcard_imports,
    reason = "intrinsics have names of their own"
)]

use core::arch::x86_64::*;

use super::super::layout::{bit, word};
use super::{Bytes, Lanes, Task};
use crate::solver::cpu::Avx2;

/// The task, compiled with the features that the witness stands for.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn compiled<T: Task>(lanes: Avx2, task: T) -> T::Output {
    task.on(lanes)
}

macro_rules! cpu {
    ($intrinsic:expr) => {
        // SAFETY: a witness exists, so the CPU has the instruction; no intrinsic here touches memory.
        unsafe { $intrinsic }
    };
}

impl Lanes for Avx2 {
    type V = __m256i;

    type Bytes = Self;

    #[inline(always)]
    fn run<T: Task>(self, task: T) -> T::Output {
        // SAFETY: `self` is the witness that the CPU has these features.
        unsafe { compiled(self, task) }
    }

    #[inline(always)]
    fn bytes(self) -> Self {
        self
    }

    #[inline(always)]
    fn load(self, from: &[u32; 8]) -> Self::V {
        // SAFETY: the reference is good for 32 bytes, and the load needs no alignment.
        unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
    }
    #[inline(always)]
    fn store(self, a: Self::V, to: &mut [u32; 8]) {
        // SAFETY: the reference is good for 32 bytes, and the store needs no alignment.
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), a) }
    }
    #[inline(always)]
    fn splat(self, a: u32) -> Self::V {
        cpu!(_mm256_set1_epi32(a.cast_signed()))
    }
    #[inline(always)]
    fn quad(self, a: [u32; 4]) -> Self::V {
        let [a, b, c, d] = a.map(u32::cast_signed);
        cpu!(_mm256_setr_epi32(a, b, c, d, a, b, c, d))
    }

    #[inline(always)]
    fn and(self, a: Self::V, b: Self::V) -> Self::V {
        cpu!(_mm256_and_si256(a, b))
    }
    #[inline(always)]
    fn or(self, a: Self::V, b: Self::V) -> Self::V {
        cpu!(_mm256_or_si256(a, b))
    }
    #[inline(always)]
    fn xor(self, a: Self::V, b: Self::V) -> Self::V {
        cpu!(_mm256_xor_si256(a, b))
    }
    #[inline(always)]
    fn without(self, a: Self::V, b: Self::V) -> Self::V {
        cpu!(_mm256_andnot_si256(b, a))
    }
    #[inline(always)]
    fn sub(self, a: Self::V, b: Self::V) -> Self::V {
        cpu!(_mm256_sub_epi32(a, b))
    }
    #[inline(always)]
    fn shl<const N: i32>(self, a: Self::V) -> Self::V {
        cpu!(_mm256_slli_epi32::<N>(a))
    }
    #[inline(always)]
    fn shr<const N: i32>(self, a: Self::V) -> Self::V {
        cpu!(_mm256_srli_epi32::<N>(a))
    }
    #[inline(always)]
    fn shl_each(self, a: Self::V, n: Self::V) -> Self::V {
        cpu!(_mm256_sllv_epi32(a, n))
    }
    #[inline(always)]
    fn shr_each(self, a: Self::V, n: Self::V) -> Self::V {
        cpu!(_mm256_srlv_epi32(a, n))
    }

    #[inline(always)]
    fn or3(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.or(self.or(a, b), c)
    }
    #[inline(always)]
    fn and3(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.and(self.and(a, b), c)
    }
    #[inline(always)]
    fn and_or(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.or(self.and(a, b), c)
    }
    #[inline(always)]
    fn xor_or(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.or(self.xor(a, b), c)
    }
    #[inline(always)]
    fn without_either(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.without(a, self.or(b, c))
    }
    #[inline(always)]
    fn exactly_one(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.without(self.xor(self.xor(a, b), c), self.and3(a, b, c))
    }
    #[inline(always)]
    fn keep_or_without(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.or(b, self.without(a, c))
    }
    #[inline(always)]
    fn select(self, mask: Self::V, a: Self::V, b: Self::V) -> Self::V {
        self.or(self.and(mask, a), self.without(b, mask))
    }

    #[inline(always)]
    fn low_pairs(self, a: Self::V, b: Self::V) -> Self::V {
        cpu!(_mm256_unpacklo_epi64(a, b))
    }
    #[inline(always)]
    fn high_pairs(self, a: Self::V, b: Self::V) -> Self::V {
        cpu!(_mm256_unpackhi_epi64(a, b))
    }
    #[inline(always)]
    fn evens(self, a: Self::V, b: Self::V) -> Self::V {
        let (a, b) = (cpu!(_mm256_castsi256_ps(a)), cpu!(_mm256_castsi256_ps(b)));
        let mixed = cpu!(_mm256_shuffle_ps::<0b10_00_10_00>(a, b));
        cpu!(_mm256_castps_si256(mixed))
    }
    #[inline(always)]
    fn odds(self, a: Self::V, b: Self::V) -> Self::V {
        let (a, b) = (cpu!(_mm256_castsi256_ps(a)), cpu!(_mm256_castsi256_ps(b)));
        let mixed = cpu!(_mm256_shuffle_ps::<0b11_01_11_01>(a, b));
        cpu!(_mm256_castps_si256(mixed))
    }
    #[inline(always)]
    fn swap_pairs(self, a: Self::V) -> Self::V {
        cpu!(_mm256_shuffle_epi32::<0b01_00_11_10>(a))
    }
    #[inline(always)]
    fn swap_neighbours(self, a: Self::V) -> Self::V {
        cpu!(_mm256_shuffle_epi32::<0b10_11_00_01>(a))
    }
    #[inline(always)]
    fn swap_halves(self, a: Self::V) -> Self::V {
        cpu!(_mm256_permute4x64_epi64::<0b01_00_11_10>(a))
    }
    #[inline(always)]
    fn next_word(self, a: Self::V) -> Self::V {
        cpu!(_mm256_shuffle_epi32::<0b00_00_10_01>(a))
    }
    #[inline(always)]
    fn last_word(self, a: Self::V) -> Self::V {
        cpu!(_mm256_shuffle_epi32::<0b01_01_00_10>(a))
    }
    #[inline(always)]
    fn spread<const N: i32>(self, a: Self::V) -> Self::V {
        match N {
            0 => cpu!(_mm256_shuffle_epi32::<0b00_00_00_00>(a)),
            1 => cpu!(_mm256_shuffle_epi32::<0b01_01_01_01>(a)),
            2 => cpu!(_mm256_shuffle_epi32::<0b10_10_10_10>(a)),
            _ => cpu!(_mm256_shuffle_epi32::<0b11_11_11_11>(a)),
        }
    }

    #[inline(always)]
    fn equal(self, a: Self::V, b: Self::V) -> Self::V {
        cpu!(_mm256_cmpeq_epi32(a, b))
    }
    #[inline(always)]
    fn pairs(self, a: Self::V) -> [u64; 4] {
        let mut pairs = [0; 4];
        // SAFETY: the array is good for 32 bytes, and the store needs no alignment.
        unsafe { _mm256_storeu_si256(pairs.as_mut_ptr().cast(), a) };
        pairs
    }
    #[inline(always)]
    fn top_bits(self, a: Self::V) -> u32 {
        let a = cpu!(_mm256_castsi256_ps(a));
        cpu!(_mm256_movemask_ps(a)).cast_unsigned()
    }
    #[inline(always)]
    fn disjoint(self, a: Self::V, b: Self::V) -> bool {
        cpu!(_mm256_testz_si256(a, b)) == 1
    }
    #[inline(always)]
    fn covers(self, a: Self::V, b: Self::V) -> bool {
        cpu!(_mm256_testc_si256(a, b)) == 1
    }
}

impl Bytes for Avx2 {
    #[inline(always)]
    fn planes(self, grid: &[u8; 81]) -> [[u32; 4]; 3] {
        let mut bytes = [cpu!(_mm256_setzero_si256()); 3];
        for (row, to_words) in TO_WORDS.iter().enumerate() {
            let cells = both_halves(grid, start(row));
            for (places, word) in to_words.iter().zip(&mut bytes) {
                let placed = cpu!(_mm256_shuffle_epi8(cells, table(places)));
                *word = self.or(*word, placed);
            }
        }
        bytes.map(|bytes| {
            let shifted = [
                cpu!(_mm256_slli_epi16::<7>(bytes)),
                cpu!(_mm256_slli_epi16::<6>(bytes)),
                cpu!(_mm256_slli_epi16::<5>(bytes)),
                cpu!(_mm256_slli_epi16::<4>(bytes)),
            ];
            shifted.map(|plane| cpu!(_mm256_movemask_epi8(plane)).cast_unsigned())
        })
    }
    #[inline(always)]
    fn digits(self, planes: [Self::V; 4]) -> [u8; 81] {
        let mut bytes = [0; 96];
        for (chunk, to) in bytes.chunks_exact_mut(32).enumerate() {
            let (byte, tested) = (table(&BYTE_OF_CELL[chunk]), table(&BIT_OF_CELL[chunk]));
            let mut digits = cpu!(_mm256_setzero_si256());
            for (plane, words) in planes.into_iter().enumerate() {
                let bits = cpu!(_mm256_shuffle_epi8(words, byte));
                let set = cpu!(_mm256_cmpeq_epi8(self.and(bits, tested), tested));
                let value = cpu!(_mm256_set1_epi8(1 << plane));
                digits = self.or(digits, self.and(set, value));
            }
            // SAFETY: the chunk has 32 bytes, and the store needs no alignment.
            unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), digits) };
        }
        let mut grid = [0; 81];
        grid.copy_from_slice(&bytes[..81]);
        grid
    }
}

/// Where sixteen bytes start that hold the row and lie in the grid.
const fn start(row: usize) -> usize {
    if row < 8 { 9 * row } else { 81 - 16 }
}

/// For a row and a word: which of the sixteen bytes goes to each byte of the word; 0x80 gives zero.
#[allow(clippy::cast_possible_truncation, reason = "numbers below 16")]
const TO_WORDS: [[[u8; 32]; 3]; 9] = {
    let mut tables = [[[0x80; 32]; 3]; 9];
    let mut cell = 0;
    while cell < 81 {
        tables[cell / 9][word(cell)][bit(cell) as usize] = (cell - start(cell / 9)) as u8;
        cell += 1;
    }
    tables
};

/// For 32 cells: the byte of a plane's words that has the cell's bit.
#[allow(clippy::cast_possible_truncation, reason = "numbers below 12")]
const BYTE_OF_CELL: [[u8; 32]; 3] = {
    let mut table = [[0; 32]; 3];
    let mut cell = 0;
    while cell < 81 {
        table[cell / 32][cell % 32] = 4 * word(cell) as u8 + bit(cell) as u8 / 8;
        cell += 1;
    }
    table
};

/// For 32 cells: the cell's bit in that byte.
const BIT_OF_CELL: [[u8; 32]; 3] = {
    let mut table = [[1; 32]; 3];
    let mut cell = 0;
    while cell < 81 {
        table[cell / 32][cell % 32] = 1 << (bit(cell) % 8);
        cell += 1;
    }
    table
};

#[inline(always)]
fn table(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: the reference is good for 32 bytes, and the load needs no alignment.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

#[inline(always)]
fn both_halves(grid: &[u8; 81], start: usize) -> __m256i {
    let from = grid[start..start + 16].as_ptr();
    // SAFETY: the slice has sixteen bytes, and the load needs no alignment.
    let half = unsafe { _mm_loadu_si128(from.cast()) };
    cpu!(_mm256_broadcastsi128_si256(half))
}
