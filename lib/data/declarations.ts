// Declared variables, and the params of components: their types, bounds and defaults.
import { parseColor } from '../contract/css/parse-color.js';
import { closestMatch, didYouMean } from '../contract/messages/closest-match.js';
import { issue, joinPath } from '../contract/messages/issues.js';
import { expectedChoice } from '../contract/messages/value-hints.js';
import { isObject } from '../contract/schema/fields.js';
import { declarationOf, VARIABLE_TYPES, type VariableType } from '../contract/template/declaration.js';
import type { Detail, Warning } from '../errors.js';
import { parseIsoDate } from '../locale/iso-date.js';
import { isLanguageTag } from '../locale/tag.js';
import { asValue, describe, recordOf, type Value } from './value.js';

type Json = Readonly<Record<string, unknown>>;

/** Fields of a declaration. */
const FIELDS = [
  'type',
  'label',
  'description',
  'required',
  'default',
  'sample',
  'min',
  'max',
  'values',
  'fields',
  'of',
];
const MAX_DECLARATIONS = 200;

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The issues of an object of declarations at `path`. */
export function declarationIssues(declarations: unknown, path: string): Detail[] {
  if (declarations === undefined || declarations === null) return [];
  if (!isObject(declarations)) return [issue(path, declarations, 'an object of declarations by name')];
  const names = Object.keys(declarations);
  if (names.length > MAX_DECLARATIONS) return [issue(path, names.length, `at most ${MAX_DECLARATIONS} declarations`)];
  return names.flatMap((name) => issuesOf(declarations[name], joinPath(path, name), false));
}

function issuesOf(raw: unknown, path: string, mayBeFields: boolean): Detail[] {
  if (typeof raw === 'string') {
    return VARIABLE_TYPES.some((type) => type === raw) ? [] : [issue(path, raw, expectedChoice(VARIABLE_TYPES))];
  }
  if (!isObject(raw)) return [issue(path, raw, 'the name of a type or a declaration')];
  const type = VARIABLE_TYPES.find((each) => each === raw.type);
  if (!type) {
    if (mayBeFields) return fieldIssues(raw, path);
    return [issue(joinPath(path, 'type'), raw.type, expectedChoice(VARIABLE_TYPES))];
  }
  const details: Detail[] = [];
  for (const key of Object.keys(raw)) {
    if (FIELDS.includes(key)) continue;
    const message = `is no field of a declaration${didYouMean(closestMatch(key, FIELDS))}`;
    details.push({ code: 'invalid_value', path: joinPath(path, key), message });
  }
  for (const bound of ['min', 'max'] as const) {
    if (raw[bound] === undefined || raw[bound] === null || Number.isFinite(raw[bound])) continue;
    details.push(issue(joinPath(path, bound), raw[bound], 'a number'));
  }
  if (raw.required !== undefined && raw.required !== null && typeof raw.required !== 'boolean') {
    details.push(issue(joinPath(path, 'required'), raw.required, 'true or false'));
  }
  if (type === 'enum' && !(Array.isArray(raw.values) && raw.values.length > 0 && raw.values.every(isText))) {
    details.push(issue(joinPath(path, 'values'), raw.values, 'an array of texts'));
  }
  if (type === 'object' && raw.fields !== undefined && raw.fields !== null) {
    details.push(...fieldIssues(raw.fields, joinPath(path, 'fields')));
  }
  if (type === 'array' && raw.of !== undefined && raw.of !== null) {
    details.push(...issuesOf(raw.of, joinPath(path, 'of'), true));
  }
  if (details.length === 0 && raw.default !== undefined && raw.default !== null) {
    const reader = new VariableReader();
    reader.read(raw.default, raw, joinPath(path, 'default'));
    details.push(...reader.faults);
  }
  return details;
}

function fieldIssues(fields: unknown, path: string): Detail[] {
  if (!isObject(fields)) return [issue(path, fields, 'an object of types by field')];
  return Object.keys(fields).flatMap((name) => issuesOf(fields[name], joinPath(path, name), true));
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** Reads values as their declarations say. */
export class VariableReader {
  /** Fields that have no declaration and a warning. */
  readonly #undeclared = new Set<string>();
  readonly faults: Detail[] = [];
  readonly warnings: Warning[] = [];

  /** The values with the declared ones converted, and the defaults of those that are absent. `path`: that of the object. */
  readAll(values: Json, declarations: Json, path: string): Record<string, unknown> {
    const read = new Map(Object.entries(values));
    for (const [name, declaration] of Object.entries(declarations)) {
      const own = Object.hasOwn(values, name) ? values[name] : undefined;
      const value = this.read(own, declaration, joinPath(path, name));
      // null hides a hotspot
      if (value !== null || (own !== undefined && own !== null)) read.set(name, value);
    }
    return Object.fromEntries(read);
  }

  /** The value that is declared so. Reports a wrong or missing one, and returns null. */
  read(raw: unknown, declared: unknown, path: string): Value {
    const declaration = declarationOf(declared);
    const type = declaration.type as VariableType;
    const given = asValue(raw);
    const isAbsent = given === null || (given === '' && type !== 'string');
    if (!isAbsent) return this.#converted(given, type, declaration, path);
    if (declaration.default !== undefined && declaration.default !== null) {
      return this.#converted(asValue(declaration.default), type, declaration, path);
    }
    if (declaration.required === true) {
      const expected = EXPECTED[type];
      this.faults.push({
        code: 'missing_value',
        path,
        message: `is required: expected ${expected}, got nothing`,
        expected,
      });
    }
    return null;
  }

  #converted(given: Value, type: VariableType, declaration: Json, path: string): Value {
    switch (type) {
      case 'number': {
        const number = typeof given === 'string' && JSON_NUMBER.test(given) ? Number(given) : given;
        if (typeof number !== 'number' || !Number.isFinite(number)) return this.#reject(given, EXPECTED.number, path);
        return this.#bounded(number, number, '', declaration, path);
      }
      case 'boolean': {
        const flag = given === 'true' ? true : given === 'false' ? false : given;
        return typeof flag === 'boolean' ? flag : this.#reject(given, EXPECTED.boolean, path);
      }
      case 'enum': {
        const values = Array.isArray(declaration.values) ? declaration.values.filter(isText) : [];
        const text = typeof given === 'number' ? String(given) : given;
        return values.includes(text as string) ? text : this.#reject(given, expectedChoice(values), path);
      }
      case 'object':
      case 'array':
        return this.#structure(given, type, declaration, path);
      default: {
        const text = typeof given === 'number' || typeof given === 'boolean' ? String(given) : given;
        if (typeof text !== 'string') return this.#reject(given, EXPECTED[type], path);
        const isRight =
          type === 'color'
            ? parseColor(text) !== undefined
            : type === 'date'
              ? parseIsoDate(text) !== undefined
              : type === 'locale'
                ? isLanguageTag(text)
                : true;
        if (!isRight) return this.#reject(given, EXPECTED[type], path);
        return type === 'string'
          ? this.#bounded(text, Array.from(text).length, ' characters', declaration, path)
          : text;
      }
    }
  }

  #structure(given: Value, type: 'object' | 'array', declaration: Json, path: string): Value {
    let value: unknown = given;
    if (typeof given === 'string') {
      try {
        value = JSON.parse(given);
      } catch {
        return this.#reject(given, `${EXPECTED[type]} or its JSON`, path);
      }
    }
    if (type === 'array') {
      if (!Array.isArray(value)) return this.#reject(given, EXPECTED.array, path);
      if (this.#bounded(null, value.length, ' entries', declaration, path, value) === REJECTED) return null;
      const { of } = declaration;
      if (of === undefined || of === null) return value.map(asValue);
      return value.map((entry, i) => this.read(entry, of, joinPath(path, i)));
    }
    if (!isObject(value)) return this.#reject(given, EXPECTED.object, path);
    const fields = isObject(declaration.fields) ? declaration.fields : undefined;
    if (!fields) return value as Value;
    const known = Object.keys(fields);
    for (const key of Object.keys(value)) {
      if (Object.hasOwn(fields, key)) continue;
      const at = joinPath(path, key);
      // once for all entries of a list
      const field = at.replace(/\[\d+\]/g, '[]');
      if (this.#undeclared.has(field) || this.warnings.length >= MAX_WARNINGS) continue;
      this.#undeclared.add(field);
      const message = `is not declared${didYouMean(closestMatch(key, known))}`;
      this.warnings.push({ code: 'unused_variable', path: at, message });
    }
    const own = value;
    const read = known.map((key): readonly [string, Value] => {
      const member = Object.hasOwn(own, key) ? own[key] : undefined;
      return [key, this.read(member, fields[key], joinPath(path, key))];
    });
    return recordOf([...Object.entries(own as Record<string, Value>), ...read]);
  }

  /** Returns the value, or reports that the measure is out of bounds. */
  #bounded(
    value: Value,
    measure: number,
    unit: string,
    { min, max }: Json,
    path: string,
    received: unknown = value,
  ): Value {
    const isLow = typeof min === 'number' && measure < min;
    const isHigh = typeof max === 'number' && measure > max;
    if (!isLow && !isHigh) return value;
    const kind = unit === '' ? 'a number of ' : '';
    this.#reject(received as Value, isLow ? `${kind}at least ${min}${unit}` : `${kind}at most ${max}${unit}`, path);
    return REJECTED;
  }

  #reject(given: Value, expected: string, path: string): null {
    const received = describe(given);
    this.faults.push({ code: 'invalid_value', path, message: `expected ${expected}, got ${received}`, expected });
    return null;
  }
}

const MAX_WARNINGS = 100;
const REJECTED: Value = recordOf([]);

const EXPECTED: Readonly<Record<VariableType, string>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  color: 'a CSS colour',
  date: 'a date of ISO 8601 such as 2026-01-31 or 2026-01-31T12:00:00Z',
  image: 'the URL of an image',
  locale: 'a language tag such as de-CH',
  enum: 'one of its values',
  object: 'an object',
  array: 'a list',
};
