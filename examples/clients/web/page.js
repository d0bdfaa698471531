// A board to play on, which asks sudoku-service whether it is right so far, and for the solution.
//
// The address of the page says what is on the board and where the server is, all of it optional:
// ?puzzle=53..7…&grid=534.7…&server=http://localhost:50051&do=check (or do=solve).
import { solve, validate, CallError } from './sudoku.js';

const PUZZLE = '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79';
const asked = new URLSearchParams(location.search);
const puzzle = asked.get('puzzle') ?? PUZZLE;
const server = asked.get('server') ?? 'http://localhost:50051';

const board = document.getElementById('board');
const said = document.getElementById('said');

function draw(grid) {
  board.replaceChildren(...Array.from({ length: 9 }, (_, row) => {
    const line = document.createElement('tr');
    line.append(...Array.from({ length: 9 }, (_, column) => cell(9 * row + column, grid)));
    return line;
  }));
}

function cell(index, grid) {
  const [place, input] = [document.createElement('td'), document.createElement('input')];
  const isGiven = /[1-9]/.test(puzzle[index] ?? '');
  input.defaultValue = /[1-9]/.test(grid[index] ?? '') ? grid[index] : '';
  input.readOnly = isGiven;
  input.maxLength = 1;
  input.ariaLabel = `row ${Math.floor(index / 9) + 1}, column ${(index % 9) + 1}`;
  place.append(input);
  return place;
}

const cells = () => [...board.querySelectorAll('td')];
const grid = () => cells().map((place) => place.firstChild.value.trim() || '.').join('');

async function check() {
  const answer = await validate(server, { grid: grid(), puzzle });
  const wrong = new Set([...answer.wrongCells, ...answer.conflicts.flatMap((conflict) => conflict.cells)]
    .map(({ row, column }) => 9 * (row - 1) + column - 1));
  cells().forEach((place, index) => place.classList.toggle('wrong', wrong.has(index)));
  said.textContent = `${answer.state}, ${answer.filledCellCount} cells filled, ${wrong.size} wrong`;
}

async function showSolution() {
  const answer = await solve(server, { grid: puzzle });
  if (answer.solution) draw(answer.solution);
  said.textContent = `${answer.status}, ${answer.uniqueness}`;
}

// Runs what was asked for and says what went wrong with it.
async function attempt(action) {
  said.textContent = 'asking…';
  try {
    await action();
  } catch (error) {
    said.textContent = error instanceof CallError ? explained(error) : `The server cannot be reached: ${error.message}`;
  }
}

function explained({ code, message, reason, metadata, violations, retryDelay }) {
  const facts = Object.entries(metadata).map(([key, value]) => `${key}=${value}`);
  return [
    `${code}: ${message}`,
    ...(reason ? [['reason', reason, ...facts.sort()].join(' ')] : []),
    ...violations.map(({ field, description }) => `field ${field}: ${description}`),
    ...(retryDelay === undefined ? [] : [`try again in ${retryDelay} s`]),
  ].join('\n');
}

document.getElementById('check').onclick = () => attempt(check);
document.getElementById('solve').onclick = () => attempt(showSolution);
draw(asked.get('grid') ?? puzzle);
const todo = { check, solve: showSolution }[asked.get('do')];
if (todo) await attempt(todo);
