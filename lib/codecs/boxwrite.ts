// Boxes as ISO/IEC 14496-12 has them, to be written: their length, their type, what they hold.

export function box(type: string, ...parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 8);
  return Buffer.concat([u32(length), Buffer.from(type, 'latin1'), ...parts], length);
}

/** A box that says its version and has flags. `head`: the version in its first byte, flags in the others. */
export const fullBox = (type: string, head: number, ...parts: readonly Uint8Array[]) => box(type, u32(head), ...parts);

/** Numbers of two bytes each, the most significant first. */
export function u16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [i, value] of values.entries()) bytes.writeUInt16BE(value, i * 2);
  return bytes;
}

/** Numbers of four bytes each, the most significant first. */
export function u32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, i * 4);
  return bytes;
}
