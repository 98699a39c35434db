// Parses an admin command line, runs the command, and prints the result: tables on a terminal, JSON otherwise.
import { closestMatch } from '../../contract/messages/closest-match.js';
import { readSettings } from '../../settings.js';
import { EXIT, type ExitCode } from '../errors.js';
import { parseArgv, UsageError } from '../parse-options.js';
import { formatJson } from '../print.js';
import { type CliContext, write } from '../stdio.js';
import { Arguments, nonEmpty, OPTIONS, type OptionName } from './arguments.js';
import { ASSETS } from './assets.js';
import { BRAND } from './brand.js';
import { type AdminCommand, AdminSession, type Commands, type RunCommand } from './command.js';
import { INIT } from './init.js';
import { KEYS } from './keys.js';
import { LINKS } from './links.js';
import { LOG } from './log.js';
import { OPERATORS } from './operators.js';
import { STORE } from './store.js';
import { TEMPLATES } from './templates.js';
import { commandHelp, groupHelp } from './usage.js';
import { WORKSPACES } from './workspaces.js';

export const COMMANDS: ReadonlyMap<string, AdminCommand> = new Map(
  Object.entries<AdminCommand>({
    ...INIT,
    ...WORKSPACES,
    ...KEYS,
    ...LINKS,
    ...TEMPLATES,
    ...BRAND,
    ...ASSETS,
    ...LOG,
    ...OPERATORS,
    ...STORE,
  } satisfies Commands as Record<string, AdminCommand>),
);
const COMMON_OPTIONS: readonly OptionName[] = ['data', 'json', 'help'];

/** Runs the command in `argv` (without the program name). Throws errors that `report` can format. */
export async function admin(argv: readonly string[], context: CliContext): Promise<ExitCode> {
  const parsed = parseAdmin(argv);
  if ('help' in parsed) {
    await write(context.output, parsed.help);
    return EXIT.done;
  }
  const { run, data, json, printsText } = parsed;
  const {
    value,
    text,
    code = EXIT.done,
  } = await run(new AdminSession(context, readSettings(context.environment), data));
  await write(context.output, json || !(context.output.isTTY || printsText) ? formatJson(value) : text);
  return code;
}

interface ParsedAdmin {
  readonly run: RunCommand;
  /** `--data`; the DATA_DIR setting if absent. */
  readonly data: string | undefined;
  readonly json: boolean;
  readonly printsText: boolean;
}

/** Parses a command line, which may ask for help. Pure: reads no files and opens no store. Throws UsageError. */
export function parseAdmin(argv: readonly string[]): ParsedAdmin | { readonly help: string } {
  const { values, positionals } = parseArgv(argv, OPTIONS);
  const data = values.data === undefined ? undefined : nonEmpty('data', values.data);
  if (values.help) return { help: helpOf(positionals) };
  const { name, operands } = matchCommand(positionals);
  const command = COMMANDS.get(name)!;
  const allowed = [...COMMON_OPTIONS, ...(command.options ?? [])];
  const other = Object.keys(values).find((option) => !allowed.includes(option as OptionName));
  if (other !== undefined) throw new UsageError(`"platen ${name}" does not support --${other}`);
  checkOperands(name, command, operands);
  const run = command.parse(new Arguments(name, values, operands));
  return { run, data, json: values.json ?? false, printsText: command.printsText ?? false };
}

/** The help of the command that the words call; that of its group if they call none. */
function helpOf([group, verb]: readonly string[]): string {
  const name = COMMANDS.has(group) ? group : `${group} ${verb}`;
  const command = COMMANDS.get(name);
  return command ? commandHelp(name, command.options) : groupHelp(group);
}

function checkOperands(
  name: string,
  { operands: expected, count = 1 }: AdminCommand,
  operandValues: readonly string[],
): void {
  if (expected === undefined && operandValues.length > 0) {
    throw new UsageError(`"platen ${name}" takes no operands, received ${operandValues.join(', ')}`);
  }
  if (expected !== undefined && (operandValues.length !== count || operandValues.includes(''))) {
    const received = operandValues.length > count ? `, received ${operandValues.join(', ')}` : '';
    throw new UsageError(`"platen ${name}" expects ${expected}${received}`);
  }
}

/** The command that the first one or two words name, and the words after it. */
function matchCommand(words: readonly string[]): { readonly name: string; readonly operands: readonly string[] } {
  for (const length of [1, 2]) {
    const name = words.slice(0, length).join(' ');
    if (COMMANDS.has(name)) return { name, operands: words.slice(length) };
  }
  const [group, verb] = words;
  const verbs = Array.from(COMMANDS.keys(), (name) => name.split(' ')).flatMap(([first, second]) =>
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
