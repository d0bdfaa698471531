//! From grids to boards and back.

use super::board::{Board, Loaded};
use super::crowd;
use super::lanes::{Bytes, Lanes, Task};
use super::layout::FULL;

impl Board {
    /// The board of a grid, nothing concluded yet: a given has its cell for itself, a blank may be anything. Givens that
    /// clash show when it is closed.
    #[inline(always)]
    pub(crate) fn of<L: Lanes>(l: L, grid: &[u8; 81]) -> Self {
        let mut board = Self::EMPTY;
        l.bytes().run(Read {
            grid,
            board: &mut board,
        });
        board
    }

    /// The digits of a board that has one candidate a cell.
    #[inline(always)]
    pub(crate) fn grid<L: Lanes>(&self, l: L) -> [u8; 81] {
        l.bytes().run(Write(self))
    }
}

/// From a grid to its board.
pub(crate) struct Read<'a> {
    pub(crate) grid: &'a [u8; 81],
    pub(crate) board: &'a mut Board,
}

impl Task for Read<'_> {
    type Output = ();

    #[inline(always)]
    fn on<L: Lanes>(self, l: L) {
        let l = l.bytes();
        let planes = l.planes(self.grid);
        let blanks = planes.map(|[a, b, c, d]| FULL & !(a | b | c | d));
        let lacks: [_; 4] = core::array::from_fn(|plane| l.load(&DIGITS_WITHOUT_BIT[plane]));
        let x = core::array::from_fn(|word| {
            let fits: [_; 4] =
                core::array::from_fn(|plane| l.xor(l.splat(planes[word][plane]), lacks[plane]));
            l.and_or(
                l.and3(fits[0], fits[1], fits[2]),
                fits[3],
                l.splat(blanks[word]),
            )
        });
        let nines: [u32; 3] =
            core::array::from_fn(|word| (planes[word][0] & planes[word][3]) | blanks[word]);
        let nine = l.quad([nines[0], nines[1], nines[2], nines[2]]);
        self.board.store(l, Loaded { x, nine });
    }
}

/// From a solved board to its grid.
struct Write<'a>(&'a Board);

impl Task for Write<'_> {
    type Output = [u8; 81];

    #[inline(always)]
    fn on<L: Lanes>(self, l: L) -> [u8; 81] {
        let l = l.bytes();
        let board = self.0.load(l);
        l.digits(core::array::from_fn(|plane| {
            let lacks = l.load(&DIGITS_WITHOUT_BIT[plane]);
            let nine = if NINE >> plane & 1 == 1 {
                board.nine
            } else {
                l.splat(0)
            };
            let [x0, x1, x2] = board.x;
            crowd::any(
                l,
                Loaded {
                    x: [
                        l.without(x0, lacks),
                        l.without(x1, lacks),
                        l.without(x2, lacks),
                    ],
                    nine,
                },
            )
        }))
    }
}

/// The ninth digit's number.
const NINE: usize = 9;

/// All ones for the digits (1-8) whose number lacks the bit.
const DIGITS_WITHOUT_BIT: [[u32; 8]; 4] = {
    let mut table = [[0; 8]; 4];
    let mut i = 0;
    while i < 32 {
        let (plane, lane) = (i / 8, i % 8);
        if (lane + 1) >> plane & 1 == 0 {
            table[plane][lane] = FULL;
        }
        i += 1;
    }
    table
};
