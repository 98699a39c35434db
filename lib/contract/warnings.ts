// Limits the number of warnings. Library, command line and service report the same list.
import type { Warning } from '../errors.js';

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
