// The order of findings, and how many there are at most.
import {
  FINDING_CODES,
  type FindingCode,
  MAX_FINDINGS,
  SEVERITIES,
  type Severity,
} from '../contract/messages/findings.js';

interface Sorted {
  readonly code: FindingCode;
  readonly severity: Severity;
  readonly path: string;
}

/** The findings, the worst first, otherwise in the order of their codes and of drawing; at most 100. */
export function sortFindings<Found extends Sorted>(findings: readonly Found[]): Found[] {
  const rank = ({ severity, code }: Sorted) =>
    SEVERITIES.indexOf(severity) * FINDING_CODES.length + FINDING_CODES.indexOf(code);
  return [...findings].sort((one, other) => rank(one) - rank(other)).slice(0, MAX_FINDINGS);
}

/** The findings of several pages or sizes without those that say the same of the same path. */
export function joinFindings<Found extends Sorted>(lists: readonly (readonly Found[])[]): Found[] {
  const known = new Map<string, Found>();
  for (const list of lists) {
    for (const each of list) {
      const key = `${each.code} ${each.path}`;
      if (!known.has(key)) known.set(key, each);
    }
  }
  return sortFindings([...known.values()]);
}
