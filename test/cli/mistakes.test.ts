// Common mistakes on the command line: each gets one line that names what was typed, and the right exit code.

import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import t from 'tap';
import { main } from '../../lib/cli/main.js';
import { createTestContext } from './context.js';

async function run(words: readonly string[], directory: string, environment: Record<string, string> = {}) {
  const cli = createTestContext({ directory, environment });
  const code = await main(words, cli.context);
  return { code, errors: cli.errors(), output: cli.output().toString() };
}

t.test('serve explains an address that it can’t listen on', async (t) => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  t.teardown(() => taken.close());
  const { port } = taken.address() as AddressInfo;
  const directory = t.testdir({});
  const rows: [string, number, string, Record<string, string>?][] = [
    [`--port ${port}`, 1, `--port: port ${port} of 127.0.0.1 is in use by another program; choose another port`],
    ['', 1, `PORT: port ${port} of 127.0.0.1 is in use by another program; choose another port`, { PORT: `${port}` }],
    [
      '--port 0',
      1,
      `METRICS_PORT: port ${port} of 127.0.0.1 is in use by another program; choose another port`,
      { METRICS_PORT: `${port}` },
    ],
    [
      '--port 0 --host 192.0.2.1',
      2,
      '--host: "192.0.2.1" is not an address of this machine; 0.0.0.0 means all of its addresses',
    ],
    ['--port 99999', 2, '--port: received "99999", expected a whole number from 0 to 65535'],
    ['--port -5', 2, '--port: received "-5", expected a whole number from 0 to 65535'],
    ['--port NaN', 2, '--port: received "NaN", expected a whole number from 0 to 65535'],
    ['--port=', 2, '--port must not be empty (see "platen serve --help")'],
    ['--host=', 2, '--host must not be empty (see "platen serve --help")'],
    ['--data=', 2, '--data must not be empty (see "platen serve --help")'],
    [
      '--port --host x',
      2,
      '--port needs a value, received "--host" (as a value: --port=--host) (see "platen serve --help")',
    ],
    ['--port', 2, '--port needs a value (see "platen serve --help")'],
    ['--prot 5', 2, `Unknown option '--prot'; did you mean --port? (see "platen serve --help")`],
    ['', 2, 'PORT: received "x", expected a whole number from 0 to 65535', { PORT: 'x' }],
    ['', 2, 'ASSET_ALLOW_HOSTS: "a:99999" is not a host or host:port', { ASSET_ALLOW_HOSTS: 'a:99999' }],
  ];
  for (const [words, code, line, environment] of rows) {
    const all = ['serve', '--data', `${directory}/data`, ...words.split(' ').filter((word) => word !== '')];
    t.strictSame(await run(all, directory, { RENDER_WORKERS: '0', LOG_LEVEL: 'silent', ...environment }), {
      code,
      errors: `error: ${line}\n`,
      output: '',
    });
  }
  const unknown = await run(['serve', '--host', 'nosuch.invalid', '--data', `${directory}/data`], directory, {
    RENDER_WORKERS: '0',
  });
  t.match(unknown, {
    code: 2,
    errors: /^error: --host: (no such host: |no name server answered for )"nosuch\.invalid"\n$/,
  });
});

t.test('rejects a data folder that is a file', async (t) => {
  const directory = t.testdir({ file: '' });
  const file = `${directory}/file`;
  for (const words of [['serve', '--port', '0'], ['init'], ['log', '--workspace', 'w']]) {
    const { code, errors } = await run([...words, '--data', file], directory);
    t.equal(code, 1);
    t.match(errors, /^error: [^\n]*\/file[^\n]* is a file, not a folder\n$/);
  }
});

t.test('explains a payload argument that is not a JSON file', async (t) => {
  const directory = t.testdir({ 'utf16.json': Buffer.from('\ufeff{}', 'utf16le'), '[a].json': '{]' });
  const rows: [string, number, RegExp][] = [
    ['https://example.com/a.json', 1, /URLs are not fetched; pipe the payload instead/],
    ['{"canvas":{}}', 1, /expected a file name; pipe JSON to standard input instead: platen -/],
    ['utf16.json', 1, /not valid JSON: it is UTF-16, expected UTF-8/],
    ['a.json out/card.PNG', 2, /received 2: a\.json, out\/card\.PNG; to write an image, use -o out\/card\.PNG/],
  ];
  for (const [words, code, errors] of rows) {
    const result = await run(words.split(' '), directory);
    t.equal(result.code, code, words);
    t.match(result.errors, errors);
    t.match(result.errors, /^error: [^\n]*\n$/);
  }
});

t.test('suggests a correction for misspelled, misplaced or repeated commands', async (t) => {
  const payload = JSON.stringify({ canvas: { width: 1, height: 1 }, layers: [] });
  const directory = t.testdir({ 'a.json': payload, servee: payload });
  const rows: [string, string][] = [
    ['--port 80 serve', 'the command comes first: platen serve --port 80'],
    ['--json workspaces list', 'the command comes first: platen workspaces list --json'],
    ['--data x keys list', 'the command comes first: platen keys list --data x'],
    ['valdate a.json', 'there is no command or file "valdate"; did you mean "platen validate"?'],
    ['serv --port 80', 'there is no command or file "serv"; did you mean "platen serve"?'],
    ['workspace', 'there is no command or file "workspace"; did you mean "platen workspaces"?'],
    ['render a.json', '"render" is the program itself: platen a.json'],
    ['platen a.json', '"platen" is the program itself: platen a.json'],
  ];
  for (const [words, line] of rows) {
    t.strictSame(await run(words.split(' '), directory), {
      code: 2,
      errors: `error: ${line} (see "platen --help")\n`,
      output: '',
    });
  }
  t.equal((await run(['servee'], directory)).code, 0, 'an existing file with such a name is a payload');
  t.match(await run(['help', 'serve'], directory), { code: 0, output: /^Usage: platen serve / });
  t.match(await run(['help'], directory), { code: 0, output: /^Usage: platen <payload/ });
});
