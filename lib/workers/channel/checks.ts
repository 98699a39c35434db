// Checks of values that come out of a render process. A process that was taken over sends what its attacker likes, so
// each check returns a value of exactly the expected shape or throws.

export type Check<Value> = (value: unknown, name: string) => Value;

function fail(name: string, expected: string): never {
  // the value is an attacker's, so the message does not repeat it
  throw new Error(`${name}: expected ${expected}`);
}

export const string =
  (maxLength = Number.POSITIVE_INFINITY): Check<string> =>
  (value, name) =>
    typeof value === 'string' && value.length <= maxLength ? value : fail(name, 'a string');

export const matching =
  (pattern: RegExp): Check<string> =>
  (value, name) =>
    typeof value === 'string' && pattern.test(value) ? value : fail(name, `a string like ${pattern.source}`);

/** JSON can have `1e999`, which is read as infinite. */
export const number: Check<number> = (value, name) =>
  Number.isFinite(value) ? (value as number) : fail(name, 'a finite number');

export const count: Check<number> = (value, name) =>
  number(value, name) >= 0 ? (value as number) : fail(name, 'a number of at least 0');

export const boolean: Check<boolean> = (value, name) => (typeof value === 'boolean' ? value : fail(name, 'a boolean'));

/** A text, a number or a truth value. */
export const scalar: Check<string | number | boolean> = (value, name) =>
  typeof value === 'string' || typeof value === 'boolean' ? value : number(value, name);

export const oneOf =
  <Value extends string | boolean>(...values: readonly Value[]): Check<Value> =>
  (value, name) =>
    values.includes(value as Value) ? (value as Value) : fail(name, `one of ${values.join(', ')}`);

export const list =
  <Item>(item: Check<Item>, maxLength: number): Check<Item[]> =>
  (value, name) => {
    if (!Array.isArray(value) || value.length > maxLength) fail(name, `a list of at most ${maxLength}`);
    return value.map((entry) => item(entry, name));
  };

export const tuple =
  <Items extends readonly unknown[]>(...items: { [Index in keyof Items]: Check<Items[Index]> }): Check<Items> =>
  (value, name) => {
    if (!Array.isArray(value) || value.length !== items.length) fail(name, `a list of ${items.length}`);
    return items.map((item, index) => item(value[index], name)) as unknown as Items;
  };

/** An object whose values are all of one kind. Its keys become own properties, whatever they are. */
export const record =
  <Value>(entry: Check<Value>, maxLength: number): Check<Record<string, Value>> =>
  (value, name) => {
    if (!isObject(value) || Object.keys(value).length > maxLength) fail(name, `an object of at most ${maxLength}`);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, entry(item, name)]));
  };

type Fields<Value> = { readonly [Key in keyof Value]-?: Check<Value[Key]> };

const OPTIONAL = Symbol('optional');

/** A field that may be absent. */
export function optional<Value>(check: Check<Value>): Check<Value | undefined> {
  return Object.assign((value: unknown, name: string) => check(value, name), { [OPTIONAL]: true });
}

/** An object with these fields and no others. */
export function object<Value extends object>(fields: Fields<Value>): Check<Value> {
  const checks = new Map(Object.entries(fields) as [string, Check<unknown>][]);
  const required = [...checks].filter(([, check]) => !(OPTIONAL in check)).map(([key]) => key);
  return (value, name) => {
    if (!isObject(value)) fail(name, 'an object');
    const checked: Record<string, unknown> = {};
    for (const key of Object.keys(value)) {
      const check = checks.get(key) ?? fail(name, `an object with the fields ${[...checks.keys()].join(', ')}`);
      checked[key] = check((value as Record<string, unknown>)[key], `${name}.${key}`);
    }
    for (const key of required) if (!(key in checked)) fail(`${name}.${key}`, 'a value');
    return checked as Value;
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
