// The names that an expression sees.
import type { LocaleFormatter } from '../locale/formatter.js';
import { asValue, fieldOf, type Value, type ValueObject } from './value.js';

/** A name around an expression, such as that of an entry of `each`, or the outermost names. */
export type Names = Binding | RootNames;

export interface Binding {
  readonly outer: Names;
  readonly name: string;
  readonly value: Value;
}

export interface RootNames {
  readonly outer?: undefined;
  /** Names that hide variables: `tokens`, `locale`, and `props` in a component. */
  readonly names: { get(name: string): Value | undefined };
  /** The formatter of the payload's locale. */
  readonly formatter: () => LocaleFormatter;
  /** The variables, which are also the fields of `vars`. */
  readonly variables: ValueObject;
}

/** Returns null for an unknown name. */
export function valueNamed(scope: Names, name: string): Value {
  let each = scope;
  while (each.outer !== undefined) {
    if (each.name === name) return each.value;
    each = each.outer;
  }
  const named = each.names.get(name);
  if (named !== undefined) return named;
  return name === 'vars' ? each.variables : fieldOf(asValue(each.variables), name);
}

/** The names around all others. */
export function rootOf(scope: Names): RootNames {
  let each = scope;
  while (each.outer !== undefined) each = each.outer;
  return each;
}
