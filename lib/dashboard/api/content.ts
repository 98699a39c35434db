// The operations that the dashboard shares with the API: the render log, templates and assets of `workspaces/{workspace}`. They
// run the API's code with the operator in place of a key.
import { withHeaders } from '../../service/http/answer.js';
import type { WorkspaceOperation } from '../../service/operation.js';
import { addAsset, deleteAsset, getAsset, listAssets } from '../../service/operations/assets.js';
import { getRender, listRenders } from '../../service/operations/renders.js';
import {
  getTemplateVersion,
  listTemplateVersions,
  publishTemplate,
  restoreTemplate,
} from '../../service/operations/template-versions.js';
import { createTemplate, deleteTemplate, replaceTemplate } from '../../service/operations/template-writes.js';
import { getTemplate, listTemplates } from '../../service/operations/templates.js';
import type { Answer, ServiceOptions } from '../../service/request.js';
import type { Role } from '../../store/operator-store.js';
import { type AdminRoute, type AdminRoutes, type DashboardOptions, storeOf, workspace } from '../route.js';

export function contentRoutes(options: DashboardOptions): AdminRoutes {
  const route = (role: Role, create: (options: ServiceOptions) => WorkspaceOperation): AdminRoute => {
    const { maxBodyBytes } = create(options);
    return workspace(
      role,
      async (request) => {
        const { run } = create({ ...options, store: storeOf(request, options) });
        const answer = await run({ ...request, caller: { workspace: request.workspace } });
        return withOwnLocation(answer, request.workspace.id);
      },
      maxBodyBytes === undefined ? {} : { maxBodyBytes },
    );
  };
  return {
    'workspaces/{workspace}/renders': { GET: route('viewer', listRenders) },
    'workspaces/{workspace}/renders/{id}': { GET: route('viewer', getRender) },
    'workspaces/{workspace}/templates': { GET: route('viewer', listTemplates), POST: route('editor', createTemplate) },
    'workspaces/{workspace}/templates/{id}': {
      GET: route('viewer', getTemplate),
      PUT: route('editor', replaceTemplate),
      DELETE: route('editor', deleteTemplate),
    },
    'workspaces/{workspace}/templates/{id}/versions': { GET: route('viewer', listTemplateVersions) },
    'workspaces/{workspace}/templates/{id}/versions/{n}': { GET: route('viewer', getTemplateVersion) },
    'workspaces/{workspace}/templates/{id}/restore': { POST: route('editor', restoreTemplate) },
    'workspaces/{workspace}/templates/{id}/publish': { POST: route('editor', publishTemplate) },
    'workspaces/{workspace}/assets': { GET: route('viewer', listAssets), POST: route('editor', addAsset) },
    'workspaces/{workspace}/assets/{id}': { GET: route('viewer', getAsset), DELETE: route('editor', deleteAsset) },
  };
}

/** The API's `Location` names the new object by the API's path; the dashboard serves it at another path. */
function withOwnLocation(answer: Answer, workspaceId: string): Answer {
  const location = answer.headers.get('Location');
  if (location === undefined) return answer;
  return withHeaders(answer, [
    ['Location', location.replace(/^\/v1\//, `/dashboard/api/workspaces/${encodeURIComponent(workspaceId)}/`)],
  ]);
}
