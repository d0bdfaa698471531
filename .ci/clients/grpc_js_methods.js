// Calls each method once with grpc-js and prints its messages as JSON.
//
//   grpc_js_methods.js [--ca FILE] ADDRESS REQUESTS
//
// REQUESTS is JSON: for each method the messages to send.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { parseArgs } = require('node:util');
const grpc = require('@grpc/grpc-js');
const { loadSync } = require('@grpc/proto-loader');

const MILLISECONDS = 10_000;
const definition = loadSync('sudoku/v1/sudoku.proto', {
  includeDirs: [path.resolve(__dirname, '../../proto')], enums: String, longs: Number, defaults: true, oneofs: true,
});
const { SudokuService } = grpc.loadPackageDefinition(definition).sudoku.v1;

async function answers(sudoku, method, requests) {
  const { requestStream, responseStream } = SudokuService.service[method];
  const options = { deadline: Date.now() + MILLISECONDS };
  if (!responseStream) {
    return [await new Promise((resolve, reject) => {
      sudoku[method](requests[0], options, (error, answer) => (error ? reject(error) : resolve(answer)));
    })];
  }
  const call = requestStream ? sudoku[method](options) : sudoku[method](requests[0], options);
  if (requestStream) {
    requests.forEach((request) => call.write(request));
    call.end();
  }
  const found = [];
  for await (const answer of call) found.push(answer);
  return found;
}

async function main() {
  const { values: { ca }, positionals: [address, requests] } = parseArgs({ allowPositionals: true, options: { ca: { type: 'string' } } });
  const credentials = ca ? grpc.credentials.createSsl(fs.readFileSync(ca)) : grpc.credentials.createInsecure();
  const sudoku = new SudokuService(address, credentials);
  const found = {};
  for (const [method, messages] of Object.entries(JSON.parse(requests))) found[method] = await answers(sudoku, method, messages);
  sudoku.close();
  console.log(JSON.stringify(found));
}

main();
