// Keeps the history of an edited template in the browser over reloads. Documents share their common parts there too. Storage
// may be off or full; then nothing is kept.
import { effect } from '@preact/signals';
import { isEqual } from '../../document/document.js';
import type { History } from '../../document/history.js';
import type { Json } from '../../document/json.js';
import type { EditorStore } from '../../document/store.js';

const DATABASE = 'platen-editor';
const TABLE = 'histories';
/** Version of the storage format: other versions aren't read. */
const FORM = 1;
/** Largest number of steps in storage. */
const MAX_KEPT_STEPS = 200;
/** Milliseconds between a change and its storage. */
const DELAY_MS = 400;

export interface KeptHistory {
  readonly form: typeof FORM;
  /** The version that the document is based on. */
  readonly version: number;
  /** The record of that version. */
  readonly savedRecord: Json;
  readonly history: History;
}

export const isUnsaved = ({ history, savedRecord }: KeptHistory): boolean =>
  !isEqual(history.present.record, savedRecord);

/** Loads the history; undefined if none is stored. */
export async function loadHistory(name: string): Promise<KeptHistory | undefined> {
  try {
    const savedHistory = (await inTable('readonly', (table) => table.get(name))) as KeptHistory | undefined;
    return savedHistory?.form === FORM ? savedHistory : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Stores the history at every change until the returned function is called. `base` is the version that the document is based
 * on.
 */
export function keepHistory(
  name: string,
  store: EditorStore,
  base: () => Pick<KeptHistory, 'version' | 'savedRecord'>,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const keep = () => {
    clearTimeout(timer);
    timer = undefined;
    const { past, present, future } = store.history.peek();
    const history = {
      past: past.slice(-MAX_KEPT_STEPS),
      present,
      future: future.slice(-MAX_KEPT_STEPS),
      merging: undefined,
    };
    void inTable('readwrite', (table) =>
      table.put({ form: FORM, ...base(), history } satisfies KeptHistory, name),
    ).catch(() => {});
  };
  const stop = effect(() => {
    if (store.history.value.past.length + store.history.value.future.length === 0) return;
    clearTimeout(timer);
    timer = setTimeout(keep, DELAY_MS);
  });
  const keepNow = () => timer !== undefined && keep();
  addEventListener('pagehide', keepNow);
  return () => {
    removeEventListener('pagehide', keepNow);
    stop();
    keepNow();
  };
}

export async function forgetHistory(name: string): Promise<void> {
  await inTable('readwrite', (table) => table.delete(name)).catch(() => {});
}

async function inTable<Result>(
  mode: IDBTransactionMode,
  use: (table: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await openDatabase();
  try {
    return await promised(use(database.transaction(TABLE, mode).objectStore(TABLE)));
  } finally {
    database.close();
  }
}

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => void request.result.createObjectStore(TABLE);
  return promised(request);
}

function promised<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
