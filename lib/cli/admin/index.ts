// An admin command → what it did, printed: a table on a terminal, JSON for programs.
import { resolve } from 'node:path';
import { isObject } from '../../contract/fields.js';
import { readSettings, type Settings } from '../../settings.js';
import { createRawKey, hashKey } from '../../store/api-keys.js';
import { openAdmin, restoreStore } from '../../store/open.js';
import { type AdminStore, StoreError } from '../../store/types.js';
import { EXIT, type ExitCode } from '../errors.js';
import { readPayload } from '../payload.js';
import { asJson, asList, asTable } from '../print.js';
import { interruptible } from '../signals.js';
import { type CliContext, oneLine, write } from '../stdio.js';
import { type AdminAction, type AdminCommand, parseAdmin } from './args.js';

/** What is printed: `value` as JSON, or `text` on a terminal. */
interface CommandOutput {
  readonly value: unknown;
  readonly text: string;
}

/** Runs the command that `words` ask for. Throws what report.ts knows how to print. */
export async function admin(words: readonly string[], terminal: CliContext): Promise<ExitCode> {
  const { action, ...options } = parseAdmin(words);
  if (action.kind === 'help') {
    await write(terminal.output, ADMIN_USAGE);
    return EXIT.done;
  }
  const settings = readSettings(terminal.environment);
  const { value, text } = await perform(action, options, settings, terminal);
  const json = options.json || (!terminal.output.isTTY && action.kind !== 'init');
  await write(terminal.output, json ? asJson(value) : text);
  return EXIT.done;
}

async function perform(
  action: Exclude<AdminAction, { kind: 'help' }>,
  { data }: Omit<AdminCommand, 'action'>,
  settings: Settings,
  terminal: CliContext,
): Promise<CommandOutput> {
  const url = settings.STORE_URL;
  const folder = resolve(terminal.directory, data ?? settings.DATA_DIR);
  // A template is read and judged before anything is opened: its faults need no folder.
  const record = action.kind === 'templates import' ? await readTemplate(action.source, settings, terminal) : undefined;
  return await interruptible(terminal, async () => {
    if (action.kind === 'store restore') return restored(await restoreStore(folder));
    if (action.kind === 'store copy') {
      const { copyCommand } = await import('./copy.js');
      const copied = await copyCommand(action.from, action.to, terminal);
      return many(copied, ['what', 'source', 'added', 'verified'], 'nothing');
    }
    if (action.kind === 'migrate') return await migrated(url);
    const create = action.kind === 'init' || action.kind === 'workspaces create';
    const warn = (message: string) => void write(terminal.errors, oneLine(`warning: ${message}`));
    const store = await openAdmin({ folder, url }, { create, warn });
    try {
      if (action.kind === 'init') return await beginning(store, settings, url === undefined ? data : undefined);
      if (action.kind === 'templates import') return one(await store.importTemplate(action.workspace, record!));
      return await ask(action, store);
    } finally {
      await store.close();
    }
  });
}

type Question = Exclude<
  AdminAction,
  { kind: 'help' | 'init' | 'store restore' | 'store copy' | 'migrate' | 'templates import' }
>;

async function ask(action: Question, store: AdminStore): Promise<CommandOutput> {
  switch (action.kind) {
    case 'workspaces create':
      return one(await store.createWorkspace(action));
    case 'workspaces list':
      return many(await store.listWorkspaces(), ['id', 'name', 'plan', 'balance'], 'no workspaces');
    case 'keys create': {
      const { workspace: workspaceId, name, scopes } = action;
      const key = createRawKey();
      const created = { ...(await store.createKey({ workspaceId, name, scopes, hash: hashKey(key) })), key };
      const finding = one(created);
      return { ...finding, text: `${finding.text}The key is shown this once: only its SHA-256 is stored.\n` };
    }
    case 'keys list':
      return many(await store.listKeys(action.workspace), ['id', 'name', 'scopes', 'state', 'createdAt'], 'no keys');
    case 'keys revoke':
      return one(await store.revokeKey(action.id));
    case 'credits show':
      return one(await store.balance(action.workspace));
    case 'credits grant':
      return one(await store.grant(action.workspace, action.amount));
    case 'templates list': {
      const columns = ['id', 'workspaceId', 'name', 'width', 'height'];
      return many(await store.listTemplates(action.workspace), columns, 'no templates');
    }
    case 'templates show':
      return shownTemplate(await store.showTemplate(action.id), await store.exportTemplate(action.id));
    case 'templates export': {
      const value = await store.exportTemplate(action.id);
      return { value, text: asJson(value) };
    }
    case 'templates delete':
      return one(await store.deleteTemplate(action.id));
    case 'log': {
      const entries = await store.listRenders(action.workspace, action.limit);
      const columns = ['time', 'keyId', 'templateId', 'format', 'width', 'height', 'durationMs', 'sizeBytes'];
      return many(entries, [...columns, 'creditsCost', 'metadata'], 'no renders');
    }
  }
}

/** The record as it was written, known to be sound. Throws RenderError that names every fault. */
async function readTemplate(source: string, settings: Settings, terminal: CliContext) {
  const { value } = await readPayload(source, terminal);
  const { checkSavedTemplate } = await import('../../templates/saved.js');
  checkSavedTemplate(value, { maxLayers: settings.MAX_LAYERS });
  return value as { name: string; width: number; height: number };
}

/** The template, and the hotspots that variables fill: what a caller needs to know of it. */
function shownTemplate(template: object, record: unknown): CommandOutput {
  const listed = isObject(record) && Array.isArray(record.hotspots) ? record.hotspots : [];
  const hotspots = listed.map(({ key, label, type }) => ({ key, label, type }));
  const text = `${asList({ ...template })}\n${asTable(hotspots, ['key', 'label', 'type'], 'no hotspots')}`;
  return { value: { ...template, hotspots }, text };
}

async function beginning(
  store: AdminStore,
  { HOST, PORT }: Settings,
  data: string | undefined,
): Promise<CommandOutput> {
  const { bootstrap, originOf, bootstrapMessage } = await import('./init.js');
  const value = await bootstrap(store, originOf(HOST, PORT));
  const quoted =
    data === undefined ? '' : ` --data ${/^[\w./-]+$/.test(data) ? data : `'${data.replaceAll("'", `'\\''`)}'`}`;
  return { value, text: bootstrapMessage(value, `npx render serve${quoted}`) };
}

/** Brings the database's schema up to date, and says what that took. */
async function migrated(url: string | undefined): Promise<CommandOutput> {
  if (url === undefined) throw new StoreError('STORE_URL is not set: a data folder has no schema to migrate');
  const { migrateDatabase } = await import('../../store/postgres/store.js');
  return many(await migrateDatabase(url), ['version', 'name', 'appliedAt', 'now'], 'no migrations');
}

function restored(value: Awaited<ReturnType<typeof restoreStore>>): CommandOutput {
  return many(value, ['file', 'from', 'kept'], 'all files can be read: nothing to restore');
}

// Typed interfaces have no index signature: spread, they are plain fields.
const one = (value: object): CommandOutput => ({ value, text: asList({ ...value }) });

function many(value: readonly object[], columns: readonly string[], nothing: string): CommandOutput {
  return {
    value,
    text: asTable(
      value.map((row) => ({ ...row })),
      columns,
      nothing,
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
       render log --workspace W [--limit N]
       render store restore
       render store copy --from PLACE --to PLACE
       render migrate

Administers the data folder of "render serve", or with STORE_URL that database (--data then has no effect), while
servers run on it or not. What is changed holds from the very next request. W and ID are the ids that "create", "import"
and "list" print; lists show the newest first.

      --data DIR      the data folder; else DATA_DIR, else ./data
      --json          print JSON; so does a command whose output is no terminal
      --name N        what people call the workspace or key
      --plan P        free (renders are watermarked) or paid; else free
      --credits N     credits to begin with; else 0
      --scopes a,b    render:write, render:read, templates:read, templates:write, batch:write; else render:write
      --amount N      credits to add
      --limit N       entries of the log; else 50
      --from, --to P  a data folder, or a database as STORE_URL names it (postgres://…)
  -h, --help          print this

"init" makes a workspace with 1000 credits, a key and a sample template, and prints a request to try. A key is printed
once, when it is made: only its SHA-256 is stored. "templates import" refuses local paths in a template: the service
fetches http:, https: and data: URLs alone. "templates show" lists the hotspots, by whose keys or labels variables are
named. "store restore" puts the previous generation in the place of data files that can't be read.

"store copy" adds what PLACE, which no server should be using, has and the other lacks, then reads all of it back and
compares. What is there already is left alone; what is there and differs stops the copy. "migrate" brings the schema of
STORE_URL's database up to date, as every server and command does when it starts, and prints what was applied when.

Exit codes: 0 done; 1 unknown id, malformed template, or data that can't be read or written; 2 wrong usage.
`;
