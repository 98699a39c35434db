// What the rules share, and what they find.
import type { Finding, FindingOptions } from '../contract/messages/findings.js';
import type { Change } from './fixes/changes.js';
import type { Items } from './items.js';

/** A finding with changes of the document that may remove it, the best first. Which of them do is tried out by `settle`. */
export interface MeasuredFinding extends Omit<Finding, 'fix'> {
  readonly changes?: readonly Change[];
}

/** What the rules share. */
export interface RuleContext {
  readonly items: Items;
  readonly options: FindingOptions;
  readonly signal: AbortSignal | undefined;
}
