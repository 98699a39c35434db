// The client of the worker and the worker's script in a browser, with an engine that does what its payload says.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import t, { type Test } from 'tap';
import { ROOT } from '../checkout.js';
import { CHROMIUM, type Page, startChromium } from '../chromium.js';

const POLICY = "default-src 'none'; script-src 'self'; worker-src 'self'";

async function bundle(entry: string, engine?: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, entry)],
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'engine',
        setup({ onResolve }) {
          if (engine) onResolve({ filter: /\/browser\.js$/ }, () => ({ path: join(ROOT, engine) }));
        },
      },
    ],
  });
  return outputFiles[0].text;
}

/** A page that has the client as `platen`, and what it wrote on the way. */
async function open(t: Test): Promise<Page> {
  const files = new Map([
    ['/', '<!doctype html><title>A page</title><script type="module" src="page.js"></script>'],
    ['/page.js', "import * as platen from './client.js'; Object.assign(globalThis, { platen });"],
    ['/client.js', await bundle('lib/web-worker/client.ts')],
    ['/worker.js', await bundle('lib/web-worker/worker.ts', 'test/web-worker/engine.ts')],
    ['/broken.js', 'this is no script'],
    ['/silent.js', ''],
  ]);
  const server = createServer((request, response) => {
    const text = files.get(request.url ?? '');
    if (text === undefined) return response.writeHead(404).end();
    const type = request.url === '/' ? 'text/html; charset=utf-8' : 'text/javascript';
    return response.writeHead(200, { 'Content-Type': type, 'Content-Security-Policy': POLICY }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const page = await (await startChromium(t))(`http://localhost:${(server.address() as AddressInfo).port}/`);
  await page.evaluate(`(async () => {
    while (!globalThis.platen) await new Promise((resolve) => setTimeout(resolve, 10));
    globalThis.told = (promise) => promise.then(
      (result) => ['result', result.value],
      ({ name, code, message, details }) => ({ name, code, message, details }),
    );
  })()`);
  return page;
}

t.test('a renderer in a worker', { skip: CHROMIUM === undefined && 'there is no browser here' }, async (t) => {
  const page = await open(t);
  const run = <Value>(code: string) => page.evaluate<Value>(`(async () => { ${code} })()`);

  t.test('gives results in buffers of their own, and takes options, images and relative URLs', async (t) => {
    const result = await run(`
      const renderer = platen.createWorkerRenderer({ fontsUrl: '/fonts/', wasmUrl: new URL('wasm/', location), images: { a: new Uint8Array(3) } });
      const moved = new Uint8Array(5);
      const picture = await renderer.render({ do: 'echo', value: 1 }, { format: 'jpeg', images: { b: moved, c: new Uint8Array(1) }, transfer: [moved.buffer] });
      const pixels = await renderer.renderToPixels({ do: 'echo', value: 2 });
      return { value: picture.value, sum: picture.bytes.reduce((sum, byte) => sum + byte, 0), given: picture.given,
        options: { ...picture.options, images: Object.keys(picture.options.images) }, moved: moved.length,
        sizes: [picture.bytes.buffer.byteLength, pixels.data.buffer.byteLength], image: new ImageData(new Uint8ClampedArray(8), 2).width,
        isClamped: pixels.data instanceof Uint8ClampedArray, origin: location.origin };`);
    const { origin } = result as { readonly origin: string };
    t.match(result, {
      value: 1,
      sum: 70,
      sizes: [10, 10],
      isClamped: true,
      moved: 0,
      options: { fontsUrl: `${origin}/fonts/`, wasmUrl: `${origin}/wasm/`, images: ['a'] },
      given: {
        format: 'jpeg',
        images: [
          ['a', 3],
          ['b', 5],
          ['c', 1],
        ],
      },
    });
  });

  t.test('renders one payload at a time; of those that wait, the latest of each method remains', async (t) => {
    const replaced = { name: 'AbortError', message: 'a later render replaced this one before it began' };
    const outcomes = await run(`
      const renderer = platen.createWorkerRenderer();
      const order = (value) => ({ do: 'echo', value });
      return Promise.all([
        told(renderer.renderToPixels(order(1))), told(renderer.renderToPixels(order(2))), told(renderer.render(order(3))),
        told(renderer.renderToPixels(order(4))), told(renderer.renderToPixels(order(5))), told(renderer.render(order(6))),
      ]);`);
    t.match(outcomes, [['result', 1], replaced, replaced, replaced, ['result', 5], ['result', 6]]);
  });

  t.test('errors have the code and the details of the error in the worker', async (t) => {
    const [failed, thrown, isRenderError, afterwards] = await run<unknown[]>(`
      const renderer = platen.createWorkerRenderer();
      const failing = renderer.render({ do: 'fail' });
      return [await told(failing), await told(renderer.render({ do: 'throw' })),
        await failing.catch((error) => error instanceof platen.RenderError), await told(renderer.render({ do: 'echo', value: 1 }))];`);
    t.same(failed, {
      name: 'RenderError',
      code: 'asset_failed',
      message: 'layers[0].url: is broken',
      details: [{ code: 'asset_failed', path: 'layers[0].url', layerId: 'a', message: 'is broken' }],
    });
    t.match(thrown, { name: 'Error', message: 'unforeseen' });
    t.equal(isRenderError, true);
    t.same(afterwards, ['result', 1]);
  });

  /** Has timers end when the code calls them: `timers` are pairs of function and milliseconds, in order. */
  const runByHand = <Value>(code: string) =>
    run<Value>(`
      const { setTimeout } = globalThis;
      const timers = [];
      globalThis.setTimeout = (...timer) => void timers.push(timer);
      const started = async (count) => {
        while (timers.length < count) await new Promise((resolve) => setTimeout(resolve, 10));
        return timers[count - 1];
      };
      try { ${code} } finally { globalThis.setTimeout = setTimeout; }`);

  t.test('a worker that hangs is replaced, with its options', async (t) => {
    const [hung, next, milliseconds] = await runByHand<unknown[]>(`
      const renderer = platen.createWorkerRenderer({ timeoutMs: 50, fontsUrl: '/f/' });
      const hanging = told(renderer.render({ do: 'hang' }));
      const waiting = renderer.render({ do: 'echo' });
      const [end, milliseconds] = await started(2);
      end();
      const { renders, options } = await waiting;
      return [await hanging, { renders, options }, milliseconds];`);
    t.match(hung, { name: 'RenderError', code: 'render_timeout', message: 'the render took longer than 50 ms' });
    t.match(next, { renders: 1, options: { timeoutMs: 50, fontsUrl: /\/f\/$/ } });
    t.ok(Number(milliseconds) > 50, 'the engine’s own limit comes first');
  });

  t.test('a worker that does not start is given up', async (t) => {
    const silent = await runByHand(`
      const silent = told(platen.createWorkerRenderer({ workerUrl: 'silent.js' }).render({ do: 'echo' }));
      (await started(1))[0]();
      return silent;`);
    t.match(silent, {
      code: 'render_timeout',
      message: 'the worker did not start within 60000 ms',
    });
  });

  t.test('a worker in which WebAssembly trapped is replaced', async (t) => {
    const [trapped, renders] = await run<unknown[]>(`
      const renderer = platen.createWorkerRenderer();
      await renderer.render({ do: 'echo' });
      const trapped = await told(renderer.render({ do: 'trap' }));
      return [trapped, (await renderer.render({ do: 'echo' })).renders];`);
    t.match(trapped, { code: 'render_failed', message: 'crashed' });
    t.equal(renders, 1);
  });

  t.test('a signal ends a render that waits or runs', async (t) => {
    const outcomes = await run(`
      const renderer = platen.createWorkerRenderer();
      const [before, running, waiting] = [new AbortController(), new AbortController(), new AbortController()];
      before.abort(new Error('before'));
      const outcomes = [
        told(renderer.render({ do: 'echo' }, { signal: before.signal })),
        told(renderer.render({ do: 'wait' }, { signal: running.signal })),
        told(renderer.render({ do: 'echo' }, { signal: waiting.signal })),
      ];
      waiting.abort(new Error('while it waited'));
      running.abort(new Error('while it ran'));
      const last = renderer.render({ do: 'echo', value: 4 });
      return [...(await Promise.all(outcomes)), await told(last), (await last).renders];`);
    t.match(outcomes, [
      { message: 'before' },
      { message: 'while it ran' },
      { message: 'while it waited' },
      ['result', 4],
      2,
    ]);
  });

  t.test('says why a worker does not start, and what can’t be sent to it', async (t) => {
    const outcomes = await run(`
      const failure = (options, payload = { do: 'echo' }) => told(platen.createWorkerRenderer(options).render(payload));
      return Promise.all([failure({ workerUrl: 'broken.js' }), failure({ workerUrl: '/missing.js' }),
        failure({ size: 'odd option' }), failure({}, { onDone() {} }), failure({ fetch() {} }),
        failure({ workerUrl: 'https://elsewhere.example/worker.js' })]);`);
    t.match(outcomes, [
      { code: 'render_failed', message: /^the worker failed: its script could not be loaded: http:.*\/broken\.js$/ },
      { code: 'render_failed', message: /^the worker failed: its script could not be loaded: http:.*\/missing\.js$/ },
      { code: 'invalid_request', message: 'odd option' },
      { code: 'invalid_request', message: /^the payload and the options must be data, .*could not be cloned/ },
      { code: 'invalid_request', message: /^the payload and the options must be data, .*could not be cloned/ },
      { code: 'invalid_request', message: /^the worker can't be started \(workerUrl must be the URL of worker\.js / },
    ]);
  });

  t.test('close waits for the renders under way and refuses later ones', async (t) => {
    const outcomes = await run(`
      const renderer = platen.createWorkerRenderer();
      const outcomes = [told(renderer.render({ do: 'echo', value: 1 })), told(renderer.renderToPixels({ do: 'echo', value: 2 }))];
      const closing = renderer.close();
      const later = await told(renderer.render({ do: 'echo' }));
      await closing;
      await renderer.close();
      await platen.createWorkerRenderer().close();
      return [...(await Promise.all(outcomes)), later];`);
    t.match(outcomes, [['result', 1], ['result', 2], { code: 'render_failed', message: 'the renderer is closed' }]);
  });

  t.same(
    page.problems.filter((problem) => !/SyntaxError|missing/.test(problem)),
    [],
  );
});
