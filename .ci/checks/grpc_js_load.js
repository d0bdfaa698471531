// Calls a server all the time with grpc-js, eight calls at once, and prints as JSON what came of them.
//
//     grpc_js_load.js PACKAGE_JSON ADDRESS SECONDS
const path = require('path');
const { createRequire } = require('module');
// The packages are beside that file, where the gate installed them, and not beside this one.
const [packageJson, address, seconds] = process.argv.slice(2);
const from = createRequire(packageJson);
const grpc = from('@grpc/grpc-js');
const { loadSync } = from('@grpc/proto-loader');

const includeDirs = [path.join(__dirname, '../../proto')];
const { SudokuService } = grpc.loadPackageDefinition(loadSync('sudoku/v1/sudoku.proto', { includeDirs, defaults: true })).sudoku.v1;
const sudoku = new SudokuService(address, grpc.credentials.createInsecure());
const until = Date.now() + 1000 * Number(seconds);
const deadline = () => ({ deadline: Date.now() + 30000 });
const grid = '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79';
const found = { good: 0, failed: {} };

const solve = () => new Promise((resolve, reject) => {
  sudoku.solve({ grid }, deadline(), (error, answer) => (error ? reject(error) : resolve(answer)));
});

const enumerate = () => new Promise((resolve, reject) => {
  let solutions = 0;
  sudoku.enumerateSolutions({ grid: '.'.repeat(81), limit: 200 }, deadline())
    .on('data', (answer) => { solutions += answer.solutions.length; })
    .on('error', reject)
    .on('end', () => (solutions === 200 ? resolve() : reject(new Error(`${solutions} solutions`))));
});

async function repeat(call) {
  while (Date.now() < until) {
    try {
      await call();
      found.good += 1;
    } catch (error) {
      found.failed[error.message] = (found.failed[error.message] || 0) + 1;
    }
  }
}

Promise.all([solve, solve, solve, solve, solve, solve, enumerate, enumerate].map(repeat)).then(() => {
  sudoku.close();
  console.log(JSON.stringify(found));
});
