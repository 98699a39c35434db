// Reading a body whose client disconnected during the key lookup.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import t from 'tap';
import { MemoryBudget } from '../../../lib/service/admission/memory-budget.js';
import { BodyReader } from '../../../lib/service/http/body.js';

t.test('fails at once for a body that was truncated before it was read', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 100\r\n\r\nhalf');
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  const closed = new Promise((resolve) => request.on('error', () => undefined).on('close', resolve));
  client.destroy();
  await closed;
  await t.rejects(new BodyReader(request, new MemoryBudget(1000)).read(1000, 'one'), {
    name: 'ServiceError',
    code: 'internal_error',
  });
});
