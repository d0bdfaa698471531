//! How the solver works, in eight chapters. This module is only for reading: the code is in the files that the
//! chapters name.
//!
//! 1. [A band](#a-band)
//! 2. [The rules](#the-rules)
//! 3. [The choice](#the-choice)
//! 4. [Why all engines make the same guesses](#why-all-engines-make-the-same-guesses)
//! 5. [One puzzle, its digits in the lanes](#one-puzzle-its-digits-in-the-lanes)
//! 6. [Many puzzles, a puzzle a lane](#many-puzzles-a-puzzle-a-lane)
//! 7. [The smallest solutions](#the-smallest-solutions)
//! 8. [What keeps it right](#what-keeps-it-right)
//!
//! # A band
//!
//! Three rows that run through the same three boxes are a *band*. The three cells that a row and a box share are a
//! *minirow*, so a band has nine of them, three by three:
//!
//! ```text
//!            box 0     box 1     box 2
//!          ┌─────────┬─────────┬─────────┐
//!   row 0  │  . . .  │  . . .  │  . . .  │
//!   row 1  │  . . .  │ [. . .] │  . . .  │   [ ] is the minirow of row 1 and box 1
//!   row 2  │  . . .  │  . . .  │  . . .  │
//!          └─────────┴─────────┴─────────┘
//! ```
//!
//! Three columns are a *stack* of minicolumns, and all that is said of bands here holds for stacks with the columns
//! for rows. A board has three bands and three stacks.
//!
//! For one digit, and nothing but the question in which minirows it may still stand, a band is a matrix of nine bits.
//! The digit stands once in each row and once in each box, so its three places are a permutation: there are six *ways*
//! at most, and the matrix tells which of them are left.
//!
//! ```text
//!            may stand here      one way      the other
//!   row 0        x x .            x . .         . x .
//!   row 1        x . x            . . x         x . .
//!   row 2        . x x            . x .         . . x
//! ```
//!
//! # The rules
//!
//! A board is what is known: the digits that may still stand in each cell. Five rules take candidates away, or find
//! that there is no solution:
//!
//! - **R0, everything has a place.** Each cell has a candidate, and each digit a place in each row, column and box. If
//!   not, the board is dead.
//! - **R1, naked singles.** A digit that is its cell's only candidate leaves the other cells of the row, the column
//!   and the box.
//! - **R2, locked candidates.** In each band and stack a digit leaves the minirows that are in none of its ways; a
//!   digit without a way makes the board dead. A minirow stays if the other two rows can hold the digit in the other
//!   two boxes, one way round or the other:
//!
//!   ```text
//!     . . .       A . .         . . B
//!     . x .       . x .    or   . x .
//!     . . .       . . A         B . .
//!   ```
//!
//! - **R3, hidden singles.** A cell that is a digit's only place in a row, a column or a box loses its other
//!   candidates; two such digits in one cell make the board dead.
//! - **R4, locked triples.** A digit that its row allows in one minirow only is locked there. Three locked digits own
//!   the three cells of the minirow, and all others leave it; four make the board dead.
//!
//! They are applied until nothing changes: the board is *closed* then. It is solved if each cell has one candidate
//! left. A rule that takes a candidate from a board takes it also from every board that has only a part of its
//! candidates, or finds that one dead. Therefore it does not matter in which order the rules are applied, and how
//! many at once: what is left is the same.
//!
//! # The choice
//!
//! When the rules stall, something has to be assumed. What, follows from the closed board alone:
//!
//! 1. The band (or stack) with the fewest ways, summed over its nine digits, of those that have more than nine: with
//!    nine, each digit has one way, and nothing is left to choose. Of equals the first, bands before stacks.
//! 2. In it the lowest digit with two ways; if there is none, the lowest with three; else the lowest with more.
//! 3. Of this digit the first row that has several minirows, and in that the first minirow.
//!
//! The board is split in two. In the *assumption* the digit stands in this minirow, so it leaves the others of the row
//! and of the box; in the *negation* it leaves this minirow. A split is one guess. The assumption leaves
//! the digit two ways at most, and both halves give R2 something to work on at once.
//!
//! # Why all engines make the same guesses
//!
//! An engine is free to apply the rules in any order, in 8 lanes or in 32. But the closed board does not depend on
//! that (chapter 2), and the choice depends on nothing else (chapter 3). So all engines search the same tree of boards,
//! and a tree that is searched to its end, because the puzzle has one solution or none, has the same number of splits
//! however it is walked through:
//!
//! ```
//! use sudoku_service::grid::Grid;
//! use sudoku_service::solver::{Budget, Decision, Engine, StopFlag};
//!
//! let grid: Grid =
//!     "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
//!         .parse()?;
//! let stop = StopFlag::new();
//! let guesses = |engine: Engine| {
//!     let mut budget = Budget::new(100_000, &stop);
//!     assert!(matches!(engine.decide(&grid, &mut budget), Decision::One(_)));
//!     budget.spent()
//! };
//! let mut all = Engine::all().map(guesses);
//! let portable = all.next().expect("every CPU can run one");
//! assert!(portable > 0 && all.all(|other| other == portable));
//! # Ok::<(), sudoku_service::grid::ParseGridError>(())
//! ```
//!
//! The search for one puzzle also has one order: depth first, the assumption before its negation. It ends at the
//! second solution, and so its guesses are the same everywhere for puzzles with several solutions, too. A batch may
//! meet another pair of solutions first; [`decide_batch`](super::Engine::decide_batch) then has other guesses, and
//! [`solve_batch`](super::Engine::solve_batch) asks [`solve`](super::Engine::solve) about such a grid.
//!
//! # One puzzle, its digits in the lanes
//!
//! *`src/solver/single`: `layout` and `board`, then `round`, `triple`, `choice` and `search`.*
//!
//! For each digit a board has the 81 cells where it may stand, as three words of 27 bits. A cell is band `k`, row `r`
//! of the band, stack `b`, column `j` of the stack, each 0 to 2. It is **bit `9r + 3k + b` of word `(j + r) % 3`**:
//!
//! ```text
//!                the word of each cell            the bit, the same for a whole minirow
//!             b = 0     b = 1     b = 2              b = 0     b = 1     b = 2
//!           ┌─────────┬─────────┬─────────┐        ┌─────────┬─────────┬─────────┐
//!     r = 0 │  0 1 2  │  0 1 2  │  0 1 2  │  r = 0 │    0    │    1    │    2    │
//! k=0 r = 1 │  1 2 0  │  1 2 0  │  1 2 0  │  r = 1 │    9    │   10    │   11    │
//!     r = 2 │  2 0 1  │  2 0 1  │  2 0 1  │  r = 2 │   18    │   19    │   20    │
//!           ├─────────┼─────────┼─────────┤        ├─────────┼─────────┼─────────┤
//!     r = 0 │  0 1 2  │  0 1 2  │  0 1 2  │  r = 0 │    3    │    4    │    5    │
//! k=1 r = 1 │  1 2 0  │  1 2 0  │  1 2 0  │  r = 1 │   12    │   13    │   14    │
//!     r = 2 │  2 0 1  │  2 0 1  │  2 0 1  │  r = 2 │   21    │   22    │   23    │
//!           ├─────────┼─────────┼─────────┤        ├─────────┼─────────┼─────────┤
//!     r = 0 │  0 1 2  │  0 1 2  │  0 1 2  │  r = 0 │    6    │    7    │    8    │
//! k=2 r = 1 │  1 2 0  │  1 2 0  │  1 2 0  │  r = 1 │   15    │   16    │   17    │
//!     r = 2 │  2 0 1  │  2 0 1  │  2 0 1  │  r = 2 │   24    │   25    │   26    │
//!           └─────────┴─────────┴─────────┘        └─────────┴─────────┴─────────┘
//! ```
//!
//! The bits of a word are three slots of nine, a slot for each `r`:
//!
//! ```text
//!   bit   26             18 17              9 8               0
//!        │      r = 2      │      r = 1      │      r = 0      │
//!   k    │  2  │  1  │  0  │  2  │  1  │  0  │  2  │  1  │  0  │
//!   b    │2 1 0│2 1 0│2 1 0│2 1 0│2 1 0│2 1 0│2 1 0│2 1 0│2 1 0│
//! ```
//!
//! - The three cells of a minirow are the same bit of the three words. So *the minirows of a digit are the OR of its
//!   words*, all 27 at once, and those of a band are the matrix of chapter 1.
//! - Turn word 1 by a slot one way and word 2 by a slot the other way, and the three cells of a *minicolumn* are the
//!   same bit: the OR is all 27 minicolumns. A round of rules begins in one of these frames and ends in the other, so
//!   a board is turned once a round.
//! - Turning slots moves the rows of a matrix, and turning the bits of each group (for minicolumns the groups of each
//!   slot) moves its boxes. R2 is what its drawing says: each way round is an AND of turned matrices, and both
//!   together are their OR.
//!
//! The digits 1 to 8 have a lane each in three vectors, a vector for each word. The 9 has its words in the lanes of a
//! fourth. That makes 128 bytes, which are the whole board:
//!
//! ```text
//!   lane      0    1    2    3    4    5    6    7
//!   word 0   1's  2's  3's  4's  5's  6's  7's  8's
//!   word 1   1's  2's  3's  4's  5's  6's  7's  8's
//!   word 2   1's  2's  3's  4's  5's  6's  7's  8's
//!   the 9    w 0  w 1  w 2  w 2  w 0  w 1  w 2  w 2
//! ```
//!
//! What asks about one digit (R2, and where it has one place in a box) works on all lanes side by side. What asks about
//! one cell (has it one candidate, has it two, is it claimed by a digit) is folded over the lanes. A round applies R0
//! to R3 without a branch: rows and columns need no hidden singles of their own, since R2 leaves a digit with one
//! minirow in its row only that minirow in the box. Rounds are repeated until they stall; then R4 has its say, and
//! only if it has none is there a choice. The boards that wait are a stack, the negation below the assumption.
//!
//! # Many puzzles, a puzzle a lane
//!
//! *`src/solver/batch`: `naked` and `sweep`, then `choice`, `search` and `deal`.*
//!
//! Here a board is 81 sets of candidates, nine bits each, and a vector has the same cell of 8 (portable), 16 (AVX2) or
//! 32 (AVX-512) puzzles:
//!
//! ```text
//!                  lane 0             lane 1                   lane 15
//!   cell  0   123456789 of A     123456789 of B    . . .   123456789 of P
//!   cell  1   123456789 of A     123456789 of B    . . .   123456789 of P
//!     . . .
//!   cell 80   123456789 of A     123456789 of B    . . .   123456789 of P
//! ```
//!
//! A minirow is the OR of three vectors, and so the matrix of chapter 1 is nine vectors that have all nine digits of
//! all puzzles in them. A *sweep* goes over the three bands and the three stacks. In each it takes the naked singles
//! away (R1), keeps what is in a way (R2), sets what is locked in a minirow and has one cell there (R3), and
//! lets three locked digits drive out the others (R4), for all lanes and without a branch. It also gathers which lanes
//! are dead (R0), which did not change, and which are solved.
//!
//! - In front of it is a simpler stage: puzzles are loaded and naked singles alone are set until few of them gain by
//!   it. Many easy ones need nothing else.
//! - Lanes that stall wait until enough of them do, and are then split together. The lane goes on with the assumption.
//! - A free lane takes the negation of a board that is split just then, else a board that waits, else the next puzzle.
//!   So a puzzle may be searched in several lanes at once. Its guesses and solutions are counted with the puzzle.
//! - With fewer puzzles than lanes, one after the other is faster, and that is what is done.
//!
//! # The smallest solutions
//!
//! *`src/solver/single/ordered`.*
//!
//! The order of the search above is good for speed and means nothing to a caller. The service promises the
//! lexicographically smallest solution. Most puzzles have only one, so [`Engine::solve`](super::Engine::solve) first
//! looks for two in whatever order is fast; only if it finds them, or was told that one is enough, does order matter.
//!
//! Then a second tree is walked through above the first: it fixes the first cell with several candidates to the lowest of
//! them, then the next cell. A part of it is entered only if a solution in it is known, or after the fast search found
//! one there. What is known is handed down, so on the way to a known solution only digits below its own need a question.
//! An [`Enumeration`](super::Enumeration) goes on in this way to all solutions.
//!
//! Every split, in either tree, is a guess of the caller's [`Budget`](super::Budget), and a raised
//! [`StopFlag`](super::StopFlag) ends it early. A search that ends so says so, and never "no solution".
//!
//! # What keeps it right
//!
//! `tests/solver/oracle/reference.rs` has the rules and the choice as chapters 2 and 3 tell them, one after the other
//! and without a vector. Both kinds of search are held to it by every engine that the CPU has: the same closed boards,
//! the same splits, the same number of guesses. Beside it stand textbook solvers, and the solutions that the tests get
//! go through [`rules`](crate::rules), which knows nothing of the solver.
