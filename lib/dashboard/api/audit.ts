// Serves the audit log: one workspace's entries (`workspaces/{workspace}/audit`), and to owners the whole log (`audit`).

import { type AuditAnswer, parseAuditQuery } from '../../contract/dashboard.js';
import { fromStore } from '../../service/failure.js';
import { jsonAnswer } from '../../service/http/answer.js';
import type { Answer } from '../../service/request.js';
import { type AdminRoutes, type DashboardOptions, operator, workspace } from '../route.js';

export function auditRoutes({ store }: DashboardOptions): AdminRoutes {
  const list = async (query: URLSearchParams, workspaceIds?: readonly string[]): Promise<Answer> => {
    const { limit, cursor, action } = parseAuditQuery(query);
    const answer: AuditAnswer = await fromStore(store.listAudit({ workspaceIds, action }, { limit, cursor }));
    return jsonAnswer(200, answer);
  };
  return {
    audit: { GET: operator('owner', ({ query }) => list(query)) },
    'workspaces/{workspace}/audit': { GET: workspace('viewer', ({ query, workspace: { id } }) => list(query, [id])) },
  };
}
