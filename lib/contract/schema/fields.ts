// Builders for the contract's field schemas. Each schema's error text is what it expects ("a number from 0 to 1");
// issues.ts combines it with the value that was received and with the hint of the issue.
import * as z from 'zod';
import { isObject } from '../json/is-object.js';
import { lazily } from '../json/lazily.js';
import {
  choiceHint,
  expectedChoice,
  flagHint,
  type Hint,
  numberHint,
  numbersHint,
  objectHint,
  textHint,
} from '../messages/value-hints.js';
import { SparseObject } from './sparse-object.js';

export { isObject };

/** Bounds of a number, both inclusive; `above` is an exclusive lower bound. */
export interface Range {
  readonly min?: number;
  readonly max?: number;
  readonly above?: number;
  readonly whole?: boolean;
}

/** The error of a schema that expects something; `hint` says what to write in place of a value. */
export function expecting(expected: string, hint: (input: unknown) => Hint | undefined) {
  return {
    error(issue: z.core.$ZodRawIssue) {
      // zod copies what is added to an issue
      issue.hint = hint(issue.input);
      return expected;
    },
  };
}

/** A finite number within `range`. */
export function number(range: Range) {
  const error = expecting(expectedNumber(range), (input) => numberHint(input, range));
  // zod copies a schema for each call of `check`
  return z
    .number(error)
    .check(
      ...(range.whole ? [z.int(error)] : []),
      ...(range.min === undefined ? [] : [z.gte(range.min, error)]),
      ...(range.above === undefined ? [] : [z.gt(range.above, error)]),
      ...(range.max === undefined ? [] : [z.lte(range.max, error)]),
    );
}

function expectedNumber({ min, max, above, whole }: Range): string {
  const kind = whole ? 'a whole number' : 'a number';
  if (above !== undefined) return max === undefined ? `${kind} above ${above}` : `${kind} above ${above}, up to ${max}`;
  if (min !== undefined && max !== undefined) return `${kind} from ${min} to ${max}`;
  if (min !== undefined) return `${kind} of at least ${min}`;
  return max === undefined ? kind : `${kind} up to ${max}`;
}

/** Any string, including the empty one, of at most `max` UTF-16 units. */
export function text(max = Number.POSITIVE_INFINITY) {
  const schema = z.string(expecting('a string', textHint));
  return Number.isFinite(max) ? schema.max(max, { error: `a string of up to ${max} characters` }) : schema;
}

/** A string of at least one character. */
export function filledText(max = Number.POSITIVE_INFINITY) {
  const error = Number.isFinite(max) ? `a string of 1 to ${max} characters` : 'a string that is not empty';
  const schema = z.string(expecting(error, textHint)).min(1, { error });
  return Number.isFinite(max) ? schema.max(max, { error }) : schema;
}

export function flag() {
  return z.boolean(expecting('true or false', flagHint));
}

/** The schema of one of `values`; the error suggests the closest one. */
export function choice<const Values extends readonly string[]>(values: Values) {
  return z.enum(
    values,
    expecting(expectedChoice(values), (input) => choiceHint(input, values)),
  );
}

/**
 * The schema of one value or a list of up to `max`; the output is always a list. `expected` is the error's text for other
 * values, and `hint` says what to write instead.
 */
export function oneOrMore<Schema extends z.ZodType>(
  schema: Schema,
  [min, max]: [number, number],
  expected: string,
  hint = (field: unknown) => numbersHint(field, [min, max]),
) {
  const error = expecting(expected, hint);
  const list = z.array(schema, error).min(min, error).max(max, error);
  return z.union([schema, list], error).transform((parsed) => {
    return (Array.isArray(parsed) ? parsed : [parsed]) as readonly z.output<Schema>[];
  });
}

/** An object with these fields, whose schemas a function makes when they are needed. Other fields are ignored. */
export function record<Shape extends z.core.$ZodLooseShape>(fields: () => Shape): z.ZodObject<Shape, z.core.$strip>;
export function record<Shape extends z.core.$ZodLooseShape>(fields: Shape): z.ZodObject<Shape, z.core.$strip>;
export function record(fields: z.core.$ZodLooseShape | (() => z.core.$ZodLooseShape)) {
  const shapeOf = lazily(() => (typeof fields === 'function' ? (fields() as z.core.$ZodLooseShape) : fields));
  const { error } = expecting('an object', (input) => objectHint(input, (field) => Object.hasOwn(shapeOf(), field)));
  return new SparseObject({
    type: 'object',
    get shape() {
      return shapeOf();
    },
    error,
  });
}

/** An object with arbitrary keys, passed on without a copy (a copy would mishandle `__proto__`). */
export function freeObject() {
  return z.custom<Record<string, unknown>>(isObject, { error: 'an object' }).meta({ type: 'object' });
}
