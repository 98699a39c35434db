// An admin command → what it did, printed: a table on a terminal, JSON for programs.
import { resolve } from 'node:path';
import { isObject } from '../../contract/fields.js';
import { readSettings, type Settings } from '../../settings.js';
import { createRawKey, hashKey } from '../../store/api-keys.js';
import { openAdmin, restoreStore } from '../../store/open.js';
import { type AdminStore, StoreError } from '../../store/types.js';
import { EXIT, type ExitCode } from '../errors.js';
import { readPayload } from '../payload.js';
import { interruptible } from '../signals.js';
import { type CliContext, oneLine, write } from '../stdio.js';
import { type AdminAction, type AdminCommand, parseAdmin } from './args.js';
import { asJson, asList, asTable } from './print.js';

/** What is printed: `value` as JSON, or `text` on a terminal. */
interface CommandOutput {
  readonly value: unknown;
  readonly text: string;
}

/** Runs the command that `words` ask for. Throws what report.ts knows how to print. */
export async function admin(words: readonly string[], terminal: CliContext): Promise<ExitCode> {
  const { action, ...options } = parseAdmin(words);
  if (action.kind === 'help') {
    await write(terminal.output, (await import('./usage.js')).ADMIN_USAGE);
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
  const { bootstrap, originOf, bootstrapMessage } = await import('../commands/init.js');
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
