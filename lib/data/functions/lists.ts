// Functions of lists.
import { fieldOf, recordOf, type Value } from '../value.js';
import { compareValues } from './compare.js';
import {
  argumentError,
  type Call,
  type Definition,
  define,
  listArgument,
  numberArgument,
  textArgument,
} from './definition.js';

/** Bounds of whole numbers in `range` and `take`. */
const MAX_WHOLE = Number.MAX_SAFE_INTEGER;

export const LIST_FUNCTIONS = {
  sortBy: define([2, 3], ([list, field, order = 'asc'], call) => {
    if (order !== 'asc' && order !== 'desc') throw argumentError(call, order, '"asc" or "desc"');
    return sorted(listArgument(list, call), textArgument(field, call), order === 'desc', call);
  }),
  groupBy: define([2, 2], ([list, field], call) => {
    const name = textArgument(field, call);
    const groups = new Map<Value, Value[]>();
    for (const item of listArgument(list, call)) {
      const key = fieldOf(item, name);
      if (typeof key === 'object' && key !== null)
        throw argumentError(call, key, `a text, a number, true or false in ${name}`);
      const group = groups.get(key);
      if (group) group.push(item);
      else groups.set(key, [item]);
    }
    return Array.from(groups, ([key, items]) =>
      recordOf([
        ['key', key],
        ['items', items],
      ]),
    );
  }),
  take: define([2, 2], ([list, count], call) => {
    const wanted = whole(count, call);
    return listArgument(list, call).slice(0, Math.max(0, wanted));
  }),
  range: define([1, 2], (args, call) => {
    const [from, to] = args.length === 1 ? [0, whole(args[0], call)] : [whole(args[0], call), whole(args[1], call)];
    const length = Math.max(0, to - from);
    call.budget.list(call.at, length);
    return Array.from({ length }, (_, i) => from + i);
  }),
} satisfies Record<string, Definition>;

function whole(value: Value, call: Call): number {
  const number = numberArgument(value, call);
  if (!Number.isInteger(number) || Math.abs(number) > MAX_WHOLE) throw argumentError(call, value, 'a whole number');
  return number;
}

/** Keeps the order of equal entries, and puts those without the field last. */
function sorted(list: readonly Value[], field: string, isDescending: boolean, call: Call): Value[] {
  const { at, budget } = call;
  const keyed = list.map((item) => ({ item, key: fieldOf(item, field) }));
  const sign = isDescending ? -1 : 1;
  return keyed
    .sort((a, b) => {
      if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null);
      return sign * compareValues(a.key, b.key, at, budget);
    })
    .map(({ item }) => item);
}
