// The files of the dashboard: which paths have one, and with which headers it is answered.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { listFiles } from '../../../lib/dashboard/static/files.js';
import type { StaticFile } from '../../../lib/service/http/static-files.js';
import type { ApiRequest } from '../../../lib/service/request.js';
import { createDashboardWorld } from '../world.js';

function listTestFiles(t: Test): { files: ReadonlyMap<string, StaticFile>; folder: string } {
  const folder = t.testdir({
    'db.json': '{"secret":true}',
    files: {
      'main-A.js': 'plain',
      'main-A.js.br': 'brotli',
      'main-A.js.gz': 'gzip',
      'engine-B.js': 'worker',
      'notes.md': 'of no known type',
    },
    fonts: { inter: { 'Inter 400.woff2': 'font' } },
    wasm: { 'png.wasm': 'module' },
  });
  const path = (name: string) => join(folder, name);
  const folders = { pages: path('files'), fonts: path('fonts'), wasm: path('wasm') };
  return { files: listFiles(['engine-B.js'], folders), folder };
}

async function ask(file: StaticFile | undefined, headers: Readonly<Record<string, string>> = {}) {
  const request = { header: (name: string) => headers[name], ifNoneMatch: headers['if-none-match'] };
  const { status, body, headers: answered } = await file!.answer(request as unknown as ApiRequest);
  return { status, text: Buffer.from(body as Uint8Array).toString(), headers: Object.fromEntries(answered) };
}

t.test('a path has the file of exactly this name, or none', async (t) => {
  const { files } = listTestFiles(t);
  t.same([...files.keys()].sort(), [
    '/dashboard/files/engine-B.js',
    '/dashboard/files/main-A.js',
    '/dashboard/fonts/inter/Inter%20400.woff2',
    '/dashboard/wasm/png.wasm',
  ]);
});

// fault: 104
t.test('a path that leads out of the folders is unknown, and opens no file', async (t) => {
  const { link, stranger } = await createDashboardWorld(t);
  await link();
  const { files } = listTestFiles(t);
  const climbs = [
    '../db.json',
    '..%2fdb.json',
    '..%2f..%2fdb.json',
    '%2e%2e/db.json',
    '%2e%2e%2fdb.json',
    '..%5cdb.json',
    '..\\db.json',
    '....//db.json',
    '..%252fdb.json',
    '..%c0%afdb.json',
    '/etc/passwd',
    '%2fetc%2fpasswd',
    'main-A.js%00',
    'main-A.js\0',
    'main-A.js%00.css',
    'main-A.js/',
    'main-A.js/..',
    './main-A.js',
    'main-A.js.br',
    'MAIN-A.js',
    'main-A.js%20',
    'notes.md',
    '%',
    '',
    '.',
    '..',
    'inter',
    '__proto__',
    'constructor',
  ];
  for (const folder of ['files', 'fonts', 'wasm', 'api', 'templates']) {
    for (const climb of climbs) {
      const path = `/dashboard/${folder}/${climb}`;
      t.notOk(files.has(path), path);
      if (folder === 'templates') continue;
      t.match(await stranger().ask({ path }), { status: 404, json: { code: 'not_found' } }, path);
    }
  }
});

t.test('answers the form that the client can read', async (t) => {
  const { files } = listTestFiles(t);
  const file = files.get('/dashboard/files/main-A.js');
  const rows: [string, string, string | undefined][] = [
    ['gzip, deflate, br', 'brotli', 'br'],
    ['BR', 'brotli', 'br'],
    ['gzip', 'gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip', 'gzip'],
    ['br;q=0.0', 'plain', undefined],
    ['identity', 'plain', undefined],
    ['', 'plain', undefined],
    ['brotli', 'plain', undefined],
  ];
  const tags = new Set<string>();
  for (const [accepted, text, encoding] of rows) {
    const answer = await ask(file, { 'accept-encoding': accepted });
    t.match(answer, { status: 200, text }, accepted);
    t.equal(answer.headers['Content-Encoding'], encoding);
    t.equal(answer.headers['Content-Type'], 'text/javascript; charset=utf-8');
    // a cache must not give one client's form to another
    t.equal(answer.headers.Vary, 'Accept-Encoding');
    tags.add(answer.headers.ETag);
  }
  t.equal(tags.size, 3, 'each form has its own tag');
});

t.test('hashed names are kept for good, others are asked for again', async (t) => {
  const { files, folder } = listTestFiles(t);
  const script = await ask(files.get('/dashboard/files/main-A.js'));
  t.equal(script.headers['Cache-Control'], 'public, max-age=31536000, immutable');
  const font = files.get('/dashboard/fonts/inter/Inter%20400.woff2');
  const first = await ask(font);
  t.match(first, {
    status: 200,
    text: 'font',
    headers: { 'Content-Type': 'font/woff2', 'Cache-Control': 'public, no-cache' },
  });
  t.match(await ask(font, { 'if-none-match': first.headers.ETag }), { status: 304, text: '' });
  writeFileSync(join(folder, 'fonts/inter/Inter 400.woff2'), 'other font');
  t.match(await ask(font, { 'if-none-match': first.headers.ETag }), { status: 200, text: 'other font' });
});

t.test('only a worker may compile WebAssembly', async (t) => {
  const { files } = listTestFiles(t);
  const policyOf = async (path: string) => (await ask(files.get(path))).headers['Content-Security-Policy'];
  t.match(await policyOf('/dashboard/files/engine-B.js'), "script-src 'self' 'wasm-unsafe-eval';");
  for (const path of ['/dashboard/files/main-A.js', '/dashboard/wasm/png.wasm']) {
    t.notMatch(await policyOf(path), 'unsafe');
  }
});

t.test('a file is read, never written', async (t) => {
  const { link, stranger } = await createDashboardWorld(t);
  await link();
  const { files } = listTestFiles(t);
  t.ok(files.size > 0);
  const font = [...listFiles([]).keys()].find((path) => path.startsWith('/dashboard/fonts/')) ?? '';
  t.equal((await stranger().ask({ path: font })).status, 200);
  t.equal((await stranger().ask({ method: 'HEAD', path: font })).status, 200);
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
    t.match(await stranger().ask({ method, path: font }), { status: 405, headers: new Map([['allow', 'GET, HEAD']]) });
  }
});
