// Warnings are in both forms of the answer, also when the render comes from the cache.
import t, { type Test } from 'tap';
import { allowPublic } from '../../lib/net/address-policy.js';
import { createResolver } from '../../lib/net/dns.js';
import { Admission } from '../../lib/service/admission/index.js';
import { MemoryBudget } from '../../lib/service/admission/memory-budget.js';
import { createEngine } from '../../lib/service/render/engine.js';
import type { RenderPool } from '../../lib/workers/pool.js';
import { createCaches, runJob } from '../../lib/workers/run-job.js';
import { saveTemplate } from './stores.js';
import { CANVAS, createWorld, FLAT } from './world.js';

/** A service that draws in this process, and counts how often. */
async function drawing(t: Test) {
  const caches = createCaches(0);
  const drawn = { times: 0 };
  const pool: RenderPool = {
    run: async (job, _signal, { onReleased } = {}) => {
      drawn.times++;
      return runJob(job, caches).finally(() => onReleased?.());
    },
    inspect: () => Promise.reject(new Error('not expected')),
    inspectAsset: () => Promise.reject(new Error('not expected')),
    takeProcess: () => Promise.reject(new Error('there are no documents')),
    ready: async () => {},
    stats: () => ({ idle: 0, restarts: 0, pids: [], processes: [] }),
    close: async () => {},
  };
  const world = await createWorld(t, {
    engine: (settings) =>
      createEngine({
        pool,
        admission: new Admission({ concurrency: 1, queue: 9, memoryBytes: 2 ** 30 }),
        settings,
        allowAddress: allowPublic([]),
        memoryBudget: new MemoryBudget(2 ** 30),
        resolve: createResolver(),
      }),
  });
  return { world, drawn };
}

const shape = { type: 'shape', shapeType: 'rectangle', x: 0, y: 0, width: 2, height: 2 };
const layers = [{ ...shape, id: 'a', colour: 'red' }];

t.test('reports warnings in both forms, rendered or cached', async (t) => {
  const { world, drawn } = await drawing(t);
  const { key } = await world.caller();
  const body = { canvas: CANVAS, layers, backgroundColour: 'red', workspaceId: 'w', id: 'i', name: 'n', $schema: 's' };
  const warnings = [
    { code: 'unknown_field', path: 'backgroundColour', message: 'is no known field and is ignored', value: 'red' },
    {
      code: 'unknown_field',
      path: 'layers[0].colour',
      layerId: 'a',
      message: 'is no known field and is ignored',
      value: 'red',
    },
  ];
  for (let i = 0; i < 2; i++) {
    t.same((await world.ask({ key, body: { ...body, responseType: 'json' } })).json.warnings, warnings);
    const { headers } = await world.ask({ key, body });
    t.equal(headers.get('x-service-warnings'), '2');
    t.match(headers.get('access-control-expose-headers'), 'X-Service-Warnings');
  }
  t.equal(drawn.times, 1);

  const wrong = await world.ask({ key, body: { canvas: { ...CANVAS, width: '24px' }, layers, format: 'pgn' } });
  t.equal(wrong.status, 400);
  t.notOk('code' in wrong.json);
  t.match(wrong.json.details, [
    { path: 'canvas.width', value: '24px', expected: 'a whole number from 1 to 8192', suggestion: 24 },
    { path: 'format', value: 'pgn', suggestion: 'png' },
  ]);

  const other = await world.ask({ key, body: { canvas: CANVAS, layers, qualty: 5, responseType: 'json' } });
  t.equal(drawn.times, 1, 'fields that nobody knows make no other picture');
  t.same(
    (other.json.warnings as { path: string }[]).map(({ path }) => path),
    ['qualty', 'layers[0].colour'],
    'yet each request gets its own',
  );
});

t.test('without warnings, sends neither the field nor the header', async (t) => {
  const { world } = await drawing(t);
  const { key } = await world.caller();
  t.equal((await world.ask({ key })).headers.has('x-service-warnings'), false);
  t.notOk('warnings' in (await world.ask({ key, body: { ...FLAT, responseType: 'json' } })).json);
});

t.test('reports warnings of a saved template and of its variables', async (t) => {
  const { world } = await drawing(t);
  const { key, workspaceId } = await world.caller();
  const box = { x: 0, y: 0, width: 40, height: 20 };
  const template = {
    name: 'Card',
    ...CANVAS,
    colour: 'red',
    hotspots: [{ key: 'title', label: 'Title', type: 'text', ...box, fontsize: 5 }],
  };
  const templateId = await saveTemplate(world.store, workspaceId, template);
  const { json } = await world.ask({ key, body: { templateId, vars: {}, variables: { title: { size: 1 } } } });
  t.same(
    (json.warnings as { path: string }[]).map(({ path }) => path),
    ['vars', 'colour', 'variables.title', 'hotspots.title.fontsize', 'variables.title'],
  );
});

t.test('reports at most a hundred, over the request and its layers', async (t) => {
  const { world } = await drawing(t);
  const { key } = await world.caller();
  const many = Object.fromEntries(Array.from({ length: 99 }, (_, i) => [`odd${i}`, 1]));
  const { headers } = await world.ask({ key, body: { ...FLAT, ...many, layers: [{ ...shape, ...many }] } });
  t.equal(headers.get('x-service-warnings'), '100');
});

t.test('the page and the OpenAPI document name the header', async (t) => {
  const { world } = await drawing(t);
  const page = await world.ask({ method: 'GET', path: '/docs' });
  t.match(Buffer.from(page.bytes).toString(), '<code>X-Service-Warnings</code>');
  const { json } = await world.ask({ method: 'GET', path: '/openapi.json' });
  const { responses } = (json.paths as Record<string, { post: { responses: Record<string, { headers: object }> } }>)[
    '/v1/render'
  ].post;
  t.ok('X-Service-Warnings' in responses['200'].headers);
});
