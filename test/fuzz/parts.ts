// Mutates files made of named parts (PNG chunks, JPEG segments, RIFF chunks, ISOBMFF boxes, SFNT tables): parts are changed,
// moved, duplicated or given a false length; `join` recomputes checksums and offsets.
import { LARGEST, mutateBytes } from './bytes.js';
import type { Random } from './random.js';

export interface Part {
  readonly type: string;
  readonly body: Uint8Array;
  /** The length that is written in place of the true one. */
  readonly lie?: number;
}

export interface Container {
  /** Throws, or gives few parts, for what is no such file. */
  split(bytes: Uint8Array): Part[];
  join(parts: readonly Part[]): Uint8Array;
  /** Names that parts may have. */
  readonly types: readonly string[];
  /** Changes a body with knowledge of what it holds; undefined where it has none. */
  inside?(random: Random, part: Part): Part | undefined;
}

/** One to four changes of parts; the bytes as they were when they can't be split. */
export function mutateParts(
  random: Random,
  container: Container,
  input: Uint8Array,
  others: readonly Uint8Array[],
): Uint8Array {
  let parts = attempt(container, input);
  if (parts.length === 0) return mutateBytes(random, input, others, []);
  for (let left = 1 + random.below(random.pick([1, 2, 4])); left > 0; left--)
    parts = change(random, container, parts, others);
  return container.join(parts).subarray(0, LARGEST);
}

function attempt(container: Container, bytes: Uint8Array): Part[] {
  try {
    return container.split(bytes);
  } catch {
    return [];
  }
}

function change(random: Random, container: Container, parts: readonly Part[], others: readonly Uint8Array[]): Part[] {
  const at = random.below(parts.length);
  const part = parts[at];
  if (!part) return [...parts];
  const bodies = parts.map(({ body }) => body);
  switch (random.below(10)) {
    case 0:
      return parts.toSpliced(at, 1);
    case 1:
      return parts.toSpliced(random.below(parts.length + 1), 0, part);
    case 2: {
      const to = random.below(parts.length);
      return parts.with(at, parts[to]).with(to, part);
    }
    case 3:
      return parts.with(at, { ...part, type: random.pick(container.types) });
    case 4:
      return parts.with(at, { ...part, lie: random.oneIn(2) ? random.edge() : part.body.length + random.below(9) - 4 });
    case 5: {
      const copies = Array.from({ length: 2 + random.below(random.pick([4, 200])) }, () => part);
      return part.body.length * copies.length > LARGEST ? [...parts] : parts.toSpliced(at, 0, ...copies);
    }
    case 6: {
      const foreign = attempt(container, others.length > 0 ? random.pick(others) : new Uint8Array());
      return foreign.length > 0 ? parts.toSpliced(at, random.below(2), random.pick(foreign)) : [...parts];
    }
    case 7:
    case 8: {
      const changed = container.inside?.(random, part);
      if (changed) return parts.with(at, changed);
      return parts.with(at, { ...part, body: mutateBytes(random, part.body, bodies, []) });
    }
    default:
      return parts.with(at, { ...part, body: mutateBytes(random, part.body, bodies, []) });
  }
}
