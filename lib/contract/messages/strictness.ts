// Decides which warnings fail a strict render.
import { isWarningCode, WARNING_CODES, type WarningCode } from '../../detail-codes.js';
import type { Detail, Warning } from '../../errors.js';
import { closestMatch, didYouMean } from './closest-match.js';
import { invalidRequest, issue, joinPath, mismatchOf } from './issues.js';

/** Options of a render that make warnings fail it. */
export interface StrictOptions {
  /**
   * Whether any warning fails the render, or the codes of those that do: a RenderError `render_failed` whose `details` are
   * these warnings.
   */
  readonly strict?: boolean | readonly WarningCode[];
  /** Codes of warnings that fail no render, although `strict` says so. */
  readonly allow?: readonly WarningCode[];
}

/** The warnings that fail a render: any, none, or those with these codes. Plain data. */
export type Strictness = boolean | readonly WarningCode[];

const CODES = Object.keys(WARNING_CODES) as WarningCode[];

/** Combines both options. Throws RenderError `invalid_request` for an unknown code, with the one that was probably meant. */
export function strictnessOf({ strict = false, allow = [] }: StrictOptions): Strictness {
  const details = [
    ...(typeof strict === 'boolean' ? [] : codeIssues('strict', strict, 'true, false or an array of codes')),
    ...codeIssues('allow', allow, 'an array of codes'),
  ];
  if (details.length > 0) throw invalidRequest(details);
  if (typeof strict === 'boolean' && (!strict || allow.length === 0)) return strict;
  // warnings that are left out may have any code
  const selected = strict === true ? CODES : [...(strict as readonly WarningCode[]), 'too_many_warnings' as const];
  return selected.filter((code) => !allow.includes(code));
}

function codeIssues(path: string, codes: unknown, expected: string) {
  if (!Array.isArray(codes)) return [issue(path, codes, expected)];
  return codes.flatMap((code, i) => codeIssue(joinPath(path, i), code) ?? []);
}

/** The issue of a code that no warning has. */
export function codeIssue(path: string, code: unknown): Detail | undefined {
  if (typeof code !== 'string') return issue(path, code, 'a code of a warning');
  if (isWarningCode(code)) return undefined;
  const suggestion = closestMatch(code, CODES);
  const text = suggestion === undefined ? ' (docs/warnings.md lists them)' : didYouMean(suggestion);
  return issue(path, code, 'a code of a warning', { text, ...mismatchOf(undefined, suggestion) });
}

/** The warnings that fail a render. */
export function failingWarnings(warnings: readonly Warning[], strictness: Strictness): readonly Warning[] {
  if (typeof strictness === 'boolean') return strictness ? warnings : [];
  return warnings.filter(({ code }) => strictness.includes(code));
}
