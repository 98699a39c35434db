// A worker process's end of the channel, for doubles of it: plain JavaScript, so that they run without the loader.
import { deserialize } from 'node:v8';

/** Sends a message to the parent, and a picture with it. */
export function send(message, body = new Uint8Array()) {
  const head = Buffer.from(typeof message === 'string' ? message : JSON.stringify(message));
  sendRaw(prefix(head.length, body.length), head, body);
}

/** The lengths before a frame. */
export function prefix(head, body) {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(head, 0);
  bytes.writeUInt32LE(body, 4);
  return bytes;
}

export function sendRaw(...parts) {
  process.stdout.write(Buffer.concat(parts));
}

/** Calls back for each job of the parent, and exits when that is gone. */
export function onMessage(listener) {
  let rest = Buffer.alloc(0);
  process.stdin.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 8 && rest.length >= 8 + rest.readUInt32LE(0)) {
      const end = 8 + rest.readUInt32LE(0);
      const message = deserialize(rest.subarray(8, end));
      rest = rest.subarray(end);
      if (message.kind !== 'limits' && message.kind !== 'background') listener(message);
    }
  });
  process.stdin.on('close', () => process.exit(0));
}

/** A PNG by its first bytes, with a text after them. */
export function picture(text) {
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from(text)]);
}
