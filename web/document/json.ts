// Reads and changes the raw JSON of a record, which may be invalid; a change leaves the rest as it is.

export type Json = Readonly<Record<string, unknown>>;

/** Keys of objects and indexes of lists, from the outside in. */
export type Path = readonly (string | number)[];

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** A record's own value for a name from a document, which may be `constructor`. */
export const ownValue = <Value>(record: Readonly<Record<string, Value>>, name: unknown): Value | undefined =>
  Object.hasOwn(record, String(name)) ? record[String(name)] : undefined;

export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** Whether data give the value: it is an expression, or names a token. */
export const isBound = (value: unknown): value is string => typeof value === 'string' && /\{\{=|var\(--/.test(value);

/** The value at `path`; undefined if there is none. */
export function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string | number, unknown>)[key];
  }
  return value;
}

/**
 * Returns `root` with `value` at `path`. undefined removes the field or the item of the list. Missing parents become objects,
 * or lists if the next key is an index. Returns `root` itself when nothing changes.
 */
export function withValue(root: unknown, path: Path, value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (typeof key === 'number') {
    const list = isList(root) ? root : [];
    const next = withValue(list[key], rest, value);
    if (next === list[key] && (key < list.length || next === undefined)) return root ?? list;
    // an index beyond the end appends
    return next === undefined ? list.toSpliced(key, 1) : list.toSpliced(key, 1, next);
  }
  const object = isObject(root) ? root : {};
  const before = Object.hasOwn(object, key) ? object[key] : undefined;
  const next = withValue(before, rest, value);
  if (next === before && (next !== undefined || !Object.hasOwn(object, key)))
    return root === undefined ? undefined : object;
  return withField(object, key, next);
}

/** Sets one field of the object, which keeps its place; a new field comes last. undefined removes it. */
export function withField(object: Json, key: string, value: unknown): Json {
  if (value === undefined) {
    const { [key]: _removed, ...others } = object;
    return others;
  }
  // a computed key, because `__proto__: value` would set the prototype
  return { ...object, [key]: value };
}

/** Sets several fields of the object; undefined removes a field. */
export function withFields(object: Json, fields: Json): Json {
  let changed = object;
  for (const [key, value] of Object.entries(fields)) {
    if (changed[key] !== value || !Object.hasOwn(changed, key)) changed = withField(changed, key, value);
  }
  return changed;
}
