// A store whose files are on a model disk, and what is asked of one that was opened after a crash.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { openEmbeddedStore } from '../../lib/store/embedded/store.js';
import type { Store } from '../../lib/store/types.js';
import type { ModelDisk } from './disk.js';
import { Ledger } from './ledger.js';

/** The model holds the tables; the folder itself, and the render log, are of no account here. */
export const folder = mkdtempSync(join(tmpdir(), 'platen-crash-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

/** How disks fail: broken, full, over the quota, gone read-only. */
export const CODES = ['EIO', 'ENOSPC', 'EDQUOT', 'EROFS'];

/** Opens the store that the disk holds. */
export const open = (disk: ModelDisk) => openEmbeddedStore(folder, { files: disk.files, warn: () => undefined });

/** A store on the disk with one workspace, which the ledger follows; the disk's calls count from here. */
export async function begin(disk: ModelDisk) {
  const store = await open(disk);
  const ledger = new Ledger();
  const { id } = await store.createWorkspace({ name: 'w', plan: 'paid', credits: ledger.start });
  disk.calls = 0;
  return { store, ledger, id };
}

/** Opens what is left, and asks the ledger about the balance; a fault fails the test. Gives the store. */
export async function inspect(t: Test, left: ModelDisk, ledger: Ledger, id: string, what: string): Promise<Store> {
  const store = await open(left);
  const { balance } = await store.balance(id);
  const fault = ledger.faultAfterCrash(balance);
  if (fault !== undefined) t.fail(`${what}: ${fault}`);
  return store;
}
