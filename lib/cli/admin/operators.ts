// `platen operators …` and `platen audit`: who may use the dashboard, and what was changed.
import { operatorName } from '../../contract/dashboard.js';
import { formatReceived } from '../../contract/json/describe.js';
import { createSignInLink, LINK_MINUTES } from '../../dashboard/sign-in/secrets.js';
import { publicOrigin, type Settings } from '../../settings.js';
import { type AuditEntry, type Operator, ROLES } from '../../store/operator-store.js';
import { StoreError } from '../../store/types.js';
import { UsageError } from '../parse-options.js';
import { type CommandOutput, formatRecord } from '../print.js';
import type { Arguments } from './arguments.js';
import { type CommandStore, type Commands, inStore, listOutput } from './command.js';
import { readPages } from './pages.js';

const NAME = 'the name of an operator';
const COLUMNS = ['name', 'role', 'workspaces', 'hasPassword', 'createdAt', 'id'];
const AUDIT_COLUMNS = ['time', 'actor', 'action', 'workspaceId', 'subject', 'details'];
const DEFAULT_LIMIT = '50';

export const OPERATORS: Commands = {
  'operators create': {
    options: ['role', 'workspace'],
    operands: NAME,
    parse(args) {
      const fields = parseOperator(args);
      return (session) =>
        session.withStore(
          async (store) => await withLink(store, await store.createOperator(fields), session.settings),
          { create: true },
        );
    },
  },
  'operators list': {
    parse: () =>
      inStore(async (store) => {
        const operators = await store.listOperators();
        return { ...listOutput(operators.map(displayed), COLUMNS, 'no operators'), value: operators };
      }),
  },
  'operators link': {
    operands: NAME,
    parse({ operands: [name] }) {
      return (session) =>
        session.withStore(async (store) => await withLink(store, await findOperator(store, name), session.settings));
    },
  },
  'operators remove': {
    operands: NAME,
    parse({ operands: [name] }) {
      return inStore(async (store) => {
        const { id } = await findOperator(store, name);
        const removed = await store.removeOperator(id);
        return { value: removed, text: formatRecord(displayed(removed)) };
      });
    },
  },
  audit: {
    options: ['workspace', 'action', 'limit'],
    parse(args) {
      const workspace = args.optional('workspace');
      const filter = {
        action: args.optional('action'),
        ...(workspace !== undefined && { workspaceIds: [workspace] }),
      };
      const limit = args.wholeNumber('limit', 1, DEFAULT_LIMIT);
      return inStore(async (store) => {
        const entries = await readPages((page) => store.listAudit(filter, page), limit);
        return { ...listOutput(entries.map(auditRow), AUDIT_COLUMNS, 'nothing was changed yet'), value: entries };
      });
    },
  },
};

/** Throws UsageError. */
function parseOperator(args: Arguments) {
  const name = operatorName.safeParse(args.operands[0]);
  if (!name.success) throw new UsageError(`the operator: expected ${name.error.issues[0].message}`);
  const workspaces =
    args
      .optional('workspace')
      ?.split(',')
      .map((id) => id.trim()) ?? null;
  const role = args.oneOf('role', ROLES, workspaces === null ? 'owner' : 'editor');
  if (workspaces && role === 'owner') {
    throw new UsageError('--workspace: an owner sees all workspaces; give --role editor or viewer');
  }
  return { name: name.data, role, workspaces };
}

async function findOperator(store: CommandStore, name: string): Promise<Operator> {
  const found = (await store.listOperators()).find((operator) => operator.name === name);
  if (!found) throw new StoreError(`there is no operator ${formatReceived(name)}`, { code: 'not_found' });
  return found;
}

async function withLink(store: CommandStore, operator: Operator, settings: Settings): Promise<CommandOutput> {
  const link = await createSignInLink(store, operator.id, publicOrigin(settings));
  const text = `${formatRecord(displayed(operator))}
Open this link to choose a password. It works once, for ${LINK_MINUTES} minutes:

${link}
`;
  return { value: { ...operator, link }, text };
}

const displayed = (operator: Operator) => ({ ...operator, workspaces: operator.workspaces ?? 'all' });

function auditRow({ actor, details, ...entry }: AuditEntry) {
  const text = Object.entries(details ?? {}).map(([name, value]) => `${name}=${value}`);
  return { ...entry, actor: actor.name ?? 'command line', details: text.join(' ') };
}
