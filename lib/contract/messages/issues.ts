// Converts zod's issues to Details with a readable path, the received value and what was expected. One per path. Limits
// warnings.
import type { z } from 'zod';
import type { DetailCode } from '../../detail-codes.js';
import {
  CodedError,
  countDetails,
  type Detail,
  type Mismatch,
  RenderError,
  type Scalar,
  type Warning,
} from '../../errors.js';
import { formatReceived, quoted } from '../json/describe.js';
import { renameHint } from './synonyms.js';
import type { Hint } from './value-hints.js';

/** Characters of a received text that findings repeat for programs. */
const MAX_VALUE_LENGTH = 100;
/** Data URLs, URLs with a password, and keys of the service. */
const UNREPEATED = /^\s*data:|:\/\/[^/]*@|_live_/i;
const PLAIN_KEY = /^[A-Za-z_$][\w$]*$/;

/** An issue of a layer that its schema can't find, or a warning about a field of it. */
export interface FieldIssue<Code extends DetailCode = DetailCode> extends Mismatch {
  readonly code: Code;
  readonly field: string;
  readonly message: string;
}

/** An issue with what `expecting` in fields.ts adds. */
export type FoundIssue = z.core.$ZodIssue & { readonly hint?: Hint | undefined };

/** Details of the issues that zod found in `root`. `prefix`, a path such as `layers[2]` or '', precedes each path. */
export function detailsOf(issues: readonly z.core.$ZodIssue[], root: unknown, prefix = ''): Detail[] {
  const found = new Map<string, Detail>();
  for (const raw of issues.flatMap(insideUnion)) {
    const path = raw.path.reduce<string>((head, key) => joinPath(head, key), prefix);
    if (found.has(path)) continue;
    const received = valueAt(root, raw.path);
    const key = raw.path.at(-1);
    const isMissing = typeof key === 'string' && (received === undefined || received === null);
    const renaming = isMissing ? renameHint(valueAt(root, raw.path.slice(0, -1)), key) : undefined;
    found.set(path, issue(path, received, raw.message, renaming ?? (raw as FoundIssue).hint));
  }
  return [...found.values()];
}

/** The issues inside a value that is of one kind of a union, such as an array; else the union's own. */
function insideUnion(raw: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (raw.code !== 'invalid_union') return [raw];
  const kinds = raw.errors.filter((inner) => inner.every(({ path }) => path.length > 0));
  if (kinds.length !== 1) return [raw];
  return kinds[0].flatMap((inner) => insideUnion({ ...inner, path: [...raw.path, ...inner.path] }));
}

/** Describes a problem: the value received at `path`, and what was expected there ("a string"). */
export function issue(
  path: string,
  received: unknown,
  expected: string,
  { text = '', suggestion }: Partial<Hint> = {},
) {
  const detail: Detail = {
    code: received === undefined ? 'missing_value' : 'invalid_value',
    path,
    message: `received ${formatReceived(received)}, expected ${expected}${text}`,
    ...mismatchOf(received, suggestion),
    expected,
  };
  return detail;
}

/** The error of a request with these issues. `problem` precedes them in its message. */
export function invalidRequest(details: readonly Detail[], problem = ''): RenderError {
  return new RenderError('invalid_request', problem + summary(details), { details });
}

/** What `check` returns, or the details of the error that it throws. */
export function attempt<Value>(check: () => Value): { readonly value?: Value; readonly details: readonly Detail[] } {
  try {
    return { value: check(), details: [] };
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return { details: error.details };
  }
}

/** `value` if findings may repeat it, and a suggestion if there is one. */
export function mismatchOf(value: unknown, suggestion?: Scalar): Mismatch {
  const isShort = typeof value === 'string' && value.length <= MAX_VALUE_LENGTH && !UNREPEATED.test(value);
  return {
    ...((isShort || Number.isFinite(value) || typeof value === 'boolean') && { value: value as Scalar }),
    ...(suggestion !== undefined && { suggestion }),
  };
}

/** `layers` + 2 → `layers[2]`, `layers[2]` + `opacity` → `layers[2].opacity`; other keys are quoted. */
export function joinPath(head: string, key: PropertyKey): string {
  if (typeof key === 'number') return `${head}[${key}]`;
  const name = String(key);
  if (!PLAIN_KEY.test(name)) return `${head}[${quoted(name)}]`;
  return head === '' ? name : `${head}.${name}`;
}

/** Writes the first `max` problems and the number of the others in one line. */
export function summary(details: readonly Detail[], max = 3): string {
  const problems = details.filter(({ more }) => more === undefined);
  const listed = problems.slice(0, max).map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  const others = countDetails(details) - listed.length;
  return others > 0 ? `${listed.join('; ')}; and ${others} more` : listed.join('; ');
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

/** Maximum number of warnings: a payload of 100,000 unknown fields must not give an answer of megabytes. */
export const MAX_WARNINGS = 100;

/** The first MAX_WARNINGS warnings of `sources`; if there are more, the last one says so. Reads no more than it needs. */
export function limitWarnings(...sources: readonly Iterable<Warning>[]): Warning[] {
  const limited: Warning[] = [];
  for (const source of sources) {
    for (const warning of source) {
      if (limited.length === MAX_WARNINGS) {
        const message = `there are more than ${MAX_WARNINGS} warnings; the rest is left out`;
        limited[MAX_WARNINGS - 1] = { code: 'too_many_warnings', path: '', message };
        return limited;
      }
      limited.push(warning);
    }
  }
  return limited;
}
