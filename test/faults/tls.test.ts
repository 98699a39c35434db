// Images over TLS: rejects invalid certificates, even from hosts that the operator allows.
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

/** Starts an HTTPS server with the certificate; `requests` returns how many requests it has received. */
async function startOrigin(t: Test, certificate: string): Promise<{ port: number; requests: () => number }> {
  let requests = 0;
  const server = createServer({ key: pem('key'), cert: pem(certificate) }, (_request, response) => {
    requests++;
    response.end(PNG);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, requests: () => requests };
}

// fault: 44
t.test('rejects expired certificates and those of another host', async (t) => {
  const [valid, expired, other] = await Promise.all(
    ['sound', 'expired', 'othername'].map((name) => startOrigin(t, name)),
  );
  const settings = { ASSET_ALLOW_HOSTS: 'localhost,127.0.0.1', NODE_EXTRA_CA_CERTS: join(folder, 'root.pem') };
  const server = await start(t, { settings });
  const renderFrom = ({ port }: { port: number }, host = 'localhost') =>
    server.post({
      canvas: { width: 4, height: 4 },
      layers: [{ type: 'image', x: 0, y: 0, width: 4, height: 4, url: `https://${host}:${port}/` }],
    });
  t.equal((await renderFrom(valid)).status, 200, 'accepts a valid certificate');
  const rejected = [await renderFrom(valid, '127.0.0.1'), await renderFrom(expired), await renderFrom(other)];
  for (const { status, code, text } of rejected) {
    t.match({ status, code }, { status: 502, code: 'asset_failed' });
    t.notMatch(
      text,
      /certif|expired|self.signed|altname|example\.com/i,
      'the response does not describe the certificate',
    );
  }
  t.same(
    [valid, expired, other].map(({ requests }) => requests()),
    [1, 0, 0],
    'sends no request to a rejected host',
  );
  const { charged, answered } = await server.end();
  t.same([charged, answered], [1, 1]);
});

// fault: 44
t.test('rejects a certificate of an unknown authority', async (t) => {
  const valid = await startOrigin(t, 'sound');
  const whole = await startWhole(t, { ASSET_ALLOW_HOSTS: 'localhost' });
  const { key } = await whole.caller();
  const layer = { type: 'image', x: 0, y: 0, width: 4, height: 4, url: `https://localhost:${valid.port}/` };
  t.equal((await whole.post(key, { canvas: { width: 4, height: 4 }, layers: [layer] })).status, 502);
  t.equal(valid.requests(), 0);
});
