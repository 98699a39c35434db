// The translation of WebAssembly to JavaScript, where wasm2js is wrong by itself: memory that grows, or can't, and traps.
import { runInThisContext } from 'node:vm';
import t from 'tap';
import type { Instantiate } from '../../lib/host.js';
import { ROOT } from '../checkout.js';

const { translate } = await import(`${ROOT}/scripts/translate-wasm.mjs`);
const { default: binaryen } = await import(`${ROOT}/test/node_modules/binaryen/index.js`);

const TEXT = `(module
  (import "env" "address" (func $address (result i32)))
  (memory (export "memory") 1 3)
  (data (i32.const 8) "data")
  (func (export "read") (result i32) (i32.load (call $address)))
  (func (export "readTwice") (result i32) (i32.load (i32.load (call $address))))
  (func (export "write") (i32.store (call $address) (i32.const 7)))
  (func (export "grow") (param i32) (result i32) (memory.grow (local.get 0)))
  (func (export "trap") (unreachable)))`;

interface Exports {
  readonly memory: WebAssembly.Memory;
  read(): number;
  readTwice(): number;
  write(): void;
  grow(pages: number): number;
  trap(): never;
}

const make: Instantiate = runInThisContext(await translate(binaryen.parseText(TEXT).emitBinary()));

/** An instance whose memory grows while an address is computed, which is that of its own address. */
function instance() {
  const exports = make({
    env: {
      address() {
        exports.memory.grow(1);
        new Uint32Array(exports.memory.buffer)[4] = 16;
        return 16;
      },
    },
  }) as unknown as Exports;
  return exports;
}

t.test('reads and writes after a call that makes the memory grow', (t) => {
  t.equal(instance().read(), 16);
  t.equal(instance().readTwice(), 16);
  const { memory, write } = instance();
  write();
  t.equal(new Uint32Array(memory.buffer)[4], 7);
  t.end();
});

t.test('keeps the data, and detaches the memory from before', (t) => {
  const { memory, grow } = instance();
  const before = memory.buffer;
  t.equal(grow(1), 1);
  t.equal(before.byteLength, 0);
  t.equal(new TextDecoder().decode(new Uint8Array(memory.buffer, 8, 4)), 'data');
  t.end();
});

t.test('says that there is no memory left, and traps', (t) => {
  const { memory, grow, trap } = instance();
  t.equal(grow(40_000), -1);
  t.throws(() => memory.grow(40_000), RangeError);
  t.equal(memory.buffer.byteLength, 65_536);
  t.throws(trap, { name: 'RuntimeError' });
  t.end();
});
