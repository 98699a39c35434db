// Serves `workspaces`: lists the workspaces that the operator may see; owners can add more.

import { parseBody, type WorkspaceSummary, workspaceBody } from '../../contract/dashboard.js';
import { jsonAnswer } from '../../service/http/answer.js';
import type { Workspace } from '../../store/types.js';
import { type AdminRoutes, type DashboardOptions, maySee, operator, storeOf } from '../route.js';

const MAX_BODY_BYTES = 16 * 1024;

export function workspaceRoutes(options: DashboardOptions): AdminRoutes {
  return {
    workspaces: {
      GET: operator('viewer', async ({ operator: who }) => {
        const workspaces = await options.store.listWorkspaces();
        return jsonAnswer(200, { items: workspaces.filter(({ id }) => maySee(who, id)).map(summaryOf) });
      }),
      POST: operator(
        'owner',
        async (request) => {
          const { name, plan } = parseBody(workspaceBody, await request.json());
          const created = await storeOf(request, options).createWorkspace({ name, plan, credits: 0 });
          return jsonAnswer(201, summaryOf(created));
        },
        { maxBodyBytes: MAX_BODY_BYTES },
      ),
    },
  };
}

function summaryOf({ id, name, plan }: Workspace): WorkspaceSummary {
  return { id, name, plan };
}
