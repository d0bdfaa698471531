// As much of the protobuf wire format as the service needs: strings to send; strings, numbers, enums, messages, lists
// and maps to read. Numbers must be below 2^53.

const VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5;

// The bytes of a message whose fields are all strings, by number.
export function encode(fields) {
  const bytes = [];
  for (const [number, text] of Object.entries(fields)) {
    if (text === '') continue;
    const value = new TextEncoder().encode(text);
    bytes.push(...varint(number << 3 | BYTES), ...varint(value.length), ...value);
  }
  return Uint8Array.from(bytes);
}

function varint(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push(value % 128 + 128);
  return [...bytes, value];
}

// A function from bytes to an object. `fields` tells the name and the type of each number; others are left out.
export function decoder(fields) {
  return (bytes) => {
    const object = {};
    for (const [name, type] of Object.values(fields)) object[name] = type.isList ? [] : initial(type);
    for (const [number, value] of raw(bytes)) {
      const [name, type] = fields[number] ?? [];
      if (name === undefined) continue;
      if (type.isList) object[name].push(read(type, value));
      else object[name] = read(type, value);
    }
    return object;
  };
}

const initial = ({ kind, names }) => ({ string: '', number: 0, enum: names?.[0], bytes: new Uint8Array(), message: undefined })[kind];

function read({ kind, names, read: nested }, value) {
  switch (kind) {
    case 'string': return new TextDecoder().decode(value);
    case 'enum': return names[value] ?? `unknown (${value})`;
    case 'message': return nested(value);
    default: return value;
  }
}

// The [number, value] of each field: a number, or the bytes of a string or message.
function* raw(bytes) {
  let at = 0;
  const next = () => {
    for (let value = 0, factor = 1; ; factor *= 128) {
      if (at >= bytes.length) throw new Error('the message is cut off');
      const byte = bytes[at++];
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  const take = (length) => bytes.subarray(at, at += length);
  while (at < bytes.length) {
    const key = next();
    const [number, kind] = [Math.floor(key / 8), key % 8];
    if (kind === VARINT) yield [number, next()];
    else if (kind === BYTES) yield [number, take(next())];
    else if (kind === FIXED32) take(4);
    else if (kind === FIXED64) take(8);
    else throw new Error(`wire type ${kind}`);
  }
}
