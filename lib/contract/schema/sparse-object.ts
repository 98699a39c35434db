// A zod object whose parse takes as long as the given fields need, not all that the schema has: a layer has about ten of
// sixty. zod 4 runs the schema of each field, absent or not, which took more than half of the time of parsing layers.
import * as z from 'zod';
import { $constructor, $ZodAsyncError } from 'zod/v4/core';

type Run = z.core.$ZodType['_zod']['run'];

/** The facts about a schema's fields that parsing needs. */
interface Fields {
  readonly parsers: ReadonlyMap<string, Run>;
  readonly required: readonly string[];
  /** The output of absent fields. Its values are shared by all outputs. */
  readonly defaults: readonly (readonly [key: string, value: unknown])[];
}

const ZodObject: z.core.$constructor<z.ZodObject> = z.ZodObject;

/** Behaves as z.object. What it does not accept it leaves to z.object, which finds the issues. */
export const SparseObject: z.core.$constructor<z.ZodObject> = $constructor('SparseObject', (inst, def) => {
  ZodObject.init(inst, def);
  const { parse } = inst._zod;
  let fields: Fields | undefined;
  inst._zod.parse = (payload, context) => {
    const isSparse = isPlain(payload.value) && context.direction !== 'backward' && !def.catchall;
    if (!isSparse) return parse(payload, context);
    fields ??= fieldsOf(def.shape, context);
    const value = parseGiven(fields, payload.value, context);
    if (!value) return parse(payload, context);
    payload.value = value;
    return payload;
  };
});

/** Whether all fields of `value` are its own: an instance of a class may inherit some. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function fieldsOf(shape: z.core.$ZodShape, context: z.core.ParseContextInternal): Fields {
  const parsers = new Map<string, Run>();
  const required: string[] = [];
  const defaults: [string, unknown][] = [];
  for (const [key, { _zod: field }] of Object.entries(shape)) {
    parsers.set(key, field.run);
    const absent = field.optin === 'defaulted' ? runSync(field.run, undefined, context) : undefined;
    if (field.optin === undefined || (absent && absent.issues.length > 0)) required.push(key);
    else if (absent?.value !== undefined) defaults.push([key, absent.value]);
  }
  return { parsers, required, defaults };
}

/** The output; undefined if a given field has an issue or a required one is absent. */
function parseGiven(
  { parsers, required, defaults }: Fields,
  input: Readonly<Record<string, unknown>>,
  context: z.core.ParseContextInternal,
): Record<string, unknown> | undefined {
  for (const key of required) if (input[key] === undefined) return undefined;
  const output: Record<string, unknown> = {};
  // a spread takes five times as long: V8 is slow to add properties to its copies
  for (const [key, value] of defaults) output[key] = value;
  for (const key of Object.keys(input)) {
    const fieldValue = input[key];
    const run = parsers.get(key);
    if (!run || fieldValue === undefined) continue;
    const { value, issues } = runSync(run, fieldValue, context);
    if (issues.length > 0) return undefined;
    output[key] = value;
  }
  return output;
}

function runSync(run: Run, value: unknown, context: z.core.ParseContextInternal): z.core.ParsePayload {
  const result = run({ value, issues: [] }, context);
  if (result instanceof Promise) throw new $ZodAsyncError();
  return result;
}
