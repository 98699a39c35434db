// Selects entries of the render log: a cheap search for texts that a line must contain, then a check of the parsed entry.
import { isObject } from '../../../contract/fields.js';
import { matchesMetadata, toLoggedRender } from '../../logged-render.js';
import type { LoggedRender, RenderEntry, RenderFilter } from '../../types.js';

export interface EntryFilter {
  /** Every line of a matching entry contains all of these. The first is the one that most lines lack. */
  readonly needles: readonly Buffer[];
  matches(entry: LoggedRender): boolean;
}

/** The entries of a workspace that `filter` selects. */
export function filterOf(workspaceId: string, filter: RenderFilter): EntryFilter {
  const { status, templateId, keyId, from, to, metadata = {} } = filter;
  const texts = [
    // Values that JSON does not escape. Shorter ones are part of almost every line.
    ...Object.values(metadata).filter((value) => /^[ !#-[\]-\ud7ff]{3,}$/.test(value)),
    ...(status === 'failed' ? ['"status":"failed"'] : []),
    ...[templateId, keyId, workspaceId].flatMap((id) => (id === undefined ? [] : JSON.stringify(id))),
  ];
  const start = from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from);
  const end = to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to);
  const hasTimes = from !== undefined || to !== undefined;
  return {
    needles: texts.map((text) => Buffer.from(text)),
    matches(entry) {
      if (entry.workspaceId !== workspaceId) return false;
      if (status !== undefined && entry.status !== status) return false;
      if (templateId !== undefined && entry.templateId !== templateId) return false;
      if (keyId !== undefined && entry.keyId !== keyId) return false;
      if (hasTimes) {
        const time = Date.parse(entry.time);
        if (!(time >= start && time < end)) return false;
      }
      return matchesMetadata(entry.metadata, metadata);
    },
  };
}

/** The entry in a line of the log; undefined when the line is torn or malformed. */
export function parseEntry(line: string): LoggedRender | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (!isObject(value) || typeof value.id !== 'string' || typeof value.workspaceId !== 'string') return undefined;
    return toLoggedRender(value as unknown as RenderEntry);
  } catch {
    return undefined;
  }
}
