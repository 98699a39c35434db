// `GET /v1/workspace`: the workspace of the API key, its balance, and what the key may spend of it.
import type { WorkspaceAnswer } from '../../contract/api/workspace.js';
import { limitOf } from '../checks.js';
import { jsonAnswer, rendersFor } from '../http/answer.js';
import type { ServiceOperation } from '../operation.js';
import type { ServiceOptions } from '../request.js';

export function getWorkspace({ settings }: ServiceOptions): ServiceOperation {
  return {
    window: 'read',
    async run({ caller: { key, workspace } }) {
      const { id, name, plan, balance } = workspace;
      const creditsCost = settings.RENDER_CREDIT_COST;
      const answer: WorkspaceAnswer = {
        id,
        name,
        plan,
        balance,
        rendersRemaining: rendersFor(balance, creditsCost),
        creditsCost,
        rateLimit: limitOf(key, 'render', settings),
      };
      return jsonAnswer(200, answer);
    },
  };
}
