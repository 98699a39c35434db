// Parses typed numbers: with units and words if the field takes them, and with simple arithmetic.
import type { NumberControl } from '../form/controls.js';

export type Read = { readonly value: unknown } | { readonly fault: string };

/** Matches a number with an optional unit. Sums such as `+=10` and `100/3` may be unfinished while they are typed. */
const PLAIN = /^[+-]?(?:\d+\.?\d*|\.\d+)\s*(%|px)?$/;

export const isPlainNumber = (text: string): boolean => PLAIN.test(text.trim());

/** Rounds a result to three decimals. */
const DECIMALS = 1000;

const rounded = (value: number): number => Math.round(value * DECIMALS) / DECIMALS;

/** Reads a text. `+=10` adds to `current`; empty text removes the field. */
export function readNumber(text: string, control: NumberControl, current: unknown = undefined): Read {
  const trimmed = text.trim();
  if (trimmed === '') return { value: undefined };
  const word = control.words.find((each) => each.toLowerCase() === trimmed.toLowerCase());
  if (word !== undefined) return { value: word };
  const [, operator, operand] = /^([-+*/])=(.+)$/.exec(trimmed) ?? [];
  const [, body = '', unit = ''] = /^(.*?)(%|px)?$/i.exec(operand ?? trimmed) ?? [];
  const own = numberIn(current);
  let value = evaluate(body);
  if (operator !== undefined && value !== undefined) value = calculate(operator, own.number ?? 0, value);
  if (value === undefined || !Number.isFinite(value)) return { fault: expectation(control) };
  const unitText = unit.toLowerCase();
  const isUnit = control.units.includes(unitText);
  if (unitText !== '' && !isUnit && unitText !== 'px') return { fault: expectation(control) };
  const result = rounded(value);
  const resultUnit = unitText === '' && operator !== undefined ? own.unit : isUnit ? unitText : '';
  if (resultUnit !== '') return result < 0 ? { fault: expectation(control) } : { value: `${result}${resultUnit}` };
  const fault = boundsFault(control, result);
  return fault === undefined ? { value: result } : { fault };
}

/** Splits a value such as `12` or `50%` into number and unit. */
export function numberIn(value: unknown): { readonly number: number | undefined; readonly unit: string } {
  if (typeof value === 'number') return { number: value, unit: '' };
  const [, number, unit = ''] = /^([+-]?[\d.]+)(%|px)?$/.exec(typeof value === 'string' ? value : '') ?? [];
  return { number: number === undefined ? undefined : Number(number), unit };
}

export const numberText = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'string' ? String(value) : '';

/** Changes a value by a step, within the bounds. */
export function stepped(value: unknown, by: number, control: NumberControl): unknown {
  const { number = 0, unit } = numberIn(value);
  const { above } = control;
  const least = control.least ?? (above === undefined ? Number.NEGATIVE_INFINITY : above + Math.abs(by));
  const moved = rounded(number + by);
  const next = Math.min(Math.max(moved, unit === '' ? least : 0), control.most ?? Number.POSITIVE_INFINITY);
  const whole = control.isWhole ? Math.round(next) : next;
  return unit === '' ? whole : `${whole}${unit}`;
}

function boundsFault(control: NumberControl, value: number): string | undefined {
  const {
    least = Number.NEGATIVE_INFINITY,
    most = Number.POSITIVE_INFINITY,
    above = Number.NEGATIVE_INFINITY,
  } = control;
  const isFine = value >= least && value <= most && value > above && (!control.isWhole || Number.isInteger(value));
  return isFine ? undefined : expectation(control);
}

/** Bounds above this only keep sums finite and aren't worth a message. */
const MAX_SHOWN = 100_000;

/** Says in words which numbers a field takes. */
export function expectation({ isWhole, least, most, above, words, units }: NumberControl): string {
  const lower = least !== undefined && least > -MAX_SHOWN ? least : undefined;
  const upper = most !== undefined && most < MAX_SHOWN ? most : undefined;
  let bounds = '';
  if (lower !== undefined && upper !== undefined) bounds = ` from ${lower} to ${upper}`;
  else if (lower !== undefined) bounds = ` of at least ${lower}`;
  else if (upper !== undefined) bounds = ` of at most ${upper}`;
  if (above !== undefined) bounds = ` above ${above}${upper === undefined ? '' : ` and up to ${upper}`}`;
  const number = `a ${isWhole ? 'whole ' : ''}number${bounds}`;
  const others = [...units.map((unit) => (unit === '%' ? 'a percentage' : `a length in ${unit}`)), ...words];
  const all = [number, ...others.slice(0, 4)];
  return `Enter ${all.length === 1 ? number : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`}`;
}

function calculate(operator: string, one: number, other: number): number {
  if (operator === '+') return one + other;
  if (operator === '-') return one - other;
  return operator === '*' ? one * other : one / other;
}

/** Limit of nested brackets: nobody types deeper sums. */
const MAX_DEPTH = 32;

/** Evaluates a sum such as `(100 + 20) / 3`; undefined if it is invalid. */
export function evaluate(text: string): number | undefined {
  const tokens = text.match(/\d+\.?\d*|\.\d+|[-+*/()]|\S/g) ?? [];
  let at = 0;
  const sum = (depth: number): number | undefined => {
    let value = product(depth);
    while (value !== undefined && (tokens[at] === '+' || tokens[at] === '-')) {
      const operator = tokens[at++]!;
      const next = product(depth);
      value = next === undefined ? undefined : calculate(operator, value, next);
    }
    return value;
  };
  const product = (depth: number): number | undefined => {
    let value = factor(depth);
    while (value !== undefined && (tokens[at] === '*' || tokens[at] === '/')) {
      const operator = tokens[at++]!;
      const next = factor(depth);
      value = next === undefined ? undefined : calculate(operator, value, next);
    }
    return value;
  };
  const factor = (depth: number): number | undefined => {
    const token = tokens[at++];
    if (token === undefined || depth > MAX_DEPTH) return undefined;
    if (token === '-' || token === '+') {
      const value = factor(depth + 1);
      return value === undefined ? undefined : token === '-' ? -value : value;
    }
    if (token === '(') {
      const value = sum(depth + 1);
      return tokens[at++] === ')' ? value : undefined;
    }
    return /^[\d.]/.test(token) ? Number(token) : undefined;
  };
  const value = sum(0);
  return at === tokens.length ? value : undefined;
}
