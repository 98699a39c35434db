// Pictures over TLS: whose certificate is not sound is not believed, although the operator lets its address be fetched from.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { ROOT } from '../checkout.js';
import { startWhole } from '../service/whole.js';
import { start } from './started.js';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
);
const folder = join(ROOT, 'test/faults/certificates');
const pem = (name: string) => readFileSync(join(folder, `${name}.pem`));

/** An origin with that certificate; how many requests it has heard. */
async function origin(t: Test, certificate: string): Promise<{ port: number; heard: () => number }> {
  let heard = 0;
  const server = createServer({ key: pem('key'), cert: pem(certificate) }, (_request, response) => {
    heard++;
    response.end(PNG);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, heard: () => heard };
}

// fault: 44
t.test('certificates that have expired, or are another’s', async (t) => {
  const [sound, expired, other] = await Promise.all(['sound', 'expired', 'othername'].map((name) => origin(t, name)));
  const settings = { ASSET_ALLOW_HOSTS: 'localhost,127.0.0.1', NODE_EXTRA_CA_CERTS: join(folder, 'root.pem') };
  const server = await start(t, { settings });
  const ask = ({ port }: { port: number }, host = 'localhost') =>
    server.post({
      canvas: { width: 4, height: 4 },
      layers: [{ type: 'image', x: 0, y: 0, width: 4, height: 4, url: `https://${host}:${port}/` }],
    });
  t.equal((await ask(sound)).status, 200, 'the one that is sound, by its name');
  const refused = [await ask(sound, '127.0.0.1'), await ask(expired), await ask(other)];
  for (const { status, code, text } of refused) {
    t.match({ status, code }, { status: 502, code: 'asset_failed' });
    t.notMatch(text, /certif|expired|self.signed|altname|example\.com/i, 'nothing is told of what was found there');
  }
  t.same(
    [sound, expired, other].map(({ heard }) => heard()),
    [1, 0, 0],
    'those refused have not been asked anything',
  );
  const { charged, answered } = await server.end();
  t.same([charged, answered], [1, 1]);
});

// fault: 44
t.test('a certificate of nobody’s: no answer without the operator’s root', async (t) => {
  const sound = await origin(t, 'sound');
  const whole = await startWhole(t, { ASSET_ALLOW_HOSTS: 'localhost' });
  const { key } = await whole.caller();
  const layer = { type: 'image', x: 0, y: 0, width: 4, height: 4, url: `https://localhost:${sound.port}/` };
  t.equal((await whole.post(key, { canvas: { width: 4, height: 4 }, layers: [layer] })).status, 502);
  t.equal(sound.heard(), 0);
});
