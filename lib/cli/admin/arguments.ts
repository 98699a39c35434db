// The options and operands of an admin command, read by type. Pure: reads no files and opens no store.
import { parseTime } from '../../contract/api/query.js';
import { type parseArgv, UsageError } from '../parse-options.js';

export const OPTIONS = {
  data: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  name: { type: 'string' },
  plan: { type: 'string' },
  credits: { type: 'string' },
  workspace: { type: 'string' },
  scopes: { type: 'string' },
  'rate-limit': { type: 'string' },
  amount: { type: 'string' },
  draft: { type: 'boolean' },
  yes: { type: 'boolean' },
  force: { type: 'boolean' },
  status: { type: 'string' },
  template: { type: 'string' },
  key: { type: 'string' },
  metadata: { type: 'string', multiple: true },
  limit: { type: 'string' },
  role: { type: 'string' },
  action: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  output: { type: 'string', short: 'o' },
} as const;

export type OptionName = keyof typeof OPTIONS;
export type Values = ReturnType<typeof parseArgv<typeof OPTIONS>>['values'];

/** Longest name of a workspace or key, in characters. */
const MAX_NAME_LENGTH = 200;

/** A stored template, or one version of it: `tpl_…` or `tpl_…@3`. */
export interface TemplateReference {
  readonly id: string;
  readonly version?: number;
}

/** The options and operands of one command line. Each method throws UsageError. */
export class Arguments {
  readonly operands: readonly string[];
  readonly #command: string;
  readonly #values: Values;

  constructor(command: string, values: Values, operands: readonly string[]) {
    this.#command = command;
    this.#values = values;
    this.operands = operands;
  }

  /** The value of an option that must be given, unless there is a `fallback`. */
  text(name: OptionName, fallback?: string): string {
    const value = this.optional(name) ?? fallback;
    if (value === undefined) throw new UsageError(`"platen ${this.#command}" needs --${name}`);
    return value;
  }

  optional(name: OptionName): string | undefined {
    const value = this.#values[name];
    return typeof value === 'string' ? nonEmpty(name, value) : undefined;
  }

  flag(name: OptionName): boolean {
    return this.#values[name] === true;
  }

  /** The name of a workspace or key. */
  name(): string {
    const name = this.text('name');
    if (name.length > MAX_NAME_LENGTH) throw new UsageError(`--name: expected at most ${MAX_NAME_LENGTH} characters`);
    return name;
  }

  wholeNumber(name: OptionName, min: number, fallback?: string): number {
    return wholeNumber(`--${name}`, this.text(name, fallback), min);
  }

  oneOf<Choice extends string>(name: OptionName, choices: readonly Choice[], fallback?: Choice): Choice {
    return oneOf(name, this.text(name, fallback), choices);
  }

  /** Different values, separated by commas. */
  listOf<Choice extends string>(name: OptionName, choices: readonly Choice[], fallback: Choice): Choice[] {
    const names = this.text(name, fallback).split(',');
    return [...new Set(names.map((each) => oneOf(name, each.trim(), choices)))];
  }

  /** A date or time as ISO 8601; UTC if it has no offset. */
  time(name: OptionName): string | undefined {
    const text = this.optional(name);
    if (text === undefined) return undefined;
    const time = parseTime(text);
    if (Number.isFinite(time)) return new Date(time).toISOString();
    throw new UsageError(`--${name}: received "${text}", expected a date or time such as 2026-01-31T12:00:00Z`);
  }

  /** All of --metadata NAME=VALUE. */
  metadata(): Record<string, string> | undefined {
    const texts = this.#values.metadata ?? [];
    const pairs = texts.map((text): [string, string] => {
      const at = text.indexOf('=');
      if (at < 1) throw new UsageError(`--metadata: received "${text}", expected NAME=VALUE`);
      return [text.slice(0, at), text.slice(at + 1)];
    });
    const repeated = pairs.find(([name], index) => pairs.findIndex(([other]) => other === name) !== index);
    if (repeated) throw new UsageError(`--metadata: "${repeated[0]}" occurs twice`);
    return pairs.length > 0 ? Object.fromEntries(pairs) : undefined;
  }

  /** An operand that is the id of a template, with or without a version. */
  templateReference(index: number): TemplateReference {
    return parseReference(this.operands[index]);
  }

  /** An operand that is the number of a version. */
  version(index: number): number {
    return wholeNumber('the version', this.operands[index], 1);
  }
}

/** Throws UsageError for a version that is no number. */
export function parseReference(text: string): TemplateReference {
  const at = text.indexOf('@');
  if (at < 0) return { id: text };
  return { id: text.slice(0, at), version: wholeNumber(`the version of ${text.slice(0, at)}`, text.slice(at + 1), 1) };
}

function wholeNumber(what: string, text: string, min: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min)) throw new UsageError(`${what}: received "${text}", expected a whole number of at least ${min}`);
  return value;
}

function oneOf<Choice extends string>(name: OptionName, text: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((known) => known === text);
  if (choice === undefined) {
    throw new UsageError(`--${name}: received "${text}", expected one of ${choices.join(', ')}`);
  }
  return choice;
}

export function nonEmpty(name: OptionName, text: string): string {
  if (text.trim() === '') throw new UsageError(`--${name} must not be empty`);
  return text;
}
