// Options of the library, from callers without types: an absent one has its default, a bad one gives an error that names it.

import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import t from 'tap';
import { createClient } from '../lib/client/index.js';
import {
  type CreateRendererOptions,
  createImageHandler,
  createRenderer,
  inspect,
  parsePayload,
  RenderError,
  render,
  renderToPixels,
  validate,
} from '../lib/index.js';
import { limitTime } from '../lib/renderer-state.js';

const CARD = { canvas: { width: 2, height: 2 }, layers: [] } as const;

/** Each numeric option, and whether a number is one of its values. */
const whole =
  (min: number, max = Number.MAX_SAFE_INTEGER) =>
  (value: number) =>
    Number.isSafeInteger(value) && value >= min && value <= max;
const within = (min: number, max: number) => (value: number) => value >= min && value <= max;
const COMMON: Readonly<Record<string, (value: number) => boolean>> = {
  assetTimeoutMs: whole(1, 2 ** 31 - 1),
  assetMaxBytes: whole(1),
  assetMaxPixels: whole(1),
  timeoutMs: whole(1, 2 ** 31 - 1),
  maxLayers: whole(0),
  imageCacheBytes: whole(0),
};
const OUTPUT: typeof COMMON = { quality: within(1, 100), dpi: within(1, 2400), scale: within(0.1, 8) };

/** What callers without types give where a number belongs. */
const values = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    Number.NaN,
    -1,
    -0,
    0,
    0.5,
    Number.POSITIVE_INFINITY,
    '12',
    '',
    [],
    {},
    true,
  ),
  fc.constantFrom<unknown>(1, 100, 500, 2 ** 31 - 1, 2 ** 31, 2 ** 53),
  fc.double(),
);

/** Whether the option stays as it is, or is refused by an error that names it. */
async function isHandled(name: string, value: unknown, isValue: (value: number) => boolean, run: () => unknown) {
  const isFine = value === undefined || (typeof value === 'number' && isValue(value));
  try {
    await run();
  } catch (error) {
    // a short time limit ends the render
    if (isFine) return error instanceof RenderError && error.code === 'render_timeout';
    return error instanceof RenderError && error.code === 'invalid_request' && error.message.startsWith(`${name}: `);
  }
  return isFine;
}

t.test('a numeric option has its default when it is undefined, and is refused when it is wrong', async (t) => {
  for (const [name, isValue] of Object.entries({ ...COMMON, ...OUTPUT })) {
    await fc.assert(
      fc.asyncProperty(values, async (value) => {
        const options = { [name]: value };
        // eight times as large is large enough
        if (name === 'scale' && Number(value) > 8) return true;
        const renderer = createRenderer();
        const runs = [() => render(CARD, options), () => renderer.render(CARD, options)];
        if (name in COMMON) runs.push(() => createRenderer(options as CreateRendererOptions).render(CARD));
        for (const run of runs) if (!(await isHandled(name, value, isValue, run))) return false;
        return true;
      }),
      { numRuns: 40 },
    );
  }
  t.pass('all of them');
});

t.test('the same in pixels, inspections and checks', async (t) => {
  const message = 'maxLayers: received "3", expected a whole number of at least 0';
  const options = { maxLayers: '3' } as unknown as { maxLayers: number };
  await t.rejects(renderToPixels(CARD, options), { code: 'invalid_request', message });
  await t.rejects(inspect(CARD, options), { code: 'invalid_request', message });
  t.throws(() => validate(CARD, options), { code: 'invalid_request', message });
  t.throws(() => parsePayload(CARD, options), { code: 'invalid_request', message });
  t.throws(() => createRenderer({ workers: 1.5 }), {
    message: /^workers: received 1\.5, expected a whole number from 0/,
  });
});

t.test('an undefined option of a call leaves that of the renderer', async (t) => {
  const renderer = createRenderer({ maxLayers: 1 });
  const two = { canvas: CARD.canvas, layers: [box(), box()] } as const;
  await t.rejects(renderer.render(two, { maxLayers: undefined } as object), { code: 'invalid_request' });
  t.equal((await render(two, { maxLayers: undefined, timeoutMs: undefined } as object)).width, 2);
});

const box = () => ({ type: 'shape', shapeType: 'rectangle', x: 0, y: 0, width: 1, height: 1 }) as const;

t.test('options that are no numbers', async (t) => {
  for (const [name, value, expected] of [
    ['format', 'gif', 'one of png, jpeg, webp, avif'],
    ['size', 3, 'the name of a size'],
    ['signal', 'stop', 'an AbortSignal'],
    ['baseDirectory', 7, 'the path of a folder'],
    ['allowHosts', 'a.example', 'an array of hosts'],
    ['lossless', 1, 'true or false'],
  ] as const) {
    await t.rejects(render(CARD, { [name]: value }), {
      code: 'invalid_request',
      message: new RegExp(`^${name}: received .*, expected ${expected}`),
    });
  }
  await t.rejects(render(CARD, 'png' as unknown as object), { message: 'options: received "png", expected an object' });
});

t.test('an option that does not exist is refused, with the nearest one that does', async (t) => {
  const message = 'formatt is no known option; did you mean format?';
  const options = { formatt: 'png' } as object;
  const refused = { name: 'RenderError', code: 'invalid_request', message };
  for (const run of [render, renderToPixels, inspect, createRenderer().render]) {
    await t.rejects(async () => void (await run(CARD, options)), refused);
  }
  t.throws(() => createRenderer(options), refused);
  t.throws(() => validate(CARD, options), refused);
  t.throws(() => parsePayload(CARD, options), refused);
  t.throws(() => createRenderer({ imageCachebytes: 1 } as object), /; did you mean imageCacheBytes\?$/);
  await t.rejects(render(CARD, { background: 'red' } as object), { message: 'background is no known option' });
  await t.resolves(render(CARD, { formatt: undefined } as object));
  const handler = { templates: {}, key: 'lnk_live_', maxage: 1 };
  t.throws(() => createImageHandler(handler), {
    name: 'TypeError',
    message: 'createImageHandler: maxage is no known option; did you mean maxAge?',
  });
});

t.test('a payload of unknown type is checked', async (t) => {
  t.equal(parsePayload(CARD), CARD);
  t.throws(() => parsePayload({ canvas: { widht: 1, height: 1 }, layers: [] }), {
    name: 'RenderError',
    code: 'invalid_request',
    details: [{ path: 'canvas.width' }],
  });
  t.throws(() => parsePayload('{}'), { code: 'invalid_request' });
  t.throws(() => parsePayload({ templateId: 'tpl_1' }), { code: 'template_not_found' });
});

t.test("the client's options", async (t) => {
  const options = { baseUrl: 'http://127.0.0.1:9', apiKey: 'svc_live_a' };
  for (const [name, value] of [
    ['retries', -1],
    ['retries', Number.NaN],
    ['retries', '3'],
    ['timeoutMs', 0],
    ['timeoutMs', Number.POSITIVE_INFINITY],
    ['baseUrl', 'images'],
    ['apiKey', 'a b'],
    ['apiKey', 3],
  ] as const) {
    t.throws(() => createClient({ ...options, [name]: value }), {
      name: 'PlatenError',
      code: 'invalid_request',
      message: new RegExp(`^${name}: .*expected `),
    });
  }
  const client = createClient({ ...options, retries: undefined, timeoutMs: undefined } as typeof options);
  await t.rejects(client.workspace({ retries: -1 }), { code: 'invalid_request', message: /^retries: received -1/ });
});

t.test('a time limit ends with its render, and holds nothing that listens to it', async (t) => {
  const ended = await limitTime(5, undefined, async (signal) => signal);
  await sleep(20);
  t.notOk(ended.aborted);
  const running = limitTime(5, undefined, async (signal) => {
    while (!signal.aborted) await sleep(1);
    throw signal.reason;
  });
  await t.rejects(running, { code: 'render_timeout', cause: { name: 'TimeoutError' } });
});
