// The engine of the pages, in a worker that one of them starts under its policy, against the service's `verify`: the same
// pixels and warnings, with and without the watermark.
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { VerifyAnswer } from '../../../lib/contract/dashboard.js';
import { ROOT } from '../../checkout.js';
import { FORM, SEED, sample } from '../../exhaustive.js';
import { brandFont } from '../../fonts/brand-font.js';
import { type Case, groupOf, makeCases } from '../../parity/cases.js';
import { type BrowserName, openBrowser, skipped } from './browsers.js';
import { type Site, startSite, unbuilt } from './site.js';
import type { Visitor } from './visitor.js';

/** Goldens and examples that `npm test` compares, and random payloads in the exhaustive tests. */
const SHORT_SAMPLE = 8;
const FUZZED = 200;
/** Number of renders that an operator may verify in a minute. */
const VERIFICATIONS = 10;

interface Given {
  readonly name: string;
  readonly payload: unknown;
  readonly variables?: unknown;
}

/** The values that both sides are compared by, or the error. */
interface Outcome {
  readonly pixels?: string;
  readonly warnings?: VerifyAnswer['warnings'];
  readonly error?: string;
}

export function parity(name: BrowserName): void {
  t.test(`the engine in ${name} draws what the service renders`, { skip: unbuilt || skipped(name) }, async (t) => {
    const site = await startSite(t, { ASSET_ALLOW_HOSTS: '127.0.0.1', MAX_BODY_BYTES: '33554432' });
    const browser = await openBrowser(t, name, site.origin);
    const visitor = await browser.visit();
    const free = await site.store.createWorkspace({ name: 'Free', plan: 'free', credits: 0 });
    const paid = await site.store.createWorkspace({ name: 'Paid', plan: 'paid', credits: 0 });
    const verify = verifier(site, visitor);
    await site.signIn(visitor, await site.operator('Ada', 'owner'));
    await visitor.goto('/dashboard/');
    await visitor.find('heading', 'Overview');
    for (const { id } of [free, paid]) await startEngine(visitor, id, id === free.id ? 'Made with Platen' : undefined);

    const compare = async (t: Test, given: Given, workspaces = [free, paid]) => {
      for (const { id } of workspaces) {
        const expected = await verify(id, given);
        t.same(
          await draw(visitor, id, given),
          expected,
          `${given.name}, ${id === free.id ? 'with' : 'without'} the mark`,
        );
      }
    };
    const cases = await makeCases(FORM === 'normal' ? 0 : FUZZED, String(SEED));
    const isStarter = (given: Case) => groupOf(given) === 'templates';

    await t.test('goldens and examples', async (t) => {
      const others = cases.filter((given) => !isStarter(given));
      for (const given of sample(others, SHORT_SAMPLE)) await compare(t, given);
    });

    await t.test('starter templates with all their sample sets and rows', async (t) => {
      const starters = cases.filter(isStarter);
      t.ok(starters.length >= 52, `${starters.length} pictures`);
      for (const given of name === 'chromium' ? starters : sample(starters, SHORT_SAMPLE)) {
        await compare(t, given, [paid]);
      }
    });

    await t.test('pictures from the web, assets, uploaded families and saved templates', async (t) => {
      const picture = readFileSync(join(ROOT, 'test/codecs/fixtures/quadrants-420.jpg'));
      const origin = await serveFile(t, picture);
      const box = { x: 0, y: 0, width: 60, height: 40 };
      for (const { id } of [free, paid]) {
        const image = await upload(visitor, id, picture);
        const uploaded = await upload(visitor, id, brandFont());
        t.match(uploaded, { family: 'Brand' });
        const record = {
          name: 'Saved',
          width: 200,
          height: 100,
          background: { color: '#223344' },
          hotspots: [{ key: 'title', label: 'Title', type: 'text', text: 'Draft', ...box, width: 200, fontSize: 20 }],
        };
        const templateId = await saveTemplate(visitor, id, record);
        const canvas = { width: 200, height: 120, backgroundColor: '#fff8e7' };
        const layers = [
          { type: 'image', url: `${origin}/picture.jpg`, ...box },
          { type: 'image', url: `asset:${image.id}`, ...box, x: 70 },
          { type: 'image', url: `${origin}/missing`, ...box, x: 140, fallbackColor: 'teal' },
          { type: 'text', text: 'Ünknown', fontFamily: 'No such family', ...box, y: 50 },
          { type: 'text', text: 'Own', customFontUrl: `asset:${uploaded.id}`, ...box, y: 50, x: 70, fontSize: 30 },
          { type: 'text', text: 'Brand', fontFamily: 'Brand', ...box, y: 50, x: 140, fontSize: 20 },
          { type: 'qrcode', data: 'platen', ...box, y: 90 },
        ];
        for (const given of [
          { name: 'a canvas', payload: { canvas, layers, colour: 'unknown' } },
          {
            name: 'a saved template',
            payload: { templateId, variables: { title: 'Żółć', nothing: 1 }, format: 'webp' },
          },
          { name: 'a template with variables', payload: record, variables: { title: 'नमस्ते' } },
          { name: 'a missing picture', payload: { canvas, layers: [{ ...layers[2], fallbackColor: undefined }] } },
          { name: 'an unknown template', payload: { templateId: 'tpl_none' } },
          { name: 'an unknown version', payload: { templateId, templateVersion: 7 } },
          {
            name: 'a font in place of a picture',
            payload: { canvas, layers: [{ ...layers[1], url: `asset:${uploaded.id}` }] },
          },
          { name: 'an asset of nobody', payload: { canvas, layers: [{ ...layers[1], url: 'asset:asset_none' }] } },
          { name: 'an unknown field of a layer', payload: { canvas, layers: [{ type: 'text', text: 'x' }] } },
        ]) {
          t.same(await draw(visitor, id, given), await verify(id, given), given.name);
        }
      }
    });

    t.same(visitor.problems, [], 'no error, and the policy is kept');

    await t.test('families of FONTS_DIR', async (t) => {
      const FONTS_DIR = t.testdir({});
      await writeFile(join(FONTS_DIR, 'brand.ttf'), brandFont());
      const own = await startSite(t, { FONTS_DIR });
      const { id } = await own.store.createWorkspace({ name: 'Own', plan: 'paid', credits: 0 });
      const other = await (await openBrowser(t, name, own.origin)).visit();
      const judge = verifier(own, other);
      await own.signIn(other, await own.operator('Ada', 'owner'));
      await other.goto('/dashboard/');
      await startEngine(other, id, undefined);
      const box = { x: 0, width: 200, height: 40, fontSize: 24 };
      const layers = [
        { type: 'text', text: 'Brand', fontFamily: ' brand ', y: 0, ...box },
        { type: 'text', text: 'Brand', fontFamily: 'Brant', y: 40, ...box },
      ];
      const given = { name: 'Brand', payload: { canvas: { width: 200, height: 80 }, layers } };
      const outcome = await draw(other, id, given);
      t.same(outcome, await judge(id, given));
      t.match(outcome.warnings, [{ message: /did you mean "Brand"/ }]);
    });
  });
}

/** Starts the worker of a workspace, as web/engine does, and keeps it in the page. */
async function startEngine({ page }: Visitor, workspaceId: string, watermark: string | undefined): Promise<void> {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'dist/dashboard/manifest.json'), 'utf8'));
  const settings = { workspaceId, watermark, maxLayers: 500, timeoutMs: 600_000 };
  await page.evaluate(
    (script, options) => {
      const worker = new Worker(`/dashboard/files/${script}`, { type: 'module' });
      worker.postMessage({ type: 'start', options });
      const engines = (window as unknown as { engines?: Record<string, Worker> }).engines ?? {};
      Object.assign(window, { engines: { ...engines, [options.workspaceId]: worker } });
    },
    manifest.workers[0] as string,
    settings,
  );
}

async function draw({ page }: Visitor, workspaceId: string, { payload, variables }: Given): Promise<Outcome> {
  return await page.evaluate(
    (id, job) =>
      new Promise<Outcome>((resolve) => {
        const worker = (window as unknown as { engines: Record<string, Worker> }).engines[id]!;
        worker.onmessage = ({ data: { type, result, failure } }) => {
          if (type === 'failure') resolve({ error: `${failure.code}: ${failure.message}` });
          if (type !== 'result') return;
          const { width, height, pixelsSha256, warnings } = result;
          resolve({ pixels: `${width} × ${height} ${pixelsSha256}`, warnings });
        };
        worker.postMessage({ type: 'run', id: 1, kind: 'digest', job });
      }),
    workspaceId,
    { payload, ...(variables !== undefined && { variables }) },
  );
}

/** The page asks the service, as a new operator once the one before may ask no more. */
function verifier(site: Site, visitor: Visitor): (workspaceId: string, given: Given) => Promise<Outcome> {
  let count = 0;
  return async (workspaceId, { payload, variables }) => {
    if (count++ % VERIFICATIONS === 0) await site.signIn(visitor, await site.operator(`Judge ${count}`, 'owner'));
    const body = JSON.stringify({ workspaceId, payload, ...(variables !== undefined && { variables }) });
    const answer = await send(visitor, 'verify', body);
    const { code, error, width, height, pixelsSha256, warnings } = answer;
    if (error !== undefined) return { error: `${code}: ${error}` };
    return { pixels: `${width} × ${height} ${pixelsSha256}`, warnings };
  };
}

async function upload(
  visitor: Visitor,
  workspaceId: string,
  file: Uint8Array,
): Promise<{ id: string; family?: string }> {
  return await send(visitor, `workspaces/${workspaceId}/assets`, Buffer.from(file).toString('base64'), true);
}

async function saveTemplate(visitor: Visitor, workspaceId: string, record: object): Promise<string> {
  return (await send(visitor, `workspaces/${workspaceId}/templates`, JSON.stringify(record))).id;
}

/** A request of the page's script. `isBase64`: the body stands for bytes. */
// biome-ignore lint/suspicious/noExplicitAny: answers of several operations
async function send({ page }: Visitor, path: string, body: string, isBase64 = false): Promise<any> {
  return await page.evaluate(
    async (to, text, isEncoded) => {
      const bytes = isEncoded ? Uint8Array.from(atob(text), (character) => character.charCodeAt(0)) : text;
      const headers = {
        'x-platen-csrf': '1',
        'content-type': isEncoded ? 'application/octet-stream' : 'application/json',
      };
      const response = await fetch(`/dashboard/api/${to}`, { method: 'POST', headers, body: bytes });
      return await response.json();
    },
    path,
    body,
    isBase64,
  );
}

async function serveFile(t: Test, file: Uint8Array): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url === '/picture.jpg') response.setHeader('Content-Type', 'image/jpeg').end(file);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
