// `platen init`: creates a first workspace, API key, sample template and operator, and prints a request and a sign-in link.

import { basename, dirname, relative, sep } from 'node:path';
import { listHotspots } from '../../contract/template/record-strings.js';
import { createSignInLink, LINK_MINUTES } from '../../dashboard/sign-in/secrets.js';
import { publicOrigin } from '../../settings.js';
import { createRawKey, hashKey, keyPrefix } from '../../store/api-keys.js';
import type { Operator } from '../../store/operator-store.js';
import { type ApiKey, StoreError, type VersionedTemplate, type Workspace } from '../../store/types.js';
import type { CommandStore, Commands } from './command.js';

/** A word of a shell command. */
function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * Returns the command that starts this program: `npx render` in a checkout, `npx platen` in a project that has the package (or
 * `npx render`, if that is how it was started), `platen` where it is installed globally, and `node dist/bin/render.js` for the file itself. `program` is the
 * file that Node was started with, which is unknown in the tests of commands; `directory` is the folder where it was started.
 */
export function programCommand(program: string | undefined, directory: string): string {
  if (program === undefined) return 'npx platen';
  const name = basename(program);
  const folders = dirname(program).split(sep);
  if (folders.slice(-2).join('/') === 'node_modules/.bin') return `npx ${name}`;
  if (!name.endsWith('.js')) return name;
  const packages = folders.indexOf('node_modules');
  // a launcher of Windows or pnpm has called the file of the package
  if (packages >= 0) return isInside(directory, folders.slice(0, packages).join(sep)) ? 'npx platen' : 'platen';
  return `node ${quoted(isInside(program, directory) ? relative(directory, program) : program)}`;
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Credits of the first workspace, which is on the paid plan: no watermark. */
const FIRST_CREDITS = 1000;
const FIRST_OPERATOR = 'admin';

export interface BootstrapResult {
  readonly workspace: Workspace;
  /** Includes the raw key, which can't be shown again. */
  readonly key: ApiKey & { readonly key: string };
  readonly template: VersionedTemplate;
  /** The first operator; absent if there was one before, and without a dashboard. */
  readonly operator?: Operator & { readonly link: string };
  /** A one-line shell command that renders the template. */
  readonly curl: string;
}

export const INIT: Commands = {
  init: {
    printsText: true,
    parse: () => async (session) => {
      const { STORE_URL, DASHBOARD } = session.settings;
      const origin = publicOrigin(session.settings);
      const value = await session.withStore((store) => bootstrap(store, origin, DASHBOARD === 'on'), { create: true });
      const option = STORE_URL === undefined && session.data !== undefined ? ` --data ${quoted(session.data)}` : '';
      const { program, directory } = session.context;
      return { value, text: bootstrapMessage(value, programCommand(program, directory), option) };
    },
  },
};

/** Creates the records in `store`. Throws StoreError if there is a workspace already. */
export async function bootstrap(store: CommandStore, origin: string, hasDashboard: boolean): Promise<BootstrapResult> {
  const existing = await store.listWorkspaces();
  if (existing.length > 0) {
    throw new StoreError(
      `there is a workspace already; to create another key, run "platen keys create --workspace ${existing[0].id} --name NAME"`,
    );
  }
  const workspace = await store.createWorkspace({ name: 'Default', plan: 'paid', credits: FIRST_CREDITS });
  const rawKey = createRawKey();
  const created = await store.createKey({
    workspaceId: workspace.id,
    name: 'First key',
    scopes: ['render:write'],
    hash: hashKey(rawKey),
    prefix: keyPrefix(rawKey),
  });
  const draft = { record: SAMPLE_TEMPLATE, hotspots: listHotspots(SAMPLE_TEMPLATE), assetIds: [] };
  const template = await store.createTemplate(workspace.id, draft, { publish: true });
  const operator = hasDashboard && (await firstOperator(store, origin));
  const body = JSON.stringify({ templateId: template.id, variables: SAMPLE_VARIABLES, responseType: 'binary' });
  const curl = `curl ${origin}/v1/render -H 'Authorization: Bearer ${rawKey}' -H 'Content-Type: application/json' -d '${body}' -o card.png`;
  return { workspace, key: { ...created, key: rawKey }, template, ...(operator && { operator }), curl };
}

async function firstOperator(store: CommandStore, origin: string): Promise<BootstrapResult['operator']> {
  if ((await store.listOperators()).length > 0) return undefined;
  const operator = await store.createOperator({ name: FIRST_OPERATOR, role: 'owner', workspaces: null });
  return { ...operator, link: await createSignInLink(store, operator.id, origin) };
}

/** The text that `platen init` prints. `command` starts the program, `option` names the data folder. */
export function bootstrapMessage(
  { workspace, key, template, operator, curl }: BootstrapResult,
  command: string,
  option: string,
): string {
  const dashboard = operator
    ? `
Open the dashboard by this link, and choose the password of the operator "${operator.name}". It works once, for ${LINK_MINUTES} minutes:

${operator.link}

"${command} operators link ${operator.name}${option}" prints a new one.
`
    : '';
  return `Workspace  ${workspace.id} ("${workspace.name}", ${workspace.balance} credits)
Template   ${template.id} ("${template.name}")
Key        ${key.key}

The key is not shown again: only its SHA-256 is stored. Start the server, if it is not running yet:

${command} serve${option}

Render the template to card.png:

${curl}
${dashboard}`;
}

/** An event card drawn from shapes and bundled fonts, so that it needs no network. */
export const SAMPLE_TEMPLATE = {
  name: 'Event card',
  width: 1200,
  height: 630,
  placeholders: true,
  background: { color: '#14213d' },
  layers: [
    { type: 'shape', shapeType: 'circle', x: 820, y: -180, width: 620, height: 620, fillColor: '#fca311' },
    { type: 'shape', shapeType: 'pill', x: 72, y: 96, width: 96, height: 12, fillColor: '#fca311' },
  ],
  hotspots: [
    {
      key: 'title',
      label: 'Title',
      type: 'text',
      x: 72,
      y: 136,
      width: 720,
      height: 264,
      text: 'Your event',
      fontFamily: 'Poppins',
      fontWeight: 'bold',
      fontSize: 96,
      minFontSize: 32,
      lineHeight: 1.1,
      color: '#ffffff',
      autoFit: true,
    },
    {
      key: 'date',
      label: 'Date',
      type: 'text',
      x: 72,
      y: 456,
      width: 720,
      height: 96,
      text: 'Soon',
      fontFamily: 'Inter',
      fontSize: 40,
      color: '#e5e5e5',
      verticalAlign: 'bottom',
    },
    {
      key: 'link',
      label: 'Link',
      type: 'qrcode',
      x: 934,
      y: 360,
      width: 198,
      height: 198,
      borderRadius: 16,
    },
  ],
} as const;

/** Variables for the sample request. */
export const SAMPLE_VARIABLES = { title: 'Hello from Platen', date: 'Today', link: 'https://example.com' } as const;
