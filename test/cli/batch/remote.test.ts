// `platen batch TEMPLATE_ID ROWS --server URL` against a separate server.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { main } from '../../../lib/cli/main.js';
import { readHeader } from '../../../lib/codecs/header.js';
import { RECORD, SCOPES } from '../../service/batch/reply.js';
import { saveTemplate } from '../../service/stores.js';
import { startWhole } from '../../service/whole.js';
import { createTestContext } from '../context.js';

async function run(words: string, directory: string, environment: Record<string, string> = {}) {
  const cli = createTestContext({ directory, environment });
  const code = await main(['batch', ...words.split(' ')], cli.context);
  return { code, output: cli.output().toString(), errors: cli.errors() };
}

t.test('the server renders the rows, the command writes the files', async (t) => {
  const whole = await startWhole(t, {});
  const { key, workspaceId } = await whole.caller({ scopes: SCOPES, credits: 5 });
  const record = { ...RECORD, hotspots: [RECORD.hotspots[0]] };
  const id = await saveTemplate(whole.store, workspaceId, record);
  const environment = { PLATEN_API_KEY: key };
  const directory = t.testdir({
    'rows.csv': 'file,title\na,"""x"""\nb,Two\nb,Three\n../c,Four\n',
    'rows.jsonl': '{"file":"d","title":"x"}\n3\n{"file":"e","title":{"color":3}}\n{"file":"f","titel":"y"}\n',
  });
  const server = `--server ${whole.url}`;
  const first = await run(`${id} rows.csv -o out/{file}.jpg ${server}`, directory, environment);
  t.match(first.output, /^4 rows: 3 images, 1 failed/);
  t.equal(first.errors, 'error: row 3: out/b.jpg is already used by row 2; add {#} to the name to make it unique\n');
  t.equal(first.code, 1);
  t.same(readdirSync(join(directory, 'out')).sort(), ['--c.jpg', 'a.jpg', 'b.jpg']);
  t.match(readHeader(readFileSync(join(directory, 'out/a.jpg'))), { format: 'jpeg', width: 100, height: 50 });
  t.equal((await whole.store.balance(workspaceId)).balance, 2);

  mkdirSync(join(directory, 'more'));
  writeFileSync(join(directory, 'more/d.png'), 'kept');
  const second = await run(`${id} rows.jsonl -o more/{file}.png --skip-existing ${server}`, directory, environment);
  t.match(second.output, /^4 rows: 1 image, 1 skipped, 2 failed/);
  t.match(second.errors, /^warning: row 4: variables\.titel: .*did you mean title/m);
  t.match(second.errors, /^error: row 2: received 3, expected an object$/m);
  t.match(second.errors, /^error: row 3: variables\.title: color: /m);
  t.equal((await whole.store.balance(workspaceId)).balance, 1);

  const unknown = await run(`tpl_0 rows.csv -o x/{#}.png ${server}`, directory, environment);
  t.match(unknown, { code: 1, errors: /^error: there is no published template with this id$/m });
  await run(`${id} rows.csv -o y/{#}.png ${server}`, directory, environment);
  const poor = await run(`${id} rows.csv -o z/{#}.png ${server}`, directory, environment);
  t.match(poor, { code: 1, errors: /^error: The balance of 0 credits is below the cost of a render/m });
});

t.test('misuse', async (t) => {
  const directory = t.testdir({ 'rows.csv': 'title\na\n' });
  const key = { PLATEN_API_KEY: 'x' };
  const start = 'tpl_1 rows.csv -o {#}.png --server';
  const cases: [string, Record<string, string>, RegExp][] = [
    [`${start} http://a.example`, {}, /PLATEN_API_KEY/],
    [`${start} nowhere`, key, /--server: received "nowhere", expected a URL/],
    [`${start} http://a.example`, { PLATEN_API_KEY: 'a b' }, /PLATEN_API_KEY: is no API key/],
    [`${start} http://a.example --jobs 2`, key, /--server can't be used with --jobs/],
    [`${start} http://a.example --strict`, key, /--server can't be used with --strict/],
    ['card.json rows.csv -o {#}.png --server http://a.example', key, /--server needs the id of a template/],
  ];
  for (const [words, environment, expected] of cases) {
    t.match(await run(words, directory, environment), { code: 2, errors: expected });
  }
});
