// `render init`: an empty data folder → a workspace, a key and a template, and the request that tries them.
import { createRawKey, hashKey } from '../../store/api-keys.js';
import { type AdminStore, type ApiKey, type StoredTemplate, StoreError, type Workspace } from '../../store/types.js';

/** Credits of the first workspace: enough to look around, on the plan without a watermark. */
const FIRST_CREDITS = 1000;

export interface BootstrapResult {
  readonly workspace: Workspace;
  /** With the raw key, which is shown this once. */
  readonly key: ApiKey & { readonly key: string };
  readonly template: StoredTemplate;
  /** One line for a shell. */
  readonly curl: string;
}

/** Makes the first things in `store`. Throws StoreError when there is a workspace already. */
export async function bootstrap(store: AdminStore, origin: string): Promise<BootstrapResult> {
  const existing = await store.listWorkspaces();
  if (existing.length > 0) {
    throw new StoreError(
      `there is a workspace already: "render keys create --workspace ${existing[0].id} --name NAME" makes another key`,
    );
  }
  const workspace = await store.createWorkspace({ name: 'Default', plan: 'paid', credits: FIRST_CREDITS });
  const raw = createRawKey();
  const created = await store.createKey({
    workspaceId: workspace.id,
    name: 'First key',
    scopes: ['render:write'],
    hash: hashKey(raw),
  });
  const template = await store.importTemplate(workspace.id, SAMPLE_TEMPLATE);
  const body = JSON.stringify({ templateId: template.id, variables: SAMPLE_VARIABLES, responseType: 'binary' });
  const curl = `curl ${origin}/v1/render -H 'Authorization: Bearer ${raw}' -H 'Content-Type: application/json' -d '${body}' -o card.png`;
  return { workspace, key: { ...created, key: raw }, template, curl };
}

/** Where a server with these settings can be reached from the same machine. */
export function originOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** What a newcomer reads. `serve` is the command that starts the server. */
export function bootstrapMessage({ workspace, key, template, curl }: BootstrapResult, serve: string): string {
  return `Workspace  ${workspace.id} ("${workspace.name}", ${workspace.balance} credits)
Template   ${template.id} ("${template.name}")
Key        ${key.key}

The key is shown this once: only its SHA-256 is stored. Start the server, if it does not run yet:

${serve}

and render the template to card.png:

${curl}
`;
}

export const SAMPLE_TEMPLATE = {
  name: 'Event card',
  width: 1200,
  height: 630,
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

/** Variables to try the template with. */
export const SAMPLE_VARIABLES = { title: 'Hello from Platen', date: 'Today', link: 'https://example.com' } as const;
