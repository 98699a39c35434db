// The .gitignore of a data folder: what the service keeps there is private, or large, and belongs into no repository.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ASSETS, KEYS, LEDGER, LINKS, OPERATORS, TEMPLATES, USAGE, WORKSPACES } from '../../store/embedded/rows.js';

const TABLES = [WORKSPACES, KEYS, LINKS, TEMPLATES, ASSETS, OPERATORS, LEDGER, USAGE];

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
/assets/
/.gitignore
`;

/** Writes the .gitignore of a data folder, unless it has one. A folder that can't be written to is not this one's concern. */
export async function ignoreInGit(folder: string): Promise<void> {
  await writeFile(join(folder, '.gitignore'), GIT_IGNORE, { flag: 'wx' }).catch(() => undefined);
}
