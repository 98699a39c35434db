// zod's issues → Details: the path as a reader would write it, the value received, what was expected. One per path.
import type { z } from 'zod';
import type { Detail } from '../errors.js';

/** Received values are quoted up to this many characters. */
const SHOWN = 60;
const PLAIN_KEY = /^[A-Za-z_$][\w$]*$/;

/** The faults of `root` that zod found, `prefix` (a path such as `layers[2]`, or '') before each path. */
export function detailsOf(issues: readonly z.core.$ZodIssue[], root: unknown, prefix = ''): Detail[] {
  const found = new Map<string, Detail>();
  for (const raw of issues) {
    const path = raw.path.reduce<string>((head, key) => joinPath(head, key), prefix);
    if (!found.has(path)) found.set(path, issue(path, valueAt(root, raw.path), raw.message));
  }
  return [...found.values()];
}

/** One fault: what was received at `path` and what was expected there, in words ("a string"). */
export function issue(path: string, received: unknown, expected: string): Detail {
  return { path, message: `received ${formatReceived(received)}, expected ${expected}` };
}

/** `layers` + 2 → `layers[2]`, `layers[2]` + `opacity` → `layers[2].opacity`; odd keys are quoted. */
export function joinPath(head: string, key: PropertyKey): string {
  if (typeof key === 'number') return `${head}[${key}]`;
  const name = String(key);
  if (!PLAIN_KEY.test(name)) return `${head}[${quoted(name)}]`;
  return head === '' ? name : `${head}.${name}`;
}

/** One line that names every fault, or the first and the number of the others when they are many. */
export function summary(details: readonly Detail[], most = 3): string {
  const named = details.slice(0, most).map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  const others = details.length - named.length;
  return others > 0 ? `${named.join('; ')}; and ${others} more` : named.join('; ');
}

/** `value` as a short text for a message: whole when it is small, else its beginning or its size. */
export function formatReceived(value: unknown): string {
  switch (typeof value) {
    case 'undefined':
      return 'nothing';
    case 'string':
      return quoted(value);
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value);
    case 'boolean':
      return String(value);
    case 'object':
      if (value === null) return 'null';
      if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : `an array of ${value.length}`;
      return shownObject(value);
    default:
      return `a ${typeof value}`;
  }
}

function shownObject(value: object): string {
  const keys = Object.keys(value);
  if (keys.length === 0) return 'an empty object';
  const first = keys.slice(0, 3).map((key) => (key.length > 15 ? `${key.slice(0, 15)}…` : key));
  return `an object with ${first.join(', ')}${keys.length > 3 ? ' …' : ''}`;
}

function quoted(value: string): string {
  return JSON.stringify(value.length > SHOWN ? `${value.slice(0, SHOWN - 1)}…` : value);
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}
