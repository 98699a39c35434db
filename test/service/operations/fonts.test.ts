// `GET /v1/fonts`: for any key, in the window of reads, with the fonts of the workspace alone; over a socket as well.
import t from 'tap';
import { fontList } from '../../../lib/contract/api/fonts.js';
import { listFontFamilies } from '../../../lib/fonts/catalogue.js';
import type { StoredAsset } from '../../../lib/store/types.js';
import { brandFont } from '../../fonts/brand-font.js';
import { startWhole } from '../whole.js';
import { createWorld } from '../world.js';

const typeface = { scripts: ['Thai', 'Latn'], category: 'display', sample: 'ไทย', isVariable: true } as const;
const FONT: Omit<StoredAsset, 'id' | 'workspaceId' | 'createdAt' | 'bytes'> = {
  ...{ kind: 'font', mimeType: 'font/ttf', sha256: '0'.repeat(64) },
  ...{ family: 'Mine', weight: 400, style: 'normal', typeface },
};

t.test('any valid key lists the bundled fonts and those of its workspace, in the window of reads', async (t) => {
  const world = await createWorld(t, { settings: { API_KEY_READ_LIMIT_PER_MIN: '2' } });
  const caller = await world.caller({ scopes: ['batch:write'], credits: 0 });
  const other = await world.caller({ scopes: ['batch:write'] });
  const ask = (key?: string) => world.ask({ method: 'GET', path: '/v1/fonts', ...(key !== undefined && { key }) });
  await world.store.addAsset({ ...FONT, workspaceId: caller.workspaceId }, Uint8Array.of(1), 1000);
  const own = await ask(caller.key);
  t.equal(own.status, 200);
  t.same(fontList.parse(own.json), own.json);
  const bundled = await listFontFamilies();
  const items = own.json.items as unknown[];
  t.same(items.slice(0, -1), bundled);
  t.strictSame(items.at(-1), {
    family: 'Mine',
    styles: [{ weight: 400, style: 'normal', variable: true }],
    ...{ scripts: ['Thai', 'Latn'], category: 'display', sample: 'ไทย', source: 'asset' },
  });
  t.same((await ask(other.key)).json.items, bundled, 'nothing of another workspace');
  t.equal((await ask(caller.key)).status, 200);
  t.match(await ask(caller.key), { status: 429, json: { code: 'rate_limited' } });
  t.equal((await ask()).status, 401);
});

t.test('a font that is uploaded is listed, over a socket, with what its file says', async (t) => {
  const whole = await startWhole(t, {});
  const { key } = await whole.caller({ scopes: ['templates:write'] });
  const headers = { Authorization: `Bearer ${key}` };
  const added = await fetch(`${whole.url}/v1/assets`, { method: 'POST', headers, body: new Uint8Array(brandFont()) });
  t.equal(added.status, 201);
  t.notOk('typeface' in (await added.json()));
  const { items } = await (await fetch(`${whole.url}/v1/fonts`, { headers })).json();
  t.match(items.at(-1), {
    ...{ family: 'Brand', styles: [{ weight: 700, style: 'normal' }], scripts: ['Latn', 'Cyrl', 'Grek'] },
    ...{ sample: /^The quick brown fox/, source: 'asset' },
  });
  const refused = await fetch(`${whole.url}/v1/fonts`);
  t.match(await refused.json(), { success: false, code: 'missing_api_key' });
  await whole.stop();
});
