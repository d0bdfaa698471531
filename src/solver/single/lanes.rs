//! What the engine asks of a CPU: eight `u32` lanes, seen as two halves of four.

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "intrinsics")]
mod avx2;
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "intrinsics")]
mod avx512;
mod portable;
#[cfg(test)]
mod tests;

/// A piece of generic code that is to be compiled for one engine's instructions.
pub(crate) trait Task {
    /// What it answers.
    type Output;
    /// The code; every implementation is `#[inline(always)]`.
    fn on<L: Lanes>(self, lanes: L) -> Self::Output;
}

/// A witness that the CPU has an engine's instructions, and what they do.
pub(crate) trait Lanes: Copy {
    /// Eight lanes of 32 bits.
    type V: Copy;

    /// The engine that reads and writes grids for this one; boards in memory are the same for all.
    type Bytes: Bytes;

    /// Runs the task as a function of its own, under the engine's target features.
    fn run<T: Task>(self, task: T) -> T::Output;

    /// The witness for `Bytes`.
    fn bytes(self) -> Self::Bytes;

    /// The lanes of an array.
    fn load(self, from: &[u32; 8]) -> Self::V;
    /// The array of the lanes.
    fn store(self, a: Self::V, to: &mut [u32; 8]);
    /// The same number in every lane.
    fn splat(self, a: u32) -> Self::V;
    /// Four numbers, in both halves.
    fn quad(self, a: [u32; 4]) -> Self::V;

    /// `a & b`
    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a | b`
    fn or(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a ^ b`
    fn xor(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a & !b`
    fn without(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a - b` in each lane
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a << N` in each lane
    fn shl<const N: i32>(self, a: Self::V) -> Self::V;
    /// `a >> N` in each lane
    fn shr<const N: i32>(self, a: Self::V) -> Self::V;
    /// `a << n`, each lane by its own count; 32 and more give 0
    fn shl_each(self, a: Self::V, n: Self::V) -> Self::V;
    /// `a >> n`, each lane by its own count; 32 and more give 0
    fn shr_each(self, a: Self::V, n: Self::V) -> Self::V;

    /// `a | b | c`
    fn or3(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `a & b & c`
    fn and3(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `(a & b) | c`
    fn and_or(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `(a ^ b) | c`
    fn xor_or(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `a & !(b | c)`
    fn without_either(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// bits set in exactly one of the three
    fn exactly_one(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `a & (b | !c)`, where `b` is a part of `a`
    fn keep_or_without(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// bits of `a` where `mask` is set, of `b` elsewhere
    fn select(self, mask: Self::V, a: Self::V, b: Self::V) -> Self::V;

    /// In each half `a0 a1 b0 b1`.
    fn low_pairs(self, a: Self::V, b: Self::V) -> Self::V;
    /// In each half `a2 a3 b2 b3`.
    fn high_pairs(self, a: Self::V, b: Self::V) -> Self::V;
    /// In each half `a0 a2 b0 b2`.
    fn evens(self, a: Self::V, b: Self::V) -> Self::V;
    /// In each half `a1 a3 b1 b3`.
    fn odds(self, a: Self::V, b: Self::V) -> Self::V;
    /// In each half `a2 a3 a0 a1`.
    fn swap_pairs(self, a: Self::V) -> Self::V;
    /// In each half `a1 a0 a3 a2`.
    fn swap_neighbours(self, a: Self::V) -> Self::V;
    /// The halves change places.
    fn swap_halves(self, a: Self::V) -> Self::V;
    /// In each half `a1 a2 a0 a0`: to each word its successor; the fourth lane repeats the third.
    fn next_word(self, a: Self::V) -> Self::V;
    /// In each half `a2 a0 a1 a1`: to each word its predecessor.
    fn last_word(self, a: Self::V) -> Self::V;
    /// In each half lane `N` four times.
    fn spread<const N: i32>(self, a: Self::V) -> Self::V;

    /// All ones in the lanes where `a == b`, else zero.
    fn equal(self, a: Self::V, b: Self::V) -> Self::V;
    /// The lanes by two, the lower in the lower bits.
    fn pairs(self, a: Self::V) -> [u64; 4];
    /// Bit `i` is the top bit of lane `i`.
    fn top_bits(self, a: Self::V) -> u32;
    /// `a & b` is zero in every lane.
    fn disjoint(self, a: Self::V, b: Self::V) -> bool;
    /// `a` has every bit of `b`.
    fn covers(self, a: Self::V, b: Self::V) -> bool;
}

/// Lanes that also read and write grids.
pub(crate) trait Bytes: Lanes {
    /// For each word of the layout the four bit planes of its cells' digits.
    fn planes(self, grid: &[u8; 81]) -> [[u32; 4]; 3];
    /// The inverse of `planes`: a plane each, its words in the first three lanes of both halves.
    fn digits(self, planes: [Self::V; 4]) -> [u8; 81];
}
