// Splits the text of an expression into tokens.
import { isRawLiteral, literalEnd } from '../contract/template/expression-end.js';
import { ExpressionError } from './error.js';

export interface Token {
  readonly kind: 'number' | 'text' | 'word' | 'operator' | 'end';
  /** The source of a word or operator. */
  readonly text: string;
  /** The value of a number or text. */
  readonly value?: number | string;
  /** Index of the first character in the expression. */
  readonly at: number;
}

const BLANK = /[ \t\n\r\f]+/y;
const WORD = /[A-Za-z_]\w*/y;
const NUMBER = /0[xX][\da-fA-F]+|(?:\d+\.\d+|\d+|\.\d+)(?:[eE][+-]?\d+)?/y;
const OPERATOR = /&&|\|\||[=!<>]=|[-+*/%!<>?:.,()[\]{}]/y;

/** Throws ExpressionError at the first character that begins no token. */
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(source)?.[0];
  };
  for (;;) {
    at += match(BLANK)?.length ?? 0;
    if (at >= source.length) break;
    const quoteAt = /[rR]/.test(source[at]) && /["']/.test(source[at + 1] ?? '') ? at + 1 : at;
    if (source[quoteAt] === '"' || source[quoteAt] === "'") {
      const end = literalEnd(source, quoteAt);
      if (end < 0) throw new ExpressionError(at, 'the text is not closed with a quote');
      tokens.push({ kind: 'text', text: source.slice(at, end), value: textOf(source, quoteAt, end), at });
      at = end;
      continue;
    }
    const word = match(WORD);
    const number = word === undefined ? match(NUMBER) : undefined;
    const text = word ?? number ?? match(OPERATOR);
    if (text === undefined) {
      const character = String.fromCodePoint(source.codePointAt(at)!);
      throw new ExpressionError(at, `received ${character}, expected a value or an operator${hintFor(character)}`);
    }
    if (number !== undefined) {
      const value = Number(number);
      if (!Number.isFinite(value)) throw new ExpressionError(at, `received ${number}, expected a finite number`);
      tokens.push({ kind: 'number', text, value, at });
    } else tokens.push({ kind: word === undefined ? 'operator' : 'word', text, at });
    at += text.length;
    if (number !== undefined && /\w/.test(source[at] ?? '')) {
      throw new ExpressionError(at, `received ${source[at]} after a number, expected an operator`);
    }
  }
  tokens.push({ kind: 'end', text: 'the end', at: source.length });
  return tokens;
}

function hintFor(character: string): string {
  const meant = { '=': '==', '&': '&&', '|': '||' }[character];
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '?': '?',
  '"': '"',
  "'": "'",
  '`': '`',
};
const CODE_ESCAPE = /\\(?:[xX]([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-3][0-7]{2}))/y;

/** The value of the string literal from its first quote at `open` to `end`. */
function textOf(source: string, open: number, end: number): string {
  const width = source.startsWith(source[open].repeat(3), open) && end - open >= 6 ? 3 : 1;
  const inner = source.slice(open + width, end - width);
  if (isRawLiteral(source, open) || !inner.includes('\\')) return inner;
  let text = '';
  for (let i = 0; i < inner.length; i++) {
    if (inner[i] !== '\\') {
      text += inner[i];
      continue;
    }
    const simple = SIMPLE_ESCAPES[inner[i + 1]];
    if (simple !== undefined) {
      text += simple;
      i++;
      continue;
    }
    CODE_ESCAPE.lastIndex = i;
    const found = CODE_ESCAPE.exec(inner);
    const [, hex, short, long, octal] = found ?? [];
    const code = octal === undefined ? Number.parseInt(hex ?? short ?? long ?? '', 16) : Number.parseInt(octal, 8);
    if (!found || code > 0x10ffff) {
      const at = open + width + i;
      throw new ExpressionError(
        at,
        `received ${inner.slice(i, i + 2)}, expected an escape such as \\n, \\" or \\u00e9`,
      );
    }
    text += String.fromCodePoint(code);
    i += found[0].length - 1;
  }
  return text;
}
