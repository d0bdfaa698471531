// A client of sudoku-service: solves one grid, or one grid for each line of standard input.
//
//   npm install --prefix examples/clients/node
//   node examples/clients/node/client.js 127.0.0.1:50051 solve 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
//   node examples/clients/node/client.js 127.0.0.1:50051 stream < puzzles.txt
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const readline = require('node:readline');
const { setTimeout: pause } = require('node:timers/promises');
const { parseArgs } = require('node:util');
const grpc = require('@grpc/grpc-js');
const { loadSync } = require('@grpc/proto-loader');
const { details } = require('./details');

const ROOT = path.resolve(__dirname, '../../..');
const DEADLINE = 5000; // milliseconds that one call may take
const MOST_TRIES = 10; // to go on with a stream, with no answer in between
const LONGEST_PAUSE = 5; // seconds between two of them
const OPTIONS = {
  'grpc.service_config': fs.readFileSync(path.join(ROOT, 'deploy/service-config.json'), 'utf8'), // retries, and all servers in turn
  'grpc.keepalive_time_ms': 60_000, // notices a server that went away without a word
  'grpc.max_receive_message_length': 16 << 20,
  'grpc.initial_reconnect_backoff_ms': 200, // a server that restarts is back soon
  'grpc.max_reconnect_backoff_ms': LONGEST_PAUSE * 1000,
};

const definition = loadSync('sudoku/v1/sudoku.proto', {
  includeDirs: [path.join(ROOT, 'proto')], enums: String, longs: Number, defaults: true, oneofs: true,
});
const { SudokuService } = grpc.loadPackageDefinition(definition).sudoku.v1;

function solve(sudoku, grid) {
  return new Promise((resolve, reject) => {
    sudoku.solve({ grid }, { deadline: Date.now() + DEADLINE }, (error, answer) => (error ? reject(error) : resolve(answer)));
  });
}

const shown = ({ status, solution }) => `${status.replace('SOLVE_STATUS_', '')} ${solution}`.trimEnd();

// Yields [number, answer] for each grid, in order, on as many streams as it takes.
//
// What was sent and not answered is kept. When a server is about to end, it answers what it has read and ends the stream with
// UNAVAILABLE; the next stream then begins with the first grid that has no answer yet.
async function* answers(sudoku, grids) {
  const unanswered = [];
  const input = numbered(grids);
  for (let count = 0, tries = 0; ;) {
    const call = sudoku.streamSolve();
    const ended = new AbortController();
    const sent = send(call, ended.signal, unanswered, input);
    try {
      let inThisStream = 0;
      for await (const answer of call) {
        [count, inThisStream, tries] = [count + 1, inThisStream + 1, 0];
        if (answer.sequenceNumber !== inThisStream || answer.id !== unanswered.shift().id) throw new Error('out of order');
        yield [count, answer];
      }
      return;
    } catch (error) {
      if (error.code !== grpc.status.UNAVAILABLE || ++tries > MOST_TRIES) throw error;
      const seconds = details(error).retryDelay ?? Math.min(0.1 * 2 ** tries, LONGEST_PAUSE);
      console.error(`interrupted after ${count} answers: ${error.details}; again in ${seconds} s`);
      await pause(seconds * 1000);
    } finally {
      ended.abort();
      await sent;
    }
  }
}

// Sends once more what is unanswered, then what is new.
async function send(call, ended, unanswered, input) {
  const gone = new Promise((resolve) => ended.addEventListener('abort', resolve, { once: true }));
  const write = async (request) => {
    if (!call.write(request)) await Promise.race([new Promise((resolve) => call.once('drain', resolve)), gone]);
  };
  for (const request of [...unanswered]) {
    if (ended.aborted) return;
    await write(request);
  }
  while (!ended.aborted) {
    await Promise.race([input.peek(), gone]);
    if (ended.aborted) return;
    const request = await input.take();
    if (request === undefined) return void call.end();
    unanswered.push(request);
    await write(request);
  }
}

// The requests for `grids`. One can be waited for without being taken, so that none is lost with a stream that ends.
function numbered(grids) {
  const iterator = grids[Symbol.asyncIterator]();
  let [next, number] = [undefined, 0];
  const peek = () => (next ??= iterator.next());
  const take = async () => {
    const { done, value } = await peek();
    if (done) return undefined;
    next = undefined;
    return { id: String(++number), request: { grid: value } };
  };
  return { peek, take };
}

async function stream(sudoku) {
  const lines = readline.createInterface({ input: process.stdin, crlfDelay: Infinity });
  for await (const [number, answer] of answers(sudoku, lines)) {
    console.log(number, answer.error ? `${answer.error.reason} ${answer.error.message}` : shown(answer.response));
  }
}

function explain(error) {
  const { message, reason, metadata, violations, retryDelay } = details(error);
  console.error(`${grpc.status[error.code]}: ${message}`);
  if (reason) console.error(['  reason', reason, ...Object.entries(metadata).sort().map((entry) => entry.join('='))].join(' '));
  for (const { field, description } of violations) console.error(`  field ${field}: ${description}`);
  if (retryDelay !== undefined) console.error(`  try again in ${retryDelay} s`);
}

async function main() {
  const { values: { ca }, positionals: [address, command, grid] } = parseArgs({ allowPositionals: true, options: { ca: { type: 'string' } } });
  const credentials = ca ? grpc.credentials.createSsl(fs.readFileSync(ca)) : grpc.credentials.createInsecure();
  if (!address || !(command === 'stream' || (command === 'solve' && grid))) {
    console.error('usage: client.js [--ca FILE] ADDRESS solve GRID | stream');
    return 2;
  }
  const sudoku = new SudokuService(address, credentials, OPTIONS);
  try {
    if (command === 'solve') console.log(shown(await solve(sudoku, grid)));
    else await stream(sudoku);
    return 0;
  } catch (error) {
    if (error.code === undefined) throw error;
    explain(error);
    return 1;
  } finally {
    sudoku.close();
  }
}

main().then((code) => { process.exitCode = code; process.stdin.destroy(); });
