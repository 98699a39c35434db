// Serves `workspaces/{workspace}/keys`, the API keys. Only the answer that creates a key contains the raw key.

import { type KeyAnswer, keyBody, parseBody } from '../../contract/dashboard.js';
import { jsonAnswer } from '../../service/http/answer.js';
import { createRawKey, hashKey, keyPrefix } from '../../store/api-keys.js';
import type { ApiKey } from '../../store/types.js';
import type { KeyRequests } from '../../store/usage-store.js';
import { DashboardError } from '../errors.js';
import { type AdminRoutes, type DashboardOptions, storeOf, workspace } from '../route.js';

const MAX_BODY_BYTES = 16 * 1024;
const UNUSED: KeyRequests = { requests: 0, refused: 0, cpuMs: 0 };

export function keyRoutes(options: DashboardOptions): AdminRoutes {
  const { store } = options;
  return {
    'workspaces/{workspace}/keys': {
      GET: workspace('viewer', async ({ workspace: { id } }) => {
        const [keys, requests] = await Promise.all([store.listKeys(id), store.keyRequests(id)]);
        return jsonAnswer(200, { items: keys.map((key) => answerOf(key, requests[key.id])) });
      }),
      POST: workspace(
        'editor',
        async (request) => {
          const { name, scopes } = parseBody(keyBody, await request.json());
          const key = createRawKey();
          const fields = {
            workspaceId: request.workspace.id,
            name,
            scopes,
            hash: hashKey(key),
            prefix: keyPrefix(key),
          };
          const created = await storeOf(request, options).createKey(fields);
          return jsonAnswer(201, { ...answerOf(created), key });
        },
        { maxBodyBytes: MAX_BODY_BYTES },
      ),
    },
    'workspaces/{workspace}/keys/{key}': {
      DELETE: workspace('editor', async (request) => {
        const { id } = request.workspace;
        const keys = await store.listKeys(id);
        const known = keys.find((key) => key.id === request.parameters.key);
        if (!known) throw new DashboardError('key_not_found', 'there is no key with this id');
        // a second request changes nothing, so the audit log records the first one alone
        const key = known.state === 'revoked' ? known : await storeOf(request, options).revokeKey(known.id);
        const requests = await store.keyRequests(id);
        return jsonAnswer(200, answerOf(key, requests[key.id]));
      }),
    },
  };
}

function answerOf({ workspaceId: _workspaceId, ...key }: ApiKey, requests = UNUSED): KeyAnswer {
  return { ...key, ...requests };
}
