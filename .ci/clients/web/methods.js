// Calls each method that a page can call once and shows its messages as JSON; ?server=…&requests={"Solve": …} says what and where.
//
// The bytes are made and read, and the unary calls made, by the example in examples/clients/web, which is served beside this.
import { call } from './grpc_web.js';
import { decoder, encode } from './protobuf.js';

const asked = new URLSearchParams(location.search);
const SERVICE = `${asked.get('server')}/sudoku.v1.SudokuService`;

const string = { kind: 'string' };
const number = { kind: 'number' };
const message = (read) => ({ kind: 'message', read });
const list = (of) => ({ ...of, isList: true });
const named = (prefix, ...names) => ({ kind: 'enum', names: ['UNSPECIFIED', ...names].map((name) => `${prefix}_${name}`) });
const joined = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));
// A number below 2^14, as a field of a message.
const varint = (field, value) => (value < 128 ? [field << 3, value] : [field << 3, value % 128 + 128, value >> 7]);
// A SolveRequest within another message, as the text that its bytes are: all of them are below 128.
const nested = ({ grid }) => String.fromCharCode(1 << 3 | 2, grid.length) + grid;

const Solve = decoder({
  1: ['status', named('SOLVE_STATUS', 'SOLVED', 'NO_SOLUTION', 'CONFLICTING_GIVENS', 'LIMIT_REACHED')],
  2: ['solution', string],
  3: ['uniqueness', named('UNIQUENESS', 'UNIQUE', 'MULTIPLE', 'NONE', 'UNKNOWN')],
});
const Validate = decoder({
  1: ['state', named('GRID_STATE', 'SOLVED', 'INCOMPLETE', 'CONFLICTING')],
  4: ['filledCellCount', number],
  6: ['wrongCells', list(message(decoder({ 1: ['row', number], 2: ['column', number] })))],
});
const ItemError = decoder({ 2: ['reason', string] });
const BatchSolve = decoder({ 1: ['results', list(message(decoder({ 1: ['response', message(Solve)], 2: ['error', message(ItemError)] })))] });
const CountSolutions = decoder({ 1: ['solutionCount', number], 2: ['exact', number] });
const EnumerateSolutions = decoder({ 1: ['solutions', list(string)], 2: ['exhaustive', number] });

const METHODS = {
  Solve: async ([{ grid }]) => [Solve(await call(SERVICE, 'Solve', encode({ 1: grid })))],
  Validate: async ([{ grid, puzzle }]) => [Validate(await call(SERVICE, 'Validate', encode({ 1: grid, 2: puzzle })))],
  BatchSolve: async ([{ requests }]) => {
    const request = joined(...requests.map((solve) => encode({ 1: nested(solve) })));
    return [BatchSolve(await call(SERVICE, 'BatchSolve', request))];
  },
  CountSolutions: async ([{ grid, limit }]) => {
    const request = joined(encode({ 1: grid }), varint(2, limit));
    return [CountSolutions(await call(SERVICE, 'CountSolutions', request))].map((answer) => ({ ...answer, exact: answer.exact === 1 }));
  },
  EnumerateSolutions: async ([{ grid, limit }]) => {
    const answers = (await streamed('EnumerateSolutions', joined(encode({ 1: grid }), varint(2, limit)))).map(EnumerateSolutions);
    return answers.map((answer) => ({ ...answer, exhaustive: answer.exhaustive === 1 }));
  },
};

// The messages of an answer that is a stream; its end must be there, and say that all is well.
async function streamed(method, request) {
  const response = await fetch(`${SERVICE}/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/grpc-web+proto', 'x-grpc-web': '1' },
    body: joined([0, 0, 0, request.length >> 8, request.length & 255], request),
  });
  const body = new Uint8Array(await response.arrayBuffer());
  const messages = [];
  for (let at = 0; at < body.length;) {
    const [flags, length] = [body[at], new DataView(body.buffer).getUint32(at + 1)];
    const content = body.subarray(at + 5, at += 5 + length);
    if (!flags) messages.push(content);
    else if (/^grpc-status: ?0\r?$/m.test(new TextDecoder().decode(content))) return messages;
  }
  throw new Error(`${method} did not end well`);
}

const said = document.getElementById('said');
try {
  const found = {};
  for (const [method, requests] of Object.entries(JSON.parse(asked.get('requests')))) found[method] = await METHODS[method](requests);
  said.textContent = JSON.stringify(found);
} catch (error) {
  said.textContent = `${error.code ?? ''} ${error.message}`;
}
