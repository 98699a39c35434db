// The field `each` of a layer.
import { formatReceived } from '../contract/json/describe.js';
import { issue } from '../contract/messages/issues.js';
import { isObject } from '../contract/schema/fields.js';
import type { Detail } from '../errors.js';

/** Maximum of `max`. */
const MAX_COPIES = 1000;
const DEFAULT_MAX = 100;
const NAME = /^[A-Za-z_]\w*$/;

export interface Each {
  /** The string with the expression, and its path. */
  readonly list: string;
  readonly path: string;
  readonly as: string;
  readonly index: string;
  readonly max: number;
}

/** Reads the field, which is at `path`. Returns its faults if there are any. */
export function readEach(raw: unknown, path: string): { readonly each?: Each; readonly details: readonly Detail[] } {
  if (typeof raw === 'string') {
    return { each: { list: raw, path, as: 'item', index: 'i', max: DEFAULT_MAX }, details: [] };
  }
  if (!isObject(raw))
    return { details: [issue(path, raw, 'an expression such as {{= items }}, or an object with in')] };
  const { in: list, as = 'item', index = 'i', max = DEFAULT_MAX } = withoutNull(raw);
  const details: Detail[] = [];
  if (typeof list !== 'string') details.push(issue(`${path}.in`, list, 'an expression such as {{= items }}'));
  for (const [field, name] of [
    ['as', as],
    ['index', index],
  ] as const) {
    if (typeof name !== 'string' || !NAME.test(name)) {
      details.push(issue(`${path}.${field}`, name, 'a name of letters, digits and _'));
    }
  }
  if (as === index) details.push(issue(`${path}.index`, index, 'another name than that of the entry'));
  if (!Number.isInteger(max) || Number(max) < 1 || Number(max) > MAX_COPIES) {
    const expected = `a whole number from 1 to ${MAX_COPIES}`;
    details.push({
      code: 'invalid_value',
      path: `${path}.max`,
      message: `received ${formatReceived(max)}, expected ${expected}`,
      expected,
    });
  }
  if (details.length > 0) return { details };
  const each = {
    list: list as string,
    path: `${path}.in`,
    as: as as string,
    index: index as string,
    max: max as number,
  };
  return { each, details };
}

function withoutNull(raw: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== null));
}
