//! Puzzle lanes on plain arrays: what every other engine must mean, and fast where LLVM vectorises.

use super::{LaneSet, MOST, PuzzleLanes, Task};
use crate::solver::cpu::Portable;

const N: usize = 8;

/// Eight lanes.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
pub(crate) struct Words([u16; N]);

#[inline(always)]
fn zip(a: Words, b: Words, f: impl Fn(u16, u16) -> u16) -> Words {
    let mut out = [0; N];
    for lane in 0..N {
        out[lane] = f(a.0[lane], b.0[lane]);
    }
    Words(out)
}

#[inline(always)]
fn zip3(a: Words, b: Words, c: Words, f: impl Fn(u16, u16, u16) -> u16) -> Words {
    let mut out = [0; N];
    for lane in 0..N {
        out[lane] = f(a.0[lane], b.0[lane], c.0[lane]);
    }
    Words(out)
}

#[inline(always)]
fn mask(truth: bool) -> u16 {
    if truth { u16::MAX } else { 0 }
}

impl PuzzleLanes for Portable {
    const LANES: usize = N;
    const UNZIPS: bool = false;

    type Words = Words;
    type Mask = Words;

    #[inline(never)]
    fn run<T: Task<Self>>(self, task: T) -> T::Output {
        task.run(self)
    }

    #[inline(always)]
    fn words(words: &Words) -> &[u16] {
        &words.0
    }

    #[inline(always)]
    fn words_mut(words: &mut Words) -> &mut [u16] {
        &mut words.0
    }

    #[inline(always)]
    fn splat(self, word: u16) -> Words {
        Words([word; N])
    }

    #[inline(always)]
    fn only(self, lane: usize, word: u16) -> Words {
        let mut out = [0; N];
        out[lane] = word;
        Words(out)
    }

    #[inline(always)]
    fn load_pairs(self, bytes: &[u8]) -> Words {
        let mut out = [0; N];
        for (word, pair) in out.iter_mut().zip(bytes.as_chunks::<2>().0) {
            *word = u16::from_le_bytes(*pair);
        }
        Words(out)
    }

    #[inline(always)]
    fn store_pairs(self, words: Words, bytes: &mut [u8]) {
        for (word, pair) in words.0.iter().zip(bytes.as_chunks_mut::<2>().0) {
            *pair = word.to_le_bytes();
        }
    }

    #[inline(always)]
    fn transpose(self, block: &mut [Words]) {
        for row in 0..N {
            for lane in 0..row {
                let word = block[row].0[lane];
                block[row].0[lane] = block[lane].0[row];
                block[lane].0[row] = word;
            }
        }
    }

    #[inline(always)]
    fn transpose_eights(self, block: &mut [Words; 8]) {
        self.transpose(block);
    }

    #[inline(always)]
    fn pick(self, own: Words, other: Words, from: &[u16; MOST]) -> Words {
        let both = [own.0, other.0];
        let both = both.as_flattened();
        let mut out = [0; N];
        for lane in 0..N {
            let source = usize::from(from[lane]);
            out[lane] = both[source % N + source / MOST % 2 * N];
        }
        Words(out)
    }

    #[inline(always)]
    fn and(self, a: Words, b: Words) -> Words {
        zip(a, b, |a, b| a & b)
    }

    #[inline(always)]
    fn or(self, a: Words, b: Words) -> Words {
        zip(a, b, |a, b| a | b)
    }

    #[inline(always)]
    fn without(self, a: Words, b: Words) -> Words {
        zip(a, b, |a, b| a & !b)
    }

    #[inline(always)]
    fn add(self, a: Words, b: Words) -> Words {
        zip(a, b, u16::wrapping_add)
    }

    #[inline(always)]
    fn less_one(self, a: Words) -> Words {
        zip(a, a, |a, _| a.wrapping_sub(1))
    }

    #[inline(always)]
    fn high_byte(self, a: Words) -> Words {
        zip(a, a, |a, _| a >> 8)
    }

    #[inline(always)]
    fn pair(self, low: Words, high: Words) -> Words {
        zip(low, high, |low, high| low | high << 8)
    }

    #[inline(always)]
    fn any3(self, a: Words, b: Words, c: Words) -> Words {
        zip3(a, b, c, |a, b, c| a | b | c)
    }

    #[inline(always)]
    fn all3(self, a: Words, b: Words, c: Words) -> Words {
        zip3(a, b, c, |a, b, c| a & b & c)
    }

    #[inline(always)]
    fn odd3(self, a: Words, b: Words, c: Words) -> Words {
        zip3(a, b, c, |a, b, c| a ^ b ^ c)
    }

    #[inline(always)]
    fn two_of3(self, a: Words, b: Words, c: Words) -> Words {
        zip3(a, b, c, |a, b, c| a & b | (a | b) & c)
    }

    #[inline(always)]
    fn one_of3(self, a: Words, b: Words, c: Words) -> Words {
        zip3(a, b, c, |a, b, c| (a ^ b ^ c) & !(a & b & c))
    }

    #[inline(always)]
    fn without2(self, a: Words, b: Words, c: Words) -> Words {
        zip3(a, b, c, |a, b, c| a & !(b | c))
    }

    #[inline(always)]
    fn or_without(self, a: Words, b: Words, c: Words) -> Words {
        zip3(a, b, c, |a, b, c| a | b & !c)
    }

    #[inline(always)]
    fn crossing(self, a: Words, b: Words, c: Words, d: Words) -> Words {
        self.or(self.and(a, d), self.and(b, c))
    }

    #[inline(always)]
    fn single(self, a: Words) -> Words {
        zip(a, a, |a, _| a & mask(a & a.wrapping_sub(1) == 0))
    }

    #[inline(always)]
    fn place(self, cell: Words, allowed: Words, hidden: Words) -> Words {
        zip3(cell, allowed, hidden, |cell, allowed, hidden| {
            let hit = cell & hidden;
            hit | cell & allowed & mask(hit == 0)
        })
    }

    #[inline(always)]
    fn keep_triple(self, allowed: Words, locked: Words, clash: &mut Words) -> Words {
        let third = zip(locked, locked, |locked, _| {
            let second = locked & locked.wrapping_sub(1);
            second & second.wrapping_sub(1)
        });
        *clash = zip(*clash, third, |clash, third| {
            clash | third & third.wrapping_sub(1)
        });
        zip3(allowed, locked, third, |allowed, locked, third| {
            allowed & (locked | mask(third == 0))
        })
    }

    #[inline(always)]
    fn count(self, a: Words) -> Words {
        zip(a, a, |a, _| {
            let pairs = a - (a >> 1 & 0x5555);
            let fours = (pairs & 0x3333) + (pairs >> 2 & 0x3333);
            let bytes = (fours + (fours >> 4)) & 0x0f0f;
            (bytes + (bytes >> 8)) & 0xff
        })
    }

    #[inline(always)]
    fn digit(self, a: Words) -> Words {
        let below = self.count(self.less_one(a));
        self.and(self.add(below, self.splat(1)), self.splat(0xf))
    }

    #[inline(always)]
    fn one_hot(self, digit: Words) -> Words {
        zip(digit, digit, |digit, _| (1 << (digit & 0xf)) >> 1)
    }

    #[inline(always)]
    fn some(self, a: Words) -> Words {
        zip(a, a, |a, _| mask(a != 0))
    }

    #[inline(always)]
    fn same(self, a: Words, b: Words) -> Words {
        zip(a, b, |a, b| mask(a == b))
    }

    #[inline(always)]
    fn less(self, a: Words, b: Words) -> Words {
        zip(a, b, |a, b| mask(a < b))
    }

    #[inline(always)]
    fn select(self, mask: Words, a: Words, b: Words) -> Words {
        zip3(mask, a, b, |mask, a, b| a & mask | b & !mask)
    }

    #[inline(always)]
    fn set(self, mask: Words) -> LaneSet {
        let mut set = 0;
        for lane in 0..N {
            set |= LaneSet::from(mask.0[lane] & 1) << lane;
        }
        set
    }
}
