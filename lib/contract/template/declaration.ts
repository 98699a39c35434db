// A declared variable: its type, and the short forms in which a declaration may be written.
import { isObject } from '../json/is-object.js';

export const VARIABLE_TYPES = [
  'string',
  'number',
  'boolean',
  'color',
  'date',
  'image',
  'locale',
  'enum',
  'object',
  'array',
] as const;
export type VariableType = (typeof VARIABLE_TYPES)[number];

/** A declaration: the name of a type is short for an object, and in `of` an object of fields for an object type. */
export function declarationOf(raw: unknown): Readonly<Record<string, unknown>> {
  if (typeof raw === 'string') return { type: raw };
  if (!isObject(raw)) return {};
  const isDeclared = typeof raw.type === 'string' && VARIABLE_TYPES.some((type) => type === raw.type);
  return isDeclared ? raw : { type: 'object', fields: raw };
}
