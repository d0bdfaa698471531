// Unary calls over gRPC-Web: a POST whose body is one framed message, and an answer of a framed message and framed trailers.
import { decoder } from './protobuf.js';

const DEADLINE = 5000; // milliseconds that a call may take
const CODES = ['OK', 'CANCELLED', 'UNKNOWN', 'INVALID_ARGUMENT', 'DEADLINE_EXCEEDED', 'NOT_FOUND', 'ALREADY_EXISTS', 'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED', 'FAILED_PRECONDITION', 'ABORTED', 'OUT_OF_RANGE', 'UNIMPLEMENTED', 'INTERNAL', 'UNAVAILABLE', 'DATA_LOSS', 'UNAUTHENTICATED'];
const TRAILERS = 0x80; // marks a frame that holds no message

// A call that the server answered with an error.
export class CallError extends Error {
  constructor(code, message, details) {
    super(message);
    Object.assign(this, { code, ...details });
  }
}

// The bytes of the answer to the bytes of a request.
export async function call(server, method, request) {
  const response = await fetch(`${server}/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/grpc-web+proto', 'x-grpc-web': '1', 'grpc-timeout': `${DEADLINE}m` },
    body: framed(request),
    signal: AbortSignal.timeout(DEADLINE),
  });
  if (!response.ok) throw new Error(`HTTP status ${response.status}`);
  const { message, trailers } = unframed(new Uint8Array(await response.arrayBuffer()));
  // An error that comes before any message has what else would be trailers among its headers.
  const told = (name) => trailers.get(name) ?? response.headers.get(name);
  if (told('grpc-status') === '0' && message) return message;
  throw failure(told);
}

function framed(message) {
  const frame = new Uint8Array(5 + message.length);
  new DataView(frame.buffer).setUint32(1, message.length);
  frame.set(message, 5);
  return frame;
}

function unframed(body) {
  const found = { message: undefined, trailers: new Map() };
  const view = new DataView(body.buffer);
  for (let at = 0; at + 5 <= body.length;) {
    const [flags, length] = [view.getUint8(at), view.getUint32(at + 1)];
    const content = body.subarray(at + 5, at += 5 + length);
    if (flags & TRAILERS) found.trailers = parsed(new TextDecoder().decode(content));
    else found.message = content;
  }
  return found;
}

const parsed = (text) => new Map(text.split('\r\n').filter(Boolean).map((line) => {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}));

function failure(told) {
  const code = CODES[told('grpc-status') ?? 2];
  return new CallError(code, decodeURIComponent(told('grpc-message') ?? ''), details(told('grpc-status-details-bin')));
}

const text = { kind: 'string' };
const one = (read) => ({ kind: 'message', read });
const many = (read) => ({ kind: 'message', read, isList: true });
const Any = decoder({ 1: ['type', text], 2: ['value', { kind: 'bytes' }] });
const Status = decoder({ 3: ['details', many(Any)] });
const Entry = decoder({ 1: ['key', text], 2: ['value', text] });
const ErrorInfo = decoder({ 1: ['reason', text], 3: ['metadata', many(Entry)] });
const Violation = decoder({ 1: ['field', text], 2: ['description', text] });
const BadRequest = decoder({ 1: ['violations', many(Violation)] });
const Duration = decoder({ 1: ['seconds', { kind: 'number' }], 2: ['nanos', { kind: 'number' }] });
const RetryInfo = decoder({ 1: ['delay', one(Duration)] });

// { reason, metadata, violations, retryDelay in seconds }, each undefined or empty if it was not sent.
function details(base64) {
  const found = { reason: undefined, metadata: {}, violations: [], retryDelay: undefined };
  if (!base64) return found;
  for (const { type, value } of Status(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))).details) {
    if (type.endsWith('/google.rpc.ErrorInfo')) {
      const { reason, metadata } = ErrorInfo(value);
      Object.assign(found, { reason, metadata: Object.fromEntries(metadata.map(({ key, value: fact }) => [key, fact])) });
    } else if (type.endsWith('/google.rpc.BadRequest')) {
      found.violations = BadRequest(value).violations;
    } else if (type.endsWith('/google.rpc.RetryInfo')) {
      const { seconds, nanos } = RetryInfo(value).delay ?? { seconds: 0, nanos: 0 };
      found.retryDelay = seconds + nanos / 1e9;
    }
  }
  return found;
}
