// The engine's worker fetches from the dashboard's server; the test gives the answers.
import t from 'tap';
import { createRemote } from '../../web/engine/remote.js';

const requests: string[] = [];
let answer = () => new Response('gone', { status: 502 });
Object.assign(globalThis, {
  async fetch(url: string) {
    requests.push(url);
    return answer();
  },
});

const policy = { timeoutMs: 1000, maxBytes: 1000 };

t.test('what could not be fetched is not asked for at every key stroke, but after an upload', async (t) => {
  const remote = createRemote('ws_1');
  const get = (url: string) => remote.fetchAsset(new URL(url), policy);
  const failed = { code: 'asset_failed' };
  await t.rejects(get('https://example.com/a.png'), failed);
  await t.rejects(get('https://example.com/a.png'), failed);
  t.equal(requests.length, 1);
  await t.rejects(get('https://example.com/b.png'), failed);
  t.equal(requests.length, 2);
  answer = () => new Response('picture');
  remote.expectAssets(1);
  const { bytes } = await get('https://example.com/a.png');
  t.equal(new TextDecoder().decode(bytes), 'picture');
  t.equal(requests.length, 3);
});
