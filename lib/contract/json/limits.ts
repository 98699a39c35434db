// Limits of nesting and of the number of values, of JSON bytes before they are parsed, and of values. Bytes that are not JSON may
// pass; the parser then rejects them, also with status 400.
import { type CodedError, type Detail, RenderError } from '../../errors.js';

/** Maximum depth of a request's body or a template (docs/limits.md#fields); JSON.stringify and structured clone handle it. */
export const BODY_LEVELS = 64;

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
      if (++levels > BODY_LEVELS) throw refusal(nestingIssue());
    } else if (isClosing(byte)) {
      levels--;
    } else if (byte === COMMA) {
      values++;
    }
    if (values > maxValues) throw refusal(limitIssue(`more than ${maxValues} values`));
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

/** The issue of a body with more than `BODY_LEVELS` levels. */
export function nestingIssue(): Detail {
  return limitIssue(`more than ${BODY_LEVELS} levels of nesting`);
}

function limitIssue(received: string): Detail {
  return { code: 'limit_exceeded', path: '', message: `received ${received}, expected fewer` };
}

function refusal(detail: Detail): CodedError {
  return new RenderError('invalid_request', detail.message, { details: [detail] });
}

/** Whether `value` has more than `levels` levels of objects and arrays, itself included. True for a cycle. */
export function deeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  // without recursion: 100,000 levels must not overflow the stack
  let level: object[] = [value];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > levels) return true;
    const next: object[] = [];
    for (const container of level) {
      for (const child of Array.isArray(container) ? container : Object.values(container)) {
        if (typeof child === 'object' && child !== null) next.push(child);
      }
    }
    level = next;
  }
  return false;
}
