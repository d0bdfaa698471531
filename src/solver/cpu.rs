//! Witnesses that the CPU has an engine's instructions.
//!
//! To hold one is to have checked the CPU, so every operation on lanes that takes one is
//! safe to call.

/// Needs nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Portable;

/// An x86-64 CPU with AVX2 and the bit manipulation that came with it.
#[cfg(target_arch = "x86_64")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Avx2(());

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    /// The witness, if this CPU has the instructions.
    #[must_use]
    pub fn new() -> Option<Self> {
        let has = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        has.then_some(Self(()))
    }
}

/// An x86-64 CPU with AVX-512 as server CPUs have had it since 2019: F, BW, VL, VBMI,
/// BITALG and VPOPCNTDQ.
#[cfg(target_arch = "x86_64")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Avx512(Avx2);

#[cfg(target_arch = "x86_64")]
impl Avx512 {
    /// The witness, if this CPU has the instructions.
    #[must_use]
    pub fn new() -> Option<Self> {
        let has = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512bitalg")
            && is_x86_feature_detected!("avx512vpopcntdq");
        if has { Avx2::new().map(Self) } else { None }
    }

    /// The witness of the smaller instruction set.
    #[must_use]
    pub const fn avx2(self) -> Avx2 {
        self.0
    }
}
