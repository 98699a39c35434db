// Waiting for what happens some time, however slow the machine is.
import { setTimeout as sleep } from 'node:timers/promises';

/** Only a test that hangs waits for so long. */
const HANG_MS = 300_000;

/** Resolves once `condition` holds. */
export async function eventually(condition: () => boolean | Promise<boolean>, what?: string): Promise<void> {
  const end = performance.now() + HANG_MS;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`it never came about: ${what ?? condition}`);
    await sleep(10);
  }
}
