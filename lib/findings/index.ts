// Findings: faults of a design that can be measured after layout, before anything of the size of the canvas is painted. Each is
// a measurement with a limit (docs/findings.md). A rule that is not sure says nothing.
import type { Finding, FindingOptions } from '../contract/messages/findings.js';
import { findAlignment } from './alignment.js';
import { findCodes } from './codes.js';
import { findContrast } from './contrast.js';
import { findCovered } from './covered.js';
import { findEmpty } from './empty.js';
import { findFonts } from './fonts.js';
import { findImages } from './images.js';
import { listItems } from './items.js';
import type { MeasuredScene } from './measured.js';
import { findOverlaps } from './overlaps.js';
import { findPlaces } from './places.js';
import type { MeasuredFinding, RuleContext } from './rules.js';
import { sortFindings } from './sort.js';
import { findTexts } from './texts.js';

/** The findings of a scene after layout, the worst first. Throws the signal's reason when it aborts. */
export async function findFaults(
  scene: MeasuredScene,
  options: FindingOptions,
  signal?: AbortSignal,
): Promise<MeasuredFinding[]> {
  const rules: RuleContext = { items: listItems(scene), options, signal };
  const overlaps = findOverlaps(rules);
  const found: MeasuredFinding[] = [
    ...findPlaces(rules),
    ...findTexts(rules),
    ...overlaps.map(({ lower: _, ...finding }) => finding),
    ...findImages(rules),
    ...findAlignment(rules),
    ...findFonts(rules),
    ...findEmpty(rules),
  ];
  if (!isIgnored('covered', options)) found.push(...findCovered(rules, new Set(overlaps.map(({ lower }) => lower))));
  if (!isIgnored('low_contrast', options)) found.push(...findContrast(rules));
  if (!isIgnored('code_unreadable', options)) found.push(...(await findCodes(rules)));
  return sortFindings(found.filter(({ code }) => !isIgnored(code, options)));
}

function isIgnored(code: Finding['code'], { ignore = [] }: FindingOptions): boolean {
  return ignore.includes(code);
}
