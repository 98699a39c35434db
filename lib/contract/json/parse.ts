// Parses JSON, with an error that gives the line and column of the first syntax error.
import { type CodedError, ServiceError } from '../../errors.js';
import { formatReceived } from './describe.js';

/**
 * Parses a JSON text (RFC 8259, UTF-8). Skips a byte order mark, which some editors add.
 * Throws ServiceError `invalid_json` with the line and column, both from 1, columns in UTF-16 units. `firstLine`: the number of
 * the text's first line in the file that it comes from; undefined if messages name the column alone.
 */
export function parseJson(
  source: string | Uint8Array,
  { firstLine }: { firstLine?: number | undefined } = { firstLine: 1 },
): unknown {
  const whole = typeof source === 'string' ? source : decode(source);
  const text = whole.startsWith('\uFEFF') ? whole.slice(1) : whole;
  if (text.trim() === '') throw invalid('it is empty');
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { position, message } = firstSyntaxError(text);
    const { line, column } = lineAndColumn(text, position);
    const place = firstLine === undefined ? '' : `line ${firstLine + line - 1}, `;
    throw invalid(`${place}column ${column}: ${message}`, cause);
  }
}

export interface SyntaxErrorAt {
  /** 0 to the text's length, in UTF-16 units. */
  readonly position: number;
  /** `received "}", expected a value`. */
  readonly message: string;
}

/** The first syntax error of a text that JSON.parse rejected. */
export function firstSyntaxError(text: string): SyntaxErrorAt {
  const { position, expected } = findSyntaxError(text);
  const found = position < text.length ? formatReceived(String.fromCodePoint(text.codePointAt(position)!)) : 'the end';
  return { position, message: `received ${found}, expected ${expected}` };
}

function invalid(reason: string, cause?: unknown): CodedError {
  return new ServiceError('invalid_json', `not valid JSON: ${reason}`, { cause });
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    // PowerShell 5 writes this with >
    const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    throw invalid(isUtf16 ? 'it is UTF-16, expected UTF-8' : 'it is not UTF-8', cause);
  }
}

/** The line and column of `position` (0 to length). Like editors, counts LF, CR LF and a lone CR as line ends. */
function lineAndColumn(text: string, position: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let i = 0; i < position; i++) {
    const code = text.charCodeAt(i);
    if (code === 10 || (code === 13 && text.charCodeAt(i + 1) !== 10)) {
      line++;
      start = i + 1;
    }
  }
  return { line, column: position - start + 1 };
}

interface JsonSyntaxError {
  readonly position: number;
  readonly expected: string;
}

const BLANKS = /[ \t\n\r]*/y;
const LITERAL = /true|false|null/y;
/** The rest of an escape, after the backslash. */
const ESCAPE = /["\\/bfnrt]|u[0-9a-fA-F]{4}/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/**
 * Finds the first syntax error in `text`, which JSON.parse rejected. V8's own message is not enough: it differs between
 * releases of Node, and has no position for short texts. Keeps an explicit stack, so any depth of nesting is safe.
 */
function findSyntaxError(text: string): JsonSyntaxError {
  const open: ('{' | '[')[] = [];
  let at = 0;
  const skip = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const matched = pattern.test(text);
    if (matched) at = pattern.lastIndex;
    return matched;
  };
  let state: 'value' | 'firstValue' | 'key' | 'firstKey' | 'after' = 'value';
  for (;;) {
    skip(BLANKS);
    const char = text[at];
    if (state === 'key' || state === 'firstKey') {
      if (state === 'firstKey' && char === '}') {
        at++;
        open.pop();
        state = 'after';
        continue;
      }
      if (char !== '"')
        return { position: at, expected: state === 'firstKey' ? 'a key in quotes or }' : 'a key in quotes' };
      const fault = skipString();
      if (fault) return fault;
      skip(BLANKS);
      if (text[at] !== ':') return { position: at, expected: 'a colon' };
      at++;
      state = 'value';
    } else if (state === 'after') {
      const inside = open.at(-1);
      if (inside === undefined) return { position: at, expected: 'nothing more' };
      if (char === ',') {
        at++;
        state = inside === '{' ? 'key' : 'value';
      } else if (char === (inside === '{' ? '}' : ']')) {
        at++;
        open.pop();
      } else return { position: at, expected: inside === '{' ? 'a comma or }' : 'a comma or ]' };
    } else if (char === '{' || char === '[') {
      at++;
      open.push(char);
      state = char === '{' ? 'firstKey' : 'firstValue';
    } else if (state === 'firstValue' && char === ']') {
      at++;
      open.pop();
      state = 'after';
    } else {
      const fault = char === '"' ? skipString() : undefined;
      if (fault) return fault;
      if (char !== '"' && !skip(LITERAL) && !skip(NUMBER)) {
        return { position: at, expected: state === 'firstValue' ? 'a value or ]' : 'a value' };
      }
      state = 'after';
    }
  }

  /** Skips the string that starts at `at`; returns the syntax error in it, if any. */
  function skipString(): JsonSyntaxError | undefined {
    for (at++; ; at++) {
      const code = text.charCodeAt(at);
      if (code === 0x22) {
        at++;
        return undefined;
      }
      if (Number.isNaN(code)) return { position: at, expected: 'a closing quote' };
      if (code < 0x20) return { position: at, expected: 'a closing quote or an escaped control character' };
      if (code !== 0x5c) continue;
      ESCAPE.lastIndex = at + 1;
      if (!ESCAPE.test(text)) return { position: at, expected: 'an escape such as \\n or \\u00e9' };
      at = ESCAPE.lastIndex - 1;
    }
  }
}
