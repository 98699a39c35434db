// A least-recently-used (LRU) cache, bounded by the total bytes of its values.

/** Values by key. Callers share the values and must not modify them. */
export interface ByteCache<Value> {
  get(key: string): Value | undefined;
  /** Stores `value` and drops the previous one. A value larger than the whole cache is not stored. */
  set(key: string, value: Value): void;
  delete(key: string): void;
  /** Bytes in use. */
  readonly bytes: number;
}

/** Creates an empty cache of up to `maxBytes`; `sizeOf` returns the bytes that an entry counts. */
export function createByteCache<Value>(
  maxBytes: number,
  sizeOf: (value: Value, key: string) => number,
): ByteCache<Value> {
  // A Map iterates in insertion order: the first entry is the least recently used one.
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
