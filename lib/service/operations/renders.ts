// Reads the render log: `GET /v1/renders` and `GET /v1/renders/{id}`.
import { parseRendersQuery } from '../../contract/api/query.js';
import type { RenderLogEntry, RenderPage } from '../../contract/api/renders.js';
import { ServiceError } from '../../errors.js';
import type { LoggedRender } from '../../store/types.js';
import { fromStore } from '../failure.js';
import { jsonAnswer } from '../http/answer.js';
import type { WorkspaceOperation } from '../operation.js';
import type { ServiceOptions } from '../request.js';

export function listRenders({ store }: ServiceOptions): WorkspaceOperation {
  return {
    scope: 'render:read',
    window: 'read',
    async run({ caller, query }) {
      const { limit, cursor, ...filter } = parseRendersQuery(query);
      const page = await fromStore(store.listRenders(caller.workspace.id, filter, { limit, cursor }));
      const items = page.items.map(({ variables: _variables, ...entry }) => entryOf(entry));
      const answer: RenderPage = { items, nextCursor: page.nextCursor };
      return jsonAnswer(200, answer);
    },
  };
}

export function getRender({ store }: ServiceOptions): WorkspaceOperation {
  return {
    scope: 'render:read',
    window: 'read',
    async run({ caller, parameters }) {
      const render = await store.findRender(caller.workspace.id, parameters.id);
      if (!render) throw new ServiceError('render_not_found', 'the render log has no entry with this id');
      return jsonAnswer(200, entryOf(render));
    },
  };
}

/** The entry without its workspace, which is the caller's. */
function entryOf({ workspaceId: _workspaceId, metadata, variables, ...entry }: LoggedRender): RenderLogEntry {
  return {
    ...entry,
    ...(metadata && { metadata: { ...metadata } }),
    ...(variables && { variables: { ...variables } }),
  };
}
