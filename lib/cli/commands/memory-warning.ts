// Whether the machine has what the settings let the server take: said at its start, not when memory has run out.
import type { Settings } from '../../settings.js';

/** MiB that the server itself, and each of its render processes, take beside what the settings allow them. */
const SERVER_MB = 160;
const PROCESS_MB = 100;

/** What to say when the settings allow more than `usable` bytes; undefined when they don't. */
export function memoryWarning(
  settings: Pick<Settings, 'RENDER_MEMORY_MB' | 'RENDER_CACHE_MB' | 'RENDER_WORKERS'>,
  usable: number,
): string | undefined {
  // one process is kept ready to take another's place
  const processes = settings.RENDER_WORKERS === 0 ? 0 : settings.RENDER_WORKERS + 1;
  const needed = settings.RENDER_MEMORY_MB + settings.RENDER_CACHE_MB + SERVER_MB + processes * PROCESS_MB;
  const had = Math.floor(usable / 2 ** 20);
  if (needed <= had) return undefined;
  return (
    `RENDER_MEMORY_MB ${settings.RENDER_MEMORY_MB}, RENDER_CACHE_MB ${settings.RENDER_CACHE_MB} and ` +
    `${processes} render processes may take ${needed} MiB, of which there are ${had}: ` +
    'lower RENDER_MEMORY_MB or RENDER_WORKERS, or the system ends renders when it runs out'
  );
}
