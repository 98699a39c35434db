// Serves `workspaces/{workspace}/links`, the keys that sign image links. Only the answer that creates a key contains the
// private key.
import { type LinkKeyAnswer, linkKeyBody, parseBody } from '../../contract/dashboard.js';
import { createLinkKeyPair } from '../../links/sign.js';
import { jsonAnswer } from '../../service/http/answer.js';
import type { LinkKey } from '../../store/types.js';
import type { KeyRequests } from '../../store/usage-store.js';
import { DashboardError } from '../errors.js';
import { type AdminRoutes, type DashboardOptions, storeOf, workspace } from '../route.js';

const MAX_BODY_BYTES = 16 * 1024;
const UNUSED: KeyRequests = { requests: 0, refused: 0, cpuMs: 0 };

export function linkRoutes(options: DashboardOptions): AdminRoutes {
  const { store } = options;
  return {
    'workspaces/{workspace}/links': {
      GET: workspace('viewer', async ({ workspace: { id } }) => {
        const [keys, requests] = await Promise.all([store.listLinkKeys(id), store.keyRequests(id)]);
        return jsonAnswer(200, { items: keys.map((key) => answerOf(key, requests[key.id])) });
      }),
      POST: workspace(
        'editor',
        async (request) => {
          const { name } = parseBody(linkKeyBody, await request.json());
          const { privateKey, publicKey } = await createLinkKeyPair();
          const fields = { workspaceId: request.workspace.id, name, publicKey };
          const created = await storeOf(request, options).createLinkKey(fields);
          return jsonAnswer(201, { ...answerOf(created), privateKey });
        },
        { maxBodyBytes: MAX_BODY_BYTES },
      ),
    },
    'workspaces/{workspace}/links/{link}': {
      DELETE: workspace('editor', async (request) => {
        const { id } = request.workspace;
        const keys = await store.listLinkKeys(id);
        const known = keys.find((key) => key.id === request.parameters.link);
        if (!known) throw new DashboardError('key_not_found', 'there is no link key with this id');
        // a second request changes nothing, so the audit log records the first one alone
        const key = known.state === 'revoked' ? known : await storeOf(request, options).revokeLinkKey(known.id);
        const requests = await store.keyRequests(id);
        return jsonAnswer(200, answerOf(key, requests[key.id]));
      }),
    },
  };
}

function answerOf(
  { workspaceId: _workspaceId, publicKey: _publicKey, ...key }: LinkKey,
  requests = UNUSED,
): LinkKeyAnswer {
  return { ...key, ...requests };
}
