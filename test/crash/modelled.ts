// Opens stores on a simulated disk, and checks the ones that are opened after a crash.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { openEmbeddedStore } from '../../lib/store/embedded/store.js';
import type { Store } from '../../lib/store/types.js';
import type { ModelDisk } from './disk.js';
import { keyError, Ledger, linesError, repeatError } from './ledger.js';

/** The tables are on the simulated disk; this real folder has only the render log, which these tests ignore. */
export const folder = mkdtempSync(join(tmpdir(), 'platen-crash-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Error codes of disks: I/O error, full, over quota, read-only. */
export const CODES = ['EIO', 'ENOSPC', 'EDQUOT', 'EROFS'];

/** Opens the store on the disk. */
export const open = (disk: ModelDisk) => openEmbeddedStore(folder, { files: disk.files, warn: () => undefined });

/** Creates a store with one workspace, which the ledger tracks, and resets the disk's call count. */
export async function createStore(disk: ModelDisk) {
  const store = await open(disk);
  const ledger = new Ledger();
  const { id } = await store.createWorkspace({ name: 'w', plan: 'paid', credits: ledger.firstBalance });
  disk.calls = 0;
  return { store, ledger, id };
}

/** Opens the store on a disk after a crash, and fails the test if the ledger rejects the balance, its lines or the keys. Returns the store. */
export async function inspect(t: Test, remaining: ModelDisk, ledger: Ledger, id: string, what: string): Promise<Store> {
  const store = await open(remaining);
  const { balance } = await store.balance(id);
  const error =
    ledger.errorAfterCrash(balance) ??
    (await keyError(ledger, store, balance)) ??
    (await linesError(ledger, store, id, balance));
  if (error !== undefined) t.fail(`${what}: ${error}`);
  return store;
}

/** Repeats the keyed charges on an inspected store, closes it, and fails the test if one is not charged exactly once. */
export async function repeatAndClose(
  t: Test,
  remaining: ModelDisk,
  store: Store,
  ledger: Ledger,
  id: string,
  what: string,
) {
  const error = await repeatError(ledger, store, id);
  const { balance } = await store.balance(id);
  await store.close();
  const again = await open(remaining);
  const after = (await again.balance(id)).balance;
  const lost = after === balance ? await keyError(ledger, again, after) : `${balance} became ${after}`;
  if (error !== undefined || lost !== undefined) t.fail(`${what}, repeated: ${error ?? lost}`);
  await again.close();
}
