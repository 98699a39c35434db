// Limiting the memory that a WebAssembly module defines: growth beyond the limit fails, everything else stays the same.
import t from 'tap';

const { setMaxMemory } = await import('../scripts/wasm-files.mjs' as string);

const HEAD = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
/** A section before it, one memory with `limits`, exported as "m". */
const code = (...limits: number[]) =>
  Uint8Array.from([
    ...HEAD,
    ...[0, 3, 1, 0x78, 0x79],
    ...[5, limits.length + 1, 1, ...limits],
    ...[7, 5, 1, 1, 0x6d, 2, 0],
  ]);

async function memoryOf(bytes: Uint8Array<ArrayBuffer>): Promise<WebAssembly.Memory> {
  const { instance } = await WebAssembly.instantiate(bytes, {});
  const { m: memory } = instance.exports;
  return memory as WebAssembly.Memory;
}

t.test('limits a module without a limit, or with a larger one', async (t) => {
  for (const limits of [
    [0, 2],
    [1, 2, 0xac, 0x02],
  ]) {
    const memory = await memoryOf(setMaxMemory(code(...limits), 200 * 65_536));
    t.equal(memory.buffer.byteLength, 2 * 65_536);
    memory.grow(198);
    t.throws(() => memory.grow(1), RangeError);
  }
});

t.test('rejects modules that can’t be limited', (t) => {
  t.throws(() => setMaxMemory(Uint8Array.from(HEAD), 65_536), /no memory/);
  t.throws(
    () => setMaxMemory(code(0, 2), 65_536),
    /no memory that can be limited to this size/,
    'a larger initial memory',
  );
  t.throws(() => setMaxMemory(Uint8Array.from([...HEAD, 5, 255, 255, 255, 255, 255]), 65_536), /malformed/);
  t.end();
});
