// Log lines: their fields, their levels, and the effect of LOG_LEVEL.
import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import t from 'tap';
import { logRequest } from '../../lib/service/http/access-log.js';
import { jsonAnswer } from '../../lib/service/http/answer.js';
import { startWhole } from './whole.js';

const LEVELS = new Map([
  [20, 'debug'],
  [30, 'info'],
  [40, 'warn'],
  [50, 'error'],
]);

t.test('logs each outcome at its level', async (t) => {
  const lines: { level: number }[] = [];
  const log = pino({ level: 'debug' }, { write: (line) => void lines.push(JSON.parse(line)) });
  const rows: [string, number, object, boolean, string][] = [
    ['/v1/render', 200, {}, false, 'info'],
    ['/v1/render', 429, { code: 'rate_limited' }, false, 'info'],
    ['/v1/render', 503, { code: 'storage_unavailable' }, false, 'warn'],
    ['/v1/render', 500, { code: 'internal_error', cause: new Error('bug') }, false, 'error'],
    ['/v1/render', 500, { code: 'internal_error', cause: new Error('cut') }, true, 'info'],
    ['/healthz', 200, {}, false, 'debug'],
    ['/readyz', 503, {}, false, 'debug'],
  ];
  for (const [path, status, more, clientGone, level] of rows) {
    const outcome = { requestId: 'r', answer: jsonAnswer(status, {}), ...more };
    logRequest(log, outcome, { method: 'GET', path, milliseconds: 1.4, sentBytes: 2, clientGone });
    const line = lines.pop();
    t.equal(LEVELS.get(line?.level ?? 0), level, `${path} ${status}`);
    t.match(line, { requestId: 'r', status, path, bytes: 2, ms: 1, clientGone: clientGone || undefined });
  }
});

t.test('logs a render’s outcome without the key', async (t) => {
  const whole = await startWhole(t, {});
  const { key, workspaceId } = await whole.caller();
  const body = { canvas: { width: 8, height: 8 }, layers: [], format: 'webp', metadata: { who: 'Ada' } };
  const answer = await whole.post(key, body);
  const { length } = Buffer.from(await answer.arrayBuffer());
  await whole.stop();
  t.match(whole.log, [
    {
      level: 30,
      time: /^\d{4}-\d\d-\d\dT/,
      requestId: answer.headers.get('x-request-id'),
      method: 'POST',
      path: '/v1/render',
      status: 200,
      keyId: /./,
      workspaceId,
      format: 'webp',
      bytes: length,
      ms: Number,
    },
  ]);
  t.notMatch(JSON.stringify(whole.log), new RegExp(`${key}|Ada`));
});

t.test('the log line in docs/observability.md has the fields and id formats of a real one', async (t) => {
  const whole = await startWhole(t, {});
  const { key } = await whole.caller();
  await (await whole.post(key, { canvas: { width: 8, height: 8 }, layers: [] })).arrayBuffer();
  await whole.stop();
  const page = readFileSync(new URL('../../docs/observability.md', import.meta.url), 'utf8');
  const [, line] = /^```json\n(\{"level".*)\n```$/m.exec(page) ?? [];
  const shown = JSON.parse(line);
  const [written] = whole.log;
  t.same(Object.keys(shown), Object.keys(written));
  const form = (id: unknown) => String(id).replace(/[0-9a-f]/g, 'x');
  for (const field of ['requestId', 'keyId', 'workspaceId']) {
    const prefix = /^[a-z]+_/.exec(String(written[field]))?.[0] ?? '';
    t.ok(String(shown[field]).startsWith(prefix), `${field}: ${shown[field]}`);
    t.equal(form(String(shown[field]).slice(prefix.length)), form(String(written[field]).slice(prefix.length)), field);
  }
});

// fault: 98
t.test('redacts a key in the path, and keeps every event on one line', async (t) => {
  const whole = await startWhole(t, {});
  const { key } = await whole.caller();
  await fetch(`${whole.url}/v1/${key}?key=${key}`);
  await fetch(`${whole.url}/${'x'.repeat(170)}/${key}`);
  await fetch(`${whole.url}/a%0d%0a%1b[31m%e2%80%a8`);
  await whole.stop();
  t.same(
    whole.log.map(({ path }) => String(path).replace(/x+/, 'x')),
    ['/v1/svc_live_…', '/x/svc_live_…', '/a%0d%0a%1b[31m%e2%80%a8'],
  );
});

t.test('LOG_LEVEL drops lines below it', async (t) => {
  const counts: number[] = [];
  for (const level of ['debug', 'info', 'warn']) {
    const whole = await startWhole(t, { LOG_LEVEL: level });
    await fetch(`${whole.url}/healthz`);
    await fetch(`${whole.url}/nothing`);
    await whole.stop();
    counts.push(whole.log.length);
  }
  t.same(counts, [2, 1, 0]);
});
