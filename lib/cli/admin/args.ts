// Parses an admin command line into a typed AdminCommand. Pure: reads no files and opens no store.
import { closestMatch } from '../../contract/closest-match.js';
import type { Plan, Scope } from '../../store/types.js';
import { parseArgv, UsageError } from '../parse-options.js';

const PLANS: readonly Plan[] = ['free', 'paid'];
const SCOPES: readonly Scope[] = ['render:write', 'render:read', 'templates:read', 'templates:write', 'batch:write'];
/** Longest name of a workspace or key, in characters. */
const MAX_NAME_LENGTH = 200;

export type AdminAction =
  | { readonly kind: 'help' }
  | { readonly kind: 'init' }
  | { readonly kind: 'workspaces create'; readonly name: string; readonly plan: Plan; readonly credits: number }
  | { readonly kind: 'workspaces list' }
  | {
      readonly kind: 'keys create';
      readonly workspace: string;
      readonly name: string;
      readonly scopes: readonly Scope[];
    }
  | { readonly kind: 'keys list'; readonly workspace: string }
  | { readonly kind: 'keys revoke'; readonly id: string }
  | { readonly kind: 'credits show'; readonly workspace: string }
  | { readonly kind: 'credits grant'; readonly workspace: string; readonly amount: number }
  | { readonly kind: 'templates import'; readonly source: string; readonly workspace: string }
  | { readonly kind: 'templates list'; readonly workspace?: string }
  | { readonly kind: 'templates show' | 'templates export' | 'templates delete'; readonly id: string }
  | { readonly kind: 'templates lint'; readonly source: string }
  | { readonly kind: 'templates diff'; readonly before: string; readonly after: string; readonly output?: string }
  | { readonly kind: 'log'; readonly workspace: string; readonly limit: number }
  | { readonly kind: 'store restore' }
  | { readonly kind: 'migrate' }
  | { readonly kind: 'store copy'; readonly from: string; readonly to: string };

export interface AdminCommand {
  readonly action: AdminAction;
  /** `--data`; the DATA_DIR setting if absent. */
  readonly data?: string;
  readonly json: boolean;
}

type Kind = Exclude<AdminAction['kind'], 'help'>;

const OPTIONS = {
  data: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  name: { type: 'string' },
  plan: { type: 'string' },
  credits: { type: 'string' },
  workspace: { type: 'string' },
  scopes: { type: 'string' },
  amount: { type: 'string' },
  limit: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  output: { type: 'string', short: 'o' },
} as const;

type OptionName = keyof typeof OPTIONS;
const COMMON_OPTIONS: readonly OptionName[] = ['data', 'json', 'help'];

interface CommandShape {
  readonly options: readonly OptionName[];
  /** Describes the operands; absent if there are none. */
  readonly operand?: string;
  /** Number of operands: 1 unless given. */
  readonly count?: number;
}

/** Each command's own options, and its operands. */
const COMMANDS = new Map<Kind, CommandShape>([
  ['init', { options: [] }],
  ['workspaces create', { options: ['name', 'plan', 'credits'] }],
  ['workspaces list', { options: [] }],
  ['keys create', { options: ['workspace', 'name', 'scopes'] }],
  ['keys list', { options: ['workspace'] }],
  ['keys revoke', { options: [], operand: 'a key id' }],
  ['credits show', { options: ['workspace'] }],
  ['credits grant', { options: ['workspace', 'amount'] }],
  ['templates import', { options: ['workspace'], operand: 'the template: a JSON file, or - for standard input' }],
  ['templates list', { options: ['workspace'] }],
  ['templates show', { options: [], operand: 'a template id' }],
  ['templates export', { options: [], operand: 'a template id' }],
  ['templates delete', { options: [], operand: 'a template id' }],
  ['templates lint', { options: [], operand: 'a template: a JSON file, - for standard input, or a template id' }],
  ['templates diff', { options: ['output'], operand: 'two templates: JSON files or template ids', count: 2 }],
  ['log', { options: ['workspace', 'limit'] }],
  ['store restore', { options: [] }],
  ['store copy', { options: ['from', 'to'] }],
  ['migrate', { options: [] }],
]);

/** The first argument of each admin command. */
export const ADMIN_GROUPS: ReadonlySet<string> = new Set(Array.from(COMMANDS.keys(), (kind) => kind.split(' ')[0]));

/** Whether `argv` is an admin command. A payload file with such a name is written `./log`. */
export function isAdmin([first]: readonly string[]): boolean {
  return first !== undefined && ADMIN_GROUPS.has(first);
}

/** Parses `argv` (without the program name). Throws UsageError. */
export function parseAdmin(argv: readonly string[]): AdminCommand {
  const { values, positionals } = parseArgv(argv, OPTIONS);
  const common = {
    json: values.json ?? false,
    ...(values.data !== undefined && { data: nonEmpty('data', values.data) }),
  };
  if (values.help) return { ...common, action: { kind: 'help' } };
  const { kind, operands } = matchCommand(positionals);
  const { options, operand, count = 1 } = COMMANDS.get(kind)!;
  const other = Object.keys(values).find((name) => ![...COMMON_OPTIONS, ...options].includes(name as OptionName));
  if (other !== undefined) throw new UsageError(`"render ${kind}" does not support --${other}`);
  if (operand === undefined && operands.length > 0) {
    throw new UsageError(`"render ${kind}" takes no operands, received ${operands.join(', ')}`);
  }
  if (operand !== undefined && (operands.length !== count || operands.includes(''))) {
    throw new UsageError(
      `"render ${kind}" expects ${operand}${operands.length > count ? `, received ${operands}` : ''}`,
    );
  }
  return { ...common, action: parseAction(kind, values, operands) };
}

type Values = { readonly [name in OptionName]?: string | boolean };

function parseAction(kind: Kind, values: Values, [operand = '', second = '']: readonly string[]): AdminAction {
  const text = (name: OptionName, fallback?: string): string => {
    const value = values[name] ?? fallback;
    if (typeof value !== 'string') throw new UsageError(`"render ${kind}" needs --${name}`);
    return nonEmpty(name, value);
  };
  switch (kind) {
    case 'init':
    case 'workspaces list':
    case 'store restore':
    case 'migrate':
      return { kind };
    case 'workspaces create':
      return {
        kind,
        name: checkName(text('name')),
        plan: oneOf('plan', text('plan', 'free'), PLANS),
        credits: wholeNumber('credits', text('credits', '0'), 0),
      };
    case 'keys create':
      return {
        kind,
        workspace: text('workspace'),
        name: checkName(text('name')),
        scopes: parseScopes(text('scopes', 'render:write')),
      };
    case 'keys list':
    case 'credits show':
      return { kind, workspace: text('workspace') };
    case 'credits grant':
      return { kind, workspace: text('workspace'), amount: wholeNumber('amount', text('amount'), 1) };
    case 'templates import':
      return { kind, source: operand, workspace: text('workspace') };
    case 'templates list':
      return { kind, ...(values.workspace !== undefined && { workspace: text('workspace') }) };
    case 'keys revoke':
    case 'templates show':
    case 'templates export':
    case 'templates delete':
      return { kind, id: operand };
    case 'templates lint':
      return { kind, source: operand };
    case 'templates diff':
      if (operand === '-' && second === '-') throw new UsageError("the two templates can't both be standard input");
      return {
        kind,
        before: operand,
        after: second,
        ...(values.output !== undefined && { output: pngPath(text('output')) }),
      };
    case 'store copy':
      return { kind, from: text('from'), to: text('to') };
    case 'log':
      return { kind, workspace: text('workspace'), limit: wholeNumber('limit', text('limit', '50'), 1) };
  }
}

function matchCommand(positionals: readonly string[]): { kind: Kind; operands: readonly string[] } {
  const [group, verb] = positionals;
  for (const length of [1, 2]) {
    const kind = positionals.slice(0, length).join(' ') as Kind;
    if (COMMANDS.has(kind)) return { kind, operands: positionals.slice(length) };
  }
  const verbs = Array.from(COMMANDS.keys(), (kind) => kind.split(' ')).flatMap(([first, second]) =>
    first === group ? second : [],
  );
  const suggestion = verb === undefined ? undefined : closestMatch(verb, verbs);
  const received = verb === undefined ? '' : `received "${group} ${verb}", `;
  throw new UsageError(
    suggestion
      ? `${received}did you mean "${group} ${suggestion}"?`
      : `${received}expected "${group}" and one of ${verbs.join(', ')}`,
  );
}

function pngPath(path: string): string {
  if (!path.toLowerCase().endsWith('.png')) throw new UsageError(`--output: received "${path}", expected a .png file`);
  return path;
}

function nonEmpty(name: OptionName, text: string): string {
  if (text.trim() === '') throw new UsageError(`--${name} must not be empty`);
  return text;
}

function checkName(name: string): string {
  if (name.length > MAX_NAME_LENGTH) throw new UsageError(`--name: expected at most ${MAX_NAME_LENGTH} characters`);
  return name;
}

function oneOf<Choice extends string>(name: OptionName, text: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((known) => known === text);
  if (choice === undefined) {
    throw new UsageError(`--${name}: received "${text}", expected one of ${choices.join(', ')}`);
  }
  return choice;
}

function parseScopes(list: string): Scope[] {
  const scopes = list.split(',').map((scope) => oneOf('scopes', scope.trim(), SCOPES));
  return [...new Set(scopes)];
}

function wholeNumber(name: OptionName, text: string, min: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min)) {
    throw new UsageError(`--${name}: received "${text}", expected a whole number of at least ${min}`);
  }
  return value;
}
