// Serves `operators`, the list of who may use the dashboard, to owners.
import { type OperatorAnswer, operatorBody, parseBody } from '../../contract/dashboard.js';
import { type Detail, RenderError } from '../../errors.js';
import { emptyAnswer, jsonAnswer } from '../../service/http/answer.js';
import { publicOrigin } from '../../settings.js';
import type { Operator, OperatorStore } from '../../store/operator-store.js';
import { DashboardError } from '../errors.js';
import { type AdminRoutes, type DashboardOptions, operator, storeOf } from '../route.js';
import { createSignInLink } from '../sign-in/secrets.js';

const MAX_BODY_BYTES = 64 * 1024;

export function operatorRoutes(options: DashboardOptions): AdminRoutes {
  const { store, settings, port } = options;
  const linkOf = ({ id }: Operator, through: Pick<OperatorStore, 'createSignInToken'>) =>
    createSignInLink(through, id, publicOrigin(settings, port()));

  const find = async (id: string): Promise<Operator> => {
    const operators = await store.listOperators();
    const found = operators.find((other) => other.id === id);
    if (!found) throw new DashboardError('operator_not_found', 'there is no operator with this id');
    return found;
  };

  return {
    operators: {
      GET: operator('owner', async () => {
        const operators = await store.listOperators();
        return jsonAnswer(200, { items: operators.map(answerOf) });
      }),
      POST: operator(
        'owner',
        async (request) => {
          const body = parseBody(operatorBody, await request.json());
          const known = new Set((await store.listWorkspaces()).map(({ id }) => id));
          const unknown = body.workspaces?.findIndex((id) => !known.has(id)) ?? -1;
          if (unknown >= 0) {
            const path = `workspaces[${unknown}]`;
            const details: Detail[] = [{ code: 'invalid_value', path, message: 'there is no workspace with this id' }];
            throw new RenderError('invalid_request', `${path}: ${details[0].message}`, { details });
          }
          const { name, role } = body;
          const created = await storeOf(request, options).createOperator({
            name,
            role,
            workspaces: role === 'owner' ? null : body.workspaces,
          });
          return jsonAnswer(201, { ...answerOf(created), link: await linkOf(created, store) });
        },
        { maxBodyBytes: MAX_BODY_BYTES },
      ),
    },
    'operators/{operator}': {
      DELETE: operator('owner', async (request) => {
        const { id } = await find(request.parameters.operator);
        await storeOf(request, options).removeOperator(id);
        return emptyAnswer(204, []);
      }),
    },
    'operators/{operator}/link': {
      POST: operator('owner', async (request) => {
        const found = await find(request.parameters.operator);
        return jsonAnswer(200, { link: await linkOf(found, storeOf(request, options)) });
      }),
    },
  };
}

function answerOf({ id, name, role, workspaces, hasPassword, createdAt }: Operator): OperatorAnswer {
  return { id, name, role, workspaces, hasPassword, createdAt };
}
