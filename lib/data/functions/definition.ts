// How a function is defined, and how it reads its arguments.
import type { LocaleFormatter } from '../../locale/formatter.js';
import type { Budget } from '../budget.js';
import { ExpressionError } from '../error.js';
import { describe, isList, textOf, type Value } from '../value.js';

/** The call of a function. */
export interface Call {
  readonly name: string;
  readonly at: number;
  readonly budget: Budget;
  /** The formatter of the payload's locale. */
  readonly locale: () => LocaleFormatter;
}

export interface Definition {
  /** The number of arguments. */
  readonly min: number;
  readonly max: number;
  readonly run: (args: readonly Value[], call: Call) => Value;
}

/** A function of `min` to `max` arguments. */
export function define([min, max]: readonly [number, number], run: Definition['run']): Definition {
  return { min, max, run };
}

/** The error of an argument. */
export function argumentError({ name, at }: Call, received: Value, expected: string): ExpressionError {
  const hint = received === null ? '; default(x, y) stands in for null' : '';
  return new ExpressionError(at, `${name} received ${describe(received)}, expected ${expected}${hint}`);
}

export function numberArgument(value: Value, call: Call): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw argumentError(call, value, 'a number');
  return value;
}

export function wholeArgument(value: Value, [min, max]: readonly [number, number], call: Call): number {
  if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) return value as number;
  throw argumentError(call, value, `a whole number from ${min} to ${max}`);
}

/** Takes numbers, booleans and null as they are among text. */
export function textArgument(value: Value, call: Call): string {
  const text = textOf(value);
  if (text === undefined) throw argumentError(call, value, 'a text');
  call.budget.read(call.at, text);
  return text;
}

/** Takes null as an empty list. */
export function listArgument(value: Value, call: Call): readonly Value[] {
  if (value === null) return [];
  if (!isList(value)) throw argumentError(call, value, 'a list');
  call.budget.list(call.at, value.length);
  return value;
}

/** Returns a text that a function made. */
export function made(text: string, { budget, at }: Pick<Call, 'budget' | 'at'>): string {
  budget.make(at, text.length);
  return text;
}

/** The values as they are among text, with a separator between them. */
export function joined(values: readonly Value[], separator: string, at: number, budget: Budget): string {
  let length = separator.length * Math.max(0, values.length - 1);
  const texts = values.map((value) => {
    const text = textOf(value);
    if (text === undefined) {
      const expected = 'a text, a number, true or false; list(x, "and") or x.join(", ") makes a text of a list';
      throw new ExpressionError(at, `received ${describe(value)}, expected ${expected}`);
    }
    length += text.length;
    return text;
  });
  budget.make(at, length);
  return texts.join(separator);
}
