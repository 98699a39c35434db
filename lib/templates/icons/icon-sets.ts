// Reads the sets of icons that a renderer or a server has beside the one of the package.
import { RenderError } from '../../errors.js';
import { IconError } from '../../icons/error.js';
import { IconSet } from '../../icons/icon-set.js';

/** A set with where it comes from, for messages: `icons[0]`, or the path of a file. */
export interface IconSource {
  readonly name: string;
  readonly json: unknown;
}

/** Sets that were read before: to draw all icons of a large one takes a second. */
const known = new WeakMap<object, IconSet>();

/** The sets, all of whose icons can be drawn. Throws RenderError `invalid_request`. */
export function readIconSets(sources: readonly IconSource[]): IconSet[] {
  const sets = new Map<string, IconSet>();
  for (const { name, json } of sources) {
    const set = attemptRead(name, json);
    if (sets.has(set.prefix)) {
      throw new RenderError('invalid_request', `${name}: there is another set of icons with the prefix ${set.prefix}`);
    }
    sets.set(set.prefix, set);
  }
  return [...sets.values()];
}

function attemptRead(name: string, json: unknown): IconSet {
  const isKey = typeof json === 'object' && json !== null;
  const earlier = isKey ? known.get(json) : undefined;
  if (earlier) return earlier;
  try {
    const set = IconSet.read(json);
    if (isKey) known.set(json, set);
    return set;
  } catch (error) {
    if (error instanceof IconError) throw new RenderError('invalid_request', `${name}: ${error.message}`);
    throw error;
  }
}
