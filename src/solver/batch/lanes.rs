//! Vectors that hold one candidate set of many puzzles, a puzzle a lane.
//!
//! A lane is a `u16` whose bits 0-8 are the digits 1-9. The algorithm is written once over
//! [`PuzzleLanes`]; the files below differ in nothing but the CPU they speak to.

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "intrinsics")]
mod avx2;
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "intrinsics")]
mod avx512;
mod portable;
#[cfg(test)]
mod tests;

use std::fmt::Debug;

/// All nine digits.
pub(crate) const ALL: u16 = 0x1ff;

/// A set of lanes, lane 0 in the lowest bit.
pub(crate) type LaneSet = u32;

/// The most lanes that any engine has.
pub(crate) const MOST: usize = 32;

/// All lanes of an engine.
#[must_use]
pub(crate) const fn all<P: PuzzleLanes>() -> LaneSet {
    LaneSet::MAX >> (LaneSet::BITS as usize - P::LANES)
}

/// The members of a set of lanes.
pub(crate) fn members(mut set: LaneSet) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            lane
        })
    })
}

/// Work that runs as one function compiled for the CPU of its lanes.
pub(crate) trait Task<P: PuzzleLanes> {
    /// What the work hands back.
    type Output;

    /// Does the work; must be inlined whole, or every operation becomes a call.
    fn run(self, lanes: P) -> Self::Output;
}

/// The operations on vectors of candidate sets; to hold one is to have checked the CPU.
pub(crate) trait PuzzleLanes: Copy + Debug {
    /// How many puzzles go into one vector.
    const LANES: usize;

    /// Whether boards are taken out faster through [`transpose_eights`](Self::transpose_eights) than word by word.
    const UNZIPS: bool;

    /// One `u16` a lane.
    type Words: Copy + Debug;

    /// One truth a lane.
    type Mask: Copy + Debug;

    /// Runs a task in a function that is compiled for this CPU.
    fn run<T: Task<Self>>(self, task: T) -> T::Output;

    /// The lanes of a vector, in order.
    fn words(words: &Self::Words) -> &[u16];

    /// The lanes of a vector, in order, to write to.
    fn words_mut(words: &mut Self::Words) -> &mut [u16];

    /// The same word in every lane.
    fn splat(self, word: u16) -> Self::Words;

    /// `word` in one lane, zero in the others.
    fn only(self, lane: usize, word: u16) -> Self::Words;

    /// The first `2 * LANES` bytes, two a lane, the first of them in the low half.
    fn load_pairs(self, bytes: &[u8]) -> Self::Words;

    /// The lanes as bytes, two a lane, into the first `2 * LANES` bytes.
    fn store_pairs(self, words: Self::Words, bytes: &mut [u8]);

    /// Exchanges lanes and vectors of a block of `LANES` vectors.
    fn transpose(self, block: &mut [Self::Words]);

    /// Exchanges lanes and vectors within every eight lanes of eight vectors.
    fn transpose_eights(self, block: &mut [Self::Words; 8]);

    /// Every lane of the result from the lane of `own` that `from` names, or, from `MOST` on, from that of `other`.
    fn pick(self, own: Self::Words, other: Self::Words, from: &[u16; MOST]) -> Self::Words;

    /// `a & b`.
    fn and(self, a: Self::Words, b: Self::Words) -> Self::Words;

    /// `a | b`.
    fn or(self, a: Self::Words, b: Self::Words) -> Self::Words;

    /// `a & !b`.
    fn without(self, a: Self::Words, b: Self::Words) -> Self::Words;

    /// `a + b`, wrapping.
    fn add(self, a: Self::Words, b: Self::Words) -> Self::Words;

    /// `a - 1`, wrapping.
    fn less_one(self, a: Self::Words) -> Self::Words;

    /// `a >> 8`.
    fn high_byte(self, a: Self::Words) -> Self::Words;

    /// `low | high << 8`.
    fn pair(self, low: Self::Words, high: Self::Words) -> Self::Words;

    /// `a | b | c`.
    fn any3(self, a: Self::Words, b: Self::Words, c: Self::Words) -> Self::Words;

    /// `a & b & c`.
    fn all3(self, a: Self::Words, b: Self::Words, c: Self::Words) -> Self::Words;

    /// What is in exactly one or in all three (the sum bit of a full adder).
    fn odd3(self, a: Self::Words, b: Self::Words, c: Self::Words) -> Self::Words;

    /// What is in two or three of them (the carry bit of a full adder).
    fn two_of3(self, a: Self::Words, b: Self::Words, c: Self::Words) -> Self::Words;

    /// What is in exactly one.
    fn one_of3(self, a: Self::Words, b: Self::Words, c: Self::Words) -> Self::Words;

    /// `a & !b & !c`.
    fn without2(self, a: Self::Words, b: Self::Words, c: Self::Words) -> Self::Words;

    /// `a | b & !c`.
    fn or_without(self, a: Self::Words, b: Self::Words, c: Self::Words) -> Self::Words;

    /// `a & d | b & c`: the ways to place a digit in a two by two square.
    fn crossing(
        self,
        a: Self::Words,
        b: Self::Words,
        c: Self::Words,
        d: Self::Words,
    ) -> Self::Words;

    /// The set itself where it has one member or none, else nothing.
    fn single(self, a: Self::Words) -> Self::Words;

    /// A cell that has a `hidden` digit with its hidden digits alone, any other with what is `allowed`.
    fn place(self, cell: Self::Words, allowed: Self::Words, hidden: Self::Words) -> Self::Words;

    /// `locked` where that has three members or more, else `allowed`; `clash` gets a bit where it has more than three.
    fn keep_triple(
        self,
        allowed: Self::Words,
        locked: Self::Words,
        clash: &mut Self::Words,
    ) -> Self::Words;

    /// How many members each set has.
    fn count(self, a: Self::Words) -> Self::Words;

    /// The digit (1-9) that is a set's only member, and 0 or anything at all for other sets.
    fn digit(self, a: Self::Words) -> Self::Words;

    /// The set whose only member is the digit in the low five bits, and nothing for 0.
    fn one_hot(self, digit: Self::Words) -> Self::Words;

    /// Whether a lane is not zero.
    fn some(self, a: Self::Words) -> Self::Mask;

    /// Whether the lanes are the same.
    fn same(self, a: Self::Words, b: Self::Words) -> Self::Mask;

    /// Whether `a` is less than `b`; both below 32,768.
    fn less(self, a: Self::Words, b: Self::Words) -> Self::Mask;

    /// `a` where the mask holds, else `b`.
    fn select(self, mask: Self::Mask, a: Self::Words, b: Self::Words) -> Self::Words;

    /// The lanes where the mask holds.
    fn set(self, mask: Self::Mask) -> LaneSet;
}
