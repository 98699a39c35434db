// Custom properties and var() (CSS Variables 1). A value is computed on the element that declares it and inherited as it is.
import { splitTop } from './tokens.js';

type Values = Readonly<Record<string, unknown>>;
type Custom = ReadonlyMap<string, string>;

/** Characters of a value with its variables: values that name others several times would grow without end. */
const MAX_VALUE = 2 ** 16;
const MAX_NESTING = 32;

/** The custom properties of an element, from style objects of which later ones win, and those that it inherits. */
export function customProperties(sources: readonly Values[], inherited: Custom = new Map()): Custom {
  const declared = new Map<string, string>();
  for (const source of sources) {
    for (const [name, value] of Object.entries(source))
      if (name.startsWith('--')) declared.set(name, String(value).trim());
  }
  if (declared.size === 0) return inherited;
  const custom = new Map(inherited);
  for (const [name, value] of declared) {
    const word = value.toLowerCase();
    if (word === 'inherit' || word === 'unset' || word === 'revert') continue;
    const resolved = word === 'initial' ? undefined : resolve(name, declared, inherited, []);
    // a value in a circle, or of a variable that nobody sets, is none
    if (resolved === undefined) custom.delete(name);
    else custom.set(name, resolved);
  }
  return custom;
}

/** The value of a custom property where it is declared; `path` has those that are being resolved. */
function resolve(
  name: string,
  declared: ReadonlyMap<string, string>,
  inherited: Custom,
  path: readonly string[],
): string | undefined {
  const value = declared.get(name);
  if (value === undefined) return inherited.get(name);
  if (path.includes(name) || path.length > MAX_NESTING) return undefined;
  return substitute(value, (other) => resolve(other, declared, inherited, [...path, name]));
}

/** Replaces `var(--name, fallback)` in the values of a style object. What can't be replaced makes its property `unset`. */
export function withVariables(source: Values, custom: Custom): Values {
  const entries = Object.entries(source);
  if (!entries.some(([, value]) => hasVariable(value))) return source;
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (name.startsWith('--') || !hasVariable(value)) return [name, value];
      return [name, substitute(value, (variable) => custom.get(variable))?.trim() || 'unset'];
    }),
  );
}

function hasVariable(value: unknown): value is string {
  return typeof value === 'string' && /\bvar\(/i.test(value);
}

/** The text with the values of its variables; undefined if one has neither a value nor a fallback. */
export function substitute(text: string, lookUp: (name: string) => string | undefined, depth = 0): string | undefined {
  if (depth > MAX_NESTING) return undefined;
  let result = '';
  let rest = text;
  for (;;) {
    const start = /\bvar\(/i.exec(rest);
    if (!start) break;
    const from = start.index + start[0].length;
    const end = closingBracket(rest, from);
    const [name, ...fallback] = splitTop(rest.slice(from, end), ',');
    const value =
      lookUp(name.trim()) ?? (fallback.length > 0 ? substitute(fallback.join(','), lookUp, depth + 1) : undefined);
    if (value === undefined) return undefined;
    result += rest.slice(0, start.index) + value;
    rest = rest.slice(end + 1);
    if (result.length > MAX_VALUE) return undefined;
  }
  return result + rest;
}

function closingBracket(text: string, from: number): number {
  let depth = 1;
  for (let i = from; i < text.length; i++) {
    if (text[i] === '(') depth++;
    else if (text[i] === ')' && --depth === 0) return i;
  }
  return text.length;
}
