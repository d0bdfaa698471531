//! Puzzle lanes on AVX-512: any logic of three sets in one instruction, masks in registers of their own.

#[allow(
    clippy::wildcard_imports,
    reason = "the intrinsics carry their own long names"
)]
use core::arch::x86_64::*;

use super::{LaneSet, MOST, PuzzleLanes, Task};
use crate::solver::cpu::Avx512;

const N: usize = 32;

/// Thirty-two lanes.
pub(crate) type Words = __m512i;

#[target_feature(enable = "avx512f,avx512bw,avx512bitalg,bmi1,bmi2,popcnt")]
fn compiled_for_avx512<T: Task<Avx512>>(lanes: Avx512, task: T) -> T::Output {
    task.run(lanes)
}

/// One intrinsic, whose CPU feature the witness has shown.
macro_rules! op {
    ($call:expr) => {
        // SAFETY: an `Avx512` exists only where the CPU has these instructions.
        unsafe { $call }
    };
}

#[inline(always)]
fn load(words: &[u16; N]) -> Words {
    let words = words.as_ptr();
    // SAFETY: the array has the 64 bytes that are read, and an `Avx512` has shown the instruction.
    unsafe { _mm512_loadu_si512(words.cast()) }
}

/// Exchanges words and vectors in every 128-bit quarter of eight vectors.
#[inline(always)]
fn transpose_words(rows: &mut [Words; 8]) {
    let [a, b, c, d, e, f, g, h] = *rows;
    let (ab, cd) = (
        op!(_mm512_unpacklo_epi16(a, b)),
        op!(_mm512_unpacklo_epi16(c, d)),
    );
    let (ef, gh) = (
        op!(_mm512_unpacklo_epi16(e, f)),
        op!(_mm512_unpacklo_epi16(g, h)),
    );
    let (low, high) = (
        op!(_mm512_unpacklo_epi32(ab, cd)),
        op!(_mm512_unpacklo_epi32(ef, gh)),
    );
    rows[0] = op!(_mm512_unpacklo_epi64(low, high));
    rows[1] = op!(_mm512_unpackhi_epi64(low, high));
    let (low, high) = (
        op!(_mm512_unpackhi_epi32(ab, cd)),
        op!(_mm512_unpackhi_epi32(ef, gh)),
    );
    rows[2] = op!(_mm512_unpacklo_epi64(low, high));
    rows[3] = op!(_mm512_unpackhi_epi64(low, high));
    let (ab, cd) = (
        op!(_mm512_unpackhi_epi16(a, b)),
        op!(_mm512_unpackhi_epi16(c, d)),
    );
    let (ef, gh) = (
        op!(_mm512_unpackhi_epi16(e, f)),
        op!(_mm512_unpackhi_epi16(g, h)),
    );
    let (low, high) = (
        op!(_mm512_unpacklo_epi32(ab, cd)),
        op!(_mm512_unpacklo_epi32(ef, gh)),
    );
    rows[4] = op!(_mm512_unpacklo_epi64(low, high));
    rows[5] = op!(_mm512_unpackhi_epi64(low, high));
    let (low, high) = (
        op!(_mm512_unpackhi_epi32(ab, cd)),
        op!(_mm512_unpackhi_epi32(ef, gh)),
    );
    rows[6] = op!(_mm512_unpacklo_epi64(low, high));
    rows[7] = op!(_mm512_unpackhi_epi64(low, high));
}

/// Exchanges 128-bit quarters and vectors of four vectors.
#[inline(always)]
fn transpose_quarters([a, b, c, d]: [Words; 4]) -> [Words; 4] {
    let (ab, cd) = (
        op!(_mm512_shuffle_i32x4::<0x44>(a, b)),
        op!(_mm512_shuffle_i32x4::<0x44>(c, d)),
    );
    let (even, odd) = (
        op!(_mm512_shuffle_i32x4::<0x88>(ab, cd)),
        op!(_mm512_shuffle_i32x4::<0xdd>(ab, cd)),
    );
    let (ab, cd) = (
        op!(_mm512_shuffle_i32x4::<0xee>(a, b)),
        op!(_mm512_shuffle_i32x4::<0xee>(c, d)),
    );
    [
        even,
        odd,
        op!(_mm512_shuffle_i32x4::<0x88>(ab, cd)),
        op!(_mm512_shuffle_i32x4::<0xdd>(ab, cd)),
    ]
}

const DIGITS: [u16; N] = {
    let mut table = [0; N];
    let mut digit = 1;
    while digit <= 9 {
        table[digit] = 1 << (digit - 1);
        digit += 1;
    }
    table
};

impl PuzzleLanes for Avx512 {
    const LANES: usize = N;
    const UNZIPS: bool = true;

    type Words = Words;
    type Mask = __mmask32;

    #[inline(always)]
    fn run<T: Task<Self>>(self, task: T) -> T::Output {
        op!(compiled_for_avx512(self, task))
    }

    #[inline(always)]
    fn words(words: &Words) -> &[u16] {
        let lanes: *const [u16; N] = std::ptr::from_ref(words).cast();
        // SAFETY: a vector is thirty-two `u16`, without padding, better aligned than they need.
        unsafe { &*lanes }
    }

    #[inline(always)]
    fn words_mut(words: &mut Words) -> &mut [u16] {
        let lanes: *mut [u16; N] = std::ptr::from_mut(words).cast();
        // SAFETY: a vector is thirty-two `u16`, without padding, better aligned than they need.
        unsafe { &mut *lanes }
    }

    #[inline(always)]
    fn splat(self, word: u16) -> Words {
        op!(_mm512_set1_epi16(word.cast_signed()))
    }

    #[inline(always)]
    fn only(self, lane: usize, word: u16) -> Words {
        op!(_mm512_maskz_set1_epi16(1 << lane, word.cast_signed()))
    }

    #[inline(always)]
    fn load_pairs(self, bytes: &[u8]) -> Words {
        let bytes = bytes[..2 * N].as_ptr();
        // SAFETY: the slice above has the 64 bytes that are read.
        unsafe { _mm512_loadu_si512(bytes.cast()) }
    }

    #[inline(always)]
    fn store_pairs(self, words: Words, bytes: &mut [u8]) {
        let bytes = bytes[..2 * N].as_mut_ptr();
        // SAFETY: the slice above has the 64 bytes that are written.
        unsafe { _mm512_storeu_si512(bytes.cast(), words) }
    }

    #[inline(always)]
    fn transpose(self, block: &mut [Words]) {
        let (eights, _) = block[..N].as_chunks_mut::<8>();
        for eight in &mut *eights {
            transpose_words(eight);
        }
        let [a, b, c, d] = eights else {
            unreachable!("thirty-two vectors")
        };
        for word in 0..8 {
            [a[word], b[word], c[word], d[word]] =
                transpose_quarters([a[word], b[word], c[word], d[word]]);
        }
    }

    #[inline(always)]
    fn transpose_eights(self, block: &mut [Words; 8]) {
        transpose_words(block);
    }

    #[inline(always)]
    fn pick(self, own: Words, other: Words, from: &[u16; MOST]) -> Words {
        op!(_mm512_permutex2var_epi16(own, load(from), other))
    }

    #[inline(always)]
    fn and(self, a: Words, b: Words) -> Words {
        op!(_mm512_and_si512(a, b))
    }

    #[inline(always)]
    fn or(self, a: Words, b: Words) -> Words {
        op!(_mm512_or_si512(a, b))
    }

    #[inline(always)]
    fn without(self, a: Words, b: Words) -> Words {
        op!(_mm512_andnot_si512(b, a))
    }

    #[inline(always)]
    fn add(self, a: Words, b: Words) -> Words {
        op!(_mm512_add_epi16(a, b))
    }

    #[inline(always)]
    fn less_one(self, a: Words) -> Words {
        self.add(a, self.splat(u16::MAX))
    }

    #[inline(always)]
    fn high_byte(self, a: Words) -> Words {
        op!(_mm512_srli_epi16::<8>(a))
    }

    #[inline(always)]
    fn pair(self, low: Words, high: Words) -> Words {
        let high = op!(_mm512_slli_epi16::<8>(high));
        self.or(low, high)
    }

    #[inline(always)]
    fn any3(self, a: Words, b: Words, c: Words) -> Words {
        op!(_mm512_ternarylogic_epi32::<0b1111_1110>(a, b, c))
    }

    #[inline(always)]
    fn all3(self, a: Words, b: Words, c: Words) -> Words {
        op!(_mm512_ternarylogic_epi32::<0b1000_0000>(a, b, c))
    }

    #[inline(always)]
    fn odd3(self, a: Words, b: Words, c: Words) -> Words {
        op!(_mm512_ternarylogic_epi32::<0b1001_0110>(a, b, c))
    }

    #[inline(always)]
    fn two_of3(self, a: Words, b: Words, c: Words) -> Words {
        op!(_mm512_ternarylogic_epi32::<0b1110_1000>(a, b, c))
    }

    #[inline(always)]
    fn one_of3(self, a: Words, b: Words, c: Words) -> Words {
        op!(_mm512_ternarylogic_epi32::<0b0001_0110>(a, b, c))
    }

    #[inline(always)]
    fn without2(self, a: Words, b: Words, c: Words) -> Words {
        op!(_mm512_ternarylogic_epi32::<0b0001_0000>(a, b, c))
    }

    #[inline(always)]
    fn or_without(self, a: Words, b: Words, c: Words) -> Words {
        op!(_mm512_ternarylogic_epi32::<0b1111_0100>(a, b, c))
    }

    #[inline(always)]
    fn crossing(self, a: Words, b: Words, c: Words, d: Words) -> Words {
        let other = self.and(b, c);
        op!(_mm512_ternarylogic_epi32::<0b1111_1000>(other, a, d))
    }

    #[inline(always)]
    fn single(self, a: Words) -> Words {
        let one = op!(_mm512_testn_epi16_mask(a, self.less_one(a)));
        op!(_mm512_maskz_mov_epi16(one, a))
    }

    #[inline(always)]
    fn place(self, cell: Words, allowed: Words, hidden: Words) -> Words {
        let hit = op!(_mm512_test_epi16_mask(cell, hidden));
        self.and(cell, self.select(hit, hidden, allowed))
    }

    #[inline(always)]
    fn keep_triple(self, allowed: Words, locked: Words, clash: &mut Words) -> Words {
        let count = self.count(locked);
        let three = op!(_mm512_cmpgt_epu16_mask(count, self.splat(2)));
        // Counts above three have bit 2 or bit 3; the caller's clash is read through these bits too.
        *clash = op!(_mm512_ternarylogic_epi32::<0b1111_1000>(
            *clash,
            count,
            self.splat(12)
        ));
        self.select(three, locked, allowed)
    }

    #[inline(always)]
    fn count(self, a: Words) -> Words {
        op!(_mm512_popcnt_epi16(a))
    }

    #[inline(always)]
    fn digit(self, a: Words) -> Words {
        let below = self.count(self.less_one(a));
        self.and(self.add(below, self.splat(1)), self.splat(0xf))
    }

    #[inline(always)]
    fn one_hot(self, digit: Words) -> Words {
        op!(_mm512_permutexvar_epi16(digit, load(&DIGITS)))
    }

    #[inline(always)]
    fn some(self, a: Words) -> __mmask32 {
        op!(_mm512_test_epi16_mask(a, a))
    }

    #[inline(always)]
    fn same(self, a: Words, b: Words) -> __mmask32 {
        op!(_mm512_cmpeq_epi16_mask(a, b))
    }

    #[inline(always)]
    fn less(self, a: Words, b: Words) -> __mmask32 {
        op!(_mm512_cmplt_epu16_mask(a, b))
    }

    #[inline(always)]
    fn select(self, mask: __mmask32, a: Words, b: Words) -> Words {
        op!(_mm512_mask_blend_epi16(mask, b, a))
    }

    #[inline(always)]
    fn set(self, mask: __mmask32) -> LaneSet {
        mask
    }
}
