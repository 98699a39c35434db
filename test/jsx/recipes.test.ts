// Runs the recipes of docs/jsx-migration.md: their handlers are called as the frameworks call them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
import t from 'tap';
import { readHeader } from '../../lib/codecs/header.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(ROOT, 'docs/jsx-migration.md'), 'utf8');
const folder = t.testdir({});

/** The framework that a recipe imports, as far as its handler needs it. */
mkdirSync(join(folder, 'node_modules/hono'), { recursive: true });
writeFileSync(join(folder, 'node_modules/hono/package.json'), '{ "type": "module", "exports": "./index.js" }');
writeFileSync(
  join(folder, 'node_modules/hono/index.js'),
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
  const to = (path: string) => `"./${relative(folder, join(ROOT, path))}"`;
  const file = join(folder, `${heading.replace(/\W+/g, '-')}.ts`);
  writeFileSync(
    file,
    script
      .replace(/["']platen\/og["']/, to('lib/og/node.js'))
      .replace(/["']platen\/jsx-runtime["']/, to('lib/jsx/runtime.js')),
  );
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
