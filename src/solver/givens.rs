//! Whether givens clash. Which ones do is the business of the rules; the solver only has
//! to tell a clash from other reasons why there is no solution.

use crate::grid::Grid;

/// Whether a digit stands twice in a unit of `grid`.
pub(super) fn clash(grid: &Grid) -> bool {
    let (mut rows, mut columns, mut boxes) = ([0u16; 9], [0u16; 9], [0u16; 9]);
    let mut twice = 0;
    for (cell, &value) in grid.values().iter().enumerate() {
        let (row, column) = (cell / 9, cell % 9);
        // Bit 0 is the blank's, which may stand anywhere.
        let digit = (1 << value) & !1;
        for seen in [
            &mut rows[row],
            &mut columns[column],
            &mut boxes[row / 3 * 3 + column / 3],
        ] {
            twice |= *seen & digit;
            *seen |= digit;
        }
    }
    twice != 0
}
