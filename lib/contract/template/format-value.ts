// The formats of placeholders. Their rules are fixed: no locale, and no function that differs between engines.
import { lowercase, uppercase } from '../../unicode/case-mapping.js';
import type { Format } from './placeholders.js';

/** The text of a value after a placeholder's format; undefined if it can't be formatted so. */
export function formatValue(text: string, format: Format): string | undefined {
  switch (format.kind) {
    case 'upper':
      return uppercase(text);
    case 'lower':
      return lowercase(text);
    case 'url':
      return percentEncode(text);
    case 'number':
      return roundDecimal(text, format.digits);
  }
}

/**
 * Does what encodeURIComponent does: escapes all but letters, digits and `-_.!~*'()`. A lone surrogate becomes U+FFFD instead
 * of an error.
 */
export function percentEncode(text: string): string {
  return encodeURIComponent(text.replace(/[\uD800-\uDFFF]/gu, '\uFFFD'));
}

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i;

/**
 * A number in decimal or scientific notation, rounded to `digits` decimals; halves away from zero. The decimals of the text
 * are rounded, not the binary number nearest to it: 1.005 gives 1.01. No grouping, and no minus before a zero.
 */
export function roundDecimal(text: string, digits: number): string | undefined {
  const [match, sign, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text.trim()) ?? [];
  if (match === undefined || whole + fraction === '') return undefined;
  // the decimal point stands after this many of the figures
  const point = whole.length + Number(exponent);
  const figures = '0'.repeat(Math.max(0, -point)) + whole + fraction;
  const integer = figures.slice(0, Math.max(0, point)).padEnd(point, '0');
  const decimals = figures.slice(Math.max(0, point));
  const digitsShown = integer + decimals.slice(0, digits).padEnd(digits, '0');
  const rounded = (decimals[digits] ?? '0') >= '5' ? increment(digitsShown) : digitsShown;
  const end = rounded.length - digits;
  const result = rounded.slice(0, end).replace(/^0+(?=\d)/, '') || '0';
  const value = digits === 0 ? result : `${result}.${rounded.slice(end)}`;
  return sign === '-' && /[1-9]/.test(value) ? `-${value}` : value;
}

/** The figures of a whole number plus one. */
function increment(figures: string): string {
  // not /9*$/, which takes quadratic time
  let end = figures.length;
  while (figures[end - 1] === '9') end--;
  const head = figures.slice(0, end);
  const next = head === '' ? '1' : head.slice(0, -1) + String(Number(head.slice(-1)) + 1);
  return next.padEnd(next.length + figures.length - end, '0');
}
