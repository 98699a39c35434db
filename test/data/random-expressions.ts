// Expressions at random, half of them damaged: each gives plain data or an ExpressionError, within its limits.
import { Budget } from '../../lib/data/budget.js';
import { ExpressionError } from '../../lib/data/error.js';
import { evaluate } from '../../lib/data/evaluate.js';
import { FUNCTIONS } from '../../lib/data/functions/index.js';
import type { Names } from '../../lib/data/names.js';
import { parseExpression } from '../../lib/data/syntax.js';
import type { ValueObject } from '../../lib/data/value.js';
import { formatterOf } from '../locale/formatters.js';

const VARIABLES: ValueObject = {
  n: 3,
  text: 'a Ü 🙂 <b>',
  no: null,
  yes: true,
  list: [3, 1, 2],
  items: [
    { name: 'pear', price: 3, tags: ['x', 'y'] },
    { name: 'fig', price: -0.5, tags: [] },
  ],
  deep: { a: { b: { c: 1 } } },
  color: '#7c3aed',
};
/** Names that JavaScript has and expressions must not have. */
const FOREIGN = ['constructor', '__proto__', 'prototype', 'toString', 'process', 'globalThis', 'valueOf', 'length'];
const NAMES = [...Object.keys(VARIABLES), 'vars', 'tokens', 'locale', ...FOREIGN];
const LITERALS = [
  '0',
  '1',
  '2.5',
  '1e308',
  '-1',
  '"a"',
  "'é'",
  '""',
  'true',
  'false',
  'null',
  '[]',
  '{}',
  '"2026-01-31"',
];
const OPERATORS = ['+', '-', '*', '/', '%', '==', '!=', '<', '<=', '>', '>=', 'in', '&&', '||'];
const METHODS = ['contains', 'startsWith', 'endsWith', 'split', 'join', 'replace', 'trim', 'size', ...FOREIGN];
const MACROS = ['all', 'exists', 'exists_one', 'filter', 'map'];
const DAMAGE = [...'(){}[]"\'\\.,:?!&|+-0x \u0000\u2028é🙂'];

/** A generator of numbers from 0 to below 1 (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function createGenerator(random: () => number) {
  const pick = <Each>(from: readonly Each[]): Each => from[Math.floor(random() * from.length)];
  const functions = [...Object.keys(FUNCTIONS), ...FOREIGN];
  const make = (depth: number): string => {
    const kind = depth <= 0 ? Math.floor(random() * 2) : Math.floor(random() * 11);
    const inner = () => make(depth - 1);
    const several = (most: number) => Array.from({ length: Math.floor(random() * (most + 1)) }, inner).join(', ');
    if (kind === 0) return pick(LITERALS);
    if (kind === 1) return pick(NAMES);
    if (kind === 2) return `${inner()} ${pick(OPERATORS)} ${inner()}`;
    if (kind === 3) return `(${inner()}) ? ${inner()} : ${inner()}`;
    if (kind === 4) return `${pick(NAMES)}.${pick([...FOREIGN, 'name', 'a', 'b', 'price'])}`;
    if (kind === 5) return `(${inner()})[${inner()}]`;
    if (kind === 6) return `${pick(functions)}(${several(3)})`;
    if (kind === 7) return `(${inner()}).${pick(METHODS)}(${several(2)})`;
    if (kind === 8) return `(${inner()}).${pick(MACROS)}(${pick(['x', 'n', 'constructor'])}, ${inner()})`;
    if (kind === 9) return `[${several(4)}]`;
    return pick([
      `!(${inner()})`,
      `-(${inner()})`,
      `{"k": ${inner()}, "__proto__": ${inner()}}`,
      `has(n.${pick(FOREIGN)})`,
    ]);
  };
  const damaged = (source: string): string => {
    const at = Math.floor(random() * (source.length + 1));
    return source.slice(0, at) + pick(DAMAGE) + source.slice(at + Math.floor(random() * 3));
  };
  return () => {
    const source = make(1 + Math.floor(random() * 5));
    return random() < 0.5 ? source : damaged(source);
  };
}

/** Whether a value is plain data: nothing of the program is reached. */
function isPlain(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isPlain);
  if (typeof value !== 'object') return false;
  const prototype = Object.getPrototypeOf(value);
  return (prototype === null || prototype === Object.prototype) && Object.values(value).every(isPlain);
}

/** Evaluates `count` expressions; returns how many had a value, and those that ended in another way than they may. */
export function fuzzExpressions(count: number, seed: number) {
  const next = createGenerator(randomNumbers(seed));
  const formatter = formatterOf('en');
  const scope: Names = { names: new Map(), variables: VARIABLES, formatter: () => formatter };
  const before = JSON.stringify(VARIABLES);
  const failures: string[] = [];
  let values = 0;
  for (let i = 0; i < count && failures.length < 10; i++) {
    const source = next();
    try {
      if (!isPlain(evaluate(parseExpression(source), scope, new Budget()))) failures.push(`${source}: not plain data`);
      values++;
    } catch (error) {
      if (!(error instanceof ExpressionError)) failures.push(`${source}: ${error}`);
    }
  }
  if (JSON.stringify(VARIABLES) !== before) failures.push('the variables have changed');
  return { values, failures };
}
