// The bodies of POST /v1/batches: what is taken, what is refused and in which order.
import t from 'tap';
import { saveTemplate } from '../stores.js';
import { createWorld, FLAT } from '../world.js';
import { batch, callerWith, RECORD, SCOPES } from './reply.js';

const CSV = { given: { 'content-type': 'text/csv; charset=utf-8' } };
const LINES = { given: { 'content-type': 'application/x-ndjson' } };

t.test('takes rows that fill a template', async (t) => {
  const world = await createWorld(t);
  const { caller, templateId } = await callerWith(world);
  const rows = [
    { variables: { title: 'a' }, metadata: { order: 1 }, name: 'first' },
    { variables: {}, name: null, metadata: null },
  ];
  const reply = await batch(world, caller, { templateId, format: 'jpg', quality: 80, rows });
  t.equal(reply.status, 200);
  t.match(reply.rows, [
    { index: 0, name: 'first', success: true, renderId: String, format: 'jpeg', sizeBytes: 4, base64: 'AQIDBA==' },
    { index: 1, name: '2', success: true, renderId: String, format: 'jpeg', sizeBytes: 4, base64: 'AQIDBA==' },
  ]);
  t.same(reply.summary, { done: true, succeeded: 2, failed: 0, creditsRemaining: 98 });
  const requests = world.engine.asked.map(({ request }) => request);
  t.match(requests, [
    { templateId, format: 'jpeg', quality: 80, variables: { title: 'a' }, metadata: { order: 1 } },
    { templateId, format: 'jpeg', quality: 80, variables: {}, metadata: undefined },
  ]);
  t.ok(world.engine.asked.every(({ options }) => options.lane === 'batch' && options.permit === undefined));
});

t.test('takes items of both shapes, with defaults of the batch and warnings of their own', async (t) => {
  const world = await createWorld(t);
  const { caller, templateId } = await callerWith(world);
  const items = [
    { ...FLAT, format: null },
    { ...FLAT, format: 'webp', name: 'b', colour: 1 },
    { templateId, variables: { title: 'x' } },
  ];
  const { rows } = await batch(world, caller, { items, format: 'avif', quality: 50, metadata: 3 });
  t.match(rows, [
    { index: 0, name: '1', format: 'avif' },
    { index: 1, name: 'b', format: 'webp', warnings: [{ path: 'colour', message: String }] },
    { index: 2, name: '3', format: 'avif' },
  ]);
  t.notOk('warnings' in rows[0]);
  t.match(world.engine.asked[0].request, { kind: 'canvas', quality: 50 });
});

t.test('takes lines of JSON, one item each', async (t) => {
  const world = await createWorld(t);
  const { caller } = await callerWith(world);
  const body = `${JSON.stringify(FLAT)}\r\n\n  \n${JSON.stringify({ ...FLAT, name: 'end' })}`;
  const { rows } = await batch(world, caller, body, LINES);
  t.match(rows, [
    { index: 0, name: '1', success: true },
    { index: 1, name: 'end', success: true },
  ]);
  const broken = await batch(world, caller, `${JSON.stringify(FLAT)}\n\n{"canvas" 3}`, LINES);
  t.match(broken, { status: 400, json: { code: 'invalid_json', error: /line 3, column 11/ } });
  const number = await batch(world, caller, '{"canvas":{"width":1,"height":1},"layers":[]}\n3', LINES);
  t.match(number, {
    status: 400,
    json: { details: [{ path: 'items[1]', message: 'received 3, expected an object' }] },
  });
  t.equal((await batch(world, caller, '\n \n', LINES)).status, 400);
});

t.test('takes a CSV as `platen batch` reads it', async (t) => {
  const world = await createWorld(t);
  const { caller, templateId } = await callerWith(world);
  const csv = 'title;name;photo;note\n"a;b";first;;x\n;;https://b.example/b.png;y\n';
  const query = `templateId=${templateId}&format=jpeg`;
  const reply = await batch(world, caller, csv, { ...CSV, query });
  t.match(reply.rows, [
    { index: 0, name: 'first', format: 'jpeg' },
    { index: 1, name: '2', format: 'jpeg' },
  ]);
  const variables = world.engine.asked.map(({ request }) => 'variables' in request && request.variables);
  t.same(variables, [{ title: 'a;b' }, { title: '', photo: 'https://b.example/b.png' }], 'an empty cell keeps a photo');
  t.match(reply.summary?.warnings, [{ path: '', message: /^column "note" is not a variable/ }]);

  const refused = async (body: string, with_ = query) => {
    const { status, json } = await batch(world, caller, body, { ...CSV, query: with_ });
    t.equal(status, 400, body);
    return json.details as unknown[];
  };
  t.match(await refused('title,name\na,b\nc\n'), [{ path: 'rows[1]', message: 'has 1 cells, expected 2' }]);
  t.match(await refused('a,b\n1,2\n'), [{ message: /^none of the columns is a variable/ }]);
  t.match(await refused('title\n'), [{ path: 'rows' }]);
  const wide = Array.from({ length: 1001 }, (_, i) => `c${i}`).join();
  t.match(await refused(`${wide}\nx`), [{ message: /more than 1000 columns/ }]);
  t.match(await refused(','.repeat(1_000_000)), [{ message: /more than 1000 columns/ }]);
  t.match(await refused('title,title\nx,y'), [{ message: /two columns are named "title"/ }]);
  t.match(await refused(''), [{ path: '', message: 'is empty' }]);
  t.match(await refused('title\na', ''), [{ path: 'templateId' }]);
  t.match(await refused('title\na', `${query}&quality=200`), [{ path: 'quality' }]);
  t.match(await refused(`title\n${'a\n'.repeat(1001)}`), [{ path: 'rows', message: /more than 1000/ }]);
  const unknown = await batch(world, caller, 'title\na', { ...CSV, query: 'templateId=tpl_0' });
  t.match(unknown, { status: 404, json: { code: 'template_not_found' } });
  t.match(await refused('title,date\na\n', 'templateId=tpl_0'), [{ path: 'rows[0]' }], 'fields come before templates');
});

t.test('refuses the whole batch for a malformed row, and names every fault', async (t) => {
  const world = await createWorld(t);
  const { caller, templateId } = await callerWith(world);
  const good = { variables: {} };
  const bad: [unknown, string[]][] = [
    [{ templateId, rows: [good, good, { variables: 'x' }] }, ['rows[2].variables']],
    [
      { templateId, rows: [{}, good, { ...good, name: 3, metadata: [] }] },
      ['rows[0].variables', 'rows[2].metadata', 'rows[2].name'],
    ],
    [{ templateId, rows: [3] }, ['rows[0]']],
    [{ templateId, rows: [] }, ['rows']],
    [{ templateId, rows: 'x' }, ['rows']],
    [{ templateId, rows: Array(1001).fill(good) }, ['rows']],
    [{ rows: [good] }, ['templateId']],
    [{ templateId, rows: [good], format: 'gif' }, ['format']],
    [{ templateId, rows: [good], items: [FLAT] }, ['']],
    [{ templateId }, ['']],
    [{ templateId, items: [FLAT] }, ['templateId']],
    [{ items: [FLAT, { canvas: 1, layers: [] }, {}] }, ['items[1].canvas', 'items[2]']],
    [{ items: [{ ...FLAT, name: '' }] }, ['items[0].name']],
    [{ items: Array(1001).fill(FLAT) }, ['items']],
    [{ items: ['x'] }, ['items[0]']],
    [[], ['']],
    [{ templateId, rows: [{ ...good, size: 'none' }] }, ['rows[0].size']],
  ];
  for (const [body, paths] of bad) {
    const { status, json } = await batch(world, caller, body);
    const found = (json.details as { path: string }[]).map(({ path }) => path);
    t.same([status, json.code, found.sort()], [400, 'invalid_request', paths], JSON.stringify(body).slice(0, 100));
  }
  const long = 'n'.repeat(256);
  const csv = { query: `templateId=${templateId}`, given: { 'content-type': 'text/csv' } };
  const lines = { given: { 'content-type': 'application/x-ndjson' } };
  const named: [unknown, object, string][] = [
    [{ templateId, rows: [good, { ...good, name: long }] }, {}, 'rows[1].name'],
    [`name,title\nfirst,a\n${long},b\n`, csv, 'rows[1].name'],
    [`${JSON.stringify(FLAT)}\n${JSON.stringify({ ...FLAT, name: long })}\n`, lines, 'items[1].name'],
  ];
  for (const [body, ask, path] of named) {
    const { status, json } = await batch(world, caller, body, ask);
    t.match({ status, json }, { status: 400, json: { code: 'invalid_request', details: [{ path }] } }, path);
    t.match(json.details, [{ message: /1 to 255 characters/ }]);
  }
  t.equal((await batch(world, caller, '{"rows":')).json.code, 'invalid_json');
  const misplaced = await batch(world, caller, { items: [FLAT] }, { query: 'format=png' });
  t.match(misplaced, { status: 400, json: { details: [{ path: 'format' }] } });
  t.same(world.engine.asked, [], 'nothing was rendered');
  t.equal(await world.balance(caller), 100);
});

t.test('warns about unknown fields of the batch', async (t) => {
  const world = await createWorld(t);
  const { caller, templateId } = await callerWith(world);
  const { summary } = await batch(world, caller, { templateId, fromat: 'webp', rows: [{ variables: {}, nam: 'x' }] });
  t.match(summary?.warnings, [{ path: 'fromat', message: /did you mean format/ }, { path: 'rows[0].nam' }]);
});

t.test('has a limit of its own for the body, and checks in the order of the API', async (t) => {
  const world = await createWorld(t, { settings: { MAX_BODY_BYTES: '2000000', API_KEY_RATE_LIMIT_PER_MIN: '8' } });
  const { caller, templateId } = await callerWith(world, 0);
  const filler = (bytes: number) => `{"items":[]}${' '.repeat(bytes - 12)}`;
  const body = { templateId: 'tpl_0', rows: [{ variables: {} }] };
  const other = await world.caller({ scopes: ['render:write', 'templates:write'] });
  t.match(await batch(world, other, filler(11 * 2 ** 20)), { status: 403, json: { code: 'insufficient_scope' } });
  t.match(await batch(world, { key: 'x' }, body), { status: 401, json: { code: 'invalid_api_key' } });
  t.match(await batch(world, caller, filler(10 * 2 ** 20 + 1)), { status: 413, json: { code: 'payload_too_large' } });
  t.match(await batch(world, caller, filler(10 * 2 ** 20)), { status: 400, json: { code: 'invalid_request' } });
  t.match(await batch(world, caller, body, { idempotencyKey: 'a\u0001' }), {
    status: 400,
    json: { details: [{ path: 'Idempotency-Key' }] },
  });
  t.match(await batch(world, caller, body), { status: 404, json: { code: 'template_not_found' } }, 'before credits');
  const paywall = await batch(world, caller, { ...body, templateId });
  t.match(paywall, {
    status: 402,
    json: { success: false, code: 'credits_exhausted', paywall: { reason: 'CREDITS_EXHAUSTED', balance: 0 } },
  });
  for (let i = 0; i < 3; i++) t.equal((await batch(world, caller, body)).status, 404);
  t.match(await batch(world, caller, filler(11 * 2 ** 20)), { status: 429, json: { code: 'rate_limited' } });
  t.match(await batch(world, other, 'x'), { status: 403 }, 'the scope comes first');
});

t.test('counts as one request of the render window', async (t) => {
  const world = await createWorld(t, { settings: { API_KEY_RATE_LIMIT_PER_MIN: '2' } });
  const caller = await world.caller({ scopes: [...SCOPES, 'render:write'] });
  const { headers } = await batch(world, caller, { items: [FLAT, FLAT, FLAT] });
  t.equal(headers.get('x-ratelimit-remaining'), '1');
  t.equal((await world.ask({ key: caller.key })).status, 200);
  t.equal((await batch(world, caller, { items: [FLAT] })).status, 429);
});

t.test(
  'fills all rows with the version that was published when it started, whatever becomes of the template',
  async (t) => {
    const world = await createWorld(t);
    const { caller, templateId } = await callerWith(world);
    let publishing: Promise<unknown> | undefined;
    world.engine.before = () => {
      publishing ??= world.store.replaceTemplate(
        { id: templateId },
        { record: { ...RECORD, width: 77 }, hotspots: [], assetIds: [] },
        { publish: true },
      );
      return publishing.then(() => undefined);
    };
    const rows = Array.from({ length: 6 }, () => ({ variables: {} }));
    const other = await saveTemplate(world.store, caller.workspaceId, { ...RECORD, name: 'Other' });
    t.equal((await batch(world, caller, { templateId, rows })).summary?.succeeded, 6);
    t.same(new Set(world.engine.asked.map(({ record }) => (record as { width: number }).width)), new Set([100]));
    let deleting: Promise<unknown> | undefined;
    world.engine.before = () => {
      deleting ??= world.store.deleteTemplate({ id: other });
      return deleting.then(() => undefined);
    };
    const items = [
      ...Array(6).fill(FLAT),
      { templateId: other, variables: {} },
      { templateId: 'tpl_0', variables: {} },
    ];
    const mixed = await batch(world, caller, { items });
    t.match(mixed.rows[6], { success: true }, 'an item begins later than the template is deleted');
    t.match(mixed.rows[7], { success: false, code: 'template_not_found' });
    world.engine.asked.splice(6);
    t.same(new Set(world.engine.asked.map(({ record }) => (record as { width: number }).width)), new Set([100]));
    const [draft] = await Promise.all([saveTemplate(world.store, caller.workspaceId, RECORD)]);
    const pinned = await batch(world, caller, { templateId: draft, templateVersion: 2, rows });
    t.equal(pinned.status, 404, 'no such version');
  },
);
