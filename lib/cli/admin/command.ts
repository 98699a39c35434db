// Describes an admin command, the session that it runs in, and its output.

import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Settings } from '../../settings.js';
import { audited } from '../../store/audited.js';
import {
  ASSETS,
  BRANDS,
  KEYS,
  LEDGER,
  LINKS,
  OPERATORS,
  TEMPLATES,
  USAGE,
  WORKSPACES,
} from '../../store/embedded/rows.js';
import { openAdmin, type StoreLocation } from '../../store/open.js';
import { type CommandOutput, formatRecord, formatTable } from '../print.js';
import { interruptible } from '../signals.js';
import { type CliContext, oneLine, write } from '../stdio.js';
import type { Arguments, OptionName } from './arguments.js';
import type { ADMIN_GROUPS } from './groups.js';

const TABLES = [WORKSPACES, KEYS, LINKS, TEMPLATES, BRANDS, ASSETS, OPERATORS, LEDGER, USAGE];

/** Names what the service writes and nothing else, because the folder may have other files too. */
export const GIT_IGNORE = `# Data of the service: keys, credits, templates, assets and logs
/*.json.*
${TABLES.map(({ table }) => `/${table}.json`).join('\n')}
/idempotency-*.bin
/renders*.jsonl
/audit-*.jsonl
/lock*
/control.sock
/records/
/brands/
/assets/
/.gitignore
`;

/** Writes the .gitignore of a data folder, unless it has one. A folder that can't be written to is not this one's concern. */
async function ignoreInGit(folder: string): Promise<void> {
  await writeFile(join(folder, '.gitignore'), GIT_IGNORE, { flag: 'wx' }).catch(() => undefined);
}

/** An admin command. */
export interface AdminCommand {
  /** Its own options, besides --data, --json and --help. */
  readonly options?: readonly OptionName[];
  /** Describes the operands; absent if there are none. */
  readonly operands?: string;
  /** Number of operands; 1 by default. */
  readonly count?: number;
  /** It prints text unless --json is given, even if the output is no terminal. */
  readonly printsText?: boolean;
  /** Reads the options and operands, and returns what then runs. Pure. Throws UsageError. */
  parse(args: Arguments): RunCommand;
}

/** Throws errors that `report` can format. */
export type RunCommand = (session: AdminSession) => Promise<CommandOutput>;

type Group = (typeof ADMIN_GROUPS)[number];
/** Commands by the words that call them. */
export type Commands = { readonly [Name in Group | `${Group} ${string}`]?: AdminCommand };

/** The store of the admin commands. */
export type CommandStore = Awaited<ReturnType<typeof openAdmin>>;

/** The stores and streams that a command works with. */
export class AdminSession {
  readonly context: CliContext;
  readonly settings: Settings;
  /** `--data`. */
  readonly data: string | undefined;
  readonly place: StoreLocation;

  constructor(context: CliContext, settings: Settings, data: string | undefined) {
    this.context = context;
    this.settings = settings;
    this.data = data;
    this.place = { folder: resolve(context.directory, data ?? settings.DATA_DIR), url: settings.STORE_URL };
  }

  /** Opens the store, which may be that of a running server. `create` creates a folder that does not exist. */
  async withStore<Result>(work: (store: CommandStore) => Promise<Result>, { create = false } = {}): Promise<Result> {
    const warn = (message: string) => void write(this.context.errors, oneLine(`warning: ${message}`));
    return await interruptible(this.context, async () => {
      const store = await openAdmin(this.place, { create, warn });
      if (create && this.place.url === undefined) await ignoreInGit(this.place.folder);
      try {
        return await work(audited(store, { kind: 'command' }, warn));
      } finally {
        await store.close();
      }
    });
  }
}

/** A command that does one thing in the store and prints the result. */
export const inStore =
  (work: (store: CommandStore) => Promise<CommandOutput>): RunCommand =>
  (session) =>
    session.withStore(work);

// Spreading turns an interface type, which has no index signature, into plain fields.
export const recordOutput = (value: object): CommandOutput => ({ value, text: formatRecord({ ...value }) });

export function listOutput(value: readonly object[], columns: readonly string[], emptyText: string): CommandOutput {
  const rows = value.map((row) => ({ ...row }));
  return { value, text: formatTable(rows, columns, emptyText) };
}
