// What is worth keeping from one payload to the next, within a bounded number of bytes: the least recently used goes first.

/** Values by name: whoever takes one out may read it only, for others get the same. */
export interface ByteCache<Value> {
  get(key: string): Value | undefined;
  /** Keeps `value` in the place of what was there, unless it alone is larger than the cache. */
  set(key: string, value: Value): void;
  delete(key: string): void;
  /** Bytes held now. */
  readonly bytes: number;
}

/** An empty cache that holds up to `maxBytes`, as `sizeOf` counts them. */
export function createByteCache<Value>(
  maxBytes: number,
  sizeOf: (value: Value, key: string) => number,
): ByteCache<Value> {
  // A Map iterates in the order of insertion: the first entry is the one unused for longest.
  const entries = new Map<string, Value>();
  let bytes = 0;

  function drop(key: string): void {
    const value = entries.get(key);
    if (value === undefined) return;
    entries.delete(key);
    bytes -= sizeOf(value, key);
  }

  return {
    get bytes() {
      return bytes;
    },
    get(key) {
      const value = entries.get(key);
      if (value === undefined) return undefined;
      entries.delete(key);
      entries.set(key, value);
      return value;
    },
    set(key, value) {
      drop(key);
      if (sizeOf(value, key) > maxBytes) return;
      entries.set(key, value);
      bytes += sizeOf(value, key);
      for (const oldest of entries.keys()) {
        if (bytes <= maxBytes) break;
        drop(oldest);
      }
    },
    delete: drop,
  };
}
