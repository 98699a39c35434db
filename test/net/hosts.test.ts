// `allowHosts` and ASSET_ALLOW_HOSTS: restrict fetches to public addresses and the named hosts.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { main } from '../../lib/cli/main.js';
import { createRenderer, render } from '../any-payload.js';
import { createTestContext } from '../cli/context.js';
import { serve } from './server.js';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><path d="M0 0h4v4H0z"/></svg>';
const server = await serve({ '/a.svg': (res) => res.end(SVG) });
t.teardown(() => server.close());
const payload = {
  canvas: { width: 4, height: 4 },
  layers: [{ type: 'image', x: 0, y: 0, width: 4, height: 4, url: `${server.origin}/a.svg` }],
};
const blocked = { code: 'asset_failed' };

t.test('applies allowHosts in the library', async (t) => {
  t.ok(await render(payload), 'allows every host without it');
  await t.rejects(render(payload, { allowHosts: [] }), blocked);
  await t.rejects(render(payload, { allowHosts: ['example.test'] }), blocked);
  const { host } = new URL(server.origin);
  t.ok(await render(payload, { allowHosts: ['127.0.0.1'] }));
  t.ok(await render(payload, { allowHosts: [host] }));
  await t.rejects(createRenderer({ allowHosts: [] }).render(payload), blocked, 'applies to all payloads of a renderer');
});

t.test('rejects a malformed entry', async (t) => {
  const expected = { code: 'invalid_request', message: /^allowHosts: "a\/b" is not a host or host:port$/ };
  await t.rejects(render(payload, { allowHosts: ['a/b'] }), expected);
});

t.test('applies ASSET_ALLOW_HOSTS on the command line', async (t) => {
  const directory = t.testdir();
  writeFileSync(join(directory, 'a.json'), JSON.stringify(payload));
  const run = (environment: Record<string, string>) =>
    main(['a.json', '-o', 'a.png'], createTestContext({ directory, environment }).context);
  t.equal(await run({}), 0);
  t.equal(await run({ ASSET_ALLOW_HOSTS: '' }), 0, 'empty counts as unset');
  t.equal(await run({ ASSET_ALLOW_HOSTS: 'example.test' }), 1);
  t.equal(await run({ ASSET_ALLOW_HOSTS: 'example.test, 127.0.0.1' }), 0);
});
