// The help texts of the admin commands: of a group, such as `platen keys --help`, and of a single command.
import type { OptionName } from './arguments.js';

interface CommandHelp {
  /** Follows the command in its synopsis. */
  readonly usage: string;
  readonly text: string;
  /** Descriptions of options that mean something else here. */
  readonly options?: Partial<Readonly<Record<OptionName, string>>>;
}

const KEY_IS_PRINTED_ONCE = 'The key is printed once: only its SHA-256 is stored.';
const TEMPLATE = '<template.json | - | ID[@VERSION]>';
const VERSIONS = `Each change makes a new version, which renders use from then on, unless --draft is given. Local paths in the template
are rejected: the service fetches only http:, https: and data: URLs.`;

/** Help by the words that call the command. */
const COMMAND_HELP: Readonly<Record<string, CommandHelp>> = {
  init: {
    usage: '',
    text: `Creates a workspace with 1000 credits, an API key, a sample template and the operator "admin", and prints a request to
try and a link to sign in. ${KEY_IS_PRINTED_ONCE}`,
  },
  'workspaces create': {
    usage: '--name N [--plan free|paid] [--credits N]',
    text: 'Creates a workspace, which has keys, templates, assets and a balance of credits of its own.',
  },
  'workspaces list': { usage: '', text: 'Lists the workspaces, newest first.' },
  'workspaces update': {
    usage: 'ID [--name N] [--plan free|paid]',
    text: 'Changes the name or the plan of a workspace.',
    options: { plan: 'free (renders are watermarked) or paid' },
  },
  'workspaces delete': {
    usage: 'ID [--yes]',
    text: `Deletes a workspace with its keys, link keys, templates, brand and assets. Its balance and its render log can still be
read, by "platen credits show" and "platen log".`,
  },
  'keys create': {
    usage: '--workspace W --name N [--scopes a,b] [--rate-limit N]',
    text: `Creates an API key. ${KEY_IS_PRINTED_ONCE}`,
  },
  'keys list': { usage: '--workspace W', text: 'Lists the API keys of a workspace, newest first.' },
  'keys revoke': { usage: 'ID', text: 'Revokes an API key, from the next request on.' },
  'links create': {
    usage: '--workspace W --name N',
    text: `Creates a link key, which signs image links: URLs that need no API key (GET /v1/images/ID.png?…&signature=…). Prints its
private key once; only the public half is stored.`,
  },
  'links list': { usage: '--workspace W', text: 'Lists the link keys of a workspace, newest first.' },
  'links revoke': { usage: 'ID', text: 'Revokes a link key: links that it signed are refused from then on.' },
  'credits show': {
    usage: '--workspace W',
    text: 'Prints the balance of a workspace, also of one that was deleted.',
  },
  'credits grant': { usage: '--workspace W --amount N', text: 'Adds credits to the balance of a workspace.' },
  'credits revoke': {
    usage: '--workspace W --amount N',
    text: 'Takes credits back: at most what no running render holds.',
  },
  'templates import': {
    usage: '<template.json | -> --workspace W [--draft]',
    text: `Saves a template and prints its id.\n${VERSIONS}`,
  },
  'templates update': {
    usage: 'ID <template.json | -> [--draft]',
    text: `Replaces the record of a template.\n${VERSIONS}`,
  },
  'templates list': { usage: '[--workspace W]', text: 'Lists templates, newest first, of all workspaces or of one.' },
  'templates versions': { usage: 'ID', text: 'Lists the versions of a template, newest first.' },
  'templates show': {
    usage: 'ID[@VERSION]',
    text: 'Prints what is known of a template, with its hotspots, whose keys and labels are the names of its variables.',
  },
  'templates export': { usage: 'ID[@VERSION]', text: 'Prints the record of a template as JSON.' },
  'templates publish': { usage: 'ID VERSION', text: 'Makes renders use a version from now on. It may be an old one.' },
  'templates restore': {
    usage: 'ID VERSION [--draft]',
    text: 'Makes a new version that equals an old one, and publishes it unless --draft is given.',
  },
  'templates delete': { usage: 'ID', text: 'Deletes a template with all its versions.' },
  'templates lint': {
    usage: TEMPLATE,
    text: `Another name of "platen lint": finds faults of the design, and probable mistakes such as a hotspot that is hidden under
a fixed layer. Exits with 1 for errors and warnings. A template in a file needs no store.`,
  },
  'templates diff': {
    usage: `${TEMPLATE} ${TEMPLATE} [-o diff.png]`,
    text: `Lists the fields that differ between two templates. With -o, also renders both with their defaults and counts the pixels
that differ. Templates in files need no store.`,
  },
  'brand get': {
    usage: '--workspace W',
    text: 'Prints the brand of a workspace: its version, tokens, themes, fonts and logos.',
  },
  'brand set': {
    usage: '<brand.json | -> --workspace W',
    text: `Saves the next version of a brand, which renders take from then on: { "tokens": { … }, "themes": { … }, "fonts": [ … ],
"logos": { … } }. What is absent is empty; what "platen brand get" prints can be edited and saved.`,
  },
  'assets add': {
    usage: 'FILE --workspace W',
    text: 'Stores an image or a font, which templates and payloads of the workspace name as asset:ID.',
  },
  'assets list': { usage: '--workspace W', text: 'Lists the assets of a workspace, newest first.' },
  'assets delete': { usage: 'ID --workspace W [--force]', text: 'Deletes an asset that no template uses.' },
  log: {
    usage: `--workspace W [--status ok|failed] [--template ID] [--key ID] [--from T] [--to T]
                  [--metadata NAME=VALUE]... [--limit N]`,
    text: `Lists the renders of a workspace, newest first: those that were charged or replayed, and those that failed. The
workspace may have been deleted.`,
    options: {
      from: 'not before this date or time (UTC): 2026-01-31 or 2026-01-31T12:00:00',
      to: 'before this date or time',
      workspace: 'id of the workspace',
    },
  },
  'operators create': {
    usage: 'NAME [--role owner|editor|viewer] [--workspace W]',
    text: `Creates an operator, who uses the dashboard at /dashboard/ of the server. Prints a link by which the operator chooses a
password: it works once, for 15 minutes.`,
    options: {
      workspace: 'one id or several, separated by commas: the workspaces that the operator sees; default: all',
    },
  },
  'operators list': { usage: '', text: 'Lists the operators.' },
  'operators link': {
    usage: 'NAME',
    text: 'Prints a new link to choose a password. It works once, for 15 minutes; earlier links become invalid.',
  },
  'operators remove': { usage: 'NAME', text: 'Removes an operator, and ends the sessions at once.' },
  audit: {
    usage: '[--workspace W] [--action A] [--limit N]',
    text: 'Lists who changed what, newest first: operators, API keys and these commands.',
    options: { workspace: 'only what concerns this workspace' },
  },
  'store restore': { usage: '', text: 'Replaces data files that can’t be read by their previous generation.' },
  'store copy': {
    usage: '--from STORE --to STORE',
    text: `Copies to the second store what it lacks of the first, then reads everything back and compares. No server should be
using the second store. Existing records are kept; an existing record that differs stops the copy.`,
    options: {
      from: 'a data folder, or a database URL such as STORE_URL takes (postgres://…)',
      to: 'the same',
    },
  },
  migrate: {
    usage: '',
    text: `Updates the database schema at STORE_URL, as every server and command does when it starts, and lists the migrations.`,
  },
};

/** Notations of options that are not written as `--name X` with their initial. */
const OPTION_VALUES: Partial<Readonly<Record<OptionName, string>>> = {
  data: ' DIR',
  json: '',
  help: '',
  draft: '',
  yes: '',
  force: '',
  credits: ' N',
  scopes: ' a,b',
  'rate-limit': ' N',
  amount: ' N',
  limit: ' N',
  template: ' ID',
  key: ' ID',
  metadata: ' N=V',
  output: ' FILE',
  from: ' T',
  to: ' T',
};

const OPTION_TEXTS: Readonly<Record<OptionName, string>> = {
  name: 'display name',
  plan: 'free (renders are watermarked) or paid; default: free',
  credits: 'initial credits; default: 0',
  workspace: 'id of the workspace',
  yes: 'don’t ask for confirmation; needed if there is no terminal',
  scopes: 'render:write, render:read, templates:read, templates:write, batch:write; default: render:write',
  'rate-limit': 'renders a minute of this key, instead of API_KEY_RATE_LIMIT_PER_MIN',
  amount: 'how many credits',
  draft: 'don’t publish the new version',
  force: 'even if templates use the asset',
  output: 'write a PNG of the pixels that differ to FILE',
  status: 'ok or failed',
  template: 'renders of this template',
  key: 'renders with this key',
  from: '',
  to: '',
  metadata: 'renders whose metadata has this value; repeatable, all must match',
  limit: 'maximum number of entries; default: 50',
  role: 'owner (all workspaces, and the operators), editor (templates, keys) or viewer; default: owner,\nor editor with --workspace',
  action: 'such as key.create, credits.grant or session.fail',
  data: 'data folder; default: DATA_DIR, else ./data. With STORE_URL the store is that database',
  json: 'print JSON; the default if the output is not a terminal',
  help: 'print this help',
};

const COLUMN = 22;

function optionLines(name: OptionName, text: string): string {
  const short = name === 'help' ? '  -h, ' : name === 'output' ? '  -o, ' : '      ';
  const value = OPTION_VALUES[name] ?? ` ${name[0].toUpperCase()}`;
  const head = `${short}--${name}${value}`;
  return `${head.padEnd(COLUMN - 1)} ${text.replaceAll('\n', `\n${' '.repeat(COLUMN)}`)}\n`;
}

/** Returns the help of one command. `options` are those besides --data, --json and --help. */
export function commandHelp(name: string, options: readonly OptionName[] = []): string {
  const { usage, text, options: own = {} } = COMMAND_HELP[name];
  const listed = [...options, 'data', 'json', 'help'] as const;
  const lines = listed.map((option) => optionLines(option, own[option] ?? OPTION_TEXTS[option]));
  return `Usage: platen ${`${name} ${usage}`.trimEnd()}\n\n${text}\n\n${lines.join('')}`;
}

/** The help of the commands that begin with `group`: how each is called. */
export function groupHelp(group: string): string {
  const commands = Object.entries(COMMAND_HELP).filter(([name]) => name.startsWith(`${group} `));
  const lines = commands.map(([name, { usage }]) => `platen ${`${name} ${usage}`.trimEnd()}\n`);
  return `Usage: ${lines.join('       ')}
Changes what is in the data folder of "platen serve", or in the database at STORE_URL if that is set. Servers may be
running: changes apply from the next request on. Each command prints text, and JSON with --json.
"platen ${group} COMMAND --help" explains one of them.

Exit codes: 0 success; 1 unknown id, invalid template, findings of "templates lint", or data that can't be read or
written; 2 usage error.
`;
}
