// Rejects JSON bytes with too many values or levels in one pass, before they are parsed. Bytes that are not JSON may pass;
// the parser then rejects them, also with status 400.
import { type CodedError, type Detail, RenderError } from '../../errors.js';
import { BODY_LEVELS } from './depth.js';

/**
 * Maximum number of values in a body: objects, arrays and members. 500 layers with every field are 20,000. JSON.parse and the
 * checks after it blocked the server for 1.5 s on 10 MiB of `{}`; this many values take less than 0.1 s.
 */
export const BODY_VALUES = 100_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/**
 * Throws RenderError `invalid_request` when the text has more than `maxValues` values or `BODY_LEVELS` levels. Returns the
 * number of its values.
 */
export function enforceJsonLimits(bytes: Uint8Array, maxValues = BODY_VALUES): number {
  let levels = 0;
  let values = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) {
      // skip the string; an escaped quote does not end it
      for (i++; i < bytes.length && bytes[i] !== QUOTE; i++) if (bytes[i] === BACKSLASH) i++;
    } else if (isOpening(byte)) {
      values++;
      if (++levels > BODY_LEVELS) throw refusal(`more than ${BODY_LEVELS} levels of nesting`);
    } else if (isClosing(byte)) {
      levels--;
    } else if (byte === COMMA) {
      values++;
    }
    if (values > maxValues) throw refusal(`more than ${maxValues} values`);
  }
  return values;
}

/** `[` or `{`, which differ in one bit. */
function isOpening(byte: number): boolean {
  return (byte | 0x20) === 0x7b;
}

/** `]` or `}`. */
function isClosing(byte: number): boolean {
  return (byte | 0x20) === 0x7d;
}

function refusal(received: string): CodedError {
  const details: Detail[] = [{ code: 'limit_exceeded', path: '', message: `received ${received}, expected fewer` }];
  return new RenderError('invalid_request', details[0].message, { details });
}
