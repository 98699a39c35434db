// The time that reading may take, and the signal that ends it.
import t from 'tap';
import '../../lib/node-host.js';
import { IDENTITY } from '../../lib/geometry/affine.js';
import type { PaintedCode } from '../../lib/layers/codes/painted-code.js';
import { Pixmap } from '../../lib/raster/pixmap.js';
import { verifyCodes } from '../../lib/scanner/verify.js';

const pixmap = new Pixmap(80, 80);

const code: PaintedCode = {
  symbology: 'qrcode',
  data: 'a',
  symbol: { left: 8, top: 8, right: 71, bottom: 71 },
  columns: 21,
  rows: 21,
  dark: new Uint8Array(21 * 21).fill(1),
  toCanvas: IDENTITY,
  quietZone: 4,
  isSnapped: true,
};

t.test('codes beyond the deadline count as unchecked', async (t) => {
  let milliseconds = 0;
  const now = () => {
    milliseconds += 10;
    return milliseconds;
  };
  const problems = await verifyCodes(pixmap, Array(8).fill(code), { timeoutMs: 60, now });
  t.equal(problems.length, 8);
  t.not(problems[0]?.cause, 'unknown');
  t.equal(problems[7]?.message, 'the codes were not all read within 60 ms');
});

t.test('the signal ends the reading', async (t) => {
  const controller = new AbortController();
  const reason = new Error('enough');
  let calls = 0;
  const now = () => {
    calls++;
    if (calls === 6) controller.abort(reason);
    return 0;
  };
  const reading = verifyCodes(pixmap, Array(8).fill(code), { signal: controller.signal, now });
  t.equal(await reading.catch((cause: unknown) => cause), reason);
});

t.test('timers fire between codes', async (t) => {
  let milliseconds = 0;
  let fired = false;
  setTimeout(() => {
    fired = true;
  }, 1);
  const now = () => {
    milliseconds += 100;
    return milliseconds;
  };
  await verifyCodes(pixmap, Array(4).fill(code), { now });
  t.ok(fired, 'one of 1 ms, which is older than those that the reading sets');
});
