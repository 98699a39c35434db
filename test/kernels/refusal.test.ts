// The kernels where the host has WebAssembly but refuses it: the plain ones, and translated modules. A module that can't
// be read is an error.
import t from 'tap';
import { setHost } from '../../lib/host.js';
import { type Payload, render } from '../../lib/index.js';
import { hasWebAssembly, kernels, loadKernels, useKernels } from '../../lib/kernels/kernels.js';
import { PlainMemory } from '../../lib/kernels/plain/memory.js';
import { nodeHost } from '../../lib/node-host.js';

const { compileKernels: _, ...asynchronousHost } = nodeHost;
const refuse = () => Promise.reject(new WebAssembly.CompileError('blocked by the content security policy'));

t.test('an unreadable module is an error, and is read again', async (t) => {
  setHost({ ...asynchronousHost, loadWasm: () => Promise.reject(new Error('404')) });
  await t.rejects(loadKernels(), { message: '404' });
  setHost(asynchronousHost);
  t.equal(await hasWebAssembly(), true);
  t.ok(kernels().memory instanceof WebAssembly.Memory);
});

t.test('a host that forbids to compile gets the plain kernels and the translated HarfBuzz', async (t) => {
  const payload: Payload = {
    canvas: { width: 160, height: 60, backgroundColor: 'white' },
    layers: [{ type: 'text', text: 'AV & fi', x: 0, y: 0, width: 160, height: 60, fontSize: 40 }],
  };
  // HarfBuzz is refused; the kernels are loaded already
  setHost({ ...asynchronousHost, loadWasm: refuse });
  const { bytes } = await render(payload);
  t.ok(kernels().memory instanceof WebAssembly.Memory);
  useKernels(() => {
    throw new RangeError('out of memory');
  });
  t.equal(await hasWebAssembly(), false);
  t.ok(kernels().memory instanceof PlainMemory);
  const plain = await render(payload);
  t.ok(Buffer.compare(plain.bytes, bytes) === 0, 'the same file');
  await t.rejects(render(payload, { format: 'avif' }), { message: /needs WebAssembly/ });
});
