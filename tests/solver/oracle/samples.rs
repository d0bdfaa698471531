//! Boards for the tests of the oracles themselves.

/// The puzzle that opens Wikipedia's article "Sudoku", and its solution.
pub(crate) const PUZZLE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
pub(crate) const SOLUTION: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// The same puzzle with a third given, 1 for 4: it clashes with nothing.
pub(crate) const UNSOLVABLE: &str =
    "531.7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// The same puzzle with a second 5 in the first row.
pub(crate) const CLASH_IN_ROW: &str =
    "53..7...56..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// The same puzzle with a second 8 in the first column.
pub(crate) const CLASH_IN_COLUMN: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..58...8..79";

/// The same puzzle with a second 3 in the first box, in no line with the other.
pub(crate) const CLASH_IN_BOX: &str =
    "53..7....6.3195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// The solution without the four cells where 1 and 3 can change places.
pub(crate) const TWO_SOLUTIONS: &str =
    "53467891267219534819834256785976.42.42685.79.713924856961537284287419635345286179";

/// The same with 1 and 3 in the other places.
pub(crate) const SECOND_SOLUTION: &str =
    "534678912672195348198342567859763421426851793713924856961537284287419635345286179";

/// Nothing given, and the smallest of all solutions in reading order.
pub(crate) const EMPTY: &str =
    ".................................................................................";
pub(crate) const SMALLEST: &str =
    "123456789456789123789123456214365897365897214897214365531642978642978531978531642";

/// From Wikipedia's "Sudoku solving algorithms": seventeen givens, and a first
/// row of 987654321 that takes a row-major search ages to reach.
pub(crate) const AGAINST_BRUTE_FORCE: &str =
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9";

/// By Peter Norvig, from "Solving Every Sudoku Puzzle": no solution, which took his
/// program 24 minutes to find out.
pub(crate) const IMPOSSIBLE: &str =
    ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........";

/// By Arto Inkala, published in 2012 as the hardest there is.
pub(crate) const HARD: &str =
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";

/// The same with a digit that clashes with nothing.
pub(crate) const HARD_AND_UNSOLVABLE: &str =
    "8..........36......7..9.2...5...7...1...457.....1...3...1....68..85...1..9....4..";

/// Four digits have no place in the first row but three cells.
pub(crate) const FOUR_FOR_THREE: &str =
    "............12.34....34.12.......................................................";

/// Few givens, no clash and no solution: found by taking givens away from unsolvable
/// boards for as long as it took an engine more guesses.
pub(crate) const UNSOLVABLE_WITH_10: &str =
    ".......9........35........6.........9..563...........................2........8..";
pub(crate) const UNSOLVABLE_WITH_12: &str =
    "......9........6.87.3..2...............8.....................6.....43.....69.....";
pub(crate) const UNSOLVABLE_WITH_14: &str =
    ".............5........7...8..1.2...9.............85..6......4.........5.86...9...";
pub(crate) const UNSOLVABLE_WITH_16: &str =
    ".4.....81...6..........84..1..5......84............5..............7...1.81.....4.";
