// The admin commands: JSON and table output, exit codes, with and without a running server.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { GIT_IGNORE } from '../../../lib/cli/admin/command.js';
import { ADMIN_GROUPS } from '../../../lib/cli/admin/groups.js';
import { COMMANDS } from '../../../lib/cli/admin/index.js';
import { SAMPLE_TEMPLATE, SAMPLE_VARIABLES } from '../../../lib/cli/admin/init.js';
import { main } from '../../../lib/cli/main.js';
import { parseTemplate } from '../../../lib/contract/template/parse.js';
import { publicOrigin } from '../../../lib/settings.js';
import { hashKey } from '../../../lib/store/api-keys.js';
import { serveStore } from '../../../lib/store/open.js';
import { ROOT } from '../../checkout.js';
import { fixture } from '../../codecs/pictures.js';
import { entryOf } from '../../store/suite.js';
import { createTestContext } from '../context.js';

const tokenHashOf = (link: string) => createHash('sha256').update(link.split('#')[1]).digest('hex');
const RAW_KEY = /^svc_live_[0-9a-f]{64}$/;

async function run(words: string | readonly string[], setup: Parameters<typeof createTestContext>[0]) {
  const cli = createTestContext(setup);
  const code = await main(typeof words === 'string' ? words.split(' ') : words, cli.context);
  return { code, output: cli.output().toString(), errors: cli.errors() };
}

/** Returns a function that runs a command in `directory`, expects success and parses its JSON output. */
const jsonRunner = (directory: string) => async (words: string | readonly string[]) => {
  const { code, output, errors } = await run(words, { directory });
  if (code !== 0 || errors !== '') throw new Error(`${words}: ${code} ${errors}`);
  return JSON.parse(output);
};

const template = {
  name: 'Card',
  width: 100,
  height: 50,
  background: { url: 'https://example.com/background.png' },
  layers: [{ key: 'b', type: 'shape', shapeType: 'circle', x: 0, y: 0, width: 10, height: 10 }],
  hotspots: [{ key: 'a', label: 'A', type: 'text', x: 0, y: 0, width: 10, height: 10, note: 'kept' }],
};

// fault: 101, 102
t.test('each command prints the documented JSON fields', async (t) => {
  const directory = t.testdir({ 'card.json': JSON.stringify(template) });
  const ask = jsonRunner(directory);
  const workspace = await ask(['workspaces', 'create', '--name', 'My shop', '--plan', 'paid', '--credits', '5']);
  t.strictSame(workspace, { id: workspace.id, name: 'My shop', plan: 'paid', balance: 5 });
  const plain = await ask('workspaces create --name plain');
  t.match(plain, { plan: 'free', balance: 0 });
  t.strictSame(await ask('workspaces list'), [plain, workspace]);
  const w = `--workspace ${workspace.id}`;

  const key = await ask(`keys create ${w} --name first`);
  t.strictSame(Object.keys(key), ['id', 'workspaceId', 'name', 'scopes', 'state', 'createdAt', 'prefix', 'key']);
  t.equal(key.prefix, key.key.slice(0, 17));
  t.match(key, { workspaceId: workspace.id, name: 'first', scopes: ['render:write'], state: 'active', key: RAW_KEY });
  const { key: raw, ...kept } = key;
  const other = await ask(`keys create ${w} --name other --scopes render:read,render:write,render:read`);
  t.same(other.scopes, ['render:read', 'render:write']);
  t.strictSame((await ask(`keys list ${w}`)).slice(1), [kept], 'the raw key is never shown again');
  t.strictSame(await ask(`keys revoke ${key.id}`), { ...kept, state: 'revoked' });

  t.strictSame(await ask(`credits show ${w}`), { workspaceId: workspace.id, balance: 5 });
  t.strictSame(await ask(`credits grant ${w} --amount 7`), { workspaceId: workspace.id, balance: 12 });

  const imported = await ask(`templates import card.json ${w}`);
  const { id, createdAt } = imported;
  const hotspots = [
    { key: 'b', label: 'b', type: 'shape' },
    { key: 'a', label: 'A', type: 'text' },
  ];
  t.strictSame(imported, {
    ...{ id, workspaceId: workspace.id, name: 'Card', width: 100, height: 50, hotspots },
    ...{ version: 1, publishedVersion: 1, createdAt, updatedAt: createdAt },
  });
  t.strictSame(await ask('templates list'), [imported]);
  t.strictSame(await ask(`templates list --workspace ${plain.id}`), []);
  t.strictSame(await ask(`templates show ${imported.id}`), imported);
  t.strictSame(await ask(`templates export ${imported.id}`), template, 'the record is unchanged');
  t.strictSame(await ask(`templates delete ${imported.id}`), imported);
  t.strictSame(await ask('templates list'), []);

  t.strictSame(await ask(`log ${w} --limit 5`), []);
  t.strictSame(await ask('store restore'), []);
  const data = join(directory, 'data');
  for (const entry of readdirSync(data, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    t.notOk(readFileSync(join(entry.parentPath, entry.name)).includes(raw.slice(9)), entry.name);
  }
  t.ok(readFileSync(join(data, 'keys.json')).includes(hashKey(raw)));
});

t.test('changes apply to a running server at once', async (t) => {
  const directory = t.testdir({});
  const store = await serveStore(join(directory, 'data'));
  const ask = jsonRunner(directory);
  const workspace = await ask('workspaces create --name x --credits 1');
  const { id, key } = await ask(`keys create --workspace ${workspace.id} --name x`);
  t.match(await store.findKey(hashKey(key)), { key: { id, state: 'active' }, workspace: { balance: 1 } });
  await ask(`keys revoke ${id}`);
  t.match(await store.findKey(hashKey(key)), { key: { state: 'revoked' } });
  const entry = entryOf(workspace, 'render', { metadata: { order: 'A-1' } });
  store.appendRender(entry);
  t.strictSame(await ask(`log --workspace ${workspace.id}`), [entry]);
  t.match(await run('store restore', { directory }), { code: 1, errors: /^error: .* in use by a server/ });
  await store.close();
});

// fault: 98
t.test('prints tables on a terminal, without control characters from names', async (t) => {
  const directory = t.testdir({});
  const setup = { directory, isTTY: true };
  t.equal((await run('workspaces list --data .', setup)).output, 'no workspaces\n');
  await run(['workspaces', 'create', '--name', '\u001b[2Jodd\nname', '--credits', '3'], setup);
  const { output } = await run('workspaces list', setup);
  const [head, row, ...rest] = output.split('\n');
  t.same(rest, ['']);
  t.equal(head.indexOf('plan'), row.indexOf('free'));
  t.match(row, /^ws_\w+ {2} \[2Jodd name {2}free {2}3$/);
  const id = row.split(' ')[0];
  const created = await run(`keys create --workspace ${id} --name k`, setup);
  t.match(created.output, /^key +svc_live_[0-9a-f]{64}\nThe key is not shown again/m);
  t.match(
    (await run(`keys list --workspace ${id}`, setup)).output,
    /^id +name +prefix +scopes +state +rateLimit +createdAt +lastUsedAt\nkey_/,
  );
  t.match((await run(`credits show --workspace ${id}`, setup)).output, /^workspaceId {2}ws_\w+\nbalance {6}3\n$/);
  t.type(JSON.parse((await run('workspaces list --json', setup)).output), Array);
});

t.test('uses the data folder of --data or DATA_DIR', async (t) => {
  const directory = t.testdir({});
  await run('workspaces create --name x --data here/and/there', { directory });
  t.ok(existsSync(join(directory, 'here/and/there/workspaces.json')));
  const environment = { DATA_DIR: 'elsewhere' };
  await run('workspaces create --name x', { directory, environment });
  t.ok(existsSync(join(directory, 'elsewhere/workspaces.json')));
  t.match(await run('workspaces list --data none', { directory }), {
    code: 1,
    errors: /^error: .*none: .*platen init.*\n$/,
  });
  t.notOk(existsSync(join(directory, 'none')));
});

t.test('lists all issues of a template, one per line, before the store is opened', async (t) => {
  const bad = { ...template, width: 0, hotspots: [template.hotspots[0], { ...template.hotspots[0], x: 'left' }] };
  const directory = t.testdir({ 'bad.json': JSON.stringify(bad), 'none.json': '{' });
  const { code, errors, output } = await run('templates import bad.json --workspace w', { directory });
  t.equal(code, 1);
  t.equal(output, '');
  t.match(errors, /^error: width: .*\nerror: hotspots\[1\]\.x: .*\nerror: hotspots\[1\]\.key: .*\n$/);
  t.match(await run('templates import none.json --workspace w', { directory }), {
    code: 1,
    errors: /^error: none.json: not valid JSON/,
  });
  t.match(await run('templates import gone.json --workspace w', { directory }), {
    code: 1,
    errors: /^error: gone.json: no such file/,
  });
  t.notOk(existsSync(join(directory, 'data')));
});

t.test('rejects a template with local paths and lists each', async (t) => {
  const box = { x: 0, y: 0, width: 10, height: 10 };
  const local = {
    ...template,
    background: { url: 'background.png' },
    layers: [
      { type: 'image', ...box, url: 'data:image/png;base64,AAAA' },
      { type: 'image', ...box, url: 'file:///logo.png' },
      { type: 'text', ...box, text: 'a', customFontUrl: './font.ttf' },
    ],
    hotspots: [
      { key: 'photo', label: 'Photo', type: 'image', ...box, url: '/photo.png' },
      { key: 'none', label: 'None', type: 'image', ...box, opacity: 2 },
    ],
  };
  const directory = t.testdir({ 'local.json': JSON.stringify(local) });
  t.match(await run('templates import local.json --workspace w', { directory }), {
    code: 1,
    output: '',
    errors:
      'error: hotspots[1].opacity: received 2, expected a number from 0 to 1\n' +
      'error: background.url: received "background.png", expected an http:, https: or data: URL\n' +
      'error: layers[1].url: the scheme file: is not supported, expected http:, https: or data:\n' +
      'error: layers[2].customFontUrl: received "./font.ttf", expected an http:, https: or data: URL\n' +
      'error: hotspots[0].url: received "/photo.png", expected an http:, https: or data: URL\n',
  });
  t.notOk(existsSync(join(directory, 'data')));
});

t.test('templates show lists the hotspots on a terminal', async (t) => {
  const directory = t.testdir({ 'card.json': `\uFEFF${JSON.stringify(template)}` });
  const ask = jsonRunner(directory);
  const { id } = await ask('workspaces create --name x');
  const imported = await ask(`templates import card.json --workspace ${id}`);
  const { output } = await run(`templates show ${imported.id}`, { directory, isTTY: true });
  t.match(
    output,
    /^id +tpl_\w+\n[\s\S]*\nheight +50\nversion +1\n[\s\S]*\n\nkey +label +type\nb +b +shape\na +A +text\n$/,
  );
});

t.test('prints one line and returns 1 for unknown ids', async (t) => {
  const directory = t.testdir({ 'card.json': JSON.stringify(template) });
  await jsonRunner(directory)('workspaces create --name x');
  const commands = [
    'keys create --workspace nope --name x',
    'keys list --workspace nope',
    'keys revoke nope',
    'credits show --workspace nope',
    'credits grant --workspace nope --amount 1',
    'credits revoke --workspace nope --amount 1',
    'workspaces update nope --name x',
    'workspaces delete nope --yes',
    'templates import card.json --workspace nope',
    'templates list --workspace nope',
    'templates show nope',
    'templates export nope',
    'templates delete nope',
    'templates versions nope',
    'templates show nope@2',
    'templates export nope@2',
    'templates update nope card.json',
    'templates publish nope 1',
    'templates restore nope 1',
    'assets list --workspace nope',
    'log --workspace nope',
  ];
  for (const words of commands) {
    const { code, errors, output } = await run(words, { directory });
    t.equal(code, 1, words);
    t.match(errors, /^error: there is no (workspace|key|template) "nope"\n$/);
    t.equal(output, '');
  }
});

t.test('returns 2 for wrong usage and opens nothing', async (t) => {
  const directory = t.testdir({});
  const rows: [string, RegExp][] = [
    ['workspaces', /expected "workspaces" and one of create, list, update, delete/],
    ['keys crate --name x', /received "keys crate", did you mean "keys create"\?/],
    ['keys explode', /expected "keys" and one of create, list, revoke/],
    ['workspaces create', /needs --name/],
    ['workspaces create --name=', /--name must not be empty/],
    [`workspaces create --name ${'x'.repeat(201)}`, /--name: expected at most 200/],
    ['workspaces create --name x --plan gold', /--plan: received "gold", expected one of free, paid/],
    ['workspaces create --name x --credits 1.5', /--credits: received "1.5", expected a whole number of at least 0/],
    ['workspaces list more', /takes no operands, received more/],
    ['workspaces list --name x', /"platen workspaces list" does not support --name/],
    ['keys create --name x', /needs --workspace/],
    ['keys create --workspace w --name x --scopes render', /--scopes: received "render", expected one of render:write/],
    ['keys create --workspace w --name x --scopes=', /--scopes must not be empty/],
    ['keys revoke', /expects a key id/],
    ['keys revoke a b', /expects a key id, received a, b/],
    ['credits grant --workspace w', /needs --amount/],
    ['credits grant --workspace w --amount 0', /--amount: received "0", expected a whole number of at least 1/],
    ['credits grant --workspace w --amount 1e3', /--amount/],
    ['credits grant --workspace w --amount -5', /--amount: received "-5", expected a whole number of at least 1/],
    ['credits grant --workspace w --amount NaN', /--amount: received "NaN", expected/],
    ['credits grant --workspace --amount 5', /--workspace needs a value, received "--amount"/],
    ['log --workspace', /--workspace needs a value/],
    ['templates import --workspace w', /expects the template/],
    ['log --workspace w --limit 0', /--limit/],
    ['log --workspace w --status good', /--status: received "good", expected one of ok, failed/],
    [
      'log --workspace w --from yesterday',
      /--from: received "yesterday", expected a date or time such as 2026-01-31T12/,
    ],
    ['log --workspace w --to 2026-02-31T25:00', /--to: received "2026-02-31T25:00", expected a date or time/],
    ['log --workspace w --metadata order', /--metadata: received "order", expected NAME=VALUE/],
    ['log --workspace w --metadata a=1 --metadata a=2', /--metadata: "a" occurs twice/],
    [
      'keys create --workspace w --name x --rate-limit 0',
      /--rate-limit: received "0", expected a whole number of at l/,
    ],
    ['credits revoke --workspace w --amount 0.5', /--amount: received "0.5", expected a whole number of at least 1/],
    ['workspaces update w', /needs --name or --plan/],
    ['workspaces update w --plan gold', /--plan: received "gold"/],
    ['workspaces update --name x', /expects a workspace id/],
    [
      'workspaces delete w',
      /"platen workspaces delete" also deletes keys, link keys, templates and assets: confirm it with --yes/,
    ],
    ['templates publish t', /expects a template id and a version/],
    ['templates publish t 0', /the version: received "0", expected a whole number of at least 1/],
    ['templates restore t latest', /the version: received "latest", expected a whole number/],
    ['templates restore t 1 2', /expects a template id and a version, received t, 1, 2/],
    ['templates show t@', /the version of t: received "", expected a whole number of at least 1/],
    ['templates export t@x', /the version of t: received "x", expected a whole number of at least 1/],
    ['templates lint tpl_1@x', /the version of tpl_1: received "x", expected a whole number of at least 1/],
    ['templates update card.json', /expects a template id and the template: a JSON file/],
    ['templates publish t 1 --draft', /does not support --draft/],
    ['assets delete a', /needs --workspace/],
    ['assets list a --workspace w', /takes no operands/],
    ['log --worksapce w', /'--worksapce'; did you mean --workspace\?/],
    ['init --data=', /--data must not be empty/],
  ];
  for (const [words, errors] of rows) {
    const result = await run(words, { directory });
    t.equal(result.code, 2, words);
    t.match(result.errors, errors);
    t.match(result.errors, /^error: [^\n]* \(see "platen \w+ --help"\)\n$/);
  }
  t.match(await run('init', { directory, environment: { PORT: 'x' } }), { code: 2, errors: /^error: PORT: [^\n]*\n$/ });
  const environment = { STORE_URL: `postgres://u:secret@/x?host=${encodeURIComponent(directory)}` };
  for (const words of ['init', 'migrate', 'workspaces list']) {
    t.match(await run(words, { directory, environment }), {
      code: 1,
      errors: /^(?!.*secret)error: the database can't be used: [^\n]+\n$/,
    });
  }
  t.match(await run('migrate', { directory }), { code: 1, errors: /^error: STORE_URL is not set/ });
  t.notOk(existsSync(join(directory, 'data')));
});

t.test('prints help for every admin command', async (t) => {
  const directory = t.testdir({});
  const helpOf = async (words: string) => {
    const { code, output, errors } = await run(words, { directory });
    t.same([code, errors], [0, ''], words);
    t.ok(
      output.split('\n').every((line) => line.length <= 120),
      `${words}: narrow`,
    );
    return output;
  };
  const general = await helpOf('--help');
  t.same(new Set(Array.from(COMMANDS.keys(), (name) => name.split(' ')[0])), new Set(ADMIN_GROUPS));
  for (const [name, { options = [] }] of COMMANDS) {
    const [group, verb] = name.split(' ');
    const own = await helpOf(`${name} --help`);
    t.ok(own.startsWith(`Usage: platen ${name}`), name);
    t.ok(own.split('\n').length <= 18, `${name}: short`);
    t.same(
      Array.from(own.matchAll(/^ {2}(?: {4}|-\w, )--([\w-]+)/gm), ([, option]) => option),
      [...options, 'data', 'json', 'help'],
      name,
    );
    const [usage] = own.split('\n\n');
    for (const option of options) {
      t.ok(option === 'output' ? usage.includes('[-o ') : usage.includes(`--${option}`), `${name}: --${option}`);
    }
    const places = new RegExp(
      `platen (?:\\w+\\|)*${group}(?:\\|\\w+)*${verb === undefined ? '' : ` (?:\\w+\\|)*${verb}`}\\b`,
    );
    t.match(general, places, `${name}: in the general help`);
    if (verb === undefined) continue;
    const all = await helpOf(`${group} --help`);
    t.match(all, `platen ${name}`);
    t.equal(await helpOf(`help ${group}`), all);
    t.equal(await helpOf(`${group} nonsense -h`), all);
  }
});

t.test('init creates a workspace, a key, a template and an operator, and prints a request and a link', async (t) => {
  const directory = t.testdir({});
  const environment = { HOST: '0.0.0.0', PORT: '9000' };
  const { code, output, errors } = await run(['init', '--data', 'my data'], { directory, environment });
  t.equal(code, 0);
  t.equal(errors, '');
  const [line] = /^curl .*$/m.exec(output)!;
  t.match(output, /^npx platen serve --data 'my data'$/m);
  t.match(line, /^curl http:\/\/127\.0\.0\.1:9000\/v1\/render /);
  const raw = /Bearer (svc_live_[0-9a-f]{64})'/.exec(line)![1];
  const body = JSON.parse(/-d '([^']*)'/.exec(line)![1]);
  const store = await serveStore(join(directory, 'my data'));
  const { workspace } = (await store.findKey(hashKey(raw)))!;
  t.match(workspace, { name: 'Default', plan: 'paid', balance: 1000 });
  t.match(await store.findTemplate(workspace.id, body.templateId), { record: { name: SAMPLE_TEMPLATE.name } });
  const [link] = /^http:.*$/m.exec(output)!;
  t.match(link, /^http:\/\/127\.0\.0\.1:9000\/dashboard\/link#[\w-]{43}$/);
  t.match(await store.findSignInToken(tokenHashOf(link)), { name: 'admin', role: 'owner', workspaces: null });
  t.match(output, '"npx platen operators link admin --data \'my data\'"');
  await store.close();
  const again = await run(['init', '--data', 'my data'], { directory });
  t.match(again, {
    code: 1,
    output: '',
    errors: /^error: there is a workspace already; to create another key, run "platen keys create/,
  });
  const json = JSON.parse((await run('init --json', { directory })).output);
  t.strictSame(Object.keys(json), ['workspace', 'key', 'template', 'operator', 'curl']);
  t.match(json.key.key, RAW_KEY);
  if (process.platform !== 'win32') t.equal(statSync(join(directory, 'data')).mode & 0o77, 0);
});

t.test('git ignores everything that a data folder gets', async (t) => {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: directory, encoding: 'utf8' });
  const directory = t.testdir({ 'mine.json': '{}', 'photo.jpg': Buffer.from(fixture('quadrants-420.jpg')) });
  git('init', '-q');
  const store = await serveStore(join(directory, 'data'), { warn: () => undefined });
  const { workspace } = await jsonRunner(directory)('init --json');
  store.appendRender(entryOf(workspace, 'render'));
  const bytes = new TextEncoder().encode('asset');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  await store.addAsset({ workspaceId: workspace.id, sha256, kind: 'image', mimeType: 'image/png' }, bytes, 1000);
  const fingerprint = '0'.repeat(64);
  const claim = await store.claimIdempotencyKey({ keyId: 'k', value: 'v' }, fingerprint);
  const held = await store.hold(workspace.id, 1);
  if (!('lease' in claim) || !('hold' in held)) throw new Error('the key is not free');
  await store.settle(held.hold, { lease: claim.lease, renderId: 'r' });
  const untracked = () => git('status', '--porcelain', '-uall').split('\n').filter(Boolean);
  t.same(untracked(), ['?? mine.json', '?? photo.jpg'], 'while the server runs');
  await store.close();
  t.same(untracked(), ['?? mine.json', '?? photo.jpg'], 'afterwards');
  t.ok(['records', 'assets'].every((name) => existsSync(join(directory, 'data', name))));
  t.match(readdirSync(join(directory, 'data')).join(), /idempotency-\d+\.bin[\s\S]*renders-\d+\.jsonl/);

  writeFileSync(join(directory, 'data/.gitignore'), '# mine\n');
  await run('workspaces create --name again', { directory });
  t.equal(readFileSync(join(directory, 'data/.gitignore'), 'utf8'), '# mine\n', 'one that exists is left alone');
  t.equal(readFileSync(join(ROOT, 'data/.gitignore'), 'utf8'), GIT_IGNORE, 'the checkout has the same');
});

t.test('the sample template is valid and its variables match its hotspots', async (t) => {
  const { hotspots } = parseTemplate(SAMPLE_TEMPLATE, { maxLayers: 500 });
  t.same(
    Object.keys(SAMPLE_VARIABLES),
    hotspots.map(({ key }) => key),
  );
  t.equal(publicOrigin({ HOST: '::', PORT: 80 }), 'http://127.0.0.1:80');
  t.equal(publicOrigin({ HOST: '::1', PORT: 80 }), 'http://[::1]:80');
  t.equal(publicOrigin({ HOST: 'render.example', PORT: 8080 }), 'http://render.example:8080');
});

t.test('names a corrupt data file and restores it', async (t) => {
  const directory = t.testdir({});
  const ask = jsonRunner(directory);
  const { id } = await ask('workspaces create --name x --credits 4');
  await ask(`credits grant --workspace ${id} --amount 1`);
  const path = join(directory, 'data', 'workspaces.json');
  writeFileSync(path, readFileSync(path, 'utf8').slice(0, 50));
  const { code, errors } = await run(`credits show --workspace ${id}`, { directory });
  t.equal(code, 1);
  t.match(
    errors,
    /^error: .*workspaces\.json: not valid JSON.*; "platen store restore --data .*" puts the previous generation in its place\n$/,
  );
  t.match(await ask('store restore'), [{ file: path, from: `${path}.bak` }]);
  t.match(await ask(`credits show --workspace ${id}`), { balance: 4 });
});
