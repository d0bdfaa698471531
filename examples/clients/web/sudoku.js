// sudoku.v1.SudokuService for a page: the messages that it needs, over gRPC-Web.
import { call } from './grpc_web.js';
import { encode, decoder } from './protobuf.js';
export { CallError } from './grpc_web.js';

// Number, kind and name of each field, as in sudoku.proto.
const string = { kind: 'string' };
const number = { kind: 'number' };
const message = (read) => ({ kind: 'message', read });
const named = (...names) => ({ kind: 'enum', names });
const list = (of) => ({ ...of, isList: true });

const Cell = decoder({ 1: ['row', number], 2: ['column', number] });
const Conflict = decoder({
  1: ['unit', named('', 'row', 'column', 'box')],
  2: ['unitNumber', number],
  3: ['digit', number],
  4: ['cells', list(message(Cell))],
});
const uniqueness = named('', 'unique', 'multiple', 'none', 'unknown');
const SolveResponse = decoder({
  1: ['status', named('', 'solved', 'no solution', 'conflicting givens', 'limit reached')],
  2: ['solution', string],
  3: ['uniqueness', uniqueness],
  4: ['alternativeSolution', string],
  5: ['conflicts', list(message(Conflict))],
});
const ValidateResponse = decoder({
  1: ['state', named('', 'solved', 'incomplete', 'conflicting')],
  2: ['conflicts', list(message(Conflict))],
  3: ['uniqueness', uniqueness],
  4: ['filledCellCount', number],
  5: ['changedGivens', list(message(Cell))],
  6: ['wrongCells', list(message(Cell))],
  7: ['normalizedGrid', string],
});

const SERVICE = 'sudoku.v1.SudokuService';

export async function solve(server, { grid }) {
  return SolveResponse(await call(server, `${SERVICE}/Solve`, encode({ 1: grid })));
}

export async function validate(server, { grid, puzzle = '' }) {
  return ValidateResponse(await call(server, `${SERVICE}/Validate`, encode({ 1: grid, 2: puzzle })));
}
