// Equality and order of values.
import type { Budget } from '../budget.js';
import { ExpressionError } from '../error.js';
import { asValue, describe, isList, isRecord, type Value } from '../value.js';

/** Values of different types are never equal; lists and objects are by what is in them. */
export function isEqual(a: Value, b: Value, at: number, budget: Budget): boolean {
  budget.step(at);
  if (typeof a === 'string' && typeof b === 'string') {
    budget.read(at, a);
    return a === b;
  }
  if (isList(a)) {
    if (!isList(b) || a.length !== b.length) return false;
    return a.every((entry, i) => isEqual(asValue(entry), asValue(b[i]), at, budget));
  }
  if (isRecord(a)) {
    if (!isRecord(b)) return false;
    const keys = Object.keys(a);
    budget.step(at, keys.length);
    if (keys.length !== Object.keys(b).length) return false;
    return keys.every((key) => Object.hasOwn(b, key) && isEqual(asValue(a[key]), asValue(b[key]), at, budget));
  }
  return a === b;
}

/** Negative where `a` comes before `b`. Throws ExpressionError unless both are numbers, texts or booleans. */
export function compareValues(a: Value, b: Value, at: number, budget: Budget): number {
  budget.step(at);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (typeof a === 'string' && typeof b === 'string') {
    budget.read(at, a);
    return compareTexts(a, b);
  }
  throw new ExpressionError(at, `can't compare ${describe(a)} with ${describe(b)}, expected two numbers or two texts`);
}

/** Compares code points: UTF-16 has those above U+FFFF before some below. */
function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    if (a.charCodeAt(i) === b.charCodeAt(i)) continue;
    const isPair = (text: string) => (text.charCodeAt(i) & 0xf800) === 0xd800;
    const order = Number(isPair(a)) - Number(isPair(b));
    return order === 0 ? a.charCodeAt(i) - b.charCodeAt(i) : order;
  }
  return a.length - b.length;
}
