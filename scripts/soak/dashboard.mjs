// A client of the dashboard's admin API: an operator that signs in by its link.
import { Agent, request } from 'node:http';

export const PASSWORD = 'correct horse battery staple';

/** Creates the operator `name` of `server`, and sets its password. */
export async function createDashboardClient(server, name) {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const { hostname: host, port } = new URL(server.url);

  /** Never rejects: the status is an error's code then. */
  function send(method, path, { body, cookie } = {}) {
    return new Promise((resolve) => {
      const headers = {
        'Content-Type': 'application/json',
        'X-Platen-Csrf': '1',
        Origin: server.url,
        ...(cookie && { Cookie: cookie }),
      };
      const sent = request({ agent, host, port, method, path: `/dashboard/api/${path}`, headers }, (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', () => resolve({ status: 'truncated' }));
        response.on('end', () => {
          const [setCookie] = response.headers['set-cookie'] ?? [];
          resolve({
            status: response.statusCode,
            text: Buffer.concat(chunks).toString(),
            ...(setCookie && { cookie: setCookie.split(';', 1)[0] }),
          });
        });
      });
      sent.on('error', (error) => resolve({ status: error.code ?? 'failed' }));
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  const { link } = await server.admin('operators', 'create', name, '--role', 'owner');
  const token = link.split('#')[1];
  const { status, cookie, text } = await send('POST', 'session/password', { body: { token, password: PASSWORD } });
  if (status !== 200) throw new Error(`the password can't be set: ${status} ${text}`);
  return {
    send,
    cookie,
    signIn: (user, password) => send('POST', 'session', { body: { name: user, password } }),
    close: () => agent.destroy(),
  };
}
