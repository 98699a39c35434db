// The forms of an answer (docs/service.md#responses): their fields, headers and types, and the treatment of metadata.
import { createHash } from 'node:crypto';
import t from 'tap';
import type { Phase } from '../../lib/service/request.js';
import { saveTemplate } from './stores.js';
import { createWorld, FLAT } from './world.js';

/** SHA-256 of the stand-in's four bytes. */
const DIGEST = createHash('sha256')
  .update(Uint8Array.of(1, 2, 3, 4))
  .digest('base64url');

t.test('the binary form is the image bytes, with the metadata in headers', async (t) => {
  const world = await createWorld(t, { settings: { RENDER_CREDIT_COST: '3' } });
  const { key } = await world.caller({ credits: 10 });
  const { status, headers, bytes, outcome } = await world.ask({ key });
  t.equal(status, 200);
  t.same([...bytes], [1, 2, 3, 4]);
  t.equal(headers.get('etag'), `"${DIGEST}"`);
  t.equal(headers.get('x-service-render-id'), outcome.requestId);
  t.match(headers.get('x-render-duration-ms'), /^\d+$/);
  t.match(Object.fromEntries(headers), {
    'content-type': 'image/png',
    'x-canvas-width': '4',
    'x-canvas-height': '3',
    'x-service-watermark': 'false',
    'x-service-credits-remaining': '7',
    'x-service-renders-remaining': '2',
  });
  t.notOk(headers.has('x-service-metadata'));
});

t.test('the JSON form has exactly the fields of the contract', async (t) => {
  const world = await createWorld(t, { settings: { RENDER_CREDIT_COST: '3' } });
  const { key } = await world.caller({ credits: 10 });
  for (const responseType of ['json', 'base64']) {
    const { status, headers, json, outcome } = await world.ask({ key, body: { ...FLAT, responseType } });
    t.equal(status, 200);
    t.notOk(headers.has('etag'));
    t.match(headers.get('content-type'), /^application\/json/);
    const creditsRemaining = responseType === 'json' ? 7 : 4;
    t.strictSame(json, {
      success: true,
      format: 'png',
      width: 4,
      height: 3,
      alt: '',
      durationMs: json.durationMs,
      sizeBytes: 4,
      sha256: DIGEST,
      renderId: outcome.requestId,
      base64: 'AQIDBA==',
      dataUrl: 'data:image/png;base64,AQIDBA==',
      billing: {
        creditsRemaining,
        rendersRemaining: Math.floor(creditsRemaining / 3),
        creditsCost: 3,
        watermarked: false,
        isFreeTier: false,
      },
    });
    t.ok(typeof json.durationMs === 'number' && json.durationMs >= 0);
  }
});

t.test('each request shape has its own default response type', async (t) => {
  const world = await createWorld(t);
  const { key, workspaceId } = await world.caller();
  const templateId = await saveTemplate(world.store, workspaceId, { name: 'T', width: 1, height: 1 });
  const rows: [object, RegExp][] = [
    [FLAT, /^image\/png/],
    [{ templateId }, /^application\/json/],
    [{ templateId, responseType: 'binary' }, /^image\/png/],
    [{ templateId, responseType: 'base64' }, /^application\/json/],
    [{ ...FLAT, responseType: 'binary' }, /^image\/png/],
    [{ ...FLAT, responseType: null }, /^image\/png/],
  ];
  for (const [body, type] of rows) {
    const { status, headers } = await world.ask({ key, body });
    t.equal(status, 200);
    t.match(headers.get('content-type'), type, JSON.stringify(body));
  }
});

t.test('both forms say what the image shows; a header has at most 4 KiB', async (t) => {
  const world = await createWorld(t);
  const { key } = await world.caller();
  const rows: [alt: string, header: string | undefined][] = [
    ['A card', 'A%20card'],
    ['Zeile 1\r\nZeile 2: 日本 \ud800', 'Zeile%201%0D%0AZeile%202%3A%20%E6%97%A5%E6%9C%AC%20%EF%BF%BD'],
    ['', undefined],
    ['x'.repeat(2000), 'x'.repeat(2000)],
    ['日'.repeat(1000), undefined],
  ];
  for (const [alt, header] of rows) {
    world.engine.result = { alt };
    const { headers } = await world.ask({ key });
    t.equal(headers.get('x-service-alt'), header);
    const { json } = await world.ask({ key, body: { ...FLAT, responseType: 'json' } });
    t.equal(json.alt, alt);
  }
});

t.test('reports the format that was used; jpg is reported as jpeg', async (t) => {
  const world = await createWorld(t);
  const { key } = await world.caller();
  for (const format of [undefined, 'png', 'jpeg', 'jpg', 'webp', 'avif']) {
    const named = format === 'jpg' ? 'jpeg' : (format ?? 'png');
    const { headers } = await world.ask({ key, body: { ...FLAT, format } });
    t.equal(headers.get('content-type'), `image/${named}`);
    const { json } = await world.ask({ key, body: { ...FLAT, format, responseType: 'json' } });
    t.equal(json.format, named);
    t.equal(json.dataUrl, `data:image/${named};base64,${json.base64}`);
    t.equal(world.engine.asked.at(-1)?.request.quality, 90, 'the default quality');
  }
});

t.test('writes an image longer than one base64 chunk completely', async (t) => {
  const world = await createWorld(t);
  const { key } = await world.caller();
  for (const length of [0, 1, 2, 3, 196_607, 196_608, 196_609, 600_000]) {
    // A view into a larger buffer, as codecs hand them out.
    const bytes = new Uint8Array(length + 20).subarray(10, 10 + length).map((_, i) => i * 7);
    world.engine.result = { bytes };
    const { json } = await world.ask({ key, body: { ...FLAT, responseType: 'json' } });
    t.equal(json.base64, Buffer.from(bytes).toString('base64'), `${length} bytes`);
    t.equal(json.dataUrl, `data:image/png;base64,${json.base64}`);
    t.equal(json.sizeBytes, length);
  }
});

t.test('returns metadata in both forms and for both shapes, whatever it contains', async (t) => {
  const world = await createWorld(t);
  const { key, workspaceId } = await world.caller();
  const templateId = await saveTemplate(world.store, workspaceId, { name: 'T', width: 1, height: 1 });
  const rows = [
    '{}',
    '{"order":"A-1","n":1.5,"deep":{"a":[1,null,true]}}',
    '{"name":"žluť 🐎 日本"}',
    '{"line":"a\\r\\nSet-Cookie: x=1","nul":"\\u0000","sep":"\\u2028"}',
    '{"half":"\\ud800"}',
    '{"__proto__":{"polluted":1},"constructor":{"prototype":1},"toString":"x"}',
    '{"-0":-0,"quote":"\\"%"}',
  ];
  for (const text of rows) {
    for (const shape of [FLAT, { templateId }]) {
      const expected = JSON.parse(text);
      const body = `${JSON.stringify(shape).slice(0, -1)},"metadata":${text}`;
      const binary = await world.ask({ key, body: `${body},"responseType":"binary"}` });
      const header = binary.headers.get('x-service-metadata') ?? 'none';
      t.match(header, /^[\x21-\x7e]*$/, 'fit for a header');
      t.equal(decodeURIComponent(header), JSON.stringify(expected), text);
      const { json } = await world.ask({ key, body: `${body},"responseType":"json"}` });
      t.equal(JSON.stringify(json.metadata), JSON.stringify(expected), text);
    }
  }
  t.equal(({} as { polluted?: number }).polluted, undefined);
});

t.test('limits metadata to 4 KiB in a header, not in JSON', async (t) => {
  const world = await createWorld(t);
  const { key } = await world.caller();
  // {"a":"…"} is 8 characters, of which 5 take three bytes each when they are percent-encoded.
  const overhead = encodeURIComponent('{"a":""}').length;
  for (const [length, fits] of [
    [4096 - overhead, true],
    [4097 - overhead, false],
    [16_000, false],
  ] as const) {
    const metadata = { a: 'x'.repeat(length) };
    const { status, headers } = await world.ask({ key, body: { ...FLAT, metadata } });
    t.equal(status, 200);
    t.equal(headers.has('x-service-metadata'), fits, `${length}`);
    t.same((await world.ask({ key, body: { ...FLAT, metadata, responseType: 'json' } })).json.metadata, metadata);
  }
});

t.test('includes warnings in the JSON form only when there are any', async (t) => {
  const world = await createWorld(t);
  const { key } = await world.caller();
  const warnings = [
    { code: 'unknown_font' as const, path: 'layers[0].fontFamily', layerId: 'a', message: 'is unknown' },
  ];
  world.engine.result = { warnings };
  t.same((await world.ask({ key, body: { ...FLAT, responseType: 'json' } })).json.warnings, warnings);
  t.same([...(await world.ask({ key })).bytes], [1, 2, 3, 4]);
});

t.test('applies the watermark by plan and reports it', async (t) => {
  const world = await createWorld(t, { settings: { WATERMARK_TEXT: 'Mark' } });
  for (const plan of ['free', 'paid'] as const) {
    const free = plan === 'free';
    const { key } = await world.caller({ plan });
    const { headers } = await world.ask({ key });
    t.equal(headers.get('x-service-watermark'), String(free));
    t.equal(world.engine.asked.at(-1)?.options.watermark, free ? 'Mark' : undefined);
    const { json } = await world.ask({ key, body: { ...FLAT, responseType: 'json' } });
    t.match(json.billing, { watermarked: free, isFreeTier: free });
  }
});

t.test('/healthz reports the engine’s state and a closing server', async (t) => {
  let phase: Phase = 'serving';
  const world = await createWorld(t, { phase: () => phase });
  const health = () => world.ask({ method: 'GET', path: '/healthz' });
  t.match(await health(), { status: 200, json: { status: 'ok' } });
  world.engine.isUp = false;
  t.match(await health(), { status: 503, json: { status: 'starting' } });
  world.engine.isUp = true;
  phase = 'closing';
  t.match(await health(), { status: 503, json: { status: 'closing' } });
});
