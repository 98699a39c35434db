// Lists the families that a text can name: the bundled ones, and those of the workspace's fonts.
import { signal } from '@preact/signals';
import type { AssetPage } from '../../../../lib/contract/api/assets.js';
import { api, withQuery } from '../../../app/api.js';
import { inWorkspace, workspace } from '../../../app/session.js';
import { libraryChanges } from '../../assets/uploads.js';
import { bundledFamilies, type FontFamily } from '../form/layer-data.js';
import { firstKnown } from './family-list.js';

export interface OfferedFamily extends FontFamily {
  /** Origin of the family. */
  readonly group: 'Uploaded' | 'Bundled' | 'Other scripts';
}

const bundled = bundledFamilies.map(
  (each): OfferedFamily => ({ ...each, group: each.isFallback ? 'Other scripts' : 'Bundled' }),
);

const uploaded = signal<readonly OfferedFamily[]>([]);
let loadedFor: string | undefined;
let loadedChanges: number | undefined;

/** Largest number of pages of assets that are searched for fonts. */
const MAX_PAGES = 10;

/** Asks for the workspace's fonts if the known ones may be outdated. */
export function ensureUploadedFamilies(): void {
  if (loadedFor !== workspace.value?.id || loadedChanges !== libraryChanges.value) void loadUploadedFamilies();
}

/** Asks for the workspace's fonts. If that fails, only the bundled ones are offered. */
export async function loadUploadedFamilies(): Promise<void> {
  const id = workspace.value?.id;
  if (loadedFor !== id) uploaded.value = [];
  loadedFor = id;
  loadedChanges = libraryChanges.value;
  const found = new Map<string, { weights: Set<number>; italics: Set<number> }>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const path = withQuery(inWorkspace('assets'), { limit: 100, cursor });
    const answer = await api.get<AssetPage>(path).catch(() => undefined);
    if (!answer) return;
    for (const { kind, family, weight = 400, style } of answer.items) {
      if (kind !== 'font' || family === undefined) continue;
      const faces = found.get(family) ?? { weights: new Set(), italics: new Set() };
      (style === 'italic' ? faces.italics : faces.weights).add(weight);
      found.set(family, faces);
    }
    cursor = answer.nextCursor ?? undefined;
    if (cursor === undefined) break;
  }
  if (loadedFor !== id) return;
  uploaded.value = Array.from(found, ([family, { weights, italics }]) => ({
    family,
    weights: [...weights].sort((a, b) => a - b),
    italics: [...italics].sort((a, b) => a - b),
    group: 'Uploaded' as const,
  }));
}

/** The offered families, uploaded ones first. */
export const offeredFamilies = (): readonly OfferedFamily[] => [...uploaded.value, ...bundled];

/** Finds the family that `name` names alone, or the first known one of a CSS list. */
export function familyNamed(name: unknown): OfferedFamily | undefined {
  return typeof name === 'string' ? firstKnown(name, offeredFamilies()) : undefined;
}
