// The brand of a workspace in renders: the lowest layer of tokens, its version in the cache, in replays and in image links.
import { createHash } from 'node:crypto';
import { PNG } from 'pngjs';
import t from 'tap';
import { createLinkKeyPair, signImageUrl } from '../../lib/links/sign.js';
import { saveTemplate } from './stores.js';
import { startWhole } from './whole.js';
import { createWorld, FLAT } from './world.js';

const fill = (color: string) => ({
  type: 'shape',
  shapeType: 'rectangle',
  x: 0,
  y: 0,
  width: 4,
  height: 4,
  fillColor: color,
});
const record = (more: object = {}) => ({ name: 'T', width: 4, height: 4, layers: [fill('var(--ink)')], ...more });
const SCOPES = ['render:write', 'batch:write'] as const;

t.test("tokens of a request win over theme, template and brand, and the brand's themes are there", async (t) => {
  const whole = await startWhole(t, {});
  const { key, workspaceId } = await whole.caller({ scopes: SCOPES });
  const plain = await saveTemplate(whole.store, workspaceId, record());
  const own = await saveTemplate(whole.store, workspaceId, record({ tokens: { ink: '#00ff00' } }));
  const themed = await saveTemplate(whole.store, workspaceId, record({ themes: { dark: { ink: '#0000ff' } } }));
  const color = async (body: object) => {
    const answer = await whole.post(key, { responseType: 'binary', ...body });
    if (answer.status !== 200) return [answer.status, (await answer.json()).error];
    const { data } = PNG.sync.read(Buffer.from(await answer.arrayBuffer()));
    return Buffer.from(data.subarray(0, 3)).toString('hex');
  };
  const canvas = { canvas: { width: 4, height: 4 }, layers: [fill('var(--ink)')] };
  t.match(await color({ templateId: plain }), [500, /there is no token --ink; there are no tokens/]);
  t.match(await color(canvas), [500, /var\(--ink\)/], 'no payload has tokens without asking for them');
  await whole.store.replaceBrand(workspaceId, {
    tokens: { ink: '#ff0000' },
    themes: { light: { ink: '#ffffff' }, dark: { ink: '#111111' } },
  });
  t.equal(await color({ templateId: plain }), 'ff0000');
  t.equal(await color(canvas), 'ff0000', 'a canvas takes it too');
  t.equal(await color({ ...canvas, tokens: { other: 1 } }), 'ff0000');
  t.equal(await color({ templateId: own }), '00ff00');
  t.equal(await color({ templateId: plain, theme: 'light' }), 'ffffff');
  t.equal(await color({ templateId: own, theme: 'light' }), 'ffffff');
  t.equal(await color({ ...canvas, theme: 'light' }), 'ffffff');
  t.equal(await color({ ...FLAT, theme: 'light' }), '000000', 'nothing takes it');
  t.equal(await color({ templateId: themed, theme: 'dark' }), '0000ff');
  t.equal(await color({ templateId: own, theme: 'light', tokens: { ink: '#123456' } }), '123456');
  t.match(await color({ templateId: themed, theme: 'drak' }), [400, /expected one of "dark", "light"/]);
  t.match(await color({ ...canvas, theme: 'drak' }), [500, /theme: received "drak"/]);
  await whole.store.replaceBrand(workspaceId, { tokens: { ink: '#ff00ff' } });
  t.equal(await color({ templateId: plain }), 'ff00ff', 'the next version is another picture');
  await whole.stop();
});

t.test('rows of a batch and image links take theme, tokens and locale', async (t) => {
  const whole = await startWhole(t, {});
  const { key, workspaceId } = await whole.caller({ scopes: SCOPES, credits: 100 });
  const themes = { light: { ink: '#ffffff' }, dark: { ink: '#111111' } };
  const fillColor = "{{= locale == 'de-CH' ? '#ff0000' : tokens.ink }}";
  const note = { type: 'text', text: '{{note|}}', x: 0, y: 3, width: 4, height: 1 };
  const layers = [{ ...fill(''), fillColor }, { ...fill('var(--ink)'), width: 2 }, note];
  const templateId = await saveTemplate(whole.store, workspaceId, record({ themes, placeholders: true, layers }));
  const colors = (bytes: Uint8Array) => {
    const { data } = PNG.sync.read(Buffer.from(bytes));
    return [12, 0].map((at) => Buffer.from(data.subarray(at, at + 3)).toString('hex'));
  };
  const batch = async (body: object | string, query = '') => {
    const isCsv = typeof body === 'string';
    const answer = await fetch(`${whole.url}/v1/batches${query}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': isCsv ? 'text/csv' : 'application/json' },
      body: isCsv ? body : JSON.stringify({ templateId, ...body }),
    });
    const lines = (await answer.text()).trim().split('\n').slice(0, -1);
    return lines.map((line) => {
      const { base64, code, error } = JSON.parse(line);
      return base64 === undefined ? [code, error] : colors(Buffer.from(base64, 'base64'));
    });
  };
  const rows = [{ variables: {} }, { variables: {}, theme: 'light' }, { variables: {}, locale: 'de-CH' }];
  t.same(await batch({ theme: 'dark', rows }), [
    ['111111', '111111'],
    ['ffffff', 'ffffff'],
    ['ff0000', '111111'],
  ]);
  t.same(await batch({ theme: 'dark', tokens: { ink: '#123456' }, rows: rows.slice(0, 1) }), [['123456', '123456']]);
  t.match(await batch({ theme: 'drak', rows: rows.slice(0, 1) }), [['invalid_request', /"drak"/]]);
  t.same(await batch('note\nx\n', `?templateId=${templateId}&theme=dark&locale=de-CH`), [['ff0000', '111111']]);

  const { privateKey, publicKey } = await createLinkKeyPair();
  const { id: keyId } = await whole.store.createLinkKey({ workspaceId, name: 'l', publicKey });
  const link = async (query: string) =>
    await fetch(await signImageUrl(`${whole.url}/v1/images/${templateId}.png?keyId=${keyId}${query}`, privateKey));
  const pictured = async (query: string) => colors(new Uint8Array(await (await link(query)).arrayBuffer()));
  t.same(await pictured('&theme=light'), ['ffffff', 'ffffff']);
  t.same(await pictured('&theme=dark&locale=de-CH'), ['ff0000', '111111']);
  t.equal((await link('&locale=not%20one')).status, 400);
  await whole.stop();
});

t.test('a text takes a style of the brand, in templates and payloads without tokens', async (t) => {
  const whole = await startWhole(t, {});
  const { key, workspaceId } = await whole.caller();
  const text = { type: 'text', text: 'Ag', x: 0, y: 0, width: 80, height: 40, style: 'heading' };
  const layers = (fields: object) => ({ canvas: { width: 80, height: 40 }, layers: [{ ...text, ...fields }] });
  const digest = async (body: object) => {
    const answer = await whole.post(key, { responseType: 'binary', ...body });
    return createHash('sha256')
      .update(Buffer.from(await answer.arrayBuffer()))
      .digest('hex');
  };
  const before = await digest(layers({}));
  const wanted = await digest(layers({ fontSize: 30, fontWeight: 700 }));
  await whole.store.replaceBrand(workspaceId, { tokens: { heading: { fontSize: 30, fontWeight: 700 } } });
  t.equal(await digest(layers({})), wanted);
  t.equal(await digest(layers({ style: 'other' })), before, 'a name that is no style is ignored as ever');
  const styled = { name: 'T', width: 80, height: 40, layers: [text] };
  const templateId = await saveTemplate(whole.store, workspaceId, styled);
  t.equal(await digest({ templateId }), wanted);
  await whole.stop();
});

t.test('a replay takes the version of the brand that was charged', async (t) => {
  const world = await createWorld(t);
  const { key, workspaceId } = await world.caller({ scopes: SCOPES });
  const save = (n: number) => world.store.replaceBrand(workspaceId, { tokens: { n } });
  const asked = () => world.engine.asked.at(-1)?.options.brand;
  const render = (name: string) => world.ask({ key, body: FLAT, idempotencyKeys: [name] });
  const batch = () => {
    const body = { items: [FLAT] };
    return world.ask({ path: '/v1/batches', key, body, idempotencyKeys: ['batch'] });
  };
  await render('before');
  t.equal(asked(), undefined);
  await save(1);
  await render('first');
  t.strictSame(asked(), { version: 1, record: { tokens: { n: 1 } } });
  await batch();
  t.match(asked(), { version: 1 });
  await save(2);
  t.equal((await render('first')).headers.get('idempotency-replayed'), 'true');
  t.match(asked(), { version: 1 });
  await batch();
  t.match(asked(), { version: 1 });
  await render('before');
  t.equal(asked(), undefined, 'there was none');
  await render('second');
  t.match(asked(), { version: 2 });
  await world.ask({ path: '/v1/inspect', key, body: FLAT });
  t.match(asked(), { version: 2 });
  for (let n = 3; n <= 101; n++) await save(n);
  t.match(await render('first'), { status: 404, json: { error: /^version 1 of the brand, which was charged/ } });
});

t.test('a link is charged once for each version of the brand', async (t) => {
  const world = await createWorld(t);
  const { workspaceId } = await world.caller({ credits: 5 });
  const templateId = await saveTemplate(world.store, workspaceId, record());
  const { privateKey, publicKey } = await createLinkKeyPair();
  const { id: keyId } = await world.store.createLinkKey({ workspaceId, name: 'l', publicKey });
  const url = await signImageUrl(`/v1/images/${templateId}.png?keyId=${keyId}`, privateKey);
  const [path, query] = url.split('?');
  const charged = async () => {
    const before = (await world.store.balance(workspaceId)).balance;
    t.equal((await world.ask({ method: 'GET', path, query })).status, 200);
    return before - (await world.store.balance(workspaceId)).balance;
  };
  t.equal(await charged(), 1);
  t.equal(await charged(), 0);
  await world.store.replaceBrand(workspaceId, { tokens: { ink: '#ff0000' } });
  t.equal(await charged(), 1);
  t.match(world.engine.asked.at(-1), { options: { brand: { version: 1 } } });
  t.equal(await charged(), 0);
});
