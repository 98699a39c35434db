// The audit log: JSON Lines files in the data folder. An entry is on the disk before it counts as written.

import { promises } from 'node:fs';
import { dirname } from 'node:path';
import { isObject } from '../../../contract/schema/fields.js';
import { ServiceError } from '../../../errors.js';
import type { AuditEntry, AuditFilter, AuditStore } from '../../operator-store.js';
import { newId } from '../../refusals.js';
import { Mutex, syncFolder } from '../durable-file.js';
import { type EntryFilter, LogFiles } from '../json-lines/log-files.js';

export interface AuditFilesOptions {
  /** Shared by all writes to entries of the data folder itself. */
  readonly mutex: Mutex;
  /** File size in bytes at which the log is rotated; default 16 MiB, some 80,000 entries. */
  readonly maxBytes?: number;
  /** Number of files that are kept, the current one included; default 64. */
  readonly keep?: number;
  /** Makes text at the end of a file durable; tests make it fail. */
  readonly append?: (path: string, text: string) => Promise<void>;
}

export interface AuditLogOptions extends AuditFilesOptions {
  readonly now: () => Date;
  readonly warn: (message: string) => void;
  /** Called before each write; if it throws, nothing is written. */
  readonly assertLocked?: (() => Promise<void>) | undefined;
}

/** Bytes that one page may scan (json-lines/scan.ts). */
const PAGE_BYTES = 32 * 2 ** 20;

/** The files of the audit log in `folder`, which exists. Throws the system's error. */
export async function openAuditFiles(folder: string, options: AuditFilesOptions): Promise<LogFiles<AuditEntry>> {
  const { mutex, maxBytes = 16 * 2 ** 20, keep = 64 } = options;
  const append = options.append ?? ((path: string, text: string) => appendSynced(path, text, mutex));
  const file = { name: 'audit', noun: 'audit log', parse: parseAuditEntry };
  return await LogFiles.open<AuditEntry>(folder, { ...file, maxBytes, keep, append });
}

/** The audit log of `folder`, which exists. Throws the system's error. */
export async function openAuditLog(
  folder: string,
  options: AuditLogOptions,
): Promise<AuditStore & { settled(): Promise<void> }> {
  const { now, warn, assertLocked } = options;
  const files = await openAuditFiles(folder, options);
  const writes = new Mutex();
  return {
    async appendAudit(entry) {
      try {
        await writes.runExclusive(async () => {
          await assertLocked?.();
          await files.append([{ id: newId('audit'), time: now().toISOString(), ...entry }]);
        });
      } catch (cause) {
        warn(`the audit log can’t be written: ${(cause as Error).message}`);
        throw new ServiceError('storage_unavailable', 'storage is unavailable: the audit log can’t be written', {
          cause,
        });
      }
    },
    async listAudit(filter, page) {
      await writes.runExclusive(async () => undefined);
      return await files.list(filterOf(filter), page, { bytes: PAGE_BYTES });
    },
    async settled() {
      await writes.runExclusive(async () => undefined);
    },
  };
}

async function appendSynced(path: string, text: string, mutex: Mutex): Promise<void> {
  const file = await promises.open(path, 'a', 0o600);
  try {
    const isNew = (await file.stat()).size === 0;
    await file.appendFile(text);
    await file.sync();
    if (isNew) await mutex.runExclusive(() => syncFolder(promises, dirname(path)));
  } finally {
    await file.close();
  }
}

export function parseAuditEntry(line: string): AuditEntry | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isEntry = isObject(value) && typeof value.id === 'string' && typeof value.action === 'string';
    return isEntry && isObject(value.actor) ? (value as unknown as AuditEntry) : undefined;
  } catch {
    return undefined;
  }
}

function filterOf({ workspaceIds, action }: AuditFilter): EntryFilter<AuditEntry> {
  const needles = [
    ...(workspaceIds?.length === 1 ? [JSON.stringify(workspaceIds[0])] : []),
    `"action":${action === undefined ? '' : JSON.stringify(action)}`,
  ];
  return {
    needles: needles.map((text) => Buffer.from(text)),
    matches: (entry) =>
      (action === undefined || entry.action === action) &&
      (workspaceIds === undefined || (entry.workspaceId !== undefined && workspaceIds.includes(entry.workspaceId))),
  };
}
