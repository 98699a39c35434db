// `platen workspaces …` and `platen credits …`.
import { formatReceived } from '../../contract/json/describe.js';
import { type Plan, StoreError } from '../../store/types.js';
import { UsageError } from '../parse-options.js';
import { exitCodeFor, Interrupted } from '../signals.js';
import { type CliContext, oneLine, write } from '../stdio.js';
import { type AdminSession, type Commands, inStore, listOutput, recordOutput } from './command.js';

const PLANS: readonly Plan[] = ['free', 'paid'];
const ID = 'a workspace id';

export const WORKSPACES: Commands = {
  'workspaces create': {
    options: ['name', 'plan', 'credits'],
    parse(args) {
      const fields = {
        name: args.name(),
        plan: args.oneOf('plan', PLANS, 'free'),
        credits: args.wholeNumber('credits', 0, '0'),
      };
      return (session) =>
        session.withStore(async (store) => recordOutput(await store.createWorkspace(fields)), { create: true });
    },
  },
  'workspaces list': {
    parse: () =>
      inStore(async (store) =>
        listOutput(await store.listWorkspaces(), ['id', 'name', 'plan', 'balance'], 'no workspaces'),
      ),
  },
  'workspaces update': {
    options: ['name', 'plan'],
    operands: ID,
    parse(args) {
      const [id] = args.operands;
      const fields = {
        ...(args.optional('name') !== undefined && { name: args.name() }),
        ...(args.optional('plan') !== undefined && { plan: args.oneOf('plan', PLANS) }),
      };
      if (Object.keys(fields).length === 0) throw new UsageError('"platen workspaces update" needs --name or --plan');
      return inStore(async (store) => recordOutput(await store.updateWorkspace(id, fields)));
    },
  },
  'workspaces delete': {
    options: ['yes'],
    operands: ID,
    parse(args) {
      const [id] = args.operands;
      const isConfirmed = args.flag('yes');
      return async (session) => {
        if (!isConfirmed) await confirmDeletion(id, session);
        return await session.withStore(async (store) => recordOutput(await store.deleteWorkspace(id)));
      };
    },
  },
  'credits show': {
    options: ['workspace'],
    parse(args) {
      const workspace = args.text('workspace');
      return inStore(async (store) => recordOutput(await store.balance(workspace)));
    },
  },
  'credits grant': {
    options: ['workspace', 'amount'],
    parse(args) {
      const [workspace, amount] = [args.text('workspace'), args.wholeNumber('amount', 1)];
      return inStore(async (store) => recordOutput(await store.grant(workspace, amount)));
    },
  },
  'credits revoke': {
    options: ['workspace', 'amount'],
    parse(args) {
      const [workspace, amount] = [args.text('workspace'), args.wholeNumber('amount', 1)];
      return inStore(async (store) => recordOutput(await store.revokeCredits(workspace, amount)));
    },
  },
};

/** Asks for the workspace's name. Throws StoreError if the answer is another, UsageError if there is nobody to ask. */
async function confirmDeletion(id: string, session: AdminSession): Promise<void> {
  const { context } = session;
  if (!context.input.isTTY || !context.errors.isTTY) {
    throw new UsageError(
      `"platen workspaces delete" also deletes keys, link keys, templates and assets: confirm it with --yes`,
    );
  }
  // The store is closed while the user thinks: it may be locked.
  const workspace = await session.withStore(async (store) => {
    const found = (await store.listWorkspaces()).find((each) => each.id === id);
    if (!found) throw new StoreError(`there is no workspace ${formatReceived(id)}`, { code: 'not_found' });
    return { name: oneLine(found.name).trim(), balance: found.balance };
  });
  const question = `This deletes the workspace "${workspace.name}" (${workspace.balance} credits) with its keys, link keys, templates and assets.`;
  const answer = await ask(`${question}\nType its name to confirm: `, context);
  if (answer !== workspace.name) throw new StoreError(`nothing was deleted: "${answer}" is not the workspace's name`);
}

/** The line that the user types. A termination signal ends the question. */
async function ask(question: string, context: CliContext): Promise<string> {
  await write(context.errors, question);
  const signal = context.interrupt?.();
  const interrupted = new Promise<never>((_, reject) =>
    signal?.addEventListener('abort', () => reject(new Interrupted(exitCodeFor(signal))), { once: true }),
  );
  return await Promise.race([readLine(context.input), interrupted]);
}

async function readLine(input: AsyncIterable<Uint8Array>): Promise<string> {
  let text = Buffer.alloc(0);
  for await (const chunk of input) {
    text = Buffer.concat([text, chunk]);
    if (text.includes('\n')) break;
  }
  return text.toString().split('\n')[0].trim();
}
