// Loads what expands payloads with data, with the first such payload.
import { lacksDataRoom, setDataRoom } from './templates/data-room.js';

/** Resolves when the payload, a template's record or a request, can be resolved. */
export async function loadDataFor(payload: unknown): Promise<void> {
  if (lacksDataRoom(payload)) setDataRoom(await import('./templates/data.js'));
}
