// Runs the recipes of docs/jsx-migration.md: their handlers are called as the frameworks call them.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
import t from 'tap';
import { readHeader } from '../../lib/codecs/header.js';
import { makeCheckout, ROOT } from '../checkout.js';

const page = readFileSync(join(ROOT, 'docs/jsx-migration.md'), 'utf8');
const folder = t.testdir({});
// its files import the package by its own name
makeCheckout(folder);

/** The framework that a recipe imports, as far as its handler needs it. */
writeFileSync(
  join(folder, 'hono.mjs'),
  `export class Hono {
  get(path, handler) { this.handler = handler; }
  fetch(request) {
    const title = decodeURIComponent(new URL(request.url).pathname.split('/').at(-1));
    return this.handler({ req: { param: () => title } });
  }
}`,
);

/** The module of a recipe, with the packages of the checkout. */
async function recipe(heading: string) {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  const [, code] = /```tsx\n([\s\S]*?)```/.exec(section ?? '') ?? [];
  if (code === undefined) throw new Error(`there is no recipe “${heading}”`);
  const { code: script } = await transform(code, { loader: 'tsx', jsx: 'automatic', jsxImportSource: 'platen' });
  const file = join(folder, `${heading.replace(/\W+/g, '-')}.mjs`);
  writeFileSync(file, script.replace(/(["'])hono\1/, '"./hono.mjs"'));
  return await import(pathToFileURL(file).href);
}

async function sizeOf(response: Response) {
  if (!(response instanceof Response)) throw new Error('expected a response');
  const bytes = new Uint8Array(await response.arrayBuffer());
  const { format, width, height } = readHeader(bytes);
  return [response.headers.get('content-type'), format, width, height];
}

const request = new Request('https://a.example/og/Hello?title=Hello');

t.test('Next.js', async (t) => {
  const { GET } = await recipe('Next.js, app router');
  t.same(await sizeOf(GET(request)), ['image/png', 'png', 1200, 630]);
  const { default: handler, config } = await recipe('Next.js, pages router');
  t.same(await sizeOf(handler(request)), ['image/png', 'png', 600, 315]);
  t.same(config, { runtime: 'edge' });
});

t.test('Hono and Cloudflare Workers', async (t) => {
  const { default: app } = await recipe('Hono');
  t.same(await sizeOf(app.fetch(request)), ['image/png', 'png', 800, 400]);
  const { default: worker } = await recipe('Cloudflare Workers');
  t.same(await sizeOf(worker.fetch(request)), ['image/png', 'png', 800, 418]);
});

t.test('Astro and Nuxt', async (t) => {
  const { GET } = await recipe('Astro');
  t.same(await sizeOf(GET({ params: { slug: 'hello' } })), ['image/png', 'png', 1200, 630]);
  Object.assign(globalThis, {
    defineEventHandler: (handler: unknown) => handler,
    getQuery: () => ({ title: 'Hello' }),
  });
  const { default: handler } = await recipe('Nuxt');
  t.same(await sizeOf(handler({})), ['image/png', 'png', 1200, 630]);
});
