// Whether the settings of the service fit the memory that there is.
import type { Settings } from '../settings.js';

/** MiB that the server itself and each of its render processes use in addition to the configured budgets. */
const SERVER_MB = 160;
const PROCESS_MB = 100;

/** A warning if the settings allow more memory than the `usableBytes` that there are. */
export function memoryWarning(
  settings: Pick<Settings, 'RENDER_MEMORY_MB' | 'RENDER_CACHE_MB' | 'RENDER_WORKERS'>,
  usableBytes: number,
): string | undefined {
  // A spare process is ready as a replacement.
  const processes = settings.RENDER_WORKERS === 0 ? 0 : settings.RENDER_WORKERS + 1;
  const neededMb = settings.RENDER_MEMORY_MB + settings.RENDER_CACHE_MB + SERVER_MB + processes * PROCESS_MB;
  const usableMb = Math.floor(usableBytes / 2 ** 20);
  if (neededMb <= usableMb) return undefined;
  return (
    `RENDER_MEMORY_MB ${settings.RENDER_MEMORY_MB}, RENDER_CACHE_MB ${settings.RENDER_CACHE_MB} and ` +
    `${processes} render processes may take ${neededMb} MiB, but only ${usableMb} MiB are available: ` +
    'lower RENDER_MEMORY_MB or RENDER_WORKERS, or the system may kill renders when it runs out of memory'
  );
}
