//! R4, the locked triple: three digits that their rows can place in one minirow only own its three cells (and so for columns).

use super::board::Loaded;
use super::lanes::Lanes;
use super::layout::FULL;
use super::turns::{bands, minicolumns, minirows, nine_minicolumns, stacks, turn, turn_nine};

/// The board after the rule, and whether no minirow or minicolumn has more than three locked digits.
#[inline(always)]
pub(crate) fn triple<L: Lanes>(l: L, b: Loaded<L>) -> (Loaded<L>, bool) {
    let (rows, columns) = (minirows(l, b.x), minicolumns(l, b.x));
    let nine_rows = l.or3(b.nine, l.next_word(b.nine), l.last_word(b.nine));
    let nine_columns = nine_minicolumns(l, b.nine);
    let rows = alone(l, rows, stacks(l, rows));
    let columns = alone(l, columns, bands(l, columns));
    let nine_rows = alone(l, nine_rows, stacks(l, nine_rows));
    let nine_columns = alone(l, nine_columns, bands(l, nine_columns));

    let [three, more] = three_or_more(l, rows, columns, nine_rows, nine_columns);
    let (full_rows, full_columns) = (l.spread::<0>(three), l.spread::<2>(three));
    let (rows, columns) = (l.without(full_rows, rows), l.without(full_columns, columns));
    let [_, columns1, columns2] = turn::<L, true>(l, [columns; 3]);
    let (nine_rows, nine_columns) = (
        l.without(full_rows, nine_rows),
        l.without(full_columns, nine_columns),
    );
    let board = Loaded {
        x: [
            l.without_either(b.x[0], rows, columns),
            l.without_either(b.x[1], rows, columns1),
            l.without_either(b.x[2], rows, columns2),
        ],
        nine: l.without_either(b.nine, nine_rows, turn_nine::<L, true>(l, nine_columns)),
    };
    (board, l.disjoint(more, l.splat(FULL)))
}

/// The bits of a matrix that are alone in their group.
#[inline(always)]
fn alone<L: Lanes>(l: L, matrix: L::V, [one, two]: [L::V; 2]) -> L::V {
    l.without_either(matrix, one, two)
}

/// Over the nine digits: bits that are set exactly three times, and more often; in each half the first two lanes speak
/// of rows, the others of columns.
#[inline(always)]
fn three_or_more<L: Lanes>(
    l: L,
    rows: L::V,
    columns: L::V,
    nine_rows: L::V,
    nine_columns: L::V,
) -> [L::V; 2] {
    let (a, b) = (l.low_pairs(rows, columns), l.high_pairs(rows, columns));
    let (ones, twos) = (l.xor(a, b), l.and(a, b));
    let (a, b) = (
        (ones, twos),
        (l.swap_neighbours(ones), l.swap_neighbours(twos)),
    );
    let (carry, ones) = (l.and(a.0, b.0), l.xor(a.0, b.0));
    let fours = l.and_or(a.1, b.1, l.and(l.xor(a.1, b.1), carry));
    let twos = l.xor(l.xor(a.1, b.1), carry);
    let other = (
        l.swap_halves(ones),
        l.swap_halves(twos),
        l.swap_halves(fours),
    );
    let (carry, sum) = (l.and(ones, other.0), l.xor(ones, other.0));
    let pair = l.xor(twos, other.1);
    let many = l.or(
        l.or3(fours, other.2, l.and(twos, other.1)),
        l.and(pair, carry),
    );
    let pair = l.xor(pair, carry);
    let nine = l.low_pairs(nine_rows, nine_columns);
    let many = l.or(many, l.and3(sum, pair, nine));
    let pair = l.xor(pair, l.and(sum, nine));
    let sum = l.xor(sum, nine);
    [l.without(l.and(sum, pair), many), many]
}
