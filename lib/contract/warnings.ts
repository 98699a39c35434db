// What is doubtful about a payload, in bounded numbers: library, command line and service show the same list.
import type { Warning } from '../errors.js';

/** Warnings of one answer; a payload of a hundred thousand unknown fields must not make one of megabytes. */
export const MAX_WARNINGS = 100;

/** The first of `sources`, at most MAX_WARNINGS; when there are more, the last says so. Reads no further than that. */
export function limitWarnings(...sources: readonly Iterable<Warning>[]): Warning[] {
  const kept: Warning[] = [];
  for (const source of sources) {
    for (const warning of source) {
      if (kept.length === MAX_WARNINGS) {
        const message = `there are more than ${MAX_WARNINGS} warnings; the rest is left out`;
        kept[MAX_WARNINGS - 1] = { path: '', message };
        return kept;
      }
      kept.push(warning);
    }
  }
  return kept;
}
