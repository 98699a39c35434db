import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { codeFor, type Language } from '../../../web/preview/code.js';

const run = promisify(execFile);

/** Each is a trap for the quoting of one language. */
const TRICKY = {
  templateId: "o'clock",
  variables: {
    title: `it's "quoted" $HOME \`id\` $(id) \\ \\n !! %s {x} #`,
    lines: 'one\ntwo\r\n\ttab\u2028separator\u0000nul',
    emoji: '👩‍👩‍👧 é 日本',
    "ke'y": "'''",
    python: '"""r\'\'\'',
    object: { yes: true, no: false, nothing: null, numbers: [1, -0.5, 1e21, 1e-7], empty: {}, none: [] },
    markup: '</script><!--',
  },
  format: 'webp',
  responseType: 'binary',
};
const PROTOTYPE = JSON.parse(
  '{"canvas":{"width":1,"height":1},"layers":[],"metadata":{"__proto__":{"a":"\\"__proto__\\": 1"}}}',
);

t.test('copied code sends exactly the payload, with the key from the environment, and saves the answer', async (t) => {
  let received: { url?: string; method?: string; body: string; key?: string; type?: string } | undefined;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    const { url, method, headers } = request;
    received = { url, method, body, key: headers.authorization, type: headers['content-type'] } as typeof received;
    response.end('PICTURE');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const folder = mkdtempSync(join(tmpdir(), 'platen-code-'));
  t.teardown(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { PATH: process.env.PATH, PLATEN_API_KEY: 'svc_live_test', LANG: 'C.UTF-8' };
  const commands: Record<Language, (code: string) => readonly [string, readonly string[]]> = {
    curl: (code) => ['sh', ['-c', code]],
    fetch: (code) => {
      writeFileSync(join(folder, 'code.mjs'), code);
      return [process.execPath, ['code.mjs']];
    },
    Python: (code) => {
      writeFileSync(join(folder, 'code.py'), code);
      return ['python3', ['code.py']];
    },
  };
  const programs: Record<Language, readonly string[]> = {
    curl: ['curl', '--version'],
    fetch: [process.execPath, '--version'],
    Python: ['python3', '--version'],
  };
  for (const language of ['curl', 'fetch', 'Python'] as const) {
    const [program, ...options] = programs[language];
    const isThere = await run(program, options).then(
      () => true,
      () => false,
    );
    await t.test(language, { skip: !isThere && `${program} is not installed` }, async (t) => {
      for (const [body, file] of [
        [TRICKY, 'picture.webp'],
        [PROTOTYPE, 'picture.png'],
      ] as const) {
        received = undefined;
        const [command, args] = commands[language](codeFor(language, { origin, body }));
        await run(command, args, { cwd: folder, env });
        t.same(JSON.parse(received!.body), body);
        t.equal(JSON.stringify(JSON.parse(received!.body)), JSON.stringify(body));
        t.match(received, { url: '/v1/render', method: 'POST', key: 'Bearer svc_live_test', type: 'application/json' });
        t.equal(readFileSync(join(folder, file), 'utf8'), 'PICTURE');
        rmSync(join(folder, file));
      }
    });
  }
});

t.test('copied code asks for a picture where the API would answer JSON', async (t) => {
  const sentBy = (body: Record<string, unknown>) => {
    const [, sent = ''] = /--data-raw '([^']*)'/.exec(codeFor('curl', { origin: 'http://x', body })) ?? [];
    return JSON.parse(sent);
  };
  t.same(sentBy({ templateId: 'tpl_1' }), { templateId: 'tpl_1', responseType: 'binary' });
  const asJson = { templateId: 'tpl_1', responseType: 'json' };
  t.same(sentBy(asJson), asJson, 'unless the payload asks for JSON');
  const canvas = { canvas: { width: 1, height: 1 }, layers: [] };
  t.same(sentBy(canvas), canvas, 'a canvas is answered with its picture anyway');
});

t.test('copied code names the file after what the answer is', async (t) => {
  const fileFor = (body: Record<string, unknown>) =>
    /picture\.\w+/.exec(codeFor('curl', { origin: 'http://x', body }))?.[0];
  t.equal(fileFor({}), 'picture.png');
  t.equal(fileFor({ format: 'jpg' }), 'picture.jpg');
  t.equal(fileFor({ format: 'avif' }), 'picture.avif');
  t.equal(fileFor({ format: 'webp', responseType: 'json' }), 'picture.json');
});
