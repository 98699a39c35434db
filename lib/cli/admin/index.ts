// Runs the admin commands and prints their results: tables on a terminal, JSON otherwise.
import { resolve } from 'node:path';
import { readSettings, type Settings } from '../../settings.js';
import type { AdminConnection } from '../../store/admin-socket/client.js';
import { createRawKey, hashKey } from '../../store/api-keys.js';
import { openAdmin, restoreStore } from '../../store/open.js';
import { StoreError, type VersionedTemplate } from '../../store/types.js';
import { EXIT, type ExitCode } from '../errors.js';
import { readPayload } from '../payload.js';
import { type CommandOutput, formatJson, formatRecord, formatTable } from '../print.js';
import { interruptible } from '../signals.js';
import { type CliContext, oneLine, write } from '../stdio.js';
import { type AdminAction, type AdminCommand, parseAdmin } from './args.js';
import { readPages } from './pages.js';

/** Runs the command in `argv`. Throws errors that `report` can format. */
export async function admin(argv: readonly string[], context: CliContext): Promise<ExitCode> {
  const { action, ...options } = parseAdmin(argv);
  if (action.kind === 'help') {
    await write(context.output, ADMIN_USAGE);
    return EXIT.done;
  }
  const settings = readSettings(context.environment);
  const { value, text, code = EXIT.done } = await perform(action, options, settings, context);
  const json = options.json || (!context.output.isTTY && action.kind !== 'init');
  await write(context.output, json ? formatJson(value) : text);
  return code;
}

async function perform(
  action: Exclude<AdminAction, { kind: 'help' }>,
  { data }: Omit<AdminCommand, 'action'>,
  settings: Settings,
  context: CliContext,
): Promise<CommandOutput> {
  const url = settings.STORE_URL;
  const folder = resolve(context.directory, data ?? settings.DATA_DIR);
  // Validate the template before the store is opened: an invalid one must not create or lock anything.
  const draft = action.kind === 'templates import' ? await readTemplate(action.source, settings, context) : undefined;
  return await interruptible(context, async () => {
    if (action.kind === 'store restore') return restoreOutput(await restoreStore(folder));
    if (action.kind === 'store copy') {
      const { copyCommand } = await import('./copy.js');
      const copied = await copyCommand(action.from, action.to, context);
      return listOutput(copied, ['what', 'source', 'added', 'verified'], 'nothing to copy');
    }
    if (action.kind === 'migrate') return await migrate(url);
    if (action.kind === 'templates lint' || action.kind === 'templates diff') {
      const { compareOrLint } = await import('./templates.js');
      return await compareOrLint(action, { folder, url }, context);
    }
    const create = action.kind === 'init' || action.kind === 'workspaces create';
    const warn = (message: string) => void write(context.errors, oneLine(`warning: ${message}`));
    const store = await openAdmin({ folder, url }, { create, warn });
    try {
      if (action.kind === 'init') return await initialize(store, settings, url === undefined ? data : undefined);
      if (action.kind === 'templates import') {
        return recordOutput(summaryOf(await store.createTemplate(action.workspace, draft!, { publish: true })));
      }
      return await runAction(action, store);
    } finally {
      await store.close();
    }
  });
}

type StoreAction = Exclude<
  AdminAction,
  {
    kind:
      | 'help'
      | 'init'
      | 'store restore'
      | 'store copy'
      | 'migrate'
      | 'templates import'
      | 'templates lint'
      | 'templates diff';
  }
>;

async function runAction(action: StoreAction, store: AdminConnection): Promise<CommandOutput> {
  switch (action.kind) {
    case 'workspaces create':
      return recordOutput(await store.createWorkspace(action));
    case 'workspaces list':
      return listOutput(await store.listWorkspaces(), ['id', 'name', 'plan', 'balance'], 'no workspaces');
    case 'keys create': {
      const { workspace: workspaceId, name, scopes } = action;
      const key = createRawKey();
      const created = { ...(await store.createKey({ workspaceId, name, scopes, hash: hashKey(key) })), key };
      const output = recordOutput(created);
      return { ...output, text: `${output.text}The key is not shown again: only its SHA-256 is stored.\n` };
    }
    case 'keys list':
      return listOutput(
        await store.listKeys(action.workspace),
        ['id', 'name', 'scopes', 'state', 'createdAt'],
        'no keys',
      );
    case 'keys revoke':
      return recordOutput(await store.revokeKey(action.id));
    case 'credits show':
      return recordOutput(await store.balance(action.workspace));
    case 'credits grant':
      return recordOutput(await store.grant(action.workspace, action.amount));
    case 'templates list': {
      const columns = ['id', 'workspaceId', 'name', 'width', 'height'];
      const templates = await readPages((page) => store.listTemplates(action.workspace, page));
      return listOutput(templates.map(summaryOf), columns, 'no templates');
    }
    case 'templates show':
      return templateOutput(await store.getTemplate(action));
    case 'templates export': {
      const { record: value } = await store.getTemplateRecord(action);
      return { value, text: formatJson(value) };
    }
    case 'templates delete':
      return recordOutput(summaryOf(await store.deleteTemplate(action)));
    case 'log': {
      const entries = await readPages((page) => store.listRenders(action.workspace, {}, page), action.limit);
      const columns = ['time', 'keyId', 'templateId', 'format', 'width', 'height', 'durationMs', 'sizeBytes'];
      return listOutput(entries, [...columns, 'creditsCost', 'metadata'], 'no renders');
    }
  }
}

/** Reads and validates a template, and returns it unchanged, with what is derived from it. Throws a RenderError that lists all issues. */
async function readTemplate(source: string, settings: Settings, context: CliContext) {
  const { value } = await readPayload(source, context);
  const { draftOf } = await import('../../templates/draft.js');
  return draftOf(value, { maxLayers: settings.MAX_LAYERS });
}

const summaryOf = ({ id, workspaceId, name, width, height }: VersionedTemplate) => ({
  id,
  workspaceId,
  name,
  width,
  height,
});

/** The template's metadata and its hotspots, whose keys and labels are the variable names. */
function templateOutput(template: VersionedTemplate): CommandOutput {
  const summary = summaryOf(template);
  const hotspots = template.hotspots.map((each) => ({ ...each }));
  const text = `${formatRecord(summary)}\n${formatTable(hotspots, ['key', 'label', 'type'], 'no hotspots')}`;
  return { value: { ...summary, hotspots }, text };
}

async function initialize(
  store: AdminConnection,
  { HOST, PORT }: Settings,
  data: string | undefined,
): Promise<CommandOutput> {
  const { bootstrap, originOf, bootstrapMessage } = await import('./init.js');
  const value = await bootstrap(store, originOf(HOST, PORT));
  const dataOption =
    data === undefined ? '' : ` --data ${/^[\w./-]+$/.test(data) ? data : `'${data.replaceAll("'", `'\\''`)}'`}`;
  return { value, text: bootstrapMessage(value, `npx render serve${dataOption}`) };
}

/** Applies pending schema migrations and lists all of them. */
async function migrate(url: string | undefined): Promise<CommandOutput> {
  if (url === undefined) throw new StoreError('STORE_URL is not set: a data folder has no schema to migrate');
  const { migrateDatabase } = await import('../../store/postgres/store.js');
  return listOutput(await migrateDatabase(url), ['version', 'name', 'appliedAt', 'now'], 'no migrations');
}

function restoreOutput(value: Awaited<ReturnType<typeof restoreStore>>): CommandOutput {
  return listOutput(value, ['file', 'from', 'kept'], 'all files are readable: nothing to restore');
}

// Spreading turns an interface type, which has no index signature, into plain fields.
const recordOutput = (value: object): CommandOutput => ({ value, text: formatRecord({ ...value }) });

function listOutput(value: readonly object[], columns: readonly string[], emptyText: string): CommandOutput {
  return {
    value,
    text: formatTable(
      value.map((row) => ({ ...row })),
      columns,
      emptyText,
    ),
  };
}

export const ADMIN_USAGE = `Usage: render init
       render workspaces create --name N [--plan free|paid] [--credits N]
       render workspaces list
       render keys create --workspace W --name N [--scopes a,b]
       render keys list --workspace W
       render keys revoke ID
       render credits show --workspace W
       render credits grant --workspace W --amount N
       render templates import <template.json | -> --workspace W
       render templates list [--workspace W]
       render templates show|export|delete ID
       render templates lint <template.json | - | ID>
       render templates diff <template.json | - | ID> <template.json | - | ID> [-o diff.png]
       render log --workspace W [--limit N]
       render store restore
       render store copy --from STORE --to STORE
       render migrate

Administers the data folder of "render serve", or the database at STORE_URL if that is set (--data is then ignored).
Servers may be running. Changes apply from the next request on. W and ID are the ids that "create", "import" and "list"
print. Lists show the newest entries first.

      --data DIR      data folder; default: DATA_DIR, else ./data
      --json          print JSON; the default if the output is not a terminal
      --name N        display name of the workspace or key
      --plan P        free (renders are watermarked) or paid; default: free
      --credits N     initial credits; default: 0
      --scopes a,b    render:write, render:read, templates:read, templates:write, batch:write; default: render:write
      --amount N      credits to add
      --limit N       maximum number of log entries; default: 50
      --from, --to S  a data folder, or a database URL such as STORE_URL takes (postgres://…)
  -o, --output FILE   templates diff: write a PNG of the pixels that differ to FILE
  -h, --help          print this help

"init" creates a workspace with 1000 credits, an API key and a sample template, and prints a request to try. A key is
printed once, when it is created: only its SHA-256 is stored. "templates import" rejects local paths in a template:
the service fetches only http:, https: and data: URLs. "templates show" lists the hotspots, whose keys and labels are
the names of the template's variables. "templates lint" finds probable mistakes in a template, such as a hotspot that
is hidden under a fixed layer. "templates diff" lists the fields that differ between two templates; with -o, it also
renders both with their defaults and counts the pixels that differ. Neither needs a store for templates in files.
"store restore" replaces unreadable data files by their previous generation.

"store copy" copies to the second store what it lacks of the first, then reads everything back and compares. No server
should be using the second store. Existing records are kept; an existing record that differs stops the copy. "migrate"
updates the database schema at STORE_URL, as every server and command does when it starts, and lists the migrations.

Exit codes: 0 success; 1 unknown id, invalid template, unreadable or unwritable data, or findings of "templates lint";
2 usage error.
`;
