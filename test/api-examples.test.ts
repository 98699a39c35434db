// Runs the examples of docs/api.md and GET /docs in every language against a server; api-page.test.ts compares them.
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { createClient } from '../lib/client/index.js';
import { readHeader } from '../lib/codecs/header.js';
import { OPERATIONS } from '../lib/contract/api/operations/index.js';
import { createRawKey, hashKey } from '../lib/store/api-keys.js';
import { EXAMPLE_FILE, LANGUAGES, SETUP, type SnippetLanguage, snippetsOf } from '../scripts/api-page/snippets.js';
import { makeCheckout, ROOT } from './checkout.js';
import { transpile } from './loader/transpile.mjs';
import { startWhole } from './service/whole.js';

const run = promisify(execFile);
const folder = t.testdir({});
makeCheckout(folder);

/** Everything before the call in a program of this language. */
const setup = (language: SnippetLanguage) => (language === 'curl' ? '' : SETUP[language]);
const [, clientExample] =
  /^## The client$[\s\S]*?^```ts\n([\s\S]*?)^```$/m.exec(readFileSync(join(ROOT, 'docs/api.md'), 'utf8')) ?? [];

function canRun(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const PROGRAMS: Readonly<Record<SnippetLanguage, readonly [program: string, file: string]>> = {
  curl: ['sh', 'example.sh'],
  typescript: [process.execPath, 'example.mjs'],
  python: ['python3', 'example.py'],
};

for (const { id: language, title } of LANGUAGES) {
  const [program, file] = PROGRAMS[language];
  const needed = language === 'curl' ? 'curl' : program;
  t.test(`has examples in ${title} that run`, { skip: !canRun(needed) && `there is no ${needed} here` }, async (t) => {
    const whole = await startWhole(t, {});
    const { id: workspaceId } = await whole.store.createWorkspace({ name: 'Docs', plan: 'paid', credits: 100 });
    const key = createRawKey();
    const scopes = ['render:write', 'render:read', 'templates:read', 'templates:write', 'batch:write'] as const;
    await whole.store.createKey({ workspaceId, name: 'docs', scopes, hash: hashKey(key) });
    const client = createClient({ baseUrl: whole.url, apiKey: key });
    const image = join(folder, 'hello.png');

    const start = async (code: string, ids: Readonly<Record<string, string>>) => {
      const text = Object.entries(ids).reduce((all, [name, id]) => all.replaceAll(name, id), setup(language) + code);
      writeFileSync(join(folder, file), language === 'typescript' ? transpile(text) : text);
      const env = { ...process.env, PLATEN_URL: whole.url, PLATEN_KEY: key };
      return (await run(program, [...(language === 'curl' ? ['-e'] : []), file], { cwd: folder, env })).stdout;
    };
    writeFileSync(image, '');
    t.equal(await start(snippetsOf(OPERATIONS[0])[language], {}), '');
    t.match(readHeader(readFileSync(image)), { format: 'png', width: 600, height: 315 });
    writeFileSync(join(folder, EXAMPLE_FILE), readFileSync(image));

    const record = { name: 'Card', width: 60, height: 30, hotspots: [] };
    const { items: renders } = await client.renders.list().page();
    for (const operation of OPERATIONS.slice(1)) {
      const { id: templateId } = await client.templates.create(record);
      const { id: assetId } = await client.assets.add(readFileSync(image));
      const ids = { TEMPLATE_ID: templateId, ASSET_ID: assetId, RENDER_ID: renders[0].id };
      const printed = await start(snippetsOf(operation)[language], ids);
      const isSilent =
        (operation.answers[0].schema === undefined || operation.answers[0].isDocument === true) &&
        !operation.answers[0].streams;
      t.equal(printed.trim() === '', isSilent, `${operation.id} prints ${printed.slice(0, 200)}`);
      if (operation.id === 'deleteTemplate')
        await t.rejects(client.templates.get(templateId), { name: 'PlatenError', status: 404 });
      if (operation.id === 'replaceTemplate') t.match(await client.templates.get(templateId), { version: 2 });
    }
    if (language === 'typescript') {
      const { id } = await client.templates.create(record);
      t.equal(await start(clientExample, { TEMPLATE_ID: id }), `60 30 ${(await client.workspace()).balance}\n`);
    }
  });
}
