// Entries of the render log, as both stores read and filter them.
import type { LoggedRender, RenderEntry, RenderLogFilter } from './types.js';

/** The entry that was stored. Earlier versions logged only charged renders, and neither status nor warnings. */
export function toLoggedRender(stored: RenderEntry & Partial<LoggedRender>): LoggedRender {
  return { ...stored, status: stored.status ?? 'ok', warnings: stored.warnings ?? 0 };
}

/** A value of metadata as the text that filters compare: strings as they are, everything else as JSON. */
export function metadataText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Whether each of the `wanted` fields is an own field of the metadata, with that text. */
export function matchesMetadata(
  metadata: LoggedRender['metadata'],
  wanted: NonNullable<RenderLogFilter['metadata']>,
): boolean {
  return Object.entries(wanted).every(
    ([field, text]) => metadata && Object.hasOwn(metadata, field) && metadataText(metadata[field]) === text,
  );
}
