// Placeholders in the texts of a template: `{{name}}`, `{{name|default}}`, `{{name:number(2):upper|default}}`. `\{{` is a
// literal `{{`, and `\\{{` a backslash before a placeholder. `{{= … }}` is an expression, which lib/data evaluates. Pages use
// it, so it does not import zod.
import { closestMatch } from '../messages/closest-match.js';
import { expressionEnd } from './expression-end.js';

export type Format =
  | { readonly kind: 'number'; readonly digits: number }
  | { readonly kind: 'upper' }
  | { readonly kind: 'lower' }
  | { readonly kind: 'url' };

export interface Placeholder {
  readonly name: string;
  /** Applied one after the other to the variable's text, not to the default. */
  readonly formats: readonly Format[];
  /** The text that replaces a missing value. */
  readonly fallback: string;
  /** The placeholder's source with its braces. */
  readonly source: string;
}

/** The text of an expression, which lib/data parses. */
export interface ExpressionPiece {
  readonly expression: string;
  /** Index of the expression's first character in the string. */
  readonly at: number;
  /** The expression's source with its braces. */
  readonly source: string;
}

/** A text is a list of literals, placeholders and expressions. */
export type Piece = string | Placeholder | ExpressionPiece;

/** Whether the piece is a placeholder with a name. */
export function isPlaceholder(piece: Piece): piece is Placeholder {
  return typeof piece !== 'string' && 'name' in piece;
}

export interface PlaceholderFault {
  /** Position of the placeholder's first brace, in characters (UTF-16 units) from 1. */
  readonly position: number;
  readonly message: string;
}

/** Maximum length of a name in characters, as for keys. */
const MAX_NAME_LENGTH = 200;
/** Maximum decimals of `number`. */
const MAX_DIGITS = 20;
const MAX_FORMATS = 4;
const FORMATS = ['number', 'upper', 'lower', 'url'];

/** Splits `text` at its placeholders. Those with a fault are left out. */
export function parsePlaceholders(text: string): { readonly pieces: Piece[]; readonly faults: PlaceholderFault[] } {
  const pieces: Piece[] = [];
  const faults: PlaceholderFault[] = [];
  let literal = '';
  let from = 0;
  for (let open = text.indexOf('{{'); open >= 0; open = text.indexOf('{{', from)) {
    let backslashes = 0;
    while (open - backslashes > from && text[open - backslashes - 1] === '\\') backslashes++;
    literal += text.slice(from, open - Math.ceil(backslashes / 2));
    from = open + 2;
    if (backslashes % 2 === 1) {
      literal += '{{';
      continue;
    }
    const isExpression = text[from] === '=';
    const close = isExpression ? expressionEnd(text, from + 1) : text.indexOf('}}', from);
    if (close < 0) {
      const kind = isExpression
        ? 'an expression, or a text in it, is not closed'
        : 'a placeholder is not closed with }}';
      faults.push({ position: open + 1, message: `${kind} (a literal {{ is \\{{)` });
      from = text.length;
      break;
    }
    const inner = text.slice(from, close);
    const piece = isExpression
      ? { expression: inner.slice(1), at: from + 1, source: `{{${inner}}}` }
      : parsePlaceholder(inner);
    from = close + 2;
    if (typeof piece === 'string') {
      faults.push({ position: open + 1, message: piece });
      continue;
    }
    if (literal !== '') pieces.push(literal);
    literal = '';
    pieces.push(piece);
  }
  literal += text.slice(from);
  if (literal !== '') pieces.push(literal);
  return { pieces, faults };
}

/**
 * Parses the text between the braces; returns the fault if it is invalid. Spaces at the ends of a name, a format or a default
 * don't count.
 */
function parsePlaceholder(inner: string): Placeholder | string {
  const source = `{{${inner}}}`;
  const quoted = source.length > 60 ? `${source.slice(0, 59)}…` : source;
  if (/[{}]/.test(inner)) return `${quoted} has a brace inside it; a literal {{ is \\{{`;
  const bar = inner.indexOf('|');
  const fallback = bar < 0 ? '' : inner.slice(bar + 1).trim();
  const [name, ...formatWords] = (bar < 0 ? inner : inner.slice(0, bar)).split(':').map((part) => part.trim());
  if (name === '') return `${quoted} names no variable`;
  if (name.length > MAX_NAME_LENGTH) return `${quoted} has a name of more than ${MAX_NAME_LENGTH} characters`;
  if (/[\n\r]/.test(name)) return `${quoted} has a line break in its name`;
  if (formatWords.length > MAX_FORMATS) return `${quoted} has more than ${MAX_FORMATS} formats`;
  const formats: Format[] = [];
  for (const each of formatWords) {
    const format = parseFormat(each);
    if (!format) return `${quoted} has the format ${JSON.stringify(each)}, expected ${expectedFormat(each)}`;
    formats.push(format);
  }
  return { name, formats, fallback, source };
}

function parseFormat(text: string): Format | undefined {
  if (text === 'upper' || text === 'lower' || text === 'url') return { kind: text };
  const digits = Number(/^number\(\s*(\d{1,2})\s*\)$/.exec(text)?.[1] ?? Number.NaN);
  return digits <= MAX_DIGITS ? { kind: 'number', digits } : undefined;
}

function expectedFormat(text: string): string {
  const meant = closestMatch(/^[^(]*/.exec(text)![0].trim(), FORMATS);
  if (meant === 'number') return `number(0) to number(${MAX_DIGITS})`;
  const known = `number(0) to number(${MAX_DIGITS}), upper, lower or url`;
  return meant === undefined ? known : `${known} (did you mean ${meant}?)`;
}
