// Loads lib/data with the first payload that has something for it.
import { lacksDataRoom, setDataRoom } from './templates/data.js';

/** Resolves when the payload, a template's record or a request, can be resolved. */
export async function loadDataFor(payload: unknown): Promise<void> {
  if (lacksDataRoom(payload)) setDataRoom(await import('./data/index.js'));
}
