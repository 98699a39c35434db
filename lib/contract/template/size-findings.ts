// Finds doubtful values that a template has only in its sizes.
import type { Detail } from '../../errors.js';
import { joinPath } from '../messages/issues.js';
import { overridden } from './overrides.js';
import type { RecordLayer } from './record-layers.js';
import { nameLayers, sizedRecord, sizeNames, sizeOverrides } from './sizes.js';

type Json = Readonly<Record<string, unknown>>;

interface LayerOverride {
  readonly path: string;
  readonly override: Json;
  readonly target: RecordLayer;
}

/** The overrides of a size of the record that are objects of fields of a layer. */
function usableOverrides(record: Json, name: string): LayerOverride[] {
  const { sizes } = record as { sizes: Json };
  return sizeOverrides(sizes[name], joinPath('sizes', name), nameLayers(record)).flatMap(
    ({ path, override, target }) =>
      target && typeof override === 'object' && override !== null ? [{ path, override: override as Json, target }] : [],
  );
}

/**
 * Returns the findings of `find` in the record in each of its sizes that it does not make in the record itself. Their paths are
 * those of the overrides; a finding elsewhere has its own path in the message.
 */
export function* findInSizes<Finding extends Pick<Detail, 'path' | 'message'>>(
  record: Json,
  find: (sized: Json) => Iterable<Finding>,
): Generator<Finding> {
  const names = sizeNames(record);
  if (names.length === 0) return;
  const known = new Set(Array.from(find(record), keyOf));
  for (const name of names) {
    const overrides = usableOverrides(record, name);
    for (const finding of find(sizedRecord(record, name))) {
      if (known.has(keyOf(finding))) continue;
      const { path, message } = finding;
      const owners = overrides.filter(({ target }) => isWithin(path, target.path));
      // the innermost: a group has the paths of its layers
      const owner = owners.sort((a, b) => b.target.path.length - a.target.path.length).at(0);
      if (owner) yield { ...finding, path: owner.path + path.slice(owner.target.path.length) };
      else yield { ...finding, path: joinPath('sizes', name), message: `${path}: ${message}` };
    }
  }
}

const keyOf = ({ path, message }: Pick<Detail, 'path' | 'message'>) => `${path}\n${message}`;

const isWithin = (path: string, head: string) =>
  path === head || (path.startsWith(head) && ['.', '['].includes(path[head.length]));

/** A layer of the record as a size has it, and as the record itself does. */
export interface OverriddenLayer {
  readonly sized: RecordLayer;
  readonly own: RecordLayer;
}

/** The layers that sizes override, at the paths of the overrides. */
export function overriddenLayers(record: Json): OverriddenLayer[] {
  return sizeNames(record).flatMap((name) =>
    usableOverrides(record, name).map(({ path, override, target }) => ({
      sized: { ...target, path, raw: overridden(target.raw, override) },
      own: target,
    })),
  );
}
