// Design tokens: named colours, numbers and text styles that `var(--name)` and `style` stand for.
import { nearestNames } from '../contract/messages/closest-match.js';
import { issue, joinPath } from '../contract/messages/issues.js';
import { isObject } from '../contract/schema/fields.js';
import type { Detail } from '../errors.js';
import { ExpressionError } from './error.js';
import { parseString, type StringPart } from './strings.js';
import { asValue, isRecord, recordOf, type Value, type ValueObject } from './value.js';

const MAX_TOKENS = 200;
const NAME = /^[a-z][A-Za-z0-9-]*$/;
/** Maximum tokens that name each other one after the other. */
const MAX_CHAIN = 32;

/** The issues of an object of tokens at `path`. */
export function tokenIssues(tokens: unknown, path: string): Detail[] {
  if (tokens === undefined || tokens === null) return [];
  if (!isObject(tokens)) return [issue(path, tokens, 'an object of tokens by name')];
  const names = Object.keys(tokens);
  if (names.length > MAX_TOKENS) {
    return [issue(path, names.length, `at most ${MAX_TOKENS} tokens`)];
  }
  return names.flatMap((name) => {
    const at = joinPath(path, name);
    if (!NAME.test(name))
      return [issue(at, name, 'a name that begins with a letter from a to z, then letters, digits and -')];
    const value = tokens[name];
    const isStyle = isObject(value);
    if (isStyle || typeof value === 'string' || Number.isFinite(value)) return [];
    return [issue(at, value, 'a string, a number, or an object of text fields')];
  });
}

/** The issues of an object of themes at `path`, each an object of tokens. */
export function themeIssues(themes: unknown, path: string): Detail[] {
  if (themes === undefined || themes === null) return [];
  if (!isObject(themes)) return [issue(path, themes, 'an object of themes by name')];
  return Object.entries(themes).flatMap(([name, theme]) => tokenIssues(theme, joinPath(path, name)));
}

/** The tokens of one render. Those that name others are resolved when they are first used. */
export class Tokens {
  readonly #raw: ValueObject;
  readonly #resolved = new Map<string, Value>();
  /** Names of the tokens that are being resolved. */
  readonly #open: string[] = [];

  /** Later `sources` win. */
  constructor(sources: readonly unknown[]) {
    this.#raw = recordOf(
      sources.flatMap((source) =>
        isObject(source) ? Object.entries(source).map(([name, value]) => [name, asValue(value)] as const) : [],
      ),
    );
  }

  /** All tokens by name, for expressions. Throws ExpressionError for those that name each other in a circle. */
  all(): ValueObject {
    return recordOf(Object.keys(this.#raw).map((name) => [name, this.resolve(name, 0) ?? null]));
  }

  /** The text style of that name; undefined if there is none, or if its tokens name each other in a circle. */
  style(name: string): Value | undefined {
    try {
      return this.resolve(name, 0);
    } catch (error) {
      if (error instanceof ExpressionError) return undefined;
      throw error;
    }
  }

  /** The names of the tokens that are text styles. */
  styleNames(): string[] {
    return Object.keys(this.#raw).filter((name) => isRecord(this.#raw[name]));
  }

  /** The value of a token; undefined if there is none of that name. Throws ExpressionError at `at`. */
  resolve(name: string, at: number): Value | undefined {
    if (!Object.hasOwn(this.#raw, name)) return undefined;
    const known = this.#resolved.get(name);
    if (known !== undefined) return known;
    if (this.#open.includes(name)) {
      const circle = [...this.#open.slice(this.#open.indexOf(name)), name].map((each) => `--${each}`).join(' → ');
      throw new ExpressionError(at, `the token --${name} names itself in a circle: ${circle}`);
    }
    if (this.#open.length >= MAX_CHAIN) {
      throw new ExpressionError(at, `more than ${MAX_CHAIN} tokens name each other, expected fewer`);
    }
    this.#open.push(name);
    try {
      const value = this.#replaced(this.#raw[name], at);
      this.#resolved.set(name, value);
      return value;
    } finally {
      this.#open.pop();
    }
  }

  /** The value with the tokens in its texts replaced. */
  #replaced(value: Value, at: number): Value {
    if (typeof value === 'string') {
      const parsed = parseString(value, { isTemplate: false, isCss: true });
      return parsed ? this.fill(parsed.parts, at) : value;
    }
    if (Array.isArray(value)) return value.map((each) => this.#replaced(asValue(each), at));
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.#replaced(asValue(each), at)]));
  }

  /** The value of parts that are literals and tokens alone. */
  fill(parts: readonly StringPart[], at: number): Value {
    const [first] = parts;
    if (parts.length === 1 && typeof first === 'object' && 'kind' in first && first.kind === 'token') {
      const value = this.resolve(first.name, at);
      if (value !== undefined) return value;
      if (first.fallback) return numeric(this.fill(first.fallback, at));
    }
    return parts.map((part) => this.#text(part, at)).join('');
  }

  #text(part: StringPart, at: number): string {
    if (typeof part === 'string') return part;
    if (!('kind' in part) || part.kind !== 'token') return 'source' in part ? `{{=${part.source}}}` : '';
    const value = this.resolve(part.name, at);
    if (value === undefined) {
      if (part.fallback) return tokenText(this.fill(part.fallback, at), part.name, at);
      throw this.unknown(part.name, at);
    }
    return tokenText(value, part.name, at);
  }

  /** The error of a name that no token has, with the nearest names. */
  unknown(name: string, at: number): ExpressionError {
    const names = nearestNames(name, Object.keys(this.#raw));
    const hint =
      names.length === 0 ? 'there are no tokens' : `the nearest are ${names.map((each) => `--${each}`).join(', ')}`;
    return new ExpressionError(at, `there is no token --${name}; ${hint}`);
  }
}

/** Takes a fallback that is a number as one. */
export function numeric(value: Value): Value {
  return typeof value === 'string' && /^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(value) ? Number(value) : value;
}

/** A token in a longer string: CSS has no lengths without a unit. */
export function tokenText(value: Value, name: string, at: number): string {
  if (typeof value === 'number') return `${value}px`;
  if (typeof value === 'string') return value;
  throw new ExpressionError(at, `the token --${name} is an object, expected a string or a number inside of a text`);
}
