//! AVX-512 (VL): the lanes of `avx2`, with three operands an operation and twice the registers.

#![allow(
    clippy::wildcard_imports,
    reason = "intrinsics have names of their own"
)]

use core::arch::x86_64::*;

use super::{Lanes, Task};
use crate::solver::cpu::{Avx2, Avx512};

/// The task, compiled with the features that the witness stands for.
#[inline(never)]
#[target_feature(
    enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt"
)]
fn compiled<T: Task>(lanes: Avx512, task: T) -> T::Output {
    task.on(lanes)
}

macro_rules! cpu {
    ($intrinsic:expr) => {
        // SAFETY: a witness exists, so the CPU has the instruction; no intrinsic here touches memory.
        unsafe { $intrinsic }
    };
}

impl Lanes for Avx512 {
    type V = __m256i;

    type Bytes = Avx2;

    #[inline(always)]
    fn run<T: Task>(self, task: T) -> T::Output {
        // SAFETY: `self` is the witness that the CPU has these features.
        unsafe { compiled(self, task) }
    }

    #[inline(always)]
    fn bytes(self) -> Avx2 {
        self.avx2()
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
        cpu!(_mm256_ternarylogic_epi32::<0xFE>(a, b, c))
    }
    #[inline(always)]
    fn and3(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        cpu!(_mm256_ternarylogic_epi32::<0x80>(a, b, c))
    }
    #[inline(always)]
    fn and_or(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        cpu!(_mm256_ternarylogic_epi32::<0xEA>(a, b, c))
    }
    #[inline(always)]
    fn xor_or(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        cpu!(_mm256_ternarylogic_epi32::<0xBE>(a, b, c))
    }
    #[inline(always)]
    fn without_either(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        cpu!(_mm256_ternarylogic_epi32::<0x10>(a, b, c))
    }
    #[inline(always)]
    fn exactly_one(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        cpu!(_mm256_ternarylogic_epi32::<0x16>(a, b, c))
    }
    #[inline(always)]
    fn keep_or_without(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        cpu!(_mm256_ternarylogic_epi32::<0xDC>(a, b, c))
    }
    #[inline(always)]
    fn select(self, mask: Self::V, a: Self::V, b: Self::V) -> Self::V {
        cpu!(_mm256_ternarylogic_epi32::<0xCA>(mask, a, b))
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
