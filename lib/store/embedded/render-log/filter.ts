// Selects entries of the render log: a cheap search for texts that a line must contain, then a check of the parsed entry.
import { isObject } from '../../../contract/schema/fields.js';
import { matchesMetadata, toLoggedRender } from '../../logged-render.js';
import type { LoggedRender, RenderEntry, RenderLogFilter } from '../../types.js';
import type { EntryFilter } from '../json-lines/log-files.js';

const TIME_FIELD = Buffer.from('"time":"');
/** The form in which Date writes times: texts of this form sort like their times. */
const TIME_TEXT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const TIME_LENGTH = 24;

/** The entries of a workspace that `filter` selects. */
export function filterOf(workspaceId: string, filter: RenderLogFilter): EntryFilter<LoggedRender> {
  const { status, templateId, keyId, from, to, metadata = {} } = filter;
  const texts = [
    // Values that JSON does not escape. Shorter ones are part of almost every line.
    ...Object.values(metadata).filter((value) => /^[ !#-[\]-\ud7ff]{3,}$/.test(value)),
    ...(status === 'failed' ? ['"status":"failed"'] : []),
    ...[templateId, keyId, workspaceId].flatMap((id) => (id === undefined ? [] : JSON.stringify(id))),
  ];
  const start = from === undefined ? '' : new Date(from).toISOString();
  const end = to === undefined ? '9999' : new Date(to).toISOString();
  const isWithin = (time: string) => time >= start && time < end;
  const hasTimes = from !== undefined || to !== undefined;
  return {
    needles: texts.map((text) => Buffer.from(text)),
    accepts: hasTimes ? (line) => isWithin(timeIn(line) ?? start) : undefined,
    matches(entry) {
      if (entry.workspaceId !== workspaceId) return false;
      if (status !== undefined && entry.status !== status) return false;
      if (templateId !== undefined && entry.templateId !== templateId) return false;
      if (keyId !== undefined && entry.keyId !== keyId) return false;
      if (hasTimes && !isWithin(entry.time)) return false;
      return matchesMetadata(entry.metadata, metadata);
    },
  };
}

/** The text of an entry's time; undefined when it is not where the program writes it. */
function timeIn(line: Buffer): string | undefined {
  const at = line.indexOf(TIME_FIELD);
  const text = line.toString('latin1', at + TIME_FIELD.length, at + TIME_FIELD.length + TIME_LENGTH);
  return at >= 0 && TIME_TEXT.test(text) ? text : undefined;
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
