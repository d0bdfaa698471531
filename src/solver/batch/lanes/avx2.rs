//! Puzzle lanes on AVX2: sixteen puzzles a vector, masks that are vectors too.

#[allow(
    clippy::wildcard_imports,
    reason = "the intrinsics carry their own long names"
)]
use core::arch::x86_64::*;

use super::{LaneSet, MOST, PuzzleLanes, Task};
use crate::solver::cpu::Avx2;

const N: usize = 16;

/// Sixteen lanes.
pub(crate) type Words = __m256i;

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn compiled_for_avx2<T: Task<Avx2>>(lanes: Avx2, task: T) -> T::Output {
    task.run(lanes)
}

/// One intrinsic, whose CPU feature the witness has shown.
macro_rules! op {
    ($call:expr) => {
        // SAFETY: an `Avx2` exists only where the CPU has these instructions.
        unsafe { $call }
    };
}

#[inline(always)]
fn load(words: &[u16; N]) -> Words {
    let words = words.as_ptr();
    // SAFETY: the array has the 32 bytes that are read, and an `Avx2` has shown the instruction.
    unsafe { _mm256_loadu_si256(words.cast()) }
}

/// Exchanges words and vectors in every 128-bit half of eight vectors.
#[inline(always)]
fn transpose_words(rows: &mut [Words; 8]) {
    let [a, b, c, d, e, f, g, h] = *rows;
    let (ab, cd) = (
        op!(_mm256_unpacklo_epi16(a, b)),
        op!(_mm256_unpacklo_epi16(c, d)),
    );
    let (ef, gh) = (
        op!(_mm256_unpacklo_epi16(e, f)),
        op!(_mm256_unpacklo_epi16(g, h)),
    );
    let (low, high) = (
        op!(_mm256_unpacklo_epi32(ab, cd)),
        op!(_mm256_unpacklo_epi32(ef, gh)),
    );
    rows[0] = op!(_mm256_unpacklo_epi64(low, high));
    rows[1] = op!(_mm256_unpackhi_epi64(low, high));
    let (low, high) = (
        op!(_mm256_unpackhi_epi32(ab, cd)),
        op!(_mm256_unpackhi_epi32(ef, gh)),
    );
    rows[2] = op!(_mm256_unpacklo_epi64(low, high));
    rows[3] = op!(_mm256_unpackhi_epi64(low, high));
    let (ab, cd) = (
        op!(_mm256_unpackhi_epi16(a, b)),
        op!(_mm256_unpackhi_epi16(c, d)),
    );
    let (ef, gh) = (
        op!(_mm256_unpackhi_epi16(e, f)),
        op!(_mm256_unpackhi_epi16(g, h)),
    );
    let (low, high) = (
        op!(_mm256_unpacklo_epi32(ab, cd)),
        op!(_mm256_unpacklo_epi32(ef, gh)),
    );
    rows[4] = op!(_mm256_unpacklo_epi64(low, high));
    rows[5] = op!(_mm256_unpackhi_epi64(low, high));
    let (low, high) = (
        op!(_mm256_unpackhi_epi32(ab, cd)),
        op!(_mm256_unpackhi_epi32(ef, gh)),
    );
    rows[6] = op!(_mm256_unpacklo_epi64(low, high));
    rows[7] = op!(_mm256_unpackhi_epi64(low, high));
}

/// Each lane's number, the first in the lowest lane.
const NUMBERS: [u16; N] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// A table of sixteen bytes in both halves.
#[inline(always)]
fn table(bytes: [i8; 16]) -> Words {
    let half = i128::from_le_bytes(bytes.map(i8::cast_unsigned));
    let (low, high) = (half as i64, (half >> 64) as i64);
    op!(_mm256_setr_epi64x(low, high, low, high))
}

#[inline(always)]
fn zero() -> Words {
    op!(_mm256_setzero_si256())
}

/// All ones in the lanes that are zero.
#[inline(always)]
fn none(a: Words) -> Words {
    op!(_mm256_cmpeq_epi16(a, zero()))
}

impl PuzzleLanes for Avx2 {
    const LANES: usize = N;
    const UNZIPS: bool = true;

    type Words = Words;
    type Mask = Words;

    #[inline(always)]
    fn run<T: Task<Self>>(self, task: T) -> T::Output {
        op!(compiled_for_avx2(self, task))
    }

    #[inline(always)]
    fn words(words: &Words) -> &[u16] {
        let lanes: *const [u16; N] = std::ptr::from_ref(words).cast();
        // SAFETY: a vector is sixteen `u16`, without padding, better aligned than they need.
        unsafe { &*lanes }
    }

    #[inline(always)]
    fn words_mut(words: &mut Words) -> &mut [u16] {
        let lanes: *mut [u16; N] = std::ptr::from_mut(words).cast();
        // SAFETY: a vector is sixteen `u16`, without padding, better aligned than they need.
        unsafe { &mut *lanes }
    }

    #[inline(always)]
    fn splat(self, word: u16) -> Words {
        op!(_mm256_set1_epi16(word.cast_signed()))
    }

    #[inline(always)]
    fn only(self, lane: usize, word: u16) -> Words {
        let numbers = load(&NUMBERS);
        let here = op!(_mm256_cmpeq_epi16(numbers, self.splat(lane as u16)));
        self.and(here, self.splat(word))
    }

    #[inline(always)]
    fn load_pairs(self, bytes: &[u8]) -> Words {
        let bytes = bytes[..2 * N].as_ptr();
        // SAFETY: the slice above has the 32 bytes that are read.
        unsafe { _mm256_loadu_si256(bytes.cast()) }
    }

    #[inline(always)]
    fn store_pairs(self, words: Words, bytes: &mut [u8]) {
        let bytes = bytes[..2 * N].as_mut_ptr();
        // SAFETY: the slice above has the 32 bytes that are written.
        unsafe { _mm256_storeu_si256(bytes.cast(), words) }
    }

    #[inline(always)]
    fn transpose(self, block: &mut [Words]) {
        let (eights, _) = block[..N].as_chunks_mut::<8>();
        for eight in &mut *eights {
            transpose_words(eight);
        }
        let [a, b] = eights else {
            unreachable!("sixteen vectors")
        };
        for (low, high) in a.iter_mut().zip(b) {
            let (first, second) = (*low, *high);
            *low = op!(_mm256_permute2x128_si256::<0x20>(first, second));
            *high = op!(_mm256_permute2x128_si256::<0x31>(first, second));
        }
    }

    #[inline(always)]
    fn transpose_eights(self, block: &mut [Words; 8]) {
        transpose_words(block);
    }

    #[inline(always)]
    fn pick(self, own: Words, other: Words, from: &[u16; MOST]) -> Words {
        // A byte shuffle reaches sixteen bytes: one for each half of each source, which gives zero where the lane is not from there.
        let from = load(from.first_chunk().expect("a vector's lanes"));
        let twice = self.add(from, from);
        let bytes = self.add(self.pair(twice, twice), self.splat(0x0100));
        let pick = |half: Words, first: u16| {
            // Out of range becomes negative or 16 and more; the saturating sum turns the latter into the former.
            let near = op!(_mm256_sub_epi8(bytes, self.splat(first * 0x0101)));
            let near = op!(_mm256_adds_epu8(near, self.splat(0x7070)));
            op!(_mm256_shuffle_epi8(half, near))
        };
        let low = |a: Words| op!(_mm256_permute2x128_si256::<0x00>(a, a));
        let high = |a: Words| op!(_mm256_permute2x128_si256::<0x11>(a, a));
        let mine = self.or(pick(low(own), 0), pick(high(own), 16));
        let theirs = self.or(pick(low(other), 64), pick(high(other), 80));
        self.or(mine, theirs)
    }

    #[inline(always)]
    fn and(self, a: Words, b: Words) -> Words {
        op!(_mm256_and_si256(a, b))
    }

    #[inline(always)]
    fn or(self, a: Words, b: Words) -> Words {
        op!(_mm256_or_si256(a, b))
    }

    #[inline(always)]
    fn without(self, a: Words, b: Words) -> Words {
        op!(_mm256_andnot_si256(b, a))
    }

    #[inline(always)]
    fn add(self, a: Words, b: Words) -> Words {
        op!(_mm256_add_epi16(a, b))
    }

    #[inline(always)]
    fn less_one(self, a: Words) -> Words {
        self.add(a, self.splat(u16::MAX))
    }

    #[inline(always)]
    fn high_byte(self, a: Words) -> Words {
        op!(_mm256_srli_epi16::<8>(a))
    }

    #[inline(always)]
    fn pair(self, low: Words, high: Words) -> Words {
        let high = op!(_mm256_slli_epi16::<8>(high));
        self.or(low, high)
    }

    #[inline(always)]
    fn any3(self, a: Words, b: Words, c: Words) -> Words {
        self.or(self.or(a, b), c)
    }

    #[inline(always)]
    fn all3(self, a: Words, b: Words, c: Words) -> Words {
        self.and(self.and(a, b), c)
    }

    #[inline(always)]
    fn odd3(self, a: Words, b: Words, c: Words) -> Words {
        let ab = op!(_mm256_xor_si256(a, b));
        op!(_mm256_xor_si256(ab, c))
    }

    #[inline(always)]
    fn two_of3(self, a: Words, b: Words, c: Words) -> Words {
        self.or(self.and(a, b), self.and(self.or(a, b), c))
    }

    #[inline(always)]
    fn one_of3(self, a: Words, b: Words, c: Words) -> Words {
        self.without(self.odd3(a, b, c), self.and(a, b))
    }

    #[inline(always)]
    fn without2(self, a: Words, b: Words, c: Words) -> Words {
        self.without(a, self.or(b, c))
    }

    #[inline(always)]
    fn or_without(self, a: Words, b: Words, c: Words) -> Words {
        self.or(a, self.without(b, c))
    }

    #[inline(always)]
    fn crossing(self, a: Words, b: Words, c: Words, d: Words) -> Words {
        self.or(self.and(a, d), self.and(b, c))
    }

    #[inline(always)]
    fn single(self, a: Words) -> Words {
        self.and(a, none(self.and(a, self.less_one(a))))
    }

    #[inline(always)]
    fn place(self, cell: Words, allowed: Words, hidden: Words) -> Words {
        let missed = none(self.and(cell, hidden));
        self.and(cell, self.select(missed, allowed, hidden))
    }

    #[inline(always)]
    fn keep_triple(self, allowed: Words, locked: Words, clash: &mut Words) -> Words {
        let second = self.and(locked, self.less_one(locked));
        let third = self.and(second, self.less_one(second));
        *clash = self.or(*clash, self.and(third, self.less_one(third)));
        self.select(none(third), allowed, locked)
    }

    #[inline(always)]
    fn count(self, a: Words) -> Words {
        let counts = table([0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4]);
        let nibbles = self.splat(0x0f0f);
        let low = op!(_mm256_shuffle_epi8(counts, self.and(a, nibbles)));
        let above = op!(_mm256_srli_epi16::<4>(a));
        let high = op!(_mm256_shuffle_epi8(counts, self.and(above, nibbles)));
        let bytes = op!(_mm256_add_epi8(low, high));
        self.and(self.add(bytes, self.high_byte(bytes)), self.splat(0xff))
    }

    #[inline(always)]
    fn digit(self, a: Words) -> Words {
        let below = self.count(self.less_one(a));
        self.and(self.add(below, self.splat(1)), self.splat(0xf))
    }

    #[inline(always)]
    fn one_hot(self, digit: Words) -> Words {
        let sets = table([0, 1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0]);
        let digit = self.and(digit, self.splat(0xf));
        let ninth = op!(_mm256_cmpeq_epi16(digit, self.splat(9)));
        let low = self.and(op!(_mm256_shuffle_epi8(sets, digit)), self.splat(0xff));
        self.or(low, self.and(ninth, self.splat(0x100)))
    }

    #[inline(always)]
    fn some(self, a: Words) -> Words {
        op!(_mm256_xor_si256(none(a), self.splat(u16::MAX)))
    }

    #[inline(always)]
    fn same(self, a: Words, b: Words) -> Words {
        op!(_mm256_cmpeq_epi16(a, b))
    }

    #[inline(always)]
    fn less(self, a: Words, b: Words) -> Words {
        op!(_mm256_cmpgt_epi16(b, a))
    }

    #[inline(always)]
    fn select(self, mask: Words, a: Words, b: Words) -> Words {
        op!(_mm256_blendv_epi8(b, a, mask))
    }

    #[inline(always)]
    fn set(self, mask: Words) -> LaneSet {
        let bytes = op!(_mm256_packs_epi16(mask, zero()));
        let bits = op!(_mm256_movemask_epi8(bytes)).cast_unsigned();
        bits & 0xff | bits >> 8
    }
}
