// After a trap in HarfBuzz, nothing of its instance runs again: a new one takes its place, also for renders under way.
import t from 'tap';

/** The instances of HarfBuzz in order, with the number of calls that each has got. */
const instances: { calls: number }[] = [];
let trapNext = false;

const { Instance } = WebAssembly;
WebAssembly.Instance = function create(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
  const { exports } = new Instance(module, imports);
  if (!('hb_shape' in exports)) return { exports };
  const instance = { calls: 0 };
  instances.push(instance);
  const counted = Object.entries(exports).map(([name, value]) => {
    if (typeof value !== 'function' || !name.startsWith('hb_')) return [name, value];
    const call = (...values: unknown[]) => {
      instance.calls++;
      if (trapNext && name === 'hb_shape') {
        trapNext = false;
        throw new WebAssembly.RuntimeError('unreachable');
      }
      return value(...values);
    };
    return [name, call];
  });
  return { exports: Object.fromEntries(counted) };
} as unknown as typeof Instance;

const { render } = await import('../any-payload.js');

const card = (text: string) => ({
  canvas: { width: 100, height: 40 },
  layers: [{ type: 'text', text, x: 0, y: 0, width: 100, height: 40 }],
});
const fileOf = async (text: string) => (await render(card(text))).bytes;

t.test('a trap replaces the instance', async (t) => {
  const expected = await fileOf('Hello');
  trapNext = true;
  await t.rejects(fileOf('Trap'), { name: 'RuntimeError' });
  const { calls } = instances[0];
  t.same(await fileOf('Hello'), expected);
  t.equal(instances.length, 2);
  t.equal(instances[0].calls, calls, 'the damaged one is not called again');
});

t.test('renders that have loaded the fonts of the damaged instance load them again', async (t) => {
  const expected = await fileOf('Hello');
  trapNext = true;
  const [first, ...others] = await Promise.allSettled([fileOf('Bye'), fileOf('Hello'), fileOf('Hello')]);
  t.match(first, { status: 'rejected', reason: { name: 'RuntimeError' } });
  for (const other of others) t.same(other, { status: 'fulfilled', value: expected });
  t.equal(instances.length, 3);
});
