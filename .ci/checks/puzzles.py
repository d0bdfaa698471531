"""Puzzles with all their solutions, found by a search that knows nothing of the service, and checks of its answers by them."""
import random
from checks.clients import messages
from harness import PUZZLE, SOLUTION

HARD = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
MOST_SOLUTIONS = 60  # of a puzzle here; the search stops above it

UNITS = [[9 * i + k for k in range(9)] for i in range(9)] + [[9 * k + i for k in range(9)] for i in range(9)] + [
    [27 * (i // 3) + 3 * (i % 3) + 9 * (k // 3) + k % 3 for k in range(9)] for i in range(9)]
PEERS = [{peer for unit in UNITS if cell in unit for peer in unit} - {cell} for cell in range(81)]


class Puzzle:
    """A grid, its solutions in ascending order, and how often givens clash in it."""

    def __init__(self, grid, solutions=None, clashing=None):
        self.grid = grid
        self.clashes = clashes(grid) if clashing is None else clashing
        self.solutions = sorted(found(grid) if solutions is None else solutions)

    def renamed(self, names):
        """The same puzzle with other digits, which have others of its solutions first."""
        table = str.maketrans("123456789", "".join(names))
        return Puzzle(self.grid.translate(table), [solution.translate(table) for solution in self.solutions], self.clashes)


def clashes(grid):
    """In how many units a digit stands more than once, for each digit."""
    return sum(sum(grid[cell] == digit for cell in unit) > 1 for unit in UNITS for digit in "123456789")


def is_solution(solution, grid):
    keeps = all(given in (".", digit) for given, digit in zip(grid, solution))
    return keeps and len(solution) == 81 and all(sorted(solution[cell] for cell in unit) == list("123456789") for unit in UNITS)


def found(grid, most=MOST_SOLUTIONS + 1):
    """At most so many solutions, by trying the digits of the cell that has the fewest."""
    if clashes(grid):
        return []
    solutions, cells = [], list(grid)

    def search():
        blanks = [cell for cell in range(81) if cells[cell] == "."]
        if not blanks:
            solutions.append("".join(cells))
            return
        choices = {cell: set("123456789") - {cells[peer] for peer in PEERS[cell]} for cell in blanks}
        cell = min(blanks, key=lambda cell: len(choices[cell]))
        for digit in choices[cell]:
            if len(solutions) < most:
                cells[cell] = digit
                search()
        cells[cell] = "."

    search()
    return solutions


def pool(seed, size):
    """So many puzzles: half with one solution, a quarter with several, and others with none or with clashes."""
    chance = random.Random(seed)
    base = [(PUZZLE, SOLUTION), (HARD, found(HARD)[0])]
    puzzles = []
    while len(puzzles) < size:
        places = order(chance)
        grid, solution = ("".join(text[place] for place in places) for text in chance.choice(base))
        kind = len(puzzles) % 8
        if kind < 4:
            puzzles.append(Puzzle(grid, [solution]))
        elif kind < 6:
            puzzle = Puzzle("".join("." if chance.random() < 0.58 else digit for digit in solution))
            if 2 <= len(puzzle.solutions) <= MOST_SOLUTIONS:
                puzzles.append(puzzle)
        else:
            cell = chance.choice([cell for cell in range(81) if grid[cell] == "."])
            puzzle = Puzzle(grid[:cell] + chance.choice("123456789".replace(solution[cell], "")) + grid[cell + 1:], [])
            if bool(puzzle.clashes) == (kind == 7):
                puzzles.append(puzzle)
    assert all(is_solution(solution, puzzle.grid) for puzzle in puzzles for solution in puzzle.solutions)
    return puzzles


def order(chance):
    """Where each cell of another look of a puzzle comes from: bands, stacks and lines in other places, perhaps turned."""
    lines = lambda: [3 * three + line for three in chance.sample(range(3), 3) for line in chance.sample(range(3), 3)]
    rows, columns, turned = lines(), lines(), chance.random() < 0.5
    return [9 * column + row if turned else 9 * row + column for row in rows for column in columns]


def check_solved(puzzle, answer, skipped=False):
    """The answer of Solve, or of an item, is the one that the puzzle has."""
    status, uniqueness = messages.SolveStatus.Name(answer.status), messages.Uniqueness.Name(answer.uniqueness)
    number = len(puzzle.solutions)
    want = ("SOLVED", "UNKNOWN" if skipped else "UNIQUE" if number == 1 else "MULTIPLE") if number else (
        "CONFLICTING_GIVENS" if puzzle.clashes else "NO_SOLUTION", "NONE")
    first, second = [*puzzle.solutions, "", ""][:2]
    got = status.removeprefix("SOLVE_STATUS_"), uniqueness.removeprefix("UNIQUENESS_"), answer.solution, answer.alternative_solution
    assert got == (*want, first, "" if skipped else second), f"{puzzle.grid}: {got}"
    assert len(answer.conflicts) == puzzle.clashes, f"{puzzle.grid}: {answer.conflicts}"
    if first:
        assert is_solution(answer.solution, puzzle.grid), f"{puzzle.grid}: {answer.solution}"
