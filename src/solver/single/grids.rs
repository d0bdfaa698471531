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
        let lacks = [lacking(l, 0), lacking(l, 1), lacking(l, 2), lacking(l, 3)];
        let x = [
            fitting(l, planes[0], lacks, blanks[0]),
            fitting(l, planes[1], lacks, blanks[1]),
            fitting(l, planes[2], lacks, blanks[2]),
        ];
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
        l.digits([
            plane(l, board, 0),
            plane(l, board, 1),
            plane(l, board, 2),
            plane(l, board, 3),
        ])
    }
}

// No closures below: what they do with vectors is inlined only if the compiler likes, and
// else every operation in them is a call.

/// All ones for the digits 1-8 whose number lacks the bit `plane`.
#[inline(always)]
fn lacking<L: Lanes>(l: L, plane: usize) -> L::V {
    l.load(&DIGITS_WITHOUT_BIT[plane])
}

/// The cells of a word where each of the digits 1-8 may stand, from the bit planes of the
/// givens.
#[inline(always)]
fn fitting<L: Lanes>(l: L, planes: [u32; 4], lacks: [L::V; 4], blanks: u32) -> L::V {
    let fits = [
        l.xor(l.splat(planes[0]), lacks[0]),
        l.xor(l.splat(planes[1]), lacks[1]),
        l.xor(l.splat(planes[2]), lacks[2]),
        l.xor(l.splat(planes[3]), lacks[3]),
    ];
    let all = l.and3(fits[0], fits[1], fits[2]);
    l.and_or(all, fits[3], l.splat(blanks))
}

/// The cells whose digit has the bit `plane` in its number.
#[inline(always)]
fn plane<L: Lanes>(l: L, board: Loaded<L>, plane: usize) -> L::V {
    let lacks = lacking(l, plane);
    let nine = if NINE >> plane & 1 == 1 {
        board.nine
    } else {
        l.splat(0)
    };
    let x = [
        l.without(board.x[0], lacks),
        l.without(board.x[1], lacks),
        l.without(board.x[2], lacks),
    ];
    crowd::any(l, Loaded { x, nine })
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
