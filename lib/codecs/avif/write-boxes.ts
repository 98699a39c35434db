// Writes ISO/IEC 14496-12 boxes: length, type, contents.

export function box(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 8);
  return Buffer.concat([u32(length), Buffer.from(type, 'latin1'), ...parts], length);
}

/** A box with version and flags. `versionAndFlags`: the version in the first byte, flags in the other three. */
export const fullBox = (type: string, versionAndFlags: number, ...parts: readonly Uint8Array[]) =>
  box(type, u32(versionAndFlags), ...parts);

/** 16-bit numbers, big-endian. */
export function u16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [i, value] of values.entries()) bytes.writeUInt16BE(value, i * 2);
  return bytes;
}

/** 32-bit numbers, big-endian. */
export function u32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, i * 4);
  return bytes;
}
