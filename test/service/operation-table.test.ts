// The server has each operation of the table that the documentation is made of, with its scope and its rate window.
import t from 'tap';
import { OPERATIONS } from '../../lib/contract/api/operations/index.js';
import type { Operation, Scope } from '../../lib/contract/api/operations/operation.js';
import { createRawKey, hashKey } from '../../lib/store/api-keys.js';
import { startWhole } from './whole.js';

const SCOPES: readonly Scope[] = ['render:write', 'render:read', 'templates:read', 'templates:write', 'batch:write'];
const LIMITS = { render: '111', read: '222' } as const;

t.test('each operation needs its scope and counts in its window', async (t) => {
  const settings = { API_KEY_RATE_LIMIT_PER_MIN: LIMITS.render, API_KEY_READ_LIMIT_PER_MIN: LIMITS.read };
  const whole = await startWhole(t, settings);
  const { id: workspaceId } = await whole.store.createWorkspace({ name: 'W', plan: 'paid', credits: 10 });
  const keyWith = async (scopes: readonly Scope[]) => {
    const key = createRawKey();
    await whole.store.createKey({ workspaceId, name: 'k', scopes, hash: hashKey(key) });
    return key;
  };
  const call = ({ method, path }: Operation, key: string) =>
    fetch(whole.url + path.replace(/\{\w+\}/g, 'nothing'), {
      method,
      headers: { Authorization: `Bearer ${key}` },
      ...(method === 'GET' || method === 'DELETE' ? {} : { body: 'no JSON' }),
    });
  for (const operation of OPERATIONS) {
    const { id, scope, window } = operation;
    const without = await call(operation, await keyWith(SCOPES.filter((each) => each !== scope)));
    const refused = (await without.json()) as { code?: string };
    t.equal(refused.code === 'insufficient_scope', scope !== undefined, id);
    const allowed = await call(operation, await keyWith(scope ? [scope] : ['batch:write']));
    t.not(allowed.status, 403, id);
    t.equal(allowed.headers.get('X-RateLimit-Limit'), LIMITS[window], id);
    const { code } = (await allowed.json()) as { code?: string };
    t.not(code, 'not_found', id);
    t.not(code, 'method_not_allowed', id);
  }
});
