// Whether there is tracing: the package is not loaded without an SDK, and works with an SDK that brings another copy of it.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import t from 'tap';
import { findTracing } from '../../../lib/service/trace/find.js';
import { createTracing } from '../../../lib/service/trace/opentelemetry.js';
import { ROOT } from '../../checkout.js';

const SLOT = Symbol.for('opentelemetry.js.api.1');
const slots = globalThis as { [SLOT]?: unknown };

t.test('there is none without an SDK, and the package is not loaded', async (t) => {
  t.equal(await findTracing(), undefined);
  const script = `
    import { createRequire } from 'node:module';
    const { findTracing } = await import('./lib/service/trace/find.ts');
    const found = (await findTracing()) ?? null;
    const loaded = Object.keys(createRequire('${ROOT}').cache).filter((path) => path.includes('@opentelemetry'));
    console.log(JSON.stringify({ found, loaded }));
  `;
  const options = ['--import', './test/loader/register.mjs', '--input-type=module', '--eval', script];
  const output = execFileSync(process.execPath, options, { cwd: ROOT, encoding: 'utf8' });
  t.same(JSON.parse(output), { found: null, loaded: [] });
});

t.test('works with an SDK that registered a newer copy of the API', async (t) => {
  const names: string[] = [];
  const span = {
    spanContext: () => ({ traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 }),
    updateName: (name: string) => names.push(name),
    setAttribute: () => span,
    setStatus: () => span,
    end: () => names.push('end'),
  };
  const provider = { getTracer: () => ({ startSpan: (name: string) => names.push(name) && span }) };
  slots[SLOT] = { version: '1.9.0', trace: provider };
  t.teardown(() => delete slots[SLOT]);
  const tracing = await findTracing();
  const service = tracing?.traceService(async () => ({
    requestId: 'r',
    route: '/v1/fonts',
    answer: { status: 200, headers: new Map(), body: Uint8Array.of(), length: 0 },
  }));
  const outcome = await service?.({
    method: 'GET',
    path: '/v1/fonts',
    authorization: undefined,
    body: async () => Uint8Array.of(),
    signal: new AbortController().signal,
  });
  t.same(names, ['GET', 'GET /v1/fonts', 'end']);
  t.equal(outcome?.traceId, '1'.repeat(32));
  await tracing?.flush();
});

t.test('the version of the API is one that the SDKs in use accept', async (t) => {
  const require = createRequire(import.meta.url);
  const { version } = JSON.parse(readFileSync(join(ROOT, 'node_modules/@opentelemetry/api/package.json'), 'utf8'));
  const minor = Number(version.split('.')[1]);
  // a copy of the API refuses what an older one has registered, and SDKs 2.x ask for less than 1.10
  t.ok(minor <= 4, `${version} is no newer than what SDKs bring`);
  const sdk = require('@opentelemetry/sdk-trace-base/package.json');
  t.match(sdk.peerDependencies['@opentelemetry/api'], />=1\.3\.0/);
  t.type(createTracing().flush, 'function');
});
