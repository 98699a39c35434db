// `platen batch`: images, failed rows, exit codes, interruption, and worker processes that die.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { Progress, progressLine } from '../../../lib/cli/batch/progress.js';
import { main } from '../../../lib/cli/main.js';
import { render } from '../../any-payload.js';
import { makeCheckout, ownEnvironment } from '../../checkout.js';
import { createTestContext } from '../context.js';

const PROGRAM = fileURLToPath(new URL('../../../bin/render.ts', import.meta.url));
const title = {
  key: 'title',
  label: 'Title',
  type: 'text',
  x: 0,
  y: 0,
  width: 60,
  height: 20,
  text: 'D',
  fontSize: 12,
};
const photo = { key: 'photo', label: 'Photo', type: 'image', x: 40, y: 0, width: 20, height: 20 };
const card = { name: 'Card', width: 60, height: 20, hotspots: [title, photo] };
const template = JSON.stringify(card);

/** Runs a batch, in one render process unless the words say how many. */
async function run(words: string, setup: Parameters<typeof createTestContext>[0]) {
  const cli = createTestContext(setup);
  const jobs = words.includes('--jobs') ? [] : ['--jobs', '1'];
  const code = await main(['batch', ...words.split(' '), ...jobs], cli.context);
  return { code, output: cli.output().toString(), errors: cli.errors() };
}

t.test('renders the valid rows, lists the failed ones and exits with 1', async (t) => {
  const rows = [
    'name,title,photo,note',
    'a,"Hello, ""you""",,',
    'b,Two,none.png,',
    'c,Three,pixel.svg,n',
    'd,Four,,',
    'e,Five,gopher://x,',
    'f,Six,,',
    'g,,,',
    'h,Eight,,',
    'i,Nine,,',
    'j,"Ten\r\nlines",,',
  ];
  const directory = t.testdir({
    'card.json': template,
    'rows.csv': `\uFEFF${rows.join('\r\n')}\r\n`,
    'pixel.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2"/>',
  });
  const result = await run('card.json rows.csv -o out/{name}.webp --quality 60 --jobs 2', { directory });
  t.equal(result.code, 1);
  t.match(result.output, /^10 rows: 8 images, 2 failed, \d+\.\d s\n$/);
  const lines = result.errors.trimEnd().split('\n');
  t.equal(lines[0], 'warning: column "note" is not a variable of the template and is ignored [unused_variable]');
  t.match(lines.at(-2), /^error: row 2: variables\.photo: .*none\.png/);
  t.match(lines.at(-1), /^error: row 5: variables\.photo: the scheme gopher: /);
  t.equal(lines.filter((line) => !line.startsWith('warning: ')).length, 2);
  t.same(
    readdirSync(join(directory, 'out')).sort(),
    [...'acdfghij'].map((name) => `${name}.webp`),
  );
  const twin = await render(card, { variables: { title: 'Hello, "you"' }, format: 'webp', quality: 60 });
  t.ok(readFileSync(join(directory, 'out/a.webp')).equals(twin.bytes));
});

t.test('reads JSON lines with all kinds of values from standard input', async (t) => {
  const directory = t.testdir({ 'card.json': template });
  const rows = [
    { file: 'x', title: { text: 'A', color: 'red' }, photo: null },
    { file: 'X', title: 1 },
    { file: '../y', title: true, tilte: 1 },
    { title: 'no name' },
  ];
  const input = `${rows.map((row) => JSON.stringify(row)).join('\n')}\n\n{\n`;
  const result = await run('card.json - -o {file}-.png --jobs 1', { directory, input });
  t.equal(result.code, 1);
  t.match(result.output, /^5 rows: 2 images, 3 failed/);
  t.same(result.errors.trimEnd().split('\n'), [
    'warning: row 3: variables.tilte: is no variable of this template and is ignored; did you mean title? [unused_variable]',
    'error: row 2: X-.png is already used by row 1; add {#} to the name to make it unique',
    'error: row 4: {file} in the file name: received nothing, expected non-empty text',
    'error: row 5: not valid JSON: column 2: received the end, expected a key in quotes or }',
  ]);
  t.same(readdirSync(directory).sort(), ['--y-.png', 'card.json', 'x-.png']);
});

t.test('rejects invalid templates, rows and patterns before rendering', async (t) => {
  const directory = t.testdir({
    'card.json': template,
    'bad.json': JSON.stringify({ ...card, width: 0 }),
    'wide.json': JSON.stringify({ ...card, width: 2000 }),
    'canvas.json': JSON.stringify({ canvas: { width: 2, height: 2 }, layers: [] }),
    'rows.csv': 'name,title,extra\na,A,\n',
    'late.csv': 'name,title\na,A\nb,"B\n',
    'empty.csv': '',
    'none.csv': 'name,title\n',
    'other.csv': 'name,headline\na,A\n',
    'broken.json': '[{"title":"A"},\n{]',
  });
  const rows: [string, number, RegExp][] = [
    ['canvas.json rows.csv -o {name}.png', 1, /^error: canvas\.json: it is no template: it has no hotspots\n$/],
    ['bad.json rows.csv -o {name}.png', 1, /^error: width: received 0/],
    [
      'wide.json rows.csv -o {name}.png --scale 8',
      1,
      /^error: scale: received 8, expected a scale at which no side is longer than 8192 pixels \(here 16000 × 160\)\n$/,
    ],
    ['none.json rows.csv -o {name}.png', 1, /^error: none\.json: no such file or folder\n$/],
    ['card.json absent.csv -o {name}.png', 1, /^error: absent\.csv: no such file or folder\n$/],
    ['card.json . -o {name}.png', 1, /^error: \.: is a folder\n$/],
    ['card.json empty.csv -o {name}.png', 1, /^error: empty\.csv: is empty\n$/],
    ['card.json late.csv -o {name}.png', 1, /^error: late\.csv: .*[Qq]uote/],
    ['card.json broken.json -o {#}.png', 1, /^error: broken\.json: not valid JSON: line 2, column 2: /],
    [
      'card.json other.csv -o {name}.png',
      1,
      /^error: other\.csv: none of the columns is a variable of the template: received "name", "headline", expected some of "title", "Title", "photo", "Photo"\n$/,
    ],
    [
      'card.json rows.csv -o {name}.png --strict',
      1,
      /^error: column "extra" is not a variable of the template and is ignored \[unused_variable\]\n$/,
    ],
    ['card.json rows.csv -o {nmae}.png', 2, /^error: --output: \{nmae\} is not a column .* did you mean \{name\}\? \(/],
    ['card.json rows.csv -o name.png', 2, /^error: a batch needs -o with a placeholder/],
  ];
  for (const [words, code, errors] of rows) {
    const result = await run(words, { directory });
    t.equal(result.code, code, words);
    t.match(result.errors, errors);
    t.equal(result.output, '');
  }
  t.match(await run('card.json none.csv -o {name}.png', { directory }), { code: 0, output: /^0 rows: 0 images/ });
  t.equal(readdirSync(directory).length, 10);
});

t.test('reads a CSV with semicolons, and a JSON array', async (t) => {
  const directory = t.testdir({
    'card.json': `\uFEFF${template}`,
    'rows.csv': '\uFEFFname;title\na;A,B\n',
    'rows.json': '\uFEFF[{"name":"b","title":"B"},{"name":"c","title":{"text":"C"}}]',
  });
  t.match(await run('card.json rows.csv -o {name}.png --strict', { directory }), { code: 0, errors: '' });
  t.match(await run('card.json rows.json -o {name}.png --strict', { directory }), { code: 0, errors: '' });
  t.same(readdirSync(directory).sort(), ['a.png', 'b.png', 'c.png', 'card.json', 'rows.csv', 'rows.json']);
});

t.test('columns fill hotspots in place, by key and by label', async (t) => {
  const layers = [{ ...title, label: undefined }, photo];
  const directory = t.testdir({
    'card.json': JSON.stringify({ ...card, hotspots: undefined, layers }),
    'rows.csv': 'title,Photo\nA,\n',
  });
  t.match(await run('card.json rows.csv -o {title}.png --strict', { directory }), { code: 0, errors: '' });
  const { bytes } = await render({ ...card, hotspots: [title] }, { variables: { title: 'A' } });
  t.ok(readFileSync(join(directory, 'A.png')).equals(bytes));
});

t.test('--skip-existing skips rows whose file exists, but not empty files', async (t) => {
  const directory = t.testdir({
    'card.json': template,
    'rows.csv': 'name,title\na,A\nb,B\nc,C\na,A\n',
    'a.png': 'whatever it is',
    'b.png': '',
  });
  const result = await run('card.json rows.csv -o {name}.png --skip-existing', { directory });
  t.match(result, {
    code: 1,
    output: /^4 rows: 2 images, 1 skipped, 1 failed, /,
    errors: /^error: row 4: a\.png is already used by row 1/,
  });
  t.equal(readFileSync(join(directory, 'a.png'), 'utf8'), 'whatever it is');
  for (const name of ['b.png', 'c.png']) t.equal(readFileSync(join(directory, name)).readUInt32BE(0), 0x89504e47, name);
  const again = await run('card.json rows.csv -o {name}.png --skip-existing', { directory });
  t.match(again.output, /^4 rows: 0 images, 3 skipped, 1 failed, /);
  t.match((await run('card.json rows.csv -o {name}.png', { directory })).output, /^4 rows: 3 images, 1 failed, /);
});

t.test('--strict fails rows with warnings; a contradicting file extension is reported once', async (t) => {
  const directory = t.testdir({
    'card.json': template,
    'rows.jsonl': '{"title":"A"}\n{"title":{"text":"B","fontsize":5}}\n',
  });
  const strict = await run('card.json rows.jsonl -o {#}.png --strict', { directory });
  t.match(strict, {
    code: 1,
    output: /^2 rows: 1 image, 1 failed/,
    errors:
      /^error: row 2: variables\.title: fontsize: is no known field and is ignored; did you mean fontSize\? \[unknown_field\]\n$/,
  });
  t.same(readdirSync(directory).sort(), ['1.png', 'card.json', 'rows.jsonl']);
  for (const words of ['--strict=text_overflow', '--strict --allow unknown_field']) {
    t.equal((await run(`card.json rows.jsonl -o {#}.png ${words}`, { directory })).code, 0, words);
  }
  const misnamed = await run('card.json rows.jsonl -o {#}.jpg --format png', { directory });
  t.equal(misnamed.code, 0);
  t.equal(misnamed.errors.match(/its extension is \.jpg/g)?.length, 1);
});

t.test('does not overwrite its own template or rows', async (t) => {
  const directory = t.testdir({ 'card.json': template, 'rows.csv': 'name,title\ncard,A\n' });
  const result = await run('card.json rows.csv -o {name}.json --format png', { directory });
  t.match(result, { code: 1, errors: /row 1: card\.json is already used by the template/ });
  t.equal(readFileSync(join(directory, 'card.json'), 'utf8'), template);
});

t.test('a folder that can’t be created fails its row', { skip: !existsSync('/proc/self') && 'no /proc' }, async (t) => {
  const directory = t.testdir({ 'card.json': template, 'rows.csv': 'title\nAda\n' });
  const { code, errors } = await run('card.json rows.csv -o /proc/x/{#}.png', { directory });
  t.equal(code, 1);
  t.match(errors, /row 1: the folder \/proc\/x can't be made: no folder can be made in \/proc/);
});

t.test('formats and overwrites the progress bar', async (t) => {
  t.equal(
    progressLine({ done: 40, failed: 1, total: 100, seconds: 4 }),
    '[#########---------------] 40/100, 10.0/s, 6 s left, 1 failed',
  );
  t.equal(progressLine({ done: 0, failed: 0, total: 0, seconds: 0 }), '[------------------------] 0/0');
  t.equal(progressLine({ done: 3, failed: 0, total: undefined, seconds: 2 }), '3 rows, 1.5/s');
  for (const [isTTY, expected] of [
    [true, '\r\u001b[2K[########----------------] \r\u001b[2Ka line\n\r\u001b[2K'],
    [false, 'a line\n'],
  ] as const) {
    const { context, errors } = createTestContext({ directory: '/' });
    const progress = new Progress(Object.assign(context.errors, { isTTY, columns: 28 }), 3);
    await Promise.all([progress.show(1, 0), progress.show(2, 0), progress.print('a line\n'), progress.print('')]);
    t.equal(errors(), expected);
  }
});

/** A server that never responds; `asked` resolves at its next request. */
async function hanging(t: { teardown(end: () => void): void }) {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, asked: () => once(server, 'request') };
}

t.test('Ctrl-C stops the batch and leaves no partial file', async (t) => {
  const { url, asked } = await hanging(t);
  const directory = t.testdir({ 'card.json': template, 'rows.csv': `title,photo\nA,\nB,${url}\nC,\n` });
  const words = ['batch', 'card.json', 'rows.csv', '-o', 'out/{#}.png', '--jobs', '1'];
  const child = spawn(process.execPath, [...process.execArgv, PROGRAM, ...words], { cwd: directory, stdio: 'pipe' });
  const said = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  await asked();
  child.kill('SIGINT');
  const [output, errors, [code]] = await said;
  t.equal(code, 130);
  t.match(output, /^stopped: 1 row: 1 image, 0 failed/);
  t.equal(errors, '');
  t.same(readdirSync(join(directory, 'out')), ['1.png']);
});

t.test('a worker process that dies or exceeds the time limit fails its own row only', async (t) => {
  const directory = t.testdir({
    'card.json': template,
    'rows.csv': 'title\nA\ndie\nB\n',
    'late.csv': 'title\nhang\n',
    checkout: {},
  });
  const checkout = join(directory, 'checkout');
  makeCheckout(checkout);
  writeFileSync(
    join(checkout, 'dist/lib/worker.js'),
    `
      import { onMessage, picture, send } from '${new URL('../../workers/channel.mjs', import.meta.url)}';
      onMessage(({ scene }) => {
        send({ kind: 'begun' });
        const [{ text }] = scene.layers;
        if (text === 'die') {
          console.error('a last word');
          process.exit(7);
        }
        while (text === 'hang');
        send({ kind: 'result', result: { warnings: [] }, memory: 1, ms: 1, cpuMs: 1 }, picture(text));
      });
      send({ kind: 'ready' });`,
  );
  const batch = async (rows: string, environment: Record<string, string> = {}) => {
    const argv = ['batch', 'card.json', rows, '-o', 'out/{#}.png', '--jobs', '1'];
    const child = spawn(process.execPath, [join(checkout, 'dist/bin/render.js'), ...argv], {
      cwd: directory,
      env: { ...ownEnvironment(directory), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { code, output, errors };
  };
  const crashed = await batch('rows.csv');
  t.match(crashed, { code: 1, output: /^3 rows: 2 images, 1 failed/ });
  t.equal(crashed.errors, 'a last word\nerror: row 2: the render process ended on this payload (exit code 7)\n');
  t.same(readdirSync(join(directory, 'out')), ['1.png', '3.png']);
  const late = await batch('late.csv', { RENDER_TIMEOUT_MS: '50' });
  t.match(late, { code: 1, errors: 'error: row 1: the render took longer than 50 ms\n' });
});

t.test('fetches the template’s assets once, and again after a failure', async (t) => {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked++;
    if (asked === 1) response.writeHead(500).end();
    else response.end('<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2"/>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const background = { url: `http://127.0.0.1:${port}/background` };
  const directory = t.testdir({
    'card.json': JSON.stringify({ ...card, background }),
    'rows.csv': 'title\nA\nB\nC\nD\n',
  });
  const result = await run('card.json rows.csv -o {#}.jpg --jobs 1', { directory });
  t.match(result, { code: 1, errors: /^error: row 1: background\.url: .*500.*\n$/, output: /^4 rows: 3 images/ });
  t.equal(asked, 2);
  t.equal(readFileSync(join(directory, '2.jpg')).readUInt16BE(0), 0xffd8);
});

t.test('all rows have the theme, the locale and the tokens of the command', async (t) => {
  const text = {
    ...title,
    key: undefined,
    label: undefined,
    text: '{{row}} {{= number(1234.5) }}',
    color: 'var(--ink)',
  };
  const design = {
    ...card,
    hotspots: [],
    layers: [text],
    placeholders: true,
    themes: { dark: { ink: '#112233', paper: '#000' } },
  };
  const directory = t.testdir({
    'card.json': JSON.stringify({ ...design, background: { color: 'var(--paper)' } }),
    'tokens.json': '{"paper":"#00ff00"}',
    'rows.csv': 'row\n1\n',
  });
  const words = 'card.json rows.csv -o {row}.png --theme dark --locale de --tokens tokens.json';
  t.match(await run(words, { directory }), { code: 0, errors: '' });
  const record = JSON.parse(readFileSync(join(directory, 'card.json'), 'utf8'));
  const wanted = await render(record, {
    theme: 'dark',
    locale: 'de',
    tokens: { paper: '#00ff00' },
    variables: { row: '1' },
  });
  t.ok(readFileSync(join(directory, '1.png')).equals(wanted.bytes));
  t.not(Buffer.compare(wanted.bytes, (await render(record, { theme: 'dark', variables: { row: '1' } })).bytes), 0);
  const pdf = await run('card.json rows.csv -o a.pdf --theme dark --locale de', { directory });
  t.match(pdf, { code: 0, errors: '' });
  t.match(await run('card.json rows.csv -o {row}.png --theme light', { directory }), {
    code: 1,
    errors: /^error: theme: received "light", expected one of "dark"\n$/,
  });
  t.match(await run('card.json rows.csv -o {row}.png --locale -', { directory }), { code: 2, errors: /--locale/ });
});

t.test('a column names the size of each row, and a column fills placeholders', async (t) => {
  const sized = {
    ...card,
    placeholders: true,
    layers: [{ ...title, key: undefined, label: undefined, text: 'Row {{row|none}}' }],
    sizes: { story: { width: 20, height: 60 }, square: { width: 30, height: 30 } },
  };
  const directory = t.testdir({
    'card.json': JSON.stringify(sized),
    'own.json': JSON.stringify({ ...sized, hotspots: [{ ...title, key: 'size' }] }),
    'rows.csv': 'file,row,size\na,1,story\nb,,square\nc,3,\nd,4,stroy\n',
    'rows.jsonl': '{"file":"x","size":"story"}\n{"file":"y","size":null}\n{"file":"z","size":5}\n',
  });
  const sizesIn = (folder: string) =>
    readdirSync(join(directory, folder))
      .sort()
      .map((name) => {
        const file = readFileSync(join(directory, folder, name));
        return `${name} ${file.readUInt32BE(16)}x${file.readUInt32BE(20)}`;
      });
  const result = await run('card.json rows.csv -o out/{file}-{size}{#}.png', { directory });
  t.equal(result.code, 1);
  t.same(result.errors.trimEnd().split('\n'), [
    'error: row 3: {size} in the file name: received "", expected non-empty text',
    'error: row 4: size: received "stroy", expected one of "story", "square" (did you mean "story"?)',
  ]);
  t.same(sizesIn('out'), ['a-story1.png 20x60', 'b-square2.png 30x30']);
  const b = await render(sized, { size: 'square' });
  t.ok(readFileSync(join(directory, 'out/b-square2.png')).equals(b.bytes), 'an empty cell has the default');

  const lines = await run('card.json rows.jsonl -o lines/{file}.png --size square', { directory });
  t.same(lines.errors.trimEnd().split('\n'), ['error: row 3: size: received 5, expected the name of a size']);
  t.same(sizesIn('lines'), ['x.png 20x60', 'y.png 30x30']);

  const own = await run('own.json rows.csv -o own/{file}.png', { directory });
  t.equal(own.code, 0, 'the column is the variable of that name');
  t.same(new Set(sizesIn('own').map((line) => line.slice(6))), new Set(['60x20']));
  const unknown = await run('card.json rows.csv -o out/{file}.png --size x', { directory });
  t.match(unknown, { code: 1, errors: /^error: size: received "x", expected one of/ });
});
