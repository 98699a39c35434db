// The bytes of a JSON text → a refusal when they hold more values, or deeper ones, than a body may: told in one pass, before
// anything is made of them. What is no JSON at all passes, or is refused for its bulk: it is 400 either way.
import { RenderError } from '../errors.js';
import { BODY_LEVELS } from './json-depth.js';

/**
 * Values that a body may have, each object, list and member counted. 500 layers with every field are 20,000. Of 10 MiB of
 * `{}` JSON.parse and the checks after it made 1.5 s in which the server answered nobody; of so many values, less than 0.1 s.
 */
export const BODY_VALUES = 100_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/** Throws RenderError `invalid_request` when the text has more than `BODY_VALUES` values or `BODY_LEVELS` levels. */
export function enforceJsonLimits(bytes: Uint8Array): void {
  let levels = 0;
  let values = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) {
      // to the end of the string: what a backslash stands before does not end it
      for (i++; i < bytes.length && bytes[i] !== QUOTE; i++) if (bytes[i] === BACKSLASH) i++;
    } else if (isOpening(byte)) {
      values++;
      if (++levels > BODY_LEVELS) throw refusal(`more than ${BODY_LEVELS} levels of nesting`);
    } else if (isClosing(byte)) {
      levels--;
    } else if (byte === COMMA) {
      values++;
    }
    if (values > BODY_VALUES) throw refusal(`more than ${BODY_VALUES} values`);
  }
}

/** `[` or `{`, which differ in one bit. */
function isOpening(byte: number): boolean {
  return (byte | 0x20) === 0x7b;
}

/** `]` or `}`. */
function isClosing(byte: number): boolean {
  return (byte | 0x20) === 0x7d;
}

function refusal(received: string): RenderError {
  const details = [{ path: '', message: `received ${received}, expected fewer` }];
  return new RenderError('invalid_request', details[0].message, { details });
}
